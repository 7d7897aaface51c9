/* Every check function of the rule library: satisfied, and violated in each of its ways. Spec:
 * numerics.md 2, 5.6, 9. */
#include "tensors.h"

/* A call of fully_connected sa8 in which all is well, and the memory behind it. */
typedef struct fixture {
    int8_t in_data[6], weights_data[12], out_data[2];
    int32_t bias_data[2];
    lb_tensor in, weights, bias, out;
    int16_t weights_scale[2], bias_scale[2], zero[2];
    int8_t weights_frac[2], bias_frac[2];
    lb_call call;
} fixture;

static void set_up(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->call = make_call("mli_krn_fully_connected_sa8_sa8_sa32");
    f->in = make_sa(LB_SA8, (lb_quant){16384, 14, 3}, SHAPE(2, 3), f->in_data);
    f->weights = make_sa(LB_SA8, (lb_quant){8, 3, 0}, SHAPE(6, 2), f->weights_data);
    f->bias = make_sa(LB_SA32, (lb_quant){8, 3, 0}, SHAPE(2), f->bias_data);
    f->out = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2), f->out_data);
    set_role(&f->call, LB_ROLE_IN, &f->in);
    set_role(&f->call, LB_ROLE_WEIGHTS, &f->weights);
    set_role(&f->call, LB_ROLE_BIAS, &f->bias);
    set_role(&f->call, LB_ROLE_OUT, &f->out);
}

/* One rule in C on the fixture. */
#define CHECK(f, function, a_, b_, c_)                                                             \
    function(&(lb_context){.profile = &lb_profiles[0]}, &(f)->call,                                \
             &(lb_rule){.name = #function, .check = function, .a = (a_), .b = (b_), .c = (c_)})
/* One row of conditions. */
#define ROW(f, row) lb_check_ask(NULL, &(f)->call, &(lb_rule){"row", row})

enum { IN = LB_ROLE_IN, WEIGHTS = LB_ROLE_WEIGHTS, BIAS = LB_ROLE_BIAS, OUT = LB_ROLE_OUT };

static void missing_roles_are_bad_tensors(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    set_role(&f.call, LB_ROLE_IN, NULL);
    assert_int_equal(CHECK(&f, lb_check_tensor, IN, 0, 0), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_scalar, IN, 0, 0), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_quant, IN, -128, 127), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_AXIS_BELOW_RANK(IN)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_SAME_TYPE(IN, OUT, LB_TYPE_MISMATCH)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_TYPE_IS(IN, LB_SA8)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_TYPE_OF_VARIANT(IN)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_SAME_SHAPE(OUT, IN)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_RANK_IS(IN, 2)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_EXTENT_IS(IN, 0, 2)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_SAME_EXTENT(OUT, 0, IN, 0)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_COUNT_IS_EXTENT(IN, WEIGHTS, 0)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_KERNEL_SIZE_IS(IN, LB_SHAPE_MISMATCH)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_INNER_STRIDE_1(IN)), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_DENSE(IN)), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_apart, OUT, IN, 0), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_PER_TENSOR(IN)), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_channel_axes, IN, BIAS, 1), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_bias_scale, IN, WEIGHTS, BIAS), LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_FRAC_BITS_WITHIN(IN, WEIGHTS, BIAS)), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_same_quant, OUT, IN, LB_SPEC_PARAM_MISMATCH),
                     LB_BAD_TENSOR);
    assert_int_equal(ROW(&f, LB_RANK_NOT_0(IN)), LB_BAD_TENSOR);
}

