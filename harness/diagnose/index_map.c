/* Index maps in words: see index_map.h. */
#include "harness/diagnose/index_map.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/rule.h"
#include "harness/explain/index_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_DIMS = 3 }; /* rows, columns, channels of maps */

/* One weight at one output: places of both, and of the inputs. */
typedef struct meeting {
    uint32_t out[LB_MAX_RANK], weight[LB_MAX_RANK];
    uint32_t right[LB_MAX_RANK], port[LB_MAX_RANK];
    bool is_due, is_met; /* is there an input: as it should be, on the port? */
    bool is_strange;     /* the port gave what no single input gives */
} meeting;

static meeting meeting_at(const lb_index_map *m, size_t i)
{
    const int32_t right = m->right[i], port = m->port[i];
    meeting at = {.is_due = right >= 0, .is_met = port >= 0};
    lb_element_index(i % m->outputs, m->out, at.out);
    if (m->meets == LB_MEETS_WEIGHTS)
        lb_element_index(lb_index_map_weight(m, i / m->outputs), m->weights, at.weight);
    at.is_strange = at.is_met && (size_t)port >= m->inputs;
    if (at.is_due)
        lb_element_index((size_t)right, m->in, at.right);
    if (at.is_met && !at.is_strange)
        lb_element_index((size_t)port, m->in, at.port);
    return at;
}

static size_t meetings(const lb_index_map *m)
{
    return m->weight_count * m->outputs;
}

/* ---- What the map expects ---- */

size_t lb_index_map_number(const lb_index_map *m, size_t flat)
{
    size_t number = 0;
    if (!m->chosen)
        return flat;
    while (number < m->weight_count && m->chosen[number] != flat)
        number++;
    return number;
}

static void expect_output(lb_index_map *m, const lb_bound_map *bound, const lb_call *call,
                          const uint32_t *at)
{
    const size_t out = lb_access_flat(bound, LB_MAP_OUT, at, call->tensor[LB_ROLE_OUT]);
    lb_map_taps taps = lb_map_taps_at(bound, at, false);
    while (lb_map_next_tap(&taps)) {
        size_t weight = lb_index_map_number(
            m, lb_access_flat(bound, LB_MAP_W, taps.at, call->tensor[LB_ROLE_WEIGHTS]));
        if (weight < m->weight_count)
            m->right[weight * m->outputs + out] =
                (int32_t)lb_access_flat(bound, LB_MAP_X, taps.at, call->tensor[LB_ROLE_IN]);
    }
}

static void take_form(const lb_bound_map *bound, unsigned d, lb_index_form *form)
{
    const lb_bound_index *index = &bound->access[LB_MAP_X].index[d];
    form->is_linear = index->divisor == 1;
    form->c = index->base;
    for (unsigned i = 0; i < index->count; i++)
        *(index->loop[i] < bound->outer ? &form->a : &form->b) = index->step[i];
}

bool lb_index_map_expect(lb_index_map *m, const lb_call *call, lb_arena *arena)
{
    const lb_map *map = lb_map_of(call->kernel);
    lb_bound_map *bound = lb_arena_alloc(arena, sizeof *bound);
    uint32_t at[LB_MAP_LOOPS] = {0};
    const bool is_of_weights = m->meets == LB_MEETS_WEIGHTS;
    if (!map || (is_of_weights && map->access[LB_MAP_W].rank == 0) ||
        !lb_map_bind(bound, map, call))
        return false;
    for (unsigned d = 0; d < 2 && d < map->access[LB_MAP_X].rank; d++) {
        take_form(bound, d, &m->row[d]);
        m->row[d].formula = lb_index_formula(call, &map->access[LB_MAP_X].index[d], arena);
    }
    for (size_t i = 0; is_of_weights && i < meetings(m); i++)
        m->right[i] = LB_MET_NONE;
    for (bool more = is_of_weights && lb_map_first(bound, 0, bound->outer, at); more;
         more = lb_map_next(bound, 0, bound->outer, at))
        expect_output(m, bound, call, at);
    return true;
}

