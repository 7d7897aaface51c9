/*
 * mac_vnni.c: a row vector of bytes by a matrix, with the integer dot products of AVX-512. Four rows of the matrix are
 * interleaved as they come, for they are used once. x is taken as x + 128, unsigned; a second sum, of the weights alone,
 * takes away what that and the zero point bring.
 *
 * Interleaving works within 128 bits: vector v of sums has in its lane group l the columns 16 * l + 4 * v and three more,
 * until the end.
 */
#include "dispatch.h"

#include "vector_512.h"

enum {
    COLS = 64,  /* of a group: a vector of bytes */
    GROUPS = 4, /* of a block */
    BLOCK_ROWS =
        64, /* rows that all groups of a block go through before the next: they stay in the first-level cache */
    FAR_BYTES = 256 << 10 /* a matrix of so many bytes is not expected in a near cache: it is asked for ahead */
};

struct sums {
    V a, b, c, d;                 /* of products */
    V sum_a, sum_b, sum_c, sum_d; /* of weights */
};

static inline V loaded(const int8_t *w, __mmask64 mask)
{
    return _mm512_maskz_loadu_epi8(mask, w);
}

/* One step: four bytes of x, and four rows of weights. */
static inline void add_quad(int32_t x, V w0, V w1, V w2, V w3, struct sums *s)
{
    const V ones = _mm512_set1_epi8(1), quad = SET((int32_t)((uint32_t)x ^ UINT32_C(0x80808080)));
    const V low_01 = LOW_BYTES(w0, w1), low_23 = LOW_BYTES(w2, w3);
    const V high_01 = HIGH_BYTES(w0, w1), high_23 = HIGH_BYTES(w2, w3);
    const V a = LOW_WORDS(low_01, low_23), b = HIGH_WORDS(low_01, low_23);
    const V c = LOW_WORDS(high_01, high_23), d = HIGH_WORDS(high_01, high_23);
    s->a = _mm512_dpbusd_epi32(s->a, quad, a);
    s->b = _mm512_dpbusd_epi32(s->b, quad, b);
    s->c = _mm512_dpbusd_epi32(s->c, quad, c);
    s->d = _mm512_dpbusd_epi32(s->d, quad, d);
    s->sum_a = _mm512_dpbusd_epi32(s->sum_a, ones, a);
    s->sum_b = _mm512_dpbusd_epi32(s->sum_b, ones, b);
    s->sum_c = _mm512_dpbusd_epi32(s->sum_c, ones, c);
    s->sum_d = _mm512_dpbusd_epi32(s->sum_d, ones, d);
}

/* n rows of the matrix; mask: columns that are there. Rows that do not fill a step meet weights of 0. far: those of the next
 * block are asked for; an address that is none does no harm. */
static void add_rows(const int8_t *x, const int8_t *w, ptrdiff_t w_row, size_t n, __mmask64 mask, bool far,
                     struct sums *sums)
{
    const V none = _mm512_setzero_si512();
    struct sums s = *sums;
    int32_t quad;
    for (; n >= 4; n -= 4, x += 4, w += 4 * w_row) {
        memcpy(&quad, x, sizeof quad);
        for (ptrdiff_t ahead = BLOCK_ROWS; far && ahead < BLOCK_ROWS + 4; ahead++)
            _mm_prefetch((const char *)((uintptr_t)w + (uintptr_t)(ahead * w_row)), _MM_HINT_T0);
        add_quad(quad, loaded(w, mask), loaded(w + w_row, mask), loaded(w + 2 * w_row, mask),
                 loaded(w + 3 * w_row, mask), &s);
    }
    if (n > 0) {
        int8_t rest[4] = {0};
        for (size_t i = 0; i < n; i++)
            rest[i] = x[i];
        memcpy(&quad, rest, sizeof quad);
        add_quad(quad, loaded(w, mask), n > 1 ? loaded(w + w_row, mask) : none,
                 n > 2 ? loaded(w + 2 * w_row, mask) : none, none, &s);
    }
    *sums = s;
}

/* Adds columns 16 * l .. 16 * l + 15, l < 4, to acc. */
static void add_columns(const struct sums *sums, int32_t excess, size_t cols, int32_t *acc)
{
    const V factor = SET(excess);
    const V a = SUB(sums->a, MUL(sums->sum_a, factor)), b = SUB(sums->b, MUL(sums->sum_b, factor));
    const V c = SUB(sums->c, MUL(sums->sum_c, factor)), d = SUB(sums->d, MUL(sums->sum_d, factor));
    /* Lane groups of four vectors, transposed. */
    const V ab_01 = _mm512_shuffle_i32x4(a, b, 0x44), ab_23 = _mm512_shuffle_i32x4(a, b, 0xEE);
    const V cd_01 = _mm512_shuffle_i32x4(c, d, 0x44), cd_23 = _mm512_shuffle_i32x4(c, d, 0xEE);
    const V columns[4] = {_mm512_shuffle_i32x4(ab_01, cd_01, 0x88), _mm512_shuffle_i32x4(ab_01, cd_01, 0xDD),
                          _mm512_shuffle_i32x4(ab_23, cd_23, 0x88), _mm512_shuffle_i32x4(ab_23, cd_23, 0xDD)};
    for (size_t l = 0; l < 4 && l * LANES < cols; l++) {
        const size_t n = lb_mli_min_size(cols - l * LANES, LANES);
        const __mmask16 mask = (__mmask16)((1U << n) - 1);
        int32_t *const to = acc + l * LANES;
        _mm512_mask_storeu_epi32(to, mask, ADD(_mm512_maskz_loadu_epi32(mask, to), columns[l]));
    }
}

static void mac_s8(const int8_t *x, int32_t zero, const int8_t *w, ptrdiff_t w_row, size_t rows, size_t cols,
                   int32_t *acc)
{
    const bool far = rows > BLOCK_ROWS && rows * (size_t)w_row > FAR_BYTES;
    for (size_t first = 0; first < cols; first += GROUPS * COLS) {
        const size_t n = lb_mli_min_size(cols - first, GROUPS * COLS);
        const V none = _mm512_setzero_si512();
        struct sums sums[GROUPS];
        for (size_t g = 0; g * COLS < n; g++)
            sums[g] = (struct sums){none, none, none, none, none, none, none, none};
        for (size_t r = 0; r < rows; r += BLOCK_ROWS) {
            const int8_t *const block = w + (ptrdiff_t)r * w_row + first;
            for (size_t g = 0; g * COLS < n; g++) {
                const size_t here = lb_mli_min_size(n - g * COLS, COLS);
                add_rows(x + r, block + g * COLS, w_row, lb_mli_min_size(rows - r, BLOCK_ROWS),
                         ~UINT64_C(0) >> (COLS - here), far, &sums[g]);
            }
        }
        for (size_t g = 0; g * COLS < n; g++)
            add_columns(&sums[g], zero + 128, lb_mli_min_size(n - g * COLS, COLS), acc + first + g * COLS);
    }
}

void LB_MLI_FILL(mac_bytes)(struct lb_mli_loops *loops)
{
    loops->mac_s8 = mac_s8;
}
