/* What max and average pooling check, in their order. Spec: pooling_and_movement.md 2.1 (numbers in
 * brackets below). */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* clang-format off */

#define U8(member) LB_FIELD(member, LB_FIELD_U8)

/* [2] Both kernel sizes are those of the specialization: size * (kernel - size) = 0, so that all
 * others, whose size is 0, take any. */
#define IS_KERNEL_SIZE(member) \
    LB_THAT(LB_EQUAL, LB_XY(1, LB_OF_FUNCTION(KERNEL_SIZE), U8(member)), \
            LB_XY(-1, LB_OF_FUNCTION(KERNEL_SIZE), LB_OF_FUNCTION(KERNEL_SIZE)))
#define KERNEL_SIZES LB_ASKS(LB_SHAPE_MISMATCH, IS_KERNEL_SIZE(kernel_width), IS_KERNEL_SIZE(kernel_height))

/* [7] A kernel size 0 fails here too: no padding is below it. */
#define IS_BELOW(member, kernel) LB_THAT(LB_AT_MOST, LB_X(1, U8(member)), LB_N(1), LB_X(-1, U8(kernel)))
#define IS_NOT_0(member) LB_THAT(LB_UNLIKE, LB_X(1, U8(member)))
#define PADDING_AND_STRIDES \
    LB_ASKS(LB_BAD_FUNC_CFG, IS_BELOW(padding_left, kernel_width), IS_BELOW(padding_right, kernel_width), \
            IS_BELOW(padding_top, kernel_height), IS_BELOW(padding_bottom, kernel_height), \
            IS_NOT_0(stride_width), IS_NOT_0(stride_height))

/* [8] The last window of a dimension ends inside the padded input: (out - 1) * stride + kernel <=
 * in + padding. QUIRK: an inequality; a smaller output is the top left part of the full one. */
#define WINDOWS_FIT(d, stride, kernel, before, after) \
    LB_THAT(LB_AT_MOST, LB_XY(1, LB_EXTENT_OF(OUT, d), U8(stride)), LB_X(-1, U8(stride)), LB_X(1, U8(kernel)), \
            LB_X(-1, LB_EXTENT_OF(IN, d)), LB_X(-1, U8(before)), LB_X(-1, U8(after)))
#define SIZES \
    LB_ASKS(LB_BAD_FUNC_CFG, WINDOWS_FIT(0, stride_height, kernel_height, padding_top, padding_bottom), \
            WINDOWS_FIT(1, stride_width, kernel_width, padding_left, padding_right), \
            LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(IN, 2)), LB_X(-1, LB_EXTENT_OF(OUT, 2))))

/* 2.2, along one dimension: neither fringe is wider than all steps together: before <= out * stride,
 * and (out - 1) * stride + kernel - in - before <= out * stride. */
#define FRINGES(d, stride, kernel, before) \
    LB_THAT(LB_AT_MOST, LB_X(1, U8(before)), LB_XY(-1, LB_EXTENT_OF(OUT, d), U8(stride))), \
    LB_THAT(LB_AT_MOST, LB_X(-1, U8(stride)), LB_X(1, U8(kernel)), LB_X(-1, LB_EXTENT_OF(IN, d)), LB_X(-1, U8(before)))
#define WINDOWS \
    LB_ASKS(LB_UNDEFINED, FRINGES(0, stride_height, kernel_height, padding_top), \
            FRINGES(1, stride_width, kernel_width, padding_left))

/* [1] to [10] */
#define COMMON \
    {"cfg.present", LB_CONFIG_PRESENT}, \
    {"cfg.kernel_size", KERNEL_SIZES}, \
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)}, \
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)}, \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)}, \
    {"in.rank", LB_RANK_IS(IN, 3)}, \
    {"out.rank", LB_RANK_IS(OUT, 3)}, \
    {"in.inner_stride", LB_INNER_STRIDE_1(IN)}, \
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)}, \
    {"cfg.padding_and_strides", PADDING_AND_STRIDES}, \
    {"out.size", SIZES}, \
    LB_APART, \
    {"in.type", LB_TYPE_OF_VARIANT(IN)}

/* Undefined: windows that reach beyond the fringe (2.2), and what no check looks at. */
#define LAST {"cfg.windows", WINDOWS}, LB_PARAMETERS, LB_RULES_END

/* [11] */
#define PER_TENSOR {"in.per_tensor", LB_PER_TENSOR(IN)}, {"out.per_tensor", LB_PER_TENSOR(OUT)}

/* clang-format on */

const lb_rule lb_rules_pool_fx[] = {COMMON, LAST};

/* QUIRK: no quantization value is looked at */
const lb_rule lb_rules_maxpool_sa8[] = {COMMON, PER_TENSOR, LAST};

const lb_rule lb_rules_avepool_sa8[] = {
    COMMON,
    PER_TENSOR,
    {"in.quant", LB_IN_C(lb_check_quant, IN, -128, 127)}, /* [12] */
    {"out.quant", LB_IN_C(lb_check_quant, OUT, -128, 127)},
    LAST,
};
