/* Opening a port by name: see ports.h. */
#include "ports.h"

#include <stdio.h>
#include <string.h>

lb_port *(*lb_port_open_builtin)(void);

lb_port *lb_port_open(const char *name)
{
    if (strcmp(name, "builtin") == 0 && lb_port_open_builtin)
        return lb_port_open_builtin();
    fprintf(stderr, "lastbit: --port %s: this version tries its own implementation only; give --port builtin\n", name);
    return NULL;
}
