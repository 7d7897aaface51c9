/* The exact model of fully connected: worked examples, geometry, limits of the accumulator, order
 * of checks. Spec: conv.md 3, 4, 10 to 14. */
#include "violations.h"

#include <math.h>

/* A call whose out has one channel: its container. */
static int32_t first_output(const char *function, lb_tensor *in, lb_tensor *weights,
                            lb_tensor *bias, lb_tensor *out, int profile)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_WEIGHTS, weights);
    set_role(&call, LB_ROLE_BIAS, bias);
    set_role(&call, LB_ROLE_OUT, out);
    assert_string_equal(run(&call, profile), "");
    return lb_load(out, 0);
}

/* conv.md 14 */
static void fx_worked_example(void **state)
{
    (void)state;
    int16_t x[] = {100, -7};
    int8_t w[] = {5, 9};
    int8_t b[] = {-3};
    int16_t y[1];
    lb_tensor in = make_fx(LB_FX16, 3, SHAPE(2), x);
    lb_tensor weights = make_fx(LB_FX8, 2, SHAPE(2, 1), w);
    lb_tensor bias = make_fx(LB_FX8, 4, SHAPE(1), b);
    lb_tensor out = make_fx(LB_FX16, 2, SHAPE(1), y);
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        assert_int_equal(
            first_output("mli_krn_fully_connected_fx16_fx8_fx8", &in, &weights, &bias, &out, p),
            54);
    }
    x[0] = 93;
    x[1] = -5;
    b[0] = 0; /* 52.5 */
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        int32_t expected = lb_profiles[p].rounding == LB_ROUND_UP ? 53 : 52;
        assert_int_equal(
            first_output("mli_krn_fully_connected_fx16_fx8_fx8", &in, &weights, &bias, &out, p),
            expected);
    }
}

/* conv.md 14, and the same call with the zero point folded into the bias */
static void sa8_worked_example(void **state)
{
    (void)state;
    static const int32_t expected[LB_PROFILE_COUNT] = {114, 113, 113, 113};
    int8_t x[] = {50, -120, 53};
    int8_t w[] = {-92, -128, -27};
    int32_t b[1];
    int8_t y[1];
    lb_tensor in = make_sa(LB_SA8, (lb_quant){23020, 21, 5}, SHAPE(3), x);
    lb_tensor weights = make_sa(LB_SA8, (lb_quant){25939, 20, 0}, SHAPE(3, 1), w);
    lb_tensor bias = make_sa(LB_SA32, (lb_quant){18223, 26, 0}, SHAPE(1), b);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){26039, 14, -10}, SHAPE(1), y);
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        b[0] = 712275;
        assert_int_equal(
            first_output("mli_krn_fully_connected_sa8_sa8_sa32", &in, &weights, &bias, &out, p),
            expected[p]);
        /* The reduced profile cuts the folded bias to 713504; its accumulator rounds to the same
         * 11294. */
        b[0] = 712275 - 5 * (-92 - 128 - 27);
        assert_int_equal(first_output("mli_krn_fully_connected_sa8_sa8_sa32_ext_bias", &in,
                                      &weights, &bias, &out, p),
                         expected[p]);
    }
}

/* In of rank 3, weights with a row stride, per-channel scales, ReLU: out[c] is what a plain sum
 * gives. */
