/*
 * dispatch.c: the levels of inner loops, and which of them is current: from MLI_CPU at first use,
 * else the best that the processor has; changed by mli_ext_set_cpu.
 */
#include "dispatch.h"

#include <string.h>

#include "environment.h"
#include "mli_lastbit.h"
#include "once.h"

#ifdef LB_MLI_ARM_LEVELS
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

/* fill_LEVEL: the plain C loops, compiled for the level. */
#define CALL_FILL(level, part) LB_MLI_FILL_OF(level, part)(loops);
#define DEFINE_FILL(level)                                                                         \
    static void fill_##level(struct lb_mli_loops *loops)                                           \
    {                                                                                              \
        LB_MLI_PARTS(CALL_FILL, level)                                                             \
    }

static bool always(void)
{
    return true;
}

DEFINE_FILL(portable)

/* LB_MLI_X86_LEVELS: the build has compiled the loops for these levels. */
#ifdef LB_MLI_X86_LEVELS
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

DEFINE_FILL(avx2)
DEFINE_FILL(avx512)

static void fill_avx2_and_own(struct lb_mli_loops *loops)
{
    fill_avx2(loops);
    lb_mli_fill_avx2_panel(loops);
    lb_mli_fill_avx2_sa_rows(loops);
    lb_mli_fill_avx2_dense_rows(loops);
    lb_mli_fill_avx2_mac_rows(loops);
    lb_mli_fill_avx2_taps(loops);
    lb_mli_fill_avx2_fx_rows(loops);
    lb_mli_fill_avx2_map(loops);
    lb_mli_fill_avx2_pairs(loops);
    lb_mli_fill_avx2_conversions(loops);
    lb_mli_fill_avx2_slopes(loops);
    lb_mli_fill_avx2_transposes(loops);
    lb_mli_fill_avx2_windows(loops);
}

/* What fills no vector of 512 bits may still fill one of 256: the loops of 512 hand short rows
 * down. */
static void keep_narrower(struct lb_mli_loops *loops, const struct lb_mli_loops *before)
{
    loops->window_max_s8 = before->window_max_s8;
    loops->window_max_s16 = before->window_max_s16;
    loops->window_sum_s8 = before->window_sum_s8;
    loops->window_sum_s16 = before->window_sum_s16;
    memcpy(loops->eltwise, before->eltwise, sizeof loops->eltwise);
    memcpy(loops->convert, before->convert, sizeof loops->convert);
    memcpy(loops->prelu_s8, before->prelu_s8, sizeof loops->prelu_s8);
    memcpy(loops->prelu_s16, before->prelu_s16, sizeof loops->prelu_s16);
    memcpy(loops->prelu_sa8, before->prelu_sa8, sizeof loops->prelu_sa8);
}

static void fill_avx512_and_own(struct lb_mli_loops *loops)
{
    const struct lb_mli_loops before = *loops;
    fill_avx512(loops);
    keep_narrower(loops, &before);
    lb_mli_fill_avx512_panel(loops);
    lb_mli_fill_avx512_sa_rows(loops);
    lb_mli_fill_avx512_dense_rows(loops);
    lb_mli_fill_avx512_mac_rows(loops);
    lb_mli_fill_avx512_taps(loops);
    lb_mli_fill_avx512_fx_rows(loops);
    lb_mli_fill_avx512_map(loops);
    lb_mli_fill_avx512_pairs(loops);
    lb_mli_fill_avx512_conversions(loops);
    lb_mli_fill_avx512_slopes(loops);
    lb_mli_fill_avx512_transposes(loops);
    lb_mli_fill_avx512_lookup_words(loops);
    lb_mli_fill_avx512_windows(loops);
}

/* What the compiler makes of plain C has no use for dot products: all else is as in avx512. */
static void fill_vnni(struct lb_mli_loops *loops)
{
    lb_mli_fill_vnni_panel(loops);
    lb_mli_fill_vnni_panel_sa8(loops);
    lb_mli_fill_vnni_panel_fx16(loops);
    lb_mli_fill_vnni_taps(loops);
    lb_mli_fill_vnni_mac_bytes(loops);
    lb_mli_fill_vnni_row(loops);
    lb_mli_fill_vnni_map(loops);
}
#endif

/* LB_MLI_ARM_LEVELS: likewise. Plain C is compiled for NEON anyway: only what is written for it is
 * added. */
#ifdef LB_MLI_ARM_LEVELS
static void fill_neon(struct lb_mli_loops *loops)
{
    lb_mli_fill_neon_panel(loops);
    lb_mli_fill_neon_taps(loops);
}

static bool has_dotprod(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
}

static void fill_dotprod(struct lb_mli_loops *loops)
{
    lb_mli_fill_dotprod_panel(loops);
    lb_mli_fill_dotprod_taps(loops);
}
#endif

/* In order of preference, best last. The table of a level starts as that of the level before it;
 * fill overrides, and is called only where the level is available: it may be compiled for the
 * level's instructions. available is not. */
static const struct level {
    const char *name;
    bool (*available)(void); /* asked of this processor, once */
    void (*fill)(struct lb_mli_loops *loops);
} levels[] = {
    {"portable", always, fill_portable},
#ifdef LB_MLI_X86_LEVELS
    {"avx2", has_avx2, fill_avx2_and_own}, {"avx512", has_avx512, fill_avx512_and_own},
    {"vnni", has_vnni, fill_vnni},
#endif
#ifdef LB_MLI_ARM_LEVELS
    {"neon", always, fill_neon},           {"dotprod", has_dotprod, fill_dotprod},
#endif
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static struct lb_mli_loops tables[LEVELS]; /* written by start() alone */
static bool available[LEVELS];
static atomic_int started;
static atomic_int current;

/* Index of a level's name, -1 if there is none. */
static int find(const char *name)
{
    for (int i = 0; name && i < LEVELS; i++) {
        if (strcmp(name, levels[i].name) == 0)
            return i;
    }
    return -1;
}

static void start(void)
{
    int best = 0;
    for (int i = 0; i < LEVELS; i++) {
        if (i > 0)
            tables[i] = tables[i - 1];
        available[i] = levels[i].available();
        if (available[i]) {
            levels[i].fill(&tables[i]);
            best = i;
        }
    }
    const char *wanted = lb_mli_wanted("MLI_CPU");
    const int found = find(wanted);
    const bool usable = found >= 0 && available[found];
    if (wanted && !usable)
        lb_mli_complain("MLI_CPU", wanted, "level of this processor", levels[best].name);
    atomic_store_explicit(&current, usable ? found : best, memory_order_relaxed);
}

static int current_level(void)
{
    lb_mli_once(&started, start);
    return atomic_load_explicit(&current, memory_order_relaxed);
}

const struct lb_mli_loops *lb_mli_loops(void)
{
    return &tables[current_level()];
}

mli_status mli_ext_set_cpu(const char *level)
{
    const int found = find(level);
    lb_mli_once(&started, start);
    if (found < 0)
        return MLI_STATUS_ARGUMENT_ERROR;
    if (!available[found])
        return MLI_STATUS_NOT_SUPPORTED;
    atomic_store_explicit(&current, found, memory_order_relaxed);
    return MLI_STATUS_OK;
}

const char *mli_ext_get_cpu(void)
{
    return levels[current_level()].name;
}

const char *mli_ext_cpu_level(uint32_t index)
{
    lb_mli_once(&started, start);
    for (int i = 0; i < LEVELS; i++) {
        if (available[i] && index-- == 0)
            return levels[i].name;
    }
    return NULL;
}
