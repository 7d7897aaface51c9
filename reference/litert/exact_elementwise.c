/* The element-wise kernels of LiteRT, to the last bit, and its fixed-point functions as kernels.
 * Spec: litert.9, litert.10, litert.13 to litert.18; litert.2, litert.3. Every element is read
 * before its place is written. */
#include "describe/map_cursor.h"
#include "fixed.h"
#include "models.h"

#define CONST(v)   lb_num_const(v)
#define SITE(name) LB_SITE_LITE_##name

/* What a function makes of an element, or of two. */
typedef lb_num one_fn(const lb_fix *f, lb_num x);
typedef lb_num two_fn(const lb_fix *f, lb_num a, lb_num b);

static int out_bits(const lb_fix *f)
{
    return lb_container_bits(f->call->tensor[LB_ROLE_OUT]->el_type);
}

static void each(const lb_context *context, lb_call *call, lb_part part, const char *section,
                 one_fn *make)
{
    lb_map_cursor e;
    lb_fix f = {.context = context, .call = call};
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        uint32_t index[LB_MAX_RANK];
        f.s = lb_cursor_steps(&e, context->steps);
        lb_steps_enter(f.s, part, section);
        lb_cursor_index(&e, LB_MAP_X, index);
        lb_num x = lb_num_at_wide(f.s, e.tensor[LB_MAP_X], LB_NAMED(IN), index);
        lb_cursor_store(&e, f.s, make(&f, x));
    }
}

static void each_two(const lb_context *context, lb_call *call, const char *section, two_fn *make)
{
    lb_map_cursor e;
    lb_fix f = {.context = context, .call = call};
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        f.s = lb_cursor_steps(&e, context->steps);
        lb_steps_enter(f.s, LB_PART_RESULT, section);
        lb_num a = lb_cursor_load(&e, LB_MAP_X, LB_NAMED(IN1), f.s);
        lb_num b = lb_cursor_load(&e, LB_MAP_W, LB_NAMED(IN2), f.s);
        lb_cursor_store(&e, f.s, make(&f, a, b));
    }
}

static lb_num field(const lb_fix *f, lb_lite_field which)
{
    return lb_fix_field(f, which);
}

/* ---- 9, 10. add, sub, mul ---- */

static lb_num with_offset(const lb_fix *f, lb_num x, lb_lite_field offset)
{
    return lb_num_add_zero_point(f->s, x, field(f, offset), 0, SITE(OPERAND_WITH_ITS_OFFSET));
}

static lb_num with_out_offset(const lb_fix *f, lb_num v)
{
    v = lb_num_add_zero_point(f->s, v, field(f, LB_LITE_output_offset), 0,
                              SITE(RESULT_WITH_THE_OUTPUTS_OFFSET));
    return lb_fix_act(f, lb_fix_within_32(f, v));
}

static lb_num operand(const lb_fix *f, lb_num x, lb_lite_field offset, lb_lite_field multiplier,
                      lb_lite_field shift)
{
    lb_num left = field(f, LB_LITE_left_shift);
    lb_fix_within(f, left, 0, 30, LB_UNSAID_RANGE);
    lb_num wide = lb_num_shl(f->s, with_offset(f, x, offset), left, 64, SITE(OPERAND_WIDENED));
    return lb_fix_scale_le1(f, lb_fix_within_32(f, wide), field(f, multiplier), field(f, shift));
}

static lb_num first_operand(const lb_fix *f, lb_num a)
{
    lb_steps_term(f->s, LB_TERM_IN1);
    return operand(f, a, LB_LITE_input1_offset, LB_LITE_input1_multiplier, LB_LITE_input1_shift);
}

static lb_num second_operand(const lb_fix *f, lb_num b)
{
    lb_steps_term(f->s, LB_TERM_IN2);
    lb_num v =
        operand(f, b, LB_LITE_input2_offset, LB_LITE_input2_multiplier, LB_LITE_input2_shift);
    lb_steps_term(f->s, LB_TERM_NONE);
    return v;
}

