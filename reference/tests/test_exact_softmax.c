/* softmax: worked examples and QUIRKs of elementwise.md 7, groups, what is written, order of
 * checks. */
#include "order.h"

#include <math.h>

static lb_call softmax_call(const char *function, int32_t axis, lb_tensor *in, lb_tensor *out)
{
    lb_call call = make_call(function);
    call.config.axis = axis;
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    return call;
}

static void run_softmax(const char *function, int32_t axis, lb_tensor *in, lb_tensor *out,
                        int profile)
{
    lb_call call = softmax_call(function, axis, in, out);
    assert_string_equal(run(&call, profile), "");
    assert_int_equal(call.status, LB_OK);
}

/* elementwise.md 7, examples, in all profiles */
static void worked_examples(void **state)
{
    (void)state;
    static const int8_t expected[] = {-124, -113, -75, 56};
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        int8_t x[] = {10, 20, 30, 40};
        lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 3, 0}, SHAPE(4), x);
        lb_tensor out = make_sa(LB_SA8, (lb_quant){9, 9, 9}, SHAPE(4), x);
        run_softmax("mli_krn_softmax_sa8", 0, &in, &out, p);
        assert_memory_equal(x, expected, sizeof expected);
        lb_quant q = lb_quant_at(&out, 0);
        assert_true(q.scale == 1 && q.frac == 8 && q.zero_point == -128 && out.sa.dim == -1);

        int16_t equal[] = {-77, -77, -77};
        in = make_fx(LB_FX16, 6, SHAPE(3), equal);
        out = make_fx(LB_FX16, 0, SHAPE(3), equal);
        run_softmax("mli_krn_softmax_fx16", 0, &in, &out, p);
        assert_int_equal(out.frac_bits, 15);
        for (int i = 0; i < 3; i++)
            assert_int_equal(equal[i], 10923);
        int8_t one = 55;
        in = make_sa(LB_SA8, (lb_quant){1, 3, 7}, SHAPE(1), &one);
        run_softmax("mli_krn_softmax_sa8", 0, &in, &in, p);
        assert_int_equal(one, 127); /* 1.0 does not fit */
    }
}

/* Every output of fx8 is 0 (a QUIRK); gaps stay. */
static void fx8_writes_zeros(void **state)
{
    (void)state;
    int8_t x[] = {1, 2, 3, 4, 5, 6, 7};
    int8_t y[] = {9, 9, 9, 9, 9, 9, 9};
    lb_tensor in = make_fx(LB_FX8, 3, SHAPE(2, 3), x);
    lb_tensor out = make_fx(LB_FX8, 3, SHAPE(2, 3), y);
    out.mem_stride[0] = 4;
    out.data.capacity_bytes = 7;
    run_softmax("mli_krn_softmax_fx8", 1, &in, &out, 0);
    assert_int_equal(out.frac_bits, 7);
    static const int8_t expected[] = {0, 0, 0, 9, 0, 0, 0};
    assert_memory_equal(y, expected, sizeof expected);
    assert_null(lb_kernel_find("mli_krn_softmax_fx8")->real);
}

/* Groups are the lines along the axis; any negative axis takes the whole tensor; the zero point
 * does not count. */
