/* The fixed-point functions of LiteRT: see fixed.h. Sections of the specification: litert.2,
 * litert.3. */
#include "fixed.h"

#include "models.h"

#include <stddef.h>

#define CONST(v)   lb_num_const(v)
#define SITE(name) LB_SITE_LITE_##name

static const int64_t ONE = ((int64_t)1 << 31) - 1; /* 1.0 in Q0.31, as near as there is */

lb_num lb_fix_field(const lb_fix *f, lb_lite_field field)
{
    const lb_num v =
        lb_num_of_field(lb_lite_field_of(f->call, field),
                        offsetof(lb_config, of_litert) + (size_t)field * sizeof(int32_t));
    int64_t low, high;
    if (f->s && lb_lite_type_range(f->call->kernel, field, &low, &high))
        lb_steps_demand(f->s, v, low, high, LB_LIES_WITHIN); /* as its rule asks */
    return v;
}

void lb_fix_demand(const lb_fix *f, bool holds, lb_unsaid otherwise)
{
    if (!holds && f->call->undefined == LB_SAID)
        f->call->undefined = otherwise;
}

void lb_fix_within(const lb_fix *f, lb_num v, int64_t low, int64_t high, lb_unsaid otherwise)
{
    lb_fix_demand(f, v.v >= low && v.v <= high, otherwise);
    lb_steps_demand(f->s, v, low, high, LB_LIES_WITHIN);
}

lb_num lb_fix_known(const lb_fix *f, lb_num v, int64_t low, int64_t high)
{
    lb_num_lies(f->s, v, low, high);
    return v;
}

lb_num lb_fix_settled(const lb_fix *f, lb_num v, int64_t low, int64_t high)
{
    lb_steps_demand(f->s, v, low, high, LB_SAME_BEYOND);
    return v;
}

void lb_fix_sum_within_32(const lb_fix *f, const lb_acc *acc)
{
    lb_fix_demand(f, acc->low >= INT32_MIN && acc->high <= INT32_MAX, LB_UNSAID_OVERFLOW);
    lb_steps_demand(f->s, (lb_num){acc->held, acc->step}, INT32_MIN, INT32_MAX,
                    LB_LIES_WITHIN_ON_THE_WAY);
}

lb_num lb_fix_within_32(const lb_fix *f, lb_num v)
{
    lb_fix_within(f, v, INT32_MIN, INT32_MAX, LB_UNSAID_OVERFLOW);
    return v;
}

/* ---- 2. Primitives ---- */

lb_num lb_fix_srdhm(const lb_fix *f, lb_num a, lb_num b)
{
    lb_num product = lb_num_mul(f->s, a, b, SITE(DOUBLING_PRODUCT));
    lb_num high = lb_num_rsh(f->s, LB_ROUND_UP, product, CONST(31), 64, SITE(HIGH_HALF_ROUNDED_UP));
    return lb_num_sat(f->s, high, 32, SITE(HIGH_HALF_IN_32_BITS));
}

lb_num lb_fix_srdhm16(const lb_fix *f, lb_num a, lb_num b)
{
    lb_num product = lb_num_mul(f->s, a, b, SITE(DOUBLING_PRODUCT_16));
    lb_num high =
        lb_num_rsh(f->s, LB_ROUND_UP, product, CONST(15), 64, SITE(HIGH_HALF_ROUNDED_UP_16));
    return lb_num_sat(f->s, high, 16, SITE(HIGH_HALF_IN_16_BITS));
}

lb_num lb_fix_rdiv(const lb_fix *f, lb_num v, lb_num n)
{
    lb_fix_within(f, n, 0, 31, LB_UNSAID_RANGE);
    return lb_num_rsh(f->s, LB_ROUND_AWAY, v, n, 64, SITE(DIVIDED_ROUNDED_AWAY));
}

