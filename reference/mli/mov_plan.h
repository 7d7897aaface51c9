/* What a movement's configuration asks for: the extent of each dimension, before a bit is moved.
 * Spec: pooling_and_movement.md 4.1, 4.2. Source dimensions are called d, destination dimensions i;
 * perm_dim[i] = d. */
#ifndef LB_REFERENCE_MOV_PLAN_H
#define LB_REFERENCE_MOV_PLAN_H

#include "describe/kernels.h"

/* One dimension of the destination. */
typedef struct lb_mov_dim {
    uint32_t source; /* the dimension of src that it runs along */
    int64_t count;   /* cnt: elements moved along it; -1 where the configuration asks for less than
                        nothing */
    int64_t step;    /* in source elements, from one to the next */
    int64_t first;   /* source coordinate of the first; below 0 or past the end: padding */
    uint32_t dst_skip; /* dst_offset: where the first is placed */
} lb_mov_dim;

/* Dimension i of a movement from src; perm_dim[i] < src->rank. A step of 0 counts as 1: the rules
 * refuse it. */
lb_mov_dim lb_mov_dim_of(const lb_tensor *src, const lb_config *config, uint32_t i);
/* Source coordinate of the j-th element moved along a dimension. */
int64_t lb_mov_coordinate(const lb_mov_dim *dim, int64_t j);
/* Destination dimension that runs along source dimension d: perm_dim is a permutation, d < rank
 * <= 4. */
uint32_t lb_mov_destination_of(const lb_config *config, uint32_t rank, uint32_t d);
/* Both tensors are the packed source, and nothing is left out or added: dst becomes a copy of all
 * of src. QUIRK: offset and dst_offset are not looked at. */
bool lb_mov_is_whole_copy(const lb_tensor *src, const lb_config *config, const lb_tensor *dst);

#endif
