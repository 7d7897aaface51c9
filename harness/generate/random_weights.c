/* Made-up cases of functions with weights, and of pooling: sizes from the index map, or from the
 * gates of a vector program, and formats under which results are neither all zero nor all
 * saturated. Rules: conv.md, pooling_and_movement.md 2, recurrent.md 5 to 8. */
#include "harness/generate/random_build.h"
#include "reference/describe/program.h"

#include <math.h>

static bool is_sa(const lb_build *b)
{
    return b->c->kernel->in_type == LB_SA8;
}

/* ---- Formats of weights and bias ---- */

void lb_build_bias_format(const lb_case_tensor *in, const lb_case_tensor *weights,
                          lb_case_tensor *bias, size_t j)
{
    int64_t product = (int64_t)in->scale[0] * weights->scale[j];
    int drop = lb_build_bits((uint64_t)product) - 15;
    drop = drop < 0 ? 0 : drop;
    int64_t scale = product >> drop;
    bias->scale[j] = (int16_t)(scale < 1 ? 1 : scale);
    bias->scale_frac_bits[j] =
        (int8_t)(in->scale_frac_bits[0] + weights->scale_frac_bits[j] - drop);
}

/* Any scales along the axis (-1: one), their frac bits up to `spread` more or less. */
static void sa_weights(lb_build *b, lb_case_tensor *weights, int axis, int frac, int spread)
{
    lb_build_sa_axis(b, weights, axis);
    for (size_t j = 0; j < weights->quant_count; j++) {
        weights->scale[j] = (int16_t)lb_build_scale(b);
        weights->scale_frac_bits[j] = (int8_t)(frac + lb_build_pick(b, -spread, spread));
    }
}

/* Whatever the mantissas are, scales lie about 2^-frac. */
static void level_scales(lb_case_tensor *t)
{
    for (size_t j = 0; j < t->quant_count; j++)
        t->scale_frac_bits[j] =
            (int8_t)(t->scale_frac_bits[j] + lb_build_bits((uint64_t)t->scale[j]));
}

/* Bias formats that pass the rule of numerics.md 5.6 for every scale of the weights. */
static void sa_bias(lb_build *b, const lb_case_tensor *in, const lb_case_tensor *weights,
                    lb_case_tensor *bias)
{
    lb_build_sa_axis(b, bias, weights->axis < 0 ? -1 : 0);
    for (size_t j = 0; j < weights->quant_count; j++)
        lb_build_bias_format(in, weights, bias, j);
    lb_build_data_in(b, bias, -(1 << 16), 1 << 16);
}

/* ---- Convolutions, fully connected ---- */

/* log2 of a sum of `macs` products of typical operands, roughly. */
static int typical_sum_bits(const lb_kernel *kernel, size_t macs)
{
    int product = kernel->in_type == LB_FX16 ? (kernel->weights_type == LB_FX16 ? 27 : 19) : 12;
    return product + lb_build_bits(macs) / 2;
}

static void fx_formats(lb_build *b, size_t macs, const lb_format_taste taste)
{
    lb_case_tensor *in = lb_build_tensor_of(b, LB_ROLE_IN),
                   *weights = lb_build_tensor_of(b, LB_ROLE_WEIGHTS),
                   *bias = lb_build_tensor_of(b, LB_ROLE_BIAS),
                   *out = lb_build_tensor_of(b, LB_ROLE_OUT);
    lb_build_format(b, in, taste);
    lb_build_format(b, weights, taste);
    const int sum = in->frac_bits + weights->frac_bits,
              out_bits = lb_container_bits((uint32_t)out->type);
    const int shift =
        typical_sum_bits(b->c->kernel, macs) - (out_bits - 2) + lb_build_pick(b, -3, 3);
    lb_build_fx(out, sum - (shift < 0 ? 0 : shift));
    lb_build_fx(bias, sum - lb_build_pick(b, 0, taste.fx_low < 0 ? 40 : 12));
    lb_build_data(b, bias);
}

static void sa_formats(lb_build *b, size_t macs, const lb_format_taste taste)
{
    lb_case_tensor *in = lb_build_tensor_of(b, LB_ROLE_IN),
                   *weights = lb_build_tensor_of(b, LB_ROLE_WEIGHTS),
                   *bias = lb_build_tensor_of(b, LB_ROLE_BIAS),
                   *out = lb_build_tensor_of(b, LB_ROLE_OUT);
    const bool per_axis = lb_build_once_in(b, 2);
    const int frac = lb_build_pick(b, taste.sa_low, taste.sa_high) + 2;
    lb_build_format(b, in, taste);
    sa_weights(b, weights, per_axis ? (int)weights->rank - 1 : -1, frac, per_axis ? 2 : 0);
    sa_bias(b, in, weights, bias);
    if (lb_build_once_in(b, 6))
        lb_build_data(b, bias);
    const int scale_out = lb_build_scale(b), zero_point = lb_build_zero_point(b);
    const double step = ldexp((double)in->scale[0] * weights->scale[0],
                              -in->scale_frac_bits[0] - weights->scale_frac_bits[0]);
    const double wanted =
        ldexp(step, typical_sum_bits(b->c->kernel, macs) - 6) / scale_out; /* 2^-frac_out */
    lb_build_sa(b, out, scale_out, -(int)lround(log2(wanted)) + lb_build_pick(b, -2, 3),
                zero_point);
}

