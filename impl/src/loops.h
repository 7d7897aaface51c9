/* The inner loops as a table of function pointers, one table for each level (plain C, instruction
 * sets). A plan prepares everything that is the same for a whole call, an entry does the bulk of
 * the work on contiguous data. Every entry of every level gives the same bits.
 *
 * Contract of all entries: inputs and outputs do not overlap (callers copy where a kernel works in
 * place); n may be 0; any alignment of 8-bit data, natural alignment of wider data; nothing outside
 * the named elements is touched.
 *
 * To add an entry: its type and field here, its plain C loop and the line that fills it in in
 * portable/. A loop written for vectors is a function and such a line in a file of simd/. */
#ifndef LB_MLI_LOOPS_H
#define LB_MLI_LOOPS_H

#include "fixed.h"
#include "profile.h"

/*
 * Products of a row vector with a matrix whose columns are contiguous: for c < cols
 *     acc[c] += sum over r < rows of (x[r] - zero) * w[r * w_row + c]
 * modulo 2^32 (2^64): any order of additions gives the same bits. x is contiguous, w_row >= cols
 * unless rows is 1. A fully connected layer is one call for each block of columns, a convolution
 * one call for each kernel row and pixel.
 */
typedef void lb_mli_gemv_s8_fn(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row,
                               size_t rows, size_t cols, int32_t *acc); /* zero: -128..127 */
typedef void lb_mli_gemv_s16s8_fn(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t rows,
                                  size_t cols, int32_t *acc); /* no zero point */
typedef void lb_mli_gemv_s16_fn(const int16_t *x, const int16_t *w, ptrdiff_t w_row, size_t rows,
                                size_t cols, int64_t *acc); /* no zero point */

/*
 * Convolutions on packed operands. Rows of x are pixels, rows of w channels, both contiguous along
 * the depth of the sum: acc[p * acc_row + c] += sum over k < depth of x[p * x_row + k] * w[c *
 * w_row + k]    for p < pixels, c < channels modulo 2^32. depth is a multiple of dot_unit bytes:
 * operands are padded, w with zeros.
 */
typedef void lb_mli_dot_s16_fn(const int16_t *x, size_t x_row, size_t pixels, const int16_t *w,
                               size_t w_row, size_t channels, size_t depth, int32_t *acc,
                               size_t acc_row);
typedef void lb_mli_dot_u8s8_fn(const uint8_t *x, size_t x_row, size_t pixels, const int8_t *w,
                                size_t w_row, size_t channels, size_t depth, int32_t *acc,
                                size_t acc_row);

/* Packing. x: out = in - zero (zero -128..127), out = in + 128. w: out[c * out_row + r] = w[r *
 * w_row + c] for r < rows, c < cols; split: w = 256 * high + low, both within -128..128, so that
 * sums of products with 16 bits stay in 32 bits for 511 terms; join: acc += 256 * high + low,
 * modulo 2^64. */
typedef void lb_mli_widen_s8_fn(const int8_t *in, size_t n, int32_t zero, int16_t *out);
typedef void lb_mli_offset_s8_fn(const int8_t *in, size_t n, uint8_t *out);
typedef void lb_mli_pack_s8_fn(const int8_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                               int8_t *out, size_t out_row);
typedef void lb_mli_pack_s8_s16_fn(const int8_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                                   int16_t *out, size_t out_row);
typedef void lb_mli_pack_s16_split_fn(const int16_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                                      int16_t *low, int16_t *high, size_t out_row);
typedef void lb_mli_join_s64_fn(const int32_t *low, const int32_t *high, size_t n, int64_t *acc);

/*
 * Convolutions on panels: weights packed for vectors of panel_lanes channels, two vectors to a
 * panel (the last panel may have one). A step is four bytes of a pixel, two int16 or four uint8,
 * and the weights of these for each lane: int16 or int8. A pixel is a list of runs, each of so many
 * steps; pixel p's begins at run[r] + p * step. Weights: panel v / 2 at w + v / 2 * w_panel,
 * [run][step][vector of the panel][lane][weights]. For p < pixels, c < vectors * panel_lanes: acc[p
 * * acc_row + c] = start[c] + all products modulo 2^32. A level that has panel_s16 has all of
 * these, but panel_u8s8 may be NULL there.
 */
/* Two products of uint8 by weights of at most this magnitude, 2 * 255 * 64, fit int16: where an
 * instruction adds such pairs with saturation, none happens. */
enum { LB_MLI_NARROW = 64 };

