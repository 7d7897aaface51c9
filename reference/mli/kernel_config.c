/* The keys of `config` in cases, per kind of configuration: name, place in lb_config, what the
 * number is for. Spec: api.md 3, 4. */
#include "describe/config.h"

static const char *const relu_names[] = {"none", "gen", "relu1", "relu6", NULL};
static const char *const direction_names[] = {"forward", "backward", NULL};
static const char *const results_names[] = {"last", "all", NULL};
static const char *const act_names[] = {"none", "tanh", "sigm", NULL};

/* clang-format off */
#define KEY(key, member, sort)          LB_CONFIG_FIELD(key, member, sort, -1, false, true, NULL)
#define FIELD(member, sort)             LB_CONFIG_FIELD(#member, member, sort, -1, false, true, NULL)
#define ALONG(dimension, member, sort)  LB_CONFIG_FIELD(#member, member, sort, dimension, false, true, NULL)
#define OPTIONAL_ALONG(dimension, member, sort) LB_CONFIG_FIELD(#member, member, sort, dimension, false, false, NULL)
#define NAMED(key, member, names)       LB_CONFIG_FIELD(key, member, CHOICE, -1, false, true, names)
#define SHORT_LIST(member, sort)        LB_CONFIG_FIELD(#member, member, sort, -1, true, true, NULL)

/* A structure of the API; arguments by name, of functions that fill nothing or a structure; what is
 * filled. */
#define FORM(use_, fills_, ...)  {.fields = (const lb_config_field[]){__VA_ARGS__}, .use = LB_CONFIG_IS_##use_, .fills = LB_CONFIG_##fills_}
#define END                      {.name = NULL}
#define STRUCT(...)              FORM(STRUCT, NONE, __VA_ARGS__, END)
#define ARGUMENTS(...)           FORM(ARGUMENTS, NONE, __VA_ARGS__, END)
#define MAKES_MOV(...)           FORM(ARGUMENTS, MOV, __VA_ARGS__, END)
#define FILLED(...)              FORM(FILLED, NONE, __VA_ARGS__, END)

