/* The list of all results in the HTML report: its controls, and the results as columns of numbers
 * over tables of strings, so that a hundred thousand of them stay small. Where they would still
 * grow too large, results that passed are left out first, and the page says so. */
#include "escape.h"
#include "html_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With the rest of the page less than 30 MB. */
enum { PASS_BYTES = 12 << 20, DATA_BYTES = 22 << 20, MAP_CELLS = 1024 };

typedef struct column {
    const char *key;
    lb_doc doc;
} column;

enum {
    CASE_ID,
    CASE_FUNCTION,
    CASE_SUITE,
    CASE_FILE,
    CASE_LINE,
    ROW_CASE,
    ROW_PROFILE,
    ROW_MICROSECONDS,
    ROW_HEADROOM,
    ROW_STEPS,
    REASON_ROW,
    REASON,
    SUITES,
    FILES,
    REASONS,
    COLUMN_COUNT
};

typedef struct data {
    const lb_facts *facts;
    column columns[COLUMN_COUNT];
    lb_doc verdicts, agreements; /* a letter a row */
    lb_doc details;              /* "ROW":[...], of what failed */
    lb_names suites, files, cases, reasons;
    uint64_t rows;
} data;

static void make_data(data *all, const lb_facts *facts)
{
    static const char *const keys[COLUMN_COUNT] = {
        "caseId",   "caseFunction", "caseSuite", "caseFile", "caseLine", "case",  "profile", "us",
        "headroom", "steps",        "reasonRow", "reason",   "suites",   "files", "reasons"};
    *all = (data){.facts = facts,
                  .verdicts = lb_doc_make(),
                  .agreements = lb_doc_make(),
                  .details = lb_doc_make()};
    for (int i = 0; i < COLUMN_COUNT; i++) {
        all->columns[i] = (column){keys[i], lb_doc_make()};
    }
}

static void free_data(data *all)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        lb_doc_free(&all->columns[i].doc);
    }
    lb_doc_free(&all->verdicts);
    lb_doc_free(&all->agreements);
    lb_doc_free(&all->details);
    lb_names_free(&all->suites);
    lb_names_free(&all->files);
    lb_names_free(&all->cases);
    lb_names_free(&all->reasons);
}

/* Of everything written so far, but for the details. */
static size_t count_bytes(const data *all)
{
    size_t bytes = all->verdicts.length + all->agreements.length;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        bytes += all->columns[i].doc.length;
    }
    return bytes;
}

/* What all rows will need if they go on like those so far; a thousand ordinary ones count as seen,
 * and numbers grow longer towards the end. Details may use the rest: a row in the list is worth
 * more than the details of another. */
static double expect_bytes(const data *all)
{
    const double ordinary = 64, count = 1000, growth = 1.15;
    double each = ((double)count_bytes(all) + ordinary * count) / ((double)all->rows + count);
    return growth * each * (double)all->facts->count;
}

/* The document of a column, at its next value. */
static lb_doc *next_value(data *all, int index)
{
    lb_doc *doc = &all->columns[index].doc;
    if (doc->length > 0) {
        lb_doc_char(doc, ',');
    }
    return doc;
}

/* The number of a string in a table; a new one is written to the table's column. */
static size_t add_name(data *all, lb_names *names, int index, const char *text, size_t limit)
{
    size_t known = names->count;
    size_t number = lb_names_add(names, text);
    if (number != LB_NO_NAME && number >= known) {
        lb_escape_script(next_value(all, index), text, limit);
    }
    return number;
}

/* What makes a case one: everything but the profile, a line each. */
static size_t add_case(data *all, const lb_result *result)
{
    lb_doc key = lb_doc_make();
    const char *const parts[] = {result->id,    "\n", result->function, "\n",
                                 result->suite, "\n", result->file,     "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        lb_doc_puts(&key, parts[i]);
    }
    lb_doc_u64(&key, result->line);
    lb_doc_char(&key, '\0');
    size_t number = key.failed ? LB_NO_NAME : lb_names_add(&all->cases, key.text);
    lb_doc_free(&key);
    return number;
}

/* The number of a result's case: what its profiles share is written once. */
static size_t find_case(data *all, const lb_result *result)
{
    size_t known = all->cases.count;
    size_t number = add_case(all, result);
    if (number == LB_NO_NAME || number < known) {
        return number;
    }
    size_t suite = add_name(all, &all->suites, SUITES, result->suite, LB_HTML_NAME);
    size_t file = add_name(all, &all->files, FILES, result->file, LB_HTML_NAME);
    size_t function = lb_names_find(&all->facts->functions, result->function);
    if (suite == LB_NO_NAME || file == LB_NO_NAME || function == LB_NO_NAME) {
        return LB_NO_NAME;
    }
    lb_escape_script(next_value(all, CASE_ID), result->id, LB_HTML_NAME);
    lb_doc_u64(next_value(all, CASE_FUNCTION), function);
    lb_doc_u64(next_value(all, CASE_SUITE), suite);
    lb_doc_u64(next_value(all, CASE_FILE), file);
    lb_doc_u64(next_value(all, CASE_LINE), result->line);
    return number;
}

