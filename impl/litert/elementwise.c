/* add, sub and mul, with broadcasting (litert.9, litert.10). */
#include "internal.h"

typedef struct call call;

/* Makes outputs from elements of both inputs, in place of the first. */
typedef void pair_fn(const call *c, int32_t *a, const int32_t *b, size_t count);

struct call {
    lb_litert_profile profile;
    lb_litert_type type;
    const lb_litert_add_params *add; /* one of them */
    const lb_litert_mul_params *mul;
    pair_fn *pair;
    const lb_litert_dims *in1, *in2, *out;
    const void *input1, *input2;
    void *output;
};

static int32_t scaled(const call *c, int32_t x, int32_t offset, int32_t multiplier, int32_t shift)
{
    int64_t shifted = ((int64_t)x + offset) * ((int64_t)1 << c->add->left_shift);
    return lb_litert_scale32(c->profile, lb_litert_wrap32(shifted), multiplier, shift);
}

static inline void add_or_sub(const call *c, int32_t *a, const int32_t *b, size_t count, int sign)
{
    const lb_litert_add_params *p = c->add;
    for (size_t i = 0; i < count; i++) {
        int64_t x = scaled(c, a[i], p->input1_offset, p->input1_multiplier, p->input1_shift);
        int64_t y = scaled(c, b[i], p->input2_offset, p->input2_multiplier, p->input2_shift);
        int64_t sum = lb_litert_scale32(c->profile, lb_litert_wrap32(x + sign * y),
                                        p->output_multiplier, p->output_shift);
        a[i] = lb_litert_clamp(sum + p->output_offset, p->activation.min, p->activation.max);
    }
}

static void add(const call *c, int32_t *a, const int32_t *b, size_t count)
{
    add_or_sub(c, a, b, count, 1);
}

static void subtract(const call *c, int32_t *a, const int32_t *b, size_t count)
{
    add_or_sub(c, a, b, count, -1);
}

static void multiply(const call *c, int32_t *a, const int32_t *b, size_t count)
{
    const lb_litert_mul_params *p = c->mul;
    for (size_t i = 0; i < count; i++) {
        int64_t product = ((int64_t)a[i] + p->input1_offset) * ((int64_t)b[i] + p->input2_offset);
        int64_t v = lb_litert_scale32(c->profile, lb_litert_wrap32(product), p->output_multiplier,
                                      p->output_shift);
        a[i] = lb_litert_clamp(v + p->output_offset, p->activation.min, p->activation.max);
    }
}

/* ---- Broadcasting ---- */

static bool goes_with(int32_t in1, int32_t in2, int32_t out)
{
    return (in1 == out || in1 == 1) && (in2 == out || in2 == 1) && (in1 == out || in2 == out);
}

static bool holds(const call *c)
{
    return c->input1 && c->input2 && c->output && lb_litert_dims_hold(c->in1) &&
           lb_litert_dims_hold(c->in2) && lb_litert_dims_hold(c->out) &&
           goes_with(c->in1->n, c->in2->n, c->out->n) &&
           goes_with(c->in1->h, c->in2->h, c->out->h) &&
           goes_with(c->in1->w, c->in2->w, c->out->w) && goes_with(c->in1->c, c->in2->c, c->out->c);
}

static bool same_dims(const lb_litert_dims *a, const lb_litert_dims *b)
{
    return a->n == b->n && a->h == b->h && a->w == b->w && a->c == b->c;
}

/* The row of an input that goes with row (n, h, w) of the output. */
static size_t row_at(const lb_litert_dims *in, int32_t n, int32_t h, int32_t w)
{
    size_t row = (size_t)(in->n == 1 ? 0 : n);
    row = row * (size_t)in->h + (size_t)(in->h == 1 ? 0 : h);
    row = row * (size_t)in->w + (size_t)(in->w == 1 ? 0 : w);
    return row * (size_t)in->c;
}

/* Elements from number `at` on of a row, or of one that has a single element this one again. */
static void load_row(const call *c, const void *input, size_t row, size_t at, size_t count,
                     bool repeats, int32_t *to)
{
    if (!repeats) {
        lb_litert_load(c->type, input, row + at, count, to);
        return;
    }
    lb_litert_load(c->type, input, row, 1, to);
    for (size_t i = 1; i < count; i++)
        to[i] = to[0];
}

