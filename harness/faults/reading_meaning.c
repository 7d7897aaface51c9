/* The call read otherwise: frames, axis, permutation, order among equals. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/mli/forms.h"

#include <string.h>

/* Backwards, the frame that comes last is the first in memory. */
static bool read_frames_one_less(lb_fault_view *view)
{
    lb_tensor *in = lb_view_tensor(view, LB_ROLE_IN, 0);
    if (in->shape[0] < 2)
        return false;
    in->shape[0]--;
    if (view->call->config.direction == 1)
        in->data.mem.pi8 += (ptrdiff_t)in->mem_stride[0] * lb_storage_bytes(in->el_type);
    return true;
}

/* ---- Axis ---- */

/* One slope for each index of the new axis, from the first again behind the last. */
static bool fit_slopes(lb_fault_view *view, uint32_t count)
{
    lb_tensor *slope = lb_view_tensor(view, LB_ROLE_SLOPE, 0);
    size_t bytes = lb_element_bytes(slope->el_type), old = lb_element_count(slope);
    if (!lb_view_own_memory(view, LB_ROLE_SLOPE, 0, count * bytes))
        return false;
    for (size_t i = old; i < count; i++)
        lb_store(slope, i, lb_load(slope, i % old));
    return true;
}

/* Sums and maxima, and results, without the last index along the axis. */
static bool read_axis_one_less(lb_fault_view *view)
{
    int32_t axis = view->call->config.axis;
    lb_tensor *in = lb_view_tensor(view, LB_ROLE_IN, 0),
              *out = lb_view_tensor(view, LB_ROLE_OUT, 0);
    bool fits = axis >= 0 && axis < (int32_t)in->rank && axis < (int32_t)out->rank;
    if (!fits || in->shape[axis] < 2 || out->shape[axis] < 2)
        return false;
    in->shape[axis]--;
    out->shape[axis]--;
    return true;
}

static bool run_on_axis(lb_fault_run *run, int32_t axis)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    const lb_tensor *in = view.call->tensor[LB_ROLE_IN];
    bool fits = axis < (int32_t)in->rank && axis != view.call->config.axis &&
                (axis >= 0 || view.call->config.axis >= 0);
    view.call->config.axis = axis;
    const lb_tensor *slope = view.call->tensor[LB_ROLE_SLOPE];
    uint32_t slopes = slope && axis >= 0 ? (uint32_t)lb_element_count(slope) : UINT32_MAX;
    if (fits && slopes != UINT32_MAX)
        fits = fit_slopes(&view, in->shape[axis]);
    if (fits && view.call->kernel->config_kind == LB_CONFIG_ARGMAX)
        fits = lb_view_is_accepted(&view);
    if (!lb_view_run_if(&view, fits))
        return false;
    if (slopes != UINT32_MAX) /* their slope would lie behind the last one */
        lb_fault_unsay_from(run, (unsigned)axis, slopes);
    return true;
}

/* The axis by the operator, of as many as the input has. `at` says of which calls: those that name
 * an axis, or (OF_ALL) those that ask for the whole tensor. */
enum { OF_AXIS, OF_ALL };

static bool read_axis(lb_fault_run *run)
{
    const lb_number_edit *does = &run->fault->kind->does;
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    const int32_t axis = run->test_case->config.axis, rank = in ? (int32_t)in->rank : 0;
    const int32_t other = does->how == LB_PLUS       ? axis + run->fault->argument
                          : does->how == LB_MIRRORED ? rank - 1 - axis
                          : does->how == LB_AS_LAST  ? rank - 1
                                                     : 0;
    return (does->at == OF_ALL) == (axis < 0) && other >= 0 && other < rank &&
           run_on_axis(run, other);
}

static bool read_axis_as(lb_fault_run *run)
{
    return run_on_axis(run, run->fault->argument);
}

/* ---- Places that argmax finds ---- */