bool lb_map_hangs_over(const lb_call *call, bool in_front)
{
    enum { MOST_TAPS = 1 << 20 };
    const lb_map *map = lb_map_of(call->kernel);
    lb_bound_map bound;
    uint32_t at[LB_MAP_LOOPS] = {0};
    int64_t last = 0, seen = 0;
    if (!map || !lb_map_bind(&bound, map, call))
        return false;
    const lb_bound_access *x = &bound.access[LB_MAP_X];
    for (unsigned d = 0; d < x->rank; d++)
        last += (x->index[d].bound - 1) * x->index[d].stride;
    for (bool more = lb_map_first(&bound, 0, bound.outer, at); more && seen < MOST_TAPS;
         more = lb_map_next(&bound, 0, bound.outer, at)) {
        lb_map_taps taps = lb_map_taps_at(&bound, at, true);
        while (seen++ < MOST_TAPS && lb_map_next_tap(&taps)) {
            int64_t place = 0;
            for (unsigned d = 0; d < x->rank; d++)
                place += taps.x[d] * x->index[d].stride;
            if (taps.outside && (in_front ? place < 0 : place > last))
                return true;
        }
    }
    return false;
}

/* ---- Lines: input = a * output + b * weight + c ---- */

static bool is_on(const lb_index_map *m, const lb_index_form *l, unsigned d)
{
    for (size_t i = 0; i < meetings(m); i++) {
        meeting at = meeting_at(m, i);
        int64_t place = l->a * at.out[d] + l->b * at.weight[d] + l->c;
        if (at.is_met && (at.is_strange || place != at.port[d]))
            return false;
    }
    return true;
}

/* The line that the port goes along. */
static bool find_line(const lb_index_map *m, unsigned d, lb_index_form *found)
{
    enum { MOST_A = 9, MOST_B = 9 };
    size_t first = 0;
    while (first < meetings(m) && m->port[first] < 0)
        first++;
    if (first == meetings(m))
        return false;
    meeting at = meeting_at(m, first);
    for (int64_t a = 0; a <= MOST_A; a++)
        for (int64_t b = -MOST_B; b <= MOST_B; b++) {
            lb_index_form l = {true, a, b, at.port[d] - a * at.out[d] - b * at.weight[d], NULL};
            if (is_on(m, &l, d)) {
                *found = l;
                return true;
            }
        }
    return false;
}

static const char *line_text(const lb_index_form *l, lb_arena *arena)
{
    return lb_arena_printf(arena, "%" PRId64 " * output %c %" PRId64 " * kernel %c %" PRId64, l->a,
                           l->b < 0 ? '-' : '+', l->b < 0 ? -l->b : l->b, l->c < 0 ? '-' : '+',
                           l->c < 0 ? -l->c : l->c);
}

/* Where many meetings are lost, what is left goes with too many lines. */
static bool loses_many(const lb_index_map *m)
{
    size_t due = 0, lost = 0;
    for (size_t i = 0; i < meetings(m); i++) {
        due += m->right[i] >= 0;
        lost += m->right[i] >= 0 && m->port[i] < 0;
    }
    return lost * 4 > due;
}

/* Rows and columns of windows that begin, step or spread otherwise. */
static const char *line_words(const lb_index_map *m, lb_arena *arena)
{
    static const char *const names[] = {"row", "column"};
    const char *words = NULL;
    for (unsigned d = 0; d < 2 && !loses_many(m); d++) {
        const lb_index_form *right = &m->row[d];
        lb_index_form port;
        if (m->out->shape[d] < 2 || !right->is_linear)
            continue;
        if (!find_line(m, d, &port))
            return NULL;
        if (!is_on(m, right, d))
            words =
                lb_arena_printf(arena, "%s%stakes input %s %s where %s = %s is expected",
                                words ? words : "", words ? "; " : "", names[d],
                                line_text(&port, arena), right->formula, line_text(right, arena));
    }
    return words;
}

