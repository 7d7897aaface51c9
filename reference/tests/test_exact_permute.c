/* Permute: data, strides, parameters, the order of its checks. Spec: pooling_and_movement.md 3. */
#include "tensors.h"

static lb_call permute_call(const char *function, lb_tensor *in, lb_tensor *out, uint8_t p0,
                            uint8_t p1, uint8_t p2)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    call.config.perm_dim[0] = p0;
    call.config.perm_dim[1] = p1;
    call.config.perm_dim[2] = p2;
    call.config.perm_dim[3] = 77; /* past the rank: never read */
    return call;
}

static void test_rotation_of_three_dimensions(void **state)
{
    (void)state;
    int16_t data[] = {0, 1, 2, 10, 11, 12}; /* [1][2][3] */
    int16_t result[6] = {0};
    lb_tensor in = make_fx(LB_FX16, 9, SHAPE(1, 2, 3), data);
    lb_tensor out = make_fx(LB_FX16, 1, SHAPE(3, 1, 2), result);
    lb_call call = permute_call("mli_krn_permute_fx16", &in, &out, 2, 0, 1);
    assert_string_equal(run(&call, 0), "");
    const int16_t expected[] = {0, 10, 1, 11, 2, 12};
    assert_memory_equal(result, expected, sizeof expected);
    assert_int_equal(out.frac_bits, 9);
}

static void test_strides_of_both_sides(void **state)
{
    (void)state;
    int8_t data[] = {1, 99, 2, 99, 99, 3, 99, 4, 99, 99}; /* rows 5 apart, columns 2 apart */
    int8_t result[7];
    memset(result, 0x5A, sizeof result);
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(2, 2), data);
    in.mem_stride[0] = 5;
    in.mem_stride[1] = 2;
    in.data.capacity_bytes = sizeof data;
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(2, 2), result);
    out.mem_stride[0] = 4;
    out.mem_stride[1] = 2;
    out.data.capacity_bytes = sizeof result;
    lb_call call = permute_call("mli_krn_permute_fx8", &in, &out, 1, 0, 0);
    assert_string_equal(run(&call, 0), "");
    const int8_t expected[] = {1, 0x5A, 3, 0x5A, 2, 0x5A, 4};
    assert_memory_equal(result, expected, sizeof expected);
}

/* QUIRK: the values alone are written, so capacities of lists that out had before stay. */
static void test_per_tensor_keeps_capacities(void **state)
{
    (void)state;
    int8_t data[] = {1, 2};
    int8_t result[2] = {0};
    int16_t scale[] = {5, 6};
    int8_t frac[] = {1, 2};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){321, 4, -5}, SHAPE(2), data);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2), result);
    set_per_axis(&out, 0, scale, frac, scale);
    lb_call call = permute_call("mli_krn_permute_sa8", &in, &out, 0, 0, 0);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(out.sa.dim, -1);
    assert_int_equal(out.sa.scale.mem.i16, 321);
    assert_int_equal(out.sa.zero_point.mem.i16, -5);
    assert_int_equal(out.sa.scale_frac_bits.mem.i8, 4);
    assert_int_equal(out.sa.scale.capacity_bytes, 4);
    assert_int_equal(out.sa.zero_point.capacity_bytes, 4);
    assert_int_equal(out.sa.scale_frac_bits.capacity_bytes, 2);
}

typedef struct per_axis_case {
    int8_t data[6], result[6];
    int16_t scale[3], zero_point[3], own_scale[4], own_zero_point[4];
    int8_t frac[3], own_frac[4];
    lb_tensor in, out;
    lb_call call;
} per_axis_case;

/* [2][3] quantized along dimension 1, to [3][2]. */
static void make_per_axis(per_axis_case *c)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 3; i++) {
        c->scale[i] = (int16_t)(100 + i);
        c->zero_point[i] = (int16_t)(-i);
        c->frac[i] = (int8_t)(3 * i);
    }
    memset(c->own_scale, 0x11, sizeof c->own_scale);
    memset(c->own_zero_point, 0x11, sizeof c->own_zero_point);
    memset(c->own_frac, 0x11, sizeof c->own_frac);
    c->in = make_tensor(LB_SA8, SHAPE(2, 3), c->data);
    set_per_axis(&c->in, 1, c->scale, c->frac, c->zero_point);
    c->out = make_tensor(LB_SA8, SHAPE(3, 2), c->result);
    c->call = permute_call("mli_krn_permute_sa8", &c->in, &c->out, 1, 0, 0);
}

static void own_lists(per_axis_case *c)
{
    set_per_axis(&c->out, 0, c->own_scale, c->own_frac, c->own_zero_point);
}

static void test_per_axis_null_lists_are_shared(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c);
    assert_string_equal(run(&c.call, 0), "");
    assert_int_equal(c.out.sa.dim, 0);
    assert_ptr_equal(c.out.sa.scale.mem.ptr, c.scale);
    assert_ptr_equal(c.out.sa.zero_point.mem.ptr, c.zero_point);
    assert_ptr_equal(c.out.sa.scale_frac_bits.mem.ptr, c.frac);
    assert_int_equal(c.out.sa.scale.capacity_bytes, 6);
    assert_string_equal(run(&c.call, 0), ""); /* now equal to in's: nothing to do */
}

