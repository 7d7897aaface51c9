/* What the tests of the four convolution families share: problems with every geometry, format and
 * gap, an evaluator that is the text of conv.md and nothing more, and the faults that show the
 * order of statuses. */
#ifndef LB_TEST_CONV_SUPPORT_H
#define LB_TEST_CONV_SUPPORT_H

#include <stdlib.h>

#include "levels.h"
#include "support.h"

typedef mli_status conv_fn(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                           const mli_conv2d_cfg *, mli_tensor *);

enum conv_kind { SA8, FX16_FX8, FX16, KINDS };
enum conv_family { CONV2D, DEPTHWISE, GROUP, TRANSPOSE, FAMILIES };

static conv_fn *const generic[FAMILIES][KINDS] = {
    [CONV2D] = {mli_krn_conv2d_hwcn_sa8_sa8_sa32, mli_krn_conv2d_hwcn_fx16_fx8_fx8,
                mli_krn_conv2d_hwcn_fx16},
    [DEPTHWISE] = {mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32,
                   mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8, mli_krn_depthwise_conv2d_hwcn_fx16},
    [GROUP] = {mli_krn_group_conv2d_hwcn_sa8_sa8_sa32, mli_krn_group_conv2d_hwcn_fx16_fx8_fx8,
               mli_krn_group_conv2d_hwcn_fx16},
    [TRANSPOSE] = {mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32,
                   mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8, mli_krn_transpose_conv2d_hwcn_fx16},
};

/* Levels of inner loops that a library may have; those that this processor lacks are passed over.
 */

/*
 * Problems. The first part says what is wanted; build() makes tensors, memory and random contents
 * of it.
 */
struct problem {
    enum conv_family family;
    enum conv_kind kind;
    uint32_t in[3], kernel[2], depth, channels, out[2]; /* depth: channels that a tap sums over */
    mli_conv2d_cfg cfg;
    int gap;      /* elements left out after each row, pixel and tap */
    int per_axis; /* weights and bias quantized for each channel (SA8) */
    int extreme;  /* operands at the ends of their ranges */

    mli_tensor t_in, t_weights, t_bias, t_out;
    size_t out_bytes; /* of t_out's memory */
    int16_t *w_scale, *b_scale, *no_zero;
    int8_t *w_bits, *b_bits;
};

/* Memory of exactly the span of the tensor, so that a sanitizer sees every step outside. */
static inline mli_tensor conv_tensor(mli_element_type type, uint32_t rank, const uint32_t *shape,
                                     int gap)
{
    int32_t stride[4];
    stride[rank - 1] = 1;
    for (uint32_t d = rank - 1; d-- > 0;)
        stride[d] = (int32_t)shape[d + 1] * stride[d + 1] + gap * (int32_t)(d + 1);
    mli_tensor t = tensor(type, NULL, rank, shape, stride);
    t.data.mem.pi8 = malloc(t.data.capacity);
    assert_non_null(t.data.mem.pi8);
    return t;
}

static inline void fill(mli_tensor *t, int extreme)
{
    random_bytes(t->data.mem.pi8, t->data.capacity);
    if (!extreme)
        return;
    const int v = random_in(0, 3) ? -1 : 0; /* 0x80.. or 0x7F.. */
    for (uint32_t i = 0; i < t->data.capacity; i++)
        ((uint8_t *)t->data.mem.pi8)[i] = 0xFF;
    if (t->el_type == MLI_EL_FX_16)
        for (uint32_t i = 0; i < t->data.capacity / 2; i++)
            t->data.mem.pi16[i] = v ? INT16_MIN : INT16_MAX;
    else if (t->el_type != MLI_EL_SA_32)
        memset(t->data.mem.pi8, v ? INT8_MIN : INT8_MAX, t->data.capacity);
}

static inline void *list_of(uint32_t n, size_t size)
{
    void *list = calloc(n, size);
    assert_non_null(list);
    return list;
}

