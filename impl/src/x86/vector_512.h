/*
 * vector_512.h: vectors of 512 bits as panel.h asks for them.
 */
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

#endif
