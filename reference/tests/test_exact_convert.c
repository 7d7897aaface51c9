/* Conversion: hand-computed elements of every kind of pair, the quirks of numerics.md 7, the order
 * of its checks. */
#include "tensors.h"

#include <math.h>

enum { UP = 0, CONVERGENT = 2 };

static lb_call convert_call(lb_tensor *src, lb_tensor *dst)
{
    lb_call call = make_call("mli_hlp_convert_tensor");
    set_role(&call, LB_ROLE_IN, src);
    set_role(&call, LB_ROLE_OUT, dst);
    return call;
}

/* One container to another format. */
static int32_t convert_one(uint32_t from_type, lb_quant from, int32_t x, uint32_t to_type,
                           lb_quant to, int profile)
{
    int32_t source = 0;
    int32_t result = 0;
    lb_tensor src = make_sa(from_type, from, SHAPE(1), &source);
    lb_tensor dst = make_sa(to_type, to, SHAPE(1), &result);
    src.frac_bits = (int8_t)from.frac;
    dst.frac_bits = (int8_t)to.frac;
    lb_store(&src, 0, x);
    lb_call call = convert_call(&src, &dst);
    assert_string_equal(run(&call, profile), "");
    return lb_load(&dst, 0);
}

static void test_fx_to_fx(void **state)
{
    (void)state;
    static const struct {
        int from_frac, x, to_frac, up, convergent;
    } rows[] = {
        {0, 77, 6, 127, 127},    {0, -128, 6, -128, -128}, {5, -41, 3, -10, -10},
        {5, 42, 3, 11, 10},      {5, 74, 3, 19, 18},       {5, 126, 3, 32, 32},
        {127, -128, -128, 0, 0}, {-128, 1, 127, 127, 127},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lb_quant from = {1, rows[i].from_frac, 0};
        lb_quant to = {1, rows[i].to_frac, 0};
        assert_int_equal(convert_one(LB_FX8, from, rows[i].x, LB_FX8, to, UP), rows[i].up);
        assert_int_equal(convert_one(LB_FX8, from, rows[i].x, LB_FX8, to, CONVERGENT),
                         rows[i].convergent);
    }
}

/* x - z1 saturates at 16 bits, and the zero point is added after rounding: a tie looks at the
 * parity before it. */
static void test_sa8(void **state)
{
    (void)state;
    lb_quant one = {1, 0, 0};
    assert_int_equal(convert_one(LB_FX16, one, 32767, LB_SA8, (lb_quant){1, -14, 0}, UP), 2);
    lb_quant far = {1, 0, -32768};
    assert_int_equal(convert_one(LB_SA8, far, 127, LB_FX16, one, UP), 32767);
    /* 5 halves, zero point 1: 2.5 is 2 or 3, then 1 is added */
    assert_int_equal(convert_one(LB_FX8, (lb_quant){1, 1, 0}, 5, LB_SA8, (lb_quant){1, 0, 1}, UP),
                     4);
    assert_int_equal(
        convert_one(LB_FX8, (lb_quant){1, 1, 0}, 5, LB_SA8, (lb_quant){1, 0, 1}, CONVERGENT), 3);
    /* 100 - 10 = 90, times 20000/25000 = 72, minus 7 */
    assert_int_equal(
        convert_one(LB_SA8, (lb_quant){20000, 15, 10}, 100, LB_SA8, (lb_quant){25000, 15, -7}, UP),
        65);
}

