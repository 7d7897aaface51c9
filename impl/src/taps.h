/*
 * taps.h: sums of products channel by channel, the inner loop of depthwise convolutions, once for all levels with vectors.
 * A level's file includes the header of its vectors, defines DOT_S16 and perhaps DOT_U8S8 as for panel.h, and includes this
 * file, which defines the level's fill function "taps".
 *
 * Rows of taps lie interleaved in no memory: two (int16) or four (uint8) rows are interleaved in registers, so that a lane
 * has the taps of one channel beside each other. Interleaving works within 128 bits; so that channels come out in order,
 * loading has put the units of four channels in the order that interleaving undoes. Levels that have rows of results make
 * these of sums in registers.
 */
#include "dispatch.h"

#ifdef MUL_EVEN
#include "fx_scale.h"
#include "sa_scale.h"
#endif

/* Each kind of result gets an instance of its own. */
#define INLINE static inline __attribute__((always_inline))

enum { VECTOR_BYTES = LANES * 4 };

/* Some pixels at a time share the vectors of weights; their sums have names, since compilers keep arrays in memory. Split
 * weights need so many sums that those of four pixels are more than 16 registers hold. */
#define FOUR_PIXELS(X) X(a) X(b) X(c) X(d)
#if LANES == 8
enum { SPLIT_PIXELS = 2 };
#define PIXELS_OF_SPLIT(X) X(a) X(b)
#else
enum { SPLIT_PIXELS = 4 };
#define PIXELS_OF_SPLIT(X) X(a) X(b) X(c) X(d)
#endif

/* Pixels a, b, c, d, and where they lie: `many` from p on, or the last ones again; of fewer some are the last. */
#define NUMBER_PIXELS(p, pixels, many)                                                                                 \
    const size_t a = lb_mli_min_size(p, pixels < (many) ? 0 : pixels - (many));                                        \
    const size_t b = lb_mli_min_size(a + 1, pixels - 1);                                                               \
    const size_t c = lb_mli_min_size(a + 2, pixels - 1), d = lb_mli_min_size(a + 3, pixels - 1);                       \
    const size_t at_a = in->at + a * in->step, at_b = in->at + b * in->step;                                           \
    const size_t at_c = in->at + c * in->step, at_d = in->at + d * in->step;                                           \
    (void)at_c, (void)at_d

#define START_2(p) V p##0 = LOAD(start), p##1 = LOAD(start + LANES);
#define START_4(p) START_2(p) V p##2 = LOAD(start + 2 * LANES), p##3 = LOAD(start + 3 * LANES);

