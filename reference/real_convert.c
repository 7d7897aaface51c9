/* Conversion in real numbers: the values themselves. Spec: numerics.md 7. */
#include "element_copy.h"
#include "models.h"

void lb_real_convert(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    lb_tensor src = *call->tensor[LB_ROLE_IN];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    if (src.rank == 0) { /* with a pointer: a list of one element (numerics.md 7.5) */
        src.rank = 1;
        src.shape[0] = 1;
        src.mem_stride[0] = 1;
    }
    size_t count = lb_element_count(&src);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(&src, flat, index);
        value[flat] = lb_load_real(&src, lb_offset_of(&src, index), lb_is_per_axis(&src) ? index[src.sa.dim] : 0);
    }
}
