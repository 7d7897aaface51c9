/* mli_krn_sigm_* and mli_krn_tanh_*: every 8-bit input under many formats, every 16-bit input,
 * tables with fields of someone's own, strides, in place, short tensors, the format of out,
 * statuses in order (recurrent.md 4), at every level in every profile. */
#include "rnn_support.h"

typedef mli_status kernel(const mli_tensor *, const mli_lut *, mli_tensor *);

static kernel *const kernels[2][3] = {
    {mli_krn_sigm_fx8, mli_krn_sigm_fx16, mli_krn_sigm_sa8},
    {mli_krn_tanh_fx8, mli_krn_tanh_fx16, mli_krn_tanh_sa8},
};
static const mli_element_type types[] = {MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_8};
static struct table tables[2];

static int set_up(void **state)
{
    (void)state;
    make_table(&tables[SIGM], mli_krn_sigm_create_lut);
    make_table(&tables[TANH], mli_krn_tanh_create_lut);
    return 0;
}

/* n contiguous elements, results against the model; out's format. */
static void compare(int which, enum type type, const mli_lut *lut, struct fmt q, const void *data,
                    int n, int convergent)
{
    static int16_t result[65537];
    const enum function function = which == SIGM ? SIGM : TANH;
    const mli_tensor in =
        with_fmt(tensor(types[type], (void *)(uintptr_t)data, SHAPE1((uint32_t)n), NULL), q);
    mli_tensor out =
        with_fmt(tensor(types[type], result, SHAPE1((uint32_t)n), NULL), (struct fmt){999, 99, 9});
    const struct fmt qo = activation_format(function, type);
    result[n] = 0x5A5A;
    set_element(types[type], result, n, 0x5A);
    assert_int_equal(kernels[function][type](&in, lut, &out), MLI_STATUS_OK);
    for (int i = 0; i < n; i++) {
        const int64_t x = element(types[type], data, i);
        const int64_t expected = model_activation(function, type, lut, q, x, convergent);
        const int64_t got = element(types[type], result, i);
        if (got != expected)
            fail_msg("function %d type %d x %d format %d %d %d: %d, should be %d", function, type,
                     (int)x, q.s, q.z, q.f, (int)got, (int)expected);
    }
    assert_int_equal(element(types[type], result, n), 0x5A);
    if (type == T_SA8) {
        assert_int_equal(out.el_params.sa.scale.mem.i16, qo.s);
        assert_int_equal(out.el_params.sa.zero_point.mem.i16, qo.z);
        assert_int_equal(out.el_params.sa.scale_frac_bits.mem.i8, qo.f);
        assert_int_equal(out.el_params.sa.type, MLI_EL_PARAM_SC16_ZP16);
        assert_int_equal(out.el_params.sa.dim, -1);
    } else {
        assert_int_equal(out.el_params.fx.frac_bits, qo.f);
    }
}

/* Values and quirks named in recurrent.md 4. */
static void test_examples(void **state)
{
    (void)state;
    int16_t in_data[] = {-32768, -32767, 0, 32767, 32766}, out_data[5];
    const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, in_data, SHAPE1(5), NULL), 8);
    mli_tensor out = with_frac(tensor(MLI_EL_FX_16, out_data, SHAPE1(5), NULL), 0);
    use_profile(0);
    assert_int_equal(mli_krn_sigm_fx16(&in, &tables[SIGM].lut, &out), MLI_STATUS_OK);
    assert_true(out_data[0] == 1 && out_data[1] == 1 && out_data[2] == 16384 &&
                out_data[3] == 32766);
    assert_int_equal(mli_krn_tanh_fx16(&in, &tables[TANH].lut, &out), MLI_STATUS_OK);
    assert_true(out_data[0] == -32767 && out_data[2] == 0 && out_data[3] == 32767);
    /* Outside the table the last interval is interpolated again and again. */
    in_data[0] = -32768 + 15, in_data[3] = 32767 - 7, in_data[4] = 32767;
    assert_int_equal(mli_krn_sigm_fx16(&in, &tables[SIGM].lut, &out), MLI_STATUS_OK);
    assert_int_equal(out_data[0], 2);
    assert_int_equal(mli_krn_tanh_fx16(&in, &tables[TANH].lut, &out), MLI_STATUS_OK);
    assert_true(out_data[3] == 32766 && out_data[4] == 32767);
}

static void test_8bit(void **state)
{
    (void)state;
    int8_t data[256];
    for (int i = 0; i < 256; i++)
        data[i] = (int8_t)(i - 128);
    for (size_t l = 0; l < COUNT(levels); l++) {
        for (int i = 0; use_level(l) && i < 256; i++) {
            for (int p = 0; p < 4; p += 2) {
                use_profile(p);
                for (int function = SIGM; function <= TANH; function++) {
                    const mli_lut *lut = &tables[function].lut;
                    const struct fmt wild = {random_scale(), random_in(-128, 127),
                                             random_in(-128, 127)};
                    const struct fmt usual = {random_scale(), random_in(-128, 127),
                                              random_in(0, 24)};
                    compare(function, T_FX8, lut, (struct fmt){1, 0, i - 128}, data, 256,
                            is_convergent(p));
                    compare(function, T_SA8, lut, wild, data, 256, is_convergent(p));
                    compare(function, T_SA8, lut, usual, data, 256, is_convergent(p));
                    /* Too few for a table. */
                    compare(function, T_FX8, lut, (struct fmt){1, 0, i - 128}, data + i % 240, 16,
                            is_convergent(p));
                    compare(function, T_SA8, lut, usual, data + i % 220, 35, is_convergent(p));
                }
            }
        }
    }
}