static lb_num sum_scaled(const lb_fix *f, lb_num sum)
{
    lb_num v = lb_fix_scale_le1(f, lb_fix_within_32(f, sum), field(f, LB_LITE_output_multiplier),
                                field(f, LB_LITE_output_shift));
    return with_out_offset(f, v);
}

static lb_num added(const lb_fix *f, lb_num a, lb_num b)
{
    lb_num x = first_operand(f, a), y = second_operand(f, b);
    return sum_scaled(f, lb_num_add(f->s, x, y, 0, SITE(SUM_OF_BOTH)));
}

static lb_num subtracted(const lb_fix *f, lb_num a, lb_num b)
{
    lb_num x = first_operand(f, a), y = second_operand(f, b);
    return sum_scaled(f, lb_num_sub(f->s, x, y, 0, SITE(DIFFERENCE_OF_BOTH)));
}

static lb_num multiplied(const lb_fix *f, lb_num a, lb_num b)
{
    lb_steps_term(f->s, LB_TERM_IN1);
    lb_num x = with_offset(f, a, LB_LITE_input1_offset);
    lb_steps_term(f->s, LB_TERM_IN2);
    lb_num y = with_offset(f, b, LB_LITE_input2_offset);
    lb_steps_term(f->s, LB_TERM_NONE);
    lb_num product = lb_fix_within_32(f, lb_num_mul(f->s, x, y, SITE(PRODUCT_OF_BOTH)));
    return with_out_offset(f, lb_fix_scale32(f, product, field(f, LB_LITE_output_multiplier),
                                             field(f, LB_LITE_output_shift)));
}

void lb_lite_exact_add(const lb_context *context, lb_call *call)
{
    each_two(context, call, "litert.9", added);
}

void lb_lite_exact_sub(const lb_context *context, lb_call *call)
{
    each_two(context, call, "litert.9", subtracted);
}

void lb_lite_exact_mul(const lb_context *context, lb_call *call)
{
    each_two(context, call, "litert.10", multiplied);
}

/* ---- 13. logistic and tanh, s8 ---- */

static lb_num without_zero_point(const lb_fix *f, lb_num x)
{
    lb_num d = lb_num_sub_zero_point(f->s, x, field(f, LB_LITE_input_zero_point), 0,
                                     SITE(ELEMENT_WITHOUT_ITS_ZERO_POINT));
    return lb_fix_within_32(f, d);
}

/* Beyond the radius: an end of the range. False: x lies within, and *x is scaled. */
static bool is_beyond(const lb_fix *f, lb_num *x, lb_num *end)
{
    const int32_t radius = lb_lite_field_of(f->call, LB_LITE_input_range_radius);
    lb_num d = without_zero_point(f, *x);
    lb_fix_scales(f, lb_lite_field_of(f->call, LB_LITE_input_multiplier),
                  lb_lite_field_of(f->call, LB_LITE_input_left_shift));
    if (d.v <= -(int64_t)radius || d.v >= radius) {
        *end = lb_num_copy(f->s, CONST(d.v <= -(int64_t)radius ? INT8_MIN : INT8_MAX),
                           SITE(BEYOND_THE_RADIUS));
        return true;
    }
    *x = lb_fix_scale32(f, d, field(f, LB_LITE_input_multiplier),
                        field(f, LB_LITE_input_left_shift));
    return false;
}

static lb_num logistic_s8(const lb_fix *f, lb_num x)
{
    lb_num end;
    if (is_beyond(f, &x, &end))
        return end;
    lb_num y = lb_fix_rdiv(f, lb_fix_logistic4(f, x), CONST(23));
    y = lb_num_sub_zero_point(f->s, y, CONST(128), 32, SITE(LESS_128));
    return lb_fix_clamp(f, y, 8);
}

static lb_num tanh_s8(const lb_fix *f, lb_num x)
{
    lb_num end;
    return is_beyond(f, &x, &end)
               ? end
               : lb_fix_clamp(f, lb_fix_rdiv(f, lb_fix_tanh4(f, x), CONST(24)), 8);
}

void lb_lite_exact_logistic_s8(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_SIGM, "litert.13", logistic_s8);
}

void lb_lite_exact_tanh_s8(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_TANH, "litert.13", tanh_s8);
}

