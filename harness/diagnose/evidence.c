/* Gathering what a port gives: see evidence.h. */
#include "harness/diagnose/evidence.h"
#include "harness/base/child.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/work.h"
#include "harness/guard/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEPT_BYTES = 4 << 20, MAX_ALL_KEPT_BYTES = 256 << 20 };

bool lb_tried_failed(const lb_tried *tried)
{
    return tried->verdict == LB_FAIL || tried->verdict == LB_ERROR;
}

/* ---- A call ---- */

typedef struct listener {
    lb_arena *keep; /* NULL: nothing is kept */
    const lb_left *left;
    lb_verdict verdict;
    const char *trouble, *differs, *field;
    lb_stop stop;
    lb_evidence *e;
    const lb_case *c;
    uint32_t suite, index, call;
    uint64_t case_number;
} listener;

static const char *first_difference(const lb_result *r, lb_arena *arena)
{
    const lb_difference *d = &r->differences[0];
    bool has_field = d->field && d->field[0], has_index = d->index && d->index[0];
    bool has_role = d->role && d->role[0];
    const char *what = has_field ? d->field : has_index ? "" : lb_differs_name(d->what);
    if (r->difference_count == 0)
        return "";
    return lb_arena_printf(arena, "%s%s%s%s%s%s: expected %s, got %s; %llu of %llu differ",
                           has_role ? d->role : "", has_role && what[0] ? "." : "", what,
                           has_index ? "[" : "", has_index ? d->index : "", has_index ? "]" : "",
                           d->expected ? d->expected : "", d->got ? d->got : "",
                           (unsigned long long)d->count, (unsigned long long)d->total);
}

/* NULL: elements differ first. */
static const char *first_field(const lb_result *r, lb_arena *arena)
{
    const lb_difference *d = &r->differences[0];
    bool has_role = d->role && d->role[0], has_field = d->field && d->field[0];
    if (r->difference_count == 0 || (!has_field && d->index && d->index[0]))
        return NULL;
    return lb_arena_printf(arena, "%s%s%s", has_role ? d->role : "", has_role ? "." : "",
                           has_field ? d->field : lb_differs_name(d->what));
}

/* What the port left is there only while its result is told. Guard bits are an analysis before
 * this one: what comes out of an overflow is not held against the port, as in a run. */
static void keep_left(void *self, const lb_trial_end *end, lb_result *result)
{
    listener *l = self;
    const lb_stray *stray = &end->port->stray;
    l->call = end->step > 0 ? end->step : 1;
    if (stray->count > 0) {
        const lb_buffer *buffer = &end->port->memory->buffers[stray->buffer];
        l->stop = (lb_stop){.touch = LB_TOUCH_WRITES,
                            .kind = buffer->kind,
                            .role = buffer->role,
                            .list_index = buffer->list_index,
                            .in_front = stray->in_front,
                            .distance = stray->distance};
    }
    if (!l->keep || (result->verdict != LB_FAIL && l->e))
        return;
    if (end->test_case->kernel && end->port->memory->block_bytes <= MAX_KEPT_BYTES &&
        l->keep->used_bytes < MAX_ALL_KEPT_BYTES)
        l->left = lb_left_copy(end->port, l->keep);
}

/* Side by side: what is read beside a buffer is seen in results. Else between forbidden pages,
 * where the port can have them. */
static lb_trial_setup setup_for(lb_evidence *e, lb_port *port, bool side_by_side, unsigned misalign,
                                const lb_analysis *const *analyses, size_t analysis_count)
{
    port->whole_block = side_by_side;
    return (lb_trial_setup){.port = port,
                            .suite = "",
                            .file = "",
                            .misalign = misalign,
                            .tolerance_off = true,
                            .analyses = analyses,
                            .analysis_count = analysis_count,
                            .arena = &e->scratch};
}

/* Sequences have no status of their own. */
static bool gave_other_status(const lb_result *result)
{
    return result->status_expected && result->status_got &&
           strcmp(result->status_expected, result->status_got) != 0;
}

static lb_lone lone_of(const lb_result *result)
{
    if (result->verdict != LB_FAIL || !result->outlier)
        return LB_LONE_NOBODY;
    return strcmp(result->outlier, "recorded") == 0 ? LB_LONE_RECORDING
           : strcmp(result->outlier, "exact") == 0  ? LB_LONE_MODEL
                                                    : LB_LONE_NOBODY;
}

