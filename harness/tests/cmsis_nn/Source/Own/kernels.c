/* Our own kernels behind an interface in the shape of CMSIS-NN's. Buffers are asked for and written
 * to their last byte, so that a query and its kernel are held to each other. */
#include "differences.h"

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
    if ((HAS(6) || HAS(7) || HAS(9)) && !bias->is_int32_bias) {
        own_convolve_s16(params, quant, in_dims, in, filter_dims, filter, bias, out_dims, out);
        return ARM_CMSIS_NN_SUCCESS;
    }
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
    const own_status done = status(lb_litert_depthwise_conv_s8(CALL(bias)));
    const int32_t first = in_dims->w - 1 + params->padding.w;
    if (!HAS(11) || done || !own_is_fast_3x3(params, in_dims, filter_dims) ||
        (out_dims->w - 1) * params->stride.w < first)
        return done;
    lb_litert_dims wide = i;
    const size_t bytes = (size_t)(out_dims->h * out_dims->w * out_dims->c);
    int8_t *wider = own_wider(in_dims, in), *result = malloc(bytes);
    wide.w++;
    lb_litert_depthwise_conv_s8(&own, &p, &q, &wide, wider, &w, filter, &b, bias, &o, result);
    for (size_t at = 0; at < bytes; at++)
        if ((int32_t)(at / (size_t)out_dims->c) % out_dims->w * params->stride.w >= first)
            out[at] = result[at];
    free(wider);
    free(result);
    return done;
}

own_status arm_depthwise_conv_wrapper_s16(OWN_CONV(cmsis_nn_dw_conv_params),
                                          OWN_TENSORS(int16_t, int64_t, ))
{
    DIMS;
    CHANNELS;
    const lb_litert_dw_conv_params p = depthwise(params);
    use(ctx, window_bytes(filter_dims));
    if (HAS(7)) {
        own_depthwise_s16(params, quant, in_dims, in, filter_dims, filter, bias, out_dims, out);
        return ARM_CMSIS_NN_SUCCESS;
    }
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
    const size_t bytes = (size_t)(out_dims->n * out_dims->h * out_dims->w * out_dims->c);
    use(ctx, own_row_bytes(params, in_dims, filter_dims, out_dims, params->stride.w));
    use(output_ctx, window_bytes(filter_dims));
    if (own_is_reversed(params, in_dims) || !(HAS(1) || HAS(2) || HAS(3)))
        return status(lb_litert_transpose_conv_s8(CALL(bias)));
    int8_t *right = malloc(bytes + 1);
    const own_status done =
        status(lb_litert_transpose_conv_s8(&own, &p, &q, &i, in, &w, filter, &b, bias, &o, right));
    own_transpose(params, in_dims, filter_dims, out_dims, right, out);
    free(right);
    return done;
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
    if (HAS(5) || HAS(7)) {
        own_fully_connected_s16(params, quant, in, filter_dims, filter, bias, out_dims, out);
        return ARM_CMSIS_NN_SUCCESS;
    }
    return ctx->buf ? status(lb_litert_fully_connected_s16(CALL(&of))) : ARM_CMSIS_NN_ARG_ERROR;
}

/* ---- Pooling ---- */

#define POOL(name, T, function, bytes, is_max)                                                     \
    own_status name(OWN_POOL(T))                                                                   \
    {                                                                                              \
        const lb_litert_pool_params p = {tile(params->stride), tile(params->padding),              \
                                         limits(params->activation)};                              \
        const lb_litert_dims i = dims(in_dims), w = dims(filter_dims), o = dims(out_dims);         \
        use(ctx, (bytes));                                                                         \
        T *before = malloc(sizeof(T) * (size_t)(o.n * o.h * o.w * o.c) + 1);                       \
        memcpy(before, out, sizeof(T) * (size_t)(o.n * o.h * o.w * o.c));                          \
        const own_status done = status(function(&own, &p, &i, in, &w, &o, out));                   \
        for (int32_t at = 0; HAS(10) && (is_max) && at < o.n * o.h * o.w * o.c; at++)              \
            if (own_is_empty(params, in_dims, filter_dims, at / o.c / o.w % o.h, at / o.c % o.w))  \
                out[at] = (T)own_limited(before[at], params->activation);                          \
        free(before);                                                                              \
        return done;                                                                               \
    }
POOL(arm_avgpool_s8, int8_t, lb_litert_avgpool_s8, 4 * in_dims->c, 0)
POOL(arm_avgpool_s16, int16_t, lb_litert_avgpool_s16, 4 * in_dims->c, 0)
POOL(arm_max_pool_s8, int8_t, lb_litert_max_pool_s8, 0, 1)
POOL(arm_max_pool_s16, int16_t, lb_litert_max_pool_s16, 0, 1)

/* ---- Element by element ---- */

#define ADD(name, T, function)                                                                     \
    own_status name(OWN_ADD(T))                                                                    \
    {                                                                                              \
        if (HAS(5) && sizeof(T) == 2)                                                              \
            in1_offset = in2_offset = out_offset = 0;                                              \
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
    const own_status done =
        status(lb_litert_softmax_s16(&own, in, rows, row_size, mult, shift, &t, out));
    int16_t *exponentials = malloc(sizeof *exponentials * (size_t)(row_size + 1));
    for (int32_t row = 0; HAS(8) && row < rows; row++) {
        own_exponentials(in + row * row_size, row_size, mult, shift, tables->exp_lut, exponentials);
        for (int32_t i = 0; i < row_size; i++)
            if (out[row * row_size + i] == 32767)
                out[row * row_size + i] =
                    own_unlimited(exponentials, row_size, i, tables->one_by_one_lut);
    }
    free(exponentials);
    return done;
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
    const int is_wrong = HAS(4) && !own_is_reversed(params, in_dims);
    return own_row_bytes(params, in_dims, filter_dims, out_dims,
                         is_wrong ? params->stride.h : params->stride.w);
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
