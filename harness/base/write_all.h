/* Bytes to a descriptor, however many calls it takes. */
#ifndef LB_HARNESS_BASE_WRITE_ALL_H
#define LB_HARNESS_BASE_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* False: not all went; errno says why. */
bool lb_write_all(int fd, const void *bytes, size_t count);

#endif
