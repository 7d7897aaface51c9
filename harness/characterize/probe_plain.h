/* Probes of functions without weights: many elements in formats that bring results near the edges
 * where choices differ. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_PLAIN_H
#define LB_HARNESS_CHARACTERIZE_PROBE_PLAIN_H

#include "harness/characterize/probe.h"
#include "harness/characterize/probe_limit.h"
#include "harness/generate/random_build.h"

/* Fills b->c. False: the family has none. */
bool lb_probe_plain_result(lb_build *b);
/* Sums of so many terms (avepool, softmax, l2_normalize). */
bool lb_probe_plain_sum(lb_build *b, uint32_t terms);
/* Averages whose sums go past the limit and come back. False: there is no window for that. */
bool lb_probe_average_limit(lb_build *b, const lb_probe_limits *limits);

#endif
