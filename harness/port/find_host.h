/* Where lastbit-host is, the program that ports live in. */
#ifndef LB_HARNESS_PORT_FIND_HOST_H
#define LB_HARNESS_PORT_FIND_HOST_H

#include <stdbool.h>
#include <stddef.h>

/* Beside this program, or where it is installed. False: nowhere. */
bool lb_host_find(char *path, size_t bytes);

#endif
