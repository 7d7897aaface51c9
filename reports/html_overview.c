/* The first screen of the HTML report: one verdict, the numbers, what to look at first, what was
 * tested. */
#include "escape.h"
#include "html_parts.h"
#include "scope.h"
#include "tested.h"

#include <stdlib.h>
#include <string.h>

/* How much was tried, and how it was judged: beside the verdict, so that nobody takes a part for
 * the whole. */
static void put_scope(lb_html *page)
{
    char *lines = lb_scope_lines(page->info, &page->facts->tally);
    page->doc.failed = page->doc.failed || !lines;
    for (char *line = lines, *next; line && *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n' ? (*next = '\0', 1) : 0;
        lb_doc_puts(&page->doc, "<p class=\"part\">");
        lb_escape_html(&page->doc, line, LB_HTML_TEXT);
        lb_doc_puts(&page->doc, "</p>\n");
    }
    free(lines);
}

/* The five counts as one bar, each part as wide as its share; drawn for the eye, the numbers stand
 * above it. */
static void put_share_bar(lb_html *page)
{
    static const lb_verdict order[LB_VERDICT_COUNT] = {LB_FAIL, LB_ERROR, LB_PASS, LB_WAIVED,
                                                       LB_SKIP};
    double at = 0;
    if (page->facts->count == 0)
        return;
    lb_doc_puts(&page->doc,
                "<svg class=\"share\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
                "aria-hidden=\"true\">");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        uint64_t count = page->facts->tally.count[order[i]];
        double width = 1000.0 * (double)count / (double)page->facts->count;
        if (count > 0) {
            /* Even one failure in a million shows. */
            lb_doc_printf(&page->doc,
                          "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"10\"/>",
                          lb_verdict_name(order[i]), at, width < 4 ? 4 : width);
            at += width < 4 ? 4 : width;
        }
    }
    lb_doc_puts(&page->doc, "</svg>\n");
}

static void put_numbers(lb_html *page)
{
    static const char *const titles[LB_VERDICT_COUNT] = {"Passed", "Failed", "Errors", "Skipped",
                                                         "Waived"};
    lb_doc_puts(&page->doc, "<div class=\"counts\"><dl class=\"numbers\">");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        const char *name = lb_verdict_name((lb_verdict)i);
        uint64_t count = page->facts->tally.count[i];
        lb_doc_printf(&page->doc, "<div class=\"%s%s\"><dt>", name, count == 0 ? " zero" : "");
        lb_html_icon(&page->doc, name);
        lb_doc_printf(&page->doc, "%s</dt><dd>", titles[i]);
        lb_doc_grouped(&page->doc, count);
        lb_doc_puts(&page->doc, "</dd></div>\n");
    }
    lb_doc_puts(&page->doc, "</dl>\n");
    put_share_bar(page);
    lb_doc_puts(&page->doc, "</div>\n");
}

static void put_verdict(lb_html *page)
{
    static const char *const icons[] = {"nothing", "pass", "pass", "pass", "fail", "nothing"};
    static const char *const classes[] = {"nothing", "passed", "partly",
                                          "partly",  "failed", "partly"};
    lb_outcome outcome = lb_facts_outcome(page->facts);
    lb_doc_printf(&page->doc, "<section class=\"verdict %s\" aria-labelledby=\"verdict\">\n",
                  classes[outcome]);
    lb_html_icon(&page->doc, icons[outcome]);
    lb_doc_printf(&page->doc, "<div><h1 id=\"verdict\">%s</h1>\n<p>",
                  lb_outcome_words(page->facts));
    lb_facts_sentence(page->facts, &page->doc);
    lb_doc_puts(&page->doc, "</p>\n");
    put_scope(page);
    lb_doc_puts(&page->doc, "</div>\n");
    if (!lb_facts_only_timed(page->facts))
        put_numbers(page);
    lb_doc_puts(&page->doc, "</section>\n");
}

/* ---- Four numbers ---- */

