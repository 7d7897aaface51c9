/* Structural probes: see probe.h. */
#include "harness/diagnose/probe.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/diagnose/rule.h"
#include "harness/diagnose/work.h"
#include "harness/faults/faults.h"

#include <stdlib.h>
#include <string.h>

/* Numbers stand in outputs in two digits of this base, each in a call of its own, so that 8 bits
 * hold them; 0: nothing is met. */
enum { BASE = 100, MOST_INPUTS = BASE * BASE, MOST_OUTPUTS = 4096 };

/* Of more weights than LB_PROBE_WEIGHTS. */
enum { SAMPLE = 40 };

typedef struct probe {
    lb_asking *asking;
    const lb_profile *profile;
    lb_case *c; /* with unit formats; data are set for each call */
    lb_case_tensor *in, *weights;
    lb_index_map map;
    int32_t *right, *port; /* outputs of the last call */
} probe;

/* ---- Some of many weights ---- */

typedef struct sample {
    uint32_t *of;
    size_t count;
} sample;

static void sample_one(sample *s, size_t flat)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->of[i] == flat)
            return;
    if (s->count < SAMPLE)
        s->of[s->count++] = (uint32_t)flat;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Those that a wrong output should meet; where loops begin and end, at blocks of usual sizes in
 * each dimension; the rest by chance. */
static const uint32_t *choose_weights(const lb_index_map *all, size_t wrong, lb_arena *arena)
{
    static const uint32_t marks[] = {1, 2, 3, 4, 7, 8, 16, 32, 64, 128, 256, 512};
    const lb_case_tensor *t = all->weights;
    const size_t weights = all->weight_count;
    sample s = {.of = lb_arena_array(arena, SAMPLE, sizeof *s.of)};
    size_t step = weights;
    sample_one(&s, 0);
    sample_one(&s, weights - 1);
    for (size_t w = 0; wrong < all->outputs && w < weights && s.count < SAMPLE; w++)
        if (all->right[w * all->outputs + wrong] >= 0)
            sample_one(&s, w);
    for (unsigned d = 0; d < t->rank && d < LB_MAX_RANK && t->shape[d] > 0; d++) {
        step /= t->shape[d];
        sample_one(&s, (t->shape[d] - 1) * step);
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (marks[i] < t->shape[d] && s.count * 4 < SAMPLE * 3)
                sample_one(&s, marks[i] * step);
    }
    for (uint64_t i = 1; s.count < SAMPLE; i++)
        sample_one(&s, (size_t)(i * 2654435761u % weights));
    qsort(s.of, s.count, sizeof *s.of, by_number);
    return s.of;
}

/* ---- The case ---- */

/* Scale 1, zero point 0. */
static void make_plain(lb_case_tensor *t)
{
    t->frac_bits = 0;
    for (size_t i = 0; lb_is_sa(t->type) && t->scale && i < t->quant_count; i++) {
        t->scale[i] = 16384;
        t->zero_point[i] = 0;
        t->scale_frac_bits[i] = 14;
    }
}

/* NULL: it cannot be set freely. */
static lb_case_tensor *plain_tensor(lb_case *c, lb_role role)
{
    lb_case_tensor *t = lb_asking_tensor(c, role);
    if (t)
        make_plain(t);
    return t && (t->has_data || c->operand[role].is_output) ? t : NULL;
}

static bool set_up(probe *p, const lb_case *from, lb_arena *arena)
{
    if (from->chain.steps > 0)
        return false;
    p->c = lb_asking_case(from, arena);
    lb_case_tensor *bias = plain_tensor(p->c, LB_ROLE_BIAS), *out = plain_tensor(p->c, LB_ROLE_OUT);
    p->c->config.relu = 0;
    p->in = plain_tensor(p->c, LB_ROLE_IN);
    p->weights = plain_tensor(p->c, LB_ROLE_WEIGHTS);
    if (!p->in || !p->weights || !out || !bias || out->has_data_in)
        return false;
    p->in->may_be_uniform = p->weights->may_be_uniform = bias->may_be_uniform = false;
    lb_layout layout = lb_layout_of(out);
    p->map = (lb_index_map){.meets = LB_MEETS_WEIGHTS,
                            .role = LB_ROLE_IN,
                            .in = p->in,
                            .weights = p->weights,
                            .out = out,
                            .inputs = p->in->data.count,
                            .weight_count = p->weights->data.count,
                            .outputs = lb_layout_count(&layout)};
    memset(bias->data.items, 0, bias->data.count * sizeof *bias->data.items);
    p->right = lb_arena_array(arena, p->map.outputs + 1, sizeof *p->right);
    p->port = lb_arena_array(arena, p->map.outputs + 1, sizeof *p->port);
    return p->map.inputs > 1 && p->map.inputs <= MOST_INPUTS && p->map.weight_count > 1 &&
           p->map.outputs > 0 && p->map.outputs <= MOST_OUTPUTS;
}

