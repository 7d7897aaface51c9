/* The HTML report: one file with everything in it. This file puts the page together; its parts
 * stand in html_*.c, its style and script in html/. */
#include "escape.h"
#include "html_page.h"
#include "html_parts.h"
#include "render.h"
#include "renderer.h"

#include <stdlib.h>

static void put_part(lb_doc *doc, const lb_page_part *part)
{
    for (size_t i = 0; i < part->count; i++)
        lb_doc_char(doc, (char)part->bytes[i]);
}

/* The policy lets the page's own style and script in, by their sums, and nothing else: no network,
 * no other script. */
static void put_head(lb_html *page)
{
    lb_doc *doc = &page->doc;
    lb_doc_puts(doc, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n");
    lb_doc_printf(doc,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'sha256-%s'; "
                  "script-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n",
                  lb_page_css.sha256_base64, lb_page_js.sha256_base64);
    lb_doc_printf(doc, "<meta name=\"generator\" content=\"lastbit\">\n<title>%s: ",
                  lb_outcome_words(page->facts));
    lb_escape_html(doc, page->info->port, LB_HTML_NAME);
    lb_doc_puts(doc, " – lastbit report</title>\n<style>");
    put_part(doc, &lb_page_css);
    lb_doc_puts(doc, "</style>\n</head>\n");
}

static void put_banner(lb_html *page)
{
    lb_doc *doc = &page->doc;
    char when[64];
    lb_readable_time(page->info->started, when, sizeof when);
    lb_doc_puts(doc, "<body>\n");
    put_part(doc, &lb_page_svg);
    lb_doc_puts(
        doc,
        "<a class=\"skip-link\" href=\"#main\">Skip to the verdict</a>\n<header class=\"top\"><div>"
        "<p class=\"brand\"><strong>lastbit</strong> conformance report</p><p class=\"about\">");
    lb_html_code(doc, page->info->port);
    lb_doc_puts(doc, "<span>");
    lb_escape_html(doc, when, 0);
    lb_doc_puts(doc, "</span></p></div></header>\n");
}

static void put_link(lb_doc *doc, bool there, const char *id, const char *title)
{
    if (there)
        lb_doc_printf(doc, "<li><a href=\"#%s\">%s</a></li>", id, title);
}

static void put_navigation(lb_html *page)
{
    lb_doc *doc = &page->doc;
    const lb_tally *tally = &page->facts->tally;
    bool figures = false, accumulators = false;
    for (size_t i = 0; i < page->facts->functions.count; i++) {
        figures = figures || page->facts->list[i].elements > 0;
        accumulators = accumulators || page->facts->list[i].accumulations > 0;
    }
    lb_doc_puts(doc, "<nav aria-label=\"Sections\"><ul>");
    put_link(doc, true, "main", "Overview");
    put_link(doc, page->info->fault_count > 0, "faults", "Faults");
    put_link(doc, page->failures->count > 0, "failures", "Failures");
    put_link(doc, true, "all", "All results");
    put_link(doc, !lb_facts_only_timed(page->facts), "matrix", "Matrix");
    put_link(doc, tally->count[LB_SKIP] + tally->count[LB_WAIVED] > 0, "reasons",
             "Skipped and waived");
    put_link(doc, page->facts->vacuous > 0, "vacuous", "Vacuous");
    put_link(doc, page->info->coverage_count > 0, "coverage", "Coverage");
    put_link(doc, figures, "tolerances", "Deviation");
    put_link(doc, accumulators, "accumulators", "Accumulators");
    put_link(doc, page->info->drift_count > 0, "drift", "Networks");
    put_link(doc, page->info->speed_count > 0, "speed", "Speed");
    put_link(doc, page->facts->slow_count > 0, "slowest", "Slowest");
    put_link(doc, page->info->lines_count > 0, "lines", "Lines");
    put_link(doc, page->info->suite_count > 0, "suites", "Suites");
    lb_doc_puts(doc, "</ul></nav>\n");
}

static void put_foot(lb_html *page)
{
    lb_doc *doc = &page->doc;
    lb_doc_puts(doc, "</main>\n<footer><p>Made by lastbit ");
    lb_escape_html(doc, page->info->tool_version, LB_HTML_NAME);
    lb_doc_puts(doc, " from a results file of format " LB_RESULTS_FORMAT
                     ". A result passes when the port’s output is the "
                     "expected one in every bit, and nothing else was touched");
    if (page->facts->bit_exact < page->facts->tally.count[LB_PASS]) {
        lb_doc_puts(
            doc, "; this run lets pass as well what lies within the tolerance of the real model");
    }
    lb_doc_puts(doc, ".</p></footer>\n");
}

static bool put_page(lb_html *page)
{
    put_head(page);
    put_banner(page);
    put_navigation(page);
    lb_doc_puts(&page->doc, "<main id=\"main\">\n");
    lb_html_overview(page);
    lb_html_causes(page);
    lb_html_failures(page);
    lb_html_all(page);
    lb_html_matrix(page);
    lb_html_oracles(page);
    lb_html_reasons(page);
    lb_html_vacuous(page);
    lb_html_coverage(page);
    lb_html_drift(page);
    lb_html_tolerances(page);
    lb_html_accumulators(page);
    lb_html_speed(page);
    lb_html_slowest(page);
    lb_html_lines(page);
    lb_html_suites(page);
    put_foot(page);
    if (!lb_html_data_put(page->data, page->facts, &page->doc, page->out))
        return false;
    lb_doc_puts(&page->doc, "<script>");
    put_part(&page->doc, &lb_page_js);
    lb_doc_puts(&page->doc, "</script>\n</body>\n</html>\n");
    return lb_doc_flush(&page->doc, page->out);
}

/* ---- One pass over the results ---- */

typedef struct making {
    lb_html page;
    lb_facts facts;
    lb_failures failures;
} making;

static bool begin(void *state, const lb_results_reader *reader)
{
    making *m = state;
    const lb_tally *tally = lb_results_tally(reader);
    m->page = (lb_html){.doc = lb_doc_make(),
                        .info = lb_results_info(reader),
                        .facts = &m->facts,
                        .failures = &m->failures,
                        .data = lb_html_data_make(lb_tally_passed(tally) + lb_tally_failed(tally) +
                                                  lb_tally_skipped(tally))};
    lb_failures_begin(&m->failures, &lb_html_failure_rules);
    return m->page.data && lb_facts_begin(&m->facts, m->page.info);
}

static bool add(void *state, const lb_result *result)
{
    making *m = state;
    return lb_facts_add(&m->facts, result) && lb_failures_add(&m->failures, &m->facts, result) &&
           lb_html_data_add(m->page.data, &m->facts, result);
}

static bool write_page(void *state, FILE *out)
{
    making *m = state;
    m->page.out = out;
    return lb_failures_end(&m->failures, &m->facts) && put_page(&m->page);
}

static void end(void *state)
{
    making *m = state;
    lb_doc_free(&m->page.doc);
    lb_html_data_free(m->page.data);
    lb_failures_free(&m->failures);
    lb_facts_free(&m->facts);
}

const lb_renderer lb_html_renderer = {"html", sizeof(making), begin, add, write_page, end};

bool lb_render_html(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                    char *error, size_t error_bytes)
{
    (void)extras;
    return lb_render_with(&lb_html_renderer, reader, out, error, error_bytes);
}
