/* softmax and l2_normalize in real numbers. Spec: elementwise.md 7, 8, 13.
 * softmax_fx8 has no real model: its result, 0 everywhere, has no meaning. */
#include "models.h"
#include "real_lut.h"
#include "real_values.h"
#include "real_weighted.h"

#include <math.h>

/* The groups of elements that are normalized: lines along an axis, or the whole tensor
 * (elementwise.md 7, 8). */
typedef struct groups {
    size_t count;  /* groups */
    size_t length; /* elements in each */
    size_t inner;  /* elements from one element of a group to the next, in row-major order */
} groups;

static groups groups_of(const lb_tensor *t, int32_t axis)
{
    size_t elements = lb_element_count(t);
    if (axis < 0)
        return (groups){.count = 1, .length = elements, .inner = 1};
    groups along = {.length = t->shape[axis], .inner = 1};
    for (uint32_t d = (uint32_t)axis + 1; d < t->rank; d++)
        along.inner *= t->shape[d];
    along.count = elements / along.length;
    return along;
}

static size_t group_flat(const groups *g, size_t group, size_t index)
{
    size_t outer = group / g->inner;
    return (outer * g->length + index) * g->inner + group % g->inner;
}

typedef struct normalize {
    const lb_context *context;
    const lb_tensor *in;
    lb_quant quant;
    groups groups;
    bool is_fx;
    int bits;
} normalize;

static normalize start(const lb_context *context, const lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    return (normalize){
        .context = context,
        .in = in,
        .quant = lb_quant_at(in, 0),
        .groups = groups_of(in, call->config.axis),
        .is_fx = lb_is_fx(in->el_type),
        .bits = lb_container_bits(in->el_type),
    };
}

static double element(const normalize *s, size_t group, size_t index)
{
    return lb_load_fine(s->in, lb_offset_of_flat(s->in, group_flat(&s->groups, group, index))) -
           s->quant.zero_point;
}

enum { SA8_FRAC_BITS = 13 };

/* e of an element that lies so many steps below the largest: sa8 arguments are rounded to 13
 * fractional bits. */
static lb_span exponential(const normalize *s, double below)
{
    lb_rounding rounding = s->context->profile->rounding;
    if (s->is_fx)
        return lb_real_lut_of_fx(LB_LUT_SOFTMAX, rounding, lb_span_of(below), s->quant.frac);
    lb_span x = lb_span_of(below * s->quant.scale * lb_power_of_two(SA8_FRAC_BITS - s->quant.frac));
    x = s->quant.frac > SA8_FRAC_BITS ? lb_span_rounded(x, rounding) : x;
    return lb_real_lut_of_fx(LB_LUT_SOFTMAX, rounding, x, SA8_FRAC_BITS);
}

/* share = e / sum, where e is part of the sum: the larger e, the larger both. `rest`: the sum
 * without e. */
static double share(double e, double rest)
{
    return e <= 0.0 ? 0.0 : e / (e + fmax(rest, 0.0));
}

/* 7: the sum is brought to 15 bits (2^-15), its reciprocal is cut to 15 bits and ends at 32767
 * (2^-14, too small only). */
static lb_span output_of(const normalize *s, lb_span e, lb_span sum)
{
    double unit = s->is_fx ? 32768.0 : 256.0;
    lb_span y = {
        .value = e.value / sum.value * unit,
        .low = share(e.low, sum.high - e.high) * unit,
        .high = share(e.high, sum.low - e.low) * unit,
        .from = share(e.from, sum.to - e.to) * unit,
        .to = share(e.to, sum.from - e.from) * unit,
    };
    double more = 1.02 * lb_power_of_two(-15);
    double less = more + lb_power_of_two(-14);
    y = (lb_span){y.value, y.low * (1.0 - less), y.high * (1.0 + more), y.from * (1.0 - less),
                  y.to * (1.0 + more)};
    return lb_span_rounded(y, s->context->profile->rounding);
}