static void open_number(lb_doc *doc, const char *title, const char *link, bool bad, bool good)
{
    lb_doc_printf(doc, "<div class=\"%s\"><dt>", bad ? "wrong" : good ? "good" : "open");
    if (link[0] != '\0')
        lb_doc_printf(doc, "<a href=\"#%s\">%s</a>", link, title);
    else
        lb_doc_puts(doc, title);
    lb_doc_puts(doc, "</dt><dd class=\"big\">");
}

static void put_bit_exact(lb_html *page)
{
    const lb_facts *facts = page->facts;
    uint64_t judged = facts->count - facts->tally.count[LB_SKIP];
    open_number(&page->doc, "Bit-exact", "matrix", lb_tally_failed(&facts->tally) > 0, judged > 0);
    if (judged == 0) {
        lb_doc_puts(&page->doc, "–</dd><dd>nothing was judged</dd></div>\n");
        return;
    }
    lb_doc_percent(&page->doc, facts->bit_exact, judged);
    lb_doc_puts(&page->doc, "</dd><dd>");
    lb_doc_grouped(&page->doc, facts->bit_exact);
    lb_doc_puts(&page->doc, " of ");
    lb_doc_grouped(&page->doc, judged);
    lb_doc_puts(&page->doc, " judged results are right to the last bit</dd></div>\n");
}

static bool put_guard_bits(lb_html *page)
{
    size_t count;
    uint64_t narrow = 0;
    const lb_function_facts **tight = lb_facts_sorted(page->facts, LB_BY_HEADROOM, &count);
    for (size_t i = 0; tight && i < count; i++)
        narrow += tight[i]->narrow;
    open_number(&page->doc, "Guard bits", count > 0 ? "accumulators" : "", narrow > 0, count > 0);
    if (!tight || count == 0) {
        lb_doc_puts(&page->doc, "–</dd><dd>no accumulator was watched</dd></div>\n");
    } else {
        int headroom = lb_headroom(tight[0]);
        lb_doc_printf(&page->doc, "%d %s</dd><dd>", headroom,
                      headroom == 1 || headroom == -1 ? "bit" : "bits");
        if (narrow > 0) {
            lb_doc_grouped(&page->doc, narrow);
            lb_doc_puts(&page->doc, narrow == 1 ? " result needs" : " results need");
            lb_doc_puts(&page->doc, " a wider accumulator; worst: ");
        } else {
            lb_doc_puts(&page->doc, "left over at the least, in ");
        }
        lb_html_code(&page->doc, tight[0]->name);
        lb_doc_puts(&page->doc, "</dd></div>\n");
    }
    free(tight);
    return tight != NULL;
}

static bool put_tolerance(lb_html *page)
{
    size_t count;
    const lb_function_facts **wide = lb_facts_sorted(page->facts, LB_BY_BUDGET, &count);
    double used = count > 0 && wide ? wide[0]->budget.used_percent : 0;
    open_number(&page->doc, "Tolerance", count > 0 ? "tolerances" : "", used > 100, count > 0);
    if (!wide || count == 0) {
        lb_doc_puts(&page->doc, "–</dd><dd>nothing was held to real numbers</dd></div>\n");
    } else if (used > 0) {
        lb_doc_used(&page->doc, used);
        lb_doc_puts(&page->doc, "</dd><dd>of the limit for ");
        lb_html_code(&page->doc, wide[0]->budget.metric);
        lb_doc_puts(&page->doc, " used at the most, in ");
        lb_html_code(&page->doc, wide[0]->name);
        lb_doc_puts(&page->doc, "</dd></div>\n");
    } else {
        lb_doc_figure(&page->doc, wide[0]->max_steps, 2);
        lb_doc_puts(&page->doc, " steps</dd><dd>from real numbers at the most, in ");
        lb_html_code(&page->doc, wide[0]->name);
        lb_doc_puts(&page->doc, "</dd></div>\n");
    }
    free(wide);
    return wide != NULL;
}

