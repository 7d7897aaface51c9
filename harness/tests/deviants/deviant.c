/* Kernels with weights in numerics of their own, for the tests of `lastbit characterize`: one file,
 * compiled with other choices again and again (deviants.cmake). Written from the formulas of
 * reference/spec alone; it shares no code with the models. */
#include "lb_kit.h"
#include "lb_native.h"

#include <string.h>

enum { UP, EVEN, AWAY, ZERO, FLOOR }; /* roundings */
enum { FULL, REDUCED, HIGH };         /* requantization */
enum { WRAP, SATURATE, AT_END };      /* past the width */
enum { BIAS_SATURATES, BIAS_WRAPS, BIAS_FIRST };
enum { ZERO_AFTER, ZERO_BEFORE, ZERO_LAST }; /* the output's zero point */
enum { LEFT_SATURATES, LEFT_WRAPS, LEFT_IGNORED };

#ifndef ROUND
#define ROUND UP
#endif
#ifndef SCALE_ROUND
#define SCALE_ROUND UP
#endif
#ifndef REQUANTIZE
#define REQUANTIZE FULL
#endif
#ifndef FIRST_ROUND
#define FIRST_ROUND UP
#endif
#ifndef MULTIPLIER_BITS
#define MULTIPLIER_BITS 0
#endif
#ifndef ACC_8X8
#define ACC_8X8 32
#endif
#ifndef ACC_16X8
#define ACC_16X8 32
#endif
#ifndef ACC_16X16
#define ACC_16X16 64
#endif
#ifndef OVERFLOWS
#define OVERFLOWS WRAP
#endif
#ifndef LANES
#define LANES 0
#endif
#ifndef BIAS
#define BIAS BIAS_SATURATES
#endif
#ifndef BIAS_TOP_16
#define BIAS_TOP_16 (REQUANTIZE == REDUCED)
#endif
#ifndef ZERO_IN_PRODUCTS
#define ZERO_IN_PRODUCTS 0
#endif
#ifndef RAW_PADDING
#define RAW_PADDING 0
#endif
#ifndef OUT_ZERO
#define OUT_ZERO ZERO_AFTER
#endif
#ifndef RIGHT_MODULO
#define RIGHT_MODULO 0
#endif
#ifndef LEFT
#define LEFT LEFT_SATURATES
#endif
#ifndef SYMMETRIC
#define SYMMETRIC 0
#endif
#ifndef CHANGES_ITS_MIND
#define CHANGES_ITS_MIND 0
#endif
#ifndef UNHEARD_OF
#define UNHEARD_OF 0
#endif

__extension__ typedef __int128 wide;

/* ---- Numbers ---- */

static wide power(int n)
{
    return (wide)1 << n;
}

static wide clip(wide v, int bits)
{
    wide high = power(bits - 1) - 1;
    return v > high ? high : v < -high - 1 ? -high - 1 : v;
}

static wide cut(wide v, int bits)
{
    wide rest = v % power(bits);
    rest = rest < 0 ? rest + power(bits) : rest;
    return rest >= power(bits - 1) ? rest - power(bits) : rest;
}

static wide floor_of(wide v, int n)
{
    wide q = v / power(n);
    return q * power(n) > v ? q - 1 : q;
}

static wide right(int mode, wide v, int n, int bits)
{
    if (n == 0)
        return v;
    if (n >= bits)
        return mode == FLOOR && v < 0 ? -1 : 0;
    wide half = power(n - 1), down = floor_of(v, n), rest = v - down * power(n);
    switch (mode) {
    case UP:
        return floor_of(clip(v + half, bits), n);
    case EVEN:
        return down + (rest > half || (rest == half && (down & 1) != 0));
    case AWAY:
        return v < 0 ? -floor_of(-v + half, n) : floor_of(v + half, n);
    case ZERO:
        return v < 0 ? -floor_of(-v, n) : down;
    default:
        return down;
    }
}

static wide left(wide v, int n, int bits)
{
    if (LEFT == LEFT_IGNORED)
        return v;
    if (LEFT == LEFT_WRAPS)
        return n > 63 ? 0 : cut(cut(v, 64) * power(n > 63 ? 63 : n), bits);
    if (v == 0)
        return 0;
    return n >= bits ? clip(v < 0 ? -power(100) : power(100), bits) : clip(v * power(n), bits);
}

static int count_of(int n)
{
    return RIGHT_MODULO && n >= 0 ? n % (RIGHT_MODULO ? RIGHT_MODULO : 1) : n;
}

/* Redundant sign bits of a number of 32 bits. */
static int room(wide v)
{
    int bits = 31;
    for (wide rest = v < 0 ? -1 - v : v; rest != 0; rest /= 2)
        bits--;
    return bits;
}

/* ---- Accumulators ---- */

typedef struct register_file {
    int bits;
    wide lane[LANES ? LANES : 1];
    unsigned products;
} register_file;

