/* Memory that lastbit and the process of a library port both see, so that a block need not go over
 * the line. */
#ifndef LB_HARNESS_PORT_SHARED_MEMORY_H
#define LB_HARNESS_PORT_SHARED_MEMORY_H

#include "harness/port/ring.h"

enum {
    LB_SHARED_BYTES = 3 << 29, /* reserved, not used: the system gives pages as they are touched */
    LB_SHARED_FRONT = 4096,    /* of them lb_fault_told (pages.h); behind it the kit's memory */
    LB_SHARED_KIT = LB_SHARED_BYTES - LB_SHARED_FRONT,
    LB_SHARED_DESCRIPTOR = 3 /* of the process that the port lives in: LB_HOST_MEMORY */
};

/* Makes it, and the rings of the line behind it: a descriptor for the port's process, and the same
 * memory here. False: the system gives none, and everything goes over a pipe. */
bool lb_shared_make(int *descriptor, unsigned char **memory);

/* The rings of memory that was made here. */
lb_rings *lb_shared_rings(unsigned char *memory);

/* Puts it at this place of the port's process, its rings elsewhere, and closes the descriptor.
 * NULL: it cannot be put there. */
lb_rings *lb_shared_put(unsigned char *place);

void lb_shared_forget(unsigned char *memory);

#endif