static void put_strength(lb_html *page)
{
    const lb_run_info *info = page->info;
    if (info->strength_faults == 0)
        return;
    lb_doc_puts(&page->doc, "; strength: ");
    lb_doc_percent(&page->doc, info->strength_caught, info->strength_faults);
    lb_doc_puts(&page->doc, " of ");
    lb_doc_grouped(&page->doc, info->strength_faults);
    lb_doc_printf(&page->doc, " known faults are caught by the suites (level %s)",
                  info->strength_level);
}

static void put_coverage(lb_html *page)
{
    uint64_t points, hit;
    lb_run_coverage(page->info, &points, &hit);
    open_number(&page->doc, "Coverage", points > 0 ? "coverage" : "", false,
                points > 0 && hit == points);
    if (points == 0) {
        lb_doc_puts(&page->doc, "–</dd><dd>was not measured</dd></div>\n");
        return;
    }
    lb_doc_percent(&page->doc, hit, points);
    lb_doc_puts(&page->doc, "</dd><dd>");
    lb_doc_grouped(&page->doc, hit);
    lb_doc_puts(&page->doc, " of ");
    lb_doc_grouped(&page->doc, points);
    lb_doc_puts(&page->doc, " points of behaviour were reached");
    if (page->info->coverage_level[0] != '\0') {
        lb_doc_puts(&page->doc, ", level ");
        lb_escape_html(&page->doc, page->info->coverage_level, LB_HTML_NAME);
    }
    put_strength(page);
    lb_doc_puts(&page->doc, "</dd></div>\n");
}

static void put_four(lb_html *page)
{
    lb_doc_puts(&page->doc, "<section aria-labelledby=\"four-title\"><h2 id=\"four-title\" "
                            "class=\"unseen\">Four numbers"
                            "</h2>\n<dl class=\"four\">\n");
    put_bit_exact(page);
    bool known = put_guard_bits(page);
    known = put_tolerance(page) && known;
    put_coverage(page);
    lb_doc_puts(&page->doc, "</dl></section>\n");
    page->doc.failed = page->doc.failed || !known;
}

/* ---- What to look at first ---- */

static void put_missed(lb_html *page)
{
    uint64_t points, hit;
    lb_run_coverage(page->info, &points, &hit);
    if (hit < points) {
        lb_doc_puts(
            &page->doc,
            "<li><a href=\"#coverage\">Points of behaviour that no case reached</a>: <strong>");
        lb_doc_grouped(&page->doc, points - hit);
        lb_doc_puts(&page->doc, "</strong></li>\n");
    }
}

static void put_reason_link(lb_doc *doc, const char *title, uint64_t count, const char *link)
{
    if (count > 0) {
        lb_doc_printf(doc, "<li><a href=\"#%s\">%s</a>: <strong>", link, title);
        lb_doc_grouped(doc, count);
        lb_doc_puts(doc, "</strong></li>\n");
    }
}

/* Nothing failed: what came closest to a limit. */
static bool put_margins(lb_html *page)
{
    size_t tight_count, wide_count;
    lb_doc *doc = &page->doc;
    uint64_t waived = page->facts->tally.count[LB_WAIVED];
    const lb_function_facts **tight = lb_facts_sorted(page->facts, LB_BY_HEADROOM, &tight_count);
    const lb_function_facts **wide = lb_facts_sorted(page->facts, LB_BY_TOLERANCE, &wide_count);
    lb_doc_puts(
        doc,
        waived > 0
            ? "<p>What is waived, and what came closest to a limit:</p>\n<ul class=\"margins\">\n"
            : "<p>Nothing failed. What came closest to a limit:</p>\n<ul class=\"margins\">\n");
    put_reason_link(doc, "Waived failures", waived, "reasons");
    put_reason_link(doc, "Skipped results", page->facts->tally.count[LB_SKIP], "reasons");
    put_reason_link(doc, "Passes that prove little", page->facts->vacuous, "vacuous");
    put_missed(page);
    if (tight && tight_count > 0) {
        lb_doc_printf(doc,
                      "<li><a href=\"#accumulators\">Smallest accumulator headroom</a>: <strong>%d "
                      "bits</strong> in ",
                      lb_headroom(tight[0]));
        lb_html_code(doc, tight[0]->name);
        lb_doc_puts(doc, "</li>\n");
    }
    if (wide && wide_count > 0) {
        lb_doc_puts(
            doc, "<li><a href=\"#tolerances\">Largest deviation from real numbers</a>: <strong>");
        lb_doc_figure(doc, wide[0]->max_steps, 3);
        lb_doc_puts(doc, " steps</strong> in ");
        lb_html_code(doc, wide[0]->name);
        lb_doc_puts(doc, "</li>\n");
    }
    if (page->facts->slow_count > 0) {
        lb_doc_puts(doc, "<li><a href=\"#slowest\">Slowest call</a>: <strong>");
        lb_doc_figure(doc, page->facts->slow[0].microseconds, 1);
        lb_doc_puts(doc, " µs</strong> in ");
        lb_html_code(doc, page->facts->slow[0].function);
        lb_doc_puts(doc, "</li>\n");
    }
    lb_doc_puts(doc, "</ul>\n");
    bool known = tight && wide;
    free(tight);
    free(wide);
    return known;
}

