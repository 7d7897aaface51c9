/* LiteRT on the built-in port: a call as native ports are given it (port_kit/port_litert.c). */
#include "harness/port/builtin_litert.h"

#include "harness/port/call.h"
#include "harness/port_kit/lb_native.h"

#include <string.h>

typedef struct built_call {
    lb_native_call native; /* first: what the kernels are given */
    const lb_call *call;
    lb_native_tensor tensors[LB_NATIVE_PLACES];
} built_call;

int32_t lb_native_number(const lb_native_call *native, const char *name, uint32_t index)
{
    const lb_call *call = ((const built_call *)native)->call;
    const lb_config_field *field = lb_config_field_named(call->kernel->config_kind, name);
    return field ? (int32_t)lb_config_get(&call->config, field, index) : 0;
}

bool lb_builtin_litert_has(const lb_kernel *kernel)
{
    return lb_native_has(kernel->name);
}

static lb_native_tensor native_tensor(const lb_tensor *t)
{
    lb_native_tensor n = {.type = (int32_t)t->el_type,
                          .rank = t->rank,
                          .data = t->rank == 0 ? (void *)(uintptr_t)&t->data.mem : t->data.mem.ptr,
                          .axis = -1};
    memcpy(n.shape, t->shape, sizeof n.shape);
    memcpy(n.stride, t->mem_stride, sizeof n.stride);
    return n;
}

int lb_builtin_litert_call(const lb_profile *profile, lb_call *call)
{
    built_call b = {.native = {.function = call->kernel->name,
                               .profile = lb_wire_profile_name(
                                   (uint32_t)lb_kernel_asked(call->kernel, profile))},
                    .call = call};
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const unsigned place = lb_wire_role((lb_role)role);
        if (!call->tensor[role])
            continue;
        b.tensors[place] = native_tensor(call->tensor[role]);
        b.native.tensor[place] = &b.tensors[place];
        b.native.count[place] = 1;
    }
    return lb_native_run(&b.native);
}
