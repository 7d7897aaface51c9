/* The watched accumulator: adds exactly, remembers its extremes, and gives what a register of the
 * platform's width would hold. Spec: numerics.md 4.1 (products add without saturation and wrap at
 * the width), conv.md 12 (order and peaks). The exact sum is kept in 64 bits: no chain of products
 * that fits in memory can leave them. */
#ifndef LB_REFERENCE_ACCUMULATOR_H
#define LB_REFERENCE_ACCUMULATOR_H

#include "profile.h"

#include <stdint.h>

/* What all accumulators of one call did, together. */
typedef struct lb_watch {
    uint64_t chains;      /* accumulators closed */
    uint64_t macs;        /* longest chain, in additions */
    int acc_bits;         /* width of the last accumulator; 0: the call had none */
    lb_operands operands; /* of the last accumulator */
    int64_t peak_low; /* smallest and largest running sum over all chains (0 included: every chain
                         starts there) */
    int64_t peak_high;
    int64_t folded_low; /* the same, of what a register holds that takes (x - zero point) * w */
    int64_t folded_high;
    int64_t
        final_low; /* smallest and largest sum at the end of a chain, before saturating additions */
    int64_t final_high;
    uint64_t
        transient; /* chains whose running sum left the width although the final sum is inside */
    uint64_t persistent; /* chains whose final sum is outside the width: the register wrapped (or
                            saturated) */
    uint64_t saturated;  /* saturating additions (bias) that clipped */
    uint64_t saturated_high; /* those of them that clipped at the highest value */
    uint64_t sum_bits;       /* bit n-1: some chain ended with a sum that needs n bits */
} lb_watch;

typedef struct lb_acc {
    int64_t exact; /* the mathematical sum */
    int64_t held;  /* what the register holds: wrapped (or saturated) at the width, at every step */
    int64_t low;   /* extremes of `exact` so far */
    int64_t high;
    /* The same sums with the zero point taken off every input, (x - zero point) * w: `exact` less
     * what the terms of the zero point still owe. Where there is none, they are those above. */
    int32_t zero_point;
    bool adds_terms; /* the products are done, these are the zero point's own */
    int64_t owed;
    int64_t folded_low, folded_high;
    uint64_t macs;
    int width;
    bool saturates;
    bool at_end;    /* exact until it is closed, and saturated then (features.md 7) */
    unsigned lanes; /* partial sums kept apart in `lane` (features.md 8); 0: one sum */
    int64_t *lane;
    bool
        quiet; /* nobody watches or listens: the sum alone is kept, and `held` where it saturates */
    bool plain; /* nobody listens, and no step saturates: `held` is made of the sum at the end */
    int64_t highest; /* of the width */
    lb_operands operands;
    int32_t step; /* that gave `held`, where somebody listens (num.h); else 0 */
} lb_acc;

/* An empty accumulator of the width that the profile gives this operand pair. */
lb_acc lb_acc_start(const lb_profile *profile, lb_operands operands);
/* Says who follows the accumulator: without them it is faster. Before its first product. */
static inline lb_acc lb_acc_followed(lb_acc acc, bool watched, bool listened)
{
    acc.quiet = !watched && !listened;
    acc.plain = !listened && acc.lanes == 0 && !acc.saturates;
    return acc;
}
/* The sum is one that 64 bits hold. */
static inline int64_t lb_acc_clipped(const lb_acc *acc, int64_t sum)
{
    return sum > acc->highest ? acc->highest : sum < -acc->highest - 1 ? -acc->highest - 1 : sum;
}
void lb_acc_mac_watched(lb_acc *acc, int32_t a, int32_t b);
/* The zero point's share in a product with this weight, and what it does to the extremes. */
static inline void lb_acc_fold(lb_acc *acc, int32_t weight)
{
    uint64_t term = (uint64_t)((int64_t)acc->zero_point * weight);
    acc->owed = (int64_t)((uint64_t)acc->owed + (acc->adds_terms ? 0 - term : term));
    int64_t folded = (int64_t)((uint64_t)acc->exact - (uint64_t)acc->owed);
    acc->folded_low = folded < acc->folded_low ? folded : acc->folded_low;
    acc->folded_high = folded > acc->folded_high ? folded : acc->folded_high;
}
/* One product of a plain accumulator. Loops over a copy of one stay in registers. */
static inline void lb_acc_mac_plain(lb_acc *acc, int32_t a, int32_t b)
{
    acc->exact = (int64_t)((uint64_t)acc->exact + (uint64_t)((int64_t)a * b));
    if (acc->quiet)
        return;
    acc->macs++;
    acc->low = acc->exact < acc->low ? acc->exact : acc->low;
    acc->high = acc->exact > acc->high ? acc->exact : acc->high;
    if (acc->zero_point != 0)
        lb_acc_fold(acc, b);
}
/* One product; both factors at most 32 bits in magnitude together 62. */
static inline void lb_acc_mac(lb_acc *acc, int32_t a, int32_t b)
{
    if (acc->plain) {
        lb_acc_mac_plain(acc, a, b);
        return;
    }
    if (!acc->quiet) {
        lb_acc_mac_watched(acc, a, b);
        return;
    }
    int64_t product = (int64_t)a * b;
    if (acc->lanes > 0) {
        int64_t *lane = &acc->lane[acc->macs++ % acc->lanes];
        *lane = lb_acc_clipped(acc, *lane + product);
        return;
    }
    acc->exact = (int64_t)((uint64_t)acc->exact + (uint64_t)product);
    if (acc->saturates && acc->width < 64)
        acc->held = lb_acc_clipped(acc, acc->held + product);
}
/* Tells that the products of inputs that have this zero point follow; and that they are done, and
 * its terms, -zero point * w, follow. */
void lb_acc_expect_zero_point(lb_acc *acc, int32_t zero_point);
void lb_acc_expect_terms(lb_acc *acc);
/* Ends the chain of products: folds the extremes into the watch (may be NULL) and gives the value
 * that the register holds. */
int64_t lb_acc_close(const lb_acc *acc, lb_watch *watch);
/* A saturating addition after the chain (the bias): sat(value + addend) at the accumulator's width;
 * clipping is counted. */
int64_t lb_acc_add_saturating(const lb_acc *acc, int64_t value, int64_t addend, lb_watch *watch);

/* Bits that a two's complement register needs to hold every value of [low, high]. */
int lb_bits_for_range(int64_t low, int64_t high);

#endif
