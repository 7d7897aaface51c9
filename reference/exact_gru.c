/* The GRU cell, to the last bit. Spec: recurrent.md 8, steps 1 to 9. `act` of the configuration is ignored (a
 * QUIRK). */
#include "cell_ops.h"
#include "models.h"
#include "recurrent.h"
#include "view.h"

enum { Z, R, N };

static const lb_quant intermediate_sa8 = {21, 9, 0}; /* step 0.041 */
enum { INTERMEDIATE_FRAC_BITS = 11 };

static void process_frame(lb_recurrent *run)
{
    lb_rounding rounding = run->context->profile->rounding;
    lb_quant out_format = lb_quant_at(&run->out, 0);
    lb_quant hidden_format = lb_quant_at(&run->h, 0);
    lb_recurrent_gate(run, Z, &run->h);
    lb_recurrent_gate(run, R, &run->h);

    lb_tensor *reset = &run->row[R]; /* step 3: the row takes the hidden state's format */
    lb_tensor reset_hidden = lb_with_quant(reset, hidden_format);
    lb_cell_mul(rounding, reset, &run->h, &reset_hidden);
    lb_recurrent_tell(run, "r*h", &reset_hidden);

    lb_tensor keep =
        lb_with_quant(&run->out, hidden_format); /* step 4; QUIRK: not in out's format in the first frame */
    lb_cell_mul(rounding, &run->h, &run->row[Z], &keep);
    lb_recurrent_tell(run, "z*h", &keep);

    lb_cell_complement(&run->row[Z]); /* step 5 */
    lb_recurrent_tell(run, "1-z", &run->row[Z]);

    lb_recurrent_gate(run, N, &reset_hidden); /* steps 6, 7 */
    lb_tensor fresh = lb_with_quant(&run->row[N], out_format);
    lb_cell_mul(rounding, &run->row[N], &run->row[Z], &fresh);
    lb_recurrent_tell(run, "(1-z)*n", &fresh);

    lb_cell_add(rounding, &fresh, &keep, &run->out); /* step 9 */
    lb_recurrent_tell(run, "out", &run->out);
}

void lb_exact_gru(const lb_context *context, lb_call *call)
{
    lb_recurrent run =
        lb_recurrent_start(context, call, lb_gru_gates, LB_GRU_GATES, intermediate_sa8, INTERMEDIATE_FRAC_BITS);
    for (unsigned frame = 0; frame < run.frames; frame++) {
        lb_recurrent_enter_frame(&run, frame);
        process_frame(&run);
    }
    lb_recurrent_finish(&run);
}
