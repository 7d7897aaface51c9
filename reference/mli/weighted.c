/* The way from an accumulator to an output container in kernels with weights. Spec: conv.md 3,
 * 4, 5. */
#include "weighted.h"

lb_operands lb_operands_of(const lb_kernel *kernel)
{
    if (kernel->in_type != LB_FX16)
        return LB_OPERANDS_8X8;
    return kernel->weights_type == LB_FX16 ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8;
}

/* Width in which an fx accumulator is rounded: its own, or the next type that holds it in profiles
 * with other widths. sa8 results are products of 32 by 32 bits, so a wider register is first
 * saturated to 32. */
static int step_bits(const lb_weighted *weighted)
{
    bool wide = weighted->operands == LB_OPERANDS_16X16 ||
                weighted->profile->acc_bits[weighted->operands] > 32;
    return wide && !weighted->is_sa ? 64 : 32;
}

/* The zero point as a factor of the weights: taken off every input. ext_bias: the bias holds it
 * (conv.md 4.3). */
static void set_zero_point(lb_weighted *weighted, const lb_call *call, lb_num zero_point)
{
    if (call->kernel->special == LB_SPECIAL_EXT_BIAS)
        return;
    if (weighted->profile->at.value[LB_FEATURE_ZERO_POINT] == LB_ZERO_POINT_IN_PRODUCTS) {
        weighted->zero_point_in_products = zero_point;
        return;
    }
    weighted->in_zero_point = (int32_t)zero_point.v;
    if (zero_point.v != 0) {
        lb_steps_enter(weighted->steps, LB_PART_INPUT_ZERO_POINT, "conv.md 4.3");
        weighted->minus_zero_point = lb_num_sub(weighted->steps, lb_num_const(0), zero_point, 0,
                                                LB_SITE_WEIGHTED_FACTOR_OF_WEIGHTS);
    }
}

lb_weighted lb_weighted_start(const lb_context *context, const lb_call *call)
{
    lb_steps *s = lb_steps_of(context->steps, LB_ROLE_OUT);
    lb_num_quant in = lb_num_quant_at(s, call->tensor[LB_ROLE_IN], LB_OWNER_IN, 0);
    lb_num_quant out = lb_num_quant_at(s, call->tensor[LB_ROLE_OUT], LB_OWNER_OUT, 0);
    const int bits = lb_container_bits(call->kernel->in_type);
    lb_weighted weighted = {
        .profile = context->profile,
        .watch = context->watch,
        .operands = lb_operands_of(call->kernel),
        .is_sa = lb_is_sa(call->kernel->in_type),
        .program =
            lb_result_in(context->result, lb_is_sa(call->kernel->in_type) ? LB_RESULT_WEIGHTED_SA8
                                                                          : LB_RESULT_WEIGHTED_FX),
        .result = {.profile = context->profile,
                   .watch = context->watch,
                   .zero_point = out.zero_point,
                   .out_bits = bits},
        .steps = s,
    };
    weighted.result.step_bits = step_bits(&weighted);
    weighted.result.limits = lb_num_relu_limits(s, context->profile, call->config.relu, bits, out);
    weighted.result.limits.low =
        lb_num_lowest(s, context->profile, weighted.result.limits.low, bits);
    weighted.pads_raw_zero = context->profile->at.value[LB_FEATURE_PADDING] == LB_PADDING_RAW_ZERO;
    if (weighted.is_sa) {
        set_zero_point(&weighted, call, in.zero_point);
        weighted.ratio = lb_num_output_ratio(s, context->profile, in, out);
    } else {
        lb_steps_enter(s, LB_PART_SHIFTS, "conv.md 3");
        lb_num weights_frac =
            lb_num_quant_at(s, call->tensor[LB_ROLE_WEIGHTS], LB_OWNER_WEIGHTS, 0).frac;
        lb_num bias_frac = lb_num_quant_at(s, call->tensor[LB_ROLE_BIAS], LB_OWNER_BIAS, 0).frac;
        lb_num product_frac =
            lb_num_add(s, in.frac, weights_frac, 0, LB_SITE_WEIGHTED_FRAC_BITS_OF_THE_PRODUCTS);
        weighted.bias_shift =
            lb_num_sub(s, product_frac, bias_frac, 0, LB_SITE_WEIGHTED_BS_SHIFT_OF_THE_BIAS);
        weighted.out_shift =
            lb_num_sub(s, product_frac, out.frac, 0, LB_SITE_OS_SHIFT_OF_THE_RESULT);
        lb_num_lies(s, weighted.bias_shift, 0, INT64_MAX); /* by the rules of all that have both */
        lb_num_lies(s, weighted.out_shift, 0, INT64_MAX);
    }
    return weighted;
}

