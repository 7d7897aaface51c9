/* The conformance statement: one page that says what was tested, with what, by whom, how far, and
 * with which outcome. Told once, written as HTML or as Markdown. */
#include "escape.h"
#include "facts.h"
#include "html_page.h"
#include "scope.h"
#include "statement.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 200, TEXT_LIMIT = 2000, MAX_SUITES = 400, MAX_REASONS = 40 };

typedef struct paper {
    lb_doc doc;
    bool html;
    const lb_run_info *info;
    const lb_facts *facts;
    const lb_render_extras *extras;
    lb_strength_told strength;
} paper;

/* ---- Two ways to write ---- */

static void put_text(paper *p, const char *text)
{
    (p->html ? lb_escape_html : lb_escape_markdown)(&p->doc, text, TEXT_LIMIT);
}

static void heading(paper *p, const char *title)
{
    lb_doc_printf(&p->doc, p->html ? "<h2>%s</h2>\n" : "\n## %s\n\n", title);
}

static void paragraph(paper *p, const char *text)
{
    lb_doc_puts(&p->doc, p->html ? "<p>" : "");
    put_text(p, text);
    lb_doc_puts(&p->doc, p->html ? "</p>\n" : "\n\n");
}

/* A table of columns; a title that starts with '#' is one of numbers. Without titles it is one of
 * labels and values. */
static void open_table(paper *p, const char *const *titles, size_t count)
{
    if (p->html) {
        lb_doc_puts(&p->doc, "<table>");
        lb_doc_puts(&p->doc, titles ? "<thead><tr>" : "");
        for (size_t i = 0; titles && i < count; i++) {
            bool number = titles[i][0] == '#';
            lb_doc_printf(&p->doc, "<th scope=\"col\"%s>%s</th>", number ? " class=\"n\"" : "",
                          titles[i] + number);
        }
        lb_doc_puts(&p->doc, titles ? "</tr></thead>\n<tbody>" : "<tbody>");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(&p->doc, i == 0 ? "| " : " | ");
        lb_doc_puts(&p->doc, !titles ? "" : titles[i] + (titles[i][0] == '#'));
    }
    lb_doc_puts(&p->doc, " |\n|");
    for (size_t i = 0; i < count; i++)
        lb_doc_puts(&p->doc, titles && titles[i][0] == '#' ? "--:|" : "---|");
    lb_doc_char(&p->doc, '\n');
}

static void close_table(paper *p)
{
    lb_doc_puts(&p->doc, p->html ? "</tbody></table>\n" : "");
}

static void open_row(paper *p, const char *first)
{
    lb_doc_puts(&p->doc, p->html ? "<tr><th scope=\"row\">" : "| ");
    put_text(p, first);
    lb_doc_puts(&p->doc, p->html ? "</th>" : "");
}

static void open_cell(paper *p, bool number)
{
    lb_doc_puts(&p->doc, !p->html ? " | " : number ? "<td class=\"n\">" : "<td>");
}

static void close_cell(paper *p)
{
    lb_doc_puts(&p->doc, p->html ? "</td>" : "");
}

static void close_row(paper *p)
{
    lb_doc_puts(&p->doc, p->html ? "</tr>\n" : " |\n");
}

static void number_cell(paper *p, uint64_t value)
{
    open_cell(p, true);
    lb_doc_grouped(&p->doc, value);
    close_cell(p);
}

static void text_cell(paper *p, const char *text)
{
    open_cell(p, false);
    put_text(p, text);
    close_cell(p);
}

/* A label and its value; nothing where there is none. */
static void line(paper *p, const char *label, const char *text)
{
    if (text[0] != '\0') {
        open_row(p, label);
        text_cell(p, text);
        close_row(p);
    }
}

/* A label whose value is written by the caller, up to end_line. */
static void begin_line(paper *p, const char *label)
{
    open_row(p, label);
    open_cell(p, false);
}

static void end_line(paper *p)
{
    close_cell(p);
    close_row(p);
}

/* ---- What it says ---- */

static void put_names(paper *p, const char *label, const char *const *names, size_t count)
{
    begin_line(p, label);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0) {
            lb_doc_puts(&p->doc, i == 0 ? "" : ", ");
            put_text(p, names[i]);
        }
    }
    end_line(p);
}