/* ---- 14. logistic and tanh, s16 ---- */

/* A scale that is a power of 2. */
static lb_num place_by_power(const lb_fix *f, lb_num x, lb_num n, int64_t end)
{
    lb_num factor = lb_num_shl(f->s, CONST(3), n, 64, SITE(3_TIMES_A_POWER_OF_2));
    lb_num place = lb_num_mul(f->s, x, factor, SITE(ELEMENT_TIMES_A_POWER_OF_2));
    return lb_fix_settled(f, lb_fix_within_32(f, place), -end, end);
}

/* The place in the table, with its sign; beyond `end`, or as far below 0, the table has one entry.
 */
static lb_num place_s16(const lb_fix *f, lb_num x, int64_t end)
{
    lb_num multiplier = field(f, LB_LITE_input_multiplier), n = field(f, LB_LITE_input_left_shift);
    lb_fix_within(f, multiplier, 0, INT32_MAX, LB_UNSAID_RANGE);
    lb_fix_within(f, n, 0, 30, LB_UNSAID_RANGE);
    if (multiplier.v == 0)
        return place_by_power(f, x, n, end);
    lb_num product = lb_num_mul(f->s, x, multiplier, SITE(ELEMENT_TIMES_THE_MULTIPLIER));
    const int64_t half = n.v > 0 ? lb_shl(1, (int)n.v - 1, 64) : 0;
    lb_fix_within_32(f, product);
    lb_fix_within_32(f, CONST(product.v + half));
    return lb_num_rsh(f->s, LB_ROUND_UP, product, n, 64, SITE(PLACE_ROUNDED_UP));
}

static lb_num size_of(const lb_fix *f, lb_num v)
{
    lb_num size = v.v >= 0 ? v : lb_num_sub(f->s, CONST(0), v, 0, SITE(PLACE_WITHOUT_ITS_SIGN));
    return lb_fix_known(f, size, 0, (int64_t)1 << 31);
}

/* The table at u, in 2^-16 * 2^-bits; from entry 255 on `highest`. */
static lb_num sigmoid_at(const lb_fix *f, lb_num u, int bits, int64_t highest)
{
    lb_num h = lb_num_asr(f->s, u, CONST(bits), 64, SITE(H_ENTRY_OF_SIGMOID));
    if (h.v >= LB_FIX_SIGMOID - 1)
        return lb_num_copy(f->s, CONST(highest << bits), SITE(BEYOND_THE_TABLE));
    lb_num low =
        lb_num_copy(f->s, lb_num_that_varies(lb_fix_sigmoid[h.v < 0 ? 0 : h.v]), SITE(ENTRY_H));
    lb_num high = lb_num_copy(f->s, lb_num_that_varies(lb_fix_sigmoid[h.v < 0 ? 0 : h.v + 1]),
                              SITE(ENTRY_H_PLUS_1));
    lb_fix_known(f, low, 32768, UINT16_MAX);
    lb_fix_known(f, high, 32768, UINT16_MAX);
    lb_num rest = lb_num_mod(f->s, u, CONST(bits), SITE(PLACE_BETWEEN_ENTRIES));
    lb_num slope = lb_num_sub(f->s, high, low, 0, SITE(SLOPE_OF_SIGMOID));
    lb_fix_known(f, slope, 0, 683);
    lb_num rise = lb_num_mul(f->s, rest, slope, SITE(RISE_OF_SIGMOID));
    lb_num wide = lb_num_shl(f->s, low, CONST(bits), 64, SITE(ENTRY_WIDENED));
    return lb_num_add(f->s, wide, rise, 0, SITE(SIGMOID_INTERPOLATED));
}

/* QUIRK: not symmetric. */
static lb_num logistic_s16(const lb_fix *f, lb_num x)
{
    lb_num v = place_s16(f, x, (LB_FIX_SIGMOID - 1) << 9);
    lb_num t = sigmoid_at(f, size_of(f, v), 9, 32767 * 2);
    lb_num y = v.v >= 0 ? lb_num_add(f->s, t, CONST(512), 0, SITE(LOGISTIC_AND_HALF))
                        : lb_num_sub(f->s, CONST(((int64_t)1 << 25) + 511), t, 0,
                                     SITE(1_LESS_LOGISTIC_AND_HALF));
    return lb_num_asr(f->s, y, CONST(10), 64, SITE(LOGISTIC_IN_15_BITS));
}

