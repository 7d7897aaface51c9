/* Looking up functions in the table (kernel_table.c), and running one of them on its exact model.
 * Spec: api.md 4. */
#include "kernels.h"

#include <string.h>

#define FAMILY_ROW(code, name, refusals) [LB_FAMILY_##code] = {name, refusals},
static const struct {
    const char *name, *refusals;
} families[LB_FAMILY_COUNT] = {LB_FAMILIES(FAMILY_ROW)};

const char *lb_family_name(lb_family family)
{
    return families[family].name;
}

const char *lb_family_refusals(lb_family family)
{
    return families[family].refusals;
}

int lb_family_find(const char *name)
{
    for (int i = 0; i < LB_FAMILY_COUNT; i++) {
        if (strcmp(families[i].name, name) == 0) {
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
