/* Features combined by chance, each family with a combination of its own: the exact model with them
 * is the port, and what characterize tells of it is held against cases that it has not seen. It may
 * be told as unknown; another name is wrong. With arguments SEED COUNT [FAMILY] it is a
 * measurement, and prints a line for each combination. */
#include "harness/call/model.h"
#include "harness/characterize/absolute.h"
#include "harness/characterize/character.h"
#include "harness/characterize/fit.h"
#include "harness/characterize/probe.h"
#include "harness/generate/random.h"
#include "harness/port/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- The port ---- */

static lb_profile truth;

/* What it does otherwise: in calls with rows of so many elements and more, or where the output does
 * not begin at a multiple of so many bytes. 0: nothing. */
static struct {
    lb_profile numerics;
    uint32_t from_row;
    unsigned unless_aligned;
} otherwise;

static const lb_profile *numerics_for(const lb_call *call)
{
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    bool is_other = out && out->rank > 0 && out->rank <= LB_MAX_RANK &&
                    ((otherwise.from_row > 0 && out->shape[out->rank - 1] >= otherwise.from_row) ||
                     (otherwise.unless_aligned > 0 &&
                      (uintptr_t)out->data.mem.ptr % otherwise.unless_aligned != 0));
    return is_other ? &otherwise.numerics : &truth;
}

static bool provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return kernel->exact != NULL;
}

static void call_model(lb_port *port, const lb_profile *profile, lb_call *call)
{
    const lb_context context = {.profile = numerics_for(call)};
    (void)profile;
    port->failure = NULL;
    (void)lb_run_exact(&context, call);
}

static void close_port(lb_port *port)
{
    (void)port;
}

/* ---- Combinations ---- */

static uint8_t any_value(lb_random *random, lb_feature feature)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    if (!row->choices && lb_random_once_in(random, 3))
        return (uint8_t)lb_random_in(random, row->low, row->high);
    return lb_feature_value(feature,
                            (unsigned)lb_random_in(random, 0, lb_feature_value_count(feature) - 1));
}

/* A choice without what it needs would be refused. */
static void complete(lb_feature_set *set)
{
    if (set->value[LB_FEATURE_FIRST_ROUNDING])
        set->value[LB_FEATURE_REQUANTIZE] = LB_REQUANTIZE_HIGH;
    if (set->value[LB_FEATURE_LANES])
        set->value[LB_FEATURE_OVERFLOW] = LB_SUM_SATURATE;
}

/* From one to four choices for a family and its operand types. */
static lb_feature_set any_features(lb_random *random, int family, lb_types types)
{
    lb_feature_set set;
    do {
        memset(&set, 0, sizeof set);
        for (int64_t left = lb_random_in(random, 1, 4), tries = 0; left > 0 && tries < 200;
             tries++) {
            lb_feature f = (lb_feature)lb_random_in(random, 0, LB_FEATURE_COUNT - 1);
            if (!lb_feature_applies(f, family, types))
                continue;
            set.value[f] = any_value(random, f);
            left--;
        }
        complete(&set);
    } while (!lb_features_possible(&set, family, types));
    return set;
}

static void any_truth(lb_random *random, int family)
{
    truth =
        lb_profiles[lb_random_in(random, 0, 1)]; /* up-full, up-reduced: the others are asked so */
    truth.has_features = true;
    for (int t = 0; t < LB_TYPES_COUNT; t++)
        for (int f = 0; f < LB_FEATURE_COUNT; f++)
            if (lb_feature_applies((lb_feature)f, family, (lb_types)t)) {
                truth.features.of[family][t] = any_features(random, family, (lb_types)t);
                break;
            }
}

/* ---- What was told ---- */

typedef enum judged { RIGHT, SAME, UNKNOWN, WRONG, JUDGED } judged;
static const char *const judged_names[JUDGED] = {"right", "same", "unknown", "WRONG"};

