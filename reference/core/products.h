/* The products of one output where nobody listens: the same additions in the same order as those of
 * the models, without numbers that know where they come from. Spec: conv.md 12. */
#ifndef LB_REFERENCE_PRODUCTS_H
#define LB_REFERENCE_PRODUCTS_H

#include "accumulator.h"
#include "arith.h"
#include "num.h"
#include "tensor.h"

/* Where a tap lies in the first channel. */
typedef struct lb_tap_offsets {
    size_t x, weight;
} lb_tap_offsets;

/* Every tap of the first channel, then of the next: `count` channels, so many elements apart. */
typedef struct lb_products {
    const lb_tensor *x, *weights;
    const lb_num *constant; /* in place of the inputs; NULL: the inputs */
    int32_t taken_off;      /* from each input */
    const lb_tap_offsets *taps;
    unsigned tap_count;
    lb_tap_offsets first; /* what is added to the place of every tap */
    size_t x_step, weight_step, count;
} lb_products;

void lb_products_add(lb_acc *acc, const lb_products *p);

/* Of products x * w, and of weights where they are asked for (else 0): their sums, and the sums of
 * their absolute values. */
typedef struct lb_whole_sums {
    int64_t products, product_sizes, weights, weight_sizes;
} lb_whole_sums;

/* For real models, whatever the order. False, and *sums means nothing: not elements of 16 bits at
 * most, or more products than LB_WHOLE_PRODUCTS. Inputs as they are: no constant, nothing off. */
bool lb_products_sum(const lb_products *p, bool with_weights, lb_whole_sums *sums);

enum { LB_WHOLE_PRODUCTS = 1 << 22 };

#endif
