/* mli_krn_relu_*: every 8-bit input under every type and many formats, strides, in place, what
 * becomes of out's parameters, statuses in order (elementwise.md 2, 3). */
#include "support.h"

typedef mli_status kernel(const mli_tensor *, const mli_relu_cfg *, mli_tensor *);

/* Limits of elementwise.md 3. */
static int64_t model_relu(int64_t x, int type, int64_t s, int64_t z, int f, int64_t top)
{
    int64_t lo = -top - 1, hi = top;
    const int64_t six = f >= 28 ? top : f >= 0 ? ((int64_t)6 << f) / s : f > -3 ? (6 >> -f) / s : 0;
    const int64_t one = f >= 30 ? top : f >= 0 ? ((int64_t)1 << f) / s : 0;
    if (type == MLI_RELU_GEN || type == MLI_RELU_6)
        lo = z > lo ? z : lo;
    if (type == MLI_RELU_6)
        hi = six + z < hi ? six + z : hi;
    if (type == MLI_RELU_1) {
        lo = z - one > lo ? z - one : lo;
        hi = z + one < hi ? z + one : hi;
    }
    return x < lo ? lo : x > hi ? hi : x;
}

static void test_all_8bit(void **state)
{
    (void)state;
    int8_t data[256], result[256];
    for (int i = 0; i < 256; i++)
        data[i] = (int8_t)(i - 128);
    for (int type = 0; type < 6; type++) {
        const mli_relu_cfg cfg = {(mli_relu_type)type};
        for (int f = -128; f < 128; f++) {
            const mli_tensor fx = with_frac(tensor(MLI_EL_FX_8, data, SHAPE1(256), NULL), f);
            const int s = random_in(1, 32767) >> random_in(0, 14);
            const int z = random_in(-128, 127);
            const mli_tensor sa =
                with_scale(tensor(MLI_EL_SA_8, data, SHAPE1(256), NULL), s ? s : 1, f, z);
            mli_tensor out_fx = with_frac(tensor(MLI_EL_FX_8, result, SHAPE1(256), NULL), 1);
            mli_tensor out_sa = with_scale(tensor(MLI_EL_SA_8, result, SHAPE1(256), NULL), 7, 7, 7);
            assert_int_equal(mli_krn_relu_fx8(&fx, &cfg, &out_fx), MLI_STATUS_OK);
            for (int i = 0; i < 256; i++)
                assert_int_equal(result[i], model_relu(data[i], type, 1, 0, f, 127));
            assert_int_equal(out_fx.el_params.fx.frac_bits, f);
            assert_int_equal(mli_krn_relu_sa8(&sa, &cfg, &out_sa), MLI_STATUS_OK);
            for (int i = 0; i < 256; i++)
                assert_int_equal(result[i], model_relu(data[i], type, s ? s : 1, z, f, 127));
            assert_memory_equal(&out_sa.el_params, &sa.el_params, sizeof sa.el_params);
        }
    }
}

static void test_fx16_strides_and_place(void **state)
{
    (void)state;
    enum { ROWS = 3, ROW = 700, IN = 703, OUT = 705 };
    static int16_t data[ROWS * IN], result[ROWS * OUT];
    random_bytes(data, sizeof data);
    for (int type = 0; type < 4; type++) {
        const mli_relu_cfg cfg = {(mli_relu_type)type};
        const int f = type == MLI_RELU_1 ? 30 : random_in(5, 14);
        const mli_tensor in =
            with_frac(tensor(MLI_EL_FX_16, data, SHAPE2(ROWS, ROW), (const int32_t[]){IN, 1}), f);
        mli_tensor out = with_frac(
            tensor(MLI_EL_FX_16, result, SHAPE2(ROWS, ROW), (const int32_t[]){OUT, 1}), 0);
        memset(result, 0x5A, sizeof result);
        assert_int_equal(mli_krn_relu_fx16(&in, &cfg, &out), MLI_STATUS_OK);
        for (int r = 0; r < ROWS; r++) {
            for (int c = 0; c < OUT; c++)
                assert_int_equal(result[r * OUT + c],
                                 c < ROW ? model_relu(data[r * IN + c], type, 1, 0, f, 32767)
                                         : 0x5A5A);
        }
        mli_tensor place = in; /* the very tensor, and another on the same memory */
        int16_t before[ROWS * IN];
        memcpy(before, data, sizeof data);
        assert_int_equal(mli_krn_relu_fx16(type % 2 ? &place : &in, &cfg, &place), MLI_STATUS_OK);
        for (int i = 0; i < ROWS * IN; i++)
            assert_int_equal(data[i], i % IN < ROW ? model_relu(before[i], type, 1, 0, f, 32767)
                                                   : before[i]);
    }
}

