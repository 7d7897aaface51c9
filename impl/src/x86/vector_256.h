/* Vectors of 256 bits, as the templates ask for them. */
#ifndef LB_MLI_VECTOR_256_H
#define LB_MLI_VECTOR_256_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define LANES        8
#define PANEL_PIXELS 6

typedef __m256i V;
#define LOAD(p)     _mm256_loadu_si256((const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)

static inline V spread(const char *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm256_set1_epi32(four);
}
#define SPREAD(p) spread(p)
/* Stays in a register: the compiler would load it again for each use. */
#define KEEP(v) __asm__("" : "+x"(v))

#define SET(x)    _mm256_set1_epi32(x)
#define ADD(a, b) _mm256_add_epi32(a, b)
#define SUB(a, b) _mm256_sub_epi32(a, b)
#define MUL(a, b) _mm256_mullo_epi32(a, b)
#define MIN(a, b) _mm256_min_epi32(a, b)
#define MAX(a, b) _mm256_max_epi32(a, b)
#define SRA(a, n) _mm256_srav_epi32(a, n)
#define SLL(a, n) _mm256_sllv_epi32(a, n)
#define SRL(a, n) _mm256_srlv_epi32(a, n)
#define SRL_1(a)  _mm256_srli_epi32(a, 1)
#define SRL_31(a) _mm256_srli_epi32(a, 31)
#define AND(a, b) _mm256_and_si256(a, b)
#define OR(a, b)  _mm256_or_si256(a, b)
/* Products of lanes 0, 2, 4, 6 in 64 bits. */
#define MUL_EVEN(a, b) _mm256_mul_epi32(a, b)
/* Lane i + 1 in even lanes i. */
#define ODD_DOWN(a) _mm256_shuffle_epi32(a, 0xF5)
/* The same of memory: a load does it, where a shuffle of a register takes a port that packing
 * needs. */
#define LOAD_ODD_DOWN(p) load_odd_down(p)
static inline V load_odd_down(const int32_t *p)
{
    V v;
    __asm__("vmovshdup %1, %0" : "=x"(v) : "m"(*(const __m256i_u *)(const void *)p));
    return v;
}
/* High, low halves of the products of all lanes, from those of the even and of the odd ones. */
#define HIGH_HALVES(even, odd) _mm256_blend_epi32(_mm256_shuffle_epi32(even, 0xF5), odd, 0xAA)
#define LOW_HALVES(even, odd)  _mm256_blend_epi32(even, _mm256_shuffle_epi32(odd, 0xA0), 0xAA)
/* y, its last bit cleared where test is 0. */
#define EVEN_WHERE_0(y, test)                                                                      \
    _mm256_andnot_si256(                                                                           \
        _mm256_and_si256(_mm256_cmpeq_epi32(test, _mm256_setzero_si256()), SET(1)), y)

#define SELECT_EQUAL(a, b, x, y)                                                                   \
    _mm256_blendv_epi8(y, x, _mm256_cmpeq_epi32(a, b)) /* x where a is b, else y */

/* Interleaving, in each 128 bits. */
#define LOW_BYTES(a, b)  _mm256_unpacklo_epi8(a, b)
#define HIGH_BYTES(a, b) _mm256_unpackhi_epi8(a, b)
#define LOW_LANES(a, b)  _mm256_unpacklo_epi32(a, b)
#define HIGH_LANES(a, b) _mm256_unpackhi_epi32(a, b)
#define LOW_WORDS(a, b)  _mm256_unpacklo_epi16(a, b)
#define HIGH_WORDS(a, b) _mm256_unpackhi_epi16(a, b)
/* Units of four channels in the order that interleaving undoes. */
#define IN_ORDER_BYTES(a) _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))
#define IN_ORDER_WORDS(a) _mm256_permute4x64_epi64(a, 0xD8)
#define WIDENED(p)        _mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)(p)))
#define SUB_WORDS(a, x)   _mm256_sub_epi16(a, _mm256_set1_epi16((int16_t)(x)))

/* Lane groups of 128 bits of a and b in turns: the first half of them, the last. */
#define FIRST_GROUPS(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define LAST_GROUPS(a, b)  _mm256_permute2x128_si256(a, b, 0x31)

/* Two vectors to int16, with saturation. */
#define TO_WORDS(a, b)  _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xD8)
#define SET_WORDS(x)    _mm256_set1_epi16((int16_t)(x))
#define MIN_WORDS(a, b) _mm256_min_epi16(a, b)
#define MIN_BYTES(a, b) _mm256_min_epi8(a, b)
#define MAX_BYTES(a, b) _mm256_max_epi8(a, b)
#define MAX_WORDS(a, b) _mm256_max_epi16(a, b)

#define XOR(a, b)    _mm256_xor_si256(a, b)
#define FLIPPED(a)   _mm256_xor_si256(a, _mm256_set1_epi8(INT8_MIN)) /* int8 + 128 */
#define SET_BYTES(x) _mm256_set1_epi8((char)(x))
#define SIXTEEN(p)                                                                                 \
    _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(p))) /* in each 128 bits */
