/* Pooling windows in plain C. All work is done by loops over long contiguous rows, which vectorize:
 * over the channels of a window, or, where channels are few or windows share much, first down the
 * columns of a whole row of windows, then along it. Maxima and sums may be taken in any order
 * (pooling_and_movement.md 2.7). */
#include "portable/portable.h"

enum {
    NARROW = 16,   /* channels below which loops over the channels alone are too short */
    SPAN = 4096,   /* elements of a row that are worked on at a time: above 255 * (NARROW - 1), the
                      widest window */
    NEAR_HOPS = 8, /* up to this stride it is cheaper to combine at every position, and pick */
};
_Static_assert(SPAN > 255 * (NARROW - 1), "a window of few channels must fit");

#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))
#define SUM(a, b)     ((a) + (b))

/*
 * Rows of n contiguous elements, count of them, step apart:
 * name_more: out[i] = op of out[i] and all in[k * step + i]; name: the same without the old out.
 */
#define COMBINE_ROWS(name, from, to, op)                                                           \
    static inline void name##_more(const from *in, ptrdiff_t step, size_t count, size_t n,         \
                                   to *restrict out)                                               \
    {                                                                                              \
        for (; count >= 4; count -= 4, in += 4 * step) {                                           \
            const from *p1 = in + step, *p2 = p1 + step, *p3 = p2 + step;                          \
            for (size_t i = 0; i < n; i++) {                                                       \
                const to a = (to)op(in[i], p1[i]), b = (to)op(p2[i], p3[i]);                       \
                const to ab = (to)op(a, b);                                                        \
                out[i] = (to)op(out[i], ab);                                                       \
            }                                                                                      \
        }                                                                                          \
        for (; count > 0; count--, in += step) {                                                   \
            for (size_t i = 0; i < n; i++)                                                         \
                out[i] = (to)op(out[i], in[i]);                                                    \
        }                                                                                          \
    }                                                                                              \
    static inline void name##_three(const from *in, ptrdiff_t step, size_t n, to *restrict out)    \
    {                                                                                              \
        const from *p1 = in + step, *p2 = p1 + step;                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const to a = (to)op(in[i], p1[i]);                                                     \
            out[i] = (to)op(a, p2[i]);                                                             \
        }                                                                                          \
    }                                                                                              \
    static void name(const from *in, ptrdiff_t step, size_t count, size_t n, to *restrict out)     \
    {                                                                                              \
        if (count == 3) {                                                                          \
            name##_three(in, step, n, out);                                                        \
        } else if (count == 1) {                                                                   \
            for (size_t i = 0; i < n; i++)                                                         \
                out[i] = in[i];                                                                    \
        } else {                                                                                   \
            const from *p1 = in + step;                                                            \
            for (size_t i = 0; i < n; i++)                                                         \
                out[i] = (to)op(in[i], p1[i]);                                                     \
            if (count > 2)                                                                         \
                name##_more(in + 2 * step, step, count - 2, n, out);                               \
        }                                                                                          \
    }

COMBINE_ROWS(max_s8, int8_t, int8_t, MAXIMUM)
COMBINE_ROWS(max_s16, int16_t, int16_t, MAXIMUM)
COMBINE_ROWS(sum_s8, int8_t, int16_t, SUM)
COMBINE_ROWS(sum_s16, int16_t, int32_t, SUM)
COMBINE_ROWS(again_s16, int16_t, int16_t, SUM) /* sums of sums */
COMBINE_ROWS(again_s32, int32_t, int32_t, SUM)

/* Whether to work down columns first. That needs columns without gaps; it costs stride * rows +
 * cols a window against rows * cols, and a store and a load more for each step of the stride. */
static bool columns_first(const struct lb_mli_pool_windows *w, size_t stride)
{
    if ((size_t)w->col != w->channels || w->cols * w->channels > SPAN)
        return false;
    return w->channels < NARROW ||
           (w->outs > 1 && stride * (w->rows + 1) + w->cols < w->rows * w->cols);
}

