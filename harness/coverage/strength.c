/* How strong suites are: see strength.h. */
#include "harness/coverage/strength.h"
#include "harness/base/xalloc.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

const char *lb_strength_state_name(lb_strength_state state)
{
    static const char *const names[LB_STRENGTH_STATE_COUNT] = {"silent", "hidden", "caught",
                                                               "seldom"};
    return names[state];
}

static bool read_case(const lb_strength_case *item, lb_arena *arena, lb_case *c)
{
    *c = (lb_case){0};
    return lb_case_from_json(item->text, strlen(item->text), arena, c);
}

static void list_faults(lb_strength *s, const lb_strength_row *row)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < row->count; i++) {
        lb_case c;
        lb_arena_reset(&arena);
        if (read_case(&row->items[i], &arena, &c))
            lb_fault_list_hear(&s->faults, &c, s->profile, &arena);
    }
    lb_fault_list_fill(&s->faults, s->kernel, s->profile);
    lb_arena_free(&arena);
}

static bool is_settled(const lb_strength *s, size_t fault, const lb_strength_limits *limits)
{
    return s->catches[fault] >= limits->catches ||
           (limits->tries > 0 && s->catches[fault] == 0 && s->acts[fault] >= limits->tries);
}

/* False: the budget of the case is used up. */
static bool try_one(lb_strength *s, lb_fault_bench *bench, size_t fault, size_t place,
                    uint64_t *budget)
{
    uint64_t cost = bench->steps > 0 ? bench->steps : 1;
    if (cost > *budget)
        return false;
    *budget -= cost;
    s->trials++;
    if (!lb_fault_try(bench, &s->faults.items[fault]))
        return true;
    s->acts[fault]++;
    if (lb_fault_is_caught(bench)) {
        s->catches[fault]++;
        s->gain[place]++;
    }
    return true;
}

/* What a fault leaves in the arena is little; after so many faults it is made anew all the same. */
enum { FAULTS_PER_BENCH = 512 };

static void try_case(lb_strength *s, const lb_strength_row *row, size_t place,
                     const lb_strength_limits *limits, lb_arena *arena)
{
    uint64_t budget = limits->steps;
    bool whole = true;
    size_t fault = 0;
    while (fault < s->faults.count && whole) {
        lb_case c;
        lb_fault_bench bench;
        lb_arena_reset(arena);
        if (!read_case(&row->items[place], arena, &c) ||
            !lb_fault_bench_make(&bench, &c, s->profile, arena))
            return;
        for (int tried = 0; fault < s->faults.count && whole && tried < FAULTS_PER_BENCH; fault++)
            if (!is_settled(s, fault, limits)) {
                whole = try_one(s, &bench, fault, place, &budget);
                tried++;
            }
    }
    s->cut_cases += !whole;
}

lb_strength_state lb_strength_state_of(const lb_strength *s, size_t fault,
                                       const lb_strength_limits *limits)
{
    if (s->catches[fault] > 0)
        return s->catches[fault] >= limits->catches ? LB_STRENGTH_CAUGHT : LB_STRENGTH_SELDOM;
    return s->acts[fault] > 0 ? LB_STRENGTH_HIDDEN : LB_STRENGTH_SILENT;
}

void lb_strength_measure(lb_strength *s, const lb_strength_row *row, const lb_kernel *kernel,
                         const lb_profile *profile, const lb_strength_limits *limits)
{
    lb_arena arena = {0};
    *s = (lb_strength){.kernel = kernel, .profile = profile};
    list_faults(s, row);
    s->catches = calloc(s->faults.count + 1, sizeof *s->catches);
    s->acts = calloc(s->faults.count + 1, sizeof *s->acts);
    s->gain = calloc(row->count + 1, sizeof *s->gain);
    if (!s->catches || !s->acts || !s->gain)
        lb_out_of_memory(s->faults.count * sizeof *s->catches);
    for (size_t i = 0; i < row->count; i++)
        try_case(s, row, i, limits, &arena);
    for (size_t f = 0; f < s->faults.count; f++)
        s->count[lb_strength_state_of(s, f, limits)]++;
    lb_arena_free(&arena);
}

void lb_strength_free(lb_strength *s)
{
    lb_fault_list_free(&s->faults);
    free(s->catches);
    free(s->acts);
    free(s->gain);
}
