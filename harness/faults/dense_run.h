/* The weighted sum of pairs of inputs and weights as data (recurrent.md 5), with one thing done
 * otherwise: of rnn_dense, and of every gate of a cell. */
#ifndef LB_HARNESS_FAULTS_DENSE_RUN_H
#define LB_HARNESS_FAULTS_DENSE_RUN_H

#include "harness/faults/faults.h"
#include "reference/mli/dense.h"

/* What is done otherwise: of a lb_fault dim. */
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

/* Everything but the fault's change is as lb_dense has it. */
void lb_dense_otherwise(const lb_profile *profile, const lb_fault *fault,
                        const lb_dense_term *terms, unsigned count, const lb_tensor *bias,
                        lb_tensor *out);

/* A call of rnn_dense. */
bool lb_pairs_run(lb_fault_run *run);

/* All of these faults, and gates that begin elsewhere. They are no kinds of the bank. */
void lb_fault_pairs(const lb_fault_scope *scope, lb_fault_sink sink, void *user);

#endif
