/* Recurrent cells with one thing done otherwise: see cell_run.h. */
#include "harness/faults/cell_run.h"
#include "harness/faults/dense_run.h"
#include "harness/faults/views.h"
#include "reference/core/arith.h"
#include "reference/core/view.h"
#include "reference/mli/cell_ops.h"
#include "reference/mli/dense.h"
#include "reference/mli/gates.h"
#include "reference/mli/recurrent.h"

#include <string.h>

/* recurrent.md 7 */
static const lb_cell_step lstm_steps[LB_CELL_MOST_STEPS] = {
    {LB_CELL_GATE, LB_CELL_HIDDEN, 0, 0, LB_CELL_AS_GATES},
    {LB_CELL_GATE, LB_CELL_HIDDEN, 0, 1, LB_CELL_AS_GATES},
    {LB_CELL_GATE, LB_CELL_HIDDEN, 0, 2, LB_CELL_AS_GATES},
    {LB_CELL_GATE, LB_CELL_HIDDEN, 0, 3, LB_CELL_AS_GATES},
    {LB_CELL_MUL, LB_CELL_OLD, LB_CELL_ROW + 2, LB_CELL_KEPT, LB_CELL_AS_CELL},
    {LB_CELL_MUL, LB_CELL_ROW + 1, LB_CELL_ROW + 0, LB_CELL_FRESH, LB_CELL_AS_TANH},
    {LB_CELL_ADD, LB_CELL_KEPT, LB_CELL_FRESH, LB_CELL_SUM, LB_CELL_AS_CELL},
    {LB_CELL_ACTIVATE, LB_CELL_SUM, 0, LB_CELL_ACTIVATED, LB_CELL_AS_CELL},
    {LB_CELL_MUL, LB_CELL_ACTIVATED, LB_CELL_ROW + 3, LB_CELL_RESULT, LB_CELL_AS_OUT},
    {.operation = LB_CELL_END},
};

/* recurrent.md 8 */
static const lb_cell_step gru_steps[LB_CELL_MOST_STEPS] = {
    {LB_CELL_GATE, LB_CELL_HIDDEN, 0, 0, LB_CELL_AS_GATES},
    {LB_CELL_GATE, LB_CELL_HIDDEN, 0, 1, LB_CELL_AS_GATES},
    {LB_CELL_MUL, LB_CELL_ROW + 1, LB_CELL_HIDDEN, LB_CELL_RESET, LB_CELL_AS_HIDDEN},
    {LB_CELL_MUL, LB_CELL_HIDDEN, LB_CELL_ROW + 0, LB_CELL_KEPT, LB_CELL_AS_HIDDEN},
    {LB_CELL_ONE_LESS, LB_CELL_ROW + 0, 0, LB_CELL_COMPLEMENT, LB_CELL_AS_SIGM},
    {LB_CELL_GATE, LB_CELL_RESET, 0, 2, LB_CELL_AS_GATES},
    {LB_CELL_MUL, LB_CELL_ROW + 2, LB_CELL_COMPLEMENT, LB_CELL_FRESH, LB_CELL_AS_OUT},
    {LB_CELL_ADD, LB_CELL_FRESH, LB_CELL_KEPT, LB_CELL_RESULT, LB_CELL_AS_OUT},
    {.operation = LB_CELL_END},
};

const lb_cell_step *lb_cell_steps(lb_family family)
{
    return family == LB_FAMILY_LSTM ? lstm_steps : gru_steps;
}

/* ---- A call at work ---- */

typedef struct cell {
    const lb_fault *fault;
    lb_context context;
    const lb_profile *right;
    lb_profile other; /* of the step at hand, where its numerics are changed */
    lb_call *call;
    const lb_gate *gates;
    lb_quant gate_format;
    uint32_t units, frame;
    bool is_lstm, is_fx;
    lb_tensor x, vector[LB_CELL_VECTORS], before[LB_CELL_VECTORS];
} cell;