lb_num lb_fix_rdiv16(const lb_fix *f, lb_num v, lb_num n)
{
    lb_fix_within(f, n, 0, 15, LB_UNSAID_RANGE);
    return lb_num_rsh(f->s, LB_ROUND_AWAY, v, n, 64, SITE(DIVIDED_ROUNDED_AWAY_16));
}

/* litert-double: x * 2^shift, where the shift is to the left; the multiplication rounds, and then
 * the shift to the right. */
static lb_num twice_to_the_left(const lb_fix *f, lb_num x, lb_num multiplier, lb_num left)
{
    lb_num wide = lb_num_shl(f->s, x, left, 64, SITE(SHIFTED_TO_THE_LEFT));
    return lb_fix_srdhm(f, lb_fix_within_32(f, wide), multiplier);
}

static lb_num twice(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    lb_num left = lb_num_max(f->s, shift, CONST(0), SITE(SHIFT_TO_THE_LEFT));
    lb_num product = twice_to_the_left(f, x, multiplier, left);
    lb_num less = lb_num_sub(f->s, CONST(0), shift, 0, SITE(SHIFT_WITH_THE_OTHER_SIGN));
    lb_num right = lb_num_max(f->s, less, CONST(0), SITE(SHIFT_TO_THE_RIGHT));
    return lb_fix_rdiv(f, product, right);
}

static lb_num twice_to_the_right(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    lb_num product = lb_fix_srdhm(f, x, multiplier);
    lb_num right = lb_num_sub(f->s, CONST(0), shift, 0, SITE(SHIFT_WITH_THE_OTHER_SIGN));
    return lb_fix_rdiv(f, product, right);
}

/* litert-single */
static lb_num scale_once(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    lb_num product = lb_num_mul(f->s, x, multiplier, SITE(TIMES_THE_MULTIPLIER));
    lb_num n = lb_num_sub(f->s, CONST(31), shift, 0, SITE(31_LESS_THE_SHIFT));
    return lb_num_rsh(f->s, LB_ROUND_UP, product, n, 64, SITE(SCALED_ROUNDED_UP));
}

typedef lb_num scaling(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift);

static lb_num scale(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift, scaling *in_double)
{
    lb_fix_within(f, multiplier, 0, INT32_MAX, LB_UNSAID_RANGE);
    return lb_fix_within_32(f, f->context->profile->rounds_once
                                   ? scale_once(f, x, multiplier, shift)
                                   : in_double(f, x, multiplier, shift));
}

void lb_fix_scales(const lb_fix *f, int64_t multiplier, int64_t shift)
{
    lb_fix_demand(f, multiplier >= 0 && multiplier <= INT32_MAX && shift >= -31 && shift <= 30,
                  LB_UNSAID_RANGE);
}

lb_num lb_fix_scale32(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    lb_fix_within(f, shift, -31, 30, LB_UNSAID_RANGE);
    return scale(f, x, multiplier, shift, twice);
}

lb_num lb_fix_scale_le1(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    lb_fix_within(f, shift, -31, 0, LB_UNSAID_RANGE);
    return scale(f, x, multiplier, shift, twice_to_the_right);
}

lb_num lb_fix_scale_ge1(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    bool is_zero_by_31 = shift.v == 31 && x.v == 0 && !f->context->profile->rounds_once;
    lb_fix_within(f, shift, 0, is_zero_by_31 ? 31 : 30, LB_UNSAID_RANGE);
    return scale(f, x, multiplier, shift, twice_to_the_left);
}

/* QUIRK: of the multiplier 15 bits are left. */
lb_num lb_fix_scale64(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift)
{
    const int64_t most = (int64_t)1 << 47;
    lb_fix_within(f, multiplier, 0, INT32_MAX, LB_UNSAID_RANGE);
    lb_fix_within(f, shift, -31, 7, LB_UNSAID_RANGE);
    lb_fix_within(f, x, 1 - most, most - 1, LB_UNSAID_OVERFLOW);
    lb_num top =
        lb_num_rsh(f->s, LB_ROUND_UP, multiplier, CONST(16), 64, SITE(MULTIPLIER_IN_16_BITS));
    lb_num reduced = lb_num_min(f->s, top, CONST(32767), SITE(MULTIPLIER_AT_MOST_32767));
    lb_num product = lb_num_mul(f->s, x, reduced, SITE(TIMES_THE_MULTIPLIER_OF_16_BITS));
    lb_num n = lb_num_sub(f->s, CONST(15), shift, 0, SITE(15_LESS_THE_SHIFT));
    return lb_fix_within_32(
        f, lb_num_rsh(f->s, LB_ROUND_UP, product, n, 64, SITE(SCALED_64_ROUNDED_UP)));
}

