/* Walks tensors of one shape and several strides as few long rows. Dimensions that are contiguous
 * in every operand melt into one, so that a dense tensor of any rank is a single row and inner
 * loops see long vectors. */
#ifndef LB_MLI_ROWS_H
#define LB_MLI_ROWS_H

#include "internal.h"

enum { LB_MLI_ROWS_OPERANDS = 3 };

/*
 *     struct lb_mli_rows rows;
 *     lb_mli_rows_start(&rows, in->rank, in->shape, 2, (const int32_t *const[]){in->mem_stride,
 * out->mem_stride}); do work(in_data + rows.at[0], rows.length, out_data + rows.at[1]); while
 * (lb_mli_rows_next(&rows));
 */
struct lb_mli_rows {
    size_t length; /* elements of a row, contiguous in every operand, at least 1 */
    ptrdiff_t
        at[LB_MLI_ROWS_OPERANDS]; /* where the current row starts in each operand, in elements */
    /* private */
    unsigned operands, outer;
    uint32_t extent[MLI_MAX_RANK], index[MLI_MAX_RANK];
    ptrdiff_t step[LB_MLI_ROWS_OPERANDS][MLI_MAX_RANK];
};

/* Starts at the first row. rank 0..4 (0: one element), every extent at least 1; strides of each
 * operand in elements. Where no stride is 1, rows have length 1. operands: 1..3. */
LB_MLI_HIDDEN void lb_mli_rows_start(struct lb_mli_rows *rows, uint32_t rank, const uint32_t *shape,
                                     unsigned operands, const int32_t *const *strides);

/* Moves to the next row; false after the last. */
LB_MLI_HIDDEN bool lb_mli_rows_next(struct lb_mli_rows *rows);

/*
 * Functions of one operand. A job names the tensors and a function for a piece of a row; the walk
 * hands it pieces that lie apart from their results, also where out lies exactly on in (same
 * address, same strides).
 */
enum { LB_MLI_PIECE = 512 }; /* elements that are copied at a time in place */

/* n contiguous elements from in to out, which do not overlap. */
typedef void lb_mli_piece_fn(const void *context, const void *in, size_t n, void *out);

struct lb_mli_unary {
    const void *in;
    void *out;
    size_t size; /* of an element in bytes, the same in in and out: 1, 2 or 4 */
    uint32_t rank;
    const uint32_t *shape;
    const int32_t *in_stride, *out_stride;
    size_t piece; /* pieces are at most that long, and start at multiples of it in their
                     row: 1..LB_MLI_PIECE; 0: any */
    lb_mli_piece_fn *work;
    const void *context; /* handed to work */
};
LB_MLI_HIDDEN void lb_mli_rows_unary(const struct lb_mli_unary *job);

#endif
