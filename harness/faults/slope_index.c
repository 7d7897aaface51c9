/* Slopes along an axis by the number of the element: (number / block) % slopes, with a block that
 * is not the elements behind the axis. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <stdlib.h>

enum { MOST_ELEMENTS = 1 << 19 }; /* that all runs give */

/* Elements of the dimensions from this one on. */
static size_t inner_count(const lb_tensor *t, uint32_t from)
{
    size_t count = 1;
    for (uint32_t d = from; d < t->rank; d++)
        count *= t->shape[d];
    return count;
}

static size_t block_of(const lb_tensor *in, uint32_t axis, int32_t which)
{
    return which == LB_BLOCK_OF_ONE         ? 1
           : which == LB_BLOCK_WITHOUT_NEXT ? inner_count(in, axis + 2)
                                            : inner_count(in, axis);
}

/* One run of the model with this slope for all; elements that take it are kept. */
static bool run_with_slope(lb_fault_run *run, size_t number, size_t slopes, size_t block,
                           int64_t *values)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *slope = lb_view_tensor(&view, LB_ROLE_SLOPE, 0);
    int64_t same = lb_load(slope, number);
    if (!lb_view_own_memory(&view, LB_ROLE_SLOPE, 0, slopes * lb_element_bytes(slope->el_type)))
        return lb_view_drop(&view);
    for (size_t i = 0; i < slopes; i++)
        lb_store(slope, i, same);
    lb_view_run(&view);
    const lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++)
        if (flat / block % slopes == number)
            values[flat] = lb_load(out, lb_offset_of_flat(out, flat));
    return true;
}

bool lb_read_slopes_by_number(lb_fault_run *run)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN],
                    *slope = run->before->call.tensor[LB_ROLE_SLOPE];
    int32_t axis = run->test_case->config.axis;
    if (!lb_fault_has_result(run) || !in || !slope || slope->rank == 0 || axis < 0 ||
        axis >= (int32_t)in->rank)
        return false;
    size_t slopes = lb_element_count(slope),
           block = block_of(in, (uint32_t)axis, run->fault->argument);
    if (slopes < 2 || slopes * lb_element_count(in) > MOST_ELEMENTS ||
        block == block_of(in, (uint32_t)axis + 1, LB_BLOCK_OF_AXIS))
        return false;
    size_t count = lb_element_count(in);
    int64_t *values = calloc(count, sizeof *values);
    bool done = values != NULL;
    for (size_t i = 0; done && i < slopes; i++) {
        lb_instance_take(run->out, run->before);
        done = run_with_slope(run, i, slopes, block, values);
    }
    if (done)
        lb_fault_take_values(run, values);
    else
        lb_fault_take_right(run);
    free(values);
    return done;
}

LB_PLACES(lb_places_slope_blocks)
{
    bool has_slopes = lb_fault_role_use(scope->kernel, LB_ROLE_SLOPE) != LB_USE_NONE &&
                      scope->kernel->config_kind == LB_CONFIG_AXIS;
    for (int32_t which = 0; has_slopes && which <= LB_BLOCK_OF_AXIS; which++)
        sink(user, &(lb_fault){.kind = kind, .argument = which});
}

LB_DESCRIBES(lb_tell_slope_block)
{
    (void)arena;
    return fault->argument == LB_BLOCK_OF_ONE ? "a slope for each element in turn"
           : fault->argument == LB_BLOCK_WITHOUT_NEXT
               ? "blocks without the dimension behind the axis"
               : "blocks with the axis itself";
}
