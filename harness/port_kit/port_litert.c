/* Our own implementation of LiteRT as a native port (lb_native.h): it is called by name, and asks
 * for tensors by role and for numbers by key. The built-in port links this, and so does a library
 * or a program with lb_kit.c. */
#include "lb_kit.h"
#include "lb_native.h"

#include "impl/litert/named.h"

#include <string.h>

/* The function's name there; NULL: it is none of LiteRT's. */
static const char *name_of(const char *function)
{
    static const char prefix[] = "litert_";
    return strncmp(function, prefix, sizeof prefix - 1) == 0 ? function + sizeof prefix - 1 : NULL;
}

static lb_litert_operand operand(void *owner, const char *role)
{
    static const struct {
        const char *role;
        unsigned place;
    } places[] = {
        {"in", LB_NATIVE_IN},
        {"in1", LB_NATIVE_IN1},
        {"in2", LB_NATIVE_IN2},
        {"weights", LB_NATIVE_WEIGHTS},
        {"bias", LB_NATIVE_BIAS},
        {"out", LB_NATIVE_OUT},
        {"multiplier", LB_NATIVE_MULTIPLIER},
        {"shift", LB_NATIVE_SHIFT},
        {"axis", LB_NATIVE_AXIS},
        {"bits_over_unit", LB_NATIVE_BITS_OVER_UNIT},
    };
    const lb_native_call *call = owner;
    const lb_native_tensor *t = NULL;
    lb_litert_operand given = {0, 0, {0}, NULL};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(places[i].role, role) == 0)
            t = call->tensor[places[i].place];
    if (!t)
        return given;
    given.bits = t->type & 0xFF; /* of LB_NATIVE_S8, ... */
    given.rank = (int32_t)t->rank;
    for (uint32_t d = 0; d < t->rank; d++)
        given.shape[d] = (int32_t)t->shape[d];
    given.data = t->data;
    return given;
}

/* A case has all that its function has. */
static double number(void *owner, const char *key, double otherwise)
{
    const lb_native_call *call = owner;
    (void)otherwise;
    return lb_native_number(call, key, 0);
}

int lb_native_has(const char *function)
{
    const char *name = name_of(function);
    return name && (lb_litert_named_find(name) || lb_litert_primitive_find(name));
}

int lb_native_run(const lb_native_call *call)
{
    const char *name = name_of(call->function);
    lb_litert_named_call made = {
        .function = name, .owner = (void *)(uintptr_t)call, .operand = operand, .number = number};
    const lb_litert_named *kernel = lb_litert_named_find(name);
    made.ctx.profile =
        strcmp(call->profile, "litert-single") == 0 ? LB_LITERT_SINGLE : LB_LITERT_DOUBLE;
    if (kernel) /* it refuses nothing that is defined; -1 would be LB_NATIVE_DECLINED */
        return -(int)kernel->call(&made);
    return -(int)lb_litert_primitive_call(lb_litert_primitive_find(name), &made);
}

const lb_kit_port lb_port = {"lastbit's own implementation of LiteRT, native", LB_KIT_BOTH_LITERT,
                             0};
