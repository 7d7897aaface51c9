/* Status codes, element types, the tensor, look-up tables and every configuration structure of MLI
 * 2.0. Layouts are those of the released headers (api.md 3), byte for byte: a program or a port in
 * a shared library that was built against those headers works with these. Compiles as C99 and as
 * C++11. */
#ifndef MLI_TYPES_H
#define MLI_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of dimensions of a tensor. */
#define MLI_MAX_RANK 4

/*
 * Dimension indices (api.md 5). A shape or stride index names the same dimension in
 * mli_tensor.shape and .mem_stride.
 */
/* Feature map, height x width x channels: the layout of every kernel of this API. */
#define FMAP_H_DIM_HWC 0
#define FMAP_W_DIM_HWC 1
#define FMAP_C_DIM_HWC 2
/* Feature map, channels first. */
#define FMAP_C_DIM_CHW 0
#define FMAP_H_DIM_CHW 1
#define FMAP_W_DIM_CHW 2
/* Convolution weights, HWCN: D are the input channels, C the output channels. */
#define KRNL_H_DIM_HWCN 0
#define KRNL_W_DIM_HWCN 1
#define KRNL_D_DIM_HWCN 2
#define KRNL_C_DIM_HWCN 3
/* Depthwise weights, HW1N. */
#define KRNL_DW_H_DIM_HW1N 0
#define KRNL_DW_W_DIM_HW1N 1
#define KRNL_DW_D_DIM_HW1N 2
#define KRNL_DW_N_DIM_HW1N 3
/* Weights with the output channel first (old), channels last. */
#define KRNL_C_DIM_HWC 0
#define KRNL_H_DIM_HWC 1
#define KRNL_W_DIM_HWC 2
#define KRNL_D_DIM_HWC 3
/* Weights with the output channel first (old), channels second. */
#define KRNL_C_DIM_CHW 0
#define KRNL_D_DIM_CHW 1
#define KRNL_H_DIM_CHW 2
#define KRNL_W_DIM_CHW 3
/* Recurrent weights: dimension 0 is the gate. */
#define KRNL_RNN_W_IN_ELEMS_DIM  1
#define KRNL_RNN_W_OUT_ELEMS_DIM 2

/*
 * Enumerations. The last member of each forces 32 bits in every compiler; the published listing
 * leaves it out.
 */

/* What a call returns. Kernels and helpers on a host never return ARGUMENT_ERROR, LENGTH_ERROR,
 * RANK_MISMATCH, MEM_BANK_MISMATCH and MISALIGNMENT_ERROR (the last two belong to cores with
 * closely coupled memory). */
typedef enum _mli_status {
    MLI_STATUS_OK = 0,               /* done */
    MLI_STATUS_BAD_TENSOR,           /* a tensor is NULL or its fields are invalid */
    MLI_STATUS_SHAPE_MISMATCH,       /* shapes or ranks do not fit each other or the function */
    MLI_STATUS_INCOMPATEBLE_TENSORS, /* tensors cannot be used together (spelt so in the API) */
    MLI_STATUS_BAD_FUNC_CFG,         /* the configuration is NULL or invalid */
    MLI_STATUS_NOT_ENGH_MEM,  /* a capacity is too small: of any tensor, not only of the output */
    MLI_STATUS_NOT_SUPPORTED, /* valid, but nothing this function does */
    MLI_STATUS_SPEC_PARAM_MISMATCH, /* a parameter breaks a rule of this very function */
    MLI_STATUS_ARGUMENT_ERROR, /* an argument that is no tensor is wrong (mli_lastbit.h, mli_mov_*)
                                */
    MLI_STATUS_LENGTH_ERROR,
    MLI_STATUS_SIZE_MISMATCH,
    MLI_STATUS_RANK_MISMATCH,
    MLI_STATUS_TYPE_MISMATCH, /* the element type is not the function's */
    MLI_STATUS_MEM_BANK_MISMATCH,
    MLI_STATUS_MISALIGNMENT_ERROR,
    MLI_STATUS_LARGE_ENUM = 0x02000000
} mli_status;

/* Element types. The container is a two's complement integer (or IEEE binary32) of the size in the
 * name. FX_4 and FP_16 are reserved: element size 0, no function computes with them. */
typedef enum {
    MLI_EL_FX_4 = 0x004,
    MLI_EL_FX_8 = 0x008,  /* value = container * 2^-frac_bits */
    MLI_EL_FX_16 = 0x010, /* value = container * 2^-frac_bits */
    MLI_EL_SA_8 = 0x108,  /* value = (container - zero_point) * scale * 2^-scale_frac_bits */
    MLI_EL_SA_32 = 0x120, /* the same; asymmetric, though one published table says symmetric */
    MLI_EL_FP_16 = 0x210,
    MLI_EL_FP_32 = 0x220, /* conversion and data movement only */
    MLI_EL_LARGE_ENUM = 0x02000000
} mli_element_type;

