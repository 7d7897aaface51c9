/* A row vector by a matrix of bytes (loops.h), by products of bytes. The file that includes it has
 * gemv_tmpl.h before it, which does what is too small.
 *
 * Products take unsigned bytes by signed ones, so rows are multiplied by |x|, those with x above
 * zero apart from those with x below. Without integer dot products two products are added up in 16
 * bits: |x| is at most 127 there, as 2 * 127 * -128 fits, and a row whose x is larger comes twice
 * or three times. Rows whose x is zero are left out.
 *
 * Four rows are interleaved as they come, within 128 bits: vector v of sums has in its lane group l
 * the columns 16 * l + 4 * v and three more. */
#include "loops.h"

enum {
    BYTES_STEP = 4,           /* rows */
    BYTES_BLOCK = 1024,       /* columns whose sums are kept at a time */
    BYTES_BLOCK_ROWS = 128,   /* that all columns of a block go through before the next */
    BYTES_FEW_ROWS = 16,      /* not worth lists */
    BYTES_AHEAD = 128,        /* bytes of a row that are fetched before they are needed */
    BYTES_TIMES = 3,          /* that a row may come */
    BYTES_GROUPS = LANES / 4, /* of lanes, in a vector */
#ifdef DOT_U8S8
    BYTES_MOST = 255
#else
    BYTES_MOST = 127
#endif
};

#ifdef DOT_U8S8
#define DOT_ROWS(a, x, w) DOT_U8S8(a, x, w)
#else
#define DOT_ROWS(a, x, w) DOT_NARROW(a, x, w)
#endif

/* Rows to multiply by |x|, 1 to BYTES_MOST. */
struct byte_rows {
    size_t n;
    const int8_t *row[BYTES_BLOCK_ROWS * BYTES_TIMES + BYTES_STEP];
    uint8_t x[BYTES_BLOCK_ROWS * BYTES_TIMES + BYTES_STEP];
};

struct byte_sums {
    V a, b, c, d;
};

/* n rows: x below zero to the second list. */
static void list_byte_rows(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row,
                           size_t n, struct byte_rows lists[2])
{
    lists[0].n = lists[1].n = 0;
    for (size_t r = 0; r < n; r++, w += w_row) {
        const int32_t moved = x[r] - zero;
        struct byte_rows *const list = &lists[moved < 0];
        int32_t size = moved < 0 ? -moved : moved;
        for (; size > BYTES_MOST; size -= BYTES_MOST) {
            list->row[list->n] = w;
            list->x[list->n++] = BYTES_MOST;
        }
        list->row[list->n] = w;
        list->x[list->n] = (uint8_t)size;
        list->n += size > 0;
    }
    for (int side = 0; side < 2; side++)
        for (; lists[side].n % BYTES_STEP > 0; lists[side].n++) {
            lists[side].row[lists[side].n] = lists[side].row[0];
            lists[side].x[lists[side].n] = 0;
        }
}

static inline V byte_row(const int8_t *row, size_t at)
{
    __builtin_prefetch((const void *)((uintptr_t)row + at + BYTES_AHEAD));
    return LOAD(row + at);
}

/* The listed rows by the columns of one vector. */
LB_MLI_INLINE struct byte_sums add_byte_rows(const struct byte_rows *list, size_t at,
                                             struct byte_sums s)
{
    for (size_t i = 0; i < list->n; i += BYTES_STEP) {
        const V quad = SPREAD((const char *)list->x + i);
        const V w0 = byte_row(list->row[i], at), w1 = byte_row(list->row[i + 1], at);
        const V w2 = byte_row(list->row[i + 2], at), w3 = byte_row(list->row[i + 3], at);
        const V low_01 = LOW_BYTES(w0, w1), low_23 = LOW_BYTES(w2, w3);
        const V high_01 = HIGH_BYTES(w0, w1), high_23 = HIGH_BYTES(w2, w3);
        s.a = DOT_ROWS(s.a, quad, LOW_WORDS(low_01, low_23));
        s.b = DOT_ROWS(s.b, quad, HIGH_WORDS(low_01, low_23));
        s.c = DOT_ROWS(s.c, quad, LOW_WORDS(high_01, high_23));
        s.d = DOT_ROWS(s.d, quad, HIGH_WORDS(high_01, high_23));
    }
    return s;
}

static inline struct byte_sums negated_sums(struct byte_sums s)
{
    const V none = SET(0);
    return (struct byte_sums){SUB(none, s.a), SUB(none, s.b), SUB(none, s.c), SUB(none, s.d)};
}

/* Columns first .. VECTOR_BYTES - 1 of a vector of columns. first: a multiple of 4, or what is
 * before it in its four is added as 0. */
static void finish_bytes(struct byte_sums s, size_t first, int32_t *acc)
{
    int32_t sums[4][LANES];
    STORE(sums[0], s.a);
    STORE(sums[1], s.b);
    STORE(sums[2], s.c);
    STORE(sums[3], s.d);
    for (size_t unit = first / 4; unit < VECTOR_BYTES / 4; unit++) {
        int32_t *const from = sums[unit % 4] + unit / 4 * 4;
        for (size_t c = unit * 4; c < first; c++)
            from[c % 4] = 0;
        __m128i *const to = (__m128i *)(void *)(acc + unit * 4);
        _mm_storeu_si128(to, _mm_add_epi32(_mm_loadu_si128(to),
                                           _mm_loadu_si128((const __m128i *)(const void *)from)));
    }
}

/* Up to BYTES_BLOCK columns, a vector of them or more: the last vector may overlap the one before.
 */
static void gemv_byte_block(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row,
                            size_t rows, size_t cols, int32_t *acc)
{
    struct byte_sums sums[BYTES_BLOCK / VECTOR_BYTES];
    struct byte_rows lists[2];
    memset(sums, 0, sizeof sums);
    for (size_t r = 0; r < rows; r += BYTES_BLOCK_ROWS) {
        list_byte_rows(x + r, zero, w + (ptrdiff_t)r * w_row, w_row,
                       lb_mli_min_size(rows - r, BYTES_BLOCK_ROWS), lists);
        for (size_t c = 0; c < cols; c += VECTOR_BYTES) {
            struct byte_sums *const s = &sums[c / VECTOR_BYTES];
            const size_t at = lb_mli_min_size(c, cols - VECTOR_BYTES);
            *s = negated_sums(add_byte_rows(&lists[0], at, *s));
            *s = negated_sums(add_byte_rows(&lists[1], at, *s));
        }
    }
    for (size_t c = 0; c < cols; c += VECTOR_BYTES) {
        const size_t at = lb_mli_min_size(c, cols - VECTOR_BYTES);
        finish_bytes(sums[c / VECTOR_BYTES], c - at, acc + at);
    }
}

static void gemv_bytes(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row, size_t rows,
                       size_t cols, int32_t *acc)
{
    size_t first = 0;
    for (size_t n; rows >= BYTES_FEW_ROWS && first + VECTOR_BYTES <= cols; first += n) {
        n = lb_mli_min_size(cols - first, BYTES_BLOCK);
        gemv_byte_block(x, zero, w + first, w_row, rows, n, acc + first);
    }
    if (first < cols)
        gemv_s8(x, zero, w + first, w_row, rows, cols - first, acc + first);
}

/* After fill_gemv. */
static void fill_gemv_bytes(struct lb_mli_loops *loops)
{
    loops->gemv_s8 = gemv_bytes;
}
