/* Deviation from real numbers in the HTML report: budgets, histograms, figures, one function a row.
 */
#include "escape.h"
#include "html_parts.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_ROWS = 500, BAR_WIDTH = 120, BAR_HEIGHT = 14, BIN_WIDTH = 7, HISTOGRAM_HEIGHT = 26 };

static void put_real_cell(lb_doc *doc, double value)
{
    lb_doc_puts(doc, "<td class=\"n\">");
    lb_doc_figure(doc, value, 4);
    lb_doc_puts(doc, "</td>");
}

/* ---- Budget ---- */

/* How much of the limit is used: the line is the limit, the bar ends at one and a half times it. */
static void put_budget_bar(lb_doc *doc, double used_percent)
{
    double unit = BAR_WIDTH / 150.0, limit = 100 * unit;
    double inside = used_percent < 100 ? used_percent : 100,
           over = used_percent < 150 ? used_percent : 150;
    lb_doc_printf(
        doc,
        "<svg width=\"%d\" height=\"%d\" aria-hidden=\"true\"><rect class=\"track\" width=\"%.1f\" "
        "height=\"6\" y=\"4\" rx=\"2\"/><rect class=\"fill\" width=\"%.1f\" height=\"6\" y=\"4\" "
        "rx=\"2\"/>",
        BAR_WIDTH, BAR_HEIGHT, limit, unit * inside);
    if (used_percent > 100) {
        lb_doc_printf(doc, "<rect class=\"over\" x=\"%.1f\" width=\"%.1f\" height=\"6\" y=\"4\"/>",
                      limit, unit * (over - 100));
    }
    lb_doc_printf(doc, "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/></svg>",
                  limit, limit, BAR_HEIGHT);
}

static void put_budget(lb_doc *doc, const lb_budget_facts *budget)
{
    if (!(budget->used_percent > 0)) {
        lb_doc_puts(doc, "<td class=\"n\"></td><td class=\"bar\"></td><td></td>");
        return;
    }
    lb_doc_puts(doc, budget->used_percent > 100 ? "<td class=\"n bad\">" : "<td class=\"n\">");
    lb_doc_used(doc, budget->used_percent);
    lb_doc_puts(doc, "</td><td class=\"bar\">");
    put_budget_bar(doc, budget->used_percent);
    lb_doc_puts(doc, "</td><td><span class=\"whole\">");
    lb_html_code(doc, budget->metric);
    lb_doc_char(doc, ' ');
    lb_doc_double(doc, budget->limit, 4, "");
    lb_doc_puts(doc, "</span><br><span class=\"quiet small\">");
    lb_escape_html(doc, budget->source, LB_HTML_NAME);
    lb_doc_puts(doc, "</span></td>");
}

/* ---- Histogram ---- */

/* Bars over the thirteen bins, the middle one within half a step; as high as the logarithm of the
 * count, so that one element in a million is seen. */
static void put_histogram(lb_doc *doc, const lb_function_facts *function)
{
    uint64_t most = 0, outside = 0;
    for (unsigned bin = 0; bin < LB_TOLERANCE_BINS; bin++) {
        most = function->histogram[bin] > most ? function->histogram[bin] : most;
        outside += bin == LB_TOLERANCE_BINS / 2 ? 0 : function->histogram[bin];
    }
    lb_doc_puts(doc, "<td class=\"bar\">");
    if (most > 0) {
        lb_doc_printf(
            doc, "<svg class=\"histogram\" role=\"img\" width=\"%d\" height=\"%d\" aria-label=\"",
            LB_TOLERANCE_BINS * BIN_WIDTH, HISTOGRAM_HEIGHT);
        lb_doc_grouped(doc, function->histogram[LB_TOLERANCE_BINS / 2]);
        lb_doc_puts(doc, " elements within half a step, ");
        lb_doc_grouped(doc, outside);
        lb_doc_puts(doc, " beyond\">");
        lb_doc_printf(doc, "<path class=\"axis\" d=\"M0 %d.5h%d\"/>", HISTOGRAM_HEIGHT - 1,
                      LB_TOLERANCE_BINS * BIN_WIDTH);
    }
    for (unsigned bin = 0; bin < LB_TOLERANCE_BINS; bin++) {
        if (function->histogram[bin] > 0) {
            double height = 2 + (HISTOGRAM_HEIGHT - 4) * log1p((double)function->histogram[bin]) /
                                    log1p((double)most);
            lb_doc_printf(doc,
                          "<rect class=\"%s\" x=\"%u\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>",
                          bin == LB_TOLERANCE_BINS / 2 ? "fill" : "fill far", bin * BIN_WIDTH + 1,
                          HISTOGRAM_HEIGHT - 1 - height, BIN_WIDTH - 2, height);
        }
    }
    lb_doc_puts(doc, most > 0 ? "</svg></td>" : "</td>");
}

/* ---- Rows ---- */

static void put_row(lb_doc *doc, const lb_function_facts *function)
{
    double elements = (double)function->elements;
    lb_html_function(doc, function->name, "closest",
                     function->budget.used_percent > 0 ? &function->budget.note
                                                       : &function->max_case);
    put_budget(doc, &function->budget);
    put_histogram(doc, function);
    put_real_cell(doc, function->max_steps);
    put_real_cell(doc, function->mean_sum / elements);
    put_real_cell(doc, sqrt(function->square_sum / elements));
    lb_html_number(doc, function->elements);
    lb_doc_puts(doc, "</tr>\n");
}

void lb_html_tolerances(lb_html *page)
{
    static const char *const columns[] = {
        "Function", "#Of limit", "<span class=\"unseen\">Of limit, drawn</span>",
        "Limit",    "Errors",    "#Largest",
        "#Mean",    "#RMS",      "#Elements"};
    size_t count;
    const lb_function_facts **functions = lb_facts_sorted(page->facts, LB_BY_BUDGET, &count);
    page->doc.failed = page->doc.failed || !functions;
    if (functions && count > 0) {
        lb_html_fold(&page->doc, "tolerances", "Deviation from real numbers",
                     functions[0]->budget.used_percent > 100);
        lb_doc_puts(&page->doc, "<p>Port against the real model, in steps (one unit in the last "
                                "place) of the output’s format. The bar "
                                "shows how much of the limit is used up where that is most; the "
                                "line is the limit. Errors: how "
                                "many elements are off by how much, from below −16 steps on the "
                                "left to above 16 on the right, in the "
                                "middle those within half a step; heights are logarithmic. A mean "
                                "far from zero is a bias.</p>\n");
        lb_html_table(&page->doc, "figures tolerance", "Deviation from the real model, by function",
                      columns, 9);
        for (size_t i = 0; i < count && i < MAX_ROWS; i++)
            put_row(&page->doc, functions[i]);
        lb_html_table_end(&page->doc);
        if (count > MAX_ROWS) {
            lb_doc_printf(&page->doc,
                          "<p>%zu more functions with smaller deviations are left out here.</p>\n",
                          count - MAX_ROWS);
        }
        lb_html_fold_end(&page->doc);
    }
    free(functions);
}
