/* What the kit has to know of our own implementation: lastbit-agent's port. */
#include "lb_kit.h"

#include <mli_lastbit.h>

static void set_profile(const char *name)
{
    mli_ext_set_profile(name);
}

#ifdef __VERSION__
#define COMPILER ", compiler " __VERSION__
#else
#define COMPILER ""
#endif

const lb_kit_port lb_port = {"lastbit's own implementation behind the kit" COMPILER,
                             LB_KIT_ALL_PROFILES | LB_KIT_AVEPOOL16, set_profile};
