/* Types of another library: see mli_api.h beside this. other_configs.cmake adds configurations, and
 * makes mli_types.h of both. */
#ifndef OTHER_TYPES_H
#define OTHER_TYPES_H

#include <stdint.h>

#define MLI_MAX_RANK 4

#define FMAP_H_DIM_HWC           0
#define FMAP_W_DIM_HWC           1
#define FMAP_C_DIM_HWC           2
#define FMAP_C_DIM_CHW           0
#define FMAP_H_DIM_CHW           1
#define FMAP_W_DIM_CHW           2
#define KRNL_H_DIM_HWCN          0
#define KRNL_W_DIM_HWCN          1
#define KRNL_D_DIM_HWCN          2
#define KRNL_C_DIM_HWCN          3
#define KRNL_DW_H_DIM_HW1N       0
#define KRNL_DW_W_DIM_HW1N       1
#define KRNL_DW_D_DIM_HW1N       2
#define KRNL_DW_N_DIM_HW1N       3
#define KRNL_RNN_W_IN_ELEMS_DIM  1
#define KRNL_RNN_W_OUT_ELEMS_DIM 2

typedef enum _mli_status {
    MLI_STATUS_MISALIGNMENT_ERROR = 3,
    MLI_STATUS_MEM_BANK_MISMATCH = 5,
    MLI_STATUS_TYPE_MISMATCH = 1,
    MLI_STATUS_RANK_MISMATCH = 77,
    MLI_STATUS_SIZE_MISMATCH = 2,
    MLI_STATUS_LENGTH_ERROR = 14,
    MLI_STATUS_ARGUMENT_ERROR = 13,
    MLI_STATUS_SPEC_PARAM_MISMATCH = 12,
    MLI_STATUS_NOT_SUPPORTED = 11,
    MLI_STATUS_NOT_ENGH_MEM = 10,
    MLI_STATUS_BAD_FUNC_CFG = 9,
    MLI_STATUS_INCOMPATEBLE_TENSORS = 8,
    MLI_STATUS_SHAPE_MISMATCH = 7,
    MLI_STATUS_BAD_TENSOR = 6,
    MLI_STATUS_OK = 0x600D,
    MLI_STATUS_LARGE_ENUM = 0x02000000
} mli_status;

/* 0x77 and 0x210 are numbers that cases try as types that nobody has. */
typedef enum {
    MLI_EL_FP_32 = 0,
    MLI_EL_FP_16 = 0x77,
    MLI_EL_SA_32 = 0x210,
    MLI_EL_SA_8 = 3,
    MLI_EL_FX_16 = 4,
    MLI_EL_FX_8 = 0x108,
    MLI_EL_FX_4 = 0x10,
    MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

typedef enum {
    MLI_EL_PARAM_SC16_ZP16 = 40,
    MLI_EL_PARAM_LARGE_ENUM = 0x02000000
} mli_el_param_type;

typedef enum {
    MLI_RELU_6 = 0,
    MLI_RELU_NONE = 1,
    MLI_RELU_1 = 20,
    MLI_RELU_GEN = 30,
    MLI_RELU_LARGE_ENUM = 0x02000000
} mli_relu_type;

typedef enum {
    RNN_DIR_BACKWARD = 0,
    RNN_DIR_FORWARD = 5,
    RNN_DIR_LARGE_ENUM = 0x02000000
} mli_rnn_direction;
typedef enum { RNN_OUT_ALL = 0, RNN_OUT_LAST = 1, RNN_OUT_LARGE_ENUM = 0x02000000 } mli_rnn_results;
typedef enum {
    RNN_ACT_SIGM = 0,
    RNN_ACT_NONE = 1,
    RNN_ACT_TANH = 9,
    RNN_ACT_LARGE_ENUM = 0x02000000
} mli_rnn_out_activation;
typedef enum {
    RNN_ONE_TO_ONE,
    RNN_BATCH_TO_BATCH,
    RNN_BATCH_TO_LAST,
    RNN_MODE_LARGE_ENUM = 0x02000000
} mli_rnn_mode;

typedef struct _mli_data_container {
    union {
        float f32;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        float *pf32;
        int8_t *pi8;
        int16_t *pi16;
        int32_t *pi32;
    } mem;
    uint64_t capacity;
} mli_data_container;

typedef union _mli_element_params {
    struct {
        mli_data_container scale_frac_bits;
        int16_t dim;
        mli_data_container scale;
        mli_data_container zero_point;
        mli_el_param_type type;
    } sa;
    struct {
        int32_t unused;
        int32_t frac_bits;
    } fx;
} mli_element_params;

typedef struct _mli_tensor {
    mli_element_params el_params;
    mli_element_type el_type;
    uint16_t rank;
    uint32_t shape[MLI_MAX_RANK];
    mli_data_container data;
    int32_t mem_stride[MLI_MAX_RANK];
} mli_tensor;

typedef struct _mli_lut {
    int32_t output_offset;
    int32_t input_offset;
    int32_t out_frac_bits;
    int32_t in_frac_bits;
    int32_t length;
    mli_element_type type;
    mli_data_container data;
} mli_lut;

#endif
