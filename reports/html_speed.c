/* Speed in the HTML report: of each row of the benchmark the levels side by side, as bars with
 * their noise, against the machine's best and a baseline. */
#include "escape.h"
#include "html_parts.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 1000, BAR_WIDTH = 220, BAR_HEIGHT = 14 };

static bool is_known(double value)
{
    return value > 0 && isfinite(value);
}

/* Levels of one row stand one after the other. */
static size_t end_of_row(const lb_run_info *info, size_t first)
{
    size_t end = first + 1;
    while (end < info->speed_count && strcmp(info->speed[end].row, info->speed[first].row) == 0)
        end++;
    return end;
}

/* The largest rate of a row: its bars share a scale. */
static double largest_rate(const lb_speed *speed, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double rate = is_known(speed[i].rate) ? speed[i].rate : 0;
        largest = rate > largest ? rate : largest;
        rate = is_known(speed[i].baseline_rate) ? speed[i].baseline_rate : 0;
        largest = rate > largest ? rate : largest;
    }
    return largest;
}

static double inside(double x)
{
    return x < 0 ? 0 : x > BAR_WIDTH ? BAR_WIDTH : x;
}

/* A bar from 0 to the rate, a line across its end for the noise, a mark where the baseline was. */
static void put_bar(lb_doc *doc, const lb_speed *speed, double largest)
{
    lb_doc_puts(doc, "<td class=\"bar\">");
    if (is_known(speed->rate) && largest > 0) {
        double x = inside(BAR_WIDTH * speed->rate / largest);
        double noise = is_known(speed->noise_percent) ? x * speed->noise_percent / 100 : 0;
        lb_doc_printf(doc,
                      "<svg width=\"%d\" height=\"%d\" aria-hidden=\"true\"><rect class=\"track\" "
                      "width=\"%d\" height=\"8\" y=\"3\" rx=\"2\"/>",
                      BAR_WIDTH, BAR_HEIGHT, BAR_WIDTH);
        lb_doc_printf(doc,
                      "<rect class=\"fill\" width=\"%.1f\" height=\"8\" y=\"3\" rx=\"2\"/><path "
                      "class=\"noise\" d=\"M%.1f 7H%.1f\"/>",
                      x, inside(x - noise), inside(x + noise));
        if (is_known(speed->baseline_rate)) {
            lb_doc_printf(doc, "<path class=\"limit\" d=\"M%.1f 0v14\"/>",
                          inside(BAR_WIDTH * speed->baseline_rate / largest));
        }
        lb_doc_puts(doc, "</svg>");
    }
    lb_doc_puts(doc, "</td>");
}

static void put_change(lb_doc *doc, const lb_speed *speed)
{
    const double change = lb_rate_change_percent(speed->rate, speed->baseline_rate);
    lb_doc_puts(doc, change <= -10 ? "<td class=\"n bad\">" : "<td class=\"n\">");
    if (!isnan(change))
        lb_doc_printf(doc, "%+.1f %%", change);
    lb_doc_puts(doc, "</td></tr>\n");
}

static void put_figure(lb_doc *doc, double value, int decimals, const char *before,
                       const char *unit)
{
    lb_doc_puts(doc, "<td class=\"n\">");
    if (is_known(value)) {
        lb_doc_puts(doc, before);
        lb_doc_figure(doc, value, decimals);
        lb_doc_puts(doc, unit);
    }
    lb_doc_puts(doc, "</td>");
}

/* The name of a row, over all its levels. */
static void put_name(lb_doc *doc, const lb_speed *speed, size_t levels)
{
    lb_doc_printf(doc, "<th scope=\"rowgroup\" rowspan=\"%zu\">", levels);
    lb_html_code(doc, speed->row);
    if (speed->function[0] != '\0' && strcmp(speed->function, speed->row) != 0) {
        lb_doc_puts(doc, "<br><span class=\"quiet small\">");
        lb_html_code(doc, speed->function);
        lb_doc_puts(doc, "</span>");
    }
    lb_doc_puts(doc, "</th>");
}

static void put_row(lb_doc *doc, const lb_speed *speed, size_t levels)
{
    double largest = largest_rate(speed, levels);
    for (size_t i = 0; i < levels; i++) {
        const lb_speed *level = &speed[i];
        lb_doc_puts(doc, "<tr>");
        if (i == 0)
            put_name(doc, level, levels);
        lb_doc_puts(doc, "<td>");
        lb_escape_html(doc, level->cpu, LB_HTML_NAME);
        lb_doc_puts(doc, "</td>");
        put_bar(doc, level, largest);
        lb_doc_puts(doc, "<td class=\"n\">");
        lb_doc_rate(doc, level->rate);
        lb_escape_html(doc, level->rate > 0 ? level->unit : "", LB_HTML_NAME);
        lb_doc_puts(doc, "</td>");
        put_figure(doc, level->noise_percent, 1, "± ", " %");
        put_figure(doc, level->percent_of_peak, 1, "", " %");
        put_figure(doc, is_known(level->seconds) ? level->seconds * 1e6 : 0, 2, "", " µs");
        put_change(doc, level);
    }
}

void lb_html_speed(lb_html *page)
{
    static const char *const columns[] = {
        "Row",     "Level",          "<span class=\"unseen\">Rate, drawn</span>",
        "#Rate",   "#Noise",         "#Of peak",
        "#A call", "#Since baseline"};
    const lb_run_info *info = page->info;
    if (info->speed_count == 0)
        return;
    lb_html_section(&page->doc, "speed", "Speed");
    lb_doc_puts(
        &page->doc,
        "<p>Each row of the benchmark, the instruction-set levels of the port side by side: what "
        "it "
        "does in a second, on a scale of its own, with the noise as a line across the end of the "
        "bar (half the distance between the quartiles of its runs), and how much that is of what "
        "the machine can do at best. A mark stands where the run that it is compared with "
        "was.</p>\n");
    lb_html_table(&page->doc, "figures speeds", "Speed by row and instruction-set level", columns,
                  8);
    size_t end = 0;
    for (size_t first = 0; first < info->speed_count && first < MAX_ROWS; first = end) {
        end = end_of_row(info, first);
        put_row(&page->doc, &info->speed[first], end - first);
    }
    lb_html_table_end(&page->doc);
    if (end < info->speed_count) {
        lb_doc_printf(&page->doc, "<p>%zu more measurements are left out here.</p>\n",
                      info->speed_count - end);
    }
    lb_doc_puts(&page->doc, "</section>\n");
}