static void print_features(const char *before, const lb_feature_set *own,
                           const lb_feature_set *other)
{
    char text[8];
    printf("%s", before);
    for (int f = 0; f < LB_FEATURE_COUNT; f++)
        if (own->value[f] != other->value[f])
            printf(" %s=%s", lb_feature_rows[f].name,
                   lb_feature_value_name((lb_feature)f, own->value[f], text));
}

/* Every choice in which both differ is told as one that may be. */
static bool is_told_unknown(const lb_character_group *g, const lb_feature_set *found,
                            const lb_feature_set *right)
{
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        bool told = found->value[f] == right->value[f];
        for (size_t i = 0; i < g->untold_count; i++)
            told =
                told || ((int)g->untold[i].feature == f && g->untold[i].value == right->value[f]);
        if (!told)
            return false;
    }
    return true;
}

/* A case that was not seen, in which what was found gives other bits than the port; NULL: none. */
static const lb_case *departs(lb_character *character, const lb_character_group *g,
                              const lb_feature_set *found, const lb_feature_set *right,
                              unsigned cases, lb_arena *arena)
{
    static const lb_probe_kind kinds[] = {LB_PROBE_RESULT, LB_PROBE_RANDOM, LB_PROBE_RESULT,
                                          LB_PROBE_SUM};
    static lb_group group;
    const lb_case *departing = NULL;
    bool told;
    lb_group_make(&group, g->family, g->types, character->asked);
    lb_neighbour other = {.features = *right};
    for (unsigned i = 0; i < cases && !departing; i++)
        for (size_t k = 0; k < lb_kernel_count && !departing; k++) {
            const lb_kernel *kernel = &lb_kernels[k];
            bool is_plain = kernel->special == LB_SPECIAL_NONE || kernel->op != LB_OP_NONE;
            if ((int)kernel->family != g->family || lb_types_of(kernel) != g->types ||
                !kernel->exact || !is_plain)
                continue;
            lb_arena_reset(arena);
            const lb_case *c = lb_probe_make(kernel, kinds[i % 4], 700000 + i, arena);
            if (c && lb_group_told_apart(&group, c, found, &other, 1, arena, &told) > 0)
                departing = c;
        }
    lb_group_free(&group);
    return departing;
}

static judged judge_group(lb_character *character, const lb_character_group *g, bool talk,
                          unsigned cases)
{
    lb_arena arena = {0};
    lb_feature_set right = lb_features_absolute(&truth, g->family, g->types);
    lb_feature_set found = lb_features_absolute(&character->profile, g->family, g->types);
    lb_feature_set plain = lb_features_absolute(character->asked, g->family, g->types);
    judged verdict = UNKNOWN;
    const lb_case *c = NULL;
    if (g->settled == LB_SETTLED) {
        c = departs(character, g, &found, &right, cases, &arena);
        bool is_told = is_told_unknown(g, &found, &right);
        verdict = c ? (is_told ? UNKNOWN : WRONG) : is_told ? RIGHT : SAME;
    }
    if (talk) {
        printf("%-8s%s %s (%u calls%s):", judged_names[verdict],
               lb_family_name((lb_family)g->family), lb_types_name(g->types), g->calls,
               g->cut_short ? ", cut short" : "");
        print_features("", &right, &plain);
        if (g->settled != LB_SETTLED)
            printf("; %s", g->reason);
        else
            print_features("; found", &found, &right);
        printf("%s%s\n", c ? "; " : "", c ? c->id : "");
    }
    lb_arena_free(&arena);
    return verdict;
}

static void characterize_model(lb_character *character, int family)
{
    static lb_port port = {.name = "model",
                           .described = "the exact model",
                           .provides = provides,
                           .call = call_model,
                           .close = close_port};
    *character =
        (lb_character){.port = &port, .asked = &lb_profiles[0], .most_calls = 300, .seconds = 30};
    character->wanted[family] = true;
    lb_characterize(character);
    assert_true(character->calls <= 300);
}

