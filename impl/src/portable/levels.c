/* Plain C alone, for architectures of which nothing more is known. */
#include "levels.h"
#include "portable/portable.h"

const struct lb_mli_level lb_mli_levels[LB_MLI_LEVELS_MAX + 1] = {
    {"portable", 0, NULL, lb_mli_fill_portable},
};
