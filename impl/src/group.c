/*
 * group.c: groups of elements and their contiguous pieces.
 */
#include "group.h"

#include <string.h>

#include "check.h"

/* Lines start where every element with index 0 along the axis lies: the tensor with that dimension cut to 1. */
static void start_lines(struct lb_mli_groups *groups)
{
    uint32_t shape[MLI_MAX_RANK];
    for (uint32_t d = 0; d < groups->of->rank; d++)
        shape[d] = (int32_t)d == groups->axis ? 1 : groups->of->shape[d];
    lb_mli_rows_start(&groups->rows, groups->of->rank, shape, 2,
                      (const int32_t *const[]){groups->of->mem_stride, groups->to->mem_stride});
    groups->at = 0;
}

static void locate(struct lb_mli_groups *groups)
{
    const ptrdiff_t at = (ptrdiff_t)groups->at, size = (ptrdiff_t)groups->size;
    groups->in = (const char *)groups->of->data.mem.pi8 + (groups->rows.at[0] + at) * size;
    groups->out = (char *)groups->to->data.mem.pi8 + (groups->rows.at[1] + at) * size;
}

void lb_mli_groups_start(struct lb_mli_groups *groups, const mli_tensor *in, mli_tensor *out, int32_t axis)
{
    groups->of = in;
    groups->to = out;
    groups->axis = axis;
    groups->size = lb_mli_element_size(in->el_type);
    groups->in = (const char *)in->data.mem.pi8;
    groups->out = (char *)out->data.mem.pi8;
    if (axis < 0) {
        groups->count = lb_mli_count(in);
        return;
    }
    groups->count = in->shape[axis];
    start_lines(groups);
    locate(groups);
}

bool lb_mli_groups_next(struct lb_mli_groups *groups)
{
    if (groups->axis < 0)
        return false;
    groups->at++;
    if (groups->at == groups->rows.length) {
        if (!lb_mli_rows_next(&groups->rows))
            return false;
        groups->at = 0;
    }
    locate(groups);
    return true;
}

/* The row that pieces->rows points to. */
static void enter_row(struct lb_mli_pieces *pieces)
{
    pieces->in = pieces->in_base + pieces->rows.at[0] * (ptrdiff_t)pieces->size;
    pieces->out = pieces->out_base + pieces->rows.at[1] * (ptrdiff_t)pieces->size;
    pieces->left = pieces->rows.length;
}

static void take(struct lb_mli_pieces *pieces)
{
    pieces->n = lb_mli_min_size(pieces->left, LB_MLI_PIECE);
    pieces->left -= pieces->n;
}

void lb_mli_pieces_start(struct lb_mli_pieces *pieces, const struct lb_mli_groups *groups)
{
    pieces->size = groups->size;
    pieces->in = pieces->in_base = groups->in;
    pieces->out = pieces->out_base = groups->out;
    pieces->by_rows = groups->axis < 0;
    if (pieces->by_rows) {
        pieces->in_step = pieces->out_step = 1;
        lb_mli_rows_start(&pieces->rows, groups->of->rank, groups->of->shape, 2,
                          (const int32_t *const[]){groups->of->mem_stride, groups->to->mem_stride});
        enter_row(pieces);
    } else {
        pieces->in_step = groups->of->mem_stride[groups->axis];
        pieces->out_step = groups->to->mem_stride[groups->axis];
        pieces->left = (size_t)groups->count; /* of one dimension */
    }
    take(pieces);
}

void lb_mli_pieces_next(struct lb_mli_pieces *pieces)
{
    const ptrdiff_t bytes = (ptrdiff_t)(pieces->n * pieces->size);
    if (pieces->left > 0) {
        pieces->in += bytes * pieces->in_step;
        pieces->out += bytes * pieces->out_step;
    } else if (pieces->by_rows && lb_mli_rows_next(&pieces->rows)) {
        enter_row(pieces);
    }
    take(pieces);
}

/* n elements of 1 or 2 bytes, a step apart, to a contiguous place. */
static void gather(const void *from, ptrdiff_t step, size_t size, size_t n, void *to)
{
    if (step == 1) {
        memcpy(to, from, n * size);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (size == 2)
            ((int16_t *)to)[i] = ((const int16_t *)from)[(ptrdiff_t)i * step];
        else
            ((int8_t *)to)[i] = ((const int8_t *)from)[(ptrdiff_t)i * step];
    }
}

const void *lb_mli_piece_in(const struct lb_mli_pieces *pieces, void *copy)
{
    if (pieces->in_step == 1 && pieces->in != pieces->out)
        return pieces->in;
    gather(pieces->in, pieces->in_step, pieces->size, pieces->n, copy);
    return copy;
}

const void *lb_mli_piece_again(const struct lb_mli_pieces *pieces, void *copy)
{
    gather(pieces->out, pieces->out_step, pieces->size, pieces->n, copy);
    return copy;
}

void *lb_mli_piece_out(const struct lb_mli_pieces *pieces, void *buffer)
{
    return pieces->out_step == 1 ? (void *)pieces->out : buffer;
}

void lb_mli_piece_done(const struct lb_mli_pieces *pieces, const void *buffer)
{
    if (pieces->out_step == 1)
        return;
    for (size_t i = 0; i < pieces->n; i++) {
        if (pieces->size == 2)
            ((int16_t *)pieces->out)[(ptrdiff_t)i * pieces->out_step] = ((const int16_t *)buffer)[i];
        else
            ((int8_t *)pieces->out)[(ptrdiff_t)i * pieces->out_step] = ((const int8_t *)buffer)[i];
    }
}
