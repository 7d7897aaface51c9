/* Probes of functions with weights: see probe_weighted.h. */
#include "harness/characterize/probe_weighted.h"

#include "reference/core/arith.h"
#include "reference/core/scale.h"

#include <math.h>
#include <string.h>

/* Operands of all outputs, whatever the geometry: output c is the sum over k of x[k] * w[k][c]. */
typedef struct layer {
    lb_build *b;
    const lb_kernel *kernel;
    uint32_t taps, channels;
    int in_bits, weight_bits;
    lb_case_tensor *in, *weights, *bias, *out;
    uint32_t depth, copies; /* taps of one position; how often the input holds each tap */
} layer;

static int64_t pick(layer *l, int64_t low, int64_t high)
{
    return lb_random_in(&l->b->random, low, high);
}

/* ---- Geometry ---- */

/* One multiplier for all channels: rnn_dense has no axis. */
static bool is_dense(const layer *l)
{
    return l->kernel->family == LB_FAMILY_RNN_DENSE;
}

/* A window that covers its input: height, width. */
static void window_of(layer *l, uint32_t taps, uint32_t *height, uint32_t *width)
{
    uint32_t fixed = (uint32_t)l->kernel->kernel_size;
    *height = *width = fixed ? fixed : 1;
    if (fixed == 0 && l->kernel->family == LB_FAMILY_DEPTHWISE_CONV2D) {
        *width = (uint32_t)sqrt((double)taps);
        *height = (taps + *width - 1) / *width;
    }
}

static void shape_layer(layer *l, uint32_t taps, uint32_t channels)
{
    lb_config *cfg = &l->b->c->config;
    const bool flat = l->kernel->family == LB_FAMILY_FULLY_CONNECTED || is_dense(l),
               depthwise = l->kernel->family == LB_FAMILY_DEPTHWISE_CONV2D;
    uint32_t height = 1, width = 1;
    if (!flat)
        window_of(l, taps, &height, &width);
    l->channels = channels;
    l->depth = depthwise ? 1 : (taps + height * width - 1) / (height * width);
    l->taps = l->depth * height * width;
    l->copies = depthwise ? channels : l->kernel->family == LB_FAMILY_GROUP_CONV2D ? 2 : 1;
    const uint32_t in[3] = {height, width, l->depth * l->copies}, out[3] = {1, 1, channels},
                   weights[4] = {height, width, l->depth, channels};
    const unsigned front = flat ? 2 : 0; /* dimensions that it does not have */
    l->in = lb_probe_operand(l->b, LB_ROLE_IN, 3 - front, in + front);
    l->weights = lb_probe_operand(l->b, LB_ROLE_WEIGHTS, 4 - front, weights + front);
    l->bias = lb_probe_operand(l->b, LB_ROLE_BIAS, 1, &channels);
    l->out = lb_probe_operand(l->b, LB_ROLE_OUT, 3 - front, out + front);
    cfg->inputs_num = is_dense(l);
    cfg->stride_height = cfg->stride_width = cfg->dilation_height = cfg->dilation_width = !flat;
}

/* Input of tap k. Taps count positions outermost. */
static void set_input(layer *l, uint32_t k, int64_t x)
{
    uint32_t position = k / l->depth, channel = k % l->depth;
    for (uint32_t copy = 0; copy < l->copies; copy++)
        l->in->data.items[(position * l->copies + copy) * l->depth + channel] = (int32_t)x;
}

static int32_t input_of(const layer *l, uint32_t k)
{
    return l->in->data.items[(size_t)(k / l->depth) * l->depth * l->copies + k % l->depth];
}

static void set_weight(layer *l, uint32_t k, uint32_t channel, int64_t w)
{
    l->weights->data.items[(size_t)k * l->channels + channel] = (int32_t)w;
}

static layer layer_of(lb_build *b)
{
    const lb_kernel *k = b->c->kernel;
    return (layer){.b = b,
                   .kernel = k,
                   .in_bits = lb_container_bits(k->in_type),
                   .weight_bits = lb_container_bits(k->weights_type)};
}

/* ---- Formats ---- */

