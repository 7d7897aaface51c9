/* l2_normalize: worked examples of elementwise.md 8, groups, what is written, tolerance, order of
 * checks. */
#include "describe/rules.h"
#include "order.h"

#include <math.h>

static lb_call l2_call(const char *function, int32_t axis, lb_tensor *in, lb_tensor *out)
{
    lb_call call = make_call(function);
    call.config.axis = axis;
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    return call;
}

static void normalize_pair(int16_t a, int16_t b, int profile, int16_t result[2])
{
    result[0] = a;
    result[1] = b;
    lb_tensor in =
        make_fx(LB_FX16, -90, SHAPE(2), result); /* the input's format has no influence */
    lb_tensor out = make_fx(LB_FX16, 3, SHAPE(2), result);
    lb_call call =
        l2_call("mli_krn_l2_normalize_fx16", -1, &in, &out); /* no epsilon: NULL is fine */
    assert_string_equal(run(&call, profile), "");
    assert_int_equal(out.frac_bits, 15);
}

static void worked_examples(void **state)
{
    (void)state;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        int16_t y[2];
        normalize_pair(3, 4, p, y);
        assert_int_equal(y[0], p < 2 ? 19661 : 19660);
        assert_int_equal(y[1], 26214);
        normalize_pair(1, 0, p, y);
        assert_true(y[0] == 32767 && y[1] == 0);
        normalize_pair(-1, 0, p, y);
        assert_true(y[0] == -32768 && y[1] == 0);
        normalize_pair(32767, 32767, p, y);
        assert_true(y[0] == 23169 && y[1] == 23169);
        normalize_pair(0, 0, p, y);
        assert_true(y[0] == 0 && y[1] == 0);
    }
}

/* sa8: the zero point is taken off, the result is (1, 7, 0). */
static void sa8_format(void **state)
{
    (void)state;
    int8_t x[] = {13, 14, 10};
    int8_t y[3];
    lb_tensor in = make_sa(LB_SA8, (lb_quant){500, 2, 10}, SHAPE(3), x);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){7, 7, 7}, SHAPE(3), y);
    lb_call call = l2_call("mli_krn_l2_normalize_sa8", 0, &in, &out);
    assert_string_equal(run(&call, 0), "");
    assert_true(y[0] == 77 && y[1] == 102 && y[2] == 0); /* 76.8, 102.4 */
    lb_quant q = lb_quant_at(&out, 0);
    assert_true(q.scale == 1 && q.frac == 7 && q.zero_point == 0 && out.sa.dim == -1);
}

/* Lines along the axis; an axis below -1, undefined in the spec, acts as -1. */
static void groups(void **state)
{
    (void)state;
    int16_t x[] = {3, 4, 4, 3};
    int16_t y[4];
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(2, 2), x);
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(2, 2), y);
    lb_call call = l2_call("mli_krn_l2_normalize_fx16", 0, &in, &out);
    assert_string_equal(run(&call, 0), "");
    assert_true(y[0] == 19661 && y[1] == 26214 && y[2] == 26214 && y[3] == 19661);
    int16_t whole[4];
    call.config.axis = -1;
    run(&call, 0);
    memcpy(whole, y, sizeof y);
    assert_true(whole[0] < 19661 && whole[1] == whole[2]);
    call.config.axis = INT32_MIN;
    run(&call, 0);
    assert_memory_equal(whole, y, sizeof y);
}

static void the_sum_is_watched(void **state)
{
    (void)state;
    int16_t x[] = {-32768, 32767, 1};
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(3), x);
    lb_call call = l2_call("mli_krn_l2_normalize_fx16", -1, &in, &in);
    lb_watch watch = {0};
    lb_context context = {.profile = &lb_profiles[0], .watch = &watch};
    lb_run_exact(&context, &call);
    assert_int_equal(watch.chains, 1);
    assert_int_equal(watch.macs, 3);
    assert_int_equal(watch.acc_bits, 64);
    assert_int_equal(watch.final_high, 1073741824 + 1073676289 + 1);
}

/* elementwise.md 13: 5.2 steps found for fx16, 0.51 for sa8 */
static void near_the_real_function(void **state)
{
    (void)state;
    enum { N = 60 };
    uint32_t seed = 4711;
    int16_t x[N];
    int16_t y[N];
    double value[N];
    for (int round = 0; round < 400; round++) {
        bool is_sa = round % 2 != 0;
        uint32_t n = (uint32_t)random_in(&seed, 1, N);
        int32_t most = random_in(&seed, 1, 32767);
        for (uint32_t i = 0; i < N; i++)
            x[i] = (int16_t)random_in(&seed, -most, most);
        lb_tensor in =
            is_sa ? make_sa(LB_SA8, (lb_quant){3, 4, random_in(&seed, -128, 127)}, SHAPE(n), x)
                  : make_fx(LB_FX16, 7, SHAPE(n), x);
        lb_tensor out = in;
        out.data.mem.ptr = y;
        lb_call call =
            l2_call(is_sa ? "mli_krn_l2_normalize_sa8" : "mli_krn_l2_normalize_fx16", 0, &in, &out);
        lb_context context = {.profile = &lb_profiles[round % 4]};
        lb_real_outputs real = {.value = {[LB_ROLE_OUT] = value}};
        call.kernel->real(&context, &call, &real);
        assert_string_equal(run(&call, round % 4), "");
        for (uint32_t i = 0; i < n; i++) {
            double steps = fmin(value[i] * (is_sa ? 128.0 : 32768.0), is_sa ? 127.0 : 32767.0);
            assert_true(fabs(lb_load(&out, i) - steps) <= (is_sa ? 0.52 : 5.5));
        }
    }
}

/* The list of softmax, where the order is tried in full, and one row more: an axis below -1 is
 * undefined here. No epsilon is looked at. */
static void same_checks_as_softmax(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"mli_krn_l2_normalize_sa8", "mli_krn_softmax_sa8"},
        {"mli_krn_l2_normalize_fx16", "mli_krn_softmax_fx16"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        const lb_rule *other = lb_kernel_find(pairs[i][1])->rules;
        for (const lb_rule *rule = lb_kernel_find(pairs[i][0])->rules; rule->check; rule++) {
            if (strcmp(rule->name, "cfg.axis_from_minus_1") != 0) {
                assert_string_equal(rule->name, other->name);
                other++;
            }
        }
        assert_null(other->check);
    }
    int16_t x[2] = {0, 0};
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(2), x);
    lb_tensor epsilon = in;
    epsilon.data.mem.ptr = NULL;
    epsilon.el_type = LB_SA8;
    lb_call call = l2_call("mli_krn_l2_normalize_fx16", 0, &in, &in);
    set_role(&call, LB_ROLE_EPSILON, &epsilon);
    assert_string_equal(run(&call, 0), "");
    call.config.axis = 1;
    assert_string_equal(run(&call, 0), "cfg.axis");
    assert_int_equal(call.status, LB_BAD_FUNC_CFG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples),
        cmocka_unit_test(sa8_format),
        cmocka_unit_test(groups),
        cmocka_unit_test(the_sum_is_watched),
        cmocka_unit_test(near_the_real_function),
        cmocka_unit_test(same_checks_as_softmax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
