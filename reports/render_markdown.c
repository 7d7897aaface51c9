/* A summary in Markdown for a CI job: under 64 KB whatever the run, the worst first, and it says
 * what it leaves out. */
#include "escape.h"
#include "facts.h"
#include "failures.h"
#include "markdown_causes.h"
#include "markdown_failure.h"
#include "networks.h"
#include "render.h"
#include "renderer.h"
#include "scope.h"
#include "tested.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUMMARY_BYTES = 44000, /* of 65536, for numbers and failures; the rest is for what follows them,
                              at its longest */
    DOMAIN_LIMIT = 4000,   /* words about what was swept */
    PLATFORM_LIMIT = 2000,
    TABLE_ROWS = 60,
    REASON_ROWS = 10,
    DETAIL_FUNCTIONS = 40,
    DETAIL_RESULTS = 60
};

/* Takes the text back to `before` if it grew beyond the summary's size; false: taken back. */
static bool fits(lb_doc *doc, size_t before)
{
    if (doc->length <= SUMMARY_BYTES)
        return true;
    lb_doc_cut(doc, before);
    return false;
}

static void put_code(lb_doc *doc, const char *text, size_t limit)
{
    lb_escape_code_span(doc, text, limit, false);
}

/* ---- What was tested, and the numbers ---- */

static void put_row(lb_doc *doc, const char *label, const char *text)
{
    if (text && text[0] != '\0') {
        lb_doc_printf(doc, "| %s | ", label);
        lb_escape_code_span(doc, text, LB_MARKDOWN_TEXT, true);
        lb_doc_puts(doc, " |\n");
    }
}

static void put_profiles(lb_doc *doc, const lb_run_info *info)
{
    enum { SHOWN_PROFILES = 12 };
    lb_doc_puts(doc, "| Profiles | ");
    for (size_t i = 0; i < info->profile_count && i < SHOWN_PROFILES; i++) {
        if (i > 0 && strcmp(info->profiles[i], info->profiles[i - 1]) == 0)
            continue; /* the same at another CPU level */
        lb_doc_puts(doc, i == 0 ? "" : ", ");
        lb_escape_code_span(doc, info->profiles[i], LB_MARKDOWN_NAME, true);
    }
    if (info->profile_count > SHOWN_PROFILES)
        lb_doc_printf(doc, " and %zu more", info->profile_count - SHOWN_PROFILES);
    lb_doc_puts(doc, " |\n");
}

/* What the user says of the product. */
static void put_meta(lb_doc *doc, const lb_run_info *info)
{
    enum { SHOWN_META = 20 };
    for (size_t i = 0; i < info->meta_count && i < SHOWN_META; i++) {
        lb_doc_puts(doc, "| ");
        lb_escape_markdown(doc, info->meta[i].key, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, " | ");
        lb_escape_code_span(doc, info->meta[i].value, LB_MARKDOWN_TEXT, true);
        lb_doc_puts(doc, " |\n");
    }
}

static void put_files(lb_doc *doc, const lb_run_info *info)
{
    enum { SHOWN_FILES = 12 };
    for (size_t i = 0; i < info->file_count && i < SHOWN_FILES; i++) {
        lb_doc_printf(doc, "| %s | ", lb_tested_role(info->files[i].role));
        lb_escape_code_span(doc, info->files[i].file, LB_MARKDOWN_TEXT, true);
        lb_doc_puts(doc, " SHA-256 ");
        lb_escape_code_span(doc, info->files[i].sha256, LB_MARKDOWN_NAME, true);
        lb_doc_puts(doc, " |\n");
    }
    if (info->file_count > SHOWN_FILES)
        lb_doc_printf(doc, "| Files | and %zu more |\n", info->file_count - SHOWN_FILES);
}

