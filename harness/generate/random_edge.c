/* Multipliers at an edge: one of a case is set so that some result is another one with the next
 * higher multiplier. There the number behind the result stands where it turns into the next, and
 * what is off by little on the way shows. */
#include "harness/call/model.h"
#include "harness/generate/random_build.h"

#include <string.h>

/* A copy of what the call gives with this multiplier; NULL: that is not defined. */
static const unsigned char *result_with(lb_build *b, const lb_profile *profile,
                                        const lb_config_field *field, int64_t multiplier,
                                        size_t *bytes)
{
    const lb_context context = {.profile = profile};
    const lb_arena_mark mark = lb_arena_mark_of(b->arena);
    lb_config_set(&b->c->config, field, 0, multiplier);
    lb_instance *instance = lb_instance_of(b->c, b->arena);
    const lb_ran result = lb_model_call(&context, instance);
    if (!result.computed || result.undefined != LB_SAID) {
        lb_arena_rewind(b->arena, mark);
        return NULL;
    }
    const lb_elements out = lb_instance_elements(instance, LB_ROLE_OUT, 0);
    *bytes = out.span_bytes;
    return out.base;
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
static bool approach(lb_build *b, const lb_profile *profile, const lb_config_field *field,
                     int64_t ends[2])
{
    size_t bytes = 0;
    const unsigned char *first = result_with(b, profile, field, ends[0], &bytes);
    const unsigned char *last = result_with(b, profile, field, ends[1], &bytes);
    if (!first || !last || memcmp(first, last, bytes) == 0)
        return false;
    while (ends[1] - ends[0] > 1) {
        const int64_t middle = ends[0] + (ends[1] - ends[0]) / 2;
        const unsigned char *at = result_with(b, profile, field, middle, &bytes);
        if (!at)
            return false;
        ends[memcmp(at, first, bytes) != 0] = middle;
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
    const lb_config before = b->c->config;
    const int64_t own = lb_config_get(&before, field, 0);
    int64_t ends[] = {own, own + ((int64_t)1 << lb_build_pick(b, 0, 30))};
    ends[1] = ends[1] < INT32_MAX ? ends[1] : INT32_MAX;
    if (own >= 1 && own < ends[1] && approach(b, profile, field, ends))
        lb_config_set(&b->c->config, field, 0, ends[lb_build_pick(b, 0, 1)]);
    else
        b->c->config = before;
}
