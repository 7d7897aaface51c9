/* The text of an explanation whose table has its cells between tabs. */
#ifndef LB_REPORTS_EXPLANATION_H
#define LB_REPORTS_EXPLANATION_H

#include "doc.h"

/* For documents of plain text: the table in aligned columns. */
void lb_explanation_aligned(lb_doc *doc, const char *text);

#endif
