/* Which element of an operand an output is made of: see sources.h. */
#include "harness/diagnose/sources.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/rule.h"
#include "harness/diagnose/work.h"
#include "harness/trial/compare.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 8192, MOST_OUTPUTS = 32768 };
enum { OF_NONE = -1, OF_SEVERAL = -2 };

/* Of one geometry and one operand: for each output the element that it is made of. */
typedef struct source_map {
    const lb_case_tensor *from, *out;
    size_t elements, outputs;
    int32_t *right, *port;
} source_map;

typedef struct probe {
    lb_sources *s;
    const lb_profile *profile;
    lb_case *c;
    lb_role role;
    source_map map;
    int32_t low, high;     /* the two values */
    int32_t *values[2][2]; /* outputs: [all low, all high][right, port] */
    lb_arena work;
} probe;

/* ---- The case ---- */

static bool is_plain(const lb_case *c, lb_role role)
{
    const lb_case_operand *operand = &c->operand[role];
    const lb_case_tensor *t = operand->present && operand->count == 1 ? operand->tensors : NULL;
    return t && !c->null_role[role] && !operand->is_list && !t->has_buffer_elements &&
           !t->has_rank && (!t->has_data_in || role == LB_ROLE_OUT) && !t->has_quant_in &&
           !t->null_data && !t->has_el_type && !t->has_capacity;
}

static bool can_be_probed(const lb_case *c, lb_role role)
{
    const lb_case_tensor *t = c->operand[role].tensors;
    return !c->operand[role].is_output && is_plain(c, role) && t->has_data && t->data.count > 1 &&
           t->data.count <= MOST_ELEMENTS;
}

static void fill(lb_case_tensor *t, int32_t value)
{
    t->may_be_uniform = false;
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = value;
}

/* ---- Calls ---- */

static void read_outputs(const probe *p, const lb_call_memory *memory, const unsigned char *block,
                         int32_t *values)
{
    lb_left_output out;
    for (size_t i = 0; lb_left_output_of(memory, LB_ROLE_OUT, &out) && i < p->map.outputs; i++)
        values[i] = lb_read_container(block + out.start + lb_layout_offset(&out.layout, i),
                                      out.layout.element_bytes);
}

/* port NULL: it is not called. */
static bool call(probe *p, int32_t *right, int32_t *port)
{
    lb_evidence *e = p->s->evidence;
    lb_fault_bench bench;
    bool passed = false;
    const char *trouble = NULL;
    lb_arena_reset(&p->work);
    if (!lb_fault_bench_make(&bench, p->c, p->profile, &p->work) || !bench.computed)
        return false;
    lb_work_run(e, &bench, false);
    read_outputs(p, &bench.memory, bench.right.block, right);
    if (!port)
        return true;
    if (p->s->calls >= p->s->most_calls || lb_work_seconds(e) > p->s->deadline)
        return false;
    p->s->calls++;
    const lb_left *left =
        lb_evidence_call(e, e->port, p->c, p->profile, false, &p->work, &passed, &trouble);
    if (trouble || (left && left->block_bytes != bench.memory.block_bytes) || (!left && !passed))
        return false;
    read_outputs(p, &bench.memory, left ? left->block : bench.right.block, port);
    return true;
}

/* Two values of the operand between which most outputs differ, with the other operands as they are
 * or all the same. */
static size_t difference(probe *p, int32_t low, int32_t high)
{
    lb_case_tensor *from = p->c->operand[p->role].tensors;
    size_t differ = 0;
    fill(from, low);
    if (!call(p, p->values[0][0], NULL))
        return 0;
    fill(from, high);
    if (!call(p, p->values[1][0], NULL))
        return 0;
    for (size_t i = 0; i < p->map.outputs; i++)
        differ += p->values[0][0][i] != p->values[1][0][i];
    return differ;
}

