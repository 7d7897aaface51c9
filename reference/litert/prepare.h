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

/* The nearest whole number, halves away from zero; a number in steps of the tensor. */
int64_t lb_lite_nearest(double v);
int64_t lb_lite_quantized(float v, lb_lite_quant q);

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

/* 22.4 to 22.9: any function of the set but the fixed-point ones. False: call->why. */
bool lb_lite_prepare_call(const lb_profile *profile, lb_prepared_call *call);
/* What its operator brings with it (LB_BRINGS_ACTIVATION, ...); 0 for functions that are not made
 * of scales too. */
unsigned lb_lite_brings(const lb_kernel *kernel);
/* Names of lb_lite_fused, ended by NULL. */
extern const char *const lb_lite_activations[];

#endif
