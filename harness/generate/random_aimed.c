/* Cases of functions with weights whose sums stand where a result turns into the next: one element
 * of the output for each channel, formats of all kinds, and of each channel a sum that is found
 * with the exact model, by halving; of rnn_dense, LSTM and GRU the bias of one gate for each unit.
 * Rounding, widths, limits, tables and parameters that are off by anything move such places. */
#include "harness/call/model.h"
#include "harness/generate/random_build.h"
#include "reference/describe/element_copy.h"

enum { MOST_DIGITS = 4, MOST_CHANNELS = 16, MOST_TURNED = 64 };

/* What is turned to move the sum of a channel: its bias (sa8, units), or weights whose inputs are
 * powers of a base, so that they are the digits of a number (fx). */
typedef struct knobs {
    const lb_profile *profile;
    lb_case_tensor *weights, *bias;
    bool by_bias;
    size_t entry[MOST_TURNED];                          /* of the bias: of a channel */
    uint32_t channels, filters_depth, places, elements; /* elements of out */
    uint32_t digits, digit_tap[MOST_DIGITS];            /* numbers of taps, depth innermost */
    int64_t digit[MOST_DIGITS], reach;
    bool all_places; /* the digit stands in every place of the kernel */
    bool likes_ends; /* the lowest and the highest result often; anywhere, where no result turns */
} knobs;

/* ---- Geometry ---- */

static uint32_t groups_of(const lb_kernel *kernel, uint32_t channels)
{
    return kernel->family == LB_FAMILY_GROUP_CONV2D       ? 2
           : kernel->family == LB_FAMILY_DEPTHWISE_CONV2D ? channels
                                                          : 1;
}

static lb_case_tensor *add(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_operand(b, role, rank, shape);
    if (role != LB_ROLE_OUT)
        lb_build_data(b, t);
    return t;
}

/* One place of the output, of a transposed convolution as many as the kernel has. */
static void add_tensors(lb_build *b, knobs *k)
{
    const lb_kernel *kernel = b->c->kernel;
    bool dense = lb_pattern_of(kernel) == LB_PATTERN_DENSE,
         transposed = kernel->family == LB_FAMILY_TRANSPOSE_CONV2D;
    uint32_t groups = groups_of(kernel, k->channels);
    uint32_t side = kernel->kernel_size               ? (uint32_t)kernel->kernel_size
                    : k->filters_depth == 1 && !dense ? 2
                                                      : 1;
    uint32_t in_side = transposed ? 1 : side, out_side = transposed ? side : 1;
    const uint32_t in[3] = {in_side, in_side, k->filters_depth * groups};
    const uint32_t weights[4] = {side, side, k->filters_depth, k->channels};
    const uint32_t out[3] = {out_side, out_side, k->channels};
    add(b, LB_ROLE_IN, dense ? 1 : 3, dense ? in + 2 : in);
    k->weights = add(b, LB_ROLE_WEIGHTS, dense ? 2 : 4, dense ? weights + 2 : weights);
    k->bias = add(b, LB_ROLE_BIAS, 1, &k->channels);
    add(b, LB_ROLE_OUT, dense ? 1 : 3, dense ? out + 2 : out);
    k->places = side * side;
    k->all_places = transposed;
    lb_config *cfg = &b->c->config;
    cfg->stride_height = cfg->stride_width = (uint8_t)(transposed && kernel->kernel_size ? 2 : 1);
    cfg->dilation_height = cfg->dilation_width = (uint8_t)(dense ? 0 : 1);
}

/* ---- Formats ---- */

static void sa_formats(lb_build *b, const knobs *k)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                   *out = b->c->operand[LB_ROLE_OUT].tensors;
    bool per_axis = !lb_build_once_in(b, 3);
    int spread = per_axis ? lb_build_pick(b, 0, 16) : 0;
    int out_frac = lb_build_once_in(b, 3) ? lb_build_pick(b, -40, 60) : lb_build_pick(b, -1, 14);
    /* Products of three mantissas of 15 bits, and sums of up to 31: this far down are results. */
    int shift = lb_build_once_in(b, 4) ? lb_build_pick(b, -2, 66) : lb_build_pick(b, 14, 48);
    int in_frac = lb_build_pick(b, -20, 40), scale_out = lb_build_scale(b);
    lb_build_any_sa(b, in, in_frac);
    lb_build_sa(b, out, scale_out, out_frac, lb_build_zero_point(b));
    lb_build_sa_axis(b, k->weights, per_axis ? (int)k->weights->rank - 1 : -1);
    lb_build_sa_axis(b, k->bias, per_axis ? 0 : -1);
    /* With e and p of numerics.md 5.2 the shift is about in_frac + 15 - out_frac + weights' frac.
     */
    for (size_t j = 0; j < k->weights->quant_count; j++) {
        k->weights->scale[j] = (int16_t)lb_build_scale(b);
        k->weights->scale_frac_bits[j] = (int8_t)lb_build_clamp(
            shift + lb_build_pick(b, -spread, spread) - in_frac - 15 + out_frac, -128, 127);
        lb_build_bias_format(in, k->weights, k->bias, j);
    }
}

