/* Scale arithmetic of quant.h against numerics.md 5 and 6 written out, and the checks of check.h.
 */
#include "support.h"

#include "check.h"
#include "quant.h"

static void test_parameters(void **state)
{
    (void)state;
    int8_t data[4] = {0};
    int16_t scales[] = {1, 2, 3}, zeros[] = {-4, 5, 6};
    int8_t bits[] = {7, -8, 9};
    const mli_tensor fx = with_frac(tensor(MLI_EL_FX_8, data, SHAPE1(3), NULL), -5);
    const mli_tensor sa = with_scale(tensor(MLI_EL_SA_8, data, SHAPE1(3), NULL), 77, -3, 20);
    const mli_tensor lists =
        with_axis(tensor(MLI_EL_SA_8, data, SHAPE1(3), NULL), 0, 3, scales, bits, zeros);
    const struct lb_mli_quant a = lb_mli_quant_at(&fx, 9);
    assert_true(a.scale == 1 && a.zero == 0 && a.shift == -5);
    const struct lb_mli_quant b = lb_mli_quant_at(&sa, 9);
    assert_true(b.scale == 77 && b.zero == 20 && b.shift == -3);
    const struct lb_mli_quant c = lb_mli_quant_at(&lists, 1);
    assert_true(c.scale == 2 && c.zero == 5 && c.shift == -8);
}

/* mul * 2^-shift ~ num / den with a mantissa of 15 bits; the formula of elementwise.md 5. */
static void test_ratio(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const int32_t num = i % 2 ? random_in(1, 32767) : random_in(1, 32767) * random_in(1, 32767);
        const int32_t den = random_in(1, 32767);
        for (int r = 0; r < 2; r++) {
            const int n = model_norm(num, 32);
            int64_t mantissa;
            int exponent;
            model_norm_cast(((int64_t)num << n) / den, r, &mantissa, &exponent);
            const struct lb_mli_factor f =
                lb_mli_ratio(num, den, r ? LB_MLI_CONVERGENT : LB_MLI_UP);
            assert_int_equal(f.mul, mantissa);
            assert_int_equal(f.shift, n - exponent);
            assert_in_range((uintmax_t)f.mul, 16384, 32767);
        }
    }
}

static void test_fit_shift(void **state)
{
    (void)state;
    const struct lb_mli_factor f = {20001, 25};
    const struct lb_mli_factor same = lb_mli_fit_shift(f, -31, 31, LB_MLI_UP);
    assert_true(same.mul == 20001 && same.shift == 25);
    const struct lb_mli_factor cut = lb_mli_fit_shift(f, -31, 23, LB_MLI_UP);
    assert_true(cut.mul == 5000 && cut.shift == 23);
    const struct lb_mli_factor gone =
        lb_mli_fit_shift((struct lb_mli_factor){20001, 200}, -31, 23, LB_MLI_UP);
    assert_true(gone.mul == 0 && gone.shift == 23);
    const struct lb_mli_factor low =
        lb_mli_fit_shift((struct lb_mli_factor){20001, -40}, -31, 23, LB_MLI_UP);
    assert_true(low.mul == 32767 && low.shift == -31);
}

/* numerics.md 5.1 step by step. */
static void test_requant(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const struct lb_mli_quant a = {random_in(1, 32767), random_in(-32768, 32767),
                                       random_in(-128, 127)};
        const struct lb_mli_quant b = {random_in(1, 32767), random_in(-32768, 32767),
                                       random_in(-128, 127)};
        for (int r = 0; r < 2; r++) {
            const int k = model_norm(a.scale, 32) - model_norm(b.scale, 16);
            int64_t scale;
            int m;
            model_norm_cast(((int64_t)a.scale << k) / b.scale, r, &scale, &m);
            const int shift = k + a.shift - b.shift - m;
            const int64_t moved = model_sat(model_rsh(scale * a.zero, shift, 32, r), 16);
            const struct lb_mli_requant q = lb_mli_requant(a, b, r ? LB_MLI_CONVERGENT : LB_MLI_UP);
            assert_int_equal(q.scale, scale);
            assert_int_equal(q.shift, shift);
            assert_int_equal(q.offset, model_sat(b.zero - moved, 16));
        }
    }
}

struct limit {
    mli_relu_type type;
    int scale, zero, shift, lo, hi;
};

/* elementwise.md 3, numerics.md 6: thresholds, truncation, the container's limit that still gets
 * the zero point. */
