/* Each site of the exact models (sites.h) is reached by a case of our suites, in a built-in profile
 * or with features of another platform, and does the operation that the table says; and numbers
 * lie where the formulas say that they do (lb_num_lies). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/call/model.h"
#include "harness/faults/faults.h"
#include "harness/faults/tests/our_cases.h"

#include <string.h>

enum { CASES_OF_SUITE = 40, FEATURED_OF_FUNCTION = 2, PLACES = 64, SMALL = 20000, TINY = 4000 };

typedef struct search {
    bool reached[LB_SITE_COUNT];
    int missing;
    lb_num_step last; /* heard */
    uint64_t wrong;   /* numbers that do not lie where a formula says that they do */
    uint64_t said[LB_SAME_BEYOND];
    unsigned featured[256];                              /* cases run with features, by function */
    bool paired[LB_FAMILY_COUNT_OF_ALL][LB_TYPES_COUNT]; /* one was run with pairs of them */
    lb_arena arena;
} search;

static void hear(void *user, const lb_num_step *step)
{
    search *s = user;
    s->last = *step;
    if (step->operation == LB_STEP_GIVEN)
        return;
    if ((int)step->operation != lb_site_operation(step->site))
        print_error("%s: %s\n", lb_site_symbol(step->site), lb_operation_name(step->operation));
    assert_int_equal(step->operation, lb_site_operation(step->site));
    s->missing -= !s->reached[step->site];
    s->reached[step->site] = true;
}

static void look_where(void *user, lb_num number, int64_t low, int64_t high, lb_claim claim)
{
    search *s = user;
    assert_true(claim < LB_SAME_BEYOND);
    assert_true(claim != LB_LIES_OF_POSITIVE || s->last.number == number.step);
    s->said[claim]++;
    if (claim == LB_IS_MULTIPLE)
        s->wrong += number.v % high != 0;
    else if (claim != LB_LIES_OF_POSITIVE || s->last.operand[0].v > 0)
        s->wrong += number.v < low || number.v > high;
}

/* A call whose sums leave their accumulators is undefined, and nothing is said of it. */
static void run(search *s, const lb_case *c, const lb_profile *profile)
{
    lb_watch watch = {0};
    lb_steps listener = {.role = LB_ROLE_OUT,
                         .element = LB_STEPS_EVERY,
                         .step = hear,
                         .user = s,
                         .demanded = c->kernel->set == LB_SET_MLI ? look_where : NULL};
    lb_context context = {.profile = profile, .watch = &watch, .steps = &listener};
    lb_arena_reset(&s->arena);
    s->wrong = 0;
    lb_model_call(&context, lb_instance_of(c, &s->arena));
    assert_true(s->wrong == 0 || watch.persistent > 0 || watch.transient > 0);
}

/* Functions that write by places, and tables, tell of one element. */
static void run_elements(search *s, const lb_case *c)
{
    for (size_t i = 0; i < PLACES; i++) {
        lb_arena_reset(&s->arena);
        lb_instance *instance = lb_instance_of(c, &s->arena);
        const lb_tensor *out = instance->call.tensor[LB_ROLE_OUT];
        if (!out || !out->data.mem.ptr)
            return;
        lb_steps listener = {.role = LB_ROLE_OUT,
                             .element = i,
                             .step = hear,
                             .user = s,
                             .address = (const unsigned char *)out->data.mem.ptr +
                                        i * lb_element_bytes(out->el_type)};
        lb_context context = {.profile = &lb_profiles[0], .steps = &listener};
        lb_model_call(&context, instance);
    }
}

/* A choice of a feature beside those that the profile has; false: it cannot be. */
static bool choose(lb_profile *profile, const lb_kernel *kernel, lb_feature feature, unsigned i)
{
    lb_feature_set *own = &profile->features.of[kernel->family][lb_types_of(kernel)];
    uint8_t value = lb_feature_value(feature, i);
    own->value[feature] = value;
    profile->has_features = true;
    return lb_feature_applies(feature, (int)kernel->family, lb_types_of(kernel)) &&
           lb_feature_allows(feature, value, (int)kernel->family);
}