/* The fault at work, or the one beside it, that changes this; NULL: neither. */
static const lb_fault *of_change(const cell *c, lb_cell_change change)
{
    const lb_fault *beside = c->fault->beside;
    if (c->fault->other_role == (int8_t)change)
        return c->fault;
    return beside && beside->other_role == (int8_t)change ? beside : NULL;
}

static bool acts_here(const cell *c, const lb_fault *f, lb_cell_change change, int place)
{
    int when = f->argument % LB_CELL_WHENS;
    bool here = f->other_role == (int8_t)change && f->dim == (int8_t)place;
    return here && (when == LB_CELL_ALWAYS || (when == LB_CELL_FIRST) == (c->frame == 0));
}

/* Of one or two faults, the one that acts at this place; NULL: none does. */
static const lb_fault *acting(const cell *c, lb_cell_change change, int place)
{
    const lb_fault *beside = c->fault->beside;
    if (acts_here(c, c->fault, change, place))
        return c->fault;
    return beside && acts_here(c, beside, change, place) ? beside : NULL;
}

static const lb_fault *acting_on_gate(const cell *c, lb_cell_change change, int gate)
{
    const lb_fault *of_one = acting(c, change, gate);
    return of_one ? of_one : acting(c, change, LB_CELL_ALL_GATES);
}

static lb_quant quant_of_role(const cell *c, int role)
{
    return lb_quant_at(c->call->tensor[role], 0);
}

static lb_quant quant_as(const cell *c, lb_cell_format format)
{
    uint32_t type = c->x.el_type;
    switch (format) {
    case LB_CELL_AS_SIGM:
        return lb_activation_format(LB_ACTIVATION_SIGM, type);
    case LB_CELL_AS_TANH:
        return lb_activation_format(LB_ACTIVATION_TANH, type);
    case LB_CELL_AS_HIDDEN:
        return lb_quant_at(&c->vector[LB_CELL_HIDDEN], 0);
    case LB_CELL_AS_IN:
        return quant_of_role(c, LB_ROLE_IN);
    case LB_CELL_AS_PREV_OUT:
        return quant_of_role(c, LB_ROLE_PREV_OUT);
    case LB_CELL_AS_CELL:
        return quant_of_role(c, c->is_lstm ? LB_ROLE_CELL : LB_ROLE_OUT);
    case LB_CELL_AS_OUT:
        return quant_of_role(c, LB_ROLE_OUT);
    case LB_CELL_AS_GATES:
    case LB_CELL_FORMATS:
        break;
    }
    return c->gate_format;
}

/* ---- Numerics of a step ---- */

static bool is_of_every(int place, const lb_cell_step *s, int part)
{
    switch (place) {
    case LB_CELL_EVERY_SUM:
        return s->operation == LB_CELL_GATE && part == 0;
    case LB_CELL_EVERY_ACTIVATION:
        return s->operation == LB_CELL_GATE ? part == 1 : s->operation == LB_CELL_ACTIVATE;
    case LB_CELL_EVERY_PRODUCT:
        return s->operation == LB_CELL_MUL;
    case LB_CELL_EVERY_ADDITION:
        return s->operation == LB_CELL_ADD;
    case LB_CELL_EVERY_VECTOR:
        return s->operation == LB_CELL_MUL || s->operation == LB_CELL_ADD;
    default:
        return false;
    }
}

/* The fault that changes the numerics of this part of the step, or NULL. */
static const lb_fault *of_numerics(const cell *c, const lb_cell_step *s, int step, int part)
{
    const lb_fault *faults[] = {c->fault, c->fault->beside};
    for (size_t i = 0; i < 2 && faults[i]; i++) {
        int place = faults[i]->dim;
        bool here = place == 2 * step + part || is_of_every(place, s, part);
        if (faults[i]->other_role == LB_CELL_NUMERICS && here)
            return faults[i];
    }
    return NULL;
}

