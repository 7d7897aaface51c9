/* Rows of faults in steps, and what their functions look at first. For the *_kinds.c of steps. */
#ifndef LB_HARNESS_FAULTS_STEP_ROWS_H
#define LB_HARNESS_FAULTS_STEP_ROWS_H

#include "harness/faults/step_run.h"
#include "reference/core/arith.h"

#define IN(operation) ((uint32_t)1 << LB_STEP_##operation)
#define STEP_ROW(row, text, where, likely, in, function)                                           \
    .name = row, .group = LB_FAULTS_STEP, .words = text, .look_for = where, .sections = "",        \
    .prior = likely, .operations = in, .run = lb_fault_step_run, .alter = function
/* Arguments that are tried; the others that are tried where no listed one explains a result. */
#define WITH(...)                                                                                  \
    .argument_count = (int)(sizeof((int16_t[]){__VA_ARGS__}) / sizeof(int16_t)),                   \
    .arguments = {__VA_ARGS__}
#define UP_TO(first, last) .least = first, .most = last

#define WIDTH "the type of the variable, the saturating and the plain form of the instruction"

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

/* Ways to change a step that several tables have: the first operand alone; in fewer bits. */
int64_t lb_step_left_out(const lb_fault_run *run, const lb_num_step *step, int64_t left);
int64_t lb_step_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left);

#endif
