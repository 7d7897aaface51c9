/* Faults of a whole library: it has the numerics of another profile. */
#include "harness/faults/faults.h"

static void other_profiles(const lb_fault_kind *kind, const lb_fault_scope *scope,
                           lb_fault_sink sink, void *user)
{
    int own = scope->profile ? lb_profile_numerics(scope->profile) : -1;
    for (int i = 0; i < LB_PROFILE_COUNT; i++)
        if (i != own)
            sink(user, &(lb_fault){.kind = kind, .profile = &lb_profiles[i]});
}

static bool run_profile(lb_fault_run *run)
{
    lb_context context = {.profile = run->fault->profile};
    if (run->fault->profile == run->profile)
        return false;
    lb_run_exact(&context, &run->out->call);
    return true;
}

/* The numerics of the profile, but other accumulators. */
static bool run_accumulators(lb_fault_run *run)
{
    lb_profile profile = *run->profile;
    lb_context context = {.profile = &profile};
    for (int i = 0; i < LB_OPERANDS_COUNT; i++)
        profile.acc_bits[i] = run->fault->argument;
    profile.acc_saturates = run->fault->other_dim != 0;
    lb_run_exact(&context, &run->out->call);
    return true;
}

static void widths(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                   void *user)
{
    (void)scope;
    for (int i = 0; i < kind->argument_count; i++)
        for (int8_t saturates = 0; saturates < 2; saturates++)
            sink(user,
                 &(lb_fault){.kind = kind, .argument = kind->arguments[i], .other_dim = saturates});
}

/* clang-format off */
const lb_fault_kind lb_fault_platform_kinds[] = {
    {.name = "platform.profile", .group = LB_FAULTS_PLATFORM, .words = "has the numerics of another profile", .look_for = "the options that the library was built with", .sections = "numerics.md 4", .prior = 9, .places = other_profiles, .run = run_profile},
    {.name = "platform.accumulators", .group = LB_FAULTS_PLATFORM, .words = "has accumulators of another width", .look_for = "the accumulator types of the platform", .sections = "numerics.md 4.1", .prior = 6, .places = widths, .run = run_accumulators, .argument_count = 4, .arguments = {24, 32, 40, 48}},
    {.name = NULL},
};
/* clang-format on */
