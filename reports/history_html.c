/* The page of a history: charts, runs, unsteady cases, what fails and since when. One file, no
 * script. */
#include "history.h"

#include "escape.h"
#include "html_page.h"
#include "html_parts.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHART_WIDTH = 560,
    CHART_HEIGHT = 150,
    LEAST_LEFT = 62,
    RIGHT = 12,
    TOP = 12,
    BOTTOM = 26,
    MAX_CASES = 200, /* of a table */
    MAX_STRIP = 40   /* runs shown of a case */
};

/* ---- Charts ---- */

typedef struct chart {
    const char *id, *title, *unit;
    int decimals;
    const char *nothing;                        /* why there may be none */
    double (*value)(const lb_history_run *run); /* NAN: not known of this run */
    const char *class;
} chart;

/* Cut, not rounded: 100 is said of all of it alone. */
static double percent(double part, double whole)
{
    return floor(10000 * part / whole) / 100;
}

static double passed_percent(const lb_history_run *run)
{
    double passed = (double)lb_tally_passed(&run->tally),
           failed = (double)lb_tally_failed(&run->tally);
    return passed + failed > 0 ? percent(passed, passed + failed) : NAN;
}

static double failed(const lb_history_run *run)
{
    return (double)lb_tally_failed(&run->tally);
}

static double headroom(const lb_history_run *run)
{
    return run->headroom == INT_MAX ? NAN : (double)run->headroom;
}

static double coverage(const lb_history_run *run)
{
    return run->points > 0 ? percent((double)run->hit, (double)run->points) : NAN;
}

static double strength(const lb_history_run *run)
{
    return run->faults > 0 ? percent((double)run->caught, (double)run->faults) : NAN;
}

static double speed(const lb_history_run *run)
{
    return run->speed > 0 ? 100 * run->speed : NAN;
}

static double call_time(const lb_history_run *run)
{
    double passed = (double)lb_tally_passed(&run->tally);
    return passed > 0 && run->microseconds > 0 ? run->microseconds / passed : NAN;
}

static const chart charts[] = {
    {"failed", "Failing results", "", 0, "", failed, "fill far"},
    {"passed", "Passed, of what was judged", " %", 2, "", passed_percent, "fill"},
    {"coverage", "Coverage", " %", 1, "no run tells its coverage", coverage, "fill"},
    {"strength", "Strength of the suites", " %", 1,
     "no run was given what \"lastbit vectors strength --json\" measured (run --strength)",
     strength, "fill"},
    {"headroom", "Smallest headroom of an accumulator", " bits", 0, "no run has an accumulator",
     headroom, "fill"},
    {"speed", "Speed of the benchmark, the first run 100", " %", 1,
     "no run holds rows of the benchmark", speed, "fill"},
    {"time", "Mean time of a call that passed", " µs", 2, "no run tells times", call_time, "fill"}};

typedef struct range {
    double low, high;
    size_t count, last; /* values, and the run of the last one */
    int left;           /* room for the labels of the axis */
} range;

/* Of a value with its unit, in the letters of the page. */
static int label_width(double value, const chart *c)
{
    enum { LETTER = 7, GAP = 8 };
    char text[64];
    return LETTER * snprintf(text, sizeof text, "%.*f%s", c->decimals, value, c->unit) + GAP;
}

static range range_of(const lb_history *h, const chart *c)
{
    range r = {INFINITY, -INFINITY, 0, 0, LEAST_LEFT};
    for (size_t i = 0; i < h->count; i++) {
        double value = c->value(&h->runs[i]);
        if (isfinite(value)) {
            r.low = fmin(r.low, value);
            r.high = fmax(r.high, value);
            r.last = i;
            r.count++;
        }
    }
    int low = label_width(r.low, c), high = label_width(r.high, c);
    r.left = r.count == 0 ? LEAST_LEFT : low > high ? low : high;
    r.left = r.left < LEAST_LEFT ? LEAST_LEFT : r.left;
    return r;
}

static double x_of(const lb_history *h, const range *r, size_t run)
{
    double width = CHART_WIDTH - r->left - RIGHT;
    return h->count < 2 ? r->left + width / 2
                        : r->left + width * (double)run / (double)(h->count - 1);
}

