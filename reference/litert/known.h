/* The differences of litert.24, for the set's row (kernels.c). */
#ifndef LB_REFERENCE_LITERT_KNOWN_H
#define LB_REFERENCE_LITERT_KNOWN_H

#include "describe/known.h"

extern const lb_known_difference lb_lite_known_differences[]; /* ended by one without a name */

#endif
