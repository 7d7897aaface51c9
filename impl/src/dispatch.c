/* The levels of inner loops, and which of them is current: from MLI_CPU at first use, else the best
 * that the processor has; changed by mli_ext_set_cpu. */
#include "levels.h"

#include <string.h>

#include "environment.h"
#include "mli_lastbit.h"
#include "once.h"

static struct lb_mli_loops tables[LB_MLI_LEVELS_MAX]; /* these two written by start() alone */
static bool available[LB_MLI_LEVELS_MAX];
static atomic_int started;
static atomic_int current;

/* Index of a level's name, -1 if there is none. */
static int find(const char *name)
{
    for (int i = 0; name && lb_mli_levels[i].name; i++)
        if (strcmp(name, lb_mli_levels[i].name) == 0)
            return i;
    return -1;
}

static void start(void)
{
    int best = 0;
    for (int i = 0; lb_mli_levels[i].name; i++) {
        if (i > 0)
            tables[i] = tables[lb_mli_levels[i].from];
        available[i] = !lb_mli_levels[i].available || lb_mli_levels[i].available();
        if (available[i]) {
            lb_mli_levels[i].fill(&tables[i]);
            best = i;
        }
    }
    const char *wanted = lb_mli_wanted("MLI_CPU");
    const int found = find(wanted);
    const bool usable = found >= 0 && available[found];
    if (wanted && !usable)
        lb_mli_complain("MLI_CPU", wanted, "level of this processor", lb_mli_levels[best].name);
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
    return lb_mli_levels[current_level()].name;
}

const char *mli_ext_cpu_level(uint32_t index)
{
    lb_mli_once(&started, start);
    for (int i = 0; lb_mli_levels[i].name; i++)
        if (available[i] && index-- == 0)
            return lb_mli_levels[i].name;
    return NULL;
}
