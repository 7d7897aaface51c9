/* Result programs: the way of one number from its accumulator to its container, step by step, as
 * data: bias, scale, zero point, container, limits of ReLU. The exact models run them; nothing else
 * says how a number of sa8 is brought into its container. Spec: numerics.md 5.3, 6; features.md 9,
 * 11.
 *
 * A kernel with a fault is an edit: a copy with two steps exchanged, one left out, or one more, run
 * by the same code. */
#ifndef LB_REFERENCE_RESULT_H
#define LB_REFERENCE_RESULT_H

#include "scale_num.h"

enum { LB_RESULT_STEPS = 14 };

typedef enum lb_result_operation {
    LB_RESULT_END,
    LB_RESULT_ADD_BIAS,   /* to the number, in the width of its accumulator */
    LB_RESULT_NARROW,     /* to the call's `step_bits`, where the accumulator is wider */
    LB_RESULT_CAST,       /* fx: into steps of the output, in `step_bits` */
    LB_RESULT_MULTIPLY,   /* sa: by the multiplier; the shift is left */
    LB_RESULT_SHIFT,      /* sa: into steps of the output */
    LB_RESULT_SATURATE,   /* in `bits` */
    LB_RESULT_CONTAINER,  /* the same as the platform does it (features.md 13, 15) */
    LB_RESULT_ZERO_POINT, /* is added, in `bits`; before the shift: aligned to the product */
    LB_RESULT_LIMIT       /* to the limits of ReLU */
} lb_result_operation;

/* Which number a step changes. */
typedef enum lb_result_value { LB_RESULT_SUM, LB_RESULT_BIAS, LB_RESULT_VALUES } lb_result_value;

/* When a platform has the step (features.md 11). */
typedef enum lb_result_when {
    LB_RESULT_ALWAYS,
    LB_RESULT_ZERO_POINT_LAST,  /* the zero point is added to what fits the container */
    LB_RESULT_ZERO_POINT_FIRST, /* it is added to the product, if that is shifted to the right */
    LB_RESULT_ZERO_POINT_NOT_FIRST
} lb_result_when;

typedef struct lb_result_step {
    uint8_t operation; /* lb_result_operation */
    uint8_t bits;      /* 0: those of the call's output; of a zero point: exact */
    uint8_t value;     /* lb_result_value */
    uint8_t when;      /* lb_result_when */
    uint16_t site;     /* lb_site, of operations that have one of their own */
    uint8_t part;      /* lb_part that begins here; LB_PART_NONE: it goes on */
    const char *section;
} lb_result_step;

typedef struct lb_result_program {
    lb_result_step step[LB_RESULT_STEPS]; /* then LB_RESULT_END, if there is room */
} lb_result_program;

/* The ways that there are. */
typedef enum lb_result_name {
    LB_RESULT_WEIGHTED_SA8, /* convolutions, fully connected */
    LB_RESULT_WEIGHTED_FX,
    LB_RESULT_SUMS,      /* sa8: sums of rnn_dense and of gates */
    LB_RESULT_CELL,      /* sa8: products and sums of vectors in cells */
    LB_RESULT_ELTWISE,   /* sa8 */
    LB_RESULT_SLOPE,     /* sa8 */
    LB_RESULT_CONVERTED, /* to sa8 and fx */
    LB_RESULT_WIDENED,   /* to sa32 */
    LB_RESULT_TABLE,     /* sa8: what a table gave */
    LB_RESULT_COUNT
} lb_result_name;

extern const lb_result_program lb_results[LB_RESULT_COUNT];

/* An edited program, in place of that one. */
typedef struct lb_result_edit {
    lb_result_name of;
    lb_result_program program;
} lb_result_edit;

/* edit: NULL, or what a context has. */
static inline const lb_result_program *lb_result_in(const lb_result_edit *edit, lb_result_name name)
{
    return edit && edit->of == name ? &edit->program : &lb_results[name];
}

/* What a call fixes for all of its results. Steps that a program does not have ask nothing. */
typedef struct lb_result_call {
    const lb_profile *profile;
    lb_watch *watch; /* may be NULL */
    lb_num zero_point;
    lb_num_limits limits;
    int step_bits, out_bits;
} lb_result_call;

/* What is each number's own. */
typedef struct lb_result_number {
    lb_num sum, bias;
    const lb_num_multiplier *multiplier; /* fx: its shift alone */
    const lb_acc *acc;                   /* that `sum` was in */
} lb_result_number;

/* The container. steps: who listens, or NULL. */
lb_num lb_result_run(const lb_result_program *program, const lb_result_call *call,
                     const lb_result_number *number, lb_steps *steps);

/* The same of a number that is in steps of the output already. */
static inline lb_num lb_result_of(const lb_result_program *program, const lb_profile *profile,
                                  lb_num v, lb_num zero_point, int out_bits, lb_steps *steps)
{
    return lb_result_run(
        program,
        &(lb_result_call){.profile = profile, .zero_point = zero_point, .out_bits = out_bits},
        &(lb_result_number){.sum = v}, steps);
}

/* numerics.md 5.5: fx to sa8. */
static inline lb_num lb_num_fx_to_sa8(lb_steps *steps, const lb_profile *profile, lb_num x,
                                      lb_num shift, lb_num zero_point)
{
    lb_num v = lb_num_rsh(steps, profile->rounding, x, shift, 32, LB_SITE_IN_STEPS_OF_THE_OUTPUT);
    return lb_result_of(&lb_results[LB_RESULT_TABLE], profile, v, zero_point, 8, steps);
}

/* ---- Edits. Places count from 0 and must be those of steps ---- */

unsigned lb_result_length(const lb_result_program *program);
/* The first step with this operation; LB_RESULT_STEPS: none. */
unsigned lb_result_find(const lb_result_program *program, lb_result_operation operation);
/* Takes the step away from its place and puts it where `to` is then. */
void lb_result_move(lb_result_program *program, unsigned from, unsigned to);
void lb_result_leave_out(lb_result_program *program, unsigned at);
/* False: there is no room for one more. */
bool lb_result_insert(lb_result_program *program, unsigned at, lb_result_step step);

#endif
