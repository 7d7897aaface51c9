/* The faults of every function are the same in every build: how many there are, their names, and
 * which are proved equivalent, a line for each function and profile, held against fault_lists.txt
 * by all compilers, at -O0 and with sanitizers. `--print` prints the lines (for that file, where a
 * change of the faults is meant); a function and a profile print each name with its proof. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/xalloc.h"
#include "harness/faults/proofs.h"
#include "harness/faults/tests/fixed_cases.h"

#include <inttypes.h>

#define EXPECTED LASTBIT_SOURCE_DIR "/harness/faults/tests/fault_lists.txt"

enum { PROFILES = 2 };

static const char *const profile_names[PROFILES] = {"up-full", "convergent-reduced"};

typedef struct listings {
    lb_fault_list *of; /* by function and profile */
    lb_arena arena;
} listings;

static const lb_profile *profile_of(const lb_kernel *kernel, int number)
{
    const lb_profile *named = lb_profile_named(profile_names[number]);
    return lb_kernel_is_in(kernel, named) ? named : &lb_kernel_set_of(kernel)->profiles[number];
}

static void hear(void *user, const lb_case *c)
{
    listings *all = user;
    for (int p = 0; c->kernel && p < PROFILES; p++) {
        lb_arena_reset(&all->arena);
        lb_fault_list_hear(&all->of[lb_kernel_number(c->kernel) * PROFILES + (size_t)p], c,
                           profile_of(c->kernel, p), &all->arena);
    }
}

/* The bank, and all that stands beside it. */
static void fill(lb_fault_list *list, const lb_kernel *kernel, const lb_profile *profile)
{
    lb_fault_list_fill(list, kernel, profile);
    lb_fault_list_add_cells(list, kernel);
    lb_fault_list_add_early(list);
    lb_fault_list_add_values(list, kernel);
}

/* FNV-1a; the end of a text counts. */
static uint64_t digest(uint64_t before, const char *text)
{
    do
        before = (before ^ (unsigned char)*text) * 1099511628211u;
    while (*text++);
    return before;
}

static void put_list(FILE *out, lb_fault_list *list, const lb_kernel *kernel,
                     const lb_profile *profile, bool each)
{
    uint64_t names = 14695981039346656037u, proofs = names;
    size_t proved = 0;
    lb_arena arena = {0};
    fill(list, kernel, profile);
    for (size_t f = 0; f < list->count; f++) {
        lb_arena_reset(&arena);
        const char *name = lb_fault_name(&list->items[f], &arena);
        const char *proof = lb_fault_proof(list, &list->items[f], kernel, profile, &arena);
        names = digest(names, name);
        proofs = digest(proofs, proof ? "proved" : "open"); /* the sentence is for people */
        proved += proof != NULL;
        if (each)
            fprintf(out, "%s%s%s\n", name, proof ? "\t" : "", proof ? proof : "");
    }
    if (!each)
        fprintf(out, "%s %s %zu %016" PRIx64 " %zu %016" PRIx64 "\n", kernel->name, profile->name,
                list->count, names, proved, proofs);
    lb_arena_free(&arena);
}

/* All lines; those of one function: each fault. */
static char *lines_of(const char *function, const char *profile)
{
    listings all = {.of = calloc(lb_kernel_total() * PROFILES, sizeof *all.of)};
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_true(all.of && out);
    for_each_fixed_case(hear, &all);
    for (size_t k = 0; k < lb_kernel_total(); k++)
        for (int p = 0; p < PROFILES; p++) {
            lb_fault_list *list = &all.of[k * PROFILES + (size_t)p];
            const lb_kernel *kernel = lb_kernel_at(k);
            const lb_profile *in = profile_of(kernel, p);
            if (!function ||
                (strcmp(function, kernel->name) == 0 && strcmp(profile, in->name) == 0))
                put_list(out, list, kernel, in, function != NULL);
            lb_fault_list_free(list);
        }
    fclose(out);
    lb_arena_free(&all.arena);
    free(all.of);
    return text;
}

static void lists_are_the_same_in_every_build(void **state)
{
    (void)state;
    char *got = lines_of(NULL, NULL);
    assert_true(lines_are_those_of(EXPECTED, got));
    free(got);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_the_same_in_every_build)};
    if (argc == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    char *lines = argc == 3 ? lines_of(argv[1], argv[2]) : lines_of(NULL, NULL);
    fputs(lines, stdout);
    free(lines);
    return 0;
}
