/* mli_krn_maxpool_hwc_* and mli_krn_avepool_hwc_* against the definitions (pooling_and_movement.md
 * 2): worked examples, random geometry at every level of inner loops, borders, gaps, fields of out,
 * statuses in order. */
#include "levels.h"
#include "support.h"

typedef mli_status kernel(const mli_tensor *, const mli_pool_cfg *, mli_tensor *);

static const struct family {
    mli_element_type type;
    kernel *max[3], *average[3]; /* any size, 2x2, 3x3 */
} families[] = {
    {MLI_EL_SA_8,
     {mli_krn_maxpool_hwc_sa8, mli_krn_maxpool_hwc_sa8_k2x2, mli_krn_maxpool_hwc_sa8_k3x3},
     {mli_krn_avepool_hwc_sa8, mli_krn_avepool_hwc_sa8_k2x2, mli_krn_avepool_hwc_sa8_k3x3}},
    {MLI_EL_FX_8,
     {mli_krn_maxpool_hwc_fx8, mli_krn_maxpool_hwc_fx8_k2x2, mli_krn_maxpool_hwc_fx8_k3x3},
     {mli_krn_avepool_hwc_fx8, mli_krn_avepool_hwc_fx8_k2x2, mli_krn_avepool_hwc_fx8_k3x3}},
    {MLI_EL_FX_16,
     {mli_krn_maxpool_hwc_fx16, mli_krn_maxpool_hwc_fx16_k2x2, mli_krn_maxpool_hwc_fx16_k3x3},
     {mli_krn_avepool_hwc_fx16, mli_krn_avepool_hwc_fx16_k2x2, mli_krn_avepool_hwc_fx16_k3x3}},
};

/* Levels of inner loops that this processor has. */

static int use_level(size_t i)
{
    return mli_ext_set_cpu(levels[i]) == MLI_STATUS_OK;
}

/* Is the build option of 2.6 on? */
static int wide_multiplier;

static void use_multiplier(int profile, int wide)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", profiles[profile], wide ? "+avepool16" : "");
    assert_int_equal(mli_ext_set_profile(name), MLI_STATUS_OK);
    wide_multiplier = wide;
}

/*
 * The definitions, one element at a time
 */

static int bits_of(int64_t v)
{
    int n = 0;
    for (; v > 0; v /= 2)
        n++;
    return n;
}

static int64_t shl_sat_32(int64_t v, int n)
{
    if (n < 0)
        return model_floor_div(v, (int64_t)1 << (-n > 40 ? 40 : -n));
    return model_rsh(v, -(n > 40 ? 40 : n), 32, 0);
}

/* Average of n containers with the sum sum (2.4 to 2.6). */
static int64_t model_average(const mli_tensor *in, const mli_tensor *out, int64_t sum, int n,
                             int convergent)
{
    const int64_t v = ((int64_t)1 << 31) / n;
    const int e = 32 - bits_of(v);
    const int64_t mul = n == 1 ? 0x4000 : (v << e) >> 17;
    const int ls = n == 1 ? 14 : 14 + e;
    if (in->el_type != MLI_EL_SA_8) {
        const int s = in->el_params.fx.frac_bits - out->el_params.fx.frac_bits + ls;
        if (in->el_type == MLI_EL_FX_16)
            return model_sat(model_rsh(mul * sum, s < -20 ? -20 : s, 64, convergent), 16);
        return model_sat(model_rsh((int32_t)(mul * sum), s < -40 ? -40 : s, 32, convergent), 8);
    }
    const int64_t si = in->el_params.sa.scale.mem.i16, so = out->el_params.sa.scale.mem.i16;
    const int pre = (31 - bits_of(si)) - (15 - bits_of(so));
    const int64_t q = ((int64_t)si << pre) / so;
    const int ns = bits_of(q) - 15;
    const int64_t scale = model_sat(model_rsh(q, ns, 32, convergent), 16);
    const int sh = pre + in->el_params.sa.scale_frac_bits.mem.i8 -
                   out->el_params.sa.scale_frac_bits.mem.i8 - ns;
    const int64_t zero = model_sat(
        model_rsh(scale * in->el_params.sa.zero_point.mem.i16, sh < -40 ? -40 : sh, 32, convergent),
        16);
    const int64_t off = model_sat(out->el_params.sa.zero_point.mem.i16 - zero, 16);
    const int64_t p = scale * mul;
    const int pn = bits_of(p) - (wide_multiplier ? 15 : 7);
    const int64_t m = model_sat(model_rsh(p, pn, 32, convergent), wide_multiplier ? 16 : 8);
    const int s = sh + ls - pn;
    const int64_t acc = shl_sat_32(off, s) + m * sum;
    return model_sat(model_rsh((int32_t)(uint32_t)acc, s < -40 ? -40 : s, 32, convergent), 8);
}

