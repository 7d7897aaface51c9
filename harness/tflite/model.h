/* What a .tflite file says, as far as kernels are concerned. */
#ifndef LB_HARNESS_TFLITE_MODEL_H
#define LB_HARNESS_TFLITE_MODEL_H

#include "harness/tflite/flat.h"

/* Operators by their numbers in the file, those that have options or no kernel of their name;
 * names.c has them all. */
typedef enum lb_tflite_code {
    LB_TFLITE_ADD = 0,
    LB_TFLITE_AVERAGE_POOL_2D = 1,
    LB_TFLITE_CONV_2D = 3,
    LB_TFLITE_DEPTHWISE_CONV_2D = 4,
    LB_TFLITE_FULLY_CONNECTED = 9,
    LB_TFLITE_L2_NORMALIZATION = 11,
    LB_TFLITE_MAX_POOL_2D = 17,
    LB_TFLITE_MUL = 18,
    LB_TFLITE_RESHAPE = 22,
    LB_TFLITE_SOFTMAX = 25,
    LB_TFLITE_CUSTOM = 32,
    LB_TFLITE_SUB = 41,
    LB_TFLITE_SQUEEZE = 43,
    LB_TFLITE_TRANSPOSE_CONV = 67,
    LB_TFLITE_EXPAND_DIMS = 70,
    LB_TFLITE_SUM = 74,
    LB_TFLITE_LEAKY_RELU = 98,
    LB_TFLITE_QUANTIZE = 114
} lb_tflite_code;

/* Element types by their numbers in the file. */
typedef enum lb_tflite_type {
    LB_TFLITE_INT32 = 2,
    LB_TFLITE_INT64 = 4,
    LB_TFLITE_INT16 = 7,
    LB_TFLITE_INT8 = 9
} lb_tflite_type;

enum {
    LB_TFLITE_MAX_RANK = 8,
    LB_TFLITE_MAX_OPERANDS = 8,
    LB_TFLITE_NO_TENSOR = -1,
    LB_TFLITE_UNKNOWN_SIZE = -1 /* of a dimension that the model leaves to its caller */
};

typedef struct lb_tflite_tensor {
    const char *name;
    size_t at;     /* of its table in the file */
    int type;      /* lb_tflite_type, or one that is not listed there */
    unsigned rank; /* above LB_TFLITE_MAX_RANK: shape is not kept */
    int32_t shape[LB_TFLITE_MAX_RANK];
    lb_flat_vector data; /* bytes; is_there false: it is no constant */
    lb_flat_vector scale, zero_point;
    int32_t quantized_dimension;
    bool is_sparse, has_other_quantization;
} lb_tflite_tensor;

/* Options of all operators; those of others are 0, or what the format says of a field that is not
 * there. */
typedef struct lb_tflite_options {
    int32_t padding; /* 0 SAME, 1 VALID */
    int32_t stride_w, stride_h, dilation_w, dilation_h, filter_w, filter_h, depth_multiplier;
    int32_t fused;          /* 0 none, 1 relu, 2 relu_n1_to_1, 3 relu6, others */
    int32_t weights_format; /* 0: as they are */
    int32_t pot_scale_int16;
    float beta, alpha;
} lb_tflite_options;

typedef struct lb_tflite_operator {
    size_t at;
    int code;           /* lb_tflite_code, or one that is not listed there */
    const char *custom; /* the name of a custom operator */
    int32_t version;
    unsigned input_count, output_count; /* as they stand; kept are LB_TFLITE_MAX_OPERANDS of each */
    int32_t inputs[LB_TFLITE_MAX_OPERANDS], outputs[LB_TFLITE_MAX_OPERANDS];
    lb_tflite_options options;
} lb_tflite_operator;

typedef struct lb_tflite_model {
    lb_flat flat; /* why: what is wrong with the file, NULL: nothing */
    lb_arena arena;
    uint32_t subgraphs; /* of which the first is read */
    size_t tensor_count, operator_count;
    lb_tflite_tensor *tensors;
    lb_tflite_operator *operators;
} lb_tflite_model;

/* Reads a file's bytes, which must stay as long as the model. False: flat.why says what is wrong.
 * The model is to be freed in any case. */
bool lb_tflite_read(lb_tflite_model *model, const uint8_t *bytes, size_t size);
void lb_tflite_free(lb_tflite_model *model);

/* "CONV_2D"; of a custom operator "custom operator NAME", of an unknown number "operator 200". */
const char *lb_tflite_operator_name(const lb_tflite_operator *o, char text[160]);
/* "int8"; "type 40" */
const char *lb_tflite_type_name(int type, char text[24]);

#endif
