/* One failing result in the Markdown summary: the parts of lb_failure_rules. */
#ifndef LB_REPORTS_MARKDOWN_FAILURE_H
#define LB_REPORTS_MARKDOWN_FAILURE_H

#include "doc.h"
#include "results.h"

enum {
    LB_MARKDOWN_NAME = 160, /* characters of a name; hostile ones are longer */
    LB_MARKDOWN_TEXT = 300
};

void lb_markdown_failure_head(lb_doc *doc, const lb_result *result);
void lb_markdown_failure_profile(lb_doc *doc, const lb_result *result, bool same);
void lb_markdown_failure_body(lb_doc *doc, const lb_result *result);

#endif
