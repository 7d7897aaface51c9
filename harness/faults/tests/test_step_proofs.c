/* Proofs that a changed step is the right one, against all operands of small ranges: where a proof
 * speaks, no operands in the ranges give another result; where some do, it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/faults/ranges.h"
#include "reference/core/arith.h"

#include <string.h>

typedef struct tried {
    size_t proved, shown, silent; /* silent: not proved, and no operands show it */
} tried;

/* ---- Steps ---- */

static const lb_operation operations[] = {LB_STEP_RSH, LB_STEP_ASR, LB_STEP_SHL,
                                          LB_STEP_SAT, LB_STEP_ADD, LB_STEP_SUB,
                                          LB_STEP_MUL, LB_STEP_MIN, LB_STEP_MAX};

/* What the step would give if it were not held to its width. */
static int64_t unlimited_of(const lb_num_step *step)
{
    int64_t a = step->operand[0].v, b = step->operand[1].v;
    switch (step->operation) {
    case LB_STEP_RSH:
        return lb_rsh(step->rounding, a, (int)b, step->width);
    case LB_STEP_ASR:
        return lb_asr(a, (int)b, step->width);
    case LB_STEP_SHL:
        return lb_shl(a, (int)b, 64);
    case LB_STEP_ADD:
        return a + b;
    case LB_STEP_SUB:
        return a - b;
    case LB_STEP_MUL:
        return a * b;
    case LB_STEP_MIN:
        return a < b ? a : b;
    case LB_STEP_MAX:
        return a > b ? a : b;
    default:
        return a;
    }
}

static void set_operands(lb_num_step *step, int64_t a, int64_t b)
{
    step->operand[0].v = a;
    step->operand[1].v = b;
    int64_t unlimited = unlimited_of(step);
    bool held = step->operation == LB_STEP_SHL || step->operation == LB_STEP_SAT ||
                step->operation == LB_STEP_ADD || step->operation == LB_STEP_SUB;
    step->result = held && step->width > 0 ? lb_sat(unlimited, step->width) : unlimited;
}

static bool is_shift(lb_operation operation)
{
    return operation == LB_STEP_RSH || operation == LB_STEP_ASR || operation == LB_STEP_SHL;
}

/* ---- Ranges ---- */

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Ends near powers of two are where a proof is right or wrong. */
static lb_range some_range(uint32_t *seed, bool counts)
{
    static const int values[] = {-128, -65, -64, -33, -32, -17, -16, -2,  -1, 0,
                                 1,    15,  16,  31,  32,  63,  64,  126, 127};
    static const int places[] = {-9, -8, -7, -2, -1, 0, 1, 2, 3, 4, 6, 7, 8, 9, 12};
    uint32_t count = counts ? sizeof places / sizeof places[0] : sizeof values / sizeof values[0];
    uint32_t i = draw(seed, count);
    uint32_t k = draw(seed, count);
    if (draw(seed, 8) == 0)
        return (lb_range){0, 0, 0};
    const int *ends = counts ? places : values;
    return (lb_range){ends[i < k ? i : k], ends[i < k ? k : i], 0};
}

static void take(lb_range *r, int64_t v)
{
    r->low = v < r->low ? v : r->low;
    r->high = v > r->high ? v : r->high;
}

/* Limits that come later, or none. */
static lb_range some_limits(uint32_t *seed)
{
    lb_range limits = some_range(seed, false);
    return draw(seed, 2) == 0 ? limits : (lb_range){INT64_MIN, INT64_MAX, 0};
}

static int64_t limited(int64_t v, const lb_range *limits)
{
    return v < limits->low ? limits->low : v > limits->high ? limits->high : v;
}

/* What a flow says of such operands: no less than what they give. */
static struct lb_fault_flow flow_of(lb_num_step *step, lb_range a, lb_range b, lb_range limits)
{
    struct lb_fault_flow flow = {.known = true, .operand = {a, b}};
    flow.absorbed = limits;
    flow.result = flow.unlimited = (lb_range){INT64_MAX, INT64_MIN, 0};
    for (int64_t x = a.low; x <= a.high; x++)
        for (int64_t y = b.low; y <= b.high; y++) {
            set_operands(step, x, y);
            take(&flow.result, step->result);
            take(&flow.unlimited, unlimited_of(step));
        }
    return flow;
}

