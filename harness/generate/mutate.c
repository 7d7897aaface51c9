/* Small changes to a case: see mutate.h. Most change one leaf (reference/describe/leaf.h); the
 * others what would seldom come of such changes: several at once that fit each other, and data. */
#include "harness/generate/mutate.h"
#include "harness/generate/case_change.h"
#include "reference/core/scale.h"

#include <string.h>

/* ---- One leaf ---- */

static bool any_entry(lb_build *b, lb_leaf *leaf)
{
    const lb_config_field *fields = lb_config_fields(b->c->kernel->config_kind);
    int count = 0;
    while (fields[count].name)
        count++;
    if (count == 0)
        return false;
    const lb_config_field *field = &fields[lb_build_pick(b, 0, count - 1)];
    *leaf = lb_leaf_of_field(field, (unsigned)lb_build_pick(b, 0, (int)field->count - 1));
    return true;
}

static bool any_of_tensor(lb_build *b, lb_leaf *leaf)
{
    lb_role role = LB_ROLE_OUT;
    const lb_case_tensor *t = lb_build_any_tensor(b, &role);
    if (!t)
        return false;
    leaf->role = (int8_t)role;
    leaf->at = (int16_t)(t - b->c->operand[role].tensors);
    bool by_dim = leaf->kind == LB_LEAF_EXTENT || leaf->kind == LB_LEAF_STRIDE;
    int64_t count = by_dim                                ? t->rank
                    : leaf->kind == LB_LEAF_LIST_CAPACITY ? 3
                    : leaf->kind == LB_LEAF_SCALE || leaf->kind == LB_LEAF_ZERO_POINT ||
                            leaf->kind == LB_LEAF_SCALE_FRAC_BITS
                        ? (int64_t)(t->scale ? t->quant_count : 0)
                        : 1;
    leaf->by = by_dim ? LB_BY_FIELD : LB_BY_ITSELF;
    leaf->dim = (int8_t)(count > 0 ? lb_build_pick(b, 0, (count < 100 ? count : 100) - 1) : 0);
    return count > 0;
}

/* Of the kinds of leaves, those more often that more depends on. */
static bool any_leaf(lb_build *b, lb_leaf *leaf)
{
    /* clang-format off */
    static const uint8_t kinds[] = {
        LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG,
        LB_LEAF_FRAC_BITS, LB_LEAF_FRAC_BITS, LB_LEAF_SCALE_FRAC_BITS, LB_LEAF_SCALE_FRAC_BITS,
        LB_LEAF_SCALE, LB_LEAF_SCALE, LB_LEAF_ZERO_POINT, LB_LEAF_ZERO_POINT,
        LB_LEAF_EXTENT, LB_LEAF_EXTENT, LB_LEAF_EXTENT, LB_LEAF_STRIDE, LB_LEAF_STRIDE,
        LB_LEAF_RANK, LB_LEAF_RANK, LB_LEAF_TYPE, LB_LEAF_TYPE, LB_LEAF_AXIS, LB_LEAF_CAPACITY,
        LB_LEAF_LIST_CAPACITY, LB_LEAF_DATA_GIVEN, LB_LEAF_GIVEN, LB_LEAF_CONFIG_GIVEN};
    /* clang-format on */
    *leaf = (lb_leaf){.kind = LB_RANDOM_OF(&b->random, kinds)};
    if (leaf->kind == LB_LEAF_CONFIG_GIVEN)
        return true;
    return leaf->kind == LB_LEAF_CONFIG ? any_entry(b, leaf) : any_of_tensor(b, leaf);
}

/* A telling value, or one near by. */
static bool any_change(lb_build *b, lb_change *change)
{
    enum { NEAR = 12, FAR = 40 };
    int64_t values[LB_MOST_TELLING];
    if (!any_leaf(b, &change->leaf))
        return false;
    int64_t now = lb_case_value(b->c, change->leaf, b->arena);
    unsigned count = lb_leaf_telling(change->leaf, now, values);
    change->value = values[lb_build_pick(b, 0, (int64_t)count - 1)];
    if (change->leaf.kind != LB_LEAF_TYPE && lb_build_once_in(b, 3))
        change->value = now + lb_build_pick(b, -NEAR, lb_build_once_in(b, 4) ? FAR : NEAR);
    lb_leaf_range range = lb_leaf_type_range(change->leaf);
    return change->value >= range.low && change->value <= range.high;
}

static void change_leaf(lb_build *b)
{
    lb_change change;
    if (any_change(b, &change))
        lb_case_change(b, &change);
}

static lb_case_tensor *weights_of(lb_build *b)
{
    lb_case_tensor *weights = lb_build_tensor_of(b, LB_ROLE_WEIGHTS);
    return weights ? weights : lb_build_tensor_of(b, LB_ROLE_WEIGHTS_IN);
}