static void fill_others(probe *p, const lb_case *from, int32_t value)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_case_operand *operand = &p->c->operand[role];
        if (role == (int)p->role || !is_plain(p->c, (lb_role)role) || operand->is_output ||
            !operand->tensors[0].has_data)
            continue;
        lb_values *data = &operand->tensors[0].data;
        if (value == 0)
            memcpy(data->items, from->operand[role].tensors[0].data.items,
                   data->count * sizeof *data->items);
        else
            fill(&operand->tensors[0], value);
    }
}

static bool choose_values(probe *p, const lb_case *from)
{
    static const int32_t pairs[][2] = {{-100, 100}, {1, 100}, {-1, -100}, {30, 33}};
    static const int32_t reals[][2] = {{0x3F800000, 0x42800000}, {(int32_t)0xC2800000, 0x42800000}};
    static const int32_t others[] = {0, 90, -90}; /* 0: as they are */
    bool is_real = p->c->operand[p->role].tensors[0].type == LB_FP32;
    const int32_t(*tried)[2] = is_real ? reals : pairs;
    size_t count = is_real ? sizeof reals / sizeof *reals : sizeof pairs / sizeof *pairs;
    size_t most = 0;
    int32_t other = 0;
    for (size_t o = 0; o < sizeof others / sizeof *others && most < p->map.outputs; o++) {
        fill_others(p, from, others[o]);
        for (size_t i = 0; i < count && most < p->map.outputs; i++) {
            size_t differ = difference(p, tried[i][0], tried[i][1]);
            if (differ <= most)
                continue;
            most = differ;
            other = others[o];
            p->low = tried[i][0];
            p->high = tried[i][1];
        }
    }
    fill_others(p, from, other);
    return most > 1;
}

/* One bit of the number of each element. */
static void read_bit(probe *p, unsigned bit, const int32_t *right, const int32_t *port)
{
    for (int side = 0; side < 2; side++) {
        const int32_t *seen = side == 0 ? right : port;
        int32_t *map = side == 0 ? p->map.right : p->map.port;
        for (size_t i = 0; i < p->map.outputs; i++) {
            bool is_high = seen[i] == p->values[1][side][i];
            if (map[i] >= 0 && (is_high || seen[i] == p->values[0][side][i]))
                map[i] |= is_high ? 1 << bit : 0;
            else if (map[i] >= 0)
                map[i] = OF_SEVERAL;
        }
    }
}

static bool probe_operand(probe *p)
{
    lb_case_tensor *from = p->c->operand[p->role].tensors;
    int32_t *right = lb_arena_array(p->s->arena, p->map.outputs, sizeof *right);
    int32_t *port = lb_arena_array(p->s->arena, p->map.outputs, sizeof *port);
    for (int high = 0; high < 2; high++) {
        fill(from, high ? p->high : p->low);
        if (!call(p, p->values[high][0], p->values[high][1]))
            return false;
    }
    for (size_t i = 0; i < p->map.outputs; i++) {
        p->map.right[i] = p->values[0][0][i] == p->values[1][0][i] ? OF_NONE : 0;
        p->map.port[i] = p->values[0][1][i] == p->values[1][1][i] ? OF_NONE : 0;
    }
    for (unsigned bit = 0; (p->map.elements - 1) >> bit > 0; bit++) {
        for (size_t i = 0; i < p->map.elements; i++)
            from->data.items[i] = i >> bit & 1 ? p->high : p->low;
        if (!call(p, right, port))
            return false;
        read_bit(p, bit, right, port);
    }
    return true;
}

/* Do outputs hold the elements themselves, but for limits? Then no number on the way hides one. */
static bool is_copied(const probe *p)
{
    for (size_t i = 0; i < p->map.outputs; i++)
        if (p->map.right[i] >= 0 && p->values[0][0][i] != p->low && p->values[1][0][i] != p->high)
            return false;
    return true;
}