/* One port: a family of the list and a combination for each of its operand types. */
static void try_one(uint64_t seed, uint64_t number, int family, bool talk, unsigned cases,
                    unsigned counts[JUDGED])
{
    static lb_character character;
    lb_random random = lb_random_start(seed, number);
    any_truth(&random, family);
    characterize_model(&character, family);
    for (size_t i = 0; i < character.count; i++)
        counts[judge_group(&character, &character.groups[i], talk, cases)]++;
    if (talk) {
        printf("        %s: %u calls, %.1f seconds\n", lb_family_name((lb_family)family),
               character.calls, character.spent_seconds);
        fflush(stdout);
    }
}

static int any_family(uint64_t seed, uint64_t number)
{
    lb_random random = lb_random_start(seed + 1, number);
    for (;;) {
        int family = (int)lb_random_in(&random, 0, LB_FAMILY_COUNT - 1);
        for (int t = 0; t < LB_TYPES_COUNT; t++)
            if (lb_feature_applies(LB_FEATURE_ROUNDING, family, (lb_types)t) ||
                lb_feature_applies(LB_FEATURE_LOWEST, family, (lb_types)t) ||
                lb_feature_applies(LB_FEATURE_TIES, family, (lb_types)t))
                return family;
    }
}

static void test_no_false_name(void **state)
{
    static const lb_family families[] = {LB_FAMILY_TANH, LB_FAMILY_SIGM, LB_FAMILY_LEAKY_RELU,
                                         LB_FAMILY_ELTWISE};
    unsigned counts[JUDGED] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        try_one(1, i, (int)families[i], false, 100, counts);
    assert_int_equal(counts[WRONG], 0);
    assert_true(counts[RIGHT] > counts[UNKNOWN]);
}

static const lb_family odd_families[] = {LB_FAMILY_LEAKY_RELU, LB_FAMILY_ELTWISE};

/* What the port does otherwise cuts fractions off. */
static void expect_told(lb_family family, bool by_size)
{
    static lb_character character;
    truth = otherwise.numerics = lb_profiles[0];
    otherwise.numerics.rounding = LB_ROUND_FLOOR;
    otherwise.from_row = by_size ? 24 : 0;
    otherwise.unless_aligned = by_size ? 0 : 8;
    characterize_model(&character, (int)family);
    otherwise.from_row = otherwise.unless_aligned = 0;
    for (size_t g = 0; g < character.count; g++) {
        const lb_character_group *group = &character.groups[g];
        print_message("%s %s: %u %s\n", lb_family_name(family), lb_types_name(group->types),
                      group->alignment, group->reason);
        if (by_size) {
            assert_int_equal(group->settled, LB_UNKNOWN_NONE);
            assert_non_null(strstr(group->reason, "change with size"));
        } else {
            assert_int_equal(group->settled, LB_SETTLED);
            assert_int_equal(group->alignment, 8);
        }
    }
}

static void test_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd_families / sizeof odd_families[0]; i++)
        expect_told(odd_families[i], true);
}

static void test_alignment(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd_families / sizeof odd_families[0]; i++)
        expect_told(odd_families[i], false);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_false_name),
                                       cmocka_unit_test(test_size),
                                       cmocka_unit_test(test_alignment)};
    unsigned counts[JUDGED] = {0};
    if (argc < 3)
        return cmocka_run_group_tests(tests, NULL, NULL);
    uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t i = 0; i < count; i++)
        try_one(seed, i, argc > 3 ? lb_family_find(argv[3]) : any_family(seed, i), true, 200,
                counts);
    printf("right %u, another name with the same bits %u, unknown %u, wrong %u\n", counts[RIGHT],
           counts[SAME], counts[UNKNOWN], counts[WRONG]);
    return counts[WRONG] > 0;
}
