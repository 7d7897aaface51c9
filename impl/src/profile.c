/* The process-wide numeric profile: from MLI_PROFILE at first use, changed by mli_ext_set_profile.
 */
#include "profile.h"

#include <string.h>

#include "environment.h"
#include "mli_lastbit.h"
#include "once.h"

static const char *const names[] = {
    [LB_MLI_UP_FULL] = "up-full",
    [LB_MLI_UP_REDUCED] = "up-reduced",
    [LB_MLI_CONVERGENT_FULL] = "convergent-full",
    [LB_MLI_CONVERGENT_REDUCED] = "convergent-reduced",
    [LB_MLI_AVEPOOL16 + LB_MLI_UP_FULL] = "up-full+avepool16",
    [LB_MLI_AVEPOOL16 + LB_MLI_UP_REDUCED] = "up-reduced+avepool16",
    [LB_MLI_AVEPOOL16 + LB_MLI_CONVERGENT_FULL] = "convergent-full+avepool16",
    [LB_MLI_AVEPOOL16 + LB_MLI_CONVERGENT_REDUCED] = "convergent-reduced+avepool16",
};
enum { NAMES = sizeof names / sizeof names[0] };

static atomic_int started;
static atomic_int current;

/* Index of a profile's name, -1 if there is none. */
static int find(const char *name)
{
    for (int i = 0; name && i < NAMES; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

static void start(void)
{
    const char *wanted = lb_mli_wanted("MLI_PROFILE");
    const int found = find(wanted);
    if (wanted && found < 0)
        lb_mli_complain("MLI_PROFILE", wanted, "profile", names[LB_MLI_UP_FULL]);
    atomic_store_explicit(&current, found < 0 ? LB_MLI_UP_FULL : found, memory_order_relaxed);
}

int lb_mli_numerics(void)
{
    lb_mli_once(&started, start);
    return atomic_load_explicit(&current, memory_order_relaxed);
}

mli_status mli_ext_set_profile(const char *name)
{
    const int found = find(name);
    if (found < 0)
        return MLI_STATUS_ARGUMENT_ERROR;
    lb_mli_once(&started,
                start); /* or the first use would put the environment's choice over this one */
    atomic_store_explicit(&current, found, memory_order_relaxed);
    return MLI_STATUS_OK;
}

const char *mli_ext_get_profile(void)
{
    return names[lb_mli_numerics()];
}
