/* Which element of an operand an output is made of: see sources.h. */
#include "harness/diagnose/sources.h"
#include "harness/diagnose/features.h"
#include "harness/diagnose/index_map.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 8192, MOST_OUTPUTS = 32768 };

typedef struct probe {
    lb_asking *asking;
    const lb_profile *profile;
    lb_case *c;
    lb_case_tensor *from; /* the operand, whose elements are marked */
    lb_index_map map;
    int32_t low, high;     /* the two values */
    int32_t *values[2][2]; /* outputs: [all low, all high][right, port] */
} probe;

/* ---- The case ---- */

static void fill(lb_case_tensor *t, int32_t value)
{
    t->may_be_uniform = false;
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = value;
}

/* False: the case cannot be probed so. */
static bool begin_probe(probe *p, lb_asking *asking, const lb_tried *t, lb_role role)
{
    const lb_case *from = lb_evidence_case(asking->evidence, t);
    lb_arena *arena = asking->arena;
    *p = (probe){.asking = asking,
                 .profile = asking->evidence->profiles[t->profile],
                 .c = from && from->chain.steps == 0 ? lb_asking_case(from, arena) : NULL};
    p->from = p->c ? lb_asking_tensor(p->c, role) : NULL;
    const lb_case_tensor *out = p->c ? lb_asking_tensor(p->c, LB_ROLE_OUT) : NULL;
    if (!p->from || !out || p->c->operand[role].is_output || !p->from->has_data)
        return false;
    const lb_layout layout = lb_layout_of(out);
    p->map = (lb_index_map){.role = role,
                            .in = p->from,
                            .out = out,
                            .weight_count = 1,
                            .inputs = p->from->data.count,
                            .outputs = lb_layout_count(&layout)};
    for (int i = 0; i < 4; i++)
        p->values[i / 2][i % 2] = lb_arena_array(arena, p->map.outputs + 1, sizeof(int32_t));
    return p->map.inputs > 1 && p->map.inputs <= MOST_ELEMENTS && p->map.outputs > 1 &&
           p->map.outputs <= MOST_OUTPUTS;
}

/* Of all meetings of the map: none is met. */
static void make_meetings(probe *p)
{
    const size_t count = p->map.weight_count * p->map.outputs;
    p->map.right = lb_arena_array(p->asking->arena, count, sizeof(int32_t));
    p->map.port = lb_arena_array(p->asking->arena, count, sizeof(int32_t));
    for (size_t i = 0; i < count; i++)
        p->map.right[i] = p->map.port[i] = LB_MET_NONE;
}

/* ---- Calls ---- */

static bool call(probe *p, int32_t *right, int32_t *port)
{
    return lb_ask(p->asking, p->c, p->profile, right, port);
}

/* Two values of the operand between which most outputs differ, with the other operands as they are
 * or all the same. */
static size_t difference(probe *p, int32_t low, int32_t high)
{
    size_t differ = 0;
    for (int i = 0; i < 2; i++) {
        fill(p->from, i == 0 ? low : high);
        if (!call(p, p->values[i][0], NULL))
            return 0;
    }
    for (size_t i = 0; i < p->map.outputs; i++)
        differ += p->values[0][0][i] != p->values[1][0][i];
    return differ;
}

static void fill_others(probe *p, const lb_case *from, int32_t value)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_case_tensor *t = lb_asking_tensor(p->c, (lb_role)role);
        if (!t || t == p->from || p->c->operand[role].is_output || !t->has_data)
            continue;
        if (value == 0)
            memcpy(t->data.items, from->operand[role].tensors[0].data.items,
                   t->data.count * sizeof *t->data.items);
        else
            fill(t, value);
    }
}

static bool choose_values(probe *p, const lb_tried *t)
{
    static const int32_t pairs[][2] = {{-100, 100}, {1, 100}, {-1, -100}, {30, 33}};
    static const int32_t reals[][2] = {{0x3F800000, 0x42800000}, {(int32_t)0xC2800000, 0x42800000}};
    static const int32_t others[] = {0, 90, -90}; /* 0: as they are */
    const lb_case *from = lb_evidence_case(p->asking->evidence, t);
    bool is_real = p->from->type == LB_FP32;
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
                map[i] = LB_MET_SEVERAL;
        }
    }
}