/* An output that is the same for both values shows nothing where numbers are computed: it may stand
 * at a limit, or what reaches it is too small. Of the port it does, where it lies within what
 * should be, and should change by more than what rounding takes away. */
static void leave_hidden(probe *p)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    lb_layout layout = lb_layout_of(p->map.out);
    const int64_t end = INT64_C(1) << (8 * layout.element_bytes - 1); /* of the container */
    if (is_copied(p))
        return;
    for (size_t i = 0; i < 2 * p->map.outputs; i++) {
        const int32_t value = p->values[i % 2][0][i / 2];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    for (size_t i = 0; i < p->map.outputs; i++) {
        const int32_t value = p->values[0][1][i];
        const int64_t change = (int64_t)p->values[1][0][i] - p->values[0][0][i];
        const bool is_hidden = value == least || value == most || value == -end ||
                               value == end - 1 || (change >= -1 && change <= 1);
        if (p->map.right[i] == OF_NONE || (p->map.port[i] == OF_NONE && is_hidden))
            p->map.right[i] = OF_SEVERAL;
    }
}

/* False: the case cannot be probed so. */
static bool begin_probe(probe *p, lb_sources *s, const lb_case *from, const lb_profile *profile,
                        lb_role role)
{
    *p = (probe){.s = s, .profile = profile, .c = lb_case_copy(s->arena, from), .role = role};
    if (!can_be_probed(from, role) || !is_plain(from, LB_ROLE_OUT) || from->chain.steps > 0)
        return false;
    p->c->expect_count = 0;
    lb_layout layout = lb_layout_of(p->c->operand[LB_ROLE_OUT].tensors);
    p->map = (source_map){.from = p->c->operand[role].tensors,
                          .out = p->c->operand[LB_ROLE_OUT].tensors,
                          .elements = p->c->operand[role].tensors[0].data.count,
                          .outputs = lb_layout_count(&layout)};
    if (p->map.outputs < 2 || p->map.outputs > MOST_OUTPUTS)
        return false;
    for (int i = 0; i < 4; i++)
        p->values[i / 2][i % 2] = lb_arena_array(s->arena, p->map.outputs, sizeof(int32_t));
    return true;
}

static bool probe_case(lb_sources *s, const lb_case *from, const lb_profile *profile, lb_role role,
                       source_map *map)
{
    probe p;
    if (!begin_probe(&p, s, from, profile, role))
        return false;
    p.map.right = lb_arena_array(s->arena, p.map.outputs, sizeof(int32_t));
    p.map.port = lb_arena_array(s->arena, p.map.outputs, sizeof(int32_t));
    bool probed = choose_values(&p, from) && probe_operand(&p);
    if (probed)
        leave_hidden(&p);
    lb_arena_free(&p.work);
    *map = p.map;
    return probed;
}

/* ---- Rules ---- */

static const char *place_words(const lb_case_tensor *t, size_t flat, lb_arena *arena)
{
    uint32_t index[LB_MAX_RANK];
    const char *words = "";
    lb_element_index(flat, t, index);
    for (unsigned d = 0; d < t->rank && d < LB_MAX_RANK; d++)
        words = lb_arena_printf(arena, "%s%s%u", words, d > 0 ? ", " : "", index[d]);
    return lb_arena_printf(arena, "[%s]", words);
}

typedef enum way {
    BEGINS_AGAIN, /* index modulo the argument */
    FIRST_OF_BLOCK,
    BACKWARDS,
    FIRST_OF_ALL,
    MOVED, /* by the argument */
    WAYS
} way;

/* How an index is turned into another: of a dimension, or of the number of the element. */
typedef struct turn {
    way way;
    unsigned dim; /* LB_MAX_RANK: the number of the element */
    int32_t argument;
} turn;

static int64_t turned(const turn *r, int64_t index, int64_t extent)
{
    switch (r->way) {
    case BEGINS_AGAIN:
        return index % r->argument;
    case FIRST_OF_BLOCK:
        return index - index % r->argument;
    case BACKWARDS:
        return extent - 1 - index;
    case FIRST_OF_ALL:
        return 0;
    case MOVED:
        return index + r->argument;
    case WAYS:
        break;
    }
    return index;
}

