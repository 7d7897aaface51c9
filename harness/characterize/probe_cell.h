/* Probes of recurrent cells whose gates' sums pass the widths of accumulators. */
#ifndef LB_HARNESS_CHARACTERIZE_PROBE_CELL_H
#define LB_HARNESS_CHARACTERIZE_PROBE_CELL_H

#include "harness/characterize/probe.h"
#include "harness/characterize/probe_limit.h"
#include "harness/generate/random_build.h"

/* Fills b->c: one frame of so many inputs. */
void lb_probe_cell_sum(lb_build *b, uint32_t taps);
/* The same, with small sums in formats that show roundings. */
void lb_probe_cell_result(lb_build *b);
/* One frame; of each unit the sum of one gate goes past the limit and comes back. False: this takes
 * too many inputs. */
bool lb_probe_cell_limit(lb_build *b, const lb_probe_limits *limits);

#endif
