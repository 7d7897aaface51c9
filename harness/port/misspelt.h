/* Names of functions that a native port has misspelt, as far as its files tell. */
#ifndef LB_HARNESS_PORT_MISSPELT_H
#define LB_HARNESS_PORT_MISSPELT_H

#include "harness/port/port.h"

/* A native port (lb_native.h) may compare names as plain texts, and one that is misspelt is never
 * asked for. Looks through the port's files for texts that are no function's name, but near to that
 * of one that the port lacks, and tells each on standard error. Gives how many. 0 for ports of
 * other kinds and those whose files are not here. */
unsigned lb_port_tell_misspelt(const lb_port *port);

#endif