static void put_tested(paper *p)
{
    const lb_run_info *info = p->info;
    heading(p, "What was tested");
    open_table(p, NULL, 2);
    line(p, "Port", info->port);
    line(p, "Described as", info->port_described);
    line(p, "SHA-256 of its file", info->port_sha256);
    line(p, "Built for", info->port_target);
    line(p, "Built by", info->port_compiler);
    line(p, "Its options", info->port_options);
    line(p, "Options of its library", info->port_library_options);
    line(p, "Kept apart by", info->port_sandbox ? info->port_sandbox : "");
    line(p, "Contradiction", info->port_contradiction);
    line(p, "CPU levels", info->cpu);
    put_names(p, "Profiles", info->profiles, info->profile_count);
    line(p, "Platform profiles", info->platforms);
    close_table(p);
}

bool lb_statement_is_line(const char *text)
{
    const char *equals = text ? strchr(text, '=') : NULL;
    return equals && equals != text && equals - text <= 100;
}

static void put_tester(paper *p)
{
    const lb_run_info *info = p->info;
    char when[64];
    lb_readable_time(info->started, when, sizeof when);
    heading(p, "With what, by whom");
    open_table(p, NULL, 2);
    for (size_t i = 0; i < p->extras->meta_count; i++) {
        const char *equals = strchr(p->extras->meta[i], '=');
        char label[NAME_LIMIT];
        snprintf(label, sizeof label, "%.*s", (int)(equals - p->extras->meta[i]),
                 p->extras->meta[i]);
        line(p, label, equals + 1);
    }
    for (size_t i = 0; i < info->meta_count; i++)
        line(p, info->meta[i].key, info->meta[i].value);
    line(p, "lastbit", info->tool_version);
    line(p, "Built from", info->tool_commit);
    line(p, "Host", info->host);
    line(p, "Compiler of lastbit", info->host_compiler);
    line(p, "Date", when);
    line(p, "Command", info->command);
    close_table(p);
}

static void put_scope(paper *p)
{
    char *lines = lb_scope_lines(p->info, &p->facts->tally);
    p->doc.failed = p->doc.failed || !lines;
    heading(p, "Scope");
    for (char *text = lines, *next; text && *text != '\0'; text = next) {
        next = text + strcspn(text, "\n");
        next += *next == '\n' ? (*next = '\0', 1) : 0;
        paragraph(p, text);
    }
    if (lines && lines[0] == '\0')
        paragraph(p, "All cases of the suites below.");
    if (p->info->exhaustive[0] != '\0')
        paragraph(p, p->info->exhaustive);
    free(lines);
}

/* Cases that were made, and those of files. */
static void put_case_counts(paper *p)
{
    uint64_t made, shipped;
    lb_run_count_cases(p->info, &made, &shipped);
    begin_line(p, "Cases");
    lb_doc_grouped(&p->doc, made);
    lb_doc_puts(&p->doc, " made of the seed, ");
    lb_doc_grouped(&p->doc, shipped);
    lb_doc_puts(&p->doc, " from files");
    end_line(p);
}

static void put_repetition(paper *p)
{
    begin_line(p, "Repetition");
    lb_doc_printf(&p->doc, "each result %u times, the cases in another order each time",
                  p->info->repeats > 1 ? p->info->repeats : 1);
    if (p->info->calls > 1)
        lb_doc_printf(&p->doc, "; each call %u times, its buffers at other places each time",
                      p->info->calls);
    end_line(p);
}

/* Of a certification: what whoever is handed the package can do with it. */
static void put_certified(paper *p)
{
    const lb_run_info *info = p->info;
    if (!info->certify_seed || info->certify_seed[0] == '\0')
        return;
    heading(p, "Certification");
    open_table(p, NULL, 2);
    line(p, "Seed", info->certify_seed);
    line(p, "Drawn at",
         info->certify_drawn[0] != '\0' ? info->certify_drawn : "it was given, not drawn");
    put_case_counts(p);
    put_repetition(p);
    line(p, "Made again by",
         "lastbit report verify, which holds the results to these cases: a minute or less for "
         "24,000 results on one core, and it says how far it is");
    line(p, "Not computed again", LB_NOT_RECOMPUTED);
    line(p, "Signature",
         "beside the package, if it has one: lastbit report verify --key PUB tells whose it is");
    close_table(p);
}

