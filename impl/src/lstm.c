/* mli_krn_lstm_cell_* (recurrent.md 7). */
#include "api/mli_kernels_api.h"
#include "profile.h"
#include "rnn_cell.h"

enum gate { INPUT, NEW, FORGET, OUTPUT, GATES }; /* i, g, f, o */

static const struct lb_mli_cell_ir ir = {10, {1, 0, 4}};

/* Steps 3 to 6 of the table in recurrent.md 7, planned. */
struct steps {
    struct lb_mli_eltwise forget; /* cell * f */
    struct lb_mli_eltwise admit;  /* g * i */
    struct lb_mli_eltwise add;    /* cell + g * i */
    struct lb_mli_eltwise show;   /* act(cell) * o */
    bool activates;
    struct lb_mli_activation act; /* of the cell */
};

static void plan_steps(const struct lb_mli_cell *cell, struct steps *steps)
{
    const struct lb_mli_cell_call *call = cell->call;
    const struct lb_mli_quant qc = lb_mli_quant_at(call->cell, 0);
    const struct lb_mli_quant sigm = cell->sigm_format, tanh = cell->tanh_format;
    struct lb_mli_quant shown = qc;
    steps->activates = call->cfg->act == RNN_ACT_TANH || call->cfg->act == RNN_ACT_SIGM;
    if (steps->activates) {
        const bool is_tanh = call->cfg->act == RNN_ACT_TANH;
        lb_mli_activation_plan(is_tanh ? LB_MLI_TANH : LB_MLI_SIGM, cell->kind,
                               is_tanh ? call->tanh_lut : call->sigm_lut, qc,
                               (uint64_t)cell->cols * lb_mli_cell_frames(cell), cell->round,
                               &steps->act);
        shown = is_tanh ? tanh : sigm;
    }
    lb_mli_cell_eltwise(cell, LB_MLI_MUL, qc, sigm, qc, &steps->forget);
    lb_mli_cell_eltwise(cell, LB_MLI_MUL, tanh, sigm, tanh, &steps->admit);
    lb_mli_cell_eltwise(cell, LB_MLI_ADD, qc, tanh, qc, &steps->add);
    lb_mli_cell_eltwise(cell, LB_MLI_MUL, shown, sigm, cell->out_format, &steps->show);
}

/* Frame number t: the hidden state in, the new hidden state out, which may lie on the old one. */
static void run_frame(const struct lb_mli_cell *cell, const struct steps *steps, size_t t,
                      const void *hidden, void *out)
{
    const size_t n = cell->cols;
    void *const state = cell->call->cell->data.mem.pi8;
    void *row[GATES];
    lb_mli_cell_gates(cell, 0, GATES, t, hidden);
    for (uint32_t g = 0; g < GATES; g++) {
        row[g] = lb_mli_cell_row(cell, g);
        lb_mli_cell_activate(cell, g, g == NEW ? &cell->tanh : &cell->sigm);
    }
    lb_mli_eltwise_run(&steps->forget, state, row[FORGET], n, state);
    lb_mli_eltwise_run(&steps->admit, row[NEW], row[INPUT], n, row[NEW]);
    lb_mli_eltwise_run(&steps->add, state, row[NEW], n, state);
    if (steps->activates)
        lb_mli_activation_run(&steps->act, state, n, out);
    lb_mli_eltwise_run(&steps->show, steps->activates ? out : state, row[OUTPUT], n, out);
}

static mli_status lstm(const struct lb_mli_cell_call *call)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    LB_MLI_CHECK(lb_mli_check_cell(call, lb_mli_profile_round(profile)));
    struct lb_mli_cell cell;
    struct steps steps;
    lb_mli_cell_plan(call, ir, lb_mli_quant_at, profile, &cell);
    plan_steps(&cell, &steps);
    lb_mli_cell_hidden(&cell, lb_mli_quant_at(call->prev_out, 0));
    const void *hidden = call->prev_out->data.mem.pi8;
    for (size_t t = 0; t < lb_mli_cell_frames(&cell); t++) {
        void *out = lb_mli_cell_out(&cell, t);
        if (t == 1)
            lb_mli_cell_hidden(&cell, cell.out_format);
        run_frame(&cell, &steps, t, hidden, out);
        hidden = out;
    }
    lb_mli_cell_set_out(&cell);
    lb_mli_cell_end(&cell);
    return MLI_STATUS_OK;
}

#define KERNEL(name, variant)                                                                      \
    mli_status name(const mli_tensor *in, const mli_tensor *prev_out,                              \
                    const mli_tensor *weights_in, const mli_tensor *weights_out,                   \
                    const mli_tensor *bias, const mli_lut *tanh_lut, const mli_lut *sigm_lut,      \
                    const mli_rnn_cell_cfg *cfg, mli_tensor *cell, mli_tensor *out)                \
    {                                                                                              \
        return lstm(&(struct lb_mli_cell_call){variant, GATES, in, prev_out, weights_in,           \
                                               weights_out, bias, tanh_lut, sigm_lut, cfg, cell,   \
                                               out});                                              \
    }

KERNEL(mli_krn_lstm_cell_fx16, LB_MLI_V_FX16)
KERNEL(mli_krn_lstm_cell_fx16_fx8_fx8, LB_MLI_V_FX16_FX8)
KERNEL(mli_krn_lstm_cell_sa8_sa8_sa32, LB_MLI_V_SA8)
