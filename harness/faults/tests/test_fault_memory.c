/* No fault touches memory that is not the call's: all are run on cases of the suites, some of each
 * function, for sanitizers to look at; of functions with a map some of these have gaps between the
 * elements of their input. With the argument "whole", on all cases of the levels smoke and
 * standard, or on those of the functions that are named behind it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/xalloc.h"
#include "harness/faults/tests/our_cases.h"
#include "harness/faults/views.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite_level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS_PER_BENCH = 512, LARGEST_TEXT = 24000 };

typedef struct kept_cases {
    size_t count, room;
    char **texts;
    bool *gaps;
} kept_cases;

static kept_cases *functions;

/* ---- Cases ---- */

static bool has_gaps(const lb_case *c)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *o = &c->operand[role];
        for (unsigned i = 0; o->present && !o->is_output && i < o->count; i++)
            if (o->tensors[i].has_mem_stride)
                return true;
    }
    return false;
}

static void keep_case(void *user, const lb_case *c)
{
    lb_arena arena = {0};
    (void)user;
    if (!c->kernel || !c->kernel->exact || c->chain.steps > 0 || lb_level_of(c) > LB_LEVEL_STANDARD)
        return;
    lb_case bare = *c;
    bare.expect_count = 0;
    const char *text = lb_case_to_json(&bare, &arena);
    if (strlen(text) <= LARGEST_TEXT) {
        kept_cases *of = &functions[lb_kernel_number(c->kernel)];
        size_t room = of->room;
        of->texts = lb_room_for_one(of->texts, of->count, &room, sizeof *of->texts);
        of->gaps = lb_room_for_one(of->gaps, of->count, &of->room, sizeof *of->gaps);
        of->gaps[of->count] = has_gaps(c);
        of->texts[of->count++] = strdup(text);
    }
    lb_arena_free(&arena);
}

/* ---- Faults ---- */

static void list_faults(const kept_cases *of, const lb_kernel *kernel, const lb_profile *profile,
                        lb_fault_list *list)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < of->count; i++) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        assert_true(lb_case_from_json(of->texts[i], strlen(of->texts[i]), &arena, &c));
        lb_fault_list_hear(list, &c, profile, &arena);
    }
    lb_fault_list_place(list, kernel, profile);
    lb_fault_list_add_cells(list, kernel);
    lb_fault_list_add_early(list);
    lb_arena_free(&arena);
}

/* A function in a profile: its faults, and which of them are looked for in a case. */
typedef struct looked_for {
    const lb_profile *profile;
    lb_fault_list list;
    bool *wanted, *acts;
} looked_for;

static void look_for(looked_for *l, const kept_cases *of, const lb_kernel *kernel)
{
    *l = (looked_for){.profile = lb_kernel_set_of(kernel)->profiles};
    list_faults(of, kernel, l->profile, &l->list);
    l->wanted = lb_resized(NULL, l->list.count + 1);
    l->acts = lb_resized(NULL, l->list.count + 1);
    memset(l->wanted, true, l->list.count);
}

static void leave(looked_for *l)
{
    lb_fault_list_free(&l->list);
    free(l->wanted);
    free(l->acts);
}

/* From this fault on as many as one bench is for. */
static size_t run_faults(const looked_for *l, lb_fault_bench *bench, size_t i, size_t *said)
{
    if (i == 0)
        lb_fault_screen(bench, &l->list, l->wanted, l->acts);
    for (int tried = 0; i < l->list.count && tried < FAULTS_PER_BENCH; i++) {
        const lb_fault *fault = &l->list.items[i];
        if (fault->kind->group == LB_FAULTS_STEP && !(bench->computed && l->acts[i]))
            continue;
        *said += lb_fault_try(bench, fault);
        tried++;
    }
    return i;
}

/* How many faults had a say. */
static size_t run_case(const looked_for *l, const char *text)
{
    lb_arena arena = {0};
    size_t said = 0;
    for (size_t i = 0; i < l->list.count;) {
        lb_case c = {0};
        lb_fault_bench bench;
        lb_arena_reset(&arena);
        assert_true(lb_case_from_json(text, strlen(text), &arena, &c));
        if (!lb_fault_bench_make(&bench, &c, l->profile, &arena))
            break;
        i = run_faults(l, &bench, i, &said);
    }
    lb_arena_free(&arena);
    return said;
}

/* `most` cases, spread over all, and as many of those with gaps. */
static size_t run_function(const kept_cases *of, const lb_kernel *kernel, size_t most)
{
    const size_t step = (of->count + most - 1) / most;
    size_t said = 0, gaps = 0;
    looked_for l;
    look_for(&l, of, kernel);
    for (size_t i = 0; i < of->count; i++) {
        const bool has_gaps = of->gaps[i] && gaps < most;
        gaps += has_gaps;
        if (has_gaps || i % step == 0)
            said += run_case(&l, of->texts[i]);
    }
    leave(&l);
    return said;
}

static bool is_named(const lb_kernel *kernel, int count, char **names)
{
    bool is = count == 0;
    for (int i = 0; i < count; i++)
        is = is || strcmp(names[i], kernel->name) == 0;
    return is;
}

static void run_whole(int count, char **names)
{
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        const lb_kernel *kernel = lb_kernel_at(k);
        if (functions[k].count == 0 || !is_named(kernel, count, names))
            continue;
        size_t said = run_function(&functions[k], kernel, functions[k].count);
        printf("%s: %zu cases, %zu faults had a say\n", kernel->name, functions[k].count, said);
        fflush(stdout);
    }
}

static void memory_is_the_calls(void **state)
{
    enum { MOST = 2 };
    (void)state;
    for (size_t k = 0; k < lb_kernel_total(); k++)
        if (functions[k].count > 0)
            assert_true(run_function(&functions[k], lb_kernel_at(k), MOST) > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_the_calls)};
    functions = lb_resized(NULL, lb_kernel_total() * sizeof *functions);
    memset(functions, 0, lb_kernel_total() * sizeof *functions);
    for_each_case(SIZE_MAX / 2, keep_case, NULL);
    int status = 0;
    if (argc > 1)
        run_whole(argc - 2, argv + 2);
    else
        status = cmocka_run_group_tests(tests, NULL, NULL);
    return status;
}
