/* Look-up tables in real numbers: see real_lut.h. */
#include "real_lut.h"

#include "real_values.h"

#include <math.h>

/* The function of a real argument. */
static double real_lut_function(lb_lut_kind kind, double x)
{
    switch (kind) {
    case LB_LUT_SIGM:
        return 1.0 / (1.0 + exp(-x));
    case LB_LUT_TANH:
        return tanh(x);
    case LB_LUT_SOFTMAX:
        return exp(x);
    default:
        return 1.0 / sqrt(x);
    }
}

/* |second derivative| where the function is y. */
static double bend(lb_lut_kind kind, double x, double y)
{
    switch (kind) {
    case LB_LUT_SIGM:
        return fabs(y * (1.0 - y) * (1.0 - 2.0 * y));
    case LB_LUT_TANH:
        return fabs(2.0 * y * (1.0 - y * y));
    case LB_LUT_SOFTMAX:
        return y;
    default:
        return 0.75 * y / (x * x);
    }
}

/* Largest |second| and |third derivative| over the table. */
static const struct {
    double second, third;
} steepest[LB_LUT_COUNT] = {
    [LB_LUT_SIGM] = {0.0963, 0.125},
    [LB_LUT_TANH] = {0.7699, 2.0},
    [LB_LUT_SOFTMAX] = {1.0, 1.0},
    [LB_LUT_L2_NORMALIZE] = {0.75 / 5792.6, 1.875 / 185363.8}, /* at 32: 32^2.5, 32^3.5 */
};

/* An argument and the function there. */
typedef struct point {
    double x, y;
} point;

/* How far a chord between two entries leaves the curve: at most h^2/8 of the second derivative in
 * the interval, which lies within one h of the arguments. */
static double chord_error(lb_lut_kind kind, point a, point b)
{
    double h = lb_power_of_two(-lb_luts[kind].in_frac_bits);
    double near =
        fmax(bend(kind, a.x, a.y), bend(kind, b.x, b.y)) + (h + b.x - a.x) * steepest[kind].third;
    return h * h / 8.0 * fmin(near, steepest[kind].second);
}

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

/* The arguments inside the table that stand for low..high. QUIRK (recurrent.md 4): outside, the low
 * bits of the argument go on interpolating inside the first or the last interval, so that it may be
 * anywhere there. */
static void reach(lb_lut_kind kind, double *low, double *high)
{
    const lb_lut *lut = &lb_luts[kind];
    double h = lb_power_of_two(-lut->in_frac_bits);
    double first = -lut->input_offset * h;
    double last = (lut->length - 1 - lut->input_offset) * h;
    double a = *low;
    double b = *high;
    *low = clamp(a, first, b > last ? last - h : last);
    *high = clamp(b, a < first ? first + h : first, last);
}

/* Ends of what a look-up gives for arguments a..b, in entry steps, without roundings: function,
 * chord, and the one entry that does not hold its value (exp(0) is 32767). */
static void results_between(lb_lut_kind kind, bool between, double *a, double *b)
{
    reach(kind, a, b);
    double unit = lb_power_of_two(lb_luts[kind].out_frac_bits);
    point first = {*a, real_lut_function(kind, *a)};
    point last = {*b, *a == *b ? first.y : real_lut_function(kind, *b)};
    double chord = between ? chord_error(kind, first, last) * unit : 0.0;
    bool falls = kind == LB_LUT_L2_NORMALIZE;
    bool convex =
        kind == LB_LUT_L2_NORMALIZE || kind == LB_LUT_SOFTMAX; /* chords lie above the curve */
    double low = (falls ? last.y : first.y) * unit;
    double high = (falls ? first.y : last.y) * unit;
    bool top = kind == LB_LUT_SOFTMAX && *b > -lb_power_of_two(-lb_luts[kind].in_frac_bits);
    *a = low - (convex ? 0.0 : chord) - (top ? 0.5 : 0.0);
    *b = high + chord;
}

/* The function of the real number that a span of arguments is about, in steps of the table's
 * entries (2^-out_frac_bits), with what a look-up may give. `between`: arguments may lie between
 * those of the entries, and then the function interpolates. */
static lb_span real_lut_lookup(lb_lut_kind kind, lb_rounding rounding, lb_span x, bool between)
{
    double unit = lb_power_of_two(lb_luts[kind].out_frac_bits);
    lb_span y = x;
    y.value = real_lut_function(kind, x.value) * unit;
    if (!lb_span_is_known(&x))
        return y;
    results_between(kind, between, &y.low, &y.high);
    if (x.from == x.low && x.to == x.high) {
        y.from = y.low;
        y.to = y.high;
    } else {
        results_between(kind, between, &y.from, &y.to);
    }
    if (!between) /* an entry, rounded to nearest in every profile */
        return lb_span_rounded(y, LB_ROUND_UP);
    /* two entries, each rounded, and the rounding between them */
    return lb_span_rounded(lb_span_widened(y, 0.5, 0.5), rounding);
}

lb_span lb_real_lut_of_fx(lb_lut_kind kind, lb_rounding rounding, lb_span steps, int frac)
{
    int below = frac - lb_luts[kind].in_frac_bits; /* bits below those of the table */
    lb_span x = lb_span_scaled(steps, lb_power_of_two(-frac));
    if (below >
        15) { /* only 15 bits count; QUIRK: a shift past 30 acts as 30, on arguments next to 0 */
        double bit = lb_power_of_two(-lb_luts[kind].in_frac_bits - 15);
        lb_span capped = lb_span_scaled(
            steps, lb_power_of_two(-lb_luts[kind].in_frac_bits - (below < 30 ? below : 30)));
        x = (lb_span){x.value, capped.low - bit, capped.high + bit, capped.from - bit,
                      capped.to + bit};
    }
    return real_lut_lookup(kind, rounding, x, below > 0);
}

enum { SA8_INTERPOLATION_BITS = 8 };

/* The argument is rounded to 8 bits below those of the table; where the format has no more than the
 * table, nothing lies between its entries. */
static lb_span lookup_sa8(lb_rounding rounding, lb_lut_kind kind, lb_span steps, lb_quant in)
{
    int frac = lb_luts[kind].in_frac_bits + SA8_INTERPOLATION_BITS;
    lb_span x = lb_span_scaled(steps, in.scale * lb_power_of_two(frac - in.frac));
    x = in.frac > frac ? lb_span_rounded(x, rounding) : x;
    return real_lut_lookup(kind, rounding, lb_span_scaled(x, lb_power_of_two(-frac)),
                           in.frac > lb_luts[kind].in_frac_bits);
}

lb_span lb_real_activated(lb_rounding rounding, lb_activation activation, lb_span steps,
                          lb_quant in, uint32_t el_type)
{
    lb_lut_kind kind = activation == LB_ACTIVATION_SIGM ? LB_LUT_SIGM : LB_LUT_TANH;
    lb_quant out = lb_activation_format(activation, el_type);
    int bits = lb_container_bits(el_type);
    bool is_fx = lb_is_fx(el_type);
    lb_span y = is_fx ? lb_real_lut_of_fx(kind, rounding, steps, in.frac)
                      : lookup_sa8(rounding, kind, steps, in);
    int rest = lb_luts[kind].out_frac_bits - out.frac; /* a second rounding, to 8 bits */
    if (rest > 0)
        y = lb_span_shifted_right(y, rest, is_fx ? 16 : 32, rounding);
    double top = lb_power_of_two(bits - 1);
    return lb_span_confined(y, -top - out.zero_point, top - 1.0 - out.zero_point);
}