static lb_rounding rounding_for(lb_cell_numerics how, lb_rounding own)
{
    switch (how) {
    case LB_CELL_FLOORS:
        return LB_ROUND_FLOOR;
    case LB_CELL_TO_ZERO:
        return LB_ROUND_ZERO;
    case LB_CELL_TIES_AWAY:
        return LB_ROUND_AWAY;
    case LB_CELL_TIES_EVEN:
        return LB_ROUND_CONVERGENT;
    case LB_CELL_TIES_UP:
        return LB_ROUND_UP;
    default:
        return own;
    }
}

/* Constants of the step are worked out as they should be. */
static void change_numerics(lb_profile *p, lb_cell_numerics how)
{
    uint8_t *at = p->at.value;
    at[LB_FEATURE_SCALE_ROUNDING] = (uint8_t)(1 + lb_scale_rounding(p));
    p->rounding = rounding_for(how, p->rounding);
    if (how <= LB_CELL_TIES_UP)
        at[LB_FEATURE_INNER_ROUNDING] = at[LB_FEATURE_TABLE_ROUNDING] = 0;
    if (how == LB_CELL_WRAPS)
        at[LB_FEATURE_OUT_OVERFLOW] = LB_OUT_WRAPS;
    if (how == LB_CELL_SYMMETRIC)
        at[LB_FEATURE_LOWEST] = LB_LOWEST_SYMMETRIC;
    if (how == LB_CELL_HIGH_PRODUCT)
        at[LB_FEATURE_REQUANTIZE] = LB_REQUANTIZE_HIGH;
    if (how == LB_CELL_ONE_ROUNDING)
        at[LB_FEATURE_SUM] = LB_SUM_ONE_ROUNDING;
    if (how == LB_CELL_CLIPS_EARLY)
        at[LB_FEATURE_OUT_ZERO_POINT] = LB_OUT_ZERO_POINT_LAST;
}

/* The step at hand begins: in the numerics that it has. */
static void enter_numerics(cell *c, const lb_cell_step *s, int step, int part)
{
    const lb_fault *changed = of_numerics(c, s, step, part);
    c->context.profile = c->right;
    if (!changed)
        return;
    c->other = *c->right;
    change_numerics(&c->other, (lb_cell_numerics)changed->other_dim);
    c->context.profile = &c->other;
}

/* ---- What a step takes ---- */

/* What an operand takes of the format of the other one, in all steps of a class. */
static void mix_formats(const cell *c, int step, int operand, lb_tensor *t)
{
    const lb_fault *f = of_change(c, LB_CELL_MIXED);
    const lb_cell_step *s = &lb_cell_steps(c->call->kernel->family)[step];
    bool back = f && (f->other_dim & LB_CELL_MIXED_BACK);
    if (!f || !is_of_every(f->dim, s, 0) || operand != (back ? 0 : 1))
        return;
    lb_quant own = lb_quant_at(t, 0), other = lb_quant_at(&c->vector[back ? s->b : s->a], 0);
    if (f->other_dim & LB_CELL_MIXED_ZERO)
        own.zero_point = other.zero_point;
    if (f->other_dim & LB_CELL_MIXED_SCALE) {
        own.scale = other.scale;
        own.frac = other.frac;
    }
    lb_set_quant(t, own);
}

/* Operand 0 or 1 of the step, which should be this vector. */
static lb_tensor taken(const cell *c, int step, int operand, int vector)
{
    const lb_tensor *right = &c->vector[vector];
    lb_tensor t = *right;
    int place = 2 * step + operand;
    const lb_fault *read_as = acting(c, LB_CELL_READ_AS, place);
    const lb_fault *replaced = acting(c, LB_CELL_OPERAND, place);
    mix_formats(c, step, operand, &t);
    if (read_as)
        lb_set_quant(&t, quant_as(c, (lb_cell_format)read_as->other_dim));
    if (!replaced)
        return t;
    if (replaced->other_dim < LB_CELL_BEFORE)
        t = c->vector[replaced->other_dim];
    else if (c->frame > 0)
        t = c->before[replaced->other_dim - LB_CELL_BEFORE];
    if (replaced->argument / LB_CELL_WHENS)
        lb_set_quant(&t, lb_quant_at(right, 0));
    return t;
}

