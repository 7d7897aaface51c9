/* Max and average pooling: worked examples of pooling_and_movement.md 2, hand-computed windows,
 * order of checks. */
#include "tensors.h"

enum { UP = 0, CONVERGENT = 2 };

static lb_call pool_call(const char *function, lb_tensor *in, lb_tensor *out, uint8_t kernel_height,
                         uint8_t kernel_width)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    call.config.kernel_height = kernel_height;
    call.config.kernel_width = kernel_width;
    call.config.stride_height = 1;
    call.config.stride_width = 1;
    return call;
}

/* ---- Maximum: pooling_and_movement.md 2.3 ---- */

static void test_max_takes_the_input_format(void **state)
{
    (void)state;
    /* 2 x 3 positions of 2 channels */
    int8_t data[] = {1, -1, 5, -5, 3, -3, 4, -4, 2, -2, 6, -6};
    int8_t result[4] = {0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){7, 3, -2}, SHAPE(2, 3, 2), data);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){0, 0, 500}, SHAPE(1, 2, 2),
                            result); /* no quantization is checked */
    lb_call call = pool_call("mli_krn_maxpool_hwc_sa8", &in, &out, 2, 2);
    assert_string_equal(run(&call, UP), "");
    const int8_t expected[] = {5, -1, 6, -2};
    assert_memory_equal(result, expected, sizeof expected);
    assert_int_equal(out.sa.scale.mem.i16, 7);
    assert_int_equal(out.sa.scale_frac_bits.mem.i8, 3);
    assert_int_equal(out.sa.zero_point.mem.i16, -2);
}

static void test_max_of_padded_windows_ignores_padding(void **state)
{
    (void)state;
    int16_t data[] = {-9, -8, -7, -6};
    int16_t result[9] = {0};
    lb_tensor in = make_fx(LB_FX16, 11, SHAPE(2, 2, 1), data);
    lb_tensor out = make_fx(LB_FX16, 3, SHAPE(3, 3, 1), result);
    lb_call call = pool_call("mli_krn_maxpool_hwc_fx16_k2x2", &in, &out, 2, 2);
    call.config.padding_left = call.config.padding_right = 1;
    call.config.padding_top = call.config.padding_bottom = 1;
    assert_string_equal(run(&call, UP), "");
    const int16_t expected[] = {-9, -8, -8, -7, -6, -6, -7, -6, -6};
    assert_memory_equal(result, expected, sizeof expected);
    assert_int_equal(out.frac_bits, 11);
}

/* Strides of both tensors count, and what they skip stays. */
static void test_strides(void **state)
{
    (void)state;
    int8_t data[] = {1, 2, 99, 3, 4, 99, 99,
                     5, 6, 99, 7, 8, 99, 99}; /* rows 7 apart, columns 3 apart, 2 channels */
    int8_t result[8];
    memset(result, 0x5A, sizeof result);
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(2, 2, 2), data);
    in.mem_stride[0] = 7;
    in.mem_stride[1] = 3;
    in.data.capacity_bytes = sizeof data;
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(2, 1, 2), result);
    out.mem_stride[0] = 5;
    out.mem_stride[1] = 5;
    out.data.capacity_bytes = 7;
    lb_call call = pool_call("mli_krn_maxpool_hwc_fx8", &in, &out, 1, 2);
    assert_string_equal(run(&call, UP), "");
    const int8_t expected[] = {3, 4, 0x5A, 0x5A, 0x5A, 7, 8, 0x5A};
    assert_memory_equal(result, expected, sizeof expected);
}

/* ---- Average ---- */

static int average_of(const char *function, lb_tensor *in, lb_quant out_format, uint8_t height,
                      uint8_t width, int profile)
{
    int16_t result = 0x5A5A;
    bool is_sa = lb_is_sa(in->el_type);
    lb_tensor out = is_sa ? make_sa(in->el_type, out_format, SHAPE(1, 1, 1), &result)
                          : make_fx(in->el_type, out_format.frac, SHAPE(1, 1, 1), &result);
    lb_call call = pool_call(function, in, &out, height, width);
    assert_string_equal(run(&call, profile), "");
    assert_int_equal(lb_is_fx(in->el_type) ? out.frac_bits : out.sa.scale_frac_bits.mem.i8,
                     out_format.frac);
    return lb_load(&out, 0);
}

