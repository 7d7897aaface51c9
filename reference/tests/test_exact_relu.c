/* The exact models of relu, leaky_relu and prelu: quirks of the text, places, order of checks.
 * Spec: elementwise.md 2 to 4. */
#include "violations.h"

static void relu_call(lb_call *call, const char *function, lb_tensor *in, lb_tensor *out,
                      int32_t type)
{
    *call = make_call(function);
    set_role(call, LB_ROLE_IN, in);
    set_role(call, LB_ROLE_OUT, out);
    call->config.relu = type;
}

static void slope_call(lb_call *call, const char *function, lb_tensor *in, lb_tensor *slope,
                       lb_tensor *out, int32_t axis)
{
    *call = make_call(function);
    set_role(call, LB_ROLE_IN, in);
    set_role(call, LB_ROLE_SLOPE, slope);
    set_role(call, LB_ROLE_OUT, out);
    call->config.axis = axis;
}

/* elementwise.md 3: limits, for every input */
static void relu_of_all_8_bit_inputs(void **state)
{
    (void)state;
    static const struct {
        int32_t type;
        int low, high;
    } rows[] = {{0, -128, 127}, {1, 9, 127},    {2, 1, 17},
                {3, 9, 57},     {4, -128, 127}, {-1, -128, 127}};
    int8_t x[256];
    int8_t y[256];
    for (int i = 0; i < 256; i++)
        x[i] = (int8_t)(i - 128);
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 3, 9}, SHAPE(16, 16), x);
        lb_tensor out = make_sa(LB_SA8, (lb_quant){7, 1, 1}, SHAPE(16, 16), y);
        lb_call call;
        relu_call(&call, "mli_krn_relu_sa8", &in, &out, rows[r].type);
        for (int p = 0; p < LB_PROFILE_COUNT; p++) {
            memset(y, 0x5a, sizeof y);
            assert_string_equal(run(&call, p), "");
            for (int i = 0; i < 256; i++) {
                int v = i - 128;
                int expected =
                    v < rows[r].low ? rows[r].low : (v > rows[r].high ? rows[r].high : v);
                assert_int_equal(y[i], expected);
            }
        }
    }
}

/* The whole element parameters go to out, capacities and pointers too (elementwise.md 10). */
static void relu_copies_the_parameters(void **state)
{
    (void)state;
    int8_t x[2] = {-1, 1};
    int8_t y[2];
    int16_t scale[2] = {1, 1};
    int8_t frac[2] = {0, 0};
    int16_t zero[2] = {0, 0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){5, 6, 7}, SHAPE(2), x);
    lb_tensor out = make_tensor(LB_SA8, SHAPE(2), y);
    set_per_axis(&out, 0, scale, frac, zero);
    lb_call call;
    relu_call(&call, "mli_krn_relu_sa8", &in, &out, 0);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(out.sa.dim, -1);
    assert_int_equal(out.sa.scale.capacity_bytes, 0);
    assert_int_equal(out.sa.scale.mem.i16, 5);
    assert_int_equal(out.sa.scale_frac_bits.mem.i8, 6);
    assert_int_equal(out.sa.zero_point.mem.i16, 7);

    in = make_fx(LB_FX8, 5, SHAPE(2), x);
    out = make_fx(LB_FX8, -9, SHAPE(2), y);
    relu_call(&call, "mli_krn_relu_fx8", &in, &out, 1);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(out.frac_bits, 5);
    assert_true(y[0] == 0 && y[1] == 1);
}

/* Strides of in and out each their own; what lies between stays. */
static void gaps_stay(void **state)
{
    (void)state;
    int16_t x[] = {1, -2, 99, 3, -4, 99};
    int16_t y[8];
    for (size_t i = 0; i < COUNT_OF(y); i++)
        y[i] = 0x5a5a;
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(2, 2), x);
    in.mem_stride[0] = 3;
    in.data.capacity_bytes = sizeof x;
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(2, 2), y);
    out.mem_stride[0] = 5;
    out.data.capacity_bytes = sizeof y;
    lb_call call;
    relu_call(&call, "mli_krn_relu_fx16", &in, &out, 1);
    assert_string_equal(run(&call, 0), "");
    static const int16_t expected[] = {1, 0, 0x5a5a, 0x5a5a, 0x5a5a, 3, 0, 0x5a5a};
    assert_memory_equal(y, expected, sizeof y);
}

