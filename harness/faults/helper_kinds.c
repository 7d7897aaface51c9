/* Helpers: views of parts of tensors; the order among the largest. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <stdlib.h>
#include <string.h>

/* ---- Views of parts ---- */

/* Where a part begins is counted as if the tensor had no gaps; its strides are right. */
static bool subtensor_dense(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *in = view.call->tensor[LB_ROLE_IN];
    int64_t packed = 1;
    bool changed = false;
    for (uint32_t d = in->rank; d-- > 0;) {
        changed |= in->mem_stride[d] != packed;
        in->mem_stride[d] = (int32_t)packed;
        packed *= in->shape[d];
    }
    if (!changed)
        return lb_view_drop(&view);
    lb_view_run_with_fields(&view);
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    memcpy(out->mem_stride, run->right->tensors[LB_ROLE_OUT][0].mem_stride, sizeof out->mem_stride);
    return true;
}

/* Dimensions that are left out are not skipped: entry d of the new shape, or of the new strides, is
 * entry d of the old ones. */
enum { OF_STRIDES, OF_SIZES };

static bool run_not_skipped(lb_fault_run *run)
{
    const bool sizes = run->fault->kind->does.at == OF_SIZES;
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    bool changed = false;
    for (uint32_t d = 0; d < out->rank && d < LB_MAX_RANK; d++) {
        uint32_t size = sizes ? run->test_case->config.size[d] : out->shape[d];
        int32_t stride = sizes ? out->mem_stride[d] : in->mem_stride[d];
        changed |= size != out->shape[d] || stride != out->mem_stride[d];
        out->shape[d] = size;
        out->mem_stride[d] = stride;
    }
    return changed;
}

/* ---- The largest of a tensor ---- */

typedef struct ranked {
    int32_t value, place;
    int32_t row; /* elements that lie side by side in memory have the same */
} ranked;

typedef int (*order_fn)(const void *a, const void *b);

/* The larger first; of equals the one that stands first, or (ties -1) last. */
static int by_value(const ranked *x, const ranked *y, int ties)
{
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->place < y->place ? -ties : ties;
}

static int first_of_equals(const void *a, const void *b)
{
    return by_value(a, b, 1);
}

static int last_of_equals(const void *a, const void *b)
{
    return by_value(a, b, -1);
}

/* As where rows of memory are compared otherwise than elements of one. */
static int by_row(const ranked *x, const ranked *y, int rows)
{
    if (x->value != y->value || x->row == y->row)
        return by_value(x, y, -rows);
    return x->row < y->row ? -rows : rows;
}

static int last_in_first_row(const void *a, const void *b)
{
    return by_row(a, b, 1);
}

static int first_in_last_row(const void *a, const void *b)
{
    return by_row(a, b, -1);
}

static int smallest_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value ? -1 : 1)
                                : (x->place > y->place) - (x->place < y->place);
}

/* The heap of elementwise.md 9, in which an equal element does not replace. */
static void sink_down(ranked *heap, size_t n, size_t r)
{
    for (;;) {
        size_t least = r, left = 2 * r + 1;
        if (left < n && heap[left].value < heap[least].value)
            least = left;
        if (left + 1 < n && heap[left + 1].value < heap[least].value)
            least = left + 1;
        if (least == r)
            return;
        ranked kept = heap[r];
        heap[r] = heap[least];
        heap[least] = kept;
        r = least;
    }
}

static void keep_first(ranked *items, size_t count, size_t topk)
{
    for (size_t i = topk / 2; i-- > 0;)
        sink_down(items, topk, i);
    for (size_t i = topk; i < count; i++)
        if (items[i].value > items[0].value) {
            items[0] = items[i];
            sink_down(items, topk, 0);
        }
    for (size_t i = topk; i-- > 1;) {
        ranked kept = items[0];
        items[0] = items[i];
        items[i] = kept;
        sink_down(items, i, 0);
    }
}

enum { SMALLEST = 3, SELECTIONS = 6 };

