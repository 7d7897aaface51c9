/* The differences of litert.24, each as the specification tells it, in kernels of our own:
 * OWN_DIFFERENCES has bit N for DN. Whatever is not told there is as it may be. */
#ifndef OWN_DIFFERENCES_H
#define OWN_DIFFERENCES_H

#include "arm_nnfunctions.h"

#include <lb_litert.h>

#include <stdlib.h>
#include <string.h>

#ifndef OWN_DIFFERENCES
#define OWN_DIFFERENCES 0
#endif
#define HAS(number) ((OWN_DIFFERENCES >> (number)&1) != 0)

static inline int32_t own_larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t own_limited(int64_t v, cmsis_nn_activation a)
{
    return (int32_t)(v < a.min ? a.min : v > a.max ? a.max : v);
}

/* ---- Transposed convolution ---- */

/* The way that has none of D1 to D4. */
static inline int own_is_reversed(const cmsis_nn_transpose_conv_params *p, const cmsis_nn_dims *in)
{
    return in->c > 16 && p->stride.w <= 2 && p->stride.h <= 2;
}

/* D4 */
static inline int32_t own_row_bytes(const cmsis_nn_transpose_conv_params *p,
                                    const cmsis_nn_dims *in, const cmsis_nn_dims *filter,
                                    const cmsis_nn_dims *out, int32_t stride)
{
    return 4 * out->c * ((in->w - 1) * p->stride.w + own_larger(filter->w, stride));
}

/* From the right output to that of D1 to D3. */
static inline void own_transpose(const cmsis_nn_transpose_conv_params *p, const cmsis_nn_dims *in,
                                 const cmsis_nn_dims *filter, const cmsis_nn_dims *dims,
                                 const int8_t *right, int8_t *out)
{
    const int32_t made = in->h * p->stride.h - p->padding.h;
    const int32_t rows = HAS(3) ? made + own_larger(0, filter->h - p->stride.h) : dims->h;
    const int32_t columns =
        HAS(3) ? in->w * p->stride.w - p->padding.w + own_larger(0, filter->w - p->stride.w)
               : dims->w;
    const int32_t rest = p->padding.h % p->stride.h, late = HAS(1) && rest ? p->stride.h - rest : 0;
    const int32_t row = dims->w * dims->c, image = dims->h * row;
    for (int32_t i = 0; i < dims->n * dims->h; i++) {
        const int32_t n = i / dims->h, y = i % dims->h;
        for (int32_t x = 0; y < rows && y + late < dims->h && x < columns && x < dims->w; x++)
            memcpy(out + n * image + y * row + x * dims->c,
                   right + n * image + (y + late) * row + x * dims->c, (size_t)dims->c);
    }
    for (int32_t y = dims->h; HAS(2) && y < made; y++)
        memset(out + (dims->n - 1) * image + y * row, 0, (size_t)row);
}

/* ---- 64-bit sums ---- */

/* D7 */
static inline int32_t own_scaled(int64_t sum, int32_t multiplier, int32_t shift)
{
    const int64_t reduced = multiplier < 0x7FFF0000 ? (multiplier + 0x8000) >> 16 : 0x7FFF;
    if (!HAS(7))
        return (int32_t)((sum * reduced + ((int64_t)1 << (14 - shift))) >> (15 - shift));
    const int32_t doubled = (int32_t)(uint32_t)((sum * reduced) >> (14 - shift));
    return (int32_t)((uint32_t)doubled + 1) >> 1;
}