/* Gaps between rows, but of what lies dense, and data, but of what is written; a bias waits for its
 * format. */
static void fill_operands(lb_build *b)
{
    const bool is_dense = lb_pattern_of(b->c->kernel) == LB_PATTERN_DENSE;
    for (lb_case_place p = LB_CASE_START; lb_case_next(b->c, &p);) {
        if (p.t->rank > 1 && !(is_dense && p.role == LB_ROLE_IN))
            lb_build_gaps(b, p.t);
        if (p.role != LB_ROLE_OUT && p.role != LB_ROLE_BIAS)
            lb_build_data(b, p.t);
    }
}

void lb_random_weighted(lb_build *b)
{
    static const lb_format_taste usual = {0, 12, 12, 22, 0}, wild = {-64, 63, -20, 50, 0};
    lb_build_fields(b, 0, NULL, 0);
    const size_t products = lb_random_window(b);
    fill_operands(b);
    (is_sa(b) ? sa_formats : fx_formats)(b, products, lb_build_once_in(b, 8) ? wild : usual);
}

void lb_random_pool(lb_build *b)
{
    lb_build_fields(b, 0, NULL, 0);
    lb_random_window(b);
    fill_operands(b);
    lb_build_any_format(b, lb_build_tensor_of(b, LB_ROLE_IN), false);
    lb_build_any_format(b, lb_build_tensor_of(b, LB_ROLE_OUT), false);
}

/* ---- rnn_dense, cells ---- */

static lb_case_tensor *add(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_operand(b, role, rank, shape);
    if (lb_role_is_weights(role))
        lb_build_gaps(b, t);
    const lb_range all = lb_build_range((uint32_t)t->type);
    if (role != LB_ROLE_OUT && role != LB_ROLE_BIAS && lb_build_once_in(b, 3))
        lb_build_data_in(b, t, all.low, all.high);
    else if (role != LB_ROLE_OUT && role != LB_ROLE_BIAS)
        lb_build_data(b, t);
    return t;
}

/* Results are the sums of so many products of a few units each; few of them are out of reach. */
static void recurrent_weights(lb_build *b, lb_case_tensor *t, int axis)
{
    const bool is_wild = lb_build_once_in(b, 4);
    if (is_sa(b))
        sa_weights(b, t, axis, is_wild ? 2 : 4, is_wild ? 20 : 2);
    else
        lb_build_fx(t, lb_build_pick(b, 2, 12));
    level_scales(t);
}

/* A state or input format whose values lie within a few units; of results and cells now and then
 * one that no gate fits. */
static void state_format(lb_build *b, lb_case_tensor *t, bool any)
{
    static const lb_format_taste usual = {10, 15, 4, 7, 0}, wild = {-40, 66, -27, 35, 0};
    const bool is_wild = any && lb_build_once_in(b, 4);
    lb_build_format(b, t, is_wild ? wild : usual);
    level_scales(t);
}

void lb_random_rnn_dense(lb_build *b)
{
    const uint32_t outputs = lb_build_extent(b, 33);
    const int inputs = lb_build_pick(b, 1, 4);
    int lowest = INT8_MAX;
    b->c->config.inputs_num = (uint8_t)inputs;
    for (int j = 0; j < inputs; j++) {
        const uint32_t frames = lb_build_extent(b, 5), width = lb_build_extent(b, 17),
                       in_shape[2] = {frames, width}, shape[2] = {frames * width, outputs};
        lb_case_tensor *in = add(b, LB_ROLE_IN, 2, in_shape),
                       *weights = add(b, LB_ROLE_WEIGHTS, 2, shape);
        state_format(b, in, false);
        recurrent_weights(b, weights, -1);
        lowest = in->frac_bits + weights->frac_bits < lowest ? in->frac_bits + weights->frac_bits
                                                             : lowest;
    }
    const lb_case_tensor *in = lb_build_tensor_of(b, LB_ROLE_IN),
                         *weights = lb_build_tensor_of(b, LB_ROLE_WEIGHTS);
    lb_case_tensor *bias = add(b, LB_ROLE_BIAS, 1, &outputs),
                   *out = add(b, LB_ROLE_OUT, 1, &outputs);
    if (is_sa(b)) {
        sa_bias(b, in, weights, bias);
        lb_build_any_sa(b, out, lb_build_pick(b, 12, 18));
        return;
    }
    lb_build_fx(bias, in->frac_bits + weights->frac_bits - lb_build_pick(b, 0, 12));
    lb_build_data(b, bias);
    lb_build_fx(out, lowest - lb_build_pick(b, 0, 14));
}

