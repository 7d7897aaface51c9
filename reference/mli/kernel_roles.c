/* Names of roles, and the role lists of the functions in argument order. Spec: api.md 4.
 * Look-up tables, handles and configurations are not roles: whoever makes a call makes them. */
#include "kernel_roles.h"

#include <string.h>

static const char *const names[LB_ROLE_COUNT] = {
    [LB_ROLE_IN] = "in",
    [LB_ROLE_IN1] = "in1",
    [LB_ROLE_IN2] = "in2",
    [LB_ROLE_MULTIPLIER] = "multiplier",
    [LB_ROLE_SHIFT] = "shift",
    [LB_ROLE_AXIS] = "axis",
    [LB_ROLE_BITS_OVER_UNIT] = "bits_over_unit",
    [LB_ROLE_IN_BAD] = "in_bad",
    [LB_ROLE_PREV_OUT] = "prev_out",
    [LB_ROLE_WEIGHTS] = "weights",
    [LB_ROLE_WEIGHTS_IN] = "weights_in",
    [LB_ROLE_WEIGHTS_OUT] = "weights_out",
    [LB_ROLE_BIAS] = "bias",
    [LB_ROLE_SLOPE] = "slope",
    [LB_ROLE_EPSILON] = "epsilon",
    [LB_ROLE_CELL] = "cell",
    [LB_ROLE_OUT] = "out",
};

const char *lb_role_name(lb_role role)
{
    return names[role];
}

int lb_role_find(const char *name)
{
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

#define INPUT(role_)                                                                               \
    {                                                                                              \
        .role = role_, .use = LB_USE_INPUT                                                         \
    }
#define INPUT_LIST(role_)                                                                          \
    {                                                                                              \
        .role = role_, .use = LB_USE_INPUT, .list = true                                           \
    }
#define OPTIONAL_INPUT(role_)                                                                      \
    {                                                                                              \
        .role = role_, .use = LB_USE_INPUT, .optional = true                                       \
    }
#define OUTPUT(role_)                                                                              \
    {                                                                                              \
        .role = role_, .use = LB_USE_OUTPUT                                                        \
    }
#define INOUT(role_)                                                                               \
    {                                                                                              \
        .role = role_, .use = LB_USE_INOUT                                                         \
    }
#define END                                                                                        \
    {                                                                                              \
        .use = LB_USE_NONE                                                                         \
    }

const lb_role_spec lb_roles_none[] = {END};

const lb_role_spec lb_roles_weighted[] = {INPUT(LB_ROLE_IN), INPUT(LB_ROLE_WEIGHTS),
                                          INPUT(LB_ROLE_BIAS), OUTPUT(LB_ROLE_OUT), END};

const lb_role_spec lb_roles_rnn_dense[] = {INPUT_LIST(LB_ROLE_IN), INPUT_LIST(LB_ROLE_WEIGHTS),
                                           INPUT(LB_ROLE_BIAS), OUTPUT(LB_ROLE_OUT), END};

const lb_role_spec lb_roles_lstm[] = {
    INPUT(LB_ROLE_IN),         INPUT(LB_ROLE_PREV_OUT),
    INPUT(LB_ROLE_WEIGHTS_IN), INPUT(LB_ROLE_WEIGHTS_OUT),
    INPUT(LB_ROLE_BIAS),       INOUT(LB_ROLE_CELL),
    OUTPUT(LB_ROLE_OUT),       END,
};

const lb_role_spec lb_roles_gru[] = {
    INPUT(LB_ROLE_IN),
    INPUT(LB_ROLE_PREV_OUT),
    INPUT(LB_ROLE_WEIGHTS_IN),
    INPUT(LB_ROLE_WEIGHTS_OUT),
    INPUT(LB_ROLE_BIAS),
    OUTPUT(LB_ROLE_OUT),
    END,
};

const lb_role_spec lb_roles_unary[] = {INPUT(LB_ROLE_IN), OUTPUT(LB_ROLE_OUT), END};

const lb_role_spec lb_roles_slope[] = {INPUT(LB_ROLE_IN), INPUT(LB_ROLE_SLOPE), OUTPUT(LB_ROLE_OUT),
                                       END};

/* epsilon is ignored by the kernel and may be NULL (elementwise.md 8) */
const lb_role_spec lb_roles_l2_normalize[] = {INPUT(LB_ROLE_IN), OPTIONAL_INPUT(LB_ROLE_EPSILON),
                                              OUTPUT(LB_ROLE_OUT), END};

const lb_role_spec lb_roles_binary[] = {INPUT(LB_ROLE_IN1), INPUT(LB_ROLE_IN2), OUTPUT(LB_ROLE_OUT),
                                        END};

const lb_role_spec lb_roles_getter[] = {INPUT(LB_ROLE_IN), END};

const lb_role_spec lb_roles_compare[] = {INPUT(LB_ROLE_IN1), INPUT(LB_ROLE_IN2), END};

const lb_role_spec lb_roles_table[] = {OUTPUT(LB_ROLE_OUT), END};

const lb_role_spec lb_roles_set_strides[] = {INOUT(LB_ROLE_IN), END};