static void geometry_and_channels(void **state)
{
    (void)state;
    enum { N = 6, C = 3, ROW = 5 };
    int8_t x[N] = {1, -2, 3, -4, 5, -6};
    int8_t w[N * ROW];
    int32_t b[C] = {10, -20, 30};
    int8_t y[C];
    for (int i = 0; i < N * ROW; i++)
        w[i] = (int8_t)(i * 7 % 23 - 11);
    int16_t weights_scale[C] = {16384, 16384, 16384};
    int8_t weights_frac[C] = {14, 15, 16};
    int16_t bias_scale[C] = {16384, 16384, 16384};
    int8_t bias_frac[C] = {14, 15, 16};
    int16_t zero[C] = {0, 0, 0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 0, 2}, SHAPE(2, 1, 3), x);
    lb_tensor weights = make_tensor(LB_SA8, SHAPE(N, C), w);
    weights.mem_stride[0] = ROW;
    weights.data.capacity_bytes = sizeof w;
    set_per_axis(&weights, 1, weights_scale, weights_frac, zero);
    lb_tensor bias = make_tensor(LB_SA32, SHAPE(C), b);
    set_per_axis(&bias, 0, bias_scale, bias_frac, zero);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){4, 0, -1}, SHAPE(C), y);
    for (int relu = 0; relu <= 1; relu++) {
        lb_call call = make_call("mli_krn_fully_connected_sa8_sa8_sa32");
        set_role(&call, LB_ROLE_IN, &in);
        set_role(&call, LB_ROLE_WEIGHTS, &weights);
        set_role(&call, LB_ROLE_BIAS, &bias);
        set_role(&call, LB_ROLE_OUT, &out);
        call.config.relu = relu;
        assert_string_equal(run(&call, 0), "");
        for (int c = 0; c < C; c++) {
            int sum = b[c];
            for (int i = 0; i < N; i++)
                sum += (x[i] - 2) * w[i * ROW + c];
            /* scale of the channel 2^-c, out steps of 4: half up, then the zero point */
            double real = (double)sum / (double)(4 << c);
            int wanted = (int)floor(real + 0.5) - 1;
            assert_int_equal(y[c], relu == 1 && wanted < -1 ? -1 : wanted);
        }
    }
}

/* conv.md 3: the bias of fx16 is cut to 32 bits by wrapping, that of the others saturates the
 * accumulator */
static void bias_quirks(void **state)
{
    (void)state;
    int16_t x16[] = {0};
    int16_t w16[] = {0};
    int16_t b16[] = {32767};
    int16_t y16[1];
    lb_tensor in = make_fx(LB_FX16, 10, SHAPE(1), x16);
    lb_tensor weights = make_fx(LB_FX16, 7, SHAPE(1, 1), w16);
    lb_tensor bias = make_fx(LB_FX16, 0, SHAPE(1), b16);
    lb_tensor out = make_fx(LB_FX16, 9, SHAPE(1), y16); /* shift 8 */
    assert_int_equal(first_output("mli_krn_fully_connected_fx16", &in, &weights, &bias, &out, 0),
                     -131072 / 256);

    int8_t x8[] = {127};
    int8_t w8[] = {127};
    int8_t b8[] = {127};
    int8_t y8[1];
    in = make_fx(LB_FX8, 20, SHAPE(1), x8);
    weights = make_fx(LB_FX8, 20, SHAPE(1, 1), w8);
    bias = make_fx(LB_FX8, 0, SHAPE(1), b8);
    out =
        make_fx(LB_FX8, 15, SHAPE(1), y8); /* (2^31 - 1) / 2^25 = 64, whose half saturates in up */
    assert_int_equal(first_output("mli_krn_fully_connected_fx8", &in, &weights, &bias, &out, 0),
                     63);
    assert_int_equal(first_output("mli_krn_fully_connected_fx8", &in, &weights, &bias, &out, 2),
                     64);
}