static void take_result(void *user, size_t profile, lb_result *result)
{
    static const lb_verdict of_port[LB_LONE_COUNT] = {
        [LB_LONE_RECORDING] = LB_PASS, [LB_LONE_MODEL] = LB_SKIP};
    listener *l = user;
    const lb_lone lone = lone_of(result);
    const char *kind = lb_result_kind(result);
    if (lone != LB_LONE_NOBODY)
        result->verdict = of_port[lone];
    l->verdict = result->verdict;
    if (result->verdict == LB_ERROR)
        l->trouble = lb_arena_strdup(l->keep, result->reason);
    if (result->verdict == LB_FAIL && result->difference_count > 0) {
        l->differs = first_difference(result, l->keep);
        l->field = first_field(result, l->keep);
    }
    if (!l->e)
        return;
    if (result->verdict == LB_ERROR && l->e->port->stop)
        l->stop = *l->e->port->stop;
    l->e->items = lb_room_for_one(l->e->items, l->e->count, &l->e->capacity, sizeof *l->e->items);
    lb_tried *tried = &l->e->items[l->e->count++];
    *tried = (lb_tried){.kernel = l->c->kernel,
                        .suite = l->suite,
                        .index = l->index,
                        .profile = (uint32_t)profile,
                        .case_number = l->case_number,
                        .verdict = result->verdict,
                        .lone = lone,
                        .kind = kind,
                        .size = lb_case_element_count(l->c),
                        .single = l->c->kernel && l->c->kernel->exact && l->c->step_count == 0,
                        .call = result->verdict == LB_FAIL && l->call > 0 ? l->call : 1,
                        .left = lone == LB_LONE_NOBODY ? l->left : NULL,
                        .other_status = result->verdict == LB_FAIL && gave_other_status(result),
                        .stop = l->stop,
                        .fenced = l->e->port->fenced,
                        .trouble = l->trouble,
                        .differs = l->differs,
                        .field = l->field};
    l->e->failing += lb_tried_failed(tried);
    l->left = NULL;
    l->trouble = l->differs = l->field = NULL;
    l->stop = (lb_stop){.touch = LB_TOUCH_NONE};
}

const lb_left *lb_evidence_call(lb_evidence *e, lb_port *port, const lb_case *c,
                                const lb_profile *profile, unsigned misalign, lb_arena *arena,
                                bool *passed, const char **trouble)
{
    listener l = {.keep = arena};
    lb_guard_listener guard = {.mode = LB_GUARD_OFF};
    const lb_analysis overflow = lb_guard_analysis(&guard);
    const lb_analysis analysis = {.self = &l, .result = keep_left};
    const lb_analysis *const analyses[] = {&overflow, &analysis};
    lb_trial_setup setup = setup_for(e, port, true, misalign, analyses, 2);
    bool wanted = true;
    lb_arena_reset(&e->scratch);
    lb_work_calls(e, 1);
    lb_trial_run(&setup, c, &profile, &wanted, 1, NULL, take_result, &l);
    *passed = l.verdict == LB_PASS;
    *trouble = l.trouble ? l.trouble : l.verdict == LB_SKIP ? "skipped" : NULL;
    return l.left;
}

const lb_left *lb_evidence_try(lb_evidence *e, const lb_case *c, const lb_profile *profile,
                               unsigned misalign, lb_fault_bench *bench, lb_arena *arena,
                               bool *passed)
{
    const char *trouble = NULL;
    *passed = false;
    if (!lb_fault_bench_make(bench, c, profile, arena) || !bench->computed)
        return NULL;
    lb_work_run(e, bench, false);
    const lb_left *left =
        lb_evidence_call(e, e->port, c, profile, misalign, arena, passed, &trouble);
    return trouble ? NULL : left;
}

/* ---- All calls ---- */

/* What a child tells of a sequence. */
typedef struct told {
    lb_verdict verdict;
    /* of those that never move: parent and child have the same */
    const char *kind, *outlier;
    char trouble[400], differs[400];
    uint64_t faults;
    lb_step_part part;
    size_t step;
} told;