static void select_row(const lb_fault_run *run, ranked *items, size_t count, size_t topk)
{
    static const order_fn orders[] = {first_of_equals, last_of_equals, smallest_first,
                                      last_in_first_row, first_in_last_row};
    int which = run->fault->argument;
    if (which == 0) {
        keep_first(items, count, topk);
        return;
    }
    /* the smallest first: the largest are chosen, and stand the other way round */
    qsort(items, count, sizeof *items, which == SMALLEST ? last_of_equals : orders[which - 1]);
    if (which == SMALLEST)
        qsort(items, topk, sizeof *items, smallest_first);
}

static bool run_selection(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    int32_t axis = run->test_case->config.axis, topk = run->test_case->config.topk;
    uint32_t slices = axis < 0 ? 1 : in->shape[axis];
    size_t count = lb_element_count(in), length = slices ? count / slices : 0;
    if (topk < 1 || length < (size_t)topk || in->rank == 0)
        return false;
    ranked *items = calloc(length, sizeof *items);
    for (uint32_t s = 0; items && s < slices; s++) {
        size_t n = 0;
        for (size_t flat = 0; flat < count && n < length; flat++) {
            uint32_t index[LB_MAX_RANK] = {0};
            lb_unflatten(in, flat, index);
            if (axis >= 0 && index[axis] != s)
                continue;
            int32_t at = (int32_t)lb_offset_of(in, index);
            int32_t row = n == 0 ? 0 : items[n - 1].row + (at != items[n - 1].place + 1);
            items[n++] = (ranked){lb_load(in, (size_t)at), at, row};
        }
        select_row(run, items, n, (size_t)topk);
        for (int32_t i = 0; i < topk; i++)
            lb_store(out, (size_t)s * (size_t)topk + (size_t)i, items[i].place);
    }
    free(items);
    return items != NULL;
}

/* Places count from the beginning of their slice. */
static bool place_in_slice(lb_fault_run *run)
{
    int32_t axis = run->test_case->config.axis;
    if (!lb_fault_has_result(run) || axis < 0)
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    int32_t topk = run->test_case->config.topk;
    for (uint32_t s = 0; s < in->shape[axis]; s++)
        for (int32_t i = 0; i < topk; i++) {
            size_t at = (size_t)s * (size_t)topk + (size_t)i;
            lb_store(out, at, lb_load(out, at) - (int64_t)s * in->mem_stride[axis]);
        }
    return true;
}

/* ---- Places ---- */

LB_OWN_NUMBERS(selections, kernel->family == LB_FAMILY_ARGMAX, 0, 1, 2, 3, 4, 5)

static LB_DESCRIBES(tell_selection)
{
    static const char *const names[] = {"an equal element does not replace",
                                        "the first of equals",
                                        "the last of equals",
                                        "the smallest first",
                                        "of equals the last of the first row of memory",
                                        "of equals the first of the last row of memory"};
    (void)arena;
    return names[fault->argument % SELECTIONS];
}

LB_OWN_NUMBERS(subtensors,
               kernel->config_kind == LB_CONFIG_SUB_TENSOR ||
                   kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR,
               0)

LB_OWN_NUMBERS(boxes, kernel->config_kind == LB_CONFIG_SUB_TENSOR, 0)

/* ---- The table ---- */

#define HELPERS "numerics.md 8; pooling_and_movement.md 5"
#define LARGEST "elementwise.md 9"

/* clang-format off */
const lb_fault_kind lb_fault_helper_kinds[] = {
    LB_READING("subtensor.dense", "counts where a part begins as if the tensor had no gaps", "offsets from shapes in place of mem_stride", HELPERS, 6, subtensors, NULL, subtensor_dense),
    LB_READING_BY("subtensor.sizes", "gives a part the sizes of dimensions that are left out", "the index of the dimension that stays: size[kept[d]]", HELPERS, 5, boxes, NULL, run_not_skipped, .at = OF_SIZES),
    LB_READING_BY("subtensor.strides", "gives a part the strides of dimensions that are left out", "the index of the dimension that stays: mem_stride[kept[d]]", HELPERS, 5, boxes, NULL, run_not_skipped, .at = OF_STRIDES),
    LB_READING("selection", "selects or sorts the largest otherwise", "> for >=, the order of the heap", LARGEST, 5, selections, tell_selection, run_selection),
    LB_READING("places.in_own_slice", "counts places from the beginning of their slice", "the base of a slice is not added", LARGEST, 6, lb_places_argmax, NULL, place_in_slice),
    {.name = NULL},
};
/* clang-format on */