/* conv.md 12: 511 worst products fit 32 bits, the 512th does not; the watch says so */
static void watched_overflow(void **state)
{
    (void)state;
    enum { N = 512 };
    int16_t x[N];
    int8_t w[N];
    int8_t b[] = {0};
    int16_t y[1];
    for (int i = 0; i < N; i++) {
        x[i] = -32768;
        w[i] = -128;
    }
    for (uint32_t n = N - 1; n <= N; n++) {
        lb_tensor in = make_fx(LB_FX16, 8, SHAPE(n), x);
        lb_tensor weights = make_fx(LB_FX8, 8, SHAPE(n, 1), w);
        lb_tensor bias = make_fx(LB_FX8, 0, SHAPE(1), b);
        lb_tensor out = make_fx(LB_FX16, 0, SHAPE(1), y);
        lb_call call = make_call("mli_krn_fully_connected_fx16_fx8_fx8");
        set_role(&call, LB_ROLE_IN, &in);
        set_role(&call, LB_ROLE_WEIGHTS, &weights);
        set_role(&call, LB_ROLE_BIAS, &bias);
        set_role(&call, LB_ROLE_OUT, &out);
        lb_watch watch = {0};
        lb_context context = {.profile = &lb_profiles[0], .watch = &watch};
        assert_null(lb_run_exact(&context, &call));
        assert_int_equal(watch.persistent, n == N ? 1 : 0);
        assert_int_equal(watch.chains, 1);
        assert_int_equal(watch.macs, n);
        assert_int_equal(watch.acc_bits, 32);
        assert_int_equal(watch.operands, LB_OPERANDS_16X8);
        assert_int_equal(watch.peak_high, (int64_t)n << 22);
        assert_int_equal(y[0], n == N ? -32768 : 32704);
    }
}

/* conv.md 12: first all products, then all zero-point terms; their peaks tell the order */
static void zero_point_terms_follow_the_products(void **state)
{
    (void)state;
    int8_t x[] = {100, 100};
    int8_t w[] = {100, 100};
    int32_t b[] = {0};
    int8_t y[1];
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 0, 90}, SHAPE(2), x);
    lb_tensor weights = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2, 1), w);
    lb_tensor bias = make_sa(LB_SA32, (lb_quant){1, 0, 0}, SHAPE(1), b);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){100, 0, 0}, SHAPE(1), y);
    static const struct {
        const char *function;
        int64_t peak, final;
        uint64_t macs;
    } rows[] = {
        {"mli_krn_fully_connected_sa8_sa8_sa32", 20000, 2000, 4},
        {"mli_krn_fully_connected_sa8_sa8_sa32_ext_bias", 20000, 20000, 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lb_call call = make_call(rows[i].function);
        set_role(&call, LB_ROLE_IN, &in);
        set_role(&call, LB_ROLE_WEIGHTS, &weights);
        set_role(&call, LB_ROLE_BIAS, &bias);
        set_role(&call, LB_ROLE_OUT, &out);
        lb_watch watch = {0};
        lb_context context = {.profile = &lb_profiles[0], .watch = &watch};
        assert_null(lb_run_exact(&context, &call));
        assert_int_equal(watch.peak_high, rows[i].peak);
        assert_int_equal(watch.final_high, rows[i].final);
        assert_int_equal(watch.macs, rows[i].macs);
    }
}

/* A profile of another platform: 24-bit accumulators wrap where 32 bits do not. */
static void narrow_accumulator(void **state)
{
    (void)state;
    enum { N = 512 };
    static int8_t x[N], w[N];
    memset(x, -128, sizeof x);
    memset(w, -128, sizeof w);
    int8_t b[] = {0};
    int8_t y[1];
    lb_tensor in = make_fx(LB_FX8, 10, SHAPE(N), x);
    lb_tensor weights = make_fx(LB_FX8, 10, SHAPE(N, 1), w);
    lb_tensor bias = make_fx(LB_FX8, 0, SHAPE(1), b);
    lb_tensor out = make_fx(LB_FX8, 1, SHAPE(1), y);
    lb_call call = make_call("mli_krn_fully_connected_fx8");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_WEIGHTS, &weights);
    set_role(&call, LB_ROLE_BIAS, &bias);
    set_role(&call, LB_ROLE_OUT, &out);
    lb_profile narrow = lb_profiles[0];
    for (int bits = 24; bits <= 48; bits += 8) {
        narrow.acc_bits[LB_OPERANDS_8X8] = bits;
        lb_context context = {.profile = &narrow};
        assert_null(lb_run_exact(&context, &call));
        assert_int_equal(y[0], bits == 24 ? -16 : 16); /* 2^23 / 2^19 */
    }
    /* 40 bits hold what 32 do not: 512 * 2^22 / 2^17 does not wrap, and is rounded in the wider
     * type. */
    static int16_t wide[N];
    for (int i = 0; i < N; i++)
        wide[i] = -32768;
    int16_t result[1];
    in = make_fx(LB_FX16, 10, SHAPE(N), wide);
    out = make_fx(LB_FX16, 3, SHAPE(1), result);
    call.kernel = lb_kernel_find("mli_krn_fully_connected_fx16_fx8_fx8");
    lb_profile device = lb_profiles[0];
    device.acc_bits[LB_OPERANDS_16X8] = 40;
    lb_context context = {.profile = &device};
    assert_null(lb_run_exact(&context, &call));
    assert_int_equal(result[0], 16384);
}

