/* Rounds ties to even where it says that it rounds them up. */
#include "broken.h"

static void set_profile(const char *name)
{
    mli_ext_set_profile(strstr(name, "full") ? "convergent-full" : "convergent-reduced");
}

const lb_kit_port lb_port = {"broken: other rounding", LB_KIT_ALL_PROFILES, set_profile};
#include "../../port_kit/lb_kit.c"