static void in_place(void **state)
{
    (void)state;
    int8_t data[4] = {-5, 5, -7, 7};
    int8_t a[2] = {1, 2};
    lb_tensor in = make_fx(LB_FX8, 1, SHAPE(2, 2), data);
    lb_tensor out = in;
    lb_tensor slope = make_fx(LB_FX8, 1, SHAPE(1, 2), a); /* 0.5 and 1 */
    lb_call call;
    slope_call(&call, "mli_krn_prelu_fx8", &in, &slope, &out, 1);
    assert_string_equal(run(&call, 2), "");
    static const int8_t expected[] = {-2, 5, -4, 7}; /* -2.5 and -3.5, ties to even */
    assert_memory_equal(data, expected, sizeof data);
    relu_call(&call, "mli_krn_relu_fx8", &in, &out, 3);
    assert_string_equal(run(&call, 0), "");
    static const int8_t limited[] = {0, 5, 0, 7};
    assert_memory_equal(data, limited, sizeof data);
}

/* elementwise.md 4: fx16 with one scalar slope normalizes it, along an axis it does not; the one
 * spot where it shows */
static void normalization_quirk(void **state)
{
    (void)state;
    for (int k = 0; k <= 14; k++) {
        int16_t x[1] = {-32768};
        int16_t a[1] = {(int16_t) - (1 << k)};
        int16_t y[1];
        int n = 15 - k;
        lb_tensor in = make_fx(LB_FX16, 0, SHAPE(1), x);
        lb_tensor out = make_fx(LB_FX16, 0, SHAPE(1), y);
        lb_tensor slope = make_fx(LB_FX16, 31 - n, SHAPE(1), a);
        static const int expected[LB_PROFILE_COUNT][3] = {
            {0, 0, 1}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}};
        static const struct {
            const char *function;
            int32_t axis;
        } calls[] = {
            {"mli_krn_leaky_relu_fx16", 0}, {"mli_krn_prelu_fx16", -1}, {"mli_krn_prelu_fx16", 0}};
        for (int p = 0; p < LB_PROFILE_COUNT; p++) {
            for (size_t i = 0; i < COUNT_OF(calls); i++) {
                lb_call call;
                slope_call(&call, calls[i].function, &in, &slope, &out, calls[i].axis);
                assert_string_equal(run(&call, p), "");
                assert_int_equal(y[0], expected[p][i]);
            }
        }
    }
}

/* A slope of rank 0 holds its value itself; one of rank 1 behind the pointer. Shift counts at both
 * ends. */
static void leaky_relu_slopes_and_shifts(void **state)
{
    (void)state;
    int8_t x[3] = {-128, -1, 100};
    int8_t y[3];
    int8_t a[1] = {-64};
    lb_tensor in = make_fx(LB_FX8, 3, SHAPE(3), x);
    lb_tensor out = make_fx(LB_FX8, 3, SHAPE(3), y);
    lb_tensor slope = make_fx(LB_FX8, 7, SHAPE(1, 1), a); /* -0.5 */
    lb_call call;
    slope_call(&call, "mli_krn_leaky_relu_fx8", &in, &slope, &out, 0);
    assert_string_equal(run(&call, 0), "");
    assert_true(y[0] == 64 && y[1] == 1 && y[2] == 100);
    assert_string_equal(run(&call, 2), "");
    assert_true(y[0] == 64 && y[1] == 0 && y[2] == 100);

    slope = make_fx(LB_FX8, 7, SHAPE(0), NULL);
    slope.data.mem.i8 = 32;
    assert_string_equal(run(&call, 0), "");
    assert_true(y[0] == -32 && y[1] == 0 && y[2] == 100);
    slope.frac_bits = -128; /* shifts left, saturates */
    assert_string_equal(run(&call, 0), "");
    assert_true(y[0] == -128 && y[1] == -128);
    slope.frac_bits = 127; /* as 31 */
    assert_string_equal(run(&call, 0), "");
    assert_true(y[0] == 0 && y[1] == 0);
}

