/* Cases in which many results stand half-way between two steps: what rounds otherwise differs
 * there, and almost nowhere else. */
#ifndef LB_HARNESS_DIAGNOSE_TIES_H
#define LB_HARNESS_DIAGNOSE_TIES_H

#include "harness/suite/case.h"

/* Changes formats and data of a case of its own (lb_case_copy) so that results are brought to the
 * output by a shift of `places` to the right, from small numbers: one of 2^places is a tie. The
 * result may break the rules of the function. */
void lb_ties_make(lb_case *c, unsigned places);

#endif