/* Verdicts of a family, all its functions together. */
static void put_family(paper *p, const lb_function_facts **functions, size_t count)
{
    lb_tally sum = {{0}};
    for (size_t i = 0; i < count; i++)
        for (int v = 0; v < LB_VERDICT_COUNT; v++)
            sum.count[v] += functions[i]->tally.count[v];
    open_row(p, functions[0]->family[0] != '\0' ? functions[0]->family : "other");
    number_cell(p, count);
    number_cell(p, sum.count[LB_PASS]);
    number_cell(p, lb_tally_failed(&sum));
    number_cell(p, sum.count[LB_WAIVED]);
    number_cell(p, sum.count[LB_SKIP]);
    close_row(p);
}

static void put_results(paper *p)
{
    static const char *const titles[] = {"Family",  "#Functions", "#Passed",
                                         "#Failed", "#Waived",    "#Skipped"};
    size_t count, first = 0;
    const lb_function_facts **functions = lb_facts_sorted(p->facts, LB_BY_FAMILY, &count);
    p->doc.failed = p->doc.failed || !functions;
    heading(p, "Results");
    open_table(p, titles, 6);
    for (size_t i = 1; functions && i <= count; i++) {
        if (i == count || strcmp(functions[i]->family, functions[first]->family) != 0) {
            put_family(p, functions + first, i - first);
            first = i;
        }
    }
    close_table(p);
    free(functions);
}

static void put_waivers(paper *p)
{
    static const char *const titles[] = {"Waiver", "#Results"};
    uint64_t waived = p->facts->tally.count[LB_WAIVED];
    size_t shown = 0;
    heading(p, "Waivers");
    if (waived == 0) {
        paragraph(p, "None.");
        return;
    }
    open_table(p, titles, 2);
    for (size_t i = 0; i < p->facts->reason_count && shown < MAX_REASONS; i++) {
        const lb_reason_facts *reason = &p->facts->reasons[i];
        if (reason->verdict == LB_WAIVED) {
            open_row(p, reason->text);
            number_cell(p, reason->count);
            close_row(p);
            shown++;
        }
    }
    close_table(p);
}

/* Where it was not measured a certification says how it is. */
static void put_strength(paper *p)
{
    const lb_run_info *info = p->info;
    const bool certified = info->certify_seed && info->certify_seed[0] != '\0';
    begin_line(p, certified ? "Strength of what was tried" : "Strength");
    if (p->strength.faults > 0) {
        lb_doc_percent(&p->doc, p->strength.caught, p->strength.faults);
        lb_doc_puts(&p->doc, ", ");
        lb_doc_grouped(&p->doc, p->strength.caught);
        lb_doc_puts(&p->doc, " of ");
        lb_doc_grouped(&p->doc, p->strength.faults);
        lb_doc_puts(&p->doc, " known faults would be caught");
        lb_doc_puts(&p->doc, p->strength.level[0] != '\0' ? "; level " : "");
        put_text(p, p->strength.level);
    } else if (certified && info->suite_count > 0 && lb_suite_is_certified(&info->suites[0])) {
        lb_doc_puts(&p->doc, "not told; lastbit vectors strength --json --seed ");
        put_text(p, info->certify_seed);
        put_text(p, info->suites[0].file + strlen("certify"));
        lb_doc_puts(&p->doc, " measures it, for --strength");
    } else {
        lb_doc_puts(&p->doc, "not told (--strength)");
    }
    end_line(p);
}

/* ---- How much it proves ---- */

static void put_coverage(paper *p)
{
    uint64_t points, hit;
    lb_run_coverage(p->info, &points, &hit);
    begin_line(p, "Coverage");
    if (points == 0) {
        lb_doc_puts(&p->doc, "not measured");
    } else {
        lb_doc_percent(&p->doc, hit, points);
        lb_doc_puts(&p->doc, ", ");
        lb_doc_grouped(&p->doc, hit);
        lb_doc_puts(&p->doc, " of ");
        lb_doc_grouped(&p->doc, points);
        lb_doc_puts(&p->doc, " points of behaviour");
    }
    end_line(p);
    put_strength(p);
    if (p->facts->vacuous > 0) {
        begin_line(p, "Passes that prove little");
        lb_doc_grouped(&p->doc, p->facts->vacuous);
        end_line(p);
    }
}

