/*
 * panel_avx512.c: panels of weights with AVX-512. Bytes are widened to 16 bits: its sums of byte
 * products saturate.
 */
#include "vector_512.h"

#define DOT_S16(a, x, w) _mm512_add_epi32(a, _mm512_madd_epi16(x, w))

#include "panel.h"
