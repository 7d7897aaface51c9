/* Which calls of LiteRT's kernels mean nothing because of their tensors: shapes that do not belong
 * together, element types that the function does not have, strides. What numbers of multipliers,
 * shifts and sums leave undefined is noted where they are used (fixed.c). The API has no refusals:
 * all of it is undefined (litert.1.5). */
#include "rules.h"

#include "core/arith.h"
#include "describe/rules.h"
#include "fields.h"
#include "maps.h"
#include "models.h"

#include <stddef.h>

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

static bool is_whole(const lb_tensor *t)
{
    const uint64_t bytes = (uint64_t)lb_element_count(t) * lb_storage_bytes(t->el_type);
    return t->rank >= 1 && t->rank <= LB_MAX_RANK && t->data.mem.ptr &&
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

/* The bias has the type of the sums. */
static lb_status check_types(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_tensor *bias = tensor_of(call, LB_ROLE_BIAS);
    const bool is_short = call->kernel->in_type == LB_S8 || has_32_bit_sums(call);
    bool good = tensor_of(call, LB_ROLE_OUT)->el_type == call->kernel->out_type &&
                (!bias || bias->el_type == (is_short ? LB_S32 : LB_S64));
    if (lb_lite_has_field(call->kernel, LB_LITE_accumulator_bits))
        good = good && (has_32_bit_sums(call) || field(call, LB_LITE_accumulator_bits) == 64);
    return unless(good);
}

/* Where results go one by one, and each is made of the elements at its own place. */
static bool goes_by_place(const lb_kernel *kernel)
{
    return kernel->map == &lb_lite_map_by_place || kernel->map == &lb_lite_map_broadcast ||
           kernel->map == &lb_lite_map_rows;
}

static bool is_in_place(const lb_call *call, const lb_tensor *in, const lb_tensor *out)
{
    return goes_by_place(call->kernel) && in->data.mem.ptr == out->data.mem.ptr &&
           lb_element_count(in) == lb_element_count(out) &&
           lb_storage_bytes(in->el_type) == lb_storage_bytes(out->el_type);
}

/* No output lies in the memory of another tensor, but element on element. */
static lb_status check_memory(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    bool good = true;
    for (const lb_role_spec *o = call->kernel->roles; o->use != LB_USE_NONE; o++) {
        const lb_tensor *out = tensor_of(call, o->role);
        for (const lb_role_spec *i = call->kernel->roles; i->use != LB_USE_NONE; i++) {
            const lb_tensor *in = tensor_of(call, i->role);
            if (o->use == LB_USE_OUTPUT && i != o && in)
                good = good && (lb_is_apart(&in->data, &out->data) ||
                                (i->use == LB_USE_INPUT && is_in_place(call, in, out)));
        }
    }
    return unless(good);
}

/* Limits are numbers of the output's type (litert.2.6), zero points of their tensor's (litert.1.5).
 */
static lb_status check_limits(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    int64_t low, high;
    bool good = true;
    (void)context;
    (void)rule;
    for (int f = 0; f < LB_LITE_FIELD_COUNT; f++)
        if (lb_lite_has_field(call->kernel, (lb_lite_field)f) &&
            lb_lite_type_range(call->kernel, (lb_lite_field)f, &low, &high))
            good = good && field(call, (lb_lite_field)f) >= low &&
                   field(call, (lb_lite_field)f) <= high;
    return unless(good);
}

/* ---- Shapes, in C ---- */

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

static lb_status check_rows(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_tensor *in = tensor_of(call, LB_ROLE_IN);
    return unless(in->shape[in->rank - 1] > 0);
}

/* ---- Shapes and fields, as data ---- */

/* clang-format off */

#define COUNT(role)     LB_OF_TENSOR(COUNT, LB_ROLE_##role)
#define EXTENT(role, d) LB_EXTENT_OF(LB_ROLE_##role, d)
#define FIELD(name)     LB_FIELD(litert.name, LB_FIELD_I32)
#define SAME(role, d, other, e) \
    LB_THAT(LB_EQUAL, LB_X(1, EXTENT(role, d)), LB_X(-1, EXTENT(other, e)))
#define SAME_COUNT(role, other) LB_THAT(LB_EQUAL, LB_X(1, COUNT(role)), LB_X(-1, COUNT(other)))
#define RANK(role, n)   LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(RANK, LB_ROLE_##role)), LB_N(-(n)))
#define TYPE(role, n)   LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(TYPE, LB_ROLE_##role)), LB_N(-(n)))
#define TYPE_ASKED(role) \
    LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(TYPE, LB_ROLE_##role)), LB_X(-1, LB_OF_TENSOR(ASKED_TYPE, LB_ROLE_##role)))
#define FROM(least, name) \
    LB_THAT(LB_AT_MOST, LB_X(-1, FIELD(name)), LB_N(least)), LB_THAT(LB_AT_MOST, LB_X(1, FIELD(name)), LB_N(-INT16_MAX))

/* Without gaps; of a dimension of size 1 too. */
#define DENSE(role) \
    LB_THAT_EACH(LB_ROLE_##role, LB_EQUAL, LB_X(1, LB_STRIDE_BY(EACH, LB_ROLE_##role)), \
                 LB_XY(-1, LB_EXTENT_BY(NEXT, LB_ROLE_##role), LB_STRIDE_BY(NEXT, LB_ROLE_##role))), \
    LB_THAT(LB_EQUAL, LB_X(1, LB_STRIDE_BY(INNERMOST, LB_ROLE_##role)), LB_N(-1))

#define ROW(name_, ...) {name_, LB_ASKS(LB_UNDEFINED, __VA_ARGS__)}

/* Of all functions: nothing is said of roles that a function has not. */
#define STRIDES \
    ROW("strides", DENSE(IN), DENSE(IN1), DENSE(IN2), DENSE(WEIGHTS), DENSE(BIAS), DENSE(MULTIPLIER), DENSE(SHIFT), \
        DENSE(AXIS), DENSE(BITS_OVER_UNIT), DENSE(OUT))
#define TYPES \
    ROW("types of inputs", TYPE_ASKED(IN), TYPE_ASKED(IN1), TYPE_ASKED(IN2), TYPE(WEIGHTS, LB_S8), TYPE(MULTIPLIER, LB_S32), \
        TYPE(SHIFT, LB_S32), TYPE(AXIS, LB_S32), TYPE(BITS_OVER_UNIT, LB_S32)), \
    {"types of bias and output", LB_IN_C(check_types, 0, 0, LB_UNDEFINED)}

/* A list has one entry for each output channel. */
#define LISTS_OF(role, d) \
    ROW("lists", RANK(BIAS, 1), RANK(MULTIPLIER, 1), RANK(SHIFT, 1), SAME(BIAS, 0, role, d), \
        SAME(MULTIPLIER, 0, role, d), SAME(SHIFT, 0, role, d))

#define IMAGES \
    ROW("images", RANK(IN, 4), RANK(OUT, 4), SAME(IN, 0, OUT, 0)), \
    ROW("window", FROM(1, stride_height), FROM(1, stride_width), FROM(0, padding_top), FROM(0, padding_left))
#define DILATION ROW("dilation", FROM(1, dilation_height), FROM(1, dilation_width))
/* Filters have a depth, which divides the channels into groups, and these the filters. */
#define GROUPS \
    ROW("groups", LB_THAT(LB_UNLIKE, LB_X(1, EXTENT(IN, 3))), LB_THAT(LB_WHOLE, LB_X(1, EXTENT(IN, 3)), LB_X(1, EXTENT(WEIGHTS, 3))), \
        LB_THAT(LB_WHOLE, LB_XY(1, EXTENT(WEIGHTS, 0), EXTENT(WEIGHTS, 3)), LB_X(1, EXTENT(IN, 3))))

#define LIST(name_) const lb_rule lb_lite_rules_##name_[]
#define BEGIN       {"given", LB_IN_C(check_given, 0, 0, LB_UNDEFINED)}, STRIDES, TYPES, \
                    {"memory", LB_IN_C(check_memory, 0, 0, LB_UNDEFINED)}, \
                    {"limits", LB_IN_C(check_limits, 0, 0, LB_UNDEFINED)}
#define END         {.name = NULL}

LIST(conv_2d) = {
    BEGIN, IMAGES, DILATION,
    ROW("filters", RANK(WEIGHTS, 4), SAME(OUT, 3, WEIGHTS, 0)),
    GROUPS, LISTS_OF(WEIGHTS, 0), END,
};
LIST(depthwise_conv_2d) = {
    BEGIN, IMAGES, DILATION,
    ROW("filters", RANK(WEIGHTS, 4), LB_THAT(LB_EQUAL, LB_X(1, EXTENT(WEIGHTS, 0)), LB_N(-1)),
        SAME(OUT, 3, WEIGHTS, 3)),
    ROW("depth multiplier", FROM(1, depth_multiplier),
        LB_THAT(LB_EQUAL, LB_XY(1, EXTENT(IN, 3), FIELD(depth_multiplier)), LB_X(-1, EXTENT(WEIGHTS, 3)))),
    LISTS_OF(WEIGHTS, 3), END,
};
LIST(transpose_conv) = {
    BEGIN, IMAGES,
    ROW("filters", RANK(WEIGHTS, 4), SAME(OUT, 3, WEIGHTS, 0), SAME(IN, 3, WEIGHTS, 3)),
    LISTS_OF(WEIGHTS, 0), END,
};
LIST(fully_connected) = {
    BEGIN,
    ROW("weights", RANK(WEIGHTS, 2), LB_THAT(LB_WHOLE, LB_X(1, COUNT(IN)), LB_X(1, EXTENT(WEIGHTS, 1))),
        LB_THAT(LB_WHOLE, LB_X(1, COUNT(OUT)), LB_X(1, EXTENT(WEIGHTS, 0)))),
    ROW("weights offset", LB_THAT(LB_AT_MOST, LB_X(1, FIELD(weights_offset)), LB_N(-128)),
        LB_THAT(LB_AT_MOST, LB_X(-1, FIELD(weights_offset)), LB_N(-127))), /* minus a zero point of s8 */
    ROW("rows", LB_THAT(LB_EQUAL, LB_XY(1, COUNT(IN), EXTENT(WEIGHTS, 0)), LB_XY(-1, COUNT(OUT), EXTENT(WEIGHTS, 1)))),
    LISTS_OF(WEIGHTS, 0), END,
};
LIST(pool) = {
    BEGIN, IMAGES,
    ROW("filter", FROM(1, filter_height), FROM(1, filter_width)),
    ROW("channels", SAME(IN, 3, OUT, 3)), END,
};
/* The fixed-point functions go element by element. */
#define SAME_SHAPE(role, other) \
    LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(RANK, LB_ROLE_##role)), LB_X(-1, LB_OF_TENSOR(RANK, LB_ROLE_##other))), \
    LB_THAT_EACH(LB_ROLE_##role, LB_EQUAL, LB_X(1, LB_EXTENT_BY(EACH, LB_ROLE_##role)), LB_X(-1, LB_EXTENT_BY(EACH, LB_ROLE_##other)))
LIST(pairs) = {
    BEGIN,
    ROW("shapes", SAME_SHAPE(IN1, IN2), SAME_SHAPE(IN1, OUT)), END,
};
LIST(broadcast) = {
    BEGIN,
    {"shapes", LB_IN_C(check_broadcast, 0, 0, LB_UNDEFINED)}, END,
};
/* As many elements in all tensors; in rows of at least one. */
LIST(same) = {
    BEGIN,
    ROW("counts", SAME_COUNT(OUT, IN), SAME_COUNT(BITS_OVER_UNIT, IN), SAME_COUNT(SHIFT, IN)),
    {"rows", LB_IN_C(check_rows, 0, 0, LB_UNDEFINED)}, END,
};
LIST(reduce) = {
    BEGIN,
    ROW("axis", RANK(AXIS, 1)),
    {"shapes", LB_IN_C(check_reduce, 0, 0, LB_UNDEFINED)}, END,
};
/* clang-format on */
