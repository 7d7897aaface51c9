/* The LSTM cell, to the last bit. Spec: recurrent.md 7, steps 1 to 6. */
#include "cell_ops.h"
#include "models.h"
#include "recurrent.h"
#include "view.h"

enum { I, G, F, O };

static const lb_quant intermediate_sa8 = {1, 4, 0}; /* step 1/16 */
enum { INTERMEDIATE_FRAC_BITS = 10 };

/* Steps 3 to 5: what is kept of the cell, and what is new. */
static void update_cell(lb_recurrent *run, lb_tensor *cell)
{
    lb_rounding rounding = run->context->profile->rounding;
    lb_cell_mul(rounding, cell, &run->row[F], cell);
    lb_recurrent_tell(run, "f*cell", cell);
    lb_cell_mul(rounding, &run->row[G], &run->row[I], &run->row[G]); /* stays in g's format */
    lb_recurrent_tell(run, "i*g", &run->row[G]);
    lb_cell_add(rounding, cell, &run->row[G], cell);
    lb_recurrent_tell(run, "cell", cell);
}

/* Step 6: the result of the frame. An activated cell stands in the out row before the result does. */
static void emit(lb_recurrent *run, const lb_tensor *cell)
{
    lb_rounding rounding = run->context->profile->rounding;
    int32_t act = run->call->config.act;
    if (act != LB_ACTIVATION_TANH && act != LB_ACTIVATION_SIGM) {
        lb_cell_mul(rounding, cell, &run->row[O], &run->out);
    } else {
        lb_tensor activated = run->out;
        lb_activate(rounding, (lb_activation)act, cell, &activated);
        lb_recurrent_tell(run, "act(cell)", &activated);
        lb_cell_mul(rounding, &activated, &run->row[O], &run->out);
    }
    lb_recurrent_tell(run, "out", &run->out);
}

void lb_exact_lstm(const lb_context *context, lb_call *call)
{
    lb_recurrent run =
        lb_recurrent_start(context, call, lb_lstm_gates, LB_LSTM_GATES, intermediate_sa8, INTERMEDIATE_FRAC_BITS);
    for (unsigned frame = 0; frame < run.frames; frame++) {
        lb_recurrent_enter_frame(&run, frame);
        for (unsigned gate = 0; gate < LB_LSTM_GATES; gate++) {
            lb_recurrent_gate(&run, gate, &run.h);
        }
        update_cell(&run, call->tensor[LB_ROLE_CELL]);
        emit(&run, call->tensor[LB_ROLE_CELL]);
    }
    lb_recurrent_finish(&run);
}
