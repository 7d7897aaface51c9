/* How much of the API a port has: functions that lastbit can try on it, of all that it can try. */
#ifndef LB_HARNESS_PORT_PROVIDED_H
#define LB_HARNESS_PORT_PROVIDED_H

#include "harness/port/port.h"

typedef struct lb_provided {
    unsigned functions, of;             /* `of`: functions of MLI that cases can try */
    unsigned extensions, extensions_of; /* the same of lastbit's own additions (mli_ext_...) */
} lb_provided;

/* Can cases try this function at all? One that returns a text about its own build cannot be. */
bool lb_function_is_tried(const lb_kernel *kernel);
/* Is it a call of the sequences of movement calls? */
bool lb_function_moves(const lb_kernel *kernel);
/* Does the port have it? */
bool lb_port_has(const lb_port *port, const lb_kernel *kernel);

lb_provided lb_port_provided(const lb_port *port, lb_set set);
/* One of lastbit's own additions to the API (mli_ext_...)? A port that has none of them lacks
 * nothing: they are counted apart. */
bool lb_function_is_extension(const char *name);
bool lb_port_has_extensions(const lb_port *port);

#endif
