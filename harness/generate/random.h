/* Random numbers for made-up cases: a seeded stream over the generator of suite/data_generator.h,
 * the same on every platform. */
#ifndef LB_HARNESS_GENERATE_RANDOM_H
#define LB_HARNESS_GENERATE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lb_random {
    uint64_t seed, next;
} lb_random;

/* A stream of its own for (seed, index). */
lb_random lb_random_start(uint64_t seed, uint64_t index);
uint64_t lb_random_bits(lb_random *random);
/* Uniform in [low, high]. */
int64_t lb_random_in(lb_random *random, int64_t low, int64_t high);
/* True once in `n` times. */
bool lb_random_once_in(lb_random *random, unsigned n);
/* One of the values of an array. */
#define LB_RANDOM_OF(random, array)                                                                \
    ((array)[lb_random_in((random), 0, (int64_t)(sizeof(array) / sizeof((array)[0])) - 1)])

#endif
