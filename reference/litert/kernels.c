/* The table of LiteRT's kernels, each with the roles and fields of litert.21.2, its map, what it
 * asks of its tensors, and its exact model. The last are its fixed-point functions as kernels. */
#include "kernels.h"

#include "core/arith.h"
#include "known.h"
#include "maps.h"
#include "models.h"
#include "prepare.h"
#include "rules.h"

#include <stddef.h>
#include <string.h>

const lb_profile lb_lite_profiles[LB_LITE_PROFILE_COUNT] = {
    {.name = "litert-double", .set = LB_SET_LITERT, .acc_bits = {32, 32, 64}},
    {.name = "litert-single", .set = LB_SET_LITERT, .acc_bits = {32, 32, 64}, .rounds_once = true},
};

bool lb_lite_has_field(const lb_kernel *kernel, lb_lite_field field)
{
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (f->offset == offsetof(lb_config, of_litert) + (size_t)field * sizeof(int32_t))
            return true;
    return false;
}

bool lb_lite_type_range(const lb_kernel *kernel, lb_lite_field field, int64_t *low, int64_t *high)
{
    uint32_t type = kernel->in_type;
    switch ((int)field) {
    case LB_LITE_input_zero_point:
    case LB_LITE_input_offset:
    case LB_LITE_input1_offset:
    case LB_LITE_input2_offset:
        break;
    case LB_LITE_weights_offset:
        type = LB_S8;
        break;
    case LB_LITE_output_zero_point:
    case LB_LITE_output_offset:
    case LB_LITE_activation_min:
    case LB_LITE_activation_max:
    case LB_LITE_zero:
    case LB_LITE_six:
        type = kernel->out_type;
        break;
    default:
        return false;
    }
    const bool is_minus = field == LB_LITE_input_offset || field == LB_LITE_input1_offset ||
                          field == LB_LITE_input2_offset || field == LB_LITE_weights_offset;
    *low = is_minus ? -lb_max_of(lb_container_bits(type)) : lb_min_of(lb_container_bits(type));
    *high = is_minus ? -lb_min_of(lb_container_bits(type)) : lb_max_of(lb_container_bits(type));
    return true;
}

/* clang-format off */

/* ---- Roles ---- */

#define IN(role)       {LB_ROLE_##role, LB_USE_INPUT, false, false}
#define OPTIONAL(role) {LB_ROLE_##role, LB_USE_INPUT, false, true}
#define OUT(role)      {LB_ROLE_##role, LB_USE_OUTPUT, false, false}
#define NO_MORE        {LB_ROLE_COUNT, LB_USE_NONE, false, false}

static const lb_role_spec roles_per_channel[] = {IN(IN), IN(WEIGHTS), OPTIONAL(BIAS), IN(MULTIPLIER), IN(SHIFT), OUT(OUT), NO_MORE};
static const lb_role_spec roles_weights[] = {IN(IN), IN(WEIGHTS), OPTIONAL(BIAS), OUT(OUT), NO_MORE};
static const lb_role_spec roles_one[] = {IN(IN), OUT(OUT), NO_MORE};
static const lb_role_spec roles_two[] = {IN(IN1), IN(IN2), OUT(OUT), NO_MORE};
static const lb_role_spec roles_reduce[] = {IN(IN), IN(AXIS), OUT(OUT), NO_MORE};
static const lb_role_spec roles_reciprocal[] = {IN(IN), OUT(OUT), OUT(BITS_OVER_UNIT), NO_MORE};
static const lb_role_spec roles_root[] = {IN(IN), OUT(OUT), OUT(SHIFT), NO_MORE};

/* ---- Functions ---- */