/* ---- Proofs ---- */

static bool is_shown(const lb_fault *fault, lb_num_step *step, lb_range a, lb_range b,
                     lb_range limits)
{
    int64_t carry = 0;
    const lb_fault_run run = {.fault = fault, .left = -1, .carry = &carry};
    for (int64_t x = a.low; x <= a.high; x++)
        for (int64_t y = b.low; y <= b.high; y++) {
            set_operands(step, x, y);
            if (limited(fault->kind->alter(&run, step), &limits) != limited(step->result, &limits))
                return true;
        }
    return false;
}

static void try_fault(const lb_fault *fault, lb_num_step *step, uint32_t *seed, tried *sums)
{
    enum { RANGES = 120 };
    for (int i = 0; i < RANGES; i++) {
        lb_range a = some_range(seed, false);
        lb_range b = some_range(seed, is_shift(step->operation));
        lb_range limits = some_limits(seed);
        struct lb_fault_flow flow = flow_of(step, a, b, limits);
        bool proved = fault->kind->never(fault, step, &flow);
        bool shown = is_shown(fault, step, a, b, limits);
        if (proved && shown)
            print_error("%s (%d), operation %d, rounding %d: %d .. %d, %d .. %d\n",
                        fault->kind->name, (int)fault->argument, (int)step->operation,
                        (int)step->rounding, (int)a.low, (int)a.high, (int)b.low, (int)b.high);
        assert_false(proved && shown);
        sums->proved += proved;
        sums->shown += shown;
        sums->silent += !proved && !shown;
    }
}

/* Small ones for small widths; those that are counted from zero as they are. */
static void try_arguments(const lb_fault_kind *kind, lb_num_step *step, uint32_t *seed, tried *sums)
{
    static const int16_t small[] = {1, 2, 3, 4, 7, 8, 9};
    bool own = false;
    for (int i = 0; i < kind->argument_count; i++)
        own = own || kind->arguments[i] < 0;
    const int16_t *arguments = own ? kind->arguments : small;
    size_t count = own                        ? (size_t)kind->argument_count
                   : kind->argument_count > 0 ? sizeof small / sizeof small[0]
                                              : 1;
    for (size_t i = 0; i < count; i++) {
        lb_fault fault = {.kind = kind, .site = step};
        fault.argument = kind->argument_count > 0 ? arguments[i] : 0;
        try_fault(&fault, step, seed, sums);
    }
}

static void try_kind(const lb_fault_kind *kind, uint32_t *seed, tried *sums)
{
    for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++)
        for (lb_rounding rounding = LB_ROUND_UP; rounding <= LB_ROUND_CONVERGENT; rounding++) {
            lb_num_step step = {
                .operation = operations[o], .operand_count = 2, .width = 8, .rounding = rounding};
            step.operand[1].step = 1; /* no constant */
            bool fits =
                kind->operations >> step.operation & 1 && (!kind->fits || kind->fits(&step));
            if (!fits || (rounding != LB_ROUND_UP && step.operation != LB_STEP_RSH))
                continue;
            try_arguments(kind, &step, seed, sums);
            step.width = 6; /* operands go beyond it */
            try_arguments(kind, &step, seed, sums);
        }
}

static void proofs_hold_for_all_operands(void **state)
{
    (void)state;
    const lb_fault_kind *kind;
    uint32_t seed = 19;
    size_t kinds = 0;
    for (size_t i = 0; (kind = lb_fault_kind_at(i)) != NULL; i++) {
        tried sums = {0};
        if (!kind->never || kind->sits || kind->takes_other || kind->whole_part)
            continue;
        try_kind(kind, &seed, &sums);
        if (sums.proved + sums.shown + sums.silent == 0)
            continue;
        kinds++;
        if (sums.proved == 0 || sums.shown == 0)
            print_error("%s: %zu proved, %zu shown, %zu neither\n", kind->name, sums.proved,
                        sums.shown, sums.silent);
        assert_true(sums.proved > 0 && sums.shown > 0);
    }
    assert_true(kinds > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_hold_for_all_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
