/* What keeps the port of a library apart from everything else, as far as the system permits: in
 * this order, each in the process that it names. */
#ifndef LB_HARNESS_HOST_SANDBOX_H
#define LB_HARNESS_HOST_SANDBOX_H

#include "harness/port/host.h"

#include <stdbool.h>

/* Keeper: namespaces of users, mounts and processes for the process that it starts next. False:
 * that process is not the first one of a namespace. */
bool lb_sandbox_enter(lb_sandbox wish);
/* The first process of the namespace: files can be read, not written. */
void lb_sandbox_mount(void);
/* The port's process, before its library is loaded: privileges, limits, system calls. Says on the
 * channel what is closed and what is not. False: all of it was required, and is not permitted. */
bool lb_sandbox_close(lb_sandbox wish);
/* The process of a program that the user has named: it may do what the user may, but not read or
 * write the memory of other processes. */
void lb_sandbox_command(lb_sandbox wish);

/* Is the run-time library of a sanitizer in this process? */
bool lb_sandbox_is_sanitized(void);

/* ---- Its parts, each in a file of its own; false: not permitted here, or not built in ---- */

/* Landlock: no file is written, no program started, no process outside signalled or traced. */
bool lb_landlock_close(void);
/* seccomp: no program, tracing, other memory, mount, namespace, socket, handler of faults; signals
 * and limits only to itself where `alone` is false. */
bool lb_seccomp_close(bool alone);

#endif