/* Where the rule reads instead of the element. */
static int64_t turned_place(const turn *r, const lb_case_tensor *t, int32_t right)
{
    uint32_t index[LB_MAX_RANK];
    int64_t below = 1;
    if (r->dim == LB_MAX_RANK || r->dim >= t->rank)
        return turned(r, right, 0);
    lb_element_index((size_t)right, t, index);
    for (unsigned d = r->dim + 1; d < t->rank; d++)
        below *= t->shape[d];
    return right + (turned(r, index[r->dim], t->shape[r->dim]) - (int64_t)index[r->dim]) * below;
}

static bool is_wrong(const source_map *m, size_t output)
{
    return m->right[output] != m->port[output] && m->right[output] != OF_SEVERAL;
}

/* Does it give the port's element in every output, or in every wrong one? Outputs that are made of
 * no element show nothing of a rule: some must be made of another. */
static bool turn_fits(const turn *r, const source_map *maps, size_t count, bool wrong_alone)
{
    bool any = false;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < maps[k].outputs; i++) {
            const source_map *m = &maps[k];
            bool counts = is_wrong(m, i) || (!wrong_alone && m->right[i] >= 0);
            if (counts && (m->right[i] < 0 || turned_place(r, m->from, m->right[i]) != m->port[i]))
                return false;
            any = any || (is_wrong(m, i) && m->port[i] >= 0);
        }
    return any;
}

static int32_t most_argument(const turn *r, const source_map *m)
{
    size_t extent = r->dim == LB_MAX_RANK    ? m->elements
                    : r->dim < m->from->rank ? m->from->shape[r->dim]
                                             : 0;
    return (int32_t)extent;
}

