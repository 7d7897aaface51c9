/* Coverage in the HTML report: a heat map of the functions, the points that were missed, and source
 * lines. */
#include "escape.h"
#include "html_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TILES = 2000, MAX_ROOMS = 300, MAX_POINTS = 400, HEAT_CLASSES = 5 };

static double percent_of(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 100 : 100.0 * (double)part / (double)whole;
}

/* The class of a tile: 4 all, 3 from nine tenths, 2 from three quarters, 1 from a half, 0 less. */
static unsigned heat_of(const lb_coverage *coverage)
{
    double percent = percent_of(coverage->hit, coverage->points);
    return coverage->hit >= coverage->points ? 4
           : percent >= 90                   ? 3
           : percent >= 75                   ? 2
           : percent >= 50                   ? 1
                                             : 0;
}

/* Order of the missed points: the functions that miss most of their points first. */
static int by_missed(const void *a, const void *b)
{
    const lb_coverage *left = *(const lb_coverage *const *)a,
                      *right = *(const lb_coverage *const *)b;
    double x = percent_of(left->hit, left->points), y = percent_of(right->hit, right->points);
    return x != y ? (x < y ? -1 : 1) : strcmp(left->function, right->function);
}

static void put_tile(lb_doc *doc, const lb_coverage *coverage, size_t number)
{
    bool listed = coverage->missed_count + coverage->unreachable_count > 0;
    lb_doc_printf(doc, "<li class=\"heat%u\">", heat_of(coverage));
    if (listed)
        lb_doc_printf(doc, "<a href=\"#c%zu\">", number);
    lb_doc_puts(doc, "<span class=\"name\">");
    lb_escape_html(doc, coverage->function, LB_HTML_NAME);
    lb_doc_puts(doc, "</span> <span class=\"percent\">");
    lb_doc_percent(doc, coverage->hit, coverage->points);
    lb_doc_printf(doc, "</span> <span class=\"of\">%u of %u</span>", coverage->hit,
                  coverage->points);
    lb_doc_puts(doc, listed ? "</a></li>\n" : "</li>\n");
}

static void put_heat_map(lb_doc *doc, const lb_run_info *info)
{
    static const char *const words[HEAT_CLASSES] = {"less than half", "from 50 %", "from 75 %",
                                                    "from 90 %", "all"};
    lb_doc_puts(doc, "<ul class=\"legend heat-legend\" aria-label=\"Colours of the heat map\">");
    for (unsigned class = HEAT_CLASSES; class -- > 0;)
        lb_doc_printf(doc, "<li><span class=\"swatch heat%u\"></span>%s</li>", class, words[class]);
    lb_doc_puts(doc, "</ul>\n<ul class=\"heat\" aria-label=\"Coverage of each function\">\n");
    size_t count = info->coverage_count < MAX_TILES ? info->coverage_count : MAX_TILES;
    for (size_t i = 0; i < count; i++)
        put_tile(doc, &info->coverage[i], i);
    lb_doc_puts(doc, "</ul>\n");
    if (count < info->coverage_count) {
        lb_doc_printf(doc, "<p>%zu more functions are left out here.</p>\n",
                      info->coverage_count - count);
    }
}

static void put_names(lb_doc *doc, const lb_coverage *coverage)
{
    lb_doc_puts(doc, "<p>");
    for (size_t i = 0; i < coverage->missed_count && i < MAX_POINTS; i++) {
        lb_doc_puts(doc, i == 0 ? "" : " ");
        lb_html_code(doc, coverage->missed[i]);
    }
    if (coverage->missed_count > MAX_POINTS)
        lb_doc_printf(doc, " and %zu more", coverage->missed_count - MAX_POINTS);
    lb_doc_puts(doc, "</p>\n");
}

static void put_unreachable(lb_doc *doc, const lb_coverage *coverage)
{
    lb_doc_puts(doc, "<p>No case can reach:</p><ul>");
    for (size_t i = 0; i < coverage->unreachable_count && i < MAX_POINTS; i++) {
        lb_doc_puts(doc, "<li>");
        lb_html_code(doc, coverage->unreachable[i].point);
        lb_doc_puts(doc, coverage->unreachable[i].why[0] != '\0' ? ": " : "");
        lb_escape_html(doc, coverage->unreachable[i].why, LB_HTML_TEXT);
        lb_doc_puts(doc, "</li>\n");
    }
    lb_doc_puts(doc, "</ul>\n");
}