/* Numbers of at most so many bits. */
static void data_of_bits(lb_build *b, lb_case_tensor *t, int bits)
{
    const int most = lb_container_bits((uint32_t)t->type) - 1;
    const int64_t high = ((int64_t)1 << lb_build_clamp(bits, 1, most)) - 1;
    lb_build_data_in(b, t, -high - (high > 1), high);
}

/* Products of numbers and weights come to a few units, 2^bits at so many fraction bits: gates that
 * all stand at an end of their tables hide most of what a kernel does before them. */
static void live_product(lb_build *b, lb_case_tensor *numbers, lb_case_tensor *weights)
{
    const int bits = numbers->frac_bits + weights->frac_bits + lb_build_pick(b, -3, 4);
    const int most = lb_container_bits((uint32_t)weights->type) - 1,
              of_numbers = lb_container_bits((uint32_t)numbers->type) - 1;
    int of_weights = lb_build_pick(b, 1, most);
    if (bits - of_weights > of_numbers)
        of_weights = lb_build_clamp(bits - of_numbers, 1, most);
    data_of_bits(b, weights, of_weights);
    data_of_bits(b, numbers, bits - of_weights);
}

/* fx: now and then formats of any shift. */
static void cell_fx(lb_build *b, lb_case_tensor *in, lb_case_tensor *hidden, lb_case_tensor *wi,
                    lb_case_tensor *wo, lb_case_tensor *bias, bool live)
{
    if (live && lb_build_once_in(b, 2)) {
        const int sum = lb_build_pick(b, -6, 44),
                  hidden_sum = lb_build_once_in(b, 2) ? sum : lb_build_pick(b, -8, 50);
        lb_build_fx(in, sum / 2 + lb_build_pick(b, -12, 12));
        lb_build_fx(wi, sum - in->frac_bits);
        lb_build_fx(hidden,
                    lb_build_once_in(b, 2) ? lb_build_pick(b, -4, 24) : lb_build_pick(b, 12, 15));
        lb_build_fx(wo, hidden_sum - hidden->frac_bits);
    }
    lb_build_fx(bias, in->frac_bits + wi->frac_bits - lb_build_pick(b, 0, 12));
    if (!live) {
        lb_build_data(b, bias);
        return;
    }
    live_product(b, in, wi);
    live_product(b, hidden, wo);
    data_of_bits(b, bias, bias->frac_bits + lb_build_pick(b, -2, 3));
}

void lb_random_cell(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const bool live = !lb_build_once_in(b, 3);
    const int gate_axis = lb_build_pick(b, -1, 0);
    lb_build_fields(b, 0, NULL, 0);
    lb_config *cfg = &b->c->config;
    const uint32_t gates = lb_program_of(kernel)->gates, frames = lb_build_side(b, 1, 4),
                   n = lb_build_extent(b, 17), m = lb_build_extent(b, 17);
    cfg->scratch_bytes =
        gates * m * lb_element_bytes(kernel->in_type) + (uint32_t)lb_build_pick(b, 0, 3);
    lb_case_tensor *in = add(b, LB_ROLE_IN, 2, (uint32_t[]){frames, n}),
                   *hidden = add(b, LB_ROLE_PREV_OUT, 1, &m),
                   *wi = add(b, LB_ROLE_WEIGHTS_IN, 3, (uint32_t[]){gates, n, m}),
                   *wo = add(b, LB_ROLE_WEIGHTS_OUT, 3, (uint32_t[]){gates, m, m}),
                   *bias = add(b, LB_ROLE_BIAS, 2, (uint32_t[]){gates, m});
    state_format(b, in, false);
    state_format(b, hidden, false);
    recurrent_weights(b, wi, gate_axis);
    recurrent_weights(b, wo, gate_axis);
    if (is_sa(b))
        sa_bias(b, in, wi, bias);
    else
        cell_fx(b, in, hidden, wi, wo, bias, live);
    if (is_sa(b) && live)
        data_of_bits(b, bias, lb_build_pick(b, 1, 16));
    if (lb_kernel_role(kernel, LB_ROLE_CELL))
        state_format(b, add(b, LB_ROLE_CELL, 1, &m), true);
    state_format(b, add(b, LB_ROLE_OUT, 2, (uint32_t[]){cfg->results ? frames : 1, m}), true);
}
