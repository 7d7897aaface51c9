/* Where a failing result diverges: see diverges.h. */
#include "harness/explain/diverges.h"
#include "harness/explain/candidates.h"
#include "harness/explain/rule.h"

#include <string.h>

static const double EFFORT_EACH = 0.2; /* nominal seconds */

/* The one section that all steps of the element come from, or "". */
static const char *only_section(const lb_slice *slice)
{
    const char *section = slice->step_count > 0 ? slice->steps[0].section : NULL;
    for (size_t i = 1; section && i < slice->step_count; i++)
        if (!slice->steps[i].section || strcmp(slice->steps[i].section, section) != 0)
            section = NULL;
    return section ? section : "";
}

/* The rule that the difference is about: that of the step where it comes from. Where no fault
 * accounts for it, the only one that there is: another that happens to be near would mislead. */
static const char *section_of(const lb_candidates *candidates, const lb_slice *slice,
                              const char *step)
{
    const lb_num_step *at =
        step[0] && candidates->candidate_count > 0 ? candidates->candidates[0].step : NULL;
    if (!at)
        return only_section(slice);
    return at->section ? at->section : "";
}

/* A mistake that accounts for the result in one profile mostly does so in the others: it is tried
 * first there. Where none does, none is looked for in what follows of the case: other outputs,
 * other profiles. */
static void keep_fault(lb_diverges_listener *l, const lb_candidates *candidates)
{
    l->none = candidates->looked && candidates->candidate_count == 0;
    if (candidates->candidate_count == 0)
        return;
    lb_fault *kept = lb_arena_alloc(l->arena, sizeof *kept);
    *kept = lb_fault_copy(&candidates->candidates[0].fault, l->arena);
    l->before = kept;
}

static double effort_for(const lb_diverges_listener *l)
{
    if (l->none)
        return 0;
    return l->seconds_left < EFFORT_EACH ? l->seconds_left : EFFORT_EACH;
}

static const char *step_of(lb_diverges_listener *l, lb_replayed *replayed, lb_role role,
                           const char **section)
{
    for (int oracle = 0; oracle < 2; oracle++) {
        size_t flat;
        lb_slice slice;
        lb_candidates candidates;
        if (!lb_oracle_first_difference(replayed, (lb_oracle)oracle, role, &flat))
            continue;
        lb_slice_make(&slice, replayed, role, flat);
        const lb_candidate_search asked = {
            .effort = effort_for(l), .only_first = true, .before = l->before};
        lb_candidate_find(&candidates, replayed, (lb_oracle)oracle, role, flat, &slice, &asked);
        l->seconds_left -= candidates.spent;
        if (!l->none)
            keep_fault(l, &candidates);
        const char *step = lb_candidates_step(&candidates, replayed->arena);
        *section = section_of(&candidates, &slice, step);
        lb_slice_free(&slice);
        return step;
    }
    return "";
}

/* `port` is the instance that the port has worked on, after call number `call_number` of a chain
 * (else 1). Looks into the first element that differs from the exact model, of the port or else of
 * the recorded result. "": nothing to say. l->seconds_left, nominal and counted, is what may still
 * be spent on this, and is used up: many failures must not hold up a run. *section: of the
 * specification, that the difference is about; "": unknown. The text comes from the arena. */
static const char *lb_diverges_at(lb_diverges_listener *l, const lb_case *c,
                                  const lb_profile *profile, const lb_instance *port,
                                  uint32_t call_number, const char **section, lb_arena *arena)
{
    const char *step = "";
    *section = "";
    if (l->seconds_left <= 0 || !c->kernel || !c->kernel->exact)
        return "";
    lb_replayed *replayed = lb_arena_alloc(arena, sizeof *replayed);
    lb_replayed_adopt(replayed, c, profile, port, call_number, arena);
    for (int role = 0; replayed->computed && !step[0] && role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output && !c->null_role[role])
            step = step_of(l, replayed, (lb_role)role, section);
    return step;
}

static void begin_case(void *self, const lb_case *test_case, lb_arena *arena)
{
    lb_diverges_listener *l = self;
    (void)test_case;
    l->before = NULL;
    l->none = false;
    l->arena = arena;
}

static void note_result(void *self, const lb_trial_end *end, lb_result *result)
{
    lb_diverges_listener *l = self;
    if (result->verdict != LB_FAIL || !end->test_case->kernel)
        return;
    if (end->computed)
        result->diverges_at = lb_diverges_at(l, end->test_case, end->profile, end->port, end->step,
                                             &result->section, end->arena);
    if (!end->computed || strcmp(result->status_expected, result->status_got) != 0)
        result->section = lb_families[end->test_case->kernel->family].refusals;
}

lb_analysis lb_diverges_analysis(lb_diverges_listener *listener)
{
    return (lb_analysis){.self = listener, .begin = begin_case, .result = note_result};
}
