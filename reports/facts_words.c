/* Facts put in order, and the outcome of a run in words. */
#include "facts.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const lb_function_facts *a, const lb_function_facts *b)
{
    int family = strcmp(a->family, b->family);
    return family != 0 ? family : strcmp(a->name, b->name);
}

static int by_failures(const lb_function_facts *a, const lb_function_facts *b)
{
    uint64_t left = lb_tally_failed(&a->tally), right = lb_tally_failed(&b->tally);
    return left != right ? (left < right ? 1 : -1) : by_name(a, b);
}

static int by_tolerance(const lb_function_facts *a, const lb_function_facts *b)
{
    return a->max_steps != b->max_steps ? (a->max_steps < b->max_steps ? 1 : -1) : by_name(a, b);
}

static int by_budget(const lb_function_facts *a, const lb_function_facts *b)
{
    double left = a->budget.used_percent, right = b->budget.used_percent;
    return left != right ? (left < right ? 1 : -1) : by_tolerance(a, b);
}

static int by_headroom(const lb_function_facts *a, const lb_function_facts *b)
{
    int left = lb_headroom(a), right = lb_headroom(b);
    return left != right ? (left > right ? 1 : -1) : by_name(a, b);
}

/* qsort hands over pointers to the list's pointers. */
#define QSORT_FORM(compare)                                                                        \
    static int compare##_form(const void *a, const void *b)                                        \
    {                                                                                              \
        return compare(*(const lb_function_facts *const *)a,                                       \
                       *(const lb_function_facts *const *)b);                                      \
    }
QSORT_FORM(by_name)
QSORT_FORM(by_failures)
QSORT_FORM(by_tolerance)
QSORT_FORM(by_budget)
QSORT_FORM(by_headroom)

static bool belongs(const lb_function_facts *function, lb_sorting sorting)
{
    switch (sorting) {
    case LB_BY_FAILURES:
        return lb_tally_failed(&function->tally) > 0;
    case LB_BY_TOLERANCE:
    case LB_BY_BUDGET:
        return function->elements > 0;
    case LB_BY_HEADROOM:
        return function->accumulations > 0;
    case LB_BY_FAMILY:
    default:
        return true;
    }
}

const lb_function_facts **lb_facts_sorted(const lb_facts *facts, lb_sorting sorting, size_t *count)
{
    static int (*const compare[])(const void *, const void *) = {
        by_name_form, by_failures_form, by_tolerance_form, by_budget_form, by_headroom_form};
    const lb_function_facts **list = calloc(facts->functions.count + 1, sizeof *list);
    *count = 0;
    if (!list)
        return NULL;
    for (size_t i = 0; i < facts->functions.count; i++)
        if (belongs(&facts->list[i], sorting))
            list[(*count)++] = &facts->list[i];
    qsort(list, *count, sizeof *list, compare[sorting]);
    return list;
}

lb_outcome lb_facts_outcome(const lb_facts *facts)
{
    if (lb_tally_failed(&facts->tally) > 0)
        return LB_FAILED;
    if (lb_facts_are_short(facts))
        return LB_INCOMPLETE;
    if (facts->tally.count[LB_PASS] == 0)
        return LB_NOTHING;
    if (facts->tally.count[LB_WAIVED] > 0)
        return LB_PASSED_WAIVED;
    bool is_part = facts->is_part || facts->tally.count[LB_SKIP] > facts->tally.count[LB_PASS];
    return is_part ? LB_PASSED_PART : LB_PASSED;
}

const char *lb_outcome_words(const lb_facts *facts)
{
    switch (lb_facts_outcome(facts)) {
    case LB_PASSED:
        return "Passed";
    case LB_PASSED_PART:
        return "Passed what was run";
    case LB_PASSED_WAIVED:
        return "Passed, with waivers";
    case LB_FAILED:
        return lb_facts_are_short(facts) ? "Failed, and INCOMPLETE" : "Failed";
    case LB_INCOMPLETE:
        return "INCOMPLETE";
    case LB_NOTHING:
    default:
        if (lb_facts_only_timed(facts))
            return "Speed was measured";
        return facts->tally.count[LB_WAIVED] > 0 ? "Nothing passed" : "Nothing was tested";
    }
}

