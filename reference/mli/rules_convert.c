/* What the conversion functions check, in their order. Spec: numerics.md 7.5. The last rows stand
 * for what the spec leaves undefined (7.2, 7.3, 7.4). */
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"

#include <math.h>
#include <string.h>

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* Where dst lies on src and the types are equal, the outer strides must be too. */
static lb_status check_in_place(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(src, rule->a);
    LB_FETCH(dst, rule->b);
    if (src->el_type != dst->el_type || src->data.mem.ptr != dst->data.mem.ptr)
        return LB_OK;
    for (uint32_t d = 0; d + 1 < src->rank; d++)
        if (src->mem_stride[d] != dst->mem_stride[d])
            return LB_INCOMPATIBLE_TENSORS;
    return LB_OK;
}

static lb_status check_same_axis(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    LB_FETCH(src, rule->a);
    LB_FETCH(dst, rule->b);
    bool both = lb_is_per_axis(src) && lb_is_per_axis(dst);
    return both && src->sa.dim != dst->sa.dim ? LB_SIZE_MISMATCH : LB_OK;
}

/* Undefined: a type without elements beside fp32. */
static lb_status check_types_said(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_tensor *dst = lb_role_tensor(call, rule->b);
    bool fp32 = src->el_type == LB_FP32 || dst->el_type == LB_FP32;
    bool both = lb_element_bytes(src->el_type) != 0 && lb_element_bytes(dst->el_type) != 0;
    return !fp32 || both ? LB_OK : LB_TYPE_MISMATCH;
}

/* b: fp32 is supported. */
static lb_status check_supported(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    bool supported = lb_element_bytes(t->el_type) != 0 && (t->el_type != LB_FP32 || rule->b);
    return supported ? LB_OK : LB_TYPE_MISMATCH;
}

/* QUIRK: parameters are not checked. Undefined: an axis that is not there, or lists that are not.
 */
static lb_status check_lists(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    if (!lb_is_per_axis(t))
        return LB_OK;
    bool there = t->sa.dim < (int64_t)t->rank && lb_axis_lists_present(t) &&
                 lb_axis_lists_hold(t, t->shape[t->sa.dim]);
    return there ? LB_OK : LB_BAD_TENSOR;
}

static uint32_t entry_count(const lb_tensor *t)
{
    return lb_is_per_axis(t) ? t->shape[t->sa.dim] : 1;
}

/* Undefined: a scale of 0 or less. */
static lb_status check_scales(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    for (uint32_t i = 0; i < entry_count(t); i++)
        if (lb_quant_at(t, i).scale <= 0)
            return LB_BAD_TENSOR;
    return LB_OK;
}

/* ---- 7.3: with fp32, numbers that leave binary32 or int32 on their way ---- */

/* Does u, what is rounded to int32, stay inside? */
static bool is_quantized(const lb_tensor *src, size_t flat, lb_quant q)
{
    float x;
    memcpy(&x, (const unsigned char *)src->data.mem.ptr + lb_offset_of_flat(src, flat) * sizeof x,
           sizeof x);
    float factor = (float)ldexp((double)(1.0f / (float)q.scale), q.frac);
    float product = x * factor;
    float rounded = product + (x > 0 ? 0.5f : -0.5f);
    return isfinite(x) && isfinite(factor) && isfinite(product) && fabsf(rounded) < 2147483648.0f;
}

static bool is_dequantized(const lb_tensor *src, size_t flat, lb_quant q)
{
    float factor = (float)ldexp((double)q.scale, -q.frac);
    int64_t x = lb_load(src, lb_offset_of_flat(src, flat));
    return isfinite(factor) && isfinite((float)(x - q.zero_point) * factor);
}

/* Undefined besides: a tensor of rank 0 with a capacity, whose value is taken as an address (7.5).
 */
static lb_status check_values(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_tensor *dst = lb_role_tensor(call, rule->b);
    if (src->holds_value || dst->holds_value)
        return LB_BAD_TENSOR;
    bool quantizes = src->el_type == LB_FP32;
    if (quantizes == (dst->el_type == LB_FP32))
        return LB_OK;
    const lb_tensor *t = quantizes ? dst : src; /* whose parameters count */
    size_t count = lb_element_count(src);
    for (size_t i = 0; i < count; i++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(src, i, index);
        lb_quant q = lb_quant_at(t, lb_is_per_axis(t) ? index[t->sa.dim] : 0);
        if (!(quantizes ? is_quantized(src, i, q) : is_dequantized(src, i, q)))
            return LB_BAD_TENSOR;
    }
    return LB_OK;
}

/* 7.4: equal container sizes and strides, or apart. */
#define RULES(WITH_FP32)                                                                           \
    {                                                                                              \
        {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},                                         \
            {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                   \
            {"out.shape_equals_in", LB_SAME_SHAPE(IN, OUT)},                                       \
            {"in.inner_stride", LB_INNER_STRIDE_1(IN)},                                            \
            {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},                                          \
            {"out.strides_equal_in", LB_IN_C(check_in_place, IN, OUT, 0)}, LB_PARAMETERS,          \
            {"out.axis_equals_in", LB_IN_C(check_same_axis, IN, OUT, 0)},                          \
            {"in.type_beside_fp32", LB_IN_C(check_types_said, IN, OUT, LB_UNDEFINED)},             \
            {"in.type", LB_IN_C(check_supported, IN, WITH_FP32, 0)},                               \
            {"out.type", LB_IN_C(check_supported, OUT, WITH_FP32, 0)},                             \
            {"in.quant_lists", LB_IN_C(check_lists, IN, 0, LB_UNDEFINED)},                         \
            {"out.quant_lists", LB_IN_C(check_lists, OUT, 0, LB_UNDEFINED)},                       \
            {"in.scales", LB_IN_C(check_scales, IN, 0, LB_UNDEFINED)},                             \
            {"out.scales", LB_IN_C(check_scales, OUT, 0, LB_UNDEFINED)}, LB_PLACE(LB_BIT_OF(IN)),  \
            {"in.values", LB_IN_C(check_values, IN, OUT, LB_UNDEFINED)}, LB_RULES_END,             \
    }

const lb_rule lb_rules_convert[] = RULES(1);
const lb_rule lb_rules_convert_safx[] = RULES(0);
