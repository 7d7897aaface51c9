/* The steps of an explanation as a table: aligned columns, headings for the parts of the
 * computation, long sums cut short. */
#ifndef LB_HARNESS_EXPLAIN_TABLE_H
#define LB_HARNESS_EXPLAIN_TABLE_H

#include "harness/explain/explanation.h"

#include "reports/doc.h"

/* `all`: every tap; else the first ones and the last of each sum. `cells`: for documents that make
 * a table of it: cells between tabs; a heading has one before it, what is left out two. */
void lb_explain_table(lb_doc *doc, const lb_explanation *explanation, bool all, bool cells);

#endif
