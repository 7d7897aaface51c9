/* Waiting awake for what comes soon. */
#ifndef LB_HARNESS_BASE_WATCH_H
#define LB_HARNESS_BASE_WATCH_H

#include <poll.h>
#include <stdbool.h>

/* Looks for one of the events for some microseconds, while others who have work go first. True: one
 * is there, or poll() fails; else whoever waits should go to sleep. To wake a processor that
 * sleeps can take longer, above all in a virtual machine, than a port takes for a small call. */
bool lb_watch(struct pollfd *events, nfds_t count);

#endif
