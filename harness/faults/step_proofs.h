/* When a changed step is the right one, whatever the call: from the ranges of its operands. One for
 * each way in which steps of the bank are changed. */
#ifndef LB_HARNESS_FAULTS_STEP_PROOFS_H
#define LB_HARNESS_FAULTS_STEP_PROOFS_H

#include "harness/faults/ranges.h"

#define LB_NEVER(name)                                                                             \
    bool name(const lb_fault *fault, const lb_num_step *site, const struct lb_fault_flow *flow)

/* Rounding: nothing is ever cut off; or no value is negative, or positive, where the sign counts.
 */
LB_NEVER(lb_never_a_fraction);
LB_NEVER(lb_never_cut);
LB_NEVER(lb_never_to_the_right); /* the count is never positive */
LB_NEVER(lb_never_a_negative_fraction);
LB_NEVER(lb_never_half_away);
LB_NEVER(lb_never_half_to_zero);
LB_NEVER(lb_never_half_down);
LB_NEVER(lb_never_half_other);
LB_NEVER(lb_never_a_quarter);
LB_NEVER(lb_never_half_wraps);
LB_NEVER(lb_never_a_negative_quotient);
LB_NEVER(lb_never_beyond_argument); /* the count is never above the argument */
LB_NEVER(lb_never_rounded_first);
LB_NEVER(lb_never_low_bits);
/* Shifts */
LB_NEVER(lb_never_shifted);
LB_NEVER(lb_never_negative_count);
LB_NEVER(lb_never_capped);
LB_NEVER(lb_never_masked);
/* Widths */
LB_NEVER(lb_never_saturates);
LB_NEVER(lb_never_lowest);
LB_NEVER(lb_never_narrow); /* inside the argument's width */
LB_NEVER(lb_never_limited);
LB_NEVER(lb_never_beyond_limit);
LB_NEVER(lb_never_off_limit);
LB_NEVER(lb_never_below_zero);
LB_NEVER(lb_never_other_limit_than_zero);
LB_NEVER(lb_never_of_two_signs);
LB_NEVER(lb_never_two_with_a_negative);
LB_NEVER(lb_never_negative);
LB_NEVER(lb_never_wide_result);
LB_NEVER(lb_never_wide_saturated); /* a result of the argument's width, or limited to less later */
LB_NEVER(lb_never_wide_sum);
LB_NEVER(lb_never_wide_product);
LB_NEVER(lb_never_wide_pair); /* two products together are inside 16 bits */
LB_NEVER(lb_never_has_low_bits);
LB_NEVER(lb_never_wide_unsigned);
/* Sums */
LB_NEVER(lb_never_second_number);
/* Numbers so far beyond later limits that the change makes no difference; a second number of 0. */
LB_NEVER(lb_never_off_by_one);
LB_NEVER(lb_never_missed_term);
LB_NEVER(lb_never_second_term);
LB_NEVER(lb_never_other_sign);
LB_NEVER(lb_never_negative_first);
LB_NEVER(lb_never_first_taps); /* the sum begins after them */
LB_NEVER(lb_never_adds);       /* a factor is 0 */

/* Is the fault's step the same for all values that its operands can have here, or differs only
 * where later limits make the same of both? False also where these are too many to try, or the edit
 * asks for more than the step. */
bool lb_step_never_changed(const lb_fault *fault, const lb_num_step *site,
                           const struct lb_fault_flow *flow);

#endif
