/* A row vector by a matrix, with the integer dot products of AVX-512. Four rows of the matrix are
 * interleaved as they come, for they are used once.
 *
 * A dot product takes unsigned bytes by signed ones. Rows whose x is above zero and rows whose x is
 * below are multiplied by |x|, apart, and subtracted: so no sums of weights are asked for, and rows
 * whose x is zero are skipped. |x| of 16 bits is two bytes, and so is a weight, whose low byte is
 * signed after 128 is taken away.
 *
 * Interleaving works within 128 bits: vector v of sums has in its lane group l the bytes 16 * l + 4
 * * v and three more, until the end. */
#include "loops.h"

enum {
    GEMV_STEP = 4,     /* rows */
    GEMV_CHUNK = 64,   /* bytes of a row: a vector */
    GEMV_BLOCK = 1024, /* bytes of a row whose sums are kept at a time */
    GEMV_BLOCK_ROWS =
        64, /* that all chunks go through before the next: they stay in the first-level cache */
    GEMV_AHEAD = 128,      /* bytes of a row that are fetched before they are needed */
    GEMV_AT_ONCE = 8,      /* rows that are listed at a time */
    GEMV_MOST_ROWS = 65536 /* whose sums of bytes stay in 32 bits */
};

/* Operands of a type. */
struct kind {
    unsigned planes; /* bytes of |x| */
    bool wide;       /* weights have two bytes */
};

/* Rows to multiply by |x|. */
struct list {
    size_t n;
    uint64_t row[GEMV_BLOCK_ROWS + GEMV_STEP + GEMV_AT_ONCE]; /* addresses */
    uint8_t x[2][GEMV_BLOCK_ROWS + GEMV_STEP + GEMV_AT_ONCE]; /* low bytes, high bytes */
};

struct sums {
    V a, b, c, d;
};

/* Eight rows: those of the mask, at these addresses. */
static inline void append(struct list *list, __mmask8 mask, V rows, V x)
{
    const V packed = _mm512_maskz_compress_epi64(mask, x);
    STORE(list->row + list->n, _mm512_maskz_compress_epi64(mask, rows));
    _mm_storel_epi64((void *)(list->x[0] + list->n), _mm512_cvtepi64_epi8(packed));
    _mm_storel_epi64((void *)(list->x[1] + list->n),
                     _mm512_cvtepi64_epi8(_mm512_srli_epi64(packed, 8)));
    list->n += (size_t)__builtin_popcount(mask);
}

/* To whole steps; `row` is any row that is there. */
static void fill_up(struct list *list, uint64_t row)
{
    for (; list->n % GEMV_STEP > 0; list->n++) {
        list->row[list->n] = row;
        list->x[0][list->n] = list->x[1][list->n] = 0;
    }
}

/* Rows that filled no step are the first of the next block. */
static void keep_rest(struct list *list)
{
    const size_t done = list->n / GEMV_STEP * GEMV_STEP;
    memcpy(list->row, list->row + done, GEMV_STEP * sizeof list->row[0]);
    memcpy(list->x[0], list->x[0] + done, GEMV_STEP);
    memcpy(list->x[1], list->x[1] + done, GEMV_STEP);
    list->n -= done;
}

/* Of a row that goes on, what is needed soon is asked for: rows are too many for the processor to
 * follow. An address that is none does no harm. */
static inline V loaded(uint64_t row, size_t at, __mmask64 mask, bool whole)
{
    const char *const p = (const char *)(uintptr_t)row + at;
    if (whole)
        _mm_prefetch((const char *)(uintptr_t)(row + at + GEMV_AHEAD), _MM_HINT_T0);
    return whole ? LOAD(p) : _mm512_maskz_loadu_epi8(mask, p);
}

/* One plane of a step, interleaved: a to d. */
LB_MLI_INLINE void add_plane(const uint8_t x[GEMV_STEP], V a, V b, V c, V d, struct sums *s)
{
    const V quad = SPREAD((const char *)x);
    s->a = _mm512_dpbusd_epi32(s->a, quad, a);
    s->b = _mm512_dpbusd_epi32(s->b, quad, b);
    s->c = _mm512_dpbusd_epi32(s->c, quad, c);
    s->d = _mm512_dpbusd_epi32(s->d, quad, d);
}

