/* From the scales of a model to the integers of a call (litert.22): what a converter or the runtime
 * computes once, in floating point, and no kernel does. */
#ifndef LB_REFERENCE_LITERT_PREPARE_H
#define LB_REFERENCE_LITERT_PREPARE_H

#include "describe/kernels.h"
#include "describe/prepared_call.h"

/* What scale32 and its like multiply by: multiplier * 2^(shift - 31). */
typedef struct lb_lite_factor {
    int32_t multiplier, shift;
} lb_lite_factor;

/* Of a tensor: a number is scale * (container - zero_point). */
typedef struct lb_lite_quant {
    float scale;
    int32_t zero_point;
} lb_lite_quant;

/* An activation that an operator brings with it (litert.22.2). */
typedef enum lb_lite_fused {
    LB_LITE_FUSED_NONE,
    LB_LITE_FUSED_RELU,
    LB_LITE_FUSED_RELU6,
    LB_LITE_FUSED_RELU_N1_TO_1
} lb_lite_fused;

/* 22.1. A number that is none, or infinite, has no factor: callers refuse it. */
lb_lite_factor lb_lite_prepare_multiplier(const lb_profile *profile, double real);
/* The number that the factor stands for. */
double lb_lite_factor_value(lb_lite_factor factor);

/* 22.2: activation_min and activation_max. */
void lb_lite_prepare_limits(lb_el_type type, lb_lite_fused fused, lb_lite_quant out,
                            lb_config *config);

/* 22.3. A VALID size below 0 is refused: all are 0. */
typedef struct lb_lite_padding {
    int64_t out, before, after_extra;
} lb_lite_padding;
lb_lite_padding lb_lite_prepare_padding(bool same, int64_t in, int64_t filter, int64_t stride,
                                        int64_t dilation);

/* 22.4: of one output channel; the second of fully_connected with one filter scale. */
lb_lite_factor lb_lite_prepare_conv(const lb_profile *profile, float in, float filter, float out);
lb_lite_factor lb_lite_prepare_fully_connected(const lb_profile *profile, float in, float filter,
                                               float out);

/* Fields of the configuration of a call, those of the section's operator. False: the reference
 * refuses these scales. */
/* 22.5 */
bool lb_lite_prepare_add(const lb_profile *profile, lb_el_type type, lb_lite_quant in1,
                         lb_lite_quant in2, lb_lite_quant out, lb_lite_fused fused,
                         lb_config *config);
bool lb_lite_prepare_sub(const lb_profile *profile, lb_el_type type, lb_lite_quant in1,
                         lb_lite_quant in2, lb_lite_quant out, lb_lite_fused fused,
                         lb_config *config);
bool lb_lite_prepare_mul(const lb_profile *profile, lb_el_type type, lb_lite_quant in1,
                         lb_lite_quant in2, lb_lite_quant out, lb_lite_fused fused,
                         lb_config *config);
/* 22.6: of int8, and of int16. */
bool lb_lite_prepare_softmax(const lb_profile *profile, lb_el_type type, float in, float beta,
                             lb_config *config);
/* 22.7; of int8 both are the same. */
bool lb_lite_prepare_logistic(lb_el_type type, lb_lite_quant in, lb_config *config);
bool lb_lite_prepare_tanh(lb_el_type type, lb_lite_quant in, lb_config *config);
/* 22.8 */
bool lb_lite_prepare_leaky_relu(const lb_profile *profile, lb_lite_quant in, lb_lite_quant out,
                                float alpha, lb_config *config);
bool lb_lite_prepare_relu(const lb_profile *profile, lb_el_type type, lb_lite_quant in,
                          lb_lite_quant out, lb_config *config);
bool lb_lite_prepare_relu6(lb_el_type type, lb_lite_quant in, lb_config *config);
bool lb_lite_prepare_hard_swish(const lb_profile *profile, lb_lite_quant in, lb_lite_quant out,
                                lb_config *config);
/* 22.9: of requantize and of mean. */
bool lb_lite_prepare_requantize(const lb_profile *profile, lb_lite_quant in, lb_lite_quant out,
                                lb_config *config);

/* Any function of the set but the fixed-point ones. False: call->why. */
bool lb_lite_prepare_call(const lb_profile *profile, lb_prepared_call *call);
/* Names of lb_lite_fused, ended by NULL. */
extern const char *const lb_lite_activations[];

#endif