struct lb_mli_pixels {
    const char *const *run;
    size_t runs, steps;
    ptrdiff_t step; /* bytes from pixel to pixel */
};
typedef void lb_mli_panel_fn(const struct lb_mli_pixels *in, size_t pixels, const void *w,
                             size_t w_panel, size_t vectors, const int32_t *start, int32_t *acc,
                             size_t acc_row);
/* The same for one pixel of one run. */
typedef void lb_mli_panel_row_u8s8_fn(const uint8_t *x, size_t steps, const int8_t *w,
                                      size_t w_panel, size_t vectors, const int32_t *start,
                                      int32_t *acc);

/* One step of packed weights: rows[k][c] for c < cols, k < 4 (pack_s8) or 2, to out[v], the memory
 * of vector v; lanes from cols on are 0. split: weights = 256 * high + low, low within int8, high
 * within -128..128; the low halves of lanes are one vector, the high halves the next. magnitude:
 * sums of |w| of a vector's lanes over the steps, which are w_step int16 apart. join: acc[c] += 256
 * * high + low modulo 2^64, from sums of split weights. */
typedef void lb_mli_panel_pack_s8_fn(const int8_t *const *rows, size_t cols, int8_t *const *out);
typedef void lb_mli_panel_pack_s8_s16_fn(const int8_t *const *rows, size_t cols,
                                         int16_t *const *out);
typedef void lb_mli_panel_pack_s16_split_fn(const int16_t *const *rows, size_t cols,
                                            int16_t *const *out);
typedef void lb_mli_panel_pack_s16_fn(const int16_t *const *rows, size_t cols, int16_t *const *out);
typedef void lb_mli_panel_magnitude_s16_fn(const int16_t *w, size_t w_step, size_t steps,
                                           uint32_t *sum);
typedef void lb_mli_panel_join_s64_fn(const int32_t *sums, size_t n, int64_t *acc);
/* The same from sums of split pixels, a row for each half. */
typedef void lb_mli_panel_join_rows_s64_fn(const int32_t *low, const int32_t *high, size_t n,
                                           int64_t *acc);

/* Whole panels of bytes, of cols channels, a multiple of four vectors: steps of four rows, w_row
 * apart, each panel's one behind the other, panels out_panel bytes apart. Adds the weights of each
 * channel to its sum. */
typedef void lb_mli_panel_pack_rows_s8_fn(const int8_t *w, ptrdiff_t w_row, size_t steps,
                                          size_t cols, char *out, size_t out_panel, int32_t *sums);
/* Likewise whole panels of words: steps of two rows, and no sums. */
typedef void lb_mli_panel_pack_rows_s8_s16_fn(const int8_t *w, ptrdiff_t w_row, size_t steps,
                                              size_t cols, char *out, size_t out_panel);

/* Pixels of n bytes, in_col apart, as panel_u8s8 takes them, one behind the other: in +
 * bytes_excess. */
typedef void lb_mli_panel_load_s8_fn(const int8_t *in, ptrdiff_t in_col, size_t pixels, size_t n,
                                     char *out);

/*
 * Depthwise convolutions: acc[c] += sum over t < taps of x[t][c] * w[t * w_row + c] for c < n,
 * modulo 2^32 (2^64). The first two: w within 8 bits.
 */
typedef void lb_mli_depthwise_s8_fn(const int8_t *const *x, const int16_t *w, size_t w_row,
                                    size_t taps, size_t n, int32_t *acc);
typedef void lb_mli_depthwise_s16s8_fn(const int16_t *const *x, const int16_t *w, size_t w_row,
                                       size_t taps, size_t n, int32_t *acc);
typedef void lb_mli_depthwise_s16_fn(const int16_t *const *x, const int16_t *w, size_t w_row,
                                     size_t taps, size_t n, int64_t *acc);

/*
 * The same on rows of taps that are loaded first, for levels with vectors: bytes
 * (depthwise_taps_u8s8), words, and words whose weights are split in halves. tap[t] + at is the
 * first channel of tap t of pixel 0, pixels lie step bytes apart; taps is a multiple of 4 (bytes)
 * or 2, at least one. All channels of a group, which is a vector of loaded channels: 4 or 2 *
 * panel_lanes. Weights are packed as those of panels, [step of 4 or 2 taps][vector]. acc[p *
 * acc_row + c] = start[c] + all products; split: low and high halves of panel_lanes channels in
 * turns. Loading: pixels of n channels, in_col elements apart, each to whole vectors: in +
 * bytes_excess (u8), in, in - zero; what is behind channel n is any number. columns: a kernel of
 * three columns, pixels p + 1 and p + 2 have the next two of pixel p; tap is its first column, four
 * rows of bytes or three of words. Steps: a column of bytes; of the words, three columns of rows 0
 * and 1, then columns 0 and 1 of row 2, then column 2 alone. At least 4 pixels.
 */
