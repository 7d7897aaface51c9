/* Does a result hang on bytes around the buffers? The call is made again with others there. */
#ifndef LB_HARNESS_DIAGNOSE_ZONES_H
#define LB_HARNESS_DIAGNOSE_ZONES_H

#include "harness/diagnose/evidence.h"

/* Where it reads. */
typedef struct lb_zone_read {
    const char *name;    /* of the operand: "in", "weights[1]" */
    bool is_behind;      /* behind its end; else in front of its beginning */
    lb_buffer_kind kind; /* whose buffer it is, as in lb_stop */
    lb_role role;
    unsigned list_index;
    size_t nearest, farthest; /* bytes from there, from 1: the result hangs on both */
} lb_zone_read;

/* "in", "weights[1]", "the quantization parameters of in": whose buffer it is. c may be NULL. */
const char *lb_zone_buffer_name(const lb_case *c, lb_buffer_kind kind, lb_role role,
                                unsigned list_index, lb_arena *arena);

/* True: with other bytes in guard zones the call gives another result, and with the same ones the
 * same. Where they lie is told in *read, from the arena, unless it is NULL. */
bool lb_reads_zones(lb_evidence *evidence, lb_port *port, const lb_tried *tried, lb_zone_read *read,
                    lb_arena *arena);

#endif
