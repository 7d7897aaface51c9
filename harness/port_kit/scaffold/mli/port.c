/* What lastbit is told about this port. */
#include "lb_kit.h"

#ifdef PORT_FORWARDS
/* Calls go to lastbit's own implementation, which can switch between the four profiles: all are
 * declared. A library of your own has one, the one below. */
#include <mli_lastbit.h>

static void set_profile(const char *name)
{
    mli_ext_set_profile(name);
}

const lb_kit_port lb_port = {"my_port, a starting port, forwarding to lastbit's implementation",
                             LB_KIT_ALL_PROFILES | LB_KIT_AVEPOOL16, set_profile};
#else
/* Say what it is (name, version, processor, compiler), and which numerics your library was built
 * for: one of LB_KIT_UP_FULL, LB_KIT_UP_REDUCED, LB_KIT_CONVERGENT_FULL, LB_KIT_CONVERGENT_REDUCED.
 * Results in the others are skipped. "lastbit characterize --port build/libmy_port.so" finds out
 * which it is. */
const lb_kit_port lb_port = {"my_port", LB_KIT_UP_FULL, 0};
#endif
