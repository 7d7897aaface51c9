/* Many elements to one number, and the last of the largest by columns, in plain C. */
#include "portable/portable.h"

#include <string.h>

enum { NARROW = 8192 }; /* squares of 9-bit numbers whose sum stays in 32 bits */

static int32_t max_s8(const int8_t *in, size_t n)
{
    int8_t max = INT8_MIN;
    for (size_t i = 0; i < n; i++)
        max = in[i] > max ? in[i] : max;
    return max;
}

static int32_t max_s16(const int16_t *in, size_t n)
{
    int16_t max = INT16_MIN;
    for (size_t i = 0; i < n; i++)
        max = in[i] > max ? in[i] : max;
    return max;
}

static int32_t sum_s16(const int16_t *in, size_t n)
{
    int32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += in[i];
    return sum;
}

static uint64_t squares_s8(const int8_t *in, int32_t zero, size_t n)
{
    const int16_t z = (int16_t)zero;
    uint64_t total = 0;
    for (size_t at = 0; at < n; at += NARROW) {
        const size_t end = lb_mli_min_size(n, at + NARROW);
        int32_t sum = 0;
        for (size_t i = at; i < end; i++) {
            const int16_t d = (int16_t)(in[i] - z);
            sum += d * d;
        }
        total += (uint32_t)sum;
    }
    return total;
}

/* Two squares of 16 bits are at most 2^31, which 32 unsigned bits hold: half as many values need
 * widening. */
static uint64_t squares_s16(const int16_t *in, size_t n)
{
    const size_t half = n / 2;
    const int16_t *upper = in + half;
    uint64_t total = 0;
    for (size_t i = 0; i < half; i++)
        total += (uint32_t)(in[i] * in[i]) + (uint32_t)(upper[i] * upper[i]);
    if (n % 2)
        total += (uint32_t)(in[n - 1] * in[n - 1]);
    return total;
}

#define LAST_MAX(name, type)                                                                       \
    static void name(const type *restrict in, int32_t first, size_t n, type *restrict best,        \
                     int32_t *restrict at)                                                         \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            const bool better = in[i] >= best[i];                                                  \
            at[i] = better ? first + (int32_t)i : at[i];                                           \
            best[i] = better ? in[i] : best[i];                                                    \
        }                                                                                          \
    }

LAST_MAX(last_max_s8, int8_t)
LAST_MAX(last_max_s16, int16_t)

void LB_MLI_FILL(reduce)(struct lb_mli_loops *loops)
{
    loops->max_s8 = max_s8;
    loops->max_s16 = max_s16;
    loops->sum_s16 = sum_s16;
    loops->squares_s8 = squares_s8;
    loops->squares_s16 = squares_s16;
    loops->last_max_s8 = last_max_s8;
    loops->last_max_s16 = last_max_s16;
}