/* sa: that of an entry of the weights' parameters. */
static lb_num_multiplier multiplier_of(const lb_weighted *weighted, lb_num_quant weights,
                                       lb_steps *s)
{
    if (!weighted->is_sa)
        return (lb_num_multiplier){.shift = weighted->out_shift};
    return lb_num_output_multiplier(s, weighted->profile, weighted->ratio, weights);
}

static lb_num_quant entry_of(const lb_weighted *weighted, const lb_call *call, uint32_t entry,
                             lb_steps *s)
{
    if (!weighted->is_sa)
        return lb_num_quant_const((lb_quant){1, 0, 0});
    return lb_num_quant_at(s, call->tensor[LB_ROLE_WEIGHTS], LB_OWNER_WEIGHTS, entry);
}

int64_t lb_weighted_shift(const lb_weighted *weighted, const lb_call *call, uint32_t entry)
{
    return multiplier_of(weighted, entry_of(weighted, call, entry, NULL), NULL).shift.v;
}

lb_channel lb_weighted_channel(const lb_weighted *weighted, const lb_call *call, uint32_t bias_at,
                               uint32_t entry, lb_steps *s)
{
    lb_num bias = lb_num_at(s, call->tensor[LB_ROLE_BIAS], LB_NAMED(BIAS), &bias_at);
    lb_num_quant weights = entry_of(weighted, call, entry, s);
    lb_num addend = weighted->is_sa
                        ? lb_num_bias_sa(s, weighted->profile, bias)
                        : lb_num_bias_fx(s, weighted->profile->rounding, weighted->operands, bias,
                                         weighted->bias_shift);
    return (lb_channel){
        .bias = addend.v, .addend = addend, .multiplier = multiplier_of(weighted, weights, s)};
}

lb_acc lb_weighted_acc(const lb_weighted *weighted, const lb_channel *channel, lb_steps *s)
{
    lb_acc acc =
        lb_acc_followed(lb_acc_start(weighted->profile, weighted->operands), weighted->watch, s);
    if (weighted->profile->at.value[LB_FEATURE_BIAS] == LB_BIAS_FIRST) {
        lb_steps_enter(s, LB_PART_BIAS, "features.md 9");
        lb_num_mac(s, &acc, channel->addend, lb_num_const(1));
        acc.macs = 0; /* lanes count products */
    }
    return acc;
}

lb_num lb_weighted_input(const lb_weighted *weighted, lb_num x, lb_steps *s)
{
    if (weighted->zero_point_in_products.v == 0)
        return x;
    return lb_num_sub(s, x, weighted->zero_point_in_products, 0,
                      LB_SITE_WEIGHTED_INPUT_WITHOUT_ITS_ZERO_POINT);
}

lb_num lb_weighted_finish(const lb_weighted *weighted, const lb_channel *channel, const lb_acc *acc,
                          lb_steps *s)
{
    lb_result_number number = {.sum = lb_num_acc_close(s, acc, weighted->watch),
                               .bias = channel->addend,
                               .multiplier = &channel->multiplier,
                               .acc = acc};
    return lb_result_run(weighted->program, &weighted->result, &number, s);
}
