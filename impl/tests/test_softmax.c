/* mli_krn_softmax_*: values by hand, random tensors of every rank with every axis against
 * elementwise.md 7, at every level in every profile; gaps, in place, large groups, the format of
 * out, statuses in order. */
#include "group_support.h"

static struct table table;
static struct groups g;

static int set_up(void **state)
{
    (void)state;
    make_table(&table, mli_krn_softmax_create_lut);
    return 0;
}

/* elementwise.md 7 for one group; x: its n containers. */
static void model_group(enum type type, struct fmt q, const int16_t *x, uint32_t n, int16_t *out,
                        int convergent)
{
    static int64_t e[GROUP_MAX];
    int64_t largest = x[0], sum = 0;
    for (uint32_t i = 0; i < n; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (uint32_t i = 0; i < n; i++) {
        if (type == T_SA8)
            e[i] = model_lookup(&table.lut,
                                model_rsh((x[i] - largest) * q.s, q.f - 13, 32, convergent), 13,
                                convergent);
        else
            e[i] = model_lookup(&table.lut, x[i] - largest, q.f, convergent);
        sum += e[i];
    }
    const int norm = model_norm(sum, 32);
    const int64_t m = model_sat(model_rsh(sum, 16 - norm, 32, convergent), 16);
    const int64_t rec = (1 << 29) / m < 32767 ? (1 << 29) / m : 32767;
    for (uint32_t i = 0; i < n; i++)
        if (type == T_FX8)
            out[i] = 0;
        else if (type == T_SA8)
            out[i] = (int16_t)model_sat(
                model_rsh(rec * e[i], 37 - norm < 31 ? 37 - norm : 31, 32, convergent) - 128, 8);
        else
            out[i] = (int16_t)model_sat(model_rsh(rec * e[i], 30 - norm, 32, convergent), 16);
}

/* All groups: expected[i] for element number i. */
static void model_all(enum type type, mli_element_type el_type, struct fmt q, const int16_t *data,
                      int16_t *expected, int convergent)
{
    static uint8_t done[GROUP_MAX];
    static int16_t x[GROUP_MAX], y[GROUP_MAX];
    static uint32_t member[GROUP_MAX];
    memset(done, 0, sizeof done);
    for (uint32_t i = 0; i < g.count; i++) {
        uint32_t n = 0;
        for (uint32_t j = i; j < g.count && !done[i]; j++) {
            if (same_group(&g, i, j)) {
                member[n] = j;
                x[n++] = (int16_t)element(el_type, data, place_of(&g, g.in_stride, j));
            }
        }
        if (n > 0)
            model_group(type, q, x, n, y, convergent);
        for (uint32_t k = 0; k < n; k++) {
            expected[member[k]] = y[k];
            done[member[k]] = 1;
        }
    }
}

static mli_status run(enum type type, const mli_tensor *in, const mli_softmax_cfg *cfg,
                      mli_tensor *out)
{
    return type == T_FX8    ? mli_krn_softmax_fx8(in, &table.lut, cfg, out)
           : type == T_FX16 ? mli_krn_softmax_fx16(in, &table.lut, cfg, out)
                            : mli_krn_softmax_sa8(in, &table.lut, cfg, out);
}

static const mli_element_type types[] = {MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_8};

static void check_format(enum type type, const mli_tensor *out)
{
    if (type != T_SA8) {
        assert_int_equal(out->el_params.fx.frac_bits, type == T_FX8 ? 7 : 15);
        return;
    }
    assert_int_equal(out->el_params.sa.scale.mem.i16, 1);
    assert_int_equal(out->el_params.sa.scale_frac_bits.mem.i8, 8);
    assert_int_equal(out->el_params.sa.zero_point.mem.i16, -128);
    assert_int_equal(out->el_params.sa.dim, -1);
    assert_int_equal(out->el_params.sa.type, 0);
}

/* The problem in g: out of place, then in place. */
static void run_problem(enum type type, struct fmt q, int profile)
{
    static int16_t expected[GROUP_MAX], gaps[GROUP_MAX];
    const mli_softmax_cfg cfg = {g.axis < 0 ? -random_in(1, 5) : g.axis};
    const mli_tensor in = with_fmt(tensor(types[type], g.in, g.rank, g.shape, g.in_stride), q);
    mli_tensor out =
        with_fmt(tensor(types[type], g.out, g.rank, g.shape, g.out_stride), (struct fmt){77, 7, 3});
    use_profile(profile);
    model_all(type, types[type], q, g.in, expected, is_convergent(profile));
    memset(g.out, GAP, sizeof g.out);
    memset(gaps, GAP, sizeof gaps);
    assert_int_equal(run(type, &in, &cfg, &out), MLI_STATUS_OK);
    compare_groups(&g, types[type], g.out, g.out_stride, expected, gaps);
    check_format(type, &out);
    mli_tensor place = in;
    memcpy(g.before, g.in, sizeof g.before);
    assert_int_equal(run(type, random_in(0, 1) ? &in : &place, &cfg, &place), MLI_STATUS_OK);
    compare_groups(&g, types[type], g.in, g.in_stride, expected, g.before);
    check_format(type, &place);
}

/* elementwise.md 7, examples. */
static void test_examples(void **state)
{
    (void)state;
    int8_t in8[] = {10, 20, 30, 40}, out8[4];
    int16_t in16[] = {500, 500, 500}, out16[3];
    const mli_softmax_cfg cfg = {0};
    const mli_tensor in_sa = with_scale(tensor(MLI_EL_SA_8, in8, SHAPE1(4), NULL), 1, 3, 0);
    const mli_tensor in_one = with_scale(tensor(MLI_EL_SA_8, in8, SHAPE1(1), NULL), 1, 3, 0);
    const mli_tensor in_fx = with_frac(tensor(MLI_EL_FX_16, in16, SHAPE1(3), NULL), 8);
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        mli_tensor out_sa = tensor(MLI_EL_SA_8, out8, SHAPE1(4), NULL);
        mli_tensor out_one = tensor(MLI_EL_SA_8, out8, SHAPE1(1), NULL);
        mli_tensor out_fx = tensor(MLI_EL_FX_16, out16, SHAPE1(3), NULL);
        assert_int_equal(mli_krn_softmax_sa8(&in_sa, &table.lut, &cfg, &out_sa), MLI_STATUS_OK);
        assert_true(out8[0] == -124 && out8[1] == -113 && out8[2] == -75 && out8[3] == 56);
        assert_int_equal(mli_krn_softmax_sa8(&in_one, &table.lut, &cfg, &out_one), MLI_STATUS_OK);
        assert_int_equal(out8[0], 127);
        assert_int_equal(mli_krn_softmax_fx16(&in_fx, &table.lut, &cfg, &out_fx), MLI_STATUS_OK);
        assert_true(out16[0] == 10923 && out16[1] == 10923 && out16[2] == 10923);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++) {
        const enum type type = i % 8 == 0 ? T_FX8 : i % 2 ? T_FX16 : T_SA8;
        struct fmt q = {1, 0, i % 5 ? random_in(0, 16) : random_in(-128, 127)};
        if (type == T_SA8)
            q = (struct fmt){random_scale(), random_in(-128, 127),
                             i % 5 ? random_in(0, 20) : random_in(-128, 127)};
        random_groups(&g, i % 20 ? 600 : 3000, i % 3);
        random_bytes(g.in, sizeof g.in);
        for (int k = 0; i % 4 == 0 && k < GROUP_MAX; k++)
            g.in[k] = (int16_t)(g.in[k] & 0x0F0F); /* near each other */
        if (use_level((size_t)i % COUNT(levels)))
            run_problem(type, q, random_in(0, 3));
    }
}