static void test_per_axis_own_lists_are_filled(void **state)
{
    (void)state;
    per_axis_case c;
    make_per_axis(&c);
    own_lists(&c);
    c.out.sa.scale.capacity_bytes = 8;
    assert_string_equal(run(&c.call, 0), "");
    assert_memory_equal(c.own_scale, c.scale, sizeof c.scale);
    assert_memory_equal(c.own_zero_point, c.zero_point, sizeof c.zero_point);
    assert_memory_equal(c.own_frac, c.frac, sizeof c.frac);
    assert_int_equal(c.own_scale[3], 0x1111); /* beyond the axis nothing is written */
    assert_int_equal(c.out.sa.scale.capacity_bytes, 8);
    assert_int_equal(c.out.sa.dim, 0);
}

static void test_per_axis_lists_that_do_not_fit(void **state)
{
    (void)state;
    per_axis_case c;
    for (int fault = 0; fault < 6; fault++) {
        make_per_axis(&c);
        own_lists(&c);
        c.out.sa.scale.capacity_bytes = fault == 0 ? 5 : 6;
        c.out.sa.zero_point.capacity_bytes = fault == 1 ? 5 : 6;
        c.out.sa.scale_frac_bits.capacity_bytes = fault == 2 ? 2 : 3;
        if (fault == 3)
            c.out.sa.scale.mem.ptr = NULL;
        else if (fault == 4)
            c.out.sa.zero_point.mem.ptr = NULL;
        else if (fault == 5)
            c.out.sa.scale_frac_bits.mem.ptr = c.frac;
        assert_string_equal(run(&c.call, 0), "out.quant_lists");
        assert_int_equal(c.call.status, LB_SPEC_PARAM_MISMATCH);
    }
}

static void test_dimension_checks_are_nested(void **state)
{
    (void)state;
    int8_t data[6] = {0};
    int8_t result[6] = {0};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(2, 3), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(2, 3), result);
    lb_call call = permute_call("mli_krn_permute_fx8", &in, &out, 1, 5, 0);
    assert_string_equal(run(&call, 0), "cfg.permutation");
    assert_int_equal(call.status,
                     LB_SHAPE_MISMATCH); /* out.shape[0] is wrong before entry 1 is looked at */
    call.config.perm_dim[0] = 0;
    assert_string_equal(run(&call, 0), "cfg.permutation");
    assert_int_equal(call.status, LB_BAD_FUNC_CFG);
    call.config.perm_dim[0] = call.config.perm_dim[1] = 1;
    assert_string_equal(run(&call, 0), "cfg.permutation");
    assert_int_equal(call.status, LB_BAD_FUNC_CFG); /* a later equal entry before the shape */
}

static void test_order_of_checks(void **state)
{
    (void)state;
    int8_t data[8] = {0};
    int16_t result[4] = {0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2, 2), data);
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(2, 2), result);
    lb_call call = permute_call("mli_krn_permute_fx8", &in, &out, 7, 7, 0);
    call.config_null = true;
    out.mem_stride[1] = 0;
    assert_string_equal(run(&call, 0), "out.tensor");
    out.mem_stride[1] = 1;
    assert_string_equal(run(&call, 0), "out.type_equals_in");
    out = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2, 2), data + 3);
    assert_string_equal(run(&call, 0), "cfg.present");
    call.config_null = false;
    assert_string_equal(run(&call, 0), "cfg.permutation");
    call.config.perm_dim[0] = 1;
    call.config.perm_dim[1] = 0;
    assert_string_equal(run(&call, 0), "out.apart_from_in");
    out.data.mem.ptr = data + 4;
    assert_string_equal(run(&call, 0), "in.type");
    assert_int_equal(call.status, LB_TYPE_MISMATCH);
}

/* QUIRK: out's rank does not matter. Elements beyond its buffer are refused all the same. */
static void test_rank_of_out(void **state)
{
    (void)state;
    int8_t data[] = {1, 2, 3, 4};
    int8_t result[4] = {0};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(2, 2), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(2, 2), result);
    lb_call call = permute_call("mli_krn_permute_fx8", &in, &out, 1, 0, 0);
    out.rank = 1;
    assert_string_equal(run(&call, 0), "");
    const int8_t expected[] = {1, 3, 2, 4};
    assert_memory_equal(result, expected, sizeof expected);
    assert_int_equal(out.rank, 1);
    out.data.capacity_bytes = 3;
    assert_string_equal(run(&call, 0), "out.room");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation_of_three_dimensions),
        cmocka_unit_test(test_strides_of_both_sides),
        cmocka_unit_test(test_per_tensor_keeps_capacities),
        cmocka_unit_test(test_per_axis_null_lists_are_shared),
        cmocka_unit_test(test_per_axis_own_lists_are_filled),
        cmocka_unit_test(test_per_axis_lists_that_do_not_fit),
        cmocka_unit_test(test_dimension_checks_are_nested),
        cmocka_unit_test(test_order_of_checks),
        cmocka_unit_test(test_rank_of_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
