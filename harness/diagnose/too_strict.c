/* Checks that refuse too much: see too_strict.h. */
#include "harness/diagnose/too_strict.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "reference/describe/check.h"

#include <stdlib.h>

/* ---- The numbers of a check ---- */

/* The surest first: a call on the limit of the check, a number that its conditions look at, sizes
 * of its tensors, two numbers that it compares. */
typedef enum sort_of_number { ROOM, LEAF, SIZE, DIFFERENCE, SORTS } sort_of_number;

enum {
    MOST_LEAVES = 12,
    MOST_ROOMS = 12, /* for each condition; of checks in C for each field of the configuration */
    OF_LEAVES = MOST_ROOMS,
    OF_SIZES = OF_LEAVES + MOST_LEAVES,
    OF_DIFFERENCES = OF_SIZES + 3 * LB_ROLE_COUNT,
    MOST_NUMBERS = OF_DIFFERENCES + MOST_LEAVES * (MOST_LEAVES - 1) / 2
};

typedef struct numbers {
    int64_t value[MOST_NUMBERS];
    bool is_there[MOST_NUMBERS];
} numbers;

static sort_of_number sort_of(unsigned at)
{
    return at < OF_LEAVES ? ROOM : at < OF_SIZES ? LEAF : at < OF_DIFFERENCES ? SIZE : DIFFERENCE;
}

static void put(numbers *n, unsigned at, int64_t value)
{
    n->value[at] = value;
    n->is_there[at] = true;
}

typedef struct leaves {
    const lb_call *call;
    lb_leaf items[MOST_LEAVES];
    unsigned count;
} leaves;

static void add_leaf(leaves *list, lb_leaf leaf)
{
    if (leaf.kind == LB_LEAF_NONE || leaf.kind == LB_LEAF_NUMBER || list->count == MOST_LEAVES ||
        (lb_leaf_is_of_tensor(leaf) && !list->call->tensor[leaf.role]))
        return;
    for (unsigned i = 0; i < list->count; i++)
        if (lb_leaf_is(list->items[i], leaf))
            return;
    list->items[list->count++] = leaf;
}

/* Of a condition for each dimension those of the first ones. */
static leaves leaves_of(const lb_call *call, const lb_rule *rule)
{
    leaves list = {.call = call};
    for (const lb_condition *c = rule->all; c && c->is != LB_NO_CONDITION; c++)
        for (int dim = 0; dim < (c->each.kind == LB_LEAF_NONE ? 1 : 2); dim++)
            for (unsigned t = 0; t < LB_CHECK_TERMS && c->term[t].n != 0; t++)
                for (unsigned f = 0; f < LB_CHECK_FACTORS; f++)
                    add_leaf(&list, lb_check_leaf_at(c->term[t].of[f], dim, LB_MAX_RANK));
    return list;
}

static void put_sizes(numbers *n, const lb_call *call, const lb_rule *rule)
{
    const uint32_t roles = rule->all ? lb_check_roles(call->kernel, rule) : 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_tensor *t = (roles >> role & 1) != 0 ? call->tensor[role] : NULL;
        const unsigned at = OF_SIZES + 3 * (unsigned)role;
        if (!t || t->rank > LB_MAX_RANK)
            continue;
        const int64_t count = (int64_t)lb_element_count(t);
        put(n, at, t->rank);
        put(n, at + 1, count);
        put(n, at + 2, t->rank > 0 && count == t->shape[t->rank - 1]);
    }
}

/* By this row, and by none before it, on which it may rely? */
static bool is_refused_by(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    const lb_rule *before = call->kernel->rules;
    while (before != rule && before->check(context, call, before) == LB_OK)
        before++;
    return before == rule && rule->check(context, call, rule) != LB_OK;
}

/* Of a check in C: is the call refused with one more or one less in a number of the configuration,
 * or in any of a list? Then it is on the limit, and has no room. */
static void put_rooms_of_config(numbers *n, const lb_context *context, const lb_call *call,
                                const lb_rule *rule)
{
    const lb_config_field *field = lb_config_fields(call->kernel->config_kind);
    for (unsigned at = 0; field && field->name && at < MOST_ROOMS; field++, at++) {
        bool is_refused = false;
        for (unsigned entry = 0; entry < field->count; entry++)
            for (int by = -1; by <= 1; by += 2) {
                lb_call other = *call;
                lb_config_set(&other.config, field, entry,
                              lb_config_get(&call->config, field, entry) + by);
                is_refused = is_refused || is_refused_by(context, &other, rule);
            }
        put(n, at, is_refused ? 0 : 1);
    }
}

static void put_rooms(numbers *n, const lb_context *context, const lb_call *call,
                      const lb_rule *rule)
{
    const lb_condition *c = rule->all;
    if (!c)
        put_rooms_of_config(n, context, call, rule);
    for (unsigned at = 0; c && c->is != LB_NO_CONDITION && at < MOST_ROOMS; c++, at++) {
        const int64_t room = lb_check_room(call, rule, c);
        if (room != INT64_MAX)
            put(n, at, room);
    }
}

