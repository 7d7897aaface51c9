/* The exact model in the place of a port. */
#ifndef LB_HARNESS_COMMAND_MODEL_PORT_H
#define LB_HARNESS_COMMAND_MODEL_PORT_H

#include "harness/port/port.h"
#include "reference/mli/mov_state.h"

typedef struct lb_model_port {
    lb_port port; /* what a trial takes */
    lb_mov_state state;
    lb_mov_step *step; /* the movement call in work */
} lb_model_port;

void lb_model_port_make(lb_model_port *model);

#endif
