/* What lastbit is told about this port. */
#include "lb_kit.h"

#ifdef PORT_FORWARDS
/* Calls go to lastbit's own implementation, which can switch between the four profiles. */
#include <mli_lastbit.h>

static void set_profile(const char *name)
{
    mli_ext_set_profile(name);
}

const lb_kit_port lb_port = {"my_port, a starting port, forwarding to lastbit's implementation",
                             LB_KIT_ALL_PROFILES | LB_KIT_AVEPOOL16, set_profile};
#else
/* Say what it is (name, version, processor, compiler), and which numerics your library was built
 * for. */
const lb_kit_port lb_port = {"my_port", LB_KIT_UP_FULL, 0};
#endif
