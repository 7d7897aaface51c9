/* Cases that violate one check of a function and no earlier one, made from what the checks say. */
#include "harness/call/model.h"
#include "harness/generate/status_cases.h"
#include "reference/describe/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* No case violates them first: unsized pooling takes any kernel; scratch memory is the harness's
 * own; where both inputs have to be alike, the first is found wrong; and lists that two tensors
 * share are no single change. */
static const char *const unseen[][2] = {
    {"mli_krn_maxpool_hwc_sa8", "cfg.kernel_size"},
    {"mli_krn_lstm_cell_sa8_sa8_sa32", "cfg.scratch_apart_from_in"},
    {"mli_krn_eltwise_min_sa8", "in2.type"},
    {"mli_krn_eltwise_min_sa8", "in2.per_tensor"},
    {"mli_krn_eltwise_min_sa8", "in1.per_tensor"},
};

static bool is_unseen(const lb_kernel *kernel, const lb_rule *rule)
{
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        if (strcmp(unseen[i][0], kernel->name) == 0 && strcmp(unseen[i][1], rule->name) == 0)
            return true;
    return false;
}

static void check_case(const lb_case *c, const lb_rule *rule, lb_arena *arena)
{
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        const lb_context context = {.profile = &lb_profiles[p]};
        lb_instance *instance = lb_instance_of(c, arena);
        const lb_rule *violated = lb_check_call(&context, &instance->call);
        assert_non_null(violated);
        assert_string_equal(violated->name, rule->name);
        assert_int_equal(instance->call.undefined, LB_SAID);
        assert_int_not_equal(instance->call.status, LB_OK);
    }
    assert_non_null(strstr(c->note, rule->name));
}

static void every_check_is_violated_alone(void **state)
{
    (void)state;
    static const char *const functions[] = {"mli_krn_conv2d_hwcn_sa8_sa8_sa32",
                                            "mli_krn_conv2d_hwcn_fx16_k3x3",
                                            "mli_krn_group_conv2d_hwcn_fx16",
                                            "mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2",
                                            "mli_krn_fully_connected_sa8_sa8_sa32",
                                            "mli_krn_maxpool_hwc_sa8",
                                            "mli_krn_avepool_hwc_sa8_k3x3",
                                            "mli_krn_leaky_relu_sa8",
                                            "mli_krn_eltwise_min_sa8",
                                            "mli_krn_softmax_sa8",
                                            "mli_krn_argmax_sa8",
                                            "mli_krn_permute_sa8",
                                            "mli_krn_lstm_cell_sa8_sa8_sa32",
                                            "mli_hlp_convert_tensor",
                                            "mli_hlp_create_subtensor",
                                            "mli_ext_mxfp4_values"};
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        const lb_kernel *kernel = lb_kernel_find(functions[k]);
        assert_non_null(kernel);
        for (const lb_rule *rule = kernel->rules; rule->check; rule++) {
            lb_arena arena = {0};
            lb_case *cases[LB_STATUS_CASES];
            if (lb_rule_is_undefined(rule))
                continue;
            unsigned count = lb_status_cases_of(kernel, rule, 1, &arena, cases);
            if ((count == 0) != is_unseen(kernel, rule))
                print_error("%s: %s: %u cases\n", functions[k], rule->name, count);
            assert_int_equal(count == 0, is_unseen(kernel, rule));
            for (unsigned i = 0; i < count; i++)
                check_case(cases[i], rule, &arena);
            lb_arena_free(&arena);
        }
    }
}

/* The first case of a limit stands just beyond it: one step back, the check passes. */
static void first_case_is_at_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        size_t field;
    } fields[] = {{"cfg.stride_height", offsetof(lb_config, stride_height)},
                  {"cfg.dilation_width", offsetof(lb_config, dilation_width)}};
    const lb_kernel *kernel = lb_kernel_find("mli_krn_conv2d_hwcn_sa8_sa8_sa32");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        lb_arena arena = {0};
        lb_case *cases[LB_STATUS_CASES];
        const lb_rule *rule = kernel->rules;
        while (strcmp(rule->name, fields[i].rule) != 0)
            rule++;
        assert_in_range(lb_status_cases_of(kernel, rule, 1, &arena, cases), 1, LB_STATUS_CASES);
        assert_int_equal(((const uint8_t *)&cases[0]->config)[fields[i].field], 0);
        ((uint8_t *)&cases[0]->config)[fields[i].field] = 1;
        lb_instance *instance = lb_instance_of(cases[0], &arena);
        const lb_context context = {.profile = &lb_profiles[0]};
        assert_int_equal(rule->check(&context, &instance->call, rule), LB_OK);
        lb_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_check_is_violated_alone),
        cmocka_unit_test(first_case_is_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
