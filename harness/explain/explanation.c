/* Making explanations: see explanation.h. */
#include "harness/explain/explanation.h"
#include "harness/base/xalloc.h"
#include "harness/explain/operations.h"

#include <stdlib.h>
#include <string.h>

static const double SEARCH_EFFORT = 4; /* nominal seconds: it should not keep anybody waiting */

/* ---- Which call ---- */

/* The first profile in which something diverges, else the first. */
static void choose_call(const lb_explain_request *request, lb_explanation *e)
{
    for (size_t i = 0; i < request->profile_count; i++) {
        lb_replayed *replayed = lb_arena_alloc(request->arena, sizeof *replayed);
        const char *name = request->profiles[i]->name;
        lb_replayed_open(replayed, request->test_case, request->profiles[i], request->port,
                         request->misalign, request->seconds, request->arena);
        bool diverges = lb_replayed_diverges(replayed);
        if (diverges)
            e->diverging_names =
                e->diverging++ ? lb_arena_printf(request->arena, "%s, %s", e->diverging_names, name)
                               : name;
        if (!e->replayed || (diverges && e->diverging == 1))
            e->replayed = replayed;
    }
}

/* ---- Which element ---- */

static bool is_output(const lb_case *c, int role)
{
    return c->operand[role].present && c->operand[role].is_output && !c->null_role[role];
}

static bool any_difference(const lb_replayed *replayed, int role)
{
    size_t flat;
    return lb_oracle_first_difference(replayed, LB_ORACLE_PORT, (lb_role)role, &flat) ||
           lb_oracle_first_difference(replayed, LB_ORACLE_RECORDED, (lb_role)role, &flat);
}

/* -1: the call has no output. */
static int choose_role(const lb_replayed *replayed)
{
    int chosen = is_output(replayed->test_case, LB_ROLE_OUT) ? LB_ROLE_OUT : -1;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!is_output(replayed->test_case, role))
            continue;
        if (any_difference(replayed, role))
            return role; /* what comes first in the order of roles comes first in the computation:
                            the cell before out */
        chosen = chosen < 0 ? role : chosen;
    }
    return chosen;
}

static const char *shape_text(const lb_layout *layout, lb_arena *arena)
{
    const char *text = "";
    for (unsigned d = 0; d < layout->rank; d++)
        text = lb_arena_printf(arena, "%s%s%u", text, d ? "," : "", layout->shape[d]);
    return lb_arena_printf(arena, "[%s]", text);
}

static const char *check_index(const lb_explain_request *request, const lb_layout *layout,
                               lb_role role)
{
    const char *name = lb_role_name(role), *shape = shape_text(layout, request->arena);
    if (request->index_count != layout->rank)
        return lb_arena_printf(
            request->arena, "--index has %u number%s; %s has shape %s: expected %u",
            request->index_count, request->index_count == 1 ? "" : "s", name, shape, layout->rank);
    for (unsigned d = 0; d < layout->rank; d++)
        if (request->index[d] >= layout->shape[d])
            return lb_arena_printf(
                request->arena,
                "--index: %u is past the end of %s, whose shape is %s (indices count from 0)",
                request->index[d], name, shape);
    return NULL;
}

static void set_index(lb_explanation *e, const lb_layout *layout)
{
    size_t rest = e->flat;
    e->rank = layout->rank;
    for (unsigned d = layout->rank; d-- > 0; rest /= layout->shape[d])
        e->index[d] = (uint32_t)(rest % layout->shape[d]);
}

/* The element asked for, else the first that differs (the port's before a recorded one), else the
 * first. */
