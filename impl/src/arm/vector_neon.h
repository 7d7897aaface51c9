/* Vectors of NEON, as two of the templates ask for them. */
#ifndef LB_MLI_VECTOR_NEON_H
#define LB_MLI_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#define LANES        4
#define PANEL_PIXELS 14

typedef int32x4_t V;
#define LOAD(p)     vreinterpretq_s32_u8(vld1q_u8((const uint8_t *)(p)))
#define STORE(p, v) vst1q_u8((uint8_t *)(p), vreinterpretq_u8_s32(v))

static inline V spread(const char *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return vdupq_n_s32(four);
}
#define SPREAD(p) spread(p)
/* Stays in a register. */
#define KEEP(v) __asm__("" : "+w"(v))

static inline V dot_words(V a, V x, V w)
{
    const int16x8_t xs = vreinterpretq_s16_s32(x), ws = vreinterpretq_s16_s32(w);
    return vaddq_s32(
        a, vpaddq_s32(vmull_s16(vget_low_s16(xs), vget_low_s16(ws)), vmull_high_s16(xs, ws)));
}
#define DOT_S16(a, x, w) dot_words(a, x, w)

/* 16 bytes of the compiler's own vectors, as words. */
static inline void store_widened(char *p, int8x16_t v)
{
    vst1q_u8((uint8_t *)p, vreinterpretq_u8_s16(vmovl_s8(vget_low_s8(v))));
    vst1q_u8((uint8_t *)p + 16, vreinterpretq_u8_s16(vmovl_high_s8(v)));
}
#define STORE_WIDENED(p, v) store_widened(p, (int8x16_t)(v))

/* Interleaving; all of a vector is in one piece, so that channels come out in order. */
#define LOW_WORDS(a, b)                                                                            \
    vreinterpretq_s32_s16(vzip1q_s16(vreinterpretq_s16_s32(a), vreinterpretq_s16_s32(b)))
#define HIGH_WORDS(a, b)                                                                           \
    vreinterpretq_s32_s16(vzip2q_s16(vreinterpretq_s16_s32(a), vreinterpretq_s16_s32(b)))
#define LOW_BYTES(a, b)                                                                            \
    vreinterpretq_s32_s8(vzip1q_s8(vreinterpretq_s8_s32(a), vreinterpretq_s8_s32(b)))
#define HIGH_BYTES(a, b)                                                                           \
    vreinterpretq_s32_s8(vzip2q_s8(vreinterpretq_s8_s32(a), vreinterpretq_s8_s32(b)))
#define IN_ORDER_BYTES(a) (a)
#define IN_ORDER_WORDS(a) (a)
#define WIDENED(p)        vreinterpretq_s32_s16(vmovl_s8(vld1_s8(p)))
#define SUB_WORDS(a, x)                                                                            \
    vreinterpretq_s32_s16(vsubq_s16(vreinterpretq_s16_s32(a), vdupq_n_s16((int16_t)(x))))

#include "simd/vector.h"

#endif
