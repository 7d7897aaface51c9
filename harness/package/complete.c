/* Results against the cases that the run chose: see complete.h. */
#include "harness/package/complete.h"
#include "harness/run/run_plan.h"
#include "harness/trial/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who lacks so many results is not asked for more: how many cases there are is only a claim. */
enum { ENOUGH_MISSING = 1000 };

typedef struct work {
    const lb_completeness *job;
    const lb_run_info *info;
    lb_plan plan;         /* what the head of the results says was chosen */
    unsigned char *there; /* [cases * profiles] */
    uint64_t chosen;      /* results that the run was to have */
    uint64_t missing;     /* of them */
    lb_arena arena;
    bool is_open; /* nobody can tell: a suite that was chosen from is not at hand */
} work;

/* `c` NULL: the case is not at hand. */
static void tell(work *w, const lb_case *c, uint64_t number, size_t suite, size_t profile,
                 const char *what)
{
    char text[700], place[40];
    snprintf(place, sizeof place, "number %" PRIu64, number - w->plan.first_case[suite] + 1);
    snprintf(text, sizeof text, "%s: case \"%.200s\" of suite \"%.100s\" in profile %.60s", what,
             c ? c->id : place, w->info->suites[suite].name, w->info->profiles[profile]);
    w->job->contradiction(w->job->user, text);
}

/* Cases tell results of built-in profiles alone. */
static bool is_asked(work *w, const lb_case *c, size_t profile)
{
    const lb_profile *own = c ? lb_profile_named(w->info->profiles[profile]) : NULL;
    lb_arena_reset(&w->arena);
    return !own || lb_trial_is_asked(c, own, &w->arena);
}

/* Every profile of one case. `chosen`: it must have results, but where nothing is asked. */
static void check_case(work *w, uint64_t number, size_t suite, const lb_case *c, bool chosen)
{
    for (size_t p = 0; p < w->info->profile_count; p++) {
        bool there = w->there[number * w->info->profile_count + p] != 0;
        bool is_due = chosen && (there || is_asked(w, c, p));
        w->chosen += is_due;
        if (is_due && !there && w->info->stopped_at == 0) {
            w->missing++;
            tell(w, c, number, suite, p, "a result is missing");
        } else if (!chosen && there)
            tell(w, c, number, suite, p, "a result is there that the run did not choose");
    }
}

/* The cases of one suite. Without the suite, all of its cases were chosen, or nobody can tell. */
static void check_suite(work *w, size_t s)
{
    uint64_t first = w->plan.first_case[s];
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = w->job->suites[s];
    lb_suite_reader *reader = suite ? lb_suite_reader_open(suite) : NULL;
    for (uint64_t i = 0; i < w->info->suites[s].cases && w->missing < ENOUGH_MISSING; i++) {
        const lb_case *c = reader ? lb_suite_reader_case(reader, (size_t)i, &diagnostics) : NULL;
        if (c || !lb_run_chooses_cases(w->info))
            check_case(w, first + i, s, c,
                       lb_plan_in_shard(&w->plan, first + i) &&
                           (!c || lb_plan_wants_case(&w->plan, c)));
        else
            w->is_open = true;
    }
    lb_suite_reader_close(reader);
}

/* A run that did not come to its end must say so. */
static void check_expected(work *w)
{
    char text[200];
    if (w->is_open || w->missing >= ENOUGH_MISSING || w->info->expected == w->chosen ||
        w->info->suite_count == 0)
        return;
    snprintf(text, sizeof text,
             "\"expected\" is %" PRIu64 ", but the suites and what was chosen make %" PRIu64
             " results",
             w->info->expected, w->chosen);
    w->job->contradiction(w->job->user, text);
}

static bool mark_results(work *w, lb_results_reader *reader, char *error, size_t error_bytes)
{
    const lb_result *result;
    uint64_t count = lb_plan_case_count(&w->plan) * w->info->profile_count;
    if (!lb_results_rewind(reader))
        return snprintf(error, error_bytes, "cannot be read again"), false;
    while ((result = lb_results_next(reader, error, error_bytes)) != NULL)
        if (result->order < count) /* an order beyond is told by recheck */
            w->there[result->order] = 1;
    return error[0] == '\0';
}

bool lb_completeness_check(const lb_completeness *job, lb_results_reader *reader, char *error,
                           size_t error_bytes)
{
    const lb_run_info *info = lb_results_info(reader);
    work w = {.job = job,
              .info = info,
              .plan = {.suite_count = info->suite_count,
                       .chosen = info->chosen,
                       .shard_index = info->shard_index,
                       .shard_count = info->shard_count}};
    uint64_t limit = UINT64_C(1) << 40, cases = 0;
    w.plan.has_level =
        info->coverage_level[0] && lb_level_find(info->coverage_level, &w.plan.level);
    w.plan.first_case = calloc(info->suite_count + 1, sizeof *w.plan.first_case);
    error[0] = '\0';
    for (size_t i = 0; w.plan.first_case && i < info->suite_count; i++) {
        cases = info->suites[i].cases < limit - cases ? cases + info->suites[i].cases : limit;
        w.plan.first_case[i + 1] = cases;
    }
    w.there = cases < limit ? calloc((size_t)cases * info->profile_count + 1, 1) : NULL;
    if (!w.plan.first_case || !w.there)
        snprintf(error, error_bytes, "%" PRIu64 " cases: more than memory holds", cases);
    else if (mark_results(&w, reader, error, error_bytes))
        for (size_t i = 0; i < info->suite_count; i++)
            check_suite(&w, i);
    if (error[0] == '\0')
        check_expected(&w);
    free(w.plan.first_case);
    free(w.there);
    lb_arena_free(&w.arena);
    return error[0] == '\0';
}
