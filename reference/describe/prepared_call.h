/* A call as a model tells of it: scales and zero points of its operands in real numbers, and what
 * its operator brings with it. A kernel set that prepares calls (litert.22) makes integers of it.
 */
#ifndef LB_REFERENCE_DESCRIBE_PREPARED_CALL_H
#define LB_REFERENCE_DESCRIBE_PREPARED_CALL_H

#include "describe/kernels.h"

/* Of an operand: a number is scale * (container - zero_point). */
typedef struct lb_model_quant {
    const float *scales; /* all above 0 (of weights, 0 too); several: of indices along the axis */
    size_t count;        /* 0: nothing is said of it */
    int32_t zero_point;
    int32_t axis;
} lb_model_quant;

/* What the operator of a function brings with it: bits. */
enum { LB_BRINGS_ACTIVATION = 1, LB_BRINGS_BETA = 2, LB_BRINGS_ALPHA = 4 };

typedef struct lb_prepared_call {
    const lb_kernel *kernel;
    lb_model_quant operand[LB_ROLE_COUNT];
    uint32_t channels; /* of the weights, where the function has any */
    bool has_activation, has_beta,
        has_alpha;       /* what is left out is none, 1; alpha has no default */
    unsigned activation; /* its place in lb_kernel_set.activations */
    float beta, alpha;
    /* made: the configuration but for what is no number of a scale, and a factor for each channel
     * where the function has such roles (room for as many as channels) */
    lb_config config;
    int32_t *multiplier, *shift;
    lb_role wrong; /* why it cannot be made, and of which operand; LB_ROLE_COUNT: of none */
    char why[240];
} lb_prepared_call;

#endif