/* The bias of functions with weights, such that it passes the rule of numerics.md 5.6. */
static void fit_bias(lb_build *b)
{
    const lb_case_tensor *in = lb_build_tensor_of(b, LB_ROLE_IN), *weights = weights_of(b);
    lb_case_tensor *bias = lb_build_tensor_of(b, LB_ROLE_BIAS),
                   *states = lb_build_tensor_of(b, LB_ROLE_WEIGHTS_OUT);
    if (!in || !weights || !bias || !in->scale || !weights->scale || !bias->scale)
        return;
    lb_build_spread(b, bias, weights->axis < 0 ? -1 : 0);
    if (states)
        lb_build_spread(b, states, weights->axis);
    for (size_t j = 0; j < bias->quant_count && j < weights->quant_count; j++) {
        bias->zero_point[j] = 0;
        if (in->scale[0] > 0 && weights->scale[j] > 0)
            lb_build_bias_format(in, weights, bias, j);
    }
}

/* The same, and what the checks ask for then, as far as they are conditions. */
static void change_and_fit(lb_build *b)
{
    lb_change change = {.value = 0};
    const lb_rule *ends_at;
    if (any_change(b, &change))
        lb_case_fit(b, &change, 1, NULL, &ends_at);
    fit_bias(b);
}

/* ---- Layout and shape ---- */

static void change_strides(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_build_any_tensor(b, &role);
    if (t && t->rank > 0)
        lb_build_rows(b, t, lb_build_once_in(b, 5) ? 2 : 1);
}

/* out in the memory of an input: at its start, with its strides, or somewhere. */
static void change_place(lb_build *b)
{
    lb_role role;
    lb_case_tensor *out = lb_build_tensor_of(b, LB_ROLE_OUT), *t = lb_build_any_tensor(b, &role);
    if (!out || !t || t == out || out->rank == 0 || t->rank == 0)
        return;
    out->has_data_in = true;
    out->has_data = false;
    out->data_in = (lb_tensor_ref){.role = role,
                                   .list_index = (unsigned)(t - b->c->operand[role].tensors),
                                   .start = lb_build_once_in(b, 4) ? 1 : 0};
    if (out->rank == t->rank && !lb_build_once_in(b, 4)) {
        out->has_mem_stride = t->has_mem_stride;
        memcpy(out->mem_stride, t->mem_stride, sizeof out->mem_stride);
    }
}

/* All tensors that are of one type become of another, and hold it. */
static void change_types(lb_build *b)
{
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP32};
    lb_role any;
    const lb_case_tensor *like = lb_build_any_tensor(b, &any);
    if (!like)
        return;
    const lb_el_type from = like->type;
    lb_change change = {{.kind = LB_LEAF_TYPE}, LB_RANDOM_OF(&b->random, types)};
    for (lb_case_place p = LB_CASE_START; lb_case_next(b->c, &p);) {
        change.leaf.role = (int8_t)p.role;
        change.leaf.at = (int16_t)p.at;
        if (p.t->type == from)
            lb_case_change(b, &change);
    }
}

/* ---- Data ---- */

/* Telling numbers in all places, some, or beside what stands in one. */
static void change_data(lb_build *b)
{
    enum { ALL, SOME, ONE, ANEW, WAYS };
    lb_role role;
    lb_case_tensor *t = lb_build_any_tensor(b, &role);
    int bits = t ? lb_container_bits((uint32_t)t->type) : 0;
    if (!t || !t->has_data || t->type == LB_FP32 || bits == 0 || t->data.count == 0)
        return;
    int64_t high = ((int64_t)1 << (bits - 1)) - 1;
    const int64_t values[] = {
        -high - 1, high,     0,         1,
        -1,        high / 2, -high / 2, (int64_t)1 << lb_build_pick(b, 0, bits - 2)};
    int64_t value = LB_RANDOM_OF(&b->random, values), way = lb_build_pick(b, 0, WAYS - 1);
    int32_t *one = &t->data.items[lb_random_in(&b->random, 0, (int64_t)t->data.count - 1)];
    int64_t beside = (int64_t)*one + lb_build_pick(b, -3, 3);
    if (way == ANEW)
        lb_build_some_data(b, t, t->data.count);
    else if (way == ONE)
        *one = (int32_t)(beside > high ? high : beside < -high - 1 ? -high - 1 : beside);
    for (size_t i = 0; i < t->data.count && way <= SOME; i++)
        if (way == ALL || lb_build_once_in(b, 3))
            t->data.items[i] = (int32_t)value;
}

/* ---- Formats that fit each other ---- */

