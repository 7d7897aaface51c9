/* Element-wise operations on vectors (elementwise.md 5), planned from bare quantization parameters:
 * for the eltwise kernels and for the gates of recurrent cells, whose products and sums are the
 * same (recurrent.md 6). */
#ifndef LB_MLI_ELTWISE_H
#define LB_MLI_ELTWISE_H

#include "loops.h"
#include "quant.h"

/* What is the same for all elements. fx: a and b are shifted left by shift1 and shift2 (add, sub),
 * the result right by shift. sa8: see lb_mli_eltwise_plan and elementwise.md 5, whose names are in
 * brackets. */
struct lb_mli_eltwise {
    enum lb_mli_op op;
    enum lb_mli_kind kind;
    enum lb_mli_round round;
    bool regular; /* the table's loops apply: every shift is in the range that they demand */
    int32_t zero1, zero2, zero_out; /* [z1, z2, zo] */
    int32_t mul1, mul2;             /* [M1, M2; M in mul1] */
    int32_t shift1, shift2;         /* sa8 add, sub: [h1, h2] */
    int32_t pre;                    /* sa8 mul: [pre] */
    int32_t shift; /* fx: final shift, at most 2 * width - 1; sa8 mul: [sh - pre]; min, max: [sh] */
    const struct lb_mli_loops *loops;
};

/* q1, q2, out: parameters of the operands and the result; min and max look at q1 alone. Any values
 * that a valid tensor can have. kind FX8, FX16 or SA8; the plan's own kind may differ: equally
 * quantized sa8 min and max are those of fx8. */
LB_MLI_HIDDEN void lb_mli_eltwise_plan(enum lb_mli_op op, enum lb_mli_kind kind,
                                       struct lb_mli_quant q1, struct lb_mli_quant q2,
                                       struct lb_mli_quant out, enum lb_mli_round round,
                                       struct lb_mli_eltwise *plan);

/* out[i] = a[i] op b[i] for n contiguous elements (int8_t, or int16_t for FX16). out may be a or b;
 * no other overlap. */
LB_MLI_HIDDEN void lb_mli_eltwise_run(const struct lb_mli_eltwise *plan, const void *a,
                                      const void *b, size_t n, void *out);

#endif
