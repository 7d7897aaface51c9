/* Deviants: convolutions and fully connected layers. Formulas: conv.md, numerics.md 4, 5. */
#include "deviant.h"

#include <math.h>

/* ---- A layer ---- */

typedef struct layer {
    const lb_native_call *call;
    const lb_native_tensor *in, *weights, *bias, *out;
    int is_sa, acc_bits, out_bits, step_bits;
    int zero_in; /* of inputs */
    wide low, high;
} layer;

static wide bias_of(const layer *l, uint32_t channel)
{
    wide b = element(l->bias, offset_of(l->bias, channel, 0, 0, 0));
    if (l->is_sa)
        return sa_bias(b);
    int up = l->in->frac_bits + l->weights->frac_bits - l->bias->frac_bits;
    int bits = l->weights->type == LB_NATIVE_FX16 ? 64 : 32;
    wide aligned = b == 0       ? 0
                   : up >= bits ? clip(b < 0 ? -power(100) : power(100), bits)
                                : clip(b * power(up), bits);
    return bits == 64 ? cut(aligned, 32) : aligned;
}

/* The ratio of all three scales as a number of 31 bits. */
static void exact_multiplier(const layer *l, uint32_t j, wide *mul, int *shift)
{
    wide a = (wide)l->in->scale[0] * l->weights->scale[j], b = l->out->scale[0];
    int k = 0;
    while (a * power(k) / b < power(30))
        k++;
    wide twice = 2 * a * power(k) / b; /* positive: a half is what an odd one has over */
    int is_tie = twice % 2 == 1 && 2 * a * power(k) % b == 0;
    *mul = twice / 2;
    if (twice % 2 == 1 && CHOSEN(SCALE_ROUND) != FLOOR && CHOSEN(SCALE_ROUND) != ZERO)
        *mul += is_tie && CHOSEN(SCALE_ROUND) == EVEN ? *mul % 2 : 1;
    *shift =
        l->in->scale_frac_bits[0] + l->weights->scale_frac_bits[j] - l->out->scale_frac_bits[0] + k;
}

/* With the machine's single precision. */
static wide float_result(const layer *l, uint32_t channel, wide acc)
{
    uint32_t j = l->weights->axis >= 0 ? channel : 0;
    float ratio = (float)((int32_t)l->in->scale[0] * l->weights->scale[j]);
    ratio /= (float)l->out->scale[0];
    ratio = ldexpf(ratio, l->out->scale_frac_bits[0] - l->in->scale_frac_bits[0] -
                              l->weights->scale_frac_bits[j]);
    int exponent;
    float product = (float)(int64_t)acc * ratio;
    wide digits = (wide)ldexpf(frexpf(product, &exponent), 24);
    int n = 24 - exponent;
    return clip(n < 0 ? left(digits, -n, 64) : right(CHOSEN(ROUND), digits, n > 63 ? 63 : n, 64),
                16);
}

/* Ratio of the scales times that of the weights: a multiplier and its shift. */
static void multiplier_of(const layer *l, uint32_t channel, wide *mul, int *shift)
{
    uint32_t j = l->weights->axis >= 0 ? channel : 0;
    if (CHOSEN(EXACT_RATIO)) {
        exact_multiplier(l, j, mul, shift);
        return;
    }
    int e = room(l->in->scale[0]);
    wide r = l->in->scale[0] * power(e) / l->out->scale[0];
    int drop = 16 - room(r);
    wide ratio = right(CHOSEN(SCALE_ROUND), r, drop, 32);
    *mul = ratio * l->weights->scale[j];
    *shift = l->in->scale_frac_bits[0] + e - l->out->scale_frac_bits[0] - drop +
             l->weights->scale_frac_bits[j];
    if (CHOSEN(REQUANTIZE) != FULL || CHOSEN(MULTIPLIER_BITS) > 0) {
        int t = room(*mul);
        *mul *= power(t);
        *shift += t;
    }
    if (CHOSEN(MULTIPLIER_BITS) > 0 && CHOSEN(REQUANTIZE) != REDUCED) {
        int gone = 31 - CHOSEN(MULTIPLIER_BITS);
        *mul = right(CHOSEN(SCALE_ROUND), *mul, gone, 64);
        if (CHOSEN(REQUANTIZE) == HIGH)
            *mul = clip(*mul * power(gone), 32);
        else
            *shift -= gone;
    }
}