/* A constant line lies in the middle. */
static double y_of(const range *r, double value)
{
    double height = CHART_HEIGHT - TOP - BOTTOM;
    return r->high > r->low ? TOP + height * (r->high - value) / (r->high - r->low)
                            : TOP + height / 2;
}

static void put_label(lb_doc *doc, const range *r, double value, const chart *c)
{
    double y = y_of(r, value);
    lb_doc_printf(doc,
                  "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text class=\"to\" x=\"%d\" y=\"%.1f\">",
                  r->left, y, CHART_WIDTH - RIGHT, r->left - 6, y + 4);
    lb_doc_printf(doc, "%.*f%s</text>", c->decimals, value, c->unit);
}

static void put_date(lb_doc *doc, const lb_history *h, const range *r, size_t run,
                     const char *anchor)
{
    lb_doc_printf(doc, "<text class=\"%s\" x=\"%.1f\" y=\"%d\">", anchor, x_of(h, r, run),
                  CHART_HEIGHT - 8);
    char day[12];
    snprintf(day, sizeof day, "%.10s", h->runs[run].started);
    lb_escape_html(doc, day, LB_HTML_NAME);
    lb_doc_puts(doc, "</text>");
}

/* The line, broken where a run has no value, and a point for each run that says what it is. */
static void put_values(lb_doc *doc, const lb_history *h, const chart *c, const range *r)
{
    bool drawing = false;
    lb_doc_puts(doc, "<path class=\"trend\" d=\"");
    for (size_t i = 0; i < h->count; i++) {
        double value = c->value(&h->runs[i]);
        if (isfinite(value))
            lb_doc_printf(doc, "%c%.1f %.1f", drawing ? 'L' : 'M', x_of(h, r, i), y_of(r, value));
        drawing = isfinite(value);
    }
    lb_doc_puts(doc, "\"/>");
    for (size_t i = 0; i < h->count; i++) {
        double value = c->value(&h->runs[i]);
        char when[64];
        if (!isfinite(value))
            continue;
        lb_readable_time(h->runs[i].started, when, sizeof when);
        lb_doc_printf(doc, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>", c->class,
                      x_of(h, r, i), y_of(r, value));
        lb_escape_html(doc, when, LB_HTML_NAME);
        lb_doc_printf(doc, ": %.*f%s</title></circle>", c->decimals, value, c->unit);
    }
}

static void put_chart(lb_doc *doc, const lb_history *h, const chart *c)
{
    range r = range_of(h, c);
    if (r.count == 0)
        return;
    double last = c->value(&h->runs[r.last]);
    lb_doc_printf(
        doc,
        "<figure class=\"chart\" id=\"%s\"><figcaption>%s <span>now %.*f%s</span></figcaption>",
        c->id, c->title, c->decimals, last, c->unit);
    lb_doc_printf(
        doc,
        "<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"%s in %zu runs: from %.*f to "
        "%.*f, at last %.*f%s\">",
        CHART_WIDTH, CHART_HEIGHT, c->title, r.count, c->decimals, r.low, c->decimals, r.high,
        c->decimals, last, c->unit);
    put_label(doc, &r, r.high, c);
    if (r.high > r.low)
        put_label(doc, &r, r.low, c);
    put_date(doc, h, &r, 0, h->count > 1 ? "start" : "middle");
    if (h->count > 1)
        put_date(doc, h, &r, h->count - 1, "end");
    put_values(doc, h, c, &r);
    lb_doc_puts(doc, "</svg></figure>\n");
}

static void put_charts(lb_doc *doc, const lb_history *h)
{
    lb_html_section(doc, "trends", "Trends");
    lb_doc_puts(doc, "<p>A point for each run, the earliest on the left; a pointer on it shows its "
                     "time. The numbers are in the table of runs.</p>\n<div class=\"charts\">\n");
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
        put_chart(doc, h, &charts[i]);
    lb_doc_puts(doc, "</div>\n");
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++) {
        if (charts[i].nothing[0] != '\0' && range_of(h, &charts[i]).count == 0) {
            lb_doc_printf(doc, "<p class=\"small\">No chart of \"%s\": ", charts[i].title);
            lb_escape_html(doc, charts[i].nothing, 0);
            lb_doc_puts(doc, ".</p>\n");
        }
    }
    lb_doc_puts(doc, "</section>\n");
}

/* ---- Runs ---- */