static void put_count(lb_doc *doc, uint64_t count, const char *one, const char *many)
{
    lb_doc_grouped(doc, count);
    lb_doc_puts(doc, count == 1 ? one : many);
}

static void put_failed(const lb_facts *facts, lb_doc *doc)
{
    uint64_t failed = facts->tally.count[LB_FAIL], errors = facts->tally.count[LB_ERROR],
             functions = 0, judged = 0;
    for (size_t i = 0; i < facts->functions.count; i++) {
        const lb_tally *tally = &facts->list[i].tally;
        functions += lb_tally_failed(tally) > 0;
        judged += lb_tally_total(tally) > tally->count[LB_SKIP];
    }
    if (failed > 0)
        put_count(doc, failed, " failure", " failures");
    lb_doc_puts(doc, failed > 0 && errors > 0 ? " and " : "");
    if (errors > 0)
        put_count(doc, errors, " error", " errors");
    lb_doc_puts(doc, " in ");
    put_count(doc, facts->count, " result, in ", " results, in ");
    lb_doc_grouped(doc, functions);
    lb_doc_puts(doc, " of ");
    put_count(doc, judged, " function.", " functions.");
}

static void put_passed(const lb_facts *facts, lb_doc *doc)
{
    uint64_t passed = facts->tally.count[LB_PASS];
    bool all = passed == facts->count && passed > 1 && !lb_facts_are_short(facts);
    lb_doc_puts(doc, all ? "All " : "");
    put_count(doc, passed, " result", " results");
    if (facts->bit_exact == passed) {
        lb_doc_puts(doc, passed == 1 ? " is right to the last bit" : " are right to the last bit");
    } else {
        lb_doc_puts(doc, " passed, ");
        lb_doc_grouped(doc, facts->bit_exact);
        lb_doc_puts(doc, " of them compared bit by bit");
    }
    if (facts->tally.count[LB_WAIVED] > 0) {
        lb_doc_puts(doc, "; ");
        put_count(doc, facts->tally.count[LB_WAIVED], " failure is waived", " failures are waived");
    }
    if (facts->tally.count[LB_SKIP] > 0) {
        lb_doc_puts(doc, "; ");
        put_count(doc, facts->tally.count[LB_SKIP], " result was skipped", " results were skipped");
    }
    lb_doc_char(doc, '.');
}

void lb_facts_sentence(const lb_facts *facts, lb_doc *doc)
{
    switch (lb_facts_outcome(facts)) {
    case LB_PASSED:
    case LB_PASSED_PART:
    case LB_PASSED_WAIVED:
    case LB_INCOMPLETE:
        put_passed(facts, doc);
        break;
    case LB_FAILED:
        put_failed(facts, doc);
        break;
    case LB_NOTHING:
    default:
        if (lb_facts_only_timed(facts)) {
            put_count(doc, facts->timed, " row was timed", " rows were timed");
            lb_doc_puts(doc, ", each level for itself; no case was tried.");
        } else if (facts->count == 0) {
            lb_doc_puts(doc, "The run holds no results.");
        } else {
            lb_doc_puts(doc, "None of ");
            put_count(doc, facts->count, " result passed: ", " results passed: ");
            lb_doc_grouped(doc, facts->tally.count[LB_SKIP]);
            lb_doc_puts(doc, " skipped, ");
            lb_doc_grouped(doc, facts->tally.count[LB_WAIVED]);
            lb_doc_puts(doc, " waived.");
        }
        break;
    }
}

void lb_readable_time(const char *iso, char *text, size_t text_bytes)
{
    bool known = strlen(iso) == 20 && iso[10] == 'T' && iso[19] == 'Z';
    if (known)
        snprintf(text, text_bytes, "%.10s %.8s UTC", iso, iso + 11);
    else
        snprintf(text, text_bytes, "%s", iso);
}
