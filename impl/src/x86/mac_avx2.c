/*
 * mac_avx2.c: a row vector by a matrix of bytes with AVX2. Bytes are widened to 16 bits: its sums
 * of byte products saturate.
 */
#include "vector_256.h"

#define DOT_S16(a, x, w) _mm256_add_epi32(a, _mm256_madd_epi16(x, w))

#include "mac_rows.h"