/* The listed rows by one chunk of columns; mask: bytes of it that are there, if it is not whole. */
LB_MLI_INLINE void add_rows(const struct list *list, size_t at, __mmask64 mask, bool whole,
                            struct kind kind, struct sums *low, struct sums *high)
{
    for (size_t i = 0; i + GEMV_STEP <= list->n; i += GEMV_STEP) {
        const V w0 = loaded(list->row[i], at, mask, whole),
                w1 = loaded(list->row[i + 1], at, mask, whole);
        const V w2 = loaded(list->row[i + 2], at, mask, whole),
                w3 = loaded(list->row[i + 3], at, mask, whole);
        const V low_01 = LOW_BYTES(w0, w1), low_23 = LOW_BYTES(w2, w3);
        const V high_01 = HIGH_BYTES(w0, w1), high_23 = HIGH_BYTES(w2, w3);
        const V less = _mm512_set1_epi64(
            kind.wide ? 0x80808080 : 0); /* 128 of low bytes, which even lanes have */
        const V a = XOR(LOW_WORDS(low_01, low_23), less), b = XOR(HIGH_WORDS(low_01, low_23), less);
        const V c = XOR(LOW_WORDS(high_01, high_23), less),
                d = XOR(HIGH_WORDS(high_01, high_23), less);
        add_plane(list->x[0] + i, a, b, c, d, low);
        if (kind.planes > 1)
            add_plane(list->x[1] + i, a, b, c, d, high);
    }
}

static inline void negate(struct sums *s)
{
    const V none = _mm512_setzero_si512();
    *s = (struct sums){SUB(none, s->a), SUB(none, s->b), SUB(none, s->c), SUB(none, s->d)};
}

/* sums = -(sums + rows of the first list) + rows of the second */
LB_MLI_INLINE void add_lists(const struct list *first, const struct list *second, size_t at,
                             __mmask64 mask, bool whole, struct kind kind, struct sums *sums)
{
    struct sums low = sums[0], high = low;
    if (kind.planes > 1)
        high = sums[1];
    add_rows(first, at, mask, whole, kind, &low, &high);
    negate(&low);
    negate(&high);
    add_rows(second, at, mask, whole, kind, &low, &high);
    sums[0] = low;
    if (kind.planes > 1)
        sums[1] = high;
}

/* The rows of a matrix in the order of memory, and what to multiply them by: x - zero. */
struct source {
    const char *x;
    V zero, rows, move; /* addresses of the next eight rows; how far from eight to the next */
};

LB_MLI_INLINE void list_rows(struct source *from, size_t n, struct kind kind, struct list *above,
                             struct list *below)
{
    for (size_t i = 0; i < n; i += GEMV_AT_ONCE, from->x += GEMV_AT_ONCE * kind.planes) {
        const __mmask8 there =
            (__mmask8)(0xFFU >> (GEMV_AT_ONCE - lb_mli_min_size(n - i, GEMV_AT_ONCE)));
        const V x = kind.planes == 1 ? _mm512_cvtepi8_epi64(_mm_maskz_loadu_epi8(there, from->x))
                                     : _mm512_cvtepi16_epi64(_mm_maskz_loadu_epi16(there, from->x));
        const V moved = _mm512_sub_epi64(x, from->zero), size = _mm512_abs_epi64(moved);
        const __mmask8 negative =
            _mm512_mask_cmplt_epi64_mask(there, moved, _mm512_setzero_si512());
        append(above, _mm512_mask_test_epi64_mask(there & (__mmask8)~negative, moved, moved),
               from->rows, size);
        append(below, negative, from->rows, size);
        from->rows = _mm512_add_epi64(from->rows, from->move);
    }
}

