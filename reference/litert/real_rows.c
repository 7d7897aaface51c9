/* Pooling, softmax, mean, sum and L2 normalization in real arithmetic (litert.8, litert.11,
 * litert.12, litert.19, litert.20). */
#include "real_call.h"

/* ---- Pooling ---- */

/* What the valid elements of a window come to. */
typedef struct window {
    double sum, highest, count;
} window;

static window window_of(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *in = lb_lite_input(c, "in");
    int64_t place = (int64_t)at / c->out.shape[3], channel = (int64_t)at % c->out.shape[3];
    int64_t x = place % c->out.shape[2], y = place / c->out.shape[2] % c->out.shape[1];
    int64_t n = place / c->out.shape[2] / c->out.shape[1];
    int64_t height = (int64_t)lb_lite_key_of(c, "filter_height");
    int64_t width = (int64_t)lb_lite_key_of(c, "filter_width");
    window w = {0, -lb_power_of_two(c->out.bits - 1), 0};
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < width; j++) {
            int64_t row = y * (int64_t)lb_lite_key_of(c, "stride_height") -
                          (int64_t)lb_lite_key_of(c, "padding_top") + i;
            int64_t column = x * (int64_t)lb_lite_key_of(c, "stride_width") -
                             (int64_t)lb_lite_key_of(c, "padding_left") + j;
            if (row < 0 || column < 0 || row >= in->shape[1] || column >= in->shape[2])
                continue;
            double v = lb_lite_at(in, n, row, column, channel);
            w.sum += v;
            w.count++;
            w.highest = v > w.highest ? v : w.highest;
        }
    return w;
}

lb_span lb_lite_real_average(const lb_lite_call *c, size_t at)
{
    window w = window_of(c, at);
    return lb_lite_within_limits(c, lb_span_widened(lb_span_of(w.sum / w.count), 0.5, 0.5));
}

lb_span lb_lite_real_maximum(const lb_lite_call *c, size_t at)
{
    return lb_lite_within_limits(c, lb_span_of(window_of(c, at).highest));
}

/* ---- softmax ---- */

/* A row of differences to its maximum, as powers of e. */
typedef struct row {
    const double *values;
    int64_t size;
    double highest, unit; /* what a difference of 1 is, a real number */
} row;

static row row_of(const lb_lite_call *c, size_t at, double fraction_bits)
{
    const lb_lite_tensor *in = lb_lite_input(c, "in");
    int64_t size = lb_lite_dimension(in, 0);
    row r = {in->values + (int64_t)at / size * size, size, -32768, 0};
    for (int64_t i = 0; i < size; i++)
        r.highest = r.values[i] > r.highest ? r.values[i] : r.highest;
    r.unit = lb_lite_key_of(c, "input_multiplier") *
             lb_power_of_two((int)lb_lite_key_of(c, "input_left_shift") - 31) / fraction_bits;
    return r;
}

/* int8: 26 fractional bits. Each element of the sum is rounded to 19 bits. */
static lb_span softmax_s8(const lb_lite_call *c, size_t at)
{
    row r = row_of(c, at, lb_power_of_two(26));
    double least = lb_lite_key_of(c, "diff_min"), sum = 0, counted = 0;
    double lowest = -lb_power_of_two(c->out.bits - 1), whole = lb_power_of_two(c->out.bits);
    double own = lb_lite_input(c, "in")->values[at] - r.highest;
    for (int64_t i = 0; i < r.size; i++)
        if (r.values[i] - r.highest >= least) {
            sum += exp((r.values[i] - r.highest) * r.unit);
            counted++;
        }
    if (own < least)
        return lb_span_of(lowest);
    double share = exp(own * r.unit) / sum;
    /* Roundings of the sum; those of exp and of the reciprocal, some units of 2^-26. */
    double error =
        0.5 + whole * share * counted * lb_power_of_two(-20) / sum + whole * lb_power_of_two(-23);
    lb_span v = lb_span_widened(lb_span_of(whole * share), error, error);
    return lb_lite_within_type(c, lb_span_moved(v, lowest));
}

/* int16: an entry of the table of exp stands for 1 / 32767 and may be wrong by 2 of them, which is
 * also what is added for numbers below e^-10; the other table by 2 too. */
