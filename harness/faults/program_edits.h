/* Edits of vector programs (describe/program.h): a recurrent cell, or a sum of pairs, with one
 * thing done otherwise. The exact models run the edited program, without a listener: a whole cell
 * for the price of one call. */
#ifndef LB_HARNESS_FAULTS_PROGRAM_EDITS_H
#define LB_HARNESS_FAULTS_PROGRAM_EDITS_H

#include "harness/faults/faults.h"
#include "reference/describe/program.h"

/* What is done otherwise: of a lb_fault other_role. Members dim, other_dim and argument by it. */
typedef enum lb_cell_change {
    LB_CELL_NOTHING,
    LB_CELL_ACTIVATION,  /* dim: gate, or ALL; other_dim: lb_activation that is taken */
    LB_CELL_OPERAND,     /* dim: 2 * step + operand; other_dim: vector that is taken */
    LB_CELL_FORMAT,      /* dim: step, or CARRIED; other_dim: lb_vector_format of its result */
    LB_CELL_READ_AS,     /* dim: 2 * step + operand; other_dim: format that it is read in */
    LB_CELL_GATE_FORMAT, /* dim: gate, or ALL; other_dim: lb_cell_gate_format */
    LB_CELL_EXCESS,      /* dim: gate, or ALL; other_dim: of lb_program_excess, lb_cell_excess */
    LB_CELL_SUMS,        /* other_dim: so many fractional bits of gates more */
    LB_CELL_SUMS_SCALE,  /* sa8, other_dim: so much more is their scale */
    LB_CELL_HOLD,        /* dim: the frame; other_dim: what stays, bits of lb_cell_held */
    LB_CELL_BEGIN,       /* dim: the frame that finds what the call began with, 0: each; other_dim:
                            of what, bits of lb_cell_held */
    LB_CELL_TWO_BACK,    /* dim: from this frame on the hidden state is that of the frame before */
    LB_CELL_SHARES,      /* GRU: z and 1 - z for each other, where they multiply */
    LB_CELL_ROWS,        /* other_dim: lb_program_rows */
    LB_CELL_NUMERICS,    /* dim: 2 * step (+ 1: activation of a gate) or EVERY; other_dim: how */
    LB_CELL_PAIRS,       /* sums of all gates, or of rnn_dense; dim: lb_pairs_change */
    LB_CELL_MIXED /* dim: EVERY_VECTOR and further; other_dim: what of the first operand the second
                     takes for its own, LB_MIXED_...; + LB_CELL_MIXED_BACK: the first of the
                     second */
} lb_cell_change;

/* In which frames, by argument % LB_CELL_WHENS; whether data are taken without their format, or
 * (state) whether it is that frame alone, by the rest. */
typedef enum lb_cell_when {
    LB_CELL_ALWAYS,
    LB_CELL_FIRST,
    LB_CELL_LATER,
    LB_CELL_WHENS
} lb_cell_when;
enum { LB_CELL_MIXED_BACK = 4, LB_CELL_MIXED_COUNT = 8 };
enum {
    LB_CELL_ALL_GATES = 4,
    LB_CELL_TANH_MOVED, /* activations: other_dim: the gate that takes it in place of its own */
    LB_CELL_CARRIED = LB_PROGRAM_STEPS, /* formats: the state that goes to the next frame */
    LB_CELL_ALONE = LB_CELL_WHENS
};

enum {
    LB_CELL_HELD_STATE = 1,
    LB_CELL_HELD_CELL = 2,
    LB_CELL_HELD_FORMAT = 4 /* of the hidden state; LB_CELL_BEGIN: all but its format */
};

/* Places of numerics that are more than one step. */
enum {
    LB_CELL_EVERY_SUM = 40,
    LB_CELL_EVERY_ACTIVATION,
    LB_CELL_EVERY_VECTOR,
    LB_CELL_EVERY_PRODUCT, /* of two vectors */
    LB_CELL_EVERY_ADDITION
};

