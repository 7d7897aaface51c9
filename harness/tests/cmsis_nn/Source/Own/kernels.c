/* Our own kernels behind an interface in the shape of CMSIS-NN's. Buffers are asked for and written
 * to their last byte, so that a query and its kernel are held to each other. */
#include "arm_nnfunctions.h"

#include <lb_litert.h>

#include <string.h>

#ifdef CMSIS_NN_USE_SINGLE_ROUNDING
static const lb_litert_context own = {LB_LITERT_SINGLE};
#else
static const lb_litert_context own = {LB_LITERT_DOUBLE};
#endif

/* ---- Structures ---- */

static lb_litert_dims dims(const cmsis_nn_dims *d)
{
    return (lb_litert_dims){d->n, d->h, d->w, d->c};
}

static lb_litert_tile tile(cmsis_nn_tile t)
{
    return (lb_litert_tile){t.w, t.h};
}

static lb_litert_activation limits(cmsis_nn_activation a)
{
    return (lb_litert_activation){a.min, a.max};
}

static own_status status(lb_litert_status s)
{
    return (own_status)s;
}

/* Uses the whole buffer that was asked for. */
static void use(const cmsis_nn_context *ctx, int32_t bytes)
{
    memset(ctx->buf, 0x11, (size_t)bytes);
}

#define DIMS                                                                                       \
    const lb_litert_dims i = dims(in_dims), w = dims(filter_dims), b = dims(bias_dims),            \
                         o = dims(out_dims)
#define CHANNELS   const lb_litert_per_channel_quant q = {quant->multiplier, quant->shift}
#define CALL(bias) &own, &p, &q, &i, in, &w, filter, &b, (bias), &o, out

/* ---- Convolutions ---- */

static lb_litert_conv_params conv(const cmsis_nn_conv_params *p)
{
    return (lb_litert_conv_params){p->input_offset,  p->output_offset,  tile(p->stride),
                                   tile(p->padding), tile(p->dilation), limits(p->activation)};
}

/* A window of the input in 16 bits. */
static int32_t window_bytes(const cmsis_nn_dims *filter_dims)
{
    return 2 * filter_dims->h * filter_dims->w * filter_dims->c;
}