/* D6, D9 */
static inline void own_convolve_s16(const cmsis_nn_conv_params *p,
                                    const cmsis_nn_per_channel_quant_params *q,
                                    const cmsis_nn_dims *in_dims, const int16_t *in,
                                    const cmsis_nn_dims *f, const int8_t *filter,
                                    const cmsis_nn_bias_data *bias, const cmsis_nn_dims *o,
                                    int16_t *out)
{
    const int32_t channels = HAS(9) ? in_dims->c : f->c;
    const int32_t in_group = HAS(9) ? o->c : o->c / (in_dims->c / f->c);
    for (int32_t at = 0; at < o->n * o->h * o->w * o->c; at++) {
        const int32_t c = at % o->c, x = at / o->c % o->w, y = at / o->c / o->w % o->h;
        const int32_t n = at / o->c / o->w / o->h;
        int64_t sum = 0;
        for (int32_t k = 0; k < f->h * f->w * channels; k++) {
            const int32_t iy = y * p->stride.h - p->padding.h + k / channels / f->w * p->dilation.h;
            const int32_t ix = x * p->stride.w - p->padding.w + k / channels % f->w * p->dilation.w;
            if (iy < 0 || ix < 0 || iy >= in_dims->h || ix >= in_dims->w)
                continue;
            sum += in[((n * in_dims->h + iy) * in_dims->w + ix) * in_dims->c +
                      c / in_group * channels + k % channels] *
                   filter[c * f->h * f->w * channels + k];
            sum = HAS(6) ? (int32_t)(uint32_t)sum : sum;
        }
        if (bias->data)
            sum += bias->is_int32_bias ? ((const int32_t *)bias->data)[c]
                                       : ((const int64_t *)bias->data)[c];
        out[at] =
            (int16_t)own_limited(own_scaled(sum, q->multiplier[c], q->shift[c]), p->activation);
    }
}

static inline void own_depthwise_s16(const cmsis_nn_dw_conv_params *p,
                                     const cmsis_nn_per_channel_quant_params *q,
                                     const cmsis_nn_dims *in_dims, const int16_t *in,
                                     const cmsis_nn_dims *f, const int8_t *filter,
                                     const int64_t *bias, const cmsis_nn_dims *o, int16_t *out)
{
    for (int32_t at = 0; at < o->n * o->h * o->w * o->c; at++) {
        const int32_t c = at % o->c, x = at / o->c % o->w, y = at / o->c / o->w % o->h;
        const int32_t n = at / o->c / o->w / o->h;
        int64_t sum = bias ? bias[c] : 0;
        for (int32_t k = 0; k < f->h * f->w; k++) {
            const int32_t iy = y * p->stride.h - p->padding.h + k / f->w * p->dilation.h;
            const int32_t ix = x * p->stride.w - p->padding.w + k % f->w * p->dilation.w;
            if (iy >= 0 && ix >= 0 && iy < in_dims->h && ix < in_dims->w)
                sum += in[((n * in_dims->h + iy) * in_dims->w + ix) * in_dims->c + c / p->ch_mult] *
                       filter[k * o->c + c];
        }
        out[at] =
            (int16_t)own_limited(own_scaled(sum, q->multiplier[c], q->shift[c]), p->activation);
    }
}

/* D5, D7 */
static inline void own_fully_connected_s16(const cmsis_nn_fc_params *p,
                                           const cmsis_nn_per_tensor_quant_params *q,
                                           const int16_t *in, const cmsis_nn_dims *f,
                                           const int8_t *filter, const int64_t *bias,
                                           const cmsis_nn_dims *o, int16_t *out)
{
    for (int32_t at = 0; at < o->n * o->c; at++) {
        int64_t sum = bias ? bias[at % o->c] : 0;
        for (int32_t i = 0; i < f->n; i++)
            sum += (int64_t)(in[at / o->c * f->n + i] + (HAS(5) ? 0 : p->input_offset)) *
                   (filter[at % o->c * f->n + i] + (HAS(5) ? 0 : p->filter_offset));
        out[at] = (int16_t)own_limited((int64_t)own_scaled(sum, q->multiplier, q->shift) +
                                           (HAS(5) ? 0 : p->output_offset),
                                       p->activation);
    }
}

/* ---- Softmax of int16: D8 ---- */