/* The table of reciprocals: one 1 in a window of n, ls more fractional bits in the output: out is
 * mul itself. */
static void test_reciprocals(void **state)
{
    (void)state;
    static const struct {
        uint8_t height, width;
        int mul, ls;
    } rows[] = {
        {1, 1, 0x4000, 14},   {1, 2, 0x4000, 15}, {1, 3, 0x5555, 16}, {2, 2, 0x4000, 16},
        {1, 5, 0x6666, 17},   {2, 3, 0x5555, 17}, {1, 7, 0x4924, 17}, {3, 3, 0x71c7, 18},
        {3, 4, 0x5555, 18},   {4, 4, 0x4000, 18}, {5, 5, 0x51eb, 19}, {1, 31, 0x4210, 19},
        {3, 11, 0x7c1f, 20},  {6, 6, 0x71c7, 20}, {7, 7, 0x5397, 20}, {40, 25, 0x4189, 24},
        {32, 32, 0x4000, 24},
    };
    static int16_t data[1024];
    data[0] = 1;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lb_tensor in = make_fx(LB_FX16, 0, SHAPE(rows[i].height, rows[i].width, 1), data);
        assert_int_equal(average_of("mli_krn_avepool_hwc_fx16", &in, (lb_quant){.frac = rows[i].ls},
                                    rows[i].height, rows[i].width, UP),
                         rows[i].mul);
    }
}

static void test_rounding_modes(void **state)
{
    (void)state;
    static const struct {
        int8_t x;
        int up, convergent;
    } rows[] = {{1, 1, 0}, {-1, 0, 0}, {-3, -1, -2}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int8_t data[] = {rows[i].x, 0};
        lb_tensor in = make_fx(LB_FX8, 5, SHAPE(1, 2, 1), data);
        lb_quant same = {.frac = 5};
        assert_int_equal(average_of("mli_krn_avepool_hwc_fx8", &in, same, 1, 2, UP), rows[i].up);
        assert_int_equal(average_of("mli_krn_avepool_hwc_fx8", &in, same, 1, 2, CONVERGENT),
                         rows[i].convergent);
    }
}

static void test_quirks_of_the_reciprocal(void **state)
{
    (void)state;
    int16_t wide[13];
    static int8_t narrow[1000];
    for (size_t i = 0; i < COUNT_OF(wide); i++)
        wide[i] = 32767;
    memset(narrow, 127, sizeof narrow);
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(1, 7, 1), wide);
    assert_int_equal(average_of("mli_krn_avepool_hwc_fx16", &in, (lb_quant){.frac = 0}, 1, 7, UP),
                     32766);
    in = make_fx(LB_FX16, 0, SHAPE(1, 13, 1), wide);
    assert_int_equal(average_of("mli_krn_avepool_hwc_fx16", &in, (lb_quant){.frac = 0}, 1, 13, UP),
                     32766);
    /* The rounding addition saturates at 32 bits in the mode up: 31.75 becomes 31. */
    in = make_fx(LB_FX8, 4, SHAPE(40, 25, 1), narrow);
    assert_int_equal(average_of("mli_krn_avepool_hwc_fx8", &in, (lb_quant){.frac = 2}, 40, 25, UP),
                     31);
    assert_int_equal(
        average_of("mli_krn_avepool_hwc_fx8", &in, (lb_quant){.frac = 2}, 40, 25, CONVERGENT), 32);
}

static void test_extreme_formats(void **state)
{
    (void)state;
    int8_t data[] = {-128, -128};
    lb_tensor in = make_fx(LB_FX8, 127, SHAPE(1, 2, 1), data);
    /* shifts of 270 and -240: nothing is left, or everything saturates */
    assert_int_equal(average_of("mli_krn_avepool_hwc_fx8", &in, (lb_quant){.frac = -128}, 1, 2, UP),
                     0);
    in.frac_bits = -128;
    assert_int_equal(average_of("mli_krn_avepool_hwc_fx8", &in, (lb_quant){.frac = 127}, 1, 2, UP),
                     -128);
}

