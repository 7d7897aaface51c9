/* Words on causes of failures that all documents share. */
#ifndef LB_REPORTS_CAUSES_H
#define LB_REPORTS_CAUSES_H

#include "doc.h"
#include "results.h"

/* How sure it is, for the beginning of the sentence in every document: "", "probably: ", "possible
 * cause: ". Nothing too where no known fault gives it: then the sentence says so. */
const char *lb_certainty_hedge(lb_certainty certainty);

/* "3 failing results belong to none of these (the port crashed: 2; the recording is wrong: 1)", as
 * plain text without a line's end; nothing where every failing result has a cause. */
void lb_causes_put_rest(lb_doc *doc, const lb_run_info *info);

#endif
