/* Time that only goes forward. */
#ifndef LB_HARNESS_BASE_CLOCK_H
#define LB_HARNESS_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t lb_now_ns(void);
/* The same without what somebody who waited here has noted as lost: time limits of others are kept
 * by this clock, for this process may have been stopped (Ctrl-Z) while they worked. */
uint64_t lb_awake_ns(void);
/* A wait that began at `begun_ns` and was meant to end after at most `meant_ns` is over. */
void lb_awake_note(uint64_t begun_ns, uint64_t meant_ns);
/* The longest wait that should be asked for, so that a stop does not hide in it. */
enum { LB_AWAKE_WAIT_MS = 200 };
/* Seconds of processor time of this process: what a search may use, however busy the machine is. */
double lb_worked_seconds(void);
/* lb_now_ns in seconds. */
double lb_now_seconds(void);

#endif
