/* Coverpoints of values: operands and results at the ends of their containers, and what the watched
 * accumulators of the exact model did. Spec: numerics.md 4.1, 4.2; conv.md 12; recurrent.md 5.4. */
#include "harness/coverage/class.h"
#include "reference/describe/element_copy.h"
#include "reference/mli/pool_divisor.h"
#include "reference/mli/weighted.h"

/* ---- Accumulators ---- */

static const lb_cover_point width_points[] = {
    LB_POINT("wraps", 0, 0), LB_POINT("comes_back", 1, 1), {0}};
static const lb_cover_point bias_points[] = {
    LB_POINT("saturates_low", 0, 0), LB_POINT("saturates_high", 1, 1), {0}};

static const lb_family_set with_bias = LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS) | LB_CELLS;

static bool has_accumulator(const lb_kernel *kernel)
{
    return lb_families[kernel->family].sums != LB_SUMS_NONE && !lb_kernel_writes_zeros(kernel);
}

static bool is_wide(const lb_kernel *kernel)
{
    if (lb_cover_in(kernel, with_bias))
        return lb_operands_of(kernel) == LB_OPERANDS_16X16;
    return kernel->family == LB_FAMILY_L2_NORMALIZE ||
           (kernel->family == LB_FAMILY_AVEPOOL && kernel->in_type == LB_FX16);
}

/* Products that one output can have: fixed by the kernel size, or as many as a case of some
 * megabytes holds. */
static int64_t most_products(const lb_kernel *kernel)
{
    bool by_window = lb_cover_in(kernel, LB_IN_FAMILY(DEPTHWISE_CONV2D) | LB_IN_FAMILY(AVEPOOL));
    if (by_window && kernel->kernel_size > 0)
        return (int64_t)kernel->kernel_size * kernel->kernel_size;
    if (kernel->family == LB_FAMILY_AVEPOOL)
        return kernel->in_type == LB_FX8 ? 1024 : 65025; /* 2.5: fx8 is defined up to there */
    return kernel->family == LB_FAMILY_SOFTMAX ? 65538 : 131071;
}

/* Bits that the largest sum needs, sign included (conv.md 12; pooling_and_movement.md 2.4, 2.5;
 * elementwise.md 7, 8). */
static unsigned most_bits(const lb_kernel *kernel)
{
    int64_t products = most_products(kernel);
    int in_bits = lb_container_bits(kernel->in_type) - 1;
    int64_t largest; /* product */
    if (lb_cover_in(kernel, with_bias)) {
        largest = (int64_t)1 << (in_bits + lb_container_bits(kernel->weights_type) - 1);
        largest = lb_is_sa(kernel->in_type) ? 255 * 128 : largest; /* with the zero point's term */
    } else if (kernel->family == LB_FAMILY_AVEPOOL) {
        /* of sa8 the aligned offset fills the register */
        int64_t reciprocal = products == 9 ? 0x71c7 : products == 65025 ? 0x4080 : 0x4000;
        largest = lb_is_sa(kernel->in_type) ? (int64_t)1 << 31 : reciprocal << in_bits;
    } else if (kernel->family == LB_FAMILY_SOFTMAX) {
        largest = 32767;
    } else {
        largest = lb_is_sa(kernel->in_type) ? 255 * 255 : (int64_t)1 << 30;
    }
    int bits = lb_bits_for_range(-largest * products, 0);
    int width = is_wide(kernel) ? 48 : 32;
    return (unsigned)(bits < width ? bits : width);
}

static uint64_t observe_bits(const lb_observation *o, const lb_cover_group *group)
{
    const uint64_t all = (uint64_t)1 << (group->limit - 1);
    return !o->watch ? 0 : o->watch->sum_bits & (all | (all - 1));
}

/* Beyond the width the sums of these are undefined (recurrent.md 5.4; pooling_and_movement.md 2.5,
 * 2.6; elementwise.md 12): how the models leave it is nothing that a suite can reach. */
static bool leaves_defined(const lb_kernel *kernel)
{
    const lb_family_set cells = LB_CELLS | LB_OF_PATTERN(DENSE_LISTS);
    return lb_cover_in(kernel, LB_IN_FAMILY(AVEPOOL) | LB_IN_FAMILY(SOFTMAX)) ||
           (lb_cover_in(kernel, cells) && lb_operands_of(kernel) != LB_OPERANDS_16X16);
}

static uint64_t observe_width(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    return !o->watch || leaves_defined(o->kernel)
               ? 0
               : LB_BIT(o->watch->persistent > 0, 0) | LB_BIT(o->watch->transient > 0, 1);
}

static uint64_t observe_bias(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    return !o->watch || leaves_defined(o->kernel)
               ? 0
               : LB_BIT(o->watch->saturated > o->watch->saturated_high, 0) |
                     LB_BIT(o->watch->saturated_high > 0, 1);
}

