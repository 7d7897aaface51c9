/* The arithmetic of replayed steps: written from numerics.md 3 alone, in another way than the
 * models' (doubling and halving in place of shifts), so that their agreement says something. All
 * values are int64_t. */
#ifndef LB_HARNESS_EXPLAIN_ARITH_H
#define LB_HARNESS_EXPLAIN_ARITH_H

#include <stdbool.h>
#include <stdint.h>

/* How the fraction of a right shift goes. */
typedef enum lb_cut { LB_CUT_FLOOR, LB_CUT_ZERO, LB_CUT_UP, LB_CUT_EVEN, LB_CUT_AWAY } lb_cut;

int64_t lb_x_highest(int width);
int64_t lb_x_limit(int64_t v, int width);
int64_t lb_x_wrap(int64_t v, int width);
/* Sum and difference, limited to the width (or, `wraps`, wrapped there). */
int64_t lb_x_sum(int64_t a, int64_t b, int width, bool wraps);
int64_t lb_x_difference(int64_t a, int64_t b, int width, bool wraps);
/* v doubled n times, n >= 0, limited to the width (or wrapped there). */
int64_t lb_x_doubled(int64_t v, int64_t n, int width, bool wraps);
/* v halved n times, n >= 0, cut in this way. */
int64_t lb_x_halved(int64_t v, int64_t n, lb_cut cut);
/* Redundant sign bits. */
int64_t lb_x_spare_bits(int64_t v, int width);
/* What n halvings of v drop, 0 <= n <= 63: v mod 2^n. */
uint64_t lb_x_dropped(int64_t v, int64_t n);

#endif
