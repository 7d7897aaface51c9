/* conv_2d, depthwise_conv_2d and transpose_conv (litert.4 to litert.6). Each output is summed up
 * from what reaches it, stretch by stretch of neighbouring elements: no buffer is needed. */
#include "weights.h"

/* A call, its tensors as the loops see them. */
typedef struct call {
    lb_litert_sums sums;
    lb_litert_tile stride, padding, dilation;
    int32_t ch_mult; /* of depthwise convolutions */
    lb_litert_dims in, filter, out;
    const void *input;
    const int8_t *weights;
    void *output;
} call;

/* Taps of an output that lie in the input, from a first to one past the last. */
typedef struct taps {
    int64_t from, to;
} taps;

typedef void pixel_fn(const call *c, int32_t n, int32_t y, int32_t x);

static bool geometry_holds(const call *c)
{
    return c->input && c->weights && c->output && lb_litert_tile_is_in(c->stride, 1, INT16_MAX) &&
           lb_litert_tile_is_in(c->dilation, 1, INT16_MAX) && c->in.n == c->out.n &&
           lb_litert_sums_hold(&c->sums, c->out.c);
}

/* Number of an element of the input, of the filter, of the output. */
static size_t input_at(const call *c, int64_t n, int64_t y, int64_t x)
{
    return (((size_t)n * (size_t)c->in.h + (size_t)y) * (size_t)c->in.w + (size_t)x) *
           (size_t)c->in.c;
}

static const int8_t *weights_at(const call *c, int64_t o, int64_t i, int64_t j)
{
    size_t row = (size_t)o * (size_t)c->filter.h + (size_t)i;
    return c->weights + (row * (size_t)c->filter.w + (size_t)j) * (size_t)c->filter.c;
}

static size_t output_at(const call *c, int64_t n, int64_t y, int64_t x)
{
    return (((size_t)n * (size_t)c->out.h + (size_t)y) * (size_t)c->out.w + (size_t)x) *
           (size_t)c->out.c;
}

static void each_pixel(const call *c, pixel_fn *pixel)
{
    for (int32_t n = 0; n < c->out.n; n++)
        for (int32_t y = 0; y < c->out.h; y++)
            for (int32_t x = 0; x < c->out.w; x++)
                pixel(c, n, y, x);
}

/* ---- conv_2d ---- */

static int64_t first_row(const call *c, int32_t y)
{
    return (int64_t)y * c->stride.h - c->padding.h;
}

static int64_t first_column(const call *c, int32_t x)
{
    return (int64_t)x * c->stride.w - c->padding.w;
}

static taps rows_of(const call *c, int32_t y)
{
    taps t;
    lb_litert_valid_taps(first_row(c, y), c->dilation.h, c->filter.h, c->in.h, &t.from, &t.to);
    return t;
}

static taps columns_of(const call *c, int32_t x)
{
    taps t;
    lb_litert_valid_taps(first_column(c, x), c->dilation.w, c->filter.w, c->in.w, &t.from, &t.to);
    return t;
}

/* Products of one row of the filter: neighbours in both where all channels of neighbouring columns
 * count, else column by column. */
static int64_t row_of_products(const call *c, size_t row_at, int64_t column, taps t, int32_t o,
                               int64_t i, size_t group_at)
{
    int64_t sum = 0;
    if (c->dilation.w == 1 && c->filter.c == c->in.c && t.to > t.from)
        return lb_litert_dot(
            &c->sums, c->input, row_at + (size_t)(column + t.from) * (size_t)c->in.c,
            weights_at(c, o, i, t.from), (size_t)(t.to - t.from) * (size_t)c->filter.c);
    for (int64_t j = t.from; j < t.to; j++)
        sum += lb_litert_dot(&c->sums, c->input,
                             row_at + (size_t)(column + j * c->dilation.w) * (size_t)c->in.c +
                                 group_at,
                             weights_at(c, o, i, j), (size_t)c->filter.c);
    return sum;
}

