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
    if (m->weights)
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
    if (!map || map->access[LB_MAP_W].rank == 0 || !lb_map_bind(bound, map, call))
        return false;
    for (unsigned d = 0; d < 2 && d < map->access[LB_MAP_X].rank; d++) {
        take_form(bound, d, &m->row[d]);
        m->row[d].formula = lb_index_formula(call, &map->access[LB_MAP_X].index[d], arena);
    }
    for (size_t i = 0; i < meetings(m); i++)
        m->right[i] = LB_MET_NONE;
    for (bool more = lb_map_first(bound, 0, bound->outer, at); more;
         more = lb_map_next(bound, 0, bound->outer, at))
        expect_output(m, bound, call, at);
    return true;
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

typedef enum wrong_way { NOT_MET, MET_IN_VAIN, MOVED, STRANGE } wrong_way;

typedef struct wrong_class {
    wrong_way way;
    int32_t by[MAP_DIMS]; /* MOVED: from the expected input */
    size_t count;
} wrong_class;

static wrong_class class_of(const meeting *at)
{
    wrong_class c = {.way = at->is_strange ? STRANGE
                            : !at->is_met  ? NOT_MET
                            : !at->is_due  ? MET_IN_VAIN
                                           : MOVED};
    for (unsigned d = 0; c.way == MOVED && d < MAP_DIMS; d++)
        c.by[d] = (int32_t)at->port[d] - (int32_t)at->right[d];
    return c;
}

static bool same_class(const wrong_class *a, const wrong_class *b)
{
    return a->way == b->way && memcmp(a->by, b->by, sizeof a->by) == 0;
}

/* The commonest class; *all: wrong meetings of every class. */
static wrong_class commonest(const lb_index_map *maps, size_t count, size_t *all)
{
    enum { MOST_CLASSES = 64 };
    wrong_class classes[MOST_CLASSES], best = {.count = 0};
    size_t known = 0;
    *all = 0;
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < meetings(&maps[n]); i++) {
            if (!lb_index_map_is_wrong(&maps[n], i))
                continue;
            const meeting at = meeting_at(&maps[n], i);
            const wrong_class its = class_of(&at);
            size_t k = 0;
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
    OF_NUMBER
};

