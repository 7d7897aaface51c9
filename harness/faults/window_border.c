/* Windows that are cut elsewhere than at the border of the input: a row or column of it taken for
 * padding, or another number taken for its size. dim 0 is height, dim 1 width. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

/* Pooling knows no empty window. */
static uint32_t most_before(const lb_call *call, int dim)
{
    const lb_config *cfg = &call->config;
    return !lb_is_pool(call->kernel) ? UINT8_MAX
           : dim == 0                ? cfg->kernel_height
                                     : cfg->kernel_width;
}

bool lb_read_edge_as_padding(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    int dim = run->fault->dim;
    bool is_first = run->fault->argument == LB_FIRST_OF_INPUT;
    lb_tensor *in = lb_view_tensor(&view, LB_ROLE_IN, 0);
    uint8_t *before = lb_padding_before(&view.call->config, dim);
    bool is_full = is_first && *before + 1u >= most_before(view.call, dim);
    uint32_t least = lb_is_pool(run->test_case->kernel) ? 2 : 1;
    if (in->shape[dim] < least || lb_view_available(&view, in) == 0 || is_full)
        return lb_view_drop(&view);
    in->shape[dim]--;
    if (is_first) {
        in->data.mem.pi8 += (ptrdiff_t)in->mem_stride[dim] * lb_storage_bytes(in->el_type);
        (*before)++;
    }
    return lb_read_run_windows(&view);
}

/* ---- Another size ---- */

/* Bytes from the first element to the end of the last. */
static size_t bytes_of(const lb_tensor *t)
{
    size_t last = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        last += (size_t)(t->shape[d] - 1) * (size_t)t->mem_stride[d];
    return (last + 1) * lb_storage_bytes(t->el_type);
}

/* What lies behind the input in the memory of the call is read as a kernel would read it. */
static bool fit_memory(lb_fault_view *view, const lb_tensor *in)
{
    enum { MOST_BYTES = 1 << 20 };
    const lb_instance *out = view->run->out;
    size_t available = lb_view_available(view, in), wanted = bytes_of(in);
    if (available == 0 || wanted > MOST_BYTES)
        return false;
    if (wanted <= available)
        return true;
    const unsigned char *given = in->data.mem.ptr, *block = (const unsigned char *)out->block;
    size_t behind = out->memory->block_bytes - (size_t)(given - block) - available;
    unsigned char *own = lb_view_own_memory(view, LB_ROLE_IN, 0, wanted);
    memcpy(own + available, given + available,
           behind < wanted - available ? behind : wanted - available);
    return true;
}

bool lb_read_limit_of_other(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    int dim = run->fault->dim;
    lb_tensor *in = lb_view_tensor(&view, LB_ROLE_IN, 0);
    uint32_t other = run->fault->argument == LB_LIMIT_OF_OUTPUT
                         ? view.call->tensor[LB_ROLE_OUT]->shape[dim]
                         : in->shape[1 - dim];
    bool changes = in->shape[dim] != other;
    in->shape[dim] = other;
    return changes && fit_memory(&view, in) ? lb_read_run_windows(&view) : lb_view_drop(&view);
}

/* ---- Places ---- */

static bool is_cut(const lb_kernel *kernel)
{
    bool direct = lb_is_conv(kernel) && kernel->family != LB_FAMILY_TRANSPOSE_CONV2D;
    return kernel->exact && (direct || lb_is_pool(kernel)) && kernel->kernel_size != 1;
}

LB_PLACES(lb_places_borders)
{
    for (int8_t dim = 0; is_cut(scope->kernel) && dim < 2; dim++)
        for (int32_t which = 0; which < 2; which++)
            sink(user, &(lb_fault){.kind = kind, .dim = dim, .argument = which});
}

LB_DESCRIBES(lb_tell_edge)
{
    const char *which = fault->argument == LB_FIRST_OF_INPUT ? "first" : "last";
    return lb_arena_printf(arena, "%s, the %s", fault->dim == 0 ? "rows" : "columns", which);
}

LB_DESCRIBES(lb_tell_limit)
{
    const char *side = fault->dim == 0 ? "height" : "width";
    return fault->argument == LB_LIMIT_OF_OUTPUT
               ? lb_arena_printf(arena, "%s, that of the output", side)
               : lb_arena_printf(arena, "%s, the %s", side, fault->dim == 0 ? "width" : "height");
}
