/* A port in a shared library, served in the process that this is called in. */
#ifndef LB_HARNESS_PORT_LIBRARY_H
#define LB_HARNESS_PORT_LIBRARY_H

#include <stdbool.h>

/* Loads the library and lets its kit answer on standard input and output until the line is closed.
 * `has_memory`: it gets memory that another process sees too (shared_memory.h). Gives the exit
 * status for the process. */
int lb_library_serve(const char *file, bool has_memory);

#endif
