/* Limits that follow from the definition of a function: per element, how far a right result may lie
 * from the real number; and over all elements, what their mean error may be. The ranges come from
 * the real models (reference/core/span.h). */
#ifndef LB_HARNESS_TRIAL_DERIVED_LIMIT_H
#define LB_HARNESS_TRIAL_DERIVED_LIMIT_H

#include "reference/core/span.h"

#include <stdint.h>

/* What became of the elements of one tensor. All zero at the start. */
typedef struct lb_derived {
    uint64_t judged;
    uint64_t
        overflowed; /* their accumulator left its width: no real number stands for what it holds */
    uint64_t vague; /* a limit larger than the signal proves nothing */
    double used,
        limit; /* of the judged element that used most of its limit: share (1: all), steps */
    double error, expected_low, expected_high, variance; /* sums over the judged elements */
} lb_derived;

/* Is this limit too wide to mean anything, for a signal of so many steps? Two steps are always
 * meaningful: a small signal is not the limit's fault. */
bool lb_limit_is_vague(double limit_steps, double signal_steps);

/* Share of a limit (1: all of it) that an error >= 0 uses. A limit of 0 that is missed by n is used
 * by 1 + n. `slack` is what double precision may have lost. */
double lb_limit_share(double error, double limit, double slack);

/* One element: its container, and the span of it. Its limit is the distance from the real number to
 * the further end of low..high: how far the function itself may lie off. A limit too wide for the
 * signal judges nothing. */
void lb_derived_add(lb_derived *d, double got, const lb_span *span, double signal_steps);

/* A limit that is used up to so many percent. */
typedef struct lb_limit_use {
    double limit, used_percent;
} lb_limit_use;

/* The element that used most. */
lb_limit_use lb_derived_max(const lb_derived *d);

/* The mean error against what it has to be. Expected is the mean of what the profile's own
 * roundings make of the real numbers, which is known from them up to the errors of constants and
 * tables: from..to, element by element, so that ties, repeated values and saturated elements count
 * as what they are. An implementation that rounds at other places differs from it by noise: the
 * mean of N independent errors, each spread evenly over its low..high, has the standard deviation
 * sqrt(sum of widths^2 / 12) / N, and six of them are allowed (a right port then misses once in 5e8
 * tensors; one that gives the function's own results never does). Limit: half the width of all
 * that. */
lb_limit_use lb_derived_mean(const lb_derived *d);

#endif
