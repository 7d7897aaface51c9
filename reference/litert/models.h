/* The exact models of LiteRT, for its table (kernels.c), and what they ask of a row of it. */
#ifndef LB_REFERENCE_LITERT_MODELS_H
#define LB_REFERENCE_LITERT_MODELS_H

#include "fields.h"

/* Does the configuration of the function have the field? */
bool lb_lite_has_field(const lb_kernel *kernel, lb_lite_field field);
/* What a field that is a zero point, or minus one, or a limit can be (litert.1.3, litert.1.5);
 * false: it is something else. */
bool lb_lite_type_range(const lb_kernel *kernel, lb_lite_field field, int64_t *low, int64_t *high);

void lb_lite_exact_weights(const lb_context *context, lb_call *call);
void lb_lite_exact_average_pool(const lb_context *context, lb_call *call);
void lb_lite_exact_max_pool(const lb_context *context, lb_call *call);
void lb_lite_exact_softmax_s8(const lb_context *context, lb_call *call);
void lb_lite_exact_softmax_s16(const lb_context *context, lb_call *call);
void lb_lite_exact_mean(const lb_context *context, lb_call *call);
void lb_lite_exact_l2_normalization(const lb_context *context, lb_call *call);
void lb_lite_exact_add(const lb_context *context, lb_call *call);
void lb_lite_exact_sub(const lb_context *context, lb_call *call);
void lb_lite_exact_mul(const lb_context *context, lb_call *call);
void lb_lite_exact_logistic_s8(const lb_context *context, lb_call *call);
void lb_lite_exact_tanh_s8(const lb_context *context, lb_call *call);
void lb_lite_exact_logistic_s16(const lb_context *context, lb_call *call);
void lb_lite_exact_tanh_s16(const lb_context *context, lb_call *call);
void lb_lite_exact_leaky_relu(const lb_context *context, lb_call *call);
void lb_lite_exact_relu(const lb_context *context, lb_call *call);
void lb_lite_exact_relu6(const lb_context *context, lb_call *call);
void lb_lite_exact_hard_swish(const lb_context *context, lb_call *call);
void lb_lite_exact_requantize(const lb_context *context, lb_call *call);
void lb_lite_exact_doubling_high_mul(const lb_context *context, lb_call *call);
void lb_lite_exact_rounding_divide(const lb_context *context, lb_call *call);
void lb_lite_exact_scale_s32(const lb_context *context, lb_call *call);
void lb_lite_exact_scale_smaller_than_one(const lb_context *context, lb_call *call);
void lb_lite_exact_scale_greater_than_one(const lb_context *context, lb_call *call);
void lb_lite_exact_scale_s64(const lb_context *context, lb_call *call);
void lb_lite_exact_exp_on_negative_q5(const lb_context *context, lb_call *call);
void lb_lite_exact_exp_on_negative_q4(const lb_context *context, lb_call *call);
void lb_lite_exact_one_over_one_plus_x(const lb_context *context, lb_call *call);
void lb_lite_exact_one_minus_x_over_one_plus_x(const lb_context *context, lb_call *call);
void lb_lite_exact_logistic_q4(const lb_context *context, lb_call *call);
void lb_lite_exact_tanh_q4(const lb_context *context, lb_call *call);
void lb_lite_exact_reciprocal_q12(const lb_context *context, lb_call *call);
void lb_lite_exact_inverse_square_root(const lb_context *context, lb_call *call);

/* In real arithmetic (real.h): of all that are no fixed-point functions. */
void lb_lite_real_model(const lb_context *context, const lb_call *call, lb_real_outputs *outputs);

#endif
