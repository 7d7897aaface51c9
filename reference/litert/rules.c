/* Which calls of LiteRT's kernels mean nothing because of their tensors: shapes that do not belong
 * together, element types that the function does not have, strides. What numbers of multipliers,
 * shifts and sums leave undefined is noted where they are used (fixed.c). The API has no refusals:
 * all of it is undefined (litert.1.5). */
#include "rules.h"

#include "fields.h"
#include "models.h"

static const lb_status WRONG = LB_SHAPE_MISMATCH;

static const lb_tensor *tensor_of(const lb_call *call, lb_role role)
{
    return call->tensor[role];
}

static int32_t field(const lb_call *call, lb_lite_field which)
{
    return lb_lite_field_of(call, which);
}

static lb_status unless(bool holds)
{
    return holds ? LB_OK : WRONG;
}

/* ---- What holds for all ---- */

static bool is_dense(const lb_tensor *t)
{
    int64_t stride = 1;
    for (uint32_t d = t->rank; d-- > 0; stride *= t->shape[d])
        if (t->shape[d] != 1 && t->mem_stride[d] != stride)
            return false;
    return true;
}

static bool is_whole(const lb_tensor *t)
{
    const uint64_t bytes = (uint64_t)lb_element_count(t) * lb_storage_bytes(t->el_type);
    return t->rank >= 1 && t->rank <= LB_MAX_RANK && t->data.mem.ptr && is_dense(t) &&
           bytes <= t->data.capacity_bytes;
}

static lb_status check_given(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    bool good = !call->config_null;
    for (const lb_role_spec *spec = call->kernel->roles; spec->use != LB_USE_NONE; spec++) {
        const lb_tensor *t = tensor_of(call, spec->role);
        good = good && (t ? is_whole(t) : spec->optional);
    }
    return unless(good);
}

static bool has_32_bit_sums(const lb_call *call)
{
    return lb_lite_has_field(call->kernel, LB_LITE_accumulator_bits) &&
           field(call, LB_LITE_accumulator_bits) == 32;
}

static uint32_t type_of(const lb_call *call, lb_role role)
{
    const lb_kernel *kernel = call->kernel;
    switch (role) {
    case LB_ROLE_WEIGHTS:
        return LB_S8;
    case LB_ROLE_BIAS:
        return kernel->in_type == LB_S8 || has_32_bit_sums(call) ? LB_S32 : LB_S64;
    case LB_ROLE_OUT:
        return kernel->out_type;
    case LB_ROLE_IN:
    case LB_ROLE_IN1:
    case LB_ROLE_IN2:
        return kernel->in_type;
    default:
        return LB_S32;
    }
}

static lb_status check_types(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    bool good = true;
    for (const lb_role_spec *spec = call->kernel->roles; spec->use != LB_USE_NONE; spec++) {
        const lb_tensor *t = tensor_of(call, spec->role);
        good = good && (!t || t->el_type == type_of(call, spec->role));
    }
    if (lb_lite_has_field(call->kernel, LB_LITE_accumulator_bits))
        good = good && (has_32_bit_sums(call) || field(call, LB_LITE_accumulator_bits) == 64);
    return unless(good);
}

/* ---- Shapes ---- */

static uint32_t extent(const lb_call *call, lb_role role, unsigned d)
{
    return tensor_of(call, role)->shape[d];
}

static bool has_rank(const lb_call *call, lb_role role, uint32_t rank)
{
    return tensor_of(call, role)->rank == rank;
}

/* A list of one entry for each output channel, where it is given. */
static bool is_list_of(const lb_call *call, lb_role role, size_t count)
{
    const lb_tensor *t = tensor_of(call, role);
    return !t || (t->rank == 1 && t->shape[0] == count);
}

static bool are_lists_of(const lb_call *call, size_t count)
{
    return is_list_of(call, LB_ROLE_BIAS, count) && is_list_of(call, LB_ROLE_MULTIPLIER, count) &&
           is_list_of(call, LB_ROLE_SHIFT, count);
}

static bool is_geometry(int32_t value, int32_t least)
{
    return value >= least && value <= INT16_MAX;
}

static bool has_window(const lb_call *call)
{
    const bool dilates = lb_lite_has_field(call->kernel, LB_LITE_dilation_height);
    return is_geometry(field(call, LB_LITE_stride_height), 1) &&
           is_geometry(field(call, LB_LITE_stride_width), 1) &&
           is_geometry(field(call, LB_LITE_padding_top), 0) &&
           is_geometry(field(call, LB_LITE_padding_left), 0) &&
           (!dilates || (is_geometry(field(call, LB_LITE_dilation_height), 1) &&
                         is_geometry(field(call, LB_LITE_dilation_width), 1)));
}

static bool are_images(const lb_call *call)
{
    return has_rank(call, LB_ROLE_IN, 4) && has_rank(call, LB_ROLE_OUT, 4) &&
           extent(call, LB_ROLE_IN, 0) == extent(call, LB_ROLE_OUT, 0) && has_window(call);
}

static lb_status check_conv(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    if (!are_images(call) || !has_rank(call, LB_ROLE_WEIGHTS, 4))
        return WRONG;
    const uint32_t filters = extent(call, LB_ROLE_WEIGHTS, 0);
    const uint32_t channels = extent(call, LB_ROLE_IN, 3);
    const uint32_t of_group = extent(call, LB_ROLE_WEIGHTS, 3);
    return unless(of_group > 0 && channels >= of_group && channels % of_group == 0 &&
                  filters % (channels / of_group) == 0 && extent(call, LB_ROLE_OUT, 3) == filters &&
                  are_lists_of(call, filters));
}

