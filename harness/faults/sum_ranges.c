/* What sums over taps can be: see ranges.h. */
#include "harness/base/checked.h"
#include "harness/faults/places.h"
#include "harness/faults/ranges.h"

/* What a sum starts from: all sources of its first operand but itself. False: it is no sum over
 * taps, or a start is not known so far. */
static bool sum_start(const lb_fault_list *list, size_t site, lb_range *start)
{
    const struct lb_fault_flow *flow = &list->flows[site];
    bool have = flow->has_constant[0], loops = false;
    *start = flow->constant[0];
    for (size_t k = 0; k < flow->source_count[0]; k++) {
        size_t from = flow->sources[0][k];
        loops = loops || from == site;
        if (from == site)
            continue;
        if (!list->flows[from].known)
            return false;
        *start =
            have ? lb_range_joined(*start, list->flows[from].result) : list->flows[from].result;
        have = true;
    }
    return have && loops && !flow->mixed && list->sites[site].operation == LB_STEP_MAC;
}

int64_t lb_most_taps(const lb_kernel *kernel)
{
    return lb_sums_channels(kernel) ? 0 : (int64_t)kernel->kernel_size * kernel->kernel_size;
}

bool lb_flow_sum_of_taps(const lb_fault_list *list, size_t site, const lb_kernel *kernel,
                         lb_range product, lb_range *range)
{
    lb_range start;
    int64_t low, high, fixed = lb_most_taps(kernel), taps = fixed > 0 ? fixed : LB_MOST_TAPS;
    if (!sum_start(list, site, &start) ||
        !lb_mul_fits(product.low < 0 ? product.low : 0, taps, &low) ||
        !lb_mul_fits(product.high > 0 ? product.high : 0, taps, &high) ||
        !lb_add_fits(start.low, low, &low) || !lb_add_fits(start.high, high, &high))
        return false;
    *range = (lb_range){low, high, start.zeros < product.zeros ? start.zeros : product.zeros};
    return true;
}