static void test_16bit(void **state)
{
    (void)state;
    static const int bits[] = {-128, -12, 3, 4, 5, 6, 12, 15, 19, 20, 21, 29, 35, 127};
    static int16_t data[65536];
    for (int i = 0; i < 65536; i++)
        data[i] = (int16_t)(i - 32768);
    for (size_t l = 0; l < COUNT(levels); l++) {
        for (size_t i = 0; use_level(l) && i < COUNT(bits); i++) {
            const int p = i % 2 ? 2 : 0;
            use_profile(p);
            for (int function = SIGM; function <= TANH; function++) {
                compare(function, T_FX16, &tables[function].lut, (struct fmt){1, 0, bits[i]}, data,
                        65536, is_convergent(p));
                use_profile(2 - p);
                compare(function, T_FX16, &tables[function].lut, (struct fmt){1, 0, bits[i]},
                        data + random_in(0, 60000), 1200, is_convergent(2 - p));
                use_profile(p);
            }
        }
    }
}

/* A table of random numbers with random fields: the kernels use what the caller gives, up to the
 * ends of int32. */
static void test_own_table(void **state)
{
    (void)state;
    static int16_t table[1000], data[400];
    int8_t data8[256];
    random_bytes(table, sizeof table);
    random_bytes(data, sizeof data);
    random_bytes(data8, sizeof data8);
    for (int i = 0; i < 3000; i++) {
        mli_lut lut = tables[0].lut;
        lut.data.mem.pi16 = table;
        lut.data.capacity = 0; /* not looked at */
        lut.length = random_in(2, i % 4 ? 400 : 1000);
        lut.in_frac_bits = random_in(-8, 20);
        lut.out_frac_bits = random_in(0, 40);
        lut.input_offset = i % 3 ? random_in(-50, 500) : random_in(-9000, 9000);
        if (i % 50 == 7)
            lut.input_offset =
                i % 100 == 7 ? INT32_MAX - random_in(0, 300) : INT32_MIN + random_in(0, 300);
        if (i % 10 < 3)
            memset(table, i % 2 ? 0x80 : 0x7F,
                   (size_t)random_in(0, 300)); /* steps of nearly 2^16 */
        const int p = random_in(0, 3), function = random_in(0, 1), n = random_in(1, 256);
        const struct fmt q = {random_scale(), random_in(-128, 127), random_in(-5, 30)};
        use_profile(p);
        if (use_level((size_t)i % COUNT(levels))) {
            compare(function, T_FX16, &lut, (struct fmt){1, 0, random_in(-20, 50)}, data, n,
                    is_convergent(p));
            compare(function, T_FX8, &lut, (struct fmt){1, 0, random_in(-20, 50)}, data8, n,
                    is_convergent(p));
            compare(function, T_SA8, &lut, q, data8, n, is_convergent(p));
        }
    }
}

/* Each tensor with its own strides; gaps stay; in place; a per-axis out becomes per tensor. */
static void test_strides_and_place(void **state)
{
    (void)state;
    enum { ROWS = 5, ROW = 130, IN = 133, OUT = 140 };
    static int16_t data[ROWS * IN], before[ROWS * IN], result[ROWS * OUT];
    use_profile(0);
    for (int k = 0; k < 6; k++) {
        const enum type type = (enum type)(k % 3);
        const enum function function = (enum function)(k / 3);
        const struct fmt q =
            type == T_SA8 ? (struct fmt){300, 5, 14} : (struct fmt){1, 0, type == T_FX8 ? 5 : 12};
        random_bytes(data, sizeof data);
        memcpy(before, data, sizeof data);
        memset(result, 0x5A, sizeof result);
        const mli_tensor in =
            with_fmt(tensor(types[type], data, SHAPE2(ROWS, ROW), (const int32_t[]){IN, 1}), q);
        mli_tensor out = tensor(types[type], result, SHAPE2(ROWS, ROW), (const int32_t[]){OUT, 1});
        int16_t list16[ROWS] = {0};
        int8_t list8[ROWS] = {0};
        if (type == T_SA8)
            out = with_axis(out, 0, ROWS, list16, list8, list16);
        assert_int_equal(kernels[function][type](&in, &tables[function].lut, &out), MLI_STATUS_OK);
        for (int i = 0; i < ROWS * OUT; i++) {
            const int64_t gap = type == T_FX16 ? 0x5A5A : 0x5A;
            const int64_t x =
                element(types[type], before, i / OUT * IN + (i % OUT < ROW ? i % OUT : 0));
            assert_int_equal(element(types[type], result, i),
                             i % OUT < ROW
                                 ? model_activation(function, type, &tables[function].lut, q, x, 0)
                                 : gap);
        }
        if (type == T_SA8) {
            assert_int_equal(out.el_params.sa.dim, -1);
            assert_int_equal(out.el_params.sa.scale.capacity,
                             2 * ROWS); /* stays (recurrent.md 4) */
        }
        mli_tensor place = in;
        assert_int_equal(
            kernels[function][type](k % 2 ? &in : &place, &tables[function].lut, &place),
            MLI_STATUS_OK);
        for (int i = 0; i < ROWS * IN; i++) {
            const int64_t x = element(types[type], before, i);
            assert_int_equal(element(types[type], data, i),
                             i % IN < ROW
                                 ? model_activation(function, type, &tables[function].lut, q, x, 0)
                                 : x);
        }
    }
}

