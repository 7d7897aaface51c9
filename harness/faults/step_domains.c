/* Exhausted domains of steps: see step_domains.h. */
#include "harness/faults/step_domains.h"
#include "harness/faults/step_rows.h"

static const uint64_t MOST_VALUES = 1 << 16;

/* The edit looks at nothing but the operands. */
static bool is_of_operands_alone(const lb_fault *fault)
{
    const lb_number_edit *does = &fault->kind->does;
    return fault->kind->alter == lb_step_edited && !fault->kind->takes_other &&
           !fault->kind->counts_taps && does->number > LB_BITS_OF_OUT && does->when <= LB_LIMITED &&
           does->at != LB_AT_DISTANCE;
}

static bool is_small_step(lb_operation operation)
{
    return operation == LB_STEP_RSH || operation == LB_STEP_ASR || operation == LB_STEP_SHL ||
           operation == LB_STEP_SAT || operation == LB_STEP_ADD || operation == LB_STEP_SUB ||
           operation == LB_STEP_MIN || operation == LB_STEP_MAX;
}

/* How many values; 0: too many. */
static uint64_t values_of(const lb_range *r)
{
    const uint64_t more = (uint64_t)r->high - (uint64_t)r->low;
    return more < MOST_VALUES ? more + 1 : 0;
}

static bool is_same_later(const struct lb_fault_flow *flow, int64_t a, int64_t b)
{
    return a == b || (a >= flow->absorbed.high && b >= flow->absorbed.high) ||
           (a <= flow->absorbed.low && b <= flow->absorbed.low);
}

bool lb_step_never_changed(const lb_fault *fault, const lb_num_step *site,
                           const struct lb_fault_flow *flow)
{
    const lb_fault_run run = {.fault = fault, .left = -1};
    const bool has_two = site->operand_count > 1;
    const uint64_t firsts = values_of(&flow->operand[0]),
                   seconds = has_two ? values_of(&flow->operand[1]) : 1;
    lb_num_step step = *site;
    if (!is_of_operands_alone(fault) || !is_small_step(site->operation) || site->tap != 0 ||
        site->operand_count > 2 || firsts * seconds == 0 || firsts * seconds > MOST_VALUES)
        return false;
    for (uint64_t i = 0; i < firsts * seconds; i++) {
        step.operand[0].v = (int64_t)((uint64_t)flow->operand[0].low + i / seconds);
        step.operand[1].v = has_two ? (int64_t)((uint64_t)flow->operand[1].low + i % seconds) : 0;
        step.result = lb_step_evaluate(&step);
        if (!is_same_later(flow, step.result, lb_step_edited(&run, &step)))
            return false;
    }
    return true;
}
