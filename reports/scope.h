/* How much of the suites a run tried, and how it judged, in words: what a reader must know beside
 * every verdict. */
#ifndef LB_REPORTS_SCOPE_H
#define LB_REPORTS_SCOPE_H

#include "doc.h"
#include "results.h"

/* What part of the suites was run, what was tried, how it was judged, and what the port's library
 * says against its profiles: sentences, one a line, in one string to be freed; NULL: out of
 * memory. "" where there is nothing to say. */
char *lb_scope_lines(const lb_run_info *info);

#endif
