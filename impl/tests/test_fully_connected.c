/* mli_krn_fully_connected_*: worked examples, random layers against the formulas of conv.md 3 to 5
 * and 10, accumulators at and past their limits, untouched memory, statuses in order. */
#include "support.h"

typedef mli_status kernel(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                          const mli_fully_connected_cfg *, mli_tensor *);

static const mli_fully_connected_cfg no_relu = {{MLI_RELU_NONE}};

/* conv.md 14, first example. */
static void test_example_fx(void **state)
{
    (void)state;
    int16_t in_data[] = {100, -7}, out_data[1];
    int8_t weights_data[] = {5, 9}, bias_data[] = {-3};
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, in_data, SHAPE1(2), NULL), 3);
    const mli_tensor weights = with_frac(tensor(MLI_EL_FX_8, weights_data, SHAPE2(2, 1), NULL), 2);
    const mli_tensor bias = with_frac(tensor(MLI_EL_FX_8, bias_data, SHAPE1(1), NULL), 4);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_16, out_data, SHAPE1(1), NULL), 2);
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        in_data[0] = 100, in_data[1] = -7, bias_data[0] = -3;
        assert_int_equal(mli_krn_fully_connected_fx16_fx8_fx8(&in, &weights, &bias, &no_relu, &out),
                         MLI_STATUS_OK);
        assert_int_equal(out_data[0], 54);
        in_data[0] = 93, in_data[1] = -5, bias_data[0] = 0; /* 52.5 */
        assert_int_equal(mli_krn_fully_connected_fx16_fx8_fx8(&in, &weights, &bias, &no_relu, &out),
                         MLI_STATUS_OK);
        assert_int_equal(out_data[0], is_convergent(p) ? 52 : 53);
    }
}

/* conv.md 14, second example; ext_bias with the correction in the bias gives the same. */
static void test_example_sa8(void **state)
{
    (void)state;
    int8_t in_data[] = {50, -120, 53}, weights_data[] = {-92, -128, -27}, out_data[1];
    int32_t bias_data[] = {712275};
    const int expected[] = {114, 113, 113, 113};
    const mli_tensor in = with_scale(tensor(MLI_EL_SA_8, in_data, SHAPE1(3), NULL), 23020, 21, 5);
    const mli_tensor weights =
        with_scale(tensor(MLI_EL_SA_8, weights_data, SHAPE2(3, 1), NULL), 25939, 20, 0);
    const mli_tensor bias =
        with_scale(tensor(MLI_EL_SA_32, bias_data, SHAPE1(1), NULL), 18223, 26, 0);
    mli_tensor out = with_scale(tensor(MLI_EL_SA_8, out_data, SHAPE1(1), NULL), 26039, 14, -10);
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        bias_data[0] = 712275;
        assert_int_equal(mli_krn_fully_connected_sa8_sa8_sa32(&in, &weights, &bias, &no_relu, &out),
                         MLI_STATUS_OK);
        assert_int_equal(out_data[0], expected[p]);
        if (is_reduced(p))
            continue; /* the cut of the bias falls elsewhere there */
        bias_data[0] += 5 * 247;
        assert_int_equal(
            mli_krn_fully_connected_sa8_sa8_sa32_ext_bias(&in, &weights, &bias, &no_relu, &out),
            MLI_STATUS_OK);
        assert_int_equal(out_data[0], expected[p]);
    }
}

/* The aligned bias of fx16 wraps at 32 bits (conv.md 3): 32767 * 2^17 adds -131072. */
static void test_bias_wraps(void **state)
{
    (void)state;
    int16_t in_data[] = {0}, weights_data[] = {0}, bias_data[] = {32767}, out_data[1];
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, in_data, SHAPE1(1), NULL), 10);
    const mli_tensor weights =
        with_frac(tensor(MLI_EL_FX_16, weights_data, SHAPE2(1, 1), NULL), 10);
    mli_tensor bias = with_frac(tensor(MLI_EL_FX_16, bias_data, SHAPE1(1), NULL), 3);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_16, out_data, SHAPE1(1), NULL), 16);
    use_profile(0);
    assert_int_equal(mli_krn_fully_connected_fx16(&in, &weights, &bias, &no_relu, &out),
                     MLI_STATUS_OK);
    assert_int_equal(out_data[0], -131072 / 16);
    bias = with_frac(
        bias, -44); /* saturated in 64 bits: the low 32 of the maximum are -1, of the minimum 0 */
    out = with_frac(out, 20);
    assert_int_equal(mli_krn_fully_connected_fx16(&in, &weights, &bias, &no_relu, &out),
                     MLI_STATUS_OK);
    assert_int_equal(out_data[0], -1);
    bias_data[0] = -32768;
    assert_int_equal(mli_krn_fully_connected_fx16(&in, &weights, &bias, &no_relu, &out),
                     MLI_STATUS_OK);
    assert_int_equal(out_data[0], 0);
}

