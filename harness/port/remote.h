/* A port at the end of a line: its kit is asked for every call, and started again when it has
 * failed. */
#ifndef LB_HARNESS_PORT_REMOTE_H
#define LB_HARNESS_PORT_REMOTE_H

#include "harness/port/facts.h"
#include "harness/port/port.h"

/* Opens "exec:COMMAND", "FILE.so", "tcp:HOST:PORT" or "serial:DEVICE[:BAUD]", asks what it is, and
 * closes it again: every process that makes calls opens its own. NULL: message on standard error.
 */
lb_port *lb_port_remote(const char *name, double time_limit_seconds);

/* For a port made by lb_port_remote; NULL for any other. */
const lb_port_facts *lb_port_remote_facts(const lb_port *port);

/* How long it takes to open, ask and close a port made by lb_port_remote (the time to restart), and
 * to ask and be answered; in seconds, the middle of several attempts. False: message on standard
 * error. */
typedef struct lb_port_times {
    double restart, round_trip;
} lb_port_times;
bool lb_port_remote_times(lb_port *port, lb_port_times *times);

#endif