static bool put_tolerance(paper *p)
{
    size_t count;
    const lb_function_facts **wide = lb_facts_sorted(p->facts, LB_BY_BUDGET, &count);
    line(p, "Judged", p->info->tolerance);
    begin_line(p, "Tolerance");
    if (!wide || count == 0) {
        lb_doc_puts(&p->doc, "nothing was held to real numbers");
    } else {
        lb_doc_figure(&p->doc, wide[0]->max_steps, 3);
        lb_doc_puts(&p->doc, " steps from real numbers and ");
        lb_doc_used(&p->doc, wide[0]->budget.used_percent);
        lb_doc_puts(&p->doc, " of a limit, in ");
        put_text(p, wide[0]->name);
    }
    end_line(p);
    free(wide);
    return wide != NULL;
}

static bool put_guard_bits(paper *p)
{
    size_t count;
    uint64_t narrow = 0;
    const lb_function_facts **tight = lb_facts_sorted(p->facts, LB_BY_HEADROOM, &count);
    begin_line(p, "Guard bits");
    for (size_t i = 0; tight && i < count; i++)
        narrow += tight[i]->narrow;
    if (!tight || count == 0) {
        lb_doc_puts(&p->doc, "no accumulator was watched");
    } else {
        lb_doc_printf(&p->doc, "smallest headroom %d bits, in ", lb_headroom(tight[0]));
        put_text(p, tight[0]->name);
        lb_doc_puts(&p->doc, "; accumulator too narrow in ");
        lb_doc_grouped(&p->doc, narrow);
        lb_doc_puts(&p->doc, narrow == 1 ? " result" : " results");
    }
    end_line(p);
    free(tight);
    return tight != NULL;
}

static void put_bit_exact(paper *p)
{
    uint64_t judged = p->facts->count - p->facts->tally.count[LB_SKIP];
    begin_line(p, "Bit-exact");
    if (judged == 0) {
        lb_doc_puts(&p->doc, "nothing was judged");
    } else {
        lb_doc_percent(&p->doc, p->facts->bit_exact, judged);
        lb_doc_puts(&p->doc, ", ");
        lb_doc_grouped(&p->doc, p->facts->bit_exact);
        lb_doc_puts(&p->doc, " of ");
        lb_doc_grouped(&p->doc, judged);
        lb_doc_puts(&p->doc, " judged results");
    }
    end_line(p);
}

static void put_figures(paper *p)
{
    heading(p, "How much it proves");
    open_table(p, NULL, 2);
    put_bit_exact(p);
    put_coverage(p);
    bool known = put_tolerance(p);
    known = put_guard_bits(p) && known;
    close_table(p);
    p->doc.failed = p->doc.failed || !known;
}

/* Files beside the suites that have a say in the verdicts. */
static void put_files(paper *p)
{
    static const char *const titles[] = {"File", "What it is", "SHA-256"};
    if (p->info->file_count == 0)
        return;
    open_table(p, titles, 3);
    for (size_t i = 0; i < p->info->file_count && i < MAX_SUITES; i++) {
        open_row(p, p->info->files[i].file);
        text_cell(p, p->info->files[i].role);
        text_cell(p, p->info->files[i].sha256);
        close_row(p);
    }
    close_table(p);
}

static void put_digests(paper *p)
{
    static const char *const titles[] = {"Suite", "#Cases", "SHA-256"};
    size_t shown = p->info->suite_count < MAX_SUITES ? p->info->suite_count : MAX_SUITES;
    heading(p, "Digests");
    open_table(p, titles, 3);
    for (size_t i = 0; i < shown; i++) {
        open_row(p, p->info->suites[i].file);
        number_cell(p, p->info->suites[i].cases);
        text_cell(p, p->info->suites[i].sha256);
        close_row(p);
    }
    close_table(p);
    if (shown < p->info->suite_count) {
        lb_doc_printf(&p->doc, p->html ? "<p>%zu more suites.</p>\n" : "\n%zu more suites.\n",
                      p->info->suite_count - shown);
    }
}

/* ---- The page ---- */

