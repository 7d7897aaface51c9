/* Getters, sub-tensors, strides and guard bits. Spec: numerics.md 4.4, 8. */
#include "tensors.h"

static int64_t get(const char *function, lb_tensor *t, uint32_t argument)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, t);
    call.config.start_dim = call.config.scale_idx = call.config.zero_idx = argument;
    assert_string_equal(run(&call, 0), "");
    return call.return_value;
}

static void expect_undefined(const char *function, lb_tensor *t, uint32_t argument,
                             const char *rule)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, t);
    call.config.start_dim = call.config.scale_idx = call.config.zero_idx = argument;
    assert_string_equal(run(&call, 0), rule);
    assert_int_equal(call.undefined, LB_UNSAID_RULE);
}

static void test_count(void **state)
{
    (void)state;
    lb_tensor t = make_fx(LB_FX8, 0, SHAPE(2, 3, 5), NULL);
    assert_int_equal(get("mli_hlp_count_elem_num", &t, 0), 30);
    assert_int_equal(get("mli_hlp_count_elem_num", &t, 2), 5);
    assert_int_equal(get("mli_hlp_count_elem_num", &t, 3), 0);
    t.shape[0] = 0x80000001u; /* the product wraps at 32 bits */
    t.shape[1] = 2;
    assert_int_equal(get("mli_hlp_count_elem_num", &t, 0), 10);
    t.rank = 5;
    assert_int_equal(get("mli_hlp_count_elem_num", &t, 0), 0);
    t.rank = 0;
    assert_int_equal(get("mli_hlp_count_elem_num", &t, 9), 1);
    expect_undefined("mli_hlp_count_elem_num", NULL, 0, "in.given");
}

static void test_element_size(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        int64_t bytes;
    } rows[] = {{LB_FX8, 1},  {LB_FX16, 2}, {LB_SA8, 1},  {LB_SA32, 4},
                {LB_FP32, 4}, {LB_FX4, 0},  {LB_FP16, 0}, {119, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lb_tensor t = make_tensor(rows[i].type, SHAPE(2), NULL);
        assert_int_equal(get("mli_hlp_tensor_element_size", &t, 0), rows[i].bytes);
    }
}

static void test_parameters(void **state)
{
    (void)state;
    int8_t data[6] = {0};
    int16_t scale[] = {7, 8, 9};
    int16_t zero_point[] = {-1, -2, -3};
    int8_t frac[] = {4, 5, -6};
    lb_tensor t = make_sa(LB_SA8, (lb_quant){11, -12, 13}, SHAPE(2, 3), data);
    assert_int_equal(get("mli_hlp_tensor_scale", &t, 99), 11);
    assert_int_equal(get("mli_hlp_tensor_scale_shift", &t, 99), -12);
    assert_int_equal(get("mli_hlp_tensor_zero_offset", &t, 99), 13);
    set_per_axis(&t, 1, scale, frac, zero_point);
    assert_int_equal(get("mli_hlp_tensor_scale", &t, 2), 9);
    assert_int_equal(get("mli_hlp_tensor_scale_shift", &t, 2), -6);
    assert_int_equal(get("mli_hlp_tensor_zero_offset", &t, 1), -2);
    expect_undefined("mli_hlp_tensor_scale", &t, 3, "in.quant_entry");
    t.shape[1] = 2; /* the lists are indexed, not the dimension */
    assert_int_equal(get("mli_hlp_tensor_scale", &t, 2), 9);
    assert_int_equal(get("mli_hlp_tensor_scale_shift", &t, 2), -6);
    assert_int_equal(get("mli_hlp_tensor_zero_offset", &t, 2), -3);
    t = make_fx(LB_FX16, -9, SHAPE(2), data);
    assert_int_equal(get("mli_hlp_tensor_scale", &t, 0), 1);
    assert_int_equal(get("mli_hlp_tensor_scale_shift", &t, 0), -9);
    assert_int_equal(get("mli_hlp_tensor_zero_offset", &t, 0), 0);
    t.el_type = LB_FP32;
    assert_int_equal(get("mli_hlp_tensor_scale", &t, 0), 1);
    assert_int_equal(get("mli_hlp_tensor_scale_shift", &t, 0), 0);
    t.el_type = LB_FP16;
    assert_int_equal(get("mli_hlp_tensor_scale", &t, 0), 0);
}