static lb_status check_depthwise(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    (void)rule;
    if (!are_images(call) || !has_rank(call, LB_ROLE_WEIGHTS, 4))
        return WRONG;
    const uint32_t filters = extent(call, LB_ROLE_WEIGHTS, 3);
    const int64_t made =
        (int64_t)extent(call, LB_ROLE_IN, 3) * field(call, LB_LITE_depth_multiplier);
    return unless(extent(call, LB_ROLE_WEIGHTS, 0) == 1 && made == filters &&
                  is_geometry(field(call, LB_LITE_depth_multiplier), 1) &&
                  extent(call, LB_ROLE_OUT, 3) == filters && are_lists_of(call, filters));
}

static lb_status check_transpose(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    (void)rule;
    if (!are_images(call) || !has_rank(call, LB_ROLE_WEIGHTS, 4))
        return WRONG;
    const uint32_t filters = extent(call, LB_ROLE_WEIGHTS, 0);
    return unless(extent(call, LB_ROLE_WEIGHTS, 3) == extent(call, LB_ROLE_IN, 3) &&
                  extent(call, LB_ROLE_OUT, 3) == filters && are_lists_of(call, filters));
}

static lb_status check_fully_connected(const lb_context *context, const lb_call *call,
                                       const lb_rule *rule)
{
    (void)context;
    (void)rule;
    if (!has_rank(call, LB_ROLE_WEIGHTS, 2))
        return WRONG;
    const size_t units = extent(call, LB_ROLE_WEIGHTS, 0),
                 inputs = extent(call, LB_ROLE_WEIGHTS, 1);
    const size_t in = lb_element_count(tensor_of(call, LB_ROLE_IN));
    const size_t out = lb_element_count(tensor_of(call, LB_ROLE_OUT));
    return unless(units > 0 && inputs > 0 && in % inputs == 0 && out % units == 0 &&
                  in / inputs == out / units && are_lists_of(call, units));
}

static lb_status check_pool(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    return unless(are_images(call) && extent(call, LB_ROLE_IN, 3) == extent(call, LB_ROLE_OUT, 3) &&
                  is_geometry(field(call, LB_LITE_filter_height), 1) &&
                  is_geometry(field(call, LB_LITE_filter_width), 1));
}

/* In the dimensions of four, of which the last is the tensor's last. */
static uint32_t extent_of_four(const lb_call *call, lb_role role, unsigned d)
{
    const lb_tensor *t = tensor_of(call, role);
    const unsigned missing = LB_MAX_RANK - t->rank;
    return d < missing ? 1 : t->shape[d - missing];
}

static lb_status check_broadcast(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    (void)rule;
    bool good = true;
    for (unsigned d = 0; d < LB_MAX_RANK; d++) {
        const uint32_t a = extent_of_four(call, LB_ROLE_IN1, d);
        const uint32_t b = extent_of_four(call, LB_ROLE_IN2, d);
        good = good && (a == b || a == 1 || b == 1) &&
               extent_of_four(call, LB_ROLE_OUT, d) == (a == 1 ? b : a);
    }
    return unless(good);
}

/* As many elements in all tensors; in rows of at least one. */
static lb_status check_same(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_tensor *in = tensor_of(call, LB_ROLE_IN);
    bool good = in->shape[in->rank - 1] > 0;
    for (const lb_role_spec *spec = call->kernel->roles; spec->use != LB_USE_NONE; spec++)
        good = good && lb_element_count(tensor_of(call, spec->role)) == lb_element_count(in);
    return unless(good);
}

static lb_status check_reduce(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_tensor *in = tensor_of(call, LB_ROLE_IN), *axis = tensor_of(call, LB_ROLE_AXIS);
    const int rank = (int)in->rank;
    bool reduced[LB_MAX_RANK] = {false}, good = lb_element_count(in) > 0;
    for (size_t i = 0; i < lb_element_count(axis) && good; i++) {
        const int a = lb_load(axis, i);
        good = a >= -rank && a < rank;
        if (good)
            reduced[a < 0 ? a + rank : a] = true;
    }
    size_t kept = 1;
    for (int d = 0; d < rank; d++)
        kept *= reduced[d] ? 1 : in->shape[d];
    return unless(good && lb_element_count(tensor_of(call, LB_ROLE_OUT)) == kept);
}

#define RULES(list, shapes)                                                                        \
    const lb_rule lb_lite_rules_##list[] = {                                                       \
        {.name = "given", .check = check_given, .c = LB_UNDEFINED},                                \
        {.name = "types", .check = check_types, .c = LB_UNDEFINED},                                \
        {.name = "shapes", .check = (shapes), .c = LB_UNDEFINED},                                  \
        {.name = NULL},                                                                            \
    }
RULES(conv_2d, check_conv);
RULES(depthwise_conv_2d, check_depthwise);
RULES(transpose_conv, check_transpose);
RULES(fully_connected, check_fully_connected);
RULES(pool, check_pool);
RULES(broadcast, check_broadcast);
RULES(same, check_same);
RULES(reduce, check_reduce);