/* Slices from the end: among equals the other one is found. */
static bool read_ties_other(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_map map = *lb_map_of(view.call->kernel);
    for (uint8_t d = 0; d < LB_MAX_RANK; d++)
        lb_edit_map(&(lb_edit){.op = LB_EDIT_MIRRORED,
                               .in = LB_EDIT_IN_TERM,
                               .access = LB_MAP_X,
                               .index = d,
                               .term = 1},
                    &map);
    run->map = &map;
    lb_view_run(&view);
    run->map = NULL;
    return lb_view_has_changed(run);
}

/* ---- Permutation ---- */

/* What is asked for, and by which dimension of in the strides go: out dimension k runs along it. */
typedef struct permutations {
    lb_fault_run *run;
    size_t places; /* of elements, in the memory of in */
    const uint8_t *asked;
    uint8_t done[LB_MAX_RANK];
} permutations;

/* Of what lies behind the memory of in nothing is said. */
static int64_t permuted(const lb_tensor *in, const uint32_t *index, const void *user)
{
    const permutations *p = user;
    const lb_tensor *out = &p->run->out->tensors[LB_ROLE_OUT][0];
    size_t place = 0, flat = 0;
    for (uint32_t k = 0; k < in->rank; k++) {
        place += (size_t)index[p->asked[k]] * (size_t)in->mem_stride[p->done[k]];
        flat = flat * out->shape[k] + index[p->asked[k]];
    }
    if (place >= p->places)
        lb_fault_unsay(p->run, LB_ROLE_OUT, flat);
    return (int64_t)place;
}

static bool read_permutation(lb_fault_view *view)
{
    const lb_tensor *in = view->call->tensor[LB_ROLE_IN];
    permutations p = {.run = view->run, .asked = view->call->config.perm_dim};
    bool inverted = view->run->fault->kind->does.how == LB_MIRRORED;
    p.places = lb_view_available(view, in) / lb_storage_bytes(in->el_type);
    for (uint8_t k = 0; k < in->rank; k++)
        if (inverted)
            p.done[p.asked[k]] = k;
        else
            p.done[k] = k;
    return lb_view_remap(view, LB_ROLE_IN, 0, permuted, &p);
}

/* A comparison of pointers that does not look at the types. */
static bool read_type_ignored(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *a = lb_view_tensor(&view, LB_ROLE_IN1, 0);
    lb_tensor *b = lb_view_tensor(&view, LB_ROLE_IN2, 0);
    if (!a || !b || a->el_type == b->el_type)
        return lb_view_drop(&view);
    b->el_type = a->el_type;
    return lb_view_run_with_fields(&view);
}

/* ---- Places ---- */

LB_OWN_NUMBERS(axes, lb_has_axis(kernel), 0)
LB_OWN_NUMBERS(axes_both_ways, lb_has_axis(kernel), -1, 1)
LB_OWN_NUMBERS(places_axis, lb_has_axis(kernel), -1, 0, 1, 2, 3)

LB_OWN_NUMBERS(places_compare,
               lb_pattern_of(kernel) == LB_PATTERN_HELPER &&
                   lb_fault_role_use(kernel, LB_ROLE_IN2) != LB_USE_NONE,
               0)

LB_OWN_NUMBERS(places_permute, lb_pattern_of(kernel) == LB_PATTERN_ORDER, 0)
/* Functions that work on groups of elements, and have no operand for each. */
LB_OWN_NUMBERS(normalized_groups,
               kernel->config_kind == LB_CONFIG_AXIS &&
                   lb_fault_role_use(kernel, LB_ROLE_SLOPE) == LB_USE_NONE,
               0)

LB_OWN_NUMBERS(slope_blocks,
               lb_fault_role_use(kernel, LB_ROLE_SLOPE) != LB_USE_NONE &&
                   kernel->config_kind == LB_CONFIG_AXIS,
               LB_SLOPE_OF_ONE, LB_SLOPE_WITHOUT_NEXT, LB_SLOPE_WITH_AXIS)

