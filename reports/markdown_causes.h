/* Causes of failures in the Markdown summary. */
#ifndef LB_REPORTS_MARKDOWN_CAUSES_H
#define LB_REPORTS_MARKDOWN_CAUSES_H

#include "doc.h"
#include "results.h"

/* A section with a list of them, or nothing. */
void lb_markdown_causes(lb_doc *doc, const lb_run_info *info);

#endif