static void add_figures(data *all, const lb_result *result)
{
    double steps = NAN;
    for (unsigned i = 0; i < result->tolerance_count; i++) {
        double largest = result->tolerances[i].max_steps;
        steps = isnan(steps) || largest > steps ? largest : steps;
    }
    lb_doc_double(next_value(all, ROW_MICROSECONDS), result->microseconds, 4, "0");
    lb_doc_double(next_value(all, ROW_STEPS), steps, 4, "null");
    lb_doc *headroom = next_value(all, ROW_HEADROOM);
    if (result->accumulator.acc_bits == 0) {
        lb_doc_puts(headroom, "null");
    } else {
        lb_doc_i64(headroom, (int64_t)result->accumulator.acc_bits -
                                 lb_accumulator_needed(&result->accumulator));
    }
}

static bool add_reason(data *all, const lb_result *result)
{
    const char *reason = result->verdict == LB_PASS ? result->vacuous : result->reason;
    if (reason[0] == '\0') {
        return true;
    }
    size_t number = add_name(all, &all->reasons, REASONS, reason, LB_HTML_TEXT);
    if (number == LB_NO_NAME) {
        return false;
    }
    lb_doc_u64(next_value(all, REASON_ROW), all->rows);
    lb_doc_u64(next_value(all, REASON), number);
    return true;
}

static void put_strings(lb_doc *doc, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(doc, i == 0 ? "" : ",");
        lb_escape_script(doc, strings[i], LB_HTML_SHELL);
    }
}

static void put_difference(lb_doc *doc, const lb_difference *difference)
{
    const char *const strings[] = {difference->oracle,   difference->what,  difference->role,
                                   difference->field,    difference->index, difference->operands,
                                   difference->expected, difference->got};
    lb_doc_char(doc, '[');
    put_strings(doc, strings, sizeof strings / sizeof strings[0]);
    lb_doc_char(doc, ',');
    lb_doc_u64(doc, difference->count);
    lb_doc_char(doc, ',');
    lb_doc_u64(doc, difference->total);
    lb_doc_char(doc, ']');
}

/* What came to the format later: where it diverges, who waived it, its map where that is not large.
 */
static void add_more(lb_doc *doc, const lb_result *result)
{
    const char *const strings[] = {result->diverges_at, result->waiver};
    size_t cells = (size_t)result->map_rows * result->map_columns;
    lb_doc_char(doc, ',');
    put_strings(doc, strings, 2);
    if (cells > 0 && cells <= MAP_CELLS) {
        const char *const map[] = {result->map, result->map_role};
        lb_doc_printf(doc, ",%u,%u,", result->map_rows, result->map_columns);
        put_strings(doc, map, 2);
    }
}

static void add_details(data *all, const lb_result *result)
{
    const char *const strings[] = {result->outlier, result->status_expected, result->status_got,
                                   result->rule, result->reproduce};
    lb_doc *doc = &all->details;
    if (expect_bytes(all) + (double)doc->length > DATA_BYTES) {
        return;
    }
    lb_doc_puts(doc, doc->length > 0 ? ",\n\"" : "\"");
    lb_doc_u64(doc, all->rows);
    lb_doc_puts(doc, "\":[");
    put_strings(doc, strings, sizeof strings / sizeof strings[0]);
    for (unsigned i = 0; i < result->difference_count; i++) {
        lb_doc_puts(doc, i == 0 ? ",[" : ",");
        put_difference(doc, &result->differences[i]);
    }
    lb_doc_puts(doc, result->difference_count == 0 ? ",[]" : "]");
    add_more(doc, result);
    lb_doc_char(doc, ']');
}

static bool add_result(data *all, const lb_result *result)
{
    size_t bytes = count_bytes(all);
    if (bytes + all->details.length > DATA_BYTES ||
        (result->verdict == LB_PASS && bytes > PASS_BYTES)) {
        return true;
    }
    size_t case_number = find_case(all, result);
    size_t profile = lb_names_find(&all->facts->profiles, result->profile);
    if (case_number == LB_NO_NAME || profile == LB_NO_NAME || !add_reason(all, result)) {
        return false;
    }
    lb_doc_u64(next_value(all, ROW_CASE), case_number);
    lb_doc_u64(next_value(all, ROW_PROFILE), profile);
    lb_doc_char(&all->verdicts, lb_verdict_name(result->verdict)[0]);
    lb_doc_char(&all->agreements,
                (char)('A' + result->recorded * 9 + result->exact * 3 + result->real));
    add_figures(all, result);
    if (result->verdict == LB_FAIL || result->verdict == LB_ERROR || result->verdict == LB_WAIVED) {
        add_details(all, result);
    }
    all->rows++;
    return true;
}

/* ---- Written out ---- */