lb_num lb_fix_act(const lb_fix *f, lb_num v)
{
    lb_num low = lb_fix_field(f, LB_LITE_activation_min);
    lb_num high = lb_fix_field(f, LB_LITE_activation_max);
    lb_fix_demand(f, low.v <= high.v, LB_UNSAID_RANGE);
    lb_num raised = lb_num_max(f->s, v, low, SITE(AT_LEAST_THE_LOWER_LIMIT));
    return lb_num_min(f->s, raised, high, SITE(AT_MOST_THE_UPPER_LIMIT));
}

lb_num lb_fix_clamp(const lb_fix *f, lb_num v, int bits)
{
    return lb_num_sat(f->s, v, bits, SITE(IN_THE_OUTPUTS_RANGE));
}

/* ---- 3. Fixed-point functions ---- */

/* 3.1 */
static lb_num exp_quarter(const lb_fix *f, lb_num a)
{
    const lb_num third = CONST(715827883), e_to_an_eighth = CONST(1895147668);
    lb_num x = lb_num_add(f->s, a, CONST((int64_t)1 << 28), 32, SITE(X_FROM_THE_MIDDLE));
    lb_num x2 = lb_fix_known(f, lb_fix_srdhm(f, x, x), 0, 33554432);
    lb_num x3 = lb_fix_known(f, lb_fix_srdhm(f, x2, x), -4194304, 4194303);
    lb_num x4 = lb_fix_known(f, lb_fix_srdhm(f, x2, x2), 0, 524288);
    lb_num quarter = lb_fix_known(f, lb_fix_rdiv(f, x4, CONST(2)), 0, 131072);
    lb_num sum = lb_num_add(f->s, quarter, x3, 32, SITE(X4_OVER_4_PLUS_X3));
    lb_fix_known(f, sum, -4063232, 4325375);
    lb_num part = lb_fix_known(f, lb_fix_srdhm(f, sum, third), -1354411, 1441792);
    lb_num high = lb_num_add(f->s, part, x2, 32, SITE(PLUS_X2));
    lb_fix_known(f, high, 0, 34996220);
    lb_num t = lb_fix_known(f, lb_fix_rdiv(f, high, CONST(1)), 0, 17498110);
    lb_num power = lb_num_add(f->s, x, t, 32, SITE(X_PLUS_T));
    lb_fix_known(f, power, -252335445, 285933550);
    lb_num product = lb_fix_known(f, lb_fix_srdhm(f, e_to_an_eighth, power), -222685249, 252335472);
    lb_num e = lb_num_add(f->s, e_to_an_eighth, product, 32, SITE(EXP_OF_A_QUARTER));
    return lb_fix_known(f, e, 1672462419, 2147483140);
}

