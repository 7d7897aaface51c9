/* mli_krn_leaky_relu_* and mli_krn_prelu_*: random formats (shifts to the left and past the width
 * included), every axis, short and long tensors, strides, in place, statuses (elementwise.md 2, 4).
 */
#include "support.h"

typedef mli_status leaky_kernel(const mli_tensor *, const mli_tensor *, mli_tensor *);
typedef mli_status prelu_kernel(const mli_tensor *, const mli_tensor *, const mli_prelu_cfg *,
                                mli_tensor *);

static const struct family {
    mli_element_type type;
    leaky_kernel *leaky;
    prelu_kernel *prelu;
} families[] = {
    {MLI_EL_FX_8, mli_krn_leaky_relu_fx8, mli_krn_prelu_fx8},
    {MLI_EL_FX_16, mli_krn_leaky_relu_fx16, mli_krn_prelu_fx16},
    {MLI_EL_SA_8, mli_krn_leaky_relu_sa8, mli_krn_prelu_sa8},
};

/* Formats of a call: scale, zero, bits of in, slope, out. */
struct formats {
    int s[3], z[3], f[3];
};

static int64_t model_fx(const struct formats *q, int bits, int64_t x, int64_t a, int normalize,
                        int convergent)
{
    int shift = q->f[0] + q->f[1] - q->f[2];
    if (x >= 0)
        return x;
    if (normalize) {
        const int n = model_norm(a, 16);
        a *= 1 << n;
        shift += n;
    }
    return model_sat(model_rsh(x * a, shift > 31 ? 31 : shift, 32, convergent), bits);
}

static int64_t model_sa(const struct formats *q, int64_t x, int64_t a, int convergent)
{
    const int k = model_norm(q->s[0], 32) - model_norm(q->s[2], 16);
    int64_t m, slope, p;
    int e, e1, e2;
    model_norm_cast(((int64_t)q->s[0] << k) / q->s[2], convergent, &m, &e);
    int h = k + q->f[0] - q->f[2] - e;
    if (h < 0) {
        m = model_rsh(m, h, 16, convergent);
        h = 0;
    }
    model_norm_cast((a - q->z[1]) * q->s[1], convergent, &slope, &e1);
    model_norm_cast(m * slope, convergent, &p, &e2);
    const int g = h + q->f[1] - e1 - e2;
    const int64_t d = x - q->z[0];
    const int64_t y =
        d >= 0 ? model_rsh(m * d, h, 32, convergent) : model_rsh(p * d, g, 32, convergent);
    return model_sat(model_sat(y + q->z[2], 32), 8);
}

static int64_t model(const struct family *k, const struct formats *q, int64_t x, int64_t a,
                     int leaky, int convergent)
{
    if (k->type == MLI_EL_SA_8)
        return model_sa(q, x, a, convergent);
    const int wide = k->type == MLI_EL_FX_16;
    return model_fx(q, wide ? 16 : 8, x, a, leaky && wide, convergent);
}

static mli_tensor formatted(mli_tensor t, const struct formats *q, int role)
{
    return t.el_type == MLI_EL_SA_8 ? with_scale(t, q->s[role], q->f[role], q->z[role])
                                    : with_frac(t, q->f[role]);
}

/* ordinary: shifts to the right inside the word, as real networks have; else anything that is
 * allowed. */
static struct formats random_formats(mli_element_type type, int ordinary)
{
    struct formats q;
    for (int i = 0; i < 3; i++) {
        q.s[i] = random_in(1, 32767);
        q.z[i] = i == 1 ? random_in(-16384, 16383) : random_in(-128, 127);
        q.f[i] = ordinary ? random_in(14, 16) : random_in(-128, 127);
    }
    if (type != MLI_EL_SA_8) {
        q.f[2] = q.f[0];
        q.f[1] = ordinary ? random_in(0, 15) : random_in(-30, 40);
    } else if (ordinary) {
        q.f[2] = q.f[0] - random_in(0, 3);
        q.z[1] = 0;
    }
    return q;
}

static int64_t element(mli_element_type type, const void *data, size_t i)
{
    return type == MLI_EL_FX_16 ? ((const int16_t *)data)[i] : ((const int8_t *)data)[i];
}

enum { GAP = 3, SPACE = 8192 };

