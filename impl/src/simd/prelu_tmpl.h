/* Parametric ReLU (elementwise.md 4) in vectors. Shifts out of the ordinary, and what is left over
 * by whole vectors, go to the loops of the level before. */
#include "loops.h"
#include "simd/rounding.h"

/* Written by the fill function alone. */
static lb_mli_prelu_s8_fn *plain_s8[LB_MLI_ROUNDS];
static lb_mli_prelu_s16_fn *plain_s16[LB_MLI_ROUNDS];
static lb_mli_prelu_sa8_fn *plain_sa8[LB_MLI_ROUNDS];

/*
 * fx. A product of 2^30 leaves no room for the half of a shift of 31 (16 bits), nor one of 2^14 for
 * that of 15 (8 bits).
 */

LB_MLI_INLINE V sloped_s16(V x, V slope, const struct rounding *by, enum lb_mli_round round)
{
    const struct products p = products_of(x, slope);
    return WHERE_NEGATIVE_WORDS(
        x, PACK_WORDS(rounded(p.low, by, round), rounded(p.high, by, round)), x);
}

LB_MLI_INLINE V sloped_s8(V x, V slope, const struct word_rounding *by, enum lb_mli_round round)
{
    return WHERE_NEGATIVE_WORDS(x, rounded_words(MUL_WORDS(x, slope), by, round), x);
}

#define PRELU_S16(name, round)                                                                     \
    static void name(const int16_t *x, const int16_t *slope, size_t n, int32_t shift,              \
                     int16_t *out)                                                                 \
    {                                                                                              \
        const struct rounding by = rounding_by(shift);                                             \
        size_t i = 0;                                                                              \
        for (; shift <= 30 && i + VECTOR_WORDS <= n; i += VECTOR_WORDS)                            \
            STORE(out + i, sloped_s16(LOAD(x + i), LOAD(slope + i), &by, round));                  \
        if (i < n)                                                                                 \
            plain_s16[round](x + i, slope + i, n - i, shift, out + i);                             \
    }

#define PRELU_S8(name, round)                                                                      \
    static void name(const int8_t *x, const int8_t *slope, size_t n, int32_t shift, int8_t *out)   \
    {                                                                                              \
        const struct word_rounding by = word_rounding_by(lb_mli_min(shift, 15));                   \
        size_t i = 0;                                                                              \
        for (; shift <= 14 && i + VECTOR_BYTES <= n; i += VECTOR_BYTES) {                          \
            const size_t j = i + VECTOR_WORDS;                                                     \
            STORE(out + i,                                                                         \
                  WORDS_TO_BYTES(sloped_s8(WIDENED(x + i), WIDENED(slope + i), &by, round),        \
                                 sloped_s8(WIDENED(x + j), WIDENED(slope + j), &by, round)));      \
        }                                                                                          \
        if (i < n)                                                                                 \
            plain_s8[round](x + i, slope + i, n - i, shift, out + i);                              \
    }

PRELU_S16(s16_up, LB_MLI_UP)
PRELU_S16(s16_convergent, LB_MLI_CONVERGENT)
PRELU_S8(s8_up, LB_MLI_UP)
PRELU_S8(s8_convergent, LB_MLI_CONVERGENT)

/*
 * sa8. A difference of 9 bits goes left by 7: what counts of its product with a slope is the high
 * half then, which the product with a power of two shifts to the right, by each element's own
 * count.
 */
struct factor {
    V mul, half, back;
};

LB_MLI_INLINE V sloped_sa8(V d, struct factor positive, const struct lb_mli_prelu_slopes *slopes,
                           size_t i, enum lb_mli_round round)
{
    const V v = SLL_WORDS(d, 7),
            mul = WHERE_NEGATIVE_WORDS(d, LOAD(slopes->mul16 + i), positive.mul);
    const V half = WHERE_NEGATIVE_WORDS(d, LOAD(slopes->half + i), positive.half);
    const V total = ADD_WORDS(MUL_HIGH_WORDS(v, mul), half);
    const V y =
        MUL_HIGH_WORDS(total, WHERE_NEGATIVE_WORDS(d, LOAD(slopes->back + i), positive.back));
    if (round == LB_MLI_UP)
        return y;
    const V mask = ADD_WORDS(ADD_WORDS(half, half), SET_WORDS(-1));
    return EVEN_WORDS_WHERE_0(y, OR(AND(total, mask), MUL_WORDS(v, mul)));
}

#define PRELU_SA8(name, round)                                                                     \
    static void name(const int8_t *x, const struct lb_mli_prelu_slopes *slopes, size_t n,          \
                     const struct lb_mli_prelu_sa8 *q, int8_t *out)                                \
    {                                                                                              \
        const int32_t shift = lb_mli_min(q->shift, LB_MLI_PRELU_MOST);                             \
        size_t i = 0;                                                                              \
        if (slopes->mul16 && shift >= LB_MLI_PRELU_LEAST) {                                        \
            const struct factor positive = {SET_WORDS(q->mul), SET_WORDS(1 << (shift - 10)),       \
                                            SET_WORDS(1 << (25 - shift))};                         \
            const V zero = SET_WORDS(q->zero_out);                                                 \
            for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES) {                                     \
                const V d0 = SUB_WORDS(WIDENED(x + i), q->zero_in),                                \
                        d1 = SUB_WORDS(WIDENED(x + i + VECTOR_WORDS), q->zero_in);                 \
                const V y0 =                                                                       \
                    ADD_WORDS_SATURATING(sloped_sa8(d0, positive, slopes, i, round), zero);        \
                const V y1 = ADD_WORDS_SATURATING(                                                 \
                    sloped_sa8(d1, positive, slopes, i + VECTOR_WORDS, round), zero);              \
                STORE(out + i, WORDS_TO_BYTES(y0, y1));                                            \
            }                                                                                      \
        }                                                                                          \
        if (i < n) {                                                                               \
            struct lb_mli_prelu_slopes rest = {slopes->mul + i, slopes->shift + i, NULL, NULL,     \
                                               NULL};                                              \
            if (slopes->mul16)                                                                     \
                rest.mul16 = slopes->mul16 + i, rest.half = slopes->half + i,                      \
                rest.back = slopes->back + i;                                                      \
            plain_sa8[round](x + i, &rest, n - i, q, out + i);                                     \
        }                                                                                          \
    }

PRELU_SA8(sa8_up, LB_MLI_UP)
PRELU_SA8(sa8_convergent, LB_MLI_CONVERGENT)

/* After the loops of the level before. */
static void fill_prelu(struct lb_mli_loops *loops)
{
    memcpy(plain_s8, loops->prelu_s8, sizeof plain_s8);
    memcpy(plain_s16, loops->prelu_s16, sizeof plain_s16);
    memcpy(plain_sa8, loops->prelu_sa8, sizeof plain_sa8);
    loops->prelu_s8[LB_MLI_UP] = s8_up;
    loops->prelu_s8[LB_MLI_CONVERGENT] = s8_convergent;
    loops->prelu_s16[LB_MLI_UP] = s16_up;
    loops->prelu_s16[LB_MLI_CONVERGENT] = s16_convergent;
    loops->prelu_sa8[LB_MLI_UP] = sa8_up;
    loops->prelu_sa8[LB_MLI_CONVERGENT] = sa8_convergent;
    loops->prelu_vectors = true;
}
