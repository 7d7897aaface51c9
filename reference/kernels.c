/* Looking up functions in the table (kernel_table.c), and running one of them on its exact model.
 * Spec: api.md 4. */
#include "kernels.h"

#include <string.h>

static const char *const family_names[LB_FAMILY_COUNT] = {
    [LB_FAMILY_CONV2D] = "conv2d",
    [LB_FAMILY_DEPTHWISE_CONV2D] = "depthwise_conv2d",
    [LB_FAMILY_GROUP_CONV2D] = "group_conv2d",
    [LB_FAMILY_TRANSPOSE_CONV2D] = "transpose_conv2d",
    [LB_FAMILY_FULLY_CONNECTED] = "fully_connected",
    [LB_FAMILY_RNN_DENSE] = "rnn_dense",
    [LB_FAMILY_LSTM] = "lstm",
    [LB_FAMILY_GRU] = "gru",
    [LB_FAMILY_MAXPOOL] = "maxpool",
    [LB_FAMILY_AVEPOOL] = "avepool",
    [LB_FAMILY_ARGMAX] = "argmax",
    [LB_FAMILY_RELU] = "relu",
    [LB_FAMILY_LEAKY_RELU] = "leaky_relu",
    [LB_FAMILY_PRELU] = "prelu",
    [LB_FAMILY_SIGM] = "sigm",
    [LB_FAMILY_TANH] = "tanh",
    [LB_FAMILY_SOFTMAX] = "softmax",
    [LB_FAMILY_L2_NORMALIZE] = "l2_normalize",
    [LB_FAMILY_ELTWISE] = "eltwise",
    [LB_FAMILY_PERMUTE] = "permute",
    [LB_FAMILY_LUT] = "lut",
    [LB_FAMILY_CONVERT] = "convert",
    [LB_FAMILY_HELPER] = "helper",
    [LB_FAMILY_MOV] = "mov",
    [LB_FAMILY_FLOAT4] = "float4",
};

const char *lb_family_name(lb_family family)
{
    return family_names[family];
}

int lb_family_find(const char *name)
{
    for (int i = 0; i < LB_FAMILY_COUNT; i++) {
        if (strcmp(family_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const lb_kernel *lb_kernel_find(const char *name)
{
    for (size_t i = 0; i < lb_kernel_count; i++) {
        if (strcmp(lb_kernels[i].name, name) == 0) {
            return &lb_kernels[i];
        }
    }
    return NULL;
}

const lb_role_spec *lb_kernel_role(const lb_kernel *kernel, lb_role role)
{
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++) {
        if (spec->role == role) {
            return spec;
        }
    }
    return NULL;
}

const lb_rule *lb_run_exact(const lb_context *context, lb_call *call)
{
    for (const lb_rule *rule = call->kernel->rules; rule != NULL && rule->check != NULL; rule++) {
        lb_status status = rule->check(context, call, rule);
        if (status != LB_OK) {
            call->status = status;
            return rule;
        }
    }
    call->status = LB_OK;
    call->kernel->exact(context, call);
    return NULL;
}

bool lb_kernel_has_avepool16(const lb_kernel *kernel)
{
    return kernel->family == LB_FAMILY_AVEPOOL && lb_is_sa(kernel->in_type);
}

int lb_kernel_numerics(const lb_kernel *kernel, const lb_profile *profile)
{
    return lb_kernel_has_avepool16(kernel) ? lb_profile_number(profile)
                                           : lb_profile_numerics(profile);
}
