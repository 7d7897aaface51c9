/* Probes of functions without weights: see probe_plain.h. */
#include "harness/characterize/probe_plain.h"
#include "harness/characterize/probe_weighted.h"

#include <math.h>
#include <string.h>

/* ---- Data and formats ---- */

/* Containers from `low` to `high`, with both ends of the type among them where they fit. */
static void fill(lb_build *b, lb_case_tensor *t, int64_t low, int64_t high)
{
    lb_case_make_data(t, lb_build_count(t), b->arena);
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = lb_build_pick(b, low, high);
    if (t->data.count > 8) {
        t->data.items[3] = (int32_t)low;
        t->data.items[5] = (int32_t)high;
    }
}

/* All of the range, or as much of it as `bits` bits hold. */
static void fill_bits(lb_build *b, lb_case_tensor *t, int bits)
{
    int64_t one = INT64_C(1) << (bits - 1);
    fill(b, t, -one, one - 1);
}

static int bits_of(const lb_case_tensor *t)
{
    return lb_container_bits((uint32_t)t->type);
}

/* A scale with a full mantissa; half of the time a power of two, so that ties are ties. */
static int scale(lb_build *b, bool plain)
{
    return plain ? 16384 : lb_build_pick(b, 8192, 16383) * 2 + 1;
}

static void format(lb_build *b, lb_case_tensor *t, bool plain, int frac)
{
    int zero = lb_build_once_in(b, 3)   ? 0
               : lb_build_once_in(b, 2) ? lb_build_zero_point(b)
                                        : lb_build_pick(b, -20, 20);
    if (lb_is_fx((uint32_t)t->type))
        lb_build_fx(t, frac);
    else
        lb_build_sa(b, t, scale(b, plain), 14 + frac, zero);
}

/* ---- Ratios of scales whose rounding shows ---- */

/* numerator / scale in 15 bits, and what the rounding of it sees. */
typedef struct quotient {
    int64_t bits;
    bool tells_up, tells_floor; /* up (floor) gives another number than the other roundings */
} quotient;

static quotient quotient_of(int64_t numerator, int64_t scale)
{
    while (numerator < INT64_C(1) << 30)
        numerator *= 2;
    int64_t q = numerator / scale;
    int gone = lb_build_bits((uint64_t)q) - 15;
    int64_t rest = gone > 0 ? q % (INT64_C(1) << gone) : 0;
    int64_t half = gone > 0 ? INT64_C(1) << (gone - 1) : 1;
    quotient found = {.bits = gone > 0 ? q >> gone : q};
    found.tells_up = rest == half && found.bits % 2 == 0;
    found.tells_floor = rest > half || (rest == half && !found.tells_up);
    return found;
}

/* How many of the differences of 8 bits come to another result where the ratio is one larger, its
 * highest result being about 2^up. */
static int count_shown(int64_t ratio, int up)
{
    int count = 0, h = 23 - up;
    for (int64_t u = 1; u < 256 && h > 0 && h < 40; u++) {
        int64_t half = INT64_C(1) << (h - 1);
        bool fits = (u * ratio + half) >> h < 256;
        count += fits && (u * ratio + half) >> h != (u * (ratio + 1) + half) >> h;
    }
    return count;
}

/* Gives `in` a scale with which the rounding of its ratio to that of `out`, times `factor`, shows
 * in the results, as well as it can be found: of half of the cases whether it is up, of the others
 * whether it is floor. `gone`: fractional bits from the product to the output. */
static void show_ratio(lb_build *b, lb_case_tensor *in, int factor, const lb_case_tensor *out,
                       int gone)
{
    bool up = lb_build_once_in(b, 2);
    int most = -1;
    int16_t best = in->scale[0];
    for (int i = 0; i < 64; i++) {
        int number = scale(b, false);
        int64_t numerator = (int64_t)number * factor;
        quotient q = quotient_of(numerator, out->scale[0]);
        if (up ? !q.tells_up : !q.tells_floor)
            continue;
        double real = (double)numerator / out->scale[0];
        int exponent;
        (void)frexp(real, &exponent); /* real < 2^exponent */
        int shown = count_shown(q.bits, 8 + exponent - gone);
        if (shown > most) {
            most = shown;
            best = (int16_t)number;
        }
    }
    in->scale[0] = best;
}

static bool has_scales(const lb_case_tensor *in, const lb_case_tensor *out)
{
    return in->quant_count > 0 && out->quant_count > 0;
}

/* ---- One input ---- */

