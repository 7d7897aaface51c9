/* The accumulators of a call, from its weights and shapes alone: which products each takes, and how
 * far they can drive it whatever the inputs hold. Definitions: README.md, "Guard bits"; spec:
 * conv.md 12, recurrent.md 5.4. */
#ifndef LB_HARNESS_GUARD_ACCUMULATORS_H
#define LB_HARNESS_GUARD_ACCUMULATORS_H

#include "harness/base/arena.h"
#include "reference/describe/map.h"

/* An output position: of the loops of the function's index map; zeros where there is none. */
typedef struct lb_guard_place {
    uint32_t at[LB_MAP_LOOPS];
} lb_guard_place;

/* The accumulators of one output channel, for one input and one gate where a function has several.
 */
typedef struct lb_guard_chain {
    lb_role x_role;   /* the input whose elements are multiplied */
    unsigned x_index; /* in a list role */
    unsigned gate;    /* of LSTM and GRU */
    uint32_t channel;
    int32_t x_low, x_high; /* range of the input's containers, less the zero point */
    int32_t zero_point;
    bool adds_bias; /* behind the products */
    bool reachable; /* x is an input of the call, not computed inside it: there are inputs that
                       reach both ends */
    int64_t sum_low, sum_high; /* sum of min(0, w*x_low, w*x_high), and of the max: the worst
                                  position. Without bias */
    lb_guard_place low_at, high_at;
    bool has_terms; /* products with weights, and where there is a zero point terms of it: */
    int64_t separate_low, separate_high; /* of all products x * w, then all -zero point * w, each in
                                            any order; without has_terms the sums above */
} lb_guard_chain;

typedef struct lb_guard_chains {
    lb_operands operands;
    int product_bits;    /* of one product, with its sign; of softmax: of one addend */
    bool has_bias;       /* the function adds something beside products */
    int numerics;        /* that the sums were made for (lb_profile_number) */
    bool numerics_count; /* and that matters: the factor of average pooling is rounded */
    uint64_t macs;       /* products of the longest chain: zero-point terms and bias not counted */
    size_t count;
    lb_guard_chain *items;
} lb_guard_chains;

/* Does the function add products in an accumulator? Convolutions, fully connected, rnn_dense, LSTM,
 * GRU, average pooling, l2_normalize, softmax. */
bool lb_guard_applies(const lb_kernel *kernel);

/* Lists the chains of a call that has passed its rules and was not made yet. Memory comes from the
 * arena. */
void lb_guard_chains_make(const lb_call *call, const lb_profile *profile, lb_arena *arena,
                          lb_guard_chains *chains);

/* Products in a row: elements of x and the weights that they meet, so many elements apart. */
typedef struct lb_guard_run {
    const lb_tensor *weights;
    size_t x_start, x_step, weight_start, weight_step, count;
} lb_guard_run;

/* Tells the products of a chain at a position. Nothing for functions without weights. */
typedef void (*lb_guard_run_fn)(void *user, const lb_guard_run *run);
void lb_guard_each_run(const lb_call *call, const lb_guard_chain *chain, lb_guard_place at,
                       lb_guard_run_fn tell, void *user);

/* Smallest and largest container of an element type, 8 or 16 bits. */
void lb_guard_containers(uint32_t el_type, int32_t *low, int32_t *high);

#endif
