/* The groups of elements that softmax and l2_normalize work on: lines along an axis, or the whole
 * tensor. Spec: elementwise.md 7, 8. */
#ifndef LB_REFERENCE_GROUPS_H
#define LB_REFERENCE_GROUPS_H

#include "core/tensor.h"

typedef struct lb_groups {
    size_t count;  /* groups */
    size_t length; /* elements in each */
    size_t inner;  /* elements from one element of a group to the next, in row-major order */
} lb_groups;

/* axis < 0: one group of all elements. Else axis < rank: one group per index of the other
 * dimensions. */
lb_groups lb_groups_of(const lb_tensor *t, int32_t axis);
/* Row-major number, in the tensor, of element `index` of a group. */
size_t lb_group_flat(const lb_groups *groups, size_t group, size_t index);
/* The group of an element. */
size_t lb_group_of_flat(const lb_groups *groups, size_t flat);

#endif