static void relu(lb_build *b)
{
    const uint32_t shape[1] = {600};
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 1, shape),
                   *out = lb_probe_operand(b, LB_ROLE_OUT, 1, shape);
    fill_bits(b, in, bits_of(in));
    format(b, in, lb_build_once_in(b, 3), lb_build_pick(b, 0, bits_of(in) - 1));
    format(b, out, true, 3);
    b->c->config.relu = lb_build_pick(b, 0, 3);
}

static void activation(lb_build *b)
{
    const uint32_t shape[1] = {800};
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 1, shape),
                   *out = lb_probe_operand(b, LB_ROLE_OUT, 1, shape);
    bool wide = bits_of(in) == 16;
    fill_bits(b, in, wide && lb_build_once_in(b, 3) ? lb_build_pick(b, 9, 15) : bits_of(in));
    /* Between entries of the table roundings show; far from the usual formats, its shifts. */
    bool far = lb_build_once_in(b, 3);
    int frac = far    ? lb_build_pick(b, wide ? 3 : -1, wide ? 20 : 13)
               : wide ? lb_build_pick(b, 8, 14)
                      : lb_build_pick(b, 2, 6);
    format(b, in, lb_build_once_in(b, 3), frac);
    format(b, out, true, 3);
}

static void slopes(lb_build *b)
{
    const uint32_t shape[2] = {6, 100}, slope_shape[2] = {1, 100}, one = 1;
    bool has_axis = b->c->kernel->config_kind == LB_CONFIG_AXIS,
         per_slope = has_axis && !lb_build_once_in(b, 4);
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 2, shape);
    lb_case_tensor *slope =
        lb_probe_operand(b, LB_ROLE_SLOPE, per_slope ? 2 : 1, per_slope ? slope_shape : &one);
    lb_case_tensor *out = lb_probe_operand(b, LB_ROLE_OUT, 2, shape);
    bool plain = lb_build_once_in(b, 2);
    /* Counts at which shifters differ. */
    static const int counts[] = {30, 31, 32, 33, 40, 62, 63, 64, 65, 70},
                     negative_counts[] = {-70, -45, -30, -20};
    int frac = lb_build_pick(b, 0, 7), steep = lb_build_pick(b, -3, bits_of(in) + 2);
    fill_bits(b, in, bits_of(in));
    fill_bits(b, slope, lb_build_once_in(b, 3) ? 3 : bits_of(in));
    format(b, in, plain, frac);
    if (lb_build_once_in(b, 5))
        steep = LB_RANDOM_OF(&b->random, counts);
    else if (bits_of(in) == 8 && !lb_is_fx((uint32_t)in->type) && lb_build_once_in(b, 8))
        steep = LB_RANDOM_OF(&b->random, negative_counts);
    format(b, slope, plain, steep);
    format(b, out, plain, lb_is_fx((uint32_t)in->type) ? frac : frac - lb_build_pick(b, -1, 5));
    if (!plain && has_scales(in, out))
        show_ratio(b, in, 1, out, in->scale_frac_bits[0] - out->scale_frac_bits[0]);
    b->c->config.axis = per_slope ? 1 : -1;
}

static void convert(lb_build *b)
{
    static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32};
    const uint32_t shape[1] = {400};
    lb_case_tensor *in =
        lb_build_tensor(b, LB_ROLE_IN, false, LB_RANDOM_OF(&b->random, types), 1, shape);
    lb_case_tensor *out =
        lb_build_tensor(b, LB_ROLE_OUT, true, LB_RANDOM_OF(&b->random, types), 1, shape);
    bool plain = lb_build_once_in(b, 2), far = lb_build_once_in(b, 6);
    int frac = lb_build_pick(b, 0, 10);
    int more = bits_of(in) - bits_of(out);
    fill_bits(b, in, lb_build_once_in(b, 3) ? bits_of(in) / 2 + 3 : bits_of(in));
    format(b, in, plain, frac);
    format(b, out, plain,
           frac -
               (far ? lb_build_pick(b, -40, 60) : lb_build_pick(b, -2, 6) + (more > 0 ? more : 0)));
    if (!plain && has_scales(in, out))
        show_ratio(b, in, 1, out, in->scale_frac_bits[0] - out->scale_frac_bits[0]);
}

/* ---- Two inputs ---- */