static void run_row(const call *c, size_t row1, size_t row2, size_t row, size_t size, bool repeats1,
                    bool repeats2)
{
    int32_t a[LB_LITERT_BLOCK], b[LB_LITERT_BLOCK];
    for (size_t at = 0, count; at < size; at += count) {
        count = size - at < LB_LITERT_BLOCK ? size - at : LB_LITERT_BLOCK;
        load_row(c, c->input1, row1, at, count, repeats1, a);
        load_row(c, c->input2, row2, at, count, repeats2, b);
        c->pair(c, a, b, count);
        lb_litert_store(c->type, c->output, row + at, count, a);
    }
}

static lb_litert_status run(const call *c)
{
    if (!holds(c))
        return LB_LITERT_ARG_ERROR;
    const lb_litert_dims *out = c->out;
    size_t row = 0, size = (size_t)out->c;
    if (same_dims(c->in1, out) && same_dims(c->in2, out)) {
        run_row(c, 0, 0, 0, (size_t)out->n * (size_t)out->h * (size_t)out->w * size, false, false);
        return LB_LITERT_SUCCESS;
    }
    for (int32_t n = 0; n < out->n; n++)
        for (int32_t h = 0; h < out->h; h++)
            for (int32_t w = 0; w < out->w; w++, row += size)
                run_row(c, row_at(c->in1, n, h, w), row_at(c->in2, n, h, w), row, size,
                        c->in1->c == 1, c->in2->c == 1);
    return LB_LITERT_SUCCESS;
}

/* ---- Calls as users make them ---- */

static bool add_holds(const lb_litert_add_params *p, lb_litert_type type)
{
    return p && lb_litert_in(p->left_shift, 0, 30) && lb_litert_limits_hold(p->activation, type) &&
           lb_litert_scales(p->input1_multiplier, p->input1_shift, -31, 0) &&
           lb_litert_scales(p->input2_multiplier, p->input2_shift, -31, 0) &&
           lb_litert_scales(p->output_multiplier, p->output_shift, -31, 0);
}

static lb_litert_status run_add(const call *c)
{
    return add_holds(c->add, c->type) ? run(c) : LB_LITERT_ARG_ERROR;
}

static lb_litert_status run_mul(const call *c)
{
    const lb_litert_mul_params *p = c->mul;
    return p && lb_litert_limits_hold(p->activation, c->type) &&
                   lb_litert_scales(p->output_multiplier, p->output_shift, -31, 30)
               ? run(c)
               : LB_LITERT_ARG_ERROR;
}

/* NAME of elements of type SUFFIX, T: parameters of type KIND, a row of functions. */
#define PAIR(NAME, SUFFIX, T, TYPE, KIND, PAIR_FN)                                                 \
    lb_litert_status lb_litert_##NAME##_##SUFFIX(                                                  \
        const lb_litert_context *ctx, const lb_litert_##KIND##_params *params,                     \
        const lb_litert_dims *input1_dims, const T *input1, const lb_litert_dims *input2_dims,     \
        const T *input2, const lb_litert_dims *output_dims, T *output)                             \
    {                                                                                              \
        return run_##KIND(&(call){.profile = lb_litert_profile_of(ctx),                            \
                                  .type = TYPE,                                                    \
                                  .KIND = params,                                                  \
                                  .pair = PAIR_FN,                                                 \
                                  .in1 = input1_dims,                                              \
                                  .in2 = input2_dims,                                              \
                                  .out = output_dims,                                              \
                                  .input1 = input1,                                                \
                                  .input2 = input2,                                                \
                                  .output = output});                                              \
    }

PAIR(add, s8, int8_t, LB_LITERT_S8, add, add)
PAIR(add, s16, int16_t, LB_LITERT_S16, add, add)
PAIR(sub, s8, int8_t, LB_LITERT_S8, add, subtract)
PAIR(sub, s16, int16_t, LB_LITERT_S16, add, subtract)
PAIR(mul, s8, int8_t, LB_LITERT_S8, mul, multiply)
PAIR(mul, s16, int16_t, LB_LITERT_S16, mul, multiply)
