/* Multipliers at an edge: one of a case is set so that some result is another one with the next
 * higher multiplier. There the number behind the result stands where it turns into the next, and
 * what is off by little on the way shows. */
#include "harness/generate/case_change.h"

/* Does the call give another result with the other multiplier? */
static bool differs(const lb_build *b, const lb_profile *profile, const lb_config_field *field,
                    int64_t one, int64_t other)
{
    lb_case a = *b->c, c = a;
    lb_config_set(&a.config, field, 0, one);
    lb_config_set(&c.config, field, 0, other);
    return !lb_case_same_outputs(&a, &c, profile);
}

/* A field of the function's multipliers; NULL: it has none. */
static const lb_config_field *some_multiplier(lb_build *b)
{
    const lb_config_field *chosen = NULL;
    unsigned met = 0;
    for (const lb_config_field *f = lb_config_fields(b->c->kernel->config_kind); f->name; f++)
        if (f->sort == LB_SORT_MULTIPLIER && f->count == 1 && lb_build_once_in(b, ++met))
            chosen = f;
    return chosen;
}

/* Two multipliers beside each other with different results, from two that are not; false: there
 * are none between them. */
static bool approach(const lb_build *b, const lb_profile *profile, const lb_config_field *field,
                     int64_t ends[2])
{
    const int64_t first = ends[0];
    if (!differs(b, profile, field, first, ends[1]))
        return false;
    while (ends[1] - ends[0] > 1) {
        const int64_t middle = ends[0] + (ends[1] - ends[0]) / 2;
        ends[differs(b, profile, field, first, middle)] = middle;
    }
    return true;
}

void lb_random_aim_edge(lb_build *b)
{
    const lb_kernel_set *kernels = lb_kernel_set_of(b->c->kernel);
    const lb_profile *profile =
        &kernels->profiles[lb_build_pick(b, 0, (int)kernels->profile_count - 1)];
    const lb_config_field *field = some_multiplier(b);
    if (!field)
        return;
    const int64_t own = lb_config_get(&b->c->config, field, 0);
    int64_t ends[] = {own, own + ((int64_t)1 << lb_build_pick(b, 0, 30))};
    ends[1] = ends[1] < INT32_MAX ? ends[1] : INT32_MAX;
    if (own >= 1 && own < ends[1] && approach(b, profile, field, ends))
        lb_config_set(&b->c->config, field, 0, ends[lb_build_pick(b, 0, 1)]);
}