/* ---- Classes of meetings that are wrong in the same way ---- */

typedef enum wrong_way {
    NOT_MET,
    MET_IN_VAIN,
    FOREIGN, /* a weight of another filter than the output's */
    STRANGE,
    MOVED,
    WRONG_WAYS
} wrong_way;

typedef struct wrong_class {
    wrong_way way;
    int32_t by[MAP_DIMS]; /* MOVED: from the expected input */
    size_t count;
} wrong_class;

/* Filters are the last dimension of weights, and what they give that of outputs. */
static bool is_foreign(const lb_index_map *m, const meeting *at)
{
    const unsigned w = m->weights->rank - 1, o = m->out->rank - 1;
    return m->weights->shape[w] == m->out->shape[o] && at->weight[w] != at->out[o];
}

/* A weight that meets what no input gives, where none is due, meets it in vain: memory outside of
 * the input, say. */
static wrong_class class_of(const lb_index_map *m, size_t i, const meeting *at)
{
    const bool mixes = m->meets != LB_MEETS_WINDOW && m->port[i] == LB_MET_SEVERAL;
    const bool is_of_weight = m->meets == LB_MEETS_WEIGHTS && !at->is_due;
    wrong_class c = {.way = is_of_weight              ? is_foreign(m, at) ? FOREIGN : MET_IN_VAIN
                            : at->is_strange || mixes ? STRANGE
                            : !at->is_met             ? NOT_MET
                            : !at->is_due             ? MET_IN_VAIN
                                                      : MOVED};
    for (unsigned d = 0; c.way == MOVED && d < MAP_DIMS; d++)
        c.by[d] = (int32_t)at->port[d] - (int32_t)at->right[d];
    return c;
}

static bool same_class(const wrong_class *a, const wrong_class *b)
{
    return a->way == b->way && memcmp(a->by, b->by, sizeof a->by) == 0;
}

/* The commonest class; *all: wrong meetings of every class; *ways: a bit for each that is there. */
static wrong_class commonest(const lb_index_map *maps, size_t count, size_t *all, unsigned *ways)
{
    enum { MOST_CLASSES = 64 };
    wrong_class classes[MOST_CLASSES], best = {.count = 0};
    size_t known = 0;
    *all = *ways = 0;
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < meetings(&maps[n]); i++) {
            if (!lb_index_map_is_wrong(&maps[n], i))
                continue;
            const meeting at = meeting_at(&maps[n], i);
            const wrong_class its = class_of(&maps[n], i, &at);
            size_t k = 0;
            *ways |= 1u << its.way;
            while (k < known && !same_class(&classes[k], &its))
                k++;
            ++*all;
            if (k == known && known < MOST_CLASSES)
                classes[known++] = its;
            if (k < known)
                classes[k].count++;
        }
    for (size_t k = 0; k < known; k++)
        best = classes[k].count > best.count ? classes[k] : best;
    return best;
}

/* ---- Rules ---- */

enum {
    OF_OUT = 0,
    OF_WEIGHT = 2 * LB_MAX_RANK,
    OF_INPUT = 4 * LB_MAX_RANK,
    OF_TAP = 6 * LB_MAX_RANK,
    OF_TAP_END,
    OF_NUMBER,
    OF_WINDOW /* row and column */
};

static const char *feature_name(const void *user, unsigned feature, lb_arena *arena)
{
    const char *const tensors[] = {"out", "weights", lb_role_name(*(const lb_role *)user)};
    const unsigned end = 2 * LB_MAX_RANK, dim = feature % LB_MAX_RANK;
    if (feature >= OF_WINDOW)
        return feature == OF_WINDOW ? "the row of the window" : "the column of the window";
    if (feature == OF_NUMBER)
        return lb_arena_printf(arena, "the number of the element of %s", tensors[2]);
    if (feature >= OF_TAP)
        return feature == OF_TAP ? "the number of the position in the kernel"
                                 : "the number of positions of the kernel behind it";
    return lb_arena_printf(arena,
                           feature % end < LB_MAX_RANK
                               ? "the index in dimension %u of %s"
                               : "the distance to the end of dimension %u of %s",
                           dim, tensors[feature / end]);
}