#define STORE_2(p)                                                                                                     \
    STORE(acc + p * acc_row, p##0);                                                                                    \
    STORE(acc + p * acc_row + LANES, p##1);
#define STORE_4(p)                                                                                                     \
    STORE_2(p)                                                                                                         \
    STORE(acc + p * acc_row + 2 * LANES, p##2);                                                                        \
    STORE(acc + p * acc_row + 3 * LANES, p##3);

/* The products of a step: taps x, y (bytes: and z, u), weights w0, w1 ... of all pixels. What is used more than once is to
 * be loaded once. */
#define STEPS_2(PIXELS)                                                                                                \
    const char *const *tap = in->tap, *const *const end = tap + in->taps;                                              \
    const char *w = weights;                                                                                           \
    do {                                                                                                               \
        const char *const x = tap[0], *const y = tap[1];                                                               \
        V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES);                                                                   \
        KEEP(w0);                                                                                                      \
        KEEP(w1);                                                                                                      \
        PIXELS(ADD_2)                                                                                                  \
        w += 2 * VECTOR_BYTES;                                                                                         \
    } while ((tap += 2) < end);
#define ADD_2(p)                                                                                                       \
    {                                                                                                                  \
        V of_x = LOAD(x + at_##p);                                                                                     \
        V of_y = LOAD(y + at_##p);                                                                                     \
        KEEP(of_x);                                                                                                    \
        KEEP(of_y);                                                                                                    \
        p##0 = DOT_S16(p##0, LOW_WORDS(of_x, of_y), w0);                                                               \
        p##1 = DOT_S16(p##1, HIGH_WORDS(of_x, of_y), w1);                                                              \
    }

/* Split weights: the vectors of a step are low, high halves of the first channels, then of the others. */
#define STEPS_4(PIXELS, TAPS, ADD)                                                                                     \
    const char *const *tap = in->tap, *const *const end = tap + in->taps;                                              \
    const char *w = weights;                                                                                           \
    do {                                                                                                               \
        V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES), w2 = LOAD(w + 2 * VECTOR_BYTES), w3 = LOAD(w + 3 * VECTOR_BYTES); \
        KEEP(w0);                                                                                                      \
        KEEP(w1);                                                                                                      \
        KEEP(w2);                                                                                                      \
        KEEP(w3);                                                                                                      \
        PIXELS(ADD)                                                                                                    \
        w += 4 * VECTOR_BYTES;                                                                                         \
    } while ((tap += (TAPS)) < end);
#define ADD_SPLIT(p)                                                                                                   \
    {                                                                                                                  \
        V x = LOAD(tap[0] + at_##p);                                                                                   \
        V y = LOAD(tap[1] + at_##p);                                                                                   \
        KEEP(x);                                                                                                       \
        KEEP(y);                                                                                                       \
        const V low = LOW_WORDS(x, y), high = HIGH_WORDS(x, y);                                                        \
        p##0 = DOT_S16(p##0, low, w0);                                                                                 \
        p##1 = DOT_S16(p##1, low, w1);                                                                                 \
        p##2 = DOT_S16(p##2, high, w2);                                                                                \
        p##3 = DOT_S16(p##3, high, w3);                                                                                \
    }
#define ADD_BYTES(p)                                                                                                   \
    {                                                                                                                  \
        V x = LOAD(tap[0] + at_##p), z = LOAD(tap[2] + at_##p);                                                        \
        V y = LOAD(tap[1] + at_##p), u = LOAD(tap[3] + at_##p);                                                        \
        KEEP(x);                                                                                                       \
        KEEP(y);                                                                                                       \
        KEEP(z);                                                                                                       \
        KEEP(u);                                                                                                       \
        const V low = LOW_BYTES(x, y), low2 = LOW_BYTES(z, u), high = HIGH_BYTES(x, y), high2 = HIGH_BYTES(z, u);      \
        p##0 = DOT_U8S8(p##0, LOW_WORDS(low, low2), w0);                                                               \
        p##1 = DOT_U8S8(p##1, HIGH_WORDS(low, low2), w1);                                                              \
        p##2 = DOT_U8S8(p##2, LOW_WORDS(high, high2), w2);                                                             \
        p##3 = DOT_U8S8(p##3, HIGH_WORDS(high, high2), w3);                                                            \
    }

/*
 * Three columns of four rows: a column of the input is interleaved once for all pixels that look at it. Half of the vectors
 * at a time, so that weights (k, l, m: of the columns) and sums stay in registers.
 */
#define COLUMN(n, BYTES, outputs)                                                                                      \
    {                                                                                                                  \
        const size_t at = at_a + (n)*in->step;                                                                         \
        const V xy = BYTES(LOAD(x + at), LOAD(y + at)), zu = BYTES(LOAD(z + at), LOAD(u + at));                        \
        const V low = LOW_WORDS(xy, zu), high = HIGH_WORDS(xy, zu);                                                    \
        outputs                                                                                                        \
    }
#define ADD_COLUMN(p, i, j, w) p##i = DOT_U8S8(p##i, low, w##0), p##j = DOT_U8S8(p##j, high, w##1);
#define HALF_OF_COLUMNS(BYTES, i, j)                                                                                   \
    {                                                                                                                  \
        const char *const w = weights;                                                                                 \
        const char *const x = in->tap[0], *const y = in->tap[1], *const z = in->tap[2], *const u = in->tap[3];         \
        V k0 = LOAD(w + (i)*VECTOR_BYTES), k1 = LOAD(w + (j)*VECTOR_BYTES);                                            \
        V l0 = LOAD(w + (4 + i) * VECTOR_BYTES), l1 = LOAD(w + (4 + j) * VECTOR_BYTES);                                \
        V m0 = LOAD(w + (8 + i) * VECTOR_BYTES), m1 = LOAD(w + (8 + j) * VECTOR_BYTES);                                \
        KEEP(k0);                                                                                                      \
        KEEP(k1);                                                                                                      \
        KEEP(l0);                                                                                                      \
        KEEP(l1);                                                                                                      \
        KEEP(m0);                                                                                                      \
        KEEP(m1);                                                                                                      \
        COLUMN(0, BYTES, ADD_COLUMN(a, i, j, k))                                                                       \
        COLUMN(1, BYTES, ADD_COLUMN(a, i, j, l) ADD_COLUMN(b, i, j, k))                                                \
        COLUMN(2, BYTES, ADD_COLUMN(a, i, j, m) ADD_COLUMN(b, i, j, l) ADD_COLUMN(c, i, j, k))                         \
        COLUMN(3, BYTES, ADD_COLUMN(b, i, j, m) ADD_COLUMN(c, i, j, l) ADD_COLUMN(d, i, j, k))                         \
        COLUMN(4, BYTES, ADD_COLUMN(c, i, j, m) ADD_COLUMN(d, i, j, l))                                                \
        COLUMN(5, BYTES, ADD_COLUMN(d, i, j, m))                                                                       \
    }
/* Inputs of the second half: the compiler would keep them in memory of its own. */
#define LOAD_AGAIN() __asm__ volatile("" ::: "memory")
#define ADD_ALL_BYTES                                                                                                  \
    if (in->columns) {                                                                                                 \
        HALF_OF_COLUMNS(LOW_BYTES, 0, 1)                                                                               \
        LOAD_AGAIN();                                                                                                  \
        HALF_OF_COLUMNS(HIGH_BYTES, 2, 3)                                                                              \
    } else {                                                                                                           \
        STEPS_4(FOUR_PIXELS, 4, ADD_BYTES)                                                                             \
    }

/*
 * Sums
 */
static void taps_s16(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                     int32_t *acc, size_t acc_row)
{
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_2)
        STEPS_2(FOUR_PIXELS)
        FOUR_PIXELS(STORE_2)
    }
}

static void taps_s16_split(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                           int32_t *acc, size_t acc_row)
{
    for (size_t p = 0; p < pixels; p += SPLIT_PIXELS) {
        NUMBER_PIXELS(p, pixels, SPLIT_PIXELS);
        PIXELS_OF_SPLIT(START_4)
        STEPS_4(PIXELS_OF_SPLIT, 2, ADD_SPLIT)
        PIXELS_OF_SPLIT(STORE_4)
    }
}

#ifdef DOT_U8S8
static void taps_u8s8(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                      int32_t *acc, size_t acc_row)
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

#define SHIFT_2(p) STORE_WORDS(p, TO_WORDS(shifted_sum(p##0, &plan, round), shifted_sum(p##1, &plan, round)))
INLINE void words_to_fx16(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                          const struct lb_mli_fx_result *q, enum lb_mli_round round, int16_t *out, size_t out_row)
{
    const struct shifting plan = plan_shifting(q);
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_2)
        STEPS_2(FOUR_PIXELS)
        FOUR_PIXELS(SHIFT_2)
    }
}

#define JOIN_4(p) STORE_WORDS(p, TO_WORDS(joined_sums(p##0, p##1, &plan, round), joined_sums(p##2, p##3, &plan, round)))
INLINE void split_to_fx16(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                          const struct lb_mli_planes_result *q, enum lb_mli_round round, int16_t *out, size_t out_row)
{
    const struct joining plan = plan_joining(q);
    for (size_t p = 0; p < pixels; p += SPLIT_PIXELS) {
        NUMBER_PIXELS(p, pixels, SPLIT_PIXELS);
        PIXELS_OF_SPLIT(START_4)
        STEPS_4(PIXELS_OF_SPLIT, 2, ADD_SPLIT)
        PIXELS_OF_SPLIT(JOIN_4)
    }
}

/* The vector i of four pixels. */
#define SCALE(i)                                                                                                       \
    {                                                                                                                  \
        const struct factors f = load_factors(q, first + (i)*LANES, reduced);                                          \
        a##i = scale(a##i, f, round, reduced);                                                                         \
        b##i = scale(b##i, f, round, reduced);                                                                         \
        c##i = scale(c##i, f, round, reduced);                                                                         \
        d##i = scale(d##i, f, round, reduced);                                                                         \
    }

#ifdef DOT_U8S8
#define STORE_BYTES(p) STORE(out + p * out_row, to_bytes(p##0, p##1, p##2, p##3, q->zero, q->lo, q->hi));
INLINE void to_sa8(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                   const struct lb_mli_sa_result *q, size_t first, enum lb_mli_profile profile, int8_t *out,
                   size_t out_row)
{
    const enum lb_mli_round round = lb_mli_profile_round(profile);
    const bool reduced = lb_mli_profile_reduced(profile);
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_4)
        ADD_ALL_BYTES
        SCALE(0)
        SCALE(1)
        SCALE(2)
        SCALE(3)
        FOUR_PIXELS(STORE_BYTES)
    }
}
#else
#define STORE_BYTES(p, next)                                                                                           \
    {                                                                                                                  \
        const V bytes = to_bytes(p##0, p##1, next##0, next##1, q->zero, q->lo, q->hi);                                 \
        STORE_HALF(out + p * out_row, bytes, 0);                                                                       \
        STORE_HALF(out + next * out_row, bytes, 1);                                                                    \
    }
INLINE void to_sa8(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,
                   const struct lb_mli_sa_result *q, size_t first, enum lb_mli_profile profile, int8_t *out,
                   size_t out_row)
{
    const enum lb_mli_round round = lb_mli_profile_round(profile);
    const bool reduced = lb_mli_profile_reduced(profile);
    for (size_t p = 0; p < pixels; p += 4) {
        NUMBER_PIXELS(p, pixels, 4);
        FOUR_PIXELS(START_2)
        STEPS_2(FOUR_PIXELS)
        SCALE(0)
        SCALE(1)
        STORE_BYTES(a, b)
        STORE_BYTES(c, d)
    }
}
#endif

#define TO_SA8(name, profile)                                                                                          \
    static void name(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,           \
                     const struct lb_mli_sa_result *q, size_t first, int8_t *out, size_t out_row)                      \
    {                                                                                                                  \
        to_sa8(in, pixels, weights, start, q, first, profile, out, out_row);                                           \
    }
#define TO_FX16(name, q_type, of, round)                                                                               \
    static void name(const struct lb_mli_taps *in, size_t pixels, const void *weights, const int32_t *start,           \
                     const q_type *q, int16_t *out, size_t out_row)                                                    \
    {                                                                                                                  \
        of(in, pixels, weights, start, q, round, out, out_row);                                                        \
    }

TO_SA8(sa8_up_full, LB_MLI_UP_FULL)
TO_SA8(sa8_up_reduced, LB_MLI_UP_REDUCED)
TO_SA8(sa8_convergent_full, LB_MLI_CONVERGENT_FULL)
TO_SA8(sa8_convergent_reduced, LB_MLI_CONVERGENT_REDUCED)
TO_FX16(fx16_up, struct lb_mli_fx_result, words_to_fx16, LB_MLI_UP)
TO_FX16(fx16_convergent, struct lb_mli_fx_result, words_to_fx16, LB_MLI_CONVERGENT)
TO_FX16(planes_up, struct lb_mli_planes_result, split_to_fx16, LB_MLI_UP)
TO_FX16(planes_convergent, struct lb_mli_planes_result, split_to_fx16, LB_MLI_CONVERGENT)
#endif

/*
 * Loading: a pixel is so many whole vectors; what is behind the last channel is any value, its weights are 0.
 */
#define LOAD_TAPS(name, type, per, vector_of)                                                                          \
    static void name(const void *from, ptrdiff_t in_col, size_t pixels, size_t n, int32_t zero, char *out)             \
    {                                                                                                                  \
        const type *in = from;                                                                                         \
        type rest[per] = {0};                                                                                          \
        (void)zero;                                                                                                    \
        for (size_t p = 0; p < pixels; p++, in += in_col) {                                                            \
            size_t c = 0;                                                                                              \
            for (; c + (per) <= n; c += (per), out += VECTOR_BYTES)                                                    \
                STORE(out, vector_of(in + c, zero));                                                                   \
            if (c < n) {                                                                                               \
                memcpy(rest, in + c, (n - c) * sizeof rest[0]);                                                        \
                STORE(out, vector_of(rest, zero));                                                                     \
                out += VECTOR_BYTES;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }

#define BYTES_OF(p, zero)   IN_ORDER_BYTES(FLIPPED(LOAD(p)))
#define WORDS_OF(p, zero)   IN_ORDER_WORDS(LOAD(p))
#define WIDENED_OF(p, zero) IN_ORDER_WORDS(SUB_WORDS(WIDENED(p), zero))
LOAD_TAPS(load_s16, int16_t, 2 * LANES, WORDS_OF)
LOAD_TAPS(load_s8_s16, int8_t, 2 * LANES, WIDENED_OF)
#ifdef DOT_U8S8
LOAD_TAPS(load_u8, int8_t, 4 * LANES, BYTES_OF)
#endif

void LB_MLI_FILL(taps)(struct lb_mli_loops *loops)
{
    loops->taps_s16 = taps_s16;
    loops->taps_s16_split = taps_s16_split;
    loops->taps_load_s16 = load_s16;
    loops->taps_load_s8_s16 = load_s8_s16;
#ifdef DOT_U8S8
    loops->taps_u8s8 = taps_u8s8;
    loops->taps_load_u8 = load_u8;
#endif
#ifdef MUL_EVEN
    loops->taps_sa8[LB_MLI_UP_FULL] = sa8_up_full;
    loops->taps_sa8[LB_MLI_UP_REDUCED] = sa8_up_reduced;
    loops->taps_sa8[LB_MLI_CONVERGENT_FULL] = sa8_convergent_full;
    loops->taps_sa8[LB_MLI_CONVERGENT_REDUCED] = sa8_convergent_reduced;
    loops->taps_fx16[LB_MLI_UP] = fx16_up;
    loops->taps_fx16[LB_MLI_CONVERGENT] = fx16_convergent;
    loops->taps_planes[LB_MLI_UP] = planes_up;
    loops->taps_planes[LB_MLI_CONVERGENT] = planes_convergent;
#endif
}
