/* Inside one worker: see worker.h. */
#include "harness/run/worker.h"
#include "harness/base/child.h"
#include "harness/base/xalloc.h"
#include "harness/trial/network.h"
#include "harness/trial/trial.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct worker {
    const lb_pool_options *options;
    unsigned char *verdicts;
    lb_worker_shared *shared; /* NULL: none to tell */
    lb_worker_slot *slot;
    lb_suite_reader **readers; /* opened when first needed */
    lb_arena arena;
    lb_fenced fenced;
    uint64_t case_number;
    size_t suite_index; /* of that case */
    bool is_meant;      /* there is nothing to warn of in this suite */
    char *line;         /* LB_RESULT_BYTES, and room for a newline */
    char *cover_line;
    lb_run_analyses analyses;
    lb_reproduce reproduce; /* with the level of the result in work */
    bool failed;
} worker;

/* In all that a worker does: a run with thousands of failures is not to take much longer than one
 * without. */
static const double EXPLAIN_SECONDS = 10;

static void begin_result(void *user, size_t profile_index)
{
    worker *w = user;
    lb_port *port = w->options->port;
    const char *level = w->options->plan->levels[profile_index];
    w->reproduce.cpu = level;
    if (level && !port->set_level(port, level) && !w->failed) {
        fprintf(stderr, "lastbit: the port does not take the level %s that it names\n", level);
        w->failed = true;
    }
    if (!w->slot)
        return;
    atomic_store(&w->slot->order, w->case_number * w->options->plan->profile_count + profile_index);
    atomic_store(&w->slot->port_works, false);
    atomic_store(&w->slot->at_work, true);
}

static void note_port_works(void *user, bool works)
{
    worker *w = user;
    if (!w->slot)
        return;
    atomic_fetch_add(&w->slot->works, works);
    atomic_store(&w->slot->port_works, works);
}

/* One line for the result. Texts too long for a line (huge ids are refused by the loader) are left
 * out rather than lost with the verdict. */
static size_t result_line(worker *w, lb_result *result)
{
    size_t length = lb_result_to_json(result, w->line, LB_RESULT_BYTES);
    if (length > 0)
        return length;
    result->difference_count = 0;
    result->map_rows = result->map_columns = 0;
    result->map = result->reproduce = "";
    return lb_result_to_json(result, w->line, LB_RESULT_BYTES);
}

/* No descriptor, no process, no memory: that is nobody's verdict, and --resume tries it again. */
static bool host_failed(worker *w)
{
    const lb_port *port = w->options->port;
    if (!w->failed && port->host_failed && port->failure)
        fprintf(stderr, "lastbit: the host ran short: %s\n", port->failure);
    w->failed = w->failed || port->host_failed;
    return port->host_failed;
}

static bool is_too_narrow(const lb_result *result)
{
    return lb_accumulator_needed(&result->accumulator) > result->accumulator.acc_bits &&
           !lb_result_overflows_on_purpose(result);
}

/* Of suites in which there is nothing to warn of: they overflow on purpose. Whether they are
 * vacuous was not asked. */
static void take_as_meant(worker *w, lb_result *result)
{
    if (is_too_narrow(result))
        result->tags = lb_arena_printf(&w->arena, "%s%s" LB_OVERFLOW_ON_PURPOSE, result->tags,
                                       result->tags[0] ? "," : "");
}

static void append_result(void *user, size_t profile_index, lb_result *result)
{
    worker *w = user;
    if (host_failed(w))
        return;
    result->order = w->case_number * w->options->plan->profile_count + profile_index;
    if (w->options->plan->levels[profile_index])
        result->cpu = w->options->plan->levels[profile_index];
    if (w->options->waivers)
        lb_waivers_apply(w->options->waivers, w->options->port->name, result);
    if (w->is_meant)
        take_as_meant(w, result);
    result->kind = lb_result_kind(result);
    size_t length = result_line(w, result);
    if (length == 0 || !lb_journal_append(w->options->journal, w->line, length)) {
        if (!w->failed)
            fprintf(stderr, "lastbit: cannot write the journal: the disk may be full\n");
        w->failed = true;
        return;
    }
    w->verdicts[result->order] = (unsigned char)(1 + result->verdict);
    if (w->slot)
        atomic_store(&w->slot->at_work, false);
    if (w->shared) {
        atomic_fetch_add(&w->shared->results, 1);
        if (result->verdict == LB_FAIL || result->verdict == LB_ERROR)
            atomic_fetch_add(&w->shared->failing, 1);
        if (is_too_narrow(result))
            atomic_fetch_add(&w->shared->marked, 1);
        if (result->vacuous && result->vacuous[0])
            atomic_fetch_add(&w->shared->vacuous, 1);
    }
}

