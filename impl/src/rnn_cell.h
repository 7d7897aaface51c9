/* What the LSTM and the GRU cell share (recurrent.md 6): checks, gates, the frames of the input and
 * the rows of the output. Gates live in the caller's scratch memory. */
#ifndef LB_MLI_RNN_CELL_H
#define LB_MLI_RNN_CELL_H

#include "activation.h"
#include "dense.h"
#include "eltwise.h"

enum { LB_MLI_GATES_MAX = 4 };

/* The arguments of a call. */
struct lb_mli_cell_call {
    enum lb_mli_variant variant;
    uint32_t gates;
    const mli_tensor *in, *prev_out, *weights_in, *weights_out, *bias;
    const mli_lut *tanh_lut, *sigm_lut;
    const mli_rnn_cell_cfg *cfg;
    mli_tensor *cell; /* LSTM; GRU: NULL */
    mli_tensor *out;
};

/* All statuses of recurrent.md 7 (8), in order. */
LB_MLI_HIDDEN mli_status lb_mli_check_cell(const struct lb_mli_cell_call *call,
                                           enum lb_mli_round round);

/* What is the same for all frames, but for the format of the hidden state: that is prev_out's in
 * the first frame and out's from then on. Large: keep it where it is made. */
struct lb_mli_cell {
    const struct lb_mli_cell_call *call;
    enum lb_mli_kind kind; /* of the operands that are no weights */
    enum lb_mli_round round;
    size_t size;            /* of an element in bytes */
    size_t inputs, cols;    /* elements of a frame; of the hidden state, of each gate */
    struct lb_mli_quant ir; /* of a gate before its activation */
    struct lb_mli_quant sigm_format, tanh_format, out_format;
    struct lb_mli_dense dense;
    struct lb_mli_quant
        weights_out[LB_MLI_GATES_MAX]; /* parameters of the recurrent weights, gate by gate */
    struct lb_mli_dense_scale from_in[LB_MLI_GATES_MAX], from_hidden[LB_MLI_GATES_MAX];
    struct lb_mli_activation sigm, tanh; /* from ir */
    struct lb_mli_cell_panels *panels;   /* NULL: gates are made one by one */
};

/* The format between sums and activations: fx: fx_bits_max fractional bits, or those of in +
 * weights_in if they are less; sa8: as given (recurrent.md 7, 8). */
struct lb_mli_cell_ir {
    int32_t fx_bits_max;
    struct lb_mli_quant sa8;
};

/* Scale that gate g takes for its weights: the parameters of weights_in or weights_out, entry g. */
typedef struct lb_mli_quant lb_mli_gate_weights_fn(const mli_tensor *weights, uint32_t gate);

LB_MLI_HIDDEN void lb_mli_cell_plan(const struct lb_mli_cell_call *call, struct lb_mli_cell_ir ir,
                                    lb_mli_gate_weights_fn *weights, enum lb_mli_profile profile,
                                    struct lb_mli_cell *cell);

/* Gives back what the plan has allocated. */
LB_MLI_HIDDEN void lb_mli_cell_end(struct lb_mli_cell *cell);

/* Sets the format of the hidden state for the gates. */
LB_MLI_HIDDEN void lb_mli_cell_hidden(struct lb_mli_cell *cell, struct lb_mli_quant hidden);

/* Plan of an operation on vectors in the type of the cell. */
LB_MLI_HIDDEN void lb_mli_cell_eltwise(const struct lb_mli_cell *cell, enum lb_mli_op op,
                                       struct lb_mli_quant a, struct lb_mli_quant b,
                                       struct lb_mli_quant out, struct lb_mli_eltwise *plan);

/* Frames to process. */
LB_MLI_HIDDEN size_t lb_mli_cell_frames(const struct lb_mli_cell *cell);

/* Data of the frame that is processed as number t. */
LB_MLI_HIDDEN const void *lb_mli_cell_frame(const struct lb_mli_cell *cell, size_t t);

/* Row of out for the result of frame number t: the only one, or row t. */
LB_MLI_HIDDEN void *lb_mli_cell_out(const struct lb_mli_cell *cell, size_t t);

/* Row r of scratch: gate r, or what became of it. */
LB_MLI_HIDDEN void *lb_mli_cell_row(const struct lb_mli_cell *cell, uint32_t r);

/* Slice g of weights or biases: its outermost dimension is the gate. */
LB_MLI_HIDDEN const void *lb_mli_cell_slice(const mli_tensor *t, uint32_t g);

/* Sums of gates first .. end - 1 of frame number t, which ascends. hidden: M elements, outside the
 * rows of these gates. */
LB_MLI_HIDDEN void lb_mli_cell_gates(const struct lb_mli_cell *cell, uint32_t first, uint32_t end,
                                     size_t t, const void *hidden);

/* Row g of scratch: the activation of its sums. */
LB_MLI_HIDDEN void lb_mli_cell_activate(const struct lb_mli_cell *cell, uint32_t g,
                                        const struct lb_mli_activation *activation);

/* Writes rank, shape and strides of out. */
LB_MLI_HIDDEN void lb_mli_cell_set_out(const struct lb_mli_cell *cell);

#endif
