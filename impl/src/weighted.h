/* What kernels with weights and an accumulator share (conv.md 3 to 5, 11): formats of their
 * operands, and the way from accumulators to outputs, planned in blocks of output channels so that
 * nothing is allocated.
 *
 * - fx: lb_mli_fx_plan; for each block of channels lb_mli_fx_bias; for each pixel the sum from 0,
 *   then lb_mli_fx_finish_*
 * - sa8: lb_mli_sa_plan; for each block of channels lb_mli_sa_block; for each pixel the sum from 0,
 *   then lb_mli_sa_finish */
#ifndef LB_MLI_WEIGHTED_H
#define LB_MLI_WEIGHTED_H

#include "loops.h"
#include "profile.h"
#include "quant.h"

/* Channels of a block: accumulators, biases and multipliers of one stay in the first-level cache.
 */
enum { LB_MLI_BLOCK = 256 };

/* Element types of in (and out), weights, bias. */
struct lb_mli_weighted_types {
    mli_element_type in, weights, bias;
};
#define LB_MLI_TYPES_FX16 ((struct lb_mli_weighted_types){MLI_EL_FX_16, MLI_EL_FX_16, MLI_EL_FX_16})
#define LB_MLI_TYPES_FX16_FX8                                                                      \
    ((struct lb_mli_weighted_types){MLI_EL_FX_16, MLI_EL_FX_8, MLI_EL_FX_8})
#define LB_MLI_TYPES_FX8 ((struct lb_mli_weighted_types){MLI_EL_FX_8, MLI_EL_FX_8, MLI_EL_FX_8})
#define LB_MLI_TYPES_SA8 ((struct lb_mli_weighted_types){MLI_EL_SA_8, MLI_EL_SA_8, MLI_EL_SA_32})

/* Steps A, B, C of conv.md 11, the first that fx kernels make. NULL tensors: BAD_TENSOR, where the
 * original crashes. */
LB_MLI_HIDDEN mli_status lb_mli_check_fx_formats(struct lb_mli_weighted_types types,
                                                 const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_tensor *out);

/* Steps Q1 to Q6 of conv.md 11, the last that sa8 kernels make; weights_axis: dimension of the
 * output channels. All tensors passed lb_mli_check_tensor, shapes fit. */
LB_MLI_HIDDEN mli_status lb_mli_check_sa_formats(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_tensor *out,
                                                 int32_t weights_axis, enum lb_mli_round round);

/* Step Q6 alone: the bias scale is in scale * weights scale, for each of channels entries, else
 * INCOMPATEBLE_TENSORS. */
LB_MLI_HIDDEN mli_status lb_mli_check_bias_scale(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, uint32_t channels,
                                                 enum lb_mli_round round);

/* fx */
struct lb_mli_fx_plan {
    const mli_tensor *bias; /* FX_8 or FX_16, innermost stride 1 */
    int32_t bias_shift;     /* left, from the bias to the accumulator */
    enum lb_mli_round round;
    struct lb_mli_fx_result result; /* shift: right, any sign */
    const struct lb_mli_loops *loops;
};

LB_MLI_HIDDEN void lb_mli_fx_plan(const mli_tensor *in, const mli_tensor *weights,
                                  const mli_tensor *bias, mli_relu_type relu, const mli_tensor *out,
                                  enum lb_mli_round round, struct lb_mli_fx_plan *plan);

/* Biases of channels first .. first + n - 1 in the format of the accumulator; those of FX_16 are
 * cut to 32 bits by wrapping (conv.md 3). */
LB_MLI_HIDDEN void lb_mli_fx_bias(const struct lb_mli_fx_plan *plan, size_t first, size_t n,
                                  int32_t *aligned);

/* n accumulators and aligned biases to n outputs. */
LB_MLI_HIDDEN void lb_mli_fx_finish_s32_s8(const struct lb_mli_fx_plan *plan, const int32_t *acc,
                                           const int32_t *aligned, size_t n, int8_t *out);
LB_MLI_HIDDEN void lb_mli_fx_finish_s32_s16(const struct lb_mli_fx_plan *plan, const int32_t *acc,
                                            const int32_t *aligned, size_t n, int16_t *out);
LB_MLI_HIDDEN void lb_mli_fx_finish_s64_s16(const struct lb_mli_fx_plan *plan, const int64_t *acc,
                                            const int32_t *aligned, size_t n, int16_t *out);

/* sa8 */
struct lb_mli_sa_plan {
    const mli_tensor *weights;
    const int32_t *bias;        /* contiguous */
    struct lb_mli_factor ratio; /* in scale / out scale; weights scales are still to come */
    int32_t zero_in;            /* for the mac loops */
    int32_t zero_out;
    struct lb_mli_range range; /* of the ReLU, within int8 */
    enum lb_mli_profile profile;
    const struct lb_mli_loops *loops;
};

LB_MLI_HIDDEN void lb_mli_sa_plan(const mli_tensor *in, const mli_tensor *weights,
                                  const mli_tensor *bias, mli_relu_type relu, const mli_tensor *out,
                                  enum lb_mli_profile profile, struct lb_mli_sa_plan *plan);

/* Multipliers and biases of up to LB_MLI_BLOCK channels. Points into itself: never copy it. */
struct lb_mli_sa_block {
    struct lb_mli_sa_result result;
    bool regular;       /* all shifts are right shifts: the table's loops apply */
    bool bias_in_start; /* sums begin with the bias, which saturates nowhere; then
                           lb_mli_sa_finish_rows alone finishes */
    int32_t bias[LB_MLI_BLOCK], mul[LB_MLI_BLOCK], shift[LB_MLI_BLOCK], pre[LB_MLI_BLOCK],
        far_half[LB_MLI_BLOCK];
};

/* products: most products of a sum, for a caller that starts sums with the bias where bias_in_start
 * says so; SIZE_MAX: one that does not. */
LB_MLI_HIDDEN void lb_mli_sa_block(const struct lb_mli_sa_plan *plan, size_t first, size_t n,
                                   size_t products, struct lb_mli_sa_block *block);

/* n accumulators (without bias) of the first n channels of the block to n outputs. */
LB_MLI_HIDDEN void lb_mli_sa_finish(const struct lb_mli_sa_plan *plan,
                                    const struct lb_mli_sa_block *block, const int32_t *acc,
                                    size_t n, int8_t *out);

/* The same for rows of pixels, acc_row and out_row apart; acc has the bias if bias_in_start. */
LB_MLI_HIDDEN void lb_mli_sa_finish_rows(const struct lb_mli_sa_plan *plan,
                                         const struct lb_mli_sa_block *block, const int32_t *acc,
                                         size_t acc_row, size_t pixels, size_t n, int8_t *out,
                                         size_t out_row);

#endif