/* Which faults of sequences leave what the port left. */
static void hold_faults(void *self, const lb_trial_end *end, lb_result *result)
{
    told *t = self;
    const lb_case *c = end->test_case;
    if (result->verdict != LB_FAIL || !end->port_steps)
        return;
    t->part = lb_sequence_differs(c, end->exact_steps, end->port_steps, &t->step);
    for (unsigned i = 0; t->part != LB_STEP_SAME && lb_sequence_faults[i].name; i++) {
        lb_arena arena = {0};
        lb_instance *played = lb_arena_alloc(&arena, sizeof *played);
        size_t step;
        lb_instance_make(played, end->port->memory, &arena);
        const lb_step_outcome *outcomes =
            lb_sequence_play_fault(played, &lb_sequence_faults[i], &arena);
        if (lb_sequence_differs(c, outcomes, end->port_steps, &step) == LB_STEP_SAME)
            t->faults |= (uint64_t)1 << i;
        lb_arena_free(&arena);
    }
}

static void tell_parent(void *user, size_t profile, lb_result *result)
{
    told *t = user;
    lb_arena arena = {0};
    (void)profile;
    t->verdict = result->verdict;
    t->kind = lb_result_kind(result);
    t->outlier = result->outlier;
    if (result->verdict == LB_ERROR)
        snprintf(t->trouble, sizeof t->trouble, "%s", result->reason);
    if (result->verdict == LB_FAIL)
        snprintf(t->differs, sizeof t->differs, "%s", first_difference(result, &arena));
    lb_arena_free(&arena);
}

/* A sequence works on state that a library keeps: each play gets a process that has made none
 * before (pooling_and_movement.md 7). */
static void play_apart(lb_evidence *e, const lb_case *c, size_t profile, listener *l)
{
    told *t = lb_zeroed_shared(sizeof *t);
    t->verdict = LB_ERROR;
    snprintf(t->trouble, sizeof t->trouble, "the port ended the process");
    pid_t child = lb_child_start();
    if (child == 0) {
        bool wanted = true;
        const lb_analysis analysis = {.self = t, .result = hold_faults};
        const lb_analysis *const analyses[] = {&analysis};
        lb_trial_setup setup = setup_for(e, e->port, false, e->misalign, analyses, 1);
        lb_trial_run(&setup, c, &e->profiles[profile], &wanted, 1, NULL, tell_parent, t);
        lb_child_exit(0);
    }
    lb_child_wait(child);
    lb_result result = {
        .verdict = t->verdict, .kind = t->kind, .outlier = t->outlier, .reason = t->trouble};
    if (t->verdict == LB_FAIL)
        l->differs = lb_arena_strdup(&e->arena, t->differs);
    take_result(l, profile, &result);
    lb_tried *tried = &e->items[e->count - 1];
    tried->sequence_faults = t->faults;
    tried->differs_in = t->part;
    tried->differs_at = (uint32_t)t->step;
    lb_shared_give_back(t, sizeof *t);
}

/* Of what is known, only failing results are asked for again; the others are noted. */
static bool wanted_profiles(lb_evidence *e, uint64_t case_number, listener *l, bool *wanted)
{
    bool any = false;
    for (size_t p = 0; p < e->profile_count; p++) {
        wanted[p] = true;
        if (e->verdicts) {
            unsigned known = e->verdicts[case_number * e->profile_count + p];
            lb_result result = {.verdict = known ? (lb_verdict)(known - 1) : LB_SKIP};
            wanted[p] = known == 1 + LB_FAIL || known == 1 + LB_ERROR;
            if (!wanted[p])
                take_result(l, p, &result);
        }
        any = any || wanted[p];
    }
    return any;
}

/* A function that crashes or hangs again and again is known to: its further cases would take all
 * the time. */
enum { MOST_LOST = 400, LOST_BY_A_HANG = 200 };

/* Which profiles of the results from `first` on failed between forbidden pages, and are worth to be
 * seen with the buffers side by side. What is touched farther from a buffer is another one there.
 */
static bool failed_between_pages(const lb_evidence *e, size_t first, bool *wanted)
{
    bool any = false;
    memset(wanted, 0, e->profile_count * sizeof *wanted);
    for (size_t i = first; i < e->count; i++) {
        const lb_tried *t = &e->items[i];
        if (t->fenced && (t->stop.touch == LB_TOUCH_NONE ? t->verdict == LB_FAIL
                                                         : t->stop.distance <= LB_GUARD_BYTES))
            wanted[t->profile] = any = true;
    }
    return any;
}

/* Those from `first` on are of the same calls as those from `before` on. What is wrong side by side
 * too can be compared with what other calls give, and takes the place of the first result. */
static void take_side_by_side(lb_evidence *e, size_t before, size_t first)
{
    for (size_t i = first; i < e->count; i++) {
        e->failing -= lb_tried_failed(&e->items[i]);
        for (size_t k = before; e->items[i].verdict == LB_FAIL && k < first; k++)
            if (e->items[k].profile == e->items[i].profile)
                e->items[k] = e->items[i];
    }
    e->count = first;
}

