/* softmax, to the last bit. Spec: elementwise.md 7; names follow the formulas there. The exponentials are looked up
 * twice, for their sum and for the outputs: no memory is needed, and out may lie on in. */
#include "groups.h"
#include "lut.h"
#include "models.h"
#include "scale.h"
#include "view.h"

/* Fractional bits in which the differences of sa8 inputs go into the table. */
enum { SA8_FRAC_BITS = 13 };

typedef struct softmax {
    const lb_context *context;
    const lb_tensor *in;
    lb_tensor *out;
    lb_quant quant; /* of in, before out's format is written */
    lb_groups groups;
} softmax;

static int32_t element(const softmax *s, size_t group, size_t index)
{
    return lb_load(s->in, lb_offset_of_flat(s->in, lb_group_flat(&s->groups, group, index)));
}

static int32_t largest_of(const softmax *s, size_t group)
{
    int32_t largest = element(s, group, 0);
    for (size_t i = 1; i < s->groups.length; i++) {
        int32_t x = element(s, group, i);
        largest = x > largest ? x : largest;
    }
    return largest;
}

/* e of an element: 0..32767, 15 fractional bits. */
static int64_t exponential(const softmax *s, int32_t x, int32_t largest)
{
    lb_rounding rounding = s->context->profile->rounding;
    int64_t d = (int64_t)x - largest;
    if (lb_is_fx(s->in->el_type)) {
        return lb_lut_lookup(LB_LUT_SOFTMAX, rounding, d, s->quant.frac);
    }
    d = lb_rsh(rounding, d * s->quant.scale, s->quant.frac - SA8_FRAC_BITS, 32);
    return lb_lut_lookup(LB_LUT_SOFTMAX, rounding, d, SA8_FRAC_BITS);
}

/* The sum is an int32 (elementwise.md 7): the accumulator of 16 by 8 bits, with factors of one. */
static int64_t sum_of(const softmax *s, size_t group, int32_t largest)
{
    lb_acc acc = lb_acc_start(s->context->profile, LB_OPERANDS_16X8);
    for (size_t i = 0; i < s->groups.length; i++) {
        lb_acc_mac(&acc, (int32_t)exponential(s, element(s, group, i), largest), 1);
    }
    return lb_sat(lb_acc_close(&acc, s->context->watch), 32);
}

static void normalize_group(const softmax *s, size_t group)
{
    lb_rounding rounding = s->context->profile->rounding;
    bool is_fx = lb_is_fx(s->in->el_type);
    int32_t largest = largest_of(s, group);
    int64_t sum = sum_of(s, group, largest);
    int n = lb_norm(sum, 32);
    int64_t m = lb_sat(lb_rsh(rounding, sum, 16 - n, 32), 16);
    int64_t quotient = lb_tdiv((int64_t)1 << 29, m);
    int64_t rec = quotient < 32767 ? quotient : 32767;
    int sa8_shift = 37 - n < 31 ? 37 - n : 31;
    for (size_t i = 0; i < s->groups.length; i++) {
        int64_t e = exponential(s, element(s, group, i), largest);
        int64_t y = is_fx ? lb_sat(lb_rsh(rounding, rec * e, 30 - n, 32), 16)
                          : lb_sat(lb_rsh(rounding, rec * e, sa8_shift, 32) - 128, 8);
        lb_store(s->out, lb_offset_of_flat(s->out, lb_group_flat(&s->groups, group, i)), y);
    }
}

static lb_quant result_format(uint32_t el_type)
{
    return lb_is_fx(el_type) ? (lb_quant){1, lb_container_bits(el_type) - 1, 0} : (lb_quant){1, 8, -128};
}

void lb_exact_softmax(const lb_context *context, lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    softmax s = {
        .context = context,
        .in = in,
        .out = call->tensor[LB_ROLE_OUT],
        .quant = lb_quant_at(in, 0),
        .groups = lb_groups_of(in, call->config.axis),
    };
    for (size_t group = 0; group < s.groups.count; group++) {
        normalize_group(&s, group);
    }
    lb_set_quant(s.out, result_format(in->el_type));
}

/* QUIRK (elementwise.md 7): the mantissa and the reciprocal of the sum overflow in 8 bits, so that every output is
 * 0. */
void lb_exact_softmax_fx8(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++) {
        lb_store(out, lb_offset_of_flat(out, flat), 0);
    }
    lb_set_quant(out, result_format(LB_FX8));
}