static int64_t at(const mli_tensor *t, int64_t y, int64_t x, int64_t c)
{
    const int64_t i = y * t->mem_stride[0] + x * t->mem_stride[1] + c;
    return t->el_type == MLI_EL_FX_16 ? t->data.mem.pi16[i] : t->data.mem.pi8[i];
}

static int64_t model_pool(const mli_tensor *in, const mli_pool_cfg *cfg, const mli_tensor *out,
                          int average, int convergent, const int64_t o[3])
{
    const int64_t y0 = o[0] * cfg->stride_height - cfg->padding_top,
                  x0 = o[1] * cfg->stride_width - cfg->padding_left;
    int64_t sum = 0, most = INT64_MIN;
    int n = 0;
    for (int64_t y = y0; y < y0 + cfg->kernel_height; y++) {
        for (int64_t x = x0; x < x0 + cfg->kernel_width; x++) {
            if (y < 0 || y >= in->shape[0] || x < 0 || x >= in->shape[1])
                continue;
            const int64_t v = at(in, y, x, o[2]);
            sum += v;
            most = v > most ? v : most;
            n++;
        }
    }
    return average ? model_average(in, out, sum, n, convergent) : most;
}

/*
 * Comparison
 */
enum { IN_MOST = 200000, OUT_MOST = 200000 };
static int16_t in_data[IN_MOST], out_data[OUT_MOST];

static uint32_t span(const mli_tensor *t)
{
    uint32_t last = 0;
    for (int d = 0; d < 3; d++)
        last += (t->shape[d] - 1) * (uint32_t)t->mem_stride[d];
    return last + 1;
}

/* All of out: elements as the model has them, gaps as before. */
static void compare(const mli_tensor *in, const mli_pool_cfg *cfg, const mli_tensor *out,
                    int average, int convergent)
{
    static uint8_t seen[OUT_MOST];
    const uint32_t n = span(out);
    memset(seen, 0, n);
    for (int64_t y = 0; y < out->shape[0]; y++) {
        for (int64_t x = 0; x < out->shape[1]; x++) {
            for (int64_t c = 0; c < out->shape[2]; c++) {
                const int64_t want =
                    model_pool(in, cfg, out, average, convergent, (const int64_t[]){y, x, c});
                if (at(out, y, x, c) != want)
                    fail_msg("type %#x average %d in %ux%ux%u kernel %ux%u stride %ux%u: (%d, %d, "
                             "%d) is %d, not %d",
                             (unsigned)in->el_type, average, in->shape[0], in->shape[1],
                             in->shape[2], cfg->kernel_height, cfg->kernel_width,
                             cfg->stride_height, cfg->stride_width, (int)y, (int)x, (int)c,
                             (int)at(out, y, x, c), (int)want);
                seen[y * out->mem_stride[0] + x * out->mem_stride[1] + c] = 1;
            }
        }
    }
    for (uint32_t i = 0; i <= n; i++) { /* one more than the last */
        if (i == n || !seen[i])
            assert_int_equal(in->el_type == MLI_EL_FX_16 ? out_data[i]
                                                         : ((const int8_t *)out_data)[i],
                             in->el_type == MLI_EL_FX_16 ? 0x5A5A : 0x5A);
    }
}

