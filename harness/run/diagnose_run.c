/* The diagnosis at the end of a run: see diagnose_run.h. */
#include "harness/run/diagnose_run.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/work.h"
#include "harness/run/diagnosed.h"
#include "harness/run/steps.h"

#include <stdlib.h>
#include <string.h>

static bool wants(void *user, const lb_case *c)
{
    return lb_plan_wants_case(user, c);
}

static void note_causes(const lb_run_diagnose_options *o, lb_run_diagnosis *causes)
{
    causes->cause_of = lb_resized(NULL, o->count + 1);
    memset(causes->cause_of, 0, o->count + 1);
    for (size_t i = 0; i < causes->evidence.count; i++) {
        const lb_tried *t = &causes->evidence.items[i];
        causes->cause_of[t->case_number * o->plan->profile_count + t->profile] =
            causes->diagnosis.cause[i];
    }
}

/* The item of the evidence that a finding names as its smallest; NULL: none that failed. */
static const lb_tried *smallest_of(lb_run_diagnosis *causes, size_t number)
{
    const lb_found_fault *found = &causes->diagnosis.found[number];
    const lb_evidence *e = &causes->evidence;
    for (size_t i = 0; i < e->count; i++) {
        const lb_tried *t = &e->items[i];
        const lb_profile *profile = e->profiles[t->profile];
        const char *name = profile->file ? profile->file : profile->name;
        if (causes->diagnosis.cause[i] != number + 1 || t->verdict != LB_FAIL || !t->kernel ||
            strcmp(lb_suite_path(e->suites[t->suite]), found->file) != 0 ||
            strcmp(name, found->profile) != 0)
            continue;
        const lb_case *c = lb_evidence_case(&causes->evidence, t);
        if (c && strcmp(c->id, found->id) == 0)
            return t;
    }
    return NULL;
}

/* The steps behind the first element that differs, for documents. */
static void tell_steps(const lb_run_diagnose_options *o, lb_run_diagnosis *causes, size_t number)
{
    lb_found_fault *found = &causes->diagnosis.found[number];
    const lb_tried *t = smallest_of(causes, number);
    const lb_case *c = t ? lb_evidence_case(&causes->evidence, t) : NULL;
    const lb_diagnosed diagnosed = lb_diagnosed_of(found, causes->diagnosis.failing);
    const lb_steps_wish wish = {.port = o->port,
                                .misalign = o->misalign,
                                .seconds = o->reproduce->time_limit_seconds,
                                .diagnosed = &diagnosed};
    const char *text =
        c ? lb_steps_text(&wish, c, found->file, causes->evidence.profiles[t->profile],
                          &causes->diagnosis.arena)
          : NULL;
    if (text)
        found->explanation = text;
}

static void tell_lines(const lb_run_diagnose_options *o, lb_run_diagnosis *causes, size_t number)
{
    lb_found_fault *found = &causes->diagnosis.found[number];
    const lb_tried *t = smallest_of(causes, number);
    if (!t || lb_suite_command(causes->evidence.suites[t->suite]))
        return;
    const lb_reproduce_case which = {
        .file = found->file, .id = found->id, .profiles = found->profile};
    lb_doc doc = lb_doc_make();
    lb_put_explain(&doc, o->reproduce, &which, "out", "");
    found->explain = lb_arena_printf(&causes->diagnosis.arena, "%.*s", (int)doc.length, doc.text);
    lb_doc_free(&doc);
}

/* For the documents: of each fault every step, while there is time. */
static void explain_causes(const lb_run_diagnose_options *o, lb_run_diagnosis *causes)
{
    for (size_t i = 0; i < causes->diagnosis.found_count; i++) {
        tell_lines(o, causes, i);
        if (lb_now_seconds() < causes->evidence.ends)
            tell_steps(o, causes, i);
    }
}

bool lb_run_diagnose(const lb_run_diagnose_options *o, lb_run_diagnosis *causes)
{
    double begun = lb_now_seconds();
    if (o->seconds <= 0 || o->plan->levels[0])
        return false;
    causes->evidence = (lb_evidence){.suites = o->plan->suites,
                                     .suite_count = o->plan->suite_count,
                                     .profiles = o->plan->profiles,
                                     .profile_count = o->plan->profile_count,
                                     .port = o->port,
                                     .misalign = o->misalign,
                                     .wants = wants,
                                     .wants_user = (void *)(uintptr_t)o->plan,
                                     .verdicts = o->verdicts,
                                     .ends = begun + lb_work_limit(o->seconds)};
    if (!lb_evidence_gather(&causes->evidence))
        return false;
    causes->diagnosis = (lb_diagnosis){.evidence = &causes->evidence,
                                       .port_name = o->port_name,
                                       .reproduce = o->reproduce,
                                       .effort = o->seconds};
    lb_diagnose(&causes->diagnosis);
    note_causes(o, causes);
    explain_causes(o, causes);
    return true;
}

void lb_run_diagnosis_free(lb_run_diagnosis *causes)
{
    lb_diagnosis_free(&causes->diagnosis);
    lb_evidence_free(&causes->evidence);
    free(causes->cause_of);
}