static bool probe_operand(probe *p)
{
    int32_t *right = lb_arena_array(p->asking->arena, p->map.outputs, sizeof *right);
    int32_t *port = lb_arena_array(p->asking->arena, p->map.outputs, sizeof *port);
    make_meetings(p);
    for (int high = 0; high < 2; high++) {
        fill(p->from, high ? p->high : p->low);
        if (!call(p, p->values[high][0], p->values[high][1]))
            return false;
    }
    for (size_t i = 0; i < p->map.outputs; i++) {
        p->map.right[i] = p->values[0][0][i] == p->values[1][0][i] ? LB_MET_NONE : 0;
        p->map.port[i] = p->values[0][1][i] == p->values[1][1][i] ? LB_MET_NONE : 0;
    }
    for (unsigned bit = 0; (p->map.inputs - 1) >> bit > 0; bit++) {
        for (size_t i = 0; i < p->map.inputs; i++)
            p->from->data.items[i] = i >> bit & 1 ? p->high : p->low;
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
        if (p->map.right[i] == LB_MET_NONE || (p->map.port[i] == LB_MET_NONE && is_hidden))
            p->map.right[i] = LB_MET_SEVERAL;
    }
}

/* ---- Rules ---- */

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

static int32_t most_argument(const turn *r, const lb_index_map *m)
{
    size_t extent = r->dim == LB_MAX_RANK  ? m->inputs
                    : r->dim < m->in->rank ? m->in->shape[r->dim]
                                           : 0;
    return (int32_t)extent;
}

/* Where a few outputs alone are wrong, an element moved by some is the plainest to say. */
static bool find_turn(const lb_index_map *maps, size_t count, bool wrong_alone, turn *found)
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

/* ---- What is found ---- */

/* What all wrong outputs have in common: none is made of the operand, or none of one element. */
static bool all_are(const lb_index_map *maps, size_t count, int32_t what)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < maps[k].outputs; i++)
            if (lb_index_map_is_wrong(&maps[k], i) && maps[k].port[i] != what)
                return false;
    return true;
}

/* What the probes of an operand show. */
typedef struct shown {
    lb_index_map maps[LB_MOST_SOURCE_MAPS]; /* with wrong outputs */
    size_t count;
    lb_role role;
    turn turn;
    enum { NOTHING, NO_ELEMENT, OTHER_ELEMENTS, WRONG_BY_RULE, ALL_BY_RULE } what;
} shown;

static void tell_shown(lb_sources *s, const shown *best, const char *roles)
{
    lb_arena *arena = s->asking.arena;
    const char *name = lb_role_name(best->role);
    const char *rule =
        best->what == ALL_BY_RULE ? NULL : lb_index_map_rule(best->maps, best->count, arena);
    s->words = best->what >= WRONG_BY_RULE ? turn_words(&best->turn, name, arena)
               : best->what == NO_ELEMENT
                   ? lb_arena_printf(arena, "makes outputs of no element of %s", roles)
               : all_are(best->maps, best->count, LB_MET_SEVERAL)
                   ? lb_arena_printf(arena, "mixes several elements of %s", name)
                   : lb_arena_printf(arena, "takes other elements of %s than it should", name);
    if (rule)
        s->words = lb_arena_printf(arena, "%s, where %s", s->words, rule);
    const int32_t numbers[] = {
        (int32_t)best->role,     (int32_t)best->what,
        (int32_t)best->turn.way, (int32_t)best->turn.dim,
        best->turn.argument,     all_are(best->maps, best->count, LB_MET_SEVERAL)};
    memcpy(s->shown, numbers, sizeof numbers);
    s->example = lb_index_map_example(&best->maps[0], arena);
}

/* Probed as a whole where few outputs are made of several elements as it should be. */
static bool tells_something(const lb_index_map *m)
{
    size_t one = 0, several = 0;
    for (size_t i = 0; i < m->outputs; i++) {
        one += m->right[i] >= 0;
        several += m->right[i] == LB_MET_SEVERAL;
    }
    return one > 1 && several * 8 <= one;
}

static void look_at(shown *of)
{
    of->what = of->count == 0                                     ? NOTHING
               : find_turn(of->maps, of->count, false, &of->turn) ? ALL_BY_RULE
               : find_turn(of->maps, of->count, true, &of->turn)  ? WRONG_BY_RULE
               : all_are(of->maps, of->count, LB_MET_NONE)        ? NO_ELEMENT
                                                                  : OTHER_ELEMENTS;
}