static void set_format(mli_tensor *in, mli_tensor *out)
{
    if (in->el_type == MLI_EL_SA_8) {
        const int ratio = random_in(-2, 2);
        *in = with_scale(*in, random_in(1, 32767) >> random_in(0, 3) | 1, 12, random_in(-128, 127));
        *out = with_scale(*out, in->el_params.sa.scale.mem.i16, 12 + ratio, random_in(-128, 127));
    } else {
        *in = with_frac(*in, random_in(-5, 5));
        *out = with_frac(*out, in->el_params.fx.frac_bits + random_in(-3, 3));
    }
}

/* A strided tensor on memory. */
static mli_tensor feature_map(mli_element_type type, void *data, const uint32_t *shape, int gaps)
{
    const int32_t col = (int32_t)shape[2] + (gaps ? random_in(0, 3) : 0);
    const int32_t row = col * (int32_t)shape[1] + (gaps ? random_in(0, 3) : 0);
    return tensor(type, data, 3, shape, (const int32_t[]){row, col, 1});
}

static void one_random(const struct family *family, int profile, const uint32_t in_shape[3],
                       int kernel_most)
{
    mli_pool_cfg cfg;
    int extent[2];
    do {
        cfg.kernel_height = (uint8_t)random_in(1, kernel_most);
        cfg.kernel_width = random_in(0, 1) ? cfg.kernel_height : (uint8_t)random_in(1, kernel_most);
        cfg.stride_height = (uint8_t)random_in(1, 4);
        cfg.stride_width = (uint8_t)random_in(1, 4);
        cfg.padding_top = (uint8_t)random_in(0, cfg.kernel_height - 1);
        cfg.padding_bottom = (uint8_t)random_in(0, cfg.kernel_height - 1);
        cfg.padding_left = (uint8_t)random_in(0, cfg.kernel_width - 1);
        cfg.padding_right = (uint8_t)random_in(0, cfg.kernel_width - 1);
        extent[0] = (int)in_shape[0] + cfg.padding_top + cfg.padding_bottom - cfg.kernel_height;
        extent[1] = (int)in_shape[1] + cfg.padding_left + cfg.padding_right - cfg.kernel_width;
    } while (extent[0] < 0 || extent[1] < 0);
    uint32_t out_shape[3] = {(uint32_t)extent[0] / cfg.stride_height + 1,
                             (uint32_t)extent[1] / cfg.stride_width + 1, in_shape[2]};
    if (random_in(0, 3) == 0) /* smaller than it could be */
        out_shape[1] = (uint32_t)random_in(1, (int)out_shape[1]);
    const int gaps = random_in(0, 1);
    mli_tensor in = feature_map(family->type, in_data, in_shape, gaps);
    mli_tensor out = feature_map(family->type, out_data, out_shape, gaps);
    set_format(&in, &out);
    assert_true(in.data.capacity <= sizeof in_data && out.data.capacity < sizeof out_data);
    use_multiplier(profile, random_in(0, 1));
    for (size_t level = 0; level < COUNT(levels); level++) {
        if (!use_level(level))
            continue;
        for (int average = 0; average < 2; average++) {
            memset(out_data, 0x5A, sizeof out_data);
            mli_tensor result = out;
            assert_int_equal((average ? family->average : family->max)[0](&in, &cfg, &result),
                             MLI_STATUS_OK);
            compare(&in, &cfg, &out, average, is_convergent(profile));
            if (!average)
                out.el_params = in.el_params;
            assert_memory_equal(&result, &out, sizeof out);
            if (cfg.kernel_width == cfg.kernel_height &&
                (cfg.kernel_width == 2 || cfg.kernel_width == 3)) {
                static int16_t general[OUT_MOST];
                memcpy(general, out_data, sizeof general);
                memset(out_data, 0x5A, sizeof out_data);
                kernel *const special =
                    (average ? family->average : family->max)[cfg.kernel_width - 1];
                assert_int_equal(special(&in, &cfg, &result), MLI_STATUS_OK);
                assert_memory_equal(out_data, general, sizeof general);
            }
        }
    }
}

