/* Time that only goes forward: see clock.h. */
#include "harness/base/clock.h"

#include <time.h>

uint64_t lb_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t lost_ns;

uint64_t lb_awake_ns(void)
{
    return lb_now_ns() - lost_ns;
}

void lb_awake_note(uint64_t begun_ns, uint64_t meant_ns)
{
    const uint64_t slack_ns = 500000000, took_ns = lb_now_ns() - begun_ns;
    if (took_ns > meant_ns + slack_ns) /* a busy machine is a little late, too */
        lost_ns += took_ns - meant_ns;
}

double lb_worked_seconds(void)
{
    struct timespec worked;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &worked);
    return (double)worked.tv_sec + (double)worked.tv_nsec * 1e-9;
}

double lb_now_seconds(void)
{
    return (double)lb_now_ns() * 1e-9;
}