/* numerics.md 2, tensor check, row by row */
static void tensor_check(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(lb_chk(NULL), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_tensor, WEIGHTS, 0, 0), LB_OK);

    lb_tensor t = f.weights;
    t.data.mem.ptr = NULL;
    assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
    t = f.weights;
    t.rank = 5;
    assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
    t = f.weights;
    t.data.capacity_bytes = (uint32_t)INT32_MAX + 1;
    assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
    t.data.capacity_bytes = INT32_MAX;
    assert_int_equal(lb_chk(&t), LB_OK);

    for (int d = 0; d < 2; d++) {
        static const int32_t bad_strides[] = {0, -1, INT32_MIN};
        for (size_t i = 0; i < COUNT_OF(bad_strides); i++) {
            t = f.weights;
            t.mem_stride[d] = bad_strides[i];
            assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
        }
        static const uint32_t bad_shapes[] = {0, (uint32_t)INT32_MAX + 1, UINT32_MAX};
        for (size_t i = 0; i < COUNT_OF(bad_shapes); i++) {
            t = f.weights;
            t.shape[d] = bad_shapes[i];
            assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
        }
    }

    t = f.weights; /* rows of 2 that lie 1 apart */
    t.mem_stride[0] = 1;
    assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
    t = f.weights; /* 5 * 2 + 1 + 1 elements needed */
    t.data.capacity_bytes = 11;
    assert_int_equal(lb_chk(&t), LB_NOT_ENOUGH_MEM);
    t.data.capacity_bytes = 12;
    assert_int_equal(lb_chk(&t), LB_OK);
    t.mem_stride[1] = 2; /* gaps inside: 5 * 4 + 2 + 1 */
    t.mem_stride[0] = 4;
    t.data.capacity_bytes = 22;
    assert_int_equal(lb_chk(&t), LB_NOT_ENOUGH_MEM);
    t.data.capacity_bytes = 23;
    assert_int_equal(lb_chk(&t), LB_OK);
    t.el_type = LB_FX16;
    t.data.capacity_bytes = 45;
    assert_int_equal(lb_chk(&t), LB_NOT_ENOUGH_MEM);
    t.data.capacity_bytes = 46;
    assert_int_equal(lb_chk(&t), LB_OK);
    t.el_type = 119; /* no element size: no need of memory */
    t.data.capacity_bytes = 0;
    assert_int_equal(lb_chk(&t), LB_OK);
}

static void tensor_check_without_overflow(void **state)
{
    (void)state;
    int8_t byte = 0;
    lb_tensor t = make_tensor(LB_FX8, SHAPE(INT32_MAX, 1, 1, INT32_MAX), &byte);
    t.data.capacity_bytes = INT32_MAX;
    t.mem_stride[3] = 1;
    t.mem_stride[2] = t.mem_stride[1] = t.mem_stride[0] = INT32_MAX;
    lb_status undefined = lb_unsaid_status(LB_UNSAID_WIDTH);
    assert_int_equal(lb_chk(&t), undefined);
    t.mem_stride[3] = INT32_MAX; /* 2^31 * 2^31 asked of the next stride */
    assert_int_equal(lb_chk(&t), undefined);
    t.mem_stride[3] = 0; /* refused before a product is made */
    assert_int_equal(lb_chk(&t), LB_BAD_TENSOR);
    t = make_tensor(LB_FX16, SHAPE(1 << 30), &byte); /* its last byte is the last that fits */
    t.data.capacity_bytes = INT32_MAX;
    assert_int_equal(lb_chk(&t), undefined);
    t.shape[0]--;
    assert_int_equal(lb_chk(&t), LB_OK);
    t.data.capacity_bytes -= 2;
    assert_int_equal(lb_chk(&t), LB_NOT_ENOUGH_MEM);
}

static void tensor_check_of_rank_0(void **state)
{
    (void)state;
    lb_tensor t = make_fx(LB_FX16, 0, SHAPE(0), NULL);
    assert_int_equal(lb_chk(&t), LB_BAD_TENSOR); /* all-zero union */
    t.data.mem.i16 = 1;
    t.data.capacity_bytes = 0;
    assert_int_equal(lb_chk(&t), LB_NOT_ENOUGH_MEM);
}

