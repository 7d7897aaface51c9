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
    /* Of the configuration, as lb_num_of_field has it, up to two of them; 0: none. */
    int32_t field[LB_STEP_OPERANDS], second_field[LB_STEP_OPERANDS];
    /* What was asked of the number that it takes (`demanded` of lb_steps), and how often. */
    lb_range asked[LB_STEP_OPERANDS];
    uint64_t asked_count[LB_STEP_OPERANDS];
    bool mixed; /* its steps differ in width, rounding or saturation: nothing is said of it */
    uint64_t heard, demands; /* steps; those whose result a defined call has within `demand` */
    lb_range demand;
    bool is_chain;      /* that is so of all sums on the way */
    bool of_positive;   /* that is so where the first operand is positive */
    uint64_t multiples; /* those of which it is said that so many low bits are 0 */
    lb_range multiple;
    uint64_t settlings; /* those of which it is said that all beyond `settled` give the same */
    lb_range settled;
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

/* Takes the operands of a step, made at these sites; -1: nobody knows where. */
void lb_fault_flow_hear(struct lb_fault_flow *flow, const lb_num_step *step, const int *sources);
/* The operand of a step is a number that is in this range in a defined call. */
void lb_fault_flow_ask(struct lb_fault_flow *flow, unsigned operand, lb_range range);
/* What the model says of the result of a step. */
void lb_fault_flow_say(struct lb_fault_flow *flow, lb_range range, lb_claim claim);
/* A number of a call: a field of the configuration (as lb_num_of_field names it), or, where that is
 * 0, the result of a site. */
typedef struct lb_fault_number {
    int32_t field;
    size_t site;
} lb_fault_number;
/* Ranges of all sites of the list, for a function: in all calls, or (`only` is not NULL) in those
 * in which the number is in the range. */
void lb_fault_ranges_solve(lb_fault_list *list, const lb_kernel *kernel,
                           const lb_fault_number *only, const lb_range *within);
/* The next number of which the model takes the larger of it and 0, and which can be either; `at` is
 * 0 at the beginning. False: there are no more. */
bool lb_fault_next_signed(const lb_fault_list *list, size_t *at, lb_fault_number *number);
void lb_fault_flow_free(struct lb_fault_flow *flow);

lb_range lb_range_joined(lb_range a, lb_range b);
/* What of the range is in the other; all of it where they have nothing in common. */
lb_range lb_range_cut(lb_range range, const lb_range *to);
/* Is what leaves the width of the step cut to its ends? */
bool lb_step_saturates(const lb_num_step *site);
bool lb_range_within(const lb_range *range, int width);

/* Then: `absorbed` and `unseen` of all sites (absorbed.c). */
void lb_fault_absorbed_solve(lb_fault_list *list, const lb_kernel *kernel);

/* ---- Given numbers: given_ranges.c ---- */

lb_range lb_range_of_width(int width);

/* Of a field of the configuration: lb_num_of_field. */
lb_range lb_field_range(int32_t step, const lb_kernel *kernel);

lb_range lb_given_range(const lb_num_step *site, const lb_kernel *kernel);

/* What this part of the computation can read there, where that is less. Else *range stays. */
void lb_given_range_in_part(const lb_num_step *site, lb_part part, lb_range *range);

/* ---- Sums over taps: sum_ranges.c ---- */

/* A case has no more elements (suite/decode.h), and a sum takes each once. */
#define LB_MOST_TAPS ((int64_t)1 << 28)

/* Windows of a fixed size have so many taps; 0: any number. */
int64_t lb_most_taps(const lb_kernel *kernel);

/* The range of a sum over taps, each with a product in this range. False: the step is none, or it
 * is not known what it starts from. */
bool lb_flow_sum_of_taps(const lb_fault_list *list, size_t site, const lb_kernel *kernel,
                         lb_range product, lb_range *range);

#endif