static void test_random(void **state)
{
    (void)state;
    random_bytes(in_data, sizeof in_data);
    for (int k = 0; k < 700; k++) {
        const int channels = k % 3 == 0   ? random_in(1, 5)
                             : k % 3 == 1 ? random_in(14, 35)
                                          : random_in(1, 80);
        const uint32_t shape[3] = {(uint32_t)random_in(1, 12), (uint32_t)random_in(1, 14),
                                   (uint32_t)channels};
        one_random(&families[k % 3], k / 3 % 4, shape, k % 5 ? 4 : 9);
    }
}

/* Sums of more than 256 elements, more channels than sums that are held at a time, rows longer than
 * the buffers. */
static void test_large(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT(families); f++) {
        for (int profile = 0; profile < 4; profile += 2) {
            one_random(&families[f], profile, (const uint32_t[]){21, 20, 3}, 20);
            one_random(&families[f], profile, (const uint32_t[]){26, 25, 2}, 25);
            one_random(&families[f], profile, (const uint32_t[]){3, 4, 2100}, 3);
            one_random(&families[f], profile, (const uint32_t[]){4, 1500, 3}, 3);
            one_random(&families[f], profile, (const uint32_t[]){4, 300, 40}, 3);
        }
    }
    for (size_t f = 0; f < COUNT(families);
         f++) { /* a window that is wider than the buffer of a row */
        const mli_pool_cfg cfg = {9, 7, 1, 1, 0, 0, 0, 0};
        const mli_tensor in =
            feature_map(families[f].type, in_data, (const uint32_t[]){8, 11, 600}, 0);
        mli_tensor out = feature_map(families[f].type, out_data, (const uint32_t[]){2, 3, 600}, 0);
        for (size_t level = 0; level < COUNT(levels); level++) {
            if (!use_level(level))
                continue;
            memset(out_data, 0x5A, sizeof out_data);
            assert_int_equal(families[f].max[0](&in, &cfg, &out), MLI_STATUS_OK);
            compare(&in, &cfg, &out, 0, 0);
        }
    }
    memset(
        in_data, 0x80,
        sizeof in_data); /* the lowest 8-bit container everywhere: 16 x 16 of them fill 16 bits */
    for (int k = 16; k < 20; k++) {
        const uint32_t shape[3] = {(uint32_t)k, 16, 5};
        const mli_pool_cfg cfg = {16, (uint8_t)k, 1, 1, 0, 0, 0, 0};
        const mli_tensor in = with_frac(tensor(MLI_EL_FX_8, in_data, 3, shape, NULL), 3);
        mli_tensor out = with_frac(tensor(MLI_EL_FX_8, out_data, SHAPE3(1, 1, 5), NULL), 3);
        for (size_t level = 0; level < COUNT(levels); level++) {
            if (!use_level(level))
                continue;
            memset(out_data, 0x5A, sizeof out_data);
            assert_int_equal(mli_krn_avepool_hwc_fx8(&in, &cfg, &out), MLI_STATUS_OK);
            use_profile(0);
            compare(&in, &cfg, &out, 1, 0);
        }
    }
    random_bytes(in_data, sizeof in_data);
}

/* Formats so far apart that final shifts leave the range of the inner loops. */
static void test_odd_shifts(void **state)
{
    (void)state;
    const mli_pool_cfg cfg = {3, 2, 2, 1, 1, 1, 0, 0};
    for (int apart = -255; apart <= 255; apart += apart < -70 || apart > 70 ? 17 : 1) {
        for (size_t f = 0; f < COUNT(families); f++) {
            mli_tensor in = feature_map(families[f].type, in_data, (const uint32_t[]){4, 5, 19}, 0);
            mli_tensor out =
                feature_map(families[f].type, out_data, (const uint32_t[]){3, 3, 19}, 0);
            const int one = apart / 2, other = one - apart;
            if (families[f].type == MLI_EL_SA_8) {
                if (apart > 60 || apart < -20)
                    continue; /* the accumulator would wrap in the definition too */
                in = with_scale(in, 20011, one, -77), out = with_scale(out, 17001, other, 101);
            } else {
                in = with_frac(in, one), out = with_frac(out, other);
            }
            for (int profile = 0; profile < 4; profile += 2) {
                use_profile(profile);
                memset(out_data, 0x5A, sizeof out_data);
                assert_int_equal(families[f].average[0](&in, &cfg, &out), MLI_STATUS_OK);
                compare(&in, &cfg, &out, 1, is_convergent(profile));
            }
        }
    }
}