static void test_relu_range(void **state)
{
    (void)state;
    static const struct limit limits[] = {
        {MLI_RELU_NONE, 1, 0, 0, -128, 127},
        {(mli_relu_type)77, 1, 0, 0, -128, 127},
        {MLI_RELU_GEN, 1, 5, 0, 5, 127},
        {MLI_RELU_GEN, 1, -128, 0, -128, 127},
        {MLI_RELU_6, 5, 0, 3, 0, 9},
        {MLI_RELU_6, 1, 10, 4, 10, 106},
        {MLI_RELU_6, 1, 0, -1, 0, 3},
        {MLI_RELU_6, 1, 0, -2, 0, 1},
        {MLI_RELU_6, 1, 7, -3, 7, 7},
        {MLI_RELU_6, 1, 0, -128, 0, 0},
        {MLI_RELU_6, 25000, 0, 15, 0, 7},
        {MLI_RELU_6, 32767, -128, 27, -128, 127},
        {MLI_RELU_6, 32767, -128, 28, -128, -1},
        {MLI_RELU_6, 1, 0, 127, 0, 127},
        {MLI_RELU_1, 1, 0, 4, -16, 16},
        {MLI_RELU_1, 3, 10, 4, 5, 15},
        {MLI_RELU_1, 1, 0, -1, 0, 0},
        {MLI_RELU_1, 1, 0, 30, -127, 127},
        {MLI_RELU_1, 1, 100, 6, 36, 127},
        {MLI_RELU_1, 1, -100, 6, -128, -36},
        {MLI_RELU_1, 32767, 5, 29, -128, 127},
    };
    for (size_t i = 0; i < COUNT(limits); i++) {
        const struct limit *l = &limits[i];
        const struct lb_mli_range r = lb_mli_relu_range(
            l->type, (struct lb_mli_quant){l->scale, l->zero, l->shift}, LB_MLI_RANGE_8);
        if (r.lo != l->lo || r.hi != l->hi)
            fail_msg("limit %zu: %d..%d, should be %d..%d", i, r.lo, r.hi, l->lo, l->hi);
    }
    const struct lb_mli_range wide =
        lb_mli_relu_range(MLI_RELU_1, (struct lb_mli_quant){1, 0, 30}, LB_MLI_RANGE_16);
    assert_true(wide.lo == -32767 && wide.hi == 32767);
}

static void test_check_tensor(void **state)
{
    (void)state;
    int16_t data[24] = {0};
    const mli_tensor good = tensor(MLI_EL_FX_16, data, SHAPE2(4, 3), (const int32_t[]){6, 1});
    assert_int_equal(lb_mli_check_tensor(&good), MLI_STATUS_OK);
    assert_int_equal(lb_mli_check_tensor(NULL), MLI_STATUS_BAD_TENSOR);
    mli_tensor t = good;
    t.data.mem.pi16 = NULL;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = good;
    t.rank = 5;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = good;
    t.data.capacity = UINT32_C(0x80000000);
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = good;
    t.shape[0] = 0;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t.shape[0] = UINT32_C(0x80000000);
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = good;
    t.mem_stride[1] = 0;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = good;
    t.mem_stride[0] = 2; /* below 3 * 1 */
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = good;
    t.data.capacity = 2 * (3 * 6 + 2 + 1);
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_OK);
    t.data.capacity--;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_NOT_ENGH_MEM);
    t = tensor(MLI_EL_FX_16, data, SHAPE1(1), NULL);
    for (uint32_t capacity = 0; capacity < 4; capacity++) {
        t.data.capacity = capacity;
        t.rank = 1;
        assert_int_equal(lb_mli_check_tensor(&t),
                         capacity < 2 ? MLI_STATUS_NOT_ENGH_MEM : MLI_STATUS_OK);
        t.rank = 0;
        assert_int_equal(lb_mli_check_tensor(&t),
                         capacity < 2 ? MLI_STATUS_NOT_ENGH_MEM : MLI_STATUS_OK);
    }
    /* Shapes whose products leave 64 bits are too large, not wrapped round to fitting. */
    t = tensor(MLI_EL_FX_16, data, 4, (const uint32_t[]){1, 1, 1, 1}, NULL);
    for (int d = 0; d < 4; d++) {
        t.shape[d] = INT32_MAX;
        t.mem_stride[d] = d == 3 ? 1 : INT32_MAX;
    }
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_BAD_TENSOR);
    t = tensor(MLI_EL_FX_16, data, SHAPE2(2, 1), NULL);
    t.mem_stride[0] = INT32_MAX;
    t.shape[0] = INT32_MAX;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_NOT_ENGH_MEM);
    /* Entries from rank on do not count; a type without a size has room anywhere. */
    t = good;
    t.shape[3] = 0;
    t.mem_stride[2] = -1;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_OK);
    t.el_type = MLI_EL_FX_4;
    t.data.capacity = 0;
    assert_int_equal(lb_mli_check_tensor(&t), MLI_STATUS_OK);
}