/*
 * The three ways to do windows.
 * name_one:     a window by itself, channel by channel. 2x2 and 3x3 are single loops.
 * name_columns: down the columns of a row of windows into a buffer, then along the buffer.
 * name:         the entry of the table.
 */
#define WINDOWS(name, from, to, op, down, along)                                                   \
    static void name##_3x3(const from *r0, ptrdiff_t row, ptrdiff_t col, size_t n,                 \
                           to *restrict out)                                                       \
    {                                                                                              \
        const from *r1 = r0 + row, *r2 = r1 + row;                                                 \
        for (size_t i = 0; i < n; i++) {                                                           \
            const ptrdiff_t j = (ptrdiff_t)i + col, k = j + col;                                   \
            const to a = (to)op(r0[i], r0[j]), b = (to)op(r1[i], r1[j]), c = (to)op(r2[i], r2[j]); \
            const to d = (to)op(r0[k], r1[k]), e = (to)op(a, r2[k]), f = (to)op(b, c),             \
                     g = (to)op(d, e);                                                             \
            out[i] = (to)op(f, g);                                                                 \
        }                                                                                          \
    }                                                                                              \
    static void name##_2x2(const from *r0, ptrdiff_t row, ptrdiff_t col, size_t n,                 \
                           to *restrict out)                                                       \
    {                                                                                              \
        const from *r1 = r0 + row;                                                                 \
        for (size_t i = 0; i < n; i++) {                                                           \
            const ptrdiff_t j = (ptrdiff_t)i + col;                                                \
            const to a = (to)op(r0[i], r0[j]), b = (to)op(r1[i], r1[j]);                           \
            out[i] = (to)op(a, b);                                                                 \
        }                                                                                          \
    }                                                                                              \
    static void name##_one(const from *in, const struct lb_mli_pool_windows *w, to *out)           \
    {                                                                                              \
        if (w->rows == 3 && w->cols == 3) {                                                        \
            name##_3x3(in, w->row, w->col, w->channels, out);                                      \
        } else if (w->rows == 2 && w->cols == 2) {                                                 \
            name##_2x2(in, w->row, w->col, w->channels, out);                                      \
        } else {                                                                                   \
            down(in, w->col, w->cols, w->channels, out);                                           \
            for (size_t y = 1; y < w->rows; y++)                                                   \
                down##_more(in + (ptrdiff_t)y * w->row, w->col, w->cols, w->channels, out);        \
        }                                                                                          \
    }                                                                                              \
    static void name##_columns(const from *in, const struct lb_mli_pool_windows *w, size_t stride, \
                               size_t outs, to *out)                                               \
    {                                                                                              \
        to columns[SPAN], all[SPAN];                                                               \
        const size_t starts =                                                                      \
            (outs - 1) * stride + 1; /* positions from the first window to the last */             \
        const ptrdiff_t hop = (ptrdiff_t)(stride * w->channels);                                   \
        down(in, w->row, w->rows, (starts + w->cols - 1) * w->channels, columns);                  \
        if (stride == 1 && (size_t)w->out_hop == w->channels) {                                    \
            along(columns, w->col, w->cols, outs * w->channels, out);                              \
            return;                                                                                \
        }                                                                                          \
        if (w->channels < NARROW && stride <= NEAR_HOPS) {                                         \
            along(columns, w->col, w->cols, starts * w->channels, all);                            \
            const size_t size = sizeof all[0];                                                     \
            lb_mli_loops()->copy_runs(all, hop *(ptrdiff_t)size, w->channels *size, outs, out,     \
                                      w->out_hop *(ptrdiff_t)size);                                \
            return;                                                                                \
        }                                                                                          \
        for (ptrdiff_t o = 0; o < (ptrdiff_t)outs; o++)                                            \
            along(columns + o * hop, w->col, w->cols, w->channels, out + o * w->out_hop);          \
    }                                                                                              \
    static void name(const from *in, const struct lb_mli_pool_windows *w, to *out)                 \
    {                                                                                              \
        const size_t stride = (size_t)(w->hop / w->col);                                           \
        size_t done = 0;                                                                           \
        if (columns_first(w, stride)) {                                                            \
            const size_t most = (SPAN / w->channels - w->cols) / stride + 1;                       \
            for (size_t outs; done < w->outs; done += outs) {                                      \
                outs = lb_mli_min_size(w->outs - done, most);                                      \
                name##_columns(in + (ptrdiff_t)done * w->hop, w, stride, outs,                     \
                               out + (ptrdiff_t)done * w->out_hop);                                \
            }                                                                                      \
        }                                                                                          \
        for (; done < w->outs; done++)                                                             \
            name##_one(in + (ptrdiff_t)done * w->hop, w, out + (ptrdiff_t)done * w->out_hop);      \
    }

