/* Parts of a results file as documents of their own. */
#ifndef LB_REPORTS_RESULTS_PARTS_H
#define LB_REPORTS_RESULTS_PARTS_H

#include "doc.h"
#include "results.h"

/* What was tested and which suites:
 * {"format":"lastbit/environment-1","packaged_by":...,"stated":[...],"run":...,"suites":...}.
 * `stated`: lines of the statement, each "LABEL=TEXT", that the results do not have. */
void lb_results_put_environment(lb_doc *doc, const lb_run_info *info, const char *made_by,
                                const char *const *stated, size_t stated_count);
/* {"format":"lastbit/coverage-1","coverage":...,"lines":...,"speed":...}: the lists of the head
 * that are there. */
void lb_results_put_coverage(lb_doc *doc, const lb_run_info *info);

/* A JSON string. */
void lb_results_put_text(lb_doc *doc, const char *text);
/* The list of causes, as it stands at "faults" of the head. */
void lb_results_put_faults(lb_doc *doc, const lb_found_fault *faults, size_t count);
/* The list at "without_cause". */
void lb_results_put_without_cause(lb_doc *doc, const lb_without_cause *list, size_t count);

#endif