static const char style[] =
    "html{color-scheme:light}body{font:11pt/1.4 system-ui,sans-serif;max-width:48rem;margin:2rem "
    "auto;padding:0 1.5rem;color:#1a1e23;background:#fff}h1{font-size:1.6rem;margin:0 0 "
    ".3rem}h2{font-size:1.05rem;margin:1.1rem 0 .3rem}p{margin:.2rem 0}table{border-collapse:"
    "collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}th,td{text-align:left;"
    "vertical-align:top;font-weight:400;padding:.12rem .8rem .12rem 0;border-top:1px solid "
    "#dde1e6;overflow-wrap:anywhere}tbody "
    "th{color:#555e68;width:12rem}thead "
    "th{color:#555e68}.n{text-align:right;white-space:nowrap}.verdict{font-weight:650}"
    "@page{margin:14mm;@bottom-right{content:counter(page) ' / ' "
    "counter(pages);font-size:9pt}}@media "
    "print{body{margin:0;max-width:none;padding:0;font-size:9pt}h2{break-after:avoid}"
    "tr{break-inside:avoid}}";

/* The statement runs no script and loads nothing; its one style is let in by its place, in a page
 * whose every foreign text is escaped. */
static void put_head(paper *p)
{
    if (p->html) {
        lb_doc_puts(&p->doc,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                    "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                    "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; base-uri 'none'; form-action "
                    "'none'\">\n<title>Conformance statement: ");
        lb_escape_html(&p->doc, p->info->port, NAME_LIMIT);
        lb_doc_puts(&p->doc, "</title>\n<style>");
        lb_doc_puts(&p->doc, style);
        lb_doc_puts(&p->doc, "</style>\n</head>\n<body><main>\n<h1>Conformance statement</h1>\n<p "
                             "class=\"verdict\">");
    } else {
        lb_doc_puts(&p->doc, "# Conformance statement\n\n**");
    }
    lb_doc_puts(&p->doc, lb_outcome_words(p->facts));
    lb_doc_puts(&p->doc, p->html ? ".</p>\n<p>" : ".**\n\n");
    lb_facts_sentence(p->facts, &p->doc);
    lb_doc_puts(&p->doc, p->html ? "</p>\n" : "\n");
}

static void put_statement(paper *p)
{
    put_head(p);
    put_tested(p);
    put_tester(p);
    put_scope(p);
    put_certified(p);
    put_results(p);
    put_waivers(p);
    put_figures(p);
    put_digests(p);
    lb_doc_puts(&p->doc, p->html ? "" : "\n");
    put_files(p);
    lb_doc_printf(&p->doc,
                  p->html ? "<p>What a pass proves, what is sampled and what is assumed: %s</p>\n"
                          : "\nWhat a pass proves, what is sampled and what is assumed: %s\n",
                  "guide/what_is_proved.md in lastbit's documentation.");
    lb_doc_puts(&p->doc, p->html ? "</main></body>\n</html>\n" : "");
}

static bool render(bool html, lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                   char *error, size_t error_bytes)
{
    lb_facts *facts = calloc(1, sizeof *facts);
    paper page = {.doc = lb_doc_make(),
                  .html = html,
                  .info = lb_results_info(reader),
                  .facts = facts,
                  .extras = extras};
    snprintf(error, error_bytes, "%s", "");
    bool written = facts &&
                   (!extras->strength_path ||
                    lb_strength_read(extras->strength_path, &page.strength, error, error_bytes)) &&
                   lb_facts_gather(facts, reader, error, error_bytes);
    if (written && !extras->strength_path) {
        page.strength =
            (lb_strength_told){page.info->strength_faults, page.info->strength_caught, "", NULL};
        snprintf(page.strength.level, sizeof page.strength.level, "%s", page.info->strength_level);
    }
    if (written) {
        put_statement(&page);
        written = lb_doc_flush(&page.doc, out);
    }
    if (!written && error[0] == '\0')
        snprintf(error, error_bytes, "out of memory, or the document cannot be written");
    lb_doc_free(&page.doc);
    lb_strength_told_free(&page.strength);
    if (facts)
        lb_facts_free(facts);
    free(facts);
    return written;
}

bool lb_render_statement_html(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                              char *error, size_t error_bytes)
{
    return render(true, reader, extras, out, error, error_bytes);
}

bool lb_render_statement_markdown(lb_results_reader *reader, const lb_render_extras *extras,
                                  FILE *out, char *error, size_t error_bytes)
{
    return render(false, reader, extras, out, error, error_bytes);
}
