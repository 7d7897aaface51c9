/* What a run tells of a failing result: the step at which it diverges. */
#include "harness/tests/explain_ports.h"

#include "harness/explain/diverges.h"
#include "harness/trial/trial.h"

static void keep_step(void *user, size_t profile_index, lb_result *result)
{
    char *step = user;
    (void)profile_index;
    assert_int_equal(result->verdict, LB_FAIL);
    snprintf(step, 64, "%s", result->diverges_at ? result->diverges_at : "");
}

static void step_of_run(const char *json, wrong_port *wrong, double seconds, char step[64])
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    const lb_profile *profiles[] = {&lb_profiles[0]};
    const bool wanted[] = {true};
    lb_arena arena = {0};
    lb_suite *suite = open_suite(json);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_diverges_listener listener = {.seconds_left = seconds};
    const lb_analysis diverges = lb_diverges_analysis(&listener), *analyses[] = {&diverges};
    lb_trial_setup setup = {.port = &wrong->port,
                            .suite = "s",
                            .file = "suite.json",
                            .analyses = analyses,
                            .analysis_count = 1,
                            .arena = &arena};
    lb_trial_run(&setup, lb_suite_reader_case(reader, 0, &diagnostics), profiles, wanted, 1, NULL,
                 keep_step, step);
    assert_true(seconds <= 0 || listener.seconds_left < seconds);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
}

static void test_a_failing_result_names_the_step(void **state)
{
    wrong_port truncates = wrong_port_of(NULL, truncate_product),
               drops = wrong_port_of(drop_bias, NULL);
    wrong_port agrees = wrong_port_of(NULL, NULL);
    char step[64];
    (void)state;
    step_of_run(SUITE(MUL_CASE), &truncates, 5, step);
    assert_string_equal(step, "requantize.rounding");
    step_of_run(SUITE(CONNECTED_SA8), &drops, 5, step);
    assert_string_equal(step, "bias");
    step_of_run(SUITE(CONNECTED_SA8), &drops, 0, step); /* no time is left */
    assert_string_equal(step, "");
    step_of_run(SUITE(RELU_CASE("relu", 5, -3, 7, EXPECT("[5,-3,7]"))), &agrees, 5,
                step); /* what is recorded is wrong */
    assert_string_equal(step, "relu.clamp");
}

/* From the second call of a chain on the port forgets the bias: the steps are those of that call.
 */
static unsigned calls_made;

static void drop_bias_later(lb_call *call)
{
    if (++calls_made >= 3)
        drop_bias(call);
}

#define CHAIN                                                                                      \
    "{\"id\":\"chain\",\"function\":\"mli_krn_fully_connected_fx16_fx8_fx8\",\"config\":{"         \
    "\"relu\":\"none\"},"                                                                          \
    "\"chain\":{\"steps\":5,\"feed\":[{\"to\":\"in\",\"from\":\"out\"}]},\"inputs\":{"             \
    "\"in\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":4,\"data\":[100,-7]},"                  \
    "\"weights\":{\"type\":\"fx8\",\"shape\":[2,2],\"frac_bits\":4,\"data\":[5,-9,9,12]},"         \
    "\"bias\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":2,\"data\":[13,90]}},"                 \
    "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":4}}}"

static void test_a_chain_diverges_where_it_does(void **state)
{
    wrong_port wrong = wrong_port_of(drop_bias_later, NULL);
    char step[64];
    (void)state;
    calls_made = 0;
    step_of_run(SUITE(CHAIN), &wrong, 5, step);
    assert_int_equal(calls_made, 3);
    assert_string_equal(step, "bias");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failing_result_names_the_step),
        cmocka_unit_test(test_a_chain_diverges_where_it_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