/* Where a few outputs alone are wrong, an element moved by some is the plainest to say. */
static bool find_turn(const source_map *maps, size_t count, bool wrong_alone, turn *found)
{
    for (int k = 0; k < WAYS; k++)
        for (unsigned dim = 0; dim <= LB_MAX_RANK; dim++) {
            way w = (way)(wrong_alone ? (k + MOVED) % WAYS : k);
            turn r = {.way = w, .dim = dim, .argument = 0};
            int32_t most = most_argument(&r, &maps[0]);
            bool has_argument = w == BEGINS_AGAIN || w == FIRST_OF_BLOCK || w == MOVED;
            int32_t least = w == MOVED ? -most : has_argument ? 1 + (w == FIRST_OF_BLOCK) : 0;
            if (most < 2 || (w == BACKWARDS && dim == LB_MAX_RANK))
                continue;
            for (r.argument = least; r.argument <= (has_argument ? most : 0); r.argument++)
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
    switch (r->way) {
    case BEGINS_AGAIN:
        return lb_arena_printf(arena, "begins with the first element again after every %d: %s",
                               (int)r->argument, of);
    case FIRST_OF_BLOCK:
        return lb_arena_printf(arena, "takes the first element of every %d for all of them: %s",
                               (int)r->argument, of);
    case BACKWARDS:
        return lb_arena_printf(arena, "reads backwards: %s", of);
    case FIRST_OF_ALL:
        return lb_arena_printf(arena, "takes the first element for all: %s", of);
    case MOVED:
        return lb_arena_printf(arena, "takes the element %d %s the one that is due: %s",
                               abs((int)r->argument), r->argument < 0 ? "before" : "behind", of);
    case WAYS:
        break;
    }
    return of;
}

/* ---- Which outputs ---- */

enum { OF_OUT = 0, OF_OUT_END = 4, OF_FROM = 8, OF_FROM_END = 12, OF_NUMBER = 16 };

static const char *feature_name(const void *user, unsigned feature, lb_arena *arena)
{
    const char *tensor = feature < OF_FROM ? "out" : user;
    if (feature == OF_NUMBER)
        return lb_arena_printf(arena, "the number of the element of %s", (const char *)user);
    return feature % 8 < 4
               ? lb_arena_printf(arena, "the index in dimension %u of %s", feature % 4, tensor)
               : lb_arena_printf(arena, "the distance to the end of dimension %u of %s",
                                 feature % 4, tensor);
}

static void put_places(int64_t *value, size_t flat, const lb_case_tensor *t)
{
    uint32_t index[LB_MAX_RANK];
    lb_element_index(flat, t, index);
    lb_features_put_place(value, index, t);
}

enum { MOST_OF_A_SIDE = 200 }; /* rows of a map */

static size_t add_rows(const source_map *m, lb_features *rows)
{
    size_t count = 0, taken[2] = {0, 0};
    size_t of_side[2] = {0, 0}, seen[2] = {0, 0};
    for (size_t i = 0; i < m->outputs; i++)
        of_side[is_wrong(m, i)]++;
    for (size_t i = 0; i < m->outputs; i++) {
        bool wrong = is_wrong(m, i);
        size_t step = of_side[wrong] / MOST_OF_A_SIDE + 1;
        if (m->right[i] < 0 || seen[wrong]++ % step != 0 || taken[wrong]++ >= MOST_OF_A_SIDE)
            continue;
        lb_features row = lb_features_empty(i, wrong);
        put_places(row.value + OF_OUT, i, m->out);
        put_places(row.value + OF_FROM, (size_t)m->right[i], m->from);
        row.value[OF_NUMBER] = m->right[i];
        rows[count++] = row;
    }
    return count;
}

static const char *rule_of(const source_map *maps, size_t map_count, const char *role,
                           lb_arena *arena)
{
    const lb_rule_names names = {feature_name, role};
    lb_features *rows = lb_resized(NULL, 2 * MOST_OF_A_SIDE * map_count * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < map_count; i++)
        count += add_rows(&maps[i], rows + count);
    const char *rule = lb_rule_find_named(rows, count, &names, arena);
    free(rows);
    return rule;
}

/* ---- What is found ---- */

static const char *example_words(const source_map *m, const char *role, lb_arena *arena)
{
    size_t i = 0;
    while (i < m->outputs && !is_wrong(m, i))
        i++;
    const char *due =
        m->right[i] < 0 ? "no element" : place_words(m->from, (size_t)m->right[i], arena);
    const char *met = m->port[i] == OF_NONE ? "none"
                      : m->port[i] < 0      ? "several"
                      : (size_t)m->port[i] >= m->elements
                          ? "what stands behind the last"
                          : place_words(m->from, (size_t)m->port[i], arena);
    return lb_arena_printf(arena, "out%s is made of %s%s, and should be of %s%s",
                           place_words(m->out, i, arena), m->port[i] < 0 ? "" : role, met,
                           m->right[i] < 0 ? "" : role, due);
}

/* What all wrong outputs have in common: none is made of the operand, or none of one element. */
static bool all_are(const source_map *maps, size_t count, int32_t what)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < maps[k].outputs; i++)
            if (is_wrong(&maps[k], i) && maps[k].port[i] != what)
                return false;
    return true;
}

/* What the probes of an operand show. */
typedef struct shown {
    source_map maps[LB_MOST_SOURCE_MAPS]; /* with wrong outputs */
    size_t count;
    lb_role role;
    turn turn;
    enum { NOTHING, NO_ELEMENT, OTHER_ELEMENTS, WRONG_BY_RULE, ALL_BY_RULE } what;
} shown;

