/* The operations of steps: see operations.h. */
#include "harness/explain/operations.h"
#include "reference/core/arith.h"

#include <math.h>
#include <string.h>

/* ---- In real numbers: v holds the operands with all that rounding has cost them so far ---- */

static double first(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0];
}

static double sum(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0] + v[1];
}

/* The half that rounds to nearest is no part of the number (numerics.md 7.3). */
static double sum_of_floats(const lb_num_step *step, const double *v)
{
    return step->operand[1].step == 0 ? v[0] : v[0] + v[1];
}

static double difference(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0] - v[1];
}

static double product(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0] * v[1];
}

static double sum_with_product(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0] + v[1] * v[2];
}

static double quotient(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[1] == 0.0 ? 0.0 : v[0] / v[1];
}

/* v * 2^n; n is a count as the models take it, and not what it would be unrounded. */
static double scaled(double v, int64_t n)
{
    return ldexp(v, (int)(n > 10000 ? 10000 : n < -10000 ? -10000 : n));
}

static double shifted_left(const lb_num_step *step, const double *v)
{
    return scaled(v[0], step->operand[1].v);
}

static double shifted_right(const lb_num_step *step, const double *v)
{
    return scaled(v[0], -step->operand[1].v);
}

static double smaller(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0] < v[1] ? v[0] : v[1];
}

static double larger(const lb_num_step *step, const double *v)
{
    (void)step;
    return v[0] > v[1] ? v[0] : v[1];
}

/* What the argument has lost so far belongs to the place inside the interval. */
static double remainder_of(const lb_num_step *step, const double *v)
{
    return (double)step->result + (v[0] - (double)step->operand[0].v);
}

/* ---- Without a width ---- */

int64_t lb_step_product(const lb_num_step *step)
{
    return (int64_t)((uint64_t)step->operand[1].v * (uint64_t)step->operand[2].v);
}

/* False: that is no integer of 64 bits, or the operation has no width. */
static bool whole_of(const lb_num_step *step, int64_t *value)
{
    const int64_t a = step->operand[0].v, b = step->operand[1].v;
    const int left = (int)lb_sat(step->operation == LB_STEP_SHL ? b : lb_neg(b, 64), 16);
    switch (step->operation) {
    case LB_STEP_MAC:
        *value = lb_add(a, lb_step_product(step), 64);
        return true;
    case LB_STEP_ADD:
        *value = lb_add(a, b, 64);
        return step->width > 0;
    case LB_STEP_SUB:
        *value = lb_sub(a, b, 64);
        return step->width > 0;
    case LB_STEP_SHL:
    case LB_STEP_ASR:
    case LB_STEP_RSH:
        *value = lb_shl(a, left, 64);
        return left > 0;
    case LB_STEP_SAT:
    case LB_STEP_WRAP:
        *value = a;
        return true;
    default:
        return false;
    }
}

/* ---- The table ---- */

static const struct {
    const char *pattern;
    double (*real)(const lb_num_step *step, const double *v); /* NULL: the integer result */
} operations[LB_STEP_COUNT] = {
    [LB_STEP_GIVEN] = {"A", NULL},
    [LB_STEP_COPY] = {"A", first},
    [LB_STEP_MAC] = {"A + B * C", sum_with_product},
    [LB_STEP_SKIP] = {"A, and not B * C", first},
    [LB_STEP_ADD] = {"A + B", sum},
    [LB_STEP_SUB] = {"A - B", difference},
    [LB_STEP_MUL] = {"A * B", product},
    [LB_STEP_TDIV] = {"A / B", quotient},
    [LB_STEP_NORM] = {"sign bits of A in W bits", NULL},
    [LB_STEP_SHL] = {"A << B", shifted_left},
    [LB_STEP_ASR] = {"A >> B, floor", shifted_right},
    [LB_STEP_RSH] = {"A >> B, R", shifted_right},
    [LB_STEP_SAT] = {"A in W bits", first},
    [LB_STEP_WRAP] = {"A mod 2^W, signed", first},
    [LB_STEP_MIN] = {"min(A, B)", smaller},
    [LB_STEP_MAX] = {"max(A, B)", larger},
    [LB_STEP_MOD] = {"A mod 2^B", remainder_of},
    [LB_STEP_LOOKUP] = {"T[A]", NULL},
    [LB_STEP_PLACE] = {"offset of A (by size: B)", NULL},
    [LB_STEP_FDIV] = {"A / B", quotient},
    [LB_STEP_FMUL] = {"A * B", product},
    [LB_STEP_FADD] = {"A + B", sum_of_floats},
    [LB_STEP_FSCALE] = {"A * 2^B", shifted_left},
    [LB_STEP_FLOAT] = {"A", first},
    [LB_STEP_FTRUNC] = {"A, towards 0", first},
};

const char *lb_operation_pattern(lb_operation operation)
{
    return operations[operation].pattern;
}

int64_t lb_step_shift_right(const lb_num_step *step)
{
    const bool is_right = step->operation == LB_STEP_ASR || step->operation == LB_STEP_RSH;
    return is_right && step->operand[1].v > 0 ? step->operand[1].v : 0;
}

uint64_t lb_step_dropped(const lb_num_step *step)
{
    const int64_t n = lb_step_shift_right(step);
    return (uint64_t)step->operand[0].v & (((uint64_t)1 << (n < 63 ? n : 63)) - 1);
}

bool lb_step_is_clipped(const lb_num_step *step)
{
    int64_t value;
    return whole_of(step, &value) && value != step->result;
}

static double number_of_pattern(int64_t v)
{
    int32_t bits = (int32_t)v;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double real_of(const lb_num_step *step, unsigned k, const double *real)
{
    lb_num operand = step->operand[k];
    if (k >= step->operand_count)
        return 0.0;
    if (operand.step > 0)
        return real[operand.step - 1];
    return lb_operation_is_real(step->operation, k) ? number_of_pattern(operand.v)
                                                    : (double)operand.v;
}

void lb_slice_real(const lb_slice *slice, double *real)
{
    for (size_t i = 0; i < slice->step_count; i++) {
        const lb_num_step *step = &slice->steps[i];
        const double v[LB_STEP_OPERANDS] = {real_of(step, 0, real), real_of(step, 1, real),
                                            real_of(step, 2, real)};
        real[i] = operations[step->operation].real ? operations[step->operation].real(step, v)
                                                   : (double)step->result;
    }
}
