/* Plan and gates of recurrent cells (recurrent.md 6). Checks stand in rnn_check.c. */
#include "rnn_cell.h"

#include "check.h"
#include "rnn_panel.h"

/* Controllers leave the panels out of the program. */
static bool has_panels(const struct lb_mli_cell *cell)
{
    return !LB_MLI_SMALL && cell->panels;
}

void lb_mli_cell_plan(const struct lb_mli_cell_call *call, struct lb_mli_cell_ir ir,
                      lb_mli_gate_weights_fn *weights, enum lb_mli_profile profile,
                      struct lb_mli_cell *cell)
{
    const bool sa8 = call->variant == LB_MLI_V_SA8;
    const struct lb_mli_quant qi = lb_mli_quant_at(call->in, 0);
    const int32_t product_bits =
        qi.shift + lb_mli_quant_at(call->weights_in, 0).shift; /* fx: the same for all gates */
    const struct lb_mli_quant fx_ir = {1, 0, lb_mli_min(ir.fx_bits_max, product_bits)};
    cell->call = call;
    cell->kind = sa8 ? LB_MLI_SA8 : LB_MLI_FX16;
    cell->round = lb_mli_profile_round(profile);
    cell->size = lb_mli_element_size(call->in->el_type);
    cell->inputs = call->in->shape[1];
    cell->cols = call->prev_out->shape[0];
    cell->ir = sa8 ? ir.sa8 : fx_ir;
    cell->sigm_format = lb_mli_activation_format(LB_MLI_SIGM, cell->kind);
    cell->tanh_format = lb_mli_activation_format(LB_MLI_TANH, cell->kind);
    cell->out_format = lb_mli_quant_at(call->out, 0);
    cell->dense = (struct lb_mli_dense){
        .variant = call->variant,
        .profile = profile,
        .bias_shift =
            product_bits - lb_mli_quant_at(call->bias, 0).shift, /* fx alone looks at it */
        .zero_out = cell->ir.zero,
        .loops = lb_mli_loops(),
    };
    for (uint32_t g = 0; g < call->gates; g++) {
        cell->weights_out[g] = weights(call->weights_out, g);
        cell->from_in[g] = lb_mli_dense_scale(call->variant, qi, weights(call->weights_in, g),
                                              cell->ir, cell->round);
    }
    const uint64_t elements = (uint64_t)cell->cols * lb_mli_cell_frames(cell);
    lb_mli_activation_plan(LB_MLI_SIGM, cell->kind, call->sigm_lut, cell->ir,
                           (call->gates - 1) * elements, cell->round, &cell->sigm);
    lb_mli_activation_plan(LB_MLI_TANH, cell->kind, call->tanh_lut, cell->ir, elements, cell->round,
                           &cell->tanh);
    cell->panels = LB_MLI_SMALL ? NULL : lb_mli_cell_panels_make(cell);
}

void lb_mli_cell_end(struct lb_mli_cell *cell)
{
    if (has_panels(cell))
        lb_mli_cell_panels_free(cell->panels);
}

void lb_mli_cell_hidden(struct lb_mli_cell *cell, struct lb_mli_quant hidden)
{
    for (uint32_t g = 0; g < cell->call->gates; g++)
        cell->from_hidden[g] = lb_mli_dense_scale(cell->call->variant, hidden, cell->weights_out[g],
                                                  cell->ir, cell->round);
    if (has_panels(cell))
        lb_mli_cell_panels_hidden(cell->panels);
}

void lb_mli_cell_eltwise(const struct lb_mli_cell *cell, enum lb_mli_op op, struct lb_mli_quant a,
                         struct lb_mli_quant b, struct lb_mli_quant out,
                         struct lb_mli_eltwise *plan)
{
    lb_mli_eltwise_plan(op, cell->kind, a, b, out, cell->round, plan);
}

size_t lb_mli_cell_frames(const struct lb_mli_cell *cell)
{
    return cell->call->in->shape[0];
}

const void *lb_mli_cell_frame(const struct lb_mli_cell *cell, size_t t)
{
    const bool backward = cell->call->cfg->direction == RNN_DIR_BACKWARD;
    const size_t frame = backward ? lb_mli_cell_frames(cell) - 1 - t : t;
    return cell->call->in->data.mem.pi8 + frame * cell->inputs * cell->size;
}

void *lb_mli_cell_out(const struct lb_mli_cell *cell, size_t t)
{
    const size_t row = cell->call->cfg->results == RNN_OUT_ALL ? t : 0;
    return cell->call->out->data.mem.pi8 + row * cell->cols * cell->size;
}

void *lb_mli_cell_row(const struct lb_mli_cell *cell, uint32_t r)
{
    return cell->call->cfg->scratch_data.mem.pi8 + r * cell->cols * cell->size;
}

const void *lb_mli_cell_slice(const mli_tensor *t, uint32_t g)
{
    return t->data.mem.pi8 +
           (ptrdiff_t)g * t->mem_stride[0] * (ptrdiff_t)lb_mli_element_size(t->el_type);
}

void lb_mli_cell_gates(const struct lb_mli_cell *cell, uint32_t first, uint32_t end, size_t t,
                       const void *hidden)
{
    const struct lb_mli_cell_call *call = cell->call;
    if (cell->panels) {
        lb_mli_cell_panels_gates(cell->panels, first, end, t, hidden);
        return;
    }
    for (uint32_t g = first; g < end; g++) {
        const struct lb_mli_dense_input inputs[] = {
            {lb_mli_cell_frame(cell, t), lb_mli_cell_slice(call->weights_in, g),
             call->weights_in->mem_stride[1], cell->inputs, cell->from_in[g]},
            {hidden, lb_mli_cell_slice(call->weights_out, g), call->weights_out->mem_stride[1],
             cell->cols, cell->from_hidden[g]},
        };
        lb_mli_dense_run(&cell->dense, inputs, 2, lb_mli_cell_slice(call->bias, g), cell->cols,
                         lb_mli_cell_row(cell, g));
    }
}

void lb_mli_cell_activate(const struct lb_mli_cell *cell, uint32_t g,
                          const struct lb_mli_activation *activation)
{
    void *const row = lb_mli_cell_row(cell, g);
    lb_mli_activation_run(activation,
                          has_panels(cell) ? lb_mli_cell_panels_gate(cell->panels, g) : row,
                          cell->cols, row);
}

void lb_mli_cell_set_out(const struct lb_mli_cell *cell)
{
    mli_tensor *out = cell->call->out;
    out->rank = 2;
    out->shape[0] =
        cell->call->cfg->results == RNN_OUT_ALL ? (uint32_t)lb_mli_cell_frames(cell) : 1;
    out->shape[1] = (uint32_t)cell->cols;
    out->mem_stride[0] = (int32_t)cell->cols;
    out->mem_stride[1] = 1;
}