struct call {
    mli_tensor in, out;
    mli_lut lut;
    const mli_tensor *p_in;
    const mli_lut *p_lut;
    mli_tensor *p_out;
};

static int8_t status_in[8], status_out[8];

static void in_null(struct call *c)
{
    c->p_in = NULL;
}
static void in_small(struct call *c)
{
    c->in.data.capacity = 3;
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
    c->in.data.capacity = c->in.data.capacity == 3 ? 3 : 7;
}
static void both_types(struct call *c)
{
    c->in.el_type = MLI_EL_SA_32;
    c->in.data.capacity = c->in.data.capacity == 3 ? 3 : 1000; /* checked only, never touched */
    c->out.data.capacity = 1000;
    c->out.el_type = c->out.el_type == MLI_EL_SA_8 ? MLI_EL_SA_32 : c->out.el_type;
}
static void in_zero(struct call *c)
{
    c->in.el_params.sa.zero_point.mem.i16 = -129;
}
static void in_axis(struct call *c)
{
    static int16_t list16[2] = {1, 1}, zeros[2];
    static int8_t list8[2];
    zeros[1] = c->in.el_params.sa.zero_point.mem.i16;
    c->in = with_axis(c->in, 0, 2, list16, list8, zeros);
}
static void lut_null(struct call *c)
{
    c->p_lut = NULL;
}
static void lut_data_null(struct call *c)
{
    c->lut.data.mem.pi16 = NULL;
}
static void lut_short(struct call *c)
{
    c->lut.length = 1;
}

static const struct {
    void (*apply)(struct call *);
    mli_status status;
} faults[] = {
    {in_null, MLI_STATUS_BAD_TENSOR},           {in_small, MLI_STATUS_NOT_ENGH_MEM},
    {out_null, MLI_STATUS_BAD_TENSOR},          {out_type, MLI_STATUS_TYPE_MISMATCH},
    {out_shape, MLI_STATUS_SHAPE_MISMATCH},     {in_stride, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {both_types, MLI_STATUS_TYPE_MISMATCH},     {in_zero, MLI_STATUS_INCOMPATEBLE_TENSORS},
    {in_axis, MLI_STATUS_INCOMPATEBLE_TENSORS}, {lut_null, MLI_STATUS_BAD_FUNC_CFG},
    {lut_data_null, MLI_STATUS_BAD_FUNC_CFG},   {lut_short, MLI_STATUS_BAD_FUNC_CFG},
};

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    use_profile(0);
    for (size_t i = 0; i < COUNT(faults); i++) {
        for (size_t j = i; j < COUNT(faults); j++) {
            struct call c;
            memset(&c, 0, sizeof c);
            c.in = with_scale(tensor(MLI_EL_SA_8, status_in, SHAPE2(2, 2), NULL), 3, 1, 0);
            c.out = with_scale(tensor(MLI_EL_SA_8, status_out, SHAPE2(2, 2), NULL), 0, 1,
                               999); /* not looked at */
            c.lut = tables[TANH].lut;
            c.p_in = &c.in, c.p_lut = &c.lut, c.p_out = &c.out;
            assert_int_equal(mli_krn_tanh_sa8(c.p_in, c.p_lut, c.p_out), MLI_STATUS_OK);
            c.out.el_params.sa.zero_point.mem.i16 = 999;
            memset(status_out, 0x5A, sizeof status_out);
            faults[i].apply(&c);
            if (j > i)
                faults[j].apply(&c);
            const mli_tensor before = c.out;
            const mli_status got = mli_krn_tanh_sa8(c.p_in, c.p_lut, c.p_out);
            if (got != faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         faults[i].status);
            assert_memory_equal(&c.out, &before, sizeof before);
            for (size_t k = 0; k < sizeof status_out; k++)
                assert_int_equal(status_out[k], 0x5A);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_8bit),
        cmocka_unit_test(test_16bit),
        cmocka_unit_test(test_own_table),
        cmocka_unit_test(test_strides_and_place),
        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
