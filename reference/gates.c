/* The gates of LSTM and GRU. Spec: recurrent.md 7, 8. */
#include "gates.h"

#include "arith.h"
#include "view.h"

const lb_gate lb_lstm_gates[LB_LSTM_GATES] = {
    {"i", LB_ACTIVATION_SIGM, 0, 0},
    {"g", LB_ACTIVATION_TANH, 0, 0},
    {"f", LB_ACTIVATION_SIGM, 0, 0},
    {"o", LB_ACTIVATION_SIGM, 0, 0},
};

const lb_gate lb_gru_gates[LB_GRU_GATES] = {
    {"z", LB_ACTIVATION_SIGM, 0, 0},
    {"r", LB_ACTIVATION_SIGM, 0, 0},
    {"n", LB_ACTIVATION_TANH, 4, 2},
};

lb_tensor lb_gate_weights(const lb_gate *gate, const lb_tensor *weights, uint32_t index)
{
    lb_tensor slice = lb_slice(weights, index);
    if (lb_is_sa(weights->el_type) && weights->sa.dim < 0) {
        lb_quant q = lb_quant_at(weights, 0);
        q.scale = (int32_t)lb_wrap(q.scale + gate->scale_excess, 16);
        q.frac = (int32_t)lb_wrap(q.frac + gate->frac_excess, 8);
        lb_set_quant(&slice, q);
    }
    return slice;
}
