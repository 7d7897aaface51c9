/* Features of platforms (features.md) in one function alone: a kernel that was written for another
 * platform's numerics, or that has an option of its own. No usual mistakes by name; they are tried
 * where no named fault explains a result. */
#include "harness/faults/step_run.h"
#include "reference/core/feature_table.h"

static lb_feature feature_of(const lb_fault *fault)
{
    return (lb_feature)fault->dim;
}

static bool is_possible(const lb_kernel *kernel, lb_feature feature, uint8_t value)
{
    lb_feature_set alone = {.value = {0}};
    alone.value[feature] = value;
    return lb_feature_applies(feature, (int)kernel->family, lb_types_of(kernel)) &&
           lb_feature_allows(feature, value, (int)kernel->family) && !lb_features_conflict(&alone);
}

static void sink_features(const lb_fault_kind *kind, const lb_fault_scope *scope,
                          lb_fault_sink sink, void *user)
{
    for (int f = 0; f < LB_FEATURE_COUNT; f++)
        for (unsigned i = 0; i < lb_feature_value_count((lb_feature)f); i++) {
            uint8_t value = lb_feature_value((lb_feature)f, i);
            if (is_possible(scope->kernel, (lb_feature)f, value))
                sink(user, &(lb_fault){.kind = kind, .dim = (int8_t)f, .argument = value});
        }
}

/* Beside what the profile has already. */
static bool run_feature(lb_fault_run *run)
{
    const lb_kernel *kernel = run->out->call.kernel;
    lb_feature feature = feature_of(run->fault);
    lb_profile profile = *run->profile;
    lb_context context = {.profile = &profile};
    lb_feature_set *own = &profile.features.of[kernel->family][lb_types_of(kernel)];
    if (own->value[feature] == run->fault->argument)
        return false;
    own->value[feature] = (uint8_t)run->fault->argument;
    profile.has_features = true;
    if (lb_features_conflict(own))
        return false;
    lb_run_exact(&context, &run->out->call);
    return true;
}

static const char *tell_feature(const lb_fault *fault, lb_arena *arena)
{
    const lb_feature_row *row = &lb_feature_rows[feature_of(fault)];
    char number[8];
    const char *name = lb_feature_value_name(feature_of(fault), (uint8_t)fault->argument, number);
    const char *words = row->choices ? row->choices[fault->argument - 1].words : "";
    return lb_arena_printf(arena, "%s: %s%s%s", row->name, name, *words ? ", " : "", words);
}

/* clang-format off */
static const lb_fault_kind feature_kind = {
    .name = "feature", .group = LB_FAULTS_PLATFORM, .words = "has a feature of another platform in this function",
    .look_for = "an option that this function was written for", .sections = "features.md", .prior = 4,
    .places = sink_features, .describe = tell_feature, .run = run_feature, .is_local = true};
/* clang-format on */

void lb_fault_features(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    /* Platform profiles have features of the families of MLI alone. */
    if (scope->kernel->exact && (int)scope->kernel->family < LB_FAMILY_COUNT)
        sink_features(&feature_kind, scope, sink, user);
}