typedef struct fixture {
    int8_t in_data[32], weights_data[32], out_data[32];
    int32_t bias_data[8];
    int16_t ones[16], zeros[16];
    int8_t fracs[16];
    lb_tensor in, weights, bias, out;
    lb_call call;
} fixture;

static void set_roles(fixture *f)
{
    lb_tensor *tensors[] = {&f->in, &f->weights, &f->bias, &f->out};
    static const lb_role roles[] = {LB_ROLE_IN, LB_ROLE_WEIGHTS, LB_ROLE_BIAS, LB_ROLE_OUT};
    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        tensors[i]->data.capacity_bytes = 32;
        set_role(&f->call, roles[i], tensors[i]);
    }
    for (int i = 0; i < 16; i++)
        f->ones[i] = 1;
}

static void set_up_sa8(void *where)
{
    fixture *f = where;
    memset(f, 0, sizeof *f);
    f->call = make_call("mli_krn_fully_connected_sa8_sa8_sa32");
    f->in = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2, 3), f->in_data);
    f->weights = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(6, 2), f->weights_data);
    f->bias = make_sa(LB_SA32, (lb_quant){1, 0, 0}, SHAPE(2), f->bias_data);
    f->out = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2), f->out_data);
    set_roles(f);
}

static void set_up_fx8(void *where)
{
    fixture *f = where;
    memset(f, 0, sizeof *f);
    f->call = make_call("mli_krn_fully_connected_fx8");
    f->in = make_fx(LB_FX8, 1, SHAPE(2, 3), f->in_data);
    f->weights = make_fx(LB_FX8, 2, SHAPE(6, 2), f->weights_data);
    f->bias = make_fx(LB_FX8, 3, SHAPE(2), f->bias_data);
    f->out = make_fx(LB_FX8, 3, SHAPE(2), f->out_data);
    set_roles(f);
}

