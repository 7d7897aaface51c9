/*
 * panel.h: products of pixels with panels of weights, the inner loop of convolutions, once for all levels with vectors.
 * A level's file defines what is below, and includes this file once: it defines the level's fill function "panel".
 *
 *     LANES                  32-bit lanes of a vector
 *     PANEL_PIXELS           most pixels of a tile: 14, or 6 where there are 16 registers
 *     V                      type of a vector
 *     LOAD(p), STORE(p, v)   any alignment
 *     SPREAD(p)              the four bytes at p in all lanes, any alignment
 *     DOT_S16(a, x, w)       a + both products of int16 of each lane, modulo 2^32
 *     DOT_U8S8(a, x, w)      a + all four products of uint8 and int8 of each lane, modulo 2^32; not defined: the level
 *                            has no such instruction
 *
 * A tile is up to PANEL_PIXELS pixels by two vectors of channels. Its sums have names and no array, for gcc 12 keeps
 * arrays of vectors on the stack; pixels are addressed as three to a pointer, so that pointers stay in registers.
 */
#include "dispatch.h"

#include <string.h>

enum { VECTOR_BYTES = LANES * 4, STEP = 4 /* bytes of a pixel */ };

/* Pixel, pointer, distance from it in pixels. */
#define PIXELS_1(X)  X(0, q0, 0)
#define PIXELS_2(X)  PIXELS_1(X) X(1, q0, 1)
#define PIXELS_3(X)  PIXELS_2(X) X(2, q0, 2)
#define PIXELS_4(X)  PIXELS_3(X) X(3, q3, 0)
#define PIXELS_5(X)  PIXELS_4(X) X(4, q3, 1)
#define PIXELS_6(X)  PIXELS_5(X) X(5, q3, 2)
#define PIXELS_7(X)  PIXELS_6(X) X(6, q6, 0)
#define PIXELS_8(X)  PIXELS_7(X) X(7, q6, 1)
#define PIXELS_9(X)  PIXELS_8(X) X(8, q6, 2)
#define PIXELS_10(X) PIXELS_9(X) X(9, q9, 0)
#define PIXELS_11(X) PIXELS_10(X) X(10, q9, 1)
#define PIXELS_12(X) PIXELS_11(X) X(11, q9, 2)
#define PIXELS_13(X) PIXELS_12(X) X(12, q12, 0)
#define PIXELS_14(X) PIXELS_13(X) X(13, q12, 1)

/* The pointers of so many pixels, and the pixel where each begins. */
#define POINTERS_1(X)  X(q0, 0)
#define POINTERS_2(X)  POINTERS_1(X)
#define POINTERS_3(X)  POINTERS_1(X)
#define POINTERS_4(X)  POINTERS_1(X) X(q3, 3)
#define POINTERS_5(X)  POINTERS_4(X)
#define POINTERS_6(X)  POINTERS_4(X)
#define POINTERS_7(X)  POINTERS_4(X) X(q6, 6)
#define POINTERS_8(X)  POINTERS_7(X)
#define POINTERS_9(X)  POINTERS_7(X)
#define POINTERS_10(X) POINTERS_7(X) X(q9, 9)
#define POINTERS_11(X) POINTERS_10(X)
#define POINTERS_12(X) POINTERS_10(X)
#define POINTERS_13(X) POINTERS_10(X) X(q12, 12)
#define POINTERS_14(X) POINTERS_13(X)

#define POINT(q, pixel) const char *q = x + (pixel)*step;
/* Keeps the compiler from making one pointer of many distances. */
#define HOLD(q, pixel)    __asm__("" : "+r"(q));
#define ADVANCE(q, pixel) q += STEP;

