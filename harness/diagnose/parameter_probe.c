/* Probes of bias and scales: which entry met which output. See lb_probe_parameters. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/probe.h"
#include "harness/diagnose/work.h"
#include "harness/faults/faults.h"
#include "harness/trial/compare.h"

#include <string.h>

enum { BASE = LB_PROBE_BASE, MOST_ENTRIES = BASE * BASE };

typedef struct probe {
    lb_probing *probing;
    const lb_profile *profile;
    lb_case *c;
    lb_case_tensor *weights, *bias, *out;
    size_t outputs;
    lb_arena work;
} probe;

static void fill(lb_case_tensor *t, int32_t value)
{
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = value;
}

/* Products are 0 with inputs and weights of 0. */
static bool set_up(probe *p, const lb_case *from)
{
    p->c = lb_case_copy(p->probing->arena, from);
    p->c->expect_count = 0;
    p->c->config.relu = 0;
    lb_case_tensor *in = lb_probe_tensor(p->c, LB_ROLE_IN);
    p->weights = lb_probe_tensor(p->c, LB_ROLE_WEIGHTS);
    p->out = lb_probe_tensor(p->c, LB_ROLE_OUT);
    p->bias = lb_probe_tensor(p->c, LB_ROLE_BIAS);
    if (!in || !p->weights || !p->out || !p->bias || !in->has_data || !p->weights->has_data ||
        !p->bias->has_data || p->bias->rank != 1 || p->bias->data.count < 2 ||
        p->bias->data.count > MOST_ENTRIES || p->c->chain.steps > 0)
        return false;
    in->may_be_uniform = p->weights->may_be_uniform = p->bias->may_be_uniform = false;
    fill(in, 0);
    fill(p->weights, 0);
    lb_layout layout = lb_layout_of(p->out);
    p->outputs = lb_layout_count(&layout);
    return p->outputs > 0;
}

/* ---- Codes ---- */

typedef void (*code_fn)(probe *p, size_t entry, int32_t code);

static void code_bias(probe *p, size_t entry, int32_t code)
{
    p->bias->data.items[entry] = code;
}

/* The bias is 1 in steps of 2^12 products: then the code is what comes out. */
static void code_scale(probe *p, size_t entry, int32_t code)
{
    enum { PART = 4, WHOLE = 4096 };
    p->bias->data.items[entry] = WHOLE;
    p->weights->scale[entry] = (int16_t)(PART * code);
    p->bias->scale[entry] = (int16_t)(PART * code);
}

static bool has_scales(const probe *p)
{
    size_t entries = p->bias->data.count;
    return lb_is_sa(p->weights->type) && p->weights->scale && p->bias->scale &&
           p->weights->quant_count == entries && p->bias->quant_count == entries;
}

static bool probe_digit(probe *p, code_fn set, bool high_digit, lb_index_map *map)
{
    bool passed = false;
    lb_fault_bench bench;
    lb_arena_reset(&p->work);
    for (size_t i = 0; i < p->bias->data.count; i++)
        set(p, i, 1 + (int32_t)(high_digit ? i / BASE : i % BASE));
    if (p->probing->most_calls == 0)
        return false;
    p->probing->most_calls--;
    p->probing->calls++;
    const lb_left *left =
        lb_evidence_try(p->probing->evidence, p->c, p->profile, 0, &bench, &p->work, &passed);
    if (!left || left->block_bytes != bench.memory.block_bytes)
        return false;
    lb_probe_read(&bench.memory, bench.right.block, high_digit, map->right, p->outputs);
    lb_probe_read(&bench.memory, left->block, high_digit, map->port, p->outputs);
    return true;
}

/* ---- Maps ---- */

static bool make_map(probe *p, code_fn set, const char *list, lb_index_map *map)
{
    lb_arena *arena = p->probing->arena;
    *map = (lb_index_map){.in = p->bias,
                          .weights = p->bias,
                          .out = p->out,
                          .inputs = p->bias->data.count,
                          .weight_count = 1,
                          .outputs = p->outputs,
                          .list = list,
                          .right = lb_arena_array(arena, p->outputs, sizeof *map->right),
                          .port = lb_arena_array(arena, p->outputs, sizeof *map->port)};
    memset(map->right, 0, p->outputs * sizeof *map->right);
    memset(map->port, 0, p->outputs * sizeof *map->port);
    return probe_digit(p, set, false, map) &&
           (map->inputs <= BASE || probe_digit(p, set, true, map));
}

typedef struct maps {
    lb_index_map of[LB_MOST_PROBED];
    size_t count;
    bool wrong;
} maps;

static void add_map(maps *m, probe *p, code_fn set, const char *list)
{
    lb_index_map *map = &m->of[m->count];
    if (m->count == LB_MOST_PROBED || !make_map(p, set, list, map))
        return;
    m->count++;
    m->wrong = m->wrong || !lb_index_map_is_right(map);
}

static const char *conclude(const maps *m, lb_probing *probing)
{
    lb_arena *arena = probing->arena;
    if (m->wrong)
        lb_probe_shown(m->of, m->count, probing->shown);
    const char *words = m->wrong ? lb_index_map_words(m->of, m->count, arena) : NULL;
    return words || !m->wrong
               ? words
               : lb_arena_printf(arena, "takes other entries of %s than expected", m->of[0].list);
}

const char *lb_probe_parameters(lb_probing *probing, const uint32_t *items, size_t count)
{
    maps bias = {.count = 0}, scales = {.count = 0};
    for (size_t i = 0; i < count && lb_work_seconds(probing->evidence) < probing->deadline; i++) {
        const lb_tried *t = &probing->evidence->items[items[i]];
        const lb_case *c = lb_evidence_case(probing->evidence, t);
        probe p = {.probing = probing, .profile = probing->evidence->profiles[t->profile]};
        if (c && set_up(&p, c)) {
            add_map(&bias, &p, code_bias, "bias");
            if (has_scales(&p))
                add_map(&scales, &p, code_scale, "scale");
        }
        lb_arena_free(&p.work);
    }
    const char *words = conclude(&bias, probing);
    if (words)
        return words;
    words = conclude(&scales, probing);
    probing->shown[LB_SHOWN_NUMBERS - 1] = 1; /* not of bias */
    return words;
}
