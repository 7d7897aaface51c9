/* sigmoid and tanh by table, elementwise. Spec: recurrent.md 4; names follow the formulas there. */
#include "activation.h"

#include "core/lut.h"
#include "core/result.h"
#include "core/view.h"

#include <math.h>

enum { SA8_INTERPOLATION_BITS = 8 };

lb_quant lb_activation_format(lb_activation activation, uint32_t el_type)
{
    if (lb_is_fx(el_type))
        return (lb_quant){1, lb_container_bits(el_type) - 1, 0};
    return activation == LB_ACTIVATION_SIGM ? (lb_quant){1, 8, -128} : (lb_quant){1, 7, 0};
}

static lb_num activate_fx(lb_steps *s, const lb_profile *profile, lb_lut_kind kind, lb_num v,
                          lb_num frac, int bits)
{
    lb_num res = lb_num_lut(s, kind, profile, v, frac);
    if (bits == 16)
        return lb_num_lowest(s, profile, res, 16);
    lb_num y = lb_num_rsh(s, profile->rounding, res, lb_num_const(8), 16,
                          LB_SITE_ACTIVATION_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_container(s, profile, y, 8);
}

/* Always interpolates, with 8 bits below those of the table. */
static lb_num activate_sa8(lb_steps *s, const lb_profile *profile, lb_lut_kind kind, lb_num v,
                           lb_num_quant in, lb_quant out)
{
    lb_num frac = lb_num_const(lb_luts[kind].in_frac_bits + SA8_INTERPOLATION_BITS);
    lb_num d =
        lb_num_sub_zero_point(s, v, in.zero_point, 0, LB_SITE_ACTIVATION_WITHOUT_THE_ZERO_POINT);
    lb_num scaled = lb_num_mul(s, d, in.scale, LB_SITE_ACTIVATION_TIMES_THE_SCALE);
    lb_num shift = lb_num_sub(s, in.frac, frac, 0, LB_SITE_ACTIVATION_SHIFT_TO_THE_TABLES_ARGUMENT);
    lb_num x = lb_num_rsh(s, lb_inner_rounding(profile), scaled, shift, 32,
                          LB_SITE_X_ARGUMENT_OF_THE_TABLE);
    lb_num res = lb_num_lut(s, kind, profile, x, frac);
    lb_num down = lb_num_const(lb_luts[kind].out_frac_bits - out.frac);
    return lb_num_fx_to_sa8(s, profile, res, down, lb_num_const(out.zero_point));
}

lb_num lb_activated(const lb_profile *profile, lb_activation activation, uint32_t el_type,
                    lb_num_quant from, lb_num v, lb_steps *s)
{
    lb_lut_kind kind = activation == LB_ACTIVATION_SIGM ? LB_LUT_SIGM : LB_LUT_TANH;
    return lb_is_fx(el_type)
               ? activate_fx(s, profile, kind, v, from.frac, lb_container_bits(el_type))
               : activate_sa8(s, profile, kind, v, from, lb_activation_format(activation, el_type));
}

void lb_activation_enter(lb_activation activation, lb_steps *steps)
{
    lb_steps_enter(steps, activation == LB_ACTIVATION_SIGM ? LB_PART_SIGM : LB_PART_TANH,
                   "recurrent.md 4");
}

void lb_activate(const lb_profile *profile, lb_activation activation, const lb_tensor *in,
                 lb_tensor *out, lb_activation_place place)
{
    lb_num_quant from = lb_num_quant_known(place.steps, in, place.in.owner, place.known);
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i++) {
        lb_steps *s = lb_steps_wants(place.element, i) ? place.steps : NULL;
        lb_activation_enter(activation, s);
        lb_num v = lb_num_at_flat(s, in, place.in, i);
        lb_num y = lb_activated(profile, activation, in->el_type, from, v, s);
        lb_num_store(s, out, lb_offset_of_flat(out, i), y);
    }
    lb_set_quant(out, lb_activation_format(activation, in->el_type));
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
