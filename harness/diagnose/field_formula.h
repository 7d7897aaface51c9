/* What a wrong field of an output, or of a configuration that the function fills, was set to: a
 * number of the call, or two of them added, taken off, multiplied or divided. */
#ifndef LB_HARNESS_DIAGNOSE_FIELD_FORMULA_H
#define LB_HARNESS_DIAGNOSE_FIELD_FORMULA_H

#include "harness/diagnose/diagnosis.h"

/* "in.frac_bits + weights.frac_bits", for the field that is wrong in failing result number `first`:
 * what all those of the newest finding have in which it is wrong. NULL: none is known, or they are
 * too few. */
const char *lb_field_formula(lb_diagnosing *g, size_t first);

#endif
