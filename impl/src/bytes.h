/*
 * bytes.h: element-wise loops on bytes, once for all levels with vectors: look-up in a table of 256, and sums and
 * differences of sa8 (elementwise.md 5). A level's file includes the header of its vectors and then this one, which defines
 * the level's fill function "bytes". What is left over by whole vectors goes to the plain loops.
 */
#include "eltwise.h"

enum { VECTOR_BYTES = LANES * 4 };

static lb_mli_map_s8_fn *plain_map;                                            /* written by the fill function alone */
static lb_mli_eltwise_fn *plain_add[LB_MLI_ROUNDS], *plain_sub[LB_MLI_ROUNDS]; /* likewise */

/* A shuffle looks up 16 entries, where the high half of an index is 0: sixteen of them, each with its own half taken off.
 * Indices that are none then have their top bit set, which gives 0. */
static void map_s8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    size_t i = 0;
    for (; i + 2 * VECTOR_BYTES <= n; i += 2 * VECTOR_BYTES) {
        const V a = FLIPPED(LOAD(in + i)), b = FLIPPED(LOAD(in + i + VECTOR_BYTES));
        V y_a = SET(0), y_b = SET(0);
        for (int high = 0; high < 16; high++) {
            const V entries = SIXTEEN(table + 16 * high), half = SET_BYTES(16 * high);
            y_a = OR(y_a, SHUFFLE(entries, ADD_UNSIGNED(XOR(a, half), SET_BYTES(0x70))));
            y_b = OR(y_b, SHUFFLE(entries, ADD_UNSIGNED(XOR(b, half), SET_BYTES(0x70))));
        }
        STORE(out + i, y_a);
        STORE(out + i + VECTOR_BYTES, y_b);
    }
    plain_map(in + i, n - i, table, out + i);
}

/* v * mul / 2^15, rounded, for words v. Upwards one instruction does it; a tie shows in the low 15 bits. */
static inline V scaled_words(V v, V mul, enum lb_mli_round round)
{
    const V y = MUL_ROUND_WORDS(v, mul);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WORDS_WHERE_0(y, XOR(AND(MUL_WORDS(v, mul), SET_WORDS(0x7FFF)), SET_WORDS(0x4000)));
}

/* Shifts of 8 to 15: a difference of 9 bits can go left by what is missing to 15. A sum that 16 bits do not hold is beyond
 * 8 bits in any case. */
static inline bool suits(const struct lb_mli_eltwise *p)
{
    return p->shift1 >= 8 && p->shift1 <= 15 && p->shift2 >= 8 && p->shift2 <= 15;
}

#define SUMS(name, op, round, plain)                                                                                   \
    static void name(const void *va, const void *vb, size_t n, const struct lb_mli_eltwise *p, void *vout)             \
    {                                                                                                                  \
        const int8_t *const a = va, *const b = vb;                                                                     \
        int8_t *const out = vout;                                                                                      \
        const V mul_a = SET_WORDS(p->mul1), mul_b = SET_WORDS(p->mul2), zero = SET_WORDS(p->zero_out);                 \
        const int left_a = 15 - p->shift1, left_b = 15 - p->shift2;                                                    \
        size_t i = 0;                                                                                                  \
        for (; suits(p) && i + VECTOR_BYTES <= n; i += VECTOR_BYTES) {                                                 \
            V sum[2];                                                                                                  \
            for (size_t half = 0; half < 2; half++) {                                                                  \
                const size_t at = i + half * VECTOR_BYTES / 2;                                                         \
                const V wide_a = SLL_WORDS(SUB_WORDS(WIDENED(a + at), p->zero1), left_a);                              \
                const V wide_b = SLL_WORDS(SUB_WORDS(WIDENED(b + at), p->zero2), left_b);                              \
                sum[half] = op(scaled_words(wide_a, mul_a, round), scaled_words(wide_b, mul_b, round));                \
                sum[half] = ADD_WORDS_SATURATING(sum[half], zero);                                                     \
            }                                                                                                          \
            STORE(out + i, WORDS_TO_BYTES(sum[0], sum[1]));                                                            \
        }                                                                                                              \
        if (i < n)                                                                                                     \
            plain[round](a + i, b + i, n - i, p, out + i);                                                             \
    }

SUMS(add_up, ADD_WORDS_SATURATING, LB_MLI_UP, plain_add)
SUMS(add_convergent, ADD_WORDS_SATURATING, LB_MLI_CONVERGENT, plain_add)
SUMS(sub_up, SUB_WORDS_SATURATING, LB_MLI_UP, plain_sub)
SUMS(sub_convergent, SUB_WORDS_SATURATING, LB_MLI_CONVERGENT, plain_sub)

/* After the plain loops of the level. */
void LB_MLI_FILL(bytes)(struct lb_mli_loops *loops)
{
    plain_map = loops->map_s8;
    loops->map_s8 = map_s8;
    for (int round = 0; round < LB_MLI_ROUNDS; round++) {
        plain_add[round] = loops->eltwise[LB_MLI_ADD][LB_MLI_SA8][round];
        plain_sub[round] = loops->eltwise[LB_MLI_SUB][LB_MLI_SA8][round];
    }
    loops->eltwise[LB_MLI_ADD][LB_MLI_SA8][LB_MLI_UP] = add_up;
    loops->eltwise[LB_MLI_ADD][LB_MLI_SA8][LB_MLI_CONVERGENT] = add_convergent;
    loops->eltwise[LB_MLI_SUB][LB_MLI_SA8][LB_MLI_UP] = sub_up;
    loops->eltwise[LB_MLI_SUB][LB_MLI_SA8][LB_MLI_CONVERGENT] = sub_convergent;
}
