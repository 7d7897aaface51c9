/* rnn_dense, to the last bit. Spec: recurrent.md 5. */
#include "dense.h"
#include "models.h"

/* Names of the pairs, of their inputs and of their weights. */
static const char *const term_names[] = {"in0", "in1", "in2", "in3"};
static const char *const in_names[] = {"in[0]", "in[1]", "in[2]", "in[3]"};
static const char *const weights_names[] = {"weights[0]", "weights[1]", "weights[2]", "weights[3]"};

void lb_exact_rnn_dense(const lb_context *context, lb_call *call)
{
    lb_dense_term terms[4];
    unsigned count = call->config.inputs_num; /* 1..4: a rule */
    for (unsigned j = 0; j < count; j++) {
        terms[j] = (lb_dense_term){
            .name = term_names[j],
            .x = &call->tensor[LB_ROLE_IN][j],
            .weights = &call->tensor[LB_ROLE_WEIGHTS][j],
            .x_origin = {in_names[j], -1, false},
            .weights_origin = {weights_names[j], -1, false},
            .weights_entry = -1,
        };
    }
    lb_dense_place place = {
        .steps = lb_steps_of(context->steps, LB_ROLE_OUT),
        .bias = {"bias", -1, false},
        .out = "out",
    };
    place.unit = place.steps ? (uint32_t)place.steps->element : 0;
    lb_dense(context, terms, count, call->tensor[LB_ROLE_BIAS], call->tensor[LB_ROLE_OUT], place);
}
