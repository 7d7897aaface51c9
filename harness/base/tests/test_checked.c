/* Sums and products that fit or do not, at the ends of 64 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/checked.h"

static const int64_t ends[] = {
    INT64_MIN,
    INT64_MIN + 1,
    INT64_MIN / 2,
    INT64_MIN / 2 - 1,
    -3037000500,
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3037000499,
    3037000500,
    INT64_MAX / 2,
    INT64_MAX / 2 + 1,
    INT64_MAX - 1,
    INT64_MAX,
};
enum { ENDS = sizeof ends / sizeof *ends };

/* The upper 64 bits of a product of two magnitudes, by halves of 32 bits. */
static uint64_t upper_of(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), middle = (a >> 32) * (b & UINT32_MAX);
    uint64_t other = (a & UINT32_MAX) * (b >> 32);
    uint64_t carry = (low >> 32) + (middle & UINT32_MAX) + (other & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32) + (carry >> 32);
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static void products(void **state)
{
    (void)state;
    for (int i = 0; i < ENDS; i++)
        for (int k = 0; k < ENDS; k++) {
            uint64_t a = magnitude(ends[i]), b = magnitude(ends[k]), product = a * b;
            bool negative = (ends[i] < 0) != (ends[k] < 0);
            uint64_t most = (uint64_t)INT64_MAX + (negative ? 1 : 0);
            bool fits = upper_of(a, b) == 0 && product <= most;
            int64_t got = 7;
            assert_int_equal(lb_mul_fits(ends[i], ends[k], &got), fits);
            assert_true((uint64_t)got == (!fits ? 7 : negative ? 0 - product : product));
        }
}

static void sums(void **state)
{
    (void)state;
    for (int i = 0; i < ENDS; i++)
        for (int k = 0; k < ENDS; k++) {
            /* Halves do not overflow, and say on which side the sum lies. */
            int64_t a = ends[i], b = ends[k], half = a / 2 + b / 2 + (a % 2 + b % 2) / 2;
            int64_t rest = (a % 2 + b % 2) % 2, got = 7;
            bool fits = half < INT64_MAX / 2 + 1 && half > INT64_MIN / 2 - 1;
            fits = fits && !(half == INT64_MIN / 2 && rest < 0);
            assert_int_equal(lb_add_fits(a, b, &got), fits);
            assert_true((uint64_t)got == (fits ? (uint64_t)a + (uint64_t)b : 7));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
