/* Calls that take longer in the second of two runs: which of them do so beyond what both runs
 * scatter anyway. */
#ifndef LB_REPORTS_DIFF_TIME_H
#define LB_REPORTS_DIFF_TIME_H

#include <stdbool.h>
#include <stddef.h>

/* A call that takes longer. The names are owned. */
typedef struct lb_longer_call {
    char *suite, *id, *profile, *function;
    double before, after; /* microseconds */
} lb_longer_call;

typedef struct lb_call_times {
    double *ratios; /* of calls in both runs: after / before */
    size_t count, room;
    lb_longer_call *longer; /* in the order of the second run */
    size_t longer_count, longer_room;
} lb_call_times;

/* A call that is in both runs. False: out of memory. */
bool lb_call_times_add(lb_call_times *times, double before, double after);
bool lb_call_times_add_longer(lb_call_times *times, const lb_longer_call *call);
void lb_call_times_free(lb_call_times *times);

/* How the second run's times lie beside the first one's. */
typedef struct lb_time_noise {
    bool known;           /* there were calls enough to say */
    double drift_percent; /* half of the calls changed by more than this: the machine, not a case */
    double spread_percent; /* and half of them lie within this around it */
    double beyond; /* a call whose time grew by more than this factor is slower beyond the noise */
} lb_time_noise;
/* Sorts the ratios. */
lb_time_noise lb_call_times_noise(lb_call_times *times);

#endif