own_status arm_convolve_wrapper_s8(OWN_CONV(cmsis_nn_conv_params), OWN_TENSORS(int8_t, int32_t, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_conv_params p = conv(params);
    use(ctx, window_bytes(filter_dims));
    return status(lb_litert_convolve_s8(CALL(bias)));
}

own_status arm_convolve_s8(OWN_CONV(cmsis_nn_conv_params),
                           OWN_TENSORS(int8_t, int32_t, const cmsis_nn_dims *upscale_dims, ))
{
    return upscale_dims ? ARM_CMSIS_NN_ARG_ERROR
                        : arm_convolve_wrapper_s8(ctx, params, quant, in_dims, in, filter_dims,
                                                  filter, bias_dims, bias, out_dims, out);
}

own_status arm_convolve_wrapper_s16(OWN_CONV(cmsis_nn_conv_params),
                                    OWN_TENSORS(int16_t, cmsis_nn_bias_data, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_conv_params p = conv(params);
    const lb_litert_bias of = {bias->data, bias->is_int32_bias};
    use(ctx, window_bytes(filter_dims));
    return status(lb_litert_convolve_s16(CALL(&of)));
}

static lb_litert_dw_conv_params depthwise(const cmsis_nn_dw_conv_params *p)
{
    return (lb_litert_dw_conv_params){p->input_offset,      p->output_offset, p->ch_mult,
                                      tile(p->stride),      tile(p->padding), tile(p->dilation),
                                      limits(p->activation)};
}

own_status arm_depthwise_conv_wrapper_s8(OWN_CONV(cmsis_nn_dw_conv_params),
                                         OWN_TENSORS(int8_t, int32_t, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_dw_conv_params p = depthwise(params);
    use(ctx, window_bytes(filter_dims));
    return status(lb_litert_depthwise_conv_s8(CALL(bias)));
}

own_status arm_depthwise_conv_wrapper_s16(OWN_CONV(cmsis_nn_dw_conv_params),
                                          OWN_TENSORS(int16_t, int64_t, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_dw_conv_params p = depthwise(params);
    use(ctx, window_bytes(filter_dims));
    return status(lb_litert_depthwise_conv_s16(CALL(bias)));
}

own_status arm_transpose_conv_wrapper_s8(const cmsis_nn_context *ctx,
                                         const cmsis_nn_context *output_ctx,
                                         const cmsis_nn_transpose_conv_params *params,
                                         const cmsis_nn_per_channel_quant_params *quant,
                                         OWN_TENSORS(int8_t, int32_t, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_transpose_conv_params p = {params->input_offset, params->output_offset,
                                               tile(params->stride), tile(params->padding),
                                               limits(params->activation)};
    use(ctx, 4 * out_dims->w * out_dims->c);
    use(output_ctx, window_bytes(filter_dims));
    return status(lb_litert_transpose_conv_s8(CALL(bias)));
}

/* ---- Fully connected ---- */

static lb_litert_fc_params layer(const cmsis_nn_fc_params *p)
{
    return (lb_litert_fc_params){p->input_offset, p->filter_offset, p->output_offset,
                                 limits(p->activation)};
}

/* The sums that the caller was to put into the buffer. */
static own_status check_sums(const cmsis_nn_context *ctx, const cmsis_nn_dims *filter_dims,
                             const int8_t *filter, const cmsis_nn_fc_params *params,
                             const int32_t *bias)
{
    for (int32_t row = 0; row < filter_dims->c; row++) {
        uint32_t sum = bias ? (uint32_t)bias[row] : 0;
        for (int32_t i = 0; i < filter_dims->n; i++)
            sum += (uint32_t)((filter[row * filter_dims->n + i] + params->filter_offset) *
                              params->input_offset);
        if (((const int32_t *)ctx->buf)[row] != (int32_t)sum)
            return ARM_CMSIS_NN_FAILURE;
    }
    return ARM_CMSIS_NN_SUCCESS;
}

own_status arm_vector_sum_s8(int32_t *sums, int32_t columns, int32_t rows, const int8_t *data,
                             int32_t lhs_offset, int32_t rhs_offset, const int32_t *bias)
{
    for (int32_t row = 0; row < rows; row++) {
        uint32_t sum = bias ? (uint32_t)bias[row] : 0;
        for (int32_t i = 0; i < columns; i++)
            sum += (uint32_t)((data[row * columns + i] + rhs_offset) * lhs_offset);
        sums[row] = (int32_t)sum;
    }
    return ARM_CMSIS_NN_SUCCESS;
}

own_status arm_fully_connected_s8(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
                                  const cmsis_nn_per_tensor_quant_params *quant,
                                  OWN_TENSORS(int8_t, int32_t, ))
{
    DIMS;
    const lb_litert_per_tensor_quant q = {quant->multiplier, quant->shift};
    const lb_litert_fc_params p = layer(params);
    const own_status sums = check_sums(ctx, filter_dims, filter, params, bias);
    return sums ? sums : status(lb_litert_fully_connected_s8(CALL(bias)));
}

own_status arm_fully_connected_per_channel_s8(const cmsis_nn_context *ctx,
                                              const cmsis_nn_fc_params *params,
                                              const cmsis_nn_per_channel_quant_params *quant,
                                              OWN_TENSORS(int8_t, int32_t, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_fc_params p = layer(params);
    const own_status sums = check_sums(ctx, filter_dims, filter, params, bias);
    return sums ? sums : status(lb_litert_fully_connected_per_channel_s8(CALL(bias)));
}

own_status arm_fully_connected_wrapper_s8(const cmsis_nn_context *ctx,
                                          const cmsis_nn_fc_params *params,
                                          const cmsis_nn_quant_params *quant,
                                          OWN_TENSORS(int8_t, int32_t, ))
{
    const cmsis_nn_per_tensor_quant_params one = {*quant->multiplier, *quant->shift};
    const cmsis_nn_per_channel_quant_params each = {quant->multiplier, quant->shift};
    if (quant->is_per_channel)
        return arm_fully_connected_per_channel_s8(ctx, params, &each, in_dims, in, filter_dims,
                                                  filter, bias_dims, bias, out_dims, out);
    return arm_fully_connected_s8(ctx, params, &one, in_dims, in, filter_dims, filter, bias_dims,
                                  bias, out_dims, out);
}

own_status arm_fully_connected_s16(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
                                   const cmsis_nn_per_tensor_quant_params *quant,
                                   OWN_TENSORS(int16_t, int64_t, ))
{
    DIMS;
    const lb_litert_per_tensor_quant q = {quant->multiplier, quant->shift};
    const lb_litert_fc_params p = layer(params);
    const lb_litert_bias of = {bias, false};
    return ctx->buf ? status(lb_litert_fully_connected_s16(CALL(&of))) : ARM_CMSIS_NN_ARG_ERROR;
}

/* ---- Pooling ---- */

#define POOL(name, T, function, bytes)                                                             \
    own_status name(OWN_POOL(T))                                                                   \
    {                                                                                              \
        const lb_litert_pool_params p = {tile(params->stride), tile(params->padding),              \
                                         limits(params->activation)};                              \
        const lb_litert_dims i = dims(in_dims), w = dims(filter_dims), o = dims(out_dims);         \
        use(ctx, (bytes));                                                                         \
        return status(function(&own, &p, &i, in, &w, &o, out));                                    \
    }
POOL(arm_avgpool_s8, int8_t, lb_litert_avgpool_s8, 4 * in_dims->c)
POOL(arm_avgpool_s16, int16_t, lb_litert_avgpool_s16, 4 * in_dims->c)
POOL(arm_max_pool_s8, int8_t, lb_litert_max_pool_s8, 0)
POOL(arm_max_pool_s16, int16_t, lb_litert_max_pool_s16, 0)

/* ---- Element by element ---- */

#define ADD(name, T, function)                                                                     \
    own_status name(OWN_ADD(T))                                                                    \
    {                                                                                              \
        const lb_litert_add_params p = {in1_offset, in1_mult,  in1_shift,         in2_offset,      \
                                        in2_mult,   in2_shift, left_shift,        out_offset,      \
                                        out_mult,   out_shift, {act_min, act_max}};                \
        const lb_litert_dims all = {1, 1, 1, n};                                                   \
        return status(function(&own, &p, &all, in1, &all, in2, &all, out));                        \
    }
ADD(arm_elementwise_add_s8, int8_t, lb_litert_add_s8)
ADD(arm_elementwise_add_s16, int16_t, lb_litert_add_s16)

#define MUL(name, T, function)                                                                     \
    own_status name(OWN_MUL(T))                                                                    \
    {                                                                                              \
        const lb_litert_mul_params p = {in1_offset, in2_offset, out_offset,                        \
                                        out_mult,   out_shift,  {act_min, act_max}};               \
        const lb_litert_dims all = {1, 1, 1, n};                                                   \
        return status(function(&own, &p, &all, in1, &all, in2, &all, out));                        \
    }
MUL(arm_elementwise_mul_s8, int8_t, lb_litert_mul_s8)
MUL(arm_elementwise_mul_s16, int16_t, lb_litert_mul_s16)

/* ---- Rows ---- */

void arm_softmax_s8(const int8_t *in, int32_t rows, int32_t row_size, int32_t mult, int32_t shift,
                    int32_t diff_min, int8_t *out)
{
    lb_litert_softmax_s8(&own, in, rows, row_size, mult, shift, diff_min, out);
}

void arm_softmax_s8_s16(const int8_t *in, int32_t rows, int32_t row_size, int32_t mult,
                        int32_t shift, int32_t diff_min, int16_t *out)
{
    lb_litert_softmax_s8_s16(&own, in, rows, row_size, mult, shift, diff_min, out);
}

own_status arm_softmax_s16(const int16_t *in, int32_t rows, int32_t row_size, int32_t mult,
                           int32_t shift, const cmsis_nn_softmax_lut_s16 *tables, int16_t *out)
{
    const lb_litert_softmax_lut_s16 t = {tables->exp_lut, tables->one_by_one_lut};
    return status(lb_litert_softmax_s16(&own, in, rows, row_size, mult, shift, &t, out));
}

own_status arm_nn_activation_s16(const int16_t *in, int16_t *out, int32_t n, int32_t left_shift,
                                 arm_nn_activation_type type)
{
    return status((type == ARM_SIGMOID ? lb_litert_logistic_s16 : lb_litert_tanh_s16)(
        &own, 0, left_shift, in, (size_t)n, out));
}

/* ---- Sizes of buffers ---- */

int32_t arm_convolve_wrapper_s8_get_buffer_size(OWN_SIZES(cmsis_nn_conv_params))
{
    (void)params, (void)in_dims, (void)out_dims;
    return window_bytes(filter_dims);
}

int32_t arm_convolve_s8_get_buffer_size(const cmsis_nn_dims *in_dims,
                                        const cmsis_nn_dims *filter_dims)
{
    (void)in_dims;
    return window_bytes(filter_dims);
}

int32_t arm_convolve_wrapper_s16_get_buffer_size(OWN_SIZES(cmsis_nn_conv_params))
{
    (void)params, (void)in_dims, (void)out_dims;
    return window_bytes(filter_dims);
}

int32_t arm_depthwise_conv_wrapper_s8_get_buffer_size(OWN_SIZES(cmsis_nn_dw_conv_params))
{
    (void)params, (void)in_dims, (void)out_dims;
    return window_bytes(filter_dims);
}

int32_t arm_depthwise_conv_wrapper_s16_get_buffer_size(OWN_SIZES(cmsis_nn_dw_conv_params))
{
    (void)params, (void)in_dims, (void)out_dims;
    return window_bytes(filter_dims);
}

int32_t arm_transpose_conv_s8_get_buffer_size(OWN_SIZES(cmsis_nn_transpose_conv_params))
{
    (void)params, (void)in_dims, (void)filter_dims;
    return 4 * out_dims->w * out_dims->c;
}

int32_t
arm_transpose_conv_s8_get_reverse_conv_buffer_size(const cmsis_nn_transpose_conv_params *params,
                                                   const cmsis_nn_dims *in_dims,
                                                   const cmsis_nn_dims *filter_dims)
{
    (void)params, (void)in_dims;
    return window_bytes(filter_dims);
}

int32_t arm_fully_connected_s8_get_buffer_size(const cmsis_nn_dims *filter_dims)
{
    return 4 * filter_dims->c;
}

int32_t arm_fully_connected_s16_get_buffer_size(const cmsis_nn_dims *filter_dims)
{
    (void)filter_dims;
    return 0;
}

int32_t arm_avgpool_s8_get_buffer_size(int out_width, int channels)
{
    (void)out_width;
    return 4 * channels;
}

int32_t arm_avgpool_s16_get_buffer_size(int out_width, int channels)
{
    (void)out_width;
    return 4 * channels;
}
