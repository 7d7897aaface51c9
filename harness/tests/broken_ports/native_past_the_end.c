/* A native port that writes one element past the end of its output, into a guard zone. */
#define LB_KIT_NATIVE
#include "../../port_kit/lb_kit.h"
#include "../../port_kit/lb_native.h"

#include <string.h>

int lb_native_has(const char *function)
{
    return strcmp(function, "mli_krn_permute_sa8") == 0;
}

int lb_native_run(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    const int8_t *from = in->data;
    int8_t *to = out->data;
    int32_t last = 0;
    uint32_t count = 1;
    for (uint32_t d = 0; d < out->rank; d++)
        count *= out->shape[d];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rest = i;
        int32_t offset_in = 0, offset_out = 0;
        for (uint32_t d = out->rank; d-- > 0; rest /= out->shape[d]) {
            int32_t index = (int32_t)(rest % out->shape[d]);
            offset_out += index * out->stride[d];
            offset_in += index * in->stride[lb_native_number(call, "perm_dim", d)];
        }
        to[offset_out] = from[offset_in];
        last = offset_out > last ? offset_out : last;
    }
    to[last + 1] = 0;
    return LB_NATIVE_DONE;
}

const lb_kit_port lb_port = {"broken: a native kernel writes past the end", LB_KIT_ALL_PROFILES, 0};
#include "../../port_kit/lb_kit.c"
