/* Failing cases of the HTML report, grouped by function: every difference, who stands alone, the
 * line that reproduces. */
#include "escape.h"
#include "html_parts.h"
#include "render.h"

#include <ctype.h>
#include <string.h>

enum { GROUPS_OPEN = 3, FAILURES_EACH = 5, FAILURE_BYTES = 600000 };

const lb_sections *lb_report_sections;

/* ---- One result ---- */

static void put_where(lb_doc *doc, const lb_difference *difference)
{
    lb_doc_puts(doc, "<td data-t=\"First at\"><code>");
    lb_escape_html(doc, difference->role, LB_HTML_NAME);
    if (difference->field[0] != '\0') {
        lb_doc_puts(doc, difference->role[0] != '\0' ? "." : "");
        lb_escape_html(doc, difference->field, LB_HTML_NAME);
    }
    if (difference->index[0] != '\0') {
        lb_doc_char(doc, '[');
        lb_escape_html(doc, difference->index, LB_HTML_NAME);
        lb_doc_char(doc, ']');
    }
    lb_doc_puts(doc, "</code></td>");
}

static void put_difference(lb_doc *doc, const lb_difference *difference)
{
    lb_doc_puts(doc, "<tr><th scope=\"row\" data-t=\"Oracle\">");
    lb_escape_html(doc, difference->oracle, LB_HTML_NAME);
    lb_doc_puts(doc, "</th><td data-t=\"What\">");
    lb_escape_html(doc, lb_differs_name(difference->what), LB_HTML_NAME);
    lb_doc_puts(doc, "</td>");
    put_where(doc, difference);
    lb_doc_puts(doc, "<td class=\"n\" data-t=\"Expected\">");
    lb_html_code(doc, difference->expected);
    lb_doc_puts(doc, "</td><td class=\"n got\" data-t=\"Got\">");
    lb_html_code(doc, difference->got);
    lb_doc_puts(doc, "</td><td class=\"n\" data-t=\"Differ\">");
    lb_doc_grouped(doc, difference->count);
    lb_doc_puts(doc, " of ");
    lb_doc_grouped(doc, difference->total);
    lb_doc_puts(doc, "</td><td data-t=\"Operands\">");
    if (difference->operands[0] != '\0')
        lb_html_code(doc, difference->operands);
    lb_doc_puts(doc, "</td></tr>\n");
}

static void put_differences(lb_doc *doc, const lb_result *result)
{
    static const char *const columns[] = {"Oracle", "What",    "First at", "#Expected",
                                          "#Got",   "#Differ", "Operands"};
    if (result->difference_count == 0)
        return;
    lb_html_table(doc, "differences", "Differences", columns, 7);
    for (unsigned i = 0; i < result->difference_count; i++)
        put_difference(doc, &result->differences[i]);
    lb_html_table_end(doc);
}

static void put_line(lb_doc *doc, const char *title, const char *text)
{
    if (text[0] != '\0') {
        lb_doc_printf(doc, "<div><dt>%s</dt><dd>", title);
        lb_html_code(doc, text);
        lb_doc_puts(doc, "</dd></div>");
    }
}

/* The oracles that have an agreement: "recorded agrees, exact differs". */
static void put_opinions(lb_doc *doc, const lb_result *result)
{
    static const char *const names[] = {"recorded", "exact", "real"};
    const lb_agreement agreements[] = {result->recorded, result->exact, result->real};
    bool any = false;
    for (int i = 0; i < 3; i++) {
        if (agreements[i] != LB_AGREEMENT_NONE) {
            lb_doc_puts(doc, any ? ", " : "<div><dt>Oracles</dt><dd>");
            lb_doc_printf(doc, "%s %s", names[i], lb_agreement_name(agreements[i]));
            any = true;
        }
    }
    lb_doc_puts(doc, any ? "</dd></div>" : "");
}

static void put_outlier(lb_doc *doc, const char *outlier)
{
    static const char *const oracles[][2] = {{"port", "The port"},
                                             {"recorded", "The recorded expectation"},
                                             {"exact", "The exact model"},
                                             {"real", "The real model"}};
    for (size_t i = 0; i < sizeof oracles / sizeof oracles[0]; i++) {
        if (strcmp(outlier, oracles[i][0]) == 0) {
            lb_doc_printf(doc,
                          "<div><dt>Stands alone</dt><dd><strong>%s</strong>, against all other "
                          "oracles</dd></div>",
                          oracles[i][1]);
        }
    }
}

/* ---- Rules of the specification ---- */

/* "numerics.md 6" as the name of a place in the page. */
static void put_anchor(lb_doc *doc, const char *section)
{
    lb_doc_puts(doc, "rule-");
    for (; *section != '\0'; section++)
        lb_doc_char(doc, isalnum((unsigned char)*section) ? *section : '-');
}

static void put_section_name(lb_doc *doc, const char *section)
{
    lb_doc title = lb_doc_make();
    lb_escape_html(doc, section, LB_HTML_NAME);
    if (lb_report_sections)
        lb_report_sections->title(&title, section);
    lb_doc_char(&title, '\0');
    if (!title.failed && title.text[0] != '\0') {
        lb_doc_puts(doc, ": ");
        lb_escape_html(doc, title.text, LB_HTML_TEXT);
    }
    lb_doc_free(&title);
}

