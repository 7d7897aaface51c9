/* mli_krn_rnn_dense_* (recurrent.md 5). */
#include "api/mli_kernels_api.h"
#include "check.h"
#include "dense.h"
#include "mli_config.h"

/* Steps 2 and 3 of recurrent.md 5.5 for one input. out must be there: its memory is looked at. */
static mli_status check_input(const mli_tensor *in, const mli_tensor *weights,
                              const mli_tensor *first_weights, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(weights));
    LB_MLI_REQUIRE(weights->rank == 2 && lb_mli_count(in) == weights->shape[0] &&
                       weights->shape[1] == first_weights->shape[1],
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_is_dense(in) && lb_mli_inner_dense(weights),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(out, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(!lb_mli_overlap(in, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_bias_and_out(const mli_tensor *in, const mli_tensor *weights,
                                     const mli_tensor *bias, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(bias));
    LB_MLI_REQUIRE(bias->rank == 1 && bias->shape[0] == weights->shape[1],
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->rank == 1 && out->shape[0] == bias->shape[0], MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(bias) && lb_mli_is_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_types(struct lb_mli_weighted_types types, const mli_tensor **in,
                              const mli_tensor **weights, const mli_tensor *bias, unsigned count)
{
    for (unsigned j = 0; j < count; j++)
        LB_MLI_REQUIRE(in[j]->el_type == types.in && weights[j]->el_type == types.weights,
                       MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(bias->el_type == types.bias, MLI_STATUS_TYPE_MISMATCH);
    return MLI_STATUS_OK;
}

static mli_status check_fx(const mli_tensor **in, const mli_tensor **weights,
                           const mli_tensor *bias, const mli_tensor *out, unsigned count)
{
    for (unsigned j = 0; j < count; j++)
        LB_MLI_REQUIRE(out->el_params.fx.frac_bits <=
                           in[j]->el_params.fx.frac_bits + weights[j]->el_params.fx.frac_bits,
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(bias->el_params.fx.frac_bits <=
                       in[0]->el_params.fx.frac_bits + weights[0]->el_params.fx.frac_bits,
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_sa8(const mli_tensor **in, const mli_tensor **weights,
                            const mli_tensor *bias, const mli_tensor *out, unsigned count,
                            enum lb_mli_round round)
{
    for (unsigned j = 0; j < count; j++) {
        LB_MLI_TRY(lb_mli_check_quant(in[j], LB_MLI_ZERO_8BIT));
        LB_MLI_TRY(lb_mli_check_quant(weights[j], LB_MLI_ZERO_NONE));
    }
    LB_MLI_TRY(lb_mli_check_quant(out, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(bias, LB_MLI_ZERO_NONE));
    for (unsigned j = 0; j < count; j++)
        LB_MLI_REQUIRE(!lb_mli_per_axis(in[j]) && !lb_mli_per_axis(weights[j]),
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(!lb_mli_per_axis(out) && !lb_mli_per_axis(bias),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return lb_mli_check_bias_scale(in[0], weights[0], bias, 1, round);
}

static mli_status check_rnn_dense(enum lb_mli_variant variant, const mli_tensor **in,
                                  const mli_tensor **weights, const mli_tensor *bias,
                                  const mli_rnn_dense_cfg *cfg, const mli_tensor *out,
                                  enum lb_mli_round round)
{
    LB_MLI_REQUIRE(cfg && cfg->inputs_num >= 1 && cfg->inputs_num <= MLI_RNN_MAX_INPUT,
                   MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(in && weights, MLI_STATUS_BAD_TENSOR);
    const unsigned count = cfg->inputs_num;
    for (unsigned j = 0; j < count; j++)
        LB_MLI_TRY(check_input(in[j], weights[j], weights[0], out));
    LB_MLI_TRY(check_bias_and_out(in[0], weights[0], bias, out));
    LB_MLI_TRY(check_types(lb_mli_types_of(variant), in, weights, bias, count));
    return variant == LB_MLI_V_SA8 ? check_sa8(in, weights, bias, out, count, round)
                                   : check_fx(in, weights, bias, out, count);
}

static mli_status rnn_dense(enum lb_mli_variant variant, const mli_tensor **in,
                            const mli_tensor **weights, const mli_tensor *bias,
                            const mli_rnn_dense_cfg *cfg, mli_tensor *out)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    const enum lb_mli_round round = lb_mli_profile_round(profile);
    LB_MLI_CHECK(check_rnn_dense(variant, in, weights, bias, cfg, out, round));
    const struct lb_mli_quant qo = lb_mli_quant_at(out, 0);
    const struct lb_mli_dense plan = {
        .variant = variant,
        .profile = profile,
        .bias_shift = lb_mli_quant_at(in[0], 0).shift + lb_mli_quant_at(weights[0], 0).shift -
                      lb_mli_quant_at(bias, 0).shift,
        .zero_out = qo.zero,
        .loops = lb_mli_loops(),
    };
    struct lb_mli_dense_input inputs[MLI_RNN_MAX_INPUT];
    for (unsigned j = 0; j < cfg->inputs_num; j++)
        inputs[j] = (struct lb_mli_dense_input){
            .x = in[j]->data.mem.pi8,
            .weights = weights[j]->data.mem.pi8,
            .weights_row = weights[j]->mem_stride[0],
            .rows = weights[j]->shape[0],
            .scale = lb_mli_dense_scale(variant, lb_mli_quant_at(in[j], 0),
                                        lb_mli_quant_at(weights[j], 0), qo, round),
        };
    lb_mli_dense_run(&plan, inputs, cfg->inputs_num, bias->data.mem.pi8, out->shape[0],
                     out->data.mem.pi8);
    return MLI_STATUS_OK;
}

mli_status mli_krn_rnn_dense_fx16(const mli_tensor **in, const mli_tensor **weights,
                                  const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                  mli_tensor *out)
{
    return rnn_dense(LB_MLI_V_FX16, in, weights, bias, cfg, out);
}

mli_status mli_krn_rnn_dense_fx16_fx8_fx8(const mli_tensor **in, const mli_tensor **weights,
                                          const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                          mli_tensor *out)
{
    return rnn_dense(LB_MLI_V_FX16_FX8, in, weights, bias, cfg, out);
}

mli_status mli_krn_rnn_dense_sa8_sa8_sa32(const mli_tensor **in, const mli_tensor **weights,
                                          const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                          mli_tensor *out)
{
    return rnn_dense(LB_MLI_V_SA8, in, weights, bias, cfg, out);
}
