/* Cases that violate one check: see status_cases.h. */
#include "harness/generate/status_cases.h"
#include "harness/call/model.h"
#include "harness/coverage/defined.h"
#include "harness/generate/case_change.h"
#include "harness/generate/output.h"
#include "harness/port/provided.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One case ---- */

enum { MOST_STEPS = 4 };

/* A case on its way to the violation, and what was changed in it. */
typedef struct attempt {
    lb_build build;
    lb_random_options options;
    lb_change made[MOST_STEPS];
    unsigned count;
} attempt;

static const lb_context first_profile = {.profile = &lb_profiles[0]};

static const lb_rule *first_violated(const lb_case *c, lb_arena *arena, lb_instance **instance)
{
    *instance = lb_instance_of(c, arena);
    return lb_check_call(&first_profile, &(*instance)->call);
}

static bool is_changed(const attempt *a, lb_leaf leaf)
{
    for (unsigned i = 0; i < a->count; i++)
        if (lb_leaf_is(a->made[i].leaf, leaf))
            return true;
    return false;
}

static bool make(attempt *a, const lb_change *change)
{
    a->made[a->count++] = *change;
    return lb_case_change(&a->build, change);
}

static void start(attempt *a, const lb_case *from, lb_arena *arena)
{
    *a = (attempt){.options = {.small = true}};
    a->build = (lb_build){.arena = arena, .c = lb_case_copy(arena, from), .options = &a->options};
    a->build.random = lb_random_start(1, 0);
}

/* Makes the earlier check hold by another leaf (of a check in C, by one of the kind that was
 * changed), so that the wanted one is still violated, and nothing before the two. */
static bool repair(attempt *a, const lb_rule *earlier, const lb_rule *wanted, lb_instance *instance)
{
    lb_change changes[LB_MOST_CHANGES];
    if (a->count == MOST_STEPS)
        return false;
    unsigned count = lb_check_changes(&instance->call, earlier, changes);
    for (unsigned i = 0; i < count; i++) {
        attempt next;
        lb_instance *there;
        bool is_telling = earlier->all || changes[i].leaf.kind == a->made[0].leaf.kind;
        if (!is_telling || is_changed(a, changes[i].leaf))
            continue;
        start(&next, a->build.c, a->build.arena);
        memcpy(next.made, a->made, sizeof next.made);
        next.count = a->count;
        if (!make(&next, &changes[i]))
            continue;
        const lb_rule *violated = first_violated(next.build.c, next.build.arena, &there);
        if (violated && violated > earlier && violated <= wanted &&
            wanted->check(&first_profile, &there->call, wanted) != LB_OK) {
            *a = next;
            return true;
        }
    }
    return false;
}

/* Changes a valid case so that it violates the rule first. LB_OK: that does not come of it. */
static lb_status violate(attempt *a, const lb_rule *wanted, const lb_change *change)
{
    bool good = make(a, change);
    while (good) {
        lb_instance *instance;
        const lb_rule *violated = first_violated(a->build.c, a->build.arena, &instance);
        if (violated == wanted)
            return instance->call.undefined == LB_SAID ? instance->call.status : LB_OK;
        good = violated && violated < wanted && repair(a, violated, wanted, instance);
    }
    return LB_OK;
}

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

static void name_case(const gathering *g, lb_case *c, const attempt *a, int64_t before)
{
    c->id = lb_arena_printf(g->arena, "%.70s.status.%.60s.%u", lb_kernel_short_name(g->kernel),
                            g->rule->name, g->count);
    c->note = lb_arena_printf(g->arena, "Violates %s: %s%s.", g->rule->name,
                              lb_case_change_text(&a->made[0], before, g->kernel, g->arena),
                              a->count > 1 ? ", and what earlier checks ask for follows" : "");
    c->tags = lb_arena_array(g->arena, 2, sizeof *c->tags);
    c->tags[0] = lb_arena_strdup(g->arena, "status");
    c->tag_count = 1;
}

/* Only what can be written and read is a case. */
static void keep(gathering *g, attempt *a, lb_status status, const try_order *tried)
{
    lb_instance *instance;
    name_case(g, a->build.c, a, tried->before);
    const char *text = lb_case_to_json(a->build.c, g->arena);
    lb_case *read = lb_arena_alloc(g->arena, sizeof *read);
    if (!text || !lb_case_from_json(text, strlen(text), g->arena, read) ||
        first_violated(read, a->build.arena, &instance) != g->rule ||
        instance->call.status != status || !lb_cover_is_defined(read))
        return;
    g->leaf[g->count] = tried->change.leaf;
    g->status[g->count] = status;
    g->cases[g->count++] = read;
}

static void gather(gathering *g, const lb_case *valid, const lb_call *call)
{
    try_order *tries = lb_arena_array(g->arena, LB_MOST_CHANGES, sizeof *tries);
    unsigned count = tries_of(call, g->rule, tries);
    lb_arena scratch = {0};
    for (unsigned i = 0; i < count && g->count < LB_STATUS_CASES; i++) {
        attempt a;
        lb_arena_reset(&scratch);
        start(&a, valid, &scratch);
        lb_status status = violate(&a, g->rule, &tries[i].change);
        if (status != LB_OK && is_wanted(g, tries[i].change.leaf, status))
            keep(g, &a, status, &tries[i]);
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
            !first_violated(&valid, arena, &instance))
            gather(&g, &valid, &instance->call);
    }
    return g.count;
}

/* ---- All checks ---- */

typedef struct totals {
    size_t cases, checks, violated;
} totals;

static void write_cases(const lb_generate_status *r, lb_case **cases, unsigned count, FILE *out,
                        lb_arena *arena)
{
    for (unsigned i = 0; i < count; i++) {
        if (r->level)
            cases[i]->tags[cases[i]->tag_count++] = lb_arena_strdup(arena, r->level);
        fprintf(out, "%s\n", lb_case_to_json(cases[i], arena));
    }
}

static void write_function(const lb_generate_status *r, const lb_kernel *kernel, FILE *out,
                           totals *sum)
{
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++) {
        lb_arena arena = {0};
        lb_case *cases[LB_STATUS_CASES];
        if (lb_rule_is_undefined(rule))
            continue;
        unsigned count = lb_status_cases_of(kernel, rule, r->seed, &arena, cases);
        write_cases(r, cases, count, out, &arena);
        sum->checks++;
        sum->violated += count > 0;
        sum->cases += count;
        if (r->list && count == 0)
            fprintf(stderr, "%s: %s: no case violates it first\n", kernel->name, rule->name);
        lb_arena_free(&arena);
    }
}

static bool write_all(void *user, FILE *out)
{
    const lb_generate_status *r = user;
    lb_arena arena = {0};
    totals sum = {0};
    fprintf(out, "%s\n",
            lb_suite_header_json(lb_arena_printf(&arena, "status.seed%lu", r->seed), &arena));
    lb_arena_free(&arena);
    for (size_t i = 0; i < lb_kernel_count && !ferror(out); i++)
        if (r->wanted[i] && lb_kernels[i].returns_status && lb_function_is_tried(&lb_kernels[i]))
            write_function(r, &lb_kernels[i], out, &sum);
    fprintf(stderr, "%zu cases violate %zu of %zu checks first\n", sum.cases, sum.violated,
            sum.checks);
    return fflush(out) == 0 && !ferror(out);
}

int lb_generate_status_run(const lb_generate_status *r)
{
    lb_generate_status wish = *r;
    return lb_generate_write(r->output, write_all, &wish);
}
