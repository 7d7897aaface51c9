/* Products of pixels with panels of weights, the inner loop of convolutions, in vectors.
 *
 * A tile is up to PANEL_PIXELS pixels by two vectors of channels. Its sums have names and no array,
 * for gcc 12 keeps arrays of vectors on the stack; pixels are addressed as three to a pointer, so
 * that pointers stay in registers. */
#include "loops.h"

#include <string.h>

#ifndef BYTES_EXCESS
#define BYTES_EXCESS 128
#endif

enum { PANEL_STEP = 4 /* bytes of a pixel */ };

/* Products of bytes by weights: all, or those that are narrow (loops.h). */
#if defined(DOT_U8S8)
#define DOT_BYTES DOT_U8S8
#elif defined(DOT_NARROW)
#define DOT_BYTES DOT_NARROW
#endif

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
#define ADVANCE(q, pixel) q += PANEL_STEP;

#define PANEL_START_2(p, q, m) V a##p = start_a, b##p = start_b;
#define PANEL_START_1(p, q, m) V a##p = start_a;
#define PANEL_STORE_2(p, q, m)                                                                     \
    STORE(acc + (p)*acc_row, a##p);                                                                \
    STORE(acc + (p)*acc_row + LANES, b##p);
#define PANEL_STORE_1(p, q, m) STORE(acc + (p)*acc_row, a##p);

#define PANEL_ADD_2(dot, p, q, m)                                                                  \
    {                                                                                              \
        const V pixel = SPREAD((q) + (m)*step);                                                    \
        a##p = dot(a##p, pixel, w_a);                                                              \
        b##p = dot(b##p, pixel, w_b);                                                              \
    }
#define PANEL_ADD_1(dot, p, q, m) a##p = dot(a##p, SPREAD((q) + (m)*step), w_a);

#define ADD_S16_2(p, q, m)  PANEL_ADD_2(DOT_S16, p, q, m)
#define ADD_S16_1(p, q, m)  PANEL_ADD_1(DOT_S16, p, q, m)
#define ADD_U8S8_2(p, q, m) PANEL_ADD_2(DOT_BYTES, p, q, m)
#define ADD_U8S8_1(p, q, m) PANEL_ADD_1(DOT_BYTES, p, q, m)

typedef void panel_tile_fn(const struct lb_mli_pixels *in, size_t first, const char *w,
                           const int32_t *start, int32_t *acc, size_t acc_row);

#define WEIGHTS_2                                                                                  \
    const V w_a = LOAD(w), w_b = LOAD(w + VECTOR_BYTES);                                           \
    w += 2 * VECTOR_BYTES;
#define WEIGHTS_1                                                                                  \
    const V w_a = LOAD(w);                                                                         \
    w += VECTOR_BYTES;
#define START_OF_2 const V start_a = LOAD(start), start_b = LOAD(start + LANES);
#define START_OF_1 const V start_a = LOAD(start);

/* The sums of a tile, from start. */
#define SUM_UP(operands, pixels, vectors)                                                          \
    const ptrdiff_t step = in->step;                                                               \
    START_OF_##vectors PIXELS_##pixels(PANEL_START_##vectors) for (size_t i = 0; i < in->runs;     \
                                                                   i++)                            \
    {                                                                                              \
        const char *x = in->run[i] + (ptrdiff_t)first * step;                                      \
        POINTERS_##pixels(POINT) for (size_t k = in->steps; k > 0; k--)                            \
        {                                                                                          \
            WEIGHTS_##vectors POINTERS_##pixels(HOLD) PIXELS_##pixels(ADD_##operands##_##vectors)  \
                POINTERS_##pixels(ADVANCE)                                                         \
        }                                                                                          \
    }

#define PANEL_TILE(operands, pixels, vectors)                                                      \
    static void operands##_##pixels##_##vectors(const struct lb_mli_pixels *in, size_t first,      \
                                                const char *w, const int32_t *start, int32_t *acc, \
                                                size_t acc_row)                                    \
    {                                                                                              \
        SUM_UP(operands, pixels, vectors)                                                          \
        PIXELS_##pixels(PANEL_STORE_##vectors)                                                     \
    }

/* For sums that become results where they are: gcc 12 would keep them twice, for the loop and for
 * what comes behind it. */
