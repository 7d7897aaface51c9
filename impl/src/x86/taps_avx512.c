/*
 * taps_avx512.c: depthwise sums with AVX-512. Bytes are widened to 16 bits.
 */
#include "vector_512.h"

/* In assembly: gcc would make all products first and keep sums in memory. */
static inline V dot_s16(V a, V x, V w)
{
    __asm__("vpmaddwd %2, %1, %1\n\tvpaddd %1, %0, %0" : "+v"(a), "+v"(x) : "v"(w));
    return a;
}
#define DOT_S16(a, x, w) dot_s16(a, x, w)

#include "taps.h"
