/*
 * panel_avx2.c: panels of weights with AVX2. Bytes are widened to 16 bits: its sums of byte products saturate.
 */
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
#define SPREAD(p)        spread(p)
#define DOT_S16(a, x, w) _mm256_add_epi32(a, _mm256_madd_epi16(x, w))

#include "panel.h"
