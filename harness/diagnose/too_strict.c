/* Checks that refuse too much: see too_strict.h. */
#include "harness/diagnose/too_strict.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/diagnose/decides.h"
#include "reference/describe/check.h"
#include "reference/describe/signature.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- The numbers of a check ---- */

/* The surest first: a call on the limit of the check, a number that its conditions look at, sizes
 * of its tensors, two numbers that it compares; one of the configuration beside an extent, which a
 * check that should not be there compares. */
typedef enum sort_of_number { ROOM, LEAF, SIZE, DIFFERENCE, BESIDE_EXTENT, SORTS } sort_of_number;

enum {
    MOST_LEAVES = 12,
    MOST_ROOMS = 12, /* for each condition; of checks in C for each field of the configuration */
    OF_LEAVES = MOST_ROOMS,
    OF_SIZES = OF_LEAVES + MOST_LEAVES,
    OF_DIFFERENCES = OF_SIZES + 3 * LB_ROLE_COUNT,
    OF_EXTENTS = OF_DIFFERENCES + MOST_LEAVES * (MOST_LEAVES - 1) / 2,
    EXTENTS = LB_ROLE_COUNT * LB_MAX_RANK,
    MOST_NUMBERS = OF_EXTENTS + MOST_LEAVES * EXTENTS
};

typedef struct numbers {
    int64_t value[MOST_NUMBERS];
    bool is_there[MOST_NUMBERS];
} numbers;

