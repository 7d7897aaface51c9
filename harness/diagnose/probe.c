/* Structural probes: see probe.h. */
#include "harness/diagnose/probe.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/faults/faults.h"
#include "harness/trial/compare.h"

#include <stdlib.h>
#include <string.h>

/* Inputs are numbered in two digits of this base, each in a call of its own, so that 8 bits hold
 * them. */
enum { BASE = 100, MOST_INPUTS = BASE * BASE, MOST_OUTPUTS = 4096 };

typedef struct probe {
    lb_evidence *e;
    const lb_profile *profile;
    lb_case *c; /* with unit formats; data are set for each call */
    lb_case_tensor *in, *weights, *out;
    size_t inputs, weight_count, outputs;
    int32_t *right, *port; /* [weight][output]: the input met there; -1: none */
    lb_arena work;
    double deadline;
} probe;

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

static lb_case_tensor *plain_tensor(lb_case *c, lb_role role)
{
    lb_case_operand *operand = &c->operand[role];
    lb_case_tensor *t = operand->present && operand->count == 1 ? &operand->tensors[0] : NULL;
    if (!t || c->null_role[role] || operand->is_list || t->has_buffer_elements || t->has_rank ||
        t->has_data_in || t->has_quant_in || t->null_data || t->has_el_type || t->has_capacity)
        return NULL;
    make_plain(t);
    return t;
}

static bool set_up(probe *p, const lb_case *from, lb_arena *arena)
{
    p->c = lb_case_copy(arena, from);
    p->c->expect_count = 0;
    p->c->config.relu = 0;
    p->in = plain_tensor(p->c, LB_ROLE_IN);
    p->weights = plain_tensor(p->c, LB_ROLE_WEIGHTS);
    p->out = plain_tensor(p->c, LB_ROLE_OUT);
    lb_case_tensor *bias = plain_tensor(p->c, LB_ROLE_BIAS);
    if (!p->in || !p->weights || !p->out || !bias || !p->in->has_data || !p->weights->has_data ||
        !bias->has_data || p->c->chain.steps > 0)
        return false;
    p->in->may_be_uniform = p->weights->may_be_uniform = bias->may_be_uniform = false;
    lb_layout layout = lb_layout_of(p->out);
    p->inputs = p->in->data.count;
    p->weight_count = p->weights->data.count;
    p->outputs = lb_layout_count(&layout);
    memset(bias->data.items, 0, bias->data.count * sizeof *bias->data.items);
    return p->inputs > 1 && p->inputs <= MOST_INPUTS && p->weight_count > 1 &&
           p->weight_count <= LB_PROBE_WEIGHTS && p->outputs > 0 && p->outputs <= MOST_OUTPUTS;
}

/* ---- Calls ---- */

static void set_data(probe *p, size_t weight, bool high_digit)
{
    for (size_t i = 0; i < p->weight_count; i++)
        p->weights->data.items[i] = i == weight;
    for (size_t i = 0; i < p->inputs; i++)
        p->in->data.items[i] = 1 + (int32_t)(high_digit ? i / BASE : i % BASE);
}

/* Adds a digit to the numbers of inputs that the outputs tell. */
static void read_digit(const probe *p, const lb_call_memory *memory, const unsigned char *block,
                       bool high_digit, int32_t *met)
{
    lb_layout layout = lb_layout_of(p->out);
    short buffer = memory->buffer_of[LB_ROLE_OUT][0][LB_BUFFER_DATA];
    for (size_t i = 0; buffer >= 0 && i < p->outputs; i++) {
        int32_t v =
            lb_read_container(block + memory->buffers[buffer].offset + lb_layout_offset(&layout, i),
                              layout.element_bytes);
        if (v == 0 || met[i] < 0)
            met[i] = -1;
        else
            met[i] += (v - 1) * (high_digit ? BASE : 1);
    }
}