/* 2.6, build option: six elements of the sum 700, formats equal. With 7 bits of the multiplier (85
 * / 512 for 1 / 6) the average is 116.2, with 15 (21845 / 2^17) it is 116.7. */
static void test_wide_multiplier(void **state)
{
    (void)state;
    int8_t data[] = {117, 117, 117, 117, 116, 116}, result = 0;
    mli_tensor in = with_scale(tensor(MLI_EL_SA_8, data, SHAPE3(2, 3, 1), NULL), 16384, 14, 0);
    mli_tensor out = with_scale(tensor(MLI_EL_SA_8, &result, SHAPE3(1, 1, 1), NULL), 16384, 14, 0);
    const mli_pool_cfg cfg = {3, 2, 1, 1, 0, 0, 0, 0};
    for (int profile = 0; profile < 4; profile++) {
        for (int wide = 0; wide < 2; wide++) {
            use_multiplier(profile, wide);
            assert_int_equal(mli_krn_avepool_hwc_sa8(&in, &cfg, &out), MLI_STATUS_OK);
            assert_int_equal(result, wide ? 117 : 116);
        }
    }
    use_multiplier(0, 0);
}

/* 2.6, worked example; 2.5, rounding example. */
static void test_examples(void **state)
{
    (void)state;
    int8_t data[] = {100, 90, -20, 5, 7, 33, -128, 127, 64}, result = 0;
    for (int profile = 0; profile < 4; profile++) {
        use_profile(profile);
        mli_tensor out =
            with_scale(tensor(MLI_EL_SA_8, &result, SHAPE3(1, 1, 1), NULL), 25000, 15, -7);
        mli_tensor in = with_scale(tensor(MLI_EL_SA_8, data, SHAPE3(3, 3, 1), NULL), 20000, 15, 10);
        assert_int_equal(
            mli_krn_avepool_hwc_sa8_k3x3(&in, &(mli_pool_cfg){3, 3, 1, 1, 0, 0, 0, 0}, &out), 0);
        assert_int_equal(result, 10);
        in = with_scale(tensor(MLI_EL_SA_8, data, SHAPE3(2, 3, 1), NULL), 20000, 15, 10);
        assert_int_equal(
            mli_krn_avepool_hwc_sa8(&in, &(mli_pool_cfg){3, 2, 1, 1, 0, 0, 0, 0}, &out), 0);
        assert_int_equal(result, 14);
        in = with_scale(tensor(MLI_EL_SA_8, data, SHAPE3(2, 2, 1), NULL), 20000, 15, 10);
        assert_int_equal(
            mli_krn_avepool_hwc_sa8_k2x2(&in, &(mli_pool_cfg){2, 2, 1, 1, 0, 0, 0, 0}, &out), 0);
        assert_int_equal(result, 20);
        static const struct {
            int8_t first;
            int8_t up, convergent;
        } ties[] = {{1, 1, 0}, {-1, 0, 0}, {-3, -1, -2}};
        for (size_t i = 0; i < COUNT(ties); i++) {
            int8_t pair[] = {ties[i].first, 0};
            const mli_tensor x = with_frac(tensor(MLI_EL_FX_8, pair, SHAPE3(1, 2, 1), NULL), 4);
            mli_tensor y = with_frac(tensor(MLI_EL_FX_8, &result, SHAPE3(1, 1, 1), NULL), 4);
            assert_int_equal(
                mli_krn_avepool_hwc_fx8(&x, &(mli_pool_cfg){2, 1, 1, 1, 0, 0, 0, 0}, &y), 0);
            assert_int_equal(result, is_convergent(profile) ? ties[i].convergent : ties[i].up);
        }
        int16_t high[7], mean = 0; /* the reciprocal is rounded down */
        for (int i = 0; i < 7; i++)
            high[i] = INT16_MAX;
        const mli_tensor x = with_frac(tensor(MLI_EL_FX_16, high, SHAPE3(7, 1, 1), NULL), 4);
        mli_tensor y = with_frac(tensor(MLI_EL_FX_16, &mean, SHAPE3(1, 1, 1), NULL), 4);
        assert_int_equal(mli_krn_avepool_hwc_fx16(&x, &(mli_pool_cfg){1, 7, 1, 1, 0, 0, 0, 0}, &y),
                         0);
        assert_int_equal(mean, 32766);
    }
}

