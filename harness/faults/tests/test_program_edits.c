/* Recurrent cells as data: with nothing changed they give the exact model's bits, in every case of
 * our suites that they compute; and every kind of change acts somewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/faults/program_edits.h"
#include "harness/faults/tests/our_cases.h"

#include <string.h>

static const lb_fault_kind nothing = {
    .name = "nothing", .group = LB_FAULTS_READING, .run = lb_program_fault_run};
static const lb_fault_kind no_pairs = {
    .name = "no pairs", .group = LB_FAULTS_READING, .run = lb_program_fault_run};

static bool is_pairs(const lb_case *c)
{
    return c && c->kernel && c->kernel->family == LB_FAMILY_RNN_DENSE;
}

static bool is_cell(const lb_case *c)
{
    return c && c->kernel &&
           (c->kernel->family == LB_FAMILY_LSTM || c->kernel->family == LB_FAMILY_GRU);
}

/* Cells by the models' sums, and by sums as data (dense_run.h); rnn_dense by these. */
static void check_as_data(size_t *runs, const lb_case *c, const lb_fault *fault)
{
    for (size_t p = 0; p < LB_PROFILE_COUNT; p++) {
        lb_arena arena = {0};
        lb_fault_bench bench;
        if (lb_fault_bench_make(&bench, c, &lb_profiles[p], &arena) &&
            lb_fault_try(&bench, fault)) {
            if (lb_fault_is_caught(&bench))
                fail_msg("%s: \"%s\" gives other bits", c->id, fault->kind->name);
            ++*runs;
        }
        lb_arena_free(&arena);
    }
}

static void check_nothing(void *user, const lb_case *c)
{
    if (is_cell(c)) {
        check_as_data(user, c, &(lb_fault){.kind = &nothing});
        check_as_data(user, c, &(lb_fault){.kind = &nothing, .other_role = LB_CELL_PAIRS});
    }
    if (is_pairs(c))
        check_as_data(user, c, &(lb_fault){.kind = &no_pairs});
}

static void test_same_bits_with_nothing_changed(void **state)
{
    enum { OF_A_SUITE = 60, LEAST_RUNS = 1500 };
    size_t runs = 0;
    (void)state;
    for_each_case(OF_A_SUITE, check_nothing, &runs);
    assert_true(runs >= LEAST_RUNS);
}

/* ---- Two at once ---- */

/* Whichever of the two is asked first, they leave the same; and more than one of them alone. */
static void check_two(void *user, const lb_case *c)
{
    size_t *both = user;
    static const lb_fault floors = {.kind = &nothing,
                                    .role = 1,
                                    .other_role = LB_CELL_NUMERICS,
                                    .dim = LB_CELL_EVERY_VECTOR,
                                    .other_dim = LB_CELL_FLOORS};
    static const lb_fault exchanged = {
        .kind = &nothing, .other_role = LB_CELL_ACTIVATION, .dim = LB_CELL_ALL_GATES};
    lb_arena arena = {0};
    lb_fault_bench bench;
    if (!is_cell(c) || !lb_fault_bench_make(&bench, c, &lb_profiles[0], &arena))
        return;
    lb_fault a = floors, b = exchanged;
    a.beside = &exchanged;
    b.beside = &floors;
    const lb_fault *faults[] = {&floors, &exchanged, &a, &b};
    uint64_t digests[4] = {0};
    for (size_t i = 0; i < 4; i++)
        if (lb_fault_try(&bench, faults[i]))
            digests[i] = lb_fault_digest(&bench.out);
    assert_true(digests[2] == digests[3]);
    *both += digests[2] != digests[0] && digests[2] != digests[1];
    lb_arena_free(&arena);
}

static void test_two_at_once(void **state)
{
    size_t both = 0;
    (void)state;
    for_each_case(20, check_two, &both);
    assert_true(both > 20);
}

/* ---- Every change acts ---- */

enum { MOST_CHANGES = 32 };

typedef struct changes {
    const char *names[MOST_CHANGES];
    bool acts[MOST_CHANGES];
    size_t count;
} changes;

static size_t change_number(changes *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->names[i], name) == 0)
            return i;
    assert_true(all->count < MOST_CHANGES);
    all->names[all->count] = name;
    return all->count++;
}

static void try_changes(void *user, const lb_case *c)
{
    changes *all = user;
    lb_arena arena = {0};
    lb_fault_bench bench;
    lb_fault_list list = {0};
    if ((!is_cell(c) && !is_pairs(c)) || !lb_fault_bench_make(&bench, c, &lb_profiles[0], &arena))
        return;
    lb_fault_list_place(&list, c->kernel, &lb_profiles[0]);
    const size_t bank = list.count;
    lb_fault_list_add_cells(&list, c->kernel);
    for (size_t i = 0; i < list.count; i++) {
        if (i < bank && list.items[i].kind->run != lb_program_fault_run)
            continue;
        size_t number = change_number(all, list.items[i].kind->name);
        if (!all->acts[number] && lb_fault_try(&bench, &list.items[i]))
            all->acts[number] = lb_fault_is_caught(&bench);
    }
    lb_fault_list_free(&list);
    lb_arena_free(&arena);
}

static void test_every_change_acts(void **state)
{
    changes all = {.count = 0};
    (void)state;
    for_each_case(8, try_changes, &all);
    assert_true(all.count >= 8);
    for (size_t i = 0; i < all.count; i++)
        if (!all.acts[i])
            fail_msg("%s changes nothing in any case", all.names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits_with_nothing_changed),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_every_change_acts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