static void put_tested(lb_doc *doc, const lb_run_info *info)
{
    char when[64], version[160];
    uint64_t cases = 0;
    for (size_t i = 0; i < info->suite_count; i++)
        cases += info->suites[i].cases;
    lb_readable_time(info->started, when, sizeof when);
    lb_doc_puts(doc, "\n### What was tested\n\n| | |\n|---|---|\n");
    put_meta(doc, info);
    for (size_t i = 0; i < lb_tested_count; i++)
        put_row(doc, lb_tested_facts[i].title, lb_tested_text(&lb_tested_facts[i], info));
    put_profiles(doc, info);
    if (info->platforms[0] != '\0') {
        lb_doc_puts(doc, "| Platform profiles | ");
        lb_escape_markdown(doc, info->platforms, PLATFORM_LIMIT);
        lb_doc_puts(doc, " |\n");
    }
    lb_doc_puts(doc, "| Suites | ");
    lb_doc_grouped(doc, info->suite_count);
    lb_doc_puts(doc, ", with ");
    lb_doc_grouped(doc, cases);
    lb_doc_puts(doc, cases == 1 ? " case |\n" : " cases |\n");
    if (info->exhaustive[0] != '\0') {
        lb_doc_puts(doc, "| Exhaustive | ");
        lb_escape_markdown(doc, info->exhaustive, DOMAIN_LIMIT);
        lb_doc_puts(doc, " |\n");
    }
    put_row(doc, "Held to", info->tolerance);
    put_row(doc, "Started", when);
    put_files(doc, info);
    lb_tested_version(info, version, sizeof version);
    put_row(doc, "lastbit", version);
    put_row(doc, "Command", info->command);
}

static void put_numbers(lb_doc *doc, const lb_facts *facts)
{
    static const char *const oracles[LB_ORACLE_COUNT] = {
        "Recorded expectation", "Exact integer model", "Real-number model"};
    lb_doc_puts(doc, "\n| Passed | Failed | Errors | Skipped | Waived |\n|--:|--:|--:|--:|--:|\n|");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        lb_doc_char(doc, ' ');
        lb_doc_grouped(doc, facts->tally.count[i]);
        lb_doc_puts(doc, " |");
    }
    lb_doc_puts(doc, "\n\n| Oracle | Agrees | Differs | No agreement |\n|---|--:|--:|--:|\n");
    for (int i = 0; i < LB_ORACLE_COUNT; i++) {
        lb_doc_printf(doc, "| %s | ", oracles[i]);
        lb_doc_grouped(doc, facts->agreements[i][LB_AGREEMENT_AGREES]);
        lb_doc_puts(doc, " | ");
        lb_doc_grouped(doc, facts->agreements[i][LB_AGREEMENT_DIFFERS]);
        lb_doc_puts(doc, " | ");
        lb_doc_grouped(doc, facts->agreements[i][LB_AGREEMENT_NONE]);
        lb_doc_puts(doc, " |\n");
    }
}

/* ---- Functions with problems ---- */

static void put_function_row(lb_doc *doc, const lb_function_facts *function)
{
    lb_doc_puts(doc, "| ");
    lb_escape_code_span(doc, function->name, LB_MARKDOWN_NAME, true);
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        static const lb_verdict cells[LB_VERDICT_COUNT] = {LB_FAIL, LB_ERROR, LB_PASS, LB_SKIP,
                                                           LB_WAIVED};
        lb_doc_puts(doc, " | ");
        lb_doc_grouped(doc, function->tally.count[cells[i]]);
    }
    lb_doc_puts(doc, " |\n");
}

static void put_problems(lb_doc *doc, const lb_failures *failures)
{
    size_t shown = 0;
    if (failures->count == 0)
        return;
    lb_doc_puts(doc, "\n### Functions with problems\n\n| Function | Failed | Errors | Passed | "
                     "Skipped | Waived |\n"
                     "|---|--:|--:|--:|--:|--:|\n");
    for (; shown < failures->count && shown < TABLE_ROWS; shown++) {
        size_t before = doc->length;
        put_function_row(doc, failures->groups[shown].function);
        if (!fits(doc, before))
            break;
    }
    if (shown < failures->count) {
        lb_doc_printf(doc, "\n%zu more functions with problems are left out.\n",
                      failures->count - shown);
    }
}

/* ---- Failures ---- */

/* The failures of one group that still fit, at most so many; gives how many results they are. */
static uint64_t put_group(lb_doc *doc, const lb_failure_group *group, size_t most)
{
    size_t shown = 0, heading = doc->length;
    uint64_t results = 0;
    lb_doc_puts(doc, "\n#### ");
    put_code(doc, group->function->name, LB_MARKDOWN_NAME);
    lb_doc_char(doc, '\n');
    for (; shown < group->shown && shown < most; shown++) {
        size_t before = doc->length;
        lb_doc_bytes(doc, group->list[shown].text.text, group->list[shown].text.length);
        if (!fits(doc, before))
            break;
        results += group->list[shown].results;
    }
    if (shown == 0)
        lb_doc_cut(doc, heading);
    return results;
}

