/* What is one cause: identities of findings, and keys of faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/diagnose/identity.h"
#include "harness/faults/faults.h"

#include <string.h>

static lb_num_step step_at(lb_site site)
{
    return (lb_num_step){.operation = (lb_operation)lb_site_operation(site), .site = site};
}

static lb_identity identity_of(const lb_fault *fault)
{
    lb_identity identity = {.what = LB_FOUND_FAULT, .fault = lb_fault_key_of(fault)};
    return identity;
}

/* Two steps of one label are two places, wherever the compiler puts the label. */
static void places_are_known_by_their_sites(void **state)
{
    (void)state;
    const lb_num_step relu = step_at(LB_SITE_RELU_WITH_THE_OUTPUTS_ZERO_POINT);
    const lb_num_step pool = step_at(LB_SITE_POOL_WITH_THE_OUTPUTS_ZERO_POINT);
    const lb_num_step again = relu;
    assert_string_equal(lb_site_label(relu.site), lb_site_label(pool.site));
    const lb_fault_kind *kind = lb_fault_kind_find("result.off_by_one");
    assert_non_null(kind);
    const lb_fault a = {.kind = kind, .site = &relu, .argument = 1};
    const lb_fault b = {.kind = kind, .site = &pool, .argument = 1};
    const lb_fault c = {.kind = kind, .site = &again, .argument = 1};
    const lb_fault d = {.kind = kind, .site = &relu, .argument = -1};
    const lb_identity of_a = identity_of(&a), of_b = identity_of(&b), of_c = identity_of(&c),
                      of_d = identity_of(&d);
    assert_true(lb_identity_equal(&of_a, &of_c));
    assert_false(lb_identity_equal(&of_a, &of_b));
    /* The same mistake in the same operation: one cause, seen in another place. */
    assert_true(lb_identity_is_one_cause(&of_a, &of_b));
    assert_false(lb_identity_is_one_cause(&of_a, &of_d));
    assert_int_equal(lb_fault_key_compare(&of_a.fault, &of_b.fault),
                     -lb_fault_key_compare(&of_b.fault, &of_a.fault));
}

/* A fault whatever the gate is one fault, of whichever gate it was heard first. */
static void a_fault_of_all_gates_has_no_gate(void **state)
{
    (void)state;
    lb_num_step one = step_at(LB_SITE_RUNNING_SUM), other = one;
    one.block = LB_BLOCK_I;
    other.block = LB_BLOCK_O;
    lb_fault a = {.kind = lb_fault_kind_find("result.off_by_one"), .site = &one, .argument = 1};
    lb_fault b = a;
    b.site = &other;
    lb_identity of_a = identity_of(&a), of_b = identity_of(&b);
    assert_false(lb_identity_equal(&of_a, &of_b));
    a.all_blocks = b.all_blocks = true;
    of_a = identity_of(&a);
    of_b = identity_of(&b);
    assert_true(lb_identity_equal(&of_a, &of_b));
}

/* What probes have shown in two functions is one cause where it is the same in numbers. */
static void what_is_shown_is_known_by_its_numbers(void **state)
{
    (void)state;
    lb_identity a = {.what = LB_FOUND_SHOWN, .number = {3, 1, 0, -1}}, b = a, alone;
    memset(&alone, 0, sizeof alone);
    assert_true(lb_identity_is_one_cause(&a, &b));
    b.number[3] = 1;
    assert_false(lb_identity_is_one_cause(&a, &b));
    b = a;
    b.what = LB_FOUND_READ_OUTSIDE;
    assert_false(lb_identity_is_one_cause(&a, &b));
    b = a;
    b.field = "mem_stride";
    assert_false(lb_identity_is_one_cause(&a, &b));
    assert_false(lb_identity_is_one_cause(&alone, &alone));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_are_known_by_their_sites),
                                       cmocka_unit_test(a_fault_of_all_gates_has_no_gate),
                                       cmocka_unit_test(what_is_shown_is_known_by_its_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
