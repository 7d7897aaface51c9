/* Real models of sigm and tanh. Spec: recurrent.md 4 (float reference). */
#include "describe/activation.h"
#include "models.h"
#include "real_lut.h"
#include "real_values.h"

void lb_real_activation(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    lb_activation activation =
        call->kernel->family == LB_FAMILY_SIGM ? LB_ACTIVATION_SIGM : LB_ACTIVATION_TANH;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_quant from = lb_quant_at(in, 0);
    lb_quant to = lb_activation_format(activation, in->el_type);
    size_t count = lb_real_wants(outputs, LB_ROLE_OUT) ? lb_element_count(in) : 0;
    for (size_t i = 0; i < count; i++) {
        double d = lb_load_fine(in, lb_offset_of_flat(in, i)) - from.zero_point;
        double real = lb_activation_real(activation, d * lb_real_step(from));
        lb_span y = lb_real_activated(context->profile->rounding, activation, lb_span_of(d), from,
                                      in->el_type);
        lb_real_put(outputs, LB_ROLE_OUT, i, real, lb_span_moved(y, to.zero_point),
                    lb_container_bits(in->el_type));
    }
}
