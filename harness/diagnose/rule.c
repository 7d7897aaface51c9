/* Rules that separate rows: see rule.h. */
#include "harness/diagnose/rule.h"
#include "harness/base/xalloc.h"

#include <inttypes.h>
#include <string.h>

/* ---- Tests ---- */

/* What a feature is compared with. */
typedef enum partner {
    NUMBER,
    REST, /* its rest, with a number */
    TAIL, /* 1 behind the last whole block of so many, else 0 */
    FEATURE
} partner;
typedef enum relation { IS, AT_LEAST, AT_MOST, IS_NOT, MORE, LESS, RELATIONS } relation;

typedef struct test {
    partner with;
    relation relation;
    unsigned feature,
        other; /* other: of two that are compared; of a tail its distance to the end */
    int64_t number, modulus;
    int64_t inside, outside; /* of a limit: the nearest that were met on its sides */
    size_t misses;           /* rows outside for which it holds all the same */
} test;

/* The kinds of short rules, the plainest first. */
static const struct {
    partner with;
    relation relation;
} kinds[] = {{NUMBER, IS},    {NUMBER, AT_LEAST}, {NUMBER, AT_MOST}, {NUMBER, IS_NOT},
             {REST, IS},      {REST, IS_NOT},     {TAIL, IS},        {FEATURE, IS},
             {FEATURE, MORE}, {FEATURE, LESS},    {FEATURE, IS_NOT}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The rows of a search; features that are the same in all of them tell nothing. */
typedef struct table {
    const lb_features *rows;
    size_t count;
    unsigned feature[LB_MAX_FEATURES];
    unsigned feature_count;
    const lb_border *border;              /* NULL: nobody can be asked */
    bool compares;                        /* numbers are compared with each other */
    unsigned (*end_of)(unsigned feature); /* see lb_rule_names */
    bool *out;         /* rows outside that the first test of two rules out; NULL: none yet */
    const test *first; /* ... and it */
} table;

static bool is_limit(const test *t)
{
    return t->with == NUMBER && (t->relation == AT_LEAST || t->relation == AT_MOST);
}

/* What the test compares of a row. */
static int64_t value_of(const test *t, const lb_features *row)
{
    const int64_t v = row->value[t->feature];
    if (t->with == TAIL) {
        const int64_t size = v + row->value[t->other] + 1;
        return v >= size - size % t->modulus;
    }
    return t->with == REST ? (v % t->modulus + t->modulus) % t->modulus : v;
}

static bool holds(const test *t, const lb_features *row)
{
    const int64_t v = value_of(t, row);
    const int64_t other = t->with == FEATURE ? row->value[t->other] : t->number;
    switch (t->relation) {
    case IS:
        return v == other;
    case AT_LEAST:
        return v >= other;
    case AT_MOST:
        return v <= other;
    case IS_NOT:
        return v != other;
    case MORE:
        return v > other;
    case LESS:
    case RELATIONS:
        break;
    }
    return v < other;
}

static bool is_out(const table *t, size_t row)
{
    return t->out && t->out[row];
}

/* Cases are few where elements are many: what is the same for a whole case is believed only of
 * several. */
enum { LEAST_CASES = 3, LEAST_SUCH_CASES = 3 };

static bool are_cases_enough(const table *of, bool inside, size_t least)
{
    uint64_t met[LEAST_SUCH_CASES];
    size_t count = 0;
    for (size_t i = 0; i < of->count && count < least; i++) {
        bool known = of->rows[i].inside != inside || is_out(of, i);
        for (size_t k = 0; k < count; k++)
            known = known || met[k] == of->rows[i].of_case;
        if (!known)
            met[count++] = of->rows[i].of_case;
    }
    return count >= least;
}

static bool is_seen_enough(const test *t, const table *of, bool inside, size_t least)
{
    return (t->with != FEATURE && lb_feature_is_of_element(t->feature)) ||
           are_cases_enough(of, inside, least);
}

/* Rows outside for which the test holds all the same; SIZE_MAX: it does not hold for one inside. */
static size_t count_misses(const test *t, const table *of)
{
    size_t misses = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (is_out(of, i))
            continue;
        bool held = holds(t, &of->rows[i]);
        if (of->rows[i].inside && !held)
            return SIZE_MAX;
        misses += held && !of->rows[i].inside;
    }
    return misses;
}

/* The number that a test of this kind must have, from the rows inside (or, of IS_NOT, outside).
 */