/* Kernel 5, padding 2 + 2 on a map one element wide: the original leaves out's memory (2.2). */
static void test_narrow_output(void **state)
{
    (void)state;
    int8_t data[] = {3, -7, 5}, result[32];
    const mli_pool_cfg cfg = {5, 5, 1, 1, 2, 2, 2, 2};
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_8, data, SHAPE3(3, 1, 1), NULL), 0);
    memset(result, 0x5A, sizeof result);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_8, result + 16, SHAPE3(3, 1, 1), NULL), 0);
    assert_int_equal(mli_krn_maxpool_hwc_fx8(&in, &cfg, &out), MLI_STATUS_OK);
    for (int i = 0; i < 32; i++)
        assert_int_equal(result[i], i >= 16 && i < 19 ? 5 : 0x5A);
    assert_int_equal(mli_krn_avepool_hwc_fx8(&in, &cfg, &out), MLI_STATUS_OK);
    for (int i = 0; i < 32; i++)
        assert_int_equal(result[i], i >= 16 && i < 19 ? 0 : 0x5A); /* 1 / 3 */
}

/*
 * Statuses (2.1): faults in the order of their checks; of two, the first wins.
 */
struct call {
    mli_tensor in, out;
    mli_pool_cfg cfg;
    const mli_tensor *p_in;
    const mli_pool_cfg *p_cfg;
    mli_tensor *p_out;
};

static int8_t status_in[64], status_out[64];

static void cfg_null(struct call *c)
{
    c->p_cfg = NULL;
}
static void kernel_size(struct call *c)
{
    c->cfg.kernel_width = 1;
}
static void in_null(struct call *c)
{
    c->p_in = NULL;
}
static void in_room(struct call *c)
{
    c->in.data.capacity = 31;
}
static void out_pointer(struct call *c)
{
    c->out.data.mem.pi8 = NULL;
}
static void out_type(struct call *c)
{
    c->out.el_type = MLI_EL_FX_8;
}
static void out_rank(struct call *c)
{
    c->out.rank = 2;
}
static void in_channel_stride(struct call *c)
{
    c->in.mem_stride[2] = 2, c->in.mem_stride[1] = 4, c->in.mem_stride[0] = 16;
    if (c->in.data.capacity == 32)
        c->in.data.capacity = 64;
}
static void padding(struct call *c)
{
    c->cfg.padding_top = 2;
}
static void stride_zero(struct call *c)
{
    c->cfg.stride_width = 0;
}
static void too_large(struct call *c)
{
    c->out.shape[1] = 4, c->out.mem_stride[0] = 8, c->out.data.capacity = 64;
}
static void channels(struct call *c)
{
    c->out.shape[2] = 1;
}
static void overlap(struct call *c)
{
    if (c->out.data.mem.pi8)
        c->out.data.mem.pi8 = status_in + 31;
}
static void both_types(struct call *c)
{
    if (c->out.el_type == MLI_EL_SA_8)
        c->out.el_type = MLI_EL_FX_8;
    c->in.el_type = MLI_EL_FX_8;
}
static void per_axis(struct call *c)
{
    c->in.el_params.sa.dim = 2;
}
static void in_scale(struct call *c)
{
    c->in.el_params.sa.scale.mem.i16 = 0;
}
static void in_zero(struct call *c)
{
    c->in.el_params.sa.zero_point.mem.i16 = 128;
}
static void out_capacity(struct call *c)
{
    c->out.el_params.sa.scale_frac_bits.capacity = 1;
}

