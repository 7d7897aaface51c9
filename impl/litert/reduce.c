/* mean, sum and L2 normalization (litert.19, litert.20). */
#include "internal.h"

/* A dimension to go along: its size, and how far its elements lie apart in the input. */
typedef struct dimension {
    size_t size, step;
} dimension;

/* The dimensions that stay, and those that are summed up, the outermost first. */
typedef struct layout {
    int kept_count, summed_count;
    dimension kept[LB_LITERT_MAX_RANK], summed[LB_LITERT_MAX_RANK];
} layout;

/* False: a rank, a dimension or an axis that cannot be. */
static bool read_layout(int32_t rank, const int32_t *shape, int32_t axis_count, const int32_t *axis,
                        layout *s)
{
    bool summed[LB_LITERT_MAX_RANK] = {false};
    size_t step[LB_LITERT_MAX_RANK], elements = 1;
    *s = (layout){0};
    if (!lb_litert_in(rank, 0, LB_LITERT_MAX_RANK) || axis_count < 0 || (rank > 0 && !shape) ||
        (axis_count > 0 && !axis))
        return false;
    for (int32_t i = 0; i < axis_count; i++) {
        if (!lb_litert_in(axis[i], -rank, rank - 1))
            return false;
        summed[axis[i] < 0 ? axis[i] + rank : axis[i]] = true;
    }
    for (int32_t i = rank - 1; i >= 0; i--) {
        if (shape[i] < 0)
            return false;
        step[i] = elements;
        elements *= (size_t)shape[i];
    }
    for (int32_t i = 0; i < rank; i++) {
        dimension d = {(size_t)shape[i], step[i]};
        if (summed[i])
            s->summed[s->summed_count++] = d;
        else
            s->kept[s->kept_count++] = d;
    }
    return true;
}

static size_t elements_of(const dimension *d, int count)
{
    size_t elements = 1;
    for (int i = 0; i < count; i++)
        elements *= d[i].size;
    return elements;
}

/* Where element `number` of these dimensions lies. */
static size_t place_of(const dimension *d, int count, size_t number)
{
    size_t at = 0;
    for (int i = count - 1; i >= 0; i--) {
        at += number % d[i].size * d[i].step;
        number /= d[i].size;
    }
    return at;
}

/* The elements of one output, a row of the innermost dimension after the other. */
static int64_t sum_of(lb_litert_type type, const void *input, size_t at, const layout *s)
{
    int rows_rank = s->summed_count > 0 ? s->summed_count - 1 : 0;
    dimension last = s->summed_count > 0 ? s->summed[rows_rank] : (dimension){1, 1};
    size_t rows = elements_of(s->summed, rows_rank);
    int64_t sum = 0;
    for (size_t row = 0; row < rows; row++) {
        size_t from = at + place_of(s->summed, rows_rank, row);
        for (size_t i = 0; i < last.size; i++) {
            int32_t x;
            lb_litert_load(type, input, from + i * last.step, 1, &x);
            sum += x;
        }
    }
    return sum;
}

/* The division by n goes into the multiplier, whose fraction is cut. */
static lb_litert_per_tensor_quant divided(const lb_litert_mean_params *p, size_t n)
{
    int32_t k = 0, most = 31 + p->shift < 32 ? 31 + p->shift : 32;
    while (k < most && n >> k > 1)
        k++;
    return (lb_litert_per_tensor_quant){(int32_t)(((uint64_t)p->multiplier << k) / (uint64_t)n),
                                        p->shift - k};
}

static lb_litert_status run(const lb_litert_context *ctx, const lb_litert_mean_params *p,
                            lb_litert_type type, int32_t rank, const int32_t *shape,
                            const void *input, int32_t axis_count, const int32_t *axis,
                            void *output)
{
    layout s;
    if (!p || !input || !output || !lb_litert_scales(p->multiplier, p->shift, -31, 30) ||
        !read_layout(rank, shape, axis_count, axis, &s))
        return LB_LITERT_ARG_ERROR;
    size_t n = elements_of(s.summed, s.summed_count), outputs = elements_of(s.kept, s.kept_count);
    if (outputs == 0)
        return LB_LITERT_SUCCESS;
    if (n == 0 || n > INT32_MAX)
        return LB_LITERT_ARG_ERROR;
    lb_litert_per_tensor_quant q =
        p->sum ? (lb_litert_per_tensor_quant){p->multiplier, p->shift} : divided(p, n);
    for (size_t o = 0; o < outputs; o++) {
        int64_t sum = sum_of(type, input, place_of(s.kept, s.kept_count, o), &s);
        int64_t zeros = p->input_zero_point * (int64_t)n;
        int64_t v = lb_litert_scale32(lb_litert_profile_of(ctx), lb_litert_wrap32(sum - zeros),
                                      q.multiplier, q.shift);
        int32_t result = lb_litert_clamp(v + p->output_zero_point, lb_litert_lowest(type),
                                         lb_litert_highest(type));
        lb_litert_store(type, output, o, 1, &result);
    }
    return LB_LITERT_SUCCESS;
}

lb_litert_status lb_litert_mean_s8(const lb_litert_context *ctx,
                                   const lb_litert_mean_params *params, int32_t rank,
                                   const int32_t *shape, const int8_t *input, int32_t axis_count,
                                   const int32_t *axis, int8_t *output)
{
    return run(ctx, params, LB_LITERT_S8, rank, shape, input, axis_count, axis, output);
}

lb_litert_status lb_litert_mean_s16(const lb_litert_context *ctx,
                                    const lb_litert_mean_params *params, int32_t rank,
                                    const int32_t *shape, const int16_t *input, int32_t axis_count,
                                    const int32_t *axis, int16_t *output)
{
    return run(ctx, params, LB_LITERT_S16, rank, shape, input, axis_count, axis, output);
}

/* ---- L2 normalization ---- */

static void normalize_row(lb_litert_profile profile, const int8_t *input, size_t size,
                          int32_t zero_point, int8_t *output)
{
    uint32_t squares = 0; /* wraps where nothing is defined */
    for (size_t i = 0; i < size; i++) {
        int32_t v = input[i] - zero_point;
        squares += (uint32_t)(v * v);
    }
    int32_t sum = squares > INT32_MAX ? INT32_MAX : (int32_t)squares;
    lb_litert_per_tensor_quant q = lb_litert_inverse_square_root(sum);
    for (size_t i = 0; i < size; i++) {
        int32_t v = lb_litert_scale32(profile, input[i] - zero_point, q.multiplier, q.shift + 7);
        output[i] = (int8_t)lb_litert_clamp(v, INT8_MIN, INT8_MAX);
    }
}

lb_litert_status lb_litert_l2_normalization_s8(const lb_litert_context *ctx, const int8_t *input,
                                               int32_t rows, int32_t row_size,
                                               int32_t input_zero_point, int8_t *output)
{
    if (!input || !output || rows < 0 || row_size < 0 ||
        !lb_litert_in(input_zero_point, INT8_MIN, INT8_MAX))
        return LB_LITERT_ARG_ERROR;
    for (size_t row = 0; row < (size_t)rows; row++) {
        size_t at = row * (size_t)row_size;
        normalize_row(lb_litert_profile_of(ctx), input + at, (size_t)row_size, input_zero_point,
                      output + at);
    }
    return LB_LITERT_SUCCESS;
}