/* Types of the sa parameters: scale and zero point are 16 bits wide. */
typedef enum { MLI_EL_PARAM_SC16_ZP16 = 0, MLI_EL_PARAM_LARGE_ENUM = 0x02000000 } mli_el_param_type;

/* ReLU, alone or at the end of a weighted kernel. Any other value acts as NONE. */
typedef enum {
    MLI_RELU_NONE = 0, /* identity */
    MLI_RELU_GEN,      /* max(x, 0) */
    MLI_RELU_1,        /* clip to [-1, 1] */
    MLI_RELU_6,        /* clip to [0, 6] */
    MLI_RELU_LARGE_ENUM = 0x02000000
} mli_relu_type;

/* Order in which a recurrent cell takes the frames of its input. */
typedef enum {
    RNN_DIR_FORWARD = 0, /* frame 0 first */
    RNN_DIR_BACKWARD, /* last frame first; row 0 of an RNN_OUT_ALL output then belongs to the last
                         input frame */
    RNN_DIR_LARGE_ENUM = 0x02000000
} mli_rnn_direction;

/* What a recurrent cell gives back. */
typedef enum {
    RNN_OUT_LAST = 0, /* the result of the last frame processed: one row */
    RNN_OUT_ALL,      /* a row for every frame */
    RNN_OUT_LARGE_ENUM = 0x02000000
} mli_rnn_results;

/* Activation of an LSTM's cell before the output gate. GRU ignores it. */
typedef enum {
    RNN_ACT_NONE = 0,
    RNN_ACT_TANH,
    RNN_ACT_SIGM,
    RNN_ACT_LARGE_ENUM = 0x02000000
} mli_rnn_out_activation;

/* Deprecated: mode of the basic recurrent cell. */
typedef enum {
    RNN_ONE_TO_ONE = 0,
    RNN_BATCH_TO_BATCH,
    RNN_BATCH_TO_LAST,
    RNN_MODE_LARGE_ENUM = 0x02000000
} mli_rnn_mode;

/*
 * Tensor
 */

/* Memory with its size, or a single value. capacity counts bytes. Where the container describes a
 * single value (rank 0, or a per-tensor quantization parameter) the value itself stands in the
 * union and capacity is 0. */
typedef struct _mli_data_container {
    uint32_t capacity;
    union {
        int32_t *pi32;
        int16_t *pi16;
        int8_t *pi8;
        float *pf32;
        int32_t i32;
        int16_t i16;
        int8_t i8;
        float f32;
    } mem;
} mli_data_container;

/* Quantization parameters: .fx for FX types, .sa for SA types, neither for FP_32. */
typedef union _mli_element_params {
    struct {
        /* -128..127; negative values are legal and mean scale up. The published listing has
         * uint32_t, the published table uint8_t; the released header int8_t. */
        int8_t frac_bits;
    } fx;
    struct {
        mli_el_param_type type;
        mli_data_container zero_point; /* int16 (mem.i16, or mem.pi16 per axis); one published
                                          table: "zeropoint" */
        mli_data_container scale;      /* int16, above 0 (mem.i16 or mem.pi16) */
        /* Below 0: one set of parameters for the tensor, in the unions, and the three capacities
         * are 0. 0 and above: arrays of shape[dim] entries. The published listing puts dim behind
         * scale_frac_bits. */
        int32_t dim;
        mli_data_container scale_frac_bits; /* int8 (mem.i8 or mem.pi8) */
    } sa;
} mli_element_params;

/* Element (i0, i1, ...) lies at container index sum(i_d * mem_stride[d]) from data.mem; dimension 0
 * is the outermost. Entries of mem_stride and shape from rank on are ignored. Containers between
 * the strides are never written. The published listing has shape before mem_stride, and the tag
 * mli_tensor. */
typedef struct _mli_tensor {
    mli_data_container data;
    int32_t mem_stride[MLI_MAX_RANK]; /* in elements, above 0, not below shape[d + 1] * mem_stride[d
                                         + 1] */
    uint32_t shape[MLI_MAX_RANK];     /* 1..2^31-1 */
    uint32_t rank;                    /* 0 (scalar: the value stands in data.mem) .. 4 */
    mli_element_type el_type;
    mli_element_params el_params;
} mli_tensor;