static void test_sa8_worked_example(void **state)
{
    (void)state;
    int8_t data[] = {100, 90, -20, 5, 7, 33, -128, 127, 64};
    const lb_quant from = {20000, 15, 10};
    const lb_quant to = {25000, 15, -7};
    for (int profile = 0; profile < LB_PROFILE_COUNT; profile++) {
        lb_tensor in = make_sa(LB_SA8, from, SHAPE(3, 3, 1), data);
        assert_int_equal(average_of("mli_krn_avepool_hwc_sa8_k3x3", &in, to, 3, 3, profile), 10);
        in = make_sa(LB_SA8, from, SHAPE(2, 3, 1), data);
        assert_int_equal(average_of("mli_krn_avepool_hwc_sa8", &in, to, 2, 3, profile), 14);
        in = make_sa(LB_SA8, from, SHAPE(2, 2, 1), data);
        assert_int_equal(average_of("mli_krn_avepool_hwc_sa8_k2x2", &in, to, 2, 2, profile), 20);
    }
}

/* A border window divides by the positions that it has, not by the kernel. */
static void test_border_windows(void **state)
{
    (void)state;
    int16_t data[] = {8, 16, 24};
    int16_t result[3] = {0};
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(1, 3, 1), data);
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(1, 3, 1), result);
    lb_call call = pool_call("mli_krn_avepool_hwc_fx16", &in, &out, 1, 3);
    call.config.padding_left = call.config.padding_right = 1;
    assert_string_equal(run(&call, UP), "");
    const int16_t expected[] = {12, 16, 20};
    assert_memory_equal(result, expected, sizeof expected);
}

/* Narrower than the padding fringe: undefined, because a library may write elsewhere (2.2). One
 * step wider is defined. */
static void test_output_narrower_than_the_fringe(void **state)
{
    (void)state;
    int8_t data[] = {4, 8, 12};
    int8_t result[] = {0, 0, 0, 0x5A};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(3, 1, 1), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(3, 1, 1), result);
    lb_call call = pool_call("mli_krn_maxpool_hwc_fx8", &in, &out, 1, 5);
    call.config.padding_left = call.config.padding_right = 2;
    assert_string_equal(run(&call, UP), "cfg.windows");
    assert_int_equal(call.undefined, LB_UNSAID_RULE);
    call.config.kernel_width = 3;
    call.config.padding_left = call.config.padding_right = 1;
    assert_string_equal(run(&call, UP), "");
    const int8_t expected[] = {4, 8, 12, 0x5A};
    assert_memory_equal(result, expected, sizeof expected);
}

static void test_smaller_output_is_accepted(void **state)
{
    (void)state;
    int8_t data[] = {1, 2, 3, 4, 5};
    int8_t result[2] = {0};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(1, 5, 1), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(1, 2, 1), result);
    lb_call call = pool_call("mli_krn_maxpool_hwc_fx8", &in, &out, 1, 2);
    assert_string_equal(run(&call, UP), "");
    assert_int_equal(result[0], 2);
    assert_int_equal(result[1], 3);
}

/* The accumulator is watched: products of the multiplier, and for sa8 the zero points. */
static void test_watch(void **state)
{
    (void)state;
    int8_t data[] = {-128, -128, 127, 127};
    int8_t result[1] = {0};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(2, 2, 1), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(1, 1, 1), result);
    lb_call call = pool_call("mli_krn_avepool_hwc_fx8", &in, &out, 2, 2);
    lb_watch watch = {0};
    lb_context context = {.profile = &lb_profiles[UP], .watch = &watch};
    assert_null(lb_run_exact(&context, &call));
    assert_int_equal(watch.chains, 1);
    assert_int_equal(watch.macs, 4);
    assert_int_equal(watch.acc_bits, 32);
    assert_int_equal(watch.operands, LB_OPERANDS_16X8);
    assert_int_equal(watch.peak_low, -2 * 128 * 0x4000);
    assert_int_equal(watch.final_high, -2 * 0x4000);
}

/* ---- Order of checks ---- */

typedef struct faults {
    bool no_cfg, no_in, bad_kernel, bad_out_stride, other_out_type, rank2, channel_stride, stride0,
        small_in, overlap;
    bool wrong_type, per_axis, bad_scale;
} faults;

