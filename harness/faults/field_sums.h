/* Sums and quotients of fields that a part of the computation reads more than once: what they take
 * from each other is nothing, which the ranges of their operands do not say. */
#ifndef LB_HARNESS_FAULTS_FIELD_SUMS_H
#define LB_HARNESS_FAULTS_FIELD_SUMS_H

#include "harness/faults/ranges.h"

/* The one place that an operand comes from; -1: several, or a constant. */
int lb_flow_sole_source(const lb_fault_list *list, size_t site, unsigned operand);
/* Is the step a positive number, shifted to the left until it fills its width? */
bool lb_flow_is_filled(const lb_fault_list *list, size_t site);

/* The range of a sum or difference of counts, from the fields that are left of it. False: it is
 * something else. */
bool lb_flow_sum_of_fields(const lb_fault_list *list, size_t site, const lb_kernel *kernel,
                           lb_range *range);
/* Is the step a number that was widened by its redundant sign bits, divided by a factor of its own?
 * The quotient is `other` (0: unknown), shifted to the left as far. */
bool lb_flow_widened_factor(const lb_fault_list *list, size_t site, int64_t *other);

#endif
