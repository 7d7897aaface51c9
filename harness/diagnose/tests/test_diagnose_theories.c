/* Faults of the bank held against a port that has one: suspects, theories, conditions, findings. */
#include "harness/diagnose/tests/wrong_port.h"

static const char function[] = "mli_krn_fully_connected_fx16";

static int64_t cut_off(void *user, const lb_num_step *step)
{
    (void)user;
    return step->operation == LB_STEP_RSH && step->operand[1].v > 0 && step->operand[1].v < 63
               ? step->operand[0].v >> step->operand[1].v
               : step->result;
}

/* Every rounding shift cuts off. */
static void truncates(const lb_context *context, lb_call *call)
{
    lb_steps steps = {.role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .alter = cut_off};
    lb_context with = *context;
    with.steps = &steps;
    lb_run_exact(&with, call);
}

static void truncates_of_long_inputs(const lb_context *context, lb_call *call)
{
    if (lb_element_count(call->tensor[LB_ROLE_IN]) >= 16)
        truncates(context, call);
    else
        lb_run_exact(context, call);
}

/* What most results go with, and none speaks against, is the best theory. */
static void test_the_best_theory_is_the_fault_that_is_there(void **state)
{
    wrong_port w;
    lb_function f;
    lb_theories theories;
    lb_arena keep = {0};
    (void)state;
    gather(&w, "faults_fully_connected.jsonl", function, truncates);
    lb_function_make(&f, &w.evidence, w.kernel);
    assert_int_equal(f.failing_count, w.evidence.failing);
    lb_function_try(&f, &w.evidence, NULL, 0, 20, &keep);
    assert_true(f.finished && f.suspect_count > 0);
    lb_theories_make(&theories, &f, 1);
    lb_theory *best = lb_theories_best(&theories);
    assert_non_null(best);
    assert_string_equal(lb_theory_fault(best)->kind->name, "rounding.truncates");
    assert_int_equal(lb_theory_fit(best), LB_FIT_CLEAN);
    const lb_standing said = lb_theory_standing(best);
    assert_int_equal(said.exact, f.failing_used);
    assert_int_equal(said.in_part, said.exact);
    assert_int_equal(said.against + said.narrow, 0);
    assert_true(said.bits > 20);

    /* An experiment that refutes it takes most of what it gains. */
    const double gain = lb_theory_gain(best);
    best->refuted = 1;
    assert_true(lb_theory_gain(best) < gain / 2);
    assert_int_equal(lb_theory_standing(best).against, 1);
    best->refuted = 0;
    /* Once told, it has nothing to explain any more. */
    lb_theory_cover(best);
    assert_true(lb_theory_gain(best) == 0);
    assert_null(lb_theories_best(&theories));
    lb_theories_free(&theories);
    lb_function_free(&f);
    lb_arena_free(&keep);
    forget(&w);
}

/* All that fails is under the finding or told as rest. */
static void assert_all_counted(const lb_diagnosis *d)
{
    uint64_t all = 0;
    for (size_t i = 0; i < d->found_count; i++)
        all += d->found[i].results;
    for (size_t i = 0; i < d->rest_count; i++) {
        assert_true(i == 0 || d->rest_list[i - 1].results >= d->rest_list[i].results);
        all += d->rest_list[i].results;
    }
    assert_int_equal(all, d->failing);
    assert_int_equal(d->failing, d->evidence->failing);
}

static void test_a_fault_is_told_with_certainty(void **state)
{
    wrong_port w;
    (void)state;
    gather(&w, "faults_fully_connected.jsonl", function, truncates);
    lb_diagnosis d = diagnosed(&w);
    assert_named(&d, "rounding.truncates at *");
    assert_int_equal(d.found_count, 1);
    assert_true(d.found[0].certainty == LB_CERTAIN_ONE ||
                d.found[0].certainty == LB_CERTAIN_SEVERAL);
    assert_string_equal(d.found[0].condition, "");
    assert_int_equal(d.found[0].against, 0);
    assert_string_equal(d.found[0].function, function);
    assert_true(d.meaning[0].identity.what == LB_FOUND_FAULT && d.meaning[0].fault.kind);
    assert_all_counted(&d);
    lb_diagnosis_free(&d);
    forget(&w);
}

