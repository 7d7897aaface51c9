/* Coverage as the results model has it: one record for each function that a run has reached. */
#ifndef LB_HARNESS_COVERAGE_RESULTS_H
#define LB_HARNESS_COVERAGE_RESULTS_H

#include "harness/base/arena.h"
#include "harness/coverage/map.h"
#include "reports/results.h"

/* Fills the members of `info`; their memory comes from the arena. Functions without any point are
 * left out. */
void lb_cover_results(const lb_cover_map *map, lb_arena *arena, lb_run_info *info);

#endif
