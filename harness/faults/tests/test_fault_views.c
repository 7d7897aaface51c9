/* Readings, extents and writing: what a view without a change gives, and that every kind of these
 * groups makes a difference somewhere in our own suites. With the argument "whole", all suites are
 * run and the faults that never act are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/faults/tests/our_cases.h"
#include "harness/faults/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lb_fault_kind *const tables[] = {
    lb_fault_padding_kinds,  lb_fault_operand_kinds,   lb_fault_exchange_kinds,
    lb_fault_element_kinds,  lb_fault_parameter_kinds, lb_fault_meaning_kinds,
    lb_fault_movement_kinds, lb_fault_extent_kinds,    lb_fault_writing_kinds,
    lb_fault_form_kinds,     lb_fault_edit_kinds,      lb_fault_byte_kinds};
enum { TABLES = sizeof tables / sizeof *tables, MAX_KINDS = 500 };

/* ---- The view without a change ---- */

static bool nothing_changed(lb_fault_run *run)
{
    lb_fault_view view;
    return lb_view_begin(&view, run) && lb_view_run(&view);
}

static bool nothing_changed_with_fields(lb_fault_run *run)
{
    lb_fault_view view;
    return lb_view_begin(&view, run) && lb_view_run_with_fields(&view);
}

static int64_t own_place(const lb_tensor *t, const uint32_t *index, const void *user)
{
    (void)user;
    return (int64_t)lb_offset_of(t, index);
}

/* Every operand copied, and every element where it was. */
static bool copied(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < view.call->list_count[role]; i++)
            if (run->test_case->kernel->family != LB_FAMILY_HELPER &&
                lb_fault_role_use(run->test_case->kernel, role) == LB_USE_INPUT)
                assert_false(lb_view_remap(&view, role, i, own_place, NULL));
    return lb_view_run(&view);
}

static bool dropped(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    view.call->config.stride_width = 7;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < view.call->list_count[role]; i++)
            lb_view_tensor(&view, role, i)->rank = 0;
    return lb_view_drop(&view);
}

static const lb_fault_kind empty_kinds[] = {
    {.name = "nothing", .group = LB_FAULTS_WRITING, .run = nothing_changed},
    {.name = "fields", .group = LB_FAULTS_WRITING, .run = nothing_changed_with_fields},
    {.name = "copied", .group = LB_FAULTS_WRITING, .run = copied},
};

static void check_empty_change(void *user, const lb_case *c)
{
    static const lb_fault_kind drop = {
        .name = "dropped", .group = LB_FAULTS_WRITING, .run = dropped};
    size_t *runs = user;
    lb_arena arena = {0};
    lb_fault_bench bench;
    if (lb_fault_bench_make(&bench, c, &lb_profiles[0], &arena)) {
        for (size_t k = 0; k < sizeof empty_kinds / sizeof *empty_kinds; k++) {
            lb_fault fault = {.kind = &empty_kinds[k]};
            bool ran = lb_fault_try(&bench, &fault);
            if (ran && lb_fault_is_caught(&bench))
                fail_msg("%s: the view \"%s\" differs from the exact model", c->id,
                         fault.kind->name);
            *runs += ran;
        }
        lb_fault fault = {.kind = &drop};
        assert_false(lb_fault_try(&bench, &fault));
        assert_false(lb_instances_differ_in_bytes(&bench.before, &bench.out));
        assert_false(lb_instances_differ_in_fields(&bench.before, &bench.out));
    }
    lb_arena_free(&arena);
}

static void an_empty_change_gives_the_exact_model(void **state)
{
    size_t runs = 0;
    (void)state;
    for_each_case(100, check_empty_change, &runs);
    assert_true(runs > 2000);
}

/* ---- Every fault acts ---- */

typedef struct watched {
    lb_fault fault;
    size_t kind;
    const lb_kernel *kernel;
    bool acted, caught;
} watched;

typedef struct watch_list {
    watched *items;
    size_t count, capacity;
    const lb_kernel *kernel;
    uint64_t trials, caught;
    bool kinds_only; /* one catch is enough for a kind */
    bool kind_caught[MAX_KINDS];
    size_t kind;
} watch_list;

