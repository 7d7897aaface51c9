/* Coverage as the results model has it: one record for each function that a run has reached. */
#ifndef LB_HARNESS_COVER_RESULTS_H
#define LB_HARNESS_COVER_RESULTS_H

#include "arena.h"
#include "cover_map.h"
#include "reports/results.h"

/* Fills the members of `info`; their memory comes from the arena. Functions without any point are
 * left out. */
void lb_cover_results(const lb_cover_map *map, lb_arena *arena, lb_run_info *info);

#endif