static void scalars_and_operands(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(CHECK(&f, lb_check_scalar, IN, 0, 0), LB_SHAPE_MISMATCH);
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_OK);
    f.in.shape[0] = f.in.shape[1] = 1;
    assert_int_equal(CHECK(&f, lb_check_scalar, IN, 0, 0), LB_OK);
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_OK);
    f.in.data.mem.ptr = NULL;
    assert_int_equal(CHECK(&f, lb_check_scalar, IN, 0, 0), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_BAD_TENSOR);
    f.in.rank = 0; /* the value 0 in mem, no pointer: fine, and any int16 zero point */
    f.in.sa.zero_point.mem.i16 = INT16_MIN;
    assert_int_equal(CHECK(&f, lb_check_scalar, IN, 0, 0), LB_OK);
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_OK);
    f.in.sa.scale.mem.i16 = 0;
    assert_int_equal(CHECK(&f, lb_check_scalar, IN, 0, 0), LB_BAD_TENSOR);
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_BAD_TENSOR);
    f.in.rank = 7;
    assert_int_equal(CHECK(&f, lb_check_operand, IN, 0, 0), LB_BAD_TENSOR);
}

/* numerics.md 2, quantization check */
static void quantization_check_per_tensor(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(CHECK(&f, lb_check_quant, IN, -128, 127), LB_OK);
    assert_int_equal(CHECK(&f, lb_check_quant, IN, 0, 0), LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(CHECK(&f, lb_check_quant, IN, 4, 127), LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(CHECK(&f, lb_check_quant, IN, -128, 2), LB_INCOMPATIBLE_TENSORS);
    f.in.sa.scale.mem.i16 = 0;
    assert_int_equal(CHECK(&f, lb_check_quant, IN, 0, 0),
                     LB_BAD_TENSOR); /* the scale comes first */
    f.in.sa.scale.mem.i16 = -5;
    assert_int_equal(CHECK(&f, lb_check_quant, IN, -128, 127), LB_BAD_TENSOR);
    lb_container *lists[] = {&f.in.sa.scale, &f.in.sa.zero_point, &f.in.sa.scale_frac_bits};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        f.in.sa.scale.mem.i16 = 1;
        lists[i]->capacity_bytes = 1;
        assert_int_equal(CHECK(&f, lb_check_quant, IN, -128, 127), LB_BAD_TENSOR);
        lists[i]->capacity_bytes = 0;
        assert_int_equal(CHECK(&f, lb_check_quant, IN, -128, 127), LB_OK);
    }
    f.in.sa.scale.mem.i16 = 0;
    f.in.el_type = LB_FX8; /* not sa: nothing is looked at */
    assert_int_equal(CHECK(&f, lb_check_quant, IN, 100, 100), LB_OK);
}

static void quantization_check_per_axis(void **state)
{
    (void)state;
    int8_t data[6];
    int16_t scale[] = {1, 2, 3};
    int8_t frac[] = {1, 1, 1};
    int16_t zero[] = {-128, 0, 127};
    lb_tensor good = make_tensor(LB_SA8, SHAPE(2, 3), data);
    set_per_axis(&good, 1, scale, frac, zero);
    assert_int_equal(lb_chkq(&good, -128, 127), LB_OK);
    assert_int_equal(lb_chkq(&good, -127, 127), LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(lb_chkq(&good, -128, 126), LB_INCOMPATIBLE_TENSORS);

    static const int bad_dims[] = {2, 3, 4, 1000, INT32_MAX};
    for (size_t i = 0; i < COUNT_OF(bad_dims); i++) {
        lb_tensor t = good;
        t.sa.dim = bad_dims[i];
        assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);
    }
    lb_tensor t = good;
    t.sa.scale.capacity_bytes = 5;
    assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);
    t = good;
    t.sa.zero_point.capacity_bytes = 5;
    assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);
    t = good;
    t.sa.scale_frac_bits.capacity_bytes = 2;
    assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);
    t = good;
    t.sa.scale.mem.ptr = NULL;
    assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);
    t = good;
    t.sa.zero_point.mem.ptr = NULL;
    assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);
    t = good;
    t.sa.scale_frac_bits.mem.ptr = NULL;
    assert_int_equal(lb_chkq(&t, -128, 127), LB_BAD_TENSOR);

    /* Entry after entry: the bad zero point of entry 0 is found before the bad scale of entry 1. */
    scale[1] = 0;
    assert_int_equal(lb_chkq(&good, -128, 127), LB_BAD_TENSOR);
    assert_int_equal(lb_chkq(&good, -127, 127), LB_INCOMPATIBLE_TENSORS);
}

