/* Real-number pieces that several real models share. Spec: conv.md 15, elementwise.md 3,
 * numerics.md 5, 6. */
#include "real_values.h"

#include "core/arith.h"

#include <math.h>

void lb_real_put(const lb_real_outputs *outputs, lb_role role, size_t index, double real,
                 lb_span containers, int bits)
{
    if (outputs->value[role])
        outputs->value[role][index] = real;
    if (outputs->span[role])
        outputs->span[role][index] = lb_span_saturated(containers, bits);
}

void lb_real_put_as(const lb_real_outputs *outputs, lb_role role, size_t index, lb_quant format,
                    lb_span containers, int bits)
{
    double real = (containers.value - format.zero_point) * lb_real_step(format);
    lb_real_put(outputs, role, index, real, containers, bits);
}

bool lb_real_wants(const lb_real_outputs *outputs, lb_role role)
{
    return outputs->value[role] || outputs->span[role];
}

double lb_real_relu_of(int32_t type, double v, lb_quant format, int bits)
{
    double highest = (double)lb_max_of(bits) * lb_real_step(format);
    double one = format.frac >= 30 ? highest : 1.0;
    double six = format.frac >= 28 ? highest : 6.0;
    switch (type) {
    case 1:
        return fmax(v, 0.0);
    case 2:
        return fmin(fmax(v, -one), one);
    case 3:
        return fmin(fmax(v, 0.0), six);
    default:
        return v;
    }
}

double lb_real_step(lb_quant format)
{
    return format.scale * lb_power_of_two(-format.frac);
}

double lb_real_steps_between(lb_quant from, lb_quant to)
{
    return (double)from.scale / to.scale * lb_power_of_two(to.frac - from.frac);
}

double lb_real_ratio_error(lb_rounding rounding)
{
    bool cuts = rounding == LB_ROUND_ZERO || rounding == LB_ROUND_FLOOR;
    return lb_power_of_two(rounding == LB_ROUND_UP ? -15 : cuts ? -13 : -14);
}
