/* The GRU cell, to the last bit. Spec: recurrent.md 8, steps 1 to 9. `act` of the configuration is
 * ignored (a QUIRK). */
#include "cell_ops.h"
#include "core/view.h"
#include "models.h"
#include "recurrent.h"

enum { Z, R, N };

static const lb_quant intermediate_sa8 = {21, 9, 0}; /* step 0.041 */
enum { INTERMEDIATE_FRAC_BITS = 11 };

static const lb_origin z_origin = {LB_OWNER_Z, -1, true};
static const lb_origin r_origin = {LB_OWNER_R, -1, true};
static const lb_origin n_origin = {LB_OWNER_N, -1, true};
static const lb_origin reset_origin = {LB_OWNER_RESET_HIDDEN, -1, true};
static const lb_origin kept_origin = {LB_OWNER_KEPT_HIDDEN, -1, true};

static lb_cell_place place_of(const lb_recurrent *run, lb_part part, lb_origin a, lb_origin b,
                              lb_owner out)
{
    return (lb_cell_place){run->steps, run->unit, part, "recurrent.md 6, 8", a, b, out};
}

/* Steps 6 to 8: the new information, as much of it as is taken. */
static void take_new(lb_recurrent *run, const lb_tensor *reset_hidden, lb_tensor *fresh)
{
    lb_recurrent_gate(run, N, reset_hidden, reset_origin);
    lb_cell_place place = place_of(run, LB_PART_STATE_NEW, n_origin,
                                   (lb_origin){LB_OWNER_COMPLEMENT, -1, true}, LB_OWNER_OUT);
    lb_cell_mul(run->context->profile, &run->row[N], &run->row[Z], fresh, &place);
    lb_recurrent_tell(run, "(1-z)*n", fresh);
}

static void process_frame(lb_recurrent *run)
{
    const lb_profile *profile = run->context->profile;
    lb_quant out_format = lb_quant_at(&run->out, 0);
    lb_quant hidden_format = lb_quant_at(&run->h, 0);
    lb_origin hidden = lb_recurrent_hidden(run);
    lb_recurrent_gate(run, Z, &run->h, hidden);
    lb_recurrent_gate(run, R, &run->h, hidden);

    lb_tensor *reset = &run->row[R]; /* step 3: the row takes the hidden state's format */
    lb_tensor reset_hidden = lb_with_quant(reset, hidden_format);
    lb_cell_place reset_place =
        place_of(run, LB_PART_STATE_RESET, r_origin, hidden, reset_origin.owner);
    lb_cell_mul(profile, reset, &run->h, &reset_hidden, &reset_place);
    lb_recurrent_tell(run, "r*h", &reset_hidden);

    lb_tensor keep = lb_with_quant(
        &run->out, hidden_format); /* step 4; QUIRK: not in out's format in the first frame */
    lb_cell_place keep_place =
        place_of(run, LB_PART_STATE_KEPT, hidden, z_origin, kept_origin.owner);
    lb_cell_mul(profile, &run->h, &run->row[Z], &keep, &keep_place);
    lb_recurrent_tell(run, "z*h", &keep);

    lb_cell_place complement =
        place_of(run, LB_PART_STATE_COMPLEMENT, z_origin, z_origin, LB_OWNER_Z); /* step 5 */
    lb_cell_complement(&run->row[Z], &complement);
    lb_recurrent_tell(run, "1-z", &run->row[Z]);

    lb_tensor fresh = lb_with_quant(&run->row[N], out_format);
    take_new(run, &reset_hidden, &fresh);

    lb_cell_place sum = place_of(run, LB_PART_STATE_SUM, (lb_origin){LB_OWNER_OUT, -1, true},
                                 kept_origin, LB_OWNER_OUT); /* step 9 */
    lb_cell_add(profile, &fresh, &keep, &run->out, &sum);
    lb_recurrent_tell(run, "out", &run->out);
}

void lb_exact_gru(const lb_context *context, lb_call *call)
{
    lb_recurrent run = lb_recurrent_start(context, call, lb_gru_gates, LB_GRU_GATES,
                                          intermediate_sa8, INTERMEDIATE_FRAC_BITS);
    for (unsigned frame = 0; frame < run.frames; frame++) {
        lb_recurrent_enter_frame(&run, frame);
        process_frame(&run);
    }
    lb_recurrent_finish(&run);
}