#define SHUFFLE(table, index) _mm256_shuffle_epi8(table, index)
#define SLL_WORDS(a, n)       _mm256_slli_epi16(a, n) /* one instruction where n is known */
#define SRA_WORDS(a, n)       _mm256_sra_epi16(a, _mm_cvtsi32_si128(n))
#define SRL_WORDS(a, n)       _mm256_srl_epi16(a, _mm_cvtsi32_si128(n))
#define ADD_WORDS(a, b)       _mm256_add_epi16(a, b)
#define MUL_WORDS(a, b)       _mm256_mullo_epi16(a, b)
#define MUL_HIGH_WORDS(a, b)  _mm256_mulhi_epi16(a, b)
#define MADD_WORDS(a, b)      _mm256_madd_epi16(a, b) /* sums of products of neighbours */
#define PACK_WORDS(a, b)                                                                           \
    _mm256_packs_epi32(a, b) /* undoes LOW_WORDS and HIGH_WORDS, with saturation */
#define MUL_ROUND_WORDS(a, b)      _mm256_mulhrs_epi16(a, b) /* (a * b + 2^14) / 2^15 */
#define ADD_WORDS_SATURATING(a, b) _mm256_adds_epi16(a, b)
#define SUB_WORDS_SATURATING(a, b) _mm256_subs_epi16(a, b)
#define ADD_BYTES_SATURATING(a, b) _mm256_adds_epi8(a, b)
#define SUB_BYTES_SATURATING(a, b) _mm256_subs_epi8(a, b)
#define WHERE_NEGATIVE_WORDS(test, y, x)                                                           \
    _mm256_blendv_epi8(x, y, _mm256_srai_epi16(test, 15)) /* y where test is below 0, else x */
/* y, its last bit cleared where test is 0. */
#define EVEN_WORDS_WHERE_0(y, test)                                                                \
    _mm256_andnot_si256(                                                                           \
        _mm256_and_si256(_mm256_cmpeq_epi16(test, _mm256_setzero_si256()), SET_WORDS(1)), y)
/* Two vectors of words to one of bytes, with saturation. */
#define WORDS_TO_BYTES(a, b) _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8)

/* Even bytes, odd bytes as words; and back, with saturation. */
#define EVEN_BYTES(a)      _mm256_maddubs_epi16(_mm256_set1_epi16(0x0001), a)
#define ODD_BYTES(a)       _mm256_maddubs_epi16(_mm256_set1_epi16(0x0100), a)
#define JOINED_BYTES(a, b) joined_bytes(_mm256_packs_epi16(a, b))
static inline V joined_bytes(V packed)
{
    return _mm256_shuffle_epi8(packed, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                           0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15)));
}

#define WIDENED_TWICE(p)                                                                           \
    _mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)(p))) /* bytes to 32 bits */
#define WORDS_WIDENED(p) _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)(p)))
#define REAL(a)          _mm256_castps_si256(_mm256_cvtepi32_ps(a)) /* binary32 of integers */
#define MUL_REAL(a, b)                                                                             \
    _mm256_castps_si256(_mm256_mul_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)))
/* Of eight unsigned bytes each, in 64 bits. */
#define SUMS_OF_8(a) _mm256_sad_epu8(a, _mm256_setzero_si256())

/* Modulo 2^32. */
static inline uint32_t sum_of_lanes(V v)
{
    const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 1)));
}
#define SUM_OF_LANES(a) sum_of_lanes(a)

#define STORE_HALF(p, v, i) _mm_storeu_si128((void *)(p), _mm256_extracti128_si256(v, i))
#define STORE_16(p, v, i)   STORE_HALF(p, v, i) /* 16 bytes */
/* 16 bytes of the compiler's own vectors, as words. */
#define STORE_WIDENED(p, v)    _mm256_storeu_si256((void *)(p), _mm256_cvtepi8_epi16((__m128i)(v)))
#define STORE_QUARTER(p, v, i) store_quarter(p, _mm256_extract_epi64(v, i))

static inline void store_quarter(int8_t *p, int64_t bytes)
{
    memcpy(p, &bytes, sizeof bytes);
}

/* Four vectors to bytes: + zero with saturation, then lo..hi. */
static inline V to_bytes(V a, V b, V c, V d, int32_t zero, int32_t lo, int32_t hi)
{
    const V zeros = _mm256_set1_epi16((int16_t)zero);
    const V order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const V ab = _mm256_adds_epi16(_mm256_packs_epi32(a, b), zeros);
    const V cd = _mm256_adds_epi16(_mm256_packs_epi32(c, d), zeros);
    const V bytes =
        _mm256_max_epi8(_mm256_min_epi8(_mm256_packs_epi16(ab, cd), _mm256_set1_epi8((int8_t)hi)),
                        _mm256_set1_epi8((int8_t)lo));
    return _mm256_permutevar8x32_epi32(bytes, order);
}

/* x * factor and half a unit away from 0, cut towards 0, within +-2^24; 0 for no number
 * (numerics.md 7.3). */
static inline V quantized(const float *x, const float *factor)
{
    const __m256 v = _mm256_loadu_ps(x), scaled = _mm256_mul_ps(v, _mm256_loadu_ps(factor));
    const __m256 positive = _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_GT_OQ);
    const __m256 sum = _mm256_add_ps(
        scaled, _mm256_blendv_ps(_mm256_set1_ps(-0.5F), _mm256_set1_ps(0.5F), positive));
    const __m256 number = _mm256_and_ps(sum, _mm256_cmp_ps(sum, sum, _CMP_ORD_Q));
    const __m256 limit = _mm256_set1_ps(0x1p24F);
    return _mm256_cvttps_epi32(
        _mm256_min_ps(_mm256_max_ps(number, _mm256_sub_ps(_mm256_setzero_ps(), limit)), limit));
}

#include "simd/vector.h"

#endif
