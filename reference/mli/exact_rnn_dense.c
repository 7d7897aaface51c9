/* rnn_dense, to the last bit. Spec: recurrent.md 5. */
#include "dense.h"
#include "models.h"

/* What the pairs, their inputs and their weights are called. */
static const lb_step_term pair[] = {LB_TERM_IN0, LB_TERM_IN1, LB_TERM_IN2, LB_TERM_IN3};
static const lb_owner input[] = {LB_OWNER_IN_0, LB_OWNER_IN_1, LB_OWNER_IN_2, LB_OWNER_IN_3};
static const lb_owner weights[] = {LB_OWNER_WEIGHTS_0, LB_OWNER_WEIGHTS_1, LB_OWNER_WEIGHTS_2,
                                   LB_OWNER_WEIGHTS_3};

void lb_exact_rnn_dense(const lb_context *context, lb_call *call)
{
    lb_dense_term terms[4];
    unsigned count = call->config.inputs_num; /* 1..4: a rule */
    for (unsigned j = 0; j < count; j++) {
        terms[j] = (lb_dense_term){
            .name = pair[j],
            .x = &call->tensor[LB_ROLE_IN][j],
            .weights = &call->tensor[LB_ROLE_WEIGHTS][j],
            .x_origin = {input[j], -1, false},
            .weights_origin = {weights[j], -1, false},
            .weights_entry = -1,
        };
    }
    lb_dense_place place = {
        .steps = lb_steps_of(context->steps, LB_ROLE_OUT),
        .bias = {LB_OWNER_BIAS, -1, false},
        .out = LB_OWNER_OUT,
    };
    place.unit = place.steps ? (uint32_t)place.steps->element : 0;
    lb_dense(context, terms, count, call->tensor[LB_ROLE_BIAS], call->tensor[LB_ROLE_OUT], place);
}