static void note_unasked(void *user, size_t profile_index)
{
    worker *w = user;
    w->verdicts[w->case_number * w->options->plan->profile_count + profile_index] = LB_NOT_ASKED;
    if (w->slot)
        atomic_store(&w->slot->at_work, false);
}

/* Points that no worker has reached before, in the journal first: a worker that dies between the
 * two tells them again. */
static void note_coverage(void *user, const lb_observation *o)
{
    worker *w = user;
    size_t fresh[LB_COVER_LINE_POINTS];
    size_t count;
    while (!w->failed &&
           (count = lb_cover_map_look(w->options->cover, o, fresh, LB_COVER_LINE_POINTS)) > 0) {
        size_t length = lb_cover_map_line(w->options->cover, o->kernel, fresh, count, w->cover_line,
                                          LB_RESULT_BYTES);
        w->failed = !lb_journal_append(w->options->journal, w->cover_line, length);
        if (w->failed)
            fprintf(stderr, "lastbit: cannot write the journal: the disk may be full\n");
        lb_cover_map_keep(w->options->cover, fresh, count);
    }
}

static bool wants_steps(void *user, const lb_kernel *kernel, const lb_profile *profile)
{
    const worker *w = user;
    return lb_cover_map_wants_steps(w->options->cover, kernel, profile);
}

static lb_trial_setup setup_for(worker *w, const lb_suite *suite)
{
    const lb_policies *policies = w->options->policies;
    w->analyses.vacuous.is_unasked = w->is_meant;
    return (lb_trial_setup){.port = w->options->port,
                            .reproduce = &w->reproduce,
                            .suite = lb_suite_name(suite),
                            .file = lb_suite_path(suite),
                            .is_made = lb_suite_command(suite) != NULL,
                            .misalign = w->options->misalign,
                            .seed = w->options->seed,
                            .fenced = &w->fenced,
                            .port_works = note_port_works,
                            .unasked = note_unasked,
                            .judge = w->options->judge,
                            .tolerance_off = policies && policies->off,
                            .tolerance_asked = policies && policies->asked,
                            .policy = policies ? policies->of_suite[w->suite_index] : NULL,
                            .analyses = w->analyses.list,
                            .analysis_count = w->analyses.count,
                            .arena = &w->arena};
}

/* The case of this number, or NULL with a message: the file has changed since it was checked. */
static const lb_case *fetch_case(worker *w, uint64_t case_number, const lb_suite **suite)
{
    const lb_plan *plan = w->options->plan;
    size_t index = 0, s = lb_plan_suite_of(plan, case_number, &index);
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    *suite = plan->suites[s];
    if (s != w->suite_index || !w->readers[s])
        w->is_meant = lb_plan_is_meant(plan, s);
    w->suite_index = s;
    if (!w->readers[s])
        w->readers[s] = lb_suite_reader_open(plan->suites[s]);
    const lb_case *c =
        w->readers[s] ? lb_suite_reader_case(w->readers[s], index, &diagnostics) : NULL;
    if (!c)
        fprintf(stderr, "lastbit: %s: changed while the run was going on\n", lb_suite_path(*suite));
    return c;
}

static bool any_pending(const worker *w, uint64_t case_number, bool *wanted)
{
    size_t profile_count = w->options->plan->profile_count;
    bool any = false;
    for (size_t p = 0; p < profile_count; p++) {
        wanted[p] = w->verdicts[case_number * profile_count + p] == 0;
        any = any || wanted[p];
    }
    return any;
}

/* In one profile alone. */
static void play(worker *w, const lb_trial_setup *setup, const lb_case *c, size_t profile_index)
{
    const lb_plan *plan = w->options->plan;
    bool only[LB_MAX_COLUMNS] = {false};
    only[profile_index] = true;
    lb_trial_run(setup, c, plan->profiles, only, plan->profile_count, begin_result, append_result,
                 w);
}

/* In a process made from this one, which never plays. A child that dies takes this worker with it,
 * and the pool does the rest. */
