/* rnn_dense, to the last bit. Spec: recurrent.md 5. */
#include "dense.h"
#include "models.h"

static const char *const term_names[] = {"in0", "in1", "in2", "in3"};

void lb_exact_rnn_dense(const lb_context *context, lb_call *call)
{
    lb_dense_term terms[4];
    unsigned count = call->config.inputs_num; /* 1..4: a rule */
    for (unsigned j = 0; j < count; j++) {
        terms[j] = (lb_dense_term){term_names[j], &call->tensor[LB_ROLE_IN][j], &call->tensor[LB_ROLE_WEIGHTS][j]};
    }
    lb_dense(context, terms, count, call->tensor[LB_ROLE_BIAS], call->tensor[LB_ROLE_OUT], (lb_dense_place){NULL, 0});
}