static void put_failures(lb_doc *doc, const lb_facts *facts, const lb_failures *failures)
{
    uint64_t shown = 0, failed = lb_tally_failed(&facts->tally);
    if (failed == 0)
        return;
    lb_doc_puts(doc, "\n### First failures\n");
    size_t each = failures->count > DETAIL_RESULTS ? 1 : DETAIL_RESULTS / failures->count;
    for (size_t i = 0; i < failures->count && i < DETAIL_FUNCTIONS; i++)
        shown += put_group(doc, &failures->groups[i], each);
    if (shown < failed) {
        lb_doc_char(doc, '\n');
        lb_doc_grouped(doc, failed - shown);
        lb_doc_puts(
            doc, " more failures and errors are left out; the results file holds all of them.\n");
    }
}

/* ---- The rest ---- */

static void put_reasons(lb_doc *doc, const lb_facts *facts)
{
    static const lb_verdict kinds[] = {LB_SKIP, LB_WAIVED};
    size_t shown = 0, left_out = 0;
    size_t start = doc->length;
    lb_doc_puts(doc, "\n### Skipped and waived\n\n| | Results | Reason |\n|---|--:|---|\n");
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < facts->reason_count; i++) {
            const lb_reason_facts *reason = &facts->reasons[i];
            size_t before = doc->length;
            if (reason->verdict != kinds[kind])
                continue;
            lb_doc_puts(doc, reason->verdict == LB_SKIP ? "| Skipped | " : "| Waived | ");
            lb_doc_grouped(doc, reason->count);
            lb_doc_puts(doc, " | ");
            lb_escape_markdown(doc, reason->text, LB_MARKDOWN_TEXT);
            lb_doc_puts(doc, " |\n");
            bool kept = shown < REASON_ROWS && fits(doc, before);
            lb_doc_cut(doc, kept ? doc->length : before);
            shown += kept;
            left_out += !kept;
        }
    }
    if (shown + left_out == 0)
        lb_doc_cut(doc, start);
    else if (left_out > 0)
        lb_doc_printf(doc, "\n%zu more reasons are left out.\n", left_out);
}

/* The mark of --guard warn. */
static void put_narrow(lb_doc *doc, const lb_facts *facts)
{
    uint64_t results = 0, functions = 0;
    for (size_t i = 0; i < facts->functions.count; i++) {
        results += facts->list[i].narrow;
        functions += facts->list[i].narrow > 0;
    }
    if (results > 0) {
        lb_doc_puts(doc, "\n⚠️ The accumulator is too narrow in ");
        lb_doc_grouped(doc, results);
        lb_doc_puts(doc, results == 1 ? " result of " : " results of ");
        lb_doc_grouped(doc, functions);
        lb_doc_puts(
            doc, functions == 1
                     ? " function: with its weights there are inputs that make it overflow.\n"
                     : " functions: with their weights there are inputs that make it overflow.\n");
    }
}

/* Passes that say little, and behaviour that no case reached. */
static void put_doubts(lb_doc *doc, const lb_run_info *info, const lb_facts *facts)
{
    uint64_t points, hit;
    lb_run_coverage(info, &points, &hit);
    if (facts->vacuous > 0) {
        lb_doc_puts(doc, "\n⚠️ ");
        lb_doc_grouped(doc, facts->vacuous);
        lb_doc_puts(doc, facts->vacuous == 1 ? " pass proves little" : " passes prove little");
        lb_doc_puts(doc, "; the HTML report says why.\n");
    }
    if (facts->on_purpose > 0) {
        lb_doc_char(doc, '\n');
        lb_doc_grouped(doc, facts->on_purpose);
        lb_doc_puts(doc, facts->on_purpose == 1 ? " result of a case that overflows on purpose is"
                                                : " results of cases that overflow on purpose are");
        lb_doc_puts(doc, " left out of headroom and deviation.\n");
    }
    if (points > 0) {
        lb_doc_puts(doc, "\nCoverage: ");
        lb_doc_percent(doc, hit, points);
        lb_doc_puts(doc, ", ");
        lb_doc_grouped(doc, hit);
        lb_doc_puts(doc, " of ");
        lb_doc_grouped(doc, points);
        lb_doc_puts(doc, " points of behaviour.\n");
    }
    if (info->strength_faults > 0) {
        lb_doc_puts(doc, "\nStrength: ");
        lb_doc_percent(doc, info->strength_caught, info->strength_faults);
        lb_doc_puts(doc, " of ");
        lb_doc_grouped(doc, info->strength_faults);
        lb_doc_printf(doc, " faults of the bank are caught by the suites (level %s). ",
                      info->strength_level);
        lb_doc_puts(doc, "Faults that the bank does not have are in neither figure.\n");
    }
}