/* The format of the result of this step. */
static lb_quant left_in(const cell *c, int step, lb_cell_format format)
{
    const lb_fault *other = acting(c, LB_CELL_FORMAT, step);
    return quant_as(c, other ? (lb_cell_format)other->other_dim : format);
}

/* ---- Gates ---- */

static lb_quant format_of_gate(const cell *c, unsigned gate)
{
    static const lb_quant lstm = {1, 4, 0}, gru = {21, 9, 0};
    int most = c->is_lstm ? 10 : 11, sibling = c->is_lstm ? 11 : 10;
    int products =
        c->call->tensor[LB_ROLE_IN]->frac_bits + c->call->tensor[LB_ROLE_WEIGHTS_IN]->frac_bits;
    const lb_fault *changed = acting_on_gate(c, LB_CELL_GATE_FORMAT, (int)gate);
    if (!changed)
        return c->gate_format;
    switch ((lb_cell_gate_format)changed->other_dim) {
    case LB_CELL_FORMAT_OF_SIBLING:
        if (!c->is_fx)
            return c->is_lstm ? gru : lstm;
        return (lb_quant){1, products < sibling ? products : sibling, 0};
    case LB_CELL_FORMAT_UNLIMITED:
        return c->is_fx ? (lb_quant){1, most, 0} : c->gate_format;
    case LB_CELL_FORMAT_OF_OUT:
        return quant_of_role(c, LB_ROLE_OUT);
    case LB_CELL_FORMAT_OF_PRODUCTS:
        return c->is_fx ? (lb_quant){1, products, 0} : c->gate_format;
    }
    return c->gate_format;
}

/* What gates.h adds to the scales of weights, and the weights. */
static lb_tensor weights_of(const cell *c, int role, unsigned gate)
{
    lb_tensor weights = *c->call->tensor[role];
    lb_gate own = c->gates[gate];
    bool is_in = role == LB_ROLE_WEIGHTS_IN;
    const lb_fault *changed = acting_on_gate(c, LB_CELL_EXCESS, (int)gate);
    if (!changed)
        return lb_gate_weights(&own, &weights, gate);
    lb_cell_excess what = (lb_cell_excess)changed->other_dim;
    if (what == LB_CELL_EXCESS_OF_ALL) {
        own.scale_excess = c->gates[2].scale_excess;
        own.frac_excess = c->gates[2].frac_excess;
    }
    if (what == LB_CELL_EXCESS_NONE || what == LB_CELL_EXCESS_FRAC_ALONE ||
        (what == LB_CELL_EXCESS_IN_ALONE && !is_in) || (what == LB_CELL_EXCESS_OUT_ALONE && is_in))
        own.scale_excess = 0;
    if (what == LB_CELL_EXCESS_NONE || what == LB_CELL_EXCESS_SCALE_ALONE ||
        (what == LB_CELL_EXCESS_IN_ALONE && !is_in) || (what == LB_CELL_EXCESS_OUT_ALONE && is_in))
        own.frac_excess = 0;
    lb_tensor slice = lb_gate_weights(&own, &weights, gate);
    if (what == LB_CELL_EXCESS_PER_AXIS_TOO && !c->is_fx && weights.sa.dim == 0) {
        lb_quant q = lb_quant_at(&slice, 0);
        q.scale = (int32_t)lb_wrap(q.scale + own.scale_excess, 16);
        q.frac = (int32_t)lb_wrap(q.frac + own.frac_excess, 8);
        lb_set_quant(&slice, q);
    }
    return slice;
}

