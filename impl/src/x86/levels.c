/* The levels of x86-64. To add one: its loops in a file of its name, a row here, its compiler
 * options in CMakeLists.txt. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* syscall */
#endif
#include "levels.h"

#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

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

/* Tiles have much state: the system keeps it for processes that have asked for it, and may refuse.
 */
static bool system_grants_tiles(void)
{
#if defined(__linux__) && defined(SYS_arch_prctl)
    enum { ASK_FOR_STATE = 0x1023, TILE_DATA = 18 };
    return syscall(SYS_arch_prctl, ASK_FOR_STATE, TILE_DATA) == 0;
#else
    return false;
#endif
}

/* Products of tiles of bytes, on top of the integer dot products. */
static bool has_amx(void)
{
    enum { LEAF = 7, SUBLEAF = 0, TILES = 1 << 24, TILES_OF_BYTES = 1 << 25 };
    unsigned a, b, c, d;
    return has_vnni() && __get_cpuid_count(LEAF, SUBLEAF, &a, &b, &c, &d) && (d & TILES) != 0 &&
           (d & TILES_OF_BYTES) != 0 && system_grants_tiles();
}

LB_MLI_HIDDEN void lb_mli_fill_avx2(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_avxvnni(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_avx512(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_vnni(struct lb_mli_loops *loops);
LB_MLI_HIDDEN void lb_mli_fill_amx(struct lb_mli_loops *loops);

enum { PORTABLE, AVX2, AVXVNNI, AVX512, VNNI, AMX };

const struct lb_mli_level lb_mli_levels[LB_MLI_LEVELS_MAX + 1] = {
    [PORTABLE] = {"portable", 0, NULL, lb_mli_fill_portable},
    [AVX2] = {"avx2", PORTABLE, has_avx2, lb_mli_fill_avx2},
    [AVXVNNI] = {"avxvnni", AVX2, has_avxvnni, lb_mli_fill_avxvnni},
    [AVX512] = {"avx512", AVX2, has_avx512, lb_mli_fill_avx512},
    [VNNI] = {"vnni", AVX512, has_vnni, lb_mli_fill_vnni},
    [AMX] = {"amx", VNNI, has_amx, lb_mli_fill_amx},
};