static void tell_shown(lb_sources *s, const shown *best, const char *roles)
{
    const char *name = lb_role_name(best->role);
    const char *rule =
        best->what == ALL_BY_RULE ? NULL : rule_of(best->maps, best->count, name, s->arena);
    s->words = best->what >= WRONG_BY_RULE ? turn_words(&best->turn, name, s->arena)
               : best->what == NO_ELEMENT
                   ? lb_arena_printf(s->arena, "makes outputs of no element of %s", roles)
               : all_are(best->maps, best->count, OF_SEVERAL)
                   ? lb_arena_printf(s->arena, "mixes several elements of %s", name)
                   : lb_arena_printf(s->arena, "takes other elements of %s than it should", name);
    if (rule)
        s->words = lb_arena_printf(s->arena, "%s, where %s", s->words, rule);
    const int32_t numbers[] = {
        (int32_t)best->role,     (int32_t)best->what, (int32_t)best->turn.way,
        (int32_t)best->turn.dim, best->turn.argument, all_are(best->maps, best->count, OF_SEVERAL)};
    memcpy(s->shown, numbers, sizeof numbers);
    s->example = example_words(&best->maps[0], name, s->arena);
}

/* Probed as a whole where few outputs are made of several elements as it should be. */
static bool tells_something(const source_map *m)
{
    size_t one = 0, several = 0;
    for (size_t i = 0; i < m->outputs; i++) {
        one += m->right[i] >= 0;
        several += m->right[i] == OF_SEVERAL;
    }
    return one > 1 && several * 8 <= one;
}

static bool has_wrong(const source_map *m)
{
    for (size_t i = 0; i < m->outputs; i++)
        if (is_wrong(m, i))
            return true;
    return false;
}

static void look_at(shown *of)
{
    of->what = of->count == 0                                     ? NOTHING
               : find_turn(of->maps, of->count, false, &of->turn) ? ALL_BY_RULE
               : find_turn(of->maps, of->count, true, &of->turn)  ? WRONG_BY_RULE
               : all_are(of->maps, of->count, OF_NONE)            ? NO_ELEMENT
                                                                  : OTHER_ELEMENTS;
}

static void probe_role(lb_sources *s, shown *of, const uint32_t *items, size_t count)
{
    size_t probed = 0;
    for (size_t i = 0; i < count && of->count < LB_MOST_SOURCE_MAPS; i++) {
        const lb_tried *t = &s->evidence->items[items[i]];
        const lb_case *c = lb_evidence_case(s->evidence, t);
        source_map *map = &of->maps[of->count];
        if (!c || !probe_case(s, c, s->evidence->profiles[t->profile], of->role, map) ||
            !tells_something(map))
            continue;
        probed++;
        of->count += has_wrong(map);
    }
    if (probed > 0)
        s->looked = lb_arena_printf(s->arena, "%s%s%s", s->looked, s->looked[0] ? ", " : "",
                                    lb_role_name(of->role));
    look_at(of);
}

/* ---- Windows ---- */

/* Outputs that are made of a window of rows and columns: an element of all channels at a time gets
 * the higher value, and shows in which windows it lies. Bits: the marked elements. */
enum { MOST_MARKS = 64 };

typedef struct window_map {
    const lb_case_tensor *from, *out;
    size_t marks, outputs;
    uint64_t *seen[2]; /* [right, port] of each output */
} window_map;

static size_t channels_of(const lb_case_tensor *t)
{
    return t->shape[t->rank - 1];
}

static void mark(lb_case_tensor *t, size_t number, const probe *p)
{
    const size_t channels = channels_of(t);
    fill(t, p->low);
    for (size_t c = 0; c < channels; c++)
        t->data.items[number * channels + c] = p->high;
}

static bool probe_windows(probe *p, window_map *w)
{
    lb_case_tensor *from = p->c->operand[p->role].tensors;
    fill(from, p->low);
    if (!call(p, p->values[0][0], p->values[0][1]))
        return false;
    for (size_t k = 0; k < w->marks; k++) {
        mark(from, k, p);
        if (!call(p, p->values[1][0], p->values[1][1]))
            return false;
        for (size_t i = 0; i < w->outputs; i++)
            for (int side = 0; side < 2; side++)
                if (p->values[1][side][i] != p->values[0][side][i])
                    w->seen[side][i] |= UINT64_C(1) << k;
    }
    return true;
}