/* How a whole step computes: its rounding, its limits. */
typedef enum lb_cell_numerics {
    LB_CELL_FLOORS,
    LB_CELL_TO_ZERO,
    LB_CELL_TIES_AWAY,
    LB_CELL_TIES_EVEN,
    LB_CELL_TIES_UP,
    LB_CELL_WRAPS,
    LB_CELL_SYMMETRIC,
    LB_CELL_HIGH_PRODUCT,
    LB_CELL_ONE_ROUNDING,
    LB_CELL_CLIPS_EARLY, /* before the zero point is added */
    LB_CELL_NUMERICS_COUNT
} lb_cell_numerics;

typedef enum lb_cell_gate_format {
    LB_CELL_FORMAT_OF_SIBLING, /* LSTM as GRU, GRU as LSTM */
    LB_CELL_FORMAT_UNLIMITED,  /* fx: not limited by the products' fractional bits */
    LB_CELL_FORMAT_OF_OUT,
    LB_CELL_FORMAT_OF_PRODUCTS /* fx: that of the products whatever it is */
} lb_cell_gate_format;

typedef enum lb_cell_excess {
    LB_CELL_EXCESS_NONE,
    LB_CELL_EXCESS_PER_AXIS_TOO,
    LB_CELL_EXCESS_SCALE_ALONE,
    LB_CELL_EXCESS_FRAC_ALONE,
    LB_CELL_EXCESS_IN_ALONE,
    LB_CELL_EXCESS_OUT_ALONE,
    LB_CELL_EXCESS_OF_ALL /* gates */
} lb_cell_excess;

/* What of the sums is done otherwise: of a lb_fault dim. */
typedef enum lb_pairs_change {
    LB_PAIRS_RIGHT,
    LB_PAIRS_BIAS_AGAIN,         /* other_dim: with this pair too; LB_PAIRS_ALL: with each */
    LB_PAIRS_BIAS_AGAIN_ALIGNED, /* fx, the same, each time aligned to the products of the pair */
    LB_PAIRS_BIAS_ALIGNED, /* fx, other_dim: to the products of this pair; LB_PAIRS_ALL: the last */
    LB_PAIRS_BIAS_LAST,    /* fx: aligned to the result, behind all sums */
    LB_PAIRS_SCALES_OF_FIRST, /* other_dim: 1 of inputs, 2 of weights, 3 of both */
    LB_PAIRS_ONE_ROUNDING,    /* other_dim: 0 where all formats are equal, 1 always */
    LB_PAIRS_BIAS_MOVED,      /* other_dim: to this pair, from the first; LB_PAIRS_ALL: the last */
    LB_PAIRS_BIAS_MOVED_ALIGNED, /* ... and aligned to the products of that */
    LB_PAIRS_BIAS_MIXED,  /* fx, other_dim: aligned to 0: the first input times the last weights, 1:
                             the last input times the first weights */
    LB_PAIRS_NOT_CLEARED, /* each sum begins with that of the pair before */
    LB_PAIRS_ZERO_OF,     /* sa8, other_dim: the zero point of 0: the first input, 1: the last is
                             that of all */
    LB_PAIRS_CHANGES
} lb_pairs_change;
enum { LB_PAIRS_ALL = 4 };

/* The functions that have a program. */
bool lb_program_fault_run(lb_fault_run *run);
/* The same on a call as it is, which may be a changed view. */
void lb_program_fault_compute(const lb_fault *fault, const lb_profile *profile, lb_call *call);
/* Is it an edit of a cell? Such can stand beside a reading of the call, or another of its sort. */
bool lb_fault_is_of_cell(const lb_fault *fault);

/* All of them, of recurrent cells and rnn_dense. They are no kinds of the bank. */
void lb_fault_cells(const lb_fault_scope *scope, lb_fault_sink sink, void *user);

#endif
