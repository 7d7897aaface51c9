/* Time that only goes forward: see clock.h. */
#include "harness/base/clock.h"

#include <time.h>

uint64_t lb_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double lb_now_seconds(void)
{
    return (double)lb_now_ns() * 1e-9;
}
