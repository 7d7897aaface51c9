/*
 * panel_dotprod.c: panels of weights with the dot products of NEON, which take two signed bytes:
 * inputs stay as they are.
 */
#include "vector_neon.h"

#define FLIPPED(a)        (a)
#define BYTES_EXCESS      0
#define DOT_U8S8(a, x, w) vdotq_s32(a, vreinterpretq_s8_s32(x), vreinterpretq_s8_s32(w))

#include "panel.h"