/* elementwise.md 4, sa8: halves of one slope per index, and a ratio of scales that saturates */
static void sa8_slopes(void **state)
{
    (void)state;
    int8_t x[6] = {0, 3, 17, 5, 10, 10};
    int8_t a[2] = {3, 4};
    int8_t y[6];
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 0, 10}, SHAPE(2, 3), x);
    lb_tensor slope = make_sa(LB_SA8, (lb_quant){1, 1, 2}, SHAPE(2, 1), a); /* 0.5 and 1 */
    lb_tensor out = make_sa(LB_SA8, (lb_quant){1, 0, -20}, SHAPE(2, 3), y);
    lb_call call;
    slope_call(&call, "mli_krn_prelu_sa8", &in, &slope, &out, 0);
    assert_string_equal(run(&call, 0), "");
    static const int8_t up[] = {-25, -23, -13, -25, -20, -20}; /* -5, -3.5, 7; -5, 0, 0 */
    assert_memory_equal(y, up, sizeof y);
    assert_string_equal(run(&call, 3), "");
    static const int8_t convergent[] = {-25, -24, -13, -25, -20, -20};
    assert_memory_equal(y, convergent, sizeof y);

    out.sa.scale_frac_bits.mem.i8 =
        20; /* factor 2^20, in 15 bits 32767: every step is out of range */
    assert_string_equal(run(&call, 0), "");
    static const int8_t saturated[] = {-128, -128, 127, -128, -20, -20};
    assert_memory_equal(y, saturated, sizeof y);

    /* A slope of 2^-20 does not undo it: it multiplies the saturated factor (a QUIRK), 32767 *
     * 2^-20 * -128. */
    lb_tensor tiny = make_sa(LB_SA8, (lb_quant){1, 20, 2}, SHAPE(1), a);
    x[0] = -118;
    slope_call(&call, "mli_krn_leaky_relu_sa8", &in, &tiny, &out, 0);
    assert_string_equal(run(&call, 0), "");
    assert_int_equal(y[0], -4 - 20);
}

/* The slopes along an axis are read one after the other: with gaps between them the call is
 * undefined. */
static void prelu_reads_slopes_densely(void **state)
{
    (void)state;
    int8_t x[4] = {-8, -8, -8, -8};
    int8_t a[6] = {1, 2, 100, 100, 100, 100};
    int8_t y[4];
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(2, 2), x);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(2, 2), y);
    lb_tensor slope = make_fx(LB_FX8, 0, SHAPE(2, 1), a);
    slope.mem_stride[0] = 4;
    slope.data.capacity_bytes = sizeof a;
    lb_call call;
    slope_call(&call, "mli_krn_prelu_fx8", &in, &slope, &out, 0);
    assert_string_equal(run(&call, 0), "slope.dense");
    assert_int_equal(call.undefined, LB_UNSAID_RULE);
    slope.mem_stride[0] = 1;
    slope_call(&call, "mli_krn_prelu_fx8", &in, &slope, &out, 0);
    assert_string_equal(run(&call, 0), "");
    static const int8_t expected[] = {-8, -8, -16, -16};
    assert_memory_equal(y, expected, sizeof y);
}

typedef struct fixture {
    int8_t in_data[32], slope_data[32], out_data[32];
    int16_t ones[16], zeros[16];
    int8_t fracs[16];
    lb_tensor in, slope, out;
    lb_call call;
} fixture;

static void set_up(fixture *f, const char *function, bool sa8)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < 16; i++)
        f->ones[i] = 1;
    lb_quant q = {1, 0, 0};
    f->in = sa8 ? make_sa(LB_SA8, q, SHAPE(2, 3), f->in_data)
                : make_fx(LB_FX8, 2, SHAPE(2, 3), f->in_data);
    f->out = sa8 ? make_sa(LB_SA8, q, SHAPE(2, 3), f->out_data)
                 : make_fx(LB_FX8, 2, SHAPE(2, 3), f->out_data);
    f->slope = sa8 ? make_sa(LB_SA8, q, SHAPE(1, 1), f->slope_data)
                   : make_fx(LB_FX8, 5, SHAPE(1, 1), f->slope_data);
    f->in.data.capacity_bytes = f->slope.data.capacity_bytes = f->out.data.capacity_bytes = 32;
    f->call = make_call(function);
    set_role(&f->call, LB_ROLE_IN, &f->in);
    set_role(&f->call, LB_ROLE_OUT, &f->out);
    if (lb_kernel_role(f->call.kernel, LB_ROLE_SLOPE))
        set_role(&f->call, LB_ROLE_SLOPE, &f->slope);
}

static void set_up_relu_fx8(void *f)
{
    set_up(f, "mli_krn_relu_fx8", false);
}

static void set_up_relu_sa8(void *f)
{
    set_up(f, "mli_krn_relu_sa8", true);
}

static void set_up_leaky_relu_fx8(void *f)
{
    set_up(f, "mli_krn_leaky_relu_fx8", false);
}

static void set_up_leaky_relu_sa8(void *f)
{
    set_up(f, "mli_krn_leaky_relu_sa8", true);
}