/* All formats move together, so that what depends on their sums and differences stays. */
static void shift_formats(lb_build *b)
{
    int by = lb_build_pick(b, -100, 100);
    for (lb_case_place p = LB_CASE_START; lb_case_next(b->c, &p);) {
        const int own_part = p.role == LB_ROLE_WEIGHTS || p.role == LB_ROLE_SLOPE ? 0 : by;
        lb_build_fx(p.t, p.t->frac_bits + own_part);
        for (size_t j = 0; p.t->scale && j < p.t->quant_count; j++)
            p.t->scale_frac_bits[j] =
                (int8_t)lb_build_clamp(p.t->scale_frac_bits[j] + own_part, -128, 127);
    }
}

/* The output's format moves so that the shift of the first channel is at an end of its classes
 * (numerics.md 5.2). */
static void aim_shift(lb_build *b)
{
    static const int targets[] = {0, 0, 0, -1, 1, 62, 63, 64, 39, 40, 31, 32};
    lb_case_tensor *in = lb_build_tensor_of(b, LB_ROLE_IN),
                   *out = lb_build_tensor_of(b, LB_ROLE_OUT);
    const lb_case_tensor *weights = weights_of(b);
    if (!in || !out || !weights || !in->scale || !out->scale || !weights->scale ||
        in->scale[0] <= 0 || out->scale[0] <= 0)
        return;
    lb_quant from = {in->scale[0], in->scale_frac_bits[0], 0},
             to = {out->scale[0], out->scale_frac_bits[0], 0};
    int shift = lb_output_ratio(LB_ROUND_UP, from, to).base + weights->scale_frac_bits[0];
    int target = LB_RANDOM_OF(&b->random, targets);
    out->scale_frac_bits[0] =
        (int8_t)lb_build_clamp(out->scale_frac_bits[0] + shift - target, -128, 127);
}

/* The parameters of one tensor are those of another (a list, now and then), or nothing. */
static void share_quantization(lb_build *b)
{
    lb_role from, to;
    lb_case_tensor *one = lb_build_any_tensor(b, &from), *two = lb_build_any_tensor(b, &to);
    if (!one || from == to || !one->scale || !lb_is_sa((uint32_t)two->type) ||
        b->c->operand[from].count > 1)
        return;
    if (lb_build_once_in(b, 3))
        lb_build_spread(b, one, 0);
    two->has_quant_in = true;
    two->quant_null = to == LB_ROLE_OUT && lb_build_once_in(b, 2);
    two->quant_in = (lb_tensor_ref){.role = from};
    two->scale = two->zero_point = NULL;
    two->scale_frac_bits = NULL;
    two->quant_count = 0;
    two->axis = -1;
}

/* ---- The table ---- */

static const struct {
    void (*change)(lb_build *b);
    unsigned weight;
} changes[] = {
    {change_leaf, 50}, {change_and_fit, 8},     {change_strides, 3}, {change_place, 3},
    {change_types, 3}, {change_data, 12},       {shift_formats, 3},  {fit_bias, 3},
    {aim_shift, 2},    {share_quantization, 2},
};

void lb_cover_mutate(lb_build *b)
{
    unsigned total = 0;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        total += changes[i].weight;
    int64_t at = lb_random_in(&b->random, 0, (int64_t)total - 1);
    size_t i = 0;
    while (at >= changes[i].weight)
        at -= changes[i++].weight;
    changes[i].change(b);
}

/* ---- Other functions ---- */

static void adapt_tensor(lb_build *b, int role, unsigned place, const lb_kernel *to)
{
    const lb_case_tensor *t = &b->c->operand[role].tensors[place];
    uint32_t wanted = lb_variant_type(to, (lb_role)role);
    lb_change change = {{.kind = LB_LEAF_TYPE, .role = (int8_t)role, .at = (int16_t)place}, wanted};
    if (wanted && (uint32_t)t->type != wanted &&
        (uint32_t)t->type == lb_variant_type(b->c->kernel, (lb_role)role))
        lb_case_change(b, &change);
    change.leaf.kind = LB_LEAF_EXTENT;
    change.value = to->kernel_size;
    for (int8_t d = 0; role == LB_ROLE_WEIGHTS && to->kernel_size && t->rank == 4 && d < 2; d++) {
        change.leaf.dim = d;
        lb_case_change(b, &change);
    }
}

void lb_cover_adapt(lb_build *b, const lb_kernel *kernel)
{
    for (lb_case_place p = LB_CASE_START; lb_case_next(b->c, &p);)
        adapt_tensor(b, p.role, p.at, kernel);
    if (kernel->config_kind == LB_CONFIG_POOL && kernel->kernel_size)
        b->c->config.kernel_width = b->c->config.kernel_height = (uint8_t)kernel->kernel_size;
    b->c->kernel = kernel;
    b->c->function = lb_arena_strdup(b->arena, kernel->name);
    fit_bias(b);
}
