/* Faults that no call can show: see proofs.h. */
#include "harness/faults/proofs.h"
#include "harness/faults/places.h"
#include "harness/faults/ranges.h"
#include "harness/faults/reading_runs.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_run.h"
#include "reference/core/arith.h"

#include <stdio.h>
#include <string.h>

/* ---- Steps ---- */

static const char *number(int64_t v, char text[24])
{
    if (v == INT64_MIN || v == INT64_MAX)
        return "any";
    snprintf(text, 24, "%lld", (long long)v);
    return text;
}

static const char *ranges_text(const struct lb_fault_flow *flow, const lb_num_step *site,
                               lb_arena *arena)
{
    char low[24], high[24];
    const char *text = "";
    for (unsigned i = 0; i < site->operand_count; i++) {
        const lb_range *r = &flow->operand[i];
        text = r->low == INT64_MIN && r->high == INT64_MAX
                   ? lb_arena_printf(arena, "%s%sany number", text, i ? ", " : "")
                   : lb_arena_printf(arena, "%s%s%s .. %s", text, i ? ", " : "",
                                     number(r->low, low), number(r->high, high));
    }
    return text;
}

/* Nothing is known of what it works on: a range would say no more. */
static bool is_unbounded(const struct lb_fault_flow *flow, const lb_num_step *site)
{
    bool bounded = site->operand_count == 0 &&
                   (flow->result.low != INT64_MIN || flow->result.high != INT64_MAX);
    for (unsigned i = 0; i < site->operand_count; i++)
        bounded =
            bounded || flow->operand[i].low != INT64_MIN || flow->operand[i].high != INT64_MAX;
    return !bounded;
}

static bool all_bounded(const struct lb_fault_flow *flow, const lb_num_step *site)
{
    bool all = true;
    for (unsigned i = 0; i < site->operand_count; i++)
        all = all && (flow->operand[i].low != INT64_MIN || flow->operand[i].high != INT64_MAX);
    return all;
}

/* Is the step the same at this place, where numbers have these ranges? */
static bool is_unchanged(const lb_fault_list *list, const struct lb_fault_flow *flows,
                         const lb_fault *fault, size_t place)
{
    const lb_num_step *site = &list->sites[place];
    return flows[place].known && !flows[place].mixed &&
           (fault->kind->never(fault, site, &flows[place]) ||
            lb_step_never_changed(fault, site, &flows[place]));
}

/* It is the same where a number is 0 at most, and where it is more. */
static bool is_unchanged_by_sign(const lb_fault_list *list, const lb_fault *fault, size_t place)
{
    for (size_t i = 0; i < list->branch_count; i += 2)
        if (is_unchanged(list, list->branches[i], fault, place) &&
            is_unchanged(list, list->branches[i + 1], fault, place))
            return true;
    return false;
}

static const char *place_proof(const lb_fault_list *list, size_t place, lb_arena *arena)
{
    const lb_num_step *shown = &list->sites[place];
    const struct lb_fault_flow *of_shown = &list->flows[place];
    char low[24], high[24];
    if (is_unbounded(of_shown, shown))
        return "no operand makes a difference: the step is the same";
    return shown->operand_count == 0
               ? lb_arena_printf(arena, "its value stays within %s .. %s, whatever the call",
                                 number(of_shown->result.low, low),
                                 number(of_shown->result.high, high))
               : lb_arena_printf(arena,
                                 "its operands %s %s, whatever the call: the step is the same",
                                 all_bounded(of_shown, shown) ? "stay within" : "are",
                                 ranges_text(of_shown, shown, arena));
}

/* It sits in places, and changes nothing in any of them; told is the last that needs most. */
static const char *step_proof(const lb_fault_list *list, const lb_fault *fault, lb_arena *arena)
{
    size_t last = list->site_count;
    bool by_sign = false;
    for (size_t i = 0; i < list->site_count; i++) {
        if (!lb_fault_sits_in(fault, &list->sites[i]))
            continue;
        if (is_unchanged(list, list->flows, fault, i))
            last = i;
        else if (is_unchanged_by_sign(list, fault, i))
            by_sign = true;
        else
            return NULL;
    }
    if (by_sign)
        return "where the shift is to the left, and where it is to the right, its operands stay "
               "where the step is the same";
    return last < list->site_count ? place_proof(list, last, arena) : NULL;
}