#define ROW(name_, family_, in_, out_, in_roles, with_fields, by_rules, of_map, model) \
    {.name = "litert_" #name_, .set = LB_SET_LITERT, .family = LB_FAMILY_LITERT_##family_, .variant = #in_, .in_type = LB_##in_, .out_type = LB_##out_, \
     ROLES(in_roles), FIELDS(with_fields), RULES(by_rules), MAP(of_map), EXACT(model), \
     .real = LB_FAMILY_LITERT_##family_ == LB_FAMILY_LITERT_FIXED_POINT ? NULL : lb_lite_real_model}
#define ROLES(which)  .roles = roles_##which
#define FIELDS(which) .config_kind = LB_CONFIG_LITERT_##which
#define RULES(which)  .rules = lb_lite_rules_##which
#define MAP(which)    .map = &lb_lite_map_##which
#define EXACT(which)  .exact = lb_lite_exact_##which

const lb_kernel lb_lite_kernels[] = {
    ROW(conv_2d_s8, CONV_2D, S8, S8, per_channel, conv_2d_s8, conv_2d, conv_2d, weights),
    ROW(depthwise_conv_2d_s8, DEPTHWISE_CONV_2D, S8, S8, per_channel, depthwise_conv_2d_s8, depthwise_conv_2d, depthwise_conv_2d, weights),
    ROW(transpose_conv_s8, TRANSPOSE_CONV, S8, S8, per_channel, transpose_conv_s8, transpose_conv, transpose_conv, weights),
    ROW(fully_connected_s8, FULLY_CONNECTED, S8, S8, weights, fully_connected_s8, fully_connected, fully_connected, weights),
    ROW(fully_connected_per_channel_s8, FULLY_CONNECTED, S8, S8, per_channel, fully_connected_per_channel_s8, fully_connected, fully_connected, weights),
    ROW(average_pool_2d_s8, AVERAGE_POOL_2D, S8, S8, one, pool, pool, pool, average_pool),
    ROW(max_pool_2d_s8, MAX_POOL_2D, S8, S8, one, pool, pool, pool, max_pool),
    ROW(add_s8, ADD, S8, S8, two, add, broadcast, broadcast, add),
    ROW(sub_s8, ADD, S8, S8, two, add, broadcast, broadcast, sub),
    ROW(mul_s8, MUL, S8, S8, two, mul, broadcast, broadcast, mul),
    ROW(leaky_relu_s8, RELU, S8, S8, one, leaky_relu, same, by_place, leaky_relu),
    ROW(relu_s8, RELU, S8, S8, one, relu, same, by_place, relu),
    ROW(relu6_s8, RELU, S8, S8, one, relu6, same, by_place, relu6),
    ROW(mean_s8, MEAN, S8, S8, reduce, mean, reduce, reduce, mean),
    ROW(logistic_s8, SIGMOID, S8, S8, one, sigmoid_s8, same, by_place, logistic_s8),
    ROW(tanh_s8, SIGMOID, S8, S8, one, sigmoid_s8, same, by_place, tanh_s8),
    ROW(conv_2d_s16, CONV_2D, S16, S16, per_channel, conv_2d_s16, conv_2d, conv_2d, weights),
    ROW(depthwise_conv_2d_s16, DEPTHWISE_CONV_2D, S16, S16, per_channel, depthwise_conv_2d_s16, depthwise_conv_2d, depthwise_conv_2d, weights),
    ROW(transpose_conv_s16, TRANSPOSE_CONV, S16, S16, per_channel, transpose_conv_s16, transpose_conv, transpose_conv, weights),
    ROW(fully_connected_s16, FULLY_CONNECTED, S16, S16, weights, fully_connected_s16, fully_connected, fully_connected, weights),
    ROW(fully_connected_per_channel_s16, FULLY_CONNECTED, S16, S16, per_channel, fully_connected_per_channel_s16, fully_connected, fully_connected, weights),
    ROW(average_pool_2d_s16, AVERAGE_POOL_2D, S16, S16, one, pool, pool, pool, average_pool),
    ROW(max_pool_2d_s16, MAX_POOL_2D, S16, S16, one, pool, pool, pool, max_pool),
    ROW(add_s16, ADD, S16, S16, two, add, broadcast, broadcast, add),
    ROW(sub_s16, ADD, S16, S16, two, add, broadcast, broadcast, sub),
    ROW(mul_s16, MUL, S16, S16, two, mul, broadcast, broadcast, mul),
    ROW(leaky_relu_s16, RELU, S16, S16, one, leaky_relu, same, by_place, leaky_relu),
    ROW(relu_s16, RELU, S16, S16, one, relu, same, by_place, relu),
    ROW(relu6_s16, RELU, S16, S16, one, relu6, same, by_place, relu6),
    ROW(mean_s16, MEAN, S16, S16, reduce, mean, reduce, reduce, mean),
    ROW(logistic_s16, SIGMOID, S16, S16, one, sigmoid_s16, same, by_place, logistic_s16),
    ROW(tanh_s16, SIGMOID, S16, S16, one, sigmoid_s16, same, by_place, tanh_s16),
    ROW(softmax_s8, SOFTMAX, S8, S8, one, softmax_s8, same, rows, softmax_s8),
    ROW(softmax_s8_s16, SOFTMAX, S8, S16, one, softmax_s8, same, rows, softmax_s8),
    ROW(softmax_s16, SOFTMAX, S16, S16, one, softmax_s16, same, rows, softmax_s16),
    ROW(hard_swish_s8, HARD_SWISH, S8, S8, one, hard_swish, same, by_place, hard_swish),
    ROW(requantize_s8_s8, REQUANTIZE, S8, S8, one, requantize, same, by_place, requantize),
    ROW(requantize_s16_s8, REQUANTIZE, S16, S8, one, requantize, same, by_place, requantize),
    ROW(requantize_s32_s8, REQUANTIZE, S32, S8, one, requantize, same, by_place, requantize),
    ROW(requantize_s8_s16, REQUANTIZE, S8, S16, one, requantize, same, by_place, requantize),
    ROW(requantize_s16_s16, REQUANTIZE, S16, S16, one, requantize, same, by_place, requantize),
    ROW(requantize_s32_s16, REQUANTIZE, S32, S16, one, requantize, same, by_place, requantize),
    ROW(requantize_s8_s32, REQUANTIZE, S8, S32, one, requantize, same, by_place, requantize),
    ROW(requantize_s16_s32, REQUANTIZE, S16, S32, one, requantize, same, by_place, requantize),
    ROW(l2_normalization_s8, L2_NORMALIZATION, S8, S8, one, l2_normalization, same, rows, l2_normalization),

    ROW(doubling_high_mul_s32, FIXED_POINT, S32, S32, two, none, pairs, broadcast, doubling_high_mul),
    ROW(doubling_high_mul_s16, FIXED_POINT, S16, S16, two, none, pairs, broadcast, doubling_high_mul),
    ROW(rounding_divide_by_pot_s32, FIXED_POINT, S32, S32, one, exponent, same, by_place, rounding_divide),
    ROW(scale_s32, FIXED_POINT, S32, S32, one, scale, same, by_place, scale_s32),
    ROW(scale_smaller_than_one_s32, FIXED_POINT, S32, S32, one, scale, same, by_place, scale_smaller_than_one),
    ROW(scale_greater_than_one_s32, FIXED_POINT, S32, S32, one, scale, same, by_place, scale_greater_than_one),
    ROW(scale_s64, FIXED_POINT, S64, S32, one, scale, same, by_place, scale_s64),
    ROW(exp_on_negative_q5, FIXED_POINT, S32, S32, one, none, same, by_place, exp_on_negative_q5),
    ROW(exp_on_negative_q4, FIXED_POINT, S32, S32, one, none, same, by_place, exp_on_negative_q4),
    ROW(one_over_one_plus_x, FIXED_POINT, S32, S32, one, none, same, by_place, one_over_one_plus_x),
    ROW(one_minus_x_over_one_plus_x, FIXED_POINT, S32, S32, one, none, same, by_place, one_minus_x_over_one_plus_x),
    ROW(logistic_q4, FIXED_POINT, S32, S32, one, none, same, by_place, logistic_q4),
    ROW(tanh_q4, FIXED_POINT, S32, S32, one, none, same, by_place, tanh_q4),
    ROW(reciprocal_q12, FIXED_POINT, S32, S32, reciprocal, none, same, by_place, reciprocal_q12),
    ROW(inverse_square_root, FIXED_POINT, S32, S32, root, none, same, by_place, inverse_square_root),
};

/* clang-format on */

const size_t lb_lite_kernel_count = sizeof lb_lite_kernels / sizeof lb_lite_kernels[0];

const lb_kernel_set lb_set_litert = {.name = "litert",
                                     .title = "LiteRT",
                                     .prefix = "litert_",
                                     .kernels = lb_lite_kernels,
                                     .kernel_count = &lb_lite_kernel_count,
                                     .profiles = lb_lite_profiles,
                                     .profile_count = LB_LITE_PROFILE_COUNT,
                                     .known = lb_lite_known_differences,
                                     .prepare = lb_lite_prepare_call,
                                     .activations = lb_lite_activations,
                                     .step_places = lb_lite_step_places};