/* Functions with a size of windows in their configuration; channels stand innermost. */
static bool has_windows(const probe *p)
{
    const lb_case_tensor *from = p->map.from, *out = p->map.out;
    bool sized = false;
    for (const lb_config_field *f = lb_config_fields(p->c->kernel->config_kind); f->name; f++)
        sized = sized || f->sort == LB_SORT_SIZE;
    return sized && from->rank >= 3 && from->rank == out->rank &&
           channels_of(from) == channels_of(out) &&
           p->map.elements / channels_of(from) <= MOST_MARKS;
}

static bool probe_windows_of(lb_sources *s, const lb_case *from, const lb_profile *profile,
                             window_map *w)
{
    probe p;
    if (!begin_probe(&p, s, from, profile, LB_ROLE_IN) || !has_windows(&p))
        return false;
    *w = (window_map){.from = p.map.from,
                      .out = p.map.out,
                      .marks = p.map.elements / channels_of(p.map.from),
                      .outputs = p.map.outputs};
    for (int side = 0; side < 2; side++)
        w->seen[side] = lb_arena_array(s->arena, w->outputs, sizeof *w->seen[side]);
    bool probed = choose_values(&p, from) && probe_windows(&p, w);
    lb_arena_free(&p.work);
    return probed;
}

/* Elements of windows that are left out, or stand outside of them; the first output as an example.
 */
static void tell_windows(lb_sources *s, const window_map *w)
{
    uint64_t lost = 0, extra = 0, differ = 0;
    size_t first = 0, k = 0;
    for (size_t i = w->outputs; i-- > 0;) {
        lost |= w->seen[0][i] & ~w->seen[1][i];
        extra |= w->seen[1][i] & ~w->seen[0][i];
        if (w->seen[0][i] != w->seen[1][i])
            differ = w->seen[0][first = i] ^ w->seen[1][i];
    }
    if (differ == 0) {
        s->looked = "in";
        return;
    }
    while (!(differ >> k & 1))
        k++;
    const bool is_lost = w->seen[0][first] >> k & 1;
    s->words = !extra  ? "leaves elements of in out of windows"
               : !lost ? "takes elements of in that stand outside of the window"
                       : "takes other elements of in than those of the window";
    s->shown[1] = ALL_BY_RULE + (lost ? 1 : 0) + (extra ? 2 : 0);
    s->example = lb_arena_printf(s->arena, "out%s is made %s in%s, and should not be",
                                 place_words(w->out, first, s->arena), is_lost ? "without" : "with",
                                 place_words(w->from, k * channels_of(w->from), s->arena));
}

static void find_windows(lb_sources *s, const uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count && !s->words; i++) {
        const lb_tried *t = &s->evidence->items[items[i]];
        const lb_case *c = lb_evidence_case(s->evidence, t);
        window_map w;
        if (c && probe_windows_of(s, c, s->evidence->profiles[t->profile], &w))
            tell_windows(s, &w);
    }
}

/* An operand that is read wrongly may hide the others: the one of which most can be said is told.
 */
void lb_sources_find(lb_sources *s, const uint32_t *items, size_t count)
{
    shown best = {.what = NOTHING};
    const char *roles = "";
    s->looked = "";
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        shown of = {.role = (lb_role)role};
        if (role == LB_ROLE_OUT)
            continue;
        probe_role(s, &of, items, count);
        if (of.what != NOTHING)
            roles = lb_arena_printf(s->arena, "%s%s%s", roles, roles[0] ? " or " : "",
                                    lb_role_name(of.role));
        best = of.what > best.what ? of : best;
    }
    if (best.what != NOTHING)
        tell_shown(s, &best, roles);
    else
        find_windows(s, items, count);
}