/* One slope of 16 bits fills them, those of an axis do not. */
LB_OWN_NUMBERS(slope_factors,
               lb_fault_role_use(kernel, LB_ROLE_SLOPE) != LB_USE_NONE &&
                   lb_container_bits(kernel->in_type) == 16 &&
                   (at->argument == LB_SLOPE_NONE_NORMALIZED || lb_has_axis(kernel)),
               LB_SLOPE_EACH_NORMALIZED, LB_SLOPE_NONE_NORMALIZED)

/* ---- The table ---- */

#define AXIS(name_, words_, look_, prior_, places_, place_, ...)                                   \
    LB_KIND_BY(LB_FAULTS_READING, "axis." name_, words_, look_, "elementwise.md 4, 7 to 9",        \
               prior_, places_, place_, read_axis, __VA_ARGS__)

/* clang-format off */
const lb_fault_kind lb_fault_meaning_kinds[] = {
    LB_CHANGE("frames.one_less", "leaves out the frame that comes last", "loop bounds of the frames", "recurrent.md 6 to 8", 5, lb_places_gates, NULL, read_frames_one_less),
    LB_READING("axis.as", "works along this axis whatever the configuration says", "axis counted from the end, from 1, or ignored", "elementwise.md 4, 7 to 9", 6, places_axis, "{n}", read_axis_as),
    AXIS("last", "works along the innermost dimension whatever the axis is", "an axis that is not read", 6, axes, NULL, .how = LB_AS_LAST),
    AXIS("from_end", "counts the axis from the innermost dimension", "rank - 1 - axis", 4, axes, NULL, .how = LB_MIRRORED),
    AXIS("moved", "works along the dimension beside the axis", "an axis counted from 1", 4, axes_both_ways, "{n}", .how = LB_PLUS),
    AXIS("last_for_all", "works along the innermost dimension where the whole tensor is asked for", "axis -1 taken for the last one", 7, axes, NULL, .at = OF_ALL, .how = LB_AS_LAST),
    AXIS("first_for_all", "works along the outermost dimension where the whole tensor is asked for", "axis -1", 3, axes, NULL, .at = OF_ALL, .how = LB_AS_ZERO),
    LB_CHANGE("axis.one_less", "leaves out the last index along the axis", "loop bounds of the groups", "elementwise.md 7, 8", 5, normalized_groups, NULL, read_axis_one_less),
    LB_READING("slopes.by_number", "takes slopes by the number of the element, in blocks of another size", "the index of the slope: which dimensions lie behind the axis", "elementwise.md 4", 5, slope_blocks, "{n=|a slope for each element in turn|blocks without the dimension behind the axis|blocks with the axis itself}", lb_run_form),
    LB_READING("slopes.scaling", "normalizes slopes otherwise before they are a factor", "code shared by one slope and by those of an axis", "elementwise.md 4", 4, slope_factors, "{n=||||slopes of an axis as one alone|one slope as those of an axis}", lb_run_form),
    LB_READING("ties.other", "finds the other one of equal elements", "> for >=, the order of the search", "elementwise.md 9", 7, lb_places_argmax, NULL, read_ties_other),
    LB_READING_BY("places.flat", "gives numbers of elements for their offsets in memory", "index arithmetic without mem_stride", "elementwise.md 9", 6, lb_places_argmax, NULL, lb_run_form, .number = LB_LARGEST_BY_ELEMENT),
    LB_READING_BY("places.in_slice", "gives numbers within a slice", "the base of a slice is not added", "elementwise.md 9", 6, lb_places_argmax, NULL, lb_run_form, .number = LB_LARGEST_BY_SLICE),
    LB_CHANGE_BY("permutation.inverted", "permutes the other way: in[perm] for out[perm]", "to which side perm_dim belongs", "pooling_and_movement.md 3", 8, places_permute, NULL, read_permutation, .how = LB_MIRRORED),
    LB_CHANGE_BY("permutation.ignored", "copies without a permutation", "fast paths for copies", "pooling_and_movement.md 3", 4, places_permute, NULL, read_permutation, .how = LB_AS_IS),
    LB_READING("type.ignored", "compares pointers without their types", "early exits of the comparison", "numerics.md 8.1", 4, places_compare, NULL, read_type_ignored),
    {.name = NULL},
};
/* clang-format on */
