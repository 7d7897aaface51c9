/* Average and maximum pooling (litert.8). */
#include "internal.h"

/* A call, of either kind and type. */
typedef struct call {
    lb_litert_type type;
    const lb_litert_pool_params *params;
    const lb_litert_dims *in, *filter, *out;
    const void *input;
    void *output;
} call;

/* The valid elements of a window: rows and columns of the input. */
typedef struct window {
    int32_t n;
    int64_t top, bottom, left, right;
} window;

/* Makes `count` channels from `channel` on of a window. */
typedef void pool_fn(const call *c, const window *w, size_t channel, size_t count, int32_t *result);

static bool holds(const call *c)
{
    return c->params && c->input && c->output && lb_litert_dims_hold(c->in) &&
           lb_litert_dims_hold(c->filter) && lb_litert_dims_hold(c->out) && c->in->n == c->out->n &&
           c->in->c == c->out->c && lb_litert_tile_is_in(c->params->stride, 1, INT16_MAX) &&
           lb_litert_limits_hold(c->params->activation, c->type);
}

static window window_of(const call *c, int32_t n, int32_t y, int32_t x)
{
    int64_t row = (int64_t)y * c->params->stride.h - c->params->padding.h;
    int64_t column = (int64_t)x * c->params->stride.w - c->params->padding.w;
    window w = {n, 0, 0, 0, 0};
    lb_litert_valid_taps(row, 1, c->filter->h, c->in->h, &w.top, &w.bottom);
    lb_litert_valid_taps(column, 1, c->filter->w, c->in->w, &w.left, &w.right);
    w.top += row;
    w.bottom += row;
    w.left += column;
    w.right += column;
    return w;
}

static int64_t elements_of(const window *w)
{
    return w->bottom > w->top && w->right > w->left ? (w->bottom - w->top) * (w->right - w->left)
                                                    : 0;
}

static size_t input_at(const call *c, int32_t n, int64_t y, int64_t x)
{
    return (((size_t)n * (size_t)c->in->h + (size_t)y) * (size_t)c->in->w + (size_t)x) *
           (size_t)c->in->c;
}

/* The quotient rounded, halves away from zero. */
static void average(const call *c, const window *w, size_t channel, size_t count, int32_t *result)
{
    int64_t sum[LB_LITERT_BLOCK] = {0}, elements = elements_of(w);
    for (int64_t y = w->top; y < w->bottom; y++)
        for (int64_t x = w->left; x < w->right; x++) {
            lb_litert_load(c->type, c->input, input_at(c, w->n, y, x) + channel, count, result);
            for (size_t k = 0; k < count; k++)
                sum[k] += result[k];
        }
    for (size_t k = 0; k < count; k++) {
        int64_t half = sum[k] > 0 ? elements / 2 : -(elements / 2);
        result[k] = elements > 0 ? lb_litert_wrap32((sum[k] + half) / elements) : 0;
    }
}

static void maximum(const call *c, const window *w, size_t channel, size_t count, int32_t *result)
{
    int32_t block[LB_LITERT_BLOCK];
    for (size_t k = 0; k < count; k++)
        result[k] = lb_litert_lowest(c->type);
    for (int64_t y = w->top; y < w->bottom; y++)
        for (int64_t x = w->left; x < w->right; x++) {
            lb_litert_load(c->type, c->input, input_at(c, w->n, y, x) + channel, count, block);
            for (size_t k = 0; k < count; k++)
                result[k] = block[k] > result[k] ? block[k] : result[k];
        }
}

static void run_window(const call *c, const window *w, size_t at, pool_fn *pool)
{
    int32_t block[LB_LITERT_BLOCK];
    size_t channels = (size_t)c->out->c, count;
    for (size_t channel = 0; channel < channels; channel += count) {
        count = channels - channel < LB_LITERT_BLOCK ? channels - channel : LB_LITERT_BLOCK;
        pool(c, w, channel, count, block);
        for (size_t k = 0; k < count; k++)
            block[k] =
                lb_litert_clamp(block[k], c->params->activation.min, c->params->activation.max);
        lb_litert_store(c->type, c->output, at + channel, count, block);
    }
}

static lb_litert_status run(const call *c, pool_fn *pool)
{
    lb_litert_status status = LB_LITERT_SUCCESS;
    if (!holds(c))
        return LB_LITERT_ARG_ERROR;
    size_t at = 0;
    for (int32_t n = 0; n < c->out->n; n++)
        for (int32_t y = 0; y < c->out->h; y++)
            for (int32_t x = 0; x < c->out->w; x++, at += (size_t)c->out->c) {
                window w = window_of(c, n, y, x);
                if (pool == average && elements_of(&w) == 0)
                    status = LB_LITERT_FAILURE;
                run_window(c, &w, at, pool);
            }
    return status;
}

lb_litert_status lb_litert_avgpool_s8(const lb_litert_context *ctx,
                                      const lb_litert_pool_params *params,
                                      const lb_litert_dims *input_dims, const int8_t *input,
                                      const lb_litert_dims *filter_dims,
                                      const lb_litert_dims *output_dims, int8_t *output)
{
    (void)ctx;
    return run(&(call){LB_LITERT_S8, params, input_dims, filter_dims, output_dims, input, output},
               average);
}

lb_litert_status lb_litert_avgpool_s16(const lb_litert_context *ctx,
                                       const lb_litert_pool_params *params,
                                       const lb_litert_dims *input_dims, const int16_t *input,
                                       const lb_litert_dims *filter_dims,
                                       const lb_litert_dims *output_dims, int16_t *output)
{
    (void)ctx;
    return run(&(call){LB_LITERT_S16, params, input_dims, filter_dims, output_dims, input, output},
               average);
}

lb_litert_status lb_litert_max_pool_s8(const lb_litert_context *ctx,
                                       const lb_litert_pool_params *params,
                                       const lb_litert_dims *input_dims, const int8_t *input,
                                       const lb_litert_dims *filter_dims,
                                       const lb_litert_dims *output_dims, int8_t *output)
{
    (void)ctx;
    return run(&(call){LB_LITERT_S8, params, input_dims, filter_dims, output_dims, input, output},
               maximum);
}

lb_litert_status lb_litert_max_pool_s16(const lb_litert_context *ctx,
                                        const lb_litert_pool_params *params,
                                        const lb_litert_dims *input_dims, const int16_t *input,
                                        const lb_litert_dims *filter_dims,
                                        const lb_litert_dims *output_dims, int16_t *output)
{
    (void)ctx;
    return run(&(call){LB_LITERT_S16, params, input_dims, filter_dims, output_dims, input, output},
               maximum);
}
