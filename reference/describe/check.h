/* Checks as data: what a function asks of its arguments, as conditions over leaves (leaf.h). The
 * rows of a function's list (kernels.h, lb_rule) that have conditions are asked here; the others,
 * about memory, lists, permutations and places, are C. Of both kinds can be asked: does it hold
 * (rule->check), which ranges hold behind all of them, and which changes of a leaf decide it, so
 * that arguments can be made that pass, or fail one check alone.
 *
 * A condition is a sum of products held to 0. Each product is linear in each of its leaves, so that
 * a condition can be solved for any of them while the others stay. */
#ifndef LB_REFERENCE_DESCRIBE_CHECK_H
#define LB_REFERENCE_DESCRIBE_CHECK_H

#include "leaf.h"

enum { LB_CHECK_TERMS = 8, LB_CHECK_FACTORS = 2 };

typedef enum lb_relation {
    LB_NO_CONDITION, /* ends the conditions of a check */
    LB_AT_MOST,      /* the sum is 0 or less */
    LB_EQUAL,        /* it is 0 */
    LB_UNLIKE,       /* it is not */
    LB_WHOLE         /* the second product divides the first, and is not 0 */
} lb_relation;

/* n times its leaves; n 0 ends the products. */
typedef struct lb_product {
    int16_t n;
    lb_leaf of[LB_CHECK_FACTORS];
} lb_product;

/* `each`: how many dimensions it is asked for, one after the other: leaves with LB_BY_EACH and
 * LB_BY_NEXT are those of the dimension. None: it is asked once. */
typedef struct lb_condition {
    uint8_t is; /* lb_relation */
    lb_leaf each;
    lb_product term[LB_CHECK_TERMS];
} lb_condition;

/* ---- Asked ---- */

/* The leaf of a condition for each dimension, at one of them. */
lb_leaf lb_check_leaf_at(lb_leaf leaf, int dim, int dims);

/* `check` of rows with conditions: LB_OK where all hold, else `c`, or what stands for a call that
 * is undefined. A role that is NULL gives LB_BAD_TENSOR, and an axis that nobody set leaves the
 * call undefined. Whether there is a configuration, a condition of its own asks. A condition
 * of what is undefined says nothing of a tensor that the function does not have or may go without.
 */
lb_status lb_check_ask(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* How far a call that passes is from being refused by a condition of a row: the least of the
 * differences; 0 is on the limit. INT64_MAX: the condition is no limit, or not asked in this call.
 */
int64_t lb_check_room(const lb_call *call, const lb_rule *rule, const lb_condition *limit);

/* ---- Bounded ---- */

/* What is left of a leaf's range behind the checks of the function, as far as each condition says
 * by itself: a call that goes beyond is refused or undefined. */
lb_leaf_range lb_checks_bound(const lb_kernel *kernel, lb_leaf leaf);
/* Is this one of the conditions of the function? In whatever order the products stand, and of an
 * equation with either sign. */
bool lb_checks_have(const lb_kernel *kernel, const lb_condition *condition);
/* The roles whose tensors the conditions of a row look at, as bits. */
uint32_t lb_check_roles(const lb_kernel *kernel, const lb_rule *rule);

/* ---- Excluded ---- */

typedef enum lb_parity { LB_ANY_PARITY, LB_ODD, LB_EVEN } lb_parity;

/* The leaf lies in this range; facts about leaves of a tensor say that it is there. */
typedef struct lb_fact {
    lb_leaf leaf;
    lb_leaf_range range;
    lb_parity parity;
} lb_fact;

/* by: the check at which nothing is left for some leaf, as far as ranges show it; NULL: the facts
 * contradict each other by themselves. */
typedef struct lb_exclusion {
    bool is_excluded;
    const lb_rule *by;
} lb_exclusion;

/* Does no call that passes the function's checks have all this together? */
lb_exclusion lb_checks_exclude(const lb_kernel *kernel, const lb_fact *facts, unsigned count);

/* ---- Satisfied and violated ---- */

/* A leaf gets another value. */
typedef struct lb_change {
    lb_leaf leaf;
    int64_t value;
} lb_change;

enum { LB_MOST_CHANGES = 2048, LB_MOST_TELLING = 12 };

/* Values that tell something of a leaf, whatever is asked of it: the neighbours of what it is now,
 * the ends of what it can be, as far as memory can follow. Gives their number; its type may not
 * hold all of them. */
unsigned lb_leaf_telling(lb_leaf leaf, int64_t now, int64_t values[LB_MOST_TELLING]);

/* Changes, each of which alone may decide what the check says of this call: for the leaves that its
 * conditions look at the values beside their limits and far from them, for a check in C telling
 * values of all leaves of the call. Which of them satisfy or violate it, who makes the change and
 * asks again knows: only he knows the memory. Gives their number; those of conditions are solved.
 */
unsigned lb_check_changes(const lb_call *call, const lb_rule *rule,
                          lb_change changes[LB_MOST_CHANGES]);

#endif