/* Sums of up to GEMV_BLOCK bytes of the rows; planes of a chunk lie side by side. w_row: bytes. */
LB_MLI_INLINE void add_products(const void *x, int32_t zero, const void *w, ptrdiff_t w_row,
                                size_t rows, size_t bytes, struct kind kind, struct sums *sums)
{
    const V none = _mm512_setzero_si512(), order = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    struct source from = {x, _mm512_set1_epi64(zero),
                          _mm512_add_epi64(_mm512_set1_epi64((int64_t)(uintptr_t)w),
                                           _mm512_mullo_epi64(order, _mm512_set1_epi64(w_row))),
                          _mm512_set1_epi64(w_row * GEMV_AT_ONCE)};
    struct list lists[2];
    struct list *first = &lists[0], *second = &lists[1];
    lists[0].n = lists[1].n = 0;
    for (size_t at = 0; at < bytes; at += GEMV_CHUNK)
        for (unsigned p = 0; p < kind.planes; p++)
            sums[at / GEMV_CHUNK * kind.planes + p] = (struct sums){none, none, none, none};
    for (size_t r = 0; r < rows; r += GEMV_BLOCK_ROWS) {
        list_rows(&from, lb_mli_min_size(rows - r, GEMV_BLOCK_ROWS), kind, &lists[0], &lists[1]);
        if (rows - r <= GEMV_BLOCK_ROWS) {
            fill_up(first, (uint64_t)(uintptr_t)w);
            fill_up(second, (uint64_t)(uintptr_t)w);
        }
        size_t at = 0;
        for (; at + GEMV_CHUNK <= bytes; at += GEMV_CHUNK)
            add_lists(first, second, at, 0, true, kind, sums + at / GEMV_CHUNK * kind.planes);
        if (at < bytes)
            add_lists(first, second, at, ~UINT64_C(0) >> (GEMV_CHUNK - (bytes - at)), false, kind,
                      sums + at / GEMV_CHUNK * kind.planes);
        keep_rest(first);
        keep_rest(second);
        struct list *const other = first; /* sums have the other sign now */
        first = second;
        second = other;
    }
    for (size_t at = 0; first != &lists[0] && at < bytes; at += GEMV_CHUNK)
        for (unsigned p = 0; p < kind.planes; p++)
            negate(&sums[at / GEMV_CHUNK * kind.planes + p]);
}

/* Lane groups of four vectors, transposed: columns in order. */
static inline void to_columns(struct sums s, V columns[4])
{
    const V ab_01 = _mm512_shuffle_i32x4(s.a, s.b, 0x44),
            ab_23 = _mm512_shuffle_i32x4(s.a, s.b, 0xEE);
    const V cd_01 = _mm512_shuffle_i32x4(s.c, s.d, 0x44),
            cd_23 = _mm512_shuffle_i32x4(s.c, s.d, 0xEE);
    columns[0] = _mm512_shuffle_i32x4(ab_01, cd_01, 0x88);
    columns[1] = _mm512_shuffle_i32x4(ab_01, cd_01, 0xDD);
    columns[2] = _mm512_shuffle_i32x4(ab_23, cd_23, 0x88);
    columns[3] = _mm512_shuffle_i32x4(ab_23, cd_23, 0xDD);
}

/* Sums of n columns to acc. */
static void finish_s32(struct sums s, size_t n, int32_t *acc)
{
    V columns[4];
    to_columns(s, columns);
    for (size_t l = 0; l < 4 && l * LANES < n; l++) {
        const __mmask16 mask = (__mmask16)((1U << lb_mli_min_size(n - l * LANES, LANES)) - 1);
        int32_t *const to = acc + l * LANES;
        _mm512_mask_storeu_epi32(to, mask, ADD(_mm512_maskz_loadu_epi32(mask, to), columns[l]));
    }
}

static inline V low_and_high(V low, V high)
{
    return ADD(low, _mm512_slli_epi32(high, 8));
}

/* Sums of low and high bytes of weights, which are neighbours. */
static inline V joined(V bytes)
{
    const V low = _mm512_srai_epi64(_mm512_slli_epi64(bytes, 32), 32),
            high = _mm512_srai_epi64(bytes, 32);
    return _mm512_add_epi64(low, _mm512_slli_epi64(high, 8));
}

