/* From accumulators and a profile to guard bits: the proved bound, the measured peak, what is
 * needed and what is left. Definitions: README.md, "Guard bits". */
#ifndef LB_HARNESS_GUARD_BOUND_H
#define LB_HARNESS_GUARD_BOUND_H

#include "harness/guard/accumulators.h"
#include "harness/suite/case.h"

/* What is proved of the calls of a case in one profile: no sum of products leaves low..high, in any
 * order, whatever the inputs hold. */
typedef struct lb_guard_bound {
    bool known;
    int64_t low, high;                   /* 0 included: every accumulator starts there */
    int64_t separate_low, separate_high; /* of sums that take the zero point's terms apart */
    size_t low_chain, high_chain; /* of the first call: which chain goes furthest, of those that
                                     inputs can reach */
    int64_t low_sum, high_sum;    /* of that chain, bias included */
    uint64_t macs;
    int format_bits;
} lb_guard_bound;

/* What the proofs of a case share over its profiles. Memory comes from the arena, which must
 * outlive it. */
typedef struct lb_guard_prover {
    const lb_case *test_case;
    lb_arena *arena;
    bool have_first, first_has_own; /* features of the family, in the profile that it is of */
    lb_guard_chains first;          /* of the first call: what low_chain and high_chain count in */
} lb_guard_prover;

/* Takes a call into the bound. It has passed its rules and was not made yet. step: from 1, of a
 * chain of calls; further steps count where something about them may be new: formats are fed
 * forward, or weights drawn afresh. */
void lb_guard_prove(lb_guard_prover *prover, const lb_profile *asked, const lb_call *call,
                    uint32_t step, lb_guard_bound *bound);

/* One case in one profile. */
typedef struct lb_guard_use {
    lb_operands operands;
    uint64_t macs;
    int acc_bits;                  /* width that the profile gives */
    int product_bits;              /* guard bits available: acc_bits - product_bits */
    int format_bits;               /* product_bits + ceil(log2(macs)), and one more with a bias */
    int64_t bound_low, bound_high; /* folded: (x - zero point) * w is added */
    int bound_bits;
    int64_t peak_low, peak_high; /* running sums before the bias, folded, 0 included */
    int peak_bits;
    /* separate: products, then the zero point's terms, as the exact model adds them */
    int64_t separate_bound_low, separate_bound_high, separate_peak_low, separate_peak_high;
    int separate_bound_bits, separate_peak_bits;
    int64_t final_low, final_high; /* sums at the end of the products */
    int needed_bits;               /* bound_bits, which peak_bits never exceeds: folded */
    int headroom_bits;             /* acc_bits - needed_bits */
    const char *overflow;          /* "none", "transient", "persistent": measured */
    uint64_t saturated;            /* additions of a bias that clipped */
    bool exceeds;                  /* needed_bits is more than acc_bits */
} lb_guard_use;

/* Joins both: the exact model ran with this watch. prover: that of the case; bound->known. */
lb_guard_use lb_guard_use_of(const lb_guard_prover *prover, const lb_guard_bound *bound,
                             const lb_watch *watch, const lb_profile *asked);

/* "none", "transient" or "persistent". */
const char *lb_guard_overflow(const lb_watch *watch);

/* Did an accumulator do what one of another width would not: wrap, saturate, or clip a bias? */
bool lb_guard_left_width(const lb_watch *watch);

/* ceil(log2 n); 0 for n below 2. */
int lb_guard_log2(uint64_t n);

/* Has an output one accumulator, to which the bias is added with saturation? Not in recurrent
 * functions, where each input has its own. */
bool lb_guard_has_one_sum(const lb_kernel *kernel);

/* Runs the exact model on the case, over all steps of its chain, and fills bound and watch. False:
 * the function's rules refuse the call, or nothing is accumulated. `prover` is started for the
 * case. */
bool lb_guard_measure(lb_guard_prover *prover, const lb_profile *profile, lb_guard_bound *bound,
                      lb_watch *watch);

#endif