/* 140000 products of 2^14 leave int32: the sum wraps, and only then does the bias saturate. */
static void test_accumulator_wraps(void **state)
{
    (void)state;
    enum { N = 140000 };
    static int8_t in_data[N], weights_data[N];
    int8_t bias_data[] = {127}, out_data[1];
    memset(in_data, -128, N);
    memset(weights_data, -128, N);
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_8, in_data, SHAPE1(N), NULL), 16);
    const mli_tensor weights = with_frac(tensor(MLI_EL_FX_8, weights_data, SHAPE2(N, 1), NULL), 16);
    const mli_tensor bias = with_frac(tensor(MLI_EL_FX_8, bias_data, SHAPE1(1), NULL), 32);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_8, out_data, SHAPE1(1), NULL), 6);
    const int32_t wrapped = (int32_t)(uint32_t)((int64_t)N * 16384);
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        assert_int_equal(mli_krn_fully_connected_fx8(&in, &weights, &bias, &no_relu, &out),
                         MLI_STATUS_OK);
        assert_int_equal(out_data[0], model_sat(model_rsh(model_sat((int64_t)wrapped + 127, 32), 26,
                                                          32, is_convergent(p)),
                                                8));
    }
}

/*
 * Random layers. All are cut out of the same buffers; rows of weights have gaps.
 */
enum { N_MAX = 70, C_MAX = 600, GAP = 5 };

struct layer {
    int n, channels, relu;
    int16_t in16[N_MAX];
    int8_t in8[N_MAX];
    int16_t w16[N_MAX * (C_MAX + GAP)];
    int8_t w8[N_MAX * (C_MAX + GAP)];
    int16_t b16[C_MAX];
    int8_t b8[C_MAX];
    int32_t b32[C_MAX];
    int16_t out16[C_MAX + 1];
    int8_t out8[C_MAX + 1];
    int16_t w_scale[C_MAX], b_scale[C_MAX], zeros[C_MAX];
    int8_t w_bits[C_MAX], b_bits[C_MAX];
};

static void randomize(struct layer *l)
{
    random_bytes(l, sizeof *l);
    l->n = random_in(1, N_MAX);
    l->channels = random_in(0, 3) ? random_in(1, 40) : random_in(1, C_MAX);
    l->relu = random_in(0, 4);
    memset(l->zeros, 0, sizeof l->zeros);
    if (random_in(0, 3) == 0) { /* the ends of the range, where sums are large */
        memset(l->in8, INT8_MIN, sizeof l->in8);
        memset(l->w8, random_in(0, 1) ? INT8_MIN : INT8_MAX, sizeof l->w8);
    }
}

static int64_t model_clip(int64_t v, int relu, int64_t scale, int64_t zero, int frac, int64_t top)
{
    int64_t lo = -top - 1, hi = top, steps;
    if (relu == MLI_RELU_GEN || relu == MLI_RELU_6)
        lo = zero > lo ? zero : lo;
    if (relu == MLI_RELU_6) {
        steps = frac >= 28   ? top
                : frac >= -2 ? (int64_t)(6.0 * (frac < 0 ? 1.0 / (1 << -frac) : 1 << frac)) / scale
                             : 0;
        hi = zero + steps < hi ? zero + steps : hi;
    }
    if (relu == MLI_RELU_1) {
        steps = frac >= 30 ? top : frac >= 0 ? ((int64_t)1 << frac) / scale : 0;
        lo = zero - steps > lo ? zero - steps : lo;
        hi = zero + steps < hi ? zero + steps : hi;
    }
    return v < lo ? lo : v > hi ? hi : v;
}