/* ---- Calls ---- */

static bool ask(probe *p)
{
    return lb_ask(p->asking, p->c, p->profile, p->right, p->port);
}

static void set_data(probe *p, size_t weight, bool high_digit)
{
    for (size_t i = 0; i < p->weights->data.count; i++)
        p->weights->data.items[i] = i == lb_index_map_weight(&p->map, weight);
    for (size_t i = 0; i < p->map.inputs; i++)
        p->in->data.items[i] = 1 + (int32_t)(high_digit ? i / BASE : i % BASE);
}

/* Adds a digit to the number of what an output has met. */
static void read_digit(const probe *p, bool high_digit, int32_t *met)
{
    for (size_t i = 0; i < p->map.outputs; i++) {
        const int32_t v = p->port[i];
        if (met[i] >= 0)
            met[i] = v == 0  ? LB_MET_NONE
                     : v < 0 ? LB_MET_SEVERAL
                             : met[i] + (v - 1) * (high_digit ? BASE : 1);
    }
}

static bool probe_weight(probe *p, size_t weight)
{
    int32_t *port = p->map.port + weight * p->map.outputs;
    memset(port, 0, p->map.outputs * sizeof *port);
    for (int digit = 0; digit < (p->map.inputs > BASE ? 2 : 1); digit++) {
        set_data(p, weight, digit == 1);
        if (!ask(p))
            return false;
        read_digit(p, digit == 1, port);
    }
    return true;
}

/* ---- Cases ---- */

/* Calls for a case: one digit or two for each weight. */
static size_t calls_for(const probe *p)
{
    return p->map.weight_count * (p->map.inputs > BASE ? 2 : 1);
}

unsigned lb_probe_calls(const lb_case *c)
{
    const lb_case_operand *in = &c->operand[LB_ROLE_IN], *weights = &c->operand[LB_ROLE_WEIGHTS];
    if (!in->present || !weights->present || !in->tensors[0].has_data ||
        !weights->tensors[0].has_data)
        return 0;
    size_t count = weights->tensors[0].data.count;
    return (unsigned)(count > LB_PROBE_WEIGHTS ? SAMPLE : count) *
           (in->tensors[0].data.count > BASE ? 2 : 1);
}

/* ---- Is anything wrong with plain numbers? ---- */

/* Numbers so small that no sum leaves 8 bits. */
static void set_small(probe *p, unsigned way)
{
    enum { MOST_OF_A_SUM = 40 };
    const size_t filters = p->weights->shape[p->weights->rank - 1];
    const size_t taps = p->map.weight_count / (filters > 0 ? filters : 1);
    const uint32_t one_in = (uint32_t)(taps / MOST_OF_A_SUM) + 1;
    for (size_t i = 0; i < p->weights->data.count; i++) {
        const uint32_t n = ((uint32_t)i * 4 + way) * 2654435761u >> 12;
        p->weights->data.items[i] = n / 2 % one_in == 0 ? 1 - (int32_t)(n % 2 * 2) : 0;
    }
    for (size_t i = 0; i < p->in->data.count; i++)
        p->in->data.items[i] = (int32_t)((((uint32_t)i * 4 + 2 + way) * 2654435761u >> 12) % 7) - 3;
}

/* The first output that is wrong; how many outputs there are: none. */
static size_t first_wrong(probe *p)
{
    enum { WAYS = 2 };
    for (unsigned way = 0; way < WAYS; way++) {
        set_small(p, way);
        const bool asked = ask(p);
        for (size_t i = 0; asked && i < p->map.outputs; i++)
            if (p->right[i] != p->port[i])
                return i;
    }
    return p->map.outputs;
}

/* ---- Which numbers are taken for others? ---- */

enum { NUMBERS = 48, WRONG_NUMBERS = 2, MOST_NUMBERS = 400 };

/* Around powers of 2 and ends of types, with low bytes on both sides of their middle. */
static int32_t number_of(unsigned k, bool is_wide)
{
    static const int16_t of[] = {-128, -127, -100, -65, -64, -33, -16, -2, -1, 1,   2,   3,
                                 7,    8,    15,   16,  31,  32,  63,  64, 65, 100, 126, 127};
    enum { COUNT = sizeof of / sizeof *of };
    const int32_t n = of[k % COUNT];
    return is_wide && k / COUNT % 2 == 1 ? n * 256 + (int32_t)(k * 37 % 256) : n;
}