static void put_first(lb_html *page)
{
    if (lb_facts_outcome(page->facts) == LB_FAILED) {
        lb_html_found(page);
        return;
    }
    lb_html_section(&page->doc, "first", "Look at first");
    switch (lb_facts_outcome(page->facts)) {
    case LB_NOTHING:
        lb_doc_puts(
            &page->doc,
            page->facts->count == 0
                ? "<p>The run selected no case. Look at the command and at the suites.</p>\n"
                : "<p>No case was judged. <a href=\"#reasons\">The reasons</a> say why.</p>\n");
        break;
    default:
        if (!put_margins(page))
            page->doc.failed = true;
    }
    lb_doc_puts(&page->doc, "</section>\n");
}

/* ---- Oracles ---- */

static void put_oracles(lb_html *page)
{
    static const char *const names[LB_ORACLE_COUNT] = {"Recorded expectation",
                                                       "Exact integer model", "Real-number model"};
    static const char *const columns[] = {"Oracle", "#Agrees", "#Differs", "#No agreement"};
    lb_html_fold(&page->doc, "oracles", "What each oracle says", false);
    lb_html_table(&page->doc, "oracles", "Opinions of the oracles", columns, 4);
    for (int i = 0; i < LB_ORACLE_COUNT; i++) {
        const uint64_t *agreements = page->facts->agreements[i];
        lb_doc_printf(&page->doc, "<tr><th scope=\"row\">%s</th>", names[i]);
        lb_html_number(&page->doc, agreements[LB_AGREEMENT_AGREES]);
        lb_doc_puts(&page->doc, agreements[LB_AGREEMENT_DIFFERS] > 0 ? "<td class=\"n bad\">"
                                                                     : "<td class=\"n\">");
        lb_doc_grouped(&page->doc, agreements[LB_AGREEMENT_DIFFERS]);
        lb_doc_puts(&page->doc, "</td>");
        lb_html_number(&page->doc, agreements[LB_AGREEMENT_NONE]);
        lb_doc_puts(&page->doc, "</tr>\n");
    }
    lb_html_table_end(&page->doc);
    lb_html_fold_end(&page->doc);
}

/* ---- What was tested ---- */

static void put_fact(lb_doc *doc, const char *title, const char *text, bool code)
{
    if (!text || text[0] == '\0')
        return;
    lb_doc_puts(doc, "<div><dt>");
    lb_escape_html(doc, title, LB_HTML_NAME);
    lb_doc_puts(doc, "</dt><dd>");
    if (code)
        lb_html_code(doc, text);
    else
        lb_html_path(doc, text, LB_HTML_TEXT);
    lb_doc_puts(doc, "</dd></div>\n");
}

