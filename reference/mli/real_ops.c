/* Products and sums of sa8 numbers in real numbers. Spec: elementwise.md 5, recurrent.md 6. */
#include "real_ops.h"

#include "real_values.h"

#include <math.h>

/* Fraction bits of the shift by which a factor acts that stands for this ratio: factor * 2^shift
 * has 15 bits. */
static int real_factor_shift(double factor)
{
    int exponent;
    (void)frexp(factor, &exponent);
    return 15 - exponent;
}

/* A factor whose shift is above the highest one is made smaller by a few bits, which costs up to
 * 2^-13 of it where a result other than 0 is possible at all (elementwise.md 5: "never changes an
 * output"). */
static double factor_error(lb_rounding rounding, int shift, int highest)
{
    return lb_real_ratio_error(rounding) + (shift > highest ? lb_power_of_two(-13) : 0.0);
}

lb_span lb_real_product_sa8(lb_rounding rounding, lb_span a, lb_quant qa, lb_span b, lb_quant qb,
                            lb_quant out)
{
    double factor = ldexp((double)qa.scale * qb.scale / out.scale, out.frac - qa.frac - qb.frac);
    int shift = real_factor_shift(factor);
    int pre = shift - 21 < 0 ? 0 : shift - 21 > 3 ? 3 : shift - 21;
    lb_span p = lb_span_times(a, b);
    if (pre > 0) { /* QUIRK: the product loses these bits with rounding before it is scaled */
        p = lb_span_scaled(lb_span_rounded(lb_span_scaled(p, lb_power_of_two(-pre)), rounding),
                           lb_power_of_two(pre));
    }
    p = lb_span_scaled(lb_span_blurred(p, factor_error(rounding, shift, 31)), factor);
    p = shift - pre > 0 ? lb_span_rounded(p, rounding) : p;
    return lb_span_saturated(p, 32);
}

lb_span lb_real_addend_sa8(lb_rounding rounding, lb_span a, lb_quant qa, lb_quant out)
{
    double factor = lb_real_steps_between(qa, out);
    int shift = real_factor_shift(factor);
    a = lb_span_scaled(lb_span_blurred(a, factor_error(rounding, shift, 23)), factor);
    a = shift > 0 ? lb_span_rounded(a, rounding) : a;
    return lb_span_saturated(a, 32);
}
