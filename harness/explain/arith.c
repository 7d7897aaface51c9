/* The arithmetic of replayed steps. Spec: numerics.md 3. */
#include "harness/explain/arith.h"

int64_t lb_x_highest(int width)
{
    return width >= 64 ? INT64_MAX : (INT64_C(1) << (width - 1)) - 1;
}

int64_t lb_x_limit(int64_t v, int width)
{
    int64_t highest = lb_x_highest(width), lowest = -highest - 1;
    return v > highest ? highest : v < lowest ? lowest : v;
}

/* Two's complement of the low bits. */
static int64_t signed_of(uint64_t bits, int width)
{
    uint64_t weight_of_sign = (uint64_t)1 << (width - 1);
    uint64_t rest = bits % weight_of_sign;
    bool negative = bits / weight_of_sign % 2 != 0;
    return negative ? (int64_t)rest - lb_x_highest(width) - 1 : (int64_t)rest;
}

int64_t lb_x_wrap(int64_t v, int width)
{
    return signed_of((uint64_t)v, width);
}

int64_t lb_x_sum(int64_t a, int64_t b, int width, bool wraps)
{
    if (wraps)
        return signed_of((uint64_t)a + (uint64_t)b, width);
    if (b >= 0 && a > INT64_MAX - b)
        return lb_x_highest(width);
    if (b < 0 && a < INT64_MIN - b)
        return -lb_x_highest(width) - 1;
    return lb_x_limit(a + b, width);
}

int64_t lb_x_difference(int64_t a, int64_t b, int width, bool wraps)
{
    if (wraps)
        return signed_of((uint64_t)a - (uint64_t)b, width);
    if (b == INT64_MIN) /* has no negative: a - b is (a + 1) + highest */
        return a >= 0 ? lb_x_highest(width) : lb_x_limit(a + 1 + INT64_MAX, width);
    return lb_x_sum(a, -b, width, false);
}

int64_t lb_x_doubled(int64_t v, int64_t n, int width, bool wraps)
{
    int64_t highest = lb_x_highest(width), lowest = -highest - 1;
    for (int64_t i = 0; i < n && i < 130 && v != 0; i++) {
        if (!wraps && (v == highest || v == lowest))
            return v;
        if (wraps)
            v = signed_of((uint64_t)v + (uint64_t)v, width);
        else
            v = v > highest / 2 ? highest : v < lowest / 2 ? lowest : v * 2;
    }
    return lb_x_limit(v, width);
}

/* Half of v, towards minus infinity. */
static int64_t half_of(int64_t v)
{
    return v / 2 - (v % 2 < 0);
}

int64_t lb_x_halved(int64_t v, int64_t n, lb_cut cut)
{
    bool last = false, others = false; /* the last dropped bit, and whether one before it was set */
    bool negative = v < 0;
    for (int64_t i = 0; i < n && i < 130; i++) {
        bool settled = (v == 0 && !last) || (v == -1 && last && others);
        if (settled) /* nothing changes any more */
            break;
        others = others || last;
        last = v % 2 != 0;
        v = half_of(v);
    }
    bool tie = last && !others;
    switch (cut) {
    case LB_CUT_ZERO:
        return negative && (last || others) ? v + 1 : v;
    case LB_CUT_UP:
        return v + last;
    case LB_CUT_EVEN:
        return tie ? v + (v % 2 != 0) : v + last;
    case LB_CUT_AWAY:
        return tie && negative ? v : v + last;
    default:
        return v;
    }
}

int64_t lb_x_spare_bits(int64_t v, int width)
{
    int64_t spare = width - 1;
    for (int64_t rest = v < 0 ? -1 - v : v; rest > 0; rest /= 2)
        spare--;
    return spare;
}

uint64_t lb_x_dropped(int64_t v, int64_t n)
{
    return n <= 0 ? 0 : (uint64_t)v % ((uint64_t)1 << (n < 63 ? n : 63));
}
