/* Changes of one kind, in lines for people: a case once, with the profiles in which the same
 * changed. */
#ifndef LB_REPORTS_DIFF_LINES_H
#define LB_REPORTS_DIFF_LINES_H

#include "doc.h"

enum { LB_DIFF_GROUPS = 16 };

/* One change, as it is added. */
typedef struct lb_diff_line {
    const char *suite, *id, *profile;
    const char *says;      /* what changed: "pass -> fail: ...", fit for a line */
    const char *reproduce; /* a shell line that ends with the profile; NULL or "": none */
} lb_diff_line;

typedef struct lb_diff_lines {
    lb_doc text;
    uint64_t cases, results; /* in the text, and in the case that is open */
    /* Of the case that is open: more profiles of it may come. */
    lb_doc suite, id, reproduce;
    struct {
        lb_doc profiles, says;
    } groups[LB_DIFF_GROUPS]; /* profiles in which the same changed */
    size_t group_count;
} lb_diff_lines;

lb_diff_lines lb_diff_lines_make(void);
void lb_diff_lines_free(lb_diff_lines *lines);
/* Changes come in the order of the results, so that those of a case follow each other. Of the cases
 * beyond `limit` nothing is kept. */
void lb_diff_lines_add(lb_diff_lines *lines, uint64_t limit, const lb_diff_line *line);
/* Writes what is still open. A failure to get memory shows in text.failed. */
void lb_diff_lines_end(lb_diff_lines *lines);

#endif
