/* Steps in real numbers: see real_steps.h. */
#include "harness/explain/real_steps.h"

#include <math.h>
#include <string.h>

static double number_of_pattern(int64_t v)
{
    int32_t bits = (int32_t)v;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* An operand with all that rounding has cost it so far. */
static double real_of(const lb_num_step *step, unsigned k, const double *real)
{
    lb_num operand = step->operand[k];
    if (operand.step > 0)
        return real[operand.step - 1];
    return lb_operation_is_real(step->operation, k) ? number_of_pattern(operand.v)
                                                    : (double)operand.v;
}

/* v * 2^n; n is a count as the models take it, and not what it would be unrounded. */
static double scaled(double v, int64_t n)
{
    return ldexp(v, (int)(n > 10000 ? 10000 : n < -10000 ? -10000 : n));
}

static double quotient(double a, double b)
{
    return b == 0.0 ? 0.0 : a / b;
}

/* The half that rounds to nearest is no part of the number (numerics.md 7.3). */
static double sum_of_floats(const lb_num_step *step, double a, double b)
{
    return step->operand[1].step == 0 ? a : a + b;
}

static double real_result(const lb_num_step *step, const double *real)
{
    double a = real_of(step, 0, real), b = step->operand_count > 1 ? real_of(step, 1, real) : 0.0;
    switch (step->operation) {
    case LB_STEP_COPY:
    case LB_STEP_SKIP:
    case LB_STEP_SAT:
    case LB_STEP_WRAP:
    case LB_STEP_FLOAT:
    case LB_STEP_FTRUNC:
        return a;
    case LB_STEP_MAC:
        return a + b * real_of(step, 2, real);
    case LB_STEP_ADD:
        return a + b;
    case LB_STEP_SUB:
        return a - b;
    case LB_STEP_MUL:
    case LB_STEP_FMUL:
        return a * b;
    case LB_STEP_TDIV:
    case LB_STEP_FDIV:
        return quotient(a, b);
    case LB_STEP_SHL:
    case LB_STEP_FSCALE:
        return scaled(a, step->operand[1].v);
    case LB_STEP_ASR:
    case LB_STEP_RSH:
        return scaled(a, -step->operand[1].v);
    case LB_STEP_MIN:
        return a < b ? a : b;
    case LB_STEP_MAX:
        return a > b ? a : b;
    case LB_STEP_FADD:
        return sum_of_floats(step, a, b);
    case LB_STEP_MOD: /* what the argument has lost so far belongs to the place inside the interval
                       */
        return (double)step->result + (a - (double)step->operand[0].v);
    default: /* normalizations, tables, places: integers */
        return (double)step->result;
    }
}

void lb_slice_real(const lb_slice *slice, double *real)
{
    for (size_t i = 0; i < slice->step_count; i++)
        real[i] = real_result(&slice->steps[i], real);
}
