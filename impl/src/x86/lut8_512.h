/* Look-up of bytes in a table of 256 that stays in four vectors of 512 bits, and sums of values by
 * two look-ups. What includes it has defined mapped(x, t0, t1, t2, t3), x's places in the table,
 * and TARGET, the attribute that mapped has. */
#include "loops.h"

static TARGET void lut8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    const V t0 = LOAD(table), t1 = LOAD(table + 64), t2 = LOAD(table + 128), t3 = LOAD(table + 192);
    size_t i = 0;
    for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES)
        STORE(out + i, mapped(LOAD(in + i), t0, t1, t2, t3));
    const __mmask64 rest = (UINT64_C(1) << (n - i)) - 1;
    if (rest)
        _mm512_mask_storeu_epi8(out + i, rest,
                                mapped(_mm512_maskz_loadu_epi8(rest, in + i), t0, t1, t2, t3));
}

/* The sum of the places of bytes, without sign. */
static TARGET int64_t sum_mapped(const int8_t *in, size_t n, const int8_t table[256])
{
    const V t0 = LOAD(table), t1 = LOAD(table + 64), t2 = LOAD(table + 128), t3 = LOAD(table + 192);
    V sums = SET(0);
    size_t i = 0;
    for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES)
        sums = _mm512_add_epi64(sums, SUMS_OF_8(mapped(LOAD(in + i), t0, t1, t2, t3)));
    const __mmask64 rest = (UINT64_C(1) << (n - i)) - 1;
    if (rest) {
        const V last = mapped(_mm512_maskz_loadu_epi8(rest, in + i), t0, t1, t2, t3);
        sums = _mm512_add_epi64(sums, SUMS_OF_8(_mm512_maskz_mov_epi8(rest, last)));
    }
    return _mm512_reduce_add_epi64(sums);
}

static TARGET int32_t sum_lut8(const int8_t *in, size_t n, const struct lb_mli_values *of)
{
    const int64_t low = sum_mapped(in, n, of->low), high = sum_mapped(in, n, of->high);
    return lb_mli_wrap32(low + 256 * (high - 128 * (int64_t)n));
}