/* One call on a [H, W, C] tensor, C with a gap behind it, slopes along axis. */
static void run_case(const struct family *k, const uint32_t shape[3], int axis, int ordinary,
                     int in_place)
{
    static int16_t in_data[SPACE], out_data[SPACE], before[SPACE], slope_data[SPACE];
    const struct formats q = random_formats(k->type, ordinary);
    const int32_t stride[] = {(int32_t)(shape[1] * (shape[2] + GAP)), (int32_t)shape[2] + GAP, 1};
    const int32_t *const used = random_in(0, 1) ? stride : NULL;
    random_bytes(in_data, sizeof in_data);
    random_bytes(slope_data, sizeof slope_data);
    memcpy(before, in_data, sizeof in_data);
    uint32_t slope_shape[3] = {1, 1, 1};
    if (axis >= 0)
        slope_shape[axis] = shape[axis];
    const mli_tensor slope = formatted(tensor(k->type, slope_data, 3, slope_shape, NULL), &q, 1);
    const mli_prelu_cfg cfg = {axis};
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        memset(out_data, 0x5A, sizeof out_data);
        memcpy(in_data, before, sizeof in_data);
        const mli_tensor in = formatted(tensor(k->type, in_data, 3, shape, used), &q, 0);
        mli_tensor out =
            formatted(tensor(k->type, in_place ? in_data : out_data, 3, shape, used), &q, 2);
        const mli_status got =
            axis == -1 && p % 2 ? k->leaky(&in, &slope, &out) : k->prelu(&in, &slope, &cfg, &out);
        assert_int_equal(got, MLI_STATUS_OK);
        const void *const result = in_place ? in_data : out_data;
        uint32_t touched = 0;
        for (uint32_t i = 0; i < shape[0] * shape[1] * shape[2]; i++) {
            const uint32_t index[3] = {i / (shape[1] * shape[2]), i / shape[2] % shape[1],
                                       i % shape[2]};
            size_t at = 0;
            for (int d = 0; d < 3; d++)
                at += index[d] * (size_t)in.mem_stride[d];
            const int64_t a = element(k->type, slope_data, axis < 0 ? 0 : index[axis]);
            const int64_t x = element(k->type, before, at);
            const int64_t expected = model(k, &q, x, a, axis < 0, is_convergent(p));
            if (element(k->type, result, at) != expected)
                fail_msg("type %x axis %d, %d * %d (bits %d %d %d): %d, should be %d",
                         (unsigned)k->type, axis, (int)x, (int)a, q.f[0], q.f[1], q.f[2],
                         (int)element(k->type, result, at), (int)expected);
            touched++;
        }
        /* the gaps: what a strided call leaves is as before */
        const size_t last = (size_t)in.data.capacity / bytes_of(k->type);
        for (size_t at = 0; at < last && used; at++) {
            if (at % (size_t)used[1] >= shape[2])
                assert_int_equal(element(k->type, result, at),
                                 in_place ? element(k->type, before, at)
                                          : element(k->type, (const uint16_t[]){0x5A5A}, 0));
        }
        assert_int_equal(touched, shape[0] * shape[1] * shape[2]);
    }
}

static void test_random(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {{1, 1, 1},   {2, 3, 5},   {1, 7, 40},
                                         {30, 20, 3}, {4, 3, 300}, {2, 700, 1},
                                         {1, 1, 900}, {3, 256, 2}, {1, 40, 20}};
    for (int i = 0; i < 60; i++) {
        for (size_t s = 0; s < COUNT(shapes); s++) {
            for (size_t k = 0; k < COUNT(families); k++)
                run_case(&families[k], shapes[s], random_in(-1, 2), random_in(0, 1),
                         random_in(0, 1));
        }
    }
}

/* elementwise.md 4: leaky fx16 normalizes its slope, prelu with an axis does not; visible in one
 * spot, rounding up. */
static void test_normalized_slope(void **state)
{
    (void)state;
    int16_t x[] = {-32768}, a[] = {-1}, y[1];
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, x, SHAPE1(1), NULL), 3);
    const mli_tensor slope = with_frac(tensor(MLI_EL_FX_16, a, SHAPE1(1), NULL), 16);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_16, y, SHAPE1(1), NULL), 3);
    const mli_prelu_cfg along = {0}, single = {-1};
    use_profile(0);
    assert_int_equal(mli_krn_leaky_relu_fx16(&in, &slope, &out), MLI_STATUS_OK);
    assert_int_equal(y[0], 0);
    assert_int_equal(mli_krn_prelu_fx16(&in, &slope, &single, &out), MLI_STATUS_OK);
    assert_int_equal(y[0], 0);
    assert_int_equal(mli_krn_prelu_fx16(&in, &slope, &along, &out), MLI_STATUS_OK);
    assert_int_equal(y[0], 1);
}

