/* Look-up in a table of 256 by shuffles, which look up 16 entries by the low half of an index, and
 * a tree of choices by the bits of its high half. What is left over by whole vectors goes to the
 * plain loop. */
#include "loops.h"

static lb_mli_lut8_fn *plain_lut8; /* written by the fill function alone */

/* Bit 7 of each byte of choice: b, else a. */
#define CHOSEN(a, b, choice) _mm256_blendv_epi8(a, b, choice)

/* Of 2, 4, 8, 16 times 16 entries. by[k]: bit k of the high half is bit 7. */
static inline V of_32(const int8_t *table, V low, const V *by)
{
    return CHOSEN(SHUFFLE(SIXTEEN(table), low), SHUFFLE(SIXTEEN(table + 16), low), by[0]);
}

static inline V of_64(const int8_t *table, V low, const V *by)
{
    return CHOSEN(of_32(table, low, by), of_32(table + 32, low, by), by[1]);
}

static inline V of_128(const int8_t *table, V low, const V *by)
{
    return CHOSEN(of_64(table, low, by), of_64(table + 64, low, by), by[2]);
}

static inline V mapped(V x, const int8_t *table)
{
    const V u = FLIPPED(x), low = AND(u, SET_BYTES(15));
    const V by[4] = {SLL_WORDS(u, 3), SLL_WORDS(u, 2), SLL_WORDS(u, 1), u};
    return CHOSEN(of_128(table, low, by), of_128(table + 128, low, by), by[3]);
}

static void lut8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    size_t i = 0;
    for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES)
        STORE(out + i, mapped(LOAD(in + i), table));
    plain_lut8(in + i, n - i, table, out + i);
}

#include "simd/lut8_sums_tmpl.h"

/* After the plain loops of the level. */
static void fill_lut8(struct lb_mli_loops *loops)
{
    plain_lut8 = loops->lut8;
    loops->lut8 = lut8;
    loops->sum_lut8 = sum_lut8;
}
