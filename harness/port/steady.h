/* Calls that are made again: with buffers at other places, other bytes around them and other
 * contents of outputs before. A function that is given the same leaves the same. */
#ifndef LB_HARNESS_PORT_STEADY_H
#define LB_HARNESS_PORT_STEADY_H

#include "harness/port/call.h"

/* What stood in a call before it was made, and what it left at first. Zero: nothing yet. */
typedef struct lb_steady {
    unsigned char *before, *given, *after; /* of the block: as it was; as it was given last; as the
                                              first call left it */
    size_t room_bytes;
    lb_tensor *tensors; /* `tensor_count` before the call, and as many after the first */
    size_t tensor_count, tensor_room;
    lb_port_request first; /* what it answered */
    size_t wrote_behind, wrote_in_front;
    lb_stray stray;
} lb_steady;

/* Before the first call. */
void lb_steady_begin(lb_steady *steady, const lb_port_request *request);
/* After it: keeps what it left. */
void lb_steady_keep(lb_steady *steady, const lb_port_request *request);
/* Before each further call: everything as before the first, but empty outputs hold other bytes. */
void lb_steady_prepare(lb_steady *steady, const lb_port_request *request, unsigned char empty);
/* After it: has it left the same? If not, what differs goes to `text`. */
bool lb_steady_is_same(const lb_steady *steady, const lb_port_request *request, char *text,
                       size_t text_bytes);
/* At the end: everything as the first call left it. */
void lb_steady_end(const lb_steady *steady, const lb_port_request *request);

void lb_steady_free(lb_steady *steady);

#endif