/* Of the 64-bit product the high half alone is kept. */
static void test_sa32(void **state)
{
    (void)state;
    lb_quant one = {1, 0, 0};
    static const struct {
        int32_t x, y;
    } rows[] = {{INT32_MAX, INT32_MAX - 3},
                {536870911, 536870911},
                {536870913, 536870912},
                {0, 0},
                {-1, -1},
                {-536870911, -536870911},
                {INT32_MIN, INT32_MIN}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(convert_one(LB_SA32, one, rows[i].x, LB_SA32, one, UP), rows[i].y);
    assert_int_equal(convert_one(LB_SA32, one, 1000, LB_SA8, one, UP), 127);
    assert_int_equal(convert_one(LB_FX16, (lb_quant){1, 2, 0}, -6, LB_SA32, one, UP),
                     -1); /* -1.5 */
    assert_int_equal(convert_one(LB_FX16, (lb_quant){1, 2, 0}, -6, LB_SA32, one, CONVERGENT), -2);
    /* a left shift saturates before the zero point is added */
    assert_int_equal(
        convert_one(LB_SA32, (lb_quant){1, -8, 0}, 1 << 30, LB_SA32, (lb_quant){1, 0, -1}, UP),
        INT32_MAX - 1);
}

static int32_t quantize_one(float x, uint32_t to_type, lb_quant to)
{
    int32_t result = 0;
    lb_tensor src = make_tensor(LB_FP32, SHAPE(1), &x);
    lb_tensor dst = make_sa(to_type, to, SHAPE(1), &result);
    dst.frac_bits = (int8_t)to.frac;
    lb_call call = convert_call(&src, &dst);
    assert_string_equal(run(&call, UP), "");
    return lb_load(&dst, 0);
}

static void test_quantize(void **state)
{
    (void)state;
    lb_quant one = {1, 0, 0};
    static const struct {
        float x;
        int32_t y;
    } rows[] = {
        {0.5f, 1},
        {-0.5f, -1},
        {1.5f, 2},
        {0.0f, 0},
        {0.49999997f, 1},
        {8388609.0f, 8388610},
        {-8388609.0f, -8388610},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(quantize_one(rows[i].x, LB_SA32, one), rows[i].y);
    static const float undefined[] = {3e9f, -3e9f, 2147483648.0f, HUGE_VALF, -HUGE_VALF, NAN};
    for (size_t i = 0; i < COUNT_OF(undefined); i++) {
        int32_t result = 0;
        lb_tensor src = make_tensor(LB_FP32, SHAPE(1), (void *)&undefined[i]);
        lb_tensor dst = make_sa(LB_SA32, one, SHAPE(1), &result);
        lb_call call = convert_call(&src, &dst);
        assert_string_equal(run(&call, UP), "in.values");
        assert_int_equal(call.undefined, LB_UNSAID_RULE);
    }
    assert_int_equal(quantize_one(1.25f, LB_SA8, (lb_quant){5, 3, -3}), -1); /* 1.25 / 5 * 8 - 3 */
    assert_int_equal(quantize_one(100.0f, LB_FX8, (lb_quant){1, 1, 0}), 127);
    assert_int_equal(quantize_one(-1.25f, LB_FX16, (lb_quant){1, 12, 0}), -5120);
}

static void test_dequantize_and_copy(void **state)
{
    (void)state;
    int32_t data[] = {16777217, 7};
    float real[2] = {0};
    lb_tensor src = make_sa(LB_SA32, (lb_quant){3, 2, 0}, SHAPE(2), data);
    lb_tensor dst = make_tensor(LB_FP32, SHAPE(2), real);
    lb_call call = convert_call(&src, &dst);
    assert_string_equal(run(&call, UP), "");
    assert_true(real[0] == 12582912.0f); /* 2^24 + 1 has no float: 2^24 * 0.75 */
    assert_true(real[1] == 5.25f);
    uint32_t pattern = 0x7FA12345u; /* a NaN with a payload goes through untouched */
    uint32_t copy = 0;
    src = make_tensor(LB_FP32, SHAPE(1), &pattern);
    dst = make_tensor(LB_FP32, SHAPE(1), &copy);
    assert_string_equal(run(&call, UP), "");
    assert_int_equal(copy, pattern);
}

/* Parameters of either side at the index of that side's axis. */
static void test_per_axis(void **state)
{
    (void)state;
    int8_t data[] = {10, 10, 10, 10, 10, 10};
    int16_t result[6] = {0};
    int16_t scale[] = {1, 2, 3};
    int16_t zero_point[] = {0, 5, -5};
    int8_t frac[] = {0, 0, 1};
    lb_tensor src = make_tensor(LB_SA8, SHAPE(2, 3), data);
    set_per_axis(&src, 1, scale, frac, zero_point);
    lb_tensor dst = make_fx(LB_FX16, 1, SHAPE(2, 3), result);
    lb_call call = convert_call(&src, &dst);
    assert_string_equal(run(&call, UP), "");
    const int16_t expected[] = {20, 20, 45, 20, 20, 45};
    assert_memory_equal(result, expected, sizeof expected);
    /* and back, with the axis on the other side, over 2 rows */
    int8_t back[6] = {0};
    lb_tensor to = make_tensor(LB_SA8, SHAPE(2, 3), back);
    set_per_axis(&to, 0, scale, frac, zero_point); /* entries 0 and 1 */
    call = convert_call(&dst, &to);
    assert_string_equal(run(&call, UP), "");
    const int8_t rows[] = {10, 10, 23, 10, 10, 16}; /* x / 2; x / 4 + 5, rounded up */
    assert_memory_equal(back, rows, sizeof rows);
}

static void test_in_place_with_strides(void **state)
{
    (void)state;
    int8_t data[] = {4, 8, 99, -4, -8, 99};
    lb_tensor src = make_fx(LB_FX8, 2, SHAPE(2, 2), data);
    src.mem_stride[0] = 3;
    src.data.capacity_bytes = 5;
    lb_tensor dst = make_sa(LB_SA8, (lb_quant){1, 0, 1}, SHAPE(2, 2), data);
    dst.mem_stride[0] = 3;
    dst.data.capacity_bytes = 5;
    lb_call call = convert_call(&src, &dst);
    assert_string_equal(run(&call, UP), "");
    const int8_t expected[] = {2, 3, 99, 0, -1, 99};
    assert_memory_equal(data, expected, sizeof expected);
}

static void test_rank0_with_a_pointer(void **state)
{
    (void)state;
    int8_t x = 12;
    int16_t y = 0;
    lb_tensor src = make_fx(LB_FX8, 2, SHAPE(1), &x);
    lb_tensor dst = make_fx(LB_FX16, 4, SHAPE(1), &y);
    src.rank = dst.rank = 0;
    lb_call call = convert_call(&src, &dst);
    assert_string_equal(run(&call, UP), "");
    assert_int_equal(y, 48);
    src.holds_value = true; /* 0x5a5a5a5a, say, as an address: nobody reads there */
    assert_string_equal(run(&call, UP), "in.values");
    assert_int_not_equal(call.undefined, LB_SAID);
    src.holds_value = false;
    src.data.capacity_bytes = 0; /* a proper scalar */
    assert_string_equal(run(&call, UP), "in.tensor");
    assert_int_equal(call.status, LB_NOT_ENOUGH_MEM);
}

static void expect(lb_call *call, const char *rule, lb_status status)
{
    assert_string_equal(run(call, UP), rule);
    assert_int_equal(call->status, status);
}

static void test_order_of_checks(void **state)
{
    (void)state;
    int8_t data[32] = {0};
    int16_t scale[4] = {1, 1, 1, 1};
    int8_t frac[4] = {0};
    lb_tensor src = make_tensor(LB_SA8, SHAPE(2, 2), data);
    lb_tensor dst = make_tensor(LB_SA8, SHAPE(2, 3), data);
    set_per_axis(&src, 0, scale, frac, scale);
    set_per_axis(&dst, 1, scale, frac, scale);
    src.data.capacity_bytes = dst.data.capacity_bytes = sizeof data;
    lb_call call = convert_call(NULL, NULL);
    expect(&call, "in.tensor", LB_BAD_TENSOR);
    set_role(&call, LB_ROLE_IN, &src);
    expect(&call, "out.tensor", LB_BAD_TENSOR);
    set_role(&call, LB_ROLE_OUT, &dst);
    expect(&call, "out.shape_equals_in", LB_SHAPE_MISMATCH);
    dst.shape[1] = 2;
    src.mem_stride[0] = 4;
    src.mem_stride[1] = 2;
    expect(&call, "in.inner_stride", LB_INCOMPATIBLE_TENSORS);
    src.mem_stride[1] = 1;
    expect(&call, "out.strides_equal_in", LB_INCOMPATIBLE_TENSORS);
    dst.mem_stride[0] = 4;
    expect(&call, "out.axis_equals_in", LB_SIZE_MISMATCH);
    dst.sa.dim = 0;
    src.el_type = LB_FP16;
    expect(&call, "in.type", LB_TYPE_MISMATCH);
    src.el_type = LB_SA8;
    expect(&call, "", LB_OK);
    dst.sa.dim = 2; /* undefined: an axis that is not there */
    src.sa.dim = -1;
    expect(&call, "out.quant_lists", LB_BAD_TENSOR);
}

static void test_safx_refuses_fp32(void **state)
{
    (void)state;
    float real = 1.0f;
    int8_t x = 0;
    lb_tensor src = make_tensor(LB_FP32, SHAPE(1), &real);
    lb_tensor dst = make_fx(LB_FX8, 0, SHAPE(1), &x);
    lb_call call = make_call("mli_hlp_convert_tensor_safx");
    set_role(&call, LB_ROLE_IN, &src);
    set_role(&call, LB_ROLE_OUT, &dst);
    expect(&call, "in.type", LB_TYPE_MISMATCH);
    call.kernel = lb_kernel_find("mli_hlp_convert_tensor");
    expect(&call, "", LB_OK);
    assert_int_equal(x, 1);
}

static void test_real_values(void **state)
{
    (void)state;
    int8_t data[] = {10, 20};
    int16_t result[2];
    int16_t scale[] = {1, 3};
    int16_t zero_point[] = {4, 0};
    int8_t frac[] = {1, 2};
    lb_tensor src = make_tensor(LB_SA8, SHAPE(2), data);
    set_per_axis(&src, 0, scale, frac, zero_point);
    lb_tensor dst = make_fx(LB_FX16, 0, SHAPE(2), result);
    lb_call call = convert_call(&src, &dst);
    lb_context context = {.profile = &lb_profiles[UP]};
    double value[2];
    lb_real_outputs outputs = {.value = {NULL}};
    outputs.value[LB_ROLE_OUT] = value;
    call.kernel->real(&context, &call, &outputs);
    assert_true(value[0] == 3.0 && value[1] == 15.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fx_to_fx),
        cmocka_unit_test(test_sa8),
        cmocka_unit_test(test_sa32),
        cmocka_unit_test(test_quantize),
        cmocka_unit_test(test_dequantize_and_copy),
        cmocka_unit_test(test_per_axis),
        cmocka_unit_test(test_in_place_with_strides),
        cmocka_unit_test(test_rank0_with_a_pointer),
        cmocka_unit_test(test_order_of_checks),
        cmocka_unit_test(test_safx_refuses_fp32),
        cmocka_unit_test(test_real_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