/* One element of each sum is a number, the one that it meets is 1, and all others are 0: an output
 * is the number, as the port takes it. `all`: each is this one; NULL: they are different. */
static void set_numbers(probe *p, lb_role role, unsigned call, const int32_t *all)
{
    const size_t filters = p->weights->shape[p->weights->rank - 1];
    const size_t tap = p->weights->data.count / filters / 2 * filters;
    const bool is_weight = role == LB_ROLE_WEIGHTS;
    for (size_t i = 0; i < p->weights->data.count; i++)
        p->weights->data.items[i] =
            i < tap || i >= tap + filters ? 0
            : !is_weight                  ? 1
            : all                         ? *all
                  : number_of((unsigned)(call * filters + i - tap), p->weights->type == LB_FX16);
    for (size_t i = 0; i < p->in->data.count; i++)
        p->in->data.items[i] = is_weight ? 1
                               : all     ? *all
                                     : number_of((unsigned)i + 7 * call, p->in->type == LB_FX16);
}

/* Rows for a rule: each number that an output should be, and whether it is. */
enum { OF_NUMBER, OF_LOW_BYTE };

static const char *number_name(const void *user, unsigned feature, lb_arena *arena)
{
    (void)user;
    (void)arena;
    return feature == OF_NUMBER ? "it" : "its low byte";
}

typedef struct number_rows {
    lb_features *items;
    size_t count, wrong;
    int32_t right, port; /* of the first that is wrong */
} number_rows;

static void take_numbers(number_rows *rows, const probe *p)
{
    for (size_t i = 0; i < p->map.outputs && rows->count < MOST_NUMBERS; i++) {
        const int32_t due = p->right[i], given = p->port[i];
        lb_features *row = &rows->items[rows->count];
        if (due == 0)
            continue;
        *row = lb_features_empty((uint64_t)due, due != given);
        row->value[OF_NUMBER] = due;
        row->value[OF_LOW_BYTE] = due & 255;
        rows->right = row->inside && rows->wrong == 0 ? due : rows->right;
        rows->port = row->inside && rows->wrong == 0 ? given : rows->port;
        rows->wrong += row->inside;
        rows->count++;
    }
}

/* A few numbers that were wrong and a few that were right, each alone in all places: they are so
 * again. Else it is a matter of places. */
static bool is_so_everywhere(probe *p, lb_role role, const number_rows *rows)
{
    unsigned left[] = {4, 4};
    bool is_seen = false;
    for (size_t k = 0; k < rows->count; k++) {
        const bool is_wrong = rows->items[k].inside;
        const int32_t number = (int32_t)rows->items[k].value[OF_NUMBER];
        if (left[is_wrong] == 0)
            continue;
        left[is_wrong]--;
        set_numbers(p, role, 0, &number);
        const bool asked = ask(p);
        for (size_t i = 0; asked && i < p->map.outputs; i++) {
            if (p->right[i] != 0 && (p->right[i] != p->port[i]) != is_wrong)
                return false;
            is_seen = is_seen || (p->right[i] != 0 && is_wrong);
        }
    }
    return is_seen;
}

static bool probe_numbers(probe *p, lb_role role, lb_probing *probing)
{
    static const lb_rule_names names = {number_name, NULL, NULL, NULL};
    const size_t filters = p->weights->shape[p->weights->rank - 1];
    const unsigned calls = role == LB_ROLE_WEIGHTS ? NUMBERS / (unsigned)filters + 1 : 2;
    number_rows rows = {.items = lb_resized(NULL, (MOST_NUMBERS + 1) * sizeof *rows.items)};
    for (unsigned n = 0; n < calls; n++) {
        set_numbers(p, role, n, NULL);
        if (ask(p))
            take_numbers(&rows, p);
    }
    const char *rule =
        rows.wrong >= WRONG_NUMBERS
            ? lb_rule_find_named(rows.items, rows.count, &names, probing->asking.arena)
            : NULL;
    const bool is_found = rule && is_so_everywhere(p, role, &rows);
    if (is_found) {
        probing->role = role;
        probing->told.words = lb_arena_printf(
            probing->asking.arena, "takes another number for an element of %s, where %s: %d for %d",
            lb_role_name(role), rule, (int)rows.port, (int)rows.right);
    }
    free(rows.items);
    return is_found;
}

