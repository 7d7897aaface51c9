/* Conversion in real numbers: the values themselves. Spec: numerics.md 7. */
#include "describe/element_copy.h"
#include "models.h"
#include "real_values.h"

#include <math.h>

/* 7.2. The ratio of scales has its error; with sa32 the lower half of the product is cut off before
 * rounding, of which at least 28 bits stay. The containers without zero point saturate in the width
 * of the step, and so does a shift to the left. */
static lb_span from_integer(lb_rounding rounding, double x, lb_quant from, lb_quant to, bool wide)
{
    double error = lb_real_ratio_error(rounding) + (wide ? lb_power_of_two(-28) : 0.0);
    lb_span d = lb_span_saturated(lb_span_of(x - from.zero_point), wide ? 32 : 16);
    lb_span y = lb_span_scaled(lb_span_blurred(d, error), lb_real_steps_between(from, to));
    y = lb_span_saturated(lb_span_rounded(y, rounding), 32);
    return lb_span_moved(y, to.zero_point);
}

/* 7.3: single precision, three operations (division, product, addition of the half), each of 2^-24.
 * Halves go away from zero, so that the rounding is not the profile's: from and to are as wide as
 * low and high. */
static lb_span from_float(double x, lb_quant to)
{
    lb_span y = lb_span_of(x / lb_real_step(to));
    double lost = (fabs(y.value) + 1.0) * 3.1 * lb_power_of_two(-24);
    y = lb_span_widened(y, lost + 0.5, lost + 0.5);
    return lb_span_moved(lb_span_saturated(y, 32), to.zero_point);
}

static lb_quant quant_of(const lb_tensor *t, const uint32_t index[LB_MAX_RANK])
{
    return lb_quant_at(t, lb_is_per_axis(t) ? index[t->sa.dim] : 0);
}

/* As list: rank 0 with a pointer is a list of one element (numerics.md 7.5). */
static lb_tensor as_list(const lb_tensor *t)
{
    lb_tensor list = *t;
    if (t->rank == 0) {
        list.rank = 1;
        list.shape[0] = 1;
        list.mem_stride[0] = 1;
    }
    return list;
}

static lb_span containers(const lb_context *context, const lb_tensor *src, const lb_tensor *dst,
                          const uint32_t index[LB_MAX_RANK], double real)
{
    lb_quant to = quant_of(dst, index);
    if (dst->el_type == LB_FP32)
        return lb_span_unknown(NAN); /* no containers: a real number itself */
    if (src->el_type == LB_FP32)
        return from_float(real, to);
    bool wide = src->el_type == LB_SA32 || dst->el_type == LB_SA32;
    double x = lb_load_fine(src, lb_offset_of(src, index));
    return from_integer(context->profile->rounding, x, quant_of(src, index), to, wide);
}

void lb_real_convert(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    lb_tensor src = as_list(call->tensor[LB_ROLE_IN]);
    lb_tensor dst = as_list(call->tensor[LB_ROLE_OUT]);
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    size_t count = lb_element_count(&src);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(&src, flat, index);
        double real = lb_load_real(&src, lb_offset_of(&src, index),
                                   lb_is_per_axis(&src) ? index[src.sa.dim] : 0);
        lb_span y = containers(context, &src, &dst, index, real);
        lb_real_put(outputs, LB_ROLE_OUT, flat, real, y, lb_container_bits(dst.el_type));
    }
}