lb_num lb_fix_exp_neg(const lb_fix *f, lb_num a, int integer_bits)
{
    static const int32_t factors[] = {1672461947, 1302514674, 790015084, 290630308,
                                      39332535,   720401,     242};
    const int fraction_bits = 31 - integer_bits, first = fraction_bits - 2;
    const lb_num quarter = CONST((int64_t)1 << first);
    lb_fix_within(f, a, INT32_MIN, 0, LB_UNSAID_RANGE);
    if (a.v == 0)
        return lb_fix_known(f, lb_num_copy(f->s, CONST(ONE), SITE(EXP_OF_0)), 0, ONE);
    lb_num low = lb_num_mod(f->s, a, CONST(first), SITE(PART_BELOW_A_QUARTER));
    lb_num r = lb_num_sub(f->s, low, quarter, 32, SITE(PART_BELOW_A_QUARTER_NEGATIVE));
    lb_num rest = lb_num_sub(f->s, r, a, 32, SITE(WHOLE_QUARTERS));
    lb_fix_known(f, rest, 0, ((int64_t)1 << 31) - ((int64_t)1 << first));
    lb_num in_q31 = lb_num_shl(f->s, r, CONST(integer_bits), 32, SITE(PART_IN_Q31));
    lb_num e = exp_quarter(f, in_q31);
    for (int i = 0; first + i < 31; i++)
        if (rest.v >> (first + i) & 1)
            e = lb_fix_srdhm(f, e, CONST(factors[i]));
    return lb_fix_known(f, e, 0, ONE);
}

/* 1 / (1 + a) in Q2.29, by three steps of Newton's method. */
static lb_num divide(const lb_fix *f, lb_num a)
{
    lb_fix_within(f, a, 0, INT64_MAX, LB_UNSAID_RANGE);
    lb_num denominator = lb_num_add(f->s, a, CONST((int64_t)1 << 31), 0, SITE(1_PLUS_A));
    lb_num half = lb_num_asr(f->s, denominator, CONST(1), 64, SITE(HALF_OF_THE_DENOMINATOR));
    lb_num guess =
        lb_fix_known(f, lb_fix_srdhm(f, half, CONST(-1010580540)), -1010580540, -505290270);
    lb_num x = lb_num_add(f->s, CONST(1515870810), guess, 32, SITE(FIRST_QUOTIENT));
    lb_fix_known(f, x, 505290270, 1010580540);
    for (int i = 0; i < 3; i++) {
        lb_num product = lb_fix_known(f, lb_fix_srdhm(f, half, x), 505290270, 568451554);
        lb_num error =
            lb_num_sub(f->s, CONST((int64_t)1 << 29), product, 32, SITE(ERROR_OF_THE_QUOTIENT));
        lb_fix_known(f, error, -31580642, 31580642);
        lb_num change = lb_fix_known(f, lb_fix_srdhm(f, x, error), -11296864, 14861479);
        change = lb_num_shl(f->s, change, CONST(2), 32, SITE(CHANGE_OF_THE_QUOTIENT));
        lb_fix_known(f, change, -45187456, 59445916);
        x = lb_num_add(f->s, x, change, 32, SITE(NEXT_QUOTIENT));
        lb_fix_known(f, x, 535013226, (int64_t)1 << 30);
    }
    return lb_fix_known(f, x, 536870910, (int64_t)1 << 30);
}

lb_num lb_fix_one_over_one_plus(const lb_fix *f, lb_num a)
{
    return lb_num_shl(f->s, divide(f, a), CONST(1), 32, SITE(QUOTIENT_IN_Q31));
}

lb_num lb_fix_one_minus_over_one_plus(const lb_fix *f, lb_num a)
{
    lb_num x = lb_num_sub(f->s, divide(f, a), CONST((int64_t)1 << 29), 32, SITE(QUOTIENT_LESS_1));
    return lb_num_shl(f->s, x, CONST(2), 32, SITE(DOUBLED_QUOTIENT_IN_Q31));
}

/* -|a| */
static lb_num minus_size(const lb_fix *f, lb_num a)
{
    lb_fix_within(f, a, INT32_MIN + 1, INT64_MAX, LB_UNSAID_OVERFLOW);
    return a.v <= 0 ? a
                    : lb_fix_known(f, lb_num_sub(f->s, CONST(0), a, 32, SITE(MINUS_A)),
                                   INT32_MIN + 1, -1);
}

