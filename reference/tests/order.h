/* The order of checks, tested from a list of damages in the order of the spec: each alone gives its
 * own status, of every two the earlier one wins, and the function has no rule that the list leaves
 * out. */
#ifndef LB_REFERENCE_TESTS_ORDER_H
#define LB_REFERENCE_TESTS_ORDER_H

#include "tensors.h"

typedef struct damage {
    const char *rule;
    lb_status status;
    void (*apply)(void *memory); /* NULL: the test tries this rule in another way */
    bool alone; /* it hides what earlier rules look at (rank 0): not tried together with another */
} damage;

/* In a file with a type `fixture`: a function that changes one in memory. */
#define DAMAGE(name, ...)                                                                          \
    static void name(void *memory)                                                                 \
    {                                                                                              \
        fixture *f = memory;                                                                       \
        __VA_ARGS__;                                                                               \
    }

static inline void check_pair(const damage *later, const damage *earlier, void *memory,
                              void (*fresh)(void *memory), lb_call *call)
{
    fresh(memory);
    later->apply(memory);
    earlier->apply(memory);
    const char *rule = run(call, 0);
    if (strcmp(rule, earlier->rule) != 0)
        print_error("with the damage of %s: ", later->rule);
    assert_string_equal(rule, earlier->rule);
    assert_int_equal(call->status, earlier->status);
}

/* fresh makes a fixture in memory whose call passes; *call is the call in it. */
static inline void check_order(const damage *damages, size_t count, void *memory,
                               void (*fresh)(void *memory), lb_call *call)
{
    fresh(memory);
    assert_string_equal(run(call, 0), "");
    assert_int_equal(call->status, LB_OK);
    /* Rows about what is undefined may be left out: they give no status. */
    const lb_rule *rule = call->kernel->rules;
    for (size_t i = 0; i <= count; i++, rule++) {
        const char *wanted = i < count ? damages[i].rule : "";
        while (rule->check && lb_rule_is_undefined(rule) && strcmp(rule->name, wanted) != 0)
            rule++;
        if (i < count) {
            assert_non_null(rule->check);
            assert_string_equal(rule->name, wanted);
        }
    }
    assert_null(rule[-1].check);
    for (size_t later = 0; later < count; later++) {
        for (size_t earlier = 0; earlier <= later; earlier++) {
            bool tried = damages[later].apply && damages[earlier].apply;
            if (tried && (earlier == later || (!damages[later].alone && !damages[earlier].alone)))
                check_pair(&damages[later], &damages[earlier], memory, fresh, call);
        }
    }
}

#endif
