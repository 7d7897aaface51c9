/* Statuses of recurrent cells, in order (recurrent.md 7, 8). */
#include "check.h"
#include "lut_tables.h"
#include "rnn_cell.h"

static mli_status check_tables(const struct lb_mli_cell_call *call)
{
    const size_t entry = sizeof(int16_t);
    LB_MLI_REQUIRE(call->cfg && call->tanh_lut && call->sigm_lut, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(call->tanh_lut->data.capacity >= LB_MLI_TANH_LENGTH * entry,
                   MLI_STATUS_NOT_ENGH_MEM);
    LB_MLI_REQUIRE(call->sigm_lut->data.capacity >= LB_MLI_SIGM_LENGTH * entry,
                   MLI_STATUS_NOT_ENGH_MEM);
    return MLI_STATUS_OK;
}

static bool has_shape(const mli_tensor *t, uint32_t rank, uint32_t n0, uint32_t n1, uint32_t n2)
{
    const uint32_t shape[] = {n0, n1, n2};
    if (t->rank != rank)
        return false;
    for (uint32_t d = 0; d < rank; d++)
        if (t->shape[d] != shape[d])
            return false;
    return true;
}

/* Steps 2 to 5. */
static mli_status check_operands(const struct lb_mli_cell_call *call)
{
    const mli_tensor *in = call->in, *prev_out = call->prev_out;
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(prev_out));
    LB_MLI_REQUIRE(in->rank == 2 && prev_out->rank == 1, MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_is_dense(in) && lb_mli_inner_dense(prev_out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    const uint32_t inputs = in->shape[1], cols = prev_out->shape[0];
    LB_MLI_TRY(lb_mli_check_tensor(call->weights_in));
    LB_MLI_TRY(lb_mli_check_tensor(call->weights_out));
    LB_MLI_REQUIRE(has_shape(call->weights_in, 3, call->gates, inputs, cols) &&
                       has_shape(call->weights_out, 3, call->gates, cols, cols),
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(call->weights_in) && lb_mli_inner_dense(call->weights_out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_TRY(lb_mli_check_tensor(call->bias));
    LB_MLI_REQUIRE(has_shape(call->bias, 2, call->gates, cols, 0), MLI_STATUS_SHAPE_MISMATCH);
    if (call->gates == LB_MLI_GATES_MAX) {
        LB_MLI_TRY(lb_mli_check_tensor(call->cell));
        LB_MLI_REQUIRE(has_shape(call->cell, 1, cols, 0, 0), MLI_STATUS_SHAPE_MISMATCH);
    }
    return MLI_STATUS_OK;
}

/* Steps 6 to 9. */
static mli_status check_memory(const struct lb_mli_cell_call *call)
{
    const mli_tensor *in = call->in, *out = call->out;
    const uint64_t cols = call->prev_out->shape[0];
    const uint64_t rows = call->cfg->results == RNN_OUT_ALL ? in->shape[0] : 1;
    const uint64_t size = lb_mli_element_size(in->el_type);
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(out->data.capacity >= rows * cols * size, MLI_STATUS_BAD_TENSOR);
    const mli_tensor scratch = {.data = call->cfg->scratch_data};
    LB_MLI_REQUIRE(scratch.data.mem.pi8 && scratch.data.capacity >= call->gates * cols * size,
                   MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE((!call->cell || lb_mli_inner_dense(call->cell)) &&
                       lb_mli_inner_dense(call->bias) && lb_mli_is_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(!lb_mli_overlap(in, &scratch), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_types(const struct lb_mli_cell_call *call)
{
    const struct lb_mli_weighted_types types = lb_mli_types_of(call->variant);
    LB_MLI_REQUIRE(call->in->el_type == types.in && call->prev_out->el_type == types.in &&
                       call->weights_in->el_type == types.weights &&
                       call->weights_out->el_type == types.weights &&
                       (!call->cell || call->cell->el_type == types.in) &&
                       call->bias->el_type == types.bias,
                   MLI_STATUS_TYPE_MISMATCH);
    return MLI_STATUS_OK;
}

static mli_status check_sa8(const struct lb_mli_cell_call *call, enum lb_mli_round round)
{
    const mli_tensor *w_in = call->weights_in, *w_out = call->weights_out, *bias = call->bias;
    const bool per_gate = lb_mli_per_axis(w_in);
    LB_MLI_REQUIRE(!lb_mli_per_axis(call->in) && !lb_mli_per_axis(call->prev_out) &&
                       (!call->cell || !lb_mli_per_axis(call->cell)),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    if (per_gate)
        LB_MLI_REQUIRE(w_in->el_params.sa.dim == 0 && w_out->el_params.sa.dim == 0 &&
                           bias->el_params.sa.dim == 0,
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    else
        LB_MLI_REQUIRE(!lb_mli_per_axis(w_out) && !lb_mli_per_axis(bias),
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_TRY(lb_mli_check_quant(call->in, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(call->prev_out, LB_MLI_ZERO_8BIT));
    if (call->cell)
        LB_MLI_TRY(lb_mli_check_quant(call->cell, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(w_in, LB_MLI_ZERO_NONE));
    LB_MLI_TRY(lb_mli_check_quant(w_out, LB_MLI_ZERO_NONE));
    LB_MLI_TRY(lb_mli_check_quant(bias, LB_MLI_ZERO_NONE));
    LB_MLI_TRY(lb_mli_check_bias_scale(call->in, w_in, bias, per_gate ? call->gates : 1, round));
    /* Not in the original, which divides by this scale and takes a per-axis out for what it is not.
     * Capacities are not looked at: sigm and tanh leave them set (recurrent.md 4). */
    const struct lb_mli_quant out =
        lb_mli_per_axis(call->out) ? (struct lb_mli_quant){0, 0, 0} : lb_mli_quant_at(call->out, 0);
    LB_MLI_REQUIRE(out.scale > 0 && out.zero >= INT8_MIN && out.zero <= INT8_MAX,
                   MLI_STATUS_NOT_SUPPORTED);
    return MLI_STATUS_OK;
}

mli_status lb_mli_check_cell(const struct lb_mli_cell_call *call, enum lb_mli_round round)
{
    LB_MLI_TRY(check_tables(call));
    LB_MLI_TRY(check_operands(call));
    LB_MLI_TRY(check_memory(call));
    LB_MLI_TRY(check_types(call));
    if (call->variant == LB_MLI_V_SA8)
        LB_MLI_TRY(check_sa8(call, round));
    else
        LB_MLI_REQUIRE(call->bias->el_params.fx.frac_bits <=
                           call->in->el_params.fx.frac_bits +
                               call->weights_in->el_params.fx.frac_bits,
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(lb_mli_lut_usable(call->tanh_lut) && lb_mli_lut_usable(call->sigm_lut),
                   MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}
