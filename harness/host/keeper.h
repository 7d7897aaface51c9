/* The keeper of a port: starts it as its child and ends with it; nothing that the port has started
 * outlives it. */
#ifndef LB_HARNESS_HOST_KEEPER_H
#define LB_HARNESS_HOST_KEEPER_H

#include "harness/port/host.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct lb_kept_port {
    bool is_library;
    bool has_memory; /* at LB_HOST_MEMORY */
    const char *address;
    pid_t parent; /* who wants it */
    lb_sandbox sandbox;
} lb_kept_port;

/* Becomes the keeper of a port on standard input and output. */
_Noreturn void lb_keeper_become(const lb_kept_port *port);

#endif
