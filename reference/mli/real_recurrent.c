/* rnn_dense, LSTM and GRU in real numbers. Spec: recurrent.md 5.1, 7, 8 (float references). What is
 * kept from frame to frame, the cell and the hidden state, saturates at its format, as stored
 * numbers do; nothing else is clamped. Faults of the functions that are written down as their
 * behaviour are kept. How far the fixed-point cell may stray follows the steps of 7
 * and 8. */
#include "core/arith.h"
#include "core/view.h"
#include "describe/activation.h"
#include "models.h"
#include "real_dense.h"
#include "real_lut.h"
#include "real_ops.h"
#include "real_values.h"

#include <math.h>
#include <stdlib.h>

/* ---- What the programs of the exact models say (programs.c), once more: these check them ---- */

typedef struct gate {
    lb_activation activation;
    int scale_excess, frac_excess; /* of sa8 weights with one scale (a QUIRK of recurrent.md 8) */
} gate;

static const gate lstm_gates[] = {
    {LB_ACTIVATION_SIGM, 0, 0},
    {LB_ACTIVATION_TANH, 0, 0},
    {LB_ACTIVATION_SIGM, 0, 0},
    {LB_ACTIVATION_SIGM, 0, 0},
};
static const gate gru_gates[] = {
    {LB_ACTIVATION_SIGM, 0, 0},
    {LB_ACTIVATION_SIGM, 0, 0},
    {LB_ACTIVATION_TANH, 4, 2},
};

/* Weights (N, M) of gate `index` out of weights (G, N, M), in the format that the function takes.
 */
static lb_tensor gate_weights(const gate *g, const lb_tensor *weights, uint32_t index)
{
    lb_tensor slice = lb_slice(weights, index);
    if (lb_is_sa(weights->el_type) && weights->sa.dim < 0) {
        lb_quant q = lb_quant_at(weights, 0);
        q.scale = (int32_t)lb_wrap(q.scale + g->scale_excess, 16);
        q.frac = (int32_t)lb_wrap(q.frac + g->frac_excess, 8);
        lb_set_quant(&slice, q);
    }
    return slice;
}

/* Index in `in` of the n-th processed frame, and the row of `out` that it writes. */
static uint32_t input_frame(const lb_call *call, uint32_t n)
{
    return call->config.direction == 1 ? call->tensor[LB_ROLE_IN]->shape[0] - 1 - n : n;
}

static uint32_t output_row(const lb_call *call, uint32_t n)
{
    return call->config.results == 1 ? n : 0; /* QUIRK: in the order of processing */
}

/* ---- Real numbers ---- */

/* What the function stores; the real number stays. */
static lb_span to_container(lb_span steps, lb_quant format, int bits)
{
    double top = lb_power_of_two(bits - 1);
    return lb_span_confined(steps, -top - format.zero_point, top - 1.0 - format.zero_point);
}

/* What is read again from a container: the real number too was kept in it. */
static lb_span stored(lb_span steps, lb_quant format, int bits)
{
    steps = lb_span_saturated(lb_span_moved(steps, format.zero_point), bits);
    return lb_span_moved(steps, -format.zero_point);
}

void lb_real_rnn_dense(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    lb_real_term terms[4];
    unsigned count = call->config.inputs_num;
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_quant format = lb_quant_at(out, 0);
    for (unsigned j = 0; j < count; j++) {
        terms[j] = (lb_real_term){.x = &call->tensor[LB_ROLE_IN][j],
                                  .weights = &call->tensor[LB_ROLE_WEIGHTS][j]};
    }
    for (uint32_t m = 0; lb_real_wants(outputs, LB_ROLE_OUT) && m < out->shape[0]; m++) {
        lb_span y = lb_real_dense(context, terms, count, call->tensor[LB_ROLE_BIAS], m, format);
        lb_real_put_as(outputs, LB_ROLE_OUT, m, format, lb_span_moved(y, format.zero_point),
                       lb_container_bits(out->el_type));
    }
}

/* A cell between frames. Vectors of `width` numbers, in steps without zero point, each with its
 * format. */
typedef struct state {
    const lb_context *context;
    const lb_call *call;
    uint32_t width;
    uint32_t el_type;
    int bits;
    lb_rounding rounding;
    lb_quant intermediate; /* IR: gates before their activation */
    lb_quant hidden_format, cell_format, out_format;
    lb_span *hidden;
    lb_span *next;  /* the frame's result, until the whole of `hidden` has been read */
    lb_span *cell;  /* LSTM */
    lb_span *reset; /* GRU: r * h */
} state;

enum { STATE_VECTORS = 4 };

/* Output m of a gate for one frame, activated: in steps of the activation's format. IR saturates
 * what the function sees, not the real number. */
