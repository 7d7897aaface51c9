/* Sums past a limit and back: see probe_limit.h. */
#include "harness/characterize/probe_limit.h"

uint32_t lb_limit_taps(const lb_probe_limits *limits, int64_t one, uint32_t most)
{
    enum { LESS_THAN_ANY_TAPS = 62 };
    if (limits->width > LESS_THAN_ANY_TAPS)
        return 0;
    int64_t reach = (INT64_C(1) << (limits->width - 1)) / one + 2;
    return reach > most / limits->lanes ? 0 : (uint32_t)reach * limits->lanes;
}

lb_limit_sum lb_limit_start(const lb_probe_limits *limits, int64_t highest, uint32_t past,
                            bool upper, int64_t beyond)
{
    int64_t limit = (INT64_C(1) << (limits->width - 1)) - upper;
    return (lb_limit_sum){.highest = highest,
                          .past = past,
                          .sign = upper ? -1 : 1,
                          .rest = limits->lanes * limit + beyond};
}

int64_t lb_aim_weight(int64_t *rest, int64_t x, int64_t low, int64_t high)
{
    const int64_t whole = *rest / x, w = whole < low ? low : whole > high ? high : whole;
    *rest -= w * x;
    return w;
}

int64_t lb_limit_weight(lb_limit_sum *sum, uint32_t k, int64_t x)
{
    return -sum->sign * (k < sum->past
                             ? sum->highest
                             : -lb_aim_weight(&sum->rest, x, -sum->highest, sum->highest));
}