static void configuration_rules(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(ROW(&f, LB_CONFIG_PRESENT), LB_OK);
    f.call.config.axis = 1;
    assert_int_equal(ROW(&f, LB_AXIS_BELOW_RANK(IN)), LB_OK);
    f.call.config.axis = INT32_MIN;
    assert_int_equal(ROW(&f, LB_AXIS_BELOW_RANK(IN)), LB_OK);
    f.call.config.axis = 2;
    assert_int_equal(ROW(&f, LB_AXIS_BELOW_RANK(IN)), LB_BAD_FUNC_CFG);
    f.call.config.axis = 0;
    f.call.config_null = true;
    assert_int_equal(ROW(&f, LB_CONFIG_PRESENT), LB_BAD_FUNC_CFG);
    assert_int_equal(ROW(&f, LB_AXIS_BELOW_RANK(IN)), LB_BAD_FUNC_CFG);
}

static void type_rules(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(ROW(&f, LB_SAME_TYPE(IN, OUT, LB_TYPE_MISMATCH)), LB_OK);
    assert_int_equal(ROW(&f, LB_SAME_TYPE(IN, BIAS, LB_TYPE_MISMATCH)), LB_TYPE_MISMATCH);
    assert_int_equal(ROW(&f, LB_SAME_TYPE(IN, BIAS, LB_INCOMPATIBLE_TENSORS)),
                     LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(ROW(&f, LB_TYPE_IS(BIAS, LB_SA32)), LB_OK);
    assert_int_equal(ROW(&f, LB_TYPE_IS(BIAS, LB_SA8)), LB_TYPE_MISMATCH);

    static const int roles[] = {IN, WEIGHTS, BIAS, OUT};
    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        assert_int_equal(ROW(&f, LB_TYPE_OF_VARIANT((int8_t)roles[i])), LB_OK);
        f.call.tensor[roles[i]]->el_type = LB_FX16;
        assert_int_equal(ROW(&f, LB_TYPE_OF_VARIANT((int8_t)roles[i])), LB_TYPE_MISMATCH);
    }
    f.call.kernel = lb_kernel_find("mli_krn_lstm_cell_fx16_fx8_fx8");
    f.weights.el_type = LB_FX8;
    set_role(&f.call, LB_ROLE_WEIGHTS_IN, &f.weights);
    set_role(&f.call, LB_ROLE_WEIGHTS_OUT, &f.in);
    set_role(&f.call, LB_ROLE_CELL, &f.in);
    assert_int_equal(ROW(&f, LB_TYPE_OF_VARIANT(LB_ROLE_WEIGHTS_IN)), LB_OK);
    assert_int_equal(ROW(&f, LB_TYPE_OF_VARIANT(LB_ROLE_WEIGHTS_OUT)), LB_TYPE_MISMATCH);
    assert_int_equal(ROW(&f, LB_TYPE_OF_VARIANT(LB_ROLE_CELL)), LB_OK);
}