static void add(register_file *r, wide v)
{
    wide *lane = &r->lane[LANES ? r->products % (LANES ? LANES : 1) : 0];
    *lane = OVERFLOWS == SATURATE ? clip(*lane + v, r->bits)
            : OVERFLOWS == WRAP   ? cut(*lane + v, r->bits)
                                  : *lane + v;
    r->products++;
}

static wide total(const register_file *r)
{
    wide sum = r->lane[0];
    for (int i = 1; i < LANES; i++)
        sum = clip(sum + r->lane[i], r->bits);
    return OVERFLOWS == AT_END ? clip(sum, r->bits) : sum;
}

/* ---- Tensors ---- */

static int64_t offset_of(const lb_native_tensor *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t index[4] = {a, b, c, d};
    int64_t offset = 0;
    for (uint32_t i = 0; i < t->rank; i++)
        offset += (int64_t)index[i] * t->stride[i];
    return offset;
}

static int32_t element(const lb_native_tensor *t, int64_t offset)
{
    int16_t two;
    int32_t four;
    const unsigned char *data = t->data;
    if (t->type == LB_NATIVE_FX16)
        return memcpy(&two, data + 2 * offset, 2), two;
    if (t->type == LB_NATIVE_SA32)
        return memcpy(&four, data + 4 * offset, 4), four;
    return ((const int8_t *)t->data)[offset];
}

static void set_element(const lb_native_tensor *t, int64_t offset, wide v)
{
    int16_t two = (int16_t)v;
    if (t->type == LB_NATIVE_FX16)
        memcpy((unsigned char *)t->data + 2 * offset, &two, 2);
    else
        ((int8_t *)t->data)[offset] = (int8_t)v;
}

/* ---- A layer ---- */

typedef struct layer {
    const lb_native_call *call;
    const lb_native_tensor *in, *weights, *bias, *out;
    int is_sa, acc_bits, out_bits, step_bits;
    int zero_in; /* of inputs */
    wide low, high;
} layer;

static void find_limits(layer *l, int type)
{
    const int sa = l->is_sa;
    int n = sa ? l->out->scale_frac_bits[0] : l->out->frac_bits;
    wide zero = sa ? l->out->zero_point[0] : 0, scale = sa ? l->out->scale[0] : 1;
    wide most = power(l->out_bits - 1) - 1, step;
    l->low = -most - 1;
    l->high = most;
    if (type == 2 || type == 3) {
        int never = type == 3 ? 28 : 30, units = type == 3 ? 6 : 1;
        step = n >= never ? most
               : n >= 0   ? units * power(n) / scale
                          : floor_of(units, -n > 60 ? 60 : -n) / scale;
        l->low = type == 3 ? zero : zero - step;
        l->high = zero + step < most ? zero + step : most;
    } else if (type == 1) {
        l->low = zero;
    }
    if (l->low < -most - 1)
        l->low = -most - 1;
    if (SYMMETRIC && l->low < -most)
        l->low = -most;
}

static wide bias_of(const layer *l, uint32_t channel)
{
    wide b = element(l->bias, offset_of(l->bias, channel, 0, 0, 0));
    if (l->is_sa) {
        int k = 16 - room(b) > 0 ? 16 - room(b) : 0;
        return BIAS_TOP_16 ? floor_of(b, k) * power(k) : b;
    }
    int up = l->in->frac_bits + l->weights->frac_bits - l->bias->frac_bits;
    int bits = l->weights->type == LB_NATIVE_FX16 ? 64 : 32;
    wide aligned = b == 0       ? 0
                   : up >= bits ? clip(b < 0 ? -power(100) : power(100), bits)
                                : clip(b * power(up), bits);
    return bits == 64 ? cut(aligned, 32) : aligned;
}

/* Ratio of the scales times that of the weights: a multiplier and its shift. */
static void multiplier_of(const layer *l, uint32_t channel, wide *mul, int *shift)
{
    uint32_t j = l->weights->axis >= 0 ? channel : 0;
    int e = room(l->in->scale[0]);
    wide r = l->in->scale[0] * power(e) / l->out->scale[0];
    int drop = 16 - room(r);
    wide ratio = right(SCALE_ROUND, r, drop, 32);
    *mul = ratio * l->weights->scale[j];
    *shift = l->in->scale_frac_bits[0] + e - l->out->scale_frac_bits[0] - drop +
             l->weights->scale_frac_bits[j];
    if (REQUANTIZE != FULL || MULTIPLIER_BITS > 0) {
        int t = room(*mul);
        *mul *= power(t);
        *shift += t;
    }
    if (MULTIPLIER_BITS > 0 && REQUANTIZE != REDUCED) {
        int gone = 31 - MULTIPLIER_BITS;
        *mul = right(SCALE_ROUND, *mul, gone, 64);
        if (REQUANTIZE == HIGH)
            *mul = clip(*mul * power(gone), 32);
        else
            *shift -= gone;
    }
}