static inline void quantize_sa8(struct problem *p)
{
    const int si = random_in(1, 3) > 1 ? random_in(8192, 32767) : random_in(1, 32767);
    const int fi = random_in(-20, 30), fw = random_in(-20, 30);
    p->t_in = with_scale(p->t_in, si, fi, random_in(0, 3) ? random_in(-128, 127) : 0);
    p->t_out = with_scale(p->t_out, random_in(8192, 32767), fi + fw - 14 - random_in(0, 12),
                          random_in(-128, 127));
    p->w_scale = list_of(p->channels, sizeof *p->w_scale);
    p->b_scale = list_of(p->channels, sizeof *p->b_scale);
    p->no_zero = list_of(p->channels, sizeof *p->no_zero);
    p->w_bits = list_of(p->channels, sizeof *p->w_bits);
    p->b_bits = list_of(p->channels, sizeof *p->b_bits);
    for (uint32_t c = 0; c < p->channels; c++) {
        p->w_scale[c] = (int16_t)random_in(4096, 32767);
        p->w_bits[c] = (int8_t)(fw + (p->per_axis ? random_in(-2, 2) : 0));
        p->b_bits[c] = (int8_t)(fi + p->w_bits[c] - 16);
        const int64_t b_scale = model_rsh((int64_t)si * p->w_scale[c], 16, 32, 0);
        p->b_scale[c] = (int16_t)(b_scale > 0 ? b_scale : 1);
    }
    if (p->per_axis) {
        p->t_weights = with_axis(p->t_weights, 3, p->channels, p->w_scale, p->w_bits, p->no_zero);
        p->t_bias = with_axis(p->t_bias, 0, p->channels, p->b_scale, p->b_bits, p->no_zero);
    } else {
        p->t_weights = with_scale(p->t_weights, p->w_scale[0], p->w_bits[0], 0);
        p->t_bias = with_scale(p->t_bias, p->b_scale[0], p->b_bits[0], 0);
    }
    for (uint32_t c = 0; c < p->channels;
         c++) /* of any size, mostly such that the result is not its alone */
        p->t_bias.data.mem.pi32[c] = (int32_t)random_bits() >> random_in(0, 25);
}

static inline void build(struct problem *p)
{
    const mli_element_type types[KINDS][3] = {
        {MLI_EL_SA_8, MLI_EL_SA_8, MLI_EL_SA_32},
        {MLI_EL_FX_16, MLI_EL_FX_8, MLI_EL_FX_8},
        {MLI_EL_FX_16, MLI_EL_FX_16, MLI_EL_FX_16},
    };
    const uint32_t w_shape[4] = {p->kernel[0], p->kernel[1], p->depth, p->channels};
    const uint32_t out_shape[3] = {p->out[0], p->out[1], p->channels};
    p->t_in = conv_tensor(types[p->kind][0], 3, p->in, p->gap);
    p->t_weights = conv_tensor(types[p->kind][1], 4, w_shape, p->gap);
    p->t_bias = conv_tensor(types[p->kind][2], 1, &p->channels, 0);
    p->t_out = conv_tensor(types[p->kind][0], 3, out_shape, p->gap);
    p->out_bytes = p->t_out.data.capacity;
    fill(&p->t_in, p->extreme);
    fill(&p->t_weights, p->extreme);
    fill(&p->t_bias, 0);
    p->w_scale = p->b_scale = p->no_zero = NULL;
    p->w_bits = p->b_bits = NULL;
    if (p->kind == SA8) {
        quantize_sa8(p);
        return;
    }
    const int fi = random_in(-3, 15), fw = random_in(-3, 15);
    const int taken = p->kind == FX16 ? random_in(8, 24) : random_in(2, 14);
    p->t_in = with_frac(p->t_in, fi);
    p->t_weights = with_frac(p->t_weights, fw);
    p->t_bias = with_frac(p->t_bias, fi + fw - random_in(0, 18));
    p->t_out = with_frac(p->t_out, fi + fw - (random_in(0, 9) ? taken : random_in(0, 70)));
}

static inline void destroy(struct problem *p)
{
    free(p->t_in.data.mem.pi8);
    free(p->t_weights.data.mem.pi8);
    free(p->t_bias.data.mem.pi8);
    free(p->t_out.data.mem.pi8);
    free(p->w_scale);
    free(p->b_scale);
    free(p->no_zero);
    free(p->w_bits);
    free(p->b_bits);
}

/*
 * The evaluator
 */
static inline int64_t element(const mli_tensor *t, size_t index)
{
    return t->el_type == MLI_EL_FX_16   ? t->data.mem.pi16[index]
           : t->el_type == MLI_EL_SA_32 ? t->data.mem.pi32[index]
                                        : t->data.mem.pi8[index];
}

