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
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN);
    int64_t place = (int64_t)at / c->out.shape[3], channel = (int64_t)at % c->out.shape[3];
    int64_t x = place % c->out.shape[2], y = place / c->out.shape[2] % c->out.shape[1];
    int64_t n = place / c->out.shape[2] / c->out.shape[1];
    int64_t height = (int64_t)lb_lite_key_of(c, LB_LITE_filter_height);
    int64_t width = (int64_t)lb_lite_key_of(c, LB_LITE_filter_width);
    window w = {0, -lb_power_of_two(c->out.bits - 1), 0};
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < width; j++) {
            int64_t row = y * (int64_t)lb_lite_key_of(c, LB_LITE_stride_height) -
                          (int64_t)lb_lite_key_of(c, LB_LITE_padding_top) + i;
            int64_t column = x * (int64_t)lb_lite_key_of(c, LB_LITE_stride_width) -
                             (int64_t)lb_lite_key_of(c, LB_LITE_padding_left) + j;
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

/* ---- Rows ---- */

/* The row that the element is in, to be looked at; *size is 0 where it has been. */
static const double *new_row(const lb_lite_call *c, size_t at, int64_t *size)
{
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN);
    const int64_t length = lb_lite_dimension(in, 0), first = (int64_t)at / length * length;
    *size = c->row->first == first ? 0 : length;
    if (*size > 0)
        *c->row = (lb_lite_row){.first = first, .highest = -32768};
    return in->values + first;
}

/* ---- softmax ---- */

/* What a difference of 1 to the highest element of a row is, a real number. */
static double unit_of(const lb_lite_call *c, double fraction_bits)
{
    return lb_lite_key_of(c, LB_LITE_input_multiplier) *
           lb_power_of_two((int)lb_lite_key_of(c, LB_LITE_input_left_shift) - 31) / fraction_bits;
}

/* The row that the element is in: powers of e of the differences to its highest element. */
static const lb_lite_row *row_of(const lb_lite_call *c, size_t at, double unit, double least)
{
    lb_lite_row *r = c->row;
    int64_t size;
    const double *values = new_row(c, at, &size);
    for (int64_t i = 0; i < size; i++)
        r->highest = values[i] > r->highest ? values[i] : r->highest;
    for (int64_t i = 0; i < size; i++)
        if (values[i] - r->highest >= least) {
            r->sum += exp((values[i] - r->highest) * unit);
            r->counted++;
        }
    return r;
}

/* int8: 26 fractional bits. Each element of the sum is rounded to 19 bits. */
static lb_span softmax_s8(const lb_lite_call *c, size_t at)
{
    double least = lb_lite_key_of(c, LB_LITE_diff_min), unit = unit_of(c, lb_power_of_two(26));
    double lowest = -lb_power_of_two(c->out.bits - 1), whole = lb_power_of_two(c->out.bits);
    const lb_lite_row *r = row_of(c, at, unit, least);
    double own = lb_lite_input(c, LB_ROLE_IN)->values[at] - r->highest;
    if (own < least)
        return lb_span_of(lowest);
    double share = exp(own * unit) / r->sum;
    /* Roundings of the sum; those of exp and of the reciprocal, some units of 2^-26. */
    double error = 0.5 + whole * share * r->counted * lb_power_of_two(-20) / r->sum +
                   whole * lb_power_of_two(-23);
    lb_span v = lb_span_widened(lb_span_of(whole * share), error, error);
    return lb_lite_within_type(c, lb_span_moved(v, lowest));
}

/* int16: an entry of the table of exp stands for 1 / 32767 and may be wrong by 2 of them, which is
 * also what is added for numbers below e^-10; the other table by 2 too. */
static lb_span softmax_s16(const lb_lite_call *c, size_t at)
{
    const double unit = unit_of(c, 65535.0 / 10.0);
    const lb_lite_row *r = row_of(c, at, unit, -(double)UINT16_MAX);
    double steps = 32767 * r->sum;
    double share = exp((lb_lite_input(c, LB_ROLE_IN)->values[at] - r->highest) * unit) / r->sum;
    double error = 0.5 + 32768 * (2 / steps + share * (2 * r->counted / steps)) + 4 * share;
    lb_span v = lb_span_widened(lb_span_of(32768 * share), error, error);
    return lb_span_clamped(v, 0, 32767);
}

lb_span lb_lite_real_softmax(const lb_lite_call *c, size_t at)
{
    return lb_lite_input(c, LB_ROLE_IN)->bits == 8 ? softmax_s8(c, at) : softmax_s16(c, at);
}

/* ---- mean and sum ---- */

static bool is_reduced(const lb_lite_call *c, int dimension)
{
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN), *axis = lb_lite_input(c, LB_ROLE_AXIS);
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
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN);
    bool reduced[LB_LITE_RANK] = {false};
    double sum = 0, count = 1, multiplier = lb_lite_key_of(c, LB_LITE_multiplier);
    double shift = lb_lite_key_of(c, LB_LITE_shift), lost = 0;
    for (int d = 0; d < in->rank; d++) {
        reduced[d] = is_reduced(c, d);
        count *= reduced[d] ? (double)in->shape[d] : 1;
    }
    const size_t first = element_of(in, reduced, false, at);
    for (size_t i = 0; i < (size_t)count; i++)
        sum += in->values[first + element_of(in, reduced, true, i)];
    double x = sum - count * lb_lite_key_of(c, LB_LITE_input_zero_point);
    if (lb_lite_key_of(c, LB_LITE_sum) == 0) {
        double k = floor(log2(count));
        k = k < 31 + shift ? k : 31 + shift;
        lost = fabs(x) * lb_power_of_two((int)(shift - k) - 31);
        multiplier *= lb_power_of_two((int)k) / count;
        shift -= k;
    }
    lb_span v = lb_span_widened(lb_lite_scaled(c, lb_span_of(x), multiplier, shift), lost, lost);
    return lb_lite_within_type(c, lb_span_moved(v, lb_lite_key_of(c, LB_LITE_output_zero_point)));
}

/* ---- L2 normalization ---- */

static double squares_of(const lb_lite_call *c, size_t at, double zero)
{
    int64_t size;
    const double *values = new_row(c, at, &size);
    for (int64_t i = 0; i < size; i++)
        c->row->sum += (values[i] - zero) * (values[i] - zero);
    return c->row->sum;
}

/* 1/sqrt has 20 good bits or more; its multiplier may be as small as 2^28, whose shift rounds the
 * product by up to half a step twice. */
lb_span lb_lite_real_l2_normalization(const lb_lite_call *c, size_t at)
{
    double zero = lb_lite_key_of(c, LB_LITE_input_zero_point), squares = squares_of(c, at, zero);
    double own = lb_lite_input(c, LB_ROLE_IN)->values[at] - zero;
    double v = squares > 0 ? 128 * own / sqrt(squares) : 0;
    double half = squares == 0 ? 0 : (c->single ? 0.5 : 0.75) + fabs(v) * lb_power_of_two(-20);
    return lb_lite_within_type(c, lb_span_widened(lb_span_of(v), half, half));
}