static void probe_role(lb_sources *s, shown *of, const uint32_t *items, size_t count)
{
    size_t probed = 0;
    for (size_t i = 0; i < count && of->count < LB_MOST_SOURCE_MAPS; i++) {
        const lb_tried *t = &s->asking.evidence->items[items[i]];
        probe p;
        if (!begin_probe(&p, &s->asking, t, of->role) || !choose_values(&p, t) ||
            !probe_operand(&p))
            continue;
        leave_hidden(&p);
        if (!tells_something(&p.map))
            continue;
        probed++;
        of->maps[of->count] = p.map;
        of->count += !lb_index_map_is_right(&p.map);
    }
    if (probed > 0)
        s->looked = lb_arena_printf(s->asking.arena, "%s%s%s", s->looked, s->looked[0] ? ", " : "",
                                    lb_role_name(of->role));
    look_at(of);
}

/* ---- Windows ---- */

/* Outputs that are made of a window of rows and columns: an element of all channels at a time gets
 * the higher value, and shows in which windows it lies. The map has a meeting of each such element
 * and output. */
enum { MOST_MARKS = 64 };

static size_t channels_of(const lb_case_tensor *t)
{
    return t->shape[t->rank - 1];
}

static bool probe_windows(probe *p)
{
    const size_t channels = channels_of(p->from);
    lb_index_map *m = &p->map;
    m->weight_count = m->inputs / channels;
    make_meetings(p);
    fill(p->from, p->low);
    if (!call(p, p->values[0][0], p->values[0][1]))
        return false;
    for (size_t k = 0; k < m->weight_count; k++) {
        fill(p->from, p->low);
        for (size_t c = 0; c < channels; c++)
            p->from->data.items[k * channels + c] = p->high;
        if (!call(p, p->values[1][0], p->values[1][1]))
            return false;
        for (size_t i = 0; i < 2 * m->outputs; i++)
            if (p->values[1][i % 2][i / 2] != p->values[0][i % 2][i / 2])
                (i % 2 == 0 ? m->right : m->port)[k * m->outputs + i / 2] = (int32_t)(k * channels);
    }
    return true;
}

/* Functions with a size of windows in their configuration; channels stand innermost. */
static bool has_windows(const probe *p)
{
    const lb_case_tensor *from = p->from, *out = p->map.out;
    bool sized = false;
    for (const lb_config_field *f = lb_config_fields(p->c->kernel->config_kind); f->name; f++)
        sized = sized || f->sort == LB_SORT_SIZE;
    return sized && from->rank >= 3 && from->rank == out->rank &&
           channels_of(from) == channels_of(out) && p->map.inputs / channels_of(from) <= MOST_MARKS;
}

/* Elements of windows that are left out, or stand outside of them; the first output as an example.
 */
static void tell_windows(lb_sources *s, const lb_index_map *m)
{
    bool lost = false, extra = false;
    for (size_t i = 0; i < m->weight_count * m->outputs; i++) {
        lost = lost || (m->right[i] >= 0 && m->port[i] < 0);
        extra = extra || (m->right[i] < 0 && m->port[i] >= 0);
    }
    s->looked = "in";
    if (!lost && !extra)
        return;
    s->words = !extra  ? "leaves elements of in out of windows"
               : !lost ? "takes elements of in that stand outside of the window"
                       : "takes other elements of in than those of the window";
    s->shown[1] = ALL_BY_RULE + (lost ? 1 : 0) + (extra ? 2 : 0);
    s->example = lb_index_map_example(m, s->asking.arena);
}

static void find_windows(lb_sources *s, const uint32_t *items, size_t count)
{
    for (size_t i = 0; i < count && !s->words; i++) {
        const lb_tried *t = &s->asking.evidence->items[items[i]];
        probe p;
        if (begin_probe(&p, &s->asking, t, LB_ROLE_IN) && has_windows(&p) && choose_values(&p, t) &&
            probe_windows(&p))
            tell_windows(s, &p.map);
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
            roles = lb_arena_printf(s->asking.arena, "%s%s%s", roles, roles[0] ? " or " : "",
                                    lb_role_name(of.role));
        best = of.what > best.what ? of : best;
    }
    if (best.what != NOTHING)
        tell_shown(s, &best, roles);
    else
        find_windows(s, items, count);
}