static void test_data_ptr_cmp(void **state)
{
    (void)state;
    int8_t data[4] = {0};
    lb_tensor a = make_fx(LB_FX8, 0, SHAPE(4), data);
    lb_tensor b = make_fx(LB_FX8, 3, SHAPE(2, 2), data);
    lb_call call = make_call("mli_hlp_tensor_data_ptr_cmp");
    set_role(&call, LB_ROLE_IN1, &a);
    set_role(&call, LB_ROLE_IN2, &b);
    (void)run(&call, 0);
    assert_int_equal(call.return_value, 1);
    b.el_type = LB_SA8;
    (void)run(&call, 0);
    assert_int_equal(call.return_value, 0);
    b.el_type = LB_FX8;
    b.data.mem.ptr = data + 1;
    (void)run(&call, 0);
    assert_int_equal(call.return_value, 0);
    b.data.mem.ptr = data;
    b.rank = 0;
    (void)run(&call, 0);
    assert_int_equal(call.return_value, 0);
    b.rank = 1;
    a.el_type = b.el_type = LB_FX4;
    (void)run(&call, 0);
    assert_int_equal(call.return_value, 0);
}

static void test_guard_bits(void **state)
{
    (void)state;
    for (int profile = 0; profile < LB_PROFILE_COUNT; profile++) {
        static const char *const functions[] = {"mli_hlp_accu_guard_bits_sa8_sa8",
                                                "mli_hlp_accu_guard_bits_fx16_fx16",
                                                "mli_hlp_accu_guard_bits_fx16_fx8"};
        static const int64_t bits[] = {16, 32, 8};
        for (size_t i = 0; i < COUNT_OF(bits); i++) {
            lb_call call = make_call(functions[i]);
            (void)run(&call, profile);
            assert_int_equal(call.return_value, bits[i]);
        }
    }
    /* the DSP family of numerics.md 4.4: 40 bits for 16 by 16 */
    lb_profile dsp = lb_profiles[0];
    dsp.acc_bits[LB_OPERANDS_16X16] = 40;
    lb_call call = make_call("mli_hlp_accu_guard_bits_fx16_fx16");
    lb_context context = {.profile = &dsp};
    (void)lb_run_exact(&context, &call);
    assert_int_equal(call.return_value, 8);
}

static void test_set_strides(void **state)
{
    (void)state;
    lb_tensor t = make_fx(LB_FX16, 0, SHAPE(2, 3, 5), NULL);
    for (int d = 0; d < LB_MAX_RANK; d++)
        t.mem_stride[d] = 77;
    (void)get("mli_hlp_set_tensor_mem_strides", &t, 0);
    const int32_t expected[] = {15, 5, 1, 77};
    assert_memory_equal(t.mem_stride, expected, sizeof expected);
}

/* ---- create_subtensor ---- */

static lb_call sub_call(lb_tensor *in, lb_tensor *out, const uint32_t *offset, const uint32_t *size,
                        uint32_t rank)
{
    lb_call call = make_call("mli_hlp_create_subtensor");
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    memcpy(call.config.offset, offset, sizeof call.config.offset);
    memcpy(call.config.size, size, sizeof call.config.size);
    call.config.sub_tensor_rank = rank;
    return call;
}

static void test_view_of_a_column(void **state)
{
    (void)state;
    int16_t data[45] = {0};
    lb_tensor in = make_fx(LB_FX16, 4, SHAPE(3, 3, 1, 5), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(9, 9, 9, 9), NULL);
    lb_call call = sub_call(&in, &out, SHAPE(1, 0, 0, 3), SHAPE(2, 3, 1, 1), 2);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(out.rank, 2);
    assert_int_equal(out.shape[0], 2);
    assert_int_equal(out.shape[1], 3);
    assert_int_equal(out.shape[2], 9); /* beyond what was appended nothing is written */
    assert_int_equal(out.mem_stride[0], 15);
    assert_int_equal(out.mem_stride[1], 5);
    assert_ptr_equal(out.data.mem.ptr, data + 18);
    assert_int_equal(out.data.capacity_bytes, 2 * (45 - 18));
    assert_int_equal(out.el_type, LB_FX16);
    assert_int_equal(out.frac_bits, 4);
}

/* QUIRK: dimensions that cannot be dropped are cut off. */
static void test_trailing_dimensions_are_cut(void **state)
{
    (void)state;
    int8_t data[60] = {0};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(3, 4, 5), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(1), NULL);
    lb_call call = sub_call(&in, &out, SHAPE(0, 0, 0), SHAPE(2, 2, 3), 2);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(out.rank, 2);
    assert_int_equal(out.shape[0], 2);
    assert_int_equal(out.shape[1], 2);
}

static void test_view_of_a_per_axis_tensor(void **state)
{
    (void)state;
    int8_t data[24] = {0};
    int16_t scale[] = {1, 2, 3, 4};
    int16_t zero_point[] = {5, 6, 7, 8};
    int8_t frac[] = {9, 10, 11, 12};
    lb_tensor in = make_tensor(LB_SA8, SHAPE(3, 4, 2), data);
    set_per_axis(&in, 1, scale, frac, zero_point);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(1), NULL);
    lb_call call = sub_call(&in, &out, SHAPE(1, 2, 0), SHAPE(1, 2, 2), 2);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(out.sa.dim, 0);
    assert_ptr_equal(out.sa.scale.mem.ptr, scale + 2);
    assert_ptr_equal(out.sa.zero_point.mem.ptr, zero_point + 2);
    assert_ptr_equal(out.sa.scale_frac_bits.mem.ptr, frac + 2);
    assert_int_equal(out.sa.scale.capacity_bytes, 8); /* not reduced */
    /* the quantized dimension itself goes */
    call = sub_call(&in, &out, SHAPE(0, 3, 0), SHAPE(3, 1, 2), 2);
    assert_string_equal(run(&call, 0), "in.axis_stays");
    assert_int_equal(call.undefined, LB_UNSAID_RULE);
}

