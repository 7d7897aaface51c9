/* A file that appears whole or not at all. */
#ifndef LB_REPORTS_OUTPUT_H
#define LB_REPORTS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes everything to the open file. Gives false on a read or write error, with a message in
 * error. */
typedef bool (*lb_output_fn)(void *user, FILE *out, char *error, size_t error_bytes);

/* Has a file written at the path ("-": standard output), beside it first and renamed when it is
 * whole; a link keeps pointing, a device is written to directly. 0 done; 2 the writer refused its
 * input; 3 cannot write; message on standard error. */
int lb_output_file(const char *path, lb_output_fn write, void *user);

#endif
