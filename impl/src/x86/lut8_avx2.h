/* Look-up in a table of 256 by shuffles, which look up 16 entries by the low half of an index, and
 * give 0 where bit 7 of the index is set. What is left over by whole vectors goes to the plain
 * loop.
 *
 * Bits 4 and 5 of an element choose one of four groups of 64 entries. In a group, elements are
 * below -64, below 0, below 64 or above; four indices made of x once for all groups have bit 7
 * clear in these ranges, and what their shuffles give, put together by exclusive or, is the entry:
 *
 *     x with its sign turned   below -64, below 0    entries of the first range
 *     x + 64                   below 0, below 64     second ^ first
 *     x                        below 64, above       third ^ second ^ first
 *     x - 64, at least -128    above                 all four */
#include "loops.h"

static lb_mli_lut8_fn *plain_lut8; /* written by the fill function alone */

enum { RANGES = 4, GROUPS = 4, LUT8_PAYS = 64 };

struct ranges {
    V index[RANGES];
};

/* Bit 7 of each byte of choice: b, else a. */
#define CHOSEN(a, b, choice) _mm256_blendv_epi8(a, b, choice)

/* Tables of 16 bytes for the four ranges, of group 0, then of group 1, 2, 3. */
static void combine_tables(const int8_t table[256], int8_t parts[256])
{
    for (size_t g = 0; g < GROUPS; g++) {
        __m128i sum = _mm_setzero_si128();
        for (size_t r = 0; r < RANGES; r++) {
            sum = _mm_xor_si128(
                sum, _mm_loadu_si128((const __m128i *)(const void *)(table + r * 64 + g * 16)));
            _mm_storeu_si128((__m128i *)(void *)(parts + (g * RANGES + r) * 16), sum);
        }
    }
}

LB_MLI_INLINE V of_group(const int8_t *parts, const struct ranges *of)
{
    return XOR(
        XOR(SHUFFLE(SIXTEEN(parts), of->index[0]), SHUFFLE(SIXTEEN(parts + 16), of->index[1])),
        XOR(SHUFFLE(SIXTEEN(parts + 32), of->index[2]),
            SHUFFLE(SIXTEEN(parts + 48), of->index[3])));
}

LB_MLI_INLINE V mapped(V x, const int8_t *parts)
{
    const struct ranges of = {
        {FLIPPED(x), _mm256_add_epi8(x, SET_BYTES(64)), x, SUB_BYTES_SATURATING(x, SET_BYTES(64))}};
    const V bit_4 = SLL_WORDS(x, 3), bit_5 = SLL_WORDS(x, 2);
    return CHOSEN(CHOSEN(of_group(parts, &of), of_group(parts + 64, &of), bit_4),
                  CHOSEN(of_group(parts + 128, &of), of_group(parts + 192, &of), bit_4), bit_5);
}

static void lut8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    int8_t parts[256];
    size_t i = 0;
    if (n >= LUT8_PAYS) {
        combine_tables(table, parts);
        for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES)
            STORE(out + i, mapped(LOAD(in + i), parts));
    }
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
