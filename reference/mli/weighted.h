/* What the kernels with weights, bias and one accumulator per output share (convolutions, fully
 * connected): the numbers that a call fixes once, those of an output channel, and the way from an
 * accumulator to an output container. Spec: conv.md 3, 4, 5, 12. Roles: in, weights, bias, out. */
#ifndef LB_REFERENCE_WEIGHTED_H
#define LB_REFERENCE_WEIGHTED_H

#include "core/result.h"
#include "describe/kernels.h"

/* Fixed for a call whose rules have passed. */
typedef struct lb_weighted {
    const lb_profile *profile;
    lb_watch *watch; /* may be NULL */
    lb_operands operands;
    bool is_sa;
    int32_t
        in_zero_point; /* to be taken off every input; 0 for fx and for ext_bias (conv.md 4.3) */
    lb_num minus_zero_point;          /* the same as a factor of the weights */
    lb_num zero_point_in_products;    /* taken off each input before its product; else 0 */
    bool pads_raw_zero;               /* padding is the container 0 (features.md 10) */
    lb_num bias_shift;                /* fx: conv.md 3 `bs` */
    lb_num out_shift;                 /* fx: conv.md 3 `os` */
    lb_num_ratio ratio;               /* sa: conv.md 4.1 */
    const lb_result_program *program; /* from an accumulator to its output */
    lb_result_call result;
    lb_steps *steps; /* NULL: nobody listens to this call */
} lb_weighted;

/* Fixed for an output channel. */
typedef struct lb_channel {
    int64_t bias;                 /* as it is added to the accumulator */
    lb_num addend;                /* the same, with its origin */
    lb_num_multiplier multiplier; /* fx: its shift alone, which is that of the call */
} lb_channel;

/* The operand pair of a function's variant: what its accumulators are like (numerics.md 4.1). */
lb_operands lb_operands_of(const lb_kernel *kernel);

lb_weighted lb_weighted_start(const lb_context *context, const lb_call *call);
/* The element of the bias, of rank 1, and the entry of the weights' parameters, where they are
 * lists, are those of the channel. steps: who listens to an element of it, or NULL. */
lb_channel lb_weighted_channel(const lb_weighted *weighted, const lb_call *call, uint32_t bias_at,
                               uint32_t entry, lb_steps *steps);
/* The shift behind its multiplication alone; fx: of the call. */
int64_t lb_weighted_shift(const lb_weighted *weighted, const lb_call *call, uint32_t entry);
/* An accumulator for an output of this channel: empty, or with the bias (features.md 9). */
lb_acc lb_weighted_acc(const lb_weighted *weighted, const lb_channel *channel, lb_steps *steps);
/* An input as its product takes it: with the zero point taken off there (features.md 10), or as it
 * is. */
lb_num lb_weighted_input(const lb_weighted *weighted, lb_num x, lb_steps *steps);
/* Output container of an accumulator that holds all products and zero-point terms: bias,
 * requantization, ReLU. steps: who listens to this element, or NULL. */
lb_num lb_weighted_finish(const lb_weighted *weighted, const lb_channel *channel, const lb_acc *acc,
                          lb_steps *steps);

#endif