static const char *feature_name(const void *user, unsigned feature, lb_arena *arena)
{
    const char *const tensors[] = {"out", "weights", lb_role_name(*(const lb_role *)user)};
    const unsigned end = 2 * LB_MAX_RANK, dim = feature % LB_MAX_RANK;
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

static void put_tap(int64_t *value, const uint32_t *index, const lb_case_tensor *weights)
{
    if (weights->rank != LB_MAX_RANK)
        return;
    int64_t tap = (int64_t)index[0] * weights->shape[1] + index[1];
    value[OF_TAP] = tap;
    value[OF_TAP_END] = (int64_t)weights->shape[0] * weights->shape[1] - 1 - tap;
}

static lb_features row_of(const lb_index_map *m, const meeting *at, size_t number, bool inside)
{
    lb_features row = lb_features_empty(number, inside);
    lb_features_put_place(row.value + OF_OUT, at->out, m->out);
    if (m->weights) {
        lb_features_put_place(row.value + OF_WEIGHT, at->weight, m->weights);
        put_tap(row.value, at->weight, m->weights);
    }
    if (at->is_due)
        lb_features_put_place(row.value + OF_INPUT, at->right, m->in);
    if (at->is_due && !m->weights)
        row.value[OF_NUMBER] = m->right[number];
    return row;
}

typedef enum side { OUTSIDE, INSIDE, NO_SIDE } side;

/* `wanted` NULL: all that are wrong and due. */
static side side_of(const lb_index_map *m, size_t i, const meeting *at, const wrong_class *wanted)
{
    const bool is_due = !wanted || wanted->way != MET_IN_VAIN;
    if (!lb_index_map_is_wrong(m, i))
        return m->right[i] != LB_MET_SEVERAL && at->is_due == is_due ? OUTSIDE : NO_SIDE;
    const wrong_class its = class_of(at);
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
    const lb_rule_names names = {feature_name, &maps->role};
    lb_features *rows = lb_resized(NULL, 2 * MOST_OF_A_SIDE * map_count * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < map_count; i++)
        count += add_rows(&maps[i], wanted, rows + count);
    const char *rule = lb_rule_find_named(rows, count, &names, arena);
    free(rows);
    return rule;
}

const char *lb_index_map_rule(const lb_index_map *maps, size_t count, lb_arena *arena)
{
    return rule_of(maps, count, NULL, arena);
}

/* ---- Words ---- */

static const char *by_text(const char *name, int32_t by, lb_arena *arena)
{
    return by == 0 ? name : lb_arena_printf(arena, "%s%+d", name, (int)by);
}

static const char *class_words(const wrong_class *c, const lb_index_map *map, lb_arena *arena)
{
    switch (c->way) {
    case NOT_MET:
        return "leaves products out";
    case MET_IN_VAIN:
        return "takes inputs where none is expected";
    case STRANGE:
        return "adds other products than expected";
    case MOVED:
        break;
    }
    if (map->in->rank != MAP_DIMS)
        return "takes other inputs than expected";
    return lb_arena_printf(arena, "takes in[%s, %s, %s] where in[y, x, c] is expected",
                           by_text("y", c->by[0], arena), by_text("x", c->by[1], arena),
                           by_text("c", c->by[2], arena));
}

void lb_index_map_shown(const lb_index_map *maps, size_t count, int32_t shown[LB_MAP_NUMBERS])
{
    size_t all;
    const wrong_class best = commonest(maps, count, &all);
    shown[0] = (int32_t)best.way;
    memcpy(shown + 1, best.by, sizeof best.by);
}

const char *lb_index_map_words(const lb_index_map *maps, size_t count, lb_arena *arena)
{
    size_t all;
    bool is_window = maps->in->rank == MAP_DIMS && maps->out->rank == MAP_DIMS;
    for (size_t i = 0; is_window && i < count; i++) {
        const char *words = line_words(&maps[i], arena);
        if (words)
            return words;
    }
    wrong_class best = commonest(maps, count, &all);
    if (all == 0 || best.count * 2 < all)
        return NULL;
    const char *rule = rule_of(maps, count, &best, arena);
    const char *words = class_words(&best, maps, arena);
    if (!rule)
        return best.count == all ? words : NULL;
    words = lb_arena_printf(arena, "%s where %s", words, rule);
    return best.count == all
               ? words
               : lb_arena_printf(arena, "%s (%zu of %zu wrong places that probes show)", words,
                                 best.count, all);
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

const char *lb_index_map_example(const lb_index_map *p, lb_arena *arena)
{
    size_t i = 0;
    while (!lb_index_map_is_wrong(p, i))
        i++;
    const char *out = place_text("out", p->out, i % p->outputs, arena);
    const char *met = input_text(p, p->port[i], arena), *due = input_text(p, p->right[i], arena);
    if (!p->weights && p->weight_count > 1)
        return lb_arena_printf(arena, "%s is made %s, and should not be", out,
                               p->port[i] == LB_MET_NONE ? lb_arena_printf(arena, "without %s", due)
                                                         : lb_arena_printf(arena, "with %s", met));
    if (!p->weights)
        return lb_arena_printf(arena, "%s is made of %s where %s is expected", out, met, due);
    const size_t weight = lb_index_map_weight(p, i / p->outputs);
    return lb_arena_printf(arena, "at %s %s meets %s where %s is expected", out,
                           place_text("weights", p->weights, weight, arena), met, due);
}

bool lb_index_map_is_right(const lb_index_map *map)
{
    for (size_t i = 0; i < map->weight_count * map->outputs; i++)
        if (lb_index_map_is_wrong(map, i))
            return false;
    return true;
}
