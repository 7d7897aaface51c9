/* The real models (real.h) of a call as everybody has it. */
#include "fields.h"
#include "models.h"
#include "real.h"

#include <stdlib.h>

/* Its containers go to *values, which moves on. */
static lb_lite_tensor tensor_of(const lb_tensor *t, double **values)
{
    lb_lite_tensor made = {.bits = 8 * (int)lb_element_bytes(t->el_type),
                           .rank = (int)t->rank,
                           .count = lb_element_count(t)};
    for (uint32_t d = 0; d < t->rank; d++)
        made.shape[d] = t->shape[d];
    made.values = *values;
    for (size_t i = 0; *values && i < made.count; i++)
        *(*values)++ = (double)lb_load_wide(t, i);
    return made;
}

static size_t input_count(const lb_call *call)
{
    size_t count = 0;
    for (const lb_role_spec *spec = call->kernel->roles; spec->use != LB_USE_NONE; spec++)
        if (spec->use == LB_USE_INPUT && call->tensor[spec->role])
            count += lb_element_count(call->tensor[spec->role]);
    return count;
}

static lb_lite_call call_of(const lb_context *context, const lb_call *call, double *values)
{
    lb_lite_call c = {.function = call->kernel->name, .single = context->profile->rounds_once};
    for (const lb_role_spec *spec = call->kernel->roles; spec->use != LB_USE_NONE; spec++)
        if (spec->use == LB_USE_INPUT && call->tensor[spec->role])
            c.input[spec->role] = tensor_of(call->tensor[spec->role], &values);
    values = NULL;
    c.out = tensor_of(call->tensor[LB_ROLE_OUT], &values);
    for (unsigned i = 0; i < LB_LITE_FIELD_COUNT; i++)
        c.key[i] = call->config.of_litert[i];
    return c;
}

/* Containers are the numbers that they stand for: the scale is no part of a call. */
void lb_lite_real_model(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    const size_t count = lb_element_count(call->tensor[LB_ROLE_OUT]);
    double *values = malloc((input_count(call) + 1) * sizeof *values);
    lb_span *spans = malloc((count + 1) * sizeof *spans);
    bool known = false;
    if (values && spans) {
        const lb_lite_call c = call_of(context, call, values);
        known = lb_lite_real(&c, spans);
    }
    for (size_t i = 0; i < count; i++) {
        const lb_span s = known ? spans[i] : lb_span_unknown((double)NAN);
        if (outputs->value[LB_ROLE_OUT])
            outputs->value[LB_ROLE_OUT][i] = s.value;
        if (outputs->span[LB_ROLE_OUT])
            outputs->span[LB_ROLE_OUT][i] = s;
    }
    free(values);
    free(spans);
}
