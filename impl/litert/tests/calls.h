/* How a case of the tests becomes a call: by its name (named.h; litert.21.2, litert.22.10). */
#ifndef LB_LITERT_TESTS_CALLS_H
#define LB_LITERT_TESTS_CALLS_H

#include "cases.h"

#include "litert/named.h"

static inline lb_litert_operand give_operand(void *owner, const char *role)
{
    test_case *c = owner;
    lb_litert_operand given = {0, 0, {0}, NULL};
    const tensor *t = find_tensor(c->input, c->inputs, role);
    t = t ? t : find_tensor(c->output, c->outputs, role);
    if (!t)
        return given;
    given = (lb_litert_operand){.bits = t->bits, .rank = t->rank, .data = t->data};
    memcpy(given.shape, t->shape, sizeof given.shape);
    return given;
}

static inline double give_number(void *owner, const char *key, double otherwise)
{
    const test_case *c = owner;
    return c->whole || find_entry(c->config, c->configs, key) ? real_of(c, key) : otherwise;
}

static inline const char *give_word(void *owner, const char *key, const char *otherwise)
{
    return word_of(owner, key, otherwise);
}

static inline void take_result(void *owner, const char *key, int32_t number)
{
    test_case *c = owner;
    add_entry(c->result, &c->results, key)->number = number;
}

static inline bool is_known(const char *function)
{
    return lb_litert_named_find(function) || lb_litert_primitive_find(function);
}

static inline lb_litert_status call_case(test_case *c, const lb_litert_context *ctx)
{
    const lb_litert_named_call call = {c->function, *ctx,      c,          give_operand,
                                       give_number, give_word, take_result};
    const lb_litert_named *f = lb_litert_named_find(c->function);
    return f ? f->call(&call)
             : lb_litert_primitive_call(lb_litert_primitive_find(c->function), &call);
}

static const char *const profile_names[] = {"litert-double", "litert-single"};

#endif
