/* Vectors of 512 bits, as the templates ask for them. */
#ifndef LB_MLI_VECTOR_512_H
#define LB_MLI_VECTOR_512_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define LANES        16
#define PANEL_PIXELS 14

typedef __m512i V;
#define LOAD(p)     _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)

static inline V spread(const char *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm512_set1_epi32(four);
}
#define SPREAD(p) spread(p)
/* Stays in a register: the compiler would load it again for each use. */
#define KEEP(v) __asm__("" : "+v"(v))

#define SET(x)    _mm512_set1_epi32(x)
#define ADD(a, b) _mm512_add_epi32(a, b)
#define SUB(a, b) _mm512_sub_epi32(a, b)
#define MUL(a, b) _mm512_mullo_epi32(a, b)
#define MIN(a, b) _mm512_min_epi32(a, b)
#define MAX(a, b) _mm512_max_epi32(a, b)
#define SRA(a, n) _mm512_srav_epi32(a, n)
#define SLL(a, n) _mm512_sllv_epi32(a, n)
#define SRL(a, n) _mm512_srlv_epi32(a, n)
#define SRL_1(a)  _mm512_srli_epi32(a, 1)
#define SRL_31(a) _mm512_srli_epi32(a, 31)
#define AND(a, b) _mm512_and_si512(a, b)
#define OR(a, b)  _mm512_or_si512(a, b)
/* Products of lanes 0, 2, 4 ... in 64 bits. */
#define MUL_EVEN(a, b) _mm512_mul_epi32(a, b)
/* Lane i + 1 in even lanes i. */
#define ODD_DOWN(a) _mm512_shuffle_epi32(a, _MM_PERM_DDBB)
/* The same of memory: a load does it, where a shuffle of a register takes a port that packing
 * needs. */
#define LOAD_ODD_DOWN(p) load_odd_down(p)
static inline V load_odd_down(const int32_t *p)
{
    V v;
    __asm__("vmovshdup %1, %0" : "=v"(v) : "m"(*(const __m512i_u *)(const void *)p));
    return v;
}
/* High, low halves of the products of all lanes, from those of the even and of the odd ones. */
#define HIGH_HALVES(even, odd) _mm512_mask_shuffle_epi32(odd, 0x5555, even, _MM_PERM_DDBB)
#define LOW_HALVES(even, odd)  _mm512_mask_shuffle_epi32(even, 0xAAAA, odd, _MM_PERM_CCAA)
/* y, its last bit cleared where test is 0. */
#define EVEN_WHERE_0(y, test)                                                                      \
    _mm512_mask_and_epi32(y, _mm512_testn_epi32_mask(test, test), y, SET(-2))

#define SELECT_EQUAL(a, b, x, y)                                                                   \
    _mm512_mask_mov_epi32(y, _mm512_cmpeq_epi32_mask(a, b), x) /* x where a is b, else y */

/* Interleaving, in each 128 bits. */
#define LOW_LANES(a, b)  _mm512_unpacklo_epi32(a, b)
#define HIGH_LANES(a, b) _mm512_unpackhi_epi32(a, b)
#define LOW_BYTES(a, b)  _mm512_unpacklo_epi8(a, b)
#define HIGH_BYTES(a, b) _mm512_unpackhi_epi8(a, b)
#define LOW_WORDS(a, b)  _mm512_unpacklo_epi16(a, b)
#define HIGH_WORDS(a, b) _mm512_unpackhi_epi16(a, b)
/* Units of four channels in the order that interleaving undoes. */
#define IN_ORDER_BYTES(a)                                                                          \
    _mm512_permutexvar_epi32(                                                                      \
        _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), a)
#define IN_ORDER_WORDS(a) _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), a)
#define FLIPPED(a)        _mm512_xor_si512(a, _mm512_set1_epi8(INT8_MIN)) /* int8 + 128 */
#define WIDENED(p)        _mm512_cvtepi8_epi16(_mm256_loadu_si256((const void *)(p)))
#define SUB_WORDS(a, x)   _mm512_sub_epi16(a, _mm512_set1_epi16((int16_t)(x)))

/* Lane groups of 128 bits of a and b in turns: the first half of them, the last. */
#define FIRST_GROUPS(a, b)                                                                         \
    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b)
#define LAST_GROUPS(a, b)                                                                          \
    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b)

/* Two vectors to int16, with saturation. */
#define TO_WORDS(a, b)                                                                             \
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_packs_epi32(a, b))
#define SET_WORDS(x)    _mm512_set1_epi16((int16_t)(x))
#define MIN_WORDS(a, b) _mm512_min_epi16(a, b)
#define MIN_BYTES(a, b) _mm512_min_epi8(a, b)
#define MAX_BYTES(a, b) _mm512_max_epi8(a, b)
#define MAX_WORDS(a, b) _mm512_max_epi16(a, b)

#define XOR(a, b)            _mm512_xor_si512(a, b)
#define SET_BYTES(x)         _mm512_set1_epi8((char)(x))
#define SLL_WORDS(a, n)      _mm512_sll_epi16(a, _mm_cvtsi32_si128(n))
#define SRA_WORDS(a, n)      _mm512_sra_epi16(a, _mm_cvtsi32_si128(n))
#define SRL_WORDS(a, n)      _mm512_srl_epi16(a, _mm_cvtsi32_si128(n))
#define ADD_WORDS(a, b)      _mm512_add_epi16(a, b)
#define MUL_WORDS(a, b)      _mm512_mullo_epi16(a, b)
#define MUL_HIGH_WORDS(a, b) _mm512_mulhi_epi16(a, b)
#define MADD_WORDS(a, b)     _mm512_madd_epi16(a, b) /* sums of products of neighbours */
#define PACK_WORDS(a, b)                                                                           \
    _mm512_packs_epi32(a, b) /* undoes LOW_WORDS and HIGH_WORDS, with saturation */
