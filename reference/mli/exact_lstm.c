/* The LSTM cell, to the last bit. Spec: recurrent.md 7, steps 1 to 6. */
#include "cell_ops.h"
#include "core/view.h"
#include "models.h"
#include "recurrent.h"

enum { I, G, F, O };

static const lb_quant intermediate_sa8 = {1, 4, 0}; /* step 1/16 */
enum { INTERMEDIATE_FRAC_BITS = 10 };

static const lb_origin cell_origin = {LB_OWNER_CELL, -1, false};

static lb_cell_place place_of(const lb_recurrent *run, lb_part part, lb_origin a, lb_origin b,
                              lb_owner out)
{
    return (lb_cell_place){run->steps, run->unit, part, "recurrent.md 6, 7", a, b, out};
}

static lb_origin row_origin(const lb_recurrent *run, unsigned row)
{
    return (lb_origin){run->gates[row].vector, -1, true};
}

/* Steps 3 to 5: what is kept of the cell, and what is new. */
static void update_cell(lb_recurrent *run, lb_tensor *cell)
{
    const lb_profile *profile = run->context->profile;
    lb_cell_place keep =
        place_of(run, LB_PART_CELL_KEPT, cell_origin, row_origin(run, F), LB_OWNER_CELL);
    lb_cell_mul(profile, cell, &run->row[F], cell, &keep);
    lb_recurrent_tell(run, "f*cell", cell);
    lb_cell_place fresh =
        place_of(run, LB_PART_CELL_NEW, row_origin(run, G), row_origin(run, I), LB_OWNER_G);
    lb_cell_mul(profile, &run->row[G], &run->row[I], &run->row[G],
                &fresh); /* stays in g's format */
    lb_recurrent_tell(run, "i*g", &run->row[G]);
    lb_cell_place sum =
        place_of(run, LB_PART_CELL_SUM, cell_origin, row_origin(run, G), LB_OWNER_CELL);
    lb_cell_add(profile, cell, &run->row[G], cell, &sum);
    lb_recurrent_tell(run, "cell", cell);
}

/* Step 6: the result of the frame. An activated cell stands in the out row before the result does.
 */
static void emit(lb_recurrent *run, const lb_tensor *cell)
{
    const lb_profile *profile = run->context->profile;
    int32_t act = run->call->config.act;
    if (act != LB_ACTIVATION_TANH && act != LB_ACTIVATION_SIGM) {
        lb_cell_place out =
            place_of(run, LB_PART_CELL_RESULT, cell_origin, row_origin(run, O), LB_OWNER_OUT);
        lb_cell_mul(profile, cell, &run->row[O], &run->out, &out);
    } else {
        lb_tensor activated = run->out;
        lb_activation_place activation = {run->steps, run->unit, cell_origin};
        lb_activate(profile, (lb_activation)act, cell, &activated, activation);
        lb_recurrent_tell(run, "act(cell)", &activated);
        lb_origin activated_origin = {LB_OWNER_ACTIVATED_CELL, -1, true};
        lb_cell_place out = place_of(run, LB_PART_ACTIVATED_RESULT, activated_origin,
                                     row_origin(run, O), LB_OWNER_OUT);
        lb_cell_mul(profile, &activated, &run->row[O], &run->out, &out);
    }
    lb_recurrent_tell(run, "out", &run->out);
}

void lb_exact_lstm(const lb_context *context, lb_call *call)
{
    lb_recurrent run = lb_recurrent_start(context, call, lb_lstm_gates, LB_LSTM_GATES,
                                          intermediate_sa8, INTERMEDIATE_FRAC_BITS);
    for (unsigned frame = 0; frame < run.frames; frame++) {
        lb_recurrent_enter_frame(&run, frame);
        for (unsigned gate = 0; gate < LB_LSTM_GATES; gate++)
            lb_recurrent_gate(&run, gate, &run.h, lb_recurrent_hidden(&run));
        update_cell(&run, call->tensor[LB_ROLE_CELL]);
        emit(&run, call->tensor[LB_ROLE_CELL]);
    }
    lb_recurrent_finish(&run);
}