static lb_activation activation_of(const cell *c, unsigned gate)
{
    lb_activation own = c->gates[gate].activation;
    const lb_fault *changed = acting(c, LB_CELL_ACTIVATION, (int)gate);
    if (acting(c, LB_CELL_ACTIVATION, LB_CELL_ALL_GATES)) /* exchanged */
        return own == LB_ACTIVATION_TANH ? LB_ACTIVATION_SIGM : LB_ACTIVATION_TANH;
    const lb_fault *moved = acting(c, LB_CELL_ACTIVATION, LB_CELL_TANH_MOVED);
    if (moved)
        return (int)gate == moved->other_dim ? LB_ACTIVATION_TANH : LB_ACTIVATION_SIGM;
    return changed ? (lb_activation)changed->other_dim : own;
}

/* From the vector of one to that of the other, units and format. */
static void copy_vector(const cell *c, lb_tensor *to, const lb_tensor *from)
{
    memmove(to->data.mem.ptr, from->data.mem.ptr, c->units * (size_t)lb_element_bytes(to->el_type));
    lb_set_quant(to, lb_quant_at(from, 0));
}

static void activate(cell *c, lb_activation activation, const lb_tensor *from, lb_tensor *to)
{
    lb_activation_place nobody = {.steps = NULL};
    if (activation == LB_ACTIVATION_NONE)
        copy_vector(c, to, from);
    else
        lb_activate(c->context.profile, activation, from, to, nobody);
}

static void run_gate(cell *c, const lb_cell_step *s, int number)
{
    unsigned gate = (unsigned)s->out;
    lb_tensor h = taken(c, number, 0, s->a);
    lb_tensor weights_in = weights_of(c, LB_ROLE_WEIGHTS_IN, gate);
    lb_tensor weights_out = weights_of(c, LB_ROLE_WEIGHTS_OUT, gate);
    lb_tensor bias = lb_slice(c->call->tensor[LB_ROLE_BIAS], gate);
    lb_tensor *plain = &c->vector[LB_CELL_PLAIN + gate], *row = &c->vector[LB_CELL_ROW + gate];
    const lb_dense_term terms[] = {{.name = LB_TERM_INPUT, .x = &c->x, .weights = &weights_in},
                                   {.name = LB_TERM_HIDDEN, .x = &h, .weights = &weights_out}};
    lb_activation activation = activation_of(c, gate);
    lb_set_quant(plain, format_of_gate(c, gate));
    enter_numerics(c, s, number, 0);
    const lb_fault *pairs = of_change(c, LB_CELL_PAIRS);
    if (pairs && !c->right->has_features)
        lb_dense_otherwise(c->context.profile, pairs, terms, 2, &bias, plain);
    else
        lb_dense(&c->context, terms, 2, &bias, plain, (lb_dense_place){.steps = NULL});
    enter_numerics(c, s, number, 1);
    activate(c, activation, plain, row);
    const lb_fault *changed = acting(c, LB_CELL_ACTIVATION, (int)gate);
    bool keeps_format = changed && changed->argument / LB_CELL_WHENS;
    if (keeps_format)
        lb_set_quant(row, lb_activation_format(c->gates[gate].activation, row->el_type));
}

/* ---- A frame ---- */

/* A product or sum whose limits come before the zero point, and after it once more. */
static void run_clipped(const cell *c, const lb_cell_step *s, const lb_tensor *a,
                        const lb_tensor *b, lb_tensor *out)
{
    lb_quant quant = lb_quant_at(out, 0);
    lb_tensor plain = lb_with_quant(out, (lb_quant){quant.scale, quant.frac, 0});
    (s->operation == LB_CELL_MUL ? lb_cell_mul : lb_cell_add)(c->context.profile, a, b, &plain,
                                                              NULL);
    for (uint32_t i = 0; i < c->units; i++)
        lb_store(out, i, (int32_t)lb_sat(lb_load(&plain, i) + (int64_t)quant.zero_point, 8));
}

static bool clips_early(const cell *c, const lb_cell_step *s, int step)
{
    const lb_fault *changed = of_numerics(c, s, step, 0);
    return !c->is_fx && (s->operation == LB_CELL_MUL || s->operation == LB_CELL_ADD) && changed &&
           changed->other_dim == LB_CELL_CLIPS_EARLY;
}