#define START_2(p, q, m) V a##p = start_a, b##p = start_b;
#define START_1(p, q, m) V a##p = start_a;
#define STORE_2(p, q, m)                                                                                               \
    STORE(acc + (p)*acc_row, a##p);                                                                                    \
    STORE(acc + (p)*acc_row + LANES, b##p);
#define STORE_1(p, q, m) STORE(acc + (p)*acc_row, a##p);

#define ADD_2(dot, p, q, m)                                                                                            \
    {                                                                                                                  \
        const V pixel = SPREAD((q) + (m)*step);                                                                        \
        a##p = dot(a##p, pixel, w_a);                                                                                  \
        b##p = dot(b##p, pixel, w_b);                                                                                  \
    }
#define ADD_1(dot, p, q, m) a##p = dot(a##p, SPREAD((q) + (m)*step), w_a);

#define ADD_S16_2(p, q, m)  ADD_2(DOT_S16, p, q, m)
#define ADD_S16_1(p, q, m)  ADD_1(DOT_S16, p, q, m)
#define ADD_U8S8_2(p, q, m) ADD_2(DOT_U8S8, p, q, m)
#define ADD_U8S8_1(p, q, m) ADD_1(DOT_U8S8, p, q, m)

typedef void tile_fn(const struct lb_mli_pixels *in, size_t first, const char *w, const int32_t *start, int32_t *acc,
                     size_t acc_row);

#define WEIGHTS_2                                                                                                      \
    const V w_a = LOAD(w), w_b = LOAD(w + VECTOR_BYTES);                                                               \
    w += 2 * VECTOR_BYTES;
#define WEIGHTS_1                                                                                                      \
    const V w_a = LOAD(w);                                                                                             \
    w += VECTOR_BYTES;
#define START_OF_2 const V start_a = LOAD(start), start_b = LOAD(start + LANES);
#define START_OF_1 const V start_a = LOAD(start);

#define TILE(operands, pixels, vectors)                                                                                \
    static void operands##_##pixels##_##vectors(const struct lb_mli_pixels *in, size_t first, const char *w,           \
                                                const int32_t *start, int32_t *acc, size_t acc_row)                    \
    {                                                                                                                  \
        const ptrdiff_t step = in->step;                                                                               \
        START_OF_##vectors PIXELS_##pixels(START_##vectors) for (size_t r = 0; r < in->runs; r++)                      \
        {                                                                                                              \
            const char *x = in->run[r] + (ptrdiff_t)first * step;                                                      \
            POINTERS_##pixels(POINT) for (size_t k = in->steps; k > 0; k--)                                            \
            {                                                                                                          \
                WEIGHTS_##vectors POINTERS_##pixels(HOLD) PIXELS_##pixels(ADD_##operands##_##vectors)                  \
                    POINTERS_##pixels(ADVANCE)                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        PIXELS_##pixels(STORE_##vectors)                                                                               \
    }

#define TILES_6(X, o)  X(o, 1) X(o, 2) X(o, 3) X(o, 4) X(o, 5) X(o, 6)
#define TILES_14(X, o) TILES_6(X, o) X(o, 7) X(o, 8) X(o, 9) X(o, 10) X(o, 11) X(o, 12) X(o, 13) X(o, 14)
#define TILES_OF(n)    TILES_##n
#define TILES(n)       TILES_OF(n)

#define BOTH_TILES(operands, pixels) TILE(operands, pixels, 1) TILE(operands, pixels, 2)
#define NAME_TILES(operands, pixels) {operands##_##pixels##_1, operands##_##pixels##_2},

/* All pixels by one panel before the next: its weights stay in the first-level cache. */
#define PANEL(operands)                                                                                                \
    TILES(PANEL_PIXELS)                                                                                                \
    (BOTH_TILES, operands) static void panel_##operands(const struct lb_mli_pixels *in, size_t pixels, const void *w,  \
                                                        size_t w_panel, size_t vectors, const int32_t *start,          \
                                                        int32_t *acc, size_t acc_row)                                  \
    {                                                                                                                  \
        static tile_fn *const tiles[PANEL_PIXELS][2] = {TILES(PANEL_PIXELS)(NAME_TILES, operands)};                    \
        for (size_t v = 0; v < vectors; v += 2) {                                                                      \
            for (size_t p = 0; p < pixels; p += PANEL_PIXELS) {                                                        \
                const size_t count = lb_mli_min_size(pixels - p, PANEL_PIXELS);                                        \
                tiles[count - 1][v + 2 <= vectors](in, p, (const char *)w + v / 2 * w_panel, start + v * LANES,        \
                                                   acc + p * acc_row + v * LANES, acc_row);                            \
            }                                                                                                          \
        }                                                                                                              \
    }

PANEL(S16)
#ifdef DOT_U8S8
PANEL(U8S8)
#endif

/*
 * Packing: rows of weights side by side, a step (four bytes of each channel) at a time. The last channels that fill no
 * vector are packed from a copy with zeros behind them.
 */
static inline void pack_4_s8(const int8_t *restrict a, const int8_t *restrict b, const int8_t *restrict c,
                             const int8_t *restrict d, int8_t *restrict out)
{
    for (size_t i = 0; i < LANES; i++) {
        out[4 * i] = a[i];
        out[4 * i + 1] = b[i];
        out[4 * i + 2] = c[i];
        out[4 * i + 3] = d[i];
    }
}

static inline void pack_2_s8(const int8_t *restrict a, const int8_t *restrict b, int16_t *restrict out)
{
    for (size_t i = 0; i < LANES; i++) {
        out[2 * i] = a[i];
        out[2 * i + 1] = b[i];
    }
}

/* out: low halves of LANES channels, then high halves. */
static inline void pack_2_s16(const int16_t *restrict a, const int16_t *restrict b, int16_t *restrict low,
                              int16_t *restrict high)
{
    for (size_t i = 0; i < LANES; i++) {
        const int8_t low_a = (int8_t)a[i], low_b = (int8_t)b[i];
        low[2 * i] = low_a;
        low[2 * i + 1] = low_b;
        high[2 * i] = (int16_t)((a[i] - low_a) >> 8);
        high[2 * i + 1] = (int16_t)((b[i] - low_b) >> 8);
    }
}

static void panel_pack_s8(const int8_t *const *rows, size_t cols, int8_t *const *out)
{
    int8_t rest[4][LANES] = {{0}};
    size_t c = 0;
    for (; c + LANES <= cols; c += LANES)
        pack_4_s8(rows[0] + c, rows[1] + c, rows[2] + c, rows[3] + c, *out++);
    if (c == cols)
        return;
    for (size_t r = 0; r < 4; r++)
        memcpy(rest[r], rows[r] + c, cols - c);
    pack_4_s8(rest[0], rest[1], rest[2], rest[3], *out);
}

static void panel_pack_s8_s16(const int8_t *const *rows, size_t cols, int16_t *const *out)
{
    int8_t rest[2][LANES] = {{0}};
    size_t c = 0;
    for (; c + LANES <= cols; c += LANES)
        pack_2_s8(rows[0] + c, rows[1] + c, *out++);
    if (c == cols)
        return;
    for (size_t r = 0; r < 2; r++)
        memcpy(rest[r], rows[r] + c, cols - c);
    pack_2_s8(rest[0], rest[1], *out);
}

static void panel_pack_s16_split(const int16_t *const *rows, size_t cols, int16_t *const *out)
{
    int16_t rest[2][LANES] = {{0}};
    size_t c = 0;
    for (; c + LANES <= cols; c += LANES, out += 2)
        pack_2_s16(rows[0] + c, rows[1] + c, out[0], out[1]);
    if (c == cols)
        return;
    for (size_t r = 0; r < 2; r++)
        memcpy(rest[r], rows[r] + c, (cols - c) * sizeof rest[0][0]);
    pack_2_s16(rest[0], rest[1], out[0], out[1]);
}

/* Sums of split weights: acc += 256 * high + low. */
static void panel_join_s64(const int32_t *restrict sums, size_t n, int64_t *restrict acc)
{
    for (size_t c = 0; c < n; c += LANES, sums += 2 * LANES) {
        const size_t count = lb_mli_min_size(n - c, LANES);
        for (size_t i = 0; i < count; i++)
            acc[c + i] = (int64_t)((uint64_t)acc[c + i] + (uint64_t)sums[i] + (uint64_t)sums[LANES + i] * 256);
    }
}

/* Adds the magnitudes of packed 16-bit weights of a vector over the steps, which are apart. */
static void panel_magnitude_s16(const int16_t *restrict w, size_t w_step, size_t steps, uint32_t *restrict sum)
{
    uint32_t sums[LANES] = {0};
    for (size_t k = 0; k < steps; k++, w += w_step) {
        for (size_t i = 0; i < LANES; i++) {
            const int32_t a = w[2 * i], b = w[2 * i + 1];
            sums[i] += (uint32_t)((a < 0 ? -a : a) + (b < 0 ? -b : b));
        }
    }
    memcpy(sum, sums, sizeof sums);
}

/* Split sums within 31 bits, bias and half of the rounding already in them, to outputs: weighted.h, fx planes. */
static inline void panel_result(const int32_t *restrict sums, const struct lb_mli_planes_result *q,
                                enum lb_mli_round round, int16_t *restrict out)
{
    for (size_t i = 0; i < LANES; i++) {
        const int32_t total = sums[LANES + i] + (sums[i] >> 8);
        int32_t y = total >> q->shift;
        if (round == LB_MLI_CONVERGENT)
            y &= ((total & q->mask) | (sums[i] & 255)) == 0 ? -2 : -1; /* a tie goes to the even neighbour */
        out[i] = (int16_t)lb_mli_clamp(y, q->lo, q->hi);
    }
}

#define PANEL_RESULT(name, round)                                                                                      \
    static void name(const int32_t *sums, size_t n, const struct lb_mli_planes_result *q, int16_t *out)                \
    {                                                                                                                  \
        int16_t rest[LANES];                                                                                           \
        size_t c = 0;                                                                                                  \
        for (; c + LANES <= n; c += LANES, sums += 2 * LANES)                                                          \
            panel_result(sums, q, round, out + c);                                                                     \
        if (c < n) {                                                                                                   \
            panel_result(sums, q, round, rest);                                                                        \
            memcpy(out + c, rest, (n - c) * sizeof rest[0]);                                                           \
        }                                                                                                              \
    }

PANEL_RESULT(planes_s16_up, LB_MLI_UP)
PANEL_RESULT(planes_s16_convergent, LB_MLI_CONVERGENT)

void LB_MLI_FILL(panel)(struct lb_mli_loops *loops)
{
    loops->panel_lanes = LANES;
    loops->panel_pixels = PANEL_PIXELS;
    loops->panel_s16 = panel_S16;
#ifdef DOT_U8S8
    loops->panel_u8s8 = panel_U8S8;
#endif
    loops->panel_pack_s8 = panel_pack_s8;
    loops->panel_pack_s8_s16 = panel_pack_s8_s16;
    loops->panel_pack_s16_split = panel_pack_s16_split;
    loops->panel_join_s64 = panel_join_s64;
    loops->panel_magnitude_s16 = panel_magnitude_s16;
    loops->planes_s16[LB_MLI_UP] = planes_s16_up;
    loops->planes_s16[LB_MLI_CONVERGENT] = planes_s16_convergent;
}
