/* An explanation as one JSON object on one line: README.md lists its members. */
#ifndef LB_HARNESS_EXPLAIN_JSON_H
#define LB_HARNESS_EXPLAIN_JSON_H

#include "harness/explain/explanation.h"

#include "reports/doc.h"

void lb_explain_json(lb_doc *doc, const lb_explanation *explanation);

#endif
