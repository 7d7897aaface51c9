/* Line and branch coverage of the rooms, from a tracefile of lcov (ci/coverage makes one), for the
 * head of results.json. */
#ifndef LB_HARNESS_RUN_LINE_COVERAGE_H
#define LB_HARNESS_RUN_LINE_COVERAGE_H

#include "reports/results.h"

enum { LB_MAX_ROOMS = 4 };

/* Adds up the files of each room; a file belongs to the room whose folder is the last in its path.
 * Gives the number of rooms that have lines, or -1 with a message on standard error: the file
 * cannot be read, or is no tracefile. */
int lb_lines_read(const char *path, lb_line_coverage rooms[LB_MAX_ROOMS]);

#endif