static void run_step(cell *c, const lb_cell_step *s, int number)
{
    lb_activation act = (lb_activation)c->call->config.act;
    bool has_act = act == LB_ACTIVATION_TANH || act == LB_ACTIVATION_SIGM;
    if (s->operation == LB_CELL_GATE) {
        run_gate(c, s, number);
        return;
    }
    lb_tensor a = taken(c, number, 0, s->a), b = taken(c, number, 1, s->b);
    lb_tensor *out = &c->vector[s->out];
    lb_set_quant(out, left_in(c, number, s->format));
    enter_numerics(c, s, number, 0);
    if (clips_early(c, s, number)) {
        run_clipped(c, s, &a, &b, out);
        return;
    }
    switch (s->operation) {
    case LB_CELL_MUL:
        lb_cell_mul(c->context.profile, &a, &b, out, NULL);
        break;
    case LB_CELL_ADD:
        lb_cell_add(c->context.profile, &a, &b, out, NULL);
        break;
    case LB_CELL_ACTIVATE:
        activate(c, has_act ? act : LB_ACTIVATION_NONE, &a, out);
        break;
    case LB_CELL_ONE_LESS:
        copy_vector(c, out, &a);
        lb_cell_complement(out, NULL);
        break;
    case LB_CELL_END:
    case LB_CELL_GATE:
        break;
    }
}

/* Does the state stay as it was, behind this frame? */
static bool stays(const cell *c, int what)
{
    const lb_fault *f = of_change(c, LB_CELL_HOLD);
    bool alone = f && f->argument / LB_CELL_WHENS > 0;
    return f && (f->other_dim & what) &&
           (alone ? (int)c->frame == f->dim : (int)c->frame >= f->dim);
}

/* Where the result of this frame goes. */
static lb_tensor out_row(const cell *c)
{
    const lb_tensor *out = c->call->tensor[LB_ROLE_OUT];
    const lb_fault *f = of_change(c, LB_CELL_ROWS);
    size_t row = lb_recurrent_output_row(c->call, c->frame);
    uint32_t frames = c->call->tensor[LB_ROLE_IN]->shape[0];
    bool all = lb_recurrent_output_row(c->call, 1) == 1;
    if (all && f)
        row = f->other_dim == LB_CELL_ROWS_AS_INPUT ? lb_recurrent_input_frame(c->call, c->frame)
                                                    : frames - 1 - c->frame;
    unsigned char *start = out->data.mem.ptr;
    return lb_vector(start + row * c->units * lb_element_bytes(out->el_type), out->el_type,
                     c->units, lb_quant_at(out, 0));
}

/* Does the result of this frame go where its hidden state lies? */
static bool lies_on_state(const cell *c)
{
    const lb_call *call = c->call;
    bool all = lb_recurrent_output_row(call, 1) == 1;
    return c->frame == 0 ? call->tensor[LB_ROLE_PREV_OUT]->data.mem.ptr ==
                               call->tensor[LB_ROLE_OUT]->data.mem.ptr
                         : !all;
}

static void end_frame(cell *c)
{
    lb_tensor row = out_row(c);
    size_t bytes = c->units * (size_t)lb_element_bytes(row.el_type);
    memcpy(row.data.mem.ptr, c->vector[LB_CELL_RESULT].data.mem.ptr, bytes);
    for (int v = 0; v < LB_CELL_VECTORS; v++)
        copy_vector(c, &c->before[v], &c->vector[v]);
    if (!stays(c, LB_CELL_HELD_STATE))
        memcpy(c->vector[LB_CELL_HIDDEN].data.mem.ptr, row.data.mem.ptr, bytes);
    if (!stays(c, LB_CELL_HELD_FORMAT))
        lb_set_quant(&c->vector[LB_CELL_HIDDEN], lb_quant_at(&row, 0));
    if (c->is_lstm && !stays(c, LB_CELL_HELD_CELL)) {
        memcpy(c->vector[LB_CELL_OLD].data.mem.ptr, c->vector[LB_CELL_SUM].data.mem.ptr, bytes);
        memcpy(c->call->tensor[LB_ROLE_CELL]->data.mem.ptr, c->vector[LB_CELL_SUM].data.mem.ptr,
               bytes);
    }
}

