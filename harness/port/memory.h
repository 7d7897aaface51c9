/* The memory of a case as the port has it: the same bytes, with elements in the port's byte order.
 */
#ifndef LB_HARNESS_PORT_MEMORY_H
#define LB_HARNESS_PORT_MEMORY_H

#include "harness/call/call_memory.h"

/* The byte order of this machine. */
bool lb_memory_host_is_big(void);

/* Writes the block of the instance to raw (memory->block_bytes) as a port of that byte order must
 * have it before a call. */
void lb_memory_to_port(const lb_instance *instance, bool big_endian, unsigned char *raw);

/* Takes back what the port left: `before` as it was sent, `after` as it is now. */
void lb_memory_from_port(lb_instance *instance, bool big_endian, const unsigned char *before,
                         const unsigned char *after);

#endif
