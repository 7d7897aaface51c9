/* What values the steps of a function can have, whatever the call: ranges that follow from the
 * types of elements and parameters, along the flow of numbers between the places of the exact
 * model's code that cases have shown. */
#ifndef LB_HARNESS_FAULTS_RANGES_H
#define LB_HARNESS_FAULTS_RANGES_H

#include "harness/faults/faults.h"

typedef struct lb_range {
    int64_t low, high;
    int zeros; /* so many low bits are 0 in every value */
} lb_range;

/* A place of the model's code: where its operands come from, and what they can be. */
struct lb_fault_flow {
    uint16_t *sources[LB_STEP_OPERANDS]; /* sites */
    size_t source_count[LB_STEP_OPERANDS], source_room[LB_STEP_OPERANDS];
    bool has_constant[LB_STEP_OPERANDS];
    lb_range constant[LB_STEP_OPERANDS];
    int32_t field[LB_STEP_OPERANDS]; /* of the configuration, as lb_num_of_field has it; 0: none */
    bool mixed; /* its steps differ in width, rounding or saturation: nothing is said of it */
    uint64_t heard, demands; /* steps; those whose result a defined call has within `demand` */
    lb_range demand;
    bool is_chain;      /* that is so of all sums on the way */
    uint64_t first_tap; /* of its sums, the lowest number heard */
    bool two_factors;   /* of its products: the factors were not always one and the same number */
    size_t next;        /* the site heard after it the last time */
    bool leaves; /* its result was once taken by no other step: it is an output, or nothing */
    /* Filled by lb_fault_ranges_solve: */
    bool known;
    lb_range operand[LB_STEP_OPERANDS], result;
    lb_range unlimited; /* the result before it was held to its width */
    /* Filled by lb_fault_absorbed_solve: all results from `high` on give the same outputs, and all
     * down from `low`. */
    lb_range absorbed;
    int unseen; /* so many low bits of the result have no say in what is made of it */
};

/* A defined call has the field, as lb_num_of_field names it, in the range. */
typedef struct lb_fault_demand {
    int32_t field;
    lb_range range;
} lb_fault_demand;

/* Is the operand, wherever it is heard, a constant of the formula? Then `constant` has it. */
static inline bool lb_flow_is_constant(const struct lb_fault_flow *flow, unsigned operand)
{
    return flow->has_constant[operand] && flow->source_count[operand] == 0 &&
           flow->field[operand] == 0;
}

/* Takes the operands of a step that is one of site number `site`. */
void lb_fault_flow_hear(struct lb_fault_flow *flow, const lb_num_step *step, const uint16_t *made,
                        size_t made_count, const uint16_t *given, size_t given_count);
/* A defined call has the result of a step in the range. */
void lb_fault_flow_demand(struct lb_fault_flow *flow, lb_range range, bool is_chain);
/* Ranges of all sites of the list, for a function. */
void lb_fault_ranges_solve(lb_fault_list *list, const lb_kernel *kernel);
void lb_fault_flow_free(struct lb_fault_flow *flow);

lb_range lb_range_joined(lb_range a, lb_range b);
/* Is what leaves the width of the step cut to its ends? */
bool lb_step_saturates(const lb_num_step *site);
bool lb_range_within(const lb_range *range, int width);

#endif