static void shape_rules(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(ROW(&f, LB_SAME_SHAPE(BIAS, OUT)), LB_OK);
    assert_int_equal(ROW(&f, LB_SAME_SHAPE(BIAS, IN)), LB_SHAPE_MISMATCH); /* rank */
    assert_int_equal(ROW(&f, LB_RANK_IS(IN, 2)), LB_OK);
    assert_int_equal(ROW(&f, LB_RANK_IS(IN, 3)), LB_SHAPE_MISMATCH);
    assert_int_equal(ROW(&f, LB_EXTENT_IS(IN, 1, 3)), LB_OK);
    assert_int_equal(ROW(&f, LB_EXTENT_IS(IN, 1, 2)), LB_SHAPE_MISMATCH);
    assert_int_equal(ROW(&f, LB_SAME_EXTENT(OUT, 0, WEIGHTS, 1)), LB_OK);
    assert_int_equal(ROW(&f, LB_SAME_EXTENT(OUT, 0, WEIGHTS, 0)), LB_SHAPE_MISMATCH);
    assert_int_equal(ROW(&f, LB_COUNT_IS_EXTENT(IN, WEIGHTS, 0)), LB_OK);
    assert_int_equal(ROW(&f, LB_COUNT_IS_EXTENT(IN, WEIGHTS, 1)), LB_SHAPE_MISMATCH);
    f.out.shape[0] = 3;
    assert_int_equal(ROW(&f, LB_SAME_SHAPE(BIAS, OUT)), LB_SHAPE_MISMATCH);
    f.out.shape[0] = 2;
    f.out.shape[1] = 9; /* beyond the rank: ignored */
    assert_int_equal(ROW(&f, LB_SAME_SHAPE(BIAS, OUT)), LB_OK);

    f.call.kernel = lb_kernel_find("mli_krn_conv2d_hwcn_fx16_k3x3");
    f.weights.shape[0] = f.weights.shape[1] = 3;
    assert_int_equal(ROW(&f, LB_KERNEL_SIZE_IS(WEIGHTS, LB_SHAPE_MISMATCH)), LB_OK);
    f.weights.shape[0] = 2;
    assert_int_equal(ROW(&f, LB_KERNEL_SIZE_IS(WEIGHTS, LB_SHAPE_MISMATCH)), LB_SHAPE_MISMATCH);
    f.weights.shape[0] = 3;
    f.weights.shape[1] = 5;
    assert_int_equal(ROW(&f, LB_KERNEL_SIZE_IS(WEIGHTS, LB_INCOMPATIBLE_TENSORS)),
                     LB_INCOMPATIBLE_TENSORS);
}

