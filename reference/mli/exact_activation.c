/* Exact models of sigm and tanh. Spec: recurrent.md 4. */
#include "core/view.h"
#include "describe/activation.h"
#include "describe/map_cursor.h"
#include "models.h"

void lb_exact_activation(const lb_context *context, lb_call *call)
{
    const lb_activation activation =
        call->kernel->family == LB_FAMILY_SIGM ? LB_ACTIVATION_SIGM : LB_ACTIVATION_TANH;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_steps *steps = lb_steps_of(context->steps, LB_ROLE_OUT);
    lb_num_quant from = lb_num_quant_at(steps, in, LB_OWNER_IN, 0);
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        lb_steps *s = lb_cursor_steps(&e, steps);
        lb_activation_enter(activation, s);
        lb_num v = lb_cursor_load(&e, LB_MAP_X, LB_NAMED(IN), s);
        lb_cursor_store(&e, s, lb_activated(context->profile, activation, in->el_type, from, v, s));
    }
    lb_set_quant(call->tensor[LB_ROLE_OUT], lb_activation_format(activation, in->el_type));
}
