/* What MLI adds to the configuration of a call (describe/config.h): members, and kinds. Rows of
 * both stand in kernel_config.c. Spec: api.md 3, 4. */
#ifndef LB_REFERENCE_MLI_CONFIG_H
#define LB_REFERENCE_MLI_CONFIG_H

#include <stdint.h>

/* clang-format off */
#define LB_MLI_CONFIG \
    int32_t relu; /* relu.type; also mli_relu_cfg.type. 0 none, 1 gen, 2 relu1, 3 relu6 */ \
    uint8_t stride_width, stride_height; \
    uint8_t padding_left, padding_right, padding_top, padding_bottom; \
    uint8_t dilation_width, dilation_height; \
    uint8_t kernel_width, kernel_height; \
    int32_t topk; \
    uint8_t inputs_num; \
    int32_t direction, results, act; \
    uint32_t sub_tensor_rank; \
    uint32_t start_coord[4]; \
    uint8_t first_out_dim_size; \
    uint32_t start_dim, scale_idx, zero_idx; \
    /* mli_mov_cfg_t; offset and size serve mli_sub_tensor_cfg too */ \
    uint32_t offset[4], size[4], sub_sample_step[4], dst_offset[4]; \
    int32_t dst_mem_stride[4]; \
    uint8_t padding_pre[4], padding_post[4]; \
    /* arguments of mli_mov_cfg_for_* */ \
    int32_t arg_offsets[4], arg_sizes[4], arg_subsample_step[4], arg_dst_offsets[4], arg_dst_mem_stride[4]; \
    uint8_t arg_perm_dim[4]; \
    uint8_t padleft, padright, padtop, padbot; \
    /* mli_lut, filled by create_lut */ \
    int32_t lut_type, lut_length, lut_in_frac_bits, lut_out_frac_bits, lut_input_offset, lut_output_offset;
/* clang-format on */

enum {
    LB_CONFIG_NONE,
    LB_CONFIG_CONV2D,          /* relu and strides, paddings, dilations */
    LB_CONFIG_FULLY_CONNECTED, /* relu */
    LB_CONFIG_RELU,            /* type */
    LB_CONFIG_AXIS,            /* axis alone */
    LB_CONFIG_ARGMAX,
    LB_CONFIG_POOL,
    LB_CONFIG_RNN_DENSE,
    LB_CONFIG_RNN_CELL,
    LB_CONFIG_PERMUTE,
    LB_CONFIG_SUB_TENSOR,
    LB_CONFIG_POINT_TO_SUBTENSOR,
    LB_CONFIG_MOV,
    LB_CONFIG_START_DIM, /* scalar arguments of helpers, by name */
    LB_CONFIG_SCALE_IDX,
    LB_CONFIG_ZERO_IDX,
    LB_CONFIG_MOV_SLICE, /* arguments of mli_mov_cfg_for_* by name; the function fills the mov
                            fields */
    LB_CONFIG_MOV_CONCAT,
    LB_CONFIG_MOV_SUBSAMPLE,
    LB_CONFIG_MOV_PERMUTE,
    LB_CONFIG_MOV_PADDING2D,
    LB_CONFIG_MOV_ALL,
    LB_CONFIG_MOV_COPY,
    LB_CONFIG_TABLE, /* no arguments; the function fills the lut fields */
    LB_CONFIG_LUT,   /* what create_lut writes into mli_lut beside the table; no case gives it */
    LB_CONFIG_KIND_COUNT
};

#endif