struct lb_mli_depthwise_taps {
    const char *const *tap;
    size_t taps, step, at;
    bool columns;
};
typedef void lb_mli_depthwise_taps_fn(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                      const void *weights, const int32_t *start, int32_t *acc,
                                      size_t acc_row);
typedef void lb_mli_depthwise_taps_load_fn(const void *in, ptrdiff_t in_col, size_t pixels,
                                           size_t n, int32_t zero, char *out);

/*
 * Accumulators to outputs: bias with saturation, shift with rounding, range. weighted.h fills the
 * structures.
 */
struct lb_mli_fx_result {
    int32_t shift;  /* 0..31 (32-bit accumulators), 0..63 (64-bit) */
    int32_t lo, hi; /* within the output's container */
};
typedef void lb_mli_result_s32_s8_fn(const int32_t *acc, const int32_t *bias, size_t n,
                                     const struct lb_mli_fx_result *q, int8_t *out);
typedef void lb_mli_result_s32_s16_fn(const int32_t *acc, const int32_t *bias, size_t n,
                                      const struct lb_mli_fx_result *q, int16_t *out);
typedef void lb_mli_result_s64_s16_fn(const int64_t *acc, const int32_t *bias, size_t n,
                                      const struct lb_mli_fx_result *q, int16_t *out);

/* result_s32_s16 for several pixels, row p at acc + p * acc_row and out + p * out_row, where acc
 * has the bias already. */
typedef void lb_mli_fx16_rows_fn(const int32_t *acc, size_t acc_row, size_t pixels, size_t n,
                                 const struct lb_mli_fx_result *q, int16_t *out, size_t out_row);

/* Likewise sums of split weights, low and high halves of panel_lanes channels in turns: t = high +
 * floor(low / 256), y = floor(t / 2^shift); convergent: where low mod 256 and t & mask are both 0,
 * y becomes the even number not above it; out = clamp(y, lo, hi). t fits 32 bits. */
struct lb_mli_split16_result {
    int32_t shift, mask, lo, hi;
};
typedef void lb_mli_split16_rows_fn(const int32_t *acc, size_t acc_row, size_t pixels, size_t n,
                                    const struct lb_mli_split16_result *q, int16_t *out,
                                    size_t out_row);

/*
 * Panels of words straight to FX_16 outputs: panel_s16 and fx16_rows, or split16_rows for split
 * weights, in one, for n channels. rows: the level's, for the same rounding. Split weights: the
 * sums of the last panel have both halves.
 */
typedef void lb_mli_panel_fx16_fn(const struct lb_mli_pixels *in, size_t pixels, const void *w,
                                  size_t w_panel, size_t n, const int32_t *start,
                                  const struct lb_mli_fx_result *q, lb_mli_fx16_rows_fn *rows,
                                  int16_t *out, size_t out_row);
typedef void lb_mli_panel_split16_fn(const struct lb_mli_pixels *in, size_t pixels, const void *w,
                                     size_t w_panel, size_t n, const int32_t *start,
                                     const struct lb_mli_split16_result *q,
                                     lb_mli_split16_rows_fn *rows, int16_t *out, size_t out_row);

/* Element i: a = sat32(acc[i] + bias[i]); reduced profiles: a = sat16(a / 2^pre[i] rounded); then
 * out = clamp(a * mul[i] / 2^shift[i] rounded in 64 bits + zero, lo, hi). */
struct lb_mli_sa_result {
    const int32_t *bias;
    const int32_t *mul;      /* full: below 2^30; reduced: up to 2^15 */
    const int32_t *shift;    /* 0..63 */
    const int32_t *pre;      /* 0..8; full: not read */
    int32_t zero, lo, hi;    /* lo, hi within int8; zero -128..127 */
    const int32_t *far_half; /* full: 2^(shift - 33) where shift is 33 or more */
    bool far;                /* full: all shifts are 33 or more */
};
/* The same from element `first` on. */
static inline struct lb_mli_sa_result lb_mli_sa_result_from(const struct lb_mli_sa_result *q,
                                                            size_t first)
{
    struct lb_mli_sa_result part = *q;
    part.bias += first;
    part.mul += first;
    part.shift += first;
    part.pre += first;
    part.far_half += first;
    return part;
}
typedef void lb_mli_result_sa8_fn(const int32_t *acc, size_t n, const struct lb_mli_sa_result *q,
                                  int8_t *out);

/* The same for several pixels, row p at acc + p * acc_row and out + p * out_row, where acc has the
 * bias already; n at least sa8_rows_channels; full profiles: far. */
