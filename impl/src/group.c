/* Groups of elements and their contiguous pieces. */
#include "group.h"

#include <string.h>

#include "check.h"
#include "loops.h"

/* Lines start where every element with index 0 along the axis lies: the tensor with that dimension
 * cut to 1. */
static void start_lines(struct lb_mli_groups *groups)
{
    uint32_t shape[MLI_MAX_RANK];
    for (uint32_t d = 0; d < groups->of->rank; d++)
        shape[d] = (int32_t)d == groups->axis ? 1 : groups->of->shape[d];
    lb_mli_rows_start(&groups->rows, groups->of->rank, shape, 2,
                      (const int32_t *const[]){groups->of->mem_stride, groups->to->mem_stride});
    groups->at = 0;
}

/* Staging pays from so many lines on. */
enum { LINES_LEAST = 8 };

static void plan_stage(struct lb_mli_groups *groups)
{
    const uint64_t room = LB_MLI_STAGE / groups->size / groups->count;
    groups->together = lb_mli_min_size(groups->rows.length, (size_t)room);
    if (groups->together < LINES_LEAST || (groups->in_step == 1 && groups->out_step == 1))
        groups->together = 0;
}

/* Lines of the stage that the current one is among, and where the first of them is in memory. */
struct staged {
    size_t lines, line_bytes;
    ptrdiff_t in, out; /* bytes from the tensors' starts */
};

static struct staged staged_lines(const struct lb_mli_groups *groups)
{
    const size_t first = groups->at / groups->together * groups->together;
    const ptrdiff_t size = (ptrdiff_t)groups->size;
    return (struct staged){lb_mli_min_size(groups->together, groups->rows.length - first),
                           (size_t)groups->count * groups->size,
                           (groups->rows.at[0] + (ptrdiff_t)first) * size,
                           (groups->rows.at[1] + (ptrdiff_t)first) * size};
}

static lb_mli_transpose_fn *transpose_of(const struct lb_mli_groups *groups)
{
    return lb_mli_loops()->transpose[groups->size == 2 ? LB_MLI_16BIT : LB_MLI_8BIT];
}

static void fill_stage(struct lb_mli_groups *groups)
{
    const struct staged s = staged_lines(groups);
    const ptrdiff_t step = groups->of->mem_stride[groups->axis] * (ptrdiff_t)groups->size;
    transpose_of(groups)((const char *)groups->of->data.mem.pi8 + s.in, step, (size_t)groups->count,
                         s.lines, groups->stage, (ptrdiff_t)s.line_bytes);
}

static void empty_stage(const struct lb_mli_groups *groups)
{
    const struct staged s = staged_lines(groups);
    const ptrdiff_t step = groups->to->mem_stride[groups->axis] * (ptrdiff_t)groups->size;
    transpose_of(groups)(groups->stage, (ptrdiff_t)s.line_bytes, s.lines, (size_t)groups->count,
                         (char *)groups->to->data.mem.pi8 + s.out, step);
}

static void locate(struct lb_mli_groups *groups)
{
    const ptrdiff_t at = (ptrdiff_t)groups->at, size = (ptrdiff_t)groups->size;
    if (groups->together > 0) {
        const size_t of_stage = groups->at % groups->together;
        if (of_stage == 0)
            fill_stage(groups);
        groups->out = (char *)groups->stage + of_stage * (size_t)groups->count * groups->size;
        groups->in = groups->out;
        return;
    }
    groups->in = (const char *)groups->of->data.mem.pi8 + (groups->rows.at[0] + at) * size;
    groups->out = (char *)groups->to->data.mem.pi8 + (groups->rows.at[1] + at) * size;
}

void lb_mli_groups_start(struct lb_mli_groups *groups, const mli_tensor *in, mli_tensor *out,
                         int32_t axis)
{
    groups->of = in;
    groups->to = out;
    groups->axis = axis;
    groups->size = lb_mli_element_size(in->el_type);
    groups->in = (const char *)in->data.mem.pi8;
    groups->out = (char *)out->data.mem.pi8;
    groups->together = 0;
    if (axis < 0) {
        groups->count = lb_mli_count(in);
        return;
    }
    groups->count = in->shape[axis];
    groups->in_step = in->mem_stride[axis];
    groups->out_step = out->mem_stride[axis];
    start_lines(groups);
    plan_stage(groups);
    if (groups->together > 0)
        groups->in_step = groups->out_step = 1;
    locate(groups);
}

bool lb_mli_groups_next(struct lb_mli_groups *groups)
{
    if (groups->axis < 0)
        return false;
    const bool ends_row = groups->at + 1 == groups->rows.length;
    if (groups->together > 0 && (ends_row || (groups->at + 1) % groups->together == 0))
        empty_stage(groups);
    groups->at++;
    if (ends_row) {
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
        pieces->in_step = groups->in_step;
        pieces->out_step = groups->out_step;
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
    for (size_t i = 0; i < n; i++)
        if (size == 2)
            ((int16_t *)to)[i] = ((const int16_t *)from)[(ptrdiff_t)i * step];
        else
            ((int8_t *)to)[i] = ((const int8_t *)from)[(ptrdiff_t)i * step];
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
    for (size_t i = 0; i < pieces->n; i++)
        if (pieces->size == 2)
            ((int16_t *)pieces->out)[(ptrdiff_t)i * pieces->out_step] =
                ((const int16_t *)buffer)[i];
        else
            ((int8_t *)pieces->out)[(ptrdiff_t)i * pieces->out_step] = ((const int8_t *)buffer)[i];
}
