/* How long one call of a port takes: median of repetitions, thread CPU time, warm. */
#ifndef LB_HARNESS_BENCH_TIME_H
#define LB_HARNESS_BENCH_TIME_H

#include "port.h"

enum { LB_BENCH_MAX_RUNS = 1000 };

typedef struct lb_bench_time {
    double seconds;       /* of one call: the median of the runs */
    double noise_percent; /* half the distance between the quartiles of the runs, of the median */
} lb_bench_time;

/* Times `runs` (1 .. LB_BENCH_MAX_RUNS) runs of as many calls as take run_seconds of this thread's CPU time, after one that warms up. */
lb_bench_time lb_bench_time_call(lb_port *port, const lb_profile *profile, lb_call *call, unsigned runs,
                                 double run_seconds);

/* Keeps this thread on the processor where it is; a machine that does not allow it costs some noise. */
void lb_bench_pin(void);

#endif
