/* What the real models of LiteRT share: parts of a call by name, and scaling. */
#ifndef LB_REFERENCE_LITERT_REAL_CALL_H
#define LB_REFERENCE_LITERT_REAL_CALL_H

#include "real.h"

/* NULL: there is no such input. */
const lb_litert_tensor *lb_litert_input(const lb_litert_call *c, const char *role);
/* 0 if there is no such key: offsets that a function does not have. */
double lb_litert_key_of(const lb_litert_call *c, const char *name);
/* Dimension `from_end` of a tensor, 0 the last; 1 in front of the first. */
int64_t lb_litert_dimension(const lb_litert_tensor *t, int from_end);
/* The element at (n, y, x, channel) of a tensor with four dimensions. */
double lb_litert_at(const lb_litert_tensor *t, int64_t n, int64_t y, int64_t x, int64_t channel);

/* x * multiplier * 2^(shift - 31), rounded as the profile does (litert.2.3). */
lb_span lb_litert_scaled(const lb_litert_call *c, lb_span x, double multiplier, double shift);
/* The same of a 64-bit sum, of whose multiplier 16 bits are left (litert.2.5). */
lb_span lb_litert_scaled_wide(lb_span x, double multiplier, double shift);
/* To activation_min and activation_max; to the range of the output's type. */
lb_span lb_litert_within_limits(const lb_litert_call *c, lb_span v);
lb_span lb_litert_within_type(const lb_litert_call *c, lb_span v);

/* Models: each makes the span of element `at` of the output. */
typedef lb_span lb_litert_model(const lb_litert_call *c, size_t at);

lb_litert_model lb_litert_real_conv, lb_litert_real_depthwise, lb_litert_real_transpose,
    lb_litert_real_fully_connected;
lb_litert_model lb_litert_real_average, lb_litert_real_maximum, lb_litert_real_softmax,
    lb_litert_real_mean, lb_litert_real_l2_normalization;
lb_litert_model lb_litert_real_add, lb_litert_real_sub, lb_litert_real_mul, lb_litert_real_logistic,
    lb_litert_real_tanh, lb_litert_real_leaky_relu, lb_litert_real_relu, lb_litert_real_relu6,
    lb_litert_real_hard_swish, lb_litert_real_requantize;

#endif
