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

#define ROW(name_, family_, in_, out_, in_roles, with_fields, by_rules, of_map, exact_model, real_model) \
    {.name = "litert_" #name_, .set = LB_SET_LITERT, .family = LB_FAMILY_LITERT_##family_, .variant = #in_, .in_type = LB_##in_, .out_type = LB_##out_, \
     .roles = roles_##in_roles, .config_kind = LB_CONFIG_LITERT_##with_fields, .rules = lb_lite_rules_##by_rules, .map = &lb_lite_map_##of_map, \
     .exact = lb_lite_exact_##exact_model, \
     .real = LB_FAMILY_LITERT_##family_ == LB_FAMILY_LITERT_FIXED_POINT ? NULL : lb_lite_real_model},

const lb_kernel lb_lite_kernels[LB_LITE_KERNEL_COUNT] = {LB_LITE_KERNELS(ROW) LB_LITE_FIXED_POINT(ROW)};

/* clang-format on */

const size_t lb_lite_kernel_count = LB_LITE_KERNEL_COUNT;

const lb_kernel_set lb_set_litert = {.name = "litert",
                                     .title = "LiteRT",
                                     .prefix = "litert_",
                                     .kernels = lb_lite_kernels,
                                     .kernel_count = &lb_lite_kernel_count,
                                     .profiles = lb_lite_profiles,
                                     .profile_count = LB_LITE_PROFILE_COUNT,
                                     .known = lb_lite_known_differences,
                                     .prepare = lb_lite_prepare_call,
                                     .brings = lb_lite_brings,
                                     .activations = lb_lite_activations,
                                     .step_places = lb_lite_step_places,
                                     .domains = lb_lite_domains};
