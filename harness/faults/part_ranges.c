/* Ranges of single parts: see ranges.h. */
#include "harness/faults/ranges.h"

int lb_flow_source_of(const lb_fault_list *list, size_t site, unsigned operand,
                      lb_operation operation)
{
    int source = lb_flow_sole_source(list, site, operand);
    return source >= 0 && list->sites[source].operation == operation ? source : -1;
}

/* Is it this constant, wherever it is heard? */
static bool is_constant(const struct lb_fault_flow *flow, unsigned operand, int64_t v)
{
    return lb_flow_is_constant(flow, operand) && !flow->mixed && flow->constant[operand].low == v &&
           flow->constant[operand].high == v;
}

/* Does operand 1 count how many bits a number has, 63 less its redundant ones in 64, taken from
 * `whole`? Gives the place of the number; -1: no. */
static int number_of_bits(const lb_fault_list *list, size_t site, int64_t whole)
{
    int less = lb_flow_source_of(list, site, 1, LB_STEP_SUB);
    int bits = less >= 0 ? lb_flow_source_of(list, (size_t)less, 1, LB_STEP_SUB) : -1;
    int norm = bits >= 0 ? lb_flow_source_of(list, (size_t)bits, 1, LB_STEP_NORM) : -1;
    bool counts = norm >= 0 && is_constant(&list->flows[less], 0, whole) &&
                  is_constant(&list->flows[bits], 0, 63) && list->sites[norm].width == 64;
    return counts ? lb_flow_sole_source(list, (size_t)norm, 0) : -1;
}

/* v, shifted to the left until it has 32 bits (pooling_and_movement.md 2.4). */
static bool fills_32(const lb_fault_list *list, size_t site)
{
    const lb_num_step *step = &list->sites[site];
    const lb_range *v = &list->flows[site].operand[0];
    int number = lb_flow_sole_source(list, site, 0);
    return step->operation == LB_STEP_SHL && step->width == 64 && number >= 0 && v->low >= 1 &&
           v->high < (int64_t)1 << 32 && number_of_bits(list, site, 32) == number;
}

/* ---- Tables: recurrent.md 4 ---- */

/* Is the result how many low bits the model takes of a number? It takes 1 and more of them: where
 * there are none, the table is not interpolated (recurrent.md 4), which is another branch. */
static bool counts_rest(const lb_fault_list *list, size_t site)
{
    for (size_t i = 0; i < list->site_count; i++)
        if (list->sites[i].operation == LB_STEP_MOD && lb_flow_sole_source(list, i, 1) == (int)site)
            return list->sites[site].operation == LB_STEP_MIN;
    return false;
}

/* Is this operand a number of which such a rest is counted? */
static bool has_rest(const lb_fault_list *list, size_t site, unsigned operand)
{
    const int bits = lb_flow_sole_source(list, site, operand);
    for (size_t i = 0; bits >= 0 && i < list->site_count; i++)
        if (lb_flow_sole_source(list, i, 0) == bits && counts_rest(list, i))
            return true;
    return false;
}

/* ... and how many there are beyond a constant, in the same branch. */
static bool is_rest_beyond(const lb_fault_list *list, size_t site)
{
    const struct lb_fault_flow *flow = &list->flows[site];
    return list->sites[site].operation == LB_STEP_SUB && lb_flow_is_constant(flow, 1) &&
           !flow->mixed && has_rest(list, site, 0);
}

/* ... and that other branch, where the number of bits is not positive: taken from zero, it counts a
 * shift to the left. */
static bool is_left_of_table(const lb_fault_list *list, size_t site)
{
    return list->sites[site].operation == LB_STEP_SUB && is_constant(&list->flows[site], 0, 0) &&
           has_rest(list, site, 1);
}

void lb_part_range(const lb_fault_list *list, size_t site, lb_range *range)
{
    const lb_num_step *step = &list->sites[site];
    if (step->part == LB_PART_RELU_LIMITS && step->operation == LB_STEP_SHL) {
        /* 6 has less than 28 fractional bits there, and 1 less than 30 (numerics.md 6). */
        const int64_t most = (int64_t)6 << 27;
        range->low = range->low < 0 ? 0 : range->low;
        range->high = range->high > most ? most : range->high;
    }
    if (fills_32(list, site))
        *range = (lb_range){(int64_t)1 << 31, ((int64_t)1 << 32) - 1, range->zeros};
    if (counts_rest(list, site) && range->low < 1)
        range->low = 1;
    if (is_left_of_table(list, site) && range->low < 0)
        range->low = 0;
    if (is_rest_beyond(list, site) && range->low < 1 - list->flows[site].constant[1].high)
        range->low = 1 - list->flows[site].constant[1].high;
}
