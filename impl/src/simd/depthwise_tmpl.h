/* Sums of products channel by channel, the inner loop of depthwise convolutions, in vectors.
 *
 * Rows of taps lie interleaved in no memory: two (int16) or four (uint8) rows are interleaved in
 * registers, so that a lane has the taps of one channel beside each other. Interleaving works
 * within 128 bits; so that channels come out in order, loading has put the units of four channels
 * in the order that interleaving undoes. Levels that have rows of results make these of sums in
 * registers. */
#include "loops.h"

#ifdef MUL_EVEN
#include "simd/fx16_scale.h"
#include "simd/sa8_scale.h"
#endif

#ifndef DOT_S16_TIED
#define DOT_S16_TIED DOT_S16
#endif
#if defined(DOT_U8S8) && !defined(DOT_U8S8_TIED)
#define DOT_U8S8_TIED DOT_U8S8
#endif

/* Some pixels at a time share the vectors of weights; their sums have names, since compilers keep
 * arrays in memory. Split weights need so many sums that those of four pixels are more than 16
 * registers hold. */
#define FOUR_PIXELS(X) X(a) X(b) X(c) X(d)
#if LANES == 8
enum { SPLIT_PIXELS = 2 };
#define PIXELS_OF_SPLIT(X) X(a) X(b)
#else
enum { SPLIT_PIXELS = 4 };
#define PIXELS_OF_SPLIT(X) X(a) X(b) X(c) X(d)
#endif

/* Pixels a, b, c, d, and where they lie: `many` from p on, or the last ones again; of fewer some
 * are the last. */
#define NUMBER_PIXELS(p, pixels, many)                                                             \
    const size_t a = lb_mli_min_size(p, pixels < (many) ? 0 : pixels - (many));                    \
    const size_t b = lb_mli_min_size(a + 1, pixels - 1);                                           \
    const size_t c = lb_mli_min_size(a + 2, pixels - 1), d = lb_mli_min_size(a + 3, pixels - 1);   \
    const size_t at_a = in->at + a * in->step, at_b = in->at + b * in->step;                       \
    const size_t at_c = in->at + c * in->step, at_d = in->at + d * in->step;                       \
    (void)at_c, (void)at_d

#define START_2(p) V p##0 = LOAD(start), p##1 = LOAD(start + LANES);
#define START_4(p) START_2(p) V p##2 = LOAD(start + 2 * LANES), p##3 = LOAD(start + 3 * LANES);

