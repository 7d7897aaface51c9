/* Faults of checks that no call can show: which are proved, and which are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/faults/proofs.h"
#include "reference/describe/kernels.h"

#include <string.h>

static bool is_proved(const char *function, const char *kind, const char *rule)
{
    const lb_kernel *kernel = lb_kernel_find(function);
    lb_fault fault = {.kind = lb_fault_kind_find(kind)};
    assert_non_null(kernel);
    assert_non_null(fault.kind);
    for (fault.rule = kernel->rules; fault.rule->check; fault.rule++)
        if (strcmp(fault.rule->name, rule) == 0)
            return lb_status_proof(&fault, kernel) != NULL;
    fail_msg("%s: no rule %s", function, rule);
    return false;
}

/* fx: types are looked at first, and all give one status; nothing but undefined calls comes behind
 * the overlap. */
static void test_fx(void **state)
{
    (void)state;
    const char *fx = "mli_krn_conv2d_hwcn_fx16";
    assert_true(is_proved(fx, "check.early", "in.type"));
    assert_true(is_proved(fx, "check.early", "weights.type"));
    assert_true(is_proved(fx, "check.early", "bias.type"));
    assert_false(is_proved(fx, "check.early", "bias.frac_bits"));
    assert_false(is_proved(fx, "check.early", "in.tensor"));
    assert_true(is_proved(fx, "check.late", "out.apart_from_in"));
    assert_false(is_proved(fx, "check.late", "cfg.stride_height"));
    assert_false(is_proved(fx, "check.late", "in.type"));
    assert_false(is_proved(fx, "check.missing", "out.apart_from_in"));
    assert_false(is_proved(fx, "check.other_status", "in.type"));
}

/* sa8: other statuses come before and behind. */
static void test_sa8(void **state)
{
    (void)state;
    const char *sa8 = "mli_krn_conv2d_hwcn_sa8_sa8_sa32";
    assert_false(is_proved(sa8, "check.early", "in.type"));
    assert_false(is_proved(sa8, "check.late", "out.apart_from_in"));
    assert_false(is_proved(sa8, "check.late", "in.type"));
    assert_false(is_proved(sa8, "check.late", "in.quant"));
    assert_true(is_proved(sa8, "check.late", "in.per_tensor"));
    assert_true(is_proved(sa8, "check.late", "bias.axis_matches_weights"));
    assert_true(is_proved(sa8, "check.early", "in.tensor"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fx), cmocka_unit_test(test_sa8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