static inline size_t index_3(const mli_tensor *t, int64_t y, int64_t x, int64_t c)
{
    return (size_t)(y * t->mem_stride[0] + x * t->mem_stride[1] + c);
}

/* Sum over tap (i, j) of output channel c at input pixel (row, col), which may be outside (conv.md
 * 6 to 9). */
static inline uint64_t tap_sum(const struct problem *p, int64_t i, int64_t j, int64_t row,
                               int64_t col, uint32_t c)
{
    uint64_t sum = 0;
    const int32_t *w_stride = p->t_weights.mem_stride;
    const int zero = p->kind == SA8 ? p->t_in.el_params.sa.zero_point.mem.i16 : 0;
    uint32_t first = 0; /* input channel of tap channel 0 */
    if (row < 0 || col < 0 || row >= p->in[0] || col >= p->in[1])
        return 0;
    if (p->family == DEPTHWISE)
        first = c;
    if (p->family == GROUP)
        first = c / (p->channels / (p->in[2] / p->depth)) * p->depth;
    for (uint32_t k = 0; k < p->depth; k++) {
        const int64_t x = element(&p->t_in, index_3(&p->t_in, row, col, first + k)) - zero;
        const int64_t w = element(&p->t_weights, (size_t)(i * w_stride[0] + j * w_stride[1]) +
                                                     (size_t)k * (size_t)w_stride[2] + c);
        sum += (uint64_t)(x * w);
    }
    return sum;
}

/* The accumulator before the bias, wrapped to its width. */
static inline int64_t accumulate(const struct problem *p, int64_t y, int64_t x, uint32_t c)
{
    uint64_t sum = 0;
    const mli_conv2d_cfg *cfg = &p->cfg;
    if (p->family == TRANSPOSE) {
        for (int64_t r = 0; r < p->in[0]; r++) {
            for (int64_t q = 0; q < p->in[1]; q++) {
                const int64_t i = y + cfg->padding_top - r * cfg->stride_height;
                const int64_t j = x + cfg->padding_left - q * cfg->stride_width;
                if (i >= 0 && i < p->kernel[0] && j >= 0 && j < p->kernel[1])
                    sum += tap_sum(p, i, j, r, q, c);
            }
        }
    } else {
        for (int64_t i = 0; i < p->kernel[0]; i++) {
            for (int64_t j = 0; j < p->kernel[1]; j++)
                sum += tap_sum(
                    p, i, j, y * cfg->stride_height - cfg->padding_top + i * cfg->dilation_height,
                    x * cfg->stride_width - cfg->padding_left + j * cfg->dilation_width, c);
        }
    }
    return p->kind == FX16 ? (int64_t)sum : (int32_t)(uint32_t)sum;
}

static inline int64_t add_saturating(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b)
        return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b)
        return INT64_MIN;
    return a + b;
}

/* conv.md 5. */
static inline int64_t limit(int64_t y, mli_relu_type relu, int64_t z, int64_t s, int f, int64_t top)
{
    const int64_t six = f >= 28   ? top
                        : f >= 0  ? ((int64_t)6 << f) / s
                        : f == -1 ? 3 / s
                        : f == -2 ? 1 / s
                                  : 0;
    const int64_t one = f >= 30 ? top : f >= 0 ? ((int64_t)1 << f) / s : 0;
    int64_t lo = -top - 1, hi = top;
    if (relu == MLI_RELU_GEN || relu == MLI_RELU_6)
        lo = z > lo ? z : lo;
    if (relu == MLI_RELU_6)
        hi = six + z < hi ? six + z : hi;
    if (relu == MLI_RELU_1) {
        lo = z - one > lo ? z - one : lo;
        hi = one + z < hi ? one + z : hi;
    }
    y = y < hi ? y : hi;
    return y > lo ? y : lo;
}

