/* What the LSTM and the GRU cell share: frames, hidden state, scratch rows, gates, and the fields
 * written at the end. Spec: recurrent.md 6. */
#ifndef LB_REFERENCE_RECURRENT_H
#define LB_REFERENCE_RECURRENT_H

#include "describe/kernels.h"
#include "gates.h"

/* A call of a cell whose rules have passed. */
typedef struct lb_recurrent {
    const lb_context *context;
    lb_call *call;
    const lb_gate *gates;
    lb_quant intermediate; /* IR: format of the gates before their activation */
    uint32_t frames;       /* T */
    uint32_t width;        /* M */
    unsigned frame;        /* number of the one that is processed, 0 .. T-1 */
    lb_tensor x;           /* its input */
    lb_tensor h;   /* hidden state: prev_out in its own format, then the last result in out's */
    lb_tensor out; /* the row for its result, in out's format */
    lb_tensor row[LB_MAX_GATES]; /* scratch rows */
    lb_steps *steps;             /* who listens to this frame; NULL: nobody */
    uint32_t unit;               /* the one that is listened to */
} lb_recurrent;

/* gates: rows of gates.h, one per scratch row; intermediate_sa8 is IR for sa8, intermediate_frac
 * its most fractional bits for fx. */
lb_recurrent lb_recurrent_start(const lb_context *context, lb_call *call, const lb_gate *gates,
                                unsigned gate_count, lb_quant intermediate_sa8,
                                int intermediate_frac);

/* Sets frame, x, h and out for the frame of this number, and who listens: to an element of out,
 * until the frame whose result it is; to one of the cell, always. */
void lb_recurrent_enter_frame(lb_recurrent *run, unsigned frame);

/* What the hidden state of this frame is called. */
lb_origin lb_recurrent_hidden(const lb_recurrent *run);

/* Gate `index` into its scratch row: weighted sum of x and h (the caller's: GRU multiplies it by a
 * gate first), activation. */
void lb_recurrent_gate(lb_recurrent *run, unsigned index, const lb_tensor *h, lb_origin h_origin);

/* Tells a vector to the trace. */
void lb_recurrent_tell(const lb_recurrent *run, const char *name, const lb_tensor *vector);

/* Rank, shape and strides of out (recurrent.md 6, "Fields written"). */
void lb_recurrent_finish(const lb_recurrent *run);

/* ---- for the real models too ---- */

/* Index in `in` of the n-th processed frame. */
uint32_t lb_recurrent_input_frame(const lb_call *call, uint32_t n);
/* Row of `out` that the n-th processed frame writes. */
uint32_t lb_recurrent_output_row(const lb_call *call, uint32_t n);

#endif