static bool play_in_child(worker *w, const lb_trial_setup *setup, const lb_case *c,
                          size_t profile_index)
{
    pid_t child = lb_child_start();
    if (child == 0) {
        play(w, setup, c, profile_index);
        lb_child_exit(w->failed ? 1 : 0);
    }
    int status = lb_child_wait(child);
    if (status < 0)
        return false;
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));
    if (status != 0 && w->slot && atomic_load(&w->slot->at_work))
        lb_child_exit(WEXITSTATUS(status));
    return status == 0;
}

/* With the port's process alone made anew, before and after. */
static bool play_anew(worker *w, const lb_trial_setup *setup, const lb_case *c,
                      size_t profile_index)
{
    lb_port *port = w->options->port;
    lb_arena_reset(&w->arena);
    port->forget(port);
    play(w, setup, c, profile_index);
    port->forget(port);
    return !w->failed;
}

/* A sequence changes state that a library keeps per process. Each play finds the library as it was
 * loaded (pooling_and_movement.md 7, fresh_library). */
static bool try_apart(worker *w, const lb_trial_setup *setup, const lb_case *c, const bool *wanted)
{
    bool good = true;
    for (size_t p = 0; p < w->options->plan->profile_count && good; p++)
        if (wanted[p])
            good = (w->options->port->forget ? play_anew : play_in_child)(w, setup, c, p);
    return good;
}

/* A layer whose inputs are made now: other ones in each profile, so that what is recorded for those
 * of the suite says nothing. The port's time counts while it runs the layers before. */
static bool try_layer(worker *w, const lb_trial_setup *setup, const lb_case *c, const bool *wanted)
{
    const lb_plan *plan = w->options->plan;
    lb_suite_reader *reader = lb_suite_reader_open(plan->suites[w->suite_index]);
    for (size_t p = 0; reader && p < plan->profile_count && !w->failed; p++) {
        bool only[LB_MAX_COLUMNS] = {false};
        const char *why = NULL;
        if (!wanted[p])
            continue;
        only[p] = true;
        lb_arena_reset(&w->arena);
        if (!lb_trial_is_asked(c, plan->profiles[p], &w->arena)) {
            note_unasked(w, p);
            continue;
        }
        lb_network n = {.port = w->options->feed == LB_FEED_PORT ? w->options->port : NULL,
                        .profile = plan->profiles[p],
                        .arena = &w->arena};
        begin_result(w, p);
        note_port_works(w, n.port != NULL);
        lb_case *fed = lb_network_run_before(
                           &n, reader, lb_suite_case_count(plan->suites[w->suite_index]), c, &why)
                           ? lb_network_fed(&n, c, &w->arena, &why)
                           : NULL;
        note_port_works(w, false);
        free(n.layers);
        if (fed) {
            fed->expect_count = 0;
            lb_trial_run(setup, fed, plan->profiles, only, plan->profile_count, begin_result,
                         append_result, w);
        } else {
            lb_result result = lb_trial_error(setup, c, plan->profiles[p], why, false);
            append_result(w, p, &result);
        }
    }
    lb_suite_reader_close(reader);
    return reader && !w->failed;
}

static bool all_passed_before(const worker *w, uint64_t case_number, const bool *wanted)
{
    const size_t count = w->options->plan->profile_count;
    const unsigned char *first = w->options->first_verdicts;
    bool passed = first != NULL;
    for (size_t p = 0; p < count && passed; p++) {
        const unsigned char verdict = first[case_number * count + p];
        passed = !wanted[p] || verdict == 1 + LB_PASS || verdict == LB_NOT_ASKED;
    }
    return passed;
}

static bool try_case(worker *w, uint64_t case_number)
{
    const lb_plan *plan = w->options->plan;
    bool wanted[LB_MAX_COLUMNS];
    const lb_suite *suite = NULL;
    if (!lb_plan_in_shard(plan, case_number) || !any_pending(w, case_number, wanted))
        return true;
    if (!lb_plan_may_want(plan, case_number))
        return true;
    const lb_case *c = fetch_case(w, case_number, &suite);
    if (!c)
        return false;
    if (!lb_plan_wants_case(plan, c))
        return true;
    lb_trial_setup setup = setup_for(w, suite);
    setup.tolerance_off = setup.tolerance_off || all_passed_before(w, case_number, wanted);
    /* Neighbours meet in one profile: a kernel may keep something of the call before that it throws
     * away with the numerics. */
    setup.last_first = case_number % 2 == 1;
    w->case_number = case_number;
    if (w->options->feed != LB_FEED_SUITE && c->layer_feed_count > 0)
        return try_layer(w, &setup, c, wanted);
    if (c->step_count > 0 || w->options->alone)
        return try_apart(w, &setup, c, wanted);
    lb_arena_reset(&w->arena);
    lb_trial_run(&setup, c, plan->profiles, wanted, plan->profile_count, begin_result,
                 append_result, w);
    return !w->failed;
}