static const char *choose_element(const lb_explain_request *request, lb_explanation *e)
{
    int role = request->role >= 0 ? request->role : choose_role(e->replayed);
    if (role < 0 || !is_output(e->test_case, role)) {
        if (request->role < 0 && !request->has_index)
            return NULL;
        return lb_arena_printf(request->arena, "%s: the call has no output %s", e->test_case->id,
                               lb_role_name(request->role < 0 ? LB_ROLE_OUT : (lb_role)role));
    }
    lb_layout layout = lb_replayed_layout(e->replayed, (lb_role)role);
    const char *problem = request->has_index ? check_index(request, &layout, (lb_role)role) : NULL;
    if (problem)
        return problem;
    e->role = (lb_role)role;
    e->count = lb_layout_count(&layout);
    if (request->has_index)
        for (unsigned d = 0; d < layout.rank; d++)
            e->flat = e->flat * layout.shape[d] + request->index[d];
    else if (!lb_oracle_first_difference(e->replayed, LB_ORACLE_PORT, e->role, &e->flat) &&
             !lb_oracle_first_difference(e->replayed, LB_ORACLE_RECORDED, e->role, &e->flat))
        e->flat = 0;
    /* what helpers give are views and numbers, and no elements */
    bool computes = lb_pattern_of(e->test_case->kernel) != LB_PATTERN_HELPER;
    e->has_element = computes && e->replayed->computed && e->count > 0 &&
                     lb_replayed_address(e->replayed, &e->replayed->exact, e->role, e->flat);
    set_index(e, &layout);
    return NULL;
}

/* ---- Its steps ---- */

static void candidate(lb_explanation *e, lb_oracle oracle)
{
    lb_replayed *replayed = e->replayed;
    int64_t value, exact = lb_replayed_value(replayed, &replayed->exact, e->role, e->flat);
    e->diverges[oracle] =
        lb_oracle_value(replayed, oracle, e->role, e->flat, &value) && value != exact;
    const lb_candidate_search asked = {
        .effort = SEARCH_EFFORT,
        .named = oracle == LB_ORACLE_PORT && e->diagnosed ? e->diagnosed->name : NULL};
    if (e->diverges[oracle])
        lb_candidate_find(&e->candidates[oracle], replayed, oracle, e->role, e->flat, &e->slice,
                          &asked);
}

static void take_steps(lb_explanation *e)
{
    lb_slice_make(&e->slice, e->replayed, e->role, e->flat);
    e->real = lb_zeroed(e->slice.step_count, sizeof *e->real);
    lb_slice_real(&e->slice, e->real);
    candidate(e, LB_ORACLE_PORT);
    candidate(e, LB_ORACLE_RECORDED);
}

const char *lb_explain_make(const lb_explain_request *request, lb_explanation *e)
{
    *e = (lb_explanation){.test_case = request->test_case,
                          .file = request->file,
                          .port_name = request->port->name,
                          .diverging_names = ""};
    choose_call(request, e);
    e->failed = e->replayed->rule || !e->replayed->computed;
    const char *problem = choose_element(request, e);
    if (!problem && request->diagnose && e->replayed->port_ran && lb_replayed_diverges(e->replayed))
        e->diagnosed = request->diagnose(request->diagnose_user);
    if (!problem && e->has_element)
        take_steps(e);
    if (problem)
        lb_explanation_free(e);
    return problem;
}

void lb_explanation_free(lb_explanation *e)
{
    lb_slice_free(&e->slice);
    free(e->real);
    e->real = NULL;
}

bool lb_explanation_diverges(const lb_explanation *e)
{
    return lb_replayed_diverges(e->replayed);
}

const char *lb_explanation_step(const lb_explanation *e, lb_oracle oracle)
{
    return e->diverges[oracle] ? lb_candidates_step(&e->candidates[oracle], e->replayed->arena)
                               : "";
}

size_t lb_explain_indices(const lb_explanation *e, lb_index_line lines[LB_MOST_INDEX_LINES])
{
    const lb_call *call = &e->replayed->before.call;
    size_t element;
    if (!e->has_element || !e->replayed->computed ||
        !lb_replayed_model_element(e->replayed, e->role, e->flat, &element))
        return 0;
    return lb_index_lines(call, e->role, element, e->replayed->arena, lines);
}