/* The rule that a section of the specification is, as a link into the page. */
static void html_section_link(lb_doc *doc, const char *section)
{
    if (section[0] != '\0') {
        lb_doc_puts(doc, "<div><dt>Rule</dt><dd><a href=\"#");
        put_anchor(doc, section);
        lb_doc_puts(doc, "\">");
        put_section_name(doc, section);
        lb_doc_puts(doc, "</a></dd></div>");
    }
}

/* Text of several lines: a line feed is no character of a name. */
static void html_lines_of(lb_doc *doc, const char *text)
{
    lb_doc line = lb_doc_make();
    for (size_t length; *text != '\0'; text += length) {
        length = strcspn(text, "\n");
        lb_doc_cut(&line, 0);
        lb_doc_bytes(&line, text, length);
        lb_doc_char(&line, '\0');
        lb_escape_html(doc, line.failed ? "" : line.text, LB_HTML_SHELL);
        if (text[length] == '\n') {
            lb_doc_char(doc, '\n');
            length++;
        }
    }
    lb_doc_free(&line);
}

/* The rules that the failures shown name, with their text, so that the page needs nothing beside
 * it. */
static void put_sections(lb_doc *doc, const lb_failures *failures)
{
    for (size_t i = 0; i < failures->section_count; i++) {
        lb_doc text = lb_doc_make();
        lb_doc_puts(doc, i == 0 ? "<h3>Rules of the specification</h3>\n" : "");
        lb_doc_puts(doc, "<details class=\"rule\" id=\"");
        put_anchor(doc, failures->sections[i]);
        lb_doc_puts(doc, "\"><summary>");
        put_section_name(doc, failures->sections[i]);
        lb_doc_puts(doc, "</summary>\n<div class=\"shell\"><pre>");
        if (lb_report_sections)
            lb_report_sections->text(&text, failures->sections[i]);
        lb_doc_char(&text, '\0');
        html_lines_of(doc, text.failed ? "" : text.text);
        lb_doc_puts(doc, "</pre></div></details>\n");
        lb_doc_free(&text);
    }
}

/* ---- One failure ---- */

static void put_lines(lb_doc *doc, const lb_result *result)
{
    lb_doc_puts(doc, "<dl class=\"lines\">");
    put_outlier(doc, result->outlier);
    put_opinions(doc, result);
    if (strcmp(result->status_expected, result->status_got) != 0) {
        put_line(doc, "Status expected",
                 result->status_expected[0] != '\0' ? result->status_expected : "none");
        put_line(doc, "Status got", result->status_got[0] != '\0' ? result->status_got : "none");
    }
    put_line(doc, "Violated rule", result->rule);
    put_line(doc, "Tried again", result->again);
    put_line(doc, "Cause", result->fault);
    put_line(doc, "Diverges at", result->diverges_at);
    html_section_link(doc, result->section);
    put_line(doc, "Level", result->cpu);
    lb_doc_puts(doc, "<div><dt>Case</dt><dd><code>");
    lb_escape_html(doc, result->file, LB_HTML_TEXT);
    lb_doc_printf(doc, ":%u</code></dd></div></dl>\n", result->line);
}

void lb_html_shell(lb_doc *doc, const char *title, const char *line)
{
    if (line[0] != '\0') {
        lb_doc_printf(doc, "<div class=\"shell\"><p class=\"unseen\">%s:</p><pre><code>", title);
        lb_escape_html(doc, line, LB_HTML_SHELL);
        lb_doc_puts(doc, "</code></pre></div>\n");
    }
}

static void put_head(lb_doc *doc, const lb_result *result)
{
    const char *name = lb_verdict_name(result->verdict);
    lb_doc_printf(doc, "<article class=\"case %s\" id=\"r%llu\"><h5>", name,
                  (unsigned long long)result->order);
    lb_html_icon(doc, name);
    lb_doc_printf(doc, "<span class=\"unseen\">%s: </span>", lb_html_verdict(result->verdict));
    lb_html_code(doc, result->id);
}

static void put_profile(lb_doc *doc, const lb_result *result, bool same)
{
    lb_doc_puts(doc, same ? " <span class=\"profile\">"
                          : " <span class=\"profile other\" title=\"other values\">");
    lb_escape_html(doc, result->profile, LB_HTML_NAME);
    lb_doc_puts(doc, same ? "</span>" : " <span class=\"unseen\">(other values)</span></span>");
}

static void put_body(lb_doc *doc, const lb_result *result)
{
    lb_doc_puts(doc, "</h5>\n<p>");
    lb_escape_html(doc, result->reason, LB_HTML_TEXT);
    lb_doc_puts(doc, "</p>\n");
    lb_html_map(doc, result);
    put_differences(doc, result);
    put_lines(doc, result);
    lb_html_steps(doc, result->explanation);
    lb_html_shell(doc, "To reproduce", result->reproduce);
    lb_html_shell(doc, "To explain", result->explain);
    lb_doc_puts(doc, "</article>\n");
}