typedef void lb_mli_sa8_rows_fn(const int32_t *acc, size_t acc_row, size_t pixels, size_t n,
                                const struct lb_mli_sa_result *q, int8_t *out, size_t out_row);

/* All channels of a group of taps straight to outputs, as these three would; first: index of its
 * first channel in q. */
typedef void lb_mli_depthwise_taps_sa8_fn(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                          const void *weights, const int32_t *start,
                                          const struct lb_mli_sa_result *q, size_t first,
                                          int8_t *out, size_t out_row);
typedef void lb_mli_depthwise_taps_fx16_fn(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                           const void *weights, const int32_t *start,
                                           const struct lb_mli_fx_result *q, int16_t *out,
                                           size_t out_row);
typedef void lb_mli_depthwise_taps_split16_fn(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                              const void *weights, const int32_t *start,
                                              const struct lb_mli_split16_result *q, int16_t *out,
                                              size_t out_row);

/*
 * Panels of bytes straight to outputs of sa8: panel_u8s8 and sa8_rows in one, for n channels, a
 * multiple of panel_lanes. rows: the level's sa8_rows for the same profile.
 */
typedef void lb_mli_panel_sa8_fn(const struct lb_mli_pixels *in, size_t pixels, const void *w,
                                 size_t w_panel, size_t n, const int32_t *start,
                                 const struct lb_mli_sa_result *q, lb_mli_sa8_rows_fn *rows,
                                 int8_t *out, size_t out_row);

/*
 * Element by element
 */

/* out = clamp(in, lo, hi), lo and hi within the container. */
typedef void lb_mli_clamp_s8_fn(const int8_t *in, size_t n, int32_t lo, int32_t hi, int8_t *out);
typedef void lb_mli_clamp_s16_fn(const int16_t *in, size_t n, int32_t lo, int32_t hi, int16_t *out);

/* out = table[in + 128]. */
typedef void lb_mli_lut8_fn(const int8_t *in, size_t n, const int8_t table[256], int8_t *out);

/* FX parametric ReLU: x >= 0: x; else sat(x * slope / 2^shift rounded in 32 bits). shift 0..31. */
typedef void lb_mli_prelu_s8_fn(const int8_t *x, const int8_t *slope, size_t n, int32_t shift,
                                int8_t *out);
typedef void lb_mli_prelu_s16_fn(const int16_t *x, const int16_t *slope, size_t n, int32_t shift,
                                 int16_t *out);

/* SA_8 parametric ReLU. d = x - zero_in; y = d >= 0 ? d * mul / 2^shift : d * slopes->mul[i] /
 * 2^slopes->shift[i], rounded in 32 bits; out = sat8(y + zero_out). Levels with vectors take shifts
 * of 11 or more in another form: a shift of s, at most 24, which does the same as any beyond, as
 * half[i] = 2^(s - 10) and back[i] = 2^(25 - s), mul[i] as mul16[i]. */
struct lb_mli_prelu_sa8 {
    int32_t zero_in, zero_out; /* -128..127 */
    int32_t mul, shift;        /* mul within 16 bits, shift 0..31 */
};
struct lb_mli_prelu_slopes {
    const int32_t *mul, *shift;         /* shift 0..31 */
    const int16_t *mul16, *half, *back; /* NULL: a shift is below 11 */
};
enum { LB_MLI_PRELU_LEAST = 11, LB_MLI_PRELU_MOST = 24 };
typedef void lb_mli_prelu_sa8_fn(const int8_t *x, const struct lb_mli_prelu_slopes *slopes,
                                 size_t n, const struct lb_mli_prelu_sa8 *q, int8_t *out);

/* Two operands (eltwise.h has the plans). a, b, out have the container of the kind. */
enum lb_mli_kind { LB_MLI_FX8, LB_MLI_FX16, LB_MLI_SA8, LB_MLI_KINDS };
enum lb_mli_op { LB_MLI_ADD, LB_MLI_SUB, LB_MLI_MUL, LB_MLI_MIN, LB_MLI_MAX, LB_MLI_OPS };
struct lb_mli_eltwise;
typedef void lb_mli_eltwise_fn(const void *a, const void *b, size_t n,
                               const struct lb_mli_eltwise *plan, void *out);

/*
 * Pooling windows of one output row (pooling_and_movement.md 2). Window o < outs has the elements
 *     in[o * hop + y * row + x * col + c]    for y < rows, x < cols
 * of each channel c < channels; channels are contiguous. Its results go to out[o * out_hop + c].
 * Steps in elements, all above 0, counts at least 1, col and out_hop >= channels, hop a multiple of
 * col.
 */