static void test_a_condition_is_told(void **state)
{
    wrong_port w;
    (void)state;
    gather(&w, "faults_fully_connected.jsonl", function, truncates_of_long_inputs);
    lb_diagnosis d = diagnosed(&w);
    assert_named(&d, "rounding.truncates at *");
    assert_non_null(strstr(d.found[0].condition, "in.shape[0] is "));
    assert_true(d.found[0].against > 0);
    assert_true(d.found[0].certainty != LB_CERTAIN_ONE);
    assert_all_counted(&d);
    lb_diagnosis_free(&d);
    forget(&w);
}

/* The first number that the function fills in is one more. */
static void fills_in_one_more(const lb_context *context, lb_call *call)
{
    const lb_config_field *field = lb_config_fields(lb_filled_config(call->kernel));
    lb_run_exact(context, call);
    lb_config_set(&call->config, field, 0, lb_config_get(&call->config, field, 0) + 1);
}

static void test_functions_without_an_output_are_looked_into(void **state)
{
    wrong_port w;
    (void)state;
    gather(&w, "movement_config.yaml", "mli_mov_cfg_for_padding2d_chw", fills_in_one_more);
    lb_diagnosis d = diagnosed(&w);
    assert_named(&d, "writing: *");
    assert_all_counted(&d);
    lb_diagnosis_free(&d);
    forget(&w);
}

static int64_t garbled(int64_t value)
{
    const uint32_t v = (uint32_t)value * 2654435761u;
    return (int16_t)(v >> 13 & 0xFFFF);
}

/* Numbers that nothing explains: facts alone. */
static void garbles(const lb_context *context, lb_call *call)
{
    run_wrong_with_a_bias(context, call, garbled);
}

static void test_what_nothing_explains_is_told_as_unknown(void **state)
{
    wrong_port w;
    (void)state;
    gather(&w, "faults_fully_connected.jsonl", function, garbles);
    lb_diagnosis d = diagnosed(&w);
    assert_named(&d, "unknown: fully_connected");
    assert_int_equal(d.found[0].certainty, LB_CERTAIN_UNKNOWN);
    assert_true(d.found[0].fact_count > 0);
    assert_null(d.meaning[0].fault.kind);
    assert_all_counted(&d);
    lb_diagnosis_free(&d);
    forget(&w);
}

/* Calls that should be taken, and are not. */
static void wants_equal_paddings(const lb_context *context, lb_call *call)
{
    if (call->config.padding_top != call->config.padding_bottom)
        call->status = LB_BAD_FUNC_CFG;
    else
        lb_run_exact(context, call);
}

static void test_a_check_that_is_too_strict_is_told_with_its_condition(void **state)
{
    wrong_port w;
    (void)state;
    gather(&w, "coverage_conv2d.jsonl", "mli_krn_conv2d_hwcn_sa8_sa8_sa32", wants_equal_paddings);
    lb_diagnosis d = diagnosed(&w);
    assert_named(&d, "check.strict at cfg.padding_height: bad_func_cfg");
    assert_string_equal(d.found[0].condition, "padding_bottom differs from padding_top");
    assert_all_counted(&d);
    lb_diagnosis_free(&d);
    forget(&w);
}

/* The first two are a fault of the bank. */
static void exchanges_the_next_two(const lb_context *context, lb_call *call)
{
    lb_run_exact(context, call);
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    if (lb_element_count(out) < 3)
        return;
    const size_t at[2] = {lb_offset_of_flat(out, 1), lb_offset_of_flat(out, 2)};
    const int32_t first = lb_load(out, at[0]);
    lb_store(out, at[0], lb_load(out, at[1]));
    lb_store(out, at[1], first);
}

static void test_outputs_in_each_others_places_are_told(void **state)
{
    wrong_port w;
    (void)state;
    gather(&w, "coverage_argmax.jsonl", "mli_krn_argmax_sa8", exchanges_the_next_two);
    lb_diagnosis d = diagnosed(&w);
    assert_named(&d, "writing: writes elements to other places than theirs");
    assert_int_equal(d.found[0].certainty, LB_CERTAIN_PARTLY);
    assert_all_counted(&d);
    lb_diagnosis_free(&d);
    forget(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_best_theory_is_the_fault_that_is_there),
        cmocka_unit_test(test_a_fault_is_told_with_certainty),
        cmocka_unit_test(test_a_condition_is_told),
        cmocka_unit_test(test_functions_without_an_output_are_looked_into),
        cmocka_unit_test(test_what_nothing_explains_is_told_as_unknown),
        cmocka_unit_test(test_a_check_that_is_too_strict_is_told_with_its_condition),
        cmocka_unit_test(test_outputs_in_each_others_places_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