static wide shifted(wide v, int n)
{
    if (n < 0)
        return left(v, -n, 64);
    if (!CHOSEN(RIGHT_MODULO) && n > 63)
        n = 63;
    return right(CHOSEN(ROUND), v, count_of(n), 64);
}

/* The high half of a product of two numbers of 32 bits, then a shift to the right. */
static wide high_multiply(wide acc, wide mul, int shift)
{
    int n = shift - 31;
    if (n < 0) {
        acc = left(acc, -n, 32);
        n = 0;
    }
    wide high = clip(right(CHOSEN(FIRST_ROUND), acc * mul, 31, 64), 32);
    return clip(right(CHOSEN(ROUND), high, count_of(n), 32), 16);
}

static wide reduced(wide acc, wide mul, int shift)
{
    wide m = right(CHOSEN(ROUND), mul, 16, 32);
    int rest = shift - 16, pre = rest - 21 < 0 ? 0 : rest - 21 > 8 ? 8 : rest - 21;
    acc = clip(right(CHOSEN(ROUND), acc, pre, 32), 16);
    return clip(shifted(acc * m, rest - pre), 16);
}

static wide sa_result(const layer *l, uint32_t channel, wide acc)
{
    wide mul, v, zero = l->out->zero_point[0];
    int shift;
    multiplier_of(l, channel, &mul, &shift);
    if (CHOSEN(OUT_ZERO) == ZERO_BEFORE && CHOSEN(REQUANTIZE) == FULL && shift > 0) {
        wide moved = shift > 63 ? clip(zero < 0   ? -power(100)
                                       : zero > 0 ? power(100)
                                                  : 0,
                                       64)
                                : clip(zero * power(shift > 63 ? 0 : shift), 64);
        return clip(shifted(clip(acc * mul + moved, 64), shift), 8);
    }
    v = CHOSEN(REQUANTIZE) == FLOAT     ? float_result(l, channel, acc)
        : CHOSEN(REQUANTIZE) == HIGH    ? high_multiply(acc, mul, shift)
        : CHOSEN(REQUANTIZE) == REDUCED ? reduced(acc, mul, shift)
                                        : clip(shifted(acc * mul, shift), 16);
    if (CHOSEN(OUT_ZERO) == ZERO_LAST)
        v = clip(v, 8);
    return clip(clip(v + zero, 16), 8);
}

static wide finish(const layer *l, uint32_t channel, const register_file *r)
{
    wide acc = total(r), b = bias_of(l, channel);
    if (CHOSEN(BIAS) == BIAS_SATURATES)
        acc = clip(acc + b, l->acc_bits);
    else if (CHOSEN(BIAS) == BIAS_WRAPS)
        acc = l->acc_bits == 64 ? clip(acc + b, 64) : cut(acc + b, l->acc_bits);
    acc = clip(acc, l->step_bits);
    wide y;
    if (l->is_sa) {
        y = sa_result(l, channel, acc);
    } else {
        int n = l->in->frac_bits + l->weights->frac_bits - l->out->frac_bits;
        y = clip(right(CHOSEN(ROUND), acc, count_of(n), l->step_bits), l->out_bits);
    }
    if (CHOSEN(UNHEARD_OF))
        y = y > 0 && y % 8 == 5 ? y - 1 : y;
    y = y < l->high ? y : l->high;
    return y > l->low ? y : l->low;
}

static layer layer_of(const lb_native_call *call)
{
    layer l = {.call = call,
               .in = call->tensor[LB_NATIVE_IN],
               .weights = call->tensor[LB_NATIVE_WEIGHTS],
               .bias = call->tensor[LB_NATIVE_BIAS],
               .out = call->tensor[LB_NATIVE_OUT]};
    l.is_sa = l.in->type == LB_NATIVE_SA8;
    l.out_bits = l.in->type == LB_NATIVE_FX16 ? 16 : 8;
    l.acc_bits = l.out_bits == 8                     ? CHOSEN(ACC_8X8)
                 : l.weights->type == LB_NATIVE_FX16 ? CHOSEN(ACC_16X16)
                                                     : CHOSEN(ACC_16X8);
    int is_wide = l.out_bits == 16 && l.weights->type == LB_NATIVE_FX16;
    l.step_bits = !l.is_sa && (is_wide || l.acc_bits > 32) ? 64 : 32;
    l.zero_in = l.is_sa && !strstr(call->function, "ext_bias") ? l.in->zero_point[0] : 0;
    relu_limits(lb_native_number(call, "relu", 0), l.out_bits, l.is_sa,
                l.is_sa ? l.out->scale_frac_bits[0] : l.out->frac_bits,
                l.is_sa ? l.out->scale[0] : 1, l.is_sa ? l.out->zero_point[0] : 0, &l.low, &l.high);
    return l;
}

