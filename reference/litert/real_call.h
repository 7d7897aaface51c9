/* What the real models of LiteRT share: parts of a call by name, and scaling. */
#ifndef LB_REFERENCE_LITERT_REAL_CALL_H
#define LB_REFERENCE_LITERT_REAL_CALL_H

#include "real.h"

/* NULL: there is no such input. */
const lb_lite_tensor *lb_lite_input(const lb_lite_call *c, const char *role);
/* 0 if there is no such key: offsets that a function does not have. */
double lb_lite_key_of(const lb_lite_call *c, const char *name);
/* Dimension `from_end` of a tensor, 0 the last; 1 in front of the first. */
int64_t lb_lite_dimension(const lb_lite_tensor *t, int from_end);
/* The element at (n, y, x, channel) of a tensor with four dimensions. */
double lb_lite_at(const lb_lite_tensor *t, int64_t n, int64_t y, int64_t x, int64_t channel);

/* x * multiplier * 2^(shift - 31), rounded as the profile does (litert.2.3). */
lb_span lb_lite_scaled(const lb_lite_call *c, lb_span x, double multiplier, double shift);
/* The same of a 64-bit sum, of whose multiplier 16 bits are left (litert.2.5). */
lb_span lb_lite_scaled_wide(lb_span x, double multiplier, double shift);
/* To activation_min and activation_max; to the range of the output's type. */
lb_span lb_lite_within_limits(const lb_lite_call *c, lb_span v);
lb_span lb_lite_within_type(const lb_lite_call *c, lb_span v);

/* Models: each makes the span of element `at` of the output. */
typedef lb_span lb_lite_model(const lb_lite_call *c, size_t at);

lb_lite_model lb_lite_real_conv, lb_lite_real_depthwise, lb_lite_real_transpose,
    lb_lite_real_fully_connected;
lb_lite_model lb_lite_real_average, lb_lite_real_maximum, lb_lite_real_softmax, lb_lite_real_mean,
    lb_lite_real_l2_normalization;
lb_lite_model lb_lite_real_add, lb_lite_real_sub, lb_lite_real_mul, lb_lite_real_logistic,
    lb_lite_real_tanh, lb_lite_real_leaky_relu, lb_lite_real_relu, lb_lite_real_relu6,
    lb_lite_real_hard_swish, lb_lite_real_requantize;

#endif