static void begin(cell *c, lb_arena *arena)
{
    const lb_call *call = c->call;
    const lb_tensor *in = call->tensor[LB_ROLE_IN], *prev = call->tensor[LB_ROLE_PREV_OUT];
    c->units = prev->shape[0];
    c->is_lstm = call->kernel->family == LB_FAMILY_LSTM;
    c->is_fx = lb_is_fx(in->el_type);
    c->gates = c->is_lstm ? lb_lstm_gates : lb_gru_gates;
    c->gate_format = c->is_lstm ? (lb_quant){1, 4, 0} : (lb_quant){21, 9, 0};
    if (c->is_fx) {
        int products = in->frac_bits + call->tensor[LB_ROLE_WEIGHTS_IN]->frac_bits;
        int most = c->is_lstm ? 10 : 11;
        c->gate_format = (lb_quant){1, products < most ? products : most, 0};
    }
    size_t bytes = c->units * (size_t)lb_element_bytes(in->el_type);
    unsigned char *memory = lb_arena_alloc(arena, 2 * LB_CELL_VECTORS * bytes + 1);
    memset(memory, 0, 2 * LB_CELL_VECTORS * bytes);
    for (size_t v = 0; v < LB_CELL_VECTORS; v++) {
        c->vector[v] = lb_vector(memory + v * bytes, in->el_type, c->units, c->gate_format);
        c->before[v] = lb_vector(memory + (LB_CELL_VECTORS + v) * bytes, in->el_type, c->units,
                                 c->gate_format);
    }
    copy_vector(c, &c->vector[LB_CELL_HIDDEN], prev);
    copy_vector(c, &c->vector[LB_CELL_FIRST_HIDDEN], prev);
    if (c->is_lstm)
        copy_vector(c, &c->vector[LB_CELL_OLD], call->tensor[LB_ROLE_CELL]);
}

/* The next step, and what it leaves where the state was. */
static void run_next(cell *c, const lb_cell_step *s, int number)
{
    if (number == 0)
        copy_vector(c, &c->vector[LB_CELL_STATE_PLACE], &c->vector[LB_CELL_HIDDEN]);
    run_step(c, s, number);
    if (!c->is_lstm && s->out == LB_CELL_KEPT && lies_on_state(c))
        copy_vector(c, &c->vector[LB_CELL_STATE_PLACE], &c->vector[LB_CELL_KEPT]);
}

void lb_cell_compute(const lb_fault *fault, const lb_profile *profile, lb_call *call)
{
    lb_profile_here here;
    lb_arena arena = {0};
    cell c = {.fault = fault, .call = call};
    c.right = lb_profile_of(profile, call->kernel, &here);
    c.context.profile = c.right;
    begin(&c, &arena);
    const lb_cell_step *steps = lb_cell_steps(call->kernel->family);
    uint32_t frames = call->tensor[LB_ROLE_IN]->shape[0];
    for (c.frame = 0; c.frame < frames; c.frame++) {
        c.x = lb_slice(call->tensor[LB_ROLE_IN], lb_recurrent_input_frame(call, c.frame));
        /* out may lie on it: then it is what has been written there */
        copy_vector(&c, &c.vector[LB_CELL_FIRST_HIDDEN], call->tensor[LB_ROLE_PREV_OUT]);
        for (int s = 0; steps[s].operation != LB_CELL_END; s++)
            run_next(&c, &steps[s], s);
        end_frame(&c);
    }
    lb_arena_free(&arena);
}

bool lb_cell_run(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_cell_compute(run->fault, run->profile, view.call);
    return lb_view_end(&view);
}

bool lb_fault_is_of_cell(const lb_fault *fault)
{
    return fault->kind->run == lb_cell_run;
}