/* Input and output of sa8; weights and bias with an entry for each channel. */
static void sa_formats(layer *l, int scale_in, int scale_out, int zero_in, int zero_out)
{
    lb_build_sa(l->b, l->in, scale_in, 20, zero_in);
    lb_build_sa(l->b, l->out, scale_out, 0, zero_out);
    if (is_dense(l)) {
        lb_build_sa(l->b, l->weights, 0, 0, 0);
        lb_build_sa(l->b, l->bias, 1, 0, 0);
        return;
    }
    lb_build_sa_axis(l->b, l->weights, (int)l->weights->rank - 1);
    lb_build_sa_axis(l->b, l->bias, 0);
}

/* One channel: the accumulator is multiplied by about 2^-down. Gives that factor, as it is in the
 * model that rounds ratios up. */
static double sa_channel(layer *l, uint32_t c, int scale, int down)
{
    lb_quant in = {l->in->scale[0], l->in->scale_frac_bits[0], 0};
    lb_quant out = {l->out->scale[0], l->out->scale_frac_bits[0], 0};
    lb_ratio ratio = lb_output_ratio(LB_ROUND_UP, in, out);
    if (is_dense(l)) {
        c = 0;
        if (l->weights->scale[0] != 0) {
            lb_multiplier m = lb_output_multiplier(
                &lb_profiles[0], ratio,
                (lb_quant){l->weights->scale[0], l->weights->scale_frac_bits[0], 0});
            return ldexp((double)m.mul, -m.shift);
        }
    }
    int mul_bits = lb_build_bits((uint64_t)ratio.ratio * (uint64_t)scale);
    l->weights->scale[c] = (int16_t)scale;
    l->weights->scale_frac_bits[c] =
        (int8_t)lb_build_clamp(down + mul_bits - 1 - ratio.base, -128, 127);
    lb_build_bias_format(l->in, l->weights, l->bias, c);
    lb_multiplier m = lb_output_multiplier(&lb_profiles[0], ratio,
                                           (lb_quant){scale, l->weights->scale_frac_bits[c], 0});
    return ldexp((double)m.mul, -m.shift);
}

/* ---- Results ---- */

/* A sum whose result lies on or beside the half between two containers, or anywhere. */
static int64_t telling_sum(layer *l, double factor, double center, double reach)
{
    double target = center + (double)pick(l, -(int64_t)reach, (int64_t)reach);
    int64_t way = pick(l, 0, 5);
    if (way < 4)
        target += 0.5;
    else if (way == 4)
        target += (double)pick(l, 0, 1023) / 1024.0;
    double sum = target / factor;
    if (fabs(sum) > 2147483000.0)
        sum = sum < 0 ? -2147483000.0 : 2147483000.0;
    int64_t beside = way == 1 ? 1 : way == 2 ? -1 : 0;
    return (int64_t)floor(sum) + beside;
}

static void sa_result(layer *l)
{
    static const int scales[] = {16384, 8192, 1};
    bool plain = lb_build_once_in(l->b, 2);
    int scale_in = plain ? 16384 : (int)pick(l, 16384, 24000) | 1,
        scale_out = plain ? 16384 : (int)pick(l, 24001, 32767) | 1;
    int zero_out = (int)pick(l, -30, 30);
    sa_formats(l, scale_in, scale_out, lb_build_once_in(l->b, 2) ? 0 : lb_build_zero_point(l->b),
               zero_out);
    for (uint32_t k = 0; k < l->taps; k++)
        set_input(l, k, k == 0 ? 1 : pick(l, -128, 127));
    for (uint32_t c = 0; c < l->channels; c++) {
        bool is_extreme = lb_build_once_in(l->b, is_dense(l) && c == 0 ? 4 : 16);
        int scale = lb_build_once_in(l->b, 2) ? (int)LB_RANDOM_OF(&l->b->random, scales)
                                              : (int)pick(l, 16384, 32767);
        int down =
            (int)(is_extreme ? (lb_build_once_in(l->b, 2) ? pick(l, -60, -25) : pick(l, 25, 90))
                             : pick(l, 0, 24));
        double factor = sa_channel(l, c, scale, down);
        int64_t sum = telling_sum(l, factor, 0, 150);
        if (is_extreme) {
            int64_t most = (INT64_C(1) << pick(l, 2, 31)) - 1;
            sum = pick(l, -(INT64_C(1) << pick(l, 2, 31)), most);
        }
        int64_t products = 0;
        for (uint32_t k = 0; k < l->taps; k++) {
            int64_t w = lb_build_once_in(l->b, 2) ? 0 : pick(l, -127, 127);
            set_weight(l, k, c, w);
            products += w * (input_of(l, k) - l->in->zero_point[0]);
        }
        l->bias->data.items[c] = (int32_t)lb_sat(sum - products, 32);
    }
}

