/* Ports that are only files: somebody ran the cases of an export in a simulator or a tool, and put
 * what came out beside them. */
#ifndef LB_HARNESS_PORT_FILES_H
#define LB_HARNESS_PORT_FILES_H

#include "harness/port/port.h"

/* What a port's name begins with: "files:DIR". */
#define LB_PORT_FILES "files:"

/* The port for the folder of an export, or NULL with a message on standard error. */
lb_port *lb_port_files(const char *name);

#endif