static void put_figure(lb_doc *doc, double value, int decimals, const char *unit)
{
    lb_doc_puts(doc, "<td class=\"n\">");
    if (isfinite(value))
        lb_doc_printf(doc, "%.*f%s", decimals, value, unit);
    lb_doc_puts(doc, "</td>");
}

static const char *verdict_of(const lb_history_run *run)
{
    return lb_tally_failed(&run->tally) > 0   ? "fail"
           : lb_tally_passed(&run->tally) > 0 ? "pass"
                                              : "skip";
}

static void put_run(lb_doc *doc, const lb_history_run *run)
{
    char when[64];
    lb_readable_time(run->started, when, sizeof when);
    lb_doc_printf(doc, "<tr class=\"%s\"><th scope=\"row\">", verdict_of(run));
    lb_html_icon(doc, verdict_of(run));
    lb_doc_puts(doc, "<span class=\"whole\">");
    lb_escape_html(doc, when, LB_HTML_NAME);
    lb_doc_puts(doc, run->is_short  ? "</span> <span class=\"profile\">INCOMPLETE</span><br>"
                     : run->is_part ? "</span> <span class=\"profile\">a part</span><br>"
                                    : "</span><br>");
    lb_doc_puts(doc, "<span class=\"quiet small\">");
    lb_escape_html(doc, run->path, LB_HTML_NAME);
    lb_doc_puts(doc, "</span></th><td>");
    lb_html_name(doc, run->port);
    lb_doc_puts(doc, run->product[0] != '\0' ? "<br>" : "");
    lb_escape_html(doc, run->product, LB_HTML_NAME);
    lb_doc_puts(doc, "</td>");
    lb_html_number(doc, lb_tally_passed(&run->tally));
    lb_html_number(doc, lb_tally_failed(&run->tally));
    lb_html_number(doc, lb_tally_skipped(&run->tally));
    put_figure(doc, coverage(run), 1, " %");
    put_figure(doc, strength(run), 1, " %");
    put_figure(doc, headroom(run), 0, "");
    put_figure(doc, speed(run), 1, " %");
    put_figure(doc, call_time(run), 2, " µs");
    lb_doc_puts(doc, "</tr>\n");
}

static void put_runs(lb_doc *doc, const lb_history *h, FILE *out)
{
    static const char *const columns[] = {"Run",      "Port",      "#Passed",   "#Failed",
                                          "#Skipped", "#Coverage", "#Strength", "#Headroom",
                                          "#Speed",   "#A call"};
    lb_html_section(doc, "runs", "Runs");
    lb_html_table(doc, "runs", "Runs, the latest first", columns, 10);
    for (size_t i = h->count; i-- > 0;) {
        put_run(doc, &h->runs[i]);
        lb_doc_flush_full(doc, out);
    }
    lb_html_table_end(doc);
    lb_doc_puts(doc, "</section>\n");
}

/* ---- Cases ---- */

/* "SUITE\nID\nPROFILE" in its parts. */
static void put_case(lb_doc *doc, const char *key)
{
    lb_doc part = lb_doc_make();
    const char *id = strchr(key, '\n') + 1, *profile = strrchr(key, '\n') + 1;
    lb_doc_bytes(&part, id, (size_t)(profile - 1 - id));
    lb_doc_char(&part, '\0');
    lb_doc_puts(doc, "<th scope=\"row\">");
    lb_html_name(doc, part.failed ? "" : part.text);
    lb_doc_puts(doc, " <span class=\"profile\">");
    lb_escape_html(doc, profile, LB_HTML_NAME);
    lb_doc_puts(doc, "</span></th>");
    lb_doc_free(&part);
}

