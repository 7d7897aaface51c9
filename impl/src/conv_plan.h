/* What the convolution families share (conv.md 6 to 9). A family's file checks, plans the results
 * and describes its work as one or more plain convolutions (struct lb_mli_conv): a group each for
 * group convolutions, a phase of the output each for transposed ones. conv_run.h runs one. */
#ifndef LB_MLI_CONV_PLAN_H
#define LB_MLI_CONV_PLAN_H

#include "weighted.h"

/* Variants: types of in and out, weights; accumulators. */
enum lb_mli_conv_kind {
    LB_MLI_CONV_SA8,      /* SA_8, SA_8; 32 bits */
    LB_MLI_CONV_FX16_FX8, /* FX_16, FX_8; 32 bits */
    LB_MLI_CONV_FX16      /* FX_16, FX_16; 64 bits */
};

/* What a whole call shares. */
struct lb_mli_conv_plan {
    enum lb_mli_conv_kind kind;
    const struct lb_mli_loops *loops;
    int32_t zero_in; /* container that stands for 0 in the input; fx: 0 */
    struct lb_mli_sa_plan sa;
    struct lb_mli_fx_plan fx;
};

/* One direction. Tap i of output o lies at input o * stride - pad + i * dilation. */
struct lb_mli_axis {
    int64_t in, out; /* sizes */
    int64_t taps;
    int64_t stride, dilation;
    int64_t pad; /* before the first input; negative: the first windows begin behind it */
};

/* A plain convolution. Steps in elements; those of weights may be negative. */
struct lb_mli_conv {
    const struct lb_mli_conv_plan *plan;
    struct lb_mli_axis rows, cols;
    size_t depth;    /* input channels that a tap sums over, contiguous */
    size_t channels; /* of the output, contiguous in out and weights */
    size_t first;    /* index of the first of them in bias and quantization parameters */
    const void *in;
    ptrdiff_t in_row, in_col;
    const void *weights; /* of tap (0, 0), input channel 0, first output channel */
    ptrdiff_t w_row, w_col, w_depth;
    void *out;
    ptrdiff_t out_row, out_col;
    const struct lb_mli_prepared *prepared; /* NULL: none; else packed weights (conv_prepared.h) */
};

/* Taps lo <= i < hi of an output lie inside the input; tap 0 lies at base, which may be outside. lo
 * = hi: none does. */
struct lb_mli_span {
    int64_t base, lo, hi;
};

static inline struct lb_mli_span lb_mli_axis_span(const struct lb_mli_axis *axis, int64_t out)
{
    struct lb_mli_span s = {out * axis->stride - axis->pad, 0, axis->taps};
    const int64_t last = s.base + (axis->taps - 1) * axis->dilation;
    if (s.base < 0)
        s.lo = (axis->dilation - 1 - s.base) / axis->dilation;
    if (last >= axis->in)
        s.hi = s.base >= axis->in ? 0 : (axis->in - 1 - s.base) / axis->dilation + 1;
    if (s.lo >= s.hi)
        s.lo = s.hi = 0;
    return s;
}

/* Bytes of an element of in and out, of weights, of an accumulator. */
static inline size_t lb_mli_conv_in_size(enum lb_mli_conv_kind kind)
{
    return kind == LB_MLI_CONV_SA8 ? 1 : 2;
}

static inline size_t lb_mli_conv_w_size(enum lb_mli_conv_kind kind)
{
    return kind == LB_MLI_CONV_FX16 ? 2 : 1;
}

static inline size_t lb_mli_conv_acc_size(enum lb_mli_conv_kind kind)
{
    return kind == LB_MLI_CONV_FX16 ? 8 : 4;
}

/* Address of an element. */
static inline const void *lb_mli_at(const void *base, ptrdiff_t elements, size_t size)
{
    return (const char *)base + elements * (ptrdiff_t)size;
}