/* What a sweep tried: long words about many functions are folded up. */
static void put_domain(lb_doc *doc, const char *words)
{
    enum { SUMMARY = 90, DOMAIN_LIMIT = 40000 };
    bool folded = strlen(words) > LB_HTML_TEXT;
    if (words[0] == '\0')
        return;
    lb_doc_puts(doc, "<div><dt>Exhaustive</dt><dd>");
    if (folded) {
        lb_doc_puts(doc, "<details><summary>");
        lb_escape_html(doc, words, SUMMARY);
        lb_doc_puts(doc, "</summary>");
    }
    lb_escape_html(doc, words, DOMAIN_LIMIT);
    lb_doc_puts(doc, folded ? "</details></dd></div>\n" : "</dd></div>\n");
}

static void put_profiles(lb_doc *doc, const lb_run_info *info)
{
    lb_doc_puts(doc, info->profile_count == 1 ? "<div><dt>Profile</dt><dd>"
                                              : "<div><dt>Profiles</dt><dd>");
    for (size_t i = 0; i < info->profile_count; i++) {
        if (i > 0 && strcmp(info->profiles[i], info->profiles[i - 1]) == 0)
            continue; /* the same at another CPU level */
        lb_doc_puts(doc, i == 0 ? "<span class=\"profile\">" : " <span class=\"profile\">");
        lb_escape_html(doc, info->profiles[i], LB_HTML_NAME);
        lb_doc_puts(doc, "</span>");
    }
    lb_doc_puts(doc, "</dd></div>\n");
}

