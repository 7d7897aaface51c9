/* Conversion between element formats, to the last bit. Spec: numerics.md 7. */
#include "element_copy.h"
#include "models.h"
#include "scale.h"

#include <math.h>
#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* numerics.md 7.2, first row */
static int64_t narrow_to(lb_rounding rounding, int64_t x, lb_quant from, lb_quant to, int bits)
{
    lb_requant r = lb_requant_params(rounding, from, to);
    int64_t d = lb_sub(x, from.zero_point, 16);
    int64_t a = lb_rsh(rounding, d * r.scale, least(r.shift, 31), 32);
    return lb_sat(lb_add(a, to.zero_point, 32), bits);
}

/* numerics.md 7.2, second row. QUIRK: of the 64-bit product the high half alone is kept before rounding. */
static int64_t wide_to(lb_rounding rounding, int64_t x, lb_quant from, lb_quant to, int bits)
{
    lb_requant r = lb_requant_params(rounding, from, to);
    int64_t d = lb_sub(x, from.zero_point, 32);
    int e1 = lb_norm(d, 32);
    int e2 = lb_norm(r.scale, 32);
    int64_t high = lb_asr(lb_shl(d, e1, 32) * lb_shl(r.scale, e2, 32), 32, 64);
    int64_t a = lb_rsh(rounding, high, least(r.shift, 63) + e1 + e2 - 32, 32);
    return lb_sat(lb_add(a, to.zero_point, 32), bits);
}

/* Towards zero. Outside of int32 the spec leaves the result open: it saturates here, and NaN is 0 (numerics.md 7.3). */
static int32_t truncate(float u)
{
    if (isnan(u)) {
        return 0;
    }
    if (u >= 2147483648.0f) {
        return INT32_MAX;
    }
    return u < -2147483648.0f ? INT32_MIN : (int32_t)u;
}

/* numerics.md 7.3: single precision, each operation rounded by itself */
static int64_t quantize(float x, lb_quant to, int bits)
{
    float k = ldexpf(1.0f / (float)to.scale, to.frac);
    float t = x * k;
    float u = t + (x > 0.0f ? 0.5f : -0.5f);
    return lb_sat(lb_add(truncate(u), to.zero_point, 32), bits);
}

static int64_t dequantize(int64_t x, lb_quant from)
{
    float k = ldexpf((float)from.scale, -from.frac);
    float value = (float)lb_sub(x, from.zero_point, 32) * k;
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* QUIRK: rank 0 with a pointer is converted as a list of one element (numerics.md 7.5). */
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

static lb_quant quant_of(const lb_tensor *t, const uint32_t index[LB_MAX_RANK])
{
    return lb_quant_at(t, lb_is_per_axis(t) ? index[t->sa.dim] : 0);
}

static void convert_element(lb_rounding rounding, const lb_tensor *src, lb_tensor *dst,
                            const uint32_t index[LB_MAX_RANK])
{
    size_t from_offset = lb_offset_of(src, index);
    size_t to_offset = lb_offset_of(dst, index);
    int bits = lb_container_bits(dst->el_type);
    if (src->el_type == LB_FP32 && dst->el_type == LB_FP32) {
        lb_element_copy(dst, to_offset, src, from_offset);
    } else if (src->el_type == LB_FP32) {
        float x = (float)lb_load_real(src, from_offset, 0);
        lb_store(dst, to_offset, quantize(x, quant_of(dst, index), bits));
    } else if (dst->el_type == LB_FP32) {
        lb_store(dst, to_offset, dequantize(lb_load(src, from_offset), quant_of(src, index)));
    } else {
        bool wide = src->el_type == LB_SA32 || dst->el_type == LB_SA32;
        int64_t x = lb_load(src, from_offset);
        int64_t y = (wide ? wide_to : narrow_to)(rounding, x, quant_of(src, index), quant_of(dst, index), bits);
        lb_store(dst, to_offset, y);
    }
}

/* Every element is read before its place is written, so that dst may lie on src (numerics.md 7.4). */
void lb_exact_convert(const lb_context *context, lb_call *call)
{
    lb_tensor src = as_list(call->tensor[LB_ROLE_IN]);
    lb_tensor dst = as_list(call->tensor[LB_ROLE_OUT]);
    size_t count = lb_element_count(&src);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(&src, flat, index);
        convert_element(context->profile->rounding, &src, &dst, index);
    }
}
