/* Every operation of the models has a hint where to look; what is none has none. */
#include "harness/diagnose/hints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void each_operation_has_one(void **state)
{
    (void)state;
    for (int o = 0; o < LB_STEP_COUNT; o++)
        if (!lb_hint_of((lb_operation)o) || !lb_hint_of((lb_operation)o)[0])
            fail_msg("%s has no hint", lb_operation_name((lb_operation)o));
    assert_string_equal(lb_hint_of(LB_STEP_COUNT), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_operation_has_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