static bool probe_weight(probe *p, size_t weight)
{
    int32_t *right = p->right + weight * p->outputs, *port = p->port + weight * p->outputs;
    memset(right, 0, p->outputs * sizeof *right);
    memset(port, 0, p->outputs * sizeof *port);
    for (int digit = 0; digit < (p->inputs > BASE ? 2 : 1); digit++) {
        bool passed = false;
        const char *trouble = NULL;
        lb_fault_bench bench;
        lb_arena_reset(&p->work);
        set_data(p, weight, digit == 1);
        if (!lb_fault_bench_make(&bench, p->c, p->profile, &p->work) || !bench.computed)
            return false;
        const lb_left *left = lb_evidence_call(p->e, p->e->port, p->c, p->profile, false, &p->work,
                                               &passed, &trouble);
        if (!left || trouble || left->block_bytes != bench.memory.block_bytes)
            return false;
        read_digit(p, &bench.memory, bench.right.block, digit == 1, right);
        read_digit(p, &bench.memory, left->block, digit == 1, port);
    }
    return true;
}

/* ---- Formulas ---- */

static void split(size_t flat, const uint32_t *shape, const unsigned *order, unsigned rank,
                  uint32_t *index)
{
    for (unsigned d = rank; d-- > 0;) {
        index[order[d]] = (uint32_t)(flat % shape[order[d]]);
        flat /= shape[order[d]];
    }
}

/* Where the element that stands at this place is taken to be. */
static size_t taken_for(const lb_formula *f, const lb_case_tensor *t, size_t flat)
{
    uint32_t index[LB_MAX_RANK] = {0};
    size_t place = 0;
    split(flat, t->shape, f->order, t->rank, index);
    for (unsigned d = 0; d < t->rank; d++) {
        uint32_t at = f->backwards >> d & 1 ? t->shape[d] - 1 - index[d] : index[d];
        place = place * t->shape[d] + at;
    }
    return place;
}

static bool weights_fit(const probe *p, const lb_formula *f)
{
    for (size_t k = 0; k < p->weight_count; k++)
        if (memcmp(p->port + k * p->outputs, p->right + taken_for(f, p->weights, k) * p->outputs,
                   p->outputs * sizeof *p->port) != 0)
            return false;
    return true;
}

/* The inputs that the port takes, told in the places that the formula gives them. */
static bool inputs_fit(const probe *p, const lb_formula *f)
{
    for (size_t i = 0; i < p->weight_count * p->outputs; i++) {
        if ((p->port[i] < 0) != (p->right[i] < 0))
            return false;
        if (p->port[i] >= (int32_t)p->inputs ||
            (p->port[i] >= 0 && taken_for(f, p->in, (size_t)p->port[i]) != (size_t)p->right[i]))
            return false;
    }
    return true;
}

static const char *words_of(const lb_formula *f, const char *what, unsigned rank, lb_arena *arena)
{
    const char *order = "", *backwards = "";
    bool moved = false;
    for (unsigned d = 0; d < rank; d++) {
        moved = moved || f->order[d] != d;
        order = lb_arena_printf(arena, "%s[%u]", order, f->order[d]);
        if (f->backwards >> d & 1)
            backwards = lb_arena_printf(arena, "%s%s%u", backwards, backwards[0] ? ", " : "", d);
    }
    return lb_arena_printf(arena, "reads %s%s%s%s%s%s", what,
                           moved ? " as if its dimensions lay in the order " : "",
                           moved ? order : "", moved && f->backwards ? ", and" : "",
                           f->backwards ? " backwards in dimension " : "", backwards);
}

