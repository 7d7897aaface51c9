/* A port in a shared library, served in the process that this is called in. */
#ifndef LB_HARNESS_PORT_LIBRARY_H
#define LB_HARNESS_PORT_LIBRARY_H

/* Loads the library and lets its kit answer on standard input and output until the line is closed.
 * Gives the exit status for the process. */
int lb_library_serve(const char *file);

#endif
