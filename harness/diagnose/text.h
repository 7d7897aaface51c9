/* A diagnosis for people and for programs. */
#ifndef LB_HARNESS_DIAGNOSE_TEXT_H
#define LB_HARNESS_DIAGNOSE_TEXT_H

#include "reports/doc.h"
#include "reports/results.h"

/* The causes, the one that explains most first: a block each, ended by an empty line. `failing`
 * results in all. */
void lb_diagnosis_text(lb_doc *doc, const lb_found_fault *faults, size_t count, uint64_t failing);

#endif
