/* Sums and products of 64 bits that say whether they fit. */
#ifndef LB_HARNESS_BASE_CHECKED_H
#define LB_HARNESS_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* False: the sum does not fit, and *sum stays. */
static inline bool lb_add_fits(int64_t a, int64_t b, int64_t *sum)
{
    bool fits = b > 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b;
    if (fits)
        *sum = a + b;
    return fits;
}

/* False: the product does not fit, and *product stays. */
static inline bool lb_mul_fits(int64_t a, int64_t b, int64_t *product)
{
    bool fits = a == 0 || b == 0;
    if (a > 0 && b != 0)
        fits = b > 0 ? a <= INT64_MAX / b : b >= INT64_MIN / a;
    if (a < 0 && b != 0)
        fits = b > 0 ? a >= INT64_MIN / b : b >= INT64_MAX / a;
    if (fits)
        *product = a * b;
    return fits;
}

#endif