/* Behind the indices of a tensor stand their distances to the end. */
static unsigned end_of(unsigned feature)
{
    return feature == OF_TAP                                               ? OF_TAP_END
           : feature < OF_TAP && feature % (2 * LB_MAX_RANK) < LB_MAX_RANK ? feature + LB_MAX_RANK
                                                                           : feature;
}

static void put_tap(int64_t *value, const uint32_t *index, const lb_case_tensor *weights)
{
    if (weights->rank != LB_MAX_RANK)
        return;
    int64_t tap = (int64_t)index[0] * weights->shape[1] + index[1];
    value[OF_TAP] = tap;
    value[OF_TAP_END] = (int64_t)weights->shape[0] * weights->shape[1] - 1 - tap;
}

/* The position of the meeting, and which one of the window it is. */
static void put_position(const lb_index_map *m, size_t number, const meeting *at, int64_t *value)
{
    uint32_t position[LB_MAX_RANK];
    lb_element_index(number / m->outputs * (m->inputs / m->weight_count), m->in, position);
    lb_features_put_place(value + OF_INPUT, position, m->in);
    for (unsigned d = 0; d < 2; d++) {
        const lb_index_form *form = &m->row[d];
        if (form->is_linear && form->b != 0)
            value[OF_WINDOW + d] = (position[d] - form->a * at->out[d] - form->c) / form->b;
    }
}

static lb_features row_of(const lb_index_map *m, const meeting *at, size_t number, bool inside)
{
    lb_features row = lb_features_empty(number, inside);
    lb_features_put_place(row.value + OF_OUT, at->out, m->out);
    if (m->meets == LB_MEETS_WINDOW) {
        put_position(m, number, at, row.value);
        return row;
    }
    if (m->meets == LB_MEETS_WEIGHTS) {
        lb_features_put_place(row.value + OF_WEIGHT, at->weight, m->weights);
        put_tap(row.value, at->weight, m->weights);
    }
    if (at->is_due)
        lb_features_put_place(row.value + OF_INPUT, at->right, m->in);
    if (at->is_due && m->meets == LB_MEETS_ONE)
        row.value[OF_NUMBER] = m->right[number];
    return row;
}

typedef enum side { OUTSIDE, INSIDE, NO_SIDE } side;

/* `wanted` NULL: all that are wrong and due. */
static side side_of(const lb_index_map *m, size_t i, const meeting *at, const wrong_class *wanted)
{
    const bool is_due = !wanted || (wanted->way != MET_IN_VAIN && wanted->way != FOREIGN);
    if (!lb_index_map_is_wrong(m, i))
        return m->right[i] != LB_MET_SEVERAL && at->is_due == is_due ? OUTSIDE : NO_SIDE;
    const wrong_class its = class_of(m, i, at);
    return (wanted ? same_class(&its, wanted) : at->is_due) ? INSIDE : NO_SIDE;
}

enum { MOST_OF_A_SIDE = 250 }; /* rows of a map */

/* Spread over all meetings of each side. */
static size_t add_rows(const lb_index_map *m, const wrong_class *wanted, lb_features *rows)
{
    size_t count = 0, of_side[] = {0, 0, 0}, seen[] = {0, 0, 0};
    for (int counted = 0; counted < 2; counted++)
        for (size_t i = 0; i < meetings(m); i++) {
            const meeting at = meeting_at(m, i);
            const side its = side_of(m, i, &at, wanted);
            if (!counted)
                of_side[its]++;
            else if (its != NO_SIDE && seen[its]++ % (of_side[its] / MOST_OF_A_SIDE + 1) == 0)
                rows[count++] = row_of(m, &at, i, its == INSIDE);
        }
    return count;
}

