/* Cases that violate one check: see status_cases.h. */
#include "harness/generate/status_cases.h"
#include "harness/call/model.h"
#include "harness/coverage/defined.h"
#include "harness/generate/candidate.h"
#include "harness/generate/case_change.h"
#include "harness/generate/output.h"
#include "harness/generate/wish.h"
#include "harness/port/provided.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The cases of a check ---- */

/* A change with how far it goes; nearest first, of equal ones the first that was named. */
typedef struct try_order {
    lb_change change;
    int64_t before;
    uint64_t distance;
    unsigned number;
} try_order;

static int by_distance(const void *a, const void *b)
{
    const try_order *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static unsigned tries_of(const lb_call *call, const lb_rule *rule, try_order *tries)
{
    lb_change changes[LB_MOST_CHANGES];
    unsigned count = lb_check_changes(call, rule, changes), used = 0;
    for (unsigned i = 0; i < count; i++) {
        int64_t before = lb_leaf_value(NULL, call, changes[i].leaf);
        int64_t by = changes[i].value - before;
        if (by != 0)
            tries[used++] = (try_order){changes[i], before, (uint64_t)(by < 0 ? -by : by), i};
    }
    qsort(tries, used, sizeof *tries, by_distance);
    return used;
}

typedef struct gathering {
    const lb_kernel *kernel;
    const lb_rule *rule;
    lb_arena *arena;
    lb_case **cases;
    lb_leaf leaf[LB_STATUS_CASES]; /* that each changes */
    lb_status status[LB_STATUS_CASES];
    unsigned count;
} gathering;

/* Another leaf, or another status. */
static bool is_wanted(const gathering *g, lb_leaf leaf, lb_status status)
{
    unsigned of_status = 0;
    for (unsigned i = 0; i < g->count; i++) {
        if (g->status[i] == status && lb_leaf_is(g->leaf[i], leaf))
            return false;
        of_status += g->status[i] == status;
    }
    return g->count < LB_STATUS_CASES && of_status < LB_STATUS_CASES / 4;
}

static void name_case(const gathering *g, lb_case *c, const try_order *tried, unsigned changes)
{
    c->id = lb_arena_printf(g->arena, "%.70s.status.%.60s.%u", lb_kernel_short_name(g->kernel),
                            g->rule->name, g->count);
    c->note =
        lb_arena_printf(g->arena, "Violates %s: %s%s.", g->rule->name,
                        lb_case_change_text(&tried->change, tried->before, g->kernel, g->arena),
                        changes > 1 ? ", and what earlier checks ask for follows" : "");
}

/* Only what can be written and read is a case. */
static void keep(gathering *g, lb_build *b, const try_order *tried, unsigned changes)
{
    lb_instance *instance;
    lb_case_violates(b->c, b->arena, &instance);
    const lb_status status = instance->call.status;
    if (instance->call.undefined != LB_SAID || !is_wanted(g, tried->change.leaf, status))
        return;
    name_case(g, b->c, tried, changes);
    const char *text = lb_case_to_json(b->c, g->arena);
    lb_case *read = lb_arena_alloc(g->arena, sizeof *read);
    if (!text || !lb_case_from_json(text, strlen(text), g->arena, read) ||
        lb_case_violates(read, b->arena, &instance) != g->rule || instance->call.status != status ||
        !lb_cover_is_defined(read))
        return;
    g->leaf[g->count] = tried->change.leaf;
    g->status[g->count] = status;
    g->cases[g->count++] = read;
}

static void gather(gathering *g, const lb_case *valid, const lb_call *call)
{
    static const lb_random_options options = {.small = true};
    try_order *tries = lb_arena_array(g->arena, LB_MOST_CHANGES, sizeof *tries);
    unsigned count = tries_of(call, g->rule, tries);
    lb_arena scratch = {0};
    for (unsigned i = 0; i < count && g->count < LB_STATUS_CASES; i++) {
        const lb_rule *ends_at;
        lb_arena_reset(&scratch);
        lb_build b = {.random = lb_random_start(1, 0),
                      .arena = &scratch,
                      .c = lb_case_copy(&scratch, valid),
                      .options = &options};
        const unsigned changes = lb_case_fit(&b, &tries[i].change, 1, g->rule, &ends_at);
        if (changes > 0)
            keep(g, &b, &tries[i], changes);
    }
    lb_arena_free(&scratch);
}

unsigned lb_status_cases_of(const lb_kernel *kernel, const lb_rule *rule, uint64_t seed,
                            lb_arena *arena, lb_case *cases[LB_STATUS_CASES])
{
    enum { BASES = 60 }; /* per tensor and per axis, ranks, operands of one element */
    const lb_random_options options = {.seed = seed, .small = true};
    gathering g = {.kernel = kernel, .rule = rule, .arena = arena, .cases = cases};
    for (uint64_t i = 0; i < BASES && g.count == 0; i++) {
        lb_case valid;
        lb_instance *instance;
        if (lb_random_case(kernel, &options, i, arena, &valid) && valid.kernel == kernel &&
            !lb_case_violates(&valid, arena, &instance))
            gather(&g, &valid, &instance->call);
    }
    return g.count;
}

/* ---- All checks ---- */

typedef struct totals {
    size_t cases, checks, violated;
} totals;

static void write_function(const lb_generate_wish *r, const lb_kernel *kernel, FILE *out,
                           totals *sum)
{
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++) {
        lb_arena arena = {0};
        lb_case *cases[LB_STATUS_CASES];
        if (lb_rule_is_undefined(rule))
            continue;
        unsigned count = lb_status_cases_of(kernel, rule, r->seed, &arena, cases);
        for (unsigned i = 0; i < count; i++)
            fprintf(out, "%s\n", lb_found_text(cases[i], "status", r->level, false, &arena));
        sum->checks++;
        sum->violated += count > 0;
        sum->cases += count;
        if (r->list && count == 0)
            fprintf(stderr, "%s: %s: no case violates it first\n", kernel->name, rule->name);
        lb_arena_free(&arena);
    }
}

static void write_all(void *user, FILE *out)
{
    const lb_generate_wish *r = user;
    totals sum = {0};
    for (size_t i = 0; i < lb_kernel_count && !ferror(out); i++)
        if (r->wanted[i] && lb_kernels[i].returns_status && lb_function_is_tried(&lb_kernels[i]))
            write_function(r, &lb_kernels[i], out, &sum);
    fprintf(stderr, "%zu cases violate %zu of %zu checks first\n", sum.cases, sum.violated,
            sum.checks);
}

int lb_generate_status(const lb_generate_wish *r)
{
    lb_generate_wish wish = *r;
    lb_arena arena = {0};
    const int status = lb_generate_write(
        r->output, lb_arena_printf(&arena, "status.seed%lu", r->seed), write_all, &wish);
    lb_arena_free(&arena);
    return status;
}
