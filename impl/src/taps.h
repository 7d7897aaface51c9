/*
 * taps.h: sums of products channel by channel, the inner loop of depthwise convolutions, once for all levels with vectors.
 * A level's file includes the header of its vectors, defines DOT_S16 and perhaps DOT_U8S8 as for panel.h, and includes this
 * file, which defines the level's fill function "taps".
 *
 * Rows of taps lie interleaved in no memory: two (int16) or four (uint8) rows are interleaved in registers, so that a lane
 * has the taps of one channel beside each other. Interleaving works within 128 bits; so that channels come out in order,
 * loading has put the units of four channels in the order that interleaving undoes.
 */
#include "dispatch.h"

enum { VECTOR_BYTES = LANES * 4 };

/* Two pixels at a time: a vector of weights serves both. Pixels past the last are the last once more. */
#define PIXEL_PAIRS(pixels) for (size_t p = 0, next; next = lb_mli_min_size(p + 1, (pixels)-1), p < (pixels); p += 2)

static void taps_s16(const struct lb_mli_taps *in, size_t pixels, const void *weights, size_t groups,
                     const int32_t *start, int32_t *acc, size_t acc_row)
{
    for (size_t g = 0; g < groups; g++) {
        const char *const group = (const char *)weights + g * in->taps * VECTOR_BYTES;
        const size_t at = g * VECTOR_BYTES, out = g * 2 * LANES;
        PIXEL_PAIRS(pixels)
        {
            V a0 = LOAD(start + out), a1 = LOAD(start + out + LANES), b0 = a0, b1 = a1;
            const char *w = group;
            const ptrdiff_t at_a = (ptrdiff_t)(p * in->step + at), at_b = (ptrdiff_t)(next * in->step + at);
            for (size_t t = 0; t < in->taps; t += 2, w += 2 * VECTOR_BYTES) {
                V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES);
                KEEP(w0);
                KEEP(w1);
                V ax = LOAD(in->tap[t] + at_a), ay = LOAD(in->tap[t + 1] + at_a);
                V bx = LOAD(in->tap[t] + at_b), by = LOAD(in->tap[t + 1] + at_b);
                KEEP(ay);
                KEEP(by);
                a0 = DOT_S16(a0, LOW_WORDS(ax, ay), w0);
                a1 = DOT_S16(a1, HIGH_WORDS(ax, ay), w1);
                b0 = DOT_S16(b0, LOW_WORDS(bx, by), w0);
                b1 = DOT_S16(b1, HIGH_WORDS(bx, by), w1);
            }
            int32_t *const to_a = acc + p * acc_row + out, *const to_b = acc + next * acc_row + out;
            STORE(to_a, a0);
            STORE(to_a + LANES, a1);
            STORE(to_b, b0);
            STORE(to_b + LANES, b1);
        }
    }
}

/* Split weights: the vectors of a step are low, high halves of the first channels, then of the others. */
static void taps_s16_split(const struct lb_mli_taps *in, size_t pixels, const void *weights, size_t groups,
                           const int32_t *start, int32_t *acc, size_t acc_row)
{
    for (size_t g = 0; g < groups; g++) {
        const char *const group = (const char *)weights + g * in->taps * 2 * VECTOR_BYTES;
        const size_t at = g * VECTOR_BYTES, out = g * 4 * LANES;
        PIXEL_PAIRS(pixels)
        {
            V a0 = LOAD(start + out), a1 = LOAD(start + out + LANES), b0 = a0, b1 = a1;
            V a2 = LOAD(start + out + 2 * LANES), a3 = LOAD(start + out + 3 * LANES), b2 = a2, b3 = a3;
            const char *w = group;
            const ptrdiff_t at_a = (ptrdiff_t)(p * in->step + at), at_b = (ptrdiff_t)(next * in->step + at);
            for (size_t t = 0; t < in->taps; t += 2, w += 4 * VECTOR_BYTES) {
                V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES);
                V w2 = LOAD(w + 2 * VECTOR_BYTES), w3 = LOAD(w + 3 * VECTOR_BYTES);
                KEEP(w0);
                KEEP(w1);
                KEEP(w2);
                KEEP(w3);
                V ax = LOAD(in->tap[t] + at_a), ay = LOAD(in->tap[t + 1] + at_a);
                V bx = LOAD(in->tap[t] + at_b), by = LOAD(in->tap[t + 1] + at_b);
                KEEP(ay);
                KEEP(by);
                const V a_low = LOW_WORDS(ax, ay), a_high = HIGH_WORDS(ax, ay);
                const V b_low = LOW_WORDS(bx, by), b_high = HIGH_WORDS(bx, by);
                a0 = DOT_S16(a0, a_low, w0);
                a1 = DOT_S16(a1, a_low, w1);
                a2 = DOT_S16(a2, a_high, w2);
                a3 = DOT_S16(a3, a_high, w3);
                b0 = DOT_S16(b0, b_low, w0);
                b1 = DOT_S16(b1, b_low, w1);
                b2 = DOT_S16(b2, b_high, w2);
                b3 = DOT_S16(b3, b_high, w3);
            }
            int32_t *const to_a = acc + p * acc_row + out, *const to_b = acc + next * acc_row + out;
            STORE(to_a, a0);
            STORE(to_a + LANES, a1);
            STORE(to_a + 2 * LANES, a2);
            STORE(to_a + 3 * LANES, a3);
            STORE(to_b, b0);
            STORE(to_b + LANES, b1);
            STORE(to_b + 2 * LANES, b2);
            STORE(to_b + 3 * LANES, b3);
        }
    }
}

