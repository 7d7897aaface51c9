/* Pooling in real numbers, and how near the exact models are to it (pooling_and_movement.md 2.8).
 */
#include "tensors.h"

#include <math.h>

static void run_real(const lb_call *call, double *value)
{
    lb_context context = {.profile = &lb_profiles[0]};
    lb_real_outputs outputs = {.value = {NULL}};
    outputs.value[LB_ROLE_OUT] = value;
    call->kernel->real(&context, call, &outputs);
}

static lb_call pool_call(const char *function, lb_tensor *in, lb_tensor *out, uint8_t kernel)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    call.config.kernel_height = call.config.kernel_width = kernel;
    call.config.stride_height = call.config.stride_width = 1;
    return call;
}

static void test_values(void **state)
{
    (void)state;
    int8_t data[] = {10, 14, -6, 2};
    int8_t result[4] = {0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){3, 2, 2}, SHAPE(2, 2, 1), data); /* 6, 9, -6, 0 */
    lb_tensor out = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(1, 1, 1), result);
    double value[4];
    lb_call call = pool_call("mli_krn_maxpool_hwc_sa8", &in, &out, 2);
    run_real(&call, value);
    assert_true(value[0] == 9.0);
    call = pool_call("mli_krn_avepool_hwc_sa8", &in, &out, 2);
    run_real(&call, value);
    assert_true(value[0] == 2.25);
}

/* Each window by the positions that it has; nobody asks for the values: nothing is written. */
static void test_padding(void **state)
{
    (void)state;
    int16_t data[] = {4, 8, 12, 16};
    int16_t result[4] = {0};
    lb_tensor in = make_fx(LB_FX16, 2, SHAPE(2, 2, 1), data); /* 1, 2, 3, 4 */
    lb_tensor out = make_fx(LB_FX16, 2, SHAPE(2, 2, 1), result);
    lb_call call = pool_call("mli_krn_avepool_hwc_fx16_k2x2", &in, &out, 2);
    call.config.padding_left = call.config.padding_top = 1;
    double value[4];
    run_real(&call, value);
    assert_true(value[0] == 1.0 && value[1] == 1.5 && value[2] == 2.0 && value[3] == 2.5);
    run_real(&call, NULL);
}

/* Random windows of n = 9 and less: the error bounds of 2.8. */
static void test_distance_of_the_exact_models(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 300; round++) {
        int8_t data[16];
        int8_t result[16];
        double value[16];
        for (size_t i = 0; i < COUNT_OF(data); i++)
            data[i] = (int8_t)random_in(&seed, -128, 127);
        lb_quant from = {random_in(&seed, 1000, 32767), 14, random_in(&seed, -128, 127)};
        lb_quant to = {random_in(&seed, 1000, 32767), 14, random_in(&seed, -128, 127)};
        double ratio = (double)from.scale / to.scale;
        lb_tensor in = make_sa(LB_SA8, from, SHAPE(4, 4, 1), data);
        lb_tensor out = make_sa(LB_SA8, to, SHAPE(4, 4, 1), result);
        lb_call call = pool_call("mli_krn_avepool_hwc_sa8_k3x3", &in, &out, 3);
        call.config.padding_left = call.config.padding_right = 1;
        call.config.padding_top = call.config.padding_bottom = 1;
        run_real(&call, value);
        assert_string_equal(run(&call, round % LB_PROFILE_COUNT), "");
        for (size_t i = 0; i < COUNT_OF(data); i++) {
            double steps = ldexp(value[i], 14) / to.scale + to.zero_point;
            double ideal = fmin(fmax(steps, -128.0), 127.0);
            double mean = ldexp(value[i], 14) / from.scale + from.zero_point;
            double bound =
                1.0 + ratio * fabs(mean) / 127.0 + ratio * fabs((double)from.zero_point) / 16384.0;
            assert_true(fabs(result[i] - ideal) <= bound);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_distance_of_the_exact_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
