/* Speed in the HTML report: rows of the benchmark by instruction-set level, against the machine's
 * best and a baseline. */
#include "escape.h"
#include "html_parts.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 1000, BAR_WIDTH = 150, BAR_HEIGHT = 14 };

static void put_peak_bar(lb_doc *doc, double percent)
{
    double inside = percent > 100 ? 100 : percent;
    lb_doc_puts(doc, "<td class=\"bar\">");
    if (percent > 0 && isfinite(percent)) {
        lb_doc_printf(doc,
                      "<svg width=\"%d\" height=\"%d\" aria-hidden=\"true\"><rect class=\"track\" "
                      "width=\"%d\" "
                      "height=\"6\" y=\"4\" rx=\"2\"/><rect class=\"fill\" width=\"%.1f\" "
                      "height=\"6\" y=\"4\" "
                      "rx=\"2\"/></svg>",
                      BAR_WIDTH, BAR_HEIGHT, BAR_WIDTH, BAR_WIDTH * inside / 100);
    }
    lb_doc_puts(doc, "</td>");
}

static void put_change(lb_doc *doc, const lb_speed *speed)
{
    const double change = lb_rate_change_percent(speed->rate, speed->baseline_rate);
    lb_doc_puts(doc, change <= -10 ? "<td class=\"n bad\">" : "<td class=\"n\">");
    if (!isnan(change)) {
        lb_doc_printf(doc, "%+.1f %%", change);
    }
    lb_doc_puts(doc, "</td></tr>\n");
}

static void put_row(lb_doc *doc, const lb_speed *speed)
{
    lb_doc_puts(doc, "<tr><th scope=\"row\">");
    lb_html_code(doc, speed->row);
    if (speed->function[0] != '\0' && strcmp(speed->function, speed->row) != 0) {
        lb_doc_puts(doc, "<br><span class=\"quiet small\">");
        lb_html_code(doc, speed->function);
        lb_doc_puts(doc, "</span>");
    }
    lb_doc_puts(doc, "</th><td>");
    lb_escape_html(doc, speed->cpu, LB_HTML_NAME);
    lb_doc_puts(doc, "</td><td class=\"n\">");
    if (speed->seconds > 0 && isfinite(speed->seconds)) {
        lb_doc_figure(doc, speed->seconds * 1e6, 2);
        lb_doc_puts(doc, " µs");
    }
    lb_doc_puts(doc, "</td><td class=\"n\">");
    lb_doc_rate(doc, speed->rate);
    lb_escape_html(doc, speed->rate > 0 ? speed->unit : "", LB_HTML_NAME);
    lb_doc_puts(doc, "</td><td class=\"n\">");
    if (speed->percent_of_peak > 0 && isfinite(speed->percent_of_peak)) {
        lb_doc_figure(doc, speed->percent_of_peak, 1);
        lb_doc_puts(doc, " %");
    }
    lb_doc_puts(doc, "</td>");
    put_peak_bar(doc, speed->percent_of_peak);
    put_change(doc, speed);
}

void lb_html_speed(lb_html *page)
{
    static const char *const columns[] = {"Row",
                                          "Level",
                                          "#Call",
                                          "#Rate",
                                          "#Of peak",
                                          "<span class=\"unseen\">Of peak, drawn</span>",
                                          "#Since baseline"};
    const lb_run_info *info = page->info;
    if (info->speed_count == 0) {
        return;
    }
    lb_html_section(&page->doc, "speed", "Speed");
    lb_doc_puts(
        &page->doc,
        "<p>Each row of the benchmark at each instruction-set level of the port: what it does in a "
        "second, how much that is of what the machine can do at best, and the change since the "
        "run that it is compared with.</p>\n");
    lb_html_table(&page->doc, "figures", "Speed by row and instruction-set level", columns, 7);
    for (size_t i = 0; i < info->speed_count && i < MAX_ROWS; i++) {
        put_row(&page->doc, &info->speed[i]);
    }
    lb_html_table_end(&page->doc);
    if (info->speed_count > MAX_ROWS) {
        lb_doc_printf(&page->doc, "<p>%zu more rows are left out here.</p>\n",
                      info->speed_count - MAX_ROWS);
    }
    lb_doc_puts(&page->doc, "</section>\n");
}
