/* The keys of `config` in cases, per kind of configuration: name, place in lb_config, type. Spec:
 * api.md 3, 4. */
#include "describe/kernels.h"

#include <stddef.h>

static const char *const relu_names[] = {"none", "gen", "relu1", "relu6", NULL};
static const char *const direction_names[] = {"forward", "backward", NULL};
static const char *const results_names[] = {"last", "all", NULL};
static const char *const act_names[] = {"none", "tanh", "sigm", NULL};

#define NUMBER(name_, member, type_)                                                               \
    {                                                                                              \
        .name = name_, .offset = offsetof(lb_config, member), .type = type_, .count = 1,           \
        .required = true                                                                           \
    }
#define OPTIONAL_NUMBER(name_, member, type_)                                                      \
    {                                                                                              \
        .name = name_, .offset = offsetof(lb_config, member), .type = type_, .count = 1,           \
        .required = false                                                                          \
    }
#define NAMED(name_, member, names_)                                                               \
    {                                                                                              \
        .name = name_, .offset = offsetof(lb_config, member), .type = LB_FIELD_I32, .count = 1,    \
        .enum_names = names_, .required = true                                                     \
    }
#define LIST(name_, member, type_)                                                                 \
    {                                                                                              \
        .name = name_, .offset = offsetof(lb_config, member), .type = type_, .count = 4,           \
        .required = true                                                                           \
    }
