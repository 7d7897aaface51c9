/* Failures as annotations: each distinct failure once, with its profiles, at the line of its case,
 * the simplest first. CI systems show few of them, so the order matters. */
#ifndef LB_REPORTS_ANNOTATIONS_H
#define LB_REPORTS_ANNOTATIONS_H

#include "doc.h"
#include "results.h"

typedef struct lb_annotation {
    char *file, *id, *function, *kind, *section, *fault, *cpu;
    unsigned line;
    lb_verdict verdict;
    char *message;   /* one line: what differs first, or why it is an error */
    char *reproduce; /* a shell line; "" */
    lb_doc profiles; /* with commas; not terminated */
    uint64_t results, effort;
} lb_annotation;

enum { LB_MAX_ANNOTATIONS = 2000 };

typedef struct lb_annotations {
    lb_annotation *list;
    size_t count, room;
    uint64_t left_out; /* results beyond LB_MAX_ANNOTATIONS failures */
    bool is_short;     /* results are missing: the first annotation says so */
} lb_annotations;

/* Reads all results. Starts as all zero; lb_annotations_free either way. */
bool lb_annotations_read(lb_annotations *all, lb_results_reader *reader, char *error,
                         size_t error_bytes);
void lb_annotations_free(lb_annotations *all);

/* A document of all of them, which `put` makes. False: `error` says why. */
typedef void (*lb_annotations_fn)(lb_doc *doc, const lb_run_info *info, const lb_annotations *all,
                                  const void *user);
bool lb_annotations_render(lb_results_reader *reader, lb_annotations_fn put, const void *user,
                           FILE *out, char *error, size_t error_bytes);

/* The fault of this name, of those that the run found; NULL: none. */
const lb_found_fault *lb_fault_named(const lb_run_info *info, const char *name);

#endif