/* One channel of an fx layer: w bits of accumulator, bits of output (conv.md 3). */
static int64_t model_fx(const struct layer *l, int c, int w, int bits, const int frac[4],
                        int convergent)
{
    int64_t acc = 0;
    for (int i = 0; i < l->n; i++) {
        const int at = i * (C_MAX + GAP) + c;
        acc += (int64_t)(bits == 8 ? l->in8[i] : l->in16[i]) * (w == 64 ? l->w16[at] : l->w8[at]);
    }
    const int shift = frac[0] + frac[1] - frac[2];
    int64_t aligned = model_rsh(w == 64 ? l->b16[c] : l->b8[c], -shift, w, convergent);
    if (w == 64)
        aligned = (int32_t)(uint32_t)(uint64_t)aligned;
    else
        acc = (int32_t)(uint32_t)(uint64_t)acc;
    acc = w == 64 ? acc + aligned : model_sat(acc + aligned, 32);
    const int64_t y = model_sat(model_rsh(acc, frac[0] + frac[1] - frac[3], w, convergent), bits);
    return model_clip(y, l->relu, 1, 0, frac[3], bits == 8 ? INT8_MAX : INT16_MAX);
}

static void run_fx(struct layer *l, kernel *run, int w, int bits)
{
    const mli_element_type data = bits == 8 ? MLI_EL_FX_8 : MLI_EL_FX_16;
    const mli_element_type param = w == 64 ? MLI_EL_FX_16 : MLI_EL_FX_8;
    const uint32_t n = (uint32_t)l->n, channels = (uint32_t)l->channels;
    int frac[4] = {random_in(-20, 60), random_in(-20, 60), 0, 0};
    frac[2] = (int)model_sat(frac[0] + frac[1] - random_in(0, random_in(0, 1) ? 12 : 70), 8);
    frac[3] = (int)model_sat(frac[0] + frac[1] - random_in(0, random_in(0, 1) ? 24 : 80), 8);
    const mli_tensor in = with_frac(tensor(data, bits == 8 ? (void *)l->in8 : (void *)l->in16, 3,
                                           (const uint32_t[]){1, n, 1}, NULL),
                                    frac[0]);
    const mli_tensor weights =
        with_frac(tensor(param, w == 64 ? (void *)l->w16 : (void *)l->w8, SHAPE2(n, channels),
                         (const int32_t[]){C_MAX + GAP, 1}),
                  frac[1]);
    const mli_tensor bias = with_frac(
        tensor(param, w == 64 ? (void *)l->b16 : (void *)l->b8, SHAPE1(channels), NULL), frac[2]);
    mli_tensor out = with_frac(
        tensor(data, bits == 8 ? (void *)l->out8 : (void *)l->out16, SHAPE1(channels), NULL),
        frac[3]);
    const mli_fully_connected_cfg cfg = {{(mli_relu_type)l->relu}};
    l->out8[l->channels] = 0x5A;
    l->out16[l->channels] = 0x5A5A;
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        assert_int_equal(run(&in, &weights, &bias, &cfg, &out), MLI_STATUS_OK);
        for (int c = 0; c < l->channels; c++) {
            const int64_t expected = model_fx(l, c, w, bits, frac, is_convergent(p));
            assert_int_equal(bits == 8 ? l->out8[c] : l->out16[c], expected);
        }
        assert_true(l->out8[l->channels] == 0x5A && l->out16[l->channels] == 0x5A5A);
    }
}

static void test_random_fx(void **state)
{
    (void)state;
    static struct layer l;
    for (int i = 0; i < 400; i++) {
        randomize(&l);
        run_fx(&l, mli_krn_fully_connected_fx16, 64, 16);
        run_fx(&l, mli_krn_fully_connected_fx16_fx8_fx8, 32, 16);
        run_fx(&l, mli_krn_fully_connected_fx8, 32, 8);
    }
}

struct sa8_format {
    int si, zi, fi, so, zo, fo;
};

