/* What the conversion functions check, in their order. Spec: numerics.md 7.5.
 * The last row refuses what the spec leaves undefined and no model should compute with. */
#include "element_copy.h"
#include "models.h"
#include "rules.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* Where dst lies on src and the types are equal, the outer strides must be too. */
static lb_status check_in_place(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_tensor *dst = lb_role_tensor(call, rule->b);
    if (src == NULL || dst == NULL) {
        return LB_BAD_TENSOR;
    }
    if (src->el_type != dst->el_type || src->data.mem.ptr != dst->data.mem.ptr) {
        return LB_OK;
    }
    for (uint32_t d = 0; d + 1 < src->rank; d++) {
        if (src->mem_stride[d] != dst->mem_stride[d]) {
            return LB_INCOMPATIBLE_TENSORS;
        }
    }
    return LB_OK;
}

static lb_status check_same_axis(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_tensor *dst = lb_role_tensor(call, rule->b);
    if (src == NULL || dst == NULL) {
        return LB_BAD_TENSOR;
    }
    bool both = lb_is_per_axis(src) && lb_is_per_axis(dst);
    return both && src->sa.dim != dst->sa.dim ? LB_SIZE_MISMATCH : LB_OK;
}

/* b: fp32 is supported. fx4 and fp16 beside fp32, which the spec leaves undefined, are refused like
 * all others. */
static lb_status check_supported(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    if (t == NULL) {
        return LB_BAD_TENSOR;
    }
    bool supported = lb_element_bytes(t->el_type) != 0 && (t->el_type != LB_FP32 || rule->b);
    return supported ? LB_OK : LB_TYPE_MISMATCH;
}

/* QUIRK: parameters are not checked. Undefined, and refused here: an axis that is not there, or
 * lists that are not. */
static lb_status check_lists(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    if (t == NULL) {
        return LB_BAD_TENSOR;
    }
    if (!lb_is_per_axis(t)) {
        return LB_OK;
    }
    return t->sa.dim < (int64_t)t->rank && lb_axis_lists_present(t) ? LB_OK : LB_BAD_TENSOR;
}

#define RULES(WITH_FP32)                                                                           \
    {                                                                                              \
        {"in.tensor", lb_check_tensor, IN, 0, 0}, {"out.tensor", lb_check_tensor, OUT, 0, 0},      \
            {"out.shape_equals_in", lb_check_same_shape, IN, OUT, 0},                              \
            {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},                                  \
            {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                \
            {"out.strides_equal_in", check_in_place, IN, OUT, 0},                                  \
            {"out.axis_equals_in", check_same_axis, IN, OUT, 0},                                   \
            {"in.type", check_supported, IN, WITH_FP32, 0},                                        \
            {"out.type", check_supported, OUT, WITH_FP32, 0},                                      \
            {"in.quant_lists", check_lists, IN, 0, LB_UNDEFINED},                                  \
            {"out.quant_lists", check_lists, OUT, 0, LB_UNDEFINED}, LB_RULES_END,                  \
    }

const lb_rule lb_rules_convert[] = RULES(1);
const lb_rule lb_rules_convert_safx[] = RULES(0);
