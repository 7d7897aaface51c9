/* Opening a port by name: see open.h. */
#include "harness/port/open.h"
#include "harness/port/files.h"
#include "harness/port/remote.h"

#include <stdio.h>
#include <string.h>

lb_port *(*lb_port_open_builtin)(void);
int lb_port_open_status = 2;

lb_port *lb_port_open(const char *name, double time_limit_seconds)
{
    if (strcmp(name, "builtin") == 0 && lb_port_open_builtin)
        return lb_port_open_builtin();
    if (strncmp(name, LB_PORT_FILES, strlen(LB_PORT_FILES)) == 0)
        return lb_port_files(name);
    return lb_port_remote(name, time_limit_seconds);
}
