/* Figures of the HTML report: reasons of what was skipped, waived or is vacuous; accumulators;
 * times. */
#include "escape.h"
#include "html_parts.h"

#include <stdlib.h>

enum { MAX_ROWS = 500, BAR_WIDTH = 150, BAR_HEIGHT = 14 };

static void put_left_out(lb_doc *doc, size_t shown, size_t all, const char *what)
{
    if (shown < all)
        lb_doc_printf(doc, "<p>%zu more %s are left out here.</p>\n", all - shown, what);
}

/* ---- Reasons ---- */

static void put_reasons_of(lb_html *page, lb_verdict verdict)
{
    for (size_t i = 0; i < page->facts->reason_count; i++) {
        const lb_reason_facts *reason = &page->facts->reasons[i];
        if (reason->verdict != verdict)
            continue;
        lb_doc_printf(&page->doc, "<tr class=\"%s\"><th scope=\"row\">", lb_verdict_name(verdict));
        lb_html_icon(&page->doc, lb_verdict_name(verdict));
        lb_doc_printf(&page->doc, "%s</th>", lb_html_verdict(verdict));
        lb_html_number(&page->doc, reason->count);
        lb_doc_puts(&page->doc, "<td>");
        lb_escape_html(&page->doc, reason->text[0] != '\0' ? reason->text : "no reason given",
                       LB_HTML_TEXT);
        lb_doc_puts(&page->doc, "</td>");
        lb_html_note(&page->doc, &reason->example);
        lb_doc_puts(&page->doc, "</tr>\n");
    }
}

/* Passes that prove little: counted as passed, and told apart. */
void lb_html_vacuous(lb_html *page)
{
    static const char *const columns[] = {"Verdict", "#Results", "Why it proves little",
                                          "First case"};
    if (page->facts->vacuous == 0)
        return;
    lb_html_fold(&page->doc, "vacuous", "Passes that prove little", false);
    lb_doc_puts(&page->doc, "<p>These passed, but a port with a fault could pass them too.</p>\n");
    lb_html_table(&page->doc, "reasons", "Passes that prove little, by reason", columns, 4);
    put_reasons_of(page, LB_PASS);
    lb_html_table_end(&page->doc);
    lb_html_fold_end(&page->doc);
}

void lb_html_reasons(lb_html *page)
{
    static const char *const columns[] = {"Verdict", "#Results", "Reason", "First case"};
    if (page->facts->tally.count[LB_SKIP] + page->facts->tally.count[LB_WAIVED] == 0)
        return;
    lb_html_fold(&page->doc, "reasons", "Skipped and waived",
                 page->facts->tally.count[LB_WAIVED] > 0);
    lb_html_table(&page->doc, "reasons", "Reasons of skipped and waived results", columns, 4);
    put_reasons_of(page, LB_WAIVED);
    put_reasons_of(page, LB_SKIP);
    lb_html_table_end(&page->doc);
    if (page->facts->other_reasons > 0) {
        lb_doc_puts(&page->doc, "<p>");
        lb_doc_grouped(&page->doc, page->facts->other_reasons);
        lb_doc_puts(&page->doc,
                    " more results have other reasons; the list of all results shows them.</p>\n");
    }
    lb_html_fold_end(&page->doc);
}

/* ---- Accumulators ---- */

/* Bits needed, drawn against the width: the line is the limit, what lies beyond it can overflow. */
static void put_headroom_bar(lb_doc *doc, const lb_function_facts *function, int scale_bits)
{
    double unit = (double)BAR_WIDTH / scale_bits;
    int inside =
        function->needed_bits < function->acc_bits ? function->needed_bits : function->acc_bits;
    double limit = unit * function->acc_bits;
    lb_doc_printf(doc,
                  "<td class=\"bar\"><svg width=\"%d\" height=\"%d\" aria-hidden=\"true\"><rect "
                  "class=\"track\" "
                  "width=\"%.1f\" height=\"6\" y=\"4\" rx=\"2\"/><rect class=\"fill\" "
                  "width=\"%.1f\" height=\"6\" y=\"4\" "
                  "rx=\"2\"/>",
                  BAR_WIDTH + 2, BAR_HEIGHT, limit, unit * inside);
    if (function->needed_bits > function->acc_bits) {
        lb_doc_printf(doc, "<rect class=\"over\" x=\"%.1f\" width=\"%.1f\" height=\"6\" y=\"4\"/>",
                      limit, unit * (function->needed_bits - function->acc_bits));
    }
    lb_doc_printf(doc,
                  "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/></svg></td>",
                  limit, limit, BAR_HEIGHT);
}

