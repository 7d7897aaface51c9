/* Judging: each way in which a port, a recording or a model can be wrong is found, named and blamed
 * on the right oracle. */
#include "harness/tests/fixture.h"

#include "harness/trial/trial.h"

/* What the judge said about the one case of a suite in up-full. Texts are copied: they live in the
 * trial's arena. */
typedef struct outcome {
    lb_result result;
    lb_arena arena;
    lb_suite *suite;
} outcome;

static void keep_result(void *user, size_t profile_index, lb_result *result)
{
    (void)profile_index;
    ((outcome *)user)->result = *result;
}

static void try_case(outcome *o, const char *text, void (*spoil)(lb_call *call))
{
    fake_port fake = fake_port_make(spoil);
    const lb_profile *profile = &lb_profiles[0];
    bool wanted = true;
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    memset(o, 0, sizeof *o);
    o->suite = open_suite(text);
    lb_suite_reader *reader = lb_suite_reader_open(o->suite);
    const lb_case *c = lb_suite_reader_case(reader, 0, &diagnostics);
    assert_non_null(c);
    lb_trial_setup setup = {
        .port = &fake.port, .suite = "test", .file = "a b.json", .arena = &o->arena};
    lb_trial_run(&setup, c, &profile, &wanted, 1, NULL, keep_result, o);
    lb_suite_reader_close(reader);
}

static void done(outcome *o)
{
    lb_arena_free(&o->arena);
    lb_suite_close(o->suite);
}

static void test_pass(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,5]"))), NULL);
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(o.result.recorded, LB_AGREEMENT_AGREES);
    assert_int_equal(o.result.exact, LB_AGREEMENT_AGREES);
    assert_int_equal(o.result.difference_count, 0);
    assert_int_equal(o.result.tolerance_count, 1);
    assert_true(o.result.tolerances[0].max_steps == 0);
    assert_string_equal(o.result.status_got, "ok");
    done(&o);
}

static void test_no_expectation(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, "")), NULL);
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(o.result.recorded, LB_AGREEMENT_NONE);
    done(&o);
}

static void spoil_last(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[2] = 6;
}

static void test_port_alone(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("it's [1]", -1, 0, 5, EXPECT("[0,0,5]"))), spoil_last);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.outlier, "port");
    assert_int_equal(o.result.difference_count, 2);
    const lb_difference *d = &o.result.differences[0];
    assert_string_equal(d->oracle, "recorded");
    assert_int_equal(d->what, LB_DIFFERS_DATA);
    assert_string_equal(d->role, "out");
    assert_string_equal(d->index, "2");
    assert_string_equal(d->operands, "in[2]");
    assert_string_equal(d->expected, "5 (0x05)");
    assert_string_equal(d->got, "6 (0x06)");
    assert_int_equal(d->count, 1);
    assert_int_equal(d->total, 3);
    assert_int_equal(o.result.map_rows, 1);
    assert_int_equal(o.result.map_columns, 3);
    assert_string_equal(o.result.map, "..1");
    assert_string_equal(o.result.map_role, "out");
    assert_string_equal(o.result.reproduce,
                        "lastbit run 'a b.json' --case 'it'\\''s \\[1]' --profile up-full");
    done(&o);
}

static void test_recording_alone(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,4]"))), NULL);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.outlier, "recorded");
    assert_int_equal(o.result.recorded, LB_AGREEMENT_DIFFERS);
    assert_int_equal(o.result.exact, LB_AGREEMENT_AGREES);
    done(&o);
}

static void test_exact_alone(void **state)
{
    outcome o;
    (void)state;
    /* The recording says what the (spoilt) port says. */
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,6]"))), spoil_last);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.outlier, "exact");
    done(&o);
}

static void test_all_differ(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,7]"))), spoil_last);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.outlier, "");
    done(&o);
}

static void spoil_status(lb_call *call)
{
    call->status = LB_BAD_TENSOR;
}

static void test_status(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,5]"))), spoil_status);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.differences[0].what, LB_DIFFERS_STATUS);
    assert_string_equal(o.result.differences[0].expected, "ok (0)");
    assert_string_equal(o.result.status_got, "bad_tensor");
    done(&o);
}

static void spoil_field(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->frac_bits = 5;
}