/* A scalar slope of rank 0 has its value in the tensor itself. */
static void test_rank0_slope(void **state)
{
    (void)state;
    int8_t x[] = {-100, 100}, y[2];
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_8, x, SHAPE1(2), NULL), 0);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_8, y, SHAPE1(2), NULL), 0);
    mli_tensor slope = with_frac(tensor(MLI_EL_FX_8, NULL, 0, NULL, NULL), 2);
    slope.data.mem.i8 = 1;
    slope.data.capacity = 0;
    use_profile(0);
    assert_int_equal(mli_krn_leaky_relu_fx8(&in, &slope, &out), MLI_STATUS_OK);
    assert_int_equal(y[0], -25);
    assert_int_equal(y[1], 100);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    int8_t x[6] = {0}, y[6], a[6] = {0};
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_8, x, SHAPE2(2, 3), NULL), 3);
    const mli_tensor slope = with_frac(tensor(MLI_EL_FX_8, a, SHAPE1(1), NULL), 3);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_8, y, SHAPE2(2, 3), NULL), 3);
    const mli_tensor slopes = with_frac(tensor(MLI_EL_FX_8, a, SHAPE2(1, 3), NULL), 3);
    mli_prelu_cfg cfg = {1};
    assert_int_equal(mli_krn_prelu_fx8(&in, &slopes, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(mli_krn_leaky_relu_fx8(&in, NULL, &out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_krn_prelu_fx8(&in, NULL, &cfg, &out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_krn_prelu_fx8(&in, NULL, NULL, &out), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_krn_leaky_relu_fx8(&in, &slopes, &out), MLI_STATUS_SHAPE_MISMATCH);
    assert_int_equal(mli_krn_leaky_relu_fx16(&in, &slope, &out), MLI_STATUS_TYPE_MISMATCH);
    cfg.axis = 2;
    assert_int_equal(mli_krn_prelu_fx8(&in, &slopes, &cfg, &out), MLI_STATUS_BAD_FUNC_CFG);
    cfg.axis = -2;
    assert_int_equal(mli_krn_prelu_fx8(&in, &slopes, &cfg, &out), MLI_STATUS_BAD_FUNC_CFG);
    cfg.axis = 0;
    assert_int_equal(mli_krn_prelu_fx8(&in, &slopes, &cfg, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    cfg.axis = 1;
    const mli_tensor flat =
        with_frac(tensor(MLI_EL_FX_8, a, SHAPE1(3), NULL), 3); /* [C] will not do for [1, C] */
    assert_int_equal(mli_krn_prelu_fx8(&in, &flat, &cfg, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    mli_tensor hidden = with_frac(tensor(MLI_EL_FX_8, a, SHAPE1(1), NULL),
                                  3); /* entries behind the rank are read */
    hidden.shape[1] = 3;
    assert_int_equal(mli_krn_prelu_fx8(&in, &hidden, &cfg, &out), MLI_STATUS_NOT_ENGH_MEM);
    out.el_params.fx.frac_bits = 4;
    assert_int_equal(mli_krn_prelu_fx8(&in, &slopes, &cfg, &out), MLI_STATUS_SPEC_PARAM_MISMATCH);
    assert_int_equal(mli_krn_leaky_relu_fx8(&in, &slope, &out), MLI_STATUS_SPEC_PARAM_MISMATCH);

    const mli_tensor in_sa = with_scale(tensor(MLI_EL_SA_8, x, SHAPE1(3), NULL), 1, 0, 0);
    mli_tensor slope_sa = with_scale(tensor(MLI_EL_SA_8, a, SHAPE1(1), NULL), 1, 0, 16384);
    mli_tensor out_sa = with_scale(tensor(MLI_EL_SA_8, y, SHAPE1(3), NULL), 1, 0, 0);
    assert_int_equal(mli_krn_leaky_relu_sa8(&in_sa, &slope_sa, &out_sa),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
    slope_sa.el_params.sa.zero_point.mem.i16 = -16384;
    assert_int_equal(mli_krn_leaky_relu_sa8(&in_sa, &slope_sa, &out_sa), MLI_STATUS_OK);
    out_sa.el_params.sa.scale.mem.i16 = 0;
    assert_int_equal(mli_krn_leaky_relu_sa8(&in_sa, &slope_sa, &out_sa), MLI_STATUS_BAD_TENSOR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_normalized_slope),
        cmocka_unit_test(test_rank0_slope),
        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
