/* Steps in another order: a number that is added before the steps that scale a sum, or behind them,
 * and sums that go on where another output begins. Which places there are follows from what feeds
 * what (ranges.h): nobody lists them. */
#include "harness/faults/places.h"
#include "harness/faults/ranges.h"
#include "harness/faults/step_rows.h"
#include "reference/describe/map_walk.h"

#include <string.h>

/* ---- Numbers that are added elsewhere ---- */

enum {
    SCALES = IN(RSH) | IN(ASR) | IN(SHL) | IN(MUL) | IN(TDIV),
    DIVIDES = IN(RSH) | IN(ASR) | IN(TDIV),
    KEEPS = IN(SAT) | IN(WRAP) | IN(COPY),
    ADDS = IN(ADD) | IN(SUB)
};

static bool is_in(uint32_t operations, const lb_num_step *site)
{
    return operations >> site->operation & 1;
}

/* What the step adds, with its sign. */
static int64_t addend(const lb_num_step *step)
{
    const int64_t v =
        step->operation == LB_STEP_MAC ? lb_step_product(step) : lb_step_operand(step, 1);
    return step->operation == LB_STEP_SUB ? lb_neg(v, 64) : v;
}

/* A field of the configuration, by its offset: lb_num_of_field. */
static int64_t field_of_call(const lb_fault_run *run, int32_t number)
{
    const lb_config_field *f = lb_config_fields(run->before->call.kernel->config_kind);
    for (; f->name; f++)
        if (f->count == 1 && LB_NUM_FIELD + (int32_t)f->offset == number)
            return lb_config_get(&run->before->call.config, f, 0);
    return 0;
}

/* The number that the fault's step adds, before it comes to that step. */
static int64_t number_of_call(const lb_fault_run *run)
{
    const lb_num_step *site = run->fault->site;
    const int64_t v = run->fault->other_site ? (run->has_other ? run->other : 0)
                                             : field_of_call(run, site->operand[1].step);
    return site->operation == LB_STEP_SUB ? lb_neg(v, 64) : v;
}

ALTERS(added_early)
{
    lb_num_step other = *step;
    if (lb_fault_same_site(step, run->fault->site, false))
        return lb_sat(lb_step_operand(step, 0), lb_step_width(step));
    other.operand[0].v = lb_add(lb_step_operand(step, 0), number_of_call(run), lb_step_width(step));
    return lb_step_evaluate(&other);
}

/* The number as it was before it was aligned (other_site); where nobody has aligned it, it is a
 * result's already, or so many places less behind a shift. */
ALTERS(added_late)
{
    const lb_fault *fault = run->fault;
    const bool is_aligned = fault->other_site != NULL;
    if (is_aligned && lb_fault_same_site(step, fault->other_site, false)) {
        *run->carry = lb_step_operand(step, 0);
        return step->result;
    }
    if (lb_fault_same_site(step, fault->site, false)) {
        if (step->operation == LB_STEP_MAC && step->tap != 0)
            return step->result;
        *run->carry = is_aligned ? *run->carry : addend(step);
        return lb_step_operand(step, 0);
    }
    const bool is_shifted = !is_aligned && fault->dim == 0 && step->operation != LB_STEP_TDIV;
    const int places = is_shifted ? (int)lb_sat(lb_step_operand(step, 1), 16) : 0;
    return lb_add(step->result, lb_asr(*run->carry, places, 64), lb_step_width(step));
}

static bool is_any_of_three(const lb_fault *fault, const lb_num_step *step)
{
    return lb_fault_same_site(step, fault->site, false) ||
           lb_fault_same_site(step, fault->second_site, false) ||
           (fault->other_site && lb_fault_same_site(step, fault->other_site, false));
}

/* The one site that gives an operand, wherever it is heard; NULL: a number without a step, or
 * several. */
static const lb_num_step *source_of(const lb_fault_scope *scope, size_t i, unsigned operand)
{
    const struct lb_fault_flow *flow = &scope->flows[i];
    return flow->source_count[operand] == 1 ? &scope->sites[flow->sources[operand][0]] : NULL;
}

