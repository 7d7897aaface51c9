/* Limits in plain C. */
#include "portable/portable.h"

static void clamp_s8(const int8_t *restrict in, size_t n, int32_t lo, int32_t hi,
                     int8_t *restrict out)
{
    const int8_t low = (int8_t)lo,
                 high = (int8_t)hi; /* narrow, so that a vector holds all it can */
    for (size_t i = 0; i < n; i++) {
        const int8_t v = in[i] < low ? low : in[i];
        out[i] = v > high ? high : v;
    }
}

static void clamp_s16(const int16_t *restrict in, size_t n, int32_t lo, int32_t hi,
                      int16_t *restrict out)
{
    const int16_t low = (int16_t)lo, high = (int16_t)hi;
    for (size_t i = 0; i < n; i++) {
        const int16_t v = in[i] < low ? low : in[i];
        out[i] = v > high ? high : v;
    }
}

void LB_MLI_FILL(relu)(struct lb_mli_loops *loops)
{
    loops->clamp_s8 = clamp_s8;
    loops->clamp_s16 = clamp_s16;
}