struct lb_mli_pool_windows {
    size_t rows, cols;
    ptrdiff_t row, col;
    size_t outs;
    ptrdiff_t hop, out_hop;
    size_t channels;
};
typedef void lb_mli_pool_max_s8_fn(const int8_t *in, const struct lb_mli_pool_windows *w,
                                   int8_t *out);
typedef void lb_mli_pool_max_s16_fn(const int16_t *in, const struct lb_mli_pool_windows *w,
                                    int16_t *out);
typedef void lb_mli_pool_sum_s8_fn(const int8_t *in, const struct lb_mli_pool_windows *w,
                                   int16_t *out); /* rows * cols <= 256: no sum leaves int16 */
typedef void lb_mli_pool_sum_s16_fn(const int16_t *in, const struct lb_mli_pool_windows *w,
                                    int32_t *out); /* rows * cols <= 65536: no sum leaves int32 */

/* Sums to averages: out = sat(round((offset + mul * sum) / 2^shift)), mul 1..32767. s8: the sum
 * wraps in 32 bits, the half saturates there, shift 0..31. s16: 64 bits, offset 0, shift 0..63. */
struct lb_mli_average {
    int32_t mul, offset, shift;
    int32_t
        most; /* no sum is further from 0: 2^7 (s8), 2^15 (s16) for each element of the window */
};
typedef void lb_mli_average_s8_fn(const int16_t *sum, size_t n, const struct lb_mli_average *q,
                                  int8_t *out);
typedef void lb_mli_average_s16_fn(const int32_t *sum, size_t n, const struct lb_mli_average *q,
                                   int16_t *out);
/* Sums and averages in one, of windows as above. False, and nothing is done: not windows or numbers
 * for this loop. shift 0..31. */
typedef bool lb_mli_pool_average_s8_fn(const int8_t *in, const struct lb_mli_pool_windows *w,
                                       const struct lb_mli_average *q, int8_t *out);

/*
 * Moving memory (copy.h). Steps in bytes, any value; any alignment.
 */
/* n runs of so many contiguous bytes: run i from from + i * from_step to to + i * to_step. */
typedef void lb_mli_copy_runs_fn(const void *from, ptrdiff_t from_step, size_t bytes, size_t n,
                                 void *to, ptrdiff_t to_step);
/* Transpose: element (r, c) at from + r * from_step + c * size goes to to + c * to_step + r * size.
 */
typedef void lb_mli_transpose_fn(const void *from, ptrdiff_t from_step, size_t rows, size_t cols,
                                 void *to, ptrdiff_t to_step);
enum lb_mli_width {
    LB_MLI_8BIT,
    LB_MLI_16BIT,
    LB_MLI_32BIT,
    LB_MLI_WIDTHS
}; /* of an element: size 1, 2, 4 */
/* n triples of bytes apart, and together: byte 3 * i + k of one side is byte i of plane k, step
 * apart, of the other. */
typedef void lb_mli_split_3_fn(const uint8_t *from, size_t n, uint8_t *to, ptrdiff_t step);
typedef void lb_mli_join_3_fn(const uint8_t *from, ptrdiff_t step, size_t n, uint8_t *to);

/*
 * Conversion (numerics.md 7). convert: formats of 8 and 16 bits, d = sat16(in - from_zero); out =
 * sat(d * mul / 2^shift rounded in 32 bits + to_zero). convert_each: the same with parameters for
 * each element, entry i of the four arrays.
 */
struct lb_mli_convert {
    int32_t from_zero, to_zero; /* int16 range */
    int32_t mul, shift;         /* mul 16384..32767, shift 0..31 */
};
struct lb_mli_convert_each {
    const int32_t *from_zero, *to_zero, *mul, *shift;
};
typedef void lb_mli_convert_each_fn(const void *in, size_t n, const struct lb_mli_convert_each *q,
                                    void *out);
/* The same for formats of 32 bits, in place: h is the high half of d = sat32(v - from_zero),
 * normalized to the left, times mul * 2^16; v = sat32(h / 2^(shift - 16 and the normalization)
 * rounded in 32 bits, or saturated to the left, + to_zero). shift up to 63. */
typedef void lb_mli_convert_wide_fn(int32_t *v, size_t n, const struct lb_mli_convert_each *q);
/* The same from 32 bits to 8 and 16, rounded upwards, with one set of parameters whose shift is to
 * the right for every element: then no bit that is dropped before the rounding counts.
 * shift 17..47. */
enum { LB_MLI_CONVERT_LEAST = 17, LB_MLI_CONVERT_MOST = 47 };
typedef void lb_mli_convert_s32_fn(const int32_t *in, size_t n, const struct lb_mli_convert *q,
                                   void *out);
