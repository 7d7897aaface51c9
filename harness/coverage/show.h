/* Figures of coverage as people and programs read them. */
#ifndef LB_HARNESS_COVERAGE_SHOW_H
#define LB_HARNESS_COVERAGE_SHOW_H

#include "harness/coverage/map.h"

#include <stdio.h>

typedef struct lb_cover_view {
    const lb_cover_map *map;
    const bool *wanted; /* by function */
    lb_cover_figures totals;
    size_t functions; /* wanted */
} lb_cover_view;

lb_cover_view lb_cover_view_of(const lb_cover_map *map, const bool *wanted);
/* Share of the points that can be reached, in percent; 100 where there are none. Never 100 as long
 * as one is missed. */
double lb_cover_percent(const lb_cover_figures *figures);

/* A line for each function with cases, the points that it misses (and in which profiles, if not in
 * all that count), and sums. */
void lb_cover_print(const lb_cover_view *view, FILE *out);
/* Every point: function, name, rule, state, separated by tabs. */
void lb_cover_print_points(const lb_cover_view *view, FILE *out);

#endif
