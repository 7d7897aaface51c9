/* The way from an accumulator to an output container in kernels with weights. Spec: conv.md 3, 4, 5. */
#include "weighted.h"

#include <string.h>

lb_operands lb_operands_of(const lb_kernel *kernel)
{
    if (kernel->in_type != LB_FX16) {
        return LB_OPERANDS_8X8;
    }
    return kernel->weights_type == LB_FX16 ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8;
}

/* Width in which an fx accumulator is rounded: its own, or the next type that holds it in profiles with other widths.
 * sa8 results are products of 32 by 32 bits, so a wider register is first saturated to 32. */
static int step_bits(const lb_weighted *weighted)
{
    bool wide = weighted->operands == LB_OPERANDS_16X16 || weighted->profile->acc_bits[weighted->operands] > 32;
    return wide && !weighted->is_sa ? 64 : 32;
}

lb_weighted lb_weighted_start(const lb_context *context, const lb_call *call)
{
    lb_quant in = lb_quant_at(call->tensor[LB_ROLE_IN], 0);
    lb_quant out = lb_quant_at(call->tensor[LB_ROLE_OUT], 0);
    lb_weighted weighted = {
        .profile = context->profile,
        .watch = context->watch,
        .operands = lb_operands_of(call->kernel),
        .is_sa = lb_is_sa(call->kernel->in_type),
        .out_zero_point = out.zero_point,
        .out_bits = lb_container_bits(call->kernel->in_type),
    };
    weighted.step_bits = step_bits(&weighted);
    weighted.limits = lb_relu_limits(call->config.relu, weighted.out_bits, out);
    if (weighted.is_sa) {
        bool bias_holds_zero_point = strcmp(call->kernel->specialization, "ext_bias") == 0;
        weighted.in_zero_point = bias_holds_zero_point ? 0 : in.zero_point;
        weighted.ratio = lb_output_ratio(context->profile->rounding, in, out);
    } else {
        int product_frac = in.frac + lb_quant_at(call->tensor[LB_ROLE_WEIGHTS], 0).frac;
        weighted.bias_shift = product_frac - lb_quant_at(call->tensor[LB_ROLE_BIAS], 0).frac;
        weighted.out_shift = product_frac - out.frac;
    }
    return weighted;
}

lb_channel lb_weighted_channel(const lb_weighted *weighted, const lb_call *call, uint32_t channel)
{
    const lb_tensor *bias = call->tensor[LB_ROLE_BIAS];
    int32_t value = lb_load(bias, channel * (size_t)bias->mem_stride[0]);
    if (!weighted->is_sa) {
        return (lb_channel){
            .bias = lb_bias_fx(weighted->profile->rounding, weighted->operands, value, weighted->bias_shift)};
    }
    lb_quant weights = lb_quant_at(call->tensor[LB_ROLE_WEIGHTS], channel);
    return (lb_channel){
        .bias = lb_bias_sa(weighted->profile, value),
        .multiplier = lb_output_multiplier(weighted->profile, weighted->ratio, weights),
    };
}

int64_t lb_weighted_finish(const lb_weighted *weighted, const lb_channel *channel, const lb_acc *acc)
{
    int64_t sum = lb_acc_close(acc, weighted->watch);
    sum = lb_acc_add_saturating(acc, sum, channel->bias, weighted->watch);
    sum = lb_sat(sum, weighted->step_bits);
    int64_t y = weighted->is_sa ? lb_result_cast(weighted->profile, sum, channel->multiplier, weighted->out_zero_point)
                                : lb_cast(weighted->profile->rounding, sum, weighted->step_bits, weighted->out_bits,
                                          weighted->out_shift);
    return lb_clamp(y, weighted->limits);
}
