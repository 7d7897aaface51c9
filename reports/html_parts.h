/* The parts of the HTML report. Each writes one part of the page; strings of suites and ports are
 * escaped inside. */
#ifndef LB_REPORTS_HTML_PARTS_H
#define LB_REPORTS_HTML_PARTS_H

#include "doc.h"
#include "facts.h"
#include "failures.h"
#include "html_data.h"

/* Characters shown of a name, a sentence, a shell line; names that need more are not names. */
enum { LB_HTML_NAME = 200, LB_HTML_TEXT = 500, LB_HTML_SHELL = 2000 };

typedef struct lb_html {
    lb_doc doc;
    FILE *out;
    const lb_run_info *info;
    const lb_facts *facts;
    lb_failures *failures;
    lb_html_data *data;
} lb_html;

/* ---- Words of the page (html_words.c) ---- */

/* An icon by name (a verdict's, or "nothing"); a screen reader does not read it, words stand beside
 * it. */
void lb_html_icon(lb_doc *doc, const char *name);
/* <code> with an escaped name. */
/* Escaped; a line may break behind a slash. */
void lb_html_path(lb_doc *doc, const char *text, size_t limit);
void lb_html_code(lb_doc *doc, const char *name);
/* The heading of a section with its opening tag; </section> is the caller's. */
void lb_html_section(lb_doc *doc, const char *id, const char *title);
/* The same for a section that is folded up until somebody wants it: `summary` says what is in it.
 * Ends with lb_html_fold_end. */
void lb_html_fold(lb_doc *doc, const char *id, const char *title, bool open);
void lb_html_fold_end(lb_doc *doc);
/* A name that is cut in the middle where there is no room for it; whole in its tooltip. */
void lb_html_name(lb_doc *doc, const char *name);
/* Opens a table that scrolls sideways where the screen is narrow: wrapper, caption (for screen
 * readers) and head. Each of the columns is a title; one that starts with '#' is a column of
 * numbers. `kind` is the table's class. */
void lb_html_table(lb_doc *doc, const char *kind, const char *caption, const char *const *columns,
                   size_t count);
void lb_html_table_end(lb_doc *doc);
/* A cell with a number. */
void lb_html_number(lb_doc *doc, uint64_t value);
/* A cell with a case's name and profile. */
void lb_html_note(lb_doc *doc, const lb_case_note *note);
/* Opens a row with its first cell: a function and, small under it, a case ("closest: CASE
 * PROFILE"). */
void lb_html_function(lb_doc *doc, const char *name, const char *label, const lb_case_note *note);
/* The title of a verdict: "Passed", "Failed", "Error", "Skipped", "Waived". */
const char *lb_html_verdict(lb_verdict verdict);

/* ---- Sections, in the page's order ---- */

void lb_html_overview(lb_html *page);     /* verdict, numbers, what was tested (html_overview.c) */
void lb_html_found(lb_html *page);        /* faults in short, or functions (html_causes.c) */
void lb_html_causes(lb_html *page);       /* faults (html_causes.c) */
void lb_html_heat_map(lb_html *page);     /* families by types and profiles (html_heat.c) */
void lb_html_histograms(lb_html *page);   /* headroom and deviation (html_heat.c) */
void lb_html_failures(lb_html *page);     /* failing cases by function (html_failures.c) */
void lb_html_matrix(lb_html *page);       /* functions by profiles (html_matrix.c) */
void lb_html_reasons(lb_html *page);      /* skipped and waived (html_figures.c) */
void lb_html_vacuous(lb_html *page);      /* passes that prove little (html_figures.c) */
void lb_html_coverage(lb_html *page);     /* heat map, missed points (html_coverage.c) */
void lb_html_drift(lb_html *page);        /* networks, with depth (html_drift.c) */
void lb_html_tolerances(lb_html *page);   /* deviation from real numbers (html_tolerance.c) */
void lb_html_accumulators(lb_html *page); /* headroom (html_figures.c) */
void lb_html_slowest(lb_html *page);      /* (html_figures.c) */
void lb_html_lines(lb_html *page);        /* source lines (html_coverage.c) */
void lb_html_speed(lb_html *page);        /* (html_speed.c) */
void lb_html_oracles(lb_html *page);      /* (html_overview.c) */
void lb_html_suites(lb_html *page);       /* their digests (html_overview.c) */
void lb_html_all(lb_html *page);          /* the list that the script fills (html_list.c) */

/* The difference map of a result, or nothing; what its colours mean (html_map.c). */
void lb_html_map(lb_doc *doc, const lb_result *result);
void lb_html_map_legend(lb_doc *doc);
/* A shell line to paste, with its title. */
void lb_html_shell(lb_doc *doc, const char *title, const char *line);
/* An explanation as a table that opens, or nothing (html_steps.c). */
void lb_html_steps(lb_doc *doc, const char *text);

/* How one failing result is written (html_failures.c). */
extern const lb_failure_rules lb_html_failure_rules;

#endif