static lb_num tanh_s16(const lb_fix *f, lb_num x)
{
    const int64_t one = (int64_t)1 << 23;
    lb_num v = place_s16(f, x, (LB_FIX_SIGMOID - 1) << 8);
    lb_num t = sigmoid_at(f, size_of(f, v), 8, 65535);
    lb_num y = v.v >= 0 ? lb_num_sub(f->s, t, CONST(one - 128), 0, SITE(TANH_AND_HALF))
                        : lb_num_sub(f->s, CONST(one + 127), t, 0, SITE(MINUS_TANH_AND_HALF));
    return lb_num_asr(f->s, y, CONST(8), 64, SITE(TANH_IN_15_BITS));
}

void lb_lite_exact_logistic_s16(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_SIGM, "litert.14", logistic_s16);
}

void lb_lite_exact_tanh_s16(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_TANH, "litert.14", tanh_s16);
}

/* ---- 15, 16. leaky_relu, relu, relu6 ---- */

static lb_num with_out_zero_point(const lb_fix *f, lb_num v)
{
    v = lb_num_add_zero_point(f->s, v, field(f, LB_LITE_output_zero_point), 0,
                              SITE(RESULT_WITH_THE_OUTPUTS_ZERO_POINT));
    return lb_fix_within_32(f, v);
}

/* A negative alpha: its sign is taken off before rounding and put back after it. */
static lb_num below_zero(const lb_fix *f, lb_num x)
{
    lb_num alpha = field(f, LB_LITE_alpha_multiplier), shift = field(f, LB_LITE_alpha_shift);
    if (alpha.v >= 0)
        return lb_fix_scale32(f, x, alpha, shift);
    lb_num size = lb_num_sub(f->s, CONST(0), alpha, 0, SITE(ALPHA_WITHOUT_ITS_SIGN));
    lb_fix_within_32(f, size);
    lb_num y = lb_fix_scale32(f, x, size, shift);
    return lb_num_sub(f->s, CONST(0), y, 0, SITE(WITH_THE_SIGN_OF_ALPHA));
}

static lb_num leaky_relu(const lb_fix *f, lb_num x)
{
    const int64_t alpha = lb_lite_field_of(f->call, LB_LITE_alpha_multiplier);
    lb_fix_scales(f, lb_lite_field_of(f->call, LB_LITE_identity_multiplier),
                  lb_lite_field_of(f->call, LB_LITE_identity_shift));
    lb_fix_scales(f, alpha < 0 ? -alpha : alpha, lb_lite_field_of(f->call, LB_LITE_alpha_shift));
    lb_num d = without_zero_point(f, x);
    lb_num y;
    lb_steps_term(f->s, d.v >= 0 ? LB_TERM_POSITIVE : LB_TERM_NEGATIVE);
    lb_fix_known(f, d, d.v >= 0 ? 0 : INT32_MIN, d.v >= 0 ? INT32_MAX : -1);
    if (d.v >= 0)
        y = lb_fix_scale32(f, d, field(f, LB_LITE_identity_multiplier),
                           field(f, LB_LITE_identity_shift));
    else
        y = below_zero(f, d);
    lb_steps_term(f->s, LB_TERM_NONE);
    return lb_fix_clamp(f, with_out_zero_point(f, y), out_bits(f));
}

static lb_num relu(const lb_fix *f, lb_num x)
{
    lb_num y = lb_fix_scale32(f, without_zero_point(f, x), field(f, LB_LITE_multiplier),
                              field(f, LB_LITE_shift));
    return lb_fix_act(f, with_out_zero_point(f, y));
}

static lb_num relu6(const lb_fix *f, lb_num x)
{
    lb_num zero = field(f, LB_LITE_zero), six = field(f, LB_LITE_six);
    lb_fix_demand(f, zero.v <= six.v, LB_UNSAID_RANGE);
    return lb_num_min(f->s, lb_num_max(f->s, x, zero, SITE(NOT_BELOW_ZERO)), six,
                      SITE(NOT_ABOVE_SIX));
}

