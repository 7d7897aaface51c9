/* The bank as a whole, on our own suites: a fault that changes nothing gives the exact model's bits
 * for every function, and the run that tells which faults of steps act tells the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/faults/faults.h"
#include "harness/faults/tests/our_cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- The fault that changes nothing ---- */

static int64_t as_it_is(void *user, const lb_num_step *step)
{
    uint64_t *heard = user;
    (*heard)++;
    return step->result;
}

enum { EVERY = 1 << 20, RUNS_PER_FUNCTION = 16, SMALL_BYTES = 6000 };

typedef struct empty_fault {
    unsigned of[256]; /* runs, by function */
} empty_fault;

static void listened_to(void *user, const lb_case *c)
{
    empty_fault *e = user;
    lb_arena arena = {0};
    lb_fault_bench bench;
    uint64_t heard = 0;
    lb_steps listener = {
        .role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .user = &heard, .alter = as_it_is};
    for (int p = 0; c->kernel && p < LB_PROFILE_COUNT; p++) {
        if (e->of[c->kernel - lb_kernels] >= RUNS_PER_FUNCTION)
            break;
        const lb_context context = {.profile = &lb_profiles[p], .steps = &listener};
        if (!lb_fault_bench_make(&bench, c, &lb_profiles[p], &arena) || !bench.computed ||
            bench.memory.block_bytes > SMALL_BYTES)
            continue;
        lb_run_exact(&context, &bench.out.call);
        if (lb_fault_is_caught(&bench))
            print_error("%s\n", c->id);
        assert_false(lb_fault_is_caught(&bench));
        assert_true(lb_fault_digest(&bench.out) == lb_fault_digest(&bench.right));
        e->of[c->kernel - lb_kernels]++;
    }
    lb_arena_free(&arena);
}

static void nothing_changed_gives_the_same_bits(void **state)
{
    (void)state;
    static empty_fault e;
    for_each_case(EVERY, listened_to, &e);
    for (size_t k = 0; k < lb_kernel_count; k++) {
        if (lb_kernels[k].exact && e.of[k] == 0)
            print_error("never run: %s\n", lb_kernels[k].name);
        assert_true(e.of[k] > 0 || !lb_kernels[k].exact);
    }
}

/* ---- Which faults act ---- */

typedef struct screened {
    size_t act, rest;
} screened;

static void screen_tells_the_truth(void *user, const lb_case *c)
{
    screened *sums = user;
    lb_arena arena = {0};
    lb_fault_bench bench;
    lb_fault_list list = {0};
    const lb_profile *profile = &lb_profiles[0];
    if (!lb_fault_bench_make(&bench, c, profile, &arena) || !bench.computed ||
        bench.memory.block_bytes > SMALL_BYTES || !lb_fault_bench_count(&bench) ||
        bench.steps > 2000)
        goto done;
    lb_fault_list_hear(&list, c, profile, &arena);
    lb_fault_list_fill(&list, c->kernel, profile);
    bool *wanted = lb_arena_array(&arena, list.count + 1, sizeof *wanted);
    bool *acts = lb_arena_array(&arena, list.count + 1, sizeof *acts);
    memset(wanted, 1, list.count);
    assert_true(lb_fault_screen(&bench, &list, wanted, acts));
    for (size_t f = 0; f < list.count; f++) {
        if (list.items[f].kind->group != LB_FAULTS_STEP)
            continue;
        bool acted = lb_fault_try(&bench, &list.items[f]);
        if (acted != acts[f])
            print_error("%s: %s\n", c->id, lb_fault_name(&list.items[f], &arena));
        assert_int_equal(acted, acts[f]);
        sums->act += acted;
        sums->rest += !acted;
    }
done:
    lb_fault_list_free(&list);
    lb_arena_free(&arena);
}

static void one_run_tells_which_faults_act(void **state)
{
    (void)state;
    screened sums = {0};
    for_each_case(2, screen_tells_the_truth, &sums);
    assert_true(sums.act > 3000 && sums.rest > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changed_gives_the_same_bits),
        cmocka_unit_test(one_run_tells_which_faults_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