static bool fill_test(test *t, const table *of)
{
    bool any = false;
    for (size_t i = 0; i < of->count; i++) {
        const int64_t v = value_of(t, &of->rows[i]);
        if (is_out(of, i) || of->rows[i].inside == (t->relation == IS_NOT))
            continue;
        if (!any || (t->relation == AT_LEAST && v < t->number) ||
            (t->relation == AT_MOST && v > t->number))
            t->number = v;
        any = true;
    }
    return any;
}

/* ---- Limits ---- */

/* Of the numbers from `low` to `high`, the one that a person would have chosen as a limit. */
static int64_t roundest(int64_t low, int64_t high)
{
    for (int64_t unit = INT64_C(1) << 40; unit > 1; unit /= 2) {
        if (high < INT64_MIN + unit)
            continue; /* there is no multiple of it below */
        int64_t n = high - (high % unit + unit) % unit;
        if (n >= low && (n != 0 || low == 0))
            return n;
    }
    return high;
}

/* Behind a limit that a rule names: the nearest numbers that were met on its two sides, where they
 * are not neighbours. */
static const char *sides_of(const test *t, lb_arena *arena)
{
    uint64_t apart = t->inside > t->outside ? (uint64_t)t->inside - (uint64_t)t->outside
                                            : (uint64_t)t->outside - (uint64_t)t->inside;
    return apart <= 1 ? ""
                      : lb_arena_printf(arena,
                                        " (seen at %" PRId64 ", not at %" PRId64
                                        "; none between was tried)",
                                        t->inside, t->outside);
}

/* A limit may lie anywhere between the rows inside and those outside. */
static void set_limit(test *t, int64_t inside, int64_t outside)
{
    t->number =
        t->relation == AT_LEAST ? roundest(outside + 1, inside) : roundest(inside, outside - 1);
}

static void choose_limit(test *t, const table *of)
{
    bool any = false;
    int64_t next = 0;
    t->inside = t->outside = t->number;
    for (size_t i = 0; i < of->count; i++) {
        int64_t v = of->rows[i].value[t->feature];
        bool beyond = t->relation == AT_LEAST ? v < t->number : v > t->number;
        if (is_out(of, i) || of->rows[i].inside || !beyond)
            continue;
        if (!any || (t->relation == AT_LEAST ? v > next : v < next))
            next = v;
        any = true;
    }
    if (!any)
        return;
    t->outside = next;
    set_limit(t, t->number, next);
}

/* ---- Borders ---- */

/* Narrows the limit by a number between what was met on its sides. False: it could not be. */
static bool ask_at(test *t, const lb_border *border, int64_t value)
{
    const bool is_between = t->relation == AT_LEAST ? value < t->inside && value > t->outside
                                                    : value > t->inside && value < t->outside;
    const lb_side side =
        is_between ? border->ask(border->user, t->feature, value) : LB_SIDE_UNKNOWN;
    t->inside = side == LB_SIDE_INSIDE ? value : t->inside;
    t->outside = side == LB_SIDE_OUTSIDE ? value : t->outside;
    return side != LB_SIDE_UNKNOWN;
}

/* A limit of a rule, tried: first where it is thought to be, then in the middle of what is left. */
static test settled(const test *found, const table *of)
{
    test t = *found;
    const int64_t step = t.relation == AT_LEAST ? 1 : -1;
    if (!of->border || !is_limit(&t))
        return t;
    ask_at(&t, of->border, t.number);
    ask_at(&t, of->border, t.number - step);
    while ((t.inside - t.outside) * step > 1) {
        const int64_t middle = t.outside + (t.inside - t.outside) / 2;
        if (!ask_at(&t, of->border, middle) && !ask_at(&t, of->border, middle + step))
            break;
    }
    if (t.inside != found->inside || t.outside != found->outside)
        set_limit(&t, t.inside, t.outside);
    return t;
}

static void note(lb_rule_told *told, unsigned feature)
{
    if (told && told->count < sizeof told->feature / sizeof *told->feature)
        told->feature[told->count++] = feature;
}