static void try_case(lb_evidence *e, const lb_case *c, uint64_t case_number, uint32_t suite,
                     uint32_t index)
{
    bool wanted[LB_MAX_PROFILES * 4];
    listener l = {.keep = &e->arena,
                  .e = e,
                  .c = c,
                  .suite = suite,
                  .index = index,
                  .case_number = case_number};
    lb_guard_listener guard = {.mode = LB_GUARD_OFF};
    const lb_analysis overflow = lb_guard_analysis(&guard);
    const lb_analysis analysis = {.self = &l, .result = keep_left};
    const lb_analysis *const analyses[] = {&overflow, &analysis};
    lb_trial_setup setup = setup_for(e, e->port, false, e->misalign, analyses, 2);
    if ((e->wants && !e->wants(e->wants_user, c)) || !wanted_profiles(e, case_number, &l, wanted))
        return;
    unsigned *lost = &e->lost[c->kernel ? lb_kernel_number(c->kernel) : lb_kernel_total()];
    size_t before = e->count;
    if (*lost >= MOST_LOST) {
        e->passed_over = true;
        return;
    }
    lb_arena_reset(&e->scratch);
    if (c->step_count == 0)
        lb_trial_run(&setup, c, e->profiles, wanted, e->profile_count, NULL, take_result, &l);
    for (size_t p = 0; c->step_count > 0 && p < e->profile_count; p++)
        if (wanted[p])
            play_apart(e, c, p, &l);
    if (c->step_count == 0 && failed_between_pages(e, before, wanted)) {
        const size_t first = e->count;
        e->port->whole_block = true;
        lb_trial_run(&setup, c, e->profiles, wanted, e->profile_count, NULL, take_result, &l);
        take_side_by_side(e, before, first);
    }
    for (size_t i = before; i < e->count; i++)
        if (e->items[i].verdict == LB_ERROR)
            *lost += e->port->out_of_time ? LOST_BY_A_HANG : 1;
}

bool lb_evidence_gather(lb_evidence *e)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    uint64_t case_number = 0;
    e->readers = lb_resized(NULL, (e->suite_count + 1) * sizeof(lb_suite_reader *));
    e->lost = lb_resized(NULL, (lb_kernel_total() + 1) * sizeof *e->lost);
    memset(e->lost, 0, (lb_kernel_total() + 1) * sizeof *e->lost);
    memset(e->readers, 0, (e->suite_count + 1) * sizeof(lb_suite_reader *));
    for (size_t s = 0; s < e->suite_count; s++) {
        e->readers[s] = lb_suite_reader_open(e->suites[s]);
        if (!e->readers[s])
            return false;
        for (size_t i = 0; i < lb_suite_case_count(e->suites[s]); i++, case_number++) {
            e->cut_short = e->cut_short || (e->ends > 0 && lb_now_seconds() > e->ends);
            if (e->cut_short)
                continue;
            const lb_case *c = lb_suite_reader_case(e->readers[s], i, &diagnostics);
            if (!c)
                return fprintf(stderr, "lastbit: %s: changed while it was read\n",
                               lb_suite_path(e->suites[s])),
                       false;
            try_case(e, c, case_number, (uint32_t)s, (uint32_t)i);
        }
    }
    return true;
}

const lb_case *lb_evidence_case(lb_evidence *e, const lb_tried *tried)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    return lb_suite_reader_case(e->readers[tried->suite], tried->index, &diagnostics);
}

bool lb_look_at(lb_look *look, lb_evidence *e, const lb_tried *tried)
{
    const lb_case *c = lb_evidence_case(e, tried);
    lb_arena_reset(&look->arena);
    if (!c || !lb_fault_bench_make_at(&look->bench, c, tried->call, e->profiles[tried->profile],
                                      &look->arena))
        return false;
    lb_work_run(e, &look->bench, false);
    return true;
}

void lb_look_end(lb_look *look)
{
    lb_arena_free(&look->arena);
}

void lb_evidence_free(lb_evidence *e)
{
    for (size_t s = 0; e->readers && s < e->suite_count; s++)
        if (e->readers[s])
            lb_suite_reader_close(e->readers[s]);
    free(e->readers);
    free(e->lost);
    free(e->items);
    lb_arena_free(&e->arena);
    lb_arena_free(&e->scratch);
}
