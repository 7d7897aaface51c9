/* Distance to the real model: see tolerance.h. Formats: numerics.md 1. */
#include "tolerance.h"

#include <math.h>

static bool format_is_usable(const lb_tensor *t)
{
    if (!lb_is_fx(t->el_type) && !lb_is_sa(t->el_type))
        return false;
    if (lb_element_bytes(t->el_type) == 0)
        return false;
    return !lb_is_sa(t->el_type) || t->sa.dim < 0 || (uint32_t)t->sa.dim < t->rank;
}

bool lb_tolerance_measure(const lb_instance *exact, const lb_instance *port, lb_role role, const double *real,
                          lb_tolerance *tolerance)
{
    const lb_case_tensor *given = &exact->image->test_case->operand[role].tensors[0];
    const lb_tensor *format = &exact->tensors[role][0];
    const lb_tensor *got = &port->tensors[role][0];
    if (given->rank == 0 || given->has_buffer_elements || !got->data.mem.ptr || !format_is_usable(format))
        return false;
    lb_layout layout = lb_layout_of(given);
    int bits = lb_container_bits(format->el_type);
    double high = ldexp(1.0, bits - 1) - 1, low = -ldexp(1.0, bits - 1);
    double sum = 0, squares = 0, largest = 0;
    size_t count = lb_layout_count(&layout), counted = 0;
    size_t inner = 1; /* elements per step along the quantized axis */
    bool per_axis = lb_is_sa(format->el_type) && format->sa.dim >= 0;
    for (unsigned d = given->rank; per_axis && d-- > (unsigned)format->sa.dim + 1;)
        inner *= layout.shape[d];
    lb_quant quant = lb_quant_at(format, 0);
    for (size_t i = 0; i < count; i++) {
        if (per_axis)
            quant = lb_quant_at(format, (uint32_t)(i / inner % layout.shape[format->sa.dim]));
        if (quant.scale <= 0 || !isfinite(real[i]))
            continue;
        double ideal = ldexp(real[i] / quant.scale, quant.frac) + quant.zero_point;
        ideal = ideal > high ? high : ideal < low ? low : ideal;
        double error = lb_load(got, lb_layout_offset(&layout, i) / layout.element_bytes) - ideal;
        sum += error;
        squares += error * error;
        largest = fabs(error) > largest ? fabs(error) : largest;
        counted++;
    }
    if (counted == 0)
        return false;
    *tolerance = (lb_tolerance){.role = lb_role_name(role),
                                .elements = counted,
                                .max_steps = largest,
                                .mean_steps = sum / (double)counted,
                                .rms_steps = sqrt(squares / (double)counted)};
    return true;
}