#define SETTLE(p, q, m)                                                                            \
    KEEP(a##p);                                                                                    \
    KEEP(b##p);

#define PANEL_TILES_6(X, o) X(o, 1) X(o, 2) X(o, 3) X(o, 4) X(o, 5) X(o, 6)
#define PANEL_TILES_14(X, o)                                                                       \
    PANEL_TILES_6(X, o) X(o, 7) X(o, 8) X(o, 9) X(o, 10) X(o, 11) X(o, 12) X(o, 13) X(o, 14)
#define PANEL_TILES_OF(n) PANEL_TILES_##n
#define PANEL_TILES(n)    PANEL_TILES_OF(n)

#define BOTH_TILES(operands, pixels) PANEL_TILE(operands, pixels, 1) PANEL_TILE(operands, pixels, 2)
#define NAME_TILES(operands, pixels) {operands##_##pixels##_1, operands##_##pixels##_2},

/*
 * One pixel by four panels: a product waits for the one before it in its sum, for five cycles where
 * products are added in the same instruction, and two sums would not keep the processor busy. Of
 * two pixels, the second finds the weights in the first-level cache.
 */
enum { ROW_VECTORS = 8, ROW_PIXELS = 2 };

#define ROW_2(dot, at, a, b)                                                                       \
    a = dot(a, pixel, LOAD(w + (at)));                                                             \
    b = dot(b, pixel, LOAD(w + (at) + VECTOR_BYTES));

#define PANEL_ROW(operands, dot)                                                                   \
    static void operands##_row(const struct lb_mli_pixels *in, size_t p, const char *w,            \
                               size_t w_panel, const int32_t *start, int32_t *acc)                 \
    {                                                                                              \
        const size_t at_1 = w_panel, at_2 = 2 * w_panel, at_3 = 3 * w_panel;                       \
        V a = LOAD(start), b = LOAD(start + LANES), c = LOAD(start + 2 * LANES);                   \
        V d = LOAD(start + 3 * LANES), e = LOAD(start + 4 * LANES), f = LOAD(start + 5 * LANES);   \
        V g = LOAD(start + 6 * LANES), h = LOAD(start + 7 * LANES);                                \
        for (size_t i = 0; i < in->runs; i++) {                                                    \
            const char *x = in->run[i] + (ptrdiff_t)p * in->step;                                  \
            for (size_t k = in->steps; k > 0; k--, x += PANEL_STEP, w += 2 * VECTOR_BYTES) {       \
                V pixel = SPREAD(x);                                                               \
                KEEP(pixel);                                                                       \
                ROW_2(dot, 0, a, b)                                                                \
                ROW_2(dot, at_1, c, d)                                                             \
                ROW_2(dot, at_2, e, f)                                                             \
                ROW_2(dot, at_3, g, h)                                                             \
            }                                                                                      \
        }                                                                                          \
        STORE(acc, a);                                                                             \
        STORE(acc + LANES, b);                                                                     \
        STORE(acc + 2 * LANES, c);                                                                 \
        STORE(acc + 3 * LANES, d);                                                                 \
        STORE(acc + 4 * LANES, e);                                                                 \
        STORE(acc + 5 * LANES, f);                                                                 \
        STORE(acc + 6 * LANES, g);                                                                 \
        STORE(acc + 7 * LANES, h);                                                                 \
    }

PANEL_ROW(S16, DOT_S16)
#ifdef DOT_BYTES
PANEL_ROW(U8S8, DOT_BYTES)
#endif

/* All pixels by one panel before the next: its weights stay in the first-level cache. */
#define PANEL(operands)                                                                            \
    PANEL_TILES(PANEL_PIXELS)                                                                      \
    (BOTH_TILES, operands) static void panel_##operands(                                           \
        const struct lb_mli_pixels *in, size_t pixels, const void *w, size_t w_panel,              \
        size_t vectors, const int32_t *start, int32_t *acc, size_t acc_row)                        \
    {                                                                                              \
        static panel_tile_fn *const tiles[PANEL_PIXELS][2] = {                                     \
            PANEL_TILES(PANEL_PIXELS)(NAME_TILES, operands)};                                      \
        const size_t tile_count = (pixels + PANEL_PIXELS - 1) / PANEL_PIXELS;                      \
        size_t v = 0;                                                                              \
        for (; pixels <= ROW_PIXELS && v + ROW_VECTORS <= vectors; v += ROW_VECTORS)               \
            for (size_t p = 0; p < pixels; p++)                                                    \
                operands##_row(in, p, (const char *)w + v / 2 * w_panel, w_panel,                  \
                               start + v * LANES, acc + p * acc_row + v * LANES);                  \
        for (; v < vectors; v += 2) {                                                              \
            for (size_t t = tile_count, p = 0; t > 0; t--) {                                       \
                const size_t count = (pixels - p + t - 1) / t; /* tiles of about the same size */  \
                tiles[count - 1][v + 2 <= vectors](in, p, (const char *)w + v / 2 * w_panel,       \
                                                   start + v * LANES,                              \
                                                   acc + p * acc_row + v * LANES, acc_row);        \
                p += count;                                                                        \
            }                                                                                      \
        }                                                                                          \
    }