static void groups(void **state)
{
    (void)state;
    int16_t x[24];
    int16_t y[24];
    int16_t line[24];
    int16_t line_y[24];
    for (int i = 0; i < 24; i++)
        x[i] = (int16_t)(i * i * 37 % 4001 - 2000);
    static const int count[] = {2, 3, 4};
    static const int stride[] = {12, 4, 1};
    for (int axis = 0; axis < 3; axis++) {
        lb_tensor in = make_fx(LB_FX16, 9, SHAPE(2, 3, 4), x);
        lb_tensor out = make_fx(LB_FX16, 9, SHAPE(2, 3, 4), y);
        run_softmax("mli_krn_softmax_fx16", axis, &in, &out, 1);
        for (int i = 0; i < 24; i++) {
            int start = i - i / stride[axis] % count[axis] * stride[axis];
            for (int k = 0; k < count[axis]; k++)
                line[k] = x[start + k * stride[axis]];
            in = make_fx(LB_FX16, 9, SHAPE((uint32_t)count[axis]), line);
            out = make_fx(LB_FX16, 9, SHAPE((uint32_t)count[axis]), line_y);
            run_softmax("mli_krn_softmax_fx16", -1, &in, &out, 1);
            assert_int_equal(y[i], line_y[i / stride[axis] % count[axis]]);
        }
    }
    lb_tensor in = make_fx(LB_FX16, 9, SHAPE(2, 3, 4), x);
    lb_tensor flat = make_fx(LB_FX16, 9, SHAPE(24), x);
    lb_tensor out = make_fx(LB_FX16, 9, SHAPE(2, 3, 4), y);
    lb_tensor flat_out = make_fx(LB_FX16, 9, SHAPE(24), line_y);
    run_softmax("mli_krn_softmax_fx16", -7, &in, &out, 0);
    run_softmax("mli_krn_softmax_fx16", 0, &flat, &flat_out, 0);
    assert_memory_equal(y, line_y, sizeof y);
}

/* Inputs further than 11.1 below the maximum are 0; 2^-15 steps apart they are not. */
static void far_below_the_maximum(void **state)
{
    (void)state;
    int16_t x[] = {0, -356, -354, -32768};
    lb_tensor in = make_fx(LB_FX16, 5, SHAPE(4), x);
    lb_tensor out = make_fx(LB_FX16, 5, SHAPE(4), x);
    run_softmax("mli_krn_softmax_fx16", 0, &in, &out, 0);
    static const int16_t expected[] = {32766, 0, 1, 0};
    assert_memory_equal(x, expected, sizeof expected);
}

/* The sum of the exponentials is watched: n equal elements add n times 32767. */
static void the_sum_is_watched(void **state)
{
    (void)state;
    int16_t x[6] = {5, 5, 5, 5, 5, 5};
    lb_tensor in = make_fx(LB_FX16, 5, SHAPE(2, 3), x);
    lb_tensor out = make_fx(LB_FX16, 5, SHAPE(2, 3), x);
    lb_call call = softmax_call("mli_krn_softmax_fx16", 1, &in, &out);
    lb_watch watch = {0};
    lb_context context = {.profile = &lb_profiles[0], .watch = &watch};
    lb_run_exact(&context, &call);
    assert_int_equal(watch.chains, 2);
    assert_int_equal(watch.macs, 3);
    assert_int_equal(watch.acc_bits, 32);
    assert_int_equal(watch.peak_high, 3 * 32767);
    assert_int_equal(watch.peak_low, 0);
    assert_int_equal(watch.persistent, 0);
}

/* elementwise.md 13: within 4 + 0.75 n steps (fx16), 0.52 + 0.005 n (sa8) of the real function, n
 * elements a group. */
static void near_the_real_function(void **state)
{
    (void)state;
    enum { N = 40 };
    uint32_t seed = 20250101;
    int16_t x[N];
    int16_t y[N];
    double value[N];
    for (int round = 0; round < 400; round++) {
        bool is_sa = round % 2 != 0;
        uint32_t n = (uint32_t)random_in(&seed, 1, N);
        for (uint32_t i = 0; i < N; i++)
            x[i] = (int16_t)random_in(&seed, -32768, 32767);
        lb_quant q = {random_in(&seed, 1, 32767), random_in(&seed, 12, 20),
                      random_in(&seed, -128, 127)};
        lb_tensor in = is_sa ? make_sa(LB_SA8, q, SHAPE(n), x)
                             : make_fx(LB_FX16, random_in(&seed, 6, 15), SHAPE(n), x);
        lb_tensor out = in;
        out.data.mem.ptr = y;
        lb_call call =
            softmax_call(is_sa ? "mli_krn_softmax_sa8" : "mli_krn_softmax_fx16", 0, &in, &out);
        lb_context context = {.profile = &lb_profiles[round % 4]};
        lb_real_outputs real = {.value = {[LB_ROLE_OUT] = value}};
        call.kernel->real(&context, &call, &real);
        assert_string_equal(run(&call, round % 4), "");
        double bound = is_sa ? fmax(0.52 + 0.005 * n, n == 1 ? 1.0 : 0.0) : 4.0 + 0.75 * n;
        for (uint32_t i = 0; i < n; i++) {
            double top = is_sa ? 127.0 : 32767.0;
            double steps = fmin(is_sa ? value[i] * 256 - 128 : value[i] * 32768, top);
            assert_true(fabs(lb_load(&out, i) - steps) <= bound);
        }
    }
}