static void set_up_prelu(fixture *f, const char *function, bool sa8)
{
    set_up(f, function, sa8);
    f->call.config.axis = 1;
    f->slope.shape[1] = 3;
    f->slope.mem_stride[0] = 3;
}

static void set_up_prelu_fx8(void *f)
{
    set_up_prelu(f, "mli_krn_prelu_fx8", false);
}

static void set_up_prelu_sa8(void *f)
{
    set_up_prelu(f, "mli_krn_prelu_sa8", true);
}

/* clang-format off */
#define IN_OUT_VIOLATIONS                                                                                              \
    {"in.tensor", LB_BAD_TENSOR, {SET_NULL(call.tensor[LB_ROLE_IN])}},                                                 \
    {"in.tensor", LB_NOT_ENOUGH_MEM, {SET_U32(in.data.capacity_bytes, 5)}},                                            \
    {"out.tensor", LB_BAD_TENSOR, {SET_U32(out.shape[1], 0)}},                                                         \
    {"out.type_equals_in", LB_TYPE_MISMATCH, {SET_U32(out.el_type, LB_FX16)}},                                         \
    {"out.shape_equals_in", LB_SHAPE_MISMATCH, {SET_U32(out.shape[0], 1)}},                                            \
    {"in.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(in.mem_stride[1], 2), SET_I32(in.mem_stride[0], 6)}},        \
    {"out.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(out.mem_stride[1], 2), SET_I32(out.mem_stride[0], 6)}}

#define WRONG_TYPE {SET_U32(in.el_type, LB_SA32), SET_U32(out.el_type, LB_SA32), SET_U32(slope.el_type, LB_SA32)}
#define IN_RANK    {"in.rank", LB_NOT_SUPPORTED, {SET_U32(in.rank, 0), SET_U32(out.rank, 0)}}

static const violation relu_fx_violations[] = {
    IN_OUT_VIOLATIONS,
    {"cfg.present", LB_BAD_FUNC_CFG, {SET_BOOL(call.config_null), SET_U32(out.rank, 7)}},
    {"in.type", LB_TYPE_MISMATCH, WRONG_TYPE},
    IN_RANK,
};

static const violation relu_sa8_violations[] = {
    IN_OUT_VIOLATIONS,
    {"cfg.present", LB_BAD_FUNC_CFG, {SET_BOOL(call.config_null), SET_U32(out.rank, 7)}},
    {"in.type", LB_TYPE_MISMATCH, WRONG_TYPE},
    {"in.quant", LB_BAD_TENSOR, {SET_I16(in.sa.scale.mem.i16, -1)}},
    {"in.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(in.sa.zero_point.mem.i16, -129)}},
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in)}},
    IN_RANK,
};

