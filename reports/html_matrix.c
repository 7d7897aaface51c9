/* The matrix of the HTML report: a function a row, a profile a column, in every cell the counts and
 * their status in words and colour. */
#include "escape.h"
#include "html_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = 8000, MAX_PROFILES = 32 };

static void put_head(lb_doc *doc, const lb_facts *facts, size_t profiles)
{
    lb_doc_puts(
        doc,
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Functions by profiles\">"
        "<table class=\"matrix\"><caption class=\"unseen\">Results of each function in each "
        "profile</caption>\n"
        "<thead><tr><th scope=\"col\">Function</th><th scope=\"col\">Variant</th>");
    for (size_t i = 0; i < profiles; i++) {
        lb_doc_puts(doc, "<th scope=\"col\">");
        lb_escape_html(doc, facts->profiles.list[i], LB_HTML_NAME);
        lb_doc_puts(doc, "</th>");
    }
    lb_doc_puts(doc, "</tr></thead>\n");
}

/* A count that is not the whole: "3 failed", for the eye "3". */
static void put_part(lb_doc *doc, lb_verdict verdict, uint64_t count)
{
    if (count > 0) {
        lb_doc_printf(doc, "<span class=\"%s\">", lb_verdict_name(verdict));
        lb_html_icon(doc, lb_verdict_name(verdict));
        lb_doc_grouped(doc, count);
        lb_doc_printf(doc, "<span class=\"unseen\"> %s </span></span>", lb_html_verdict(verdict));
    }
}

static void put_cell(lb_doc *doc, const lb_function_facts *function, size_t profile)
{
    static const lb_tally none = {{0}};
    const lb_tally *tally =
        profile < function->profile_room ? &function->by_profile[profile] : &none;
    uint64_t total = lb_tally_total(tally);
    if (total == 0) {
        lb_doc_puts(doc, "<td class=\"none\"><span aria-hidden=\"true\">·</span><span "
                         "class=\"unseen\">no results</span></td>");
        return;
    }
    const char *status = tally->count[LB_FAIL] > 0    ? "fail"
                         : tally->count[LB_ERROR] > 0 ? "error"
                         : tally->count[LB_PASS] > 0  ? "pass"
                                                      : "skip";
    lb_doc_printf(doc, "<td class=\"c %s\"><a href=\"#all\" data-f=\"%zu\" data-p=\"%zu\">", status,
                  function->number, profile);
    put_part(doc, LB_FAIL, tally->count[LB_FAIL]);
    put_part(doc, LB_ERROR, tally->count[LB_ERROR]);
    put_part(doc, LB_PASS, tally->count[LB_PASS]);
    put_part(doc, LB_WAIVED, tally->count[LB_WAIVED]);
    put_part(doc, LB_SKIP, tally->count[LB_SKIP]);
    lb_doc_puts(doc, "</a></td>");
}

static void put_family(lb_doc *doc, const char *family, size_t profiles)
{
    lb_doc_printf(doc,
                  "</tbody><tbody><tr class=\"family\"><th scope=\"rowgroup\" colspan=\"%zu\">",
                  profiles + 2);
    lb_escape_html(doc, family[0] == '\0' ? "other" : family, LB_HTML_NAME);
    lb_doc_puts(doc, "</th></tr>\n");
}

static void put_rows(lb_html *page, const lb_function_facts **functions, size_t count,
                     size_t profiles)
{
    const char *family = NULL;
    lb_doc_puts(&page->doc, "<tbody>");
    for (size_t i = 0; i < count; i++) {
        if (!family || strcmp(family, functions[i]->family) != 0) {
            family = functions[i]->family;
            put_family(&page->doc, family, profiles);
        }
        lb_doc_puts(&page->doc, "<tr><th scope=\"row\">");
        lb_html_name(&page->doc, functions[i]->name);
        lb_doc_puts(&page->doc, "</th><td class=\"variant\">");
        lb_escape_html(&page->doc, functions[i]->variant, LB_HTML_NAME);
        lb_doc_puts(&page->doc, "</td>");
        for (size_t profile = 0; profile < profiles; profile++)
            put_cell(&page->doc, functions[i], profile);
        lb_doc_puts(&page->doc, "</tr>\n");
    }
    lb_doc_puts(&page->doc, "</tbody></table></div>\n");
}

static void put_legend(lb_doc *doc)
{
    lb_doc_puts(doc, "<ul class=\"legend\">");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        lb_doc_printf(doc, "<li class=\"%s\">", lb_verdict_name((lb_verdict)i));
        lb_html_icon(doc, lb_verdict_name((lb_verdict)i));
        lb_doc_printf(doc, "%s</li>", lb_html_verdict((lb_verdict)i));
    }
    lb_doc_puts(doc, "</ul>\n");
}

void lb_html_matrix(lb_html *page)
{
    size_t count;
    if (lb_facts_only_timed(page->facts))
        return;
    const lb_function_facts **functions = lb_facts_sorted(page->facts, LB_BY_FAMILY, &count);
    size_t profiles =
        page->facts->profiles.count < MAX_PROFILES ? page->facts->profiles.count : MAX_PROFILES;
    if (!functions) {
        page->doc.failed = true;
        return;
    }
    lb_html_fold(&page->doc, "matrix", "Functions by variant and profile",
                 lb_tally_failed(&page->facts->tally) > 0);
    if (count == 0) {
        lb_doc_puts(&page->doc, "<p>There are no results.</p>\n");
    } else {
        put_legend(&page->doc);
        size_t rows = MAX_CELLS / (profiles + 1) < count ? MAX_CELLS / (profiles + 1) : count;
        put_head(&page->doc, page->facts, profiles);
        put_rows(page, functions, rows, profiles);
        if (rows < count || profiles < page->facts->profiles.count) {
            lb_doc_printf(&page->doc,
                          "<p>The table shows %zu of %zu functions and %zu of %zu profiles.</p>\n",
                          rows, count, profiles, page->facts->profiles.count);
        }
    }
    lb_html_fold_end(&page->doc);
    free(functions);
}