/* conv.md 4, step by step. */
static int64_t model_sa8(const struct layer *l, int c, const struct sa8_format *q, int sw, int fw,
                         int zero, int profile)
{
    const int convergent = is_convergent(profile);
    const int n1 = model_norm(q->si, 32);
    const int64_t quotient = ((int64_t)q->si << n1) / q->so;
    const int n2 = model_norm(quotient, 32);
    const int64_t ratio = model_rsh(quotient, 16 - n2, 32, convergent);
    int64_t mul = ratio * sw, bias = l->b32[c], acc = 0;
    int shift = q->fi + n1 - q->fo - (16 - n2) + fw;
    for (int i = 0; i < l->n; i++)
        acc += (int64_t)(l->in8[i] - zero) * l->w8[i * (C_MAX + GAP) + c];
    if (is_reduced(profile)) {
        const int cut = 16 - model_norm(bias, 32) > 0 ? 16 - model_norm(bias, 32) : 0;
        bias = model_floor_div(bias, (int64_t)1 << cut) * ((int64_t)1 << cut);
    }
    acc = model_sat(acc + bias, 32);
    int64_t y;
    if (is_reduced(profile)) {
        const int n = model_norm(mul, 32);
        mul = model_rsh(mul * ((int64_t)1 << n), 16, 32, convergent);
        shift += n - 16;
        const int pre = shift - 21 < 0 ? 0 : shift - 21 > 8 ? 8 : shift - 21;
        y = model_rsh(model_sat(model_rsh(acc, pre, 32, convergent), 16) * mul, shift - pre, 64,
                      convergent);
    } else {
        y = model_rsh(acc * mul, shift, 64, convergent);
    }
    y = model_sat(model_sat(y, 16) + q->zo, 8);
    return model_clip(y, l->relu, q->so, q->zo, q->fo, INT8_MAX);
}

/* Bias scale and fractional bits that the checks accept (conv.md 11, Q6); false if there are none.
 */
static int fit_bias(int si, int sw, int bits, int16_t *scale, int8_t *frac_bits)
{
    const int64_t product = (int64_t)si * sw;
    for (int d = 0; d < 17; d++) {
        const int64_t e = model_rsh(product, d, 32, 0);
        if (e <= 32767 && e > 1 && bits - d >= -128 && bits - d <= 127) {
            *scale = (int16_t)e;
            *frac_bits = (int8_t)(bits - d);
            return 1;
        }
    }
    return 0;
}

static void run_sa8(struct layer *l, int per_channel)
{
    const uint32_t n = (uint32_t)l->n, channels = (uint32_t)l->channels;
    const struct sa8_format q = {random_in(1, 32767), random_in(-128, 127), random_in(0, 40),
                                 random_in(1, 32767), random_in(-128, 127), random_in(-10, 30)};
    for (uint32_t c = 0; c < channels; c++) {
        l->w_scale[c] = (int16_t)random_in(1, 32767);
        l->w_bits[c] = (int8_t)random_in(-5, 45);
        if (!fit_bias(q.si, l->w_scale[c], q.fi + l->w_bits[c], &l->b_scale[c], &l->b_bits[c]))
            return;
        l->b32[c] >>= random_in(0, 31);
    }
    const mli_tensor in =
        with_scale(tensor(MLI_EL_SA_8, l->in8, SHAPE1(n), NULL), q.si, q.fi, q.zi);
    mli_tensor weights =
        tensor(MLI_EL_SA_8, l->w8, SHAPE2(n, channels), (const int32_t[]){C_MAX + GAP, 1});
    mli_tensor bias = tensor(MLI_EL_SA_32, l->b32, SHAPE1(channels), NULL);
    if (per_channel) {
        weights = with_axis(weights, 1, channels, l->w_scale, l->w_bits, l->zeros);
        bias = with_axis(bias, 0, channels, l->b_scale, l->b_bits, l->zeros);
    } else {
        weights = with_scale(weights, l->w_scale[0], l->w_bits[0], 0);
        bias = with_scale(bias, l->b_scale[0], l->b_bits[0], 0);
    }
    mli_tensor out =
        with_scale(tensor(MLI_EL_SA_8, l->out8, SHAPE1(channels), NULL), q.so, q.fo, q.zo);
    const mli_fully_connected_cfg cfg = {{(mli_relu_type)l->relu}};
    for (int p = 0; p < 8; p++) {
        use_profile(p % 4);
        kernel *const run = p < 4 ? mli_krn_fully_connected_sa8_sa8_sa32
                                  : mli_krn_fully_connected_sa8_sa8_sa32_ext_bias;
        l->out8[l->channels] = 0x5A;
        const mli_status got = run(&in, &weights, &bias, &cfg, &out);
        if (got == MLI_STATUS_INCOMPATEBLE_TENSORS && is_convergent(p % 4))
            continue; /* the rule for bias scales rounds too */
        assert_int_equal(got, MLI_STATUS_OK);
        for (int c = 0; c < l->channels; c++) {
            const int k = per_channel ? c : 0;
            assert_int_equal(l->out8[c], model_sa8(l, c, &q, l->w_scale[k], l->w_bits[k],
                                                   p < 4 ? q.zi : 0, p % 4));
        }
        assert_int_equal(l->out8[l->channels], 0x5A);
    }
}