static void convolve_pixel(const call *c, int32_t n, int32_t y, int32_t x)
{
    taps rows = rows_of(c, y), columns = columns_of(c, x);
    int32_t groups = c->filter.c > 0 ? c->in.c / c->filter.c : 1, in_group = c->out.c / groups;
    size_t at = output_at(c, n, y, x);
    for (int32_t o = 0; o < c->out.c; o++) {
        size_t group_at = (size_t)(o / in_group) * (size_t)c->filter.c;
        int64_t sum = 0;
        for (int64_t i = rows.from; i < rows.to; i++)
            sum += row_of_products(c, input_at(c, n, first_row(c, y) + i * c->dilation.h, 0),
                                   first_column(c, x), columns, o, i, group_at);
        int32_t result = lb_litert_finish(&c->sums, sum, o);
        lb_litert_store(c->sums.type, c->output, at + (size_t)o, 1, &result);
    }
}

static lb_litert_status convolve(const call *c)
{
    bool empty = c->in.c == 0 || c->filter.c == 0;
    if (!geometry_holds(c) || c->filter.n != c->out.c ||
        (empty ? c->in.c != c->filter.c : c->in.c % c->filter.c != 0) ||
        (!empty && c->out.c % (c->in.c / c->filter.c) != 0))
        return LB_LITERT_ARG_ERROR;
    each_pixel(c, convolve_pixel);
    return LB_LITERT_SUCCESS;
}

/* ---- depthwise_conv_2d ---- */

/* `count` channels of the output from `channel` on, of one pixel: the element of the input that
 * each of them sees. */
static void load_channels(const call *c, size_t pixel_at, size_t channel, size_t count, int32_t *to)
{
    size_t each = (size_t)c->ch_mult;
    if (each == 1) {
        lb_litert_load(c->sums.type, c->input, pixel_at + channel, count, to);
        return;
    }
    for (size_t k = 0; k < count; k++)
        lb_litert_load(c->sums.type, c->input, pixel_at + (channel + k) / each, 1, to + k);
}

static void depthwise_channels(const call *c, int32_t n, int32_t y, int32_t x, size_t channel,
                               size_t count)
{
    int64_t sum[LB_LITERT_BLOCK] = {0};
    int32_t block[LB_LITERT_BLOCK];
    taps rows = rows_of(c, y), columns = columns_of(c, x);
    for (int64_t i = rows.from; i < rows.to; i++)
        for (int64_t j = columns.from; j < columns.to; j++) {
            size_t at = input_at(c, n, first_row(c, y) + i * c->dilation.h,
                                 first_column(c, x) + j * c->dilation.w);
            const int8_t *w = weights_at(c, 0, i, j) + channel;
            load_channels(c, at, channel, count, block);
            for (size_t k = 0; k < count; k++)
                sum[k] += (block[k] + c->sums.input_offset) * w[k];
        }
    for (size_t k = 0; k < count; k++)
        block[k] = lb_litert_finish(&c->sums, sum[k], (int32_t)(channel + k));
    lb_litert_store(c->sums.type, c->output, output_at(c, n, y, x) + channel, count, block);
}

static void depthwise_pixel(const call *c, int32_t n, int32_t y, int32_t x)
{
    size_t channels = (size_t)c->out.c, count;
    for (size_t at = 0; at < channels; at += count) {
        count = channels - at < LB_LITERT_BLOCK ? channels - at : LB_LITERT_BLOCK;
        depthwise_channels(c, n, y, x, at, count);
    }
}

static lb_litert_status depthwise(const call *c)
{
    if (!geometry_holds(c) || c->ch_mult < 1 || c->filter.n != 1 || c->filter.c != c->out.c ||
        (int64_t)c->in.c * c->ch_mult != c->out.c)
        return LB_LITERT_ARG_ERROR;
    each_pixel(c, depthwise_pixel);
    return LB_LITERT_SUCCESS;
}

/* ---- transpose_conv ---- */

/* Rows or columns of the input that reach place `base` of the padded output. */
static taps sources_of(int64_t base, int32_t stride, int32_t filter, int32_t size)
{
    int64_t low = base - filter + 1;
    taps t = {low > 0 ? (low + stride - 1) / stride : 0, base < 0 ? 0 : base / stride + 1};
    t.to = t.to < size ? t.to : size;
    return t;
}

