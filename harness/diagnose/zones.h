/* Does a result hang on bytes around the buffers? The call is made again with others there. */
#ifndef LB_HARNESS_DIAGNOSE_ZONES_H
#define LB_HARNESS_DIAGNOSE_ZONES_H

#include "harness/diagnose/evidence.h"

/* Where it reads. */
typedef struct lb_zone_read {
    bool is_known;
    lb_stop at; /* the side of a buffer; `distance`: the nearest byte there on which it hangs */
    size_t farthest;
} lb_zone_read;

/* "in", "weights[1]", "the quantization parameters of in": whose buffer it is. c may be NULL. */
const char *lb_zone_buffer_name(const lb_case *c, const lb_stop *at, lb_arena *arena);

/* True: with other bytes in guard zones the call gives another result, and with the same ones the
 * same. Where they lie is told in *read, unless it is NULL. */
bool lb_reads_zones(lb_evidence *evidence, lb_port *port, const lb_tried *tried, lb_zone_read *read,
                    lb_arena *arena);

#endif
