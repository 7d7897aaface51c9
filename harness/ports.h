/* Opening the port that the user named. */
#ifndef LB_HARNESS_PORTS_H
#define LB_HARNESS_PORTS_H

#include "port.h"

/* Port for "--port NAME", or NULL with a message on standard error. */
lb_port *lb_port_open(const char *name);

/* Set by main: how "builtin" is opened. The harness itself knows no implementation. */
extern lb_port *(*lb_port_open_builtin)(void);

#endif