static void fx_result(layer *l)
{
    static const int shifts[] = {1, 2, 3, 5, 8, 12, 15, 20, 24, 31, 33, 40, 63, 64, 70};
    bool wide = l->kernel->weights_type == LB_FX16;
    int reach = l->in_bits == 8 ? 7 : 15;
    unsigned turn = l->b->options->wide;
    int shift = shifts[turn % 2 ? pick(l, 0, wide ? 7 : 6) : (int64_t)(turn / 2 % 15)];
    int low_weight = -(1 << (l->weight_bits - 1)), high_weight = -low_weight - 1;
    int64_t base = (int64_t)1 << (l->in_bits - 2);
    lb_build_fx(l->in, (int)pick(l, 0, 30));
    lb_build_fx(l->weights, 40);
    int up = (int)(lb_build_once_in(l->b, 3) && !wide ? pick(l, 16, 31) : pick(l, 0, 6));
    lb_build_fx(l->bias, l->in->frac_bits + 40 - up);
    lb_build_fx(l->out, l->in->frac_bits + 40 - shift);
    for (uint32_t k = 0; k < l->taps; k++)
        set_input(l, k, k == 0 ? 1 : k == 1 ? base : base * (k % 2 ? -1 : 1));
    for (uint32_t c = 0; c < l->channels; c++) {
        double target =
            (double)pick(l, -(INT64_C(1) << reach) - 20, (INT64_C(1) << reach) + 20) + 0.5;
        int64_t sum = (int64_t)floor(ldexp(target, shift > 40 ? 40 : shift)) + pick(l, -1, 1);
        int64_t bias = pick(l, -(1 << (l->weight_bits - 1)), (1 << (l->weight_bits - 1)) - 1);
        l->bias->data.items[c] = (int32_t)bias;
        /* A bias that fills the accumulator needs but a push of the same sign. */
        sum = up >= 16 && lb_build_once_in(l->b, 2) ? bias * base : sum - bias * (INT64_C(1) << up);
        for (uint32_t k = l->taps; k-- > 0;)
            set_weight(l, k, c, lb_aim_weight(&sum, input_of(l, k), low_weight, high_weight));
    }
}

void lb_probe_weighted_result(lb_build *b)
{
    layer l = layer_of(b);
    shape_layer(&l, 4, 128);
    b->c->config.relu = 0;
    if (l.kernel->in_type == LB_SA8)
        sa_result(&l);
    else
        fx_result(&l);
}

/* ---- Sums ---- */

int lb_probe_direction(unsigned pattern, uint32_t k, uint32_t taps, lb_build *b)
{
    switch (pattern) {
    case 0:
        return 1;
    case 1:
        return -1;
    case 2:
        return k < (uint64_t)taps * 5 / 6 ? 1 : -1;
    case 3:
        return k < (uint64_t)taps * 5 / 6 ? -1 : 1;
    case 4:
        return lb_random_once_in(&b->random, 2) ? 1 : -1;
    default:
        return k >> (pattern - 5) & 1 ? -1 : 1;
    }
}

lb_ramp lb_probe_ramp(lb_build *b, uint32_t taps, double reach)
{
    enum { MOST_LANES = 32 };
    double most = taps / (2.3 * reach);
    if (most < 2)
        return (lb_ramp){0, 0};
    int64_t lanes = lb_random_in(&b->random, 2, most < MOST_LANES ? (int64_t)most : MOST_LANES);
    double past = (double)lb_random_in(&b->random, -12, 12) / 16;
    return (lb_ramp){(uint32_t)(1.15 * (double)lanes * reach),
                     (uint32_t)(((double)lanes + past) * reach)};
}