static void expect(lb_call *call, const char *rule, lb_status status)
{
    assert_string_equal(run(call, 0), rule);
    assert_int_equal(call->status, status);
}

static void test_order_of_create_subtensor(void **state)
{
    (void)state;
    float data[6] = {0};
    lb_tensor in = make_tensor(LB_FP32, SHAPE(2, 3), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(1), NULL);
    lb_call call = sub_call(&in, NULL, SHAPE(1, 3), SHAPE(1, 1), 3);
    call.config_null = true;
    in.data.capacity_bytes--;
    expect(&call, "in.tensor", LB_NOT_ENOUGH_MEM);
    in.data.capacity_bytes++;
    expect(&call, "out.present", LB_BAD_TENSOR);
    set_role(&call, LB_ROLE_OUT, &out);
    expect(&call, "cfg.present", LB_BAD_FUNC_CFG);
    call.config_null = false;
    expect(&call, "cfg.sub_tensor_rank", LB_BAD_FUNC_CFG);
    call.config.sub_tensor_rank = 2;
    expect(&call, "cfg.window", LB_BAD_FUNC_CFG);
    call.config.offset[1] = 2;
    call.config.size[1] = UINT32_MAX; /* offset + size would wrap */
    expect(&call, "cfg.window", LB_BAD_FUNC_CFG);
    call.config.size[1] = 0;
    expect(&call, "in.type", LB_NOT_SUPPORTED);
    in.el_type = LB_SA32;
    in.sa.dim = -1;
    expect(&call, "", LB_OK);
    assert_int_equal(out.shape[1], 0); /* QUIRK: size 0 passes */
}

/* ---- point_to_subtensor ---- */

static void test_point_to_subtensor(void **state)
{
    (void)state;
    int16_t data[12] = {0};
    lb_tensor in = make_fx(LB_FX16, 3, SHAPE(3, 4), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(7, 7), NULL);
    out.mem_stride[0] = 1;
    out.mem_stride[1] = 55;
    lb_call call = make_call("mli_hlp_point_to_subtensor");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    call.config.start_coord[0] = 2;
    call.config.start_coord[1] = 1;
    call.config.coord_num = 2;
    call.config.first_out_dim_size = 3;
    expect(&call, "", LB_OK);
    assert_int_equal(out.rank, 1);
    assert_int_equal(out.shape[0], 3);
    assert_int_equal(out.mem_stride[1], 55); /* strides are not written */
    assert_ptr_equal(out.data.mem.ptr, data + 9);
    assert_int_equal(out.data.capacity_bytes, 6);
    assert_int_equal(out.frac_bits, 3);
    out.mem_stride[0] = 2;
    expect(&call, "out.rank_and_stride", LB_INCOMPATIBLE_TENSORS);
    in.mem_stride[0] = 5;
    in.data.capacity_bytes = 2 * 14;
    expect(&call, "in.contiguous", LB_INCOMPATIBLE_TENSORS);
    call.config.first_out_dim_size = 4;
    expect(&call, "cfg.window", LB_BAD_FUNC_CFG);
    call.config.coord_num = 1; /* a result of rank 2 */
    call.config.first_out_dim_size = 1;
    expect(&call, "in.contiguous", LB_INCOMPATIBLE_TENSORS);
    in.mem_stride[0] = 4;
    out.mem_stride[0] = 1;
    expect(&call, "out.rank_and_stride", LB_INCOMPATIBLE_TENSORS);
    call.config.coord_num = 0;
    assert_string_equal(run(&call, 0), "cfg.sizes");
    assert_int_equal(call.undefined, LB_UNSAID_RULE);
    call.config.coord_num = 3;
    expect(&call, "cfg.coord_num", LB_BAD_FUNC_CFG);
    call.config_null = true;
    expect(&call, "cfg.present", LB_BAD_FUNC_CFG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_element_size),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_data_ptr_cmp),
        cmocka_unit_test(test_guard_bits),
        cmocka_unit_test(test_set_strides),
        cmocka_unit_test(test_view_of_a_column),
        cmocka_unit_test(test_trailing_dimensions_are_cut),
        cmocka_unit_test(test_view_of_a_per_axis_tensor),
        cmocka_unit_test(test_order_of_create_subtensor),
        cmocka_unit_test(test_point_to_subtensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
