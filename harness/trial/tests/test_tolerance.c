/* The real model as the fourth oracle: what is out of tolerance is found, what is within it passes
 * where that is asked for, and what cannot be judged is not. */
#include "harness/tests/fixture.h"

#include "harness/trial/trial.h"

#include <math.h>

typedef struct outcome {
    lb_result result;
    lb_arena arena;
    lb_suite *suite;
} outcome;

typedef struct trying {
    void (*spoil)(lb_call *call);
    lb_judge_mode judge;
    const char *policy; /* text of a policy file, or NULL */
    bool off;
    bool floors, asked; /* a profile found by experiments that floors; limits are asked for */
} trying;

static void keep_result(void *user, size_t profile_index, lb_result *result)
{
    (void)profile_index;
    ((outcome *)user)->result = *result;
}

static void try_case(outcome *o, const char *text, trying how)
{
    fake_port fake = fake_port_make(how.spoil);
    lb_profile own = lb_profiles[0];
    own.has_features = how.floors;
    own.calls = how.floors ? 40 : 0;
    own.features.of[LB_FAMILY_FULLY_CONNECTED][LB_TYPES_FX8].value[LB_FEATURE_ROUNDING] =
        LB_ROUND_FLOOR + 1;
    const lb_profile *profile = &own;
    bool wanted = true;
    lb_policy policy;
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    memset(o, 0, sizeof *o);
    o->suite = open_suite(text);
    lb_suite_reader *reader = lb_suite_reader_open(o->suite);
    const lb_case *c = lb_suite_reader_case(reader, 0, &diagnostics);
    assert_non_null(c);
    if (how.policy) {
        const char *path = write_file("tolerance.yaml", how.policy);
        assert_true(lb_policy_load(path, &policy, &diagnostics));
        policy.file = "tolerance.yaml";
        remove_file(path);
    }
    lb_trial_setup setup = {.port = &fake.port,
                            .suite = "test",
                            .file = "a.json",
                            .judge = how.judge,
                            .tolerance_off = how.off,
                            .tolerance_asked = how.asked,
                            .policy = how.policy ? &policy : NULL,
                            .arena = &o->arena};
    lb_trial_run(&setup, c, &profile, &wanted, 1, NULL, keep_result, o);
    lb_suite_reader_close(reader);
    if (how.policy)
        lb_policy_free(&policy);
}

static void done(outcome *o)
{
    lb_arena_free(&o->arena);
    lb_suite_close(o->suite);
}

/* 4 inputs, 64 outputs, 3 bits below the output's step. */
#define DENSE_OF(more, seed)                                                                       \
    SUITE("{\"id\":\"dense\",\"function\":\"mli_krn_fully_connected_fx8\",\"config\":{\"relu\":"   \
          "\"none\"},"                                                                             \
          "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[4],\"frac_bits\":4,\"data\":[37,-50,"   \
          "21,9]},"                                                                                \
          "\"weights\":{\"type\":\"fx8\",\"shape\":[4,64],\"frac_bits\":4,\"data\":{"              \
          "\"generator\":\"uniform\","                                                             \
          "\"seed\":" seed ",\"low\":-7,\"high\":7}},"                                             \
          "\"bias\":{\"type\":\"fx8\",\"shape\":[64],\"frac_bits\":4,\"data\":{\"generator\":"     \
          "\"uniform\",\"seed\":2}}},"                                                             \
          "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[64],\"frac_bits\":3" more "}}}")
#define DENSE DENSE_OF("", "2")

static void recompute(lb_call *call, int (*round)(double v))
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN], *weights = call->tensor[LB_ROLE_WEIGHTS];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (size_t c = 0; c < 64; c++) {
        int acc = 16 * lb_load(call->tensor[LB_ROLE_BIAS], c);
        for (size_t i = 0; i < 4; i++)
            acc += lb_load(in, i) * lb_load(weights, i * 64 + c);
        int y = round(acc / 32.0);
        lb_store(out, c, y > 127 ? 127 : y < -128 ? -128 : y);
    }
}

static int to_floor(double v)
{
    return (int)floor(v);
}

static int to_nearest_away(double v)
{
    return (int)round(v);
}