static void keep(void *user, const lb_fault *fault)
{
    watch_list *list = user;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        assert_non_null(list->items);
    }
    list->items[list->count++] =
        (watched){.fault = *fault, .kind = list->kind, .kernel = list->kernel};
}

static void list_faults(watch_list *list)
{
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        lb_fault_scope scope = {.kernel = list->kernel = lb_kernel_at(k)};
        list->kind = 0;
        for (int t = 0; t < TABLES; t++)
            for (const lb_fault_kind *kind = tables[t]; kind->name; kind++, list->kind++)
                kind->places(kind, &scope, keep, list);
        assert_true(list->kind <= MAX_KINDS);
    }
}

static void try_faults(void *user, const lb_case *c)
{
    watch_list *list = user;
    lb_arena arena = {0};
    lb_fault_bench bench;
    const lb_profile *profile = c->kernel ? lb_kernel_set_of(c->kernel)->profiles : NULL;
    if (profile && lb_fault_bench_make(&bench, c, profile, &arena) && bench.computed) {
        for (size_t i = 0; i < list->count; i++) {
            watched *w = &list->items[i];
            if (w->kernel != c->kernel || w->caught ||
                (list->kinds_only && list->kind_caught[w->kind]))
                continue;
            list->trials++;
            bool acted = lb_fault_try(&bench, &w->fault);
            w->acted = w->acted || acted;
            w->caught = acted && lb_fault_is_caught(&bench);
            list->caught += w->caught;
            list->kind_caught[w->kind] = list->kind_caught[w->kind] || w->caught;
        }
    }
    lb_arena_free(&arena);
}

static void every_kind_makes_a_difference(void **state)
{
    watch_list list = {.kinds_only = true};
    (void)state;
    list_faults(&list);
    for_each_case(60, try_faults, &list);
    for_each_case_in(LASTBIT_SOURCE_DIR "/vectors/litert", 60, try_faults, &list);
    for (int t = 0; t < TABLES; t++)
        for (const lb_fault_kind *kind = tables[t]; kind->name; kind++) {
            size_t places = 0, caught = 0;
            for (size_t i = 0; i < list.count; i++) {
                places += list.items[i].fault.kind == kind;
                caught += list.items[i].fault.kind == kind && list.items[i].caught;
            }
            if (caught == 0)
                fail_msg("%s: no difference at any of its %zu places", kind->name, places);
        }
    free(list.items);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_tell_the_faults_of_a_function_apart(void **state)
{
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        watch_list list = {.kernel = &lb_kernels[k]};
        lb_arena arena = {0};
        lb_fault_scope scope = {.kernel = list.kernel};
        for (int t = 0; t < TABLES; t++)
            for (const lb_fault_kind *kind = tables[t]; kind->name; kind++)
                kind->places(kind, &scope, keep, &list);
        const char **names = lb_arena_array(&arena, list.count + 1, sizeof *names);
        for (size_t i = 0; i < list.count; i++)
            names[i] = lb_fault_name(&list.items[i].fault, &arena);
        qsort(names, list.count, sizeof *names, by_text);
        for (size_t i = 1; i < list.count; i++)
            if (strcmp(names[i - 1], names[i]) == 0)
                fail_msg("%s: two faults are called %s", list.kernel->name, names[i]);
        lb_arena_free(&arena);
        free(list.items);
    }
}

static int print_whole(void)
{
    watch_list list = {0};
    lb_arena arena = {0};
    list_faults(&list);
    for_each_case(SIZE_MAX / 2, try_faults, &list);
    for (size_t i = 0; i < list.count; i++) {
        const watched *w = &list.items[i];
        if (!w->caught)
            printf("%s %s %s\n", w->acted ? "survives" : "idle", w->kernel->name,
                   lb_fault_name(&w->fault, &arena));
    }
    printf("%zu faults, %llu caught, %llu trials\n", list.count, (unsigned long long)list.caught,
           (unsigned long long)list.trials);
    lb_arena_free(&arena);
    free(list.items);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_change_gives_the_exact_model),
        cmocka_unit_test(names_tell_the_faults_of_a_function_apart),
        cmocka_unit_test(every_kind_makes_a_difference),
    };
    if (argc > 1 && strcmp(argv[1], "whole") == 0)
        return print_whole();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
