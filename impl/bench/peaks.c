/* See peaks.h. Inline assembly, so that neither compiler nor its options have a say: twelve
 * independent sums hide the latency of every processor we know of. */
#define _POSIX_C_SOURCE 200112L

#include "peaks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mli_lastbit.h"

enum { SUMS = 12, LOADS = 8, TRIES = 5 };

struct loop {
    const char *level;
    double macs_s8, macs_s16; /* of one instruction of each kind */
    size_t load_bytes;
    void (*mac_s8)(uint64_t rounds);  /* SUMS instructions a round */
    void (*mac_s16)(uint64_t rounds); /* likewise */
    void (*load)(const char *from, size_t bytes,
                 uint64_t times); /* bytes: a multiple of LOADS * load_bytes */
};

#if defined(__x86_64__)
#define TWELVE(step)                                                                               \
    step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7) step(8) step(9) step(10)       \
        step(11)
#define CLOBBERS                                                                                   \
    "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

/* Upper halves of registers that are left behind would slow down all that is measured with SSE
 * later. */
#define LEAVE_SSE
#define LEAVE_WIDE "vzeroupper\n"

#define MAC_LOOP(name, step, clear, leave)                                                         \
    static void name(uint64_t rounds)                                                              \
    {                                                                                              \
        __asm__ volatile(TWELVE(clear) "1:\n" TWELVE(step) "dec %0\n jnz 1b\n" leave               \
                         : "+r"(rounds)                                                            \
                         :                                                                         \
                         : CLOBBERS);                                                              \
    }

/* Without a dot product a product is two instructions: that of pairs, and an addition. Two of each
 * in turns is the fastest order that we have found. */
#define CLEAR_X(n) "pxor %%xmm" #n ", %%xmm" #n "\n"
#define CLEAR_Y(n) "vpxor %%xmm" #n ", %%xmm" #n ", %%xmm" #n "\n"
#define MADD_X(n)                                                                                  \
    "movdqa %%xmm" #n ", %%xmm12\n pmaddwd %%xmm15, %%xmm12\n paddd %%xmm12, %%xmm" #n "\n"
#define MADD_TWO(v, m, n)                                                                          \
    "vpmaddwd %%" v "15, %%" v "14, %%" v "12\n vpmaddwd %%" v "15, %%" v "14, %%" v "13\n"        \
    "vpaddd %%" v "12, %%" v #m ", %%" v #m "\n vpaddd %%" v "13, %%" v #n ", %%" v #n "\n"
#define SIX(v)                                                                                     \
    MADD_TWO(v, 0, 1)                                                                              \
    MADD_TWO(v, 2, 3) MADD_TWO(v, 4, 5) MADD_TWO(v, 6, 7) MADD_TWO(v, 8, 9) MADD_TWO(v, 10, 11)
#define MADD_LOOP(name, v)                                                                         \
    static void name(uint64_t rounds)                                                              \
    {                                                                                              \
        __asm__ volatile(TWELVE(CLEAR_Y) "1:\n" SIX(v) "dec %0\n jnz 1b\n" LEAVE_WIDE              \
                         : "+r"(rounds)                                                            \
                         :                                                                         \
                         : CLOBBERS);                                                              \
    }
/* The encoding of AVX-VNNI; an assembler takes that of AVX-512 where nothing is said. */
#define DOT_BYTES_Y(n) "%{vex%} vpdpbusd %%ymm14, %%ymm15, %%ymm" #n "\n"
#define DOT_WORDS_Y(n) "%{vex%} vpdpwssd %%ymm14, %%ymm15, %%ymm" #n "\n"
#define DOT_BYTES(n)   "vpdpbusd %%zmm14, %%zmm15, %%zmm" #n "\n"
#define DOT_WORDS(n)   "vpdpwssd %%zmm14, %%zmm15, %%zmm" #n "\n"
MAC_LOOP(madd_x, MADD_X, CLEAR_X, LEAVE_SSE)
MADD_LOOP(madd_y, "ymm")
MADD_LOOP(madd_z, "zmm")
MAC_LOOP(dot_bytes_y, DOT_BYTES_Y, CLEAR_Y, LEAVE_WIDE)
MAC_LOOP(dot_words_y, DOT_WORDS_Y, CLEAR_Y, LEAVE_WIDE)
MAC_LOOP(dot_bytes, DOT_BYTES, CLEAR_Y, LEAVE_WIDE)
MAC_LOOP(dot_words, DOT_WORDS, CLEAR_Y, LEAVE_WIDE)

/* Tiles of 16 rows of 64 bytes: six sums, twice a round. */
#define CLEAR_TILE(n)   "tilezero %%tmm" #n "\n"
#define DOT_TILE(n)     "tdpbusd %%tmm7, %%tmm6, %%tmm" #n "\n"
#define SIX_TILES(step) step(0) step(1) step(2) step(3) step(4) step(5)
static void dot_tiles(uint64_t rounds)
{
    static const struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } plan = {
        .palette = 1,
        .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
        .rows = {16, 16, 16, 16, 16, 16, 16, 16},
    };
    __asm__ volatile("ldtilecfg %1\n" SIX_TILES(CLEAR_TILE) CLEAR_TILE(6)
                         CLEAR_TILE(7) "1:\n" SIX_TILES(DOT_TILE)
                             SIX_TILES(DOT_TILE) "dec %0\n jnz 1b\n"
                                                 "tilerelease\n"
                     : "+r"(rounds)
                     : "m"(plan)
                     : "cc");
}