static const char *words_of(const test *t, const lb_rule_names *names, lb_arena *arena)
{
    static const char *const between[RELATIONS] = {
        [IS] = "equals",           [MORE] = "is more than",    [LESS] = "is less than",
        [IS_NOT] = "differs from", [AT_LEAST] = "is at least", [AT_MOST] = "is at most"};
    static const char *const behind[RELATIONS] = {[AT_LEAST] = " or more", [AT_MOST] = " or less"};
    const char *name = names->name(names->user, t->feature, arena);
    note(names->told, t->feature);
    if (t->with == FEATURE) {
        note(names->told, t->other);
        return lb_arena_printf(arena, "%s %s %s", name, between[t->relation],
                               names->name(names->user, t->other, arena));
    }
    if (t->with == TAIL)
        return lb_arena_printf(arena, "%s lies %s of %" PRId64, name,
                               t->number == 1 ? "behind the last whole block" : "in whole blocks",
                               t->modulus);
    if (t->with == REST && t->modulus == 2)
        return lb_arena_printf(arena, "%s is %s", name,
                               (t->number == 1) == (t->relation == IS) ? "odd" : "even");
    if (t->with == REST)
        name = lb_arena_printf(arena, "%s mod %" PRId64, name, t->modulus);
    return lb_arena_printf(
        arena, "%s is%s %" PRId64 "%s%s", name, t->relation == IS_NOT ? " not" : "", t->number,
        is_limit(t) ? behind[t->relation] : "", is_limit(t) ? sides_of(t, arena) : "");
}

/* ---- Rules ---- */

/* First tests that leave few rows outside; a second one is looked for with each. */
enum { MOST_FIRST = 10 };

typedef struct firsts {
    test tests[MOST_FIRST];
    size_t count;
} firsts;

static void keep_first(firsts *f, const test *t)
{
    size_t at = f->count;
    while (at > 0 && f->tests[at - 1].misses > t->misses)
        at--;
    test *kept = lb_room_at(f->tests, sizeof *f->tests, &f->count, MOST_FIRST, at);
    if (kept)
        *kept = *t;
}

/* A rest is believed of several numbers that have it. */
static bool is_of_several_numbers(const test *t, const table *of)
{
    enum { LEAST_NUMBERS = 3 };
    int64_t met[LEAST_NUMBERS];
    size_t count = 0, least = t->modulus > 2 ? LEAST_NUMBERS : LEAST_NUMBERS - 1;
    for (size_t i = 0; i < of->count && count < least; i++) {
        int64_t v = of->rows[i].value[t->feature];
        bool known = is_out(of, i) || of->rows[i].inside != (t->relation == IS);
        for (size_t k = 0; k < count; k++)
            known = known || met[k] == v;
        if (!known)
            met[count++] = v;
    }
    return count >= least;
}

static bool is_believed(const test *t, const table *of)
{
    const bool is = t->with == NUMBER && t->relation == IS;
    const bool is_not = t->with == NUMBER && t->relation == IS_NOT;
    size_t outside = 0;
    for (size_t i = 0; i < of->count; i++)
        outside += !of->rows[i].inside && !is_out(of, i);
    if ((is_not && outside < LEAST_SUCH_CASES) ||
        (t->with == REST && !is_of_several_numbers(t, of)))
        return false;
    return is_seen_enough(t, of, true, is ? LEAST_SUCH_CASES : LEAST_CASES) &&
           is_seen_enough(t, of, false, is_not ? LEAST_SUCH_CASES : LEAST_CASES);
}

/* Is the test one that holds for every row inside, of which enough are seen? Fills in its numbers.
 */
static bool is_test(test *t, const table *of)
{
    /* Of values a limit may be told; a certain one is chance. */
    const bool may_be = t->with == FEATURE ? lb_feature_are_comparable(t->feature, t->other)
                                           : !lb_feature_is_value(t->feature) || is_limit(t);
    if (!may_be || (t->with != FEATURE && !fill_test(t, of)))
        return false;
    t->misses = count_misses(t, of);
    if (t->misses == SIZE_MAX || !is_believed(t, of))
        return false;
    if (is_limit(t))
        choose_limit(t, of);
    return true;
}

/* A rest of a block other than none at all, beside another test: nearly always chance. */
static bool is_odd_rest(const test *t)
{
    return t->with == REST && t->modulus > 2 && t->number != 0;
}

/* All tests of a kind that hold for every row inside: true with *found where one leaves nothing
 * outside, else the best are kept. Of a relation `other` is another feature, else what is divided
 * by. */
