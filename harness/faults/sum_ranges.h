/* What sums over taps can be: a case has only so many elements, and some functions say nothing of
 * sums that leave the accumulator. */
#ifndef LB_HARNESS_FAULTS_SUM_RANGES_H
#define LB_HARNESS_FAULTS_SUM_RANGES_H

#include "harness/faults/ranges.h"

/* Windows of a fixed size have so many taps; 0: any number. */
int64_t lb_most_taps(const lb_kernel *kernel);

/* The range of a sum over taps, each with a product in this range. False: the step is none, or it
 * is not known what it starts from. */
bool lb_flow_sum_of_taps(const lb_fault_list *list, size_t site, const lb_kernel *kernel,
                         lb_range product, lb_range *range);

/* Is the call undefined where this sum leaves its width? */
bool lb_sum_is_undefined_beyond(const lb_num_step *site, const lb_kernel *kernel);

/* What is known of a sum that is whole, where `taken_by` takes it. */
void lb_whole_sum_range(const lb_num_step *sum, const lb_num_step *taken_by,
                        const lb_kernel *kernel, lb_range *range);

#endif