static void eltwise(lb_build *b)
{
    const uint32_t shape[1] = {600};
    lb_case_tensor *in1 = lb_probe_operand(b, LB_ROLE_IN1, 1, shape),
                   *in2 = lb_probe_operand(b, LB_ROLE_IN2, 1, shape),
                   *out = lb_probe_operand(b, LB_ROLE_OUT, 1, shape);
    lb_op op = b->c->kernel->op;
    bool picks = lb_op_picks(op), product = op == LB_OP_MUL;
    bool plain = lb_build_once_in(b, 2), far = lb_build_once_in(b, 4),
         small = product && lb_build_once_in(b, 2);
    int frac = lb_build_pick(b, 2, 9), bits = bits_of(in1);
    fill_bits(b, in1, small ? bits / 2 + 1 : bits);
    fill_bits(b, in2, small ? bits / 2 + 1 : bits);
    format(b, in1, plain, frac);
    format(b, in2, plain,
           picks ? frac : frac + lb_build_pick(b, -2, 2) + (far ? lb_build_pick(b, -25, 25) : 0));
    int more = product ? frac + (small ? 2 : bits - 3) : 0;
    format(b, out, plain,
           frac + (product ? frac - more : 0) - lb_build_pick(b, -1, 4) -
               (far ? lb_build_pick(b, -20, 70) : 0));
    if (!plain && has_scales(in1, out)) {
        int gone = in1->scale_frac_bits[0] - out->scale_frac_bits[0];
        show_ratio(b, in1, product ? in2->scale[0] : 1, out,
                   product ? gone + in2->scale_frac_bits[0] : gone);
        if (!product)
            show_ratio(b, in2, 1, out, in2->scale_frac_bits[0] - out->scale_frac_bits[0]);
    }
    if (picks && in2->quant_count)
        lb_build_sa(b, in2, in1->scale[0], in1->scale_frac_bits[0], in1->zero_point[0]);
}

/* ---- Groups ---- */

static void grouped(lb_build *b)
{
    const uint32_t shape[2] = {12, 48}, one = 1;
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 2, shape),
                   *out = lb_probe_operand(b, LB_ROLE_OUT, 2, shape);
    bool l2 = b->c->kernel->family == LB_FAMILY_L2_NORMALIZE, wide = bits_of(in) == 16;
    int used = wide ? lb_build_pick(b, 6, 16) : lb_build_pick(b, 5, 8);
    fill_bits(b, in, used);
    format(b, in, lb_build_once_in(b, 3), l2 ? 5 : used - lb_build_pick(b, 0, 5));
    format(b, out, true, 7);
    b->c->config.axis = 1;
    if (l2) {
        lb_case_tensor *epsilon = lb_probe_operand(b, LB_ROLE_EPSILON, 1, &one);
        fill(b, epsilon, 0, 1);
        format(b, epsilon, true, 7);
        if (lb_build_once_in(b, 2)) /* groups with few and small numbers */
            for (size_t i = 0; i < in->data.count; i++)
                in->data.items[i] = i % 48 < 1 + i / 48 % 6 ? in->data.items[i] : 0;
    }
}

static void argmax(lb_build *b)
{
    const uint32_t shape[2] = {8, 40}, out_shape[2] = {8, 6};
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 2, shape);
    lb_case_tensor *out = lb_build_tensor(b, LB_ROLE_OUT, true, LB_SA32, 2, out_shape);
    fill(b, in, -3, 3);
    format(b, in, true, 3);
    lb_build_sa(b, out, 1, 0, 0);
    b->c->config.axis = 0;
    b->c->config.topk = 6;
}

/* ---- Windows ---- */

/* Height and width of a kernel, and of the padding on both sides. */
typedef struct window_size {
    uint32_t height, width, rows, columns;
} window_size;

static void window(lb_build *b, uint32_t side, uint32_t channels, window_size w,
                   lb_case_tensor **in, lb_case_tensor **out)
{
    lb_config *cfg = &b->c->config;
    const uint32_t shape[3] = {side, side, channels},
                   out_shape[3] = {side + 2 * w.rows - w.height + 1,
                                   side + 2 * w.columns - w.width + 1, channels};
    *in = lb_probe_operand(b, LB_ROLE_IN, 3, shape);
    *out = lb_probe_operand(b, LB_ROLE_OUT, 3, out_shape);
    cfg->kernel_height = (uint8_t)w.height;
    cfg->kernel_width = (uint8_t)w.width;
    cfg->stride_height = cfg->stride_width = 1;
    cfg->padding_left = cfg->padding_right = (uint8_t)w.columns;
    cfg->padding_top = cfg->padding_bottom = (uint8_t)w.rows;
}