static bool try_kind(size_t kind, const table *of, test *found, firsts *kept)
{
    static const int64_t moduli[] = {2, 4, 8, 16, 32, 3, 64};
    const partner with = kinds[kind].with;
    const bool divides = with == REST || with == TAIL;
    const size_t others = with == FEATURE               ? (of->compares ? of->feature_count : 0)
                          : with == TAIL && !of->end_of ? 0
                          : divides                     ? sizeof moduli / sizeof *moduli
                                                        : 1;
    for (size_t o = 0; o < others; o++)
        for (size_t i = with == FEATURE ? o + 1 : 0; i < of->feature_count; i++) {
            test t = {.with = with,
                      .relation = kinds[kind].relation,
                      .feature = of->feature[i],
                      .other = with == FEATURE ? of->feature[o]
                               : with == TAIL  ? of->end_of(of->feature[i])
                                               : 0,
                      .modulus = divides ? moduli[o] : 0};
            if (with == TAIL && t.other == t.feature)
                continue;
            if (!is_test(&t, of) || (of->first && is_odd_rest(&t)))
                continue;
            *found = t;
            if (t.misses == 0)
                return true;
            if (kept && !is_odd_rest(&t))
                keep_first(kept, &t);
        }
    return false;
}

/* Of two tests both compare, or the first alone: there are too many pairs. */
static bool try_all(const table *of, test *found, firsts *kept)
{
    const bool compares = !of->first || of->first->with == FEATURE;
    for (size_t kind = 0; kind < KINDS; kind++)
        if ((compares || kinds[kind].with != FEATURE) && try_kind(kind, of, found, kept))
            return true;
    return false;
}

/* Two tests that must both hold; of one feature, a range. NULL: nothing is left between its ends,
 * or a single value, which is chance. */
static const char *words_of_two(const test *first, const test *second, const table *of,
                                const lb_rule_names *names, lb_arena *arena)
{
    const test settled_a = settled(first, of), settled_b = settled(second, of);
    const test *a = &settled_a, *b = &settled_b;
    const test *low = a->relation == AT_LEAST ? a : b, *high = low == a ? b : a;
    if (a->feature != b->feature || !is_limit(a) || !is_limit(b) || low->relation != AT_LEAST ||
        high->relation != AT_MOST)
        return lb_arena_printf(arena, "%s, and %s", words_of(a, names, arena),
                               words_of(b, names, arena));
    if (low->number > high->number ||
        (low->number == high->number && lb_feature_is_value(a->feature)))
        return NULL;
    const char *name = names->name(names->user, a->feature, arena);
    return low->number == high->number ? lb_arena_printf(arena, "%s is %" PRId64, name, low->number)
                                       : lb_arena_printf(arena, "%s is %" PRId64 " to %" PRId64,
                                                         name, low->number, high->number);
}

/* ---- One of two ---- */

static test negated(const test *t)
{
    static const relation other[RELATIONS] = {
        [IS] = IS_NOT,    [IS_NOT] = IS,    [AT_LEAST] = LESS,
        [AT_MOST] = MORE, [MORE] = AT_MOST, [LESS] = AT_LEAST};
    test n = *t;
    n.relation = other[t->relation];
    n.inside = t->outside;
    n.outside = t->inside;
    if (is_limit(t)) { /* of whole numbers: below 5 is 4 or less */
        n.relation = t->relation == AT_MOST ? AT_LEAST : AT_MOST;
        n.number += t->relation == AT_MOST ? 1 : -1;
    }
    return n;
}

/* Each of both is needed by several rows. */
static bool are_both_needed(const test *a, const test *b, const table *of)
{
    enum { LEAST_ALONE = 4 };
    size_t alone[2] = {0, 0};
    for (size_t i = 0; i < of->count; i++) {
        bool by_a = !holds(a, &of->rows[i]), by_b = !holds(b, &of->rows[i]);
        alone[0] += by_a && !by_b;
        alone[1] += by_b && !by_a;
    }
    return alone[0] >= LEAST_ALONE && alone[1] >= LEAST_ALONE;
}

/* Rows outside are those in which both tests hold: so inside is where one of them does not. */
static const char *words_of_either(const test *a, const test *b, const table *of,
                                   const lb_rule_names *names, lb_arena *arena)
{
    const test x = negated(a), y = negated(b);
    if (!are_both_needed(a, b, of))
        return NULL;
    return lb_arena_printf(arena, "%s, or %s", words_of(&x, names, arena),
                           words_of(&y, names, arena));
}

/* ---- Rules of two ---- */

