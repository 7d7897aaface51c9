/* The levels of an architecture. One file has the list: portable/levels.c, x86/levels.c or
 * arm/levels.c. */
#ifndef LB_MLI_LEVELS_H
#define LB_MLI_LEVELS_H

#include "loops.h"

struct lb_mli_level {
    const char *name;
    int from; /* index of the level as whose table this one's starts; of the first: not read */
    bool (*available)(void); /* asked of this processor, once; NULL: always */
    void (*fill)(struct lb_mli_loops *loops);
};

enum { LB_MLI_LEVELS_MAX = 8 };

/* In order of preference, best last, then a level without a name. The table of a level starts as
 * that of an earlier one, which is available wherever it is; fill overrides, and is called only
 * where the level is available: it may be compiled for the level's instructions. available is not.
 * The first level is always there, and fills everything. */
LB_MLI_HIDDEN extern const struct lb_mli_level lb_mli_levels[LB_MLI_LEVELS_MAX + 1];

#endif
