/* rnn_dense, LSTM and GRU in real numbers. Spec: recurrent.md 5.1, 7, 8 (float references). Nothing is rounded or
 * clamped between the steps. Faults of the functions that are written down as their behaviour are kept: see gates.h. */
#include "dense.h"
#include "models.h"
#include "recurrent.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void lb_real_rnn_dense(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    lb_dense_term terms[4];
    unsigned count = call->config.inputs_num;
    for (unsigned j = 0; j < count; j++) {
        terms[j] = (lb_dense_term){NULL, &call->tensor[LB_ROLE_IN][j], &call->tensor[LB_ROLE_WEIGHTS][j]};
    }
    double *value = outputs->value[LB_ROLE_OUT];
    for (uint32_t m = 0; value != NULL && m < call->tensor[LB_ROLE_OUT]->shape[0]; m++) {
        value[m] = lb_dense_real(terms, count, call->tensor[LB_ROLE_BIAS], m);
    }
}

/* State of a cell between frames, M numbers each, in one block of memory. */
typedef struct state {
    const lb_call *call;
    uint32_t width;
    double *hidden;
    double *next;  /* the frame's result, until the whole of `hidden` has been read */
    double *cell;  /* LSTM */
    double *reset; /* GRU: r * h */
} state;

enum { STATE_VECTORS = 4 };

/* Sum over the hidden state, which no tensor holds. */
static double hidden_sum(const lb_tensor *weights, const double *hidden, uint32_t width, uint32_t m)
{
    double total = 0.0;
    for (uint32_t k = 0; k < width; k++) {
        total += hidden[k] * lb_load_real(weights, k * (size_t)weights->mem_stride[0] + m, 0);
    }
    return total;
}

/* Output m of a gate for one frame. */
static double gate_value(const state *s, const lb_gate *gate, unsigned index, const lb_tensor *x, const double *hidden,
                         uint32_t m)
{
    lb_tensor weights_in = lb_gate_weights(gate, s->call->tensor[LB_ROLE_WEIGHTS_IN], index);
    lb_tensor weights_out = lb_gate_weights(gate, s->call->tensor[LB_ROLE_WEIGHTS_OUT], index);
    lb_tensor bias = lb_slice(s->call->tensor[LB_ROLE_BIAS], index);
    lb_dense_term term = {NULL, x, &weights_in};
    double sum = lb_dense_real(&term, 1, &bias, m);
    return lb_activation_real(gate->activation, sum + hidden_sum(&weights_out, hidden, s->width, m));
}

static void lstm_frame(state *s, const lb_tensor *x)
{
    enum { I, G, F, O };
    lb_activation act = (lb_activation)s->call->config.act;
    for (uint32_t m = 0; m < s->width; m++) {
        double gate[LB_LSTM_GATES];
        for (unsigned g = 0; g < LB_LSTM_GATES; g++) {
            gate[g] = gate_value(s, &lb_lstm_gates[g], g, x, s->hidden, m);
        }
        s->cell[m] = gate[F] * s->cell[m] + gate[I] * gate[G];
        s->next[m] = gate[O] * lb_activation_real(act, s->cell[m]);
    }
}

static void gru_frame(state *s, const lb_tensor *x)
{
    enum { Z, R, N };
    for (uint32_t m = 0; m < s->width; m++) {
        s->reset[m] = gate_value(s, &lb_gru_gates[R], R, x, s->hidden, m) * s->hidden[m];
    }
    for (uint32_t m = 0; m < s->width; m++) {
        double z = gate_value(s, &lb_gru_gates[Z], Z, x, s->hidden, m);
        double n = gate_value(s, &lb_gru_gates[N], N, x, s->reset, m);
        s->next[m] = z * s->hidden[m] + (1.0 - z) * n;
    }
}

/* Results of the n-th processed frame, as far as the declared shape of out holds them. */
static void write_row(const state *s, double *value, uint32_t n)
{
    size_t room = lb_element_count(s->call->tensor[LB_ROLE_OUT]);
    size_t start = (size_t)lb_recurrent_output_row(s->call, n) * s->width;
    for (uint32_t m = 0; value != NULL && m < s->width && start + m < room; m++) {
        value[start + m] = s->next[m];
    }
}

/* Elements of out that no result reaches have no real value. */
static void blank(double *value, size_t count)
{
    for (size_t i = 0; value != NULL && i < count; i++) {
        value[i] = NAN;
    }
}

static void load_vector(double *to, const lb_tensor *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = lb_load_real(from, i, 0);
    }
}

/* All frames. Without memory for the state there are no real values. */
static void run_cell(const lb_call *call, void (*frame)(state *s, const lb_tensor *x), lb_real_outputs *outputs)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *cell = call->tensor[LB_ROLE_CELL];
    uint32_t width = call->tensor[LB_ROLE_PREV_OUT]->shape[0];
    double *cell_value = cell != NULL ? outputs->value[LB_ROLE_CELL] : NULL;
    blank(outputs->value[LB_ROLE_OUT], lb_element_count(call->tensor[LB_ROLE_OUT]));
    blank(cell_value, width);
    double *memory = calloc((size_t)width * STATE_VECTORS, sizeof *memory);
    if (memory == NULL) {
        return;
    }
    state s = {call, width, memory, memory + width, memory + 2 * (size_t)width, memory + 3 * (size_t)width};
    load_vector(s.hidden, call->tensor[LB_ROLE_PREV_OUT], width);
    if (cell != NULL) {
        load_vector(s.cell, cell, width);
    }
    for (uint32_t n = 0; n < in->shape[0]; n++) {
        lb_tensor x = lb_slice(in, lb_recurrent_input_frame(call, n));
        frame(&s, &x);
        write_row(&s, outputs->value[LB_ROLE_OUT], n);
        memcpy(s.hidden, s.next, width * sizeof *s.hidden);
    }
    if (cell_value != NULL) {
        memcpy(cell_value, s.cell, width * sizeof *s.cell);
    }
    free(memory);
}

void lb_real_lstm(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    run_cell(call, lstm_frame, outputs);
}

void lb_real_gru(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    run_cell(call, gru_frame, outputs);
}
