/* What kernels with weights share (litert.4 to litert.7): products of a stretch of input and
 * filter, and the way from a sum to an output. */
#ifndef LB_LITERT_WEIGHTS_H
#define LB_LITERT_WEIGHTS_H

#include "internal.h"

/* How the sums of a call become outputs. */
typedef struct lb_litert_sums {
    lb_litert_profile profile;
    lb_litert_type type; /* of input and output */
    bool wide;           /* 64-bit sums, scaled by 16 bits of the multiplier */
    int32_t input_offset, filter_offset, output_offset;
    lb_litert_activation activation;
    const int32_t *multiplier, *shift;
    bool per_channel;
    const int32_t *bias32; /* at most one of them */
    const int64_t *bias64;
} lb_litert_sums;

/* Are multipliers, shifts, limits and offsets what they may be, for this many channels? */
bool lb_litert_sums_hold(const lb_litert_sums *sums, int32_t channels);

/* Products of `count` elements of the input from number `input_at` on with as many weights. Exact
 * in 64 bits. */
int64_t lb_litert_dot(const lb_litert_sums *sums, const void *input, size_t input_at,
                      const int8_t *filter, size_t count);

/* The output that a sum of products becomes. */
int32_t lb_litert_finish(const lb_litert_sums *sums, int64_t sum, int32_t channel);

#endif