static register_file empty(const layer *l, uint32_t channel)
{
    register_file r = {.bits = l->acc_bits};
    if (CHOSEN(BIAS) == BIAS_FIRST) {
        add(&r, bias_of(l, channel));
        r.products = 0;
    }
    return r;
}

/* One input and one weight; pass 0: the products, pass 1: what takes the zero point off. */
static void multiply(const layer *l, register_file *r, int pass, int32_t x, int32_t w)
{
    if (pass == 1)
        add(r, (wide)-l->zero_in * w);
    else
        add(r, (wide)(x - (CHOSEN(ZERO_IN_PRODUCTS) ? l->zero_in : 0)) * w);
}

static int passes_of(const layer *l)
{
    return l->zero_in != 0 && !CHOSEN(ZERO_IN_PRODUCTS) ? 2 : 1;
}

/* ---- The functions ---- */

static void fully_connected(const layer *l)
{
    uint32_t inputs = l->weights->shape[0];
    for (uint32_t c = 0; c < l->weights->shape[1]; c++) {
        register_file r = empty(l, c);
        for (int pass = 0; pass < passes_of(l); pass++)
            for (uint32_t i = 0; i < inputs; i++)
                multiply(l, &r, pass, element(l->in, i),
                         element(l->weights, offset_of(l->weights, i, c, 0, 0)));
        set_element(l->out, offset_of(l->out, c, 0, 0, 0), finish(l, c, &r));
    }
}

static void convolution(const layer *l)
{
    const uint32_t *in = l->in->shape, *w = l->weights->shape, *out = l->out->shape;
    const int stride_y = lb_native_number(l->call, "stride_height", 0),
              stride_x = lb_native_number(l->call, "stride_width", 0),
              dilation_y = lb_native_number(l->call, "dilation_height", 0),
              dilation_x = lb_native_number(l->call, "dilation_width", 0),
              top = lb_native_number(l->call, "padding_top", 0),
              first_column = lb_native_number(l->call, "padding_left", 0);
    uint32_t depth = w[2], groups = in[2] / depth, filters = out[2] / groups;
    for (uint32_t y = 0; y < out[0]; y++)
        for (uint32_t x = 0; x < out[1]; x++)
            for (uint32_t c = 0; c < out[2]; c++) {
                register_file r = empty(l, c);
                for (int pass = 0; pass < passes_of(l); pass++)
                    for (uint32_t k = 0; k < depth; k++)
                        for (uint32_t i = 0; i < w[0]; i++)
                            for (uint32_t j = 0; j < w[1]; j++) {
                                int64_t row = (int64_t)y * stride_y - top + (int64_t)i * dilation_y,
                                        column = (int64_t)x * stride_x - first_column +
                                                 (int64_t)j * dilation_x;
                                int outside = row < 0 || column < 0 || row >= (int64_t)in[0] ||
                                              column >= (int64_t)in[1];
                                if (outside && !(CHOSEN(RAW_PADDING) && l->is_sa))
                                    continue;
                                int32_t v =
                                    outside ? 0
                                            : element(l->in, offset_of(l->in, (uint32_t)row,
                                                                       (uint32_t)column,
                                                                       c / filters * depth + k, 0));
                                multiply(l, &r, pass, v,
                                         element(l->weights, offset_of(l->weights, i, j, k, c)));
                            }
                set_element(l->out, offset_of(l->out, y, x, c, 0), finish(l, c, &r));
            }
}

int run_weighted(const lb_native_call *call)
{
    const char *name = call->function + strlen("mli_krn_");
    int dense = is_called(name, "fully_connected");
    if (!is_called(call->function, "mli_krn_") ||
        !(dense || is_called(name, "conv2d") || is_called(name, "depthwise") ||
          is_called(name, "group_conv2d")))
        return 0;
    layer l = layer_of(call);
    (dense ? fully_connected : convolution)(&l);
    return 1;
}
