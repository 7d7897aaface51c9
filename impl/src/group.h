/* Splits a tensor into the groups of elements that softmax and l2_normalize treat as one
 * (elementwise.md 7, 8): the whole tensor, or each line along an axis; and a group into contiguous
 * pieces, copied where strides demand it.
 *
 *     lb_mli_groups_start(&groups, in, out, axis);
 *     do
 *         for (lb_mli_pieces_start(&p, &groups); p.n > 0; lb_mli_pieces_next(&p))
 *             ... lb_mli_piece_in(&p, copy) ... lb_mli_piece_out(&p, buffer) ...
 * lb_mli_piece_done(&p, buffer) ... while (lb_mli_groups_next(&groups)); */
#ifndef LB_MLI_GROUP_H
#define LB_MLI_GROUP_H

#include "rows.h"

/* The current group. in and out: tensors of one shape and element size; out may lie exactly on in.
 * Lines across the memory of both, many of them side by side, are staged: transposed to a buffer,
 * where they are contiguous, and back. */
enum { LB_MLI_STAGE = LB_MLI_SMALL ? 512 : 16384 }; /* bytes */
struct lb_mli_groups {
    const char *in; /* where the group starts */
    char *out;
    ptrdiff_t in_step, out_step; /* of lines: elements from one to the next */
    size_t size;                 /* of an element in bytes: 1 or 2 */
    uint64_t count;              /* elements of the group */
    const mli_tensor *of;        /* shape of the whole, strides of in */
    const mli_tensor *to;        /* strides of out */
    int32_t axis;                /* of the lines, below 0: the whole tensor is one group */
    /* private */
    size_t at; /* of the line in its row of lines */
    struct lb_mli_rows rows;
    size_t together; /* lines that are staged at a time; 0: none */
    int16_t stage[LB_MLI_STAGE / (int)sizeof(int16_t)]; /* one line after the other */
};

/* in, out: checked; axis below their rank. */
LB_MLI_HIDDEN void lb_mli_groups_start(struct lb_mli_groups *groups, const mli_tensor *in,
                                       mli_tensor *out, int32_t axis);

/* Moves to the next group; false after the last. */
LB_MLI_HIDDEN bool lb_mli_groups_next(struct lb_mli_groups *groups);

/* The current piece: n elements, at most LB_MLI_PIECE, 0 after the last. */
struct lb_mli_pieces {
    size_t n;
    /* The two pointers stand apart: copied together as one vector, they would wait for the two
     * stores that made them. */
    const char *in;    /* its first element */
    ptrdiff_t in_step; /* elements from one to the next */
    char *out;
    ptrdiff_t out_step;
    size_t size;
    /* private */
    size_t left; /* elements of the row or line behind this piece */
    const char *in_base;
    bool by_rows;
    char *out_base;
    struct lb_mli_rows rows;
};

LB_MLI_HIDDEN void lb_mli_pieces_start(struct lb_mli_pieces *pieces,
                                       const struct lb_mli_groups *groups);
LB_MLI_HIDDEN void lb_mli_pieces_next(struct lb_mli_pieces *pieces);

/* The elements of the piece in in, contiguous and not in out's memory: in place, or copied to copy
 * (of LB_MLI_PIECE elements). */
LB_MLI_HIDDEN const void *lb_mli_piece_in(const struct lb_mli_pieces *pieces, void *copy);

/* The same of what out holds now: always copied. */
LB_MLI_HIDDEN const void *lb_mli_piece_again(const struct lb_mli_pieces *pieces, void *copy);

/* Where the results of the piece go: out itself, or buffer if its elements are not contiguous. */
LB_MLI_HIDDEN void *lb_mli_piece_out(const struct lb_mli_pieces *pieces, void *buffer);

/* Stores the results from buffer, if that is where they are. */
LB_MLI_HIDDEN void lb_mli_piece_done(const struct lb_mli_pieces *pieces, const void *buffer);

#endif