static inline void *lb_mli_out_at(const struct lb_mli_conv *conv, int64_t row, int64_t col,
                                  size_t channel)
{
    const ptrdiff_t elements =
        (ptrdiff_t)row * conv->out_row + (ptrdiff_t)col * conv->out_col + (ptrdiff_t)channel;
    return (char *)conv->out + elements * (ptrdiff_t)lb_mli_conv_in_size(conv->plan->kind);
}

/* Operands that passed the checks, of the kind's types. profile: the call's. */
LB_MLI_HIDDEN void lb_mli_conv_plan(enum lb_mli_conv_kind kind, const mli_tensor *in,
                                    const mli_tensor *weights, const mli_tensor *bias,
                                    mli_relu_type relu, const mli_tensor *out,
                                    enum lb_mli_profile profile, struct lb_mli_conv_plan *plan);

/* False: no variant of 2D convolutions has these types. */
LB_MLI_HIDDEN bool lb_mli_conv_kind_of(const mli_tensor *in, const mli_tensor *weights,
                                       enum lb_mli_conv_kind *kind);

/* The plain convolution of conv.md 6 on these operands, all channels. */
LB_MLI_HIDDEN struct lb_mli_conv lb_mli_conv_whole(const struct lb_mli_conv_plan *plan,
                                                   const mli_tensor *in, const mli_tensor *weights,
                                                   const mli_conv2d_cfg *cfg,
                                                   const mli_tensor *out);

/* Biases and multipliers of up to LB_MLI_BLOCK channels. Points into itself: never copy it. */
union lb_mli_conv_results {
    struct lb_mli_sa_block sa;
    struct {
        int32_t bias[LB_MLI_BLOCK];
        bool bias_in_start; /* as of lb_mli_sa_block; sums are finished by lb_mli_conv_finish_rows
                               alone */
    } fx;
};
/* products: as lb_mli_sa_block. */
LB_MLI_HIDDEN void lb_mli_conv_results(const struct lb_mli_conv_plan *plan, size_t first, size_t n,
                                       size_t products, union lb_mli_conv_results *results);

/* Adds biases to the start of 32-bit sums where they begin with them. */
LB_MLI_HIDDEN void lb_mli_conv_add_bias(const struct lb_mli_conv_plan *plan,
                                        const union lb_mli_conv_results *results, size_t n,
                                        int32_t *start);

/* n accumulators (of the kind's width) to n outputs. */
LB_MLI_HIDDEN void lb_mli_conv_finish(const struct lb_mli_conv_plan *plan,
                                      const union lb_mli_conv_results *results, const void *acc,
                                      size_t n, void *out);

/*
 * Sums of split weights (loops.h, split16_rows) of FX_16. They go straight to outputs where the
 * shift allows it and, for each channel, the magnitudes of the high halves add up to
 * LB_MLI_HIGH_SUM at most, of the low halves to LB_MLI_LOW_SUM: 2^15 times the first, a 256th of
 * that of the second, the high part of the bias (2^23) and the half of the rounding (2^27) stay
 * below 2^31.
 */
enum { LB_MLI_HIGH_SUM = 58000, LB_MLI_LOW_SUM = 65000 };
LB_MLI_HIDDEN bool lb_mli_conv_split16_shift(const struct lb_mli_conv_plan *plan);

/* Bias and half of the rounding of n channels to the start of their sums, and how to finish. */
LB_MLI_HIDDEN void lb_mli_conv_plan_split16(const struct lb_mli_conv_plan *plan,
                                            const union lb_mli_conv_results *results, size_t n,
                                            int32_t *start, struct lb_mli_split16_result *split16);

/* Rows of 32-bit accumulators, acc_row apart, to outputs out_step bytes apart; with the bias in
 * them if the results say so. split16: sums of split weights; NULL: not split. */
LB_MLI_HIDDEN void lb_mli_conv_finish_rows(const struct lb_mli_conv_plan *plan,
                                           const union lb_mli_conv_results *results,
                                           const struct lb_mli_split16_result *split16,
                                           const int32_t *acc, size_t acc_row, size_t pixels,
                                           size_t n, char *out, size_t out_step);

#endif
