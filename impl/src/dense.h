/* Sums of vector-matrix products, each brought to the output's format by itself (recurrent.md 5):
 * for mli_krn_rnn_dense_* and the gates of recurrent cells. */
#ifndef LB_MLI_DENSE_H
#define LB_MLI_DENSE_H

#include "quant.h"
#include "weighted.h"

/* Operands of a family: in, weights, bias (recurrent.md, table of variants). */
enum lb_mli_variant { LB_MLI_V_FX16, LB_MLI_V_FX16_FX8, LB_MLI_V_SA8, LB_MLI_VARIANTS };
LB_MLI_HIDDEN struct lb_mli_weighted_types lb_mli_types_of(enum lb_mli_variant variant);

/* From the products of one input and its weights to the output: mul * 2^-shift, shift of any sign.
 */
struct lb_mli_dense_scale {
    int32_t zero; /* sa8: of the input */
    int32_t mul;  /* sa8 */
    int32_t shift;
};

/* in, weights, out: parameters of the three, any that valid tensors can have; weights.scale may be
 * negative (recurrent.md 8). */
LB_MLI_HIDDEN struct lb_mli_dense_scale
lb_mli_dense_scale(enum lb_mli_variant variant, struct lb_mli_quant in, struct lb_mli_quant weights,
                   struct lb_mli_quant out, enum lb_mli_round round);

/* One input: rows elements, contiguous; a matrix of rows x (columns of the call), columns
 * contiguous. */
struct lb_mli_dense_input {
    const void *x, *weights;
    ptrdiff_t weights_row; /* elements from one row of the matrix to the next */
    size_t rows;
    struct lb_mli_dense_scale scale;
};

/* What is the same for all outputs. */
struct lb_mli_dense {
    enum lb_mli_variant variant;
    enum lb_mli_profile profile;
    int32_t bias_shift; /* fx: left, from the bias to the products of the first input; at least 0 */
    int32_t zero_out;   /* sa8 */
    const struct lb_mli_loops *loops;
};

/* out[m] = bias[m] + the sum over 1 to 4 inputs, for columns m; bias contiguous, in the format of
 * the first input's products. out lies apart from all inputs. */
LB_MLI_HIDDEN void lb_mli_dense_run(const struct lb_mli_dense *plan,
                                    const struct lb_mli_dense_input *inputs, unsigned count,
                                    const void *bias, size_t columns, void *out);

/* Its steps, on n columns, for callers that have the products: accumulators of the first input
 * start with the bias; those of each input are brought to the output's format and added to the
 * totals, which start at 0; totals become outputs. */
LB_MLI_HIDDEN void lb_mli_dense_bias(const struct lb_mli_dense *plan, const void *bias, size_t n,
                                     void *acc);
LB_MLI_HIDDEN void lb_mli_dense_add(const struct lb_mli_dense *plan, const void *acc, size_t n,
                                    struct lb_mli_dense_scale scale, void *total);
LB_MLI_HIDDEN void lb_mli_dense_narrow(const struct lb_mli_dense *plan, const void *total, size_t n,
                                       void *out);

#endif
