/* Integer primitives of the models. Spec: numerics.md 3.
 * Written without anything that C leaves undefined or to the implementation: right shifts act on
 * values >= 0 only, sums that may leave 64 bits are decided before they are formed. */
#include "arith.h"

/* floor(v / 2^n), 0 <= n <= 63. */
static int64_t floor_shift(int64_t v, int n)
{
    return v >= 0 ? v >> n : ~(~v >> n);
}

/* -n for every int. Counts past every width act alike, so the one that cannot be negated loses
 * nothing. */
static int negated_count(int n)
{
    return n < -INT32_MAX ? INT32_MAX : -n;
}

int64_t lb_neg(int64_t a, int width)
{
    return lb_sub(0, a, width);
}

int64_t lb_abs(int64_t a, int width)
{
    return a < 0 ? lb_neg(a, width) : a;
}

int lb_norm(int64_t v, int width)
{
    uint64_t rest = v >= 0 ? (uint64_t)v : (uint64_t)~v;
    int bit_length = 0;
    for (int half = 32; half > 0; half /= 2)
        if (rest >> half != 0) {
            rest >>= half;
            bit_length += half;
        }
    return width - 1 - bit_length - (int)rest;
}

int64_t lb_shl(int64_t v, int n, int width)
{
    if (n < 0)
        return lb_asr(v, negated_count(n), width);
    if (v == 0)
        return 0;
    if (v > 0) {
        bool fits = n < width && v <= floor_shift(lb_max_of(width), n);
        return fits ? lb_from_bits((uint64_t)v << n) : lb_max_of(width);
    }
    bool fits = n < width && v >= floor_shift(lb_min_of(width), n);
    return fits ? lb_from_bits((uint64_t)v << n) : lb_min_of(width);
}

int64_t lb_asr(int64_t v, int n, int width)
{
    if (n < 0)
        return lb_shl(v, negated_count(n), width);
    return floor_shift(v, n > 63 ? 63 : n);
}

/* features.md 2: 1 where the fraction `rest` takes the quotient up from its floor. */
static int rounded_up(lb_rounding rounding, bool negative, int64_t rest, int64_t half)
{
    switch (rounding) {
    case LB_ROUND_AWAY:
        return rest > half || (rest == half && !negative);
    case LB_ROUND_ZERO:
        return negative && rest != 0;
    default:
        return 0;
    }
}

int64_t lb_rsh(lb_rounding rounding, int64_t v, int n, int width)
{
    if (n < 0)
        return lb_shl(v, negated_count(n), width);
    if (n == 0)
        return v;
    if (n >= width)
        return rounding == LB_ROUND_FLOOR && v < 0 ? -1 : 0;
    int64_t half = (int64_t)1 << (n - 1);
    if (rounding == LB_ROUND_UP)
        return floor_shift(lb_add(v, half, width), n);
    int64_t down = floor_shift(v, n);
    int64_t rest = (int64_t)((uint64_t)v & (((uint64_t)1 << n) - 1));
    if (rounding > LB_ROUND_CONVERGENT)
        return down + rounded_up(rounding, v < 0, rest, half);
    bool odd = ((uint64_t)down & 1) != 0;
    return rest > half || (rest == half && odd) ? down + 1 : down;
}

int64_t lb_trunc_sat(int64_t v, int k, int width)
{
    return lb_sat(v, width - k);
}

int64_t lb_mulh(int64_t a, int64_t b)
{
    return lb_wrap(floor_shift(a * b + ((int64_t)1 << 30), 31), 32);
}

int64_t lb_tdiv(int64_t a, int64_t b)
{
    if (b == 0)
        return 0; /* undefined in the spec, but a model must not bring its process down */
    return b == -1 ? lb_neg(a, 64) : a / b;
}

int64_t lb_cast(lb_rounding rounding, int64_t v, int src_bits, int dst_bits, int n)
{
    if (dst_bits <= src_bits)
        return lb_sat(lb_rsh(rounding, v, n, src_bits), dst_bits);
    int64_t shifted = lb_rsh(rounding, v, n, dst_bits);
    return dst_bits == 64 ? lb_wrap(shifted, 32) : shifted;
}

int64_t lb_norm_cast(lb_rounding rounding, int64_t v, int dst_bits, int *k)
{
    *k = (32 - dst_bits) - lb_norm(v, 32);
    return lb_cast(rounding, v, 32, dst_bits, *k);
}
