/* Permute in real numbers: the values themselves. Spec: pooling_and_movement.md 3. */
#include "describe/element_copy.h"
#include "models.h"
#include "real_values.h"

#include <math.h>

/* Index of the input from which an output index takes its value. */
static void source_index(const lb_call *call, const uint32_t out_index[LB_MAX_RANK],
                         uint32_t in_index[LB_MAX_RANK])
{
    for (uint32_t k = 0; k < call->tensor[LB_ROLE_IN]->rank; k++)
        in_index[call->config.perm_dim[k]] = out_index[k];
}

void lb_real_permute(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    int bits = lb_container_bits(in->el_type);
    /* The list follows out's shape, which says nothing where the ranks differ; lists of a source
     * may be missing. */
    bool known = out->rank == in->rank && (!lb_is_per_axis(in) || lb_axis_lists_present(in));
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++) {
        if (!known) {
            lb_real_put(outputs, LB_ROLE_OUT, flat, NAN, lb_span_unknown(NAN), bits);
            continue;
        }
        uint32_t index[LB_MAX_RANK];
        uint32_t from[LB_MAX_RANK] = {0};
        lb_unflatten(out, flat, index);
        source_index(call, index, from);
        uint32_t entry = lb_is_per_axis(in) ? from[in->sa.dim] : 0;
        size_t offset = lb_offset_of(in, from);
        lb_real_put(outputs, LB_ROLE_OUT, flat, lb_load_real(in, offset, entry),
                    lb_span_of(lb_load_fine(in, offset)), bits);
    }
}
