/* Getters, guard bits and stride computation. Spec: numerics.md 4.4, 8.1, 8.2.
 * The functions check nothing; where a NULL pointer or an index past the end is undefined, the
 * models return 0. */
#include "core/arith.h"
#include "describe/element_copy.h"
#include "models.h"

void lb_exact_count_elem_num(const lb_context *context, lb_call *call)
{
    (void)context;
    const lb_tensor *t = call->tensor[LB_ROLE_IN];
    uint32_t start = call->config.start_dim;
    call->return_value = 0;
    if (!t || t->rank > LB_MAX_RANK || (t->rank > 0 && start >= t->rank))
        return;
    uint32_t count = 1;
    for (uint32_t d = start; d < t->rank; d++)
        count *= t->shape[d]; /* wraps, as the function's type does */
    call->return_value = count;
}

void lb_exact_element_size(const lb_context *context, lb_call *call)
{
    (void)context;
    const lb_tensor *t = call->tensor[LB_ROLE_IN];
    call->return_value = !t ? 0 : lb_element_bytes(t->el_type);
}

/* QUIRK: equal pointers under different element types are different. */
void lb_exact_data_ptr_cmp(const lb_context *context, lb_call *call)
{
    (void)context;
    const lb_tensor *a = call->tensor[LB_ROLE_IN1];
    const lb_tensor *b = call->tensor[LB_ROLE_IN2];
    call->return_value = a && b && a->el_type == b->el_type && a->rank != 0 && b->rank != 0 &&
                         lb_element_bytes(a->el_type) != 0 && a->data.mem.ptr == b->data.mem.ptr;
}

/* Parameters of the tensor under `in` at an index; all 0 where there are none, which is undefined.
 */
static lb_quant quant_for(const lb_call *call, uint32_t index)
{
    const lb_quant none = {0, 0, 0};
    const lb_tensor *t = call->tensor[LB_ROLE_IN];
    if (!t || lb_element_bytes(t->el_type) == 0)
        return none;
    if (lb_is_per_axis(t)) {
        /* The lists are indexed, whatever the shape says (numerics.md 8.1). */
        bool readable = lb_axis_lists_present(t) && lb_axis_lists_hold(t, (uint64_t)index + 1);
        return readable ? lb_quant_at(t, index) : none;
    }
    return lb_quant_at(t, 0);
}

void lb_exact_tensor_scale(const lb_context *context, lb_call *call)
{
    (void)context;
    call->return_value = quant_for(call, call->config.scale_idx).scale;
}

void lb_exact_tensor_scale_shift(const lb_context *context, lb_call *call)
{
    (void)context;
    call->return_value = quant_for(call, call->config.scale_idx).frac;
}

void lb_exact_tensor_zero_offset(const lb_context *context, lb_call *call)
{
    (void)context;
    call->return_value = quant_for(call, call->config.zero_idx).zero_point;
}

/* numerics.md 4.4: what the accumulator has beyond one product. */
static void return_guard_bits(const lb_context *context, lb_call *call, lb_operands operands,
                              int product_bits)
{
    int guard_bits = context->profile->acc_bits[operands] - product_bits;
    call->return_value = guard_bits > 0 ? guard_bits : 0;
}

void lb_exact_guard_bits_sa8_sa8(const lb_context *context, lb_call *call)
{
    return_guard_bits(context, call, LB_OPERANDS_8X8, 16);
}

void lb_exact_guard_bits_fx16_fx16(const lb_context *context, lb_call *call)
{
    return_guard_bits(context, call, LB_OPERANDS_16X16, 32);
}

void lb_exact_guard_bits_fx16_fx8(const lb_context *context, lb_call *call)
{
    return_guard_bits(context, call, LB_OPERANDS_16X8, 24);
}

void lb_exact_set_mem_strides(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_tensor *t = call->tensor[LB_ROLE_IN];
    if (!t || t->rank > LB_MAX_RANK)
        return;
    int64_t stride = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        t->mem_stride[d] = (int32_t)stride;
        stride = lb_wrap(stride * t->shape[d], 32);
    }
}
