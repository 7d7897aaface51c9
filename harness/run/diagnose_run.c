/* The diagnosis at the end of a run: see diagnose_run.h. */
#include "harness/run/diagnose_run.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"

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
                                     .deadline = begun + o->seconds * 0.6};
    if (!lb_evidence_gather(&causes->evidence))
        return false;
    double spent = lb_now_seconds() - begun;
    causes->diagnosis = (lb_diagnosis){.evidence = &causes->evidence,
                                       .port_name = o->port_name,
                                       .reproduce = o->reproduce,
                                       .seconds = o->seconds - spent};
    lb_diagnose(&causes->diagnosis);
    note_causes(o, causes);
    return true;
}

void lb_run_diagnosis_free(lb_run_diagnosis *causes)
{
    lb_diagnosis_free(&causes->diagnosis);
    lb_evidence_free(&causes->evidence);
    free(causes->cause_of);
}
