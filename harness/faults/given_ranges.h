/* What values a step's given numbers can have, whatever the call: elements, fields of tensors and
 * numbers of the geometry, from their types and from the checks of the function. */
#ifndef LB_HARNESS_FAULTS_GIVEN_RANGES_H
#define LB_HARNESS_FAULTS_GIVEN_RANGES_H

#include "harness/faults/ranges.h"

lb_range lb_range_of_width(int width);

/* Is the owner of the number a gate of the cell? */
bool lb_is_gate(const lb_kernel *kernel, lb_owner owner);

/* Of a field of the configuration: lb_num_of_field. */
lb_range lb_field_range(int32_t step, const lb_kernel *kernel);

lb_range lb_given_range(const lb_num_step *site, const lb_kernel *kernel);

/* What this part of the computation can read there, where that is less: a cell's vectors change
 * their format on the way. Else *range stays. */
void lb_given_range_in_part(const lb_num_step *site, lb_part part, const lb_kernel *kernel,
                            lb_range *range);

#endif