static void fx_formats(lb_build *b, const knobs *k)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                   *out = b->c->operand[LB_ROLE_OUT].tensors;
    int out_frac = lb_build_once_in(b, 3) ? lb_build_pick(b, -60, 70) : lb_build_pick(b, -1, 14);
    int shift = lb_build_once_in(b, 5) ? lb_build_pick(b, 0, 72) : lb_build_pick(b, 0, 30);
    int bias_shift = lb_build_once_in(b, 3) ? lb_build_pick(b, 0, 45) : lb_build_pick(b, 0, 9);
    int sum = out_frac + shift;
    int in_frac = lb_build_clamp(sum / 2 + lb_build_pick(b, -20, 20), -128, 127);
    lb_build_fx(in, in_frac);
    lb_build_fx(k->weights, sum - in_frac);
    lb_build_fx(k->bias, sum - bias_shift);
    lb_build_fx(out, out_frac);
}

/* ---- Sums ---- */

static void set_input(lb_build *b, const knobs *k, uint32_t tap, int64_t value)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors;
    uint32_t depth = in->shape[in->rank - 1], d = tap % k->filters_depth;
    uint32_t place = k->all_places ? 0 : tap / k->filters_depth;
    for (uint32_t c = d; c < depth; c += k->filters_depth)
        in->data.items[place * depth + c] = (int32_t)value;
    in->may_be_uniform = false;
}

static void choose_digits(lb_build *b, knobs *k)
{
    static const int32_t narrow[MOST_DIGITS] = {1, 128, 16384, 32767},
                         wide[MOST_DIGITS] = {1, 16384, 32767, 32767};
    bool is_wide = b->c->kernel->weights_type == LB_FX16;
    int64_t most = is_wide ? INT16_MAX : INT8_MAX;
    uint32_t taps = (k->all_places ? 1 : k->places) * k->filters_depth;
    k->digits = (uint32_t)lb_build_pick(b, 2, MOST_DIGITS);
    k->digits = k->digits > taps ? taps : k->digits;
    for (uint32_t j = 0; j < k->digits; j++) {
        k->digit_tap[j] = taps - 1 - j;
        k->digit[j] = is_wide ? wide[j] : narrow[j];
        k->reach += k->digit[j] * most;
        set_input(b, k, k->digit_tap[j], k->digit[j]);
    }
    k->weights->may_be_uniform = false;
}

static void set_weight(knobs *k, uint32_t tap, uint32_t channel, int64_t value)
{
    for (uint32_t place = 0; place < (k->all_places ? k->places : 1); place++)
        k->weights->data.items[(place * k->filters_depth + tap) * k->channels + channel] =
            (int32_t)value;
}

static void turn(const lb_build *b, knobs *k, uint32_t channel, int64_t to)
{
    int64_t most = b->c->kernel->weights_type == LB_FX16 ? INT16_MAX : INT8_MAX;
    if (k->by_bias) {
        k->bias->data.items[k->entry[channel]] = (int32_t)to;
        return;
    }
    for (uint32_t j = k->digits; j-- > 0;) {
        int64_t half = k->digit[j] / 2;
        int64_t digit = (to < 0 ? to - half : to + half) / k->digit[j];
        digit = digit > most ? most : digit < -most ? -most : digit;
        set_weight(k, k->digit_tap[j], channel, digit);
        to -= digit * k->digit[j];
    }
}

/* ---- Where results turn ---- */

/* The results of the exact model with these numbers. False: it computes nothing. */
static bool look_at(const lb_build *b, knobs *k, const int64_t *at, int32_t *results,
                    lb_arena *arena)
{
    const lb_context context = {.profile = k->profile};
    for (uint32_t n = 0; n < k->channels; n++)
        turn(b, k, n, at[n]);
    lb_arena_reset(arena);
    lb_instance *instance = lb_instance_of(b->c, arena);
    if (!lb_model_call(&context, instance).computed)
        return false;
    const lb_tensor *out = instance->call.tensor[LB_ROLE_OUT];
    for (uint32_t n = 0; n < k->channels; n++)
        results[n] = lb_load(out, lb_offset_of_flat(out, n));
    return true;
}

/* A result that is not the lowest of them. */
static int32_t choose_result(lb_build *b, const knobs *k, int32_t lowest, int32_t highest)
{
    if (lowest >= highest)
        return highest;
    if (k->likes_ends && lb_build_once_in(b, 4))
        return lb_build_once_in(b, 2) ? lowest + 1 : highest;
    return (int32_t)lb_random_in(&b->random, lowest + 1, highest);
}

/* The two ends of the reach, and which result is looked for between theirs. */
static bool begin(lb_build *b, knobs *k, int64_t *low, int64_t *high, int32_t *wanted,
                  bool *is_flat, lb_arena *arena)
{
    int32_t at_low[MOST_TURNED], at_high[MOST_TURNED];
    for (uint32_t n = 0; n < k->channels; n++) {
        low[n] = -k->reach;
        high[n] = k->reach;
    }
    if (!look_at(b, k, low, at_low, arena) || !look_at(b, k, high, at_high, arena))
        return false;
    for (uint32_t n = 0; n < k->channels; n++) {
        const bool falls = at_low[n] > at_high[n];
        wanted[n] = falls ? choose_result(b, k, at_high[n], at_low[n])
                          : choose_result(b, k, at_low[n], at_high[n]);
        low[n] = falls ? k->reach : -k->reach;
        high[n] = -low[n];
        is_flat[n] = at_low[n] == at_high[n];
    }
    return true;
}

