/* Multiply-accumulate loops in plain C. Four rows of the matrix at a time, so that each accumulator
 * is loaded and stored once for four products; the loop over columns is contiguous and vectorizes.
 * Sums are unsigned: they wrap at the accumulator's width (numerics.md 4.1). */
#include "portable/portable.h"

enum { ROWS_AT_ONCE = 4 };

static inline uint32_t product(int16_t x, int8_t w)
{
    return (uint32_t)((int32_t)x * w);
}

/* One of the rows that are left over by four. */
static void gemv_row_s16s8(int32_t x, const int8_t *restrict w, size_t cols, int32_t *restrict acc)
{
    const int16_t x0 = (int16_t)x;
    for (size_t c = 0; c < cols; c++)
        acc[c] = (int32_t)((uint32_t)acc[c] + product(x0, w[c]));
}

static inline void gemv_4_rows_s16s8(const int16_t x[ROWS_AT_ONCE], const int8_t *restrict w,
                                     ptrdiff_t w_row, size_t cols, int32_t *restrict acc)
{
    const int8_t *restrict w0 = w, *restrict w1 = w0 + w_row, *restrict w2 = w1 + w_row,
                           *restrict w3 = w2 + w_row;
    const int16_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    for (size_t c = 0; c < cols; c++)
        acc[c] = (int32_t)((uint32_t)acc[c] + product(x0, w0[c]) + product(x1, w1[c]) +
                           product(x2, w2[c]) + product(x3, w3[c]));
}

/* Without a zero point two products fit 16 bits if they are negated: their sum is at most 2 * 2^14
 * = 2^15, and only the negative end of int16 has that. Half as many values need widening. */
static inline void gemv_4_rows_s8(const int8_t x[ROWS_AT_ONCE], const int8_t *restrict w,
                                  ptrdiff_t w_row, size_t cols, int32_t *restrict acc)
{
    const int8_t *restrict w0 = w, *restrict w1 = w0 + w_row, *restrict w2 = w1 + w_row,
                           *restrict w3 = w2 + w_row;
    const int16_t n0 = (int16_t)-x[0], n1 = (int16_t)-x[1], n2 = (int16_t)-x[2],
                  n3 = (int16_t)-x[3];
    for (size_t c = 0; c < cols; c++) {
        const int16_t a = (int16_t)(n0 * w0[c] + n1 * w1[c]);
        const int16_t b = (int16_t)(n2 * w2[c] + n3 * w3[c]);
        acc[c] = (int32_t)((uint32_t)acc[c] - (uint32_t)(int32_t)a - (uint32_t)(int32_t)b);
    }
}

static void gemv_s8(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row, size_t rows,
                    size_t cols, int32_t *acc)
{
    size_t r = 0;
    for (; r + ROWS_AT_ONCE <= rows; r += ROWS_AT_ONCE) {
        const int8_t *row = w + (ptrdiff_t)r * w_row;
        if (zero == 0) {
            gemv_4_rows_s8(x + r, row, w_row, cols, acc);
        } else {
            const int16_t moved[ROWS_AT_ONCE] = {(int16_t)(x[r] - zero), (int16_t)(x[r + 1] - zero),
                                                 (int16_t)(x[r + 2] - zero),
                                                 (int16_t)(x[r + 3] - zero)};
            gemv_4_rows_s16s8(moved, row, w_row, cols, acc);
        }
    }
    for (; r < rows; r++)
        gemv_row_s16s8(x[r] - zero, w + (ptrdiff_t)r * w_row, cols, acc);
}

static void gemv_s16s8(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                       int32_t *acc)
{
    size_t r = 0;
    for (; r + ROWS_AT_ONCE <= rows; r += ROWS_AT_ONCE)
        gemv_4_rows_s16s8(x + r, w + (ptrdiff_t)r * w_row, w_row, cols, acc);
    for (; r < rows; r++)
        gemv_row_s16s8(x[r], w + (ptrdiff_t)r * w_row, cols, acc);
}

static void gemv_row_s16(int16_t x, const int16_t *restrict w, size_t cols, int64_t *restrict acc)
{
    for (size_t c = 0; c < cols; c++)
        acc[c] = (int64_t)((uint64_t)acc[c] + (uint64_t)(int64_t)(x * w[c]));
}

/* -(p + q) of two products of 16 bits, which fits 32 bits for the reason given at gemv_4_rows_s8.
 */
static inline int32_t negated_pair(int16_t x0, int16_t w0, int16_t x1, int16_t w1)
{
    return (int32_t)(0U - (uint32_t)(x0 * w0) - (uint32_t)(x1 * w1));
}

static inline void gemv_4_rows_s16(const int16_t x[ROWS_AT_ONCE], const int16_t *restrict w,
                                   ptrdiff_t w_row, size_t cols, int64_t *restrict acc)
{
    const int16_t *restrict w0 = w, *restrict w1 = w0 + w_row, *restrict w2 = w1 + w_row,
                            *restrict w3 = w2 + w_row;
    const int16_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    for (size_t c = 0; c < cols; c++) {
        const int32_t a = negated_pair(x0, w0[c], x1, w1[c]);
        const int32_t b = negated_pair(x2, w2[c], x3, w3[c]);
        acc[c] = (int64_t)((uint64_t)acc[c] - (uint64_t)(int64_t)a - (uint64_t)(int64_t)b);
    }
}

static void gemv_s16(const int16_t *x, const int16_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                     int64_t *acc)
{
    size_t r = 0;
    for (; r + ROWS_AT_ONCE <= rows; r += ROWS_AT_ONCE)
        gemv_4_rows_s16(x + r, w + (ptrdiff_t)r * w_row, w_row, cols, acc);
    for (; r < rows; r++)
        gemv_row_s16(x[r], w + (ptrdiff_t)r * w_row, cols, acc);
}

void LB_MLI_FILL(gemv)(struct lb_mli_loops *loops)
{
    loops->gemv_s8 = gemv_s8;
    loops->gemv_s16s8 = gemv_s16s8;
    loops->gemv_s16 = gemv_s16;
}
