/* The levels of x86-64. To add one: its loops in a file of its name, a row here, its compiler
 * options in CMakeLists.txt. */
#include "levels.h"

#include <cpuid.h>

#include "portable/portable.h"

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

/* The integer dot products on 256 bits, of processors that need not have AVX-512. Not all compilers
 * know the name. */
static bool has_avxvnni(void)
{
    enum { LEAF = 7, SUBLEAF = 1, AVX_VNNI = 1 << 4 };
    unsigned a, b, c, d;
    return has_avx2() && __get_cpuid_count(LEAF, SUBLEAF, &a, &b, &c, &d) && (a & AVX_VNNI) != 0;
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
LB_MLI_HIDDEN void lb_mli_fill_avxvnni(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_avx512(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_vnni(struct lb_mli_loops *loops);

enum { PORTABLE, AVX2, AVXVNNI, AVX512, VNNI };

const struct lb_mli_level lb_mli_levels[LB_MLI_LEVELS_MAX + 1] = {
    [PORTABLE] = {"portable", 0, NULL, lb_mli_fill_portable},
    [AVX2] = {"avx2", PORTABLE, has_avx2, lb_mli_fill_avx2},
    [AVXVNNI] = {"avxvnni", AVX2, has_avxvnni, lb_mli_fill_avxvnni},
    [AVX512] = {"avx512", AVX2, has_avx512, lb_mli_fill_avx512},
    [VNNI] = {"vnni", AVX512, has_vnni, lb_mli_fill_vnni},
};
