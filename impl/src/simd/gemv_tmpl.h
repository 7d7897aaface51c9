/* A row vector by a matrix of bytes (loops.h) in vectors.
 *
 * Two rows of the matrix are widened and interleaved as they come, for they are used once. */
#include "loops.h"

enum {
    GEMV_HALF = 2 * LANES,      /* columns that are widened to a vector */
    GEMV_CHUNK = 2 * GEMV_HALF, /* columns whose sums stay in registers */
    GEMV_BLOCK_ROWS = 32,       /* that all columns go through before the next */
    GEMV_AHEAD = 128            /* bytes of a row that are fetched before they are needed */
};

/* Interleaving works within 128 bits: low has the columns 8 * l .. 8 * l + 3 in its lane group l,
 * high the four behind. */
static inline void add_half(V low, V high, int32_t *acc)
{
    STORE(acc, ADD(LOAD(acc), FIRST_GROUPS(low, high)));
    STORE(acc + LANES, ADD(LOAD(acc + LANES), LAST_GROUPS(low, high)));
}

/* n rows by GEMV_CHUNK columns. x has an even number of elements: if n is odd, the last is 0. */
static void add_chunk(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t n, int32_t *acc)
{
    V a = SET(0), b = a, c = a, d = a;
    for (size_t r = 0; r < n; r += 2, w += 2 * w_row) {
        const int8_t *const next = r + 1 < n ? w + w_row : w;
        const V pair = SPREAD((const char *)(x + r));
        __builtin_prefetch((const void *)((uintptr_t)w + GEMV_AHEAD));
        __builtin_prefetch((const void *)((uintptr_t)next + GEMV_AHEAD));
        const V left = WIDENED(w), left_next = WIDENED(next);
        const V right = WIDENED(w + GEMV_HALF), right_next = WIDENED(next + GEMV_HALF);
        a = DOT_S16(a, pair, LOW_WORDS(left, left_next));
        b = DOT_S16(b, pair, HIGH_WORDS(left, left_next));
        c = DOT_S16(c, pair, LOW_WORDS(right, right_next));
        d = DOT_S16(d, pair, HIGH_WORDS(right, right_next));
    }
    add_half(a, b, acc);
    add_half(c, d, acc + GEMV_HALF);
}

/* n rows by fewer columns than GEMV_CHUNK, from a copy with zeros behind them. */
static void add_last_columns(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t n,
                             size_t cols, int32_t *acc)
{
    int8_t copy[GEMV_BLOCK_ROWS * GEMV_CHUNK];
    int32_t sums[GEMV_CHUNK];
    memset(copy, 0, n * GEMV_CHUNK);
    memset(sums, 0, sizeof sums);
    memcpy(sums, acc, cols * sizeof sums[0]);
    for (size_t r = 0; r < n; r++)
        memcpy(copy + r * GEMV_CHUNK, w + (ptrdiff_t)r * w_row, cols);
    add_chunk(x, copy, GEMV_CHUNK, n, sums);
    memcpy(acc, sums, cols * sizeof sums[0]);
}

/* Up to GEMV_BLOCK_ROWS rows. */
static void add_rows(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t n, size_t cols,
                     int32_t *acc)
{
    size_t c = 0;
    for (; c + GEMV_CHUNK <= cols; c += GEMV_CHUNK)
        add_chunk(x, w + c, w_row, n, acc + c);
    if (c < cols)
        add_last_columns(x, w + c, w_row, n, cols - c, acc + c);
}

static void gemv_s8(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row, size_t rows,
                    size_t cols, int32_t *acc)
{
    int16_t moved[GEMV_BLOCK_ROWS + 1];
    for (size_t r = 0; r < rows; r += GEMV_BLOCK_ROWS) {
        const size_t n = lb_mli_min_size(rows - r, GEMV_BLOCK_ROWS);
        for (size_t i = 0; i < n; i++)
            moved[i] = (int16_t)(x[r + i] - zero);
        moved[n] = 0;
        add_rows(moved, w + (ptrdiff_t)r * w_row, w_row, n, cols, acc);
    }
}

static void gemv_s16s8(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                       int32_t *acc)
{
    int16_t copy[GEMV_BLOCK_ROWS + 1];
    for (size_t r = 0; r < rows; r += GEMV_BLOCK_ROWS) {
        const size_t n = lb_mli_min_size(rows - r, GEMV_BLOCK_ROWS);
        memcpy(copy, x + r, n * sizeof copy[0]);
        copy[n] = 0;
        add_rows(copy, w + (ptrdiff_t)r * w_row, w_row, n, cols, acc);
    }
}

static void fill_gemv(struct lb_mli_loops *loops)
{
    loops->gemv_s8 = gemv_s8;
    loops->gemv_s16s8 = gemv_s16s8;
}