/* Is the second operand the same number for all outputs? *from: the parameter; NULL: a field. */
static bool adds_number_of_call(const lb_fault_scope *scope, size_t i, const lb_num_step **from)
{
    const struct lb_fault_flow *flow = &scope->flows[i];
    const lb_num_step *site = &scope->sites[i];
    *from = source_of(scope, i, 1);
    if (!is_in(ADDS, site) || flow->has_constant[1])
        return false;
    return *from ? (*from)->operation == LB_STEP_GIVEN && (*from)->place.kind == LB_NUM_PARAMETER &&
                       flow->field[1] == 0
                 : flow->source_count[1] == 0 && flow->field[1] != 0 &&
                       flow->second_field[1] == 0 && flow->field[1] < LB_NUM_VARIES;
}

/* What was done to a number on its way to where it is added: the steps that scale it, from the last
 * one back to its sum. */
static LB_PLACES(before_scaling)
{
    const lb_num_step *from;
    for (size_t i = 0; i < scope->site_count; i++) {
        const lb_num_step *at = &scope->sites[i];
        if (!adds_number_of_call(scope, i, &from))
            continue;
        for (at = source_of(scope, i, 0); at && is_in(SCALES | KEEPS, at);
             at = source_of(scope, (size_t)(at - scope->sites), 0))
            if (is_in(SCALES, at))
                sink(user, &(lb_fault){.kind = kind,
                                       .site = &scope->sites[i],
                                       .other_site = from,
                                       .second_site = at});
    }
}

/* Does it add the bias to a sum, or what the sum begins with, which is one product with a constant?
 */
static bool adds_to_sum(const lb_fault_scope *scope, size_t i)
{
    const lb_num_step *site = &scope->sites[i];
    const struct lb_fault_flow *flow = &scope->flows[i];
    return site->operation == LB_STEP_MAC ? flow->has_constant[2] && flow->source_count[2] > 0
                                          : is_in(ADDS, site) && site->part == LB_PART_BIAS;
}

/* The step that brings what is added into the steps of the sum; NULL: there is none. */
static const lb_num_step *aligner_of(const lb_fault_scope *scope, size_t i)
{
    const struct lb_fault_flow *flow = &scope->flows[i];
    const lb_num_step *aligner = NULL;
    for (size_t k = 0; k < flow->source_count[1]; k++)
        if (is_in(IN(SHL) | DIVIDES, &scope->sites[flow->sources[1][k]]))
            aligner = &scope->sites[flow->sources[1][k]];
    return aligner;
}

/* Behind the steps that divide the sum. */
static LB_PLACES(behind_scaling)
{
    for (size_t i = 0; i < scope->site_count; i++) {
        bool multiplies = false;
        const lb_num_step *at = &scope->sites[i];
        if (!is_in(DIVIDES, at))
            continue;
        while ((at = source_of(scope, (size_t)(at - scope->sites), 0)) != NULL &&
               is_in(SCALES | KEEPS, at))
            multiplies = multiplies || is_in(IN(MUL) | IN(TDIV), at);
        if (at && adds_to_sum(scope, (size_t)(at - scope->sites)))
            sink(user, &(lb_fault){.kind = kind,
                                   .site = at,
                                   .other_site = aligner_of(scope, (size_t)(at - scope->sites)),
                                   .second_site = &scope->sites[i],
                                   .dim = multiplies});
    }
}

static LB_DESCRIBES(tell_both)
{
    return lb_arena_printf(arena, "%s; %s", lb_fault_site_text(fault, fault->site, arena),
                           lb_fault_site_text(fault, fault->second_site, arena));
}

/* ---- Sums that go on ---- */

/* Those of outputs one behind the other along a loop: what each has added, without what it began
 * with; of an average without its multiplier, which differs from window to window. */