static void add_accumulator(lb_cover_list *list)
{
    lb_cover_group group = {.class_name = "value.accumulator",
                            .instance = "bits",
                            .spec = "numerics.md 4.1, conv.md 12",
                            .first = 1,
                            .limit = most_bits(list->kernel),
                            .observe = observe_bits};
    lb_cover_add(list, group);
    group.instance = "";
    group.points = width_points;
    group.observe = observe_width;
    lb_cover_add(list, group);
    if (lb_cover_in(list->kernel, with_bias)) {
        group.class_name = "value.bias";
        group.points = bias_points;
        group.observe = observe_bias;
        group.spec = "numerics.md 4.2, 4.3";
        lb_cover_add(list, group);
    }
}

/* ---- Operands and results ---- */

static const lb_cover_point end_points[] = {
    LB_POINT("lowest", 0, 0), LB_POINT("zero", 1, 1), LB_POINT("highest", 2, 2), {0}};

/* Elements that lie equally far apart: in most tensors all of them do. */
typedef struct element_rows {
    size_t count; /* of one row */
    size_t stride;
} element_rows;

static element_rows rows_of(const lb_tensor *t)
{
    if (t->rank == 0 || t->rank > LB_MAX_RANK)
        return (element_rows){1, 0};
    uint32_t d = t->rank - 1;
    element_rows rows = {t->shape[d], (size_t)t->mem_stride[d]};
    while (d-- > 0 && (size_t)t->mem_stride[d] == rows.count * rows.stride)
        rows.count *= t->shape[d];
    return rows;
}

enum { BLOCK = 64 }; /* elements that are compared at once: some cases have millions */

static uint64_t ends_of_row(const lb_tensor *t, size_t start, element_rows rows, int bits)
{
    const int32_t low = (int32_t)lb_min_of(bits), high = (int32_t)lb_max_of(bits);
    uint64_t hit = 0;
    for (size_t i = 0; i < rows.count && hit != 7; i += BLOCK) {
        const size_t count = rows.count - i < BLOCK ? rows.count - i : BLOCK;
        int32_t x[BLOCK], lows = 0, zeros = 0, highs = 0;
        lb_load_run(t, start + i * rows.stride, rows.stride, count, x, 1);
        for (size_t j = 0; j < count; j++) {
            lows |= x[j] == low;
            zeros |= x[j] == 0;
            highs |= x[j] == high;
        }
        hit |= LB_BIT(lows, 0) | LB_BIT(zeros, 1) | LB_BIT(highs, 2);
    }
    return hit;
}

static uint64_t ends_of(const lb_tensor *t)
{
    const int bits = lb_container_bits(t->el_type);
    const size_t count = lb_element_count(t);
    uint64_t hit = 0;
    if (bits == 0 || t->el_type == LB_FP32)
        return 0;
    const element_rows rows = rows_of(t);
    for (size_t row = 0; row < count && hit != 7; row += rows.count)
        hit |= ends_of_row(t, lb_offset_of_flat(t, row), rows, bits);
    return hit;
}

/* detail: as the call left the tensor. */
static uint64_t observe_ends(const lb_observation *o, const lb_cover_group *group)
{
    const bool result = group->detail != 0;
    uint64_t hit = 0;
    if (!result && o->ends && o->ends->known[group->id])
        return o->ends->hit[group->id];
    for (unsigned i = 0; i < LB_MAX_LIST; i++) {
        const lb_tensor *t = lb_cover_tensor(result ? o->after : o->before, group->id, i);
        if (!t)
            break;
        hit |= ends_of(t);
    }
    if (!result && o->ends) {
        o->ends->hit[group->id] = hit;
        o->ends->known[group->id] = true;
    }
    return hit;
}

static const char *ends_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                    unsigned point, int profile)
{
    (void)kernel;
    return group->place && !(group->place->can[profile] >> point & 1)
               ? "elements never are, in a call that is defined: so say the ranges of its steps"
               : NULL;
}

void lb_cover_add_ends(lb_cover_list *list, lb_role role, bool result, const lb_step_place *place)
{
    lb_cover_add(list, (lb_cover_group){.class_name = result ? "value.result" : "value.operand",
                                        .instance = lb_role_name(role),
                                        .spec = "numerics.md 1",
                                        .points = end_points,
                                        .observe = observe_ends,
                                        .id = (int)role,
                                        .detail = result ? 1 : 0,
                                        .place = place,
                                        .unreachable = ends_unreachable});
}

void lb_cover_value(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    const lb_family_set no_numbers = LB_OF_PATTERN(TABLE) | LB_OF_PATTERN(HELPER) |
                                     LB_OF_PATTERN(MOVEMENT) | LB_OF_PATTERN(CODES);
    if (lb_cover_in(kernel, no_numbers))
        return;
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++) {
        if (spec->use != LB_USE_OUTPUT && spec->role != LB_ROLE_EPSILON)
            lb_cover_add_ends(list, spec->role, false, NULL);
        if (spec->use != LB_USE_INPUT && lb_pattern_of(kernel) != LB_PATTERN_SLICES)
            lb_cover_add_ends(list, spec->role, true, NULL);
    }
    if (has_accumulator(kernel))
        add_accumulator(list);
}
