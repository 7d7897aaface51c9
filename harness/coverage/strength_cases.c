/* The cases of suites by function: see strength_cases.h. */
#include "harness/coverage/strength_cases.h"
#include "harness/base/xalloc.h"
#include "harness/coverage/suites.h"
#include "harness/suite/case_write.h"

#include <stdlib.h>
#include <string.h>

static uint64_t elements_of(const lb_case *c, lb_role role)
{
    uint64_t count = 0;
    for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
        const lb_case_tensor *t = &c->operand[role].tensors[i];
        uint64_t product = 1;
        for (unsigned d = 0; d < t->rank; d++)
            product = product < UINT32_MAX ? product * t->shape[d] : product;
        count += product < UINT32_MAX ? product : UINT32_MAX;
    }
    return count;
}

/* Taps of an output: the weights of one output channel. */
static uint64_t taps_of(const lb_case *c)
{
    uint64_t taps = 0;
    const lb_role roles[] = {LB_ROLE_WEIGHTS, LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT};
    for (size_t r = 0; r < sizeof roles / sizeof roles[0]; r++) {
        const lb_case_operand *operand = &c->operand[roles[r]];
        if (!operand->present || operand->count == 0 || operand->tensors[0].rank == 0)
            continue;
        uint32_t channels = operand->tensors[0].shape[operand->tensors[0].rank - 1];
        taps += elements_of(c, roles[r]) / (channels ? channels : 1);
    }
    if (c->kernel && lb_pattern_of(c->kernel) == LB_PATTERN_POOL)
        taps += (uint64_t)c->config.kernel_height * c->config.kernel_width;
    return taps;
}

uint64_t lb_strength_cost(const lb_case *c)
{
    uint64_t all = 0, outputs = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        uint64_t count = elements_of(c, (lb_role)role);
        all += count;
        outputs += c->operand[role].is_output ? count : 0;
    }
    return all + outputs * taps_of(c);
}

static void add(void *user, const char *path, const lb_case *c)
{
    lb_strength_cases *cases = user;
    size_t place = cases->count++;
    if (!c->kernel || !c->kernel->exact || c->chain.steps > 0) {
        cases->left_out++;
        return;
    }
    cases->sets |= 1u << c->kernel->set;
    lb_strength_row *row = &cases->of[lb_kernel_number(c->kernel)];
    row->items = lb_room_for_one(row->items, row->count, &row->capacity, sizeof *row->items);
    const char *end = strrchr(path, '.');
    lb_case bare = *c;
    bare.expect_count = 0;
    row->items[row->count++] =
        (lb_strength_case){.path = cases->suites[cases->suite_count - 1].path,
                           .id = lb_arena_strdup(&cases->arena, c->id),
                           .text = lb_case_to_json(&bare, &cases->arena),
                           .cost = lb_strength_cost(c),
                           .readable = !end || strcmp(end, ".jsonl") != 0,
                           .place = place};
}

bool lb_strength_cases_add(lb_strength_cases *cases, const lb_suite *suite, lb_level level)
{
    cases->suites = lb_room_for_one(cases->suites, cases->suite_count, &cases->suite_capacity,
                                    sizeof *cases->suites);
    cases->suites[cases->suite_count++] =
        (lb_strength_suite){.path = lb_arena_strdup(&cases->arena, lb_suite_path(suite)),
                            .sha256 = lb_arena_strdup(&cases->arena, lb_suite_sha256(suite))};
    return lb_cover_each_case(suite, level, add, cases);
}

/* A readable case counts as one of a quarter of its cost. */
static int cheaper_first(const void *left, const void *right)
{
    const lb_strength_case *a = left, *b = right;
    uint64_t cost_a = a->cost / (a->readable ? 4 : 1), cost_b = b->cost / (b->readable ? 4 : 1);
    if (cost_a != cost_b)
        return cost_a < cost_b ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

void lb_strength_cases_sort(lb_strength_cases *cases)
{
    for (size_t k = 0; k < lb_kernel_total(); k++)
        if (cases->of[k].count > 0)
            qsort(cases->of[k].items, cases->of[k].count, sizeof *cases->of[k].items,
                  cheaper_first);
}

/* What is read, and up to which level. */
typedef struct reading {
    lb_strength_cases *cases;
    lb_level level;
} reading;

static bool add_suite(void *user, const lb_suite *suite)
{
    const reading *r = user;
    return lb_strength_cases_add(r->cases, suite, r->level);
}

bool lb_strength_cases_read(lb_strength_cases *cases, char *const *paths, size_t path_count,
                            lb_level level)
{
    const bool good = lb_cover_each_suite(paths, path_count, add_suite, &(reading){cases, level});
    lb_strength_cases_sort(cases);
    return good;
}

void lb_strength_cases_free(lb_strength_cases *cases)
{
    for (size_t k = 0; k < sizeof cases->of / sizeof cases->of[0]; k++)
        free(cases->of[k].items);
    free(cases->suites);
    lb_arena_free(&cases->arena);
}