WINDOWS(pool_max_s8, int8_t, int8_t, MAXIMUM, max_s8, max_s8)
WINDOWS(pool_max_s16, int16_t, int16_t, MAXIMUM, max_s16, max_s16)
WINDOWS(pool_sum_s8, int8_t, int16_t, SUM, sum_s8, again_s16)
WINDOWS(pool_sum_s16, int16_t, int32_t, SUM, sum_s16, again_s32)

#define AVERAGE_S8(name, round)                                                                    \
    static void name(const int16_t *restrict sum, size_t n,                                        \
                     const struct lb_mli_average *restrict q, int8_t *restrict out)                \
    {                                                                                              \
        const struct lb_mli_average p = *q;                                                        \
        const int16_t mul =                                                                        \
            (int16_t)p.mul; /* 16 bits times 16 is one instruction where 32 times 32 is many */    \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int32_t acc = (int32_t)((uint32_t)p.offset + (uint32_t)(mul * sum[i]));          \
            out[i] = (int8_t)lb_mli_clamp(lb_mli_lane_rsh(acc, p.shift, INT32_MAX, round),         \
                                          INT8_MIN, INT8_MAX);                                     \
        }                                                                                          \
    }

AVERAGE_S8(average_s8_up, LB_MLI_UP)
AVERAGE_S8(average_s8_convergent, LB_MLI_CONVERGENT)

/* Products have 46 bits: adding the half cannot leave 64. */
static inline int64_t rounded(int64_t v, int n, enum lb_mli_round round)
{
    const int64_t half = (int64_t)((UINT64_C(1) << n) >> 1);
    if (round == LB_MLI_UP)
        return (v + half) >> n;
    const int64_t floored = v >> n;
    const int64_t rest = v & (int64_t)((UINT64_C(1) << n) - 1);
    return floored + (rest > (half | (n == 0)) - (floored & 1));
}

#define AVERAGE_S16(name, round)                                                                   \
    static void name(const int32_t *restrict sum, size_t n,                                        \
                     const struct lb_mli_average *restrict q, int16_t *restrict out)               \
    {                                                                                              \
        const struct lb_mli_average p = *q;                                                        \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (int16_t)lb_mli_sat16(rounded((int64_t)p.mul * sum[i], p.shift, round));      \
    }

AVERAGE_S16(average_s16_up, LB_MLI_UP)
AVERAGE_S16(average_s16_convergent, LB_MLI_CONVERGENT)

void LB_MLI_FILL(pool)(struct lb_mli_loops *loops)
{
    loops->pool_max_s8 = pool_max_s8;
    loops->pool_max_s16 = pool_max_s16;
    loops->pool_sum_s8 = pool_sum_s8;
    loops->pool_sum_s16 = pool_sum_s16;
    loops->average_s8[LB_MLI_UP] = average_s8_up;
    loops->average_s8[LB_MLI_CONVERGENT] = average_s8_convergent;
    loops->average_s16[LB_MLI_UP] = average_s16_up;
    loops->average_s16[LB_MLI_CONVERGENT] = average_s16_convergent;
}
