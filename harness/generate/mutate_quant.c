/* Small changes to the quantization of a case: see mutate_quant.h. */
#include "harness/generate/mutate_quant.h"
#include "reference/core/scale.h"

#include <string.h>

lb_case_tensor *lb_mutate_any_tensor(lb_build *b, lb_role *role)
{
    lb_role roles[LB_ROLE_COUNT];
    int count = 0;
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        if (b->c->operand[r].present)
            roles[count++] = (lb_role)r;
    if (count == 0)
        return NULL;
    *role = roles[lb_build_pick(b, 0, count - 1)];
    lb_case_operand *operand = &b->c->operand[*role];
    return &operand->tensors[lb_build_pick(b, 0, (int)operand->count - 1)];
}

lb_case_tensor *lb_mutate_tensor_of(lb_build *b, lb_role role)
{
    return b->c->operand[role].present ? &b->c->operand[role].tensors[0] : NULL;
}

/* ---- Changes ---- */

static int16_t *own(lb_build *b, const int16_t *from, size_t count)
{
    int16_t *to = lb_arena_array(b->arena, count, sizeof *to);
    if (from)
        memcpy(to, from, count * sizeof *to);
    return to;
}

void lb_mutate_change_zero_point(lb_build *b)
{
    static const int values[] = {-128, 127,  0,     0,      1,     -1,     5,     -77,
                                 128,  -129, 32767, -32768, 16383, -16384, 16384, -16385};
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (t && t->scale)
        t->zero_point[lb_build_pick(b, 0, (int)t->quant_count - 1)] =
            (int16_t)LB_RANDOM_OF(&b->random, values);
}

void lb_mutate_change_scale(lb_build *b)
{
    static const int values[] = {1,     1,     2, 16384, 16384, 32767, 32767,
                                 21845, 16385, 3, 64,    0,     -1,    -32768};
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (t && t->scale)
        t->scale[lb_build_pick(b, 0, (int)t->quant_count - 1)] =
            (int16_t)LB_RANDOM_OF(&b->random, values);
}

void lb_mutate_change_frac(lb_build *b)
{
    static const int values[] = {-128, -127, -64, -20, -3, -1, 0,  1,  3,  7,  8,   13,
                                 14,   15,   16,  21,  28, 30, 31, 40, 63, 64, 100, 127};
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t)
        return;
    int8_t *frac = t->scale ? &t->scale_frac_bits[lb_build_pick(b, 0, (int)t->quant_count - 1)]
                            : &t->frac_bits;
    int value = lb_build_once_in(b, 3)
                    ? lb_build_clamp(*frac + lb_build_pick(b, -12, 12), -128, 127)
                    : LB_RANDOM_OF(&b->random, values);
    *frac = (int8_t)value;
}

/* All formats move together, so that what depends on their sums and differences stays. */
void lb_mutate_shift_formats(lb_build *b)
{
    int by = lb_build_pick(b, -100, 100);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; b->c->operand[role].present && i < b->c->operand[role].count; i++) {
            lb_case_tensor *t = &b->c->operand[role].tensors[i];
            int own_part = role == LB_ROLE_WEIGHTS || role == LB_ROLE_SLOPE ? 0 : by;
            t->frac_bits = (int8_t)lb_build_clamp(t->frac_bits + own_part, -128, 127);
            for (size_t j = 0; t->scale && j < t->quant_count; j++)
                t->scale_frac_bits[j] =
                    (int8_t)lb_build_clamp(t->scale_frac_bits[j] + own_part, -128, 127);
        }
}

void lb_mutate_set_axis(lb_build *b, lb_case_tensor *t, int axis)
{
    size_t count = axis < 0 ? 1 : t->shape[axis];
    if (!t->scale || (axis >= 0 && (axis >= (int)t->rank || count == 0 || count > 4096)))
        return;
    int16_t scale = t->scale[0], zero_point = t->zero_point[0];
    int8_t frac = t->scale_frac_bits[0];
    t->scale = own(b, NULL, count);
    t->zero_point = own(b, NULL, count);
    t->scale_frac_bits = lb_arena_array(b->arena, count, 1);
    for (size_t j = 0; j < count; j++) {
        t->scale[j] = scale;
        t->zero_point[j] = zero_point;
        t->scale_frac_bits[j] = frac;
    }
    t->quant_count = count;
    t->axis = axis;
}

void lb_mutate_change_axis(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (t)
        lb_mutate_set_axis(
            b, t,
            lb_build_once_in(b, 3) ? -1 : lb_build_pick(b, 0, t->rank > 0 ? (int)t->rank - 1 : 0));
}