/* A square for each of the last runs. */
static void put_strip(lb_doc *doc, const lb_history *h, size_t number)
{
    enum { SIDE = 11, STEP = 14 };
    size_t first = h->count > MAX_STRIP ? h->count - MAX_STRIP : 0;
    lb_doc_printf(doc, "<td><svg role=\"img\" width=\"%zu\" height=\"%d\" aria-label=\"",
                  (h->count - first) * STEP, SIDE);
    for (size_t i = first; i < h->count; i++) {
        const lb_history_run *run = &h->runs[i];
        unsigned known = number < run->verdict_count ? run->verdicts[number] : 0;
        lb_doc_printf(doc, "%s%s", i > first ? ", " : "",
                      known ? lb_verdict_name((lb_verdict)(known - 1)) : "absent");
    }
    lb_doc_puts(doc, "\">");
    for (size_t i = first; i < h->count; i++) {
        const lb_history_run *run = &h->runs[i];
        unsigned known = number < run->verdict_count ? run->verdicts[number] : 0;
        if (known) {
            lb_doc_printf(
                doc,
                "<g class=\"q %s\"><rect x=\"%zu\" width=\"%d\" height=\"%d\" rx=\"2\"><title>",
                lb_verdict_name((lb_verdict)(known - 1)), (i - first) * STEP, SIDE, SIDE);
            lb_escape_html(doc, run->started, LB_HTML_NAME);
            lb_doc_printf(doc, ": %s</title></rect></g>", lb_verdict_name((lb_verdict)(known - 1)));
        }
    }
    lb_doc_puts(doc, "</svg></td>");
}

typedef struct ranked {
    size_t number, weight;
} ranked;

