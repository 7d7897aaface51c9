/* How strong suites are: see strength.h. */
#include "harness/coverage/strength.h"
#include "harness/coverage/coverpoints.h"
#include "harness/faults/proofs.h"
#include "harness/suite/suite.h"

#include <string.h>

const char *lb_strength_state_name(lb_strength_state state)
{
    static const char *const names[LB_STRENGTH_STATE_COUNT] = {"silent", "hidden", "caught",
                                                               "seldom", "equivalent"};
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

/* A case that faults are tried on. */
typedef struct trial {
    lb_strength *strength;
    const lb_strength_row *row;
    size_t place;
    const lb_strength_limits *limits;
    lb_arena *arena;
    uint64_t budget; /* of steps */
    size_t next;     /* fault */
} trial;

/* A fault of a step has to act in the case, which is told once for all of them. */
static bool is_worth_it(const lb_strength *s, const lb_fault_bench *bench, size_t fault)
{
    return s->faults.items[fault].kind->group != LB_FAULTS_STEP ||
           (bench->computed && s->acting[fault]);
}

/* False: the budget of the case is used up. */
static bool try_one(trial *t, lb_fault_bench *bench)
{
    lb_strength *s = t->strength;
    size_t fault = t->next;
    s->trials++;
    if (!is_worth_it(s, bench, fault))
        return true;
    uint64_t cost = bench->steps > 0 ? bench->steps : 1;
    if (cost > t->budget)
        return false;
    t->budget -= cost;
    if (!lb_fault_try(bench, &s->faults.items[fault]))
        return true;
    s->acts[fault]++;
    if (lb_fault_is_caught(bench)) {
        s->catches[fault]++;
        s->gain[t->place]++;
    }
    return true;
}

/* What a fault leaves in the arena is little; after so many faults it is made anew all the same. */
enum { FAULTS_PER_BENCH = 512 };

static bool make_bench(trial *t, lb_case *c, lb_fault_bench *bench)
{
    lb_strength *s = t->strength;
    lb_arena_reset(t->arena);
    if (!read_case(&t->row->items[t->place], t->arena, c) ||
        !lb_fault_bench_make(bench, c, s->profile, t->arena))
        return false;
    if (t->next > 0)
        return true;
    for (size_t f = 0; f < s->faults.count; f++)
        s->wanted[f] = !is_settled(s, f, t->limits);
    lb_fault_screen(bench, &s->faults, s->wanted, s->acting);
    return true;
}

static void try_case(lb_strength *s, const lb_strength_row *row, size_t place,
                     const lb_strength_limits *limits, lb_arena *arena)
{
    trial t = {.strength = s,
               .row = row,
               .place = place,
               .limits = limits,
               .arena = arena,
               .budget = limits->steps};
    bool whole = true;
    while (t.next < s->faults.count && whole) {
        lb_case c;
        lb_fault_bench bench;
        if (!make_bench(&t, &c, &bench))
            return;
        for (int tried = 0; t.next < s->faults.count && whole && tried < FAULTS_PER_BENCH; t.next++)
            if (!is_settled(s, t.next, limits)) {
                whole = try_one(&t, &bench);
                tried += is_worth_it(s, &bench, t.next);
            }
    }
    s->cut_cases += !whole;
}

lb_strength_state lb_strength_state_of(const lb_strength *s, size_t fault,
                                       const lb_strength_limits *limits)
{
    if (s->catches[fault] > 0)
        return s->catches[fault] >= limits->catches ? LB_STRENGTH_CAUGHT : LB_STRENGTH_SELDOM;
    if (s->proofs[fault])
        return LB_STRENGTH_EQUIVALENT;
    return s->acts[fault] > 0 ? LB_STRENGTH_HIDDEN : LB_STRENGTH_SILENT;
}

/* Why no call breaks the rule first: none of its statuses is reachable. NULL: some call does. */
static const char *rule_proof(const lb_rule *rule, const lb_kernel *kernel,
                              const lb_profile *profile)
{
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    size_t count = lb_cover_groups(kernel, groups);
    const char *why[LB_PROFILE_COUNT], *last = NULL;
    for (size_t g = 0; g < count; g++) {
        if (strcmp(groups[g].class_name, "status") != 0 ||
            strcmp(groups[g].instance, rule->name) != 0)
            continue;
        for (unsigned point = 0; point < lb_cover_points(&groups[g]); point++) {
            lb_cover_unreachable(kernel, &groups[g], point, why);
            last = why[lb_profile_numerics(profile)];
            if (!last)
                return NULL;
        }
    }
    return last;
}

static void prove(lb_strength *s)
{
    for (size_t f = 0; f < s->faults.count; f++) {
        const lb_fault *fault = &s->faults.items[f];
        const bool speaks_first = fault->rule && fault->kind->position != LB_POSITION_EARLIER;
        s->proofs[f] = lb_fault_proof(&s->faults, fault, s->kernel, s->profile, &s->arena);
        if (!s->proofs[f] && speaks_first)
            s->proofs[f] = rule_proof(fault->rule, s->kernel, s->profile);
    }
}

void lb_strength_measure(lb_strength *s, const lb_strength_row *row, const lb_kernel *kernel,
                         const lb_profile *profile, const lb_strength_limits *limits)
{
    lb_arena arena = {0};
    *s = (lb_strength){.kernel = kernel, .profile = profile};
    list_faults(s, row);
    const size_t faults = s->faults.count;
    s->catches = lb_arena_array(&s->arena, faults, sizeof *s->catches);
    s->acts = lb_arena_array(&s->arena, faults, sizeof *s->acts);
    s->wanted = lb_arena_array(&s->arena, faults, sizeof *s->wanted);
    s->acting = lb_arena_array(&s->arena, faults, sizeof *s->acting);
    s->proofs = lb_arena_array(&s->arena, faults, sizeof *s->proofs);
    s->gain = lb_arena_array(&s->arena, row->count, sizeof *s->gain);
    prove(s);
    for (size_t i = 0; i < row->count; i++)
        try_case(s, row, i, limits, &arena);
    for (size_t f = 0; f < s->faults.count; f++)
        s->count[lb_strength_state_of(s, f, limits)]++;
    lb_arena_free(&arena);
}

void lb_strength_free(lb_strength *s)
{
    lb_fault_list_free(&s->faults);
    lb_arena_free(&s->arena);
}