/* `either`: the rows stand the other way round. */
static const char *find_two(table *of, const firsts *f, bool either, const lb_rule_names *names,
                            lb_arena *arena)
{
    of->out = lb_arena_array(arena, of->count + 1, sizeof *of->out);
    for (size_t k = 0; k < f->count; k++) {
        const test *first = &f->tests[k];
        test second;
        of->first = first;
        for (size_t i = 0; i < of->count; i++)
            of->out[i] = !holds(first, &of->rows[i]);
        if (!try_all(of, &second, NULL))
            continue;
        const char *words = either ? words_of_either(first, &second, of, names, arena)
                                   : words_of_two(first, &second, of, names, arena);
        if (words)
            return words;
    }
    return NULL;
}

static void choose_features(table *t)
{
    for (unsigned f = 0; f < LB_MAX_FEATURES; f++) {
        bool there = true, differs = false;
        for (size_t i = 0; there && i < t->count; i++) {
            there = t->rows[i].value[f] != INT64_MIN;
            differs = differs || t->rows[i].value[f] != t->rows[0].value[f];
        }
        if (there && differs)
            t->feature[t->feature_count++] = f;
    }
}

/* With fewer rows than this, some rule always fits. */
enum { LEAST_INSIDE = 2, LEAST_ROWS = 8, LEAST_INSIDE_OF_TWO = 6, LEAST_ROWS_OF_TWO = 30 };

static size_t count_inside(const lb_features *rows, size_t count)
{
    size_t inside = 0;
    for (size_t i = 0; i < count; i++)
        inside += rows[i].inside;
    return inside;
}

static const char *find_rule(table *t, const lb_rule_names *names, firsts *kept, lb_arena *arena)
{
    size_t inside = count_inside(t->rows, t->count);
    test found;
    if (inside < LEAST_INSIDE || inside == t->count || t->count < LEAST_ROWS)
        return NULL;
    choose_features(t);
    if (!try_all(t, &found, kept))
        return NULL;
    found = settled(&found, t);
    return words_of(&found, names, arena);
}

/* With each of both sides inside: where two tests hold, or where one of two does. */
static const char *find_rule_of_two(table *t, const lb_rule_names *names, const firsts *kept,
                                    lb_arena *arena)
{
    const size_t inside = count_inside(t->rows, t->count);
    test single;
    firsts of_others = {.count = 0};
    if (inside < LEAST_INSIDE_OF_TWO || t->count < LEAST_ROWS_OF_TWO)
        return NULL;
    const char *words = find_two(t, kept, false, names, arena);
    /* one of two fits the elements of a case or two by chance */
    if (words || t->count - inside < LEAST_INSIDE_OF_TWO ||
        (t->compares && !are_cases_enough(t, true, LEAST_CASES)))
        return words;
    lb_features *others = lb_arena_array(arena, t->count, sizeof *others);
    for (size_t i = 0; i < t->count; i++) {
        others[i] = t->rows[i];
        others[i].inside = !others[i].inside;
    }
    t->rows = others;
    t->out = NULL;
    t->first = NULL;
    return try_all(t, &single, &of_others) ? NULL : find_two(t, &of_others, true, names, arena);
}

static const char *find(table *t, const lb_rule_names *names, lb_arena *arena)
{
    firsts kept = {.count = 0};
    t->end_of = names->end_of;
    const char *rule = find_rule(t, names, &kept, arena);
    return rule ? rule : find_rule_of_two(t, names, &kept, arena);
}

const char *lb_rule_find_named(const lb_features *rows, size_t count, const lb_rule_names *names,
                               lb_arena *arena)
{
    return find(&(table){.rows = rows, .count = count}, names, arena);
}

/* ---- Of cases ---- */

static const char *name_of_case(const void *user, unsigned feature, lb_arena *arena)
{
    return lb_feature_name(user, feature, arena);
}

const char *lb_rule_find(const lb_features *rows, size_t count, const lb_case *c, lb_arena *arena)
{
    return lb_rule_find_asked(rows, count, c, NULL, NULL, arena);
}

const char *lb_rule_find_asked(const lb_features *rows, size_t count, const lb_case *c,
                               const lb_border *border, lb_rule_told *told, lb_arena *arena)
{
    const lb_rule_names names = {name_of_case, c, lb_feature_end, told};
    return find(&(table){.rows = rows, .count = count, .border = border, .compares = true}, &names,
                arena);
}