/* The bias of functions with weights, such that it passes the rule of numerics.md 5.6. */
void lb_mutate_fit_bias(lb_build *b)
{
    lb_case_tensor *in = lb_mutate_tensor_of(b, LB_ROLE_IN),
                   *bias = lb_mutate_tensor_of(b, LB_ROLE_BIAS);
    lb_case_tensor *weights = lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS);
    bool cell = !weights;
    weights = cell ? lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS_IN) : weights;
    if (!in || !weights || !bias || !in->scale || !weights->scale || !bias->scale)
        return;
    lb_mutate_set_axis(b, bias, weights->axis < 0 ? -1 : 0);
    if (cell && lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS_OUT))
        lb_mutate_set_axis(b, lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS_OUT), weights->axis);
    for (size_t j = 0; j < bias->quant_count && j < weights->quant_count; j++) {
        int64_t product = (int64_t)in->scale[0] * weights->scale[j];
        int drop = product > 0 ? lb_build_bits((uint64_t)product) - 15 : 0;
        drop = drop < 0 ? 0 : drop;
        bias->zero_point[j] = 0;
        bias->scale[j] = (int16_t)(product >> drop);
        bias->scale_frac_bits[j] = (int8_t)lb_build_clamp(
            in->scale_frac_bits[0] + weights->scale_frac_bits[j] - drop, -128, 127);
    }
}

static const lb_case_tensor *weights_of(lb_build *b)
{
    const lb_case_tensor *weights = lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS);
    return weights ? weights : lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS_IN);
}

/* Formats of fx functions with weights: two of them anything, the others such that the checks pass.
 */
void lb_mutate_fit_fx(lb_build *b)
{
    static const int ends[] = {-128, 127, 0, 0, 1, 8, 15, 16, 30, -1};
    lb_case_tensor *in = lb_mutate_tensor_of(b, LB_ROLE_IN),
                   *bias = lb_mutate_tensor_of(b, LB_ROLE_BIAS),
                   *out = lb_mutate_tensor_of(b, LB_ROLE_OUT);
    lb_case_tensor *weights = lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS);
    weights = weights ? weights : lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS_IN);
    if (!in || !weights || !bias || !out || in->scale)
        return;
    int fi = LB_RANDOM_OF(&b->random, ends), fw = LB_RANDOM_OF(&b->random, ends);
    if (fi + fw < -128)
        fw = lb_build_pick(b, 0, 127);
    in->frac_bits = (int8_t)fi;
    weights->frac_bits = (int8_t)fw;
    bias->frac_bits = (int8_t)(lb_build_once_in(b, 3)
                                   ? -128
                                   : lb_build_clamp(fi + fw - lb_build_pick(b, 0, 40), -128, 127));
    out->frac_bits = (int8_t)(lb_build_once_in(b, 3)
                                  ? -128
                                  : lb_build_clamp(fi + fw - lb_build_pick(b, 0, 70), -128, 127));
}

/* The output's format moves so that the shift of the first channel is at an end of its classes
 * (numerics.md 5.2). */
void lb_mutate_aim_shift(lb_build *b)
{
    static const int targets[] = {0, 0, 0, -1, 1, 62, 63, 64, 39, 40, 31, 32};
    lb_case_tensor *in = lb_mutate_tensor_of(b, LB_ROLE_IN),
                   *out = lb_mutate_tensor_of(b, LB_ROLE_OUT);
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

void lb_mutate_per_channel(lb_build *b)
{
    lb_case_tensor *weights = lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS);
    if (weights)
        lb_mutate_set_axis(b, weights, (int)weights->rank - 1);
    else if ((weights = lb_mutate_tensor_of(b, LB_ROLE_WEIGHTS_IN)) != NULL)
        lb_mutate_set_axis(b, weights, 0);
    lb_mutate_fit_bias(b);
}

void lb_mutate_change_quant_capacity(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    int which = lb_build_pick(b, 0, 2);
    if (!t || !t->scale)
        return;
    t->has_quant_capacity[which] = true;
    t->quant_capacity[which] = (uint32_t)lb_build_pick(b, 0, 2);
}

/* The output's parameters are those of the input, or nothing. */
void lb_mutate_share_quantization(lb_build *b)
{
    lb_case_tensor *out = lb_mutate_tensor_of(b, LB_ROLE_OUT),
                   *in = lb_mutate_tensor_of(b, LB_ROLE_IN);
    if (!out || !in || !lb_is_sa((uint32_t)out->type) || !lb_is_sa((uint32_t)in->type))
        return;
    out->has_quant_in = true;
    out->quant_null = lb_build_once_in(b, 2);
    out->quant_in = (lb_tensor_ref){.role = LB_ROLE_IN};
    out->scale = out->zero_point = NULL;
    out->scale_frac_bits = NULL;
    out->quant_count = 0;
    out->axis = -1;
}

/* in2 quantized as in1, with the lists of in1. */
void lb_mutate_share_operands(lb_build *b)
{
    lb_case_tensor *first = lb_mutate_tensor_of(b, LB_ROLE_IN1),
                   *second = lb_mutate_tensor_of(b, LB_ROLE_IN2);
    if (!first || !second || !first->scale)
        return;
    lb_mutate_set_axis(b, first, lb_build_once_in(b, 2) ? -1 : 0);
    second->has_quant_in = true;
    second->quant_in = (lb_tensor_ref){.role = LB_ROLE_IN1};
    second->scale = second->zero_point = NULL;
    second->scale_frac_bits = NULL;
    second->quant_count = 0;
    second->axis = -1;
}