static int by_weight(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Cases with a weight above 0, the heaviest first; NULL: out of memory. The caller frees it. */
static ranked *rank(const lb_history *h, size_t (*weight)(const lb_history *h, size_t number),
                    size_t *count)
{
    ranked *list = calloc(h->cases.count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < h->cases.count; i++) {
        size_t heavy = weight(h, i);
        if (heavy > 0)
            list[(*count)++] = (ranked){i, heavy};
    }
    if (list)
        qsort(list, *count, sizeof *list, by_weight);
    return list;
}

/* Between runs of the same port and suites a verdict has no reason to change; one that went to and
 * fro twice is suspicious in any case. */
static size_t flakiness(const lb_history *h, size_t number)
{
    const lb_history_case *c = &h->facts[number];
    return c->unsteady > 0 || c->changes > 1 ? 1000 * c->unsteady + c->changes : 0;
}

/* Those that began to fail last stand first: somebody has just broken them. */
static size_t failing_since(const lb_history *h, size_t number)
{
    size_t since = h->facts[number].failing_since;
    return since == SIZE_MAX ? 0 : since + 1;
}

static void put_flaky_row(lb_doc *doc, const lb_history *h, size_t number)
{
    const lb_history_case *c = &h->facts[number];
    bool within = number < h->again_room && h->again[number];
    lb_html_number(doc, c->changes);
    lb_doc_puts(doc, "<td>");
    if (within)
        lb_doc_puts(doc, "not the same each time within a run");
    if (c->unsteady == 0)
        lb_doc_puts(doc, "to and fro, between runs whose port or suites differ");
    if (c->unsteady > within) {
        lb_doc_printf(doc, "%schanged %zu time%s between runs of the same port and suites",
                      within ? "; " : "", c->unsteady - within,
                      c->unsteady - within == 1 ? "" : "s");
    }
    lb_doc_puts(doc, "</td>");
}

static void put_failing_row(lb_doc *doc, const lb_history *h, size_t number)
{
    size_t since = h->facts[number].failing_since;
    char when[64];
    lb_readable_time(h->runs[since].started, when, sizeof when);
    lb_doc_puts(doc, "<td class=\"n\">");
    lb_doc_u64(doc, h->count - since);
    lb_doc_puts(doc, "</td><td>");
    lb_escape_html(doc, when, LB_HTML_NAME);
    lb_doc_puts(doc, "</td>");
}

typedef struct case_table {
    const char *id, *title, *words, *none;
    const char *columns[4];
    size_t (*weight)(const lb_history *h, size_t number);
    void (*row)(lb_doc *doc, const lb_history *h, size_t number);
} case_table;

static const case_table tables[] = {
    {"flaky",
     "Flaky cases",
     "Verdicts that changed though port and suites were the same, that went to and fro, or that "
     "were not the same each time within one run.",
     "None.",
     {"Case", "#Changes", "Why", "Runs"},
     flakiness,
     put_flaky_row},
    {"failing",
     "Failing now",
     "What fails in the latest run, what began to fail last first.",
     "Nothing.",
     {"Case", "#Runs", "Since", "Runs"},
     failing_since,
     put_failing_row}};

static bool put_cases(lb_doc *doc, const lb_history *h, const case_table *table, FILE *out)
{
    size_t count;
    ranked *list = rank(h, table->weight, &count);
    if (!list)
        return false;
    lb_html_section(doc, table->id, table->title);
    lb_doc_printf(doc, "<p>%s", table->words);
    lb_doc_printf(doc, " %s</p>\n", count == 0 ? table->none : "");
    if (count > 0) {
        lb_html_table(doc, "cases", table->title, table->columns, 4);
        for (size_t i = 0; i < count && i < MAX_CASES; i++) {
            lb_doc_puts(doc, "<tr>");
            put_case(doc, h->cases.list[list[i].number]);
            table->row(doc, h, list[i].number);
            put_strip(doc, h, list[i].number);
            lb_doc_puts(doc, "</tr>\n");
            lb_doc_flush_full(doc, out);
        }
        lb_html_table_end(doc);
    }
    if (count > MAX_CASES)
        lb_doc_printf(doc, "<p>%zu more are left out here.</p>\n", count - MAX_CASES);
    lb_doc_puts(doc, "</section>\n");
    free(list);
    return true;
}

/* ---- The page ---- */

static void put_part(lb_doc *doc, const lb_page_part *part)
{
    for (size_t i = 0; i < part->count; i++)
        lb_doc_char(doc, (char)part->bytes[i]);
}

static void put_head(lb_doc *doc)
{
    lb_doc_puts(doc, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n");
    lb_doc_printf(doc,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n",
                  lb_page_css.sha256_base64);
    lb_doc_puts(doc,
                "<meta name=\"generator\" content=\"lastbit\">\n<title>lastbit history</title>\n"
                "<style>");
    put_part(doc, &lb_page_css);
    lb_doc_puts(doc, "</style>\n</head>\n<body>\n");
    put_part(doc, &lb_page_svg);
    lb_doc_puts(doc, "<header class=\"top\"><div><p class=\"brand\"><strong>lastbit</strong> "
                     "history</p></div></header>\n<nav aria-label=\"Sections\"><ul>"
                     "<li><a href=\"#trends\">Trends</a></li>"
                     "<li><a href=\"#flaky\">Flaky cases</a></li>"
                     "<li><a href=\"#failing\">Failing now</a></li>"
                     "<li><a href=\"#runs\">Runs</a></li></ul></nav>\n");
}

static void put_summary(lb_doc *doc, const lb_history *h)
{
    const lb_history_run *last = &h->runs[h->count - 1];
    bool fails = lb_tally_failed(&last->tally) > 0, passes = lb_tally_passed(&last->tally) > 0;
    char first_time[64], last_time[64];
    lb_readable_time(h->runs[0].started, first_time, sizeof first_time);
    lb_readable_time(last->started, last_time, sizeof last_time);
    lb_doc_printf(doc, "<main id=\"main\">\n<section class=\"verdict %s\">",
                  fails    ? "failed"
                  : passes ? "passed"
                           : "nothing");
    lb_html_icon(doc, fails ? "fail" : passes ? "pass" : "nothing");
    lb_doc_printf(doc, "<div><h1>The latest run %s</h1><p>%zu run%s, ",
                  fails    ? "failed"
                  : passes ? "passed"
                           : "tested nothing",
                  h->count, h->count == 1 ? "" : "s");
    lb_escape_html(doc, first_time, LB_HTML_NAME);
    if (h->count > 1) {
        lb_doc_puts(doc, " to ");
        lb_escape_html(doc, last_time, LB_HTML_NAME);
    }
    lb_doc_printf(doc, ". In the latest %" PRIu64 " passed, ", lb_tally_passed(&last->tally));
    lb_doc_printf(doc, "%" PRIu64 " failed, %" PRIu64 " skipped.</p></div></section>\n",
                  lb_tally_failed(&last->tally), lb_tally_skipped(&last->tally));
}

bool lb_history_html(const lb_history *h, FILE *out)
{
    lb_doc doc = lb_doc_make();
    bool good = h->count > 0;
    put_head(&doc);
    put_summary(&doc, h);
    put_charts(&doc, h);
    for (size_t i = 0; good && i < sizeof tables / sizeof tables[0]; i++)
        good = put_cases(&doc, h, &tables[i], out);
    put_runs(&doc, h, out);
    lb_doc_puts(&doc, "</main>\n<footer><p>Made by lastbit from stored results.</p></footer>\n"
                      "</body>\n</html>\n");
    good = lb_doc_flush(&doc, out) && good;
    lb_doc_free(&doc);
    return good;
}