/* conv.md 3. */
static inline int64_t result_fx(const struct problem *p, int64_t acc, int64_t b, int convergent)
{
    const int fi = p->t_in.el_params.fx.frac_bits, fw = p->t_weights.el_params.fx.frac_bits;
    const int fb = p->t_bias.el_params.fx.frac_bits, fo = p->t_out.el_params.fx.frac_bits;
    const int width = p->kind == FX16 ? 64 : 32;
    int64_t aligned = model_rsh(b, -(fi + fw - fb), width, convergent);
    if (p->kind == FX16)
        aligned = (int32_t)(uint32_t)(uint64_t)aligned;
    acc = model_sat(add_saturating(acc, aligned), width);
    const int64_t y = model_sat(model_rsh(acc, fi + fw - fo, width, convergent), 16);
    return limit(y, p->cfg.relu.type, 0, 1, fo, INT16_MAX);
}

/* conv.md 4. */
static inline int64_t result_sa8(const struct problem *p, int64_t acc, uint32_t c, int profile)
{
    const int convergent = is_convergent(profile);
    const int64_t si = p->t_in.el_params.sa.scale.mem.i16, so = p->t_out.el_params.sa.scale.mem.i16;
    const int zo = p->t_out.el_params.sa.zero_point.mem.i16,
              fo = p->t_out.el_params.sa.scale_frac_bits.mem.i8;
    const uint32_t entry = p->per_axis ? c : 0;
    const int n1 = model_norm(si, 32);
    const int64_t q = si * ((int64_t)1 << n1) / so;
    const int n2 = model_norm(q, 32);
    const int64_t ratio = model_rsh(q, 16 - n2, 32, convergent);
    int64_t mul = ratio * p->w_scale[entry], bias = p->t_bias.data.mem.pi32[c];
    int shift =
        p->t_in.el_params.sa.scale_frac_bits.mem.i8 + n1 - fo - (16 - n2) + p->w_bits[entry];
    int64_t y;
    if (!is_reduced(profile)) {
        acc = model_sat(acc + bias, 32);
        y = model_sat(shift >= 63 ? 0 : model_rsh(acc * mul, shift, 64, convergent), 16);
    } else {
        const int n = model_norm(mul, 32), cut = 16 - model_norm(bias, 32);
        mul = model_rsh(mul * ((int64_t)1 << n), 16, 32, convergent);
        shift += n - 16;
        if (cut > 0)
            bias = model_floor_div(bias, (int64_t)1 << cut) * ((int64_t)1 << cut);
        acc = model_sat(acc + bias, 32);
        const int pre = shift - 21 < 0 ? 0 : shift - 21 > 8 ? 8 : shift - 21;
        acc = model_sat(model_rsh(acc, pre, 32, convergent), 16);
        y = model_sat(shift - pre >= 63 ? 0 : model_rsh(acc * mul, shift - pre, 64, convergent),
                      16);
    }
    return limit(model_sat(y + zo, 8), p->cfg.relu.type, zo, so, fo, INT8_MAX);
}

/* All of out's memory after a call in a profile: gaps keep 0x5A. acc has an accumulator for each
 * output. */
static inline void expect(const struct problem *p, const int64_t *acc, int profile, uint8_t *memory)
{
    memset(memory, 0x5A, p->out_bytes);
    for (uint32_t y = 0; y < p->out[0]; y++) {
        for (uint32_t x = 0; x < p->out[1]; x++) {
            for (uint32_t c = 0; c < p->channels; c++) {
                const size_t at = index_3(&p->t_out, y, x, c);
                if (p->kind == SA8) {
                    memory[at] = (uint8_t)result_sa8(p, *acc++, c, profile);
                } else {
                    const int16_t v = (int16_t)result_fx(p, *acc++, element(&p->t_bias, c),
                                                         is_convergent(profile));
                    memcpy(memory + 2 * at, &v, sizeof v);
                }
            }
        }
    }
}

static inline void describe(const struct problem *p, const char *level, int profile)
{
    const mli_conv2d_cfg *g = &p->cfg;
    print_message("family %d kind %d in %ux%ux%u kernel %ux%ux%u channels %u out %ux%u stride "
                  "%d,%d pad %d,%d,%d,%d "
                  "dilation %d,%d gap %d level %s profile %s\n",
                  p->family, p->kind, p->in[0], p->in[1], p->in[2], p->kernel[0], p->kernel[1],
                  p->depth, p->channels, p->out[0], p->out[1], g->stride_height, g->stride_width,
                  g->padding_top, g->padding_bottom, g->padding_left, g->padding_right,
                  g->dilation_height, g->dilation_width, p->gap, level, profiles[profile]);
}

/* Runs a built problem in every profile at every level and holds all of out's memory to the
 * evaluator. */