static void numbers_of(numbers *n, const lb_context *context, const lb_call *call,
                       const lb_rule *rule)
{
    const lb_map *map = lb_map_of(call->kernel);
    const leaves list = leaves_of(call, rule);
    unsigned at = OF_DIFFERENCES;
    *n = (numbers){.value = {0}};
    put_rooms(n, context, call, rule);
    for (unsigned i = 0; i < list.count; i++)
        put(n, OF_LEAVES + i, lb_leaf_value(map, call, list.items[i]));
    put_sizes(n, call, rule);
    for (unsigned i = 0; i < list.count; i++)
        for (unsigned k = 0; k < i; k++, at++)
            put(n, at, n->value[OF_LEAVES + i] - n->value[OF_LEAVES + k]);
}

/* ---- What they tell ---- */

/* One number of one check: where it lies in calls that are taken and in those that are refused. */
typedef struct span {
    int64_t low[2], high[2]; /* [refused] */
    size_t calls[2];
    bool is_equal_met; /* the first refused number is met in a call that is taken */
} span;

typedef struct candidate {
    lb_theory *theory;
    span of[MOST_NUMBERS];
} candidate;

static void take(span *s, int64_t value, bool refused)
{
    if (s->calls[refused]++ == 0)
        s->low[refused] = s->high[refused] = value;
    s->low[refused] = value < s->low[refused] ? value : s->low[refused];
    s->high[refused] = value > s->high[refused] ? value : s->high[refused];
    s->is_equal_met = s->is_equal_met || (!refused && s->calls[1] > 0 && value == s->low[1]);
}

/* A limit, or one number, lies between the two. Of a room, the refused calls are at its end. */
static bool tells(const span *s, sort_of_number sort)
{
    enum { LEAST_REFUSED = 2, LEAST_TAKEN = 8 };
    if (s->calls[1] < LEAST_REFUSED || s->calls[0] < LEAST_TAKEN)
        return false;
    if (sort == ROOM)
        return s->high[1] < s->low[0];
    return s->high[1] < s->low[0] || s->low[1] > s->high[0] ||
           (s->low[1] == s->high[1] && !s->is_equal_met);
}

static sort_of_number surest(const candidate *c)
{
    sort_of_number best = SORTS;
    for (unsigned i = 0; i < MOST_NUMBERS; i++)
        if (sort_of(i) < best && tells(&c->of[i], sort_of(i)))
            best = sort_of(i);
    return best;
}

/* ---- Calls ---- */

/* Calls that the specification takes: of those that it refuses nothing is known here. */
static void take_call(lb_diagnosing *g, const lb_tried *t, const lb_function *f, bool refused,
                      candidate *list, size_t count)
{
    lb_arena arena = {0};
    numbers n;
    const lb_case *c = lb_evidence_case(g->e, t);
    const lb_context context = {.profile = g->e->profiles[t->profile]};
    lb_instance *instance = c && c->chain.steps == 0 ? lb_instance_of(c, &arena) : NULL;
    bool is_taken = instance && !lb_check_call(&context, &instance->call);
    for (size_t i = 0; is_taken && i < count; i++) {
        const lb_fault *fault = lb_theory_fault_in(list[i].theory, f);
        if (!fault)
            continue;
        numbers_of(&n, &context, &instance->call, fault->rule);
        for (unsigned k = 0; k < MOST_NUMBERS; k++)
            if (n.is_there[k])
                take(&list[i].of[k], n.value[k], refused);
    }
    lb_arena_free(&arena);
}

/* The refused ones first. */
static void take_calls(lb_diagnosing *g, const lb_theory *theory, candidate *list, size_t count)
{
    for (int refused = 1; refused >= 0; refused--)
        for (size_t i = 0; i < theory->part_count; i++) {
            const lb_theory_part *part = &theory->parts[i];
            const lb_function *f = part->function;
            const uint32_t *items = refused ? f->failing : f->passing;
            const size_t used = refused ? f->failing_used : f->passing_used;
            for (size_t r = 0; r < used; r++)
                if (!refused || part->suspect->words[r] == LB_WORD_EXPLAINS)
                    take_call(g, &g->e->items[items[r]], f, refused != 0, list, count);
        }
}

lb_theory *lb_strictest_theory(lb_diagnosing *g, lb_theory *theory)
{
    enum { MOST_CANDIDATES = 48 };
    const lb_fault *told = lb_theory_fault(theory);
    candidate *list = lb_resized(NULL, MOST_CANDIDATES * sizeof *list);
    lb_theory *found = theory;
    sort_of_number best = SORTS;
    size_t count = 0;
    for (size_t i = 0; i < g->theories.count && count < MOST_CANDIDATES; i++) {
        lb_theory *t = &g->theories.items[i];
        const lb_fault *fault = lb_theory_fault(t);
        if (t->dropped || fault->kind != told->kind || fault->argument != told->argument ||
            !lb_theory_holds(t, theory))
            continue;
        list[count++] = (candidate){.theory = t};
    }
    if (count > 1)
        take_calls(g, theory, list, count);
    for (size_t i = 0; i < count; i++) {
        const sort_of_number sort = surest(&list[i]);
        if (sort < best)
            found = list[i].theory;
        best = sort < best ? sort : best;
    }
    free(list);
    return found;
}
