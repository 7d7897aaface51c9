/* Accumulators to outputs in plain C (conv.md 3, 4.5). One inline body for each step, instantiated
 * for each rounding mode, so that no loop asks for the mode. */
#include "portable/portable.h"

/* Saturating 64-bit addition of a 32-bit number. */
static inline int64_t add_64(int64_t a, int32_t b)
{
    const int64_t sum = (int64_t)((uint64_t)a + (uint64_t)(int64_t)b);
    const int64_t overflow = (a ^ sum) & (b ^ sum);
    return overflow < 0 ? (a >> 63) ^ INT64_MAX : sum;
}

/* Rounding right shift in 64 bits, 0 <= n <= 63; the addition of the half saturates. */
static inline int64_t rsh_64(int64_t v, int n, enum lb_mli_round round)
{
    const int64_t half = (int64_t)((UINT64_C(1) << n) >> 1);
    if (round == LB_MLI_UP) {
        const int64_t top = INT64_MAX - half;
        return ((v > top ? top : v) + half) >> n;
    }
    const int64_t floored = v >> n;
    const int64_t rest = (int64_t)((uint64_t)v & ((UINT64_C(1) << n) - 1));
    return floored + (rest > (half | (n == 0)) - (floored & 1));
}

static inline int64_t clamp_64(int64_t v, int64_t lo, int64_t hi)
{
    v = v < lo ? lo : v;
    return v > hi ? hi : v;
}

#define RESULT_S32(name, type, round)                                                              \
    static void name(const int32_t *restrict acc, const int32_t *restrict bias, size_t n,          \
                     const struct lb_mli_fx_result *restrict q, type *restrict out)                \
    {                                                                                              \
        const struct lb_mli_fx_result p = *q;                                                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int32_t sum = lb_mli_lane_add32(acc[i], bias[i]);                                \
            out[i] =                                                                               \
                (type)lb_mli_clamp(lb_mli_lane_rsh(sum, p.shift, INT32_MAX, round), p.lo, p.hi);   \
        }                                                                                          \
    }

RESULT_S32(result_s32_s8_up, int8_t, LB_MLI_UP)
RESULT_S32(result_s32_s8_convergent, int8_t, LB_MLI_CONVERGENT)
RESULT_S32(result_s32_s16_up, int16_t, LB_MLI_UP)
RESULT_S32(result_s32_s16_convergent, int16_t, LB_MLI_CONVERGENT)

#define RESULT_S64(name, round)                                                                    \
    static void name(const int64_t *restrict acc, const int32_t *restrict bias, size_t n,          \
                     const struct lb_mli_fx_result *restrict q, int16_t *restrict out)             \
    {                                                                                              \
        const struct lb_mli_fx_result p = *q;                                                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int64_t sum = add_64(acc[i], bias[i]);                                           \
            out[i] = (int16_t)clamp_64(rsh_64(sum, p.shift, round), p.lo, p.hi);                   \
        }                                                                                          \
    }

RESULT_S64(result_s64_s16_up, LB_MLI_UP)
RESULT_S64(result_s64_s16_convergent, LB_MLI_CONVERGENT)

/*
 * sa8, in steps over a few elements: loops that widen or narrow once each are what compilers
 * vectorize.
 */
enum { CHUNK = 64 };

/* Full profiles. scaled = sum * mul / 2^shift rounded, or anything beyond lo..hi on the same side.
 */
static inline void scale_full(const int32_t *restrict sum, const int32_t *restrict mul,
                              const int32_t *restrict shift, size_t n, int64_t lo, int64_t hi,
                              enum lb_mli_round round, int32_t *restrict scaled)
{
    for (size_t i = 0; i < n; i++) {
        /* The result with one bit below the point, so that no half is needed: |product| < 2^61. The
         * shift is a logical one of the value or its complement, since vectors of 64 bits often
         * have no other. */
        const int64_t twice = (int64_t)sum[i] * mul[i] * 2;
        const uint64_t sign = twice < 0 ? UINT64_MAX : 0;
        const uint64_t s = (uint64_t)shift[i];
        const int64_t floored = (int64_t)((((uint64_t)twice ^ sign) >> s) ^ sign);
        int64_t halves = floored < 2 * lo ? 2 * lo : floored;
        halves = halves > 2 * hi ? 2 * hi : halves;
        if (round == LB_MLI_CONVERGENT) {
            const int64_t exact = (int64_t)((uint64_t)floored << s) == twice;
            halves -=
                exact & halves & ~(halves >> 1) & 1; /* a tie above an even number goes down */
        }
        scaled[i] = (int32_t)halves;
    }
    for (size_t i = 0; i < n; i++)
        scaled[i] = (scaled[i] + 1) >> 1;
}

