/* The levels of aarch64. Plain C is compiled for NEON anyway: only what is written for it is added.
 * To add a level: its loops in a file of its name, a row here, its compiler options in
 * CMakeLists.txt. */
#include "levels.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>

#include "portable/portable.h"

static bool has_dotprod(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
}

LB_MLI_HIDDEN void lb_mli_fill_neon(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_dotprod(struct lb_mli_loops *loops);

const struct lb_mli_level lb_mli_levels[LB_MLI_LEVELS_MAX + 1] = {
    {"portable", 0, NULL, lb_mli_fill_portable},
    {"neon", 0, NULL, lb_mli_fill_neon},
    {"dotprod", 1, has_dotprod, lb_mli_fill_dotprod},
};
