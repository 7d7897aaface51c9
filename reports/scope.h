/* How much of the suites a run tried, and how it judged, in words: what a reader must know beside
 * every verdict. */
#ifndef LB_REPORTS_SCOPE_H
#define LB_REPORTS_SCOPE_H

#include "doc.h"
#include "results.h"

/* "Part of the suites: shard 1 of 2; only cases that match relu_*; 1 of 4 profiles; 2 of 170
 * functions provided"; nothing where the run is whole. Not escaped: patterns are the user's. */
void lb_scope_part(const lb_run_info *info, lb_doc *doc);
/* "Functions provided: 170 of 170. Profiles tried: 4 of 4."; nothing where they are not told. */
void lb_scope_tried(const lb_run_info *info, lb_doc *doc);
/* "Judged otherwise than by default: other bits pass within tolerance"; nothing where all is by
 * default. */
void lb_scope_judged(const lb_run_info *info, lb_doc *doc);

/* What the port's library says against the profiles that the port is declared for; else nothing. */
void lb_scope_contradiction(const lb_run_info *info, lb_doc *doc);

/* The four as sentences, one a line, in one string to be freed; NULL: out of memory. "" where
 * there is nothing to say. */
char *lb_scope_lines(const lb_run_info *info);

#endif