/* Between binary32 and integers: out = sat(integer(in * factor[i] +- 0.5) + zero[i]), beyond 32
 * bits the nearest integer, 0 for no number; and out = sat32(in - zero[i]) * factor[i]. zero: int16
 * range. */
typedef void lb_mli_quantize_fn(const float *in, size_t n, const float *factor, const int32_t *zero,
                                void *out);
typedef void lb_mli_dequantize_fn(const void *in, size_t n, const float *factor,
                                  const int32_t *zero, float *out);
typedef void lb_mli_convert_fn(const void *in, size_t n, const struct lb_mli_convert *q, void *out);

/*
 * Look-up of in - base, or of x, in a packed table (lookup.h); base is 0, or no element is above
 * it; x any number if the plan interpolates, else |x| < 2^17.
 */
struct lb_mli_lookup;
typedef void lb_mli_lookup_s16_fn(const int16_t *in, int32_t base, size_t n,
                                  const struct lb_mli_lookup *q, int16_t *out);
typedef void lb_mli_lookup_s32_fn(const int32_t *x, size_t n, const struct lb_mli_lookup *q,
                                  int16_t *out);
/* Fills what a packed table has of entries 0 to n of table, but pair[n]; false: a step does not fit
 * 16 bits. */
typedef bool lb_mli_lookup_pack_fn(const int16_t *table, size_t n, struct lb_mli_lookup *plan);
/* x / 2^shift, rounded, or to the left with saturation, in 32 bits, any shift: arguments for a
 * look-up. |x| < 2^30. */
typedef void lb_mli_lookup_scale_fn(int32_t *x, size_t n, int32_t shift);

/*
 * Reductions. Largest element (of none: the least of the type); sum of squares of in - zero, zero
 * -128..127.
 */
typedef int32_t lb_mli_max_s8_fn(const int8_t *in, size_t n);
typedef int32_t lb_mli_max_s16_fn(const int16_t *in, size_t n);
/* Sums, n up to 65535, of in, and of values[in + 128]. The bytes of the values are there too: low,
 * and high + 128; low and high can be read for all 256 indices, values for those in use. */
typedef int32_t lb_mli_sum_s16_fn(const int16_t *in, size_t n);
struct lb_mli_values {
    const int16_t *values;
    const int8_t *low, *high;
};
typedef int32_t lb_mli_sum_lut8_fn(const int8_t *in, size_t n, const struct lb_mli_values *of);
typedef uint64_t lb_mli_squares_s8_fn(const int8_t *in, int32_t zero, size_t n);
typedef uint64_t lb_mli_squares_s16_fn(const int16_t *in, size_t n);
/* Where in[i] >= best[i]: best[i] = in[i], at[i] = first + i. */
typedef void lb_mli_last_max_s8_fn(const int8_t *in, int32_t first, size_t n, int8_t *best,
                                   int32_t *at);
typedef void lb_mli_last_max_s16_fn(const int16_t *in, int32_t first, size_t n, int16_t *best,
                                    int32_t *at);

/*
 * Dense layers of several inputs (recurrent.md 5; dense.h): a quotient, rounded, is added to each
 * total. rescale: total = sat32(total + sat32(acc * mul / 2^shift)), |mul| <= 2^30, shift 0..61;
 * shift_s32: total = sat32(total + acc / 2^shift rounded in 32 bits), shift 0..31; shift_s64: total
 * + acc / 2^shift, |acc| <= 2^61, |total| <= 2^62, shift 0..61. narrow: out = sat(total + zero),
 * zero -128..127. cut_bias: out = bias without the bits below its 16 leading ones.
 */
typedef void lb_mli_rescale_s32_fn(const int32_t *acc, size_t n, int32_t mul, int32_t shift,
                                   int32_t *total);
typedef void lb_mli_shift_s32_fn(const int32_t *acc, size_t n, int32_t shift, int32_t *total);
typedef void lb_mli_shift_s64_fn(const int64_t *acc, size_t n, int32_t shift, int64_t *total);
typedef void lb_mli_narrow_s32_s8_fn(const int32_t *total, size_t n, int32_t zero, int8_t *out);
typedef void lb_mli_narrow_s32_s16_fn(const int32_t *total, size_t n, int16_t *out);
typedef void lb_mli_narrow_s64_s16_fn(const int64_t *total, size_t n, int16_t *out);
typedef void lb_mli_cut_bias_fn(const int32_t *bias, size_t n, int32_t *out);

/* Two inputs at once: out = sat(sat16(a * mul_a / 2^shift_a + b * mul_b / 2^shift_b) + zero), each
 * quotient rounded, |mul| up to 2^30, shifts 33..63, zero -128..127. Whole groups of 4 *
 * panel_lanes are read and written, whatever n. */