#define SHORT_LIST(name_, member, type_)                                                           \
    {                                                                                              \
        .name = name_, .offset = offsetof(lb_config, member), .type = type_, .count = 4,           \
        .may_be_short = true, .required = true                                                     \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

static const lb_config_field none_fields[] = {END};

static const lb_config_field conv2d_fields[] = {
    NAMED("relu", relu, relu_names),
    NUMBER("stride_width", stride_width, LB_FIELD_U8),
    NUMBER("stride_height", stride_height, LB_FIELD_U8),
    NUMBER("padding_left", padding_left, LB_FIELD_U8),
    NUMBER("padding_right", padding_right, LB_FIELD_U8),
    NUMBER("padding_top", padding_top, LB_FIELD_U8),
    NUMBER("padding_bottom", padding_bottom, LB_FIELD_U8),
    NUMBER("dilation_width", dilation_width, LB_FIELD_U8),
    NUMBER("dilation_height", dilation_height, LB_FIELD_U8),
    END,
};

static const lb_config_field fully_connected_fields[] = {NAMED("relu", relu, relu_names), END};

static const lb_config_field relu_fields[] = {NAMED("type", relu, relu_names), END};

static const lb_config_field axis_fields[] = {NUMBER("axis", axis, LB_FIELD_I32), END};

static const lb_config_field argmax_fields[] = {
    NUMBER("axis", axis, LB_FIELD_I32),
    NUMBER("topk", topk, LB_FIELD_I32),
    END,
};

static const lb_config_field pool_fields[] = {
    NUMBER("kernel_width", kernel_width, LB_FIELD_U8),
    NUMBER("kernel_height", kernel_height, LB_FIELD_U8),
    NUMBER("stride_width", stride_width, LB_FIELD_U8),
    NUMBER("stride_height", stride_height, LB_FIELD_U8),
    OPTIONAL_NUMBER("padding_left", padding_left, LB_FIELD_U8),
    OPTIONAL_NUMBER("padding_right", padding_right, LB_FIELD_U8),
    OPTIONAL_NUMBER("padding_top", padding_top, LB_FIELD_U8),
    OPTIONAL_NUMBER("padding_bottom", padding_bottom, LB_FIELD_U8),
    END,
};

static const lb_config_field rnn_dense_fields[] = {NUMBER("inputs_num", inputs_num, LB_FIELD_U8),
                                                   END};

static const lb_config_field rnn_cell_fields[] = {
    NAMED("direction", direction, direction_names),
    NAMED("results", results, results_names),
    NAMED("act", act, act_names),
    NUMBER("scratch_bytes", scratch_bytes, LB_FIELD_U32),
    END,
};

static const lb_config_field permute_fields[] = {LIST("perm_dim", perm_dim, LB_FIELD_U8), END};

static const lb_config_field sub_tensor_fields[] = {
    SHORT_LIST("offset", offset, LB_FIELD_U32),
    SHORT_LIST("size", size, LB_FIELD_U32),
    NUMBER("sub_tensor_rank", sub_tensor_rank, LB_FIELD_U32),
    END,
};

static const lb_config_field point_to_subtensor_fields[] = {
    SHORT_LIST("start_coord", start_coord, LB_FIELD_U32),
    NUMBER("coord_num", coord_num, LB_FIELD_U8),
    NUMBER("first_out_dim_size", first_out_dim_size, LB_FIELD_U8),
    END,
};

static const lb_config_field mov_fields[] = {
    LIST("offset", offset, LB_FIELD_U32),
    LIST("size", size, LB_FIELD_U32),
    LIST("sub_sample_step", sub_sample_step, LB_FIELD_U32),
    LIST("dst_offset", dst_offset, LB_FIELD_U32),
    LIST("dst_mem_stride", dst_mem_stride, LB_FIELD_I32),
    LIST("perm_dim", perm_dim, LB_FIELD_U8),
    LIST("padding_pre", padding_pre, LB_FIELD_U8),
    LIST("padding_post", padding_post, LB_FIELD_U8),
    END,
};

static const lb_config_field start_dim_fields[] = {NUMBER("start_dim", start_dim, LB_FIELD_U32),
                                                   END};
static const lb_config_field scale_idx_fields[] = {NUMBER("scale_idx", scale_idx, LB_FIELD_U32),
                                                   END};
static const lb_config_field zero_idx_fields[] = {NUMBER("zero_idx", zero_idx, LB_FIELD_U32), END};

static const lb_config_field mov_slice_fields[] = {
    LIST("offsets", arg_offsets, LB_FIELD_I32),
    LIST("sizes", arg_sizes, LB_FIELD_I32),
    LIST("dst_mem_stride", arg_dst_mem_stride, LB_FIELD_I32),
    END,
};

static const lb_config_field mov_concat_fields[] = {
    LIST("dst_offsets", arg_dst_offsets, LB_FIELD_I32),
    LIST("dst_mem_stride", arg_dst_mem_stride, LB_FIELD_I32),
    END,
};

static const lb_config_field mov_subsample_fields[] = {
    LIST("sub_sample_step", arg_subsample_step, LB_FIELD_I32),
    LIST("dst_mem_stride", arg_dst_mem_stride, LB_FIELD_I32),
    END,
};

static const lb_config_field mov_permute_fields[] = {LIST("perm_dim", arg_perm_dim, LB_FIELD_U8),
                                                     END};

static const lb_config_field mov_padding2d_fields[] = {
    NUMBER("padleft", padleft, LB_FIELD_U8),
    NUMBER("padright", padright, LB_FIELD_U8),
    NUMBER("padtop", padtop, LB_FIELD_U8),
    NUMBER("padbot", padbot, LB_FIELD_U8),
    LIST("dst_mem_stride", arg_dst_mem_stride, LB_FIELD_I32),
    END,
};

static const lb_config_field mov_all_fields[] = {
    LIST("offsets", arg_offsets, LB_FIELD_I32),
    LIST("sizes", arg_sizes, LB_FIELD_I32),
    LIST("subsample_step", arg_subsample_step, LB_FIELD_I32),
    LIST("dst_offsets", arg_dst_offsets, LB_FIELD_I32),
    LIST("dst_mem_stride", arg_dst_mem_stride, LB_FIELD_I32),
    LIST("perm_dim", arg_perm_dim, LB_FIELD_U8),
    NUMBER("padleft", padleft, LB_FIELD_U8),
    NUMBER("padright", padright, LB_FIELD_U8),
    NUMBER("padtop", padtop, LB_FIELD_U8),
    NUMBER("padbot", padbot, LB_FIELD_U8),
    END,
};

static const lb_config_field lut_fields[] = {
    NUMBER("type", lut_type, LB_FIELD_I32),
    NUMBER("length", lut_length, LB_FIELD_I32),
    NUMBER("in_frac_bits", lut_in_frac_bits, LB_FIELD_I32),
    NUMBER("out_frac_bits", lut_out_frac_bits, LB_FIELD_I32),
    NUMBER("input_offset", lut_input_offset, LB_FIELD_I32),
    NUMBER("output_offset", lut_output_offset, LB_FIELD_I32),
    END,
};

/* What a kind is of: the argument of functions with a structure; arguments by name; arguments of
 * functions that fill the fields of a movement; what a function fills beside its arguments. */
typedef enum config_use { NOTHING, STRUCTURE, ARGUMENTS, MAKES_MOV, FILLED } config_use;

static const struct {
    const lb_config_field *fields;
    config_use use;
} kinds[LB_CONFIG_KIND_COUNT] = {
    [LB_CONFIG_NONE] = {none_fields, NOTHING},
    [LB_CONFIG_CONV2D] = {conv2d_fields, STRUCTURE},
    [LB_CONFIG_FULLY_CONNECTED] = {fully_connected_fields, STRUCTURE},
    [LB_CONFIG_RELU] = {relu_fields, STRUCTURE},
    [LB_CONFIG_AXIS] = {axis_fields, STRUCTURE},
    [LB_CONFIG_ARGMAX] = {argmax_fields, STRUCTURE},
    [LB_CONFIG_POOL] = {pool_fields, STRUCTURE},
    [LB_CONFIG_RNN_DENSE] = {rnn_dense_fields, STRUCTURE},
    [LB_CONFIG_RNN_CELL] = {rnn_cell_fields, STRUCTURE},
    [LB_CONFIG_PERMUTE] = {permute_fields, STRUCTURE},
    [LB_CONFIG_SUB_TENSOR] = {sub_tensor_fields, STRUCTURE},
    [LB_CONFIG_POINT_TO_SUBTENSOR] = {point_to_subtensor_fields, STRUCTURE},
    [LB_CONFIG_MOV] = {mov_fields, STRUCTURE},
    [LB_CONFIG_START_DIM] = {start_dim_fields, ARGUMENTS},
    [LB_CONFIG_SCALE_IDX] = {scale_idx_fields, ARGUMENTS},
    [LB_CONFIG_ZERO_IDX] = {zero_idx_fields, ARGUMENTS},
    [LB_CONFIG_MOV_SLICE] = {mov_slice_fields, MAKES_MOV},
    [LB_CONFIG_MOV_CONCAT] = {mov_concat_fields, MAKES_MOV},
    [LB_CONFIG_MOV_SUBSAMPLE] = {mov_subsample_fields, MAKES_MOV},
    [LB_CONFIG_MOV_PERMUTE] = {mov_permute_fields, MAKES_MOV},
    [LB_CONFIG_MOV_PADDING2D] = {mov_padding2d_fields, MAKES_MOV},
    [LB_CONFIG_MOV_ALL] = {mov_all_fields, MAKES_MOV},
    [LB_CONFIG_MOV_COPY] = {none_fields, MAKES_MOV},
    [LB_CONFIG_LUT] = {lut_fields, FILLED},
};

const lb_config_field *lb_config_fields(lb_config_kind kind)
{
    return kinds[kind].fields;
}

bool lb_config_is_struct(lb_config_kind kind)
{
    return kinds[kind].use == STRUCTURE;
}

lb_config_kind lb_filled_config(const lb_kernel *kernel)
{
    if (kinds[kernel->config_kind].use == MAKES_MOV)
        return LB_CONFIG_MOV;
    bool is_table = kernel->family == LB_FAMILY_LUT && kernel->returns_status;
    return is_table ? LB_CONFIG_LUT : LB_CONFIG_NONE;
}

size_t lb_config_field_bytes(const lb_config_field *field)
{
    return field->count * (field->type == LB_FIELD_U8 ? 1 : 4);
}