static void test_field(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,5]"))), spoil_field);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.differences[0].what, LB_DIFFERS_FIELD);
    assert_string_equal(o.result.differences[0].field, "frac_bits");
    assert_string_equal(o.result.differences[0].got, "5");
    done(&o);
}

static void spoil_input(lb_call *call)
{
    call->tensor[LB_ROLE_IN]->data.mem.pi8[1] = 99;
}

static void test_input_changed(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,5]"))), spoil_input);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.differences[0].what, LB_DIFFERS_INPUT);
    assert_string_equal(o.result.differences[0].index, "byte 1");
    done(&o);
}

#if !defined(__SANITIZE_ADDRESS__)
static void spoil_beyond(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[3] = 1;
}

static void spoil_before(lb_call *call)
{
    *(call->tensor[LB_ROLE_OUT]->data.mem.pi8 - 2) = 1;
}

static void test_guard_zones(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,5]"))), spoil_beyond);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.differences[0].what, LB_DIFFERS_GUARD);
    assert_string_equal(o.result.differences[0].role, "out");
    assert_string_equal(o.result.differences[0].index, "0 bytes after the buffer of 3 bytes");
    done(&o);
    try_case(&o, SUITE(RELU_CASE("a", -1, 0, 5, EXPECT("[0,0,5]"))), spoil_before);
    assert_string_equal(o.result.differences[0].index, "2 bytes before the buffer of 3 bytes");
    done(&o);
}
#endif

#define STRIDED                                                                                    \
    "{\"id\":\"s\",\"function\":\"mli_krn_relu_fx8\",\"config\":{\"type\":\"none\"},\"inputs\":{"  \
    "\"in\":{"                                                                                     \
    "\"type\":\"fx8\",\"shape\":[2,2],\"frac_bits\":0,\"data\":[1,2,3,4]}},\"outputs\":{\"out\":{" \
    "\"type\":\"fx8\","                                                                            \
    "\"shape\":[2,2],\"mem_stride\":[4,1],\"frac_bits\":0}}" EXPECT("[1,2,3,4]") "}"

static void spoil_gap(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[3] = 1;
}

static void test_gap(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(STRIDED), spoil_gap);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.recorded, LB_AGREEMENT_AGREES);
    assert_int_equal(o.result.differences[0].what, LB_DIFFERS_GAP);
    assert_int_equal(o.result.differences[0].count, 1);
    done(&o);
}

#define ELTWISE                                                                                    \
    "{\"id\":\"e\",\"function\":\"mli_krn_eltwise_add_fx8\",\"inputs\":{\"in1\":{\"type\":"        \
    "\"fx8\",\"shape\":[1],"                                                                       \
    "\"frac_bits\":0,\"data\":[1]},\"in2\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,"       \
    "\"data\":[1]}},"                                                                              \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0}}}"

static void test_not_provided(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, SUITE(ELTWISE), NULL);
    assert_int_equal(o.result.verdict, LB_SKIP);
    assert_string_equal(o.result.reason, "not provided by the port");
    done(&o);
}

static void test_failed_rule_is_named(void **state)
{
    outcome o;
    (void)state;
    try_case(&o,
             SUITE("{\"id\":\"n\",\"function\":\"mli_krn_relu_fx8\",\"null\":[\"cfg\"],\"inputs\":{"
                   "\"in\":{"
                   "\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[1]}},\"outputs\":{"
                   "\"out\":{\"type\":"
                   "\"fx8\",\"shape\":[1],\"frac_bits\":0}}}"),
             NULL);
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_string_equal(o.result.status_got, "bad_func_cfg");
    assert_true(o.result.rule[0] != '\0');
    assert_int_equal(o.result.tolerance_count, 0);
    done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass),
        cmocka_unit_test(test_no_expectation),
        cmocka_unit_test(test_port_alone),
        cmocka_unit_test(test_recording_alone),
        cmocka_unit_test(test_exact_alone),
        cmocka_unit_test(test_all_differ),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_field),
        cmocka_unit_test(test_input_changed),
#if !defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(
            test_guard_zones), /* under ASan the zones are poisoned: the write itself is stopped */
#endif
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_not_provided),
        cmocka_unit_test(test_failed_rule_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
