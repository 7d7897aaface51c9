/* Where the operands of one output element lie: a text for people, "in[3,*], weights[*,7],
 * bias[7]". */
#ifndef LB_HARNESS_TRIAL_RECEPTIVE_FIELD_H
#define LB_HARNESS_TRIAL_RECEPTIVE_FIELD_H

#include "harness/suite/case.h"

/* `index` has `rank` entries, in the shape of the output. The text comes from the arena; "" where
 * nothing is known. */
const char *lb_operands_text(const lb_case *c, const uint32_t *index, unsigned rank,
                             lb_arena *arena);

#endif
