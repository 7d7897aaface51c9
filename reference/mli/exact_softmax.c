/* softmax, to the last bit. Spec: elementwise.md 7; names follow the formulas there. The
 * exponentials are looked up twice, for their sum and for the outputs: no memory is needed, and out
 * may lie on in. */
#include "core/lut.h"
#include "core/scale_num.h"
#include "core/view.h"
#include "describe/map_cursor.h"
#include "models.h"

/* Fractional bits in which the differences of sa8 inputs go into the table. */
enum { SA8_FRAC_BITS = 13 };

typedef struct softmax {
    const lb_context *context;
    const lb_tensor *in;
    lb_num_quant quant; /* of in, before out's format is written */
    lb_map_cursor at;   /* the group, and the element in it */
} softmax;

static lb_num element(const softmax *s, lb_steps *steps)
{
    return lb_cursor_load(&s->at, LB_MAP_X, LB_NAMED(IN), steps);
}

static lb_num largest_of(softmax *s, lb_steps *steps)
{
    uint64_t taps = 0;
    lb_steps_enter(steps, LB_PART_LARGEST_OF_THE_GROUP, "elementwise.md 7");
    lb_num largest = lb_num_const(0);
    do {
        lb_steps_tap(steps, ++taps);
        lb_num x = element(s, steps);
        largest = taps == 1 ? lb_num_copy(steps, x, LB_SITE_SOFTMAX_FIRST)
                            : lb_num_max(steps, largest, x, LB_SITE_SOFTMAX_THE_LARGER_ONE);
    } while (lb_cursor_next_in_sum(&s->at));
    return largest;
}

/* e of an element: 0..32767, 15 fractional bits. */
static lb_num exponential(const softmax *s, lb_num x, lb_num largest, lb_steps *steps)
{
    const lb_profile *profile = s->context->profile;
    lb_num d = lb_num_sub(steps, x, largest, 0, LB_SITE_X_LESS_THE_LARGEST);
    lb_num_lies(steps, d, INT64_MIN, 0);
    if (lb_is_fx(s->in->el_type))
        return lb_num_lut(steps, LB_LUT_SOFTMAX, profile, d, s->quant.frac);
    lb_num frac = lb_num_const(SA8_FRAC_BITS);
    lb_num scaled = lb_num_mul(steps, d, s->quant.scale, LB_SITE_SOFTMAX_TIMES_THE_SCALE);
    lb_num shift =
        lb_num_sub(steps, s->quant.frac, frac, 0, LB_SITE_SOFTMAX_SHIFT_TO_THE_TABLES_ARGUMENT);
    lb_num argument = lb_num_rsh(steps, lb_inner_rounding(profile), scaled, shift, 32,
                                 LB_SITE_ARGUMENT_OF_THE_TABLE);
    return lb_num_lut(steps, LB_LUT_SOFTMAX, profile, argument, frac);
}

/* The largest element is less by nothing than itself: its exponential is the table's entry of 0. */
static int64_t exponential_of_none(void)
{
    const lb_lut *lut = &lb_luts[LB_LUT_SOFTMAX];
    return lut->table[lut->input_offset];
}

/* A platform may have another table, and other sums. */
static bool has_options(const lb_profile *profile)
{
    bool has = false;
    for (int feature = 0; feature < LB_FEATURE_COUNT; feature++)
        has = has || profile->at.value[feature] != 0;
    return has;
}

/* The sum is an int32 (elementwise.md 7): the accumulator of 16 by 8 bits, with factors of one. */
static lb_num sum_of(softmax *s, lb_num largest, lb_steps *steps)
{
    lb_acc acc = lb_acc_followed(lb_acc_start(s->context->profile, LB_OPERANDS_16X8),
                                 s->context->watch, steps);
    uint64_t taps = 0;
    lb_steps_enter(steps, LB_PART_SUM_OF_THE_EXPONENTIALS, "elementwise.md 6, 7");
    do {
        lb_steps_tap(steps, ++taps);
        lb_num x = element(s, steps);
        lb_num_mac(steps, &acc, exponential(s, x, largest, steps), lb_num_const(1));
    } while (lb_cursor_next_in_sum(&s->at));
    lb_num sum = lb_num_acc_close(steps, &acc, s->context->watch);
    lb_steps_tap(steps, 0);
    lb_num_sums_lie(steps, &acc);
    if (steps && !has_options(s->context->profile))
        lb_num_lies(steps, sum, exponential_of_none(), INT64_MAX);
    return acc.width > 32
               ? lb_num_sat(steps, sum, 32, LB_SITE_SOFTMAX_AS_WIDE_AS_THE_NEXT_STEP_TAKES_IT)
               : sum;
}

/* What all elements of a group are multiplied with: rec * 2^-n. */
typedef struct reciprocal {
    lb_num rec;
    lb_num n;
    lb_num sum;
} reciprocal;

static reciprocal reciprocal_of(const softmax *s, lb_num sum, lb_steps *steps)
{
    lb_steps_enter(steps, LB_PART_RECIPROCAL_OF_THE_SUM, "elementwise.md 7");
    lb_num n = lb_num_norm(steps, sum, 32, LB_SITE_N_REDUNDANT_SIGN_BITS_OF_THE_SUM);
    lb_num excess = lb_num_sub(steps, lb_num_const(16), n, 0, LB_SITE_BITS_THAT_GO);
    lb_num m = lb_num_rsh(steps, lb_inner_rounding(s->context->profile), sum, excess, 32,
                          LB_SITE_M_SUM_IN_15_BITS);
    lb_steps_demand(steps, m, 1 << 14, 1 << 15, LB_LIES_OF_POSITIVE);
    m = lb_num_sat(steps, m, 16, LB_SITE_SOFTMAX_M);
    lb_num quotient = lb_num_tdiv(steps, lb_num_const((int64_t)1 << 29), m, LB_SITE_2_29_OVER_M);
    return (reciprocal){lb_num_min(steps, quotient, lb_num_const(32767), LB_SITE_REC), n, sum};
}