/* ---- Order of checks ---- */

typedef struct fixture {
    lb_call call;
    lb_tensor in, out;
    int8_t x[12], y[12]; /* room for fx16 too */
    int16_t scale[2], zero_point[2];
    int8_t frac[2];
} fixture;

static void fresh(void *memory)
{
    fixture *f = memory;
    memset(f, 0, sizeof *f);
    f->in = make_sa(LB_SA8, (lb_quant){1, 4, 0}, SHAPE(2, 3), f->x);
    f->out = make_sa(LB_SA8, (lb_quant){1, 4, 0}, SHAPE(2, 3), f->y);
    f->call = softmax_call("mli_krn_softmax_sa8", 1, &f->in, &f->out);
    f->in.data.capacity_bytes = f->out.data.capacity_bytes = 12;
    f->scale[0] = f->scale[1] = 1;
}

DAMAGE(null_in, f->call.tensor[LB_ROLE_IN] = NULL)
DAMAGE(small_out, f->out.data.capacity_bytes = 1)
DAMAGE(other_type, f->out.el_type = LB_FX8)
DAMAGE(other_shape, f->in.shape[0] = 1)
DAMAGE(in_gaps, f->in.shape[1] = f->out.shape[1] = 1; f->in.mem_stride[1] = 2;
       f->in.mem_stride[0] = 3)
DAMAGE(out_gaps, f->in.shape[1] = f->out.shape[1] = 1; f->out.mem_stride[1] = 2;
       f->out.mem_stride[0] = 3)
DAMAGE(both_fx16, f->in.el_type = f->out.el_type = LB_FX16)
DAMAGE(null_cfg, f->call.config_null = true)
DAMAGE(axis_2, f->call.config.axis = 2)
DAMAGE(bad_zero_point, f->zero_point[0] = 128;
       set_per_axis(&f->in, 0, f->scale, f->frac, f->zero_point))
DAMAGE(per_axis, set_per_axis(&f->in, 0, f->scale, f->frac, f->zero_point))
DAMAGE(rank_0, f->in.rank = f->out.rank = 0; f->call.config.axis = -1)

static const damage damages[] = {
    {"in.tensor", LB_BAD_TENSOR, null_in, false},
    {"out.tensor", LB_NOT_ENOUGH_MEM, small_out, false},
    {"out.type_equals_in", LB_TYPE_MISMATCH, other_type, false},
    {"out.shape_equals_in", LB_SHAPE_MISMATCH, other_shape, false},
    {"in.inner_stride", LB_INCOMPATIBLE_TENSORS, in_gaps, false},
    {"out.inner_stride", LB_INCOMPATIBLE_TENSORS, out_gaps, false},
    {"in.type", LB_TYPE_MISMATCH, both_fx16, false},
    {"cfg.present", LB_BAD_FUNC_CFG, null_cfg, false},
    {"cfg.axis", LB_BAD_FUNC_CFG, axis_2, false},
    {"in.quant", LB_INCOMPATIBLE_TENSORS, bad_zero_point, false},
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis, false},
    {"in.rank", LB_BAD_TENSOR, rank_0, true},
};

static void order_of_checks(void **state)
{
    (void)state;
    static fixture f;
    check_order(damages, COUNT_OF(damages), &f, fresh, &f.call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples),
        cmocka_unit_test(fx8_writes_zeros),
        cmocka_unit_test(groups),
        cmocka_unit_test(far_below_the_maximum),
        cmocka_unit_test(the_sum_is_watched),
        cmocka_unit_test(near_the_real_function),
        cmocka_unit_test(order_of_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
