/* Documents from stored results. Each renderer reads the results from its first to its last and
 * writes one file. */
#ifndef LB_REPORTS_RENDER_H
#define LB_REPORTS_RENDER_H

#include "doc.h"
#include "document_kinds.h"
#include "results.h"
#include "waivers.h"

/* What may be added to stored results. */
typedef struct lb_render_extras {
    lb_waivers *waivers;       /* NULL: none. An unused one is bad input. */
    const char *lcov_path;     /* a tracefile of lcov with line coverage; NULL: none */
    const char *lcov_link;     /* where lcov's pages are, as seen from the document; "": nowhere */
    const char *strength_path; /* of a statement: what "vectors strength --json" gave; NULL: none */
    const char *const *meta;   /* of a statement: by whom, for whom, ..., each "LABEL=TEXT" */
    size_t meta_count;
} lb_render_extras;

/* Gives false on a read or write error, with a message in error. */
typedef bool (*lb_render_fn)(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                             char *error, size_t error_bytes);

#define LB_RENDER_FUNCTION(name, ...)                                                              \
    bool lb_render_##name(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,    \
                          char *error, size_t error_bytes);
#define LB_RENDER_STATEMENT(text, name, ...) LB_RENDER_FUNCTION(name, text)
LB_DOCUMENTS(LB_RENDER_FUNCTION)
LB_STATEMENTS(LB_RENDER_STATEMENT)

typedef struct lb_document_kind {
    const char *name; /* "html", "statement.md" */
    const char *file; /* its name in a folder; NULL: it stands in none */
    unsigned writers; /* LB_OF_RUN, ... */
    lb_render_fn render;
} lb_document_kind;

/* NULL: there is no such kind. */
const lb_document_kind *lb_document_find(const char *name);
/* Number i of those that one of the writers writes; NULL after the last. */
const lb_document_kind *lb_document_of(unsigned writer, size_t i);

/* Reads RESULTS.json, writes the document to out_path ("-": standard output; a partial file is
 * never left behind). 0 done, 2 bad input, 3 write error; message on standard error. */
int lb_render_file(const char *kind, const char *results_path, const char *out_path);
/* All documents of a writer into a folder: 0, or as above. */
int lb_render_all(unsigned writer, const char *results_path, const lb_render_extras *extras,
                  const char *folder);

/* Titles of the sections of the specification that a mention names ("numerics.md 6"), and their
 * text: this room does not know them. Set by a program that does; NULL: without. */
typedef struct lb_sections {
    void (*title)(lb_doc *doc, const char *mention);
    void (*text)(lb_doc *doc, const char *mention);
} lb_sections;
extern const lb_sections *lb_report_sections;

/* The same with these. */
int lb_render_file_with(const char *kind, const char *results_path, const lb_render_extras *extras,
                        const char *out_path);

#endif