static bool take_chunk(worker *w)
{
    uint64_t total = lb_plan_case_count(w->options->plan);
    uint64_t first = atomic_fetch_add(&w->shared->next_case, LB_CHUNK_CASES);
    if (first >= total)
        return false;
    atomic_store(&w->slot->chunk_end,
                 first + LB_CHUNK_CASES < total ? first + LB_CHUNK_CASES : total);
    atomic_store(&w->slot->chunk_first, first);
    return true;
}

/* Is the run to stop here, with cases left? */
static bool has_failed_enough(worker *w, uint64_t next)
{
    const lb_pool_options *o = w->options;
    if (o->max_fail == 0 || atomic_load(&w->shared->failing) < o->max_fail ||
        next >= lb_plan_case_count(o->plan))
        return false;
    atomic_store(&w->shared->stopped, true);
    return true;
}

static void worker_open(worker *w)
{
    w->reproduce = w->options->reproduce;
    lb_cover_listener cover = {
        .observe = w->options->cover ? note_coverage : NULL, .wants_steps = wants_steps, .user = w};
    lb_run_analyses_start(&w->analyses, w->options->guard, w->options->alone ? 0 : EXPLAIN_SECONDS,
                          cover);
    w->readers = lb_zeroed(w->options->plan->suite_count, sizeof *w->readers);
    w->line = lb_resized(NULL, LB_RESULT_BYTES + LB_JOURNAL_SUM_BYTES + 1);
    w->cover_line = lb_resized(NULL, LB_RESULT_BYTES + LB_JOURNAL_SUM_BYTES + 1);
}

static void worker_close(worker *w)
{
    for (size_t s = 0; s < w->options->plan->suite_count; s++)
        lb_suite_reader_close(w->readers[s]);
    free(w->readers);
    free(w->line);
    free(w->cover_line);
    lb_arena_free(&w->arena);
    lb_fenced_free(&w->fenced);
}

/* Of the process that this runs in. */
static lb_worker_slot *own_slot;

static void tell_out_of_memory(void)
{
    atomic_store(&own_slot->failed, true);
}

bool lb_worker_run(const lb_pool_options *options, unsigned char *verdicts,
                   lb_worker_shared *shared, unsigned slot)
{
    worker w = {
        .options = options, .verdicts = verdicts, .shared = shared, .slot = &shared->slots[slot]};
    own_slot = w.slot;
    lb_out_of_memory_hook = tell_out_of_memory;
    bool good = true;
    worker_open(&w);
    while (good) {
        uint64_t next = atomic_load(&w.slot->chunk_first), end = atomic_load(&w.slot->chunk_end);
        if (has_failed_enough(&w, next < end ? next : atomic_load(&shared->next_case)))
            break;
        if (next >= end) {
            if (!take_chunk(&w))
                break;
            continue;
        }
        good = try_case(&w, options->sequence ? options->sequence[next] : next);
        atomic_store(&w.slot->chunk_first, next + 1);
    }
    lb_out_of_memory_hook = NULL;
    worker_close(&w);
    return good;
}

bool lb_worker_append_error(const lb_pool_options *options, unsigned char *verdicts, uint64_t order,
                            const char *reason, bool out_of_time)
{
    worker w = {.options = options, .verdicts = verdicts};
    const lb_plan *plan = options->plan;
    const lb_suite *suite = NULL;
    worker_open(&w);
    const lb_case *c = fetch_case(&w, order / plan->profile_count, &suite);
    if (c) {
        lb_trial_setup setup = setup_for(&w, suite);
        w.reproduce.cpu = plan->levels[order % plan->profile_count];
        lb_result result = lb_trial_error(&setup, c, plan->profiles[order % plan->profile_count],
                                          reason, out_of_time);
        w.case_number = order / plan->profile_count;
        append_result(&w, order % plan->profile_count, &result);
    }
    worker_close(&w);
    return c && !w.failed;
}