#ifdef DOT_U8S8
static void taps_u8s8(const struct lb_mli_taps *in, size_t pixels, const void *weights, size_t groups,
                      const int32_t *start, int32_t *acc, size_t acc_row)
{
    for (size_t g = 0; g < groups; g++) {
        const char *const group = (const char *)weights + g * in->taps * VECTOR_BYTES;
        const size_t at = g * VECTOR_BYTES, out = g * 4 * LANES;
        PIXEL_PAIRS(pixels)
        {
            V a0 = LOAD(start + out), a1 = LOAD(start + out + LANES), b0 = a0, b1 = a1;
            V a2 = LOAD(start + out + 2 * LANES), a3 = LOAD(start + out + 3 * LANES), b2 = a2, b3 = a3;
            const char *w = group;
            const ptrdiff_t at_a = (ptrdiff_t)(p * in->step + at), at_b = (ptrdiff_t)(next * in->step + at);
            for (size_t t = 0; t < in->taps; t += 4, w += 4 * VECTOR_BYTES) {
                const char *const t0 = in->tap[t], *const t1 = in->tap[t + 1];
                const char *const t2 = in->tap[t + 2], *const t3 = in->tap[t + 3];
                V w0 = LOAD(w), w1 = LOAD(w + VECTOR_BYTES);
                V w2 = LOAD(w + 2 * VECTOR_BYTES), w3 = LOAD(w + 3 * VECTOR_BYTES);
                KEEP(w0);
                KEEP(w1);
                KEEP(w2);
                KEEP(w3);
                V ax = LOAD(t0 + at_a), ay = LOAD(t1 + at_a), az = LOAD(t2 + at_a), aw = LOAD(t3 + at_a);
                V bx = LOAD(t0 + at_b), by = LOAD(t1 + at_b), bz = LOAD(t2 + at_b), bw = LOAD(t3 + at_b);
                KEEP(ay);
                KEEP(aw);
                KEEP(by);
                KEEP(bw);
                const V a_low = LOW_BYTES(ax, ay), a_low2 = LOW_BYTES(az, aw);
                const V a_high = HIGH_BYTES(ax, ay), a_high2 = HIGH_BYTES(az, aw);
                const V b_low = LOW_BYTES(bx, by), b_low2 = LOW_BYTES(bz, bw);
                const V b_high = HIGH_BYTES(bx, by), b_high2 = HIGH_BYTES(bz, bw);
                a0 = DOT_U8S8(a0, LOW_WORDS(a_low, a_low2), w0);
                a1 = DOT_U8S8(a1, HIGH_WORDS(a_low, a_low2), w1);
                a2 = DOT_U8S8(a2, LOW_WORDS(a_high, a_high2), w2);
                a3 = DOT_U8S8(a3, HIGH_WORDS(a_high, a_high2), w3);
                b0 = DOT_U8S8(b0, LOW_WORDS(b_low, b_low2), w0);
                b1 = DOT_U8S8(b1, HIGH_WORDS(b_low, b_low2), w1);
                b2 = DOT_U8S8(b2, LOW_WORDS(b_high, b_high2), w2);
                b3 = DOT_U8S8(b3, HIGH_WORDS(b_high, b_high2), w3);
            }
            int32_t *const to_a = acc + p * acc_row + out, *const to_b = acc + next * acc_row + out;
            STORE(to_a, a0);
            STORE(to_a + LANES, a1);
            STORE(to_a + 2 * LANES, a2);
            STORE(to_a + 3 * LANES, a3);
            STORE(to_b, b0);
            STORE(to_b + LANES, b1);
            STORE(to_b + 2 * LANES, b2);
            STORE(to_b + 3 * LANES, b3);
        }
    }
}
#endif

/*
 * Loading: a pixel is so many whole vectors; what is behind the last channel is any value, its weights are 0.
 */
#define LOAD_TAPS(name, type, per, vector_of)                                                                          \
    static void name(const void *from, ptrdiff_t in_col, size_t pixels, size_t n, int32_t zero, char *out)             \
    {                                                                                                                  \
        const type *in = from;                                                                                         \
        type rest[per] = {0};                                                                                          \
        (void)zero;                                                                                                    \
        for (size_t p = 0; p < pixels; p++, in += in_col) {                                                            \
            size_t c = 0;                                                                                              \
            for (; c + (per) <= n; c += (per), out += VECTOR_BYTES)                                                    \
                STORE(out, vector_of(in + c, zero));                                                                   \
            if (c < n) {                                                                                               \
                memcpy(rest, in + c, (n - c) * sizeof rest[0]);                                                        \
                STORE(out, vector_of(rest, zero));                                                                     \
                out += VECTOR_BYTES;                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }

#define BYTES_OF(p, zero)   IN_ORDER_BYTES(FLIPPED(LOAD(p)))
#define WORDS_OF(p, zero)   IN_ORDER_WORDS(LOAD(p))
#define WIDENED_OF(p, zero) IN_ORDER_WORDS(SUB_WORDS(WIDENED(p), zero))
LOAD_TAPS(load_s16, int16_t, 2 * LANES, WORDS_OF)
LOAD_TAPS(load_s8_s16, int8_t, 2 * LANES, WIDENED_OF)
#ifdef DOT_U8S8
LOAD_TAPS(load_u8, int8_t, 4 * LANES, BYTES_OF)
#endif

void LB_MLI_FILL(taps)(struct lb_mli_loops *loops)
{
    loops->taps_s16 = taps_s16;
    loops->taps_s16_split = taps_s16_split;
    loops->taps_load_s16 = load_s16;
    loops->taps_load_s8_s16 = load_s8_s16;
#ifdef DOT_U8S8
    loops->taps_u8s8 = taps_u8s8;
    loops->taps_load_u8 = load_u8;
#endif
}