#define EIGHT(step, bytes)                                                                         \
    step(0, 0, bytes) step(1, 1, bytes) step(2, 2, bytes) step(3, 3, bytes) step(4, 4, bytes)      \
        step(5, 5, bytes) step(6, 6, bytes) step(7, 7, bytes)
#define LOAD_X(at, n, bytes) "movdqa " #at "*" #bytes "(%0), %%xmm" #n "\n"
#define LOAD_Y(at, n, bytes) "vmovdqa " #at "*" #bytes "(%0), %%ymm" #n "\n"
#define LOAD_Z(at, n, bytes) "vmovdqa64 " #at "*" #bytes "(%0), %%zmm" #n "\n"

#define LOAD_LOOP(name, step, bytes_each, leave)                                                   \
    static void name(const char *from, size_t bytes, uint64_t times)                               \
    {                                                                                              \
        for (; times > 0; times--) {                                                               \
            const char *at = from;                                                                 \
            __asm__ volatile("1:\n" EIGHT(step, bytes_each) "add $8*" #bytes_each                  \
                                                            ", %0\n cmp %1, %0\n jb 1b\n" leave    \
                             : "+r"(at)                                                            \
                             : "r"(from + bytes)                                                   \
                             : CLOBBERS, "memory");                                                \
        }                                                                                          \
    }
LOAD_LOOP(load_x, LOAD_X, 16, LEAVE_SSE)
LOAD_LOOP(load_y, LOAD_Y, 32, LEAVE_WIDE)
LOAD_LOOP(load_z, LOAD_Z, 64, LEAVE_WIDE)

static const struct loop loops[] = {
    {"portable", 8, 8, 16, madd_x, madd_x, load_x},
    {"avx2", 16, 16, 32, madd_y, madd_y, load_y},
    {"avxvnni", 32, 16, 32, dot_bytes_y, dot_words_y, load_y},
    {"avx512", 32, 32, 64, madd_z, madd_z, load_z},
    {"vnni", 64, 32, 64, dot_bytes, dot_words, load_z},
    {"amx", 16 * 16 * 64, 32, 64, dot_tiles, dot_words, load_z},
};
enum { LEVELS = sizeof loops / sizeof loops[0] };
#else
static const struct loop loops[1];
enum { LEVELS = 0 };
#endif

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double peak_of_macs(double macs, void (*loop)(uint64_t))
{
    enum { ROUNDS = 400000 };
    double best = 0;
    for (int i = 0; i < TRIES; i++) {
        const double start = thread_seconds();
        loop(ROUNDS);
        const double rate = macs * SUMS * ROUNDS / (thread_seconds() - start) * 1e-9;
        best = rate > best ? rate : best;
    }
    return best;
}

static double peak_of_loads(const struct loop *loop, size_t bytes)
{
    const uint64_t times = (UINT64_C(32) << 20) / bytes * (bytes < (1U << 20) ? 4 : 1);
    void *memory = NULL;
    double best = 0;
    if (posix_memalign(&memory, 4096, bytes) != 0)
        return 0;
    memset(memory, 1, bytes);
    for (int i = 0; i < TRIES; i++) {
        const double start = thread_seconds();
        loop->load(memory, bytes, times);
        const double rate = (double)bytes * (double)times / (thread_seconds() - start) * 1e-9;
        best = rate > best ? rate : best;
    }
    free(memory);
    return best;
}

/* A port elsewhere may have a level that this processor lacks, or the system does not grant. */
static bool is_here(const char *level)
{
    const char *name;
    for (uint32_t i = 0; (name = mli_ext_cpu_level(i)) != NULL; i++)
        if (strcmp(name, level) == 0)
            return true;
    return false;
}

double lb_mli_peak(const char *level, enum lb_mli_peak what)
{
    static const size_t sizes[LB_MLI_PEAKS] = {[LB_MLI_PEAK_LOAD_L1] = 16 << 10,
                                               [LB_MLI_PEAK_LOAD_L2] = 512 << 10,
                                               [LB_MLI_PEAK_LOAD_L3] = 8 << 20};
    const struct loop *loop = NULL;
    for (int i = 0; i < LEVELS; i++)
        loop = strcmp(loops[i].level, level) == 0 ? &loops[i] : loop;
    if (!loop || !is_here(level))
        return 0;
    if (what == LB_MLI_PEAK_MAC_S8)
        return peak_of_macs(loop->macs_s8, loop->mac_s8);
    if (what == LB_MLI_PEAK_MAC_S16)
        return peak_of_macs(loop->macs_s16, loop->mac_s16);
    return peak_of_loads(loop, sizes[what]);
}
