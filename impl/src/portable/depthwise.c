/* Sums of products channel by channel in plain C, the inner loop of depthwise convolutions. Nine
 * taps (a 3x3 kernel), three or one are summed in one pass over the channels, so that accumulators
 * go through memory once a pass. Sums are unsigned: they wrap at the accumulator's width
 * (numerics.md 4.1). */
#include "portable/portable.h"

/* Products of two taps, w within 8 bits. Negated, their sum fits 16 bits: it is at most 2 * 2^14 =
 * 2^15, and only the negative end of int16 has that. Half as many values need widening. */
static inline uint32_t pair_s8(int8_t x0, int16_t w0, int8_t x1, int16_t w1)
{
    const int16_t negated = (int16_t)(-(x0 * w0) - x1 * w1);
    return 0U - (uint32_t)(int32_t)negated;
}

static inline uint32_t one_s8(int8_t x, int16_t w)
{
    const int16_t product = (int16_t)(x * w);
    return (uint32_t)(int32_t)product;
}

static inline uint32_t one_s16s8(int16_t x, int16_t w)
{
    return (uint32_t)(x * w);
}

static inline uint32_t pair_s16s8(int16_t x0, int16_t w0, int16_t x1, int16_t w1)
{
    return one_s16s8(x0, w0) + one_s16s8(x1, w1);
}

/* As pair_s8, one width up: w takes all of int16. */
static inline uint64_t pair_s16(int16_t x0, int16_t w0, int16_t x1, int16_t w1)
{
    const int32_t negated = (int32_t)(0U - (uint32_t)(x0 * w0) - (uint32_t)(x1 * w1));
    return 0U - (uint64_t)(int64_t)negated;
}

static inline uint64_t one_s16(int16_t x, int16_t w)
{
    return (uint64_t)(int64_t)(x * w);
}

/* taps is odd: pairs and one. */
#define TAPS(name, x_type, acc_type, sum_type, pair, one, taps)                                    \
    static void name(const x_type *const *x, const int16_t *restrict w, size_t w_row, size_t n,    \
                     acc_type *restrict acc)                                                       \
    {                                                                                              \
        for (size_t c = 0; c < n; c++) {                                                           \
            sum_type sum = (sum_type)acc[c];                                                       \
            for (size_t t = 0; t + 1 < (taps); t += 2)                                             \
                sum += pair(x[t][c], w[t * w_row + c], x[t + 1][c], w[(t + 1) * w_row + c]);       \
            acc[c] = (acc_type)(sum + one(x[(taps)-1][c], w[((taps)-1) * w_row + c]));             \
        }                                                                                          \
    }

#define DEPTHWISE(name, x_type, acc_type, sum_type, pair, one)                                     \
    TAPS(name##_9, x_type, acc_type, sum_type, pair, one, 9)                                       \
    TAPS(name##_3, x_type, acc_type, sum_type, pair, one, 3)                                       \
    TAPS(name##_1, x_type, acc_type, sum_type, pair, one, 1)                                       \
    static void name(const x_type *const *x, const int16_t *w, size_t w_row, size_t taps,          \
                     size_t n, acc_type *acc)                                                      \
    {                                                                                              \
        size_t t = 0;                                                                              \
        for (; t + 9 <= taps; t += 9)                                                              \
            name##_9(x + t, w + t * w_row, w_row, n, acc);                                         \
        for (; t + 3 <= taps; t += 3)                                                              \
            name##_3(x + t, w + t * w_row, w_row, n, acc);                                         \
        for (; t < taps; t++)                                                                      \
            name##_1(x + t, w + t * w_row, w_row, n, acc);                                         \
    }

DEPTHWISE(depthwise_s8, int8_t, int32_t, uint32_t, pair_s8, one_s8)
DEPTHWISE(depthwise_s16s8, int16_t, int32_t, uint32_t, pair_s16s8, one_s16s8)
DEPTHWISE(depthwise_s16, int16_t, int64_t, uint64_t, pair_s16, one_s16)

void LB_MLI_FILL(depthwise)(struct lb_mli_loops *loops)
{
    loops->depthwise_s8 = depthwise_s8;
    loops->depthwise_s16s8 = depthwise_s16s8;
    loops->depthwise_s16 = depthwise_s16;
}