struct lb_mli_dense_pair {
    int32_t mul_a, shift_a, mul_b, shift_b, zero;
};
typedef void lb_mli_dense_pair_s8_fn(const int32_t *a, const int32_t *b, size_t n,
                                     const struct lb_mli_dense_pair *q, int8_t *out);

struct lb_mli_loops {
    lb_mli_gemv_s8_fn *gemv_s8;
    lb_mli_gemv_s16s8_fn *gemv_s16s8;
    lb_mli_gemv_s16_fn *gemv_s16;

    size_t dot_unit; /* bytes, 16 or 32 */
    lb_mli_dot_s16_fn *dot_s16;
    lb_mli_dot_u8s8_fn *dot_u8s8; /* NULL: the level is faster with operands widened to 16 bits */
    lb_mli_widen_s8_fn *widen_s8;
    lb_mli_offset_s8_fn *offset_s8;
    lb_mli_pack_s8_fn *pack_s8;
    lb_mli_pack_s8_s16_fn *pack_s8_s16;
    lb_mli_pack_s16_split_fn *pack_s16_split;
    lb_mli_join_s64_fn *join_s64;

    size_t panel_lanes, panel_pixels; /* of a vector; most pixels of a tile */
    lb_mli_panel_fn *panel_s16;       /* NULL: the level has no panels */
    lb_mli_panel_fn *panel_u8s8;      /* NULL: bytes are widened to 16 bits */
    lb_mli_panel_fn *panel_narrow; /* no panel_u8s8: the same where no weight is further from 0 than
                                      LB_MLI_NARROW; NULL: none */
    lb_mli_panel_row_u8s8_fn *panel_row_u8s8; /* NULL: panel_u8s8 does as well */
    int32_t bytes_excess; /* of panel_u8s8, panel_narrow and depthwise_taps_u8s8: 128: inputs are in
                             + 128, unsigned; 0: in, signed */
    lb_mli_panel_pack_s8_fn *panel_pack_s8;
    lb_mli_panel_pack_rows_s8_fn
        *panel_pack_rows_s8; /* this and panel_load_s8: of levels with panel_u8s8 or panel_narrow */
    lb_mli_panel_load_s8_fn *panel_load_s8;
    lb_mli_panel_pack_s8_s16_fn *panel_pack_s8_s16;
    lb_mli_panel_pack_rows_s8_s16_fn *panel_pack_rows_s8_s16;
    lb_mli_panel_pack_s16_fn *panel_pack_s16;
    lb_mli_panel_pack_s16_split_fn *panel_pack_s16_split;
    lb_mli_panel_magnitude_s16_fn *panel_magnitude_s16;
    lb_mli_panel_join_s64_fn *panel_join_s64;
    lb_mli_panel_join_rows_s64_fn *panel_join_rows_s64;
    lb_mli_panel_sa8_fn *panel_sa8[LB_MLI_PROFILES];       /* NULL: sums go through memory */
    lb_mli_panel_fx16_fn *panel_fx16[LB_MLI_ROUNDS];       /* likewise */
    lb_mli_panel_split16_fn *panel_split16[LB_MLI_ROUNDS]; /* likewise */

    lb_mli_depthwise_taps_fn *depthwise_taps_s16,
        *depthwise_taps_s16_split;     /* NULL: the level has no panels */
    bool depthwise_taps_split_columns; /* depthwise_taps_s16_split knows columns */
    lb_mli_depthwise_taps_load_fn *depthwise_taps_load_s16, *depthwise_taps_load_s8_s16;
    lb_mli_depthwise_taps_fn *depthwise_taps_u8s8; /* NULL: bytes are widened to 16 bits */
    lb_mli_depthwise_taps_load_fn *depthwise_taps_load_u8;
    lb_mli_depthwise_taps_sa8_fn
        *depthwise_taps_sa8[LB_MLI_PROFILES]; /* NULL: the level has no rows of results */
    lb_mli_depthwise_taps_fx16_fn *depthwise_taps_fx16[LB_MLI_ROUNDS];       /* likewise */
    lb_mli_depthwise_taps_split16_fn *depthwise_taps_split16[LB_MLI_ROUNDS]; /* likewise */

    lb_mli_depthwise_s8_fn *depthwise_s8;
    lb_mli_depthwise_s16s8_fn *depthwise_s16s8;
    lb_mli_depthwise_s16_fn *depthwise_s16;

