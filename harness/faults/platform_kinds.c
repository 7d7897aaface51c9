/* Faults of a whole library: it has the numerics of another profile. And features of platforms
 * (features.md) in one function alone, which are not of the bank: no usual mistakes by name. */
#include "harness/faults/faults.h"
#include "reference/core/arith.h"
#include "reference/core/feature_table.h"

static void other_profiles(const lb_fault_kind *kind, const lb_fault_scope *scope,
                           lb_fault_sink sink, void *user)
{
    int own = scope->profile ? lb_profile_numerics(scope->profile) : -1;
    const lb_kernel_set *set = lb_kernel_set_of(scope->kernel);
    for (int i = 0; i < (int)set->profile_count; i++)
        if (i != own && scope->kernel->exact)
            sink(user, &(lb_fault){.kind = kind, .profile = &set->profiles[i]});
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
    /* In the place of what the family has of its own. */
    const lb_kernel *kernel = run->out->call.kernel;
    if (profile.has_features) {
        uint8_t *own = profile.features.of[kernel->family][lb_types_of(kernel)].value;
        own[LB_FEATURE_ACC_BITS] = own[LB_FEATURE_OVERFLOW] = own[LB_FEATURE_LANES] = 0;
    }
    lb_run_exact(&context, &run->out->call);
    return true;
}

/* Sums with their bias are held in fewer bits throughout. */
typedef struct narrow_sums {
    int bits;
    bool saturates, acted;
} narrow_sums;

static int64_t narrow_sum(void *user, const lb_num_step *step)
{
    narrow_sums *sums = user;
    bool is_sum = step->operation == LB_STEP_MAC ||
                  (step->operation == LB_STEP_ADD && step->part == LB_PART_BIAS);
    if (!is_sum)
        return step->result;
    int64_t held =
        sums->saturates ? lb_sat(step->result, sums->bits) : lb_wrap(step->result, sums->bits);
    sums->acted = sums->acted || held != step->result;
    return held;
}

static bool run_narrow_sums(lb_fault_run *run)
{
    narrow_sums sums = {.bits = run->fault->argument, .saturates = run->fault->other_dim != 0};
    lb_steps listener = {
        .role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .user = &sums, .alter = narrow_sum};
    lb_context context = {.profile = run->profile, .steps = &listener};
    lb_model_exact(&context, &run->out->call);
    return sums.acted;
}

static void widths(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                   void *user)
{
    bool adds_up = false;
    for (size_t i = 0; i < scope->site_count; i++)
        adds_up = adds_up || scope->sites[i].operation == LB_STEP_MAC;
    for (int i = 0; adds_up && i < kind->argument_count; i++)
        for (int8_t saturates = 0; saturates < 2; saturates++)
            sink(user,
                 &(lb_fault){.kind = kind, .argument = kind->arguments[i], .other_dim = saturates});
}

/* Of sets whose platforms differ in them. */
static void other_widths(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                         void *user)
{
    if (lb_kernel_set_of(scope->kernel)->has_features)
        widths(kind, scope, sink, user);
}

/* ---- Features ---- */

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
    /* Platform profiles have features of the families of MLI alone. */
    const bool has = scope->kernel->exact && (int)scope->kernel->family < LB_FAMILY_COUNT;
    for (int f = 0; has && f < LB_FEATURE_COUNT; f++)
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

/* ---- The tables ---- */

/* clang-format off */
const lb_fault_kind lb_fault_platform_kinds[] = {
    {.name = "platform.profile", .group = LB_FAULTS_PLATFORM, .words = "has the numerics of another profile", .look_for = "the options that the library was built with", .sections = "numerics.md 4", .prior = 9, .places = other_profiles, .run = run_profile},
    {.name = "platform.accumulators", .group = LB_FAULTS_PLATFORM, .words = "has accumulators of another width", .look_for = "the accumulator types of the platform", .sections = "numerics.md 4.1", .prior = 6, .places = other_widths, .place = "{n} bits, {to=wrapping|saturating}", .run = run_accumulators, .holds_sums = LB_HOLDS_ANY_WIDTH, .argument_count = 4, .arguments = {24, 32, 40, 48}},
    {.name = "platform.sums", .group = LB_FAULTS_PLATFORM, .words = "holds sums and their bias in fewer bits", .look_for = "the type of the accumulator, bias included", .sections = "numerics.md 4.1", .prior = 7, .places = widths, .place = "{n} bits, {to=wrapping|saturating}", .run = run_narrow_sums, .holds_sums = LB_HOLDS_STEPS, .argument_count = 4, .arguments = {16, 20, 24, 28}},
    {.name = NULL},
};

const lb_fault_kind lb_fault_feature_kinds[] = {
    {.name = "feature", .group = LB_FAULTS_PLATFORM, .words = "has a feature of another platform in this function", .look_for = "an option that this function was written for", .sections = "features.md", .prior = 4, .places = sink_features, .describe = tell_feature, .run = run_feature, .is_local = true},
    {.name = NULL},
};
/* clang-format on */
