/* Tests of loops at each level that this processor has. */
#ifndef LB_MLI_TESTS_EVERY_LEVEL_H
#define LB_MLI_TESTS_EVERY_LEVEL_H

#include "support.h"

#include "levels.h"
#include "loops.h"

/* vectors: at those alone that have them. */
static inline void at_every_level(void (*test)(const struct lb_mli_loops *), bool vectors)
{
    for (size_t l = 0; l < COUNT(levels); l++)
        if (mli_ext_set_cpu(levels[l]) == MLI_STATUS_OK && (!vectors || lb_mli_loops()->panel_s16))
            test(lb_mli_loops());
}

#define TEST(name, vectors)                                                                        \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        at_every_level(name, vectors);                                                             \
    }

#endif