static uint32_t padding_of(lb_build *b, uint32_t kernel)
{
    return kernel > 1 && !lb_build_once_in(b, 3) ? (uint32_t)lb_build_pick(b, 1, kernel / 2) : 0;
}

/* 2^31 / n in 32 bits; the reciprocal is the first 15 of them. */
static int64_t reciprocal_of(uint32_t n)
{
    int64_t v = (INT64_C(1) << 31) / n;
    while (v < INT64_C(1) << 31)
        v *= 2;
    return v;
}

static bool reciprocal_rounds(uint32_t n)
{
    return (reciprocal_of(n) >> 16 & 1) != 0;
}

/* Gives `in` a scale with which the last bit of the reciprocal of n shows in the multiplier of so
 * many bits, where `out` has a power of two. */
static void show_reciprocal(lb_build *b, lb_case_tensor *in, uint32_t n, int bits)
{
    int64_t mul = reciprocal_of(n) >> 17;
    for (int i = 0; i < 2000; i++) {
        int number = lb_build_pick(b, 16384, 32767);
        int64_t p = number * mul, half;
        half = INT64_C(1) << (lb_build_bits((uint64_t)p) - bits - 1);
        if ((p + half) / (2 * half) != (p + number + half) / (2 * half)) {
            in->scale[0] = (int16_t)number;
            return;
        }
    }
}

static void pool(lb_build *b)
{
    enum { SIDE = 8 };
    uint32_t fixed = (uint32_t)b->c->kernel->kernel_size;
    /* Many counts of positions: what is lost of a reciprocal shows in few of them. */
    window_size w = {fixed, fixed, 0, 0};
    bool plain = lb_build_once_in(b, 2), reciprocal = !plain && lb_build_once_in(b, 2);
    for (int i = 0; fixed == 0 && i < (reciprocal ? 16 : 1); i++) {
        w.height = (uint32_t)lb_build_pick(b, 1, SIDE);
        w.width = (uint32_t)lb_build_pick(b, 1, SIDE);
        if (reciprocal_rounds(w.height * w.width))
            break;
    }
    w.rows = padding_of(b, w.height);
    w.columns = padding_of(b, w.width);
    bool negative = reciprocal || lb_build_once_in(b, 2),
         exact = reciprocal && lb_build_once_in(b, 2);
    lb_case_tensor *in, *out;
    window(b, SIDE, exact ? 48 : 12, w, &in, &out); /* a last bit of many shows in few results */
    int64_t one = INT64_C(1) << (bits_of(in) - 1);
    /* So that the lowest result comes. */
    bool lowest = b->c->kernel->family == LB_FAMILY_MAXPOOL && lb_build_once_in(b, 6);
    fill(b, in, -one, lowest ? -one : negative ? -one / 4 : one - 1);
    int frac = lb_build_pick(b, 2, 7);
    format(b, in, plain, frac);
    format(b, out, plain || reciprocal, frac - (exact ? 0 : lb_build_pick(b, -2, 3)));
    if (reciprocal && has_scales(in, out))
        show_reciprocal(b, in, w.height * w.width, exact ? lb_build_pick(b, 8, 15) : 7);
    else if (!plain && has_scales(in, out))
        show_ratio(b, in, 1, out, in->scale_frac_bits[0] - out->scale_frac_bits[0]);
}

bool lb_probe_plain_result(lb_build *b)
{
    static void (*const makers[LB_PATTERN_COUNT])(lb_build * b) = {
        [LB_PATTERN_LIMITS] = relu,      [LB_PATTERN_SLOPES] = slopes,
        [LB_PATTERN_CURVE] = activation, [LB_PATTERN_GROUP] = grouped,
        [LB_PATTERN_SLICES] = argmax,    [LB_PATTERN_PAIR] = eltwise,
        [LB_PATTERN_POOL] = pool,        [LB_PATTERN_CONVERSION] = convert,
    };
    const lb_pattern pattern = lb_pattern_of(b->c->kernel);
    if (!makers[pattern])
        return false;
    makers[pattern](b);
    return true;
}

/* ---- Sums ---- */

/* Windows of about so many positions. One channel goes up, one down, the others in runs, the
 * longest of which pass widths in each of several lanes. */