static void transpose_pixel(const call *c, int32_t n, int32_t y, int32_t x)
{
    int64_t row = (int64_t)y + c->padding.h, column = (int64_t)x + c->padding.w;
    taps rows = sources_of(row, c->stride.h, c->filter.h, c->in.h);
    taps columns = sources_of(column, c->stride.w, c->filter.w, c->in.w);
    for (int32_t o = 0; o < c->out.c; o++) {
        int64_t sum = 0;
        for (int64_t r = rows.from; r < rows.to; r++)
            for (int64_t q = columns.from; q < columns.to; q++)
                sum +=
                    lb_litert_dot(&c->sums, c->input, input_at(c, n, r, q),
                                  weights_at(c, o, row - r * c->stride.h, column - q * c->stride.w),
                                  (size_t)c->in.c);
        int32_t result = lb_litert_finish(&c->sums, sum, o);
        lb_litert_store(c->sums.type, c->output, output_at(c, n, y, x) + (size_t)o, 1, &result);
    }
}

static lb_litert_status transpose(const call *c)
{
    if (!geometry_holds(c) || c->filter.n != c->out.c || c->filter.c != c->in.c)
        return LB_LITERT_ARG_ERROR;
    each_pixel(c, transpose_pixel);
    return LB_LITERT_SUCCESS;
}

/* ---- Calls as users make them ---- */

/* What all have: the tensors, how sums are scaled, offsets and limits. False: not to be read. */
static bool take(call *c, const lb_litert_context *ctx, const lb_litert_per_channel_quant *quant,
                 lb_litert_type type, bool wide, const lb_litert_dims *in, const void *input,
                 const lb_litert_dims *filter, const int8_t *weights, const lb_litert_dims *out,
                 void *output)
{
    if (!quant || !lb_litert_dims_hold(in) || !lb_litert_dims_hold(filter) ||
        !lb_litert_dims_hold(out))
        return false;
    *c = (call){.sums = {.profile = lb_litert_profile_of(ctx),
                         .type = type,
                         .wide = wide,
                         .multiplier = quant->multiplier,
                         .shift = quant->shift,
                         .per_channel = true},
                .dilation = {1, 1},
                .in = *in,
                .filter = *filter,
                .out = *out,
                .input = input,
                .weights = weights,
                .output = output};
    return true;
}

/* Offsets belong to int8 alone. */
static bool set_offsets(call *c, int32_t input_offset, int32_t output_offset,
                        lb_litert_activation activation)
{
    c->sums.input_offset = input_offset;
    c->sums.output_offset = output_offset;
    c->sums.activation = activation;
    return c->sums.type == LB_LITERT_S8 || (input_offset == 0 && output_offset == 0);
}

static bool set_conv(call *c, const lb_litert_conv_params *p)
{
    c->stride = p->stride;
    c->padding = p->padding;
    c->dilation = p->dilation;
    return set_offsets(c, p->input_offset, p->output_offset, p->activation);
}

static bool set_depthwise(call *c, const lb_litert_dw_conv_params *p)
{
    c->stride = p->stride;
    c->padding = p->padding;
    c->dilation = p->dilation;
    c->ch_mult = p->ch_mult;
    return set_offsets(c, p->input_offset, p->output_offset, p->activation);
}

static bool set_transpose(call *c, const lb_litert_transpose_conv_params *p)
{
    c->stride = p->stride;
    c->padding = p->padding;
    return set_offsets(c, p->input_offset, p->output_offset, p->activation);
}

lb_litert_status lb_litert_convolve_s8(const lb_litert_context *ctx,
                                       const lb_litert_conv_params *params,
                                       const lb_litert_per_channel_quant *quant,
                                       const lb_litert_dims *input_dims, const int8_t *input,
                                       const lb_litert_dims *filter_dims, const int8_t *filter,
                                       const lb_litert_dims *bias_dims, const int32_t *bias,
                                       const lb_litert_dims *output_dims, int8_t *output)
{
    call c;
    (void)bias_dims;
    if (!params || !take(&c, ctx, quant, LB_LITERT_S8, false, input_dims, input, filter_dims,
                         filter, output_dims, output))
        return LB_LITERT_ARG_ERROR;
    c.sums.bias32 = bias;
    return set_conv(&c, params) ? convolve(&c) : LB_LITERT_ARG_ERROR;
}

