/* A diagnosis for people and for programs. */
#ifndef LB_HARNESS_DIAGNOSE_TEXT_H
#define LB_HARNESS_DIAGNOSE_TEXT_H

#include "reports/doc.h"
#include "reports/results.h"

/* The causes of `info`, the one that explains most first, a block each, and a line on the failing
 * results that have none; each ended by an empty line. */
void lb_diagnosis_text(lb_doc *doc, const lb_run_info *info);

#endif
