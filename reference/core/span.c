/* Real numbers with the ranges of their fixed-point counterparts: see span.h. */
#include "span.h"

lb_span lb_span_of(double value)
{
    return (lb_span){value, value, value, value, value};
}

lb_span lb_span_unknown(double value)
{
    return (lb_span){value, NAN, NAN, NAN, NAN};
}

bool lb_span_is_known(const lb_span *s)
{
    return !isnan(s->low);
}

lb_span lb_span_plus(lb_span a, lb_span b)
{
    return (lb_span){a.value + b.value, a.low + b.low, a.high + b.high, a.from + b.from,
                     a.to + b.to};
}

lb_span lb_span_minus(lb_span a, lb_span b)
{
    return (lb_span){a.value - b.value, a.low - b.high, a.high - b.low, a.from - b.to,
                     a.to - b.from};
}

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

static double greatest_of(double a, double b)
{
    return a > b ? a : b;
}

/* The product of two intervals. */
static void multiply(double a, double b, double c, double d, double *low, double *high)
{
    *low = least_of(least_of(a * c, a * d), least_of(b * c, b * d));
    *high = greatest_of(greatest_of(a * c, a * d), greatest_of(b * c, b * d));
}

lb_span lb_span_times(lb_span a, lb_span b)
{
    lb_span p = lb_span_unknown(a.value * b.value);
    if (lb_span_is_known(&a) && lb_span_is_known(&b)) {
        multiply(a.low, a.high, b.low, b.high, &p.low, &p.high);
        multiply(a.from, a.to, b.from, b.to, &p.from, &p.to);
    }
    return p;
}

lb_span lb_span_scaled(lb_span a, double k)
{
    if (k >= 0)
        return (lb_span){a.value * k, a.low * k, a.high * k, a.from * k, a.to * k};
    return (lb_span){a.value * k, a.high * k, a.low * k, a.to * k, a.from * k};
}

lb_span lb_span_moved(lb_span a, double by)
{
    return (lb_span){a.value + by, a.low + by, a.high + by, a.from + by, a.to + by};
}

lb_span lb_span_blurred(lb_span a, double relative)
{
    return (lb_span){a.value, a.low - fabs(a.low) * relative, a.high + fabs(a.high) * relative,
                     a.from - fabs(a.from) * relative, a.to + fabs(a.to) * relative};
}

lb_span lb_span_widened(lb_span a, double down, double up)
{
    return (lb_span){a.value, a.low - down, a.high + up, a.from - down, a.to + up};
}

/* NAN stays. */
static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

lb_span lb_span_confined(lb_span a, double low, double high)
{
    return (lb_span){a.value, clamp(a.low, low, high), clamp(a.high, low, high),
                     clamp(a.from, low, high), clamp(a.to, low, high)};
}

lb_span lb_span_clamped(lb_span a, double low, double high)
{
    a = lb_span_confined(a, low, high);
    a.value = clamp(a.value, low, high);
    return a;
}

lb_span lb_span_saturated(lb_span a, int bits)
{
    double top = lb_power_of_two(bits - 1);
    return lb_span_clamped(a, -top, top - 1.0);
}

static double round_in(lb_rounding rounding, double v)
{
    switch (rounding) {
    case LB_ROUND_UP:
        return floor(v + 0.5);
    case LB_ROUND_AWAY:
        return round(v);
    case LB_ROUND_ZERO:
        return trunc(v);
    case LB_ROUND_FLOOR:
        return floor(v);
    default:
        return nearbyint(v);
    }
}

/* What double precision may have lost of an end of a range: far more than it does, far less than
 * anybody could see in a result. A range of one point comes from whole numbers and powers of two
 * alone, so it is exact, and a tie is a tie. */
static double slack_of(const lb_span *a, double v)
{
    return a->from == a->to ? 0.0 : 1e-12 * (1.0 + fabs(v));
}

lb_span lb_span_rounded(lb_span a, lb_rounding rounding)
{
    /* What is cut off is up to a whole step (features.md 2). */
    bool cuts = rounding == LB_ROUND_ZERO || rounding == LB_ROUND_FLOOR;
    a.low -= cuts ? 1.0 : 0.5;
    a.high += rounding == LB_ROUND_ZERO ? 1.0 : rounding == LB_ROUND_FLOOR ? 0.0 : 0.5;
    double from = a.from - slack_of(&a, a.from);
    double to = a.to + slack_of(&a, a.to);
    a.from = round_in(rounding, from);
    a.to = round_in(rounding, to);
    return a;
}

lb_span lb_span_shifted_right(lb_span a, int n, int width, lb_rounding rounding)
{
    a = lb_span_scaled(a, lb_power_of_two(-n));
    if (n <= 0)
        return lb_span_saturated(a, width);
    if (rounding == LB_ROUND_UP && n < width) {
        /* floor(min(v + half, highest) / 2^n) = floor(min(v / 2^n, highest / 2^n - 1/2) + 1/2) */
        a = lb_span_confined(a, -HUGE_VAL,
                             (lb_power_of_two(width - 1) - 1.0) * lb_power_of_two(-n) - 0.5);
    }
    return lb_span_rounded(a, rounding);
}