static const char *rule_of(const lb_index_map *maps, size_t map_count, const wrong_class *wanted,
                           lb_arena *arena)
{
    const lb_rule_names names = {feature_name, &maps->role, end_of, NULL};
    lb_features *rows = lb_resized(NULL, 2 * MOST_OF_A_SIDE * map_count * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < map_count; i++)
        count += add_rows(&maps[i], wanted, rows + count);
    const char *rule = lb_rule_find_named(rows, count, &names, arena);
    free(rows);
    return rule;
}

/* ---- Elements that are turned into others by one rule ---- */

typedef enum way {
    BEGINS_AGAIN, /* index modulo the argument */
    FIRST_OF_BLOCK,
    FURTHER, /* by the argument */
    WAYS
} way;

/* How an index is turned into another: of a dimension, or of the number of the element. */
typedef struct turn {
    way way;
    unsigned dim; /* LB_MAX_RANK: the number of the element */
    int32_t argument;
} turn;

static int64_t turned(const turn *r, int64_t index)
{
    return r->way == FURTHER        ? index + r->argument
           : r->way == BEGINS_AGAIN ? index % r->argument
                                    : index - index % r->argument;
}

/* Where the rule reads instead of the element. */
static int64_t turned_place(const turn *r, const lb_case_tensor *t, int32_t right)
{
    uint32_t index[LB_MAX_RANK];
    int64_t below = 1;
    if (r->dim == LB_MAX_RANK || r->dim >= t->rank)
        return turned(r, right);
    lb_element_index((size_t)right, t, index);
    for (unsigned d = r->dim + 1; d < t->rank; d++)
        below *= t->shape[d];
    return right + (turned(r, index[r->dim]) - (int64_t)index[r->dim]) * below;
}

/* Does it give the port's element in every output, or in every wrong one? Outputs that are made of
 * no element show nothing of a rule: some must be made of another. */
static bool turn_fits(const turn *r, const lb_index_map *maps, size_t count, bool wrong_alone)
{
    bool any = false;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < maps[k].outputs; i++) {
            const lb_index_map *m = &maps[k];
            bool counts = lb_index_map_is_wrong(m, i) || (!wrong_alone && m->right[i] >= 0);
            if (counts && (m->right[i] < 0 || turned_place(r, m->in, m->right[i]) != m->port[i]))
                return false;
            any = any || (lb_index_map_is_wrong(m, i) && m->port[i] >= 0);
        }
    return any;
}

/* Where a few outputs alone are wrong, an element moved by some is the plainest to say. */
static bool find_turn(const lb_index_map *maps, size_t count, bool wrong_alone, turn *found)
{
    for (int k = 0; k < WAYS; k++)
        for (unsigned dim = 0; dim <= LB_MAX_RANK; dim++) {
            turn r = {.way = (way)(wrong_alone ? (k + FURTHER) % WAYS : k), .dim = dim};
            const int32_t most = (int32_t)(dim == LB_MAX_RANK     ? maps->inputs
                                           : dim < maps->in->rank ? maps->in->shape[dim]
                                                                  : 0);
            const int32_t least[WAYS] = {1, 2, -most};
            for (r.argument = least[r.way]; most > 1 && r.argument <= most; r.argument++)
                if (turn_fits(&r, maps, count, wrong_alone)) {
                    *found = r;
                    return true;
                }
        }
    return false;
}

static const char *turn_words(const turn *r, const char *role, lb_arena *arena)
{
    const char *of = r->dim == LB_MAX_RANK
                         ? lb_arena_printf(arena, "%s, element by element", role)
                         : lb_arena_printf(arena, "%s, dimension %u", role, r->dim);
    const int n = (int)r->argument;
    if (r->way == FURTHER)
        return lb_arena_printf(arena, "takes the element %d %s the one that is due: %s", abs(n),
                               n < 0 ? "before" : "behind", of);
    return r->way == FIRST_OF_BLOCK
               ? lb_arena_printf(arena, "takes the first element of every %d for all of them: %s",
                                 n, of)
               : lb_arena_printf(arena, "begins with the first element again after every %d: %s", n,
                                 of);
}

