/* How long calls of a port take, and what the machine does at best meanwhile: thread CPU time, warm
 * caches, medians. */
#ifndef LB_HARNESS_BENCH_TIME_H
#define LB_HARNESS_BENCH_TIME_H

#include "harness/port/port.h"

enum { LB_BENCH_MAX_RUNS = 1000 };

/* One call at one level, and what becomes known of it. */
typedef struct lb_bench_job {
    lb_call *call; /* answers with LB_OK; several jobs may share it */
    const lb_profile *profile;
    const char *level; /* NULL: the port has none */
    lb_peak against;   /* what its rate is held against */
    /* set by lb_bench_time_jobs */
    double seconds;       /* of one call: the median of the runs */
    double least_seconds; /* of a call in the fastest run: the machine undisturbed */
    double noise_percent; /* half the distance between the quartiles of the runs, of the median */
    double peak;          /* of `against`: the median over the rounds; 0: unknown */
} lb_bench_job;

/*
 * Times jobs in rounds: in each of `runs` (1 .. LB_BENCH_MAX_RUNS) rounds every job has a run of as
 * many calls as take run_seconds, after one that warms up, and every peak is measured. So what
 * disturbs the machine for a while is shared by all that is measured, and medians are of the whole
 * time. False: the port does not take a level; message on standard error.
 */
bool lb_bench_time_jobs(lb_port *port, lb_bench_job *jobs, size_t count, unsigned runs,
                        double run_seconds);

/* Keeps this thread on the processor where it is; a machine that does not allow it costs some
 * noise. */
void lb_bench_pin(void);

#endif