static wide shifted(wide v, int n)
{
    if (n < 0)
        return left(v, -n, 64);
    if (!RIGHT_MODULO && n > 63)
        n = 63;
    return right(ROUND, v, count_of(n), 64);
}

/* The high half of a product of two numbers of 32 bits, then a shift to the right. */
static wide high_multiply(wide acc, wide mul, int shift)
{
    int n = shift - 31;
    if (n < 0) {
        acc = left(acc, -n, 32);
        n = 0;
    }
    wide high = clip(right(FIRST_ROUND, acc * mul, 31, 64), 32);
    return clip(right(ROUND, high, count_of(n), 32), 16);
}

static wide reduced(wide acc, wide mul, int shift)
{
    wide m = right(ROUND, mul, 16, 32);
    int rest = shift - 16, pre = rest - 21 < 0 ? 0 : rest - 21 > 8 ? 8 : rest - 21;
    acc = clip(right(ROUND, acc, pre, 32), 16);
    return clip(shifted(acc * m, rest - pre), 16);
}

static wide sa_result(const layer *l, uint32_t channel, wide acc)
{
    wide mul, v, zero = l->out->zero_point[0];
    int shift;
    multiplier_of(l, channel, &mul, &shift);
    if (OUT_ZERO == ZERO_BEFORE && REQUANTIZE == FULL && shift > 0) {
        wide moved = shift > 63 ? clip(zero < 0   ? -power(100)
                                       : zero > 0 ? power(100)
                                                  : 0,
                                       64)
                                : clip(zero * power(shift > 63 ? 0 : shift), 64);
        return clip(shifted(clip(acc * mul + moved, 64), shift), 8);
    }
    v = REQUANTIZE == HIGH      ? high_multiply(acc, mul, shift)
        : REQUANTIZE == REDUCED ? reduced(acc, mul, shift)
                                : clip(shifted(acc * mul, shift), 16);
    if (OUT_ZERO == ZERO_LAST)
        v = clip(v, 8);
    return clip(clip(v + zero, 16), 8);
}

static wide finish(const layer *l, uint32_t channel, const register_file *r)
{
    wide acc = total(r), b = bias_of(l, channel);
    if (BIAS == BIAS_SATURATES)
        acc = clip(acc + b, l->acc_bits);
    else if (BIAS == BIAS_WRAPS)
        acc = l->acc_bits == 64 ? clip(acc + b, 64) : cut(acc + b, l->acc_bits);
    acc = clip(acc, l->step_bits);
    wide y;
    if (l->is_sa) {
        y = sa_result(l, channel, acc);
    } else {
        int n = l->in->frac_bits + l->weights->frac_bits - l->out->frac_bits;
        y = clip(right(ROUND, acc, count_of(n), l->step_bits), l->out_bits);
    }
    if (UNHEARD_OF)
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
    l.acc_bits = l.out_bits == 8                     ? ACC_8X8
                 : l.weights->type == LB_NATIVE_FX16 ? ACC_16X16
                                                     : ACC_16X8;
    int is_wide = l.out_bits == 16 && l.weights->type == LB_NATIVE_FX16;
    l.step_bits = !l.is_sa && (is_wide || l.acc_bits > 32) ? 64 : 32;
    l.zero_in = l.is_sa && !strstr(call->function, "ext_bias") ? l.in->zero_point[0] : 0;
    find_limits(&l, lb_native_number(call, "relu", 0));
    return l;
}

static register_file empty(const layer *l, uint32_t channel)
{
    register_file r = {.bits = l->acc_bits};
    if (BIAS == BIAS_FIRST) {
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
        add(r, (wide)(x - (ZERO_IN_PRODUCTS ? l->zero_in : 0)) * w);
}

static int passes_of(const layer *l)
{
    return l->zero_in != 0 && !ZERO_IN_PRODUCTS ? 2 : 1;
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
                                if (outside && !(RAW_PADDING && l->is_sa))
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

static int is_called(const char *function, const char *prefix)
{
    return strncmp(function, prefix, strlen(prefix)) == 0;
}

int lb_native_has(const char *function)
{
    return is_called(function, "mli_krn_fully_connected") ||
           is_called(function, "mli_krn_conv2d") || is_called(function, "mli_krn_depthwise") ||
           is_called(function, "mli_krn_group_conv2d");
}

int lb_native_run(const lb_native_call *call)
{
    static unsigned calls;
    layer l = layer_of(call);
    (is_called(call->function, "mli_krn_fully_connected") ? fully_connected : convolution)(&l);
    if (CHANGES_ITS_MIND && ++calls % 2 == 0)
        set_element(l.out, 0, element(l.out, 0) > 0 ? 0 : 1);
    return LB_NATIVE_DONE;
}

const lb_kit_port lb_port = {"a deviant: kernels with weights in numerics of their own",
                             LB_KIT_ALL_PROFILES, 0};