/* A call with some faults; the others are those that stand later in the list. */
static const char *first_fault(faults f, lb_status *status)
{
    static int8_t data[64];
    static int8_t result[64];
    static int16_t scale[4] = {1, 1, 1, 1};
    static int8_t frac[4];
    const lb_quant format = {1, 0, 0};
    lb_tensor in = f.wrong_type ? make_fx(LB_FX8, 0, SHAPE(2, 2, 2), data)
                                : make_sa(LB_SA8, format, SHAPE(2, 2, 2), data);
    lb_tensor out = f.wrong_type ? make_fx(LB_FX8, 0, SHAPE(1, 1, 2), result)
                                 : make_sa(LB_SA8, format, SHAPE(1, 1, 2), result);
    if (f.bad_scale)
        in.sa.scale.mem.i16 = 0;
    if (f.per_axis)
        set_per_axis(&out, 2, scale, frac, scale);
    if (f.overlap)
        out.data.mem.ptr = data + 7;
    if (f.small_in)
        in.shape[0] = 1;
    if (f.channel_stride) {
        in.mem_stride[2] = 2;
        in.mem_stride[1] = 4;
        in.mem_stride[0] = 8;
        in.data.capacity_bytes = sizeof data;
    }
    if (f.rank2)
        in.rank = 2;
    if (f.other_out_type) {
        out.el_type = LB_FX16;
        out.data.capacity_bytes = 4;
    }
    if (f.bad_out_stride)
        out.mem_stride[1] = 0;
    lb_call call = pool_call("mli_krn_avepool_hwc_sa8_k2x2", &in, &out, 2, f.bad_kernel ? 3 : 2);
    call.config.stride_width = f.stride0 ? 0 : 1;
    call.config_null = f.no_cfg;
    if (f.no_in)
        set_role(&call, LB_ROLE_IN, NULL);
    const char *rule = run(&call, UP);
    *status = call.status;
    return rule;
}

static void test_order_of_checks(void **state)
{
    (void)state;
    faults f;
    memset(&f, 1, sizeof f);
    const struct {
        bool *fault;
        const char *rule;
        lb_status status;
    } rows[] = {
        {&f.no_cfg, "cfg.present", LB_BAD_FUNC_CFG},
        {&f.bad_kernel, "cfg.kernel_size", LB_SHAPE_MISMATCH},
        {&f.no_in, "in.tensor", LB_BAD_TENSOR},
        {&f.bad_out_stride, "out.tensor", LB_BAD_TENSOR},
        {&f.other_out_type, "out.type_equals_in", LB_TYPE_MISMATCH},
        {&f.rank2, "in.rank", LB_SHAPE_MISMATCH},
        {&f.channel_stride, "in.inner_stride", LB_INCOMPATIBLE_TENSORS},
        {&f.stride0, "cfg.padding_and_strides", LB_BAD_FUNC_CFG},
        {&f.small_in, "out.size", LB_BAD_FUNC_CFG},
        {&f.overlap, "out.apart_from_in", LB_INCOMPATIBLE_TENSORS},
        {&f.wrong_type, "in.type", LB_TYPE_MISMATCH},
        {&f.per_axis, "out.per_tensor", LB_INCOMPATIBLE_TENSORS},
        {&f.bad_scale, "in.quant", LB_BAD_TENSOR},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lb_status status;
        assert_string_equal(first_fault(f, &status), rows[i].rule);
        assert_int_equal(status, rows[i].status);
        *rows[i].fault = false;
    }
    lb_status status;
    assert_string_equal(first_fault(f, &status), "");
    assert_int_equal(status, LB_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_max_takes_the_input_format),
        cmocka_unit_test(test_max_of_padded_windows_ignores_padding),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_reciprocals),
        cmocka_unit_test(test_rounding_modes),
        cmocka_unit_test(test_quirks_of_the_reciprocal),
        cmocka_unit_test(test_extreme_formats),
        cmocka_unit_test(test_sa8_worked_example),
        cmocka_unit_test(test_border_windows),
        cmocka_unit_test(test_output_narrower_than_the_fringe),
        cmocka_unit_test(test_smaller_output_is_accepted),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_order_of_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