static void test_check_quant(void **state)
{
    (void)state;
    int8_t data[3] = {0};
    const mli_tensor good = with_scale(tensor(MLI_EL_SA_8, data, SHAPE1(3), NULL), 5, 1, 127);
    assert_int_equal(lb_mli_check_quant(&good, LB_MLI_ZERO_8BIT), MLI_STATUS_OK);
    mli_tensor t = with_scale(good, 0, 1, 500);
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_8BIT), MLI_STATUS_BAD_TENSOR);
    t = with_scale(good, 5, 1, 128);
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_8BIT), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_16BIT), MLI_STATUS_OK);
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_NONE), MLI_STATUS_INCOMPATEBLE_TENSORS);
    t = good;
    t.el_params.sa.scale.capacity = 2;
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_8BIT), MLI_STATUS_BAD_TENSOR);

    int16_t scales[] = {1, 2, 3}, zeros[] = {0, 0, 0};
    int8_t bits[] = {0, 0, 0};
    const mli_tensor lists = with_axis(good, 0, 3, scales, bits, zeros);
    assert_int_equal(lb_mli_check_quant(&lists, LB_MLI_ZERO_NONE), MLI_STATUS_OK);
    t = lists;
    t.el_params.sa.dim = 1;
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_NONE), MLI_STATUS_BAD_TENSOR);
    t = lists;
    t.el_params.sa.zero_point.capacity = 5;
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_NONE), MLI_STATUS_BAD_TENSOR);
    t = lists;
    t.el_params.sa.scale_frac_bits.mem.pi8 = NULL;
    assert_int_equal(lb_mli_check_quant(&t, LB_MLI_ZERO_NONE), MLI_STATUS_BAD_TENSOR);
    zeros[1] = 1; /* entry by entry: this one is met before the bad scale */
    scales[2] = -1;
    assert_int_equal(lb_mli_check_quant(&lists, LB_MLI_ZERO_NONE), MLI_STATUS_INCOMPATEBLE_TENSORS);
    const mli_tensor fx = tensor(MLI_EL_FX_8, data, SHAPE1(3), NULL);
    assert_int_equal(lb_mli_check_quant(&fx, LB_MLI_ZERO_NONE), MLI_STATUS_OK);
}

static void test_predicates(void **state)
{
    (void)state;
    int8_t data[40] = {0};
    mli_tensor a = tensor(MLI_EL_FX_8, data, SHAPE1(10), NULL);
    mli_tensor b = tensor(MLI_EL_FX_8, data + 10, SHAPE1(10), NULL);
    assert_false(lb_mli_overlap(&a, &b)); /* touching ends */
    assert_false(lb_mli_overlap(&b, &a));
    a.data.capacity = 11; /* what counts is what is declared */
    assert_true(lb_mli_overlap(&a, &b));
    assert_true(lb_mli_overlap(&b, &a));
    assert_true(lb_mli_overlap(&a, &a));
    mli_tensor far = a;
    far.data.mem.pi8 =
        (int8_t *)((uintptr_t)data + ((uintptr_t)1 << 32)); /* only compared, never read */
    assert_false(lb_mli_overlap(&a, &far));

    const mli_tensor c = tensor(MLI_EL_FX_8, data, SHAPE2(1, 3), (const int32_t[]){5, 1});
    assert_false(lb_mli_is_dense(&c)); /* also where the extent is 1 */
    assert_true(lb_mli_inner_dense(&c));
    const mli_tensor d = tensor(MLI_EL_FX_8, data, SHAPE2(2, 3), NULL);
    assert_true(lb_mli_is_dense(&d));
    assert_false(lb_mli_same_shape(&c, &d));
    assert_false(lb_mli_same_shape(&a, &d));
    mli_tensor huge = d;
    huge.shape[0] = huge.shape[1] = UINT32_C(0x10000);
    assert_true(lb_mli_count(&huge) == UINT64_C(0x100000000)); /* 32 bits would say 0 */
    const mli_tensor one = tensor(MLI_EL_FX_8, data, SHAPE2(1, 1), NULL);
    assert_true(lb_mli_is_scalar(&one));
    assert_false(lb_mli_is_scalar(&d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),  cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_fit_shift),   cmocka_unit_test(test_requant),
        cmocka_unit_test(test_relu_range),  cmocka_unit_test(test_check_tensor),
        cmocka_unit_test(test_check_quant), cmocka_unit_test(test_predicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
