/* A real number together with what may stand in its place in fixed point: the arithmetic of real
 * models that also tell how far the definition of a function may lie from the real numbers. Spec:
 * numerics.md 3 (roundings), 7 and the sections "tolerance" of the family texts (what each step
 * costs).
 *
 * Two ranges are carried, because two questions are asked:
 *
 * - low..high: where a result lies that rounds to nearest wherever the function rounds, in whatever
 *   manner it treats the halves, and keeps to the accuracy of the function's constants and tables.
 *   Limits are made from it.
 * - from..to: where the function's own result lies in this profile: its roundings are known, and
 *   errors of constants and tables alone are left. It lies inside low..high. What the mean error
 *   has to be is made from it.
 *
 * Where nothing comparable is left (an accumulator that wrapped) all four are NAN, and stay so.
 *
 * Spans are counted in steps of some format, so that rounding is rounding to whole numbers; what
 * the step is, the caller knows. */
#ifndef LB_REFERENCE_SPAN_H
#define LB_REFERENCE_SPAN_H

#include "profile.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct lb_span {
    double value; /* the real number */
    double low, high;
    double from, to;
} lb_span;

/* A number that fixed point holds as it is. */
lb_span lb_span_of(double value);
/* The number, and nothing that could be compared with it. */
lb_span lb_span_unknown(double value);
bool lb_span_is_known(const lb_span *s);

/* 2^n. ldexp is slow, and nearly all shifts are small. */
static inline double lb_power_of_two(int n)
{
    if (n >= 0 && n < 64)
        return (double)((uint64_t)1 << n);
    return n < 0 && n > -64 ? 1.0 / (double)((uint64_t)1 << -n) : ldexp(1.0, n);
}

lb_span lb_span_plus(lb_span a, lb_span b);
lb_span lb_span_minus(lb_span a, lb_span b);
lb_span lb_span_times(lb_span a, lb_span b);
/* By a number known exactly, of either sign; k = 2^-n changes the step. */
lb_span lb_span_scaled(lb_span a, double k);
lb_span lb_span_moved(lb_span a, double by);

/* The number stays, the ranges grow: by shares of themselves (a multiplier's relative error), by
 * steps. */
lb_span lb_span_blurred(lb_span a, double relative);
lb_span lb_span_widened(lb_span a, double down, double up);

/* Saturation: of the number too (it is part of what the function is), or of the ranges alone. */
lb_span lb_span_clamped(lb_span a, double low, double high);
lb_span lb_span_confined(lb_span a, double low, double high);
/* To the range of `bits` bits. */
lb_span lb_span_saturated(lb_span a, int bits);

/* Rounding to whole steps: half a step to either side; `from` and `to` are rounded as the profile
 * does. */
lb_span lb_span_rounded(lb_span a, lb_rounding rounding);
/* rsh(v, n, width) of numerics.md 3, of a span in steps of v. To the left it saturates. To the
 * right it rounds; QUIRK: in the mode up the half is added with saturation, so that numbers at the
 * top of the width lose their last carry. */
lb_span lb_span_shifted_right(lb_span a, int n, int width, lb_rounding rounding);

#endif
