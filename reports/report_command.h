/* `lastbit report`: documents from stored results, at the command line. */
#ifndef LB_REPORTS_REPORT_COMMAND_H
#define LB_REPORTS_REPORT_COMMAND_H

#include "doc.h"
#include "waivers.h"

/* What this room does not know: waiver files are YAML, and packages hold suites. */
typedef struct lb_report_extras {
    /* Reads a waiver file; NULL after a message on standard error. */
    lb_waivers *(*open_waivers)(const char *path);
    void (*close_waivers)(lb_waivers *waivers);
    /* `report package` and `report verify`; argv[0] is that word. */
    int (*package)(int argc, char **argv);
    int (*verify)(int argc, char **argv);
    /* Titles of the sections of the specification that a mention names ("numerics.md 6"), and their
     * text. */
    void (*section_title)(lb_doc *doc, const char *mention);
    void (*section_text)(lb_doc *doc, const char *mention);
} lb_report_extras;

/* Set by a program that has them; NULL: without. */
extern const lb_report_extras *lb_report_extra;

/* Runs `report KIND RESULTS.json -o FILE`. argv[0] is the word "report", argv[1] the kind (html,
 * junit, markdown, csv) or
 * --help. Exit status: 0 done; 2 the command line or the results file is wrong; 3 the document
 * cannot be written. */
int lb_command_report(int argc, char **argv);

#endif
