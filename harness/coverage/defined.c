/* The defined domain: the rules tell it (reference/rules_*.c), see defined.h. */
#include "harness/coverage/defined.h"
#include "harness/call/model.h"
#include "harness/trial/sequence.h"

/* Do the rules say what comes of the call in this profile? Of functions that refuse nothing their
 * numbers say it, too, as the model meets them. */
static bool call_is_defined(const lb_profile *profile, lb_instance *instance)
{
    const lb_context context = {.profile = profile};
    if (lb_kernel_refuses(instance->call.kernel) || !instance->call.kernel->exact) {
        lb_check_call(&context, &instance->call);
    } else {
        lb_instance_reset(instance);
        lb_run_exact(&context, &instance->call);
    }
    return instance->call.undefined == LB_SAID;
}

bool lb_cover_is_defined(const lb_case *c)
{
    lb_arena arena = {0};
    lb_instance *instance = lb_instance_of(c, &arena);
    size_t step;
    /* Roundings differ in which rule is the first that is broken. */
    bool defined = true;
    if (c->kernel)
        for (unsigned p = 0; p < lb_kernel_set_of(c->kernel)->profile_count; p++)
            defined =
                defined && call_is_defined(&lb_kernel_set_of(c->kernel)->profiles[p], instance);
    else
        defined = lb_sequence_is_defined(
            c, lb_sequence_play(instance, NULL, &lb_profiles[0], &arena), &step);
    lb_arena_free(&arena);
    return defined;
}
