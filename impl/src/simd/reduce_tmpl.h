/* Sums of many elements in vectors. Words are multiplied and added by pairs; what is left over by
 * whole vectors comes from a copy that is filled up with what adds nothing. */
#include "loops.h"

enum {
    SQUARES_STEPS = 1024
}; /* vectors whose sums of squares, all lanes together, stay in 32 bits */

static int32_t sum_words(const int16_t *in, size_t n)
{
    const V one = SET_WORDS(1);
    int16_t rest[VECTOR_WORDS] = {0};
    V sum = SET(0);
    size_t i = 0;
    for (; i + VECTOR_WORDS <= n; i += VECTOR_WORDS)
        sum = ADD(sum, MADD_WORDS(LOAD(in + i), one));
    if (i < n) {
        memcpy(rest, in + i, (n - i) * sizeof rest[0]);
        sum = ADD(sum, MADD_WORDS(LOAD(rest), one));
    }
    return (int32_t)SUM_OF_LANES(sum);
}

/* A lane grows by two squares of 9 bits in each step. */
LB_MLI_INLINE V plus_squares_s8(V sum, const int8_t *in, int32_t zero)
{
    const V d = SUB_WORDS(WIDENED(in), zero);
    return ADD(sum, MADD_WORDS(d, d));
}

static uint64_t squares_s8(const int8_t *in, int32_t zero, size_t n)
{
    const size_t whole = n / VECTOR_WORDS * VECTOR_WORDS;
    int8_t rest[VECTOR_WORDS];
    uint64_t total = 0;
    for (size_t at = 0; at < whole;) {
        const size_t end = lb_mli_min_size(whole, at + SQUARES_STEPS * (size_t)VECTOR_WORDS);
        V sum = SET(0);
        for (; at < end; at += VECTOR_WORDS)
            sum = plus_squares_s8(sum, in + at, zero);
        total += SUM_OF_LANES(sum);
    }
    if (whole == n)
        return total;
    memset(rest, (uint8_t)zero, sizeof rest);
    memcpy(rest, in + whole, n - whole);
    return total + SUM_OF_LANES(plus_squares_s8(SET(0), rest, zero));
}

/* Two squares of 16 bits are at most 2^31, without sign. Their high and their low 16 bits are added
 * up apart. */
struct square_sums {
    V low, high;
};

LB_MLI_INLINE void add_squares_s16(struct square_sums *sums, const int16_t *in)
{
    const V x = LOAD(in), pairs = MADD_WORDS(x, x);
    sums->low = ADD(sums->low, AND(pairs, SET(0xFFFF)));
    sums->high = ADD(sums->high, SRL(pairs, SET(16)));
}

LB_MLI_INLINE uint64_t total_of(const struct square_sums *sums)
{
    return SUM_OF_LANES(sums->low) + ((uint64_t)SUM_OF_LANES(sums->high) << 16);
}

static uint64_t squares_s16(const int16_t *in, size_t n)
{
    const size_t whole = n / VECTOR_WORDS * VECTOR_WORDS;
    int16_t rest[VECTOR_WORDS] = {0};
    uint64_t total = 0;
    for (size_t at = 0; at < whole;) {
        const size_t end = lb_mli_min_size(whole, at + SQUARES_STEPS * (size_t)VECTOR_WORDS);
        struct square_sums sums = {SET(0), SET(0)};
        for (; at < end; at += VECTOR_WORDS)
            add_squares_s16(&sums, in + at);
        total += total_of(&sums);
    }
    if (whole == n)
        return total;
    struct square_sums sums = {SET(0), SET(0)};
    memcpy(rest, in + whole, (n - whole) * sizeof rest[0]);
    add_squares_s16(&sums, rest);
    return total + total_of(&sums);
}

static void fill_reduce(struct lb_mli_loops *loops)
{
    loops->sum_s16 = sum_words;
    loops->squares_s8 = squares_s8;
    loops->squares_s16 = squares_s16;
}
