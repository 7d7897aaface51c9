/* The arithmetic of replayed steps. Spec: numerics.md 3. */
#include "harness/explain/arith.h"

static int64_t highest_of(int width)
{
    return width >= 64 ? INT64_MAX : (INT64_C(1) << (width - 1)) - 1;
}

static int64_t limited(int64_t v, int width)
{
    int64_t highest = highest_of(width), lowest = -highest - 1;
    return v > highest ? highest : v < lowest ? lowest : v;
}

/* Two's complement of the low bits. */
static int64_t signed_of(uint64_t bits, int width)
{
    uint64_t weight_of_sign = (uint64_t)1 << (width - 1);
    uint64_t rest = bits % weight_of_sign;
    bool negative = bits / weight_of_sign % 2 != 0;
    return negative ? (int64_t)rest - highest_of(width) - 1 : (int64_t)rest;
}

int64_t lb_x_sum(int64_t a, int64_t b, int width, bool wraps)
{
    if (wraps)
        return signed_of((uint64_t)a + (uint64_t)b, width);
    if (b >= 0 && a > INT64_MAX - b)
        return highest_of(width);
    if (b < 0 && a < INT64_MIN - b)
        return -highest_of(width) - 1;
    return limited(a + b, width);
}

int64_t lb_x_difference(int64_t a, int64_t b, int width, bool wraps)
{
    if (wraps)
        return signed_of((uint64_t)a - (uint64_t)b, width);
    if (b == INT64_MIN) /* has no negative: a - b is (a + 1) + highest */
        return a >= 0 ? highest_of(width) : limited(a + 1 + INT64_MAX, width);
    return lb_x_sum(a, -b, width, false);
}

int64_t lb_x_doubled(int64_t v, int64_t n, int width, bool wraps)
{
    int64_t highest = highest_of(width), lowest = -highest - 1;
    for (int64_t i = 0; i < n && i < 130 && v != 0; i++) {
        if (!wraps && (v == highest || v == lowest))
            return v;
        if (wraps)
            v = signed_of((uint64_t)v + (uint64_t)v, width);
        else
            v = v > highest / 2 ? highest : v < lowest / 2 ? lowest : v * 2;
    }
    return limited(v, width);
}

uint64_t lb_x_dropped(int64_t v, int64_t n)
{
    return n <= 0 ? 0 : (uint64_t)v % ((uint64_t)1 << (n < 63 ? n : 63));
}
