/* Kernels of any interface on trial: one function that is given a kernel's name, tensors and
 * configuration, and fills the outputs. Compile lb_kit.c with -DLB_KIT_NATIVE (no MLI headers are
 * needed), and define lb_port (lb_kit.h) and the two functions below. example_native.c shows it.
 * Only data are asked for: cases in which the kernel must refuse its arguments are skipped. */
#ifndef LB_NATIVE_H
#define LB_NATIVE_H

#include "lb_kit_functions.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LB_NATIVE_FX8 = 0x008,
    LB_NATIVE_FX16 = 0x010,
    LB_NATIVE_SA8 = 0x108,
    LB_NATIVE_SA32 = 0x120,
    LB_NATIVE_FP32 = 0x220,
    /* of LiteRT: integers of 8, 16, 32, 64 bits, without a format */
    LB_NATIVE_S8 = 0x2008,
    LB_NATIVE_S16 = 0x2010,
    LB_NATIVE_S32 = 0x2020,
    LB_NATIVE_S64 = 0x2040
};

typedef struct lb_native_tensor {
    int32_t
        type; /* LB_NATIVE_FX8, ... : elements are int8_t, int16_t, int8_t, int32_t, float; ... */
    uint32_t rank, shape[4];
    int32_t stride[4]; /* in elements; what strides leave out must stay as it is */
    void *data;        /* the first element; rank 0: the only one */
    /* fx: real value = element * 2^-frac_bits. Outputs come with the format that their elements
     * must have. */
    int32_t frac_bits;
    /* sa: real value = (element - zero_point) * scale * 2^-scale_frac_bits, [0] where axis is -1,
     * else [index on that axis] */
    int32_t axis;
    const int16_t *scale, *zero_point;
    const int8_t *scale_frac_bits;
} lb_native_tensor;

/* Places of tensors in a call. */
enum {
    LB_NATIVE_IN,
    LB_NATIVE_IN1, /* eltwise */
    LB_NATIVE_IN2,
    LB_NATIVE_PREV_OUT, /* lstm, gru */
    LB_NATIVE_WEIGHTS,
    LB_NATIVE_WEIGHTS_IN,
    LB_NATIVE_WEIGHTS_OUT,
    LB_NATIVE_BIAS,
    LB_NATIVE_SLOPE,   /* of the negative side */
    LB_NATIVE_EPSILON, /* l2_normalize */
    LB_NATIVE_CELL,    /* lstm: read and written */
    LB_NATIVE_OUT,
    LB_NATIVE_MULTIPLIER,     /* LiteRT: of each channel */
    LB_NATIVE_SHIFT,          /* beside it; inverse_square_root: its second result */
    LB_NATIVE_AXIS,           /* mean */
    LB_NATIVE_BITS_OVER_UNIT, /* reciprocal_q12: its second result */
    LB_NATIVE_PLACES
};

typedef struct lb_native_call {
    const char *function; /* "mli_krn_relu_fx8", "litert_relu_s8" */
    const char
        *profile; /* numerics: "up-full", "up-reduced", "convergent-full", "convergent-reduced";
                     these with "+avepool16" if the port says that it has them (lb_kit.h);
                     of functions of LiteRT "litert-double", "litert-single" */
    const lb_native_tensor *tensor[LB_NATIVE_PLACES]; /* NULL: this function has none there;
                                                         rnn_dense: IN and WEIGHTS are arrays */
    uint32_t count[LB_NATIVE_PLACES];                 /* of each array; else 1 */
    void *scratch; /* lstm, gru: working memory of configuration "scratch_bytes" */
    const char *config_names;
    const uint32_t *config;
} lb_native_call;

/* A number of the configuration by its name in cases ("stride_width", "axis", "relu" as 0 none, 1
 * gen, 2 relu1, 3 relu6); `index` counts in a list ("perm_dim"), else 0. 0 if this function
 * has no such name; one that no function has is an error of the case, which tells it. Provided by
 * the kit. */
int32_t lb_native_number(const lb_native_call *call, const char *name, uint32_t index);

/* The name of a function, which the compiler holds to the list of functions: one that is misspelt
 * does not compile. */
#define LB_NATIVE_NAME(function)      (&(#function)[0 * LB_NATIVE_IS_##function])
#define LB_NATIVE_IS(shape, function) LB_NATIVE_IS_##function,
enum { LB_KIT_FUNCTIONS(LB_NATIVE_IS) LB_KIT_LITERT_FUNCTIONS(LB_NATIVE_IS) LB_NATIVE_FUNCTIONS };

enum { LB_NATIVE_DONE = 0, LB_NATIVE_DECLINED = -1 };

/* The porter defines both. Is there a kernel for this function? And: fill the outputs. DONE;
 * DECLINED where the kernel is not made for such arguments (a layout, a size): the case is skipped;
 * any other number: it failed. */
int lb_native_has(const char *function);
int lb_native_run(const lb_native_call *call);

#ifdef __cplusplus
}
#endif

#endif