struct call {
    mli_tensor in, out;
    mli_relu_cfg cfg;
    const mli_tensor *p_in;
    const mli_relu_cfg *p_cfg;
    mli_tensor *p_out;
};

static int8_t status_in[8], status_out[8];

static void in_rank(struct call *c)
{
    c->in.rank = 5;
}
static void cfg_null(struct call *c)
{
    c->p_cfg = NULL;
}
static void out_null(struct call *c)
{
    c->p_out = NULL;
}
static void out_type(struct call *c)
{
    c->out.el_type = MLI_EL_FX_8;
}
static void out_shape(struct call *c)
{
    c->out.shape[0] = 1;
}
static void in_stride(struct call *c)
{
    c->in.mem_stride[1] = 2;
    c->in.mem_stride[0] = 4;
    c->in.data.capacity = 7;
}
static void both_types(struct call *c)
{
    c->in.el_type = MLI_EL_SA_32;
    c->in.data.capacity = 1000; /* checked only, never touched */
    c->out.data.capacity = 1000;
    c->out.el_type = c->out.el_type == MLI_EL_SA_8 ? MLI_EL_SA_32 : c->out.el_type;
}
static void in_zero(struct call *c)
{
    c->in.el_params.sa.zero_point.mem.i16 = 200;
}

static const struct {
    void (*apply)(struct call *);
    mli_status status;
} faults[] = {
    {in_rank, MLI_STATUS_BAD_TENSOR},       {cfg_null, MLI_STATUS_BAD_FUNC_CFG},
    {out_null, MLI_STATUS_BAD_TENSOR},      {out_type, MLI_STATUS_TYPE_MISMATCH},
    {out_shape, MLI_STATUS_SHAPE_MISMATCH}, {in_stride, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {both_types, MLI_STATUS_TYPE_MISMATCH}, {in_zero, MLI_STATUS_INCOMPATEBLE_TENSORS},
};

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            struct call c;
            memset(&c, 0, sizeof c);
            c.in = with_scale(tensor(MLI_EL_SA_8, status_in, SHAPE2(2, 2), NULL), 3, 1, 0);
            c.out = with_scale(tensor(MLI_EL_SA_8, status_out, SHAPE2(2, 2), NULL), 0, 1,
                               999); /* not looked at */
            c.p_in = &c.in, c.p_cfg = &c.cfg, c.p_out = &c.out;
            assert_int_equal(mli_krn_relu_sa8(c.p_in, c.p_cfg, c.p_out), MLI_STATUS_OK);
            memset(status_out, 0x5A, sizeof status_out);
            faults[i].apply(&c);
            if (j > i)
                faults[j].apply(&c);
            const mli_tensor before = c.out;
            const mli_status got = mli_krn_relu_sa8(c.p_in, c.p_cfg, c.p_out);
            if (got != faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         faults[i].status);
            assert_memory_equal(&c.out, &before, sizeof before);
            for (size_t k = 0; k < sizeof status_out; k++)
                assert_int_equal(status_out[k], 0x5A);
        }
    }
}

/* A list of parameters is refused in in and accepted, then overwritten, in out. */
static void test_per_axis(void **state)
{
    (void)state;
    needs_checks();
    int16_t scales[] = {1, 2}, zeros[] = {0, 0};
    int8_t bits[] = {0, 0};
    const mli_relu_cfg cfg = {MLI_RELU_GEN};
    const mli_tensor plain = with_scale(tensor(MLI_EL_SA_8, status_in, SHAPE1(2), NULL), 3, 1, 0);
    const mli_tensor lists = with_axis(plain, 0, 2, scales, bits, zeros);
    mli_tensor out =
        with_axis(tensor(MLI_EL_SA_8, status_out, SHAPE1(2), NULL), 0, 2, scales, bits, zeros);
    assert_int_equal(mli_krn_relu_sa8(&lists, &cfg, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(mli_krn_relu_sa8(&plain, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.el_params.sa.dim, -1);
    assert_int_equal(out.el_params.sa.scale.mem.i16, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_8bit),
        cmocka_unit_test(test_fx16_strides_and_place),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_per_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