const lb_failure_rules lb_html_failure_rules = {put_head, put_profile, put_body, FAILURES_EACH,
                                                FAILURE_BYTES};

/* ---- Groups ---- */

/* The failures shown that diverge at one step, under its name. */
static void put_step(lb_doc *doc, const lb_failure_group *group, size_t step, bool alone)
{
    const lb_function_facts *function = group->function;
    const char *name = step < function->step_count ? function->steps[step].name : "";
    bool opened = false;
    for (size_t i = 0; i < group->shown; i++) {
        if (group->list[i].step != step)
            continue;
        if (!opened && alone && name[0] == '\0') {
            lb_doc_puts(doc, "<h4 class=\"unseen\">Cases</h4>\n");
        } else if (!opened) {
            lb_doc_puts(doc, "<h4 class=\"step\">");
            lb_doc_puts(doc, name[0] == '\0' ? "First differing step not known"
                                             : "First differing step: ");
            if (name[0] != '\0')
                lb_html_code(doc, name);
            if (step < function->step_count) {
                lb_doc_puts(doc, " <span class=\"quiet\">");
                lb_doc_grouped(doc, function->steps[step].count);
                lb_doc_puts(doc, function->steps[step].count == 1 ? " result" : " results");
                lb_doc_puts(doc, "</span>");
            }
            lb_doc_puts(doc, "</h4>\n");
        }
        opened = true;
        lb_doc_bytes(doc, group->list[i].text.text, group->list[i].text.length);
    }
}

/* The shown failures, those of the step with the most failures first; steps that are not known at
 * the end. */
static void put_steps(lb_doc *doc, const lb_failure_group *group)
{
    const lb_function_facts *function = group->function;
    bool done[LB_MAX_STEPS] = {false};
    bool alone = function->step_count <= 1;
    for (size_t turn = 0; turn < function->step_count; turn++) {
        size_t next = LB_MAX_STEPS;
        for (size_t i = 0; i < function->step_count; i++) {
            bool known = function->steps[i].name[0] != '\0';
            bool better = next == LB_MAX_STEPS ||
                          (known && (function->steps[next].name[0] == '\0' ||
                                     function->steps[i].count > function->steps[next].count));
            next = !done[i] && better ? i : next;
        }
        done[next] = true;
        put_step(doc, group, next, alone);
    }
    put_step(doc, group, function->step_count, false); /* further steps, which have no number */
}

static void put_group(lb_html *page, const lb_failure_group *group, bool open)
{
    lb_doc *doc = &page->doc;
    const lb_function_facts *function = group->function;
    uint64_t failed = lb_tally_failed(&function->tally);
    lb_doc_printf(doc, "<details class=\"group\" id=\"f%zu\"%s><summary><h3>", function->number,
                  open ? " open" : "");
    lb_html_name(doc, function->name);
    lb_doc_puts(doc, "</h3><span>");
    lb_doc_grouped(doc, function->tally.count[LB_FAIL]);
    lb_doc_puts(doc, " failed, ");
    lb_doc_grouped(doc, function->tally.count[LB_ERROR]);
    lb_doc_puts(doc, function->tally.count[LB_ERROR] == 1 ? " error, of " : " errors, of ");
    lb_doc_grouped(doc, lb_tally_total(&function->tally));
    lb_doc_puts(doc, "</span></summary>\n");
    put_steps(doc, group);
    uint64_t shown = 0;
    for (size_t i = 0; i < group->shown; i++)
        shown += group->list[i].results;
    if (shown < failed) {
        lb_doc_puts(doc, "<p class=\"more\">");
        lb_doc_grouped(doc, failed - shown);
        lb_doc_puts(doc, group->shown == 0 ? "" : " more");
        lb_doc_printf(doc,
                      " results in <a href=\"#all\" data-f=\"%zu\" data-v=\"fe\">the list of all "
                      "results</a>.</p>\n",
                      function->number);
    }
    lb_doc_puts(doc, "</details>\n");
}

void lb_html_failures(lb_html *page)
{
    const lb_failures *failures = page->failures;
    if (failures->count == 0)
        return;
    lb_html_section(&page->doc, "failures", "Failing cases");
    lb_doc_puts(
        &page->doc,
        "<p>By function and by the first step of the computation from which the difference can "
        "come, the simplest cases first; each once, with the profiles in which it fails. A map "
        "shows where the first wrong output differs: rows are its first dimensions, columns the "
        "others "
        "with the last one running fastest; where the output is large, a cell stands for several "
        "elements and shows the largest difference, in steps:</p>\n");
    lb_html_map_legend(&page->doc);
    for (size_t i = 0; i < failures->count; i++) {
        put_group(page, &failures->groups[i], i < GROUPS_OPEN);
        lb_doc_flush_full(&page->doc, page->out);
    }
    put_sections(&page->doc, failures);
    lb_doc_puts(&page->doc, "</section>\n");
}
