/* mli_krn_gru_cell_* (recurrent.md 8). */
#include "api/mli_kernels_api.h"
#include "check.h"
#include "profile.h"
#include "rnn_cell.h"

enum gate { UPDATE, RESET, NEW, GATES }; /* z, r, n */

static const struct lb_mli_cell_ir ir = {11, {21, 0, 9}};

/* Gate n has its own parameters per gate, but per tensor the original changes them: scale + 4,
 * shift + 2, which makes the sums of that gate about a quarter of what they should be (recurrent.md
 * 8). */
static struct lb_mli_quant gate_weights(const mli_tensor *weights, uint32_t gate)
{
    struct lb_mli_quant q = lb_mli_quant_at(weights, gate);
    if (gate == NEW && lb_mli_is_sa(weights) && !lb_mli_per_axis(weights)) {
        q.scale = (int16_t)(q.scale + 4);
        q.shift = (int8_t)(q.shift + 2);
    }
    return q;
}

/* Steps 3, 4, 8 and 9 of the table in recurrent.md 8, planned. The first two and the last depend on
 * the format of the hidden state. */
struct steps {
    struct lb_mli_eltwise reset; /* r * h */
    struct lb_mli_eltwise keep;  /* h * z */
    struct lb_mli_eltwise admit; /* n * (1 - z) */
    struct lb_mli_eltwise add;   /* n * (1 - z) + h * z */
};

static void plan_steps(struct lb_mli_cell *cell, struct lb_mli_quant hidden, struct steps *steps)
{
    const struct lb_mli_quant sigm = cell->sigm_format;
    lb_mli_cell_hidden(cell, hidden);
    lb_mli_cell_eltwise(cell, LB_MLI_MUL, sigm, hidden, hidden, &steps->reset);
    lb_mli_cell_eltwise(cell, LB_MLI_MUL, hidden, sigm, hidden, &steps->keep);
    lb_mli_cell_eltwise(cell, LB_MLI_MUL, cell->tanh_format, sigm, cell->out_format, &steps->admit);
    lb_mli_cell_eltwise(cell, LB_MLI_ADD, cell->out_format, hidden, cell->out_format, &steps->add);
}

/* v = 1 - v in the format of the sigmoid; in sa8 the largest number is 255/256. */
static void one_minus(const struct lb_mli_cell *cell, void *v)
{
    if (cell->kind == LB_MLI_SA8) {
        int8_t *z = v;
        for (size_t i = 0; i < cell->cols; i++)
            z[i] = (int8_t)(-1 - z[i]);
        return;
    }
    int16_t *z = v;
    for (size_t i = 0; i < cell->cols; i++)
        z[i] = (int16_t)lb_mli_min(INT16_MAX - z[i], INT16_MAX);
}

/* Frame number t: the hidden state in, the new hidden state out, which may lie on the old one. */
static void run_frame(const struct lb_mli_cell *cell, const struct steps *steps, size_t t,
                      const void *hidden, void *out)
{
    const size_t n = cell->cols;
    void *row[GATES];
    for (uint32_t g = 0; g < GATES; g++)
        row[g] = lb_mli_cell_row(cell, g);
    lb_mli_cell_gates(cell, UPDATE, NEW, t, hidden);
    for (uint32_t g = UPDATE; g <= RESET; g++)
        lb_mli_cell_activate(cell, g, &cell->sigm);
    lb_mli_eltwise_run(&steps->reset, row[RESET], hidden, n, row[RESET]);
    lb_mli_eltwise_run(&steps->keep, hidden, row[UPDATE], n, out);
    one_minus(cell, row[UPDATE]);
    lb_mli_cell_gates(cell, NEW, GATES, t, row[RESET]);
    lb_mli_cell_activate(cell, NEW, &cell->tanh);
    lb_mli_eltwise_run(&steps->admit, row[NEW], row[UPDATE], n, row[NEW]);
    lb_mli_eltwise_run(&steps->add, row[NEW], out, n, out);
}

static mli_status gru(const struct lb_mli_cell_call *call)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    LB_MLI_CHECK(lb_mli_check_cell(call, lb_mli_profile_round(profile)));
    struct lb_mli_cell cell;
    struct steps steps;
    lb_mli_cell_plan(call, ir, gate_weights, profile, &cell);
    plan_steps(&cell, lb_mli_quant_at(call->prev_out, 0), &steps);
    const void *hidden = call->prev_out->data.mem.pi8;
    for (size_t t = 0; t < lb_mli_cell_frames(&cell); t++) {
        void *out = lb_mli_cell_out(&cell, t);
        if (t == 1)
            plan_steps(&cell, cell.out_format, &steps);
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
                    const mli_rnn_cell_cfg *cfg, mli_tensor *out)                                  \
    {                                                                                              \
        return gru(&(struct lb_mli_cell_call){variant, GATES, in, prev_out, weights_in,            \
                                              weights_out, bias, tanh_lut, sigm_lut, cfg, NULL,    \
                                              out});                                               \
    }

KERNEL(mli_krn_gru_cell_fx16, LB_MLI_V_FX16)
KERNEL(mli_krn_gru_cell_fx16_fx8_fx8, LB_MLI_V_FX16_FX8)
KERNEL(mli_krn_gru_cell_sa8_sa8_sa32, LB_MLI_V_SA8)
