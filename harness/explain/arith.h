/* Exact sums, differences and shifts of 64 bits, limited to a width: what a step would give if its
 * width were another one. In another way than the models' (doubling in place of shifts). */
#ifndef LB_HARNESS_EXPLAIN_ARITH_H
#define LB_HARNESS_EXPLAIN_ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* Sum and difference, limited to the width (or, `wraps`, wrapped there). */
int64_t lb_x_sum(int64_t a, int64_t b, int width, bool wraps);
int64_t lb_x_difference(int64_t a, int64_t b, int width, bool wraps);
/* v doubled n times, n >= 0, limited to the width (or wrapped there). */
int64_t lb_x_doubled(int64_t v, int64_t n, int width, bool wraps);
/* What n halvings of v drop, 0 <= n <= 63: v mod 2^n. */
uint64_t lb_x_dropped(int64_t v, int64_t n);

#endif
