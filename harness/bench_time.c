/* Timing of calls: see bench_time.h. */
#include "bench_time.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_calls(lb_port *port, const lb_profile *profile, lb_call *call, unsigned long calls)
{
    const double start = thread_seconds();
    for (unsigned long i = 0; i < calls; i++)
        port->call(port, profile, call);
    return thread_seconds() - start;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

lb_bench_time lb_bench_time_call(lb_port *port, const lb_profile *profile, lb_call *call, unsigned runs,
                                 double run_seconds)
{
    double times[LB_BENCH_MAX_RUNS];
    unsigned long calls = 1;
    time_calls(port, profile, call, 1);
    for (double once = time_calls(port, profile, call, 1); once < run_seconds && calls < 1UL << 30;) {
        calls *= 2;
        once = time_calls(port, profile, call, calls);
    }
    for (unsigned r = 0; r < runs; r++)
        times[r] = time_calls(port, profile, call, calls) / (double)calls;
    qsort(times, runs, sizeof times[0], compare);
    const double median = times[runs / 2], spread = times[runs - 1 - runs / 4] - times[runs / 4];
    return (lb_bench_time){median, 50 * spread / median};
}

void lb_bench_pin(void)
{
    cpu_set_t set;
    const int here = sched_getcpu();
    CPU_ZERO(&set);
    if (here < 0)
        return;
    CPU_SET((size_t)here, &set);
    sched_setaffinity(0, sizeof set, &set);
}