static void long_window(lb_build *b, uint32_t terms)
{
    enum { OF_LONG = 5, OF_OTHERS = 11, SHORT = 3, LONGER = 7 };
    uint32_t kernel = 4;
    while (kernel < 120 && kernel * kernel < terms)
        kernel += 4;
    lb_case_tensor *in, *out;
    window(b, kernel, terms > 5000 ? OF_LONG : OF_OTHERS, (window_size){kernel, kernel, 0, 0}, &in,
           &out);
    uint32_t channels = in->shape[2];
    const int64_t top = lb_build_range((uint32_t)in->type).high;
    for (size_t i = 0; i < in->data.count; i++) {
        uint32_t channel = (uint32_t)(i % channels);
        size_t at = i / channels;
        uint32_t run = channel + (channels == OF_LONG && channel >= SHORT ? LONGER : 0);
        bool down = channel == 1 || (channel > 1 && at >> run & 1);
        in->data.items[i] = (int32_t)(down ? -top - 1 : top - lb_build_pick(b, 0, top / 16));
    }
    int frac = lb_build_pick(b, 3, 7);
    format(b, in, lb_build_once_in(b, 2), frac);
    format(b, out, lb_build_once_in(b, 2), frac - lb_build_pick(b, 1, 5));
}

/* One group of so many elements; of softmax they are equal for the most part. */
static void long_group(lb_build *b, uint32_t terms)
{
    const uint32_t shape[1] = {terms / (uint32_t)(1 << lb_build_pick(b, 0, 4)) + 1}, one = 1;
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 1, shape),
                   *out = lb_probe_operand(b, LB_ROLE_OUT, 1, shape);
    const int64_t top = lb_build_range((uint32_t)in->type).high;
    fill(b, in, top - lb_build_pick(b, 0, 7), top);
    format(b, in, true, bits_of(in) - 4);
    format(b, out, true, 7);
    b->c->config.axis = -1;
    if (b->c->kernel->family == LB_FAMILY_L2_NORMALIZE) {
        lb_case_tensor *epsilon = lb_probe_operand(b, LB_ROLE_EPSILON, 1, &one);
        fill(b, epsilon, 0, 1);
        format(b, epsilon, true, 7);
    }
}

bool lb_probe_plain_sum(lb_build *b, uint32_t terms)
{
    const lb_kernel *kernel = b->c->kernel;
    const lb_pattern pattern = lb_pattern_of(kernel);
    const bool is_window = pattern == LB_PATTERN_POOL && kernel->kernel_size == 0;
    if (!lb_families[kernel->family].sums || !(is_window || pattern == LB_PATTERN_GROUP))
        return false;
    (is_window ? long_window : long_group)(b, terms);
    return true;
}

/* ---- Limits of sums ---- */

bool lb_probe_average_limit(lb_build *b, const lb_probe_limits *limits)
{
    enum { MOST_SIDE_BITS = 7, CHANNELS = 4 };
    const int64_t top = lb_build_range(b->c->kernel->in_type).high;
    uint32_t past =
        lb_limit_taps(limits, top << limits->factor_bits, 1u << (2 * MOST_SIDE_BITS - 1));
    if (past == 0 || b->c->kernel->kernel_size)
        return false;
    /* Of a power of two the reciprocal has one bit, so that sums come back to 0. */
    int bits = lb_build_bits(2 * (uint64_t)past - 1);
    uint32_t height = 1u << (bits / 2), width = 1u << (bits - bits / 2);
    const uint32_t in_shape[3] = {height, width, CHANNELS}, out_shape[3] = {1, 1, CHANNELS};
    lb_case_tensor *in = lb_probe_operand(b, LB_ROLE_IN, 3, in_shape),
                   *out = lb_probe_operand(b, LB_ROLE_OUT, 3, out_shape);
    b->c->config.kernel_height = (uint8_t)height;
    b->c->config.kernel_width = (uint8_t)width;
    b->c->config.stride_height = b->c->config.stride_width = 1;
    for (uint32_t c = 0; c < CHANNELS; c++) {
        lb_probe_limits steps = *limits; /* of the factor */
        steps.width -= limits->factor_bits;
        lb_limit_sum sum = lb_limit_start(&steps, top, past, false, 0);
        sum.sign = c % 2 ? -1 : 1;
        for (uint32_t k = 0; k < height * width; k++)
            in->data.items[(size_t)k * CHANNELS + c] = (int32_t)lb_limit_weight(&sum, k, 1);
    }
    /* Results are sums. */
    if (lb_is_fx((uint32_t)in->type)) {
        lb_build_fx(in, 3);
        lb_build_fx(out, 3 + bits + limits->factor_bits);
    } else {
        lb_build_sa(b, in, 16384, 14, 0);
        lb_build_sa(b, out, 16384, 14 + bits + limits->factor_bits, 0);
    }
    return true;
}
