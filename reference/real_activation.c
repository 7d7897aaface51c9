/* Real models of sigm and tanh. Spec: recurrent.md 4 (float reference). */
#include "activation.h"
#include "models.h"

void lb_real_activation(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    bool sigm = call->kernel->family == LB_FAMILY_SIGM;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    double *value = outputs->value[LB_ROLE_OUT];
    size_t count = value != NULL ? lb_element_count(in) : 0;
    for (size_t i = 0; i < count; i++) {
        double x = lb_load_real(in, lb_offset_of_flat(in, i), 0);
        value[i] = lb_activation_real(sigm ? LB_ACTIVATION_SIGM : LB_ACTIVATION_TANH, x);
    }
}