lb_num lb_fix_logistic4(const lb_fix *f, lb_num a)
{
    if (a.v == 0)
        return lb_num_copy(f->s, CONST((int64_t)1 << 30), SITE(LOGISTIC_OF_0));
    lb_num p = lb_fix_one_over_one_plus(f, lb_fix_exp_neg(f, minus_size(f, a), 4));
    return a.v > 0 ? p
                   : lb_fix_known(f, lb_num_sub(f->s, CONST(ONE), p, 32, SITE(1_LESS_P)), 0,
                                  (int64_t)1 << 30);
}

/* In tanh the number with 27 fractional bits is read as one with 26, which doubles it. */
lb_num lb_fix_tanh4(const lb_fix *f, lb_num a)
{
    if (a.v == 0)
        return lb_num_copy(f->s, CONST(0), SITE(TANH_OF_0));
    lb_num t = lb_fix_one_minus_over_one_plus(f, lb_fix_exp_neg(f, minus_size(f, a), 5));
    return a.v > 0 ? t : lb_num_sub(f->s, CONST(0), t, 32, SITE(MINUS_T));
}

lb_num lb_fix_leading_zeros(const lb_fix *f, lb_num v)
{
    lb_num bits = lb_num_norm(f->s, v, 32, SITE(REDUNDANT_SIGN_BITS));
    return lb_num_add(f->s, bits, CONST(1), 0, SITE(LEADING_ZERO_BITS));
}

lb_num lb_fix_reciprocal(const lb_fix *f, lb_num x, lb_num *bits_over_unit)
{
    lb_fix_within(f, x, 1, INT64_MAX, LB_UNSAID_RANGE);
    lb_num zeros = lb_fix_leading_zeros(f, x);
    *bits_over_unit = lb_num_sub(f->s, CONST(12), zeros, 0, SITE(BITS_OVER_UNIT));
    lb_num full = lb_num_shl(f->s, x, zeros, 64, SITE(SUM_FILLING_32_BITS));
    lb_num a = lb_num_sub(f->s, full, CONST((int64_t)1 << 31), 0, SITE(SUM_LESS_1));
    lb_fix_known(f, a, 0, INT32_MAX);
    return lb_fix_one_over_one_plus(f, a);
}

/* A number from 2^27 to below 2^29: v times a power of 4; *n: 11 less half of its exponent. */
static lb_num between_powers(const lb_fix *f, lb_num v, lb_num *n)
{
    *n = CONST(11);
    /* once; a changed step may never get there */
    for (int i = 0; i < 8 && v.v >= (int64_t)1 << 29; i++) {
        v = lb_num_asr(f->s, v, CONST(2), 64, SITE(A_QUARTER_OF_IT));
        *n = lb_num_add(f->s, *n, CONST(1), 0, SITE(ONE_MORE));
    }
    lb_num bits = lb_num_norm(f->s, v, 32, SITE(REDUNDANT_SIGN_BITS_OF_THE_SQUARES));
    lb_num half = lb_num_asr(f->s, bits, CONST(1), 32, SITE(HALF_OF_THE_BITS));
    lb_num p = lb_num_sub(f->s, half, CONST(1), 0, SITE(P_POWERS_OF_4));
    lb_fix_known(f, p, 0, 13);
    lb_num both = lb_num_add(f->s, p, p, 0, SITE(BITS_OF_THE_POWERS_OF_4));
    *n = lb_fix_known(f, lb_num_sub(f->s, *n, p, 0, SITE(N_LESS_P)), -2, 12);
    lb_num squares = lb_num_shl(f->s, v, both, 32, SITE(TIMES_THE_POWERS_OF_4));
    return lb_fix_known(f, squares, 1 << 27, (1 << 29) - 1);
}