/* clang-format off */
#define COMMON_VIOLATIONS                                                                                              \
    {"in.tensor", LB_BAD_TENSOR, {SET_U32(in.rank, 5)}},                                                               \
    {"weights.tensor", LB_NOT_ENOUGH_MEM, {SET_U32(weights.data.capacity_bytes, 11)}},                                 \
    {"bias.tensor", LB_BAD_TENSOR, {SET_I32(bias.mem_stride[0], 0)}},                                                  \
    {"out.tensor", LB_BAD_TENSOR, {SET_NULL(out.data.mem.ptr)}},                                                       \
    {"out.type_equals_in", LB_TYPE_MISMATCH, {SET_U32(out.el_type, LB_FX16)}},                                         \
    {"cfg.present", LB_BAD_FUNC_CFG, {SET_BOOL(call.config_null)}},                                                    \
    {"weights.rank", LB_SHAPE_MISMATCH, {SET_U32(weights.rank, 1), SET_I32(weights.mem_stride[0], 1)}},                \
    {"bias.rank", LB_SHAPE_MISMATCH, {SET_U32(bias.rank, 0)}},                                                         \
    {"out.rank", LB_SHAPE_MISMATCH, {SET_U32(out.rank, 0)}},                                                           \
    {"in.count_equals_weights_rows", LB_SHAPE_MISMATCH, {SET_U32(in.shape[0], 1)}},                                    \
    {"bias.length_equals_channels", LB_SHAPE_MISMATCH, {SET_U32(bias.shape[0], 3)}},                                   \
    {"out.length_equals_channels", LB_SHAPE_MISMATCH, {SET_U32(out.shape[0], 1)}},                                     \
    {"in.contiguous", LB_INCOMPATIBLE_TENSORS, {SET_I32(in.mem_stride[0], 4)}},                                        \
    {"bias.contiguous", LB_INCOMPATIBLE_TENSORS, {SET_I32(bias.mem_stride[0], 2)}},                                    \
    {"weights.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(weights.mem_stride[1], 2), SET_I32(weights.mem_stride[0], 4)}}, \
    {"out.inner_stride", LB_INCOMPATIBLE_TENSORS, {SET_I32(out.mem_stride[0], 2)}},                                    \
    {"out.apart_from_in", LB_INCOMPATIBLE_TENSORS, {SET_POINTER(out.data.mem.ptr, in_data[31])}},                      \
    {"in.rank", LB_NOT_SUPPORTED, {SET_U32(in.rank, 0), SET_U32(weights.shape[0], 1)}}

static const violation fx_violations[] = {
    COMMON_VIOLATIONS,
    {"in.type", LB_TYPE_MISMATCH, {SET_U32(in.el_type, LB_FX16), SET_U32(in.rank, 5)}}, /* before the tensor */
    {"weights.type", LB_TYPE_MISMATCH, {SET_U32(weights.el_type, LB_SA8)}},
    {"bias.type", LB_TYPE_MISMATCH, {SET_U32(bias.el_type, 119)}},
    {"bias.frac_bits", LB_INCOMPATIBLE_TENSORS, {SET_I8(bias.frac_bits, 4), SET_U32(in.rank, 5)}},
    {"out.frac_bits", LB_INCOMPATIBLE_TENSORS, {SET_I8(out.frac_bits, 4), SET_U32(in.rank, 5)}},
    {"in.given", LB_BAD_TENSOR, {SET_NULL(call.tensor[LB_ROLE_IN])}},
};

static const violation sa8_violations[] = {
    COMMON_VIOLATIONS,
    {"in.type", LB_TYPE_MISMATCH, {SET_U32(in.el_type, LB_FX8), SET_U32(out.el_type, LB_FX8)}},
    {"weights.type", LB_TYPE_MISMATCH, {SET_U32(weights.el_type, LB_FX8)}},
    {"bias.type", LB_TYPE_MISMATCH, {SET_U32(bias.el_type, LB_SA8)}},
    {"in.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(in.sa.zero_point.mem.i16, 128)}},
    {"out.quant", LB_BAD_TENSOR, {SET_I16(out.sa.scale.mem.i16, 0)}},
    {"weights.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(weights.sa.zero_point.mem.i16, 1)}},
    {"bias.quant", LB_INCOMPATIBLE_TENSORS, {SET_I16(bias.sa.zero_point.mem.i16, -1)}},
    {"bias.axis_matches_weights", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(weights)}},
    {"bias.axis_matches_weights", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(bias)}},
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(in)}},
    {"out.per_tensor", LB_INCOMPATIBLE_TENSORS, {SET_PER_AXIS(out)}},
    {"bias.scale", LB_INCOMPATIBLE_TENSORS, {SET_I16(bias.sa.scale.mem.i16, 3)}},
    {"in.tensor", LB_BAD_TENSOR, {SET_NULL(call.tensor[LB_ROLE_IN])}},
};
/* clang-format on */

static void rules_in_order(void **state)
{
    (void)state;
    static fixture f;
    check_violations(&f, &f.call, set_up_fx8, fx_violations, COUNT_OF(fx_violations));
    check_violations(&f, &f.call, set_up_sa8, sa8_violations, COUNT_OF(sa8_violations));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fx_worked_example),
        cmocka_unit_test(sa8_worked_example),
        cmocka_unit_test(geometry_and_channels),
        cmocka_unit_test(bias_quirks),
        cmocka_unit_test(watched_overflow),
        cmocka_unit_test(zero_point_terms_follow_the_products),
        cmocka_unit_test(narrow_accumulator),
        cmocka_unit_test(rules_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