/* One group of many elements, and of as many as 32 bits can add up. */
static void test_large(void **state)
{
    (void)state;
    static int16_t data[65538], result[65538];
    random_bytes(g.in, sizeof g.in);
    g.rank = 1, g.count = g.shape[0] = 20000, g.in_stride[0] = g.out_stride[0] = 1, g.axis = 0;
    for (int i = 0; i < 6; i++)
        if (use_level((size_t)i % COUNT(levels)))
            run_problem(i % 2 ? T_FX16 : T_SA8, (struct fmt){i % 2 ? 1 : 300, 0, 13}, i % 4);
    /* Equal elements. S = n * 32767; of 65538 the reciprocal is 16384 * 2^-30, a little too small
     * for half a step. */
    static const struct {
        uint32_t n;
        int16_t each;
    } equal[] = {{40000, 1}, {65538, 0}};
    const mli_softmax_cfg cfg = {-1};
    use_profile(0);
    for (size_t k = 0; k < COUNT(equal); k++) {
        const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, data, SHAPE1(equal[k].n), NULL), 4);
        mli_tensor out = tensor(MLI_EL_FX_16, result, SHAPE1(equal[k].n), NULL);
        assert_int_equal(mli_krn_softmax_fx16(&in, &table.lut, &cfg, &out), MLI_STATUS_OK);
        for (uint32_t i = 0; i < equal[k].n; i++)
            assert_int_equal(result[i], equal[k].each);
    }
}

