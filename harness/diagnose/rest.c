/* Failing results that no finding takes: how many, and why. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/diagnosis.h"

#include <string.h>

/* The kinds of lb_result_kind, and what is said of results that no finding has room for. */
static const struct {
    const char *kind;
    lb_rest rest;
} kinds[] = {{"crash", LB_REST_CRASH},
             {"time", LB_REST_TIME},
             {"contract", LB_REST_CONTRACT},
             {"status", LB_REST_STATUS}};

static const char *const words[LB_REST_COUNT] = {
    [LB_REST_RECORDING] = "the recording is wrong",
    [LB_REST_MODEL] = "the exact model alone differs",
    [LB_REST_CRASH] = "the port crashed",
    [LB_REST_TIME] = "the port did not return",
    [LB_REST_CONTRACT] = "it wrote what it must not, or a wrong field",
    [LB_REST_STATUS] = "a wrong status, not looked into",
    [LB_REST_NUMBERS] = "wrong numbers, not looked into",
    [LB_REST_RIGHT_AGAIN] = "right to the bit when tried again",
    [LB_REST_SKIPPED] = "skipped when tried again",
    [LB_REST_LOST] = "no result, and not tried again, as their function crashes or hangs",
    [LB_REST_UNTRIED] = "not tried again",
};

/* Of a run: its own word; else what was seen here. LB_PASS: it did not fail. */
static lb_verdict failed_as(const lb_evidence *e, const lb_tried *t)
{
    unsigned known = e->verdicts ? e->verdicts[t->case_number * e->profile_count + t->profile] : 0;
    if (known == 1 + LB_FAIL || known == 1 + LB_ERROR)
        return (lb_verdict)(known - 1);
    if (e->verdicts)
        return LB_PASS;
    return t->lone != LB_LONE_NOBODY ? LB_FAIL : lb_tried_failed(t) ? t->verdict : LB_PASS;
}

static lb_rest rest_of(const lb_tried *t)
{
    if (t->lone != LB_LONE_NOBODY)
        return t->lone == LB_LONE_RECORDING ? LB_REST_RECORDING : LB_REST_MODEL;
    if (!lb_tried_failed(t))
        return t->verdict == LB_PASS ? LB_REST_RIGHT_AGAIN : LB_REST_SKIPPED;
    for (size_t i = 0; t->kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, t->kind) == 0)
            return kinds[i].rest;
    return LB_REST_NUMBERS;
}

/* What the run saw fail and nobody tried again: known less seen. */
static void count_untried(lb_diagnosis *d, uint64_t fails, uint64_t errors)
{
    const lb_evidence *e = d->evidence;
    uint64_t count = 0, known[2] = {0, 0};
    for (size_t s = 0; s < e->suite_count; s++)
        count += lb_suite_case_count(e->suites[s]);
    for (uint64_t i = 0; e->verdicts && i < count * e->profile_count; i++) {
        known[0] += e->verdicts[i] == 1 + LB_FAIL;
        known[1] += e->verdicts[i] == 1 + LB_ERROR;
    }
    d->rest[LB_REST_UNTRIED] = known[0] > fails ? known[0] - fails : 0;
    d->rest[LB_REST_LOST] = known[1] > errors ? known[1] - errors : 0;
    d->failing = fails + errors + d->rest[LB_REST_UNTRIED] + d->rest[LB_REST_LOST];
}

/* The most first. */
static void list_rest(lb_diagnosis *d)
{
    lb_without_cause *list = d->rest_list;
    d->rest_count = 0;
    for (int i = 0; i < LB_REST_COUNT; i++) {
        size_t at = d->rest_count;
        while (at > 0 && list[at - 1].results < d->rest[i])
            at--;
        if (d->rest[i] > 0)
            *(lb_without_cause *)lb_room_at(list, sizeof *list, &d->rest_count, LB_REST_COUNT, at) =
                (lb_without_cause){words[i], d->rest[i]};
    }
}

void lb_diagnosis_count_rest(lb_diagnosis *d)
{
    const lb_evidence *e = d->evidence;
    uint64_t fails = 0, errors = 0;
    memset(d->rest, 0, sizeof d->rest);
    for (size_t i = 0; i < e->count; i++) {
        lb_verdict verdict = failed_as(e, &e->items[i]);
        fails += verdict == LB_FAIL;
        errors += verdict == LB_ERROR;
        if (verdict != LB_PASS && d->cause[i] == 0)
            d->rest[rest_of(&e->items[i])]++;
    }
    count_untried(d, fails, errors);
    list_rest(d);
}