const lb_config_form lb_mli_configs[LB_CONFIG_KIND_COUNT] = {
    [LB_CONFIG_NONE] = FORM(NOTHING, NONE, END),
    [LB_CONFIG_CONV2D] = STRUCT(
        NAMED("relu", relu, relu_names),
        ALONG(1, stride_width, STEP),
        ALONG(0, stride_height, STEP),
        ALONG(1, padding_left, PADDING),
        ALONG(1, padding_right, PADDING),
        ALONG(0, padding_top, PADDING),
        ALONG(0, padding_bottom, PADDING),
        ALONG(1, dilation_width, GAP),
        ALONG(0, dilation_height, GAP)),
    [LB_CONFIG_FULLY_CONNECTED] = STRUCT(NAMED("relu", relu, relu_names)),
    [LB_CONFIG_RELU] = STRUCT(NAMED("type", relu, relu_names)),
    [LB_CONFIG_AXIS] = STRUCT(FIELD(axis, AXIS)),
    [LB_CONFIG_ARGMAX] = STRUCT(
        FIELD(axis, AXIS),
        FIELD(topk, SIZE)),
    [LB_CONFIG_POOL] = STRUCT(
        ALONG(1, kernel_width, SIZE),
        ALONG(0, kernel_height, SIZE),
        ALONG(1, stride_width, STEP),
        ALONG(0, stride_height, STEP),
        OPTIONAL_ALONG(1, padding_left, PADDING),
        OPTIONAL_ALONG(1, padding_right, PADDING),
        OPTIONAL_ALONG(0, padding_top, PADDING),
        OPTIONAL_ALONG(0, padding_bottom, PADDING)),
    [LB_CONFIG_RNN_DENSE] = STRUCT(FIELD(inputs_num, SIZE)),
    [LB_CONFIG_RNN_CELL] = STRUCT(
        NAMED("direction", direction, direction_names),
        NAMED("results", results, results_names),
        NAMED("act", act, act_names),
        FIELD(scratch_bytes, BYTES)),
    [LB_CONFIG_PERMUTE] = STRUCT(FIELD(perm_dim, ORDER)),
    [LB_CONFIG_SUB_TENSOR] = STRUCT(
        SHORT_LIST(offset, OFFSET),
        SHORT_LIST(size, LENGTH),
        FIELD(sub_tensor_rank, DIMENSIONS)),
    [LB_CONFIG_POINT_TO_SUBTENSOR] = STRUCT(
        SHORT_LIST(start_coord, OFFSET),
        FIELD(coord_num, DIMENSIONS),
        FIELD(first_out_dim_size, EXTENT)),
    [LB_CONFIG_MOV] = STRUCT(
        FIELD(offset, OFFSET),
        FIELD(size, LENGTH),
        FIELD(sub_sample_step, STEP),
        FIELD(dst_offset, OFFSET),
        FIELD(dst_mem_stride, STRIDE),
        FIELD(perm_dim, ORDER),
        FIELD(padding_pre, PADDING),
        FIELD(padding_post, PADDING)),
    [LB_CONFIG_START_DIM] = ARGUMENTS(FIELD(start_dim, INDEX)),
    [LB_CONFIG_SCALE_IDX] = ARGUMENTS(FIELD(scale_idx, INDEX)),
    [LB_CONFIG_ZERO_IDX] = ARGUMENTS(FIELD(zero_idx, INDEX)),
    [LB_CONFIG_MOV_SLICE] = MAKES_MOV(
        KEY("offsets", arg_offsets, OFFSET),
        KEY("sizes", arg_sizes, LENGTH),
        KEY("dst_mem_stride", arg_dst_mem_stride, STRIDE)),
    [LB_CONFIG_MOV_CONCAT] = MAKES_MOV(
        KEY("dst_offsets", arg_dst_offsets, OFFSET),
        KEY("dst_mem_stride", arg_dst_mem_stride, STRIDE)),
    [LB_CONFIG_MOV_SUBSAMPLE] = MAKES_MOV(
        KEY("sub_sample_step", arg_subsample_step, STEP),
        KEY("dst_mem_stride", arg_dst_mem_stride, STRIDE)),
    [LB_CONFIG_MOV_PERMUTE] = MAKES_MOV(KEY("perm_dim", arg_perm_dim, ORDER)),
    [LB_CONFIG_MOV_PADDING2D] = MAKES_MOV(
        FIELD(padleft, PADDING),
        FIELD(padright, PADDING),
        FIELD(padtop, PADDING),
        FIELD(padbot, PADDING),
        KEY("dst_mem_stride", arg_dst_mem_stride, STRIDE)),
    [LB_CONFIG_MOV_ALL] = MAKES_MOV(
        KEY("offsets", arg_offsets, OFFSET),
        KEY("sizes", arg_sizes, LENGTH),
        KEY("subsample_step", arg_subsample_step, STEP),
        KEY("dst_offsets", arg_dst_offsets, OFFSET),
        KEY("dst_mem_stride", arg_dst_mem_stride, STRIDE),
        KEY("perm_dim", arg_perm_dim, ORDER),
        FIELD(padleft, PADDING),
        FIELD(padright, PADDING),
        FIELD(padtop, PADDING),
        FIELD(padbot, PADDING)),
    [LB_CONFIG_MOV_COPY] = FORM(ARGUMENTS, MOV, END),
    [LB_CONFIG_TABLE] = FORM(NOTHING, LUT, END),
    [LB_CONFIG_LUT] = FILLED(
        KEY("type", lut_type, TYPE),
        KEY("length", lut_length, EXTENT),
        KEY("in_frac_bits", lut_in_frac_bits, FRAC_BITS),
        KEY("out_frac_bits", lut_out_frac_bits, FRAC_BITS),
        KEY("input_offset", lut_input_offset, ZERO_POINT),
        KEY("output_offset", lut_output_offset, ZERO_POINT)),
};
/* clang-format on */
