/*
 * taps_vnni.c: depthwise sums with the integer dot products of AVX-512.
 */
#include "vector_512.h"

/* In assembly: gcc would copy sums from register to register, and some to memory. */
static inline V dot_s16(V a, V x, V w)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(a) : "v"(x), "v"(w));
    return a;
}
static inline V dot_u8s8(V a, V x, V w)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(a) : "v"(x), "v"(w));
    return a;
}
#define DOT_S16(a, x, w)  dot_s16(a, x, w)
#define DOT_U8S8(a, x, w) dot_u8s8(a, x, w)

#include "taps.h"