    lb_mli_result_s32_s8_fn *result_s32_s8[LB_MLI_ROUNDS];
    lb_mli_result_s32_s16_fn *result_s32_s16[LB_MLI_ROUNDS];
    lb_mli_result_s64_s16_fn *result_s64_s16[LB_MLI_ROUNDS];
    lb_mli_result_sa8_fn *result_sa8[LB_MLI_PROFILES];
    lb_mli_fx16_rows_fn *fx16_rows[LB_MLI_ROUNDS];       /* NULL: the level has no panels */
    lb_mli_split16_rows_fn *split16_rows[LB_MLI_ROUNDS]; /* likewise */
    size_t sa8_rows_channels;                            /* SIZE_MAX: the level has no sa8_rows */
    lb_mli_sa8_rows_fn *sa8_rows[LB_MLI_PROFILES];

    lb_mli_clamp_s8_fn *clamp_s8;
    lb_mli_clamp_s16_fn *clamp_s16;
    lb_mli_lut8_fn *lut8;

    lb_mli_prelu_s8_fn *prelu_s8[LB_MLI_ROUNDS];
    lb_mli_prelu_s16_fn *prelu_s16[LB_MLI_ROUNDS];
    lb_mli_prelu_sa8_fn *prelu_sa8[LB_MLI_ROUNDS];
    bool prelu_vectors; /* prelu_sa8 is faster than a table for each slope */

    lb_mli_eltwise_fn *eltwise[LB_MLI_OPS][LB_MLI_KINDS][LB_MLI_ROUNDS];

    lb_mli_pool_max_s8_fn *pool_max_s8;
    lb_mli_pool_max_s16_fn *pool_max_s16;
    lb_mli_pool_sum_s8_fn *pool_sum_s8;
    lb_mli_pool_sum_s16_fn *pool_sum_s16;
    lb_mli_average_s8_fn *average_s8[LB_MLI_ROUNDS];
    lb_mli_average_s16_fn *average_s16[LB_MLI_ROUNDS];
    lb_mli_pool_average_s8_fn *pool_average_s8[LB_MLI_ROUNDS]; /* NULL: in two steps */

    lb_mli_copy_runs_fn *copy_runs;
    lb_mli_transpose_fn *transpose[LB_MLI_WIDTHS];
    lb_mli_split_3_fn *split_3;
    lb_mli_join_3_fn *join_3;

    lb_mli_convert_fn *convert[2][2][LB_MLI_ROUNDS]; /* [LB_MLI_8BIT, 16BIT of in][of out] */
    /* 16 to 16 is NULL: formats of 16 bits have no parameters per axis. */
    lb_mli_convert_each_fn *convert_each[2][2][LB_MLI_ROUNDS];
    lb_mli_convert_wide_fn *convert_wide[LB_MLI_ROUNDS];
    lb_mli_convert_s32_fn *convert_s32[2];           /* [LB_MLI_8BIT, 16BIT of out] */
    lb_mli_quantize_fn *quantize[LB_MLI_WIDTHS];     /* of out */
    lb_mli_dequantize_fn *dequantize[LB_MLI_WIDTHS]; /* of in */

    lb_mli_lookup_pack_fn *lookup_pack;
    lb_mli_lookup_scale_fn *lookup_scale[LB_MLI_ROUNDS];
    lb_mli_lookup_s16_fn *lookup_s16[LB_MLI_ROUNDS];
    lb_mli_lookup_s32_fn *lookup_s32[LB_MLI_ROUNDS];

    lb_mli_max_s8_fn *max_s8;
    lb_mli_max_s16_fn *max_s16;
    lb_mli_sum_s16_fn *sum_s16;
    lb_mli_sum_lut8_fn *sum_lut8;
    lb_mli_squares_s8_fn *squares_s8;
    lb_mli_squares_s16_fn *squares_s16;
    lb_mli_last_max_s8_fn *last_max_s8;
    lb_mli_last_max_s16_fn *last_max_s16;

    lb_mli_rescale_s32_fn *rescale_s32[LB_MLI_ROUNDS];
    lb_mli_shift_s32_fn *shift_s32[LB_MLI_ROUNDS];
    lb_mli_shift_s64_fn *shift_s64[LB_MLI_ROUNDS];
    lb_mli_narrow_s32_s8_fn *narrow_s32_s8;
    lb_mli_narrow_s32_s16_fn *narrow_s32_s16;
    lb_mli_narrow_s64_s16_fn *narrow_s64_s16;
    lb_mli_cut_bias_fn *cut_bias;
    lb_mli_dense_pair_s8_fn *dense_pair_s8[LB_MLI_ROUNDS]; /* NULL: the level has none */
};

/* The table of the current level. Any thread, any time; one atomic load once the process has
 * started. A kernel asks once a call. */
LB_MLI_HIDDEN const struct lb_mli_loops *lb_mli_loops(void);

#endif
