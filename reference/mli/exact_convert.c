/* Conversion between element formats, to the last bit. Spec: numerics.md 7. */
#include "core/float_num.h"
#include "core/result.h"
#include "describe/element_copy.h"
#include "describe/map_cursor.h"
#include "models.h"

#include <string.h>

/* With the output's zero point, in its container. */
static lb_num in_container(lb_steps *s, const lb_context *context, lb_num a, lb_num zero_point,
                           int bits)
{
    lb_result_name way = bits == 32 ? LB_RESULT_WIDENED : LB_RESULT_CONVERTED;
    return lb_result_of(lb_result_in(context->result, way), context->profile, a, zero_point, bits,
                        s);
}

/* numerics.md 7.2, first row */
static lb_num narrow_to(lb_steps *s, const lb_context *context, lb_num x, lb_num_quant from,
                        lb_num_quant to, int bits)
{
    lb_num_requant r = lb_num_requant_params(s, lb_scale_rounding(context->profile), from, to);
    lb_steps_enter(s, LB_PART_REQUANTIZE, "numerics.md 7.2");
    lb_num d =
        lb_num_sub_zero_point(s, x, from.zero_point, 16, LB_SITE_CONVERT_D_WITHOUT_THE_ZERO_POINT);
    lb_num product = lb_num_mul(s, d, r.scale, LB_SITE_CONVERT_TIMES_THE_SCALE);
    lb_num a = lb_num_scaled_down(s, context->profile, product, r.shift, 31,
                                  LB_SITE_A_IN_STEPS_OF_THE_OUTPUT);
    return in_container(s, context, a, to.zero_point, bits);
}