static void test_random_sa8(void **state)
{
    (void)state;
    static struct layer l;
    for (int i = 0; i < 600; i++) {
        randomize(&l);
        run_sa8(&l, i % 2);
    }
}

/*
 * Statuses: each fault alone gives its status; of two the one that stands first in the list.
 */
struct call {
    mli_tensor in, weights, bias, out;
    mli_fully_connected_cfg cfg;
    const mli_tensor *p_in, *p_weights, *p_bias;
    const mli_fully_connected_cfg *p_cfg;
    mli_tensor *p_out;
};

static int8_t status_in[8], status_weights[32], status_out[8];
static int32_t status_bias[8];
static int16_t list16[8] = {1, 1, 1, 1, 1, 1, 1, 1}, list_zero[8];
static int8_t list8[8];

static void good_call(struct call *c)
{
    memset(c, 0, sizeof *c);
    c->in = with_scale(tensor(MLI_EL_SA_8, status_in, SHAPE2(1, 4), NULL), 100, 3, 1);
    c->weights = with_scale(tensor(MLI_EL_SA_8, status_weights, SHAPE2(4, 3), NULL), 20, 2, 0);
    c->bias = with_scale(tensor(MLI_EL_SA_32, status_bias, SHAPE1(3), NULL), 2000, 5, 0);
    c->out = with_scale(tensor(MLI_EL_SA_8, status_out, SHAPE1(3), NULL), 50, 3, 2);
    c->p_in = &c->in, c->p_weights = &c->weights, c->p_bias = &c->bias, c->p_cfg = &c->cfg,
    c->p_out = &c->out;
}

static void in_null(struct call *c)
{
    c->p_in = NULL;
}
static void in_small(struct call *c)
{
    c->in.data.capacity = 3;
}
static void weights_no_data(struct call *c)
{
    c->weights.data.mem.pi8 = NULL;
}
static void bias_small(struct call *c)
{
    c->bias.data.capacity = 7;
}
static void out_rank(struct call *c)
{
    c->out.rank = 5;
}
static void out_type(struct call *c)
{
    c->out.el_type = MLI_EL_FX_8;
}
static void cfg_null(struct call *c)
{
    c->p_cfg = NULL;
}
static void weights_rows(struct call *c)
{
    c->weights.shape[0] = 3;
}
static void in_gap(struct call *c)
{
    c->in.mem_stride[0] = 6; /* of a dimension of 1: still not dense */
}
static void overlap(struct call *c)
{
    c->out.data.mem.pi8 = status_in + 3;
}
static void weights_type(struct call *c)
{
    c->weights.el_type = MLI_EL_FX_8;
}
static void in_zero(struct call *c)
{
    c->in.el_params.sa.zero_point.mem.i16 = 128;
}
static void out_scale(struct call *c)
{
    c->out.el_params.sa.scale.mem.i16 = 0;
}
static void weights_zero(struct call *c)
{
    c->weights.el_params.sa.zero_point.mem.i16 = -1;
}
static void bias_capacity(struct call *c)
{
    c->bias.el_params.sa.scale.capacity = 2;
}
static void weights_axis(struct call *c)
{
    const int zero = c->weights.el_params.sa.zero_point.mem.i16;
    c->weights = with_axis(c->weights, 0, 8, list16, list8, list_zero);
    list_zero[0] = (int16_t)zero;
}
static void bias_scale(struct call *c)
{
    c->bias.el_params.sa.scale.mem.i16 = 2002;
}

