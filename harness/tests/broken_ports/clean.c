/* Not broken: must pass. */
#include "broken.h"

BROKEN_PORT("clean")
#include "../../port_kit/lb_kit.c"