/* One line on the function with the least headroom and one on the largest error. */
static bool put_extremes(lb_doc *doc, const lb_facts *facts)
{
    size_t tight_count, wide_count, used_count;
    const lb_function_facts **tight = lb_facts_sorted(facts, LB_BY_HEADROOM, &tight_count);
    const lb_function_facts **wide = lb_facts_sorted(facts, LB_BY_TOLERANCE, &wide_count);
    const lb_function_facts **used = lb_facts_sorted(facts, LB_BY_BUDGET, &used_count);
    if (tight && tight_count > 0) {
        lb_doc_printf(doc, "\nSmallest accumulator headroom: %d bits (%d of %d needed) in ",
                      lb_headroom(tight[0]), tight[0]->needed_bits, tight[0]->acc_bits);
        put_code(doc, tight[0]->name, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, ", case ");
        put_code(doc, tight[0]->tight_case.id, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, ".\n");
    }
    if (wide && wide_count > 0) {
        lb_doc_puts(doc, "\nLargest deviation from real numbers: ");
        lb_doc_figure(doc, wide[0]->max_steps, 3);
        lb_doc_puts(doc, " steps in ");
        put_code(doc, wide[0]->name, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, ", case ");
        put_code(doc, wide[0]->max_case.id, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, ".\n");
    }
    if (used && used_count > 0 && used[0]->budget.used_percent > 0) {
        lb_doc_puts(doc, "\nTolerance used up most: ");
        lb_doc_used(doc, used[0]->budget.used_percent);
        lb_doc_puts(doc, " of the limit for ");
        put_code(doc, used[0]->budget.metric, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, " in ");
        put_code(doc, used[0]->name, LB_MARKDOWN_NAME);
        lb_doc_puts(doc, ".\n");
    }
    bool known = tight && wide && used;
    free(tight);
    free(wide);
    free(used);
    return known;
}

/* ---- Speed ---- */

static void put_noise(lb_doc *doc, double noise)
{
    if (isfinite(noise))
        lb_doc_printf(doc, " %.4g %%", 100 * noise);
    lb_doc_puts(doc, " |");
}

static void put_layer(lb_doc *doc, const lb_layer_drift *layer, const char *profiles)
{
    lb_doc_puts(doc, "| ");
    lb_escape_markdown(doc, layer->suite, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, " | ");
    lb_escape_markdown(doc, profiles, LB_MARKDOWN_TEXT);
    lb_doc_puts(doc, " | ");
    lb_escape_code_span(doc, layer->layer, LB_MARKDOWN_NAME, true);
    lb_doc_printf(doc, " | %llu of %llu |", (unsigned long long)layer->different,
                  (unsigned long long)layer->elements);
    put_noise(doc, layer->exact_noise);
    put_noise(doc, layer->port_noise);
    lb_doc_puts(doc, "\n");
}

/* Layers of networks, in order: where port and exact model part, and how far both drift. */
static void put_drift(lb_doc *doc, const lb_run_info *info)
{
    if (info->drift_count == 0)
        return;
    lb_doc_puts(doc,
                "\n## Networks\n\n| network | profiles | layer | port differs | exact, noise | "
                "port, noise |\n|---|---|---|---:|---:|---:|\n");
    lb_network_walk walk = {0};
    while (lb_network_next(&walk, info))
        for (size_t i = 0; i < walk.count; i++)
            put_layer(doc, &walk.layers[i], walk.profiles.text);
    doc->failed = doc->failed || walk.profiles.failed;
}

