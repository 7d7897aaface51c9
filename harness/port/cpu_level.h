/* Which CPU levels of a port a command works at, as the option --cpu says. */
#ifndef LB_HARNESS_PORT_CPU_LEVEL_H
#define LB_HARNESS_PORT_CPU_LEVEL_H

#include "harness/port/port.h"

enum { LB_MAX_LEVELS = 16 };

/* Fills `levels` from "all" or a list of names with commas: names that the port's level() gives, in
 * its order, each once. A port without levels has none with "all". False: the command's message is
 * on standard error. */
bool lb_levels_choose(const char *command, const lb_port *port, const char *list,
                      const char *levels[LB_MAX_LEVELS], size_t *count);

#endif