lb_litert_status lb_litert_convolve_s16(const lb_litert_context *ctx,
                                        const lb_litert_conv_params *params,
                                        const lb_litert_per_channel_quant *quant,
                                        const lb_litert_dims *input_dims, const int16_t *input,
                                        const lb_litert_dims *filter_dims, const int8_t *filter,
                                        const lb_litert_dims *bias_dims, const lb_litert_bias *bias,
                                        const lb_litert_dims *output_dims, int16_t *output)
{
    call c;
    (void)bias_dims;
    if (!params || !bias ||
        !take(&c, ctx, quant, LB_LITERT_S16, !bias->is_int32, input_dims, input, filter_dims,
              filter, output_dims, output))
        return LB_LITERT_ARG_ERROR;
    c.sums.bias32 = bias->is_int32 ? bias->data : NULL;
    c.sums.bias64 = bias->is_int32 ? NULL : bias->data;
    return set_conv(&c, params) ? convolve(&c) : LB_LITERT_ARG_ERROR;
}

lb_litert_status lb_litert_depthwise_conv_s8(
    const lb_litert_context *ctx, const lb_litert_dw_conv_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output)
{
    call c;
    (void)bias_dims;
    if (!params || !take(&c, ctx, quant, LB_LITERT_S8, false, input_dims, input, filter_dims,
                         filter, output_dims, output))
        return LB_LITERT_ARG_ERROR;
    c.sums.bias32 = bias;
    return set_depthwise(&c, params) ? depthwise(&c) : LB_LITERT_ARG_ERROR;
}

lb_litert_status
lb_litert_depthwise_conv_s16(const lb_litert_context *ctx, const lb_litert_dw_conv_params *params,
                             const lb_litert_per_channel_quant *quant,
                             const lb_litert_dims *input_dims, const int16_t *input,
                             const lb_litert_dims *filter_dims, const int8_t *filter,
                             const lb_litert_dims *bias_dims, const int64_t *bias,
                             const lb_litert_dims *output_dims, int16_t *output)
{
    call c;
    (void)bias_dims;
    if (!params || !take(&c, ctx, quant, LB_LITERT_S16, true, input_dims, input, filter_dims,
                         filter, output_dims, output))
        return LB_LITERT_ARG_ERROR;
    c.sums.bias64 = bias;
    return set_depthwise(&c, params) ? depthwise(&c) : LB_LITERT_ARG_ERROR;
}

lb_litert_status lb_litert_transpose_conv_s8(
    const lb_litert_context *ctx, const lb_litert_transpose_conv_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output)
{
    call c;
    (void)bias_dims;
    if (!params || !take(&c, ctx, quant, LB_LITERT_S8, false, input_dims, input, filter_dims,
                         filter, output_dims, output))
        return LB_LITERT_ARG_ERROR;
    c.sums.bias32 = bias;
    return set_transpose(&c, params) ? transpose(&c) : LB_LITERT_ARG_ERROR;
}

lb_litert_status lb_litert_transpose_conv_s16(
    const lb_litert_context *ctx, const lb_litert_transpose_conv_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims,
    const int16_t *input, const lb_litert_dims *filter_dims, const int8_t *filter,
    const lb_litert_dims *bias_dims, const int64_t *bias, const lb_litert_dims *output_dims,
    int16_t *output)
{
    call c;
    (void)bias_dims;
    if (!params || !take(&c, ctx, quant, LB_LITERT_S16, true, input_dims, input, filter_dims,
                         filter, output_dims, output))
        return LB_LITERT_ARG_ERROR;
    c.sums.bias64 = bias;
    return set_transpose(&c, params) ? transpose(&c) : LB_LITERT_ARG_ERROR;
}
