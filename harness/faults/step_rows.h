/* Rows of faults in steps, and what their functions look at first. For the *_kinds.c of steps. */
#ifndef LB_HARNESS_FAULTS_STEP_ROWS_H
#define LB_HARNESS_FAULTS_STEP_ROWS_H

#include "harness/faults/step_run.h"
#include "reference/core/arith.h"

#define IN(operation) ((uint32_t)1 << LB_STEP_##operation)
/* What a row of steps begins with; one of the lines below says what is done otherwise. */
#define STEP_ROW(row, text, where, rules, likely, in)                                              \
    .name = row, .group = LB_FAULTS_STEP, .words = text, .look_for = where, .sections = rules,     \
    .prior = likely, .operations = in, .run = lb_fault_step_run
#define SPECIAL(function) .alter = function
#define EDITED(...)       .alter = lb_step_edited, .does = {__VA_ARGS__}
#define EDIT(place, does) EDITED(.at = LB_AT_##place, .how = LB_##does)
#define EDIT_IN(place, does, when_)                                                                \
    EDITED(.at = LB_AT_##place, .how = LB_##does, .when = LB_##when_)
#define EDIT_BY(place, does, number_)                                                              \
    EDITED(.at = LB_AT_##place, .how = LB_##does, .number = number_)
#define EDIT_OF(place, operand_, does)                                                             \
    EDITED(.at = LB_AT_##place, .operand = operand_, .how = LB_##does)
#define CUT(does) EDIT(FRACTION, does)
#define LEFT_OUT  EDIT(TAKEN, AS_IS)
/* Arguments that are tried; the others that are tried where no listed one explains a result. */
#define WITH(...)                                                                                  \
    .argument_count = (int)(sizeof((int16_t[]){__VA_ARGS__}) / sizeof(int16_t)),                   \
    .arguments = {__VA_ARGS__}
#define UP_TO(first, last) .least = first, .most = last

#define WIDTH "the type of the variable, the saturating and the plain form of the instruction"

/* Predicates of sites and of functions, for `fits` and `of`. */
#define FITS(name, condition)                                                                      \
    static bool name(const lb_num_step *site)                                                      \
    {                                                                                              \
        return condition;                                                                          \
    }
#define OF(name, condition)                                                                        \
    static bool name(const lb_kernel *kernel)                                                      \
    {                                                                                              \
        return condition;                                                                          \
    }
/* A step that no edit describes. */
#define ALTERS(name) static int64_t name(const lb_fault_run *run, const lb_num_step *step)

static inline int64_t lb_step_operand(const lb_num_step *step, unsigned i)
{
    return i < step->operand_count ? step->operand[i].v : 0;
}

static inline int lb_step_width(const lb_num_step *step)
{
    return step->width > 0 && step->width <= 64 ? step->width : 64;
}

/* floor(v / 2^n), n >= 0. */
static inline int64_t lb_step_floor(int64_t v, int64_t n)
{
    return lb_asr(v, n > 63 ? 63 : (int)n, 64);
}

/* What a tap adds. */
static inline int64_t lb_step_product(const lb_num_step *step)
{
    return (int64_t)((uint64_t)lb_step_operand(step, 1) * (uint64_t)lb_step_operand(step, 2));
}

/* The result of a tap that adds this; of the step with its operands as they stand: its own where
 * nothing else is known of the operation. */
int64_t lb_step_with_product(const lb_num_step *step, int64_t product);
int64_t lb_step_evaluate(const lb_num_step *step);

/* The last sums of so many outputs, one behind the other; `begun` in all. */
typedef struct lb_kept_sums {
    size_t count, begun;
    size_t extent; /* along a loop: of that loop */
    int64_t *of;
} lb_kept_sums;
/* From the arena of the run. NULL: there are none, or too many. */
lb_kept_sums *lb_keep_sums(const lb_fault_run *run, size_t count);

#endif