static lb_span gate_value(const state *s, const gate *g, unsigned index, const lb_tensor *x,
                          const lb_span *hidden, uint32_t m)
{
    lb_tensor weights_in = gate_weights(g, s->call->tensor[LB_ROLE_WEIGHTS_IN], index);
    lb_tensor weights_out = gate_weights(g, s->call->tensor[LB_ROLE_WEIGHTS_OUT], index);
    lb_tensor bias = lb_slice(s->call->tensor[LB_ROLE_BIAS], index);
    lb_real_term terms[] = {
        {.x = x, .weights = &weights_in},
        {.items = hidden, .count = s->width, .quant = s->hidden_format, .weights = &weights_out},
    };
    lb_span sum = lb_real_dense(s->context, terms, 2, &bias, m, s->intermediate);
    sum = to_container(sum, s->intermediate, s->bits);
    return lb_real_activated(s->rounding, g->activation, sum, s->intermediate, s->el_type);
}

static lb_quant gate_format(const state *s, lb_activation activation)
{
    return lb_activation_format(activation, s->el_type);
}

/* MUL of recurrent.md 6. fx: exact but for the rounding; QUIRK: a shift above 31 acts as 31. */
static lb_span product(const state *s, lb_span a, lb_quant qa, lb_span b, lb_quant qb, lb_quant out)
{
    if (!lb_is_fx(s->el_type))
        return to_container(lb_real_product_sa8(s->rounding, a, qa, b, qb, out), out, s->bits);
    int shift = qa.frac + qb.frac - out.frac;
    lb_span p = lb_span_times(a, b);
    return to_container(lb_span_shifted_right(p, shift < 31 ? shift : 31, 64, s->rounding), out,
                        s->bits);
}

/* ADD of recurrent.md 6. fx: aligned with saturation at 32 bits, rounded once; sa8: each operand is
 * rounded by itself. */
static lb_span sum_of(const state *s, lb_span a, lb_quant qa, lb_span b, lb_quant qb, lb_quant out)
{
    if (!lb_is_fx(s->el_type)) {
        a = lb_real_addend_sa8(s->rounding, a, qa, out);
        b = lb_real_addend_sa8(s->rounding, b, qb, out);
        return to_container(lb_span_saturated(lb_span_plus(a, b), 32), out, s->bits);
    }
    int frac = qa.frac > qb.frac ? qa.frac : qb.frac;
    a = lb_span_saturated(lb_span_scaled(a, lb_power_of_two(frac - qa.frac)), 32);
    b = lb_span_saturated(lb_span_scaled(b, lb_power_of_two(frac - qb.frac)), 32);
    int shift = frac - out.frac;
    lb_span sum = lb_span_saturated(lb_span_plus(a, b), 32);
    return to_container(lb_span_shifted_right(sum, shift < 31 ? shift : 31, 64, s->rounding), out,
                        s->bits);
}

/* recurrent.md 7 */
static void lstm_frame(state *s, const lb_tensor *x)
{
    enum { I, G, F, O, GATES };
    lb_activation act = (lb_activation)s->call->config.act;
    bool activates = act == LB_ACTIVATION_TANH || act == LB_ACTIVATION_SIGM;
    lb_quant sigm = gate_format(s, LB_ACTIVATION_SIGM);
    lb_quant tanh_format = gate_format(s, LB_ACTIVATION_TANH);
    for (uint32_t m = 0; m < s->width; m++) {
        lb_span y[GATES];
        for (unsigned g = 0; g < GATES; g++)
            y[g] = gate_value(s, &lstm_gates[g], g, x, s->hidden, m);
        lb_span before = stored(s->cell[m], s->cell_format, s->bits);
        lb_span kept = product(s, before, s->cell_format, y[F], sigm, s->cell_format);
        lb_span fresh = product(s, y[G], tanh_format, y[I], sigm, tanh_format);
        s->cell[m] = sum_of(s, kept, s->cell_format, fresh, tanh_format, s->cell_format);
        lb_span shown = stored(s->cell[m], s->cell_format, s->bits);
        lb_quant shown_format = s->cell_format;
        if (activates) {
            shown = lb_real_activated(s->rounding, act, shown, s->cell_format, s->el_type);
            shown_format = gate_format(s, act);
        }
        s->next[m] = product(s, shown, shown_format, y[O], sigm, s->out_format);
    }
}

/* recurrent.md 8, step 5: 1 - z, where the "one" of the function is one step short of 1. */
static lb_span complement(const state *s, lb_span z)
{
    double one = lb_power_of_two(gate_format(s, LB_ACTIVATION_SIGM).frac);
    lb_span c = lb_span_minus(lb_span_of(one - 1.0), z);
    c.value += 1.0;
    return c;
}

