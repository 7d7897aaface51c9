/* What the real models of LiteRT share: parts of a call, and scaling. */
#ifndef LB_REFERENCE_LITERT_REAL_CALL_H
#define LB_REFERENCE_LITERT_REAL_CALL_H

#include "models.h"
#include "real.h"

/* NULL: there is no such input. */
static inline const lb_lite_tensor *lb_lite_input(const lb_lite_call *c, lb_role role)
{
    return c->input[role].values ? &c->input[role] : NULL;
}

/* 0 of a field that the function does not have, such as an offset. */
static inline double lb_lite_key_of(const lb_lite_call *c, lb_lite_field field)
{
    return c->key[field];
}

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

#define LB_LITE_REAL(name, family, in, out, roles, kind, rules, map, exact, real)                  \
    lb_lite_model lb_lite_real_##real;
LB_LITE_KERNELS(LB_LITE_REAL)

#endif
