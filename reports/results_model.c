/* The words and classes of the results model, and the sums of a tally. */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdict_names[LB_VERDICT_COUNT] = {"pass", "fail", "error", "skip",
                                                            "waived"};
static const char *const opinion_names[LB_AGREEMENT_COUNT] = {"none", "agrees", "differs"};

const char *lb_verdict_name(lb_verdict verdict)
{
    return verdict_names[verdict];
}

int lb_verdict_find(const char *name)
{
    for (int i = 0; i < LB_VERDICT_COUNT; i++)
        if (strcmp(name, verdict_names[i]) == 0)
            return i;
    return -1;
}

const char *lb_agreement_name(lb_agreement agreement)
{
    return opinion_names[agreement];
}

const char *lb_certainty_name(lb_certainty certainty)
{
    static const char *const names[LB_CERTAINTY_COUNT] = {"one", "several", "partly", "unknown"};
    return names[certainty];
}

#define LB_DIFFERS_NAME(name, text) [LB_DIFFERS_##name] = (text),

const char *lb_differs_name(lb_differs what)
{
    static const char *const names[LB_DIFFERS_COUNT] = {LB_DIFFERENCES(LB_DIFFERS_NAME)};
    return names[what];
}

/* what: bits 1 << lb_differs. */
static bool has_difference(const lb_result *result, unsigned what)
{
    for (unsigned i = 0; i < result->difference_count; i++)
        if (what >> result->differences[i].what & 1)
            return true;
    return false;
}

const char *lb_result_kind(const lb_result *result)
{
    const unsigned touched = 1u << LB_DIFFERS_GAP | 1u << LB_DIFFERS_GUARD;
    const unsigned statuses = 1u << LB_DIFFERS_STATUS;
    const unsigned numbers = 1u << LB_DIFFERS_DATA | 1u << LB_DIFFERS_RETURN;
    const unsigned fields = 1u << LB_DIFFERS_INPUT | 1u << LB_DIFFERS_FIELD |
                            1u << LB_DIFFERS_CONFIG | 1u << LB_DIFFERS_STEP;
    if (result->verdict != LB_FAIL && result->verdict != LB_ERROR)
        return "";
    if (result->kind && result->kind[0] != '\0')
        return result->kind;
    if (result->verdict == LB_ERROR)
        return "crash";
    if (has_difference(result, touched))
        return "contract";
    if (has_difference(result, statuses))
        return "status";
    if (has_difference(result, numbers))
        return "numbers";
    return has_difference(result, fields) ? "contract" : "numbers";
}

const char *lb_result_excuse(const lb_result *result)
{
    bool signed_for = result->verdict == LB_WAIVED && result->waiver && result->waiver[0] != '\0';
    return signed_for ? result->waiver : result->reason;
}

static int by_function(const void *a, const void *b)
{
    return strcmp(((const lb_coverage *)a)->function, ((const lb_coverage *)b)->function);
}

void lb_coverage_sort(lb_coverage *functions, size_t count)
{
    if (count > 0)
        qsort(functions, count, sizeof *functions, by_function);
}

void lb_run_coverage(const lb_run_info *info, uint64_t *points, uint64_t *hit)
{
    *points = *hit = 0;
    for (size_t i = 0; i < info->coverage_count; i++) {
        *points += info->coverage[i].points;
        *hit += info->coverage[i].hit;
    }
}

const lb_choice_list lb_choice_lists[LB_CHOICE_LISTS] = {
    {"cases", offsetof(lb_run_choice, cases)},
    {"functions", offsetof(lb_run_choice, functions)},
    {"tags", offsetof(lb_run_choice, tags)},
    {"excluded", offsetof(lb_run_choice, excluded)}};

lb_words *lb_choice_words(lb_run_choice *choice, size_t list)
{
    return (lb_words *)(void *)((char *)choice + lb_choice_lists[list].offset);
}

const lb_words *lb_chosen_words(const lb_run_choice *choice, size_t list)
{
    return (const lb_words *)(const void *)((const char *)choice + lb_choice_lists[list].offset);
}

bool lb_run_chooses_cases(const lb_run_info *info)
{
    bool up_to_level = info->coverage_level && info->coverage_level[0] != '\0' &&
                       strcmp(info->coverage_level, "deep") != 0;
    bool by_words = false;
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++)
        by_words = by_words || lb_chosen_words(&info->chosen, i)->count > 0;
    return by_words || up_to_level || info->stopped_at > 0;
}

bool lb_run_is_part(const lb_run_info *info)
{
    return lb_run_chooses_cases(info) || info->shard_count > 1 ||
           info->profiles_tried < info->profiles_all ||
           info->functions_provided < info->functions_all;
}

uint64_t lb_tally_total(const lb_tally *tally)
{
    uint64_t total = 0;
    for (int i = 0; i < LB_VERDICT_COUNT; i++)
        total += tally->count[i];
    return total;
}

bool lb_run_is_short(const lb_run_info *info, const lb_tally *tally)
{
    return lb_tally_total(tally) < info->expected;
}

uint64_t lb_tally_passed(const lb_tally *tally)
{
    return tally->count[LB_PASS];
}

uint64_t lb_tally_failed(const lb_tally *tally)
{
    return tally->count[LB_FAIL] + tally->count[LB_ERROR];
}

uint64_t lb_tally_skipped(const lb_tally *tally)
{
    return tally->count[LB_SKIP] + tally->count[LB_WAIVED];
}

const double lb_tolerance_edges[LB_TOLERANCE_EDGES] = {-16, -8, -4, -2, -1, -0.5,
                                                       0.5, 1,  2,  4,  8,  16};

unsigned lb_tolerance_bin(double steps)
{
    unsigned bin = 0;
    if (isnan(steps))
        return LB_TOLERANCE_BINS - 1;
    while (bin < LB_TOLERANCE_EDGES &&
           (lb_tolerance_edges[bin] < 0 ? steps >= lb_tolerance_edges[bin]
                                        : steps > lb_tolerance_edges[bin]))
        bin++;
    return bin;
}

char lb_map_class(uint64_t difference)
{
    static const uint64_t largest[] = {0, 1, 2, 4, 8, 16, 32, 64, 256};
    for (unsigned i = 0; i < sizeof largest / sizeof largest[0]; i++)
        if (difference <= largest[i])
            return ".12345678"[i];
    return '9';
}

bool lb_result_overflows_on_purpose(const lb_result *result)
{
    const char *rest = result->tags;
    while (rest && rest[0] != '\0') {
        size_t length = strcspn(rest, ",");
        if (length == strlen(LB_OVERFLOW_ON_PURPOSE) &&
            memcmp(rest, LB_OVERFLOW_ON_PURPOSE, length) == 0)
            return true;
        rest += length + (rest[length] == ',');
    }
    return false;
}

bool lb_suite_is_certified(const lb_run_suite *suite)
{
    return strncmp(suite->file, "certify ", strlen("certify ")) == 0;
}

void lb_run_count_cases(const lb_run_info *info, uint64_t *made, uint64_t *shipped)
{
    *made = *shipped = 0;
    for (size_t i = 0; i < info->suite_count; i++)
        *(lb_suite_is_certified(&info->suites[i]) ? made : shipped) += info->suites[i].cases;
}
