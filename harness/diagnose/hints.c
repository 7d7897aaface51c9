/* Where in code to look for what goes wrong in an operation of a model: see hints.h. */
#include "harness/diagnose/hints.h"

static const char *const hints[LB_STEP_COUNT] = {
    [LB_STEP_GIVEN] = "which field or element this number is taken from",
    [LB_STEP_COPY] = "the copy: how many bytes, from where, and what lies in its way",
    [LB_STEP_MAC] = "the accumulator: its width, its start, the order of the products",
    [LB_STEP_SKIP] = "the bounds of the window, and what stands for the padding",
    [LB_STEP_ADD] = "the sum: which two numbers, in what width",
    [LB_STEP_SUB] = "the difference: which number is taken from which, in what width",
    [LB_STEP_MUL] = "the product: signs and widths of its factors",
    [LB_STEP_TDIV] = "the division: which way its quotient is rounded, negative numbers",
    [LB_STEP_NORM] = "the count of sign bits: zero, negative numbers, the width it is counted in",
    [LB_STEP_SHL] = "the shift to the left: whether it saturates, counts of the width and more",
    [LB_STEP_ASR] = "the shift to the right: negative numbers, counts of the width and more",
    [LB_STEP_RSH] = "the rounding shift: halves, negative numbers, counts of the width and more",
    [LB_STEP_SAT] = "the limits of the container, and the step at which they are kept",
    [LB_STEP_WRAP] = "the width in which the number is held",
    [LB_STEP_MIN] = "the comparison: which number is taken, signs and widths of both",
    [LB_STEP_MAX] = "the comparison: which number is taken, signs and widths of both",
    [LB_STEP_MOD] = "the mask: negative numbers, how many bits it keeps",
    [LB_STEP_LOOKUP] = "the table: its entries, the type of the index, both ends",
    [LB_STEP_PLACE] = "the comparison of elements that are equal, and how their offset is counted",
    [LB_STEP_FDIV] = "the division in binary32: reciprocals, contraction, subnormal numbers",
    [LB_STEP_FMUL] = "the product in binary32: contraction, subnormal numbers",
    [LB_STEP_FADD] = "the sum in binary32: contraction, the half that is added",
    [LB_STEP_FSCALE] = "the power of two: how it is formed, numbers beyond binary32",
    [LB_STEP_FLOAT] = "the conversion to binary32: its rounding, the type it starts from",
    [LB_STEP_FTRUNC] = "the conversion to integers: its rounding, numbers beyond 32 bits, NaN",
};

const char *lb_hint_of(lb_operation operation)
{
    return operation < LB_STEP_COUNT ? hints[operation] : "";
}
