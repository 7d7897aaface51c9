/* The weighted sum of recurrent functions: several inputs, each with its own weights and
 * quantization, each requantized to the output's format before they are added. Spec:
 * recurrent.md 5.2 to 5.4; 6 (dense2 of the cells). */
#ifndef LB_REFERENCE_DENSE_H
#define LB_REFERENCE_DENSE_H

#include "describe/kernels.h"

/* One input. x: any shape, contiguous, N elements in memory order; weights: (N, M), inner stride 1.
 * Per-tensor quantization. */
typedef struct lb_dense_term {
    lb_step_term name;
    const lb_tensor *x;
    const lb_tensor *weights;
    lb_origin x_origin; /* what they are called, for a listener */
    lb_origin weights_origin;
    int32_t weights_entry; /* weights quantized per axis: the entry of this slice; else -1 */
    int scale_excess; /* what the quantization of weights has more than the caller gave (gates.h) */
    int frac_excess;
} lb_dense_term;

/* Where the sums are told to the trace of the context: part and frame of the names (trace.h). Per
 * term: "bias" (of the first one, as it is added), "acc", for sa "mul" and its "shift", and the
 * requantized "sum"; after all terms "pre", without zero point. Steps are told of one unit. */
typedef struct lb_dense_place {
    lb_block part;
    unsigned frame;
    lb_steps *steps; /* NULL: nobody listens */
    uint32_t unit;
    lb_origin bias;
    lb_owner out;
} lb_dense_place;

/* out[m] = bias[m] + sum over terms and k of x[k] * weights[k][m], in the format of out. The bias
 * (M, inner stride 1) is in the format of the first term's products. out: (M), inner stride 1. out
 * must not share memory with x or weights. 1 to 4 terms. */
void lb_dense(const lb_context *context, const lb_dense_term *terms, unsigned term_count,
              const lb_tensor *bias, lb_tensor *out, lb_dense_place place);

#endif