/* ---- Words ---- */

static const char *by_text(const char *name, int32_t by, lb_arena *arena)
{
    return by == 0 ? name : lb_arena_printf(arena, "%s%+d", name, (int)by);
}

static const char *class_words(const lb_index_map *m, const wrong_class *c, lb_arena *arena)
{
    static const char *const words[][WRONG_WAYS][2] = {
        [LB_MEETS_WEIGHTS] = {[NOT_MET] = {"leaves products out", ""},
                              [MET_IN_VAIN] = {"takes inputs where none is expected", ""},
                              [FOREIGN] = {"takes weights of other filters than expected", ""},
                              [STRANGE] = {"adds other products than expected", ""},
                              [MOVED] = {"takes other inputs than expected", ""}},
        [LB_MEETS_WINDOW] = {[NOT_MET] = {"leaves elements of ", " out of windows"},
                             [MET_IN_VAIN] = {"takes elements of ",
                                              " that stand outside of the window"},
                             [MOVED] = {"takes other elements of ", " than those of the window"}},
        [LB_MEETS_ONE] = {[NOT_MET] = {"makes outputs of no element of ", ""},
                          [STRANGE] = {"mixes several elements of ", ""},
                          [MOVED] = {"takes other elements of ", " than it should"}}};
    const char *const *its =
        words[m->meets][c->way][0] ? words[m->meets][c->way] : words[m->meets][MOVED];
    if (m->meets == LB_MEETS_WEIGHTS && c->way == MOVED && m->in->rank == MAP_DIMS)
        return lb_arena_printf(arena, "takes in[%s, %s, %s] where in[y, x, c] is expected",
                               by_text("y", c->by[0], arena), by_text("x", c->by[1], arena),
                               by_text("c", c->by[2], arena));
    return lb_arena_printf(arena, "%s%s%s", its[0],
                           m->meets == LB_MEETS_WEIGHTS ? "" : lb_role_name(m->role), its[1]);
}

/* Where weights meet inputs, the commonest class stands for all where most are of it. */
static const char *products_words(const lb_index_map *maps, size_t count, const wrong_class *best,
                                  size_t all, lb_arena *arena)
{
    const bool is_window = maps->in->rank == MAP_DIMS && maps->out->rank == MAP_DIMS;
    for (size_t i = 0; is_window && i < count; i++) {
        const char *words = line_words(&maps[i], arena);
        if (words)
            return words;
    }
    if (best->count * 2 < all)
        return NULL;
    const char *rule = rule_of(maps, count, best, arena);
    const char *words = class_words(maps, best, arena);
    if (!rule)
        return best->count == all ? words : NULL;
    words = lb_arena_printf(arena, "%s where %s", words, rule);
    return best->count == all
               ? words
               : lb_arena_printf(arena, "%s (%zu of %zu wrong places that probes show)", words,
                                 best->count, all);
}