static lb_num next_root(const lb_fix *f, lb_num x, lb_num b)
{
    const lb_num one_and_a_half = CONST(402653184);
    lb_num square = lb_fix_known(f, lb_fix_srdhm(f, x, x), 33554432, 133974199);
    lb_num cube = lb_fix_known(f, lb_fix_srdhm(f, square, x), 4194304, 33463150);
    cube = lb_num_shl(f->s, cube, CONST(6), 32, SITE(CUBE_IN_Q28));
    lb_num kept = lb_fix_known(f, lb_fix_srdhm(f, one_and_a_half, x), 50331648, 100663172);
    lb_num change = lb_fix_known(f, lb_fix_srdhm(f, b, cube), 4194304, 33463151);
    lb_num less = lb_num_sub(f->s, kept, change, 32, SITE(NEXT_ROOT));
    lb_fix_known(f, less, 33554432, 67108781);
    lb_num next = lb_num_shl(f->s, less, CONST(3), 32, SITE(NEXT_ROOT_IN_Q28));
    return lb_fix_known(f, next, 1 << 28, 536870248);
}

lb_num lb_fix_inverse_square_root(const lb_fix *f, lb_num v, lb_num *shift)
{
    lb_num n;
    lb_fix_within(f, v, 0, INT64_MAX, LB_UNSAID_RANGE);
    if (v.v <= 1) {
        *shift = CONST(0);
        return lb_num_copy(f->s, CONST(ONE), SITE(ROOT_OF_1));
    }
    lb_num a = lb_num_asr(f->s, between_powers(f, v, &n), CONST(1), 64, SITE(HALF_OF_THE_SQUARES));
    lb_num b = lb_fix_known(f, lb_fix_rdiv(f, a, CONST(1)), 1 << 25, 1 << 27);
    lb_num x = CONST((int64_t)1 << 28);
    for (int i = 0; i < 5; i++)
        x = next_root(f, x, b);
    x = lb_fix_known(f, lb_fix_srdhm(f, x, CONST(1518500250)), 189812531, 379624593);
    lb_num right = lb_num_max(f->s, n, CONST(0), SITE(N_NOT_NEGATIVE));
    lb_num left = lb_fix_known(f, lb_num_sub(f->s, right, n, 0, SITE(N_BELOW_0)), 0, 2);
    *shift = lb_num_sub(f->s, CONST(0), right, 0, SITE(MINUS_N));
    lb_num root = lb_num_shl(f->s, x, left, 32, SITE(ROOT_SHIFTED));
    return lb_fix_known(f, root, 189812531, 1518498372);
}

/* A changed step may lead anywhere: what stands beside a table is none of its entries. */
static lb_num entry(const int16_t *table, int64_t i)
{
    return lb_num_that_varies(i >= 0 && i < LB_FIX_LUT ? table[i] : INT16_MIN);
}

lb_num lb_fix_lut16(const lb_fix *f, const int16_t *table, lb_num v)
{
    lb_num interval = lb_num_asr(f->s, v, CONST(7), 32, SITE(INTERVAL));
    lb_num i = lb_num_add(f->s, interval, CONST(256), 0, SITE(I_ENTRY_OF_THE_TABLE));
    lb_num o = lb_num_mod(f->s, v, CONST(7), SITE(O_PLACE_IN_THE_INTERVAL));
    lb_num low = lb_num_copy(f->s, entry(table, i.v), SITE(ENTRY_I));
    lb_num high = lb_num_copy(f->s, entry(table, lb_add(i.v, 1, 64)), SITE(ENTRY_I_PLUS_1));
    lb_fix_known(f, low, 0, INT16_MAX);
    lb_fix_known(f, high, 0, INT16_MAX);
    lb_num slope = lb_num_sub(f->s, high, low, 0, SITE(SLOPE));
    const bool falls = table == lb_fix_softmax_one_over_one_plus_x;
    lb_fix_known(f, slope, falls ? -64 : 0, falls ? -16 : 634);
    lb_num rise = lb_num_mul(f->s, slope, o, SITE(SLOPE_TIMES_O));
    rise = lb_num_rsh(f->s, LB_ROUND_UP, rise, CONST(7), 64, SITE(RISE_UP_TO_THE_PLACE));
    return lb_fix_known(f, lb_num_add(f->s, low, rise, 0, SITE(INTERPOLATED)), 0, INT16_MAX);
}