static void stride_rules(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(ROW(&f, LB_INNER_STRIDE_1(IN)), LB_OK);
    assert_int_equal(ROW(&f, LB_DENSE(IN)), LB_OK);
    f.in.mem_stride[0] = 4;
    assert_int_equal(ROW(&f, LB_INNER_STRIDE_1(IN)), LB_OK);
    assert_int_equal(ROW(&f, LB_DENSE(IN)), LB_INCOMPATIBLE_TENSORS);
    f.in.mem_stride[1] = 2;
    f.in.mem_stride[0] = 6;
    assert_int_equal(ROW(&f, LB_INNER_STRIDE_1(IN)), LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(ROW(&f, LB_DENSE(IN)), LB_INCOMPATIBLE_TENSORS);
    f.in.shape[0] = f.in.shape[1] = 1; /* dimensions of size 1 too */
    f.in.mem_stride[1] = 1;
    f.in.mem_stride[0] = 2;
    assert_int_equal(ROW(&f, LB_DENSE(IN)), LB_INCOMPATIBLE_TENSORS);
    f.in.rank = 0;
    assert_int_equal(ROW(&f, LB_INNER_STRIDE_1(IN)), LB_OK);
    assert_int_equal(ROW(&f, LB_DENSE(IN)), LB_OK);
    assert_int_equal(ROW(&f, LB_RANK_NOT_0(IN)), lb_unsaid_status(LB_UNSAID_RULE));
    f.in.rank = 1;
    assert_int_equal(ROW(&f, LB_RANK_NOT_0(IN)), LB_OK);
}

static void overlap_rule(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    int8_t room[32];
    f.in.data.mem.pi8 = room + 8;
    f.in.data.capacity_bytes = 6;
    f.out.data.capacity_bytes = 3;
    for (int start = 0; start <= 20; start++) {
        f.out.data.mem.pi8 = room + start;
        bool meet = start + 3 > 8 && start < 8 + 6;
        lb_status expected = meet ? LB_INCOMPATIBLE_TENSORS : LB_OK;
        assert_int_equal(CHECK(&f, lb_check_apart, IN, OUT, 0), expected);
        assert_int_equal(CHECK(&f, lb_check_apart, OUT, IN, 0), expected);
    }
    f.out.data.mem.ptr = NULL;
    assert_int_equal(CHECK(&f, lb_check_apart, IN, OUT, 0), LB_OK);
}

static void set_per_channel(fixture *f)
{
    for (int i = 0; i < 2; i++) {
        f->weights_scale[i] = f->bias_scale[i] = (int16_t)(8 + i);
        f->weights_frac[i] = f->bias_frac[i] = 3;
    }
    set_per_axis(&f->weights, 1, f->weights_scale, f->weights_frac, f->zero);
    set_per_axis(&f->bias, 0, f->bias_scale, f->bias_frac, f->zero);
}

static void axis_rules(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(ROW(&f, LB_PER_TENSOR(WEIGHTS)), LB_OK);
    assert_int_equal(CHECK(&f, lb_check_channel_axes, WEIGHTS, BIAS, 1), LB_OK);
    set_per_channel(&f);
    assert_int_equal(ROW(&f, LB_PER_TENSOR(WEIGHTS)), LB_INCOMPATIBLE_TENSORS);
    assert_int_equal(CHECK(&f, lb_check_channel_axes, WEIGHTS, BIAS, 1), LB_OK);
    assert_int_equal(CHECK(&f, lb_check_channel_axes, WEIGHTS, BIAS, 0), LB_INCOMPATIBLE_TENSORS);
    f.bias.sa.dim = -1;
    assert_int_equal(CHECK(&f, lb_check_channel_axes, WEIGHTS, BIAS, 1), LB_INCOMPATIBLE_TENSORS);
    f.bias.sa.dim = 0;
    f.weights.sa.dim = -1;
    assert_int_equal(CHECK(&f, lb_check_channel_axes, WEIGHTS, BIAS, 1), LB_INCOMPATIBLE_TENSORS);
    f.in.el_type = LB_FX8; /* not sa: whatever stands in dim */
    f.in.sa.dim = 0;
    assert_int_equal(ROW(&f, LB_PER_TENSOR(IN)), LB_OK);
}

static void bias_rules(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    assert_int_equal(CHECK(&f, lb_check_bias_scale, IN, WEIGHTS, BIAS), LB_OK);
    f.bias.sa.scale.mem.i16 = 10;
    assert_int_equal(CHECK(&f, lb_check_bias_scale, IN, WEIGHTS, BIAS), LB_INCOMPATIBLE_TENSORS);
    set_per_channel(&f);
    assert_int_equal(CHECK(&f, lb_check_bias_scale, IN, WEIGHTS, BIAS), LB_OK);
    f.bias_scale[1] = 11; /* the last channel counts too: 9 +- 1 */
    assert_int_equal(CHECK(&f, lb_check_bias_scale, IN, WEIGHTS, BIAS), LB_INCOMPATIBLE_TENSORS);
    f.bias_scale[1] = 9;
    f.bias.sa.dim = -1;
    assert_int_equal(CHECK(&f, lb_check_bias_scale, IN, WEIGHTS, BIAS), LB_INCOMPATIBLE_TENSORS);

    f.in.frac_bits = 3;
    f.weights.frac_bits = -5;
    f.bias.frac_bits = -2;
    assert_int_equal(ROW(&f, LB_FRAC_BITS_WITHIN(IN, WEIGHTS, BIAS)), LB_OK);
    f.bias.frac_bits = -1;
    assert_int_equal(ROW(&f, LB_FRAC_BITS_WITHIN(IN, WEIGHTS, BIAS)), LB_INCOMPATIBLE_TENSORS);
}

static void equal_quantization(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    f.out.sa = f.in.sa;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_SPEC_PARAM_MISMATCH), LB_OK);
    f.out.sa.scale.mem.i16++;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_SPEC_PARAM_MISMATCH),
                     LB_SPEC_PARAM_MISMATCH);
    f.out.sa = f.in.sa;
    f.out.sa.zero_point.mem.i16++;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_INCOMPATIBLE_TENSORS),
                     LB_INCOMPATIBLE_TENSORS);
    f.out.sa = f.in.sa;
    f.out.sa.scale_frac_bits.mem.i8++;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_INCOMPATIBLE_TENSORS),
                     LB_INCOMPATIBLE_TENSORS);
    f.out.sa = f.in.sa;
    f.out.sa.type = 1;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_INCOMPATIBLE_TENSORS),
                     LB_INCOMPATIBLE_TENSORS);
    f.out.sa = f.in.sa;
    f.out.sa.dim = 0;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_INCOMPATIBLE_TENSORS),
                     LB_INCOMPATIBLE_TENSORS);
    f.in.sa.dim = 0;
    f.out.sa = f.in.sa;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_INCOMPATIBLE_TENSORS), LB_OK);
    f.out.sa.scale.mem.ptr = f.zero;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_INCOMPATIBLE_TENSORS),
                     LB_INCOMPATIBLE_TENSORS);

    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, BIAS, LB_INCOMPATIBLE_TENSORS),
                     LB_INCOMPATIBLE_TENSORS);
    f.in.el_type = f.out.el_type = LB_FX8;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_SPEC_PARAM_MISMATCH), LB_OK);
    f.out.frac_bits = 1;
    assert_int_equal(CHECK(&f, lb_check_same_quant, IN, OUT, LB_SPEC_PARAM_MISMATCH),
                     LB_SPEC_PARAM_MISMATCH);
}

