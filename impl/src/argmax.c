/* mli_krn_argmax_* (elementwise.md 9): where the largest elements of each slice lie. The order
 * among equal ones is that of a heap, which for a single place means the last of them: a plain
 * search then. */
#include "api/mli_kernels_api.h"
#include "format.h"
#include "rows.h"

enum {
    PIECE = 4096,
    COLUMNS = 256,
    FEW = 64
}; /* elements searched, columns compared, elements passed over at a time */

/* Elements of a slice. A negative axis: one slice, the whole tensor; else those with one index
 * along the axis. */
static uint64_t slice_size(const mli_tensor *in, int32_t axis)
{
    return axis < 0 ? lb_mli_count(in) : lb_mli_count(in) / in->shape[axis];
}

/* The rank of out is not looked at, only two entries of its shape; the last step makes sure that
 * they have room, which chk(out) need not have seen. */
static mli_status check_argmax(enum lb_mli_kind kind, const mli_tensor *in,
                               const mli_argmax_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->el_type == MLI_EL_SA_32, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_is_dense(out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(cfg && cfg->axis <= (int32_t)in->rank, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(lb_mli_inner_dense(in), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(cfg->axis < (int32_t)in->rank, MLI_STATUS_BAD_FUNC_CFG);
    const uint64_t size = slice_size(in, cfg->axis);
    LB_MLI_REQUIRE(cfg->topk < 0 || (uint64_t)cfg->topk <= size, MLI_STATUS_BAD_FUNC_CFG);
    const uint32_t slices = cfg->axis < 0 ? 1 : in->shape[cfg->axis];
    LB_MLI_REQUIRE(out->shape[0] == slices && (int64_t)out->shape[1] == cfg->topk,
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(in->el_type == lb_mli_type_of_kind(kind), MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(!lb_mli_is_sa(in) || !lb_mli_per_axis(in), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(out->data.capacity / sizeof(int32_t) >= (uint64_t)slices * out->shape[1],
                   MLI_STATUS_NOT_ENGH_MEM);
    return MLI_STATUS_OK;
}

/* Elements by their place in memory, as the outputs name them. */
struct elements {
    bool wide;
    const int8_t *s8;
    const int16_t *s16;
    const struct lb_mli_loops *loops;
};

static int32_t value(const struct elements *e, int32_t place)
{
    return e->wide ? e->s16[place] : e->s8[place];
}

static int32_t largest(const struct elements *e, ptrdiff_t place, size_t n)
{
    return e->wide ? e->loops->max_s16(e->s16 + place, n) : e->loops->max_s8(e->s8 + place, n);
}

/*
 * The heap: its smallest element is at the root.
 */
static void sift(const struct elements *e, int32_t *heap, int64_t n, int64_t root)
{
    for (;;) {
        const int64_t left = 2 * root + 1;
        int64_t least = root;
        if (left < n && value(e, heap[left]) < value(e, heap[least]))
            least = left;
        if (left + 1 < n && value(e, heap[left + 1]) < value(e, heap[least]))
            least = left + 1;
        if (least == root)
            return;
        const int32_t moved = heap[root];
        heap[root] = heap[least];
        heap[least] = moved;
        root = least;
    }
}

struct selection {
    int32_t *heap;
    int64_t filled, size;
};

static void offer(const struct elements *e, struct selection *s, int32_t place)
{
    if (s->filled < s->size) {
        s->heap[s->filled++] = place;
        for (int64_t i = s->size / 2 - 1; s->filled == s->size && i >= 0; i--)
            sift(e, s->heap, s->size, i);
    } else if (value(e, place) >= value(e, s->heap[0])) {
        s->heap[0] = place;
        sift(e, s->heap, s->size, 0);
    }
}

/* Largest first. */
static void sort(const struct elements *e, const struct selection *s)
{
    for (int64_t i = s->size - 1; i > 0; i--) {
        const int32_t smallest = s->heap[0];
        s->heap[0] = s->heap[i];
        s->heap[i] = smallest;
        sift(e, s->heap, i, 0);
    }
}

/* Rows of the slice with index j along the axis, in the order of logical indices. */
static void start_slice(struct lb_mli_rows *rows, const mli_tensor *in, int32_t axis, uint32_t j)
{
    uint32_t shape[MLI_MAX_RANK];
    for (uint32_t d = 0; d < in->rank; d++)
        shape[d] = (int32_t)d == axis ? 1 : in->shape[d];
    lb_mli_rows_start(rows, in->rank, shape, 1, (const int32_t *const[]){in->mem_stride});
    if (axis >= 0)
        rows->at[0] += (ptrdiff_t)j * in->mem_stride[axis];
}

/* Elements below all that are selected are passed over many at a time. */
static void select_row(const struct elements *e, struct selection *s, ptrdiff_t place,
                       size_t length)
{
    for (size_t at = 0; at < length; at += FEW, place += FEW) {
        const size_t n = lb_mli_min_size(length - at, FEW);
        if (s->filled == s->size && largest(e, place, n) < value(e, s->heap[0]))
            continue;
        for (size_t i = 0; i < n; i++)
            offer(e, s, (int32_t)(place + (ptrdiff_t)i));
    }
}

static void select_slice(const struct elements *e, struct lb_mli_rows *rows, int64_t topk,
                         int32_t *out)
{
    struct selection s = {out, 0, topk};
    do
        select_row(e, &s, rows->at[0], rows->length);
    while (lb_mli_rows_next(rows));
    sort(e, &s);
}

/* The last of the largest elements of a slice: first the piece it is in, then its place there. */
static int32_t last_largest(const struct elements *e, struct lb_mli_rows *rows)
{
    ptrdiff_t piece = rows->at[0];
    size_t length = 1;
    int32_t best = INT16_MIN;
    do {
        for (size_t at = 0; at < rows->length; at += PIECE) {
            const size_t n = lb_mli_min_size(rows->length - at, PIECE);
            const int32_t candidate = largest(e, rows->at[0] + (ptrdiff_t)at, n);
            if (candidate >= best) {
                best = candidate;
                piece = rows->at[0] + (ptrdiff_t)at;
                length = n;
            }
        }
    } while (lb_mli_rows_next(rows));
    ptrdiff_t place = piece + (ptrdiff_t)length - 1;
    while (place > piece && value(e, (int32_t)place) != best)
        place--;
    return (int32_t)place;
}

/* A slice for each index of the innermost dimension: rows of the tensor are compared with what is
 * best so far, column by column. */
static void last_largest_columns(const struct elements *e, const mli_tensor *in, int32_t *out)
{
    const size_t columns = in->shape[in->rank - 1];
    union {
        int8_t s8[COLUMNS];
        int16_t s16[COLUMNS];
    } best;
    for (size_t first = 0; first < columns; first += COLUMNS) {
        const size_t n = lb_mli_min_size(columns - first, COLUMNS);
        for (size_t i = 0; i < n; i++)
            if (e->wide)
                best.s16[i] = INT16_MIN;
            else
                best.s8[i] = INT8_MIN;
        struct lb_mli_rows
            rows; /* of the outer dimensions, whose strides are above 1: each a single element */
        lb_mli_rows_start(&rows, in->rank - 1, in->shape, 1,
                          (const int32_t *const[]){in->mem_stride});
        do {
            const ptrdiff_t place = rows.at[0] + (ptrdiff_t)first;
            if (e->wide)
                e->loops->last_max_s16(e->s16 + place, (int32_t)place, n, best.s16, out + first);
            else
                e->loops->last_max_s8(e->s8 + place, (int32_t)place, n, best.s8, out + first);
        } while (lb_mli_rows_next(&rows));
    }
}

static void run_argmax(const struct elements *e, const mli_tensor *in, const mli_argmax_cfg *cfg,
                       int32_t *out)
{
    const uint32_t slices = cfg->axis < 0 ? 1 : in->shape[cfg->axis];
    const bool by_columns = slices > 1 && (uint32_t)cfg->axis == in->rank - 1;
    if (cfg->topk == 1 && by_columns) {
        last_largest_columns(e, in, out);
        return;
    }
    for (uint32_t j = 0; j < slices && cfg->topk > 0; j++) {
        struct lb_mli_rows rows;
        start_slice(&rows, in, cfg->axis, j);
        if (cfg->topk == 1)
            out[j] = last_largest(e, &rows);
        else
            select_slice(e, &rows, cfg->topk, out + (ptrdiff_t)j * cfg->topk);
    }
}

static mli_status argmax(enum lb_mli_kind kind, const mli_tensor *in, const mli_argmax_cfg *cfg,
                         mli_tensor *out)
{
    LB_MLI_CHECK(check_argmax(kind, in, cfg, out));
    const struct elements e = {kind == LB_MLI_FX16, in->data.mem.pi8, in->data.mem.pi16,
                               lb_mli_loops()};
    run_argmax(&e, in, cfg, out->data.mem.pi32);
    lb_mli_set_format(out, (struct lb_mli_quant){1, 0, 0});
    return MLI_STATUS_OK;
}

mli_status mli_krn_argmax_sa8(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out)
{
    return argmax(LB_MLI_SA8, in, cfg, out);
}

mli_status mli_krn_argmax_fx16(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out)
{
    return argmax(LB_MLI_FX16, in, cfg, out);
}