static void truncates(lb_call *call)
{
    recompute(call, to_floor);
}

static void rounds_away(lb_call *call)
{
    recompute(call, to_nearest_away);
}

static void adds_one(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[5]++;
}

static void writes_a_field(lb_call *call)
{
    rounds_away(call);
    call->tensor[LB_ROLE_OUT]->frac_bits = 2;
}

static void fails_too(lb_call *call)
{
    rounds_away(call);
    call->status = LB_BAD_TENSOR;
}

/* A port that writes nonsense into its tensor cannot bring the measuring down. */
static void loses_its_tensor(lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    out->data.mem.ptr = NULL;
    out->el_type = LB_FP32;
    out->rank = 99;
    out->mem_stride[0] = 1 << 30;
    out->shape[0] = 1u << 31;
}

static void test_port_that_loses_its_tensor(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, DENSE, (trying){.spoil = loses_its_tensor});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.real, LB_AGREEMENT_AGREES); /* of what its buffer holds */
    done(&o);
    try_case(&o, DENSE, (trying){.spoil = loses_its_tensor, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL);
    done(&o);
}

static void test_right_port(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, DENSE, (trying){.spoil = NULL});
    const lb_tolerance *t = &o.result.tolerances[0];
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(o.result.real, LB_AGREEMENT_AGREES);
    assert_int_equal(t->elements, 64);
    assert_string_equal(t->limit_source, "derived");
    assert_string_equal(t->limit_metric, "max_steps");
    assert_true(t->limit == 0.5 && t->used_percent > 50 && t->used_percent <= 100);
    assert_true(t->quant_share_percent > 99.9 && t->snr_db > 20 && t->max_real <= 0.5 / 8);
    done(&o);
    try_case(&o, DENSE, (trying){.off = true});
    assert_int_equal(o.result.real, LB_AGREEMENT_NONE);
    assert_int_equal(o.result.tolerance_count, 0);
    done(&o);
}

/* One element that is off by a step more than it may be; nothing is recorded, so the real model
 * decides who is wrong. */
static void test_one_step_too_far(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, DENSE, (trying){.spoil = adds_one});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.real, LB_AGREEMENT_DIFFERS);
    assert_string_equal(o.result.outlier, "port");
    assert_true(o.result.tolerances[0].used_percent > 100);
    assert_non_null(strstr(o.result.reason, "out of tolerance of the real model: out: "));
    done(&o);
}

