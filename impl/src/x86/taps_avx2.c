/*
 * taps_avx2.c: depthwise sums with AVX2. Bytes are widened to 16 bits.
 */
#include "vector_256.h"

#define DOT_S16(a, x, w) _mm256_add_epi32(a, _mm256_madd_epi16(x, w))

#include "taps.h"
