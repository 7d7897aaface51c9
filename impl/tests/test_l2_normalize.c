/* mli_krn_l2_normalize_*: values by hand, random tensors of every rank with every axis against
 * elementwise.md 8, at every level in every profile; sums from 0 to beyond 32 bits, gaps, in place,
 * the format of out, statuses in order. */
#include "group_support.h"

static struct table table;
static struct groups g;

static int set_up(void **state)
{
    (void)state;
    make_table(&table, mli_krn_l2_normalize_create_lut);
    return 0;
}

static int norm_64(int64_t v)
{
    int bits = 0;
    while (v > 0) {
        v /= 2;
        bits++;
    }
    return 63 - bits;
}

/* elementwise.md 8 for element number i: its group is looked for each time. */
static int64_t model(mli_element_type type, int zero, const int16_t *data, uint32_t i, int64_t sum,
                     int convergent)
{
    const int bits = type == MLI_EL_FX_16 ? 16 : 8;
    int k = 48 - norm_64(sum);
    k += k % 2 != 0;
    const int64_t c = model_sat(model_rsh(sum, k, 64, convergent), 16);
    const int64_t r = model_lookup(&table.lut, c, 8, convergent);
    const int shift = 17 + (int)model_floor_div(k + 8, 2) - (bits - 1);
    const int64_t d = element(type, data, place_of(&g, g.in_stride, i)) - zero;
    return model_sat(model_rsh(r * d, shift, 32, convergent), bits);
}

static void model_all(mli_element_type type, int zero, const int16_t *data, int16_t *expected,
                      int convergent)
{
    static int64_t
        sums[GROUP_MAX]; /* of the group whose first element is number i; -1: not known yet */
    static uint32_t first[GROUP_MAX];
    memset(sums, 0xFF, sizeof sums);
    for (uint32_t i = 0; i < g.count; i++)
        first[i] = UINT32_MAX;
    for (uint32_t i = 0; i < g.count; i++) {
        for (uint32_t j = i; j < g.count && first[i] == UINT32_MAX; j++) {
            if (!same_group(&g, i, j))
                continue;
            const int64_t d = element(type, data, place_of(&g, g.in_stride, j)) - zero;
            sums[i] = (sums[i] < 0 ? 0 : sums[i]) + d * d;
            if (j > i)
                first[j] = i;
        }
        expected[i] = (int16_t)model(type, zero, data, i,
                                     sums[first[i] == UINT32_MAX ? i : first[i]], convergent);
    }
}

static mli_status run(mli_element_type type, const mli_tensor *in, const mli_l2_normalize_cfg *cfg,
                      mli_tensor *out)
{
    return type == MLI_EL_FX_16 ? mli_krn_l2_normalize_fx16(in, NULL, &table.lut, cfg, out)
                                : mli_krn_l2_normalize_sa8(in, in, &table.lut, cfg, out);
}

static void check_format(const mli_tensor *out)
{
    if (out->el_type == MLI_EL_FX_16) {
        assert_int_equal(out->el_params.fx.frac_bits, 15);
        return;
    }
    assert_int_equal(out->el_params.sa.scale.mem.i16, 1);
    assert_int_equal(out->el_params.sa.scale_frac_bits.mem.i8, 7);
    assert_int_equal(out->el_params.sa.zero_point.mem.i16, 0);
    assert_int_equal(out->el_params.sa.dim, -1);
    assert_int_equal(out->el_params.sa.type, 0);
}

static void run_problem(mli_element_type type, struct fmt q, int profile)
{
    static int16_t expected[GROUP_MAX], gaps[GROUP_MAX];
    const mli_l2_normalize_cfg cfg = {g.axis};
    const mli_tensor in = with_fmt(tensor(type, g.in, g.rank, g.shape, g.in_stride), q);
    mli_tensor out =
        with_fmt(tensor(type, g.out, g.rank, g.shape, g.out_stride), (struct fmt){77, 7, 3});
    use_profile(profile);
    model_all(type, type == MLI_EL_SA_8 ? q.z : 0, g.in, expected, is_convergent(profile));
    memset(g.out, GAP, sizeof g.out);
    memset(gaps, GAP, sizeof gaps);
    assert_int_equal(run(type, &in, &cfg, &out), MLI_STATUS_OK);
    compare_groups(&g, type, g.out, g.out_stride, expected, gaps);
    check_format(&out);
    mli_tensor place = in;
    memcpy(g.before, g.in, sizeof g.before);
    assert_int_equal(run(type, random_in(0, 1) ? &in : &place, &cfg, &place), MLI_STATUS_OK);
    compare_groups(&g, type, g.in, g.in_stride, expected, g.before);
    check_format(&place);
}