int lb_ramp_direction(const lb_ramp *ramp, uint32_t k)
{
    return k < ramp->up ? 1 : k < ramp->up + ramp->down ? -1 : 0;
}

/* Channel c: a ramp of the highest weights. False: this takes more taps. */
static bool ramp_weights(layer *l, uint32_t c, int width)
{
    int64_t highest = (INT64_C(1) << (l->weight_bits - 1)) - 1;
    double one = ldexp(0.97, l->in_bits - 1) * (double)highest;
    lb_ramp ramp = lb_probe_ramp(l->b, l->taps, ldexp(1.0, width - 1) / one);
    int64_t sign = lb_build_once_in(l->b, 2) ? 1 : -1;
    if (ramp.up == 0)
        return false;
    for (uint32_t k = 0; k < l->taps; k++) {
        /* Products count input channels outermost, taps positions. */
        uint32_t product = k % l->depth * (l->taps / l->depth) + k / l->depth;
        set_weight(l, k, c, sign * lb_ramp_direction(&ramp, product) * highest);
    }
    return true;
}

/* Channel c: the products end just inside the width, so that the bias may pass it. */
static void edge_weights(layer *l, uint32_t c, int width)
{
    int64_t highest = (INT64_C(1) << (l->weight_bits - 1)) - 1,
            inside = width > 62 ? 62 : width - 1;
    int64_t rest = (INT64_C(1) << inside) - (INT64_C(1) << pick(l, inside / 2, inside - 2));
    int64_t zero = l->kernel->in_type == LB_SA8 ? l->in->zero_point[0] : 0;
    int64_t sign = lb_build_once_in(l->b, 2) ? 1 : -1;
    for (uint32_t k = 0; k < l->taps; k++) {
        int64_t x = input_of(l, k) - zero;
        set_weight(l, k, c, x > 0 ? sign * lb_aim_weight(&rest, x, 0, highest) : 0);
    }
}

/* Channel c: sums that pass a width by a half, in one of the patterns. */
static void sum_weights(layer *l, uint32_t c, unsigned pattern, int width)
{
    double one = ldexp(1.0, l->in_bits - 1 + l->weight_bits - 1);
    double peak = ldexp(1.5 + (double)pick(l, 0, 3) / 16.0, width - 1);
    double share = peak / (one * l->taps);
    int64_t highest = (INT64_C(1) << (l->weight_bits - 1)) - 1;
    int64_t w = (int64_t)ceil(share * (double)highest);
    w = w > highest ? highest : w < 1 ? 1 : w;
    for (uint32_t k = 0; k < l->taps; k++)
        set_weight(l, k, c, lb_probe_direction(pattern, k, l->taps, l->b) * w);
}

/* Widths whose sums so many products can pass, the widest last. */
static unsigned widths_of(const layer *l, int *widths)
{
    int product = l->in_bits + l->weight_bits, most = product - 2 + lb_build_bits(l->taps);
    unsigned count = 0;
    static const uint8_t known[] = {16, 18, 20, 22, 24, 28, 32, 34, 36, 40, 48};
    for (unsigned i = 0; i < sizeof known; i++)
        if (known[i] >= product && known[i] <= most && known[i] + 10 > most)
            widths[count++] = known[i];
    return count;
}

static void sum_formats(layer *l, int width)
{
    if (l->kernel->in_type == LB_SA8) {
        int zero_in = lb_build_once_in(l->b, 2) ? 0 : (int)pick(l, -128, 127);
        sa_formats(l, 16384, 16384, zero_in, (int)pick(l, -20, 20));
        return;
    }
    int out = l->in_bits - 1;
    lb_build_fx(l->in, 20);
    lb_build_fx(l->weights, 60);
    lb_build_fx(l->bias, 80 - (int)pick(l, 0, 24));
    lb_build_fx(l->out, 80 - (width - out));
}