#define MUL_ROUND_WORDS(a, b)      _mm512_mulhrs_epi16(a, b) /* (a * b + 2^14) / 2^15 */
#define ADD_WORDS_SATURATING(a, b) _mm512_adds_epi16(a, b)
#define SUB_WORDS_SATURATING(a, b) _mm512_subs_epi16(a, b)
#define ADD_BYTES_SATURATING(a, b) _mm512_adds_epi8(a, b)
#define SUB_BYTES_SATURATING(a, b) _mm512_subs_epi8(a, b)
#define WHERE_NEGATIVE_WORDS(test, y, x)                                                           \
    _mm512_mask_mov_epi16(x, _mm512_movepi16_mask(test), y) /* y where test is below 0, else x */
/* y, its last bit cleared where test is 0. */
#define EVEN_WORDS_WHERE_0(y, test)                                                                \
    _mm512_sub_epi16(                                                                              \
        y, _mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(test, test), AND(y, SET_WORDS(1))))
/* Two vectors of words to one of bytes, with saturation. */
#define WORDS_TO_BYTES(a, b)                                                                       \
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_packs_epi16(a, b))

/* Even bytes, odd bytes as words; and back, with saturation. */
#define EVEN_BYTES(a)      _mm512_maddubs_epi16(_mm512_set1_epi16(0x0001), a)
#define ODD_BYTES(a)       _mm512_maddubs_epi16(_mm512_set1_epi16(0x0100), a)
#define JOINED_BYTES(a, b) joined_bytes(_mm512_packs_epi16(a, b))
static inline V joined_bytes(V packed)
{
    return _mm512_shuffle_epi8(packed, _mm512_broadcast_i32x4(_mm_setr_epi8(
                                           0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15)));
}

#define WIDENED_TWICE(p)                                                                           \
    _mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)(p))) /* bytes to 32 bits */
/* 16 bytes of the compiler's own vectors, as words. */
#define STORE_WIDENED(p, v) _mm256_storeu_si256((void *)(p), _mm256_cvtepi8_epi16((__m128i)(v)))
#define WORDS_WIDENED(p)    _mm512_cvtepi16_epi32(_mm256_loadu_si256((const void *)(p)))
#define REAL(a)             _mm512_castps_si512(_mm512_cvtepi32_ps(a)) /* binary32 of integers */
#define MUL_REAL(a, b)                                                                             \
    _mm512_castps_si512(_mm512_mul_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b)))
/* Of eight unsigned bytes each, in 64 bits. */
#define SUMS_OF_8(a)    _mm512_sad_epu8(a, _mm512_setzero_si512())
#define SUM_OF_LANES(a) ((uint32_t)_mm512_reduce_add_epi32(a)) /* modulo 2^32 */

#define STORE_HALF(p, v, i)    _mm256_storeu_si256((void *)(p), _mm512_extracti64x4_epi64(v, i))
#define STORE_QUARTER(p, v, i) _mm_storeu_si128((void *)(p), _mm512_extracti32x4_epi32(v, i))
#define STORE_16(p, v, i)      STORE_QUARTER(p, v, i) /* 16 bytes */

/* Four vectors to bytes: two and two to words, + zero with saturation; these to bytes, lo..hi. */
static inline V to_unordered_words(V a, V b, V zero)
{
    return _mm512_adds_epi16(_mm512_packs_epi32(a, b), zero);
}

static inline V to_ordered_bytes(V ab, V cd, V lo, V hi)
{
    const V order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const V bytes = _mm512_max_epi8(_mm512_min_epi8(_mm512_packs_epi16(ab, cd), hi), lo);
    return _mm512_permutexvar_epi32(order, bytes);
}

static inline V to_bytes(V a, V b, V c, V d, int32_t zero, int32_t lo, int32_t hi)
{
    const V zeros = SET_WORDS(zero);
    return to_ordered_bytes(to_unordered_words(a, b, zeros), to_unordered_words(c, d, zeros),
                            SET_BYTES(lo), SET_BYTES(hi));
}

/* x * factor and half a unit away from 0, cut towards 0, within +-2^24; 0 for no number
 * (numerics.md 7.3). */
static inline V quantized(const float *x, const float *factor)
{
    const __m512 v = _mm512_loadu_ps(x), scaled = _mm512_mul_ps(v, _mm512_loadu_ps(factor));
    const __mmask16 positive = _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GT_OQ);
    const __m512 sum = _mm512_add_ps(
        scaled, _mm512_mask_mov_ps(_mm512_set1_ps(-0.5F), positive, _mm512_set1_ps(0.5F)));
    const __m512 number = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(sum, sum, _CMP_ORD_Q), sum);
    const __m512 limit = _mm512_set1_ps(0x1p24F);
    return _mm512_cvttps_epi32(
        _mm512_min_ps(_mm512_max_ps(number, _mm512_sub_ps(_mm512_setzero_ps(), limit)), limit));
}

#include "simd/vector.h"

#endif
