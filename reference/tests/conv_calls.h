/* Calls of convolutions for the tests of this room: four tensors, a configuration, and a watch,
 * laid out together. */
#ifndef LB_REFERENCE_TESTS_CONV_CALLS_H
#define LB_REFERENCE_TESTS_CONV_CALLS_H

#include "tensors.h"

enum { UP_FULL, UP_REDUCED, CONVERGENT_FULL, CONVERGENT_REDUCED };
enum { RELU_NONE, RELU_GEN, RELU_1, RELU_6 };

/* A scale of exactly 1, for sa8 examples whose containers are whole real numbers. The bias scale is
 * then 1 too. */
#define ONE ((lb_quant){1 << 14, 14, 0})

typedef struct conv_call {
    lb_tensor in, weights, bias, out;
    lb_call call;
    lb_watch watch;
} conv_call;

/* Strides and dilations 1, no padding, no ReLU. The tensors are set before or after. */
static inline void bind_call(conv_call *c, const char *function)
{
    c->call = make_call(function);
    set_role(&c->call, LB_ROLE_IN, &c->in);
    set_role(&c->call, LB_ROLE_WEIGHTS, &c->weights);
    set_role(&c->call, LB_ROLE_BIAS, &c->bias);
    set_role(&c->call, LB_ROLE_OUT, &c->out);
    c->call.config.stride_height = 1;
    c->call.config.stride_width = 1;
    c->call.config.dilation_height = 1;
    c->call.config.dilation_width = 1;
}

/* As run() of tensors.h, with a fresh watch. */
static inline const char *run_watched(conv_call *c, int profile)
{
    memset(&c->watch, 0, sizeof c->watch);
    lb_context context = {.profile = &lb_profiles[profile], .watch = &c->watch};
    const lb_rule *rule = lb_run_exact(&context, &c->call);
    return rule ? rule->name : "";
}

#define ASSERT_OUT(c, profile, expected)                                                           \
    do {                                                                                           \
        assert_string_equal(run_watched((c), (profile)), "");                                      \
        assert_int_equal(lb_element_count(&(c)->out), COUNT_OF(expected));                         \
        for (size_t i_ = 0; i_ < COUNT_OF(expected); i_++)                                         \
            assert_int_equal(lb_load(&(c)->out, lb_offset_of_flat(&(c)->out, i_)),                 \
                             (expected)[i_]);                                                      \
    } while (0)

#endif