/* Elements that are turned into others by a rule; else what all have in common. */
static const char *elements_words(const lb_index_map *maps, size_t count, unsigned ways,
                                  lb_index_map_told *told, lb_arena *arena)
{
    enum { NO_ELEMENT, OTHER_ELEMENTS, WRONG_BY_RULE, ALL_BY_RULE };
    const bool is_window = maps->meets == LB_MEETS_WINDOW;
    wrong_class one = {.way = MOVED};
    turn t = {0};
    for (int w = 0; w < WRONG_WAYS; w++)
        one.way = ways == 1u << w ? (wrong_way)w : one.way;
    told->worth = one.way == NOT_MET                  ? NO_ELEMENT
                  : is_window                         ? OTHER_ELEMENTS
                  : find_turn(maps, count, false, &t) ? ALL_BY_RULE
                  : find_turn(maps, count, true, &t)  ? WRONG_BY_RULE
                                                      : OTHER_ELEMENTS;
    const bool is_turn = told->worth >= WRONG_BY_RULE;
    const char *words =
        is_turn ? turn_words(&t, lb_role_name(maps->role), arena) : class_words(maps, &one, arena);
    const char *rule =
        told->worth == ALL_BY_RULE ? NULL : rule_of(maps, count, is_window ? &one : NULL, arena);
    const int32_t shown[] = {(int32_t)maps->role, (int32_t)told->worth, (int32_t)one.way,
                             (int32_t)t.way,      (int32_t)t.dim,       t.argument};
    memcpy(told->shown, shown, sizeof shown);
    return rule ? lb_arena_printf(arena, "%s, where %s", words, rule) : words;
}

/* ---- The first that is wrong ---- */

static const char *place_text(const char *name, const lb_case_tensor *t, size_t flat,
                              lb_arena *arena)
{
    uint32_t index[LB_MAX_RANK];
    const char *text = "";
    lb_element_index(flat, t, index);
    for (unsigned d = 0; d < t->rank && d < LB_MAX_RANK; d++)
        text = lb_arena_printf(arena, "%s%s%u", text, d ? "," : "", index[d]);
    return lb_arena_printf(arena, "%s[%s]", name, text);
}

static const char *input_text(const lb_index_map *p, int32_t input, lb_arena *arena)
{
    if (input == LB_MET_NONE)
        return lb_arena_printf(arena, "no element of %s", lb_role_name(p->role));
    if (input == LB_MET_SEVERAL || (size_t)input >= p->inputs)
        return "something else";
    return place_text(lb_role_name(p->role), p->in, (size_t)input, arena);
}

static const char *example_of(const lb_index_map *p, lb_arena *arena)
{
    size_t i = 0;
    while (!lb_index_map_is_wrong(p, i))
        i++;
    const char *out = place_text("out", p->out, i % p->outputs, arena);
    const char *met = input_text(p, p->port[i], arena), *due = input_text(p, p->right[i], arena);
    if (p->meets == LB_MEETS_WINDOW)
        return lb_arena_printf(arena, "%s is made %s, and should not be", out,
                               p->port[i] == LB_MET_NONE ? lb_arena_printf(arena, "without %s", due)
                                                         : lb_arena_printf(arena, "with %s", met));
    if (p->meets == LB_MEETS_ONE)
        return lb_arena_printf(arena, "%s is made of %s where %s is expected", out, met, due);
    const size_t weight = lb_index_map_weight(p, i / p->outputs);
    return lb_arena_printf(arena, "at %s %s meets %s where %s is expected", out,
                           place_text("weights", p->weights, weight, arena), met, due);
}

/* ---- All of it ---- */

bool lb_index_map_is_right(const lb_index_map *m)
{
    for (size_t i = 0; i < meetings(m); i++)
        if (lb_index_map_is_wrong(m, i))
            return false;
    return true;
}

lb_index_map_told lb_index_map_tell(const lb_index_map *maps, size_t count, lb_arena *arena)
{
    lb_index_map_told told = {0};
    size_t all, first = 0;
    unsigned ways;
    const wrong_class best = commonest(maps, count, &all, &ways);
    while (lb_index_map_is_right(&maps[first]))
        first++;
    told.example = example_of(&maps[first], arena);
    if (maps->meets == LB_MEETS_WEIGHTS) {
        told.words = products_words(maps, count, &best, all, arena);
        told.in_vain = best.way == MET_IN_VAIN && best.count * 2 >= all;
        told.shown[0] = (int32_t)best.way;
        memcpy(told.shown + 1, best.by, sizeof best.by);
    } else {
        told.words = elements_words(maps, count, ways, &told, arena);
    }
    return told;
}
