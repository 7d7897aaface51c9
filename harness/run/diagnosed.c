/* Of one failing case, what a diagnosis says: see diagnosed.h. */
#include "harness/run/diagnosed.h"
#include "reports/causes.h"

#include <string.h>

/* The case, and those of its family that a diagnosis takes by itself. */
static bool wants(void *user, const lb_case *c)
{
    const lb_case *wanted = user;
    if (strcmp(c->id, wanted->id) == 0)
        return true;
    return c->kernel && c->kernel->family == wanted->kernel->family &&
           lb_level_of(c) <= LB_LEVEL_STANDARD;
}

lb_diagnosed lb_diagnosed_of(const lb_found_fault *found, uint64_t failing)
{
    return (lb_diagnosed){.name = found->name,
                          .hedge = lb_certainty_hedge(found->certainty),
                          .sentence = found->sentence,
                          .results = found->results,
                          .failing = failing};
}

static const lb_found_fault *cause_of(const lb_diagnosis *d, const lb_case *c)
{
    for (size_t i = 0; i < d->evidence->count; i++) {
        const lb_case *failed =
            d->cause[i] ? lb_evidence_case(d->evidence, &d->evidence->items[i]) : NULL;
        if (failed && strcmp(failed->id, c->id) == 0)
            return &d->found[d->cause[i] - 1];
    }
    return NULL;
}

static const lb_diagnosed *kept(const lb_found_fault *found, uint64_t failing, lb_arena *arena)
{
    lb_diagnosed *d = lb_arena_alloc(arena, sizeof *d);
    *d = lb_diagnosed_of(found, failing);
    d->name = lb_arena_strdup(arena, d->name);
    d->sentence = lb_arena_strdup(arena, d->sentence);
    return d;
}

const lb_diagnosed *lb_diagnosed_find(const lb_diagnosed_wish *wish)
{
    const lb_reproduce reproduce = {.port = wish->port->name, .misalign = wish->misalign};
    lb_evidence evidence = {.suites = wish->plan->suites,
                            .suite_count = wish->plan->suite_count,
                            .profiles = wish->plan->profiles,
                            .profile_count = wish->plan->profile_count,
                            .port = wish->port,
                            .misalign = wish->misalign,
                            .wants = wants,
                            .wants_user = (void *)(uintptr_t)wish->test_case};
    lb_diagnosis diagnosis = {.evidence = &evidence,
                              .port_name = wish->port->name,
                              .reproduce = &reproduce,
                              .effort = wish->effort};
    const lb_diagnosed *said = NULL;
    if (wish->effort <= 0 || !wish->test_case->kernel)
        return NULL;
    if (lb_evidence_gather(&evidence)) {
        lb_diagnose(&diagnosis);
        const lb_found_fault *found = cause_of(&diagnosis, wish->test_case);
        said = found ? kept(found, diagnosis.failing, wish->arena) : NULL;
    }
    lb_diagnosis_free(&diagnosis);
    lb_evidence_free(&evidence);
    return said;
}
