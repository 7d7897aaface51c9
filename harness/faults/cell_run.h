/* A recurrent cell as data: which vectors each of its steps takes, in which formats they are left,
 * what goes from frame to frame; and one of these done otherwise. It runs on the models' own
 * operations, without a listener: a whole cell for the price of one call. */
#ifndef LB_HARNESS_FAULTS_CELL_RUN_H
#define LB_HARNESS_FAULTS_CELL_RUN_H

#include "harness/faults/faults.h"

/* Vectors of a frame, of M units each. What a family has not is never made. */
typedef enum lb_cell_vector {
    LB_CELL_ROW,          /* gates in the order of the weights, after activation */
    LB_CELL_PLAIN = 4,    /* the same before it */
    LB_CELL_HIDDEN = 8,   /* the hidden state as the frame finds it */
    LB_CELL_FIRST_HIDDEN, /* prev_out */
    LB_CELL_OLD,          /* LSTM: the cell as the frame finds it */
    LB_CELL_KEPT,         /* cell * f; h * z */
    LB_CELL_FRESH,        /* g * i; n * (1 - z) */
    LB_CELL_SUM,          /* LSTM: the new cell */
    LB_CELL_ACTIVATED,    /* LSTM: act(cell) */
    LB_CELL_RESET,        /* GRU: r * h */
    LB_CELL_COMPLEMENT,   /* GRU: 1 - z */
    LB_CELL_RESULT,       /* of the frame */
    LB_CELL_STATE_PLACE,  /* GRU: what lies where the hidden state was: h * z, where out is there */
    LB_CELL_VECTORS,
    LB_CELL_BEFORE = LB_CELL_VECTORS /* added: as the frame before has left it */
} lb_cell_vector;

typedef enum lb_cell_operation {
    LB_CELL_END,
    LB_CELL_GATE,
    LB_CELL_MUL,
    LB_CELL_ADD,
    LB_CELL_ACTIVATE,
    LB_CELL_ONE_LESS
} lb_cell_operation;

/* Whose format a step leaves its result in. */
typedef enum lb_cell_format {
    LB_CELL_AS_GATES, /* before their activation */
    LB_CELL_AS_SIGM,
    LB_CELL_AS_TANH,
    LB_CELL_AS_HIDDEN,
    LB_CELL_AS_IN,
    LB_CELL_AS_PREV_OUT,
    LB_CELL_AS_CELL,
    LB_CELL_AS_OUT,
    LB_CELL_FORMATS
} lb_cell_format;

typedef struct lb_cell_step {
    lb_cell_operation operation;
    int a, b; /* lb_cell_vector; of gates: a is the state */
    int out;
    lb_cell_format format;
} lb_cell_step;

enum { LB_CELL_MOST_STEPS = 10 };

/* The steps of a frame, LB_CELL_END behind the last. */
const lb_cell_step *lb_cell_steps(lb_family family);

/* What is done otherwise: of a lb_fault other_role. Members dim, other_dim and argument by it. */
typedef enum lb_cell_change {
    LB_CELL_NOTHING,
    LB_CELL_ACTIVATION,  /* dim: gate, or ALL; other_dim: lb_activation that is taken */
    LB_CELL_OPERAND,     /* dim: 2 * step + operand; other_dim: vector that is taken */
    LB_CELL_FORMAT,      /* dim: step; other_dim: format of its result */
    LB_CELL_READ_AS,     /* dim: 2 * step + operand; other_dim: format that it is read in */
    LB_CELL_GATE_FORMAT, /* dim: gate, or ALL; other_dim: lb_cell_gate_format */
    LB_CELL_EXCESS,      /* dim: gate, or ALL; other_dim: what gates.h adds, lb_cell_excess */
    LB_CELL_HOLD,        /* dim: the frame; other_dim: what stays, bits of lb_cell_held */
    LB_CELL_ROWS,        /* other_dim: lb_cell_rows */
    LB_CELL_NUMERICS,    /* dim: 2 * step (+ 1: activation of a gate) or EVERY; other_dim: how */
    LB_CELL_PAIRS,       /* sums of all gates: dense_run.h */
    LB_CELL_MIXED /* dim: EVERY_VECTOR and further; other_dim: what of the first operand the second
                     takes for its own, lb_cell_mixed; + LB_CELL_MIXED_BACK: the first of the
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
enum {
    LB_CELL_MIXED_ZERO = 1,
    LB_CELL_MIXED_SCALE = 2, /* and fractional bits */
    LB_CELL_MIXED_BACK = 4,
    LB_CELL_MIXED_COUNT = 8
};
enum {
    LB_CELL_ALL_GATES = 4,
    LB_CELL_TANH_MOVED, /* activations: other_dim: the gate that takes it in place of its own */
    LB_CELL_ALONE = LB_CELL_WHENS
};

enum { LB_CELL_HELD_STATE = 1, LB_CELL_HELD_CELL = 2, LB_CELL_HELD_FORMAT = 4 };

/* Rows of all results: in the order of the input, from the last back. */
typedef enum lb_cell_rows { LB_CELL_ROWS_AS_INPUT, LB_CELL_ROWS_REVERSED } lb_cell_rows;

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

bool lb_cell_run(lb_fault_run *run);
/* The same on a call as it is, which may be a changed view. */
void lb_cell_compute(const lb_fault *fault, const lb_profile *profile, lb_call *call);
/* Can it stand beside a reading of the call, or another of its sort? */
bool lb_fault_is_of_cell(const lb_fault *fault);

/* All of them, of recurrent cells and rnn_dense. They are no kinds of the bank. */
void lb_fault_cells(const lb_fault_scope *scope, lb_fault_sink sink, void *user);

#endif
