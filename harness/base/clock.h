/* Time that only goes forward. */
#ifndef LB_HARNESS_BASE_CLOCK_H
#define LB_HARNESS_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t lb_now_ns(void);
/* The same in seconds. */
double lb_now_seconds(void);

#endif
