/* The average of a window as one multiplication and one shift. Spec: pooling_and_movement.md 2.4 to 2.6. */
#include "pool_divisor.h"

#include "scale.h"

static int bit_length(int64_t v)
{
    return 63 - lb_norm(v, 64);
}

/* 1 / n ~ factor * 2^-shift, rounded down; factor has 15 bits (2.4). */
static lb_pool_divisor reciprocal(uint32_t n)
{
    int64_t v = ((int64_t)1 << 31) / n;
    int e = 32 - bit_length(v);
    return (lb_pool_divisor){.factor = lb_asr(lb_shl(v, e, 64), 17, 64), .shift = 14 + e};
}

/* 2.5 */
static lb_pool_divisor fx_divisor(const lb_call *call, uint32_t n)
{
    lb_pool_divisor d = reciprocal(n);
    d.shift += lb_quant_at(call->tensor[LB_ROLE_IN], 0).frac - lb_quant_at(call->tensor[LB_ROLE_OUT], 0).frac;
    return d;
}

/* 2.6. The numbers scale, sh and off there are those of numerics.md 5.1. */
static lb_pool_divisor sa8_divisor(lb_rounding rounding, const lb_call *call, uint32_t n)
{
    lb_requant r = lb_requant_params(rounding, lb_quant_at(call->tensor[LB_ROLE_IN], 0),
                                     lb_quant_at(call->tensor[LB_ROLE_OUT], 0));
    lb_pool_divisor one_nth = reciprocal(n);
    int64_t p = r.scale * one_nth.factor;
    int pn = bit_length(p) - 7; /* QUIRK: only 7 bits of the product survive */
    int shift = r.shift + one_nth.shift - pn;
    return (lb_pool_divisor){
        .factor = lb_sat(lb_rsh(rounding, p, pn, 32), 8),
        .start = lb_shl(r.offset, shift, 32),
        .shift = shift,
    };
}

lb_pool_divisor lb_pool_divisor_of(lb_rounding rounding, const lb_call *call, uint32_t n)
{
    return lb_is_sa(call->kernel->in_type) ? sa8_divisor(rounding, call, n) : fx_divisor(call, n);
}

lb_operands lb_pool_operands(uint32_t in_type)
{
    if (in_type == LB_FX16) {
        return LB_OPERANDS_16X16;
    }
    return in_type == LB_FX8 ? LB_OPERANDS_16X8 : LB_OPERANDS_8X8;
}