static void put_seconds(lb_doc *doc, double seconds)
{
    if (seconds > 0 && seconds < 1e9) {
        lb_doc_puts(doc, "<div><dt>Duration</dt><dd>");
        if (seconds < 60) {
            lb_doc_printf(doc, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
        } else {
            unsigned long whole = (unsigned long)(seconds + 0.5);
            lb_doc_printf(doc, "%lu min %lu s", whole / 60, whole % 60);
        }
        lb_doc_puts(doc, "</dd></div>\n");
    }
}

static void put_limit(lb_doc *doc, double seconds)
{
    if (seconds > 0 && seconds < 1e9) {
        lb_doc_puts(doc, "<div><dt>Time limit</dt><dd>");
        lb_doc_double(doc, seconds, 6, "none");
        lb_doc_puts(doc, " s for a case</dd></div>\n");
    }
}

static void put_files(lb_doc *doc, const lb_run_info *info)
{
    static const char *const columns[] = {"Role", "File and SHA-256"};
    if (info->file_count == 0)
        return;
    lb_html_fold(doc, "files", "Further files and digests", false);
    lb_html_table(doc, "files", "Files beside the suites", columns, 2);
    for (size_t i = 0; i < info->file_count; i++) {
        lb_doc_puts(doc, "<tr><th scope=\"row\">");
        lb_doc_puts(doc, lb_tested_role(info->files[i].role));
        lb_doc_puts(doc, "</th><td><code>");
        lb_html_path(doc, info->files[i].file, LB_HTML_NAME);
        lb_doc_puts(doc, "</code><br><code class=\"digest\">");
        lb_escape_html(doc, info->files[i].sha256, LB_HTML_NAME);
        lb_doc_puts(doc, "</code></td></tr>\n");
    }
    lb_html_table_end(doc);
    lb_html_fold_end(doc);
}

void lb_html_suites(lb_html *page)
{
    static const char *const columns[] = {"Suite", "#Cases", "File and SHA-256"};
    const lb_run_info *info = page->info;
    lb_doc *doc = &page->doc;
    put_files(doc, info);
    if (info->suite_count == 0)
        return;
    lb_html_fold(doc, "suites", "Suites and digests", false);
    lb_html_table(doc, "suites", "Suites", columns, 3);
    for (size_t i = 0; i < info->suite_count; i++) {
        const lb_run_suite *suite = &info->suites[i];
        lb_doc_puts(doc, "<tr><th scope=\"row\">");
        lb_escape_html(doc, suite->name, LB_HTML_NAME);
        lb_doc_puts(doc, "</th>");
        lb_html_number(doc, suite->cases);
        lb_doc_puts(doc, "<td><code>");
        lb_html_path(doc, suite->file, LB_HTML_NAME);
        lb_doc_puts(doc, "</code><br><code class=\"digest\">");
        lb_escape_html(doc, suite->sha256, LB_HTML_NAME);
        lb_doc_puts(doc, "</code></td></tr>\n");
    }
    lb_html_table_end(doc);
    lb_html_fold_end(doc);
}

static void put_suite_count(lb_doc *doc, const lb_run_info *info)
{
    uint64_t cases = 0;
    for (size_t i = 0; i < info->suite_count; i++)
        cases += info->suites[i].cases;
    if (info->suite_count == 0)
        return;
    lb_doc_puts(doc, "<div><dt>Suites</dt><dd><a href=\"#suites\">");
    lb_doc_grouped(doc, info->suite_count);
    lb_doc_puts(doc, info->suite_count == 1 ? " suite, " : " suites, ");
    lb_doc_grouped(doc, cases);
    lb_doc_puts(doc, cases == 1 ? " case</a></dd></div>\n" : " cases</a></dd></div>\n");
}

/* Facts of the port, or of the host. */
static void put_told(lb_doc *doc, const lb_run_info *info, bool of_host)
{
    for (size_t i = 0; i < lb_tested_count; i++) {
        if (lb_tested_facts[i].of_host == of_host) {
            put_fact(doc, lb_tested_facts[i].title, lb_tested_text(&lb_tested_facts[i], info),
                     lb_tested_facts[i].is_code);
        }
    }
}

/* Where the run was made: it says little of what was tested. */
static void put_host(lb_html *page)
{
    const lb_run_info *info = page->info;
    lb_doc *doc = &page->doc;
    char when[64], version[160];
    lb_readable_time(info->started, when, sizeof when);
    lb_doc_puts(doc, "<h3>Run by</h3>\n<dl class=\"facts\">\n");
    lb_tested_version(info, version, sizeof version);
    put_fact(doc, "lastbit", version, false);
    put_told(doc, info, true);
    put_fact(doc, "Started", when, false);
    put_seconds(doc, info->seconds);
    put_fact(doc, "Command", info->command, true);
    lb_doc_puts(doc, "</dl>\n");
}

static void put_tested(lb_html *page)
{
    const lb_run_info *info = page->info;
    lb_doc *doc = &page->doc;
    lb_html_section(doc, "tested", "What was tested");
    lb_doc_puts(doc, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < info->meta_count; i++)
        put_fact(doc, info->meta[i].key, info->meta[i].value, false);
    put_told(doc, info, false);
    put_profiles(doc, info);
    put_fact(doc, "Platform profiles", info->platforms, false);
    put_fact(doc, "Held to", info->tolerance, false);
    put_limit(doc, info->time_limit_seconds);
    put_domain(doc, info->exhaustive);
    put_suite_count(doc, info);
    lb_doc_puts(doc, "</dl>\n");
    put_host(page);
    lb_doc_puts(doc, "</section>\n");
}

/* What is in none of the figures of guard bits and tolerance. */
static void put_on_purpose(lb_doc *doc, uint64_t count)
{
    if (count == 0)
        return;
    lb_doc_puts(doc, "<p>");
    lb_doc_grouped(doc, count);
    lb_doc_puts(doc, count == 1 ? " result of a case that overflows on purpose is"
                                : " results of cases that overflow on purpose are");
    lb_doc_puts(doc, " left out of headroom and deviation.</p>\n");
}

void lb_html_overview(lb_html *page)
{
    put_verdict(page);
    if (lb_facts_only_timed(page->facts)) {
        put_tested(page);
        return;
    }
    put_four(page);
    put_on_purpose(&page->doc, page->facts->on_purpose);
    lb_doc_puts(&page->doc, "<div class=\"front\"><div>\n");
    lb_html_heat_map(page);
    lb_html_histograms(page);
    lb_doc_puts(&page->doc, "</div><div>\n");
    put_first(page);
    put_tested(page);
    lb_doc_puts(&page->doc, "</div></div>\n");
}

void lb_html_oracles(lb_html *page)
{
    if (page->facts->count > 0)
        put_oracles(page);
}
