/* Which element of an operand an output is made of: see probe.h. */
#include "harness/call/model.h"
#include "harness/diagnose/probe.h"

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
    p->map = (lb_index_map){.meets = LB_MEETS_ONE,
                            .role = role,
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

/* ---- Operands ---- */

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

/* False: the operand cannot be probed. */
static bool probe_role(lb_probing *probing, lb_role role, const uint32_t *items, size_t count,
                       lb_index_map_told *told)
{
    enum { MOST_MAPS = 3 };
    lb_index_map maps[MOST_MAPS];
    size_t probed = 0, wrong = 0;
    for (size_t i = 0; i < count && wrong < MOST_MAPS; i++) {
        const lb_tried *t = &probing->asking.evidence->items[items[i]];
        probe p;
        if (!begin_probe(&p, &probing->asking, t, role) || !choose_values(&p, t) ||
            !probe_operand(&p))
            continue;
        leave_hidden(&p);
        if (!tells_something(&p.map))
            continue;
        probed++;
        maps[wrong] = p.map;
        wrong += !lb_index_map_is_right(&p.map);
    }
    *told = wrong > 0 ? lb_index_map_tell(maps, wrong, probing->asking.arena)
                      : (lb_index_map_told){.words = NULL};
    return probed > 0;
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
    m->meets = LB_MEETS_WINDOW;
    m->weight_count = m->inputs / channels;
    lb_index_map_expect(m, &lb_instance_of(p->c, p->asking->arena)->call, p->asking->arena);
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

/* False: the windows of none of the cases can be probed. */
static bool probe_all_windows(lb_probing *probing, const uint32_t *items, size_t count)
{
    bool probed = false;
    for (size_t i = 0; i < count && !probing->told.words; i++) {
        const lb_tried *t = &probing->asking.evidence->items[items[i]];
        probe p;
        if (!begin_probe(&p, &probing->asking, t, LB_ROLE_IN) || !has_windows(&p) ||
            !choose_values(&p, t) || !probe_windows(&p))
            continue;
        probed = true;
        if (!lb_index_map_is_right(&p.map))
            probing->told = lb_index_map_tell(&p.map, 1, probing->asking.arena);
    }
    return probed;
}

/* An operand that is read wrongly may hide the others: the one of which most can be said is told.
 */
lb_probed lb_probe_sources(lb_probing *probing, const uint32_t *items, size_t count)
{
    const char *looked = "";
    probing->how = "probes with numbered elements";
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_index_map_told told;
        if (role == LB_ROLE_OUT || !probe_role(probing, (lb_role)role, items, count, &told))
            continue;
        looked = lb_arena_printf(probing->asking.arena, "%s%s%s", looked, looked[0] ? ", " : "",
                                 lb_role_name((lb_role)role));
        if (told.words && (!probing->told.words || told.worth > probing->told.worth))
            probing->told = told;
    }
    if (!probing->told.words && probe_all_windows(probing, items, count) && !looked[0])
        looked = lb_role_name(LB_ROLE_IN);
    probing->what = lb_arena_printf(probing->asking.arena,
                                    "every output is made of the right ones of %s", looked);
    return probing->told.words ? LB_PROBED_WRONG : looked[0] ? LB_PROBED_RIGHT : LB_PROBED_NOTHING;
}