/* Reduced profiles. The product of 16 by 17 bits, at most 2^30 in magnitude, is 0 when shifted by
 * 31 or more. */
static inline void scale_reduced(const int32_t *restrict sum, const int32_t *restrict mul,
                                 const int32_t *restrict shift, const int32_t *restrict pre,
                                 size_t n, enum lb_mli_round round, int32_t *restrict scaled)
{
    for (size_t i = 0; i < n; i++) {
        const int32_t cut =
            lb_mli_clamp(lb_mli_lane_rsh(sum[i], pre[i], INT32_MAX, round), INT16_MIN, INT16_MAX);
        scaled[i] = lb_mli_lane_rsh(cut * mul[i], lb_mli_min(shift[i], 31), INT32_MAX, round);
    }
}

static inline void result_sa8(const int32_t *restrict acc, size_t n,
                              const struct lb_mli_sa_result *restrict q, enum lb_mli_round round,
                              bool reduced, int8_t *restrict out)
{
    const int32_t zero = q->zero, lo = q->lo - zero, hi = q->hi - zero;
    const int32_t *restrict bias = q->bias;
    int32_t sum[CHUNK], scaled[CHUNK];
    for (size_t first = 0; first < n; first += CHUNK) {
        const size_t count = lb_mli_min_size(n - first, CHUNK);
        for (size_t i = 0; i < count; i++)
            sum[i] = lb_mli_lane_add32(acc[first + i], bias[first + i]);
        if (reduced)
            scale_reduced(sum, q->mul + first, q->shift + first, q->pre + first, count, round,
                          scaled);
        else
            scale_full(sum, q->mul + first, q->shift + first, count, lo, hi, round, scaled);
        for (size_t i = 0; i < count; i++)
            out[first + i] = (int8_t)(lb_mli_clamp(scaled[i], lo, hi) + zero);
    }
}

#define RESULT_SA8(name, round, reduced)                                                           \
    static void name(const int32_t *restrict acc, size_t n,                                        \
                     const struct lb_mli_sa_result *restrict q, int8_t *restrict out)              \
    {                                                                                              \
        result_sa8(acc, n, q, round, reduced, out);                                                \
    }

RESULT_SA8(result_sa8_up_full, LB_MLI_UP, false)
RESULT_SA8(result_sa8_up_reduced, LB_MLI_UP, true)
RESULT_SA8(result_sa8_convergent_full, LB_MLI_CONVERGENT, false)
RESULT_SA8(result_sa8_convergent_reduced, LB_MLI_CONVERGENT, true)

void LB_MLI_FILL(result)(struct lb_mli_loops *loops)
{
    loops->result_s32_s8[LB_MLI_UP] = result_s32_s8_up;
    loops->result_s32_s8[LB_MLI_CONVERGENT] = result_s32_s8_convergent;
    loops->result_s32_s16[LB_MLI_UP] = result_s32_s16_up;
    loops->result_s32_s16[LB_MLI_CONVERGENT] = result_s32_s16_convergent;
    loops->result_s64_s16[LB_MLI_UP] = result_s64_s16_up;
    loops->result_s64_s16[LB_MLI_CONVERGENT] = result_s64_s16_convergent;
    loops->sa8_rows_channels = SIZE_MAX;
    loops->result_sa8[LB_MLI_UP_FULL] = result_sa8_up_full;
    loops->result_sa8[LB_MLI_UP_REDUCED] = result_sa8_up_reduced;
    loops->result_sa8[LB_MLI_CONVERGENT_FULL] = result_sa8_convergent_full;
    loops->result_sa8[LB_MLI_CONVERGENT_REDUCED] = result_sa8_convergent_reduced;
}