static inline V joined_planes(V low, V high, V more)
{
    return _mm512_add_epi64(_mm512_add_epi64(joined(low), _mm512_slli_epi64(joined(high), 8)),
                            more);
}

/* more: what the bytes lack in every column. */
static void finish_s64(const struct sums planes[2], int64_t more, size_t n, int64_t *acc)
{
    const V all = _mm512_set1_epi64(more);
    const struct sums *const low = &planes[0], *const high = &planes[1];
    const struct sums s = {joined_planes(low->a, high->a, all), joined_planes(low->b, high->b, all),
                           joined_planes(low->c, high->c, all),
                           joined_planes(low->d, high->d, all)};
    V columns[4];
    to_columns(s, columns);
    for (size_t l = 0; l < 4 && l * LANES / 2 < n; l++) {
        const __mmask8 mask = (__mmask8)((1U << lb_mli_min_size(n - l * LANES / 2, LANES / 2)) - 1);
        int64_t *const to = acc + l * LANES / 2;
        _mm512_mask_storeu_epi64(to, mask,
                                 _mm512_add_epi64(_mm512_maskz_loadu_epi64(mask, to), columns[l]));
    }
}

static void gemv_s8(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row, size_t rows,
                    size_t cols, int32_t *acc)
{
    struct sums sums[GEMV_BLOCK / GEMV_CHUNK];
    for (size_t first = 0; first < cols; first += GEMV_BLOCK) {
        const size_t n = lb_mli_min_size(cols - first, GEMV_BLOCK);
        add_products(x, zero, w + first, w_row, rows, n, (struct kind){1, false}, sums);
        for (size_t c = 0; c < n; c += GEMV_CHUNK)
            finish_s32(sums[c / GEMV_CHUNK], n - c, acc + first + c);
    }
}

static void gemv_s16s8(const int16_t *x, const int8_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                       int32_t *acc)
{
    struct sums sums[GEMV_BLOCK / GEMV_CHUNK * 2];
    for (size_t first = 0; first < cols; first += GEMV_BLOCK) {
        const size_t n = lb_mli_min_size(cols - first, GEMV_BLOCK);
        add_products(x, 0, w + first, w_row, rows, n, (struct kind){2, false}, sums);
        for (size_t c = 0; c < n; c += GEMV_CHUNK) {
            const struct sums *const low = &sums[c / GEMV_CHUNK * 2], *const high = low + 1;
            const struct sums s = {low_and_high(low->a, high->a), low_and_high(low->b, high->b),
                                   low_and_high(low->c, high->c), low_and_high(low->d, high->d)};
            finish_s32(s, n - c, acc + first + c);
        }
    }
}

static void gemv_s16(const int16_t *x, const int16_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                     int64_t *acc)
{
    enum { COLS = GEMV_BLOCK / 2, CHUNK_COLS = GEMV_CHUNK / 2 };
    struct sums sums[GEMV_BLOCK / GEMV_CHUNK * 2];
    for (; rows > 0; x += GEMV_MOST_ROWS, w += GEMV_MOST_ROWS * w_row,
                     rows -= lb_mli_min_size(rows, GEMV_MOST_ROWS)) {
        const size_t n_rows = lb_mli_min_size(rows, GEMV_MOST_ROWS);
        int64_t sum = 0;
        for (size_t r = 0; r < n_rows; r++)
            sum += x[r];
        for (size_t first = 0; first < cols; first += COLS) {
            const size_t n = lb_mli_min_size(cols - first, COLS);
            add_products(x, 0, w + first, w_row * 2, n_rows, n * 2, (struct kind){2, true}, sums);
            for (size_t c = 0; c < n; c += CHUNK_COLS)
                finish_s64(sums + c / CHUNK_COLS * 2, sum * 128, n - c, acc + first + c);
        }
    }
}

static void fill_gemv(struct lb_mli_loops *loops)
{
    loops->gemv_s8 = gemv_s8;
    loops->gemv_s16s8 = gemv_s16s8;
    loops->gemv_s16 = gemv_s16;
}
