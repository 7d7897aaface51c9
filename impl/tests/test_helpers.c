/* mli_hlp_* that read or set fields, or tell facts of the build (numerics.md 4.4, 8.1, 8.2). */
#include "support.h"

static int8_t data[64];

static void test_count(void **state)
{
    (void)state;
    mli_tensor t = tensor(MLI_EL_FX_8, data, 4, (const uint32_t[]){2, 3, 4, 5}, NULL);
    assert_int_equal(mli_hlp_count_elem_num(&t, 0), 120);
    assert_int_equal(mli_hlp_count_elem_num(&t, 2), 20);
    assert_int_equal(mli_hlp_count_elem_num(&t, 3), 5);
    assert_int_equal(mli_hlp_count_elem_num(&t, 4), 0);
    t.rank = 5;
    assert_int_equal(mli_hlp_count_elem_num(&t, 0), 0);
    t.rank = 0;
    assert_int_equal(mli_hlp_count_elem_num(&t, 0), 1);
    assert_int_equal(mli_hlp_count_elem_num(&t, 9), 1);
    t = tensor(MLI_EL_FX_8, data, SHAPE2(0x10000, 0x10001), NULL);
    assert_int_equal(mli_hlp_count_elem_num(&t, 0), 0x10000); /* modulo 2^32 */
}

static void test_element_size(void **state)
{
    (void)state;
    static const struct {
        mli_element_type type;
        uint32_t size;
    } sizes[] = {{MLI_EL_FX_4, 0},  {MLI_EL_FX_8, 1},          {MLI_EL_FX_16, 2},
                 {MLI_EL_SA_8, 1},  {MLI_EL_SA_32, 4},         {MLI_EL_FP_16, 0},
                 {MLI_EL_FP_32, 4}, {(mli_element_type)119, 0}};
    mli_tensor t = tensor(MLI_EL_FX_8, data, SHAPE1(2), NULL);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        t.el_type = sizes[i].type;
        assert_int_equal(mli_hlp_tensor_element_size(&t), sizes[i].size);
    }
}

static void test_parameters(void **state)
{
    (void)state;
    int16_t scales[] = {10, 20, 30}, zeros[] = {-1, -2, -3};
    int8_t bits[] = {4, 5, -6};
    const mli_tensor fx = with_frac(tensor(MLI_EL_FX_16, data, SHAPE1(3), NULL), -7);
    const mli_tensor sa = with_scale(tensor(MLI_EL_SA_32, data, SHAPE1(3), NULL), 99, -8, 300);
    const mli_tensor lists =
        with_axis(tensor(MLI_EL_SA_8, data, SHAPE1(3), NULL), 0, 3, scales, bits, zeros);
    mli_tensor other = sa;
    assert_int_equal(mli_hlp_tensor_scale(&fx, 5), 1);
    assert_int_equal(mli_hlp_tensor_scale_shift(&fx, 5), -7);
    assert_int_equal(mli_hlp_tensor_zero_offset(&fx, 5), 0);
    assert_int_equal(mli_hlp_tensor_scale(&sa, 5), 99);
    assert_int_equal(mli_hlp_tensor_scale_shift(&sa, 5), -8);
    assert_int_equal(mli_hlp_tensor_zero_offset(&sa, 5), 300);
    assert_int_equal(mli_hlp_tensor_scale(&lists, 1), 20);
    assert_int_equal(mli_hlp_tensor_scale_shift(&lists, 2), -6);
    assert_int_equal(mli_hlp_tensor_zero_offset(&lists, 0), -1);
    other.el_type = MLI_EL_FP_32;
    assert_int_equal(mli_hlp_tensor_scale(&other, 0), 1);
    assert_int_equal(mli_hlp_tensor_scale_shift(&other, 0), 0);
    assert_int_equal(mli_hlp_tensor_zero_offset(&other, 0), 0);
    other.el_type = MLI_EL_FX_4;
    assert_int_equal(mli_hlp_tensor_scale(&other, 0), 0);
    assert_int_equal(mli_hlp_tensor_scale_shift(&other, 0), 0);
    assert_int_equal(mli_hlp_tensor_zero_offset(&other, 0), 0);
}

static void test_pointer_comparison(void **state)
{
    (void)state;
    mli_tensor a = tensor(MLI_EL_FX_8, data, SHAPE1(3), NULL);
    mli_tensor b = a;
    assert_true(mli_hlp_tensor_data_ptr_cmp(&a, &b));
    b.data.mem.pi8 = data + 1;
    assert_false(mli_hlp_tensor_data_ptr_cmp(&a, &b));
    b = a;
    b.el_type = MLI_EL_SA_8;
    assert_false(mli_hlp_tensor_data_ptr_cmp(&a, &b));
    b = a;
    b.rank = 0;
    assert_false(mli_hlp_tensor_data_ptr_cmp(&a, &b));
    a.el_type = b.el_type = MLI_EL_FX_4;
    b.rank = 1;
    assert_false(mli_hlp_tensor_data_ptr_cmp(&a, &b));
}

static void test_set_strides(void **state)
{
    (void)state;
    mli_tensor t = tensor(MLI_EL_FX_8, data, SHAPE3(2, 3, 4), (const int32_t[]){99, 98, 97});
    t.mem_stride[3] = 55;
    mli_hlp_set_tensor_mem_strides(&t);
    assert_int_equal(t.mem_stride[0], 12);
    assert_int_equal(t.mem_stride[1], 4);
    assert_int_equal(t.mem_stride[2], 1);
    assert_int_equal(t.mem_stride[3], 55);
    t.rank = 0;
    mli_hlp_set_tensor_mem_strides(&t);
    assert_int_equal(t.mem_stride[0], 12);
}

static void test_build_facts(void **state)
{
    (void)state;
    char expected[128];
    for (int p = 0; p < 4; p++) {
        use_profile(p);
        assert_int_equal(mli_hlp_accu_guard_bits_sa8_sa8(), 16);
        assert_int_equal(mli_hlp_accu_guard_bits_fx16_fx16(), 32);
        assert_int_equal(mli_hlp_accu_guard_bits_fx16_fx8(), 8);
        snprintf(expected, sizeof expected,
                 " MLI_BUILD_REFERENCE=OFF ROUND_MODE=%s MLI_DEBUG_MODE=DBG_MODE_RE",
                 is_convergent(p) ? "CONVERGENT" : "UP");
        assert_memory_equal(mli_hlp_compile_options_string(), expected, strlen(expected));
    }
    needs_checks();
    assert_non_null(strstr(mli_hlp_compile_options_string(), "=DBG_MODE_RET_CODES"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),       cmocka_unit_test(test_element_size),
        cmocka_unit_test(test_parameters),  cmocka_unit_test(test_pointer_comparison),
        cmocka_unit_test(test_set_strides), cmocka_unit_test(test_build_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