static const char *taps_proof(const lb_fault *fault, const lb_kernel *kernel, lb_arena *arena)
{
    int64_t most = lb_most_taps(kernel);
    return most > 0 && most <= fault->argument
               ? lb_arena_printf(arena, "a sum has no more than %d taps: the kernel is %dx%d",
                                 (int)most, kernel->kernel_size, kernel->kernel_size)
               : NULL;
}

/* ---- Profiles ---- */

static bool has_step(const lb_fault_list *list, lb_operation operation)
{
    for (size_t i = 0; i < list->site_count; i++)
        if (list->sites[i].operation == operation)
            return true;
    return false;
}

/* Helpers compute nothing; guard bits tell how wide accumulators are. */
static const char *helper_proof(const lb_kernel *kernel, const lb_profile *a, const lb_profile *b)
{
    if (kernel->roles[0].use != LB_USE_NONE)
        return "the function handles tensors and their fields, and has no numerics";
    return memcmp(a->acc_bits, b->acc_bits, sizeof a->acc_bits) == 0
               ? "the number follows from the widths of accumulators, which are the same"
               : NULL;
}

/* Profiles that round once and twice do so in steps of their own: of this function, all steps can
 * be met in both. */
static bool has_same_places(const lb_kernel *kernel, const lb_profile *a, const lb_profile *b)
{
    const lb_kernel_set *set = lb_kernel_set_of(kernel);
    const lb_step_place *p = lb_kernel_step_places(kernel);
    const ptrdiff_t i = a - set->profiles, k = b - set->profiles;
    if (!p || i < 0 || i >= LB_PLACE_PROFILES || k < 0 || k >= LB_PLACE_PROFILES)
        return false;
    while (p->site != LB_SITE_COUNT && (p->can[i] == 0) == (p->can[k] == 0))
        p++;
    return p->site == LB_SITE_COUNT;
}

/* Two profiles differ in how they round, and in how they add up. */
static const char *profile_proof(const lb_fault_list *list, const lb_fault *fault,
                                 const lb_kernel *kernel, const lb_profile *profile)
{
    const lb_profile *other = fault->profile;
    bool same_rounding =
        other->rounding == profile->rounding &&
        (other->rounds_once == profile->rounds_once || has_same_places(kernel, other, profile));
    bool same_sums = other->reduced == profile->reduced && other->avepool16 == profile->avepool16 &&
                     other->acc_saturates == profile->acc_saturates &&
                     memcmp(other->acc_bits, profile->acc_bits, sizeof other->acc_bits) == 0;
    if (other->has_features || profile->has_features || list->known_cases == 0)
        return NULL;
    if (lb_pattern_of(kernel) == LB_PATTERN_HELPER)
        return helper_proof(kernel, other, profile);
    bool rounds = has_step(list, LB_STEP_RSH), adds_up = has_step(list, LB_STEP_MAC);
    if (!same_rounding && rounds)
        return NULL;
    if (!same_sums && adds_up)
        return NULL;
    return same_rounding
               ? "the profiles differ in sums of products alone, and the function has none"
           : same_sums ? "the profiles differ in rounding alone, and the function does not round"
                       : "the profiles differ in rounding and in sums of products alone, and the "
                         "function has neither";
}

/* Every sum of products is the same in so many bits, all on the way included. */
static bool sums_fit(const lb_fault_list *list, int bits)
{
    for (size_t i = 0; i < list->site_count; i++) {
        const struct lb_fault_flow *flow = &list->flows[i];
        const lb_num_step *site = &list->sites[i];
        bool is_sum = site->operation == LB_STEP_MAC ||
                      (site->operation == LB_STEP_ADD && site->part == LB_PART_BIAS);
        if (is_sum && (!flow->known || flow->mixed || !lb_range_within(&flow->unlimited, bits) ||
                       !lb_range_within(&flow->unlimited, site->width > 0 ? site->width : 64)))
            return false;
    }
    return true;
}

/* Where the width of accumulators says nothing but in what sums are held: where results are scaled
 * from format to format, it is that of later steps, too. */
static bool has_sums_alone(const lb_kernel *kernel)
{
    return lb_families[kernel->family].formats != LB_FORMATS_ALL;
}