static sort_of_number sort_of(unsigned at)
{
    return at < OF_LEAVES        ? ROOM
           : at < OF_SIZES       ? LEAF
           : at < OF_DIFFERENCES ? SIZE
           : at < OF_EXTENTS     ? DIFFERENCE
                                 : BESIDE_EXTENT;
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

/* Numbers of the configuration less each extent. */
static void put_extents(numbers *n, const leaves *list)
{
    for (unsigned i = 0; i < list->count; i++)
        for (unsigned e = 0; list->items[i].kind == LB_LEAF_CONFIG && e < EXTENTS; e++) {
            const lb_tensor *t = list->call->tensor[e / LB_MAX_RANK];
            if (t && e % LB_MAX_RANK < t->rank)
                put(n, OF_EXTENTS + i * EXTENTS + e,
                    n->value[OF_LEAVES + i] - (int64_t)t->shape[e % LB_MAX_RANK]);
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
    put_extents(n, &list);
}

/* ---- What they tell ---- */

/* One number of one check: where it lies in calls that are taken and in those that are refused. */
typedef struct span {
    int64_t low[2], high[2]; /* [refused] */
    uint32_t calls[2];
    /* Refused calls below, and above, all that are taken; of a second test, of those that the first
     * one leaves. */
    uint32_t below, above;
    bool is_equal_met; /* the first refused number is met in a call that is taken */
} span;

typedef struct candidate {
    lb_theory *theory;
    bool may_be;             /* by the numbers that decide */
    const lb_kernel *kernel; /* of the first call, whose are the leaves; NULL: there was none */
    leaves leaves;
    span of[MOST_NUMBERS];
} candidate;

/* What tells refused calls: no call that is taken passes it. */
typedef enum test_sort { IS_BELOW, IS_ABOVE, IS_UNLIKE, IS_ONE } test_sort;

typedef struct strict_test {
    const candidate *of; /* NULL: none */
    unsigned number;
    test_sort sort;
    uint32_t refused, all; /* that pass it; that there are */
} strict_test;

static bool passes(const span *s, test_sort sort, int64_t value)
{
    switch (sort) {
    case IS_BELOW:
        return value < s->low[0];
    case IS_ABOVE:
        return value > s->high[0];
    case IS_UNLIKE:
        return value != s->low[0];
    default:
        return value == s->low[1];
    }
}

/* The test of a number by which most of the refused calls (more: of those that are left) pass. */
static strict_test test_of(const candidate *c, unsigned at, bool more, uint32_t all)
{
    enum { LEAST_TAKEN = 8 };
    const span *s = &c->of[at];
    strict_test t = {.of = c, .number = at, .sort = IS_BELOW, .refused = s->below, .all = all};
    if (s->calls[0] < LEAST_TAKEN || s->calls[1] == 0)
        return (strict_test){.of = NULL};
    if (sort_of(at) == ROOM) /* refused calls are at its end */
        return t;
    if (s->above > t.refused) {
        t.sort = IS_ABOVE;
        t.refused = s->above;
    }
    if (s->low[0] == s->high[0] && s->below > 0 && s->above > 0) {
        t.sort = IS_UNLIKE;
        t.refused = s->below + s->above;
    }
    if (!more && s->low[1] == s->high[1] && !s->is_equal_met && t.refused < s->calls[1]) {
        t.sort = IS_ONE;
        t.refused = s->calls[1];
    }
    return t;
}

/* All refused calls, or so many that it is no chance. */
static bool is_telling(const strict_test *t)
{
    enum { LEAST_REFUSED = 2, LEAST_OF_SOME = 8, ONE_IN = 4 };
    return t->refused >= (t->refused == t->all ? LEAST_REFUSED : LEAST_OF_SOME) &&
           t->refused * ONE_IN >= t->all;
}

/* All before some; of those by which all pass the surer sort, both that compare two numbers being
 * one; that by which most pass; of the check that looks at fewer numbers. */
static bool is_better(const strict_test *t, const strict_test *than)
{
    const bool whole = t->refused == t->all, other_is_whole = than->refused == than->all;
    const sort_of_number sort = sort_of(t->number), other = sort_of(than->number);
    if (!than->of || whole != other_is_whole)
        return !than->of || whole;
    if (whole && sort != other && (sort < DIFFERENCE || other < DIFFERENCE))
        return sort < other;
    if (t->refused != than->refused)
        return t->refused > than->refused;
    return t->of->leaves.count < than->of->leaves.count;
}

static strict_test best_test(const candidate *list, size_t count, bool more, uint32_t all)
{
    strict_test best = {.of = NULL};
    for (size_t i = 0; i < count; i++)
        for (unsigned at = 0; at < MOST_NUMBERS; at++) {
            const strict_test t = test_of(&list[i], at, more, more ? all : list[i].of[at].calls[1]);
            if (t.of && (more || t.of->may_be) && is_telling(&t) && is_better(&t, &best))
                best = t;
        }
    return best;
}

/* ---- In words ---- */

static const char *label_of(const strict_test *t, unsigned leaf, lb_arena *arena)
{
    char text[LB_LEAF_LABEL_BYTES];
    return lb_arena_printf(arena, "%s",
                           lb_leaf_label(t->of->kernel, t->of->leaves.items[leaf], text));
}

/* The two numbers of a difference. */
static void labels_of(const strict_test *t, lb_arena *arena, const char *of[2])
{
    if (sort_of(t->number) == BESIDE_EXTENT) {
        const unsigned at = t->number - OF_EXTENTS, e = at % EXTENTS;
        of[0] = label_of(t, at / EXTENTS, arena);
        of[1] = lb_arena_printf(arena, "extent %u of %s", e % LB_MAX_RANK,
                                lb_role_name((lb_role)(e / LB_MAX_RANK)));
        return;
    }
    unsigned at = t->number - OF_DIFFERENCES, i = 1;
    for (; at >= i; i++)
        at -= i;
    of[0] = label_of(t, i, arena);
    of[1] = label_of(t, at, arena);
}

/* "stride_height is more than extent 0 of weights"; NULL: its number has no words. */
static const char *test_words(const strict_test *t, lb_arena *arena)
{
    static const char *const sides[] = {"less", "more"};
    const span *s = &t->of->of[t->number];
    const sort_of_number sort = sort_of(t->number);
    const int64_t limit = t->sort == IS_ABOVE ? s->high[0] : s->low[0];
    if (sort == LEAF && t->sort < IS_UNLIKE)
        return lb_arena_printf(arena, "%s is %s than %" PRId64,
                               label_of(t, t->number - OF_LEAVES, arena), sides[t->sort], limit);
    if (sort < DIFFERENCE || t->sort == IS_ONE || (t->sort == IS_UNLIKE && limit != 0))
        return NULL;
    const char *of[2];
    labels_of(t, arena, of);
    if (t->sort == IS_UNLIKE)
        return lb_arena_printf(arena, "%s is not %s", of[0], of[1]);
    if (limit == 0)
        return lb_arena_printf(arena, "%s is %s than %s", of[0], sides[t->sort], of[1]);
    return lb_arena_printf(arena, "%s less %s is %s than %" PRId64, of[0], of[1], sides[t->sort],
                           limit);
}

/* ---- Calls ---- */

static void take(span *s, int64_t value, bool refused)
{
    if (s->calls[refused]++ == 0)
        s->low[refused] = s->high[refused] = value;
    s->low[refused] = value < s->low[refused] ? value : s->low[refused];
    s->high[refused] = value > s->high[refused] ? value : s->high[refused];
    s->is_equal_met = s->is_equal_met || (!refused && s->calls[1] > 0 && value == s->low[1]);
}

/* What a walk through calls does with the numbers of a call. */
typedef enum walk { TAKE_REFUSED, TAKE_TAKEN, COUNT_REFUSED, WALKS } walk;

typedef struct strict_search {
    lb_diagnosing *g;
    candidate *list;
    size_t count;
    walk walk;
    strict_test first; /* calls that pass it are not counted any more */
    uint32_t left;     /* refused calls that do not pass it */
} strict_search;

static void take_numbers(const strict_search *s, span *of, const numbers *n)
{
    for (unsigned k = 0; k < MOST_NUMBERS; k++) {
        if (!n->is_there[k])
            continue;
        if (s->walk <= TAKE_TAKEN)
            take(&of[k], n->value[k], s->walk == TAKE_REFUSED);
        else if (of[k].calls[0] > 0) {
            of[k].below += n->value[k] < of[k].low[0];
            of[k].above += n->value[k] > of[k].high[0];
        }
    }
}

/* Does the call pass the first test? */
static bool passes_first(const strict_search *s, const lb_context *context, const lb_call *call,
                         const lb_function *f)
{
    numbers n;
    const lb_fault *fault = lb_theory_fault_in(s->first.of->theory, f);
    if (!fault)
        return false;
    numbers_of(&n, context, call, fault->rule);
    return n.is_there[s->first.number] &&
           passes(&s->first.of->of[s->first.number], s->first.sort, n.value[s->first.number]);
}

/* Calls that the specification takes: of those that it refuses nothing is known here. */
static void take_call(strict_search *s, const lb_tried *t, const lb_function *f)
{
    lb_arena arena = {0};
    numbers n;
    lb_evidence *e = s->g->e;
    const lb_case *c = lb_evidence_case(e, t);
    const lb_context context = {.profile = e->profiles[t->profile]};
    lb_instance *instance = c && c->chain.steps == 0 ? lb_instance_of(c, &arena) : NULL;
    bool is_taken = instance && !lb_check_call(&context, &instance->call);
    if (is_taken && s->first.of) {
        is_taken = !passes_first(s, &context, &instance->call, f);
        s->left += is_taken;
    }
    for (size_t i = 0; is_taken && i < s->count; i++) {
        candidate *own = &s->list[i];
        const lb_fault *fault = lb_theory_fault_in(own->theory, f);
        if (!fault)
            continue;
        if (!own->kernel) {
            own->kernel = f->kernel;
            own->leaves = leaves_of(&instance->call, fault->rule);
        }
        numbers_of(&n, &context, &instance->call, fault->rule);
        take_numbers(s, own->of, &n);
    }
    lb_arena_free(&arena);
}

static void take_calls(strict_search *s, const lb_theory *theory)
{
    const bool refused = s->walk != TAKE_TAKEN;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_theory_part *part = &theory->parts[i];
        const lb_function *f = part->function;
        const uint32_t *items = refused ? f->failing : f->passing;
        const size_t used = refused ? f->failing_used : f->passing_used;
        for (size_t r = 0; r < used; r++)
            if (!refused || part->suspect->words[r] == LB_WORD_EXPLAINS)
                take_call(s, &s->g->e->items[items[r]], f);
    }
}

static void gather_candidates(strict_search *s, const lb_theory *theory, size_t most)
{
    const lb_fault *told = lb_theory_fault(theory);
    for (size_t i = 0; i < s->g->theories.count && s->count < most; i++) {
        lb_theory *t = &s->g->theories.items[i];
        const lb_fault *fault = lb_theory_fault(t);
        if (t->dropped || fault->kind != told->kind || fault->argument != told->argument ||
            !lb_theory_holds(t, theory))
            continue;
        s->list[s->count++] = (candidate){.theory = t};
    }
}

/* What the test says, and a second one of what it leaves; NULL: they do not tell all that is
 * refused. */
static const char *condition_of(strict_search *s, const lb_theory *theory)
{
    lb_arena *arena = &s->g->d->arena;
    const char *first = test_words(&s->first, arena);
    if (!first || s->first.refused == s->first.all)
        return first;
    for (size_t i = 0; i < s->count; i++)
        for (unsigned at = 0; at < MOST_NUMBERS; at++)
            s->list[i].of[at].below = s->list[i].of[at].above = 0;
    s->walk = COUNT_REFUSED;
    take_calls(s, theory);
    const strict_test more = best_test(s->list, s->count, true, s->left);
    const char *second = more.of && more.refused == s->left ? test_words(&more, arena) : NULL;
    return second ? lb_arena_printf(arena, "%s, or %s", first, second) : NULL;
}

/* Of the theory's results that are refused, number `turn` of `turns` from the smallest on. */
static const lb_tried *some_refused(const lb_diagnosing *g, const lb_theory_part *part, size_t turn,
                                    size_t turns)
{
    const lb_function *f = part->function;
    size_t refused = 0, at = 0;
    for (size_t r = 0; r < f->failing_used; r++)
        refused += part->suspect->words[r] == LB_WORD_EXPLAINS;
    if (turn >= refused)
        return NULL;
    for (size_t r = 0, wanted = turns < refused ? turn * refused / turns : turn; at <= wanted; r++)
        if (part->suspect->words[r] == LB_WORD_EXPLAINS && at++ == wanted)
            return &g->e->items[f->failing[r]];
    return NULL;
}

/* The more of its numbers decide, and the fewer do not, the likelier it is the check. */
static double standing_of(const lb_deciding *check)
{
    return check->all == 0 ? 0 : (double)check->decide * check->decide / check->all;
}

/* The part of the smallest refused call. */
static const lb_theory_part *smallest_part(const lb_diagnosing *g, const lb_theory *theory)
{
    const lb_theory_part *best = &theory->parts[0];
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_tried *t = some_refused(g, &theory->parts[i], 0, 1);
        if (t && t->size < least) {
            least = t->size;
            best = &theory->parts[i];
        }
    }
    return best;
}