/* recurrent.md 8 */
static void gru_frame(state *s, const lb_tensor *x)
{
    enum { Z, R, N };
    lb_quant sigm = gate_format(s, LB_ACTIVATION_SIGM);
    lb_quant tanh_format = gate_format(s, LB_ACTIVATION_TANH);
    for (uint32_t m = 0; m < s->width; m++) {
        lb_span r = gate_value(s, &gru_gates[R], R, x, s->hidden, m);
        s->reset[m] = product(s, r, sigm, s->hidden[m], s->hidden_format, s->hidden_format);
    }
    for (uint32_t m = 0; m < s->width; m++) {
        lb_span z = gate_value(s, &gru_gates[Z], Z, x, s->hidden, m);
        lb_span n = gate_value(s, &gru_gates[N], N, x, s->reset, m);
        lb_span keep = product(s, s->hidden[m], s->hidden_format, z, sigm, s->hidden_format);
        lb_span fresh = product(s, n, tanh_format, complement(s, z), sigm, s->out_format);
        s->next[m] = sum_of(s, fresh, s->out_format, keep, s->hidden_format, s->out_format);
    }
}

static void put(const state *s, const lb_real_outputs *outputs, lb_role role, size_t index,
                lb_span steps, lb_quant format)
{
    lb_real_put_as(outputs, role, index, format, lb_span_moved(steps, format.zero_point), s->bits);
}

/* Results of the n-th processed frame, as far as the declared shape of out holds them. */
static void write_row(const state *s, const lb_real_outputs *outputs, uint32_t n)
{
    size_t room = lb_element_count(s->call->tensor[LB_ROLE_OUT]);
    size_t start = (size_t)output_row(s->call, n) * s->width;
    for (uint32_t m = 0; m < s->width && start + m < room; m++)
        put(s, outputs, LB_ROLE_OUT, start + m, s->next[m], s->out_format);
}

/* Elements of out that no result reaches have no real value. */
static void blank(const lb_real_outputs *outputs, lb_role role, size_t count)
{
    for (size_t i = 0; lb_real_wants(outputs, role) && i < count; i++)
        lb_real_put(outputs, role, i, NAN, lb_span_unknown(NAN), 8);
}

static void load_vector(lb_span *to, const lb_tensor *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = lb_span_of(lb_load_fine(from, i) - lb_quant_at(from, 0).zero_point);
}

static lb_quant intermediate_of(const lb_call *call, lb_quant sa8, int most_frac)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    if (!lb_is_fx(in->el_type))
        return sa8;
    int frac = in->frac_bits + call->tensor[LB_ROLE_WEIGHTS_IN]->frac_bits;
    return (lb_quant){1, frac < most_frac ? frac : most_frac, 0};
}

/* All frames. Without memory for the state there are no real values. */
static void run_cell(const lb_context *context, const lb_call *call, lb_quant intermediate,
                     void (*frame)(state *s, const lb_tensor *x), const lb_real_outputs *outputs)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *cell = call->tensor[LB_ROLE_CELL];
    uint32_t width = call->tensor[LB_ROLE_PREV_OUT]->shape[0];
    blank(outputs, LB_ROLE_OUT, lb_element_count(call->tensor[LB_ROLE_OUT]));
    blank(outputs, LB_ROLE_CELL, cell ? width : 0);
    lb_span *memory = calloc((size_t)width * STATE_VECTORS, sizeof *memory);
    if (!memory)
        return;
    state s = {
        .context = context,
        .call = call,
        .width = width,
        .el_type = in->el_type,
        .bits = lb_container_bits(in->el_type),
        .rounding = context->profile->rounding,
        .intermediate = intermediate,
        .hidden_format = lb_quant_at(call->tensor[LB_ROLE_PREV_OUT], 0),
        .out_format = lb_quant_at(call->tensor[LB_ROLE_OUT], 0),
        .hidden = memory,
        .next = memory + width,
        .cell = memory + 2 * (size_t)width,
        .reset = memory + 3 * (size_t)width,
    };
    load_vector(s.hidden, call->tensor[LB_ROLE_PREV_OUT], width);
    if (cell) {
        s.cell_format = lb_quant_at(cell, 0);
        load_vector(s.cell, cell, width);
    }
    for (uint32_t n = 0; n < in->shape[0]; n++) {
        lb_tensor x = lb_slice(in, input_frame(call, n));
        frame(&s, &x);
        write_row(&s, outputs, n);
        for (uint32_t m = 0; m < width; m++)
            s.hidden[m] = stored(s.next[m], s.out_format, s.bits);
        s.hidden_format = s.out_format; /* QUIRK: the format changes after the first frame */
    }
    for (uint32_t m = 0; cell && m < width; m++)
        put(&s, outputs, LB_ROLE_CELL, m, s.cell[m], s.cell_format);
    free(memory);
}

void lb_real_lstm(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    run_cell(context, call, intermediate_of(call, (lb_quant){1, 4, 0}, 10), lstm_frame, outputs);
}

void lb_real_gru(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    run_cell(context, call, intermediate_of(call, (lb_quant){21, 9, 0}, 11), gru_frame, outputs);
}