static bool next_order(unsigned *order, unsigned rank)
{
    unsigned i = rank - 1, k = rank - 1;
    while (i > 0 && order[i - 1] >= order[i])
        i--;
    if (i == 0)
        return false;
    while (order[k] <= order[i - 1])
        k--;
    unsigned kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
    for (unsigned a = i, b = rank - 1; a < b; a++, b--) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

static bool find_formula(const probe *p, const lb_case_tensor *t, lb_role role,
                         bool (*fits)(const probe *p, const lb_formula *f), lb_formula *f)
{
    *f = (lb_formula){.role = role, .order = {0, 1, 2, 3}};
    if (t->rank == 0 || t->rank > LB_MAX_RANK)
        return false;
    do {
        for (f->backwards = 0; f->backwards < 1u << t->rank; f->backwards++)
            if (fits(p, f))
                return true;
    } while (next_order(f->order, t->rank));
    return false;
}

static const char *place_text(const lb_case_tensor *t, size_t flat, lb_arena *arena)
{
    static const unsigned plain[] = {0, 1, 2, 3};
    uint32_t index[LB_MAX_RANK] = {0};
    const char *text = "";
    split(flat, t->shape, plain, t->rank, index);
    for (unsigned d = 0; d < t->rank; d++)
        text = lb_arena_printf(arena, "%s%s%u", text, d ? "," : "", index[d]);
    return text;
}

static const char *input_text(const probe *p, int32_t input, lb_arena *arena)
{
    if (input < 0)
        return "no input";
    if ((size_t)input >= p->inputs)
        return "something else";
    return lb_arena_printf(arena, "in[%s]", place_text(p->in, (size_t)input, arena));
}

static const char *example(const probe *p, lb_arena *arena)
{
    size_t i = 0;
    while (p->port[i] == p->right[i])
        i++;
    return lb_arena_printf(arena, "at out[%s] weights[%s] meets %s where %s is due",
                           place_text(p->out, i % p->outputs, arena),
                           place_text(p->weights, i / p->outputs, arena),
                           input_text(p, p->port[i], arena), input_text(p, p->right[i], arena));
}

static lb_probed conclude(const probe *p, lb_arena *arena, const char **words, lb_formula *f)
{
    if (memcmp(p->port, p->right, p->weight_count * p->outputs * sizeof *p->port) == 0)
        return LB_PROBED_RIGHT;
    if (find_formula(p, p->weights, LB_ROLE_WEIGHTS, weights_fit, f)) {
        *words = words_of(f, "weights", p->weights->rank, arena);
        return LB_PROBED_FORMULA;
    }
    if (find_formula(p, p->in, LB_ROLE_IN, inputs_fit, f)) {
        *words = words_of(f, "the input", p->in->rank, arena);
        return LB_PROBED_FORMULA;
    }
    *words = example(p, arena);
    return LB_PROBED_WRONG;
}

lb_probed lb_probe(lb_evidence *e, const lb_case *c, const lb_profile *profile, double deadline,
                   lb_arena *arena, const char **words, lb_formula *formula)
{
    probe p = {.e = e, .profile = profile, .deadline = deadline};
    lb_arena own = {0};
    lb_probed found = LB_PROBED_NOTHING;
    *words = NULL;
    if (set_up(&p, c, &own)) {
        p.right = lb_resized(NULL, p.weight_count * p.outputs * sizeof *p.right);
        p.port = lb_resized(NULL, p.weight_count * p.outputs * sizeof *p.port);
        size_t k = 0;
        while (k < p.weight_count && lb_now_seconds() < deadline && probe_weight(&p, k))
            k++;
        if (k == p.weight_count)
            found = conclude(&p, arena, words, formula);
        free(p.right);
        free(p.port);
    }
    lb_arena_free(&p.work);
    lb_arena_free(&own);
    return found;
}

/* The bytes of the output's elements alone: inputs are not those of the case. */
static bool outputs_equal(const lb_left *left, const lb_instance *said)
{
    const lb_call_memory *memory = said->memory;
    lb_layout layout = lb_layout_of(&memory->test_case->operand[LB_ROLE_OUT].tensors[0]);
    short buffer = memory->buffer_of[LB_ROLE_OUT][0][LB_BUFFER_DATA];
    size_t count = buffer < 0 ? 0 : lb_layout_count(&layout);
    for (size_t i = 0; i < count; i++) {
        size_t at = memory->buffers[buffer].offset + lb_layout_offset(&layout, i);
        if (memcmp(left->block + at, said->block + at, layout.element_bytes) != 0)
            return false;
    }
    return count > 0;
}

bool lb_formula_gives(const lb_formula *f, const lb_case *c, const lb_profile *profile,
                      const lb_left *left, lb_arena *arena)
{
    const lb_case_operand *operand = &c->operand[f->role];
    const lb_case_tensor *from = operand->present ? &operand->tensors[0] : NULL;
    lb_fault_bench *bench = lb_arena_alloc(arena, sizeof *bench);
    if (!from || from->rank == 0 || !from->has_data || from->has_buffer_elements ||
        from->has_data_in || c->operand[LB_ROLE_OUT].tensors[0].has_data_in)
        return false;
    lb_case *read = lb_case_copy(arena, c);
    for (size_t i = 0; i < from->data.count; i++)
        read->operand[f->role].tensors[0].data.items[taken_for(f, from, i)] = from->data.items[i];
    return lb_fault_bench_make(bench, read, profile, arena) && bench->computed &&
           bench->memory.block_bytes == left->block_bytes && outputs_equal(left, &bench->right);
}