/* What one function missed, folded up: there can be hundreds of points. */
static void put_function(lb_doc *doc, const lb_coverage *coverage, size_t number)
{
    lb_doc_printf(doc, "<details class=\"points\" id=\"c%zu\"><summary>", number);
    lb_html_code(doc, coverage->function);
    lb_doc_puts(doc, " <span>");
    lb_doc_grouped(doc, coverage->missed_count);
    lb_doc_printf(doc, " of %u missed", coverage->points);
    if (coverage->unreachable_count > 0)
        lb_doc_printf(doc, ", %zu out of reach", coverage->unreachable_count);
    lb_doc_puts(doc, "</span></summary>\n");
    if (coverage->missed_count > 0)
        put_names(doc, coverage);
    if (coverage->unreachable_count > 0)
        put_unreachable(doc, coverage);
    lb_doc_puts(doc, "</details>\n");
}

/* Functions that miss points, or have some that nobody can reach; the worst first. */
static void put_missed(lb_html *page)
{
    const lb_run_info *info = page->info;
    lb_doc *doc = &page->doc;
    const lb_coverage **list = calloc(info->coverage_count + 1, sizeof *list);
    size_t count = 0;
    doc->failed = doc->failed || !list;
    for (size_t i = 0; list && i < info->coverage_count && i < MAX_TILES; i++)
        if (info->coverage[i].missed_count + info->coverage[i].unreachable_count > 0)
            list[count++] = &info->coverage[i];
    if (count > 0) {
        qsort(list, count, sizeof *list, by_missed);
        lb_doc_puts(doc, "<h3>Missed points</h3>\n");
    }
    for (size_t i = 0; i < count; i++) {
        put_function(doc, list[i], (size_t)(list[i] - info->coverage));
        lb_doc_flush_full(doc, page->out);
    }
    free(list);
}

void lb_html_coverage(lb_html *page)
{
    lb_doc *doc = &page->doc;
    uint64_t points, hit;
    if (page->info->coverage_count == 0)
        return;
    lb_run_coverage(page->info, &points, &hit);
    lb_html_fold(doc, "coverage", "Coverage", hit < points);
    lb_doc_puts(doc, "<p>Named points of behaviour of each function that the cases came by: ");
    lb_doc_grouped(doc, hit);
    lb_doc_puts(doc, " of ");
    lb_doc_grouped(doc, points);
    if (page->info->coverage_level[0] != '\0') {
        lb_doc_puts(doc, " at level ");
        lb_escape_html(doc, page->info->coverage_level, LB_HTML_NAME);
    }
    lb_doc_puts(doc, ". What no case can reach does not count.</p>\n");
    put_heat_map(doc, page->info);
    put_missed(page);
    lb_html_fold_end(doc);
}

/* ---- Source lines ---- */

/* A link of a results file is followed only to a page beside this one or on the web. */
static bool is_safe_link(const char *link)
{
    if (strncmp(link, "https://", 8) == 0 || strncmp(link, "http://", 7) == 0)
        return true;
    size_t plain = strcspn(link, ":/?#");
    return link[0] != '\0' && link[plain] != ':' && !(link[0] == '/' && link[1] == '/');
}

static void put_lines_cell(lb_doc *doc, uint64_t hit, uint64_t all)
{
    lb_doc_puts(doc, "<td class=\"n\">");
    if (all > 0)
        lb_doc_percent(doc, hit, all);
    lb_doc_puts(doc, "</td><td class=\"n\">");
    if (all > 0) {
        lb_doc_grouped(doc, hit);
        lb_doc_puts(doc, " of ");
        lb_doc_grouped(doc, all);
    }
    lb_doc_puts(doc, "</td>");
}

void lb_html_lines(lb_html *page)
{
    static const char *const columns[] = {"Sources", "#Lines", "#Lines run", "#Branches",
                                          "#Branches taken"};
    lb_doc *doc = &page->doc;
    if (page->info->lines_count == 0)
        return;
    lb_html_fold(doc, "lines", "Lines of source that ran", false);
    lb_html_table(doc, "lines-table", "Line coverage of each room", columns, 5);
    for (size_t i = 0; i < page->info->lines_count && i < MAX_ROOMS; i++) {
        const lb_line_coverage *room = &page->info->lines[i];
        bool safe = is_safe_link(room->link);
        lb_doc_puts(doc, "<tr><th scope=\"row\">");
        if (safe) {
            lb_doc_puts(doc, "<a rel=\"noreferrer\" href=\"");
            lb_escape_html(doc, room->link, LB_HTML_SHELL);
            lb_doc_puts(doc, "\">");
        }
        lb_html_code(doc, room->room);
        lb_doc_puts(doc, safe ? "</a></th>" : "</th>");
        put_lines_cell(doc, room->lines_hit, room->lines);
        put_lines_cell(doc, room->branches_hit, room->branches);
        lb_doc_puts(doc, "</tr>\n");
    }
    lb_html_table_end(doc);
    lb_html_fold_end(doc);
}