void lb_lite_exact_leaky_relu(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_RELU, "litert.15", leaky_relu);
}

void lb_lite_exact_relu(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_RELU, "litert.16", relu);
}

void lb_lite_exact_relu6(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_RELU, "litert.16", relu6);
}

/* ---- 17. hard_swish ---- */

/* The gate, 0 to 32767: (x + 3) / 6 cut to 0..1. */
static lb_num gate(const lb_fix *f, lb_num wide)
{
    const lb_num p = field(f, LB_LITE_reluish_exponent);
    lb_num r = wide;
    lb_fix_within(f, p, -15, 31, LB_UNSAID_RANGE);
    if (p.v > 0) {
        lb_num left = lb_num_sub(f->s, p, CONST(1), 0, SITE(EXPONENT_LESS_1));
        r = lb_num_shl(f->s, r, lb_fix_known(f, left, 0, 30), 16, SITE(GATE_WIDENED));
    }
    r = lb_fix_srdhm16(f, r, field(f, LB_LITE_reluish_multiplier));
    if (p.v > 0) {
        r = lb_num_shl(f->s, r, CONST(1), 16, SITE(GATE_DOUBLED));
    } else if (p.v < 0) {
        lb_num right = lb_num_sub(f->s, CONST(0), p, 0, SITE(EXPONENT_WITH_THE_OTHER_SIGN));
        r = lb_fix_rdiv16(f, r, lb_fix_known(f, right, 1, 15));
    }
    r = lb_num_add(f->s, r, CONST(32768), 0, SITE(GATE_FROM_0));
    return lb_num_asr(f->s, r, CONST(1), 32, SITE(GATE_IN_15_BITS));
}

static lb_num hard_swish(const lb_fix *f, lb_num x)
{
    const lb_num e = field(f, LB_LITE_output_exponent);
    lb_fix_within(f, e, -15, 0, LB_UNSAID_RANGE);
    lb_fix_within(f, field(f, LB_LITE_output_multiplier), INT16_MIN, INT16_MAX, LB_UNSAID_RANGE);
    lb_fix_within(f, field(f, LB_LITE_reluish_multiplier), INT16_MIN, INT16_MAX, LB_UNSAID_RANGE);
    lb_num wide = lb_num_shl(f->s, without_zero_point(f, x), CONST(7), 32, SITE(128_TIMES_X));
    lb_fix_within(f, wide, INT16_MIN, INT16_MAX, LB_UNSAID_OVERFLOW);
    lb_num a = lb_fix_srdhm16(f, wide, field(f, LB_LITE_output_multiplier));
    lb_num product = lb_num_mul(f->s, gate(f, wide), a, SITE(GATE_TIMES_A));
    lb_num y = lb_num_tdiv(f->s, product, CONST((int64_t)1 << 15), SITE(GATED_TOWARDS_ZERO));
    lb_num right = lb_num_sub(f->s, CONST(0), e, 0, SITE(OUTPUTS_EXPONENT_WITH_THE_OTHER_SIGN));
    y = lb_fix_rdiv16(f, y, right);
    return lb_fix_clamp(f, with_out_zero_point(f, y), 8);
}

void lb_lite_exact_hard_swish(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_RESULT, "litert.17", hard_swish);
}

/* ---- 18. requantize ---- */

static lb_num requantized(const lb_fix *f, lb_num x)
{
    lb_num y = lb_fix_scale32(f, without_zero_point(f, x), field(f, LB_LITE_multiplier),
                              field(f, LB_LITE_shift));
    return lb_fix_clamp(f, with_out_zero_point(f, y), out_bits(f));
}

void lb_lite_exact_requantize(const lb_context *context, lb_call *call)
{
    each(context, call, LB_PART_REQUANTIZE, "litert.18", requantized);
}

/* ---- 2, 3. Fixed-point functions ---- */

static lb_num high_of_product(const lb_fix *f, lb_num a, lb_num b)
{
    return f->call->kernel->in_type == LB_S16 ? lb_fix_srdhm16(f, a, b) : lb_fix_srdhm(f, a, b);
}

