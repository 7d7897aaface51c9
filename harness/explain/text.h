/* An explanation as a person reads it on a terminal. */
#ifndef LB_HARNESS_EXPLAIN_TEXT_H
#define LB_HARNESS_EXPLAIN_TEXT_H

#include "harness/explain/explanation.h"

#include "reports/doc.h"

/* Long sums are shown with their first taps and their last one, or, `all`, whole. */
void lb_explain_text(lb_doc *doc, const lb_explanation *explanation, bool all);

/* The same for documents: the steps in cells between tabs (table.h). */
void lb_explain_cells(lb_doc *doc, const lb_explanation *explanation);

/* ---- Parts that JSON has too ---- */

/* "diverges", "agrees", "error" (the port gave no result), "failed" (a status that is not ok, as it
 * should be). */
const char *lb_explain_verdict(const lb_explanation *explanation);
/* A real number of the output in steps of its format, zero point included; fp32: the number. */
double lb_explain_in_steps(const lb_explanation *explanation, double real);

#endif