#define STORE_2(p)                                                                                 \
    STORE(acc + p * acc_row, p##0);                                                                \
    STORE(acc + p * acc_row + LANES, p##1);
#define STORE_4(p)                                                                                 \
    STORE_2(p)                                                                                     \
    STORE(acc + p * acc_row + 2 * LANES, p##2);                                                    \
    STORE(acc + p * acc_row + 3 * LANES, p##3);

/* The products of a step: taps x, y (bytes: and z, u), weights w0, w1 ... of all pixels. What is
 * used more than once is to be loaded once. */
#define STEPS_2(PIXELS)                                                                            \
    const char *const *tap = in->tap, *const *const end = tap + in->taps;                          \
    const char *w = weights;                                                                       \
    do {                                                                                           \
        const char *const x = tap[0], *const y = tap[1];                                           \
        V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES);                                               \
        KEEP(w0);                                                                                  \
        KEEP(w1);                                                                                  \
        PIXELS(ADD_2)                                                                              \
        w += 2 * VECTOR_BYTES;                                                                     \
    } while ((tap += 2) < end);
#define ADD_2(p)                                                                                   \
    {                                                                                              \
        V of_x = LOAD(x + at_##p);                                                                 \
        V of_y = LOAD(y + at_##p);                                                                 \
        KEEP(of_x);                                                                                \
        KEEP(of_y);                                                                                \
        p##0 = DOT_S16_TIED(p##0, LOW_WORDS(of_x, of_y), w0);                                      \
        p##1 = DOT_S16_TIED(p##1, HIGH_WORDS(of_x, of_y), w1);                                     \
    }

/* Split weights: the vectors of a step are low, high halves of the first channels, then of the
 * others. */
#define STEPS_4(PIXELS, TAPS, ADD)                                                                 \
    const char *const *tap = in->tap, *const *const end = tap + in->taps;                          \
    const char *w = weights;                                                                       \
    do {                                                                                           \
        V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES), w2 = LOAD(w + 2 * VECTOR_BYTES),              \
          w3 = LOAD(w + 3 * VECTOR_BYTES);                                                         \
        KEEP(w0);                                                                                  \
        KEEP(w1);                                                                                  \
        KEEP(w2);                                                                                  \
        KEEP(w3);                                                                                  \
        PIXELS(ADD)                                                                                \
        w += 4 * VECTOR_BYTES;                                                                     \
    } while ((tap += (TAPS)) < end);
#define ADD_SPLIT(p)                                                                               \
    {                                                                                              \
        V x = LOAD(tap[0] + at_##p);                                                               \
        V y = LOAD(tap[1] + at_##p);                                                               \
        KEEP(x);                                                                                   \
        KEEP(y);                                                                                   \
        const V low = LOW_WORDS(x, y), high = HIGH_WORDS(x, y);                                    \
        p##0 = DOT_S16_TIED(p##0, low, w0);                                                        \
        p##1 = DOT_S16_TIED(p##1, low, w1);                                                        \
        p##2 = DOT_S16_TIED(p##2, high, w2);                                                       \
        p##3 = DOT_S16_TIED(p##3, high, w3);                                                       \
    }
#define ADD_BYTES(p)                                                                               \
    {                                                                                              \
        V x = LOAD(tap[0] + at_##p), z = LOAD(tap[2] + at_##p);                                    \
        V y = LOAD(tap[1] + at_##p), u = LOAD(tap[3] + at_##p);                                    \
        KEEP(x);                                                                                   \
        KEEP(y);                                                                                   \
        KEEP(z);                                                                                   \
        KEEP(u);                                                                                   \
        const V low = LOW_BYTES(x, y), low2 = LOW_BYTES(z, u), high = HIGH_BYTES(x, y),            \
                high2 = HIGH_BYTES(z, u);                                                          \
        p##0 = DOT_U8S8_TIED(p##0, LOW_WORDS(low, low2), w0);                                      \
        p##1 = DOT_U8S8_TIED(p##1, HIGH_WORDS(low, low2), w1);                                     \
        p##2 = DOT_U8S8_TIED(p##2, LOW_WORDS(high, high2), w2);                                    \
        p##3 = DOT_U8S8_TIED(p##3, HIGH_WORDS(high, high2), w3);                                   \
    }

/*
 * Kernels of three columns: what is interleaved of a column of the input serves all pixels that
 * look at it. Half of a vector at a time, so that weights and sums stay in registers; k, l, m are
 * those of the columns.
 */
#define EACH_COLUMN(COLUMN, ADD, i, j)                                                             \
    COLUMN(0, ADD(a, i, j, k))                                                                     \
    COLUMN(1, ADD(a, i, j, l) ADD(b, i, j, k))                                                     \
    COLUMN(2, ADD(a, i, j, m) ADD(b, i, j, l) ADD(c, i, j, k))                                     \
    COLUMN(3, ADD(b, i, j, m) ADD(c, i, j, l) ADD(d, i, j, k))                                     \
    COLUMN(4, ADD(c, i, j, m) ADD(d, i, j, l))                                                     \
    COLUMN(5, ADD(d, i, j, m))
#define INPUT(row, n) LOAD(in->tap[row] + at_a + (n)*in->step)
#define WEIGHT(name, number)                                                                       \
    V name = LOAD((const char *)weights + (number)*VECTOR_BYTES);                                  \
    KEEP(name)
/* Inputs of the second half: the compiler would keep them in memory of its own. */
#define LOAD_AGAIN() __asm__ volatile("" ::: "memory")

/* Words, three rows: two make pairs; of the third, pixels n and n + 1 do, and n + 2 with none. g,
 * h: their weights. */
#define EACH_PAIR(PAIR, ADD, i, j)                                                                 \
    PAIR(0, 1, ADD(a, i, j, g))                                                                    \
    PAIR(1, 2, ADD(b, i, j, g))                                                                    \
    PAIR(2, 3, ADD(a, i, j, h) ADD(c, i, j, g))                                                    \
    PAIR(3, 4, ADD(b, i, j, h) ADD(d, i, j, g))                                                    \
    PAIR(4, 5, ADD(c, i, j, h))                                                                    \
    PAIR(5, 5, ADD(d, i, j, h))
#define LOW_COLUMN(n, outputs)                                                                     \
    {                                                                                              \
        const V v = LOW_WORDS(INPUT(0, n), INPUT(1, n));                                           \
        outputs                                                                                    \
    }
#define HIGH_COLUMN(n, outputs)                                                                    \
    {                                                                                              \
        const V v = HIGH_WORDS(INPUT(0, n), INPUT(1, n));                                          \
        outputs                                                                                    \
    }
#define LOW_PAIR(n, next, outputs)                                                                 \
    {                                                                                              \
        const V v = LOW_WORDS(INPUT(2, n), INPUT(2, next));                                        \
        outputs                                                                                    \
    }
#define HIGH_PAIR(n, next, outputs)                                                                \
    {                                                                                              \
        const V v = HIGH_WORDS(INPUT(2, n), INPUT(2, next));                                       \
        outputs                                                                                    \
    }
#define ADD_WORD(p, i, j, w) p##i = DOT_S16_TIED(p##i, v, w##0);
#define ADD_SPLIT16(p, i, j, w)                                                                    \
    p##i = DOT_S16_TIED(p##i, v, w##0);                                                            \
    p##j = DOT_S16_TIED(p##j, v, w##1);
#define HALF_2(HALF, i)                                                                            \
    {                                                                                              \
        WEIGHT(k0, i);                                                                             \
        WEIGHT(l0, 2 + i);                                                                         \
        WEIGHT(m0, 4 + i);                                                                         \
        WEIGHT(g0, 6 + i);                                                                         \
        WEIGHT(h0, 8 + i);                                                                         \
        EACH_COLUMN(HALF##_COLUMN, ADD_WORD, i, i) EACH_PAIR(HALF##_PAIR, ADD_WORD, i, i)          \
    }
#define HALF_SPLIT(HALF, i, j)                                                                     \
    {                                                                                              \
        WEIGHT(k0, i);                                                                             \
        WEIGHT(l0, 4 + i);                                                                         \
        WEIGHT(m0, 8 + i);                                                                         \
        WEIGHT(g0, 12 + i);                                                                        \
        WEIGHT(h0, 16 + i);                                                                        \
        WEIGHT(k1, j);                                                                             \
        WEIGHT(l1, 4 + j);                                                                         \
        WEIGHT(m1, 8 + j);                                                                         \
        WEIGHT(g1, 12 + j);                                                                        \
        WEIGHT(h1, 16 + j);                                                                        \
        EACH_COLUMN(HALF##_COLUMN, ADD_SPLIT16, i, j)                                              \
        EACH_PAIR(HALF##_PAIR, ADD_SPLIT16, i, j)                                                  \
    }
#define ADD_ALL_WORDS                                                                              \
    if (in->columns) {                                                                             \
        HALF_2(LOW, 0)                                                                             \
        LOAD_AGAIN();                                                                              \
        HALF_2(HIGH, 1)                                                                            \
    } else {                                                                                       \
        STEPS_2(FOUR_PIXELS)                                                                       \
    }
#if LANES == 8
#define ADD_ALL_SPLIT STEPS_4(PIXELS_OF_SPLIT, 2, ADD_SPLIT)
#else
#define ADD_ALL_SPLIT                                                                              \
    if (in->columns) {                                                                             \
        HALF_SPLIT(LOW, 0, 1)                                                                      \
        LOAD_AGAIN();                                                                              \
        HALF_SPLIT(HIGH, 2, 3)                                                                     \
    } else {                                                                                       \
        STEPS_4(PIXELS_OF_SPLIT, 2, ADD_SPLIT)                                                     \
    }
#endif

/* Bytes: four rows make a step. */
#define QUAD_COLUMN(n, BYTES, outputs)                                                             \
    {                                                                                              \
        const V xy = BYTES(INPUT(0, n), INPUT(1, n)), zu = BYTES(INPUT(2, n), INPUT(3, n));        \
        const V low = LOW_WORDS(xy, zu), high = HIGH_WORDS(xy, zu);                                \
        outputs                                                                                    \
    }
#define LOW_QUAD(n, outputs)  QUAD_COLUMN(n, LOW_BYTES, outputs)
#define HIGH_QUAD(n, outputs) QUAD_COLUMN(n, HIGH_BYTES, outputs)
#define ADD_QUADS(p, i, j, w)                                                                      \
    p##i = DOT_U8S8_TIED(p##i, low, w##0);                                                         \
    p##j = DOT_U8S8_TIED(p##j, high, w##1);
#define HALF_4(HALF, i, j)                                                                         \
    {                                                                                              \
        WEIGHT(k0, i);                                                                             \
        WEIGHT(l0, 4 + i);                                                                         \
        WEIGHT(m0, 8 + i);                                                                         \
        WEIGHT(k1, j);                                                                             \
        WEIGHT(l1, 4 + j);                                                                         \
        WEIGHT(m1, 8 + j);                                                                         \
        EACH_COLUMN(HALF##_QUAD, ADD_QUADS, i, j)                                                  \
    }
#define ADD_ALL_BYTES                                                                              \
    if (in->columns) {                                                                             \
        HALF_4(LOW, 0, 1)                                                                          \
        LOAD_AGAIN();                                                                              \
        HALF_4(HIGH, 2, 3)                                                                         \
    } else {                                                                                       \
        STEPS_4(FOUR_PIXELS, 4, ADD_BYTES)                                                         \
    }

/*
 * Sums
 */
static void depthwise_taps_s16(const struct lb_mli_depthwise_taps *in, size_t pixels,
                               const void *weights, const int32_t *start, int32_t *acc,
                               size_t acc_row)
{
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_2)
        ADD_ALL_WORDS
        FOUR_PIXELS(STORE_2)
    }
}

static void depthwise_taps_s16_split(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                     const void *weights, const int32_t *start, int32_t *acc,
                                     size_t acc_row)
{
    for (size_t p = 0; p < pixels; p += SPLIT_PIXELS) {
        NUMBER_PIXELS(p, pixels, SPLIT_PIXELS);
        PIXELS_OF_SPLIT(START_4)
        ADD_ALL_SPLIT
        PIXELS_OF_SPLIT(STORE_4)
    }
}

#ifdef DOT_U8S8
static void depthwise_taps_u8s8(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                const void *weights, const int32_t *start, int32_t *acc,
                                size_t acc_row)
{
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_4)
        ADD_ALL_BYTES
        FOUR_PIXELS(STORE_4)
    }
}
#endif

/*
 * Results
 */
#ifdef MUL_EVEN
#define STORE_WORDS(p, v) STORE(out + p * out_row, MAX_WORDS(MIN_WORDS(v, plan.hi), plan.lo));

#define SHIFT_2(p)                                                                                 \
    STORE_WORDS(p, TO_WORDS(shifted_sum(p##0, &plan, round), shifted_sum(p##1, &plan, round)))
LB_MLI_INLINE void words_to_fx16(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                 const void *weights, const int32_t *start,
                                 const struct lb_mli_fx_result *q, enum lb_mli_round round,
                                 int16_t *out, size_t out_row)
{
    const struct shifting plan = plan_shifting(q);
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_2)
        ADD_ALL_WORDS
        FOUR_PIXELS(SHIFT_2)
    }
}

#define JOIN_4(p)                                                                                  \
    STORE_WORDS(                                                                                   \
        p, TO_WORDS(joined_sums(p##0, p##1, &plan, round), joined_sums(p##2, p##3, &plan, round)))
LB_MLI_INLINE void split_to_fx16(const struct lb_mli_depthwise_taps *in, size_t pixels,
                                 const void *weights, const int32_t *start,
                                 const struct lb_mli_split16_result *q, enum lb_mli_round round,
                                 int16_t *out, size_t out_row)
{
    const struct joining plan = plan_joining(q);
    for (size_t p = 0; p < pixels; p += SPLIT_PIXELS) {
        NUMBER_PIXELS(p, pixels, SPLIT_PIXELS);
        PIXELS_OF_SPLIT(START_4)
        ADD_ALL_SPLIT
        PIXELS_OF_SPLIT(JOIN_4)
    }
}

/* The vector i of four pixels. */
#define SCALE(i)                                                                                   \
    {                                                                                              \
        const struct factors f = load_factors(q, first + (i)*LANES, reduced);                      \
        a##i = scale(SUM(a##i), f, round, reduced);                                                \
        b##i = scale(SUM(b##i), f, round, reduced);                                                \
        c##i = scale(SUM(c##i), f, round, reduced);                                                \
        d##i = scale(SUM(d##i), f, round, reduced);                                                \
    }

/* A vector of results holds all channels of a group where products are of bytes, and half a vector
 * does else. */
#ifdef DOT_U8S8
#define STORE_BYTES(p)                                                                             \
    STORE(out + p * out_row, to_bytes(p##0, p##1, p##2, p##3, q->zero, q->lo, q->hi));
#define SUM_OF_GROUP FOUR_PIXELS(START_4) ADD_ALL_BYTES
#define SCALE_GROUP  SCALE(0) SCALE(1) SCALE(2) SCALE(3)
#define STORE_GROUP  FOUR_PIXELS(STORE_BYTES)
#else
#define STORE_BYTES(p, next)                                                                       \
    {                                                                                              \
        const V bytes = to_bytes(p##0, p##1, next##0, next##1, q->zero, q->lo, q->hi);             \
        STORE_HALF(out + p * out_row, bytes, 0);                                                   \
        STORE_HALF(out + next * out_row, bytes, 1);                                                \
    }
#define SUM_OF_GROUP FOUR_PIXELS(START_2) ADD_ALL_WORDS
#define SCALE_GROUP  SCALE(0) SCALE(1)
#define STORE_GROUP  STORE_BYTES(a, b) STORE_BYTES(c, d)
#endif

LB_MLI_INLINE void to_sa8(const struct lb_mli_depthwise_taps *in, size_t pixels,
                          const void *weights, const int32_t *start,
                          const struct lb_mli_sa_result *q, size_t first,
                          enum lb_mli_profile profile, int8_t *out, size_t out_row)
{
    const enum lb_mli_round round = lb_mli_profile_round(profile);
    const bool reduced = lb_mli_profile_reduced(profile);
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        SUM_OF_GROUP
        SCALE_GROUP
        STORE_GROUP
    }
}

#define TO_SA8(name, profile)                                                                      \
    static void name(const struct lb_mli_depthwise_taps *in, size_t pixels, const void *weights,   \
                     const int32_t *start, const struct lb_mli_sa_result *q, size_t first,         \
                     int8_t *out, size_t out_row)                                                  \
    {                                                                                              \
        to_sa8(in, pixels, weights, start, q, first, profile, out, out_row);                       \
    }
#define TO_FX16(name, q_type, of, round)                                                           \
    static void name(const struct lb_mli_depthwise_taps *in, size_t pixels, const void *weights,   \
                     const int32_t *start, const q_type *q, int16_t *out, size_t out_row)          \
    {                                                                                              \
        of(in, pixels, weights, start, q, round, out, out_row);                                    \
    }

TO_SA8(sa8_up_full, LB_MLI_UP_FULL)
TO_SA8(sa8_up_reduced, LB_MLI_UP_REDUCED)
TO_SA8(sa8_convergent_full, LB_MLI_CONVERGENT_FULL)
TO_SA8(sa8_convergent_reduced, LB_MLI_CONVERGENT_REDUCED)
TO_FX16(fx16_up, struct lb_mli_fx_result, words_to_fx16, LB_MLI_UP)
TO_FX16(fx16_convergent, struct lb_mli_fx_result, words_to_fx16, LB_MLI_CONVERGENT)
TO_FX16(split16_up, struct lb_mli_split16_result, split_to_fx16, LB_MLI_UP)
TO_FX16(split16_convergent, struct lb_mli_split16_result, split_to_fx16, LB_MLI_CONVERGENT)
#endif

/*
 * Loading: a pixel is so many whole vectors; what is behind the last channel is any value, its
 * weights are 0.
 */
#define LOAD_TAPS(name, type, per, vector_of)                                                      \
    static void name(const void *from, ptrdiff_t in_col, size_t pixels, size_t n, int32_t zero,    \
                     char *out)                                                                    \
    {                                                                                              \
        const type *in = from;                                                                     \
        type rest[per] = {0};                                                                      \
        (void)zero;                                                                                \
        for (size_t p = 0; p < pixels; p++, in += in_col) {                                        \
            size_t c = 0;                                                                          \
            for (; c + (per) <= n; c += (per), out += VECTOR_BYTES)                                \
                STORE(out, vector_of(in + c, zero));                                               \
            if (c < n) {                                                                           \
                memcpy(rest, in + c, (n - c) * sizeof rest[0]);                                    \
                STORE(out, vector_of(rest, zero));                                                 \
                out += VECTOR_BYTES;                                                               \
            }                                                                                      \
        }                                                                                          \
    }

#define BYTES_OF(p, zero)   IN_ORDER_BYTES(FLIPPED(LOAD(p)))
#define WORDS_OF(p, zero)   IN_ORDER_WORDS(LOAD(p))
#define WIDENED_OF(p, zero) IN_ORDER_WORDS(SUB_WORDS(WIDENED(p), zero))
LOAD_TAPS(load_s16, int16_t, 2 * LANES, WORDS_OF)
LOAD_TAPS(load_s8_s16, int8_t, 2 * LANES, WIDENED_OF)
#ifdef DOT_U8S8
LOAD_TAPS(load_u8, int8_t, 4 * LANES, BYTES_OF)
#endif

static void fill_depthwise(struct lb_mli_loops *loops)
{
    loops->depthwise_taps_s16 = depthwise_taps_s16;
    loops->depthwise_taps_s16_split = depthwise_taps_s16_split;
    loops->depthwise_taps_split_columns = SPLIT_PIXELS == 4;
    loops->depthwise_taps_load_s16 = load_s16;
    loops->depthwise_taps_load_s8_s16 = load_s8_s16;
#ifdef DOT_U8S8
    loops->depthwise_taps_u8s8 = depthwise_taps_u8s8;
    loops->depthwise_taps_load_u8 = load_u8;
#endif
#ifdef MUL_EVEN
    loops->depthwise_taps_sa8[LB_MLI_UP_FULL] = sa8_up_full;
    loops->depthwise_taps_sa8[LB_MLI_UP_REDUCED] = sa8_up_reduced;
    loops->depthwise_taps_sa8[LB_MLI_CONVERGENT_FULL] = sa8_convergent_full;
    loops->depthwise_taps_sa8[LB_MLI_CONVERGENT_REDUCED] = sa8_convergent_reduced;
    loops->depthwise_taps_fx16[LB_MLI_UP] = fx16_up;
    loops->depthwise_taps_fx16[LB_MLI_CONVERGENT] = fx16_convergent;
    loops->depthwise_taps_split16[LB_MLI_UP] = split16_up;
    loops->depthwise_taps_split16[LB_MLI_CONVERGENT] = split16_convergent;
#endif
}
