/* Vector programs: what the recurrent functions do with vectors, step by step, as data. A program
 * has the steps of one frame; each takes vectors and leaves one in a format. What a frame leaves
 * for the next one is data too. The exact models of the families that have a program are its run.
 *
 * A kernel with a fault is an edit: a copy with one place changed, in all frames or in some, run by
 * the same code. Nothing is identified by a name or by an address. */
#ifndef LB_REFERENCE_DESCRIBE_PROGRAM_H
#define LB_REFERENCE_DESCRIBE_PROGRAM_H

#include "activation.h"
#include "dense.h"

enum { LB_PROGRAM_STEPS = 9, LB_PROGRAM_GATES = 4, LB_PROGRAM_INPUTS = LB_DENSE_TERMS };

/* Vectors, of one element for each unit; a program has some of them. */
typedef enum lb_vector_name {
    LB_VECTOR_GATE, /* gates in the order of the weights; summed up and activated in one place */
    LB_VECTOR_HIDDEN = LB_PROGRAM_GATES, /* the hidden state as the frame finds it */
    LB_VECTOR_FIRST_HIDDEN,              /* prev_out, whatever the frame */
    LB_VECTOR_OLD,                       /* LSTM: the cell as the frame finds it */
    LB_VECTOR_FIRST_OLD,                 /* of edits: as the call finds it */
    LB_VECTOR_KEPT,                      /* cell * f; h * z */
    LB_VECTOR_FRESH,                     /* g * i; n * (1 - z) */
    LB_VECTOR_SUM,                       /* LSTM: the new cell */
    LB_VECTOR_ACTIVATED,                 /* LSTM: act(cell) */
    LB_VECTOR_RESET,                     /* GRU: r * h */
    LB_VECTOR_COMPLEMENT,                /* GRU: 1 - z */
    LB_VECTOR_RESULT,                    /* of the frame */
    LB_VECTOR_STATE_PLACE, /* GRU: what lies where the hidden state was: h * z, where out is there
                            */
    LB_VECTOR_INPUT,       /* the frame of the input, or an input of a list */
    LB_VECTOR_COUNT = LB_VECTOR_INPUT + LB_PROGRAM_INPUTS,
    LB_VECTOR_BEFORE = LB_VECTOR_COUNT /* added: as the frame before has left it. Of edits */
} lb_vector_name;

/* Formats of vectors. */
typedef enum lb_vector_format {
    LB_FORMAT_OWN,  /* of an operand: as it was left. Of an activation's result: the function's */
    LB_FORMAT_SUMS, /* of gates before their activation */
    LB_FORMAT_SIGM,
    LB_FORMAT_TANH,
    LB_FORMAT_HIDDEN,
    LB_FORMAT_IN,
    LB_FORMAT_PREV_OUT,
    LB_FORMAT_CELL, /* of LSTM; else out's */
    LB_FORMAT_OUT,
    LB_FORMAT_COUNT,
    /* Of edits: */
    LB_FORMAT_OTHER_SUMS,     /* the program's `other_sums` */
    LB_FORMAT_UNLIMITED_SUMS, /* fx: whatever the products have */
    LB_FORMAT_PRODUCTS,       /* fx: that of the products, whatever it is */
    LB_FORMAT_OF = 32         /* added: that of a vector */
} lb_vector_format;

/* Where a vector lies. */
typedef enum lb_vector_place {
    LB_PLACE_NONE, /* the program has no such vector */
    LB_PLACE_SCRATCH,
    LB_PLACE_CELL,
    LB_PLACE_ROW,    /* of out, for the result of this frame */
    LB_PLACE_HIDDEN, /* prev_out; later the row of the frame before */
    LB_PLACE_PREV_OUT,
    LB_PLACE_FRAME, /* of in */
    LB_PLACE_LIST   /* tensor `item` of in */
} lb_vector_place;

typedef struct lb_program_vector {
    const char *label; /* "cell * f" */
    lb_vector_place place;
    uint8_t item;           /* row of scratch, or tensor of the list */
    lb_vector_format given; /* of vectors that no step makes: their format */
    lb_owner owner;         /* what a listener hears of it */
    bool is_on_the_way;     /* it is no tensor of the call */
} lb_program_vector;

typedef enum lb_program_operation {
    LB_PROGRAM_END,
    LB_PROGRAM_SUM, /* of products and a bias, and what is made of it: a gate, or rnn_dense */
    LB_PROGRAM_MUL,
    LB_PROGRAM_ADD,
    LB_PROGRAM_ACTIVATE, /* without an activation the result is the operand itself */
    LB_PROGRAM_ONE_LESS
} lb_program_operation;

/* As an activation: that of the configuration. */
enum { LB_ACTIVATION_OF_CALL = 3 };

/* What an operand takes of the format of the other one. Of edits. */
enum { LB_MIXED_ZERO_POINT = 1, LB_MIXED_SCALE = 2 /* and fractional bits */ };

typedef struct lb_program_operand {
    uint8_t vector; /* lb_vector_name */
    uint8_t format; /* that it is read in: lb_vector_format */
    uint8_t mixed;
} lb_program_operand;

