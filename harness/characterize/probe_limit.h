/* Sums that go past the limit of a width and come back to where they are results. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_LIMIT_H
#define LB_HARNESS_CHARACTERIZE_PROBE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/* What is asked for: a limit of a port that was found to saturate at every addition. */
typedef struct lb_probe_limits {
    int width;
    uint32_t lanes;  /* 1: none are kept apart */
    int factor_bits; /* of average pooling: each position is multiplied by 2^factor_bits */
} lb_probe_limits;

/* One sum of x[k] * w[k], tap after tap. */
typedef struct lb_limit_sum {
    int64_t highest; /* of the weights */
    uint32_t past;   /* so many taps go past the limit */
    int64_t sign;    /* 1: the lower limit, -1: the upper one */
    int64_t rest;    /* of the way back */
} lb_limit_sum;

/* Aims a sum: the weight of an input x that brings the rest of it nearest to 0, from `low` to
 * `high`. */
int64_t lb_aim_weight(int64_t *rest, int64_t x, int64_t low, int64_t high);
/* Taps with products up to `one` that pass the limit in every lane; 0: more than `most`. */
uint32_t lb_limit_taps(const lb_probe_limits *limits, int64_t one, uint32_t most);
/* The sum ends `beyond` above where a limit without a step off leaves 0. */
lb_limit_sum lb_limit_start(const lb_probe_limits *limits, int64_t highest, uint32_t past,
                            bool upper, int64_t beyond);
/* The weight of tap k, whose input is x > 0. */
int64_t lb_limit_weight(lb_limit_sum *sum, uint32_t k, int64_t x);

#endif
