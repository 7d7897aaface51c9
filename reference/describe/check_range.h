/* What a condition (check.h) says of the range of one of its leaves, those of the others being
 * known, and of the range of its sum. */
#ifndef LB_REFERENCE_DESCRIBE_CHECK_RANGE_H
#define LB_REFERENCE_DESCRIBE_CHECK_RANGE_H

#include "check.h"

typedef lb_leaf_range (*lb_range_fn)(const void *user, lb_leaf leaf);

lb_leaf_range lb_range_fixed(int64_t v);
/* Takes away what the leaf cannot be where the condition holds; low above high: it cannot hold. */
void lb_range_narrow(lb_leaf_range *range, const lb_condition *condition, lb_leaf leaf,
                     lb_range_fn range_of, const void *user);
lb_leaf_range lb_range_of_sum(const lb_condition *condition, lb_range_fn range_of,
                              const void *user);

#endif