/* Which numbers decide the refusal, the port says: notes the checks that look at these. Gives the
 * one whose numbers go best with it; NULL: no number decides, and any check may be it. */
static lb_theory *note_deciding(strict_search *s, const lb_theory *theory)
{
    enum { MOST_TRIED = 4 };
    const lb_theory_part *part = smallest_part(s->g, theory);
    lb_deciding checks[LB_MOST_DECIDING];
    const lb_tried *t;
    size_t best = 0;
    for (size_t i = 0; i < s->count; i++) {
        const lb_fault *fault = lb_theory_fault_in(s->list[i].theory, part->function);
        checks[i] = (lb_deciding){.rule = fault ? fault->rule : NULL};
    }
    for (size_t k = 0; k < MOST_TRIED; k++)
        if ((t = some_refused(s->g, part, k, MOST_TRIED)) != NULL)
            lb_decides(s->g, t, checks, (unsigned)s->count);
    for (size_t i = 1; i < s->count; i++)
        best = standing_of(&checks[i]) > standing_of(&checks[best]) ? i : best;
    const bool any = standing_of(&checks[best]) > 0;
    for (size_t i = 0; i < s->count; i++)
        s->list[i].may_be = !any || i == best || checks[i].decide * 2 > checks[i].all;
    return any ? s->list[best].theory : NULL;
}

lb_theory *lb_strictest_theory(lb_diagnosing *g, lb_theory *theory, const char **condition)
{
    enum { MOST_CANDIDATES = LB_MOST_DECIDING };
    strict_search s = {.g = g, .list = lb_resized(NULL, MOST_CANDIDATES * sizeof *s.list)};
    *condition = NULL;
    gather_candidates(&s, theory, MOST_CANDIDATES);
    lb_theory *decided = s.count > 1 ? note_deciding(&s, theory) : NULL;
    for (s.walk = TAKE_REFUSED; s.count > 1 && s.walk <= COUNT_REFUSED; s.walk++)
        take_calls(&s, theory);
    s.first = best_test(s.list, s.count, false, 0);
    lb_theory *found = s.first.of ? s.first.of->theory : decided ? decided : theory;
    if (s.first.of)
        *condition = condition_of(&s, theory);
    free(s.list);
    return found;
}
