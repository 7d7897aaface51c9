/* What a leaf (leaf.h) is for in a function: its sort, what it can be taken for, the value with
 * which it does nothing, and what people call it. From the function's roles and its configuration's
 * fields; a leaf that the function does not have has no place here. */
#ifndef LB_REFERENCE_DESCRIBE_SIGNATURE_H
#define LB_REFERENCE_DESCRIBE_SIGNATURE_H

#include "leaf.h"

/* The field of the function's configuration, given or filled, that a leaf of kind LB_LEAF_CONFIG
 * is; NULL: it has none there. */
const lb_config_field *lb_leaf_field(const lb_kernel *kernel, lb_leaf leaf);

lb_sort lb_leaf_sort(const lb_kernel *kernel, lb_leaf leaf);

/* The value with which it does nothing; LB_NO_NEUTRAL: there is none. */
int64_t lb_leaf_neutral(const lb_kernel *kernel, lb_leaf leaf);

/* Leaves that a kernel can take this one for: of its sort, and of those that its sort goes with: of
 * other dimensions, other fields, other tensors; asked by itself or through the order of
 * dimensions; of a derived one what it is made from. Gives their number; never the leaf itself. */
enum { LB_MOST_SIBLINGS = 32 };
unsigned lb_leaf_siblings(const lb_kernel *kernel, lb_leaf leaf,
                          lb_leaf siblings[LB_MOST_SIBLINGS]);

/* Leaves with which it is multiplied by a kernel that counts in the wrong unit: an offset or
 * padding with a step, a gap or a size, of the same dimension or without one. */
unsigned lb_leaf_factors(const lb_kernel *kernel, lb_leaf leaf, lb_leaf factors[LB_MOST_SIBLINGS]);

/* "stride_height", "offset[2]", "offset[perm_dim[2]]", "weights.shape[0]", "groups", "3": the keys
 * that cases have. */
enum { LB_LEAF_LABEL_BYTES = 64 };
const char *lb_leaf_label(const lb_kernel *kernel, lb_leaf leaf, char text[LB_LEAF_LABEL_BYTES]);

#endif