static const struct fault {
    void (*apply)(struct call *);
    mli_status status;
    int average; /* the maximum does not look */
} faults[] = {
    {cfg_null, MLI_STATUS_BAD_FUNC_CFG, 0},
    {kernel_size, MLI_STATUS_SHAPE_MISMATCH, 0},
    {in_null, MLI_STATUS_BAD_TENSOR, 0},
    {in_room, MLI_STATUS_NOT_ENGH_MEM, 0},
    {out_pointer, MLI_STATUS_BAD_TENSOR, 0},
    {out_type, MLI_STATUS_TYPE_MISMATCH, 0},
    {out_rank, MLI_STATUS_SHAPE_MISMATCH, 0},
    {in_channel_stride, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {padding, MLI_STATUS_BAD_FUNC_CFG, 0},
    {stride_zero, MLI_STATUS_BAD_FUNC_CFG, 0},
    {too_large, MLI_STATUS_BAD_FUNC_CFG, 0},
    {channels, MLI_STATUS_BAD_FUNC_CFG, 0},
    {overlap, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {both_types, MLI_STATUS_TYPE_MISMATCH, 0},
    {per_axis, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {in_scale, MLI_STATUS_BAD_TENSOR, 1},
    {in_zero, MLI_STATUS_INCOMPATEBLE_TENSORS, 1},
    {out_capacity, MLI_STATUS_BAD_TENSOR, 1},
};

static struct call good_call(void)
{
    struct call c;
    memset(&c, 0, sizeof c);
    c.in = with_scale(tensor(MLI_EL_SA_8, status_in, SHAPE3(4, 4, 2), NULL), 3, 1, 0);
    c.out = with_scale(tensor(MLI_EL_SA_8, status_out, SHAPE3(3, 3, 2), NULL), 5, 1, 0);
    c.cfg = (mli_pool_cfg){2, 2, 1, 1, 0, 0, 0, 0};
    return c;
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            for (int average = 0; average < 2; average++) {
                struct call c = good_call();
                c.p_in = &c.in, c.p_cfg = &c.cfg, c.p_out = &c.out;
                kernel *const f =
                    average ? mli_krn_avepool_hwc_sa8_k2x2 : mli_krn_maxpool_hwc_sa8_k2x2;
                memset(status_out, 0x5A, sizeof status_out);
                faults[i].apply(&c);
                if (j > i)
                    faults[j].apply(&c);
                const mli_tensor before = c.out;
                const mli_status got = f(c.p_in, c.p_cfg, c.p_out);
                mli_status want = faults[i].status;
                if (!average && faults[i].average)
                    want = MLI_STATUS_OK;
                if (got != want)
                    fail_msg("average %d, faults %zu and %zu: status %d, should be %d", average, i,
                             j, got, want);
                if (got == MLI_STATUS_OK)
                    continue;
                assert_memory_equal(&c.out, &before, sizeof before);
                for (size_t k = 0; k < sizeof status_out; k++)
                    assert_int_equal(status_out[k], 0x5A);
            }
        }
    }
    /* NULL in with a NULL configuration; a kernel size of 0; the size counts only where the name
     * says so */
    struct call c = good_call();
    assert_int_equal(mli_krn_maxpool_hwc_sa8(NULL, NULL, &c.out), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_krn_maxpool_hwc_sa8_k3x3(&c.in, &c.cfg, &c.out),
                     MLI_STATUS_SHAPE_MISMATCH);
    c.cfg.kernel_height = 1;
    assert_int_equal(mli_krn_maxpool_hwc_sa8(&c.in, &c.cfg, &c.out), MLI_STATUS_OK);
    c.cfg.kernel_height = 0;
    assert_int_equal(mli_krn_maxpool_hwc_sa8(&c.in, &c.cfg, &c.out), MLI_STATUS_BAD_FUNC_CFG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),      cmocka_unit_test(test_wide_multiplier),
        cmocka_unit_test(test_random),        cmocka_unit_test(test_large),
        cmocka_unit_test(test_odd_shifts),    cmocka_unit_test(test_status),
        cmocka_unit_test(test_narrow_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