/* lb_run_exact: the first violated rule is the one that counts, and nothing is computed. */
static void first_violation_wins(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    f.out_data[0] = f.out_data[1] = 99;
    f.out.rank = 2;          /* out.rank ... */
    f.out.el_type = LB_SA32; /* ... comes after out's capacity */
    assert_string_equal(run(&f.call, 0), "out.tensor");
    assert_int_equal(f.call.status, LB_BAD_TENSOR);
    f.out.rank = 1;
    assert_string_equal(run(&f.call, 0), "out.tensor");
    assert_int_equal(f.call.status, LB_NOT_ENOUGH_MEM);
    f.out.el_type = LB_FX8;
    assert_string_equal(run(&f.call, 0), "out.type_equals_in");
    assert_int_equal(f.call.status, LB_TYPE_MISMATCH);
    assert_true(f.out_data[0] == 99 && f.out_data[1] == 99);
    f.out.el_type = LB_SA8;
    assert_string_equal(run(&f.call, 0), "");
    assert_int_equal(f.call.status, LB_OK);
    assert_true(f.out_data[0] == 0 && f.out_data[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_roles_are_bad_tensors),
        cmocka_unit_test(tensor_check),
        cmocka_unit_test(tensor_check_without_overflow),
        cmocka_unit_test(tensor_check_of_rank_0),
        cmocka_unit_test(scalars_and_operands),
        cmocka_unit_test(quantization_check_per_tensor),
        cmocka_unit_test(quantization_check_per_axis),
        cmocka_unit_test(configuration_rules),
        cmocka_unit_test(type_rules),
        cmocka_unit_test(shape_rules),
        cmocka_unit_test(stride_rules),
        cmocka_unit_test(overlap_rule),
        cmocka_unit_test(axis_rules),
        cmocka_unit_test(bias_rules),
        cmocka_unit_test(equal_quantization),
        cmocka_unit_test(first_violation_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
