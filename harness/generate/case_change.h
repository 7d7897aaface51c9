/* Changes of leaves (reference/describe/check.h) made in cases, so that one check of the function
 * is satisfied or violated: what follows from a change in data and memory follows. */
#ifndef LB_HARNESS_GENERATE_CASE_CHANGE_H
#define LB_HARNESS_GENERATE_CASE_CHANGE_H

#include "harness/call/call_memory.h"
#include "harness/generate/random_build.h"
#include "reference/describe/check.h"

/* Makes the change in b->c, whose operands must be its own. False: a case cannot say it. */
bool lb_case_change(lb_build *b, const lb_change *change);

/* The changes, and one leaf after the other of those that the checks violated by then look at,
 * until the wanted check is the first that is violated (NULL: until all pass); what was changed
 * stays. Gives how many leaves were changed. 0: it does not come to that, and *ends_at is the check
 * that nothing satisfies (NULL: a case cannot say the changes); checks in C are hardly solved. */
enum { LB_MOST_FITTED = 12 };
unsigned lb_case_fit(lb_build *b, const lb_change *changes, unsigned count, const lb_rule *wanted,
                     const lb_rule **ends_at);
/* The first check that the case violates in the first profile; NULL: all pass. */
const lb_rule *lb_case_violates(const lb_case *c, lb_arena *arena, lb_instance **instance);

/* What the leaf is in the case; 0 of a tensor that is not there. */
int64_t lb_case_value(const lb_case *c, lb_leaf leaf, lb_arena *arena);
/* Do both cases, which differ in numbers alone, leave the same outputs? Of what is refused or not
 * defined nothing can be said: yes. */
bool lb_case_same_outputs(const lb_case *a, const lb_case *b, const lb_profile *profile);
/* Violates a check of the function, any of those that give a status; an earlier one may be violated
 * too. Now and then nothing comes of it. */
void lb_case_break(lb_build *b);

/* Makes one small change at random, with a liking for what coverpoints tell apart: ends of ranges,
 * faults, layouts (mutate.c). The result may break the case format. */
void lb_case_mutate(lb_build *b);

/* "weights.shape[0] is 2, not 3". */
const char *lb_case_change_text(const lb_change *change, int64_t before, const lb_kernel *kernel,
                                lb_arena *arena);

#endif
