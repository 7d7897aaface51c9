/* Opening the port that the user named. */
#ifndef LB_HARNESS_PORT_OPEN_H
#define LB_HARNESS_PORT_OPEN_H

#include "harness/port/host.h"
#include "harness/port/port.h"

/* Port for "--port NAME", or NULL with a message on standard error. A port that runs elsewhere
 * stops calls that take longer than the limit. */
lb_port *lb_port_open(const char *name, double time_limit_seconds);
/* The same with a word on how a library is kept apart. The environment's LASTBIT_SANDBOX stands for
 * LB_SANDBOX_AUTO. */
lb_port *lb_port_open_in(const char *name, double time_limit_seconds, lb_sandbox sandbox);

/* The exit status for a command whose port was not opened: 2, or 3 where the host ran short. */
extern int lb_port_open_status;

/* Set by main: how "builtin" is opened. The harness itself knows no implementation. */
extern lb_port *(*lb_port_open_builtin)(void);

#endif
