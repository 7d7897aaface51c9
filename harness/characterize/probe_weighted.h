/* Probes of functions with weights: one output per channel, its taps in any geometry. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_WEIGHTED_H
#define LB_HARNESS_CHARACTERIZE_PROBE_WEIGHTED_H

#include "harness/characterize/probe.h"
#include "harness/generate/random_build.h"

enum { LB_PROBE_PATTERNS = 10 };

/* Which way tap k goes: up, down, up and back, by chance (pattern 4), or to and fro in runs of
 * several lengths. */
int lb_probe_direction(unsigned pattern, uint32_t k, uint32_t taps, lb_build *b);

/* Fills b->c. */
void lb_probe_weighted_result(lb_build *b);
void lb_probe_weighted_sum(lb_build *b, uint32_t taps);

#endif
