/* Walks strided tensors as few long rows. */
#include "rows.h"

#include <string.h>

/* Whether dimension d continues, in every operand, what the row holds so far. */
static bool continues_row(const struct lb_mli_rows *rows, uint32_t d, const int32_t *const *strides)
{
    for (unsigned k = 0; k < rows->operands; k++)
        if ((size_t)strides[k][d] != rows->length)
            return false;
    return true;
}

void lb_mli_rows_start(struct lb_mli_rows *rows, uint32_t rank, const uint32_t *shape,
                       unsigned operands, const int32_t *const *strides)
{
    rows->length = 1;
    rows->operands = operands;
    rows->outer = 0;
    for (unsigned k = 0; k < operands; k++)
        rows->at[k] = 0;
    for (uint32_t d = rank; d-- > 0;) {
        if (shape[d] == 1)
            continue; /* its stride is never used */
        if (continues_row(rows, d, strides)) {
            rows->length *= shape[d];
            continue;
        }
        rows->extent[rows->outer] = shape[d];
        rows->index[rows->outer] = 0;
        for (unsigned k = 0; k < operands; k++)
            rows->step[k][rows->outer] = strides[k][d];
        rows->outer++;
    }
}

bool lb_mli_rows_next(struct lb_mli_rows *rows)
{
    for (unsigned d = 0; d < rows->outer; d++) {
        rows->index[d]++;
        for (unsigned k = 0; k < rows->operands; k++)
            rows->at[k] += rows->step[k][d];
        if (rows->index[d] < rows->extent[d])
            return true;
        for (unsigned k = 0; k < rows->operands; k++)
            rows->at[k] -= (ptrdiff_t)rows->extent[d] * rows->step[k][d];
        rows->index[d] = 0;
    }
    return false;
}

void lb_mli_rows_unary(const struct lb_mli_unary *job)
{
    int32_t copy[LB_MLI_PIECE];
    const bool in_place = job->in == job->out;
    struct lb_mli_rows rows;
    lb_mli_rows_start(&rows, job->rank, job->shape, 2,
                      (const int32_t *const[]){job->in_stride, job->out_stride});
    const size_t whole = in_place ? LB_MLI_PIECE : rows.length;
    const size_t piece = job->piece ? job->piece : whole;
    do {
        const char *in = (const char *)job->in + rows.at[0] * (ptrdiff_t)job->size;
        char *out = (char *)job->out + rows.at[1] * (ptrdiff_t)job->size;
        for (size_t at = 0; at < rows.length; at += piece) {
            const size_t n = lb_mli_min_size(rows.length - at, piece);
            const char *from = in + at * job->size;
            job->work(job->context, in_place ? memcpy(copy, from, n * job->size) : from, n,
                      out + at * job->size);
        }
    } while (lb_mli_rows_next(&rows));
}