static void put_speed_row(lb_doc *doc, const lb_speed *speed)
{
    const double change = lb_rate_change_percent(speed->rate, speed->baseline_rate);
    lb_doc_puts(doc, "| ");
    lb_escape_code_span(doc, speed->row, LB_MARKDOWN_NAME, true);
    lb_doc_puts(doc, " | ");
    lb_escape_markdown(doc, speed->cpu, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, " | ");
    lb_doc_figure(doc, speed->seconds * 1e6, 2);
    lb_doc_puts(doc, " µs | ");
    lb_doc_rate(doc, speed->rate);
    lb_escape_markdown(doc, speed->rate > 0 ? speed->unit : "", LB_MARKDOWN_NAME);
    lb_doc_puts(doc, " | ");
    if (speed->percent_of_peak > 0) {
        lb_doc_figure(doc, speed->percent_of_peak, 1);
        lb_doc_puts(doc, " %");
    }
    lb_doc_puts(doc, " | ");
    if (!isnan(change))
        lb_doc_printf(doc, "%+.1f %%", change);
    lb_doc_puts(doc, " |\n");
}

static void put_speeds(lb_doc *doc, const lb_run_info *info)
{
    if (info->speed_count == 0)
        return;
    lb_doc_puts(doc, "\n### Speed\n\n| Row | Level | Call | Rate | Of peak | Since baseline |\n"
                     "|---|---|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < info->speed_count; i++) {
        const size_t before = doc->length;
        put_speed_row(doc, &info->speed[i]);
        if (!fits(doc, before)) {
            lb_doc_printf(doc, "\n%zu more rows are left out here.\n", info->speed_count - i);
            break;
        }
    }
}

/* How much was tried, and how it was judged, in the headline. */
static void put_scope(lb_doc *doc, const lb_run_info *info, const lb_facts *facts)
{
    char *lines = lb_scope_lines(info, &facts->tally);
    doc->failed = doc->failed || !lines;
    for (char *line = lines, *next; line && *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n' ? (*next = '\0', 1) : 0;
        lb_doc_char(doc, '\n');
        lb_escape_markdown(doc, line, PLATFORM_LIMIT);
        lb_doc_char(doc, '\n');
    }
    free(lines);
}

static bool put_summary(lb_doc *doc, const lb_run_info *info, const lb_facts *facts,
                        const lb_failures *failures)
{
    static const char *const signs[] = {"⚪", "✅", "✅", "✅", "❌", "⚪"};
    lb_doc_printf(doc, "## %s lastbit: %s\n\n", signs[lb_facts_outcome(facts)],
                  lb_outcome_words(facts));
    lb_facts_sentence(facts, doc);
    lb_doc_char(doc, '\n');
    put_scope(doc, info, facts);
    if (!lb_facts_only_timed(facts))
        put_numbers(doc, facts);
    lb_markdown_causes(doc, info);
    put_problems(doc, failures);
    put_failures(doc, facts, failures);
    put_reasons(doc, facts);
    put_narrow(doc, facts);
    put_doubts(doc, info, facts);
    bool known = put_extremes(doc, facts);
    put_drift(doc, info);
    put_speeds(doc, info);
    put_tested(doc, info);
    return known && !doc->failed;
}

typedef struct making {
    const lb_run_info *info;
    lb_facts facts;
    lb_failures failures;
} making;

static bool begin(void *state, const lb_results_reader *reader)
{
    static const lb_failure_rules rules = {lb_markdown_failure_head, lb_markdown_failure_profile,
                                           lb_markdown_failure_body, 10, 4 * SUMMARY_BYTES};
    making *m = state;
    m->info = lb_results_info(reader);
    lb_failures_begin(&m->failures, &rules);
    return lb_facts_begin(&m->facts, m->info);
}

static bool add(void *state, const lb_result *result)
{
    making *m = state;
    return lb_facts_add(&m->facts, result) && lb_failures_add(&m->failures, &m->facts, result);
}

static bool write_page(void *state, FILE *out)
{
    making *m = state;
    lb_doc doc = lb_doc_make();
    bool written = lb_failures_end(&m->failures, &m->facts) &&
                   put_summary(&doc, m->info, &m->facts, &m->failures) && lb_doc_flush(&doc, out);
    lb_doc_free(&doc);
    return written;
}

static void end(void *state)
{
    making *m = state;
    lb_failures_free(&m->failures);
    lb_facts_free(&m->facts);
}

const lb_renderer lb_markdown_renderer = {"markdown", sizeof(making), begin, add, write_page, end};

bool lb_render_markdown(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                        char *error, size_t error_bytes)
{
    (void)extras;
    return lb_render_with(&lb_markdown_renderer, reader, out, error, error_bytes);
}