/* Each element may be a whole step off; the mean tells all the same. */
static void test_truncation_is_found_by_the_mean(void **state)
{
    static const char policy[] = "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 1}\n";
    outcome o;
    (void)state;
    try_case(&o, DENSE,
             (trying){.spoil = truncates, .policy = policy, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.real, LB_AGREEMENT_DIFFERS);
    assert_string_equal(o.result.tolerances[0].limit_metric, "mean_steps");
    assert_string_equal(o.result.tolerances[0].limit_source, "derived");
    assert_true(o.result.tolerances[0].max_steps < 1);
    done(&o);
    try_case(
        &o, DENSE,
        (trying){.spoil = truncates,
                 .policy =
                     "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 1, mean_steps: 0.75}\n",
                 .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_PASS);
    done(&o);
}

static void test_judge_tolerance(void **state)
{
    outcome o;
    (void)state;
    /* other bits at ties: told, and passed or not */
    try_case(&o, DENSE, (trying){.spoil = rounds_away});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.real, LB_AGREEMENT_AGREES);
    assert_non_null(strstr(o.result.reason, "within tolerance"));
    done(&o);
    try_case(&o, DENSE, (trying){.spoil = rounds_away, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(o.result.exact, LB_AGREEMENT_DIFFERS);
    assert_int_equal(o.result.difference_count, 1);
    assert_string_equal(o.result.reason, "");
    done(&o);
    try_case(&o, DENSE, (trying){.spoil = adds_one, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL);
    done(&o);
    /* a field or a status is no matter of tolerance */
    try_case(&o, DENSE, (trying){.spoil = writes_a_field, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL);
    done(&o);
    try_case(&o, DENSE, (trying){.spoil = fails_too, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL);
    done(&o);
}

/* A profile that was found says what the port does: the distance is told, and fails nothing that
 * has its bits, unless somebody sets limits. */
static void test_found_profile(void **state)
{
    const char *policy = "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 0.6}\n";
    outcome o;
    (void)state;
    trying how = {.spoil = truncates, .floors = true, .policy = policy};
    try_case(&o, DENSE, how);
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(o.result.exact, LB_AGREEMENT_AGREES);
    assert_int_equal(o.result.real, LB_AGREEMENT_DIFFERS);
    assert_true(o.result.tolerances[0].used_percent > 100);
    done(&o);
    how.asked = true;
    try_case(&o, DENSE, how);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.outlier, "real");
    done(&o);
    how = (trying){.spoil = rounds_away, .floors = true};
    try_case(&o, DENSE, how); /* other bits fail in it as in any */
    assert_int_equal(o.result.verdict, LB_FAIL);
    done(&o);
}

/* softmax_fx8 has no real model, argmax no real numbers: other bits are wrong there whatever is
 * judged. */
static void zeroes_to_ones(lb_call *call)
{
    memset(call->tensor[LB_ROLE_OUT]->data.mem.ptr, 1, 3);
}

static void test_nothing_to_tolerate(void **state)
{
    outcome o;
    (void)state;
    try_case(
        &o,
        SUITE(
            "{\"id\":\"s\",\"function\":\"mli_krn_softmax_fx8\",\"config\":{\"axis\":0},"
            "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[3],\"frac_bits\":4,\"data\":[1,2,3]}},"
            "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[3],\"frac_bits\":7}}}"),
        (trying){.spoil = zeroes_to_ones, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_int_equal(o.result.real, LB_AGREEMENT_NONE);
    done(&o);
}

/* 512 products of -32768 * -128 are 2^31: the register wraps. No real number stands for that, and
 * it is said. */
static void test_overflow_is_not_judged(void **state)
{
    outcome o;
    (void)state;
    try_case(&o,
             SUITE("{\"id\":\"w\",\"function\":\"mli_krn_fully_connected_fx16_fx8_fx8\",\"config\":"
                   "{\"relu\":\"none\"},"
                   "\"inputs\":{\"in\":{\"type\":\"fx16\",\"shape\":[512],\"frac_bits\":15,"
                   "\"data\":{\"generator\":\"constant\",\"value\":-32768}},"
                   "\"weights\":{\"type\":\"fx8\",\"shape\":[512,2],\"frac_bits\":7,"
                   "\"data\":{\"generator\":\"alternate\",\"values\":[-128,0]}},"
                   "\"bias\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":7,\"data\":[0,64]}},"
                   "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":6}}}"),
             (trying){.spoil = NULL});
    assert_int_equal(o.result.real, LB_AGREEMENT_NONE);
    assert_int_equal(o.result.tolerances[0].elements, 1);
    assert_string_equal(o.result.tolerances[0].limit_source,
                        "not judged: the accumulator of 1 element left its width");
    done(&o);
}

static void test_policy(void **state)
{
    outcome o;
    (void)state;
    /* right to the bit, and not good enough for the policy: the real model stands alone */
    try_case(&o, DENSE,
             (trying){.policy = "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 0.1}\n"});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.outlier, "real");
    assert_string_equal(o.result.tolerances[0].limit_source, "tolerance.yaml:3");
    done(&o);
    /* the last entry that matches and sets the metric */
    try_case(
        &o, DENSE,
        (trying){
            .policy =
                "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 0.1}\n  - {snr_db: 15}\n"
                "  - {function: '*_fully_connected_*', variant: fx8, max_steps: 0.6}\n"
                "  - {function: mli_krn_relu_*, max_steps: 0.1}\n  - {tag: none, max_steps: "
                "0.1}\n"});
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_string_equal(o.result.tolerances[0].limit_source, "tolerance.yaml:5");
    assert_true(o.result.tolerances[0].limit == 0.6);
    done(&o);
    /* a norm does not take the place of the limit on elements */
    try_case(&o, DENSE,
             (trying){.spoil = adds_one,
                      .policy =
                          "format: lastbit/tolerance-1\nlimits:\n  - {snr_db: 1, rms_steps: 1}\n"});
    assert_int_equal(o.result.real, LB_AGREEMENT_DIFFERS);
    assert_string_equal(o.result.tolerances[0].limit_metric, "max_steps");
    done(&o);
    try_case(&o, DENSE,
             (trying){.policy = "format: lastbit/tolerance-1\nlimits:\n  - {snr_db: 90}\n"});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.result.tolerances[0].limit_metric, "snr_db");
    done(&o);
}

static void test_limit_larger_than_the_signal(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, DENSE,
             (trying){.policy = "format: lastbit/tolerance-1\nlimits:\n  - max_steps: 200\n"});
    assert_int_equal(o.result.verdict, LB_ERROR);
    assert_non_null(
        strstr(o.result.reason,
               "tolerance.yaml:3: max_steps 200 is larger than the signal of case dense"));
    done(&o);
    try_case(
        &o, DENSE,
        (trying){.policy =
                     "format: lastbit/tolerance-1\nlimits:\n  - max_real: 40\n    max_steps: 1\n"});
    assert_int_equal(o.result.verdict, LB_ERROR);
    assert_non_null(
        strstr(o.result.reason, "tolerance.yaml:3: max_real 40 is larger than the signal"));
    done(&o);
    try_case(
        &o, DENSE,
        (trying){
            .policy =
                "format: lastbit/tolerance-1\nlimits:\n  - max_real: 0.2\n    max_steps: 1\n"});
    assert_int_equal(o.result.verdict, LB_PASS);
    done(&o);
}

/* Out goes back to in: bits that differ once make all that follow differ, but each call is within
 * tolerance of its own inputs. */
#define CHAIN                                                                                      \
    SUITE("{\"id\":\"c\",\"function\":\"mli_krn_leaky_relu_fx16\",\"chain\":{\"steps\":6,"         \
          "\"feed\":[{\"from\":\"out\","                                                           \
          "\"to\":\"in\"}]},"                                                                      \
          "\"inputs\":{\"in\":{\"type\":\"fx16\",\"shape\":[3],\"frac_bits\":10,\"data\":[-31999," \
          "-12345,-2]},"                                                                           \
          "\"slope\":{\"type\":\"fx16\",\"shape\":[],\"frac_bits\":15,\"data\":[20001]}},"         \
          "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[3],\"frac_bits\":10}}}")

static int fake_steps;

/* One element, in the second call, is a step higher than the exact model has it. */
static void rounds_otherwise(lb_call *call)
{
    int16_t *out = call->tensor[LB_ROLE_OUT]->data.mem.ptr;
    if (++fake_steps == 2)
        out[1] = (int16_t)(out[1] + 1);
}

static void does_nothing(lb_call *call)
{
    (void)call;
}

static void test_chain(void **state)
{
    outcome o;
    (void)state;
    try_case(&o, CHAIN, (trying){.spoil = does_nothing, .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_PASS);
    done(&o);
    fake_steps = 0;
    try_case(&o, CHAIN, (trying){.spoil = rounds_otherwise, .judge = LB_JUDGE_EXACT});
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_non_null(strstr(o.result.reason, "step 2 of 6"));
    done(&o);
    fake_steps = 0;
    try_case(
        &o, CHAIN,
        (trying){.spoil = rounds_otherwise,
                 .policy =
                     "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 1, mean_steps: 1}\n",
                 .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_FAIL); /* more than a step there */
    done(&o);
    fake_steps = 0;
    try_case(
        &o, CHAIN,
        (trying){.spoil = rounds_otherwise,
                 .policy =
                     "format: lastbit/tolerance-1\nlimits:\n  - {max_steps: 1.6, mean_steps: 1}\n",
                 .judge = LB_JUDGE_TOLERANCE});
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_string_equal(o.result.reason, "");
    done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_port),
        cmocka_unit_test(test_port_that_loses_its_tensor),
        cmocka_unit_test(test_one_step_too_far),
        cmocka_unit_test(test_truncation_is_found_by_the_mean),
        cmocka_unit_test(test_judge_tolerance),
        cmocka_unit_test(test_found_profile),
        cmocka_unit_test(test_nothing_to_tolerate),
        cmocka_unit_test(test_overflow_is_not_judged),
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_limit_larger_than_the_signal),
        cmocka_unit_test(test_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
