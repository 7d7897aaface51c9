/* The inner loops in plain C. Each file of this folder defines one fill function, which writes its
 * entries to a table (loops.h). The files are compiled once for any processor of the architecture
 * (level "portable") and once more for every level of which CMakeLists.txt says so, with the
 * level's compiler options and LB_MLI_LEVEL set to its name.
 *
 * To add a file: a line in LB_MLI_PARTS. */
#ifndef LB_MLI_PORTABLE_H
#define LB_MLI_PORTABLE_H

#include "loops.h"

/* The level that this file is compiled for. */
#ifndef LB_MLI_LEVEL
#define LB_MLI_LEVEL portable
#define LB_MLI_FIRST_LEVEL
#endif

/* One part for each file. X(part) */
#define LB_MLI_PARTS(X)                                                                            \
    X(gemv)                                                                                        \
    X(dot)                                                                                         \
    X(pack)                                                                                        \
    X(depthwise)                                                                                   \
    X(result)                                                                                      \
    X(relu)                                                                                        \
    X(lut8)                                                                                        \
    X(prelu)                                                                                       \
    X(eltwise)                                                                                     \
    X(pool)                                                                                        \
    X(copy)                                                                                        \
    X(convert)                                                                                     \
    X(lookup)                                                                                      \
    X(reduce)                                                                                      \
    X(dense)

/* LB_MLI_FILL(gemv) is the name of the function that fills a table with the entries of gemv.c for
 * this level. */
#define LB_MLI_FILL_OF(level, part)     lb_mli_fill_##level##_##part
#define LB_MLI_FILL_EXPAND(level, part) LB_MLI_FILL_OF(level, part)
#define LB_MLI_FILL(part)               LB_MLI_FILL_EXPAND(LB_MLI_LEVEL, part)

#define LB_MLI_DECLARE_FILL(part) LB_MLI_HIDDEN void LB_MLI_FILL(part)(struct lb_mli_loops * loops);
LB_MLI_PARTS(LB_MLI_DECLARE_FILL)

/* All parts. */
#define LB_MLI_CALL_FILL(part) LB_MLI_FILL(part)(loops);
static inline void lb_mli_fill_portable(struct lb_mli_loops *loops)
{
    LB_MLI_PARTS(LB_MLI_CALL_FILL)
}

#endif
