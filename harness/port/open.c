/* Opening a port by name: see open.h. */
#include "harness/port/open.h"
#include "harness/base/child.h"
#include "harness/port/files.h"
#include "harness/port/link.h"
#include "harness/port/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lb_port *(*lb_port_open_builtin)(void);
int lb_port_open_status = 2;

/* A build that counts lines writes its counts where the port lives. */
static lb_sandbox choose_sandbox(lb_sandbox asked)
{
    static const char *const names[] = LB_SANDBOX_NAMES;
    const char *wish = getenv("LASTBIT_SANDBOX");
#ifdef LASTBIT_COVERAGE
    return LB_SANDBOX_OFF;
#endif
    for (int i = 0; wish && names[i] && asked == LB_SANDBOX_AUTO; i++)
        if (strcmp(wish, names[i]) == 0)
            return (lb_sandbox)i;
    return asked;
}

lb_port *lb_port_open(const char *name, double time_limit_seconds)
{
    return lb_port_open_in(name, time_limit_seconds, LB_SANDBOX_AUTO);
}

lb_port *lb_port_open_in(const char *name, double time_limit_seconds, lb_sandbox sandbox)
{
    lb_link_sandbox = choose_sandbox(sandbox);
    if (strcmp(name, "builtin") == 0 && lb_port_open_builtin)
        return lb_port_open_builtin();
    if (strncmp(name, LB_PORT_FILES, strlen(LB_PORT_FILES)) == 0)
        return lb_port_files(name);
    lb_child_adopt();
    return lb_port_remote(name, time_limit_seconds);
}