static lb_num divided(const lb_fix *f, lb_num x)
{
    return lb_fix_rdiv(f, x, field(f, LB_LITE_exponent));
}

static lb_num scaled_s32(const lb_fix *f, lb_num x)
{
    return lb_fix_scale32(f, x, field(f, LB_LITE_multiplier), field(f, LB_LITE_shift));
}

static lb_num scaled_le1(const lb_fix *f, lb_num x)
{
    return lb_fix_scale_le1(f, x, field(f, LB_LITE_multiplier), field(f, LB_LITE_shift));
}

static lb_num scaled_ge1(const lb_fix *f, lb_num x)
{
    return lb_fix_scale_ge1(f, x, field(f, LB_LITE_multiplier), field(f, LB_LITE_shift));
}

static lb_num scaled_s64(const lb_fix *f, lb_num x)
{
    return lb_fix_scale64(f, x, field(f, LB_LITE_multiplier), field(f, LB_LITE_shift));
}

static lb_num exp_neg5(const lb_fix *f, lb_num x)
{
    return lb_fix_exp_neg(f, x, 5);
}

static lb_num exp_neg4(const lb_fix *f, lb_num x)
{
    return lb_fix_exp_neg(f, x, 4);
}

void lb_lite_exact_doubling_high_mul(const lb_context *context, lb_call *call)
{
    each_two(context, call, "litert.2.1", high_of_product);
}

#define PRIMITIVE(name, section, make)                                                             \
    void lb_lite_exact_##name(const lb_context *context, lb_call *call)                            \
    {                                                                                              \
        each(context, call, LB_PART_RESULT, section, make);                                        \
    }
PRIMITIVE(rounding_divide, "litert.2.2", divided)
PRIMITIVE(scale_s32, "litert.2.3", scaled_s32)
PRIMITIVE(scale_smaller_than_one, "litert.2.4", scaled_le1)
PRIMITIVE(scale_greater_than_one, "litert.2.4", scaled_ge1)
PRIMITIVE(scale_s64, "litert.2.5", scaled_s64)
PRIMITIVE(exp_on_negative_q5, "litert.3.2", exp_neg5)
PRIMITIVE(exp_on_negative_q4, "litert.3.2", exp_neg4)
PRIMITIVE(one_over_one_plus_x, "litert.3.3", lb_fix_one_over_one_plus)
PRIMITIVE(one_minus_x_over_one_plus_x, "litert.3.3", lb_fix_one_minus_over_one_plus)
PRIMITIVE(logistic_q4, "litert.3.4", lb_fix_logistic4)
PRIMITIVE(tanh_q4, "litert.3.4", lb_fix_tanh4)

/* A second result for each element: the listener hears of whichever output it wants. */
typedef lb_num two_results_fn(const lb_fix *f, lb_num x, lb_num *second);

static void each_with_second(const lb_context *context, lb_call *call, const char *section,
                             lb_role role, two_results_fn *make)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT], *other = call->tensor[role];
    lb_fix f = {.context = context, .call = call};
    for (size_t i = 0; i < lb_element_count(in); i++) {
        lb_num second;
        f.s = lb_steps_at(context->steps, LB_ROLE_OUT, i);
        f.s = f.s ? f.s : lb_steps_at(context->steps, (int)role, i);
        lb_steps_enter(f.s, LB_PART_RESULT, section);
        lb_num first = make(&f, lb_num_at_flat(f.s, in, LB_NAMED(IN), i), &second);
        lb_num_store(f.s, out, i, first);
        lb_num_store(f.s, other, i, second);
    }
}

void lb_lite_exact_reciprocal_q12(const lb_context *context, lb_call *call)
{
    each_with_second(context, call, "litert.3.5", LB_ROLE_BITS_OVER_UNIT, lb_fix_reciprocal);
}

void lb_lite_exact_inverse_square_root(const lb_context *context, lb_call *call)
{
    each_with_second(context, call, "litert.3.6", LB_ROLE_SHIFT, lb_fix_inverse_square_root);
}