#define SLOPE_SA8_VIOLATIONS                                                                                           \
    {"in.quant", LB_BAD_TENSOR, {SET_I16(in.sa.scale.mem.i16, 0)}},                                                    \
    {"out.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(out.sa.zero_point.mem.i16, 128)}},                                 \
    {"slope.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(slope.sa.zero_point.mem.i16, 16384)}},                           \
    {"slope.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(slope.sa.zero_point.mem.i16, -16385)}},                          \
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in)}},                                                    \
    {"out.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(out)}},                                                  \
    {"slope.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(slope)}}

#define LEAKY_RELU_VIOLATIONS                                                                                          \
    {"slope.given", LB_BAD_TENSOR, {SET_NULL(call.tensor[LB_ROLE_SLOPE])}},                                           \
    {"slope.scalar", LB_SHAPE_MISMATCH, {SET_U32(slope.shape[1], 2), SET_I32(slope.mem_stride[0], 2)}},                \
    {"slope.type_equals_in", LB_TYPE_MISMATCH, {SET_U32(slope.el_type, LB_FX16)}},                                     \
    {"in.type", LB_TYPE_MISMATCH, WRONG_TYPE}

static const violation leaky_relu_fx_violations[] = {
    IN_OUT_VIOLATIONS,
    LEAKY_RELU_VIOLATIONS,
    {"out.frac_bits_equal_in", LB_SPEC_PARAM_MISMATCH, {SET_I8(out.frac_bits, 3)}},
    IN_RANK,
};

static const violation leaky_relu_sa8_violations[] = {IN_OUT_VIOLATIONS, LEAKY_RELU_VIOLATIONS, SLOPE_SA8_VIOLATIONS, IN_RANK};

#define PRELU_VIOLATIONS                                                                                               \
    {"cfg.present", LB_BAD_FUNC_CFG, {SET_BOOL(call.config_null), SET_U32(slope.rank, 7)}},                            \
    {"slope.given", LB_BAD_TENSOR, {SET_NULL(call.tensor[LB_ROLE_SLOPE])}},                                           \
    {"slope.tensor", LB_BAD_TENSOR, {SET_U32(slope.rank, 5)}},                                                         \
    {"slope.tensor", LB_SHAPE_MISMATCH, {SET_I32(call.config.axis, -1)}},                                              \
    {"cfg.axis", LB_BAD_FUNC_CFG, {SET_I32(call.config.axis, 2)}},                                                     \
    {"cfg.axis_from_minus_1", LB_BAD_FUNC_CFG, {SET_I32(call.config.axis, -2)}},                                                    \
    {"cfg.axis_from_minus_1", LB_BAD_FUNC_CFG, {SET_I32(call.config.axis, INT32_MIN)}},                                             \
    {"slope.layout", LB_INCOMPATIBLE_TENSORS, {SET_I32(call.config.axis, 0)}},                                         \
    {"slope.layout", LB_INCOMPATIBLE_TENSORS, {SET_U32(slope.shape[1], 2)}},                                           \
    {"slope.layout", LB_INCOMPATIBLE_TENSORS, {SET_U32(slope.shape[0], 2)}},                                           \
    {"slope.layout", LB_INCOMPATIBLE_TENSORS, {SET_I32(slope.mem_stride[1], 2), SET_I32(slope.mem_stride[0], 6)}},     \
    {"slope.type_equals_in", LB_TYPE_MISMATCH, {SET_U32(slope.el_type, LB_FX16)}},                                     \
    {"slope.room", LB_NOT_SUPPORTED, {SET_U32(slope.rank, 1), SET_I32(slope.mem_stride[0], 1),                         \
                                      SET_U32(slope.data.capacity_bytes, 1)}},                                         \
    {"in.type", LB_TYPE_MISMATCH, WRONG_TYPE}

static const violation prelu_fx_violations[] = {
    IN_OUT_VIOLATIONS,
    PRELU_VIOLATIONS,
    {"out.frac_bits_equal_in", LB_SPEC_PARAM_MISMATCH, {SET_I8(out.frac_bits, 3)}},
    {"in.rank", LB_NOT_SUPPORTED, {SET_U32(in.rank, 0), SET_U32(out.rank, 0), SET_I32(call.config.axis, -1),
                                   SET_U32(slope.shape[1], 1)}},
};

static const violation prelu_sa8_violations[] = {
    IN_OUT_VIOLATIONS,
    PRELU_VIOLATIONS,
    SLOPE_SA8_VIOLATIONS,
    {"in.rank", LB_NOT_SUPPORTED, {SET_U32(in.rank, 0), SET_U32(out.rank, 0), SET_I32(call.config.axis, -1),
                                   SET_U32(slope.shape[1], 1)}},
};
/* clang-format on */

static void rules_in_order(void **state)
{
    (void)state;
    static fixture f;
    check_violations(&f, &f.call, set_up_relu_fx8, relu_fx_violations,
                     COUNT_OF(relu_fx_violations));
    check_violations(&f, &f.call, set_up_relu_sa8, relu_sa8_violations,
                     COUNT_OF(relu_sa8_violations));
    check_violations(&f, &f.call, set_up_leaky_relu_fx8, leaky_relu_fx_violations,
                     COUNT_OF(leaky_relu_fx_violations));
    check_violations(&f, &f.call, set_up_leaky_relu_sa8, leaky_relu_sa8_violations,
                     COUNT_OF(leaky_relu_sa8_violations));
    check_violations(&f, &f.call, set_up_prelu_fx8, prelu_fx_violations,
                     COUNT_OF(prelu_fx_violations));
    check_violations(&f, &f.call, set_up_prelu_sa8, prelu_sa8_violations,
                     COUNT_OF(prelu_sa8_violations));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relu_of_all_8_bit_inputs),
        cmocka_unit_test(relu_copies_the_parameters),
        cmocka_unit_test(gaps_stay),
        cmocka_unit_test(in_place),
        cmocka_unit_test(normalization_quirk),
        cmocka_unit_test(leaky_relu_slopes_and_shifts),
        cmocka_unit_test(sa8_slopes),
        cmocka_unit_test(prelu_reads_slopes_densely),
        cmocka_unit_test(rules_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