/* e / sum in a format of so many fractional bits, rounded once (features.md 18). */
static lb_num divided(const softmax *s, lb_num e, lb_num sum, int frac_bits, lb_steps *steps)
{
    lb_num wide =
        lb_num_shl(steps, e, lb_num_const(frac_bits), 64, LB_SITE_E_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_divide(steps, s->context->profile->rounding, wide, sum, LB_SITE_E_OVER_SUM);
}

static bool divides(const softmax *s)
{
    return s->context->profile->at.value[LB_FEATURE_NORMALIZE] == LB_NORMALIZE_DIVISION;
}

static lb_num output_of(const softmax *s, lb_num e, reciprocal r, lb_steps *steps)
{
    const lb_profile *profile = s->context->profile;
    lb_rounding rounding = profile->rounding;
    bool is_fx = lb_is_fx(s->in->el_type);
    int bits = lb_container_bits(s->in->el_type), frac_bits = is_fx ? bits - 1 : 8;
    lb_steps_enter(steps, LB_PART_NORMALIZE, "elementwise.md 7");
    if (divides(s)) {
        lb_num y = divided(s, e, r.sum, frac_bits, steps);
        y = is_fx ? y
                  : lb_num_sub_zero_point(steps, y, lb_num_const(128), 0,
                                          LB_SITE_SOFTMAX_WITH_THE_OUTPUTS_ZERO_POINT);
        return lb_num_container(steps, profile, y, bits);
    }
    lb_num product = lb_num_mul(steps, r.rec, e, LB_SITE_REC_TIMES_E);
    if (is_fx) {
        lb_num shift = lb_num_sub(steps, lb_num_const(45 - frac_bits), r.n, 0,
                                  bits == 16 ? LB_SITE_30_LESS_N : LB_SITE_38_LESS_N);
        if (bits == 8) /* features.md 18 */
            shift = lb_num_min(steps, shift, lb_num_const(31), LB_SITE_AT_MOST_31);
        lb_num y =
            lb_num_rsh(steps, rounding, product, shift, 32, LB_SITE_SOFTMAX_IN_STEPS_OF_THE_OUTPUT);
        return lb_num_container(steps, profile, y, bits);
    }
    lb_num shift = lb_num_sub(steps, lb_num_const(37), r.n, 0, LB_SITE_37_LESS_N);
    shift = lb_num_min(steps, shift, lb_num_const(31), LB_SITE_AT_MOST_31);
    lb_num y =
        lb_num_rsh(steps, rounding, product, shift, 32, LB_SITE_SOFTMAX_IN_STEPS_OF_THE_OUTPUT);
    y = lb_num_sub_zero_point(steps, y, lb_num_const(128), 0,
                              LB_SITE_SOFTMAX_WITH_THE_OUTPUTS_ZERO_POINT);
    return lb_num_container(steps, profile, y, 8);
}

static void normalize_group(softmax *s)
{
    lb_steps *listener = lb_cursor_steps_of_sum(&s->at, s->context->steps);
    lb_num largest = largest_of(s, listener);
    reciprocal r = reciprocal_of(s, sum_of(s, largest, listener), listener);
    do {
        lb_steps *steps = lb_cursor_steps(&s->at, listener);
        lb_steps_enter(steps, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "elementwise.md 6, 7");
        lb_num e = exponential(s, element(s, steps), largest, steps);
        lb_cursor_store(&s->at, steps, output_of(s, e, r, steps));
    } while (lb_cursor_next_in_sum(&s->at));
}

static lb_quant result_format(uint32_t el_type)
{
    return lb_is_fx(el_type) ? (lb_quant){1, lb_container_bits(el_type) - 1, 0}
                             : (lb_quant){1, 8, -128};
}

void lb_exact_softmax(const lb_context *context, lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    softmax s = {
        .context = context,
        .in = in,
        .quant = lb_num_quant_at(lb_steps_of(context->steps, LB_ROLE_OUT), in, LB_OWNER_IN, 0),
    };
    for (bool more = lb_cursor_first(&s.at, context, call); more; more = lb_cursor_next(&s.at))
        normalize_group(&s);
    lb_set_quant(call->tensor[LB_ROLE_OUT], result_format(in->el_type));
}

/* QUIRK (elementwise.md 7): the mantissa and the reciprocal of the sum overflow in 8 bits, so that
 * every output is 0. */
void lb_exact_softmax_fx8(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    if (context->profile->at.value[LB_FEATURE_FX8_SOFTMAX] == LB_FX8_SOFTMAX_COMPUTED) {
        lb_exact_softmax(context, call);
        return;
    }
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++) {
        lb_steps *steps = lb_steps_at(context->steps, LB_ROLE_OUT, flat);
        lb_steps_enter(steps, LB_PART_NORMALIZE, "elementwise.md 7");
        lb_num_store(steps, out, lb_offset_of_flat(out, flat),
                     lb_num_copy(steps, lb_num_const(0), LB_SITE_EVERY_OUTPUT_OF_SOFTMAX_FX8_IS_0));
    }
    lb_set_quant(out, result_format(LB_FX8));
}