static inline void check_with(struct problem *p, conv_fn *run)
{
    uint8_t *expected = list_of((uint32_t)p->out_bytes, 1);
    int64_t *acc = list_of(p->out[0] * p->out[1] * p->channels, sizeof *acc);
    int64_t *next = acc;
    for (uint32_t y = 0; y < p->out[0]; y++) {
        for (uint32_t x = 0; x < p->out[1]; x++)
            for (uint32_t c = 0; c < p->channels; c++)
                *next++ = accumulate(p, y, x, c);
    }
    for (int profile = 0; profile < 4; profile++) {
        use_profile(profile);
        expect(p, acc, profile, expected);
        for (size_t l = 0; l < COUNT(levels); l++) {
            if (mli_ext_set_cpu(levels[l]) != MLI_STATUS_OK)
                continue;
            memset(p->t_out.data.mem.pi8, 0x5A, p->out_bytes);
            const mli_tensor before = p->t_out;
            const mli_status status = run(&p->t_in, &p->t_weights, &p->t_bias, &p->cfg, &p->t_out);
            if (status != MLI_STATUS_OK ||
                memcmp(p->t_out.data.mem.pi8, expected, p->out_bytes) != 0)
                describe(p, levels[l], profile);
            assert_int_equal(status, MLI_STATUS_OK);
            assert_memory_equal(p->t_out.data.mem.pi8, expected, p->out_bytes);
            assert_memory_equal(&p->t_out, &before, sizeof before);
        }
    }
    free(expected);
    free(acc);
}

static inline void check(struct problem *p)
{
    build(p);
    check_with(p, generic[p->family][p->kind]);
    destroy(p);
}

/* Outputs that fit in one direction; 0 if none does. */
static inline uint32_t outputs(uint32_t in, uint32_t kernel, int stride, int dilation, int pad)
{
    const int room = (int)in + pad - ((int)kernel - 1) * dilation - 1;
    return room < 0 ? 0 : (uint32_t)(room / stride) + 1;
}

/* A random geometry for the channels that p has; not transposed. */
static inline void random_geometry(struct problem *p)
{
    mli_conv2d_cfg *g = &p->cfg;
    do {
        for (int d = 0; d < 2; d++) {
            p->in[d] = (uint32_t)random_in(1, 9);
            p->kernel[d] = (uint32_t)(random_in(0, 2) ? random_in(1, 3) : random_in(1, 6));
        }
        g->stride_height = (uint8_t)random_in(1, 4), g->stride_width = (uint8_t)random_in(1, 4);
        g->dilation_height = (uint8_t)random_in(1, 3),
        g->dilation_width = (uint8_t)(random_in(0, 1) ? random_in(1, 3) : 1);
        const int reach_h = (int)(p->kernel[0] - 1) * g->dilation_height;
        const int reach_w = (int)(p->kernel[1] - 1) * g->dilation_width;
        g->padding_top = (uint8_t)random_in(0, reach_h),
        g->padding_bottom = (uint8_t)random_in(0, reach_h);
        g->padding_left = (uint8_t)random_in(0, reach_w),
        g->padding_right = (uint8_t)random_in(0, reach_w);
        p->out[0] = outputs(p->in[0], p->kernel[0], g->stride_height, g->dilation_height,
                            g->padding_top + g->padding_bottom);
        p->out[1] = outputs(p->in[1], p->kernel[1], g->stride_width, g->dilation_width,
                            g->padding_left + g->padding_right);
    } while (p->out[0] == 0 || p->out[1] == 0);
    for (int d = 0; d < 2 && random_in(0, 3) == 0; d++)
        p->out[d] = (uint32_t)random_in(1, (int)p->out[d]);
}

/* What does not concern the geometry. */
static inline void random_rest(struct problem *p)
{
    p->kind = (enum conv_kind)random_in(0, KINDS - 1);
    p->gap = random_in(0, 1) ? random_in(1, 5) : 0;
    p->per_axis = random_in(0, 1);
    p->extreme = random_in(0, 4) == 0;
    p->cfg.relu.type = (mli_relu_type)random_in(0, 4);
}

static const uint32_t telling_counts[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65};

static inline uint32_t random_count(void)
{
    return telling_counts[random_in(0, (int)COUNT(telling_counts) - 1)];
}

#endif