static lb_kept_sums *sums_along(const lb_fault_run *run, unsigned loop)
{
    lb_bound_map bound;
    size_t apart = 1;
    if (!lb_map_bind(&bound, lb_map_of(run->test_case->kernel), &run->before->call))
        return NULL;
    for (unsigned l = loop + 1; l < bound.outer && apart <= UINT32_MAX; l++)
        apart *= bound.extent[l];
    lb_kept_sums *sums = lb_keep_sums(run, apart);
    if (sums)
        sums->extent = bound.extent[loop];
    return sums;
}

/* The sum begins with that of the output before along a loop, where there is one. */
ALTERS(sum_goes_on)
{
    const bool is_scaled = lb_is_average(run->test_case->kernel) && step->operand[2].step != 0;
    const int64_t unit = is_scaled ? lb_step_operand(step, 1) : 1;
    if (!*run->sums)
        *run->sums = sums_along(run, (unsigned)run->fault->dim);
    lb_kept_sums *sums = *run->sums;
    if (!sums || step->tap == 0)
        return step->result;
    const bool begins = step->tap == 1;
    sums->begun += begins;
    const size_t number = sums->begun - 1;
    int64_t *own = &sums->of[number % sums->count];
    if (begins && number / sums->count % sums->extent == 0)
        *own = 0;
    const int64_t product = step->operation == LB_STEP_SKIP ? 0 : lb_step_product(step);
    const int64_t before = begins ? (int64_t)((uint64_t)unit * (uint64_t)*own) : 0;
    *own = (int64_t)((uint64_t)*own + (uint64_t)(is_scaled ? lb_step_operand(step, 2) : product));
    return before == 0
               ? step->result
               : lb_step_with_product(step, (int64_t)((uint64_t)product + (uint64_t)before));
}

/* A sum, however it was heard first: it takes what it has given. */
static bool is_sum(const lb_fault_scope *scope, size_t i)
{
    const struct lb_fault_flow *flow = &scope->flows[i];
    bool takes_own = scope->sites[i].tap > 0;
    for (size_t k = 0; k < flow->source_count[0]; k++)
        takes_own = takes_own || flow->sources[0][k] == i;
    return scope->sites[i].operation == LB_STEP_MAC && takes_own;
}

/* Of sums for outputs along several loops; for those along one, accumulator.not_cleared says it. */
static LB_PLACES(loops_of_outputs)
{
    const lb_map *map = lb_map_of(scope->kernel);
    for (size_t i = 0; map && map->outer > 1 && i < scope->site_count; i++) {
        lb_fault fault = {.kind = kind, .site = &scope->sites[i], .edit.kernel = scope->kernel};
        if (!is_sum(scope, i) || lb_fault_has_other(scope, i, &fault, true))
            continue;
        for (int loop = 0; loop < map->outer; loop++) {
            fault.dim = (int8_t)loop;
            sink(user, &fault);
        }
    }
}

static LB_DESCRIBES(tell_loop)
{
    return lb_arena_printf(arena, "%s, %s", lb_part_words(fault->site->part),
                           lb_map_of(fault->edit.kernel)->loop[fault->dim].label);
}

/* ---- The table ---- */

/* clang-format off */
const lb_fault_kind lb_fault_order_kinds[] = {
    {STEP_ROW("order.added_before", "adds a number of the call before a sum is scaled, where it should add it afterwards", "the order of the last steps: scaling, offset, limits", "", 5, SCALES | ADDS), SPECIAL(added_early), .places = before_scaling, .describe = tell_both},
    {STEP_ROW("order.added_behind", "adds a number after a sum is scaled, where it should add it before", "the order of the last steps: bias or offset, scaling, rounding", "", 5, DIVIDES | ADDS | IN(MAC)), SPECIAL(added_late), .sits = is_any_of_three, .places = behind_scaling, .describe = tell_both},
    {STEP_ROW("accumulator.goes_on", "begins a sum with that of the output before it, along this loop", "where accumulators are set to zero: outside of a loop", "", 5, IN(MAC) | IN(SKIP)), SPECIAL(sum_goes_on), .whole_part = true, .keeps = true, .places = loops_of_outputs, .describe = tell_loop},
    {.name = NULL},
};
/* clang-format on */