/* features.md 21: the product as it is, rounded once. */
static lb_num all_bits(lb_steps *s, const lb_context *context, lb_num product, lb_num widened,
                       lb_num shift, lb_num_quant to, int bits)
{
    lb_num n = lb_num_add(s, shift, widened, 0, LB_SITE_SHIFT_E1_AND_E2);
    lb_num a =
        lb_num_down(s, context->profile, product, n, 0, 64, LB_SITE_A_IN_STEPS_OF_THE_OUTPUT);
    a = lb_num_sat(s, a, 32, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
    return in_container(s, context, a, to.zero_point, bits);
}

/* numerics.md 7.2, second row. QUIRK: of the 64-bit product the high half alone is kept before
 * rounding. */
static lb_num wide_to(lb_steps *s, const lb_context *context, lb_num x, lb_num_quant from,
                      lb_num_quant to, int bits)
{
    lb_num_requant r = lb_num_requant_params(s, lb_scale_rounding(context->profile), from, to);
    lb_steps_enter(s, LB_PART_REQUANTIZE, "numerics.md 7.2");
    lb_num d =
        lb_num_sub_zero_point(s, x, from.zero_point, 32, LB_SITE_CONVERT_D_WITHOUT_THE_ZERO_POINT);
    lb_num e1 = lb_num_norm(s, d, 32, LB_SITE_E1_REDUNDANT_SIGN_BITS_OF_D);
    lb_num e2 = lb_num_norm(s, r.scale, 32, LB_SITE_E2_REDUNDANT_SIGN_BITS_OF_THE_SCALE);
    lb_num wide_d = lb_num_shl(s, d, e1, 32, LB_SITE_D_FILLING_32_BITS);
    lb_num wide_scale = lb_num_shl(s, r.scale, e2, 32, LB_SITE_SCALE_FILLING_32_BITS);
    lb_num product = lb_num_mul(s, wide_d, wide_scale, LB_SITE_CONVERT_PRODUCT);
    if (context->profile->at.value[LB_FEATURE_WIDE_PRODUCT] == LB_WIDE_PRODUCT_ALL) {
        return all_bits(s, context, product, lb_num_add(s, e1, e2, 0, LB_SITE_E1_AND_E2), r.shift,
                        to, bits);
    }
    lb_num high = lb_num_asr(s, product, lb_num_const(32), 64, LB_SITE_H_ITS_HIGH_HALF);
    lb_num n = lb_num_min(s, r.shift, lb_num_const(63), LB_SITE_SHIFT_AT_MOST_63);
    lb_num sum = lb_num_add(s, n, e1, 0, LB_SITE_SHIFT_AND_E1);
    sum = lb_num_add(s, sum, e2, 0, LB_SITE_SHIFT_E1_AND_E2);
    lb_num left = lb_num_sub(s, sum, lb_num_const(32), 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    lb_num a =
        lb_num_down(s, context->profile, high, left, 0, 32, LB_SITE_A_IN_STEPS_OF_THE_OUTPUT);
    return in_container(s, context, a, to.zero_point, bits);
}

/* numerics.md 7.3: single precision, each operation rounded by itself */
static lb_num quantize(lb_steps *s, const lb_context *context, lb_num x, lb_num_quant to, int bits)
{
    lb_steps_enter(s, LB_PART_REQUANTIZE, "numerics.md 7.3");
    lb_num scale = lb_float_from(s, to.scale, LB_SITE_SCALE);
    lb_num inverse = lb_float_div(s, lb_float_const(1.0f), scale, LB_SITE_1_OVER_SCALE);
    lb_num k = lb_float_scale(s, inverse, to.frac, LB_SITE_K_STEPS_OF_THE_OUTPUT_IN_1);
    lb_num t = lb_float_mul(s, x, k, LB_SITE_T_IN_STEPS_OF_THE_OUTPUT);
    lb_num half = lb_float_const(lb_float_of(x) > 0.0f ? 0.5f : -0.5f);
    lb_num u = lb_float_add(s, t, half, LB_SITE_U_ONE_HALF_AWAY_FROM_ZERO);
    lb_num v = lb_float_truncate(s, u, LB_SITE_V_TOWARDS_ZERO);
    return in_container(s, context, v, to.zero_point, bits);
}

static lb_num dequantize(lb_steps *s, lb_num x, lb_num_quant from)
{
    lb_steps_enter(s, LB_PART_REQUANTIZE, "numerics.md 7.3");
    lb_num d =
        lb_num_sub_zero_point(s, x, from.zero_point, 32, LB_SITE_CONVERT_WITHOUT_THE_ZERO_POINT);
    lb_num minus = lb_num_sub(s, lb_num_const(0), from.frac, 0, LB_SITE_MINUS_N);
    lb_num k = lb_float_scale(s, lb_float_from(s, from.scale, LB_SITE_SCALE), minus,
                              LB_SITE_K_WHAT_ONE_STEP_IS_WORTH);
    return lb_float_mul(s, lb_float_from(s, d, LB_SITE_STEPS), k, LB_SITE_VALUE);
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

static lb_num_quant quant_of(lb_steps *s, const lb_tensor *t, lb_owner owner, size_t entry)
{
    return lb_num_quant_at(s, t, owner, lb_is_per_axis(t) ? (uint32_t)entry : 0);
}

/* fp32: the bit pattern. */
static lb_num element_of(lb_steps *s, const lb_tensor *src, const lb_map_cursor *e)
{
    const size_t offset = e->offset[LB_MAP_X];
    uint32_t index[LB_MAX_RANK];
    int32_t value = 0;
    if (src->el_type == LB_FP32)
        memcpy(&value, src->data.mem.pf32 + offset, sizeof value);
    else
        value = lb_load(src, offset);
    if (!s)
        return lb_num_const(value);
    lb_cursor_index(e, LB_MAP_X, index);
    return lb_steps_loaded(s, src, LB_NAMED(IN), offset, index, value);
}

static lb_num converted(const lb_context *context, const lb_tensor *src, const lb_tensor *dst,
                        const lb_map_cursor *e, lb_steps *s)
{
    const int bits = lb_container_bits(dst->el_type);
    const bool wide = src->el_type == LB_SA32 || dst->el_type == LB_SA32;
    lb_num x = element_of(s, src, e);
    if (src->el_type == LB_FP32 && dst->el_type == LB_FP32)
        return lb_num_copy(s, x, LB_SITE_CONVERT_COPIED_AS_IT_IS);
    if (src->el_type == LB_FP32)
        return quantize(s, context, x, quant_of(s, dst, LB_OWNER_OUT, e->offset[LB_MAP_SCALE_OUT]),
                        bits);
    lb_num_quant from = quant_of(s, src, LB_OWNER_IN, e->offset[LB_MAP_SCALE]);
    if (dst->el_type == LB_FP32)
        return dequantize(s, x, from);
    lb_num_quant to = quant_of(s, dst, LB_OWNER_OUT, e->offset[LB_MAP_SCALE_OUT]);
    return (wide ? wide_to : narrow_to)(s, context, x, from, to, bits);
}

/* Every element is read before its place is written, so that dst may lie on src (numerics.md 7.4).
 */
void lb_exact_convert(const lb_context *context, lb_call *call)
{
    lb_tensor src = as_list(call->tensor[LB_ROLE_IN]);
    lb_tensor dst = as_list(call->tensor[LB_ROLE_OUT]);
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        lb_steps *s = lb_cursor_steps(&e, context->steps);
        lb_num_store(s, &dst, e.offset[LB_MAP_OUT], converted(context, &src, &dst, &e, s));
    }
}
