/* How much of the suites a run tried, and how it judged, in words: what a reader must know beside
 * every verdict. */
#ifndef LB_REPORTS_SCOPE_H
#define LB_REPORTS_SCOPE_H

#include "doc.h"
#include "results.h"

/* Whether results are missing, what part of the suites was run, what was tried, how it was judged,
 * and what the port's library says against its profiles: sentences, one a line, in one string to be
 * freed; NULL: out of memory. "" where there is nothing to say. */
char *lb_scope_lines(const lb_run_info *info, const lb_tally *tally);

/* "INCOMPLETE: 4,069 of 6,764 results"; nothing where none are missing. */
void lb_scope_short(const lb_run_info *info, const lb_tally *tally, lb_doc *doc);

#endif