static void put_overflows(lb_doc *doc, const lb_function_facts *function)
{
    lb_doc_puts(doc, "<td>");
    if (function->transient + function->persistent + function->saturated == 0)
        lb_doc_puts(doc, "none");
    if (function->persistent > 0) {
        lb_doc_puts(doc, "<span class=\"bad\">");
        lb_doc_grouped(doc, function->persistent);
        lb_doc_puts(doc, " persistent</span> ");
    }
    if (function->transient > 0) {
        lb_doc_grouped(doc, function->transient);
        lb_doc_puts(doc, " transient ");
    }
    if (function->saturated > 0) {
        lb_doc_grouped(doc, function->saturated);
        lb_doc_puts(doc, function->saturated == 1 ? " clipped sum" : " clipped sums");
    }
    lb_doc_puts(doc, "</td>");
}

/* The mark of --guard warn: how many results have an accumulator too narrow for them. */
static void put_narrow(lb_doc *doc, const lb_function_facts *function)
{
    lb_doc_puts(doc, function->narrow > 0 ? "<td class=\"n bad\">" : "<td class=\"n\">");
    lb_doc_grouped(doc, function->narrow);
    lb_doc_puts(doc, "</td>");
}

static void put_accumulator_row(lb_doc *doc, const lb_function_facts *function, int scale_bits)
{
    int headroom = lb_headroom(function);
    lb_html_function(doc, function->name, "tightest", &function->tight_case);
    lb_doc_printf(doc, "<td class=\"n%s\">%d</td>", headroom < 0 ? " bad" : "", headroom);
    put_headroom_bar(doc, function, scale_bits);
    lb_doc_printf(doc, "<td class=\"n\">%d of %d</td>", function->needed_bits, function->acc_bits);
    lb_html_number(doc, function->longest_macs);
    put_narrow(doc, function);
    put_overflows(doc, function);
    lb_doc_puts(doc, "</tr>\n");
}

void lb_html_accumulators(lb_html *page)
{
    static const char *const columns[] = {
        "Function",     "#Headroom",      "<span class=\"unseen\">Need against width, drawn</span>",
        "#Bits needed", "#Longest chain", "#Too narrow",
        "Overflow"};
    size_t count;
    int scale_bits = 1;
    const lb_function_facts **functions = lb_facts_sorted(page->facts, LB_BY_HEADROOM, &count);
    page->doc.failed = page->doc.failed || !functions;
    for (size_t i = 0; functions && i < count; i++) {
        int bits = functions[i]->acc_bits > functions[i]->needed_bits ? functions[i]->acc_bits
                                                                      : functions[i]->needed_bits;
        scale_bits = bits > scale_bits ? bits : scale_bits;
    }
    if (functions && count > 0) {
        lb_html_fold(&page->doc, "accumulators", "Accumulator headroom",
                     lb_headroom(functions[0]) < 0);
        lb_doc_puts(&page->doc, "<p>Bits of the accumulator that nothing needs, where that is "
                                "least: neither the exact model’s "
                                "largest running sum nor, where it was proved, any inputs with the "
                                "case’s weights. The vertical "
                                "line marks the accumulator’s width. Too narrow: results that need "
                                "more bits than there are. "
                                "Overflow: what the case’s own data did.</p>\n");
        lb_html_table(&page->doc, "figures", "Accumulator use, by function", columns, 7);
        for (size_t i = 0; i < count && i < MAX_ROWS; i++)
            put_accumulator_row(&page->doc, functions[i], scale_bits);
        lb_html_table_end(&page->doc);
        put_left_out(&page->doc, count < MAX_ROWS ? count : MAX_ROWS, count,
                     "functions with more headroom");
        lb_html_fold_end(&page->doc);
    }
    free(functions);
}

/* ---- Times ---- */

void lb_html_slowest(lb_html *page)
{
    static const char *const columns[] = {"#Time", "Case", "Function"};
    const lb_facts *facts = page->facts;
    if (facts->slow_count == 0)
        return;
    lb_html_fold(&page->doc, "slowest", "Slowest cases", false);
    lb_html_table(&page->doc, "slowest", "Slowest calls of the port", columns, 3);
    for (size_t i = 0; i < facts->slow_count; i++) {
        lb_doc_puts(&page->doc, "<tr>");
        lb_doc_puts(&page->doc, "<td class=\"n\">");
        lb_doc_figure(&page->doc, facts->slow[i].microseconds, 1);
        lb_doc_puts(&page->doc, " µs</td>");
        lb_html_note(&page->doc, &facts->slow[i].note);
        lb_doc_puts(&page->doc, "<td>");
        lb_html_code(&page->doc, facts->slow[i].function);
        lb_doc_puts(&page->doc, "</td></tr>\n");
    }
    lb_html_table_end(&page->doc);
    lb_html_fold_end(&page->doc);
}
