/* Data that a suite describes instead of listing: element i is a function of the seed and of i
 * alone, the same on every machine. The definitions, with test values, stand in vectors/FORMAT.md;
 * what is here must agree with them to the last bit. */
#ifndef LB_HARNESS_SUITE_DATA_GENERATOR_H
#define LB_HARNESS_SUITE_DATA_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64 pseudo-random bits: output number `index` (from 0) of SplitMix64 whose state starts as `seed`.
 */
uint64_t lb_generate_word(uint64_t seed, uint64_t index);

/* floor(word * n / 2^64), for n up to 2^32: a number in 0 .. n-1. */
uint64_t lb_generate_below(uint64_t word, uint64_t n);

/* Container number i of "uniform" in low..high. */
int32_t lb_generate_uniform(uint64_t seed, uint64_t index, int32_t low, int32_t high);
/* The same for fp32: a real number in [low, high]. */
float lb_generate_uniform_real(uint64_t seed, uint64_t index, double low, double high);

/* Container number i of "ramp": start + i * step, wrapped into low..high (start lies inside). */
int32_t lb_generate_ramp(uint64_t index, int32_t start, int64_t step, int32_t low, int32_t high);
float lb_generate_ramp_real(uint64_t index, double start, double step);

/* Container number i of "unique": a permutation of low..high that the seed chooses; i must be less
 * than high - low + 1. */
int32_t lb_generate_unique(uint64_t seed, uint64_t index, int32_t low, int32_t high);

#endif