/* Look-up table of an activation; filled by the create_lut function of its kernel. */
typedef struct _mli_lut {
    mli_data_container data; /* given by the caller: memory of at least get_lut_size() bytes */
    mli_element_type type;
    int32_t length;       /* entries */
    int32_t in_frac_bits; /* distance of entries: 2^-in_frac_bits */
    int32_t out_frac_bits;
    int32_t input_offset; /* index of the entry for input 0, as the kernel's text defines it */
    int32_t output_offset;
} mli_lut;

/*
 * Configurations of kernels. Programs fill them positionally: the order of the fields is part of
 * the API.
 */

typedef struct {
    mli_relu_type type;
} mli_relu_cfg;

/* axis: dimension along which slopes differ, or groups are formed; -1: one slope, one group. */
typedef struct {
    int32_t axis;
} mli_prelu_cfg;

typedef mli_prelu_cfg mli_softmax_cfg;
typedef mli_prelu_cfg mli_l2_normalize_cfg;

typedef struct {
    mli_relu_cfg relu;
} mli_fully_connected_cfg;

/* Strides and dilations must be 1 or more. A dilation of 0 is refused, though a published comment
 * takes it for "no dilation". */
typedef struct {
    mli_relu_cfg relu;
    uint8_t stride_width;
    uint8_t stride_height;
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
    uint8_t dilation_width;
    uint8_t dilation_height;
} mli_conv2d_cfg;

typedef struct {
    uint8_t kernel_width;
    uint8_t kernel_height;
    uint8_t stride_width;
    uint8_t stride_height;
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_pool_cfg;

/* inputs_num: 1..MLI_RNN_MAX_INPUT (4). */
typedef struct {
    uint8_t inputs_num;
} mli_rnn_dense_cfg;

/* scratch_data: working memory of 4 (LSTM) or 3 (GRU) * hidden size * element size bytes. */
typedef struct {
    mli_rnn_direction direction;
    mli_rnn_results results;
    mli_rnn_out_activation act;
    mli_data_container scratch_data;
} mli_rnn_cell_cfg;

/* out.shape[k] = in.shape[perm_dim[k]]. */
typedef struct {
    uint8_t perm_dim[MLI_MAX_RANK];
} mli_permute_cfg;

typedef struct {
    int32_t axis;
    int32_t topk;
} mli_argmax_cfg;

/* The manual's prototype names it mli_subtensor_cfg. offset and size count elements per dimension.
 */
typedef struct {
    uint32_t offset[MLI_MAX_RANK];
    uint32_t size[MLI_MAX_RANK];
    uint32_t sub_tensor_rank;
} mli_sub_tensor_cfg;

/* What mli_mov_* moves. A zeroed structure is not neutral (sub_sample_step must be 1, perm_dim 0,
 * 1, 2, 3): start with mli_mov_cfg_for_copy. offset, size, sub_sample_step and padding are indexed
 * by source dimension; dst_offset, dst_mem_stride and perm_dim by destination dimension. The order
 * is: pad, crop, subsample, permute, place. */
typedef struct _mli_mov_cfg {
    uint32_t offset[MLI_MAX_RANK]; /* first element, counted in the padded source */
    uint32_t size[MLI_MAX_RANK];   /* elements before subsampling; 0: all that follow offset */
    uint32_t sub_sample_step[MLI_MAX_RANK]; /* 1: every element */
    uint32_t dst_offset[MLI_MAX_RANK];      /* where the block starts in the destination */
    int32_t dst_mem_stride[MLI_MAX_RANK]; /* 0: the destination's own, or dense if that is 0 too */
    uint8_t perm_dim[MLI_MAX_RANK];       /* source dimension of each destination dimension */
    uint8_t padding_pre[MLI_MAX_RANK];    /* containers of value 0 before the source ... */
    uint8_t padding_post[MLI_MAX_RANK];   /* ... and behind it */
} mli_mov_cfg_t;

/*
 * Deprecated, or used by no function
 */

typedef struct {
    uint32_t start_coord[MLI_MAX_RANK];
    uint8_t coord_num;
    uint8_t first_out_dim_size;
} mli_point_to_subtsr_cfg;

typedef struct {
    mli_rnn_mode mode;
    mli_rnn_out_activation act;
    mli_tensor *ir_tsr;
} mli_rnn_cell_cfg_depr;

typedef struct {
    uint8_t padding_left;
    uint8_t padding_right;
    uint8_t padding_top;
    uint8_t padding_bottom;
} mli_padding2d_cfg;

typedef struct {
    uint8_t tensors_num;
    uint8_t axis;
} mli_concat_cfg;

#ifdef __cplusplus
}
#endif

#endif