static lb_span softmax_s16(const lb_lite_call *c, size_t at)
{
    row r = row_of(c, at, 65535.0 / 10.0);
    double sum = 0, steps, share;
    for (int64_t i = 0; i < r.size; i++)
        sum += exp((r.values[i] - r.highest) * r.unit);
    steps = 32767 * sum;
    share = exp((lb_lite_input(c, "in")->values[at] - r.highest) * r.unit) / sum;
    double error = 0.5 + 32768 * (2 / steps + share * (2 * (double)r.size / steps)) + 4 * share;
    lb_span v = lb_span_widened(lb_span_of(32768 * share), error, error);
    return lb_span_clamped(v, 0, 32767);
}

lb_span lb_lite_real_softmax(const lb_lite_call *c, size_t at)
{
    return lb_lite_input(c, "in")->bits == 8 ? softmax_s8(c, at) : softmax_s16(c, at);
}

/* ---- mean and sum ---- */

static bool is_reduced(const lb_lite_call *c, int dimension)
{
    const lb_lite_tensor *in = lb_lite_input(c, "in"), *axis = lb_lite_input(c, "axis");
    for (size_t i = 0; i < axis->count; i++)
        if ((int)axis->values[i] == dimension || (int)axis->values[i] + in->rank == dimension)
            return true;
    return false;
}

/* The element of the input that stands at place `number` of the dimensions that are reduced, or of
 * the others; at 0 of the rest. */
static size_t element_of(const lb_lite_tensor *in, const bool *reduced, bool which, size_t number)
{
    size_t at = 0, step = 1;
    for (int d = in->rank - 1; d >= 0; d--) {
        size_t size = (size_t)in->shape[d];
        if (reduced[d] == which) {
            at += number % size * step;
            number /= size;
        }
        step *= size;
    }
    return at;
}

/* The division goes into the multiplier, which loses less than one unit by it. */
lb_span lb_lite_real_mean(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *in = lb_lite_input(c, "in");
    bool reduced[LB_LITE_RANK];
    double sum = 0, count = 1, multiplier = lb_lite_key_of(c, "multiplier");
    double shift = lb_lite_key_of(c, "shift"), lost = 0;
    for (int d = 0; d < in->rank; d++) {
        reduced[d] = is_reduced(c, d);
        count *= reduced[d] ? (double)in->shape[d] : 1;
    }
    const size_t first = element_of(in, reduced, false, at);
    for (size_t i = 0; i < (size_t)count; i++)
        sum += in->values[first + element_of(in, reduced, true, i)];
    double x = sum - count * lb_lite_key_of(c, "input_zero_point");
    if (lb_lite_key_of(c, "sum") == 0) {
        double k = floor(log2(count));
        k = k < 31 + shift ? k : 31 + shift;
        lost = fabs(x) * lb_power_of_two((int)(shift - k) - 31);
        multiplier *= lb_power_of_two((int)k) / count;
        shift -= k;
    }
    lb_span v = lb_span_widened(lb_lite_scaled(c, lb_span_of(x), multiplier, shift), lost, lost);
    return lb_lite_within_type(c, lb_span_moved(v, lb_lite_key_of(c, "output_zero_point")));
}

/* ---- L2 normalization ---- */

/* 1/sqrt has 20 good bits or more; its multiplier may be as small as 2^28, whose shift rounds the
 * product by up to half a step twice. */
lb_span lb_lite_real_l2_normalization(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *in = lb_lite_input(c, "in");
    int64_t size = lb_lite_dimension(in, 0), first = (int64_t)at / size * size;
    double zero = lb_lite_key_of(c, "input_zero_point"), squares = 0;
    for (int64_t i = first; i < first + size; i++)
        squares += (in->values[i] - zero) * (in->values[i] - zero);
    double v = squares > 0 ? 128 * (in->values[at] - zero) / sqrt(squares) : 0;
    double half = squares == 0 ? 0 : (c->single ? 0.5 : 0.75) + fabs(v) * lb_power_of_two(-20);
    return lb_lite_within_type(c, lb_span_widened(lb_span_of(v), half, half));
}
