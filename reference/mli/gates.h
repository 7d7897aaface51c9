/* The gates of LSTM and GRU as data: their order in weights, bias and scratch, what they apply, and
 * the known fault of one. Exact and real models read the same rows. Spec: recurrent.md 7, 8. */
#ifndef LB_REFERENCE_GATES_H
#define LB_REFERENCE_GATES_H

#include "activation.h"
#include "core/sites.h"
#include "core/tensor.h"

enum { LB_LSTM_GATES = 4, LB_GRU_GATES = 3, LB_MAX_GATES = 4 };

typedef struct lb_gate {
    lb_block block;
    lb_owner vector; /* that it makes */
    lb_activation activation;
    /* QUIRK (recurrent.md 8): what the function adds to scale and scale_frac_bits of both sa8
     * weights tensors of this gate when they are quantized per tensor. The sums wrap at int16 and
     * int8. With (4, 2) a scale of s makes the weights, and with them the bias, (1 + 4/s) / 4 of
     * what they are. */
    int scale_excess;
    int frac_excess;
} lb_gate;

extern const lb_gate lb_lstm_gates[LB_LSTM_GATES]; /* i, g, f, o */
extern const lb_gate lb_gru_gates[LB_GRU_GATES];   /* z, r, n */

/* Weights (N, M) of gate `index` out of weights (G, N, M), with the quantization that the function
 * works with. */
lb_tensor lb_gate_weights(const lb_gate *gate, const lb_tensor *weights, uint32_t index);

#endif
