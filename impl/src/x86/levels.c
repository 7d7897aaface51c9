/*
 * levels.c: the levels of x86-64. To add one: its loops in a file of its name, a row here, its
 * compiler options in CMakeLists.txt.
 */
#include "levels.h"
#include "portable/portable.h"

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* The integer dot products, on top of AVX-512. */
static bool has_vnni(void)
{
    return has_avx512() && __builtin_cpu_supports("avx512vnni");
}

LB_MLI_HIDDEN void lb_mli_fill_avx2(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_avx512(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_vnni(struct lb_mli_loops *loops);

const struct lb_mli_level lb_mli_levels[LB_MLI_LEVELS_MAX + 1] = {
    {"portable", NULL, lb_mli_fill_portable},
    {"avx2", has_avx2, lb_mli_fill_avx2},
    {"avx512", has_avx512, lb_mli_fill_avx512},
    {"vnni", has_vnni, lb_mli_fill_vnni},
};
