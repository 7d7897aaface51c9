/* fully_connected (litert.7). */
#include "weights.h"

/* What differs between the four functions. */
typedef struct scales {
    const int32_t *multiplier, *shift;
    bool per_channel;
} scales;

/* Offsets, limits and bias of a call. */
static lb_litert_sums sums_of(const lb_litert_context *ctx, const lb_litert_fc_params *p,
                              lb_litert_type type, scales q)
{
    return (lb_litert_sums){.profile = lb_litert_profile_of(ctx),
                            .type = type,
                            .input_offset = p->input_offset,
                            .filter_offset = p->filter_offset,
                            .output_offset = p->output_offset,
                            .activation = p->activation,
                            .multiplier = q.multiplier,
                            .shift = q.shift,
                            .per_channel = q.per_channel};
}

static lb_litert_status run(const lb_litert_sums *sums, const lb_litert_dims *in, const void *input,
                            const lb_litert_dims *filter, const int8_t *weights,
                            const lb_litert_dims *out, void *output)
{
    if (!lb_litert_dims_hold(in) || !lb_litert_dims_hold(filter) || !lb_litert_dims_hold(out) ||
        !input || !weights || !output || in->n != out->n || filter->c != out->c ||
        (sums->per_channel && sums->filter_offset != 0) || !lb_litert_sums_hold(sums, filter->c))
        return LB_LITERT_ARG_ERROR;
    size_t depth = (size_t)filter->n, outputs = (size_t)filter->c;
    for (size_t b = 0; b < (size_t)in->n; b++)
        for (size_t o = 0; o < outputs; o++) {
            int64_t sum = lb_litert_dot(sums, input, b * depth, weights + o * depth, depth);
            int32_t result = lb_litert_finish(sums, sum, (int32_t)o);
            lb_litert_store(sums->type, output, b * outputs + o, 1, &result);
        }
    return LB_LITERT_SUCCESS;
}

static lb_litert_status run_s8(const lb_litert_context *ctx, const lb_litert_fc_params *params,
                               scales q, const lb_litert_dims *in, const int8_t *input,
                               const lb_litert_dims *filter, const int8_t *weights,
                               const int32_t *bias, const lb_litert_dims *out, int8_t *output)
{
    if (!params)
        return LB_LITERT_ARG_ERROR;
    lb_litert_sums sums = sums_of(ctx, params, LB_LITERT_S8, q);
    sums.bias32 = bias;
    return run(&sums, in, input, filter, weights, out, output);
}

static lb_litert_status run_s16(const lb_litert_context *ctx, const lb_litert_fc_params *params,
                                scales q, const lb_litert_dims *in, const int16_t *input,
                                const lb_litert_dims *filter, const int8_t *weights,
                                const lb_litert_bias *bias, const lb_litert_dims *out,
                                int16_t *output)
{
    if (!params || !bias)
        return LB_LITERT_ARG_ERROR;
    lb_litert_sums sums = sums_of(ctx, params, LB_LITERT_S16, q);
    sums.wide = !bias->is_int32;
    sums.bias32 = bias->is_int32 ? bias->data : NULL;
    sums.bias64 = bias->is_int32 ? NULL : bias->data;
    return run(&sums, in, input, filter, weights, out, output);
}

lb_litert_status lb_litert_fully_connected_s8(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_tensor_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output)
{
    (void)bias_dims;
    if (!quant)
        return LB_LITERT_ARG_ERROR;
    return run_s8(ctx, params, (scales){&quant->multiplier, &quant->shift, false}, input_dims,
                  input, filter_dims, filter, bias, output_dims, output);
}

lb_litert_status lb_litert_fully_connected_per_channel_s8(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output)
{
    (void)bias_dims;
    if (!quant)
        return LB_LITERT_ARG_ERROR;
    return run_s8(ctx, params, (scales){quant->multiplier, quant->shift, true}, input_dims, input,
                  filter_dims, filter, bias, output_dims, output);
}

lb_litert_status lb_litert_fully_connected_s16(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_tensor_quant *quant, const lb_litert_dims *input_dims, const int16_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const lb_litert_bias *bias, const lb_litert_dims *output_dims, int16_t *output)
{
    (void)bias_dims;
    if (!quant)
        return LB_LITERT_ARG_ERROR;
    return run_s16(ctx, params, (scales){&quant->multiplier, &quant->shift, false}, input_dims,
                   input, filter_dims, filter, bias, output_dims, output);
}

lb_litert_status lb_litert_fully_connected_per_channel_s16(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims,
    const int16_t *input, const lb_litert_dims *filter_dims, const int8_t *filter,
    const lb_litert_dims *bias_dims, const lb_litert_bias *bias, const lb_litert_dims *output_dims,
    int16_t *output)
{
    (void)bias_dims;
    if (!quant)
        return LB_LITERT_ARG_ERROR;
    return run_s16(ctx, params, (scales){quant->multiplier, quant->shift, true}, input_dims, input,
                   filter_dims, filter, bias, output_dims, output);
}
