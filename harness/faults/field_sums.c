/* Sums and quotients of fields: see ranges.h. A field of a whole tensor is the same number
 * wherever one part of the computation reads it, and so is what follows from such fields alone. A
 * part reads one state of a vector's format; another part may read the next, so that nothing is
 * said across parts. */
#include "harness/faults/ranges.h"
#include "reference/core/arith.h"

enum { MOST_TERMS = 12, MOST_DEPTH = 10 };

/* Numbers of places, each so many times, and what is left. */
typedef struct sum_terms {
    const lb_fault_list *list;
    const lb_kernel *kernel;
    lb_part part;
    unsigned count;
    int site[MOST_TERMS], times[MOST_TERMS];
    lb_range rest;
} sum_terms;

static bool is_field(const lb_num_step *site)
{
    return site->operation == LB_STEP_GIVEN && site->place.kind == LB_NUM_PARAMETER &&
           site->place.rank == 0;
}

/* Does the place's number follow from fields alone, all read in one part? */
static bool is_of_fields(const lb_fault_list *list, int site, lb_part part, int depth)
{
    const lb_num_step *step = &list->sites[site];
    const struct lb_fault_flow *flow = &list->flows[site];
    if (is_field(step))
        return true;
    if (depth == 0 || step->part != part || step->operation == LB_STEP_GIVEN ||
        step->operation == LB_STEP_MAC || flow->mixed || step->operand_count == 0)
        return false;
    for (unsigned i = 0; i < step->operand_count; i++) {
        int from = lb_flow_sole_source(list, (size_t)site, i);
        bool constant =
            lb_flow_is_constant(flow, i) && flow->constant[i].low == flow->constant[i].high;
        if (!constant && (from < 0 || !is_of_fields(list, from, part, depth - 1)))
            return false;
    }
    return true;
}

/* ---- Quotients ---- */

bool lb_flow_widened_factor(const lb_fault_list *list, size_t site, int64_t *other)
{
    if (list->sites[site].operation != LB_STEP_TDIV)
        return false;
    int wide = lb_flow_sole_source(list, site, 0), by = lb_flow_sole_source(list, site, 1);
    if (wide < 0 || by < 0 || !is_field(&list->sites[by]) ||
        list->sites[wide].operation != LB_STEP_SHL || !lb_flow_is_filled(list, (size_t)wide) ||
        list->sites[wide].part != list->sites[site].part)
        return false;
    int number = lb_flow_sole_source(list, (size_t)wide, 0);
    *other = 1;
    if (number == by)
        return true;
    if (number < 0 || list->sites[number].operation != LB_STEP_MUL ||
        list->sites[number].part != list->sites[site].part)
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (lb_flow_sole_source(list, (size_t)number, i) == by) {
            const lb_range *factor = &list->flows[number].operand[1 - i];
            *other = factor->low == factor->high ? factor->low : 0;
            return true;
        }
    return false;
}

/* ---- Sums ---- */

static void add_range(sum_terms *sum, lb_range v, int times)
{
    for (int i = 0; i < times; i++) {
        sum->rest.low = lb_add(sum->rest.low, v.low, 64);
        sum->rest.high = lb_add(sum->rest.high, v.high, 64);
    }
    for (int i = 0; i > times; i--) {
        sum->rest.low = lb_sub(sum->rest.low, v.high, 64);
        sum->rest.high = lb_sub(sum->rest.high, v.low, 64);
    }
}

static lb_range range_in_part(const sum_terms *sum, int site)
{
    lb_range v = sum->list->flows[site].result;
    lb_given_range_in_part(&sum->list->sites[site], sum->part, sum->kernel, &v);
    return v;
}

static void add_term(sum_terms *sum, int site, int times)
{
    unsigned i = 0;
    while (i < sum->count && sum->site[i] != site)
        i++;
    if (i == MOST_TERMS) {
        add_range(sum, range_in_part(sum, site), times);
        return;
    }
    sum->site[i] = site;
    sum->times[i] = (i == sum->count ? 0 : sum->times[i]) + times;
    sum->count += i == sum->count;
}

/* The place whose number counts the shift that widened the power of two of which this counts the
 * redundant sign bits: both together are all bits but two. -1: it is something else. */
static int widening_count(const sum_terms *sum, int site)
{
    const lb_num_step *step = &sum->list->sites[site];
    int64_t other = 0;
    int quotient =
        step->operation == LB_STEP_NORM ? lb_flow_sole_source(sum->list, (size_t)site, 0) : -1;
    if (quotient < 0 || step->part != sum->part ||
        !lb_flow_widened_factor(sum->list, (size_t)quotient, &other) || other != 1)
        return -1;
    int wide = lb_flow_sole_source(sum->list, (size_t)quotient, 0);
    return sum->list->sites[wide].width == step->width
               ? lb_flow_sole_source(sum->list, (size_t)wide, 1)
               : -1;
}

static void add_place(sum_terms *sum, int site, int times, int depth);

static void add_operand(sum_terms *sum, size_t site, unsigned operand, int times, int depth)
{
    int from = lb_flow_sole_source(sum->list, site, operand);
    if (from < 0)
        add_range(sum, sum->list->flows[site].operand[operand], times);
    else
        add_place(sum, from, times, depth);
}

static bool is_sum(const sum_terms *sum, size_t site)
{
    const lb_num_step *step = &sum->list->sites[site];
    return (step->operation == LB_STEP_ADD || step->operation == LB_STEP_SUB) && step->width == 0 &&
           step->part == sum->part && !sum->list->flows[site].mixed;
}

static void add_operands(sum_terms *sum, size_t site, int times, int depth)
{
    bool takes = sum->list->sites[site].operation == LB_STEP_SUB;
    add_operand(sum, site, 0, times, depth);
    add_operand(sum, site, 1, takes ? -times : times, depth);
}

static void add_place(sum_terms *sum, int site, int times, int depth)
{
    int count = widening_count(sum, site);
    if (depth > 0 && is_sum(sum, (size_t)site)) {
        add_operands(sum, (size_t)site, times, depth - 1);
    } else if (depth > 0 && count >= 0 && is_of_fields(sum->list, count, sum->part, MOST_DEPTH)) {
        int64_t bits = sum->list->sites[site].width - 2;
        add_range(sum, (lb_range){bits, bits, 0}, times);
        add_term(sum, count, -times);
    } else if (is_of_fields(sum->list, site, sum->part, MOST_DEPTH)) {
        add_term(sum, site, times);
    } else {
        add_range(sum, range_in_part(sum, site), times);
    }
}

bool lb_flow_sum_of_fields(const lb_fault_list *list, size_t site, const lb_kernel *kernel,
                           lb_range *range)
{
    sum_terms sum = {.list = list, .kernel = kernel, .part = list->sites[site].part};
    if (!is_sum(&sum, site))
        return false;
    add_operands(&sum, site, 1, MOST_DEPTH);
    for (unsigned i = 0; i < sum.count; i++)
        add_range(&sum, range_in_part(&sum, sum.site[i]), sum.times[i]);
    *range = sum.rest;
    return true;
}