void lb_probe_weighted_sum(lb_build *b, uint32_t taps)
{
    layer l = layer_of(b);
    int widths[16];
    uint32_t channels = taps > 100000 ? 2 : taps > 5000 ? 8 : 24;
    shape_layer(&l, taps, channels);
    unsigned count = widths_of(&l, widths);
    bool vast = taps > 100000;
    int width = count == 0 ? 24
                : vast     ? widths[count - 1]
                           : widths[b->options->wide / 6 % count]; /* all in turn */
    b->c->config.relu = 0;
    sum_formats(&l, width);
    int64_t highest = (INT64_C(1) << (l.in_bits - 1)) - 1;
    for (uint32_t k = 0; k < l.taps; k++)
        set_input(&l, k, lb_build_once_in(b, 8) ? pick(&l, highest / 2, highest) : highest);
    for (uint32_t c = 0; c < channels; c++) {
        bool sa = l.kernel->in_type == LB_SA8;
        int own = sa && count > 0 && !vast ? widths[c % count] : width;
        unsigned pattern =
            (c / (count ? count : 1) + (unsigned)pick(&l, 0, LB_PROBE_PATTERNS - 1)) %
            LB_PROBE_PATTERNS;
        int64_t way = pick(&l, 0, 5);
        if (way == 0)
            edge_weights(&l, c, own);
        else if (way > 2 || !ramp_weights(&l, c, own))
            sum_weights(&l, c, vast ? 2 * c : pattern, own);
        if (l.kernel->in_type == LB_SA8) {
            (void)sa_channel(&l, c, (int)pick(&l, 16384, 32767), own - 8);
            int64_t reach = (INT64_C(1) << (own > 31 ? 31 : own - 1)) - 1;
            int64_t against = (c == 0 ? -reach / 2 : reach / 3) + pick(&l, -9, 9);
            l.bias->data.items[c] = (int32_t)(vast ? against : pick(&l, -reach - 1, reach));
        } else {
            int64_t limit = INT64_C(1) << (l.weight_bits - 1);
            l.bias->data.items[c] = (int32_t)pick(&l, -limit, limit - 1);
        }
    }
}

/* ---- Limits of sums ---- */

/* The tap of the p-th product: products count input channels outermost, taps positions. */
static uint32_t tap_of(const layer *l, uint32_t p)
{
    uint32_t positions = l->taps / l->depth;
    return p % positions * l->depth + p / positions;
}

bool lb_probe_weighted_limit(lb_build *b, const lb_probe_limits *limits)
{
    /* What a call of more bytes leaves is not kept. Inputs may be there once for each channel. */
    enum { MOST_BYTES = 4000000, MOST_CHANNELS = 8, LEAST_CHANNELS = 2, FINE = 5 };
    layer l = layer_of(b);
    int64_t x = (INT64_C(1) << (l.in_bits - 1)) - 1,
            highest = (INT64_C(1) << (l.weight_bits - 1)) - 1;
    uint32_t of_channel = (uint32_t)(l.in_bits + l.weight_bits) / 8;
    uint32_t past =
        lb_limit_taps(limits, x * highest, (MOST_BYTES / LEAST_CHANNELS / of_channel - FINE) / 2);
    uint32_t taps = 2 * past + FINE, all = taps * of_channel * MOST_CHANNELS;
    uint32_t channels = all > MOST_BYTES ? LEAST_CHANNELS : MOST_CHANNELS;
    if (past == 0)
        return false;
    shape_layer(&l, taps, channels);
    b->c->config.relu = 0;
    if (l.kernel->in_type == LB_SA8) {
        sa_formats(&l, 16384, 16384, 0, 0);
    } else {
        lb_build_fx(l.in, 20);
        lb_build_fx(l.weights, 60);
        lb_build_fx(l.bias, 80);
        lb_build_fx(l.out, 80);
    }
    for (uint32_t p = 0; p < l.taps; p++)
        set_input(&l, tap_of(&l, p),
                  p + FINE < l.taps ? x
                  : p + 2 < l.taps  ? l.in_bits == 16 ? 100 : 10
                                    : 1);
    for (uint32_t c = 0; c < channels; c++) {
        lb_limit_sum sum = lb_limit_start(limits, highest, past, c % 2, pick(&l, -20, 20));
        for (uint32_t p = 0; p < l.taps; p++) {
            uint32_t k = tap_of(&l, p);
            set_weight(&l, k, c, lb_limit_weight(&sum, p, input_of(&l, k)));
        }
        if (l.kernel->in_type == LB_SA8)
            (void)sa_channel(&l, c, 16384, 0); /* results are sums */
    }
    return true;
}
