/* Failing results that no finding takes: how many, and why. */
#ifndef LB_HARNESS_DIAGNOSE_REST_H
#define LB_HARNESS_DIAGNOSE_REST_H

#include "harness/diagnose/diagnosis.h"

/* Counts them, and all that fail: `failing` is what the findings have and these. */
void lb_diagnosis_count_rest(lb_diagnosis *diagnosis);

#endif