static bool expect_all(lb_index_map *m, const lb_call *call, lb_arena *own, lb_arena *arena)
{
    m->right = lb_arena_array(own, m->weight_count * m->outputs, sizeof *m->right);
    return lb_index_map_expect(m, call, arena);
}

/* What should meet what, of all weights, or of some where there are many: of those that a wrong
 * output meets, unless they are too many to look at. */
static bool expect(probe *p, size_t wrong, lb_arena *own, lb_arena *arena)
{
    enum { MOST_MEETINGS = 1 << 22 };
    const lb_call *call = &lb_instance_of(p->c, arena)->call;
    lb_index_map *m = &p->map;
    if (m->weight_count > LB_PROBE_WEIGHTS) {
        const bool looks = wrong < m->outputs && m->weight_count <= MOST_MEETINGS / m->outputs;
        if (looks && !expect_all(m, call, own, arena))
            return false;
        m->chosen = choose_weights(m, looks ? wrong : m->outputs, arena);
        m->weight_count = SAMPLE;
    }
    return expect_all(m, call, own, arena);
}

static int32_t *kept_meetings(const int32_t *of, const lb_index_map *m, lb_arena *arena)
{
    const size_t bytes = m->weight_count * m->outputs * sizeof *of;
    int32_t *kept = lb_arena_alloc(arena, bytes);
    memcpy(kept, of, bytes);
    return kept;
}

static bool probe_weights(probe *p, size_t wrong, lb_arena *own)
{
    const lb_asking *asking = p->asking;
    size_t done = 0;
    if (!expect(p, wrong, own, asking->arena) || calls_for(p) + asking->calls > asking->most_calls)
        return false;
    p->map.port = lb_arena_array(own, p->map.weight_count * p->map.outputs, sizeof *p->map.port);
    while (done < p->map.weight_count && probe_weight(p, done))
        done++;
    return done == p->map.weight_count;
}

/* Probes with the geometry of a case. A failing one is of use where it is wrong with plain numbers
 * as well; *quiet counts those that are not. False: it cannot be done, or not in time. */
static bool probe_case(lb_probing *probing, const lb_tried *t, bool failing, lb_index_map *map,
                       size_t *quiet)
{
    lb_evidence *e = probing->asking.evidence;
    const lb_case *c = lb_evidence_case(e, t);
    probe p = {.asking = &probing->asking, .profile = e->profiles[t->profile]};
    lb_arena own = {0};
    bool fits = c && p.asking->calls < p.asking->most_calls &&
                lb_work_seconds(e) <= p.asking->deadline && set_up(&p, c, probing->asking.arena);
    const size_t wrong = fits && failing ? first_wrong(&p) : p.map.outputs;
    const bool is_quiet = fits && failing && wrong == p.map.outputs;
    *quiet += is_quiet;
    if (fits && failing && !probe_numbers(&p, LB_ROLE_WEIGHTS, probing))
        probe_numbers(&p, LB_ROLE_IN, probing);
    fits = fits && !is_quiet && !probing->told.words && probe_weights(&p, wrong, &own);
    *map = p.map;
    if (fits) {
        map->right = kept_meetings(p.map.right, &p.map, probing->asking.arena);
        map->port = kept_meetings(p.map.port, &p.map, probing->asking.arena);
    }
    lb_arena_free(&own);
    return fits;
}

lb_probed lb_probe(lb_probing *probing, const uint32_t *items, size_t failing, size_t count)
{
    enum { MOST_FAILING = 3 };
    lb_index_map maps[LB_MOST_PROBED];
    size_t probed = 0, quiet = 0, wrong = 0;
    for (size_t i = 0; i < count && probed < LB_MOST_PROBED && !probing->told.words; i++) {
        const bool fails = i < failing;
        if (fails ? probed < MOST_FAILING : probed > 0)
            probed += probe_case(probing, &probing->asking.evidence->items[items[i]], fails,
                                 &maps[probed], &quiet);
    }
    while (wrong < probed && lb_index_map_is_right(&maps[wrong]))
        wrong++;
    probing->how = probing->told.words ? "probes with one number in each sum"
                                       : "probes with one weight and numbered inputs";
    probing->what = "every weight meets its input";
    if (probing->told.words)
        return LB_PROBED_NUMBERS;
    if (wrong == probed)
        return probed + quiet > 0 ? LB_PROBED_RIGHT : LB_PROBED_NOTHING;
    probing->told = lb_index_map_tell(maps, probed, probing->asking.arena);
    return LB_PROBED_WRONG;
}