static void put_names(lb_html *page, const char *key, const lb_names *names)
{
    lb_doc_printf(&page->doc, ",\n\"%s\":[", key);
    for (size_t i = 0; i < names->count; i++) {
        lb_doc_puts(&page->doc, i == 0 ? "" : ",");
        lb_escape_script(&page->doc, names->list[i], LB_HTML_NAME);
        lb_doc_flush_full(&page->doc, page->out);
    }
    lb_doc_char(&page->doc, ']');
}

/* Takes over the text of a finished column. */
static void put_text(lb_html *page, const char *before, lb_doc *text, const char *after)
{
    lb_doc_puts(&page->doc, before);
    lb_doc_flush(&page->doc, page->out);
    page->doc.failed = !lb_doc_flush(text, page->out) || page->doc.failed;
    lb_doc_puts(&page->doc, after);
}

static void put_data(lb_html *page, data *all)
{
    lb_doc_puts(&page->doc, "<script type=\"application/json\" id=\"data\">{\"rows\":");
    lb_doc_u64(&page->doc, all->rows);
    lb_doc_puts(&page->doc, ",\"total\":");
    lb_doc_u64(&page->doc, all->facts->count);
    put_names(page, "profiles", &all->facts->profiles);
    put_names(page, "functions", &all->facts->functions);
    put_text(page, ",\n\"verdict\":\"", &all->verdicts, "\"");
    put_text(page, ",\n\"agreements\":\"", &all->agreements, "\"");
    for (int i = 0; i < COLUMN_COUNT; i++) {
        lb_doc_printf(&page->doc, ",\n\"%s\":[", all->columns[i].key);
        put_text(page, "", &all->columns[i].doc, "]");
    }
    put_text(page, ",\n\"details\":{", &all->details, "}");
    lb_doc_puts(&page->doc, "}</script>\n");
}

bool lb_html_data(lb_html *page, lb_results_reader *reader, char *error, size_t error_bytes)
{
    data all;
    const lb_result *result;
    make_data(&all, page->facts);
    snprintf(error, error_bytes, "%s", "");
    bool added = lb_results_rewind(reader);
    while (added && (result = lb_results_next(reader, error, error_bytes)) != NULL) {
        added = add_result(&all, result);
    }
    added = added && error[0] == '\0';
    if (added) {
        put_data(page, &all);
    }
    free_data(&all);
    return added && !page->doc.failed;
}

/* ---- Controls ---- */

static void put_select(lb_doc *doc, const char *id, const char *title, const char *first)
{
    lb_doc_printf(doc,
                  "<p><label for=\"%s\">%s</label><select id=\"%s\"><option "
                  "value=\"\">%s</option></select></p>\n",
                  id, title, id, first);
}

void lb_html_all(lb_html *page)
{
    lb_doc *doc = &page->doc;
    lb_html_section(doc, "all", "All results");
    lb_doc_puts(doc,
                "<noscript><p>The list of all results needs scripting. Everything above does not, "
                "and the results "
                "file holds every result.</p></noscript>\n"
                "<form id=\"filters\" role=\"search\" aria-label=\"Filter the results\" hidden>\n"
                "<p class=\"wide\"><label for=\"q\">Search</label><input id=\"q\" type=\"search\" "
                "autocomplete=\"off\" "
                "spellcheck=\"false\" placeholder=\"case, function, file, reason\"></p>\n");
    put_select(doc, "qf", "Function", "All functions");
    put_select(doc, "qp", "Profile", "All profiles");
    put_select(doc, "qs", "Suite", "All suites");
    lb_doc_puts(
        doc,
        "<p><label for=\"qo\">Order</label><select id=\"qo\"><option value=\"\">As run</option>"
        "<option value=\"us\">Slowest first</option><option value=\"headroom\">Least headroom "
        "first</option>"
        "<option value=\"steps\">Largest deviation first</option></select></p>\n"
        "<fieldset><legend>Verdict</legend>");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        const char *name = lb_verdict_name((lb_verdict)i);
        lb_doc_printf(
            doc, "<label class=\"%s\"><input type=\"checkbox\" name=\"v\" value=\"%c\" checked>",
            name, name[0]);
        lb_html_icon(doc, name);
        lb_doc_printf(doc, "%s <span class=\"count\">", lb_html_verdict((lb_verdict)i));
        lb_doc_grouped(doc, page->facts->tally.count[i]);
        lb_doc_puts(doc, "</span></label>");
    }
    if (page->facts->vacuous > 0) {
        lb_doc_puts(doc, "<label class=\"doubt\"><input type=\"checkbox\" id=\"qm\">Only passes "
                         "that prove little "
                         "<span class=\"count\">");
        lb_doc_grouped(doc, page->facts->vacuous);
        lb_doc_puts(doc, "</span></label>");
    }
    lb_doc_puts(
        doc,
        "</fieldset>\n<p class=\"end\"><button type=\"reset\">Clear filters</button></p></form>\n"
        "<p id=\"found\" role=\"status\"></p>\n<div id=\"list\" hidden></div>\n"
        "<dialog id=\"detail\" aria-labelledby=\"detail-title\"></dialog>\n</section>\n");
}