static void test_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        many_lines(&g);
        if (use_level((size_t)(i / 2) % COUNT(levels)))
            run_problem(i % 2 ? T_FX16 : T_SA8, (struct fmt){i % 2 ? 1 : 300, 0, 13}, i % 4);
    }
}

/* No table of create_lut: nothing can be said of the results, but none may lead out of memory or
 * divide by 0. */
static void test_strange_tables(void **state)
{
    (void)state;
    static int16_t entries[400];
    int8_t in8[100], out8[100];
    int16_t in16[100], out16[100];
    random_bytes(in8, sizeof in8), random_bytes(in16, sizeof in16);
    for (int i = 0; i < 300; i++) {
        random_bytes(entries, sizeof entries);
        if (i % 3 == 0)
            memset(entries, i % 2 ? 0 : 0xFF, sizeof entries);
        mli_lut lut = table.lut;
        lut.data.mem.pi16 = entries;
        lut.length = random_in(2, 400);
        lut.input_offset = i % 2 ? random_in(-500, 500) : (int32_t)random_bits();
        lut.in_frac_bits = i % 5 ? random_in(-5, 20) : (int32_t)random_bits();
        const uint32_t n = i % 4 ? 100 : 5;
        const mli_softmax_cfg cfg = {-1};
        const mli_tensor in_sa =
            with_scale(tensor(MLI_EL_SA_8, in8, SHAPE1(n), NULL), random_scale(), 9, 0);
        const mli_tensor in_fx = with_frac(tensor(MLI_EL_FX_16, in16, SHAPE1(n), NULL), 8);
        mli_tensor out_sa = tensor(MLI_EL_SA_8, out8, SHAPE1(n), NULL);
        mli_tensor out_fx = tensor(MLI_EL_FX_16, out16, SHAPE1(n), NULL);
        assert_int_equal(mli_krn_softmax_sa8(&in_sa, &lut, &cfg, &out_sa), MLI_STATUS_OK);
        assert_int_equal(mli_krn_softmax_fx16(&in_fx, &lut, &cfg, &out_fx), MLI_STATUS_OK);
    }
}

static mli_status run_call(const struct group_call *c)
{
    return mli_krn_softmax_sa8(c->p_in, c->p_lut, c->p_cfg, c->p_out);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    use_profile(0);
    check_group_faults(&table.lut, run_call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),       cmocka_unit_test(test_random),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_lines),
        cmocka_unit_test(test_strange_tables), cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
