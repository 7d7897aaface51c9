/* sigmoid and tanh by table, elementwise. Spec: recurrent.md 4; names follow the formulas there. */
#include "activation.h"

#include "arith.h"
#include "lut.h"
#include "scale.h"
#include "view.h"

#include <math.h>

enum { SA8_INTERPOLATION_BITS = 8 };

lb_quant lb_activation_format(lb_activation activation, uint32_t el_type)
{
    if (lb_is_fx(el_type)) {
        return (lb_quant){1, lb_container_bits(el_type) - 1, 0};
    }
    return activation == LB_ACTIVATION_SIGM ? (lb_quant){1, 8, -128} : (lb_quant){1, 7, 0};
}

static int64_t activate_fx(lb_rounding rounding, lb_lut_kind kind, int32_t v, int frac, int bits)
{
    int64_t res = lb_lut_lookup(kind, rounding, v, frac);
    return bits == 16 ? res : lb_sat(lb_rsh(rounding, res, 8, 16), 8);
}

/* Always interpolates, with 8 bits below those of the table. */
static int64_t activate_sa8(lb_rounding rounding, lb_lut_kind kind, int32_t v, lb_quant in, lb_quant out)
{
    int frac = lb_luts[kind].in_frac_bits + SA8_INTERPOLATION_BITS;
    int64_t x = lb_rsh(rounding, ((int64_t)v - in.zero_point) * in.scale, in.frac - frac, 32);
    int64_t res = lb_lut_lookup(kind, rounding, x, frac);
    return lb_fx_to_sa8(rounding, res, lb_luts[kind].out_frac_bits - out.frac, out.zero_point);
}

void lb_activate(lb_rounding rounding, lb_activation activation, const lb_tensor *in, lb_tensor *out)
{
    lb_lut_kind kind = activation == LB_ACTIVATION_SIGM ? LB_LUT_SIGM : LB_LUT_TANH;
    lb_quant from = lb_quant_at(in, 0);
    lb_quant to = lb_activation_format(activation, in->el_type);
    int bits = lb_container_bits(in->el_type);
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i++) {
        int32_t v = lb_load(in, lb_offset_of_flat(in, i));
        int64_t y = lb_is_fx(in->el_type) ? activate_fx(rounding, kind, v, from.frac, bits)
                                          : activate_sa8(rounding, kind, v, from, to);
        lb_store(out, lb_offset_of_flat(out, i), y);
    }
    lb_set_quant(out, to);
}

double lb_activation_real(lb_activation activation, double x)
{
    switch (activation) {
    case LB_ACTIVATION_TANH:
        return tanh(x);
    case LB_ACTIVATION_SIGM:
        return 1.0 / (1.0 + exp(-x));
    default:
        return x;
    }
}