static void softmax_group(const normalize *s, size_t g, const lb_real_outputs *outputs)
{
    lb_quant format = s->is_fx ? (lb_quant){1, s->bits - 1, 0} : (lb_quant){1, 8, -128};
    double largest = -INFINITY;
    lb_span sum = lb_span_of(0.0);
    for (size_t i = 0; i < s->groups.length; i++)
        largest = fmax(largest, element(s, g, i));
    for (size_t i = 0; i < s->groups.length; i++)
        sum = lb_span_plus(sum, exponential(s, element(s, g, i) - largest));
    lb_real_sum whole = {sum.high, sum.high};
    lb_span acc = lb_real_accumulated(s->context->profile, LB_OPERANDS_16X8, &whole);
    for (size_t i = 0; i < s->groups.length; i++) {
        lb_span e = exponential(s, element(s, g, i) - largest);
        lb_span y = output_of(s, e, sum);
        y = lb_span_is_known(&acc) ? y : lb_span_unknown(y.value);
        lb_real_put_as(outputs, LB_ROLE_OUT, group_flat(&s->groups, g, i), format,
                       lb_span_moved(y, format.zero_point), s->bits);
    }
}

void lb_real_softmax(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    normalize s = start(context, call);
    for (size_t g = 0; lb_real_wants(outputs, LB_ROLE_OUT) && g < s.groups.count; g++)
        softmax_group(&s, g, outputs);
}

/* 8: 1 / sqrt of the sum of squares, by table with 17 fractional bits. The sum is brought to 14 or
 * 15 bits and its root takes half of that error; what the shift back does is exact. */
static lb_span inverse_root(const normalize *s, double squares)
{
    int exponent;
    (void)frexp(squares, &exponent); /* squares < 2^exponent */
    int k = exponent - 15;           /* 48 - norm_64 */
    k += k % 2 != 0 ? 1 : 0;
    lb_rounding rounding = s->context->profile->rounding;
    lb_span c = lb_span_scaled(lb_span_of(squares), lb_power_of_two(-k));
    if (k > 0)
        c = lb_span_confined(lb_span_rounded(c, rounding), 8192.0, 32767.0);
    enum { SUM_FRAC_BITS = 8 };
    lb_span r = lb_real_lut_of_fx(LB_LUT_L2_NORMALIZE, rounding, c, SUM_FRAC_BITS);
    return lb_span_scaled(
        r, lb_power_of_two(-lb_luts[LB_LUT_L2_NORMALIZE].out_frac_bits - (k + SUM_FRAC_BITS) / 2));
}

/* A group of zeros gives zeros. */
static void l2_group(const normalize *s, size_t g, const lb_real_outputs *outputs)
{
    lb_quant format = {1, s->bits - 1, 0};
    lb_real_sum squares = {0.0, 0.0};
    for (size_t i = 0; i < s->groups.length; i++) {
        double x = element(s, g, i);
        squares.sum += x * x;
    }
    squares.magnitude = squares.sum;
    lb_span acc = lb_real_accumulated(s->context->profile, LB_OPERANDS_16X16, &squares);
    lb_span root = squares.sum > 0.0 ? inverse_root(s, squares.sum) : lb_span_of(0.0);
    root = lb_span_is_known(&acc) ? root : lb_span_unknown(root.value);
    for (size_t i = 0; i < s->groups.length; i++) {
        lb_span y = lb_span_scaled(root, element(s, g, i) * lb_power_of_two(s->bits - 1));
        y = lb_span_rounded(y, s->context->profile->rounding);
        lb_real_put_as(outputs, LB_ROLE_OUT, group_flat(&s->groups, g, i), format, y, s->bits);
    }
}

void lb_real_l2_normalize(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    normalize s = start(context, call);
    for (size_t g = 0; lb_real_wants(outputs, LB_ROLE_OUT) && g < s.groups.count; g++)
        l2_group(&s, g, outputs);
}