/* Numbers that each move a result of their own are set, by halving, to where that result turns into
 * the next, or right before. Between two places with results on either side of the wanted one,
 * wherever results go on the way, halving ends at two neighbours that are so too. */
static bool turn_results(lb_build *b, knobs *k)
{
    enum { HALVINGS = 34 };
    int64_t low[MOST_TURNED], high[MOST_TURNED], middle[MOST_TURNED];
    int32_t wanted[MOST_TURNED], got[MOST_TURNED];
    lb_arena arena = {0};
    bool is_flat[MOST_TURNED], computes = begin(b, k, low, high, wanted, is_flat, &arena);
    for (int halving = 0; halving < HALVINGS && computes; halving++) {
        for (uint32_t n = 0; n < k->channels; n++)
            middle[n] = low[n] + (high[n] - low[n]) / 2;
        computes = look_at(b, k, middle, got, &arena);
        for (uint32_t n = 0; n < k->channels && computes; n++)
            *(got[n] >= wanted[n] ? &high[n] : &low[n]) = middle[n];
    }
    for (uint32_t n = 0; n < k->channels && computes; n++)
        middle[n] = k->likes_ends && is_flat[n] ? lb_random_in(&b->random, -k->reach, k->reach)
                    : lb_build_once_in(b, 2)    ? low[n]
                                                : high[n];
    computes = computes && look_at(b, k, middle, got, &arena);
    lb_arena_free(&arena);
    return computes;
}

static uint32_t choose_depth(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    bool spatial = kernel->kernel_size > 1 && kernel->family != LB_FAMILY_TRANSPOSE_CONV2D;
    if (kernel->family == LB_FAMILY_DEPTHWISE_CONV2D)
        return 1;
    return (uint32_t)(spatial ? lb_build_pick(b, 1, 2) : lb_build_pick(b, 4, 7));
}

static bool has_units(const lb_kernel *kernel)
{
    const lb_pattern pattern = lb_pattern_of(kernel);
    return pattern == LB_PATTERN_DENSE_LISTS || pattern == LB_PATTERN_CELL;
}

enum { SUMS_LEFT = 1 << 24 };

static bool aim_units(lb_build *b)
{
    const bool dense = lb_pattern_of(b->c->kernel) == LB_PATTERN_DENSE_LISTS;
    knobs k = {.by_bias = true};
    k.profile = &lb_profiles[lb_random_in(&b->random, 0, LB_PROFILE_COUNT - 1)];
    (dense ? lb_random_rnn_dense : lb_random_cell)(b);
    k.bias = b->c->operand[LB_ROLE_BIAS].tensors;
    k.bias->may_be_uniform = false;
    k.channels = k.bias->shape[k.bias->rank - 1];
    const uint32_t gates = dense ? 1 : k.bias->shape[0];
    if (k.channels > MOST_TURNED)
        return false;
    for (uint32_t n = 0; n < k.channels; n++)
        k.entry[n] = (size_t)lb_random_in(&b->random, 0, gates - 1) * k.channels + n;
    k.reach = k.bias->type == LB_SA32   ? INT32_MAX - SUMS_LEFT
              : k.bias->type == LB_FX16 ? INT16_MAX
                                        : INT8_MAX;
    return turn_results(b, &k);
}

bool lb_random_aimed(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    if (has_units(kernel))
        return aim_units(b);
    knobs k = {.by_bias = kernel->in_type == LB_SA8, .likes_ends = true};
    k.profile = &lb_profiles[lb_build_pick(b, 0, LB_PROFILE_COUNT - 1)];
    k.channels = (uint32_t)lb_build_pick(b, 2, MOST_CHANNELS / 2) * 2;
    k.filters_depth = choose_depth(b);
    add_tensors(b, &k);
    b->c->config.relu = lb_build_once_in(b, 2) ? 0 : lb_build_pick(b, 1, 3);
    if (k.by_bias) {
        sa_formats(b, &k);
        k.reach = INT32_MAX - SUMS_LEFT;
        k.bias->may_be_uniform = false;
        for (uint32_t n = 0; n < k.channels; n++)
            k.entry[n] = n;
    } else {
        fx_formats(b, &k);
        choose_digits(b, &k);
        if (k.reach > INT32_MAX - SUMS_LEFT)
            k.reach = INT32_MAX - SUMS_LEFT;
    }
    return turn_results(b, &k);
}

bool lb_random_can_aim(const lb_kernel *kernel)
{
    const lb_pattern pattern = lb_pattern_of(kernel);
    return has_units(kernel) || pattern == LB_PATTERN_CONVOLUTION || pattern == LB_PATTERN_DENSE;
}
