/* The option --cpu: see cpu_level.h. */
#include "harness/port/cpu_level.h"
#include "harness/base/command_line.h"

#include <stdio.h>
#include <string.h>

static const char *level_at(const lb_port *port, size_t index)
{
    return port->level && port->set_level ? port->level(port, index) : NULL;
}

/* Is the name, of this length, one of the list's? */
static bool listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

static bool known(const lb_port *port, const char *name, size_t length)
{
    for (size_t i = 0; level_at(port, i); i++)
        if (strlen(level_at(port, i)) == length && strncmp(level_at(port, i), name, length) == 0)
            return true;
    return false;
}

static void refuse(const char *command, const lb_port *port, const char *name, size_t length)
{
    char names[256] = "";
    for (size_t i = 0, used = 0; level_at(port, i) && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 level_at(port, i));
    if (names[0])
        lb_usage_error(command, "--cpu %.*s: no level of port %s on this machine; it has %s",
                       (int)length, name, port->name, names);
    else
        lb_usage_error(command, "--cpu %.*s: port %s has no levels to choose from", (int)length,
                       name, port->name);
}

bool lb_levels_choose(const char *command, const lb_port *port, const char *list,
                      const char *levels[LB_MAX_LEVELS], size_t *count)
{
    const bool all = strcmp(list, "all") == 0;
    *count = 0;
    for (const char *at = list; at && !all; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!known(port, at, strcspn(at, ",")))
            return refuse(command, port, at, strcspn(at, ",")), false;
    for (size_t i = 0; level_at(port, i) && *count < LB_MAX_LEVELS; i++)
        if (all || listed(list, level_at(port, i)))
            levels[(*count)++] = level_at(port, i);
    return true;
}
