/* mli_krn_maxpool_hwc_* and mli_krn_avepool_hwc_* (pooling_and_movement.md 2). Output rows are cut
 * where windows begin to hang over the input: windows of one shape go to the inner loops in one
 * call. */
#include "api/mli_kernels_api.h"
#include "check.h"
#include "loops.h"

enum { ANY_SIZE = 0, SUMS = 2048 /* window sums held at a time */ };

/*
 * Checks (2.1)
 */

/* Steps 7 and 8 along one dimension. */
static mli_status check_line(int64_t in, int64_t out, int64_t kernel, int64_t stride,
                             int64_t before, int64_t behind)
{
    LB_MLI_REQUIRE(before < kernel && behind < kernel && stride > 0, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE((out - 1) * stride + kernel <= in + before + behind, MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}

static mli_status check_geometry(const mli_tensor *in, const mli_pool_cfg *cfg,
                                 const mli_tensor *out)
{
    LB_MLI_TRY(check_line(in->shape[FMAP_H_DIM_HWC], out->shape[FMAP_H_DIM_HWC], cfg->kernel_height,
                          cfg->stride_height, cfg->padding_top, cfg->padding_bottom));
    LB_MLI_TRY(check_line(in->shape[FMAP_W_DIM_HWC], out->shape[FMAP_W_DIM_HWC], cfg->kernel_width,
                          cfg->stride_width, cfg->padding_left, cfg->padding_right));
    LB_MLI_REQUIRE(in->shape[FMAP_C_DIM_HWC] == out->shape[FMAP_C_DIM_HWC],
                   MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}

/* What maximum and average share. size: ANY_SIZE, or that of a _kNxN function. */
static mli_status check_pool(mli_element_type type, int size, const mli_tensor *in,
                             const mli_pool_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(size == ANY_SIZE || (cfg->kernel_width == size && cfg->kernel_height == size),
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(in->el_type == out->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(in->rank == 3 && out->rank == 3, MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(in) && lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_TRY(check_geometry(in, cfg, out));
    LB_MLI_REQUIRE(!lb_mli_overlap(in, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(in->el_type == type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(type != MLI_EL_SA_8 || (!lb_mli_per_axis(in) && !lb_mli_per_axis(out)),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_average(mli_element_type type, int size, const mli_tensor *in,
                                const mli_pool_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(check_pool(type, size, in, cfg, out));
    LB_MLI_TRY(lb_mli_check_quant(in, LB_MLI_ZERO_8BIT));
    return lb_mli_check_quant(out, LB_MLI_ZERO_8BIT);
}

/*
 * Walk over the windows
 */

/* Windows that lie side by side and are cut alike. in, out: the first element of the first one. */
struct pool;
typedef void window_fn(const struct pool *pool, const struct lb_mli_pool_windows *w, const void *in,
                       void *out);

struct pool {
    const mli_tensor *in;
    const mli_tensor *out;
    const mli_pool_cfg *cfg;
    size_t size; /* of an element */
    window_fn *work;
    void *context;
    const struct lb_mli_loops *loops;
};

/* Positions first <= x < end of one dimension of the input. */
struct cut {
    int64_t first, end;
};

/* The window that begins at start (below 0 in the padding), cut to the input. Never empty, since
 * paddings are smaller than the kernel and the output is no larger than the geometry allows. */
static struct cut cut_window(int64_t start, int64_t kernel, int64_t extent)
{
    const int64_t end = start + kernel;
    return (struct cut){start < 0 ? 0 : start, end < extent ? end : extent};
}

/* Number of outputs from ox on whose windows are whole. */
static int64_t whole_windows(int64_t ox, int64_t outs, int64_t stride, int64_t before,
                             int64_t kernel, int64_t extent)
{
    const int64_t start = ox * stride - before;
    if (start < 0 || start + kernel > extent)
        return 0;
    const int64_t count = (extent - kernel - start) / stride + 1;
    return count < outs - ox ? count : outs - ox;
}

static void pool_row(const struct pool *pool, int64_t oy)
{
    const mli_tensor *in = pool->in, *out = pool->out;
    const mli_pool_cfg *cfg = pool->cfg;
    const int64_t outs = out->shape[FMAP_W_DIM_HWC], width = in->shape[FMAP_W_DIM_HWC];
    const struct cut y = cut_window(oy * cfg->stride_height - cfg->padding_top, cfg->kernel_height,
                                    in->shape[FMAP_H_DIM_HWC]);
    struct lb_mli_pool_windows w = {
        .rows = (size_t)(y.end - y.first),
        .row = in->mem_stride[FMAP_H_DIM_HWC],
        .col = in->mem_stride[FMAP_W_DIM_HWC],
        .hop = (ptrdiff_t)cfg->stride_width * in->mem_stride[FMAP_W_DIM_HWC],
        .out_hop = out->mem_stride[FMAP_W_DIM_HWC],
        .channels = in->shape[FMAP_C_DIM_HWC],
    };
    for (int64_t ox = 0, step; ox < outs; ox += step) {
        const struct cut x =
            cut_window(ox * cfg->stride_width - cfg->padding_left, cfg->kernel_width, width);
        const int64_t whole =
            whole_windows(ox, outs, cfg->stride_width, cfg->padding_left, cfg->kernel_width, width);
        step = whole > 0 ? whole : 1; /* windows that are cut come one by one */
        w.cols = (size_t)(x.end - x.first);
        w.outs = (size_t)step;
        const ptrdiff_t from = (ptrdiff_t)y.first * w.row + (ptrdiff_t)x.first * w.col;
        const ptrdiff_t to =
            (ptrdiff_t)oy * out->mem_stride[FMAP_H_DIM_HWC] + (ptrdiff_t)ox * w.out_hop;
        pool->work(pool, &w, (const char *)in->data.mem.pi8 + from * (ptrdiff_t)pool->size,
                   (char *)out->data.mem.pi8 + to * (ptrdiff_t)pool->size);
    }
}

static void pool_rows(const struct pool *pool)
{
    for (int64_t oy = 0; oy < pool->out->shape[FMAP_H_DIM_HWC]; oy++)
        pool_row(pool, oy);
}

/*
 * Maximum
 */

static void max_s8(const struct pool *pool, const struct lb_mli_pool_windows *w, const void *in,
                   void *out)
{
    pool->loops->pool_max_s8(in, w, out);
}

static void max_s16(const struct pool *pool, const struct lb_mli_pool_windows *w, const void *in,
                    void *out)
{
    pool->loops->pool_max_s16(in, w, out);
}

static mli_status maxpool(mli_element_type type, int size, const mli_tensor *in,
                          const mli_pool_cfg *cfg, mli_tensor *out)
{
    LB_MLI_CHECK(check_pool(type, size, in, cfg, out));
    const bool wide = type == MLI_EL_FX_16;
    pool_rows(
        &(struct pool){in, out, cfg, wide ? 2 : 1, wide ? max_s16 : max_s8, NULL, lb_mli_loops()});
    out->el_params = in->el_params;
    return MLI_STATUS_OK;
}

/*
 * Average
 */

/* Reciprocal of n, 1 <= n <= 255 * 255: 1 / n ~ mul / 2^shift, mul 0x4000..0x7fff, rounded down
 * (2.4). */
struct reciprocal {
    int32_t mul, shift;
};

static struct reciprocal reciprocal(uint32_t n)
{
    if (n == 1)
        return (struct reciprocal){0x4000, 14};
    const uint32_t v = (UINT32_C(1) << 31) / n;
    const int e = 32 - lb_mli_bit_length(v);
    return (struct reciprocal){(int32_t)((v << e) >> 17), 14 + e};
}

/* From sums to averages for windows of n elements: out = sat((offset + mul * sum) / 2^shift
 * rounded), any shift. */
struct average {
    uint32_t n; /* 0: not made yet */
    struct lb_mli_average q;
};

/* What the averages of one call share. */
struct average_plan {
    enum lb_mli_round round;
    bool sa;
    bool wide;                    /* sa8: the multiplier keeps 15 bits, not 7 */
    uint32_t magnitude;           /* of the lowest element */
    int32_t frac_bits;            /* fx: of in less those of out */
    int32_t scale, shift, offset; /* sa8: ratio of the scales, offset of the containers (2.6) */
    struct average made[16];      /* of window sizes met so far, by the low bits of n */
};

/* 2.6, once a call. */
static void plan_sa(const mli_tensor *in, const mli_tensor *out, struct average_plan *plan)
{
    const int32_t scale_in = in->el_params.sa.scale.mem.i16,
                  scale_out = out->el_params.sa.scale.mem.i16;
    const int32_t left = (31 - lb_mli_bit_length((uint64_t)scale_in)) -
                         (15 - lb_mli_bit_length((uint64_t)scale_out));
    const int32_t ratio = (int32_t)((uint32_t)scale_in << left) / scale_out;
    const int32_t excess = lb_mli_bit_length((uint64_t)ratio) - 15;
    plan->scale = lb_mli_sat16(lb_mli_rsh32(ratio, excess, plan->round));
    plan->shift = left + in->el_params.sa.scale_frac_bits.mem.i8 -
                  out->el_params.sa.scale_frac_bits.mem.i8 - excess;
    const int32_t zero =
        lb_mli_rsh32(plan->scale * in->el_params.sa.zero_point.mem.i16, plan->shift, plan->round);
    plan->offset = lb_mli_sat16(out->el_params.sa.zero_point.mem.i16 - lb_mli_sat16(zero));
}

/* v * 2^n saturated, towards minus infinity for n < 0. */
static int32_t shift_left(int32_t v, int n)
{
    return n >= 0 ? lb_mli_shl32(v, n) : v >> (n < -31 ? 31 : -n);
}

/* 2.5, 2.6, once for each n. */
static struct lb_mli_average make_average(const struct average_plan *plan, uint32_t n)
{
    const struct reciprocal r = reciprocal(n);
    const int32_t most = (int32_t)(n * plan->magnitude);
    if (!plan->sa)
        return (struct lb_mli_average){r.mul, 0, plan->frac_bits + r.shift, most};
    const int32_t product = plan->scale * r.mul;
    const int32_t excess = lb_mli_bit_length((uint64_t)product) - (plan->wide ? 15 : 7);
    const int32_t shift = plan->shift + r.shift - excess;
    const int32_t mul = lb_mli_rsh32(product, excess, plan->round);
    return (struct lb_mli_average){plan->wide ? lb_mli_sat16(mul) : lb_mli_sat8(mul),
                                   shift_left(plan->offset, shift), shift, most};
}

static const struct lb_mli_average *average_of(struct average_plan *plan, size_t n)
{
    struct average *slot = &plan->made[n % (sizeof plan->made / sizeof plan->made[0])];
    if (slot->n != n)
        *slot = (struct average){(uint32_t)n, make_average(plan, (uint32_t)n)};
    return &slot->q;
}

/* Any shift, any sum. */
static void average_odd_s8(const int32_t *sum, size_t n, const struct lb_mli_average *q,
                           enum lb_mli_round round, int8_t *out)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t acc = (uint32_t)q->offset + (uint32_t)q->mul * (uint32_t)sum[i];
        out[i] = (int8_t)lb_mli_sat8(lb_mli_rsh32((int32_t)acc, q->shift, round));
    }
}

static void average_odd_s16(const int32_t *sum, size_t n, const struct lb_mli_average *q,
                            enum lb_mli_round round, int16_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)lb_mli_sat16(lb_mli_rsh64((int64_t)q->mul * sum[i], q->shift, round));
}

/* Sums of windows of any size in 32 bits: rows of up to 256 elements by the inner loop, then added.
 */
static void sum_any_s8(const struct lb_mli_loops *loops, const int8_t *in,
                       const struct lb_mli_pool_windows *w, int32_t *sum)
{
    int16_t part[SUMS];
    const size_t n = w->outs * w->channels;
    struct lb_mli_pool_windows some = *w;
    const size_t most = 256 / w->cols;
    for (size_t y = 0; y < w->rows; y += some.rows) {
        some.rows = lb_mli_min_size(most, w->rows - y);
        loops->pool_sum_s8(in + (ptrdiff_t)y * w->row, &some, part);
        for (size_t i = 0; i < n; i++)
            sum[i] = part[i] + (y > 0 ? sum[i] : 0);
    }
}

/* out: dense, as many elements as sums. w->out_hop is w->channels, and all sums fit the buffer. */
static void average_block_s8(const struct pool *pool, const struct lb_mli_pool_windows *w,
                             const int8_t *in, int8_t *out)
{
    struct average_plan *plan = pool->context;
    const struct lb_mli_average *q = average_of(plan, w->rows * w->cols);
    const size_t n = w->outs * w->channels;
    if (w->rows * w->cols <= 256 && q->shift >= 0 && q->shift < 32) {
        int16_t sum[SUMS];
        pool->loops->pool_sum_s8(in, w, sum);
        pool->loops->average_s8[plan->round](sum, n, q, out);
    } else {
        int32_t sum[SUMS];
        sum_any_s8(pool->loops, in, w, sum);
        average_odd_s8(sum, n, q, plan->round, out);
    }
}

static void average_block_s16(const struct pool *pool, const struct lb_mli_pool_windows *w,
                              const int16_t *in, int16_t *out)
{
    struct average_plan *plan = pool->context;
    const struct lb_mli_average *q = average_of(plan, w->rows * w->cols);
    const size_t n = w->outs * w->channels;
    int32_t sum[SUMS];
    pool->loops->pool_sum_s16(in, w, sum);
    if (q->shift >= 0 && q->shift < 64)
        pool->loops->average_s16[plan->round](sum, n, q, out);
    else
        average_odd_s16(sum, n, q, plan->round, out);
}

/* False: not windows or numbers for one loop. */
static bool average_at_once_s8(const struct pool *pool, const struct lb_mli_pool_windows *w,
                               const int8_t *in, int8_t *out)
{
    struct average_plan *plan = pool->context;
    const struct lb_mli_average *q = average_of(plan, w->rows * w->cols);
    lb_mli_pool_average_s8_fn *const average = pool->loops->pool_average_s8[plan->round];
    return average && q->shift >= 0 && q->shift < 32 && average(in, w, q, out);
}

/* Cuts windows into blocks whose results are dense and whose sums fit the buffers: many windows,
 * or, where out has gaps or channels are many, channels of one window. */
static void average_windows(const struct pool *pool, const struct lb_mli_pool_windows *w,
                            const void *in, void *out)
{
    struct lb_mli_pool_windows block = *w;
    const bool dense = (size_t)w->out_hop == w->channels && w->channels <= SUMS;
    const size_t most_outs = dense ? SUMS / w->channels : 1;
    if (pool->size == 1 && average_at_once_s8(pool, w, in, out))
        return;
    for (size_t o = 0; o < w->outs; o += block.outs) {
        block.outs = lb_mli_min_size(w->outs - o, most_outs);
        for (size_t c = 0; c < w->channels; c += block.channels) {
            block.channels = lb_mli_min_size(w->channels - c, SUMS);
            block.out_hop = (ptrdiff_t)block.channels;
            const ptrdiff_t from = (ptrdiff_t)o * w->hop + (ptrdiff_t)c,
                            to = (ptrdiff_t)o * w->out_hop + (ptrdiff_t)c;
            if (pool->size == 1)
                average_block_s8(pool, &block, (const int8_t *)in + from, (int8_t *)out + to);
            else
                average_block_s16(pool, &block, (const int16_t *)in + from, (int16_t *)out + to);
        }
    }
}

static mli_status avepool(mli_element_type type, int size, const mli_tensor *in,
                          const mli_pool_cfg *cfg, mli_tensor *out)
{
    LB_MLI_CHECK(check_average(type, size, in, cfg, out));
    const bool wide = type == MLI_EL_FX_16;
    const int numerics = lb_mli_numerics();
    struct average_plan plan = {.round = lb_mli_profile_round(lb_mli_profile_of(numerics)),
                                .wide = numerics >= LB_MLI_AVEPOOL16,
                                .sa = type == MLI_EL_SA_8,
                                .magnitude = wide ? 1U << 15 : 1U << 7};
    if (plan.sa)
        plan_sa(in, out, &plan);
    else
        plan.frac_bits = in->el_params.fx.frac_bits - out->el_params.fx.frac_bits;
    pool_rows(&(struct pool){in, out, cfg, wide ? 2 : 1, average_windows, &plan, lb_mli_loops()});
    return MLI_STATUS_OK;
}

/*
 * The 18 functions
 */
#define POOL(function, name, type, size)                                                           \
    mli_status mli_krn_##name(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)      \
    {                                                                                              \
        return function(type, size, in, cfg, out);                                                 \
    }

POOL(maxpool, maxpool_hwc_sa8, MLI_EL_SA_8, ANY_SIZE)
POOL(maxpool, maxpool_hwc_sa8_k2x2, MLI_EL_SA_8, 2)
POOL(maxpool, maxpool_hwc_sa8_k3x3, MLI_EL_SA_8, 3)
POOL(maxpool, maxpool_hwc_fx8, MLI_EL_FX_8, ANY_SIZE)
POOL(maxpool, maxpool_hwc_fx8_k2x2, MLI_EL_FX_8, 2)
POOL(maxpool, maxpool_hwc_fx8_k3x3, MLI_EL_FX_8, 3)
POOL(maxpool, maxpool_hwc_fx16, MLI_EL_FX_16, ANY_SIZE)
POOL(maxpool, maxpool_hwc_fx16_k2x2, MLI_EL_FX_16, 2)
POOL(maxpool, maxpool_hwc_fx16_k3x3, MLI_EL_FX_16, 3)
POOL(avepool, avepool_hwc_sa8, MLI_EL_SA_8, ANY_SIZE)
POOL(avepool, avepool_hwc_sa8_k2x2, MLI_EL_SA_8, 2)
POOL(avepool, avepool_hwc_sa8_k3x3, MLI_EL_SA_8, 3)
POOL(avepool, avepool_hwc_fx8, MLI_EL_FX_8, ANY_SIZE)
POOL(avepool, avepool_hwc_fx8_k2x2, MLI_EL_FX_8, 2)
POOL(avepool, avepool_hwc_fx8_k3x3, MLI_EL_FX_8, 3)
POOL(avepool, avepool_hwc_fx16, MLI_EL_FX_16, ANY_SIZE)
POOL(avepool, avepool_hwc_fx16_k2x2, MLI_EL_FX_16, 2)
POOL(avepool, avepool_hwc_fx16_k3x3, MLI_EL_FX_16, 3)
