/* A port at the end of a line: its kit is asked for every call, and started again when it has
 * failed. */
#ifndef LB_HARNESS_PORT_REMOTE_H
#define LB_HARNESS_PORT_REMOTE_H

#include "harness/port/port.h"

/* What a port says of itself. */
typedef struct lb_port_facts {
    unsigned version, pointer_bytes, profiles; /* profiles: bit i is lb_profiles[i] */
    bool avepool16, only_avepool16; /* can, must be asked for it (pooling_and_movement.md 2.6) */
    bool big_endian, computes_only;
    uint32_t memory_bytes, payload_bytes;
    unsigned function_count;
    uint8_t functions[64]; /* bit i: function i of lb_kit_functions.h */
    char description[256];
} lb_port_facts;

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

/* Functions that the wire has numbers for: name of the i-th, NULL behind the last; whether the port
 * has it. */
const char *lb_port_remote_function(const lb_port *port, unsigned i, bool *is_provided);

#endif