static void run_with(search *s, const lb_case *c, const lb_profile *profile)
{
    const lb_kernel *kernel = c->kernel;
    if (!lb_features_conflict(&profile->features.of[kernel->family][lb_types_of(kernel)]))
        run(s, c, profile);
}

/* Beside every choice of the features before it. */
static void run_pairs(search *s, const lb_case *c, const lb_profile *one, int feature)
{
    for (int f = 0; f < feature && s->missing > 0; f++)
        for (unsigned i = 0; i < lb_feature_value_count((lb_feature)f); i++) {
            lb_profile both = *one;
            if (choose(&both, c->kernel, (lb_feature)f, i))
                run_with(s, c, &both);
        }
}

/* With every choice of a feature; few sites need two of them. */
static void run_featured(search *s, const lb_case *c, const lb_profile *base, bool pairs)
{
    for (int f = 0; f < LB_FEATURE_COUNT && s->missing > 0; f++)
        for (unsigned i = 0; i < lb_feature_value_count((lb_feature)f); i++) {
            lb_profile one = *base;
            if (!choose(&one, c->kernel, (lb_feature)f, i))
                continue;
            run_with(s, c, &one);
            if (pairs)
                run_pairs(s, c, &one, f);
        }
}

/* Profiles with other accumulators. */
static void run_widths(search *s, const lb_case *c, const lb_profile *base)
{
    static const int widths[] = {24, 48, 64};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        lb_profile profile = *base;
        for (int o = 0; o < LB_OPERANDS_COUNT; o++)
            profile.acc_bits[o] = widths[w];
        profile.avepool16 = w == 0;
        run(s, c, &profile);
    }
}

/* Can it be run with hundreds of features? */
static bool is_tiny(const lb_case *c)
{
    return lb_case_element_count(c) <= TINY;
}

static bool is_small(const lb_case *c)
{
    uint64_t product = 1;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_layout layout = lb_layout_of(&c->operand[role].tensors[i]);
            product *= lb_layout_count(&layout) + 1;
            if (product > (uint64_t)SMALL * SMALL)
                return false;
        }
    return true;
}

static void try_case(void *user, const lb_case *c)
{
    search *s = user;
    if (s->missing == 0 || !c->kernel || !c->kernel->exact || !is_small(c))
        return;
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        run(s, c, &lb_profiles[p]);
    bool places = c->kernel->family == LB_FAMILY_MOV;
    if (places)
        run_elements(s, c);
    if (!is_tiny(c) || s->featured[c->kernel - lb_kernels]++ >= FEATURED_OF_FUNCTION)
        return;
    if (!places)
        run_elements(s, c);
    bool *paired = &s->paired[c->kernel->family][lb_types_of(c->kernel)];
    bool pairs = !*paired && c->kernel->kernel_size == 0;
    *paired |= pairs;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        run_featured(s, c, &lb_profiles[p], p == 0 && pairs);
        run_widths(s, c, &lb_profiles[p]);
    }
}

/* Those are reached by their recordings (reference/litert/tests/test_litert_exact.c). */
static bool is_of_litert(lb_site site)
{
    return strncmp(lb_site_symbol(site), "LITE_", 5) == 0;
}

static void each_site_is_reached(void **state)
{
    (void)state;
    static search s;
    s.missing = LB_SITE_COUNT - 1; /* LB_SITE_NONE is none */
    for (int site = 0; site < LB_SITE_COUNT; site++) {
        s.reached[site] = is_of_litert((lb_site)site);
        s.missing -= s.reached[site];
    }
    for_each_case(CASES_OF_SUITE, try_case, &s);
    lb_arena_free(&s.arena);
    for (int site = 1; site < LB_SITE_COUNT; site++)
        if (!s.reached[site])
            print_error("not reached: %s\n", lb_site_symbol((lb_site)site));
    assert_int_equal(s.missing, 0);
    for (int claim = 0; claim < LB_SAME_BEYOND; claim++)
        assert_true(s.said[claim] > 1000);
}

/* The table alone. */
static void sites_are_listed(void **state)
{
    (void)state;
    for (int site = 1; site < LB_SITE_COUNT; site++) {
        assert_true(lb_site_label((lb_site)site)[0] != 0);
        assert_int_not_equal(lb_site_operation((lb_site)site), LB_STEP_GIVEN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_are_listed),
        cmocka_unit_test(each_site_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