/* QUIRK (recurrent.md 8): what a gate adds to scale and scale_frac_bits of sa8 weights that are
 * quantized per tensor. The sums wrap at int16 and int8. With (4, 2) a scale of s makes the
 * weights, and with them the bias, (1 + 4/s) / 4 of what they are. */
typedef struct lb_program_excess {
    int8_t scale, frac;
} lb_program_excess;

typedef struct lb_program_step {
    lb_program_operation operation;
    lb_program_operand a, b; /* of sums: a is the state */
    uint8_t out;             /* lb_vector_name */
    uint8_t format;          /* of the result; of a sum before its activation */
    const char *label;       /* "f*cell", for traces */
    lb_part part;
    lb_part plain_part; /* where the first operand should be activated, and is not */
    /* Sums and activations: */
    lb_block block;
    uint8_t activation;          /* lb_activation, or LB_ACTIVATION_OF_CALL */
    uint8_t activated;           /* format in which an activated sum is left */
    lb_program_excess excess[2]; /* of both weights */
    bool excess_per_axis;        /* of edits: weights with a scale for each gate have it too */
    /* Of edits: NULL: the profile of the call, in the step and in the activation of its sum. */
    const lb_profile *numerics[2];
} lb_program_step;

/* A term of every sum: an input and its weights. */
typedef struct lb_program_pair {
    lb_step_term term;
    uint8_t x; /* lb_vector_name; LB_VECTOR_COUNT: the state, which is the step's operand */
    int8_t role, item;
    lb_owner weights;
} lb_program_pair;

/* The constant format of gates before their activation. fx: at most so many fractional bits, and
 * not more than the products have. */
typedef struct lb_program_sums {
    lb_quant sa8;
    int8_t most_frac_bits;
} lb_program_sums;

/* What a frame leaves for the next one: a vector, and the format that it has then. */
typedef struct lb_program_carry {
    uint8_t from, to, format;
} lb_program_carry;
enum { LB_CARRY_STATE, LB_CARRY_CELL, LB_CARRIES };

/* Which row of out a frame writes, where all results are wanted. */
typedef enum lb_program_rows {
    LB_ROWS_AS_PROCESSED, /* QUIRK: backward too */
    LB_ROWS_AS_INPUT,
    LB_ROWS_REVERSED
} lb_program_rows;

typedef struct lb_program {
    const char *section; /* of the spec */
    bool has_frames;     /* in and out have; it writes the fields of out. Else: lists of tensors */
    uint8_t gates;       /* slices of weights and bias; 0: they are not cut */
    lb_program_vector vector[LB_VECTOR_COUNT];
    lb_program_sums sums, other_sums;
    uint8_t pairs; /* 0: as many as the list has inputs */
    lb_program_pair pair[LB_PROGRAM_INPUTS];
    lb_dense_form form;
    lb_program_step step[LB_PROGRAM_STEPS]; /* then LB_PROGRAM_END, if there is room */
    lb_program_carry carry[LB_CARRIES];
    lb_program_rows rows;
} lb_program;

/* The program of a family, or NULL: it is not described by one. */
const lb_program *lb_program_of_family(lb_family family);
static inline const lb_program *lb_program_of(const lb_kernel *kernel)
{
    return lb_program_of_family(kernel->family);
}

/* Recurrent cells have numbers, from 1 on. */
enum { LB_PROGRAM_CELLS = 2 };
const lb_program *lb_program_of_cell(int number);
/* That of a function; 0: it is no cell. */
int lb_program_cell(const lb_kernel *kernel);
static inline bool lb_program_has(const lb_program *program, lb_vector_name vector)
{
    return program->vector[vector].place != LB_PLACE_NONE;
}

/* The exact model of all of them. */
void lb_exact_program(const lb_context *context, lb_call *call);

unsigned lb_program_length(const lb_program *program);
/* The step that makes the vector; NULL: none does. */
const lb_program_step *lb_program_maker(const lb_program *program, int vector);
/* The step of vectors that is this part of the computation; NULL: none is. */
const lb_program_step *lb_program_step_of(const lb_program *program, lb_part part);
/* The format of gates before their activation. products: fractional bits of in and weights_in. */
lb_quant lb_program_sums_format(const lb_program_sums *sums, uint32_t el_type, int products);

/* ---- Edits ---- */

/* Hands a frame the program that it runs: `own`, or an edited copy. Each vector has a place of its
 * own then, so that one can be taken for another: what a step writes is not where an earlier one
 * lies, and scratch is not touched. */
typedef struct lb_program_edit lb_program_edit;
struct lb_program_edit {
    const lb_program *(*of_frame)(void *user, const lb_program *own, uint32_t frame);
    void *user;
    void *memory; /* lb_program_bytes(call) bytes */
};
size_t lb_program_bytes(const lb_call *call);

/* ---- Frames ---- */

/* Index in `in` of the n-th processed frame. */
uint32_t lb_program_input_frame(const lb_call *call, uint32_t n);
/* Does every frame leave a row? */
bool lb_program_has_all_results(const lb_call *call);

#endif