static const struct {
    void (*apply)(struct call *);
    mli_status status;
} faults[] = {
    {in_null, MLI_STATUS_BAD_TENSOR},
    {in_small, MLI_STATUS_NOT_ENGH_MEM},
    {weights_no_data, MLI_STATUS_BAD_TENSOR},
    {bias_small, MLI_STATUS_NOT_ENGH_MEM},
    {out_rank, MLI_STATUS_BAD_TENSOR},
    {out_type, MLI_STATUS_TYPE_MISMATCH},
    {cfg_null, MLI_STATUS_BAD_FUNC_CFG},
    {weights_rows, MLI_STATUS_SHAPE_MISMATCH},
    {in_gap, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {overlap, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {weights_type, MLI_STATUS_TYPE_MISMATCH},
    {in_zero, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {out_scale, MLI_STATUS_BAD_TENSOR},
    {weights_zero, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {bias_capacity, MLI_STATUS_BAD_TENSOR},
    {weights_axis, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {bias_scale, MLI_STATUS_INCOMPATEBLE_TENSORS},
};

static void test_status_sa8(void **state)
{
    (void)state;
    needs_checks();
    struct call c;
    use_profile(0);
    good_call(&c);
    assert_int_equal(
        mli_krn_fully_connected_sa8_sa8_sa32(c.p_in, c.p_weights, c.p_bias, c.p_cfg, c.p_out),
        MLI_STATUS_OK);
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            good_call(&c);
            memset(list_zero, 0, sizeof list_zero);
            memset(status_out, 0x5A, sizeof status_out);
            faults[i].apply(&c);
            if (j > i)
                faults[j].apply(&c);
            const mli_status got = mli_krn_fully_connected_sa8_sa8_sa32_ext_bias(
                c.p_in, c.p_weights, c.p_bias, c.p_cfg, c.p_out);
            if (got != faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         faults[i].status);
            for (size_t k = 0; k < sizeof status_out; k++)
                assert_int_equal(status_out[k], 0x5A);
        }
    }
}

/* fx: formats come first (conv.md 11), before shapes and capacities. */
static void test_status_fx(void **state)
{
    (void)state;
    needs_checks();
    int16_t in_data[2] = {0}, out_data[2];
    int8_t weights_data[4] = {0}, bias_data[2] = {0};
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, in_data, SHAPE1(2), NULL), 3);
    const mli_tensor weights = with_frac(tensor(MLI_EL_FX_8, weights_data, SHAPE2(2, 2), NULL), 2);
    const mli_tensor bias = with_frac(tensor(MLI_EL_FX_8, bias_data, SHAPE1(2), NULL), 5);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_16, out_data, SHAPE1(2), NULL), 5);
    kernel *const run = mli_krn_fully_connected_fx16_fx8_fx8;
    use_profile(0);
    assert_int_equal(run(&in, &weights, &bias, &no_relu, &out), MLI_STATUS_OK);
    assert_int_equal(run(NULL, &weights, &bias, &no_relu, &out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(run(&in, &weights, &bias, &no_relu, NULL), MLI_STATUS_BAD_TENSOR);
    mli_tensor broken = bias;
    broken.data.capacity = 0;
    broken.el_params.fx.frac_bits = 6;
    assert_int_equal(run(&in, &weights, &broken, &no_relu, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(run(&in, &weights, &in, NULL, &out), MLI_STATUS_TYPE_MISMATCH);
    out.el_params.fx.frac_bits = 6;
    assert_int_equal(run(&in, &weights, &bias, NULL, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    out.el_params.fx.frac_bits = 5;
    assert_int_equal(run(&in, &weights, &bias, NULL, &out), MLI_STATUS_BAD_FUNC_CFG);
    broken.el_params.fx.frac_bits = 5;
    assert_int_equal(run(&in, &weights, &broken, NULL, &out), MLI_STATUS_NOT_ENGH_MEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_fx), cmocka_unit_test(test_example_sa8),
        cmocka_unit_test(test_bias_wraps), cmocka_unit_test(test_accumulator_wraps),
        cmocka_unit_test(test_random_fx),  cmocka_unit_test(test_random_sa8),
        cmocka_unit_test(test_status_sa8), cmocka_unit_test(test_status_fx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
