/* Ports in shared libraries: they run in a process of their own. */
#ifndef LB_HARNESS_HOST_LIBRARY_H
#define LB_HARNESS_HOST_LIBRARY_H

#include "harness/host/keeper.h"

/* In the process of the port: loads the library and answers requests on standard input, in the
 * memory of LB_HOST_MEMORY if there is some, until it is closed. Gives the exit status. */
int lb_library_serve(const lb_kept_port *port);

#endif