static const char *sums_proof(const lb_fault_list *list, const lb_fault *fault,
                              const lb_kernel *kernel)
{
    bool steps_alone = fault->kind->holds_sums == LB_HOLDS_STEPS;
    if (list->known_cases == 0 || (!steps_alone && !has_sums_alone(kernel)))
        return NULL;
    return sums_fit(list, fault->argument) ? "no sum of products leaves so many bits" : NULL;
}

/* ---- Elements ---- */

static bool lists_dimensions(const lb_fault *fault)
{
    return fault->role == LB_ROLE_AXIS;
}

/* It reads all elements of a dimension, in another order. */
static bool changes_order_alone(const lb_fault *fault)
{
    const lb_number_edit *does = &fault->kind->does;
    return does->at == LB_READ_INDEX &&
           (does->how == LB_MIRRORED || does->how == LB_PAIRED || does->how == LB_PLUS);
}

/* Elements of the tensor, as a defined call has them, fit into the bits that are read of each. */
static const char *form_proof(const lb_fault_list *list, const lb_fault *fault,
                              const lb_kernel *kernel, lb_arena *arena)
{
    const int half = (int)lb_element_bytes(lb_type_of_role(kernel, fault->role)) * 4;
    const int bits = fault->kind->does.how == LB_LOW_HALF ? half : fault->argument;
    bool is_told = false;
    if (lists_dimensions(fault))
        return bits >= 8 ? "its elements are numbers of dimensions, which 8 bits hold" : NULL;
    for (size_t i = 0; i < list->site_count && bits > 0; i++) {
        const lb_num_step *site = &list->sites[i];
        const bool is_read = site->operation == LB_STEP_GIVEN &&
                             site->place.kind == LB_NUM_ELEMENT &&
                             lb_owner_role(site->place.owner) == fault->role;
        if (is_read && (!list->flows[i].known || !lb_range_within(&list->flows[i].result, bits)))
            return NULL;
        is_told = is_told || is_read;
    }
    return is_told
               ? lb_arena_printf(arena, "its elements fit into %d bits, whatever the call", bits)
               : NULL;
}

/* What is stored, wherever it comes from, is none of the numbers that the fault stores otherwise.
 */
static const char *stored_proof(const lb_fault_list *list, const lb_fault *fault,
                                const lb_kernel *kernel, lb_arena *arena)
{
    const lb_number_edit *does = &fault->kind->does;
    lb_range all = {INT64_MAX, INT64_MIN, 64};
    char low[24], high[24];
    for (size_t i = 0; i < list->site_count; i++) {
        const struct lb_fault_flow *flow = &list->flows[i];
        if (flow->leaves && (!flow->known || flow->mixed))
            return NULL;
        all = flow->leaves ? lb_range_joined(all, flow->result) : all;
    }
    /* 0: outputs of several types, or of none */
    const int bits = lb_container_bits(lb_type_of_role(kernel, fault->role));
    const bool is_same = does->how == LB_NOT_LOWEST ? bits > 0 && all.low > lb_min_of(bits)
                                                    : lb_range_within(&all, does->number);
    return all.low <= all.high && is_same
               ? lb_arena_printf(arena, "what it stores stays within %s .. %s, whatever the call",
                                 number(all.low, low), number(all.high, high))
               : NULL;
}

/* It stores some numbers otherwise: the lowest, or those that leave a few bits. */
static bool stores_some_otherwise(const lb_fault_kind *kind)
{
    return kind->group == LB_FAULTS_WRITING &&
           (kind->does.how == LB_NOT_LOWEST || kind->does.how == LB_WRAPS);
}

const char *lb_fault_proof(const lb_fault_list *list, const lb_fault *fault,
                           const lb_kernel *kernel, const lb_profile *profile, lb_arena *arena)
{
    if (fault->kind->never && fault->site)
        return step_proof(list, fault, arena);
    if (fault->kind->counts_taps)
        return taps_proof(fault, kernel, arena);
    if (fault->kind->holds_sums)
        return sums_proof(list, fault, kernel);
    if (fault->kind->holds_elements)
        return form_proof(list, fault, kernel, arena);
    if (lists_dimensions(fault) && changes_order_alone(fault))
        return "a list of dimensions says the same in any order";
    if (stores_some_otherwise(fault->kind))
        return stored_proof(list, fault, kernel, arena);
    if (fault->profile)
        return profile_proof(list, fault, kernel, profile);
    return fault->rule ? lb_status_proof(fault, kernel) : NULL;
}
