/*
 * panel_vnni.c: panels of weights with the integer dot products of AVX-512.
 */
#include "vector_512.h"

#define DOT_S16(a, x, w)  _mm512_dpwssd_epi32(a, x, w)
#define DOT_U8S8(a, x, w) _mm512_dpbusd_epi32(a, x, w)

#include "panel.h"

#include "panel_fx16.h"
#include "panel_sa8.h"
