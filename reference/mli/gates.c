/* The gates of LSTM and GRU. Spec: recurrent.md 7, 8. */
#include "gates.h"

#include "core/arith.h"
#include "core/view.h"

const lb_gate lb_lstm_gates[LB_LSTM_GATES] = {
    {LB_BLOCK_I, LB_OWNER_I, LB_ACTIVATION_SIGM, 0, 0},
    {LB_BLOCK_G, LB_OWNER_G, LB_ACTIVATION_TANH, 0, 0},
    {LB_BLOCK_F, LB_OWNER_F, LB_ACTIVATION_SIGM, 0, 0},
    {LB_BLOCK_O, LB_OWNER_O, LB_ACTIVATION_SIGM, 0, 0},
};

const lb_gate lb_gru_gates[LB_GRU_GATES] = {
    {LB_BLOCK_Z, LB_OWNER_Z, LB_ACTIVATION_SIGM, 0, 0},
    {LB_BLOCK_R, LB_OWNER_R, LB_ACTIVATION_SIGM, 0, 0},
    {LB_BLOCK_N, LB_OWNER_N, LB_ACTIVATION_TANH, 4, 2},
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