static inline int32_t own_entry(const int16_t *table, int32_t at)
{
    const int32_t h = (at >> 7) + 256, o = at & 127;
    return table[h] + (((table[h + 1] - table[h]) * o + 64) >> 7);
}

static inline int32_t own_scale32(int64_t x, int32_t multiplier, int32_t shift)
{
#ifdef CMSIS_NN_USE_SINGLE_ROUNDING
    return (int32_t)((x * multiplier + ((int64_t)1 << (30 - shift))) >> (31 - shift));
#else
    const int64_t left = x * ((int64_t)1 << own_larger(shift, 0));
    const int64_t high = (left * multiplier + ((int64_t)1 << 30)) >> 31;
    const int64_t half = shift < 0 ? (int64_t)1 << (-shift - 1) : 0;
    return (int32_t)(high < 0 ? -((-high + half) >> own_larger(-shift, 0))
                              : (high + half) >> own_larger(-shift, 0));
#endif
}

static inline void own_exponentials(const int16_t *in, int32_t count, int32_t multiplier,
                                    int32_t shift, const int16_t *table, int16_t *exponentials)
{
    int32_t most = in[0];
    for (int32_t i = 1; i < count; i++)
        most = own_larger(most, in[i]);
    for (int32_t i = 0; i < count; i++) {
        const int32_t x = own_scale32(in[i] - most, multiplier, shift) + 32767;
        exponentials[i] = (int16_t)own_entry(table, x < -32768 ? -32768 : x);
    }
}

/* What would be without a limit at the end: 32768 wraps. `right` has it limited. */
static inline int16_t own_unlimited(const int16_t *exponentials, int32_t count, int32_t i,
                                    const int16_t *one_over)
{
    int32_t sum = 0, zeros = 0;
    for (int32_t k = 0; k < count; k++)
        sum += exponentials[k];
    while (sum > 0 && !((uint32_t)sum << zeros >> 31))
        zeros++;
    const int64_t full = (int64_t)sum << (zeros - 1);
    const int64_t place = ((full + (1 << 13)) >> 14) - 98304;
    const int32_t r = own_entry(one_over, (int32_t)(place > 32767    ? 32767
                                                    : place < -32768 ? -32768
                                                                     : place));
    const int64_t y = ((int64_t)exponentials[i] * r + ((int64_t)1 << (30 - zeros))) >> (31 - zeros);
    return (int16_t)(uint16_t)(y < 0 ? 0 : y);
}

/* ---- Maximum of a window without elements: D10 ---- */

static inline int own_is_empty(const cmsis_nn_pool_params *p, const cmsis_nn_dims *in,
                               const cmsis_nn_dims *f, int32_t y, int32_t x)
{
    const int32_t top = y * p->stride.h - p->padding.h, left = x * p->stride.w - p->padding.w;
    return top + f->h <= 0 || top >= in->h || left + f->w <= 0 || left >= in->w;
}

/* ---- Depthwise, 3x3: D11 ---- */

static inline int own_is_fast_3x3(const cmsis_nn_dw_conv_params *p, const cmsis_nn_dims *in,
                                  const cmsis_nn_dims *f)
{
    return f->h == 3 && f->w == 3 && p->ch_mult == 1 && in->n == 1 && p->dilation.w == 1 &&
           p->dilation.h == 1 && p->padding.w <= 1 && p->padding.h <= 1;
}

/* The input with a column more: the first pixel of the next row, or what lies behind. */
static inline int8_t *own_wider(const cmsis_nn_dims *d, const int8_t *in)
{
    const int32_t row = d->w * d->c;
    int8_t *wider = malloc((size_t)(d->h * (row + d->c)));
    for (int32_t y = 0; wider && y < d->h; y++)
        for (int32_t i = 0; i < row + d->c; i++)
            wider[y * (row + d->c) + i] = in[y * row + i];
    return wider;
}

#endif