PANEL(S16)
#ifdef DOT_BYTES
PANEL(U8S8)
#endif

/* Pixels of the next tile of so many: whole tiles first; a rest below half a tile is shared with
 * the one before it. */
static inline size_t next_tile(size_t pixels)
{
    enum { HALF = PANEL_PIXELS / 2 };
    if (pixels <= PANEL_PIXELS)
        return pixels;
    return pixels < PANEL_PIXELS + HALF ? (pixels + 1) / 2 : PANEL_PIXELS;
}

/*
 * Packing: rows of weights side by side, a step (four bytes of each channel) at a time, in pieces
 * of 16 bytes, which are four channels. Channels that fill no group are packed from a copy with
 * zeros behind them.
 */
typedef int8_t bytes_16 __attribute__((vector_size(16)));
typedef int8_t bytes_8 __attribute__((vector_size(8)));
typedef int16_t words_8 __attribute__((vector_size(16)));

enum { PIECE = 16 /* bytes */, GROUP = 16 /* channels at once */ };

static inline bytes_16 low_bytes(bytes_16 a, bytes_16 b)
{
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

static inline bytes_16 high_bytes(bytes_16 a, bytes_16 b)
{
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
}

static inline words_8 low_words(words_8 a, words_8 b)
{
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline words_8 high_words(words_8 a, words_8 b)
{
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

static inline bytes_16 bytes_at(const int8_t *p)
{
    bytes_16 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline words_8 words_at(const int16_t *p)
{
    words_8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline words_8 widened(bytes_16 v, int half)
{
    bytes_8 part;
    memcpy(&part, (const char *)&v + half * 8, sizeof part);
    return __builtin_convertvector(part, words_8);
}

/* Piece q of a group, whose vectors are at out[0], out[1] ... */
static inline void put(void *const *out, size_t q, words_8 piece)
{
    memcpy((char *)out[q * PIECE / VECTOR_BYTES] + q * PIECE % VECTOR_BYTES, &piece, sizeof piece);
}

static inline void pack_4_s8(const int8_t *a, const int8_t *b, const int8_t *c, const int8_t *d,
                             void *const *out)
{
    const bytes_16 va = bytes_at(a), vb = bytes_at(b), vc = bytes_at(c), vd = bytes_at(d);
    const words_8 low_ab = (words_8)low_bytes(va, vb), low_cd = (words_8)low_bytes(vc, vd);
    const words_8 high_ab = (words_8)high_bytes(va, vb), high_cd = (words_8)high_bytes(vc, vd);
    put(out, 0, low_words(low_ab, low_cd));
    put(out, 1, high_words(low_ab, low_cd));
    put(out, 2, low_words(high_ab, high_cd));
    put(out, 3, high_words(high_ab, high_cd));
}

static inline void pack_2_s8(const int8_t *a, const int8_t *b, void *const *out)
{
    const bytes_16 va = bytes_at(a), vb = bytes_at(b), low = low_bytes(va, vb),
                   high = high_bytes(va, vb);
    put(out, 0, widened(low, 0));
    put(out, 1, widened(low, 1));
    put(out, 2, widened(high, 0));
    put(out, 3, widened(high, 1));
}

/* Eight channels, the pieces q and q + 1. */
static inline void pack_2_words(const int16_t *a, const int16_t *b, void *const *out, size_t q)
{
    const words_8 va = words_at(a), vb = words_at(b);
    put(out, q, low_words(va, vb));
    put(out, q + 1, high_words(va, vb));
}

/* Eight channels, the pieces q and q + 1 of vectors that take turns: low halves, high halves. */
static inline void pack_2_s16(const int16_t *a, const int16_t *b, void *const *out, size_t q)
{
    const words_8 va = words_at(a), vb = words_at(b),
                  pairs[2] = {low_words(va, vb), high_words(va, vb)};
    for (size_t i = 0; i < 2; i++) {
        const words_8 low = (pairs[i] << 8) >> 8, high = (pairs[i] >> 8) - (low >> 15);
        void *const *const pair = out + (q + i) * PIECE / VECTOR_BYTES * 2;
        put(pair, (q + i) % (VECTOR_BYTES / PIECE), low);
        put(pair + 1, (q + i) % (VECTOR_BYTES / PIECE), high);
    }
}

enum { VECTORS_OF_GROUP = GROUP / LANES };

/* The vectors of the last group, whose channels are fewer: those that are not there are written to
 * a spare place. */
static inline void last_vectors(void *const *out, size_t count, void *spare, void **all)
{
    for (size_t v = 0; v < VECTORS_OF_GROUP * 2; v++)
        all[v] = v < count ? out[v] : spare;
}

static void panel_pack_s8(const int8_t *const *rows, size_t cols, int8_t *const *out)
{
    int8_t rest[4][GROUP] = {{0}};
    char spare[VECTOR_BYTES];
    void *last[VECTORS_OF_GROUP * 2];
    void *const *to = (void *const *)out;
    size_t c = 0;
    for (; c + GROUP <= cols; c += GROUP, to += VECTORS_OF_GROUP)
        pack_4_s8(rows[0] + c, rows[1] + c, rows[2] + c, rows[3] + c, to);
    if (c == cols)
        return;
    for (size_t r = 0; r < 4; r++)
        memcpy(rest[r], rows[r] + c, cols - c);
    last_vectors(to, (cols - c + LANES - 1) / LANES, spare, last);
    pack_4_s8(rest[0], rest[1], rest[2], rest[3], last);
}

static void panel_pack_s8_s16(const int8_t *const *rows, size_t cols, int16_t *const *out)
{
    int8_t rest[2][GROUP] = {{0}};
    char spare[VECTOR_BYTES];
    void *last[VECTORS_OF_GROUP * 2];
    void *const *to = (void *const *)out;
    size_t c = 0;
    for (; c + GROUP <= cols; c += GROUP, to += VECTORS_OF_GROUP)
        pack_2_s8(rows[0] + c, rows[1] + c, to);
    if (c == cols)
        return;
    for (size_t r = 0; r < 2; r++)
        memcpy(rest[r], rows[r] + c, cols - c);
    last_vectors(to, (cols - c + LANES - 1) / LANES, spare, last);
    pack_2_s8(rest[0], rest[1], last);
}

enum { PACK_AHEAD = 16 /* steps that are fetched before they are needed: rows are apart */ };

/* n channels of all steps: those of half a panel are 32 bytes, or a panel is. */
LB_MLI_INLINE void pack_line(const int8_t *row, ptrdiff_t w_row, size_t steps, size_t n, char *out,
                             size_t out_panel)
{
    enum { OF_PANEL = 2 * LANES };
    for (size_t k = 0; k < steps; k++, row += 2 * w_row, out += 2 * VECTOR_BYTES) {
        const int8_t *const ahead = k + PACK_AHEAD < steps ? row + PACK_AHEAD * 2 * w_row : row;
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + w_row);
        for (size_t c = 0; c < n; c += GROUP) {
            const bytes_16 a = bytes_at(row + c), b = bytes_at(row + w_row + c);
            const size_t next = c + GROUP / 2;
            STORE_WIDENED(out + c / OF_PANEL * out_panel + c % OF_PANEL * PANEL_STEP,
                          low_bytes(a, b));
            STORE_WIDENED(out + next / OF_PANEL * out_panel + next % OF_PANEL * PANEL_STEP,
                          high_bytes(a, b));
        }
    }
}

/* A line of channels at a time: each row of it is fetched once. */
static void panel_pack_rows_s8_s16(const int8_t *w, ptrdiff_t w_row, size_t steps, size_t cols,
                                   char *out, size_t out_panel)
{
    enum { LINE = 64 };
    size_t c = 0;
    for (; c + LINE <= cols; c += LINE, out += LINE / (2 * LANES) * out_panel)
        pack_line(w + c, w_row, steps, LINE, out, out_panel);
    if (c < cols)
        pack_line(w + c, w_row, steps, cols - c, out, out_panel);
}

static void panel_pack_s16(const int16_t *const *rows, size_t cols, int16_t *const *out)
{
    int16_t rest[2][GROUP] = {{0}};
    char spare[VECTOR_BYTES];
    void *last[VECTORS_OF_GROUP * 2];
    void *const *to = (void *const *)out;
    size_t c = 0;
    for (; c + GROUP <= cols; c += GROUP, to += VECTORS_OF_GROUP) {
        pack_2_words(rows[0] + c, rows[1] + c, to, 0);
        pack_2_words(rows[0] + c + 8, rows[1] + c + 8, to, 2);
    }
    if (c == cols)
        return;
    for (size_t r = 0; r < 2; r++)
        memcpy(rest[r], rows[r] + c, (cols - c) * sizeof rest[0][0]);
    last_vectors(to, (cols - c + LANES - 1) / LANES, spare, last);
    pack_2_words(rest[0], rest[1], last, 0);
    pack_2_words(rest[0] + 8, rest[1] + 8, last, 2);
}

static void panel_pack_s16_split(const int16_t *const *rows, size_t cols, int16_t *const *out)
{
    int16_t rest[2][GROUP] = {{0}};
    char spare[VECTOR_BYTES];
    void *last[VECTORS_OF_GROUP * 2];
    void *const *to = (void *const *)out;
    size_t c = 0;
    for (; c + GROUP <= cols; c += GROUP, to += VECTORS_OF_GROUP * 2) {
        pack_2_s16(rows[0] + c, rows[1] + c, to, 0);
        pack_2_s16(rows[0] + c + 8, rows[1] + c + 8, to, 2);
    }
    if (c == cols)
        return;
    for (size_t r = 0; r < 2; r++)
        memcpy(rest[r], rows[r] + c, (cols - c) * sizeof rest[0][0]);
    last_vectors(to, (cols - c + LANES - 1) / LANES * 2, spare, last);
    pack_2_s16(rest[0], rest[1], last, 0);
    pack_2_s16(rest[0] + 8, rest[1] + 8, last, 2);
}

#ifdef DOT_BYTES
/* Four channels of a lane are a step of it: rows are interleaved twice, within 128 bits, so that
 * units of four channels are brought into the order that this undoes. */
static void panel_pack_rows_s8(const int8_t *w, ptrdiff_t w_row, size_t steps, size_t cols,
                               char *out, size_t out_panel, int32_t *sums)
{
    enum { AHEAD = 8 /* steps that are fetched before they are needed: rows are apart */ };
    static const char ones[PANEL_STEP] = {1, 1, 1, 1};
    const V one = SPREAD(ones);
    for (size_t c = 0; c < cols; c += VECTOR_BYTES, sums += VECTOR_BYTES, out += 2 * out_panel) {
        V s0 = LOAD(sums), s1 = LOAD(sums + LANES), s2 = LOAD(sums + 2 * LANES),
          s3 = LOAD(sums + 3 * LANES);
        const int8_t *row = w + c;
        char *first = out, *second = out + out_panel;
        for (size_t k = 0; k < steps; k++, row += PANEL_STEP * w_row) {
            const int8_t *const ahead = k + AHEAD < steps ? row + AHEAD * PANEL_STEP * w_row : row;
            __builtin_prefetch(ahead);
            __builtin_prefetch(ahead + w_row);
            __builtin_prefetch(ahead + 2 * w_row);
            __builtin_prefetch(ahead + 3 * w_row);
            const V a = IN_ORDER_BYTES(LOAD(row)), b = IN_ORDER_BYTES(LOAD(row + w_row));
            const V d = IN_ORDER_BYTES(LOAD(row + 2 * w_row)),
                    e = IN_ORDER_BYTES(LOAD(row + 3 * w_row));
            const V low_ab = LOW_BYTES(a, b), high_ab = HIGH_BYTES(a, b);
            const V low_de = LOW_BYTES(d, e), high_de = HIGH_BYTES(d, e);
            const V v0 = LOW_WORDS(low_ab, low_de), v1 = HIGH_WORDS(low_ab, low_de);
            const V v2 = LOW_WORDS(high_ab, high_de), v3 = HIGH_WORDS(high_ab, high_de);
            STORE(first, v0);
            STORE(first + VECTOR_BYTES, v1);
            STORE(second, v2);
            STORE(second + VECTOR_BYTES, v3);
            s0 = DOT_BYTES(s0, one, v0);
            s1 = DOT_BYTES(s1, one, v1);
            s2 = DOT_BYTES(s2, one, v2);
            s3 = DOT_BYTES(s3, one, v3);
            first += 2 * VECTOR_BYTES;
            second += 2 * VECTOR_BYTES;
        }
        STORE(sums, s0);
        STORE(sums + LANES, s1);
        STORE(sums + 2 * LANES, s2);
        STORE(sums + 3 * LANES, s3);
    }
}

/* What DOT_BYTES takes for inputs. */
static void panel_load_s8(const int8_t *in, ptrdiff_t in_col, size_t pixels, size_t n, char *out)
{
    const int8_t flip = BYTES_EXCESS == 0 ? 0 : INT8_MIN;
    for (size_t p = 0; p < pixels; p++, in += in_col, out += n) {
        size_t c = 0;
        for (; c + VECTOR_BYTES <= n; c += VECTOR_BYTES)
            STORE(out + c, FLIPPED(LOAD(in + c)));
        for (; c + PIECE <= n; c += PIECE) {
            const bytes_16 v = bytes_at(in + c) ^ flip;
            memcpy(out + c, &v, sizeof v);
        }
        for (; c < n; c++)
            out[c] = (char)(in[c] ^ flip);
    }
}
#endif

/* Sums of split weights: acc += 256 * high + low. */
static void panel_join_s64(const int32_t *restrict sums, size_t n, int64_t *restrict acc)
{
    for (size_t c = 0; c < n; c += LANES, sums += 2 * LANES) {
        const size_t count = lb_mli_min_size(n - c, LANES);
        for (size_t i = 0; i < count; i++)
            acc[c + i] = (int64_t)((uint64_t)acc[c + i] + (uint64_t)sums[i] +
                                   (uint64_t)sums[LANES + i] * 256);
    }
}

static void panel_join_rows_s64(const int32_t *restrict low, const int32_t *restrict high, size_t n,
                                int64_t *restrict acc)
{
    for (size_t c = 0; c < n; c++)
        acc[c] = (int64_t)((uint64_t)acc[c] + (uint64_t)low[c] + (uint64_t)high[c] * 256);
}

/* Adds the magnitudes of packed 16-bit weights of a vector over the steps, which are apart. */
static void panel_magnitude_s16(const int16_t *restrict w, size_t w_step, size_t steps,
                                uint32_t *restrict sum)
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

static void fill_panel(struct lb_mli_loops *loops)
{
    loops->panel_lanes = LANES;
    loops->panel_pixels = PANEL_PIXELS;
    loops->panel_s16 = panel_S16;
    loops->panel_u8s8 = loops->panel_narrow = NULL;
#if defined(DOT_U8S8)
    loops->panel_u8s8 = panel_U8S8;
#elif defined(DOT_NARROW)
    loops->panel_narrow = panel_U8S8;
#endif
#ifdef DOT_BYTES
    loops->bytes_excess = BYTES_EXCESS;
    loops->panel_pack_rows_s8 = panel_pack_rows_s8;
    loops->panel_load_s8 = panel_load_s8;
#endif
    loops->panel_pack_s8 = panel_pack_s8;
    loops->panel_pack_s8_s16 = panel_pack_s8_s16;
    loops->panel_pack_rows_s8_s16 = panel_pack_rows_s8_s16;
    loops->panel_pack_s16 = panel_pack_s16;
    loops->panel_pack_s16_split = panel_pack_s16_split;
    loops->panel_join_s64 = panel_join_s64;
    loops->panel_join_rows_s64 = panel_join_rows_s64;
    loops->panel_magnitude_s16 = panel_magnitude_s16;
}
