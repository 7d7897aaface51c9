/* Probes of functions with weights: one output per channel, its taps in any geometry. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_WEIGHTED_H
#define LB_HARNESS_CHARACTERIZE_PROBE_WEIGHTED_H

#include "harness/characterize/probe.h"
#include "harness/characterize/probe_limit.h"
#include "harness/generate/random_build.h"

/* A dense tensor of the function for the role; but for results with room for its data. */
lb_case_tensor *lb_probe_operand(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape);

enum { LB_PROBE_PATTERNS = 10 };

/* Which way tap k goes: up, down, up and back, by chance (pattern 4), or to and fro in runs of
 * several lengths. */
int lb_probe_direction(unsigned pattern, uint32_t k, uint32_t taps, lb_build *b);

/* A sum that goes up by so many taps with the highest weight, and down by others; the rest add
 * nothing. It ends where it shows whether partial sums are kept apart: with about so many lanes
 * each of them passes the width, but their total does not. */
typedef struct lb_ramp {
    uint32_t up, down; /* 0: there are too few taps */
} lb_ramp;

/* `reach`: so many taps make the width. */
lb_ramp lb_probe_ramp(lb_build *b, uint32_t taps, double reach);
/* The way of the k-th product: 1, -1, 0. */
int lb_ramp_direction(const lb_ramp *ramp, uint32_t k);

/* Fills b->c. */
void lb_probe_weighted_result(lb_build *b);
void lb_probe_weighted_sum(lb_build *b, uint32_t taps);
/* Sums that go past the limit of a width in every lane, and come back to where each of them is a
 * result, so that results tell where the limit lies. False: this takes too many products. */
bool lb_probe_weighted_limit(lb_build *b, const lb_probe_limits *limits);

#endif