/* elementwise.md 8, examples. */
static void test_examples(void **state)
{
    (void)state;
    static const struct {
        int16_t in[2], up[2], convergent[2];
    } cases[] = {
        {{3, 4}, {19661, 26214}, {19660, 26214}},
        {{1, 0}, {32767, 0}, {32767, 0}},
        {{-1, 0}, {-32768, 0}, {-32768, 0}},
        {{32767, 32767}, {23169, 23169}, {23169, 23169}},
        {{0, 0}, {0, 0}, {0, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int p = 0; p < 4; p++) {
            int16_t data[2] = {cases[i].in[0], cases[i].in[1]}, result[2];
            const int16_t *expected = is_convergent(p) ? cases[i].convergent : cases[i].up;
            const mli_tensor in =
                with_frac(tensor(MLI_EL_FX_16, data, SHAPE2(1, 2), NULL), random_in(-128, 127));
            mli_tensor out = tensor(MLI_EL_FX_16, result, SHAPE2(1, 2), NULL);
            const mli_l2_normalize_cfg cfg = {1};
            use_profile(p);
            assert_int_equal(run(MLI_EL_FX_16, &in, &cfg, &out), MLI_STATUS_OK);
            assert_true(result[0] == expected[0] && result[1] == expected[1]);
        }
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < 800; i++) {
        const mli_element_type type = i % 2 ? MLI_EL_FX_16 : MLI_EL_SA_8;
        const struct fmt q = {random_scale(), random_in(-128, 127), random_in(-128, 127)};
        const int cut = random_in(0, 15);
        random_groups(&g, i % 20 ? 600 : 3000, i % 3);
        random_bytes(g.in, sizeof g.in);
        for (int k = 0; type == MLI_EL_FX_16 && k < GROUP_MAX; k++)
            g.in[k] = (int16_t)(g.in[k] / (1 << cut)); /* sums of all sizes */
        for (int k = 0; type == MLI_EL_SA_8 && i % 4 == 0 && k < 2 * GROUP_MAX; k++)
            ((int8_t *)g.in)[k] = (int8_t)(k % 7 ? q.z : ((int8_t *)g.in)[k]); /* mostly 0 */
        if (use_level((size_t)i % COUNT(levels)))
            run_problem(type, q, random_in(0, 3));
    }
}

/* Sums beyond 32 bits, of the largest squares that there are, in one group and at odd lengths. */
static void test_large(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        g.rank = 1, g.count = g.shape[0] = (uint32_t)(20000 + i),
        g.in_stride[0] = g.out_stride[0] = 1;
        g.axis = i % 2 - 1;
        for (int k = 0; k < GROUP_MAX; k++)
            g.in[k] = i % 3 ? INT16_MIN : (int16_t)random_bits();
        if (use_level((size_t)i % COUNT(levels)))
            run_problem(i % 4 ? MLI_EL_FX_16 : MLI_EL_SA_8, (struct fmt){1, 127, 0}, i % 4);
    }
}

static void test_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        many_lines(&g);
        if (use_level((size_t)(i / 2) % COUNT(levels)))
            run_problem(i % 2 ? MLI_EL_FX_16 : MLI_EL_SA_8, (struct fmt){1, 27, 0}, i % 4);
    }
}

/* A table of someone's own: no result to expect, but nothing outside of memory. */
static void test_strange_tables(void **state)
{
    (void)state;
    static int16_t entries[400];
    int16_t in16[20], out16[20];
    for (int i = 0; i < 300; i++) {
        random_bytes(entries, sizeof entries);
        random_bytes(in16, sizeof in16);
        mli_lut lut = table.lut;
        lut.data.mem.pi16 = entries;
        lut.length = random_in(2, 400);
        lut.input_offset = i % 2 ? random_in(-500, 500) : (int32_t)random_bits();
        lut.in_frac_bits = i % 5 ? random_in(-5, 20) : (int32_t)random_bits();
        const mli_l2_normalize_cfg cfg = {-1};
        const mli_tensor in = with_frac(tensor(MLI_EL_FX_16, in16, SHAPE1(20), NULL), 8);
        mli_tensor out = tensor(MLI_EL_FX_16, out16, SHAPE1(20), NULL);
        assert_int_equal(mli_krn_l2_normalize_fx16(&in, NULL, &lut, &cfg, &out), MLI_STATUS_OK);
    }
}

static mli_status run_call(const struct group_call *c)
{
    return mli_krn_l2_normalize_sa8(c->p_in, NULL, c->p_lut, c->p_cfg, c->p_out);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    use_profile(0);
    check_group_faults(&table.lut, run_call);
    /* Undefined in the original, refused here. */
    int16_t data[2] = {3, 4}, result[2];
    const mli_tensor in = tensor(MLI_EL_FX_16, data, SHAPE1(2), NULL);
    mli_tensor out = tensor(MLI_EL_FX_16, result, SHAPE1(2), NULL);
    const mli_l2_normalize_cfg cfg = {-2};
    assert_int_equal(run(MLI_EL_FX_16, &in, &cfg, &out), MLI_STATUS_BAD_FUNC_CFG);
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
