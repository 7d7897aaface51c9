/* The port that `lastbit pack` tries cases on: the exact model, which writes down every call and
 * what it left as scripts of a pack. */
#ifndef LB_HARNESS_PACK_PACK_PORT_H
#define LB_HARNESS_PACK_PACK_PORT_H

#include "harness/pack/script.h"
#include "harness/port/port.h"

typedef struct lb_pack_port {
    lb_port port;
    lb_pack_script script;  /* of the case and profile that have been tried last */
    const char *cannot_run; /* why that is not for a pack, or NULL */
    const lb_instance *instance;
    lb_mov_state moves;
    lb_mov_step *step; /* at work */
} lb_pack_port;

/* Makes the port; big_endian: that of the device. digests: outputs as CRC-32 alone. */
void lb_pack_port_make(lb_pack_port *port, bool big_endian, bool digests);
void lb_pack_port_free(lb_pack_port *port);

#endif
