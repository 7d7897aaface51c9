/* How strong the suites of a run are, from what "lastbit vectors strength --json" has written. */
#ifndef LB_HARNESS_RUN_STRENGTH_FILE_H
#define LB_HARNESS_RUN_STRENGTH_FILE_H

#include "harness/run/run_plan.h"

typedef struct lb_strength_figures {
    uint64_t faults, caught; /* faults 0: not known */
    lb_level level;          /* of the cases that they were tried on */
} lb_strength_figures;

/* False, with a message: the file cannot be read, is none of that command, or speaks of other
 * suites than those of the plan. */
bool lb_strength_file_read(const char *command, const char *path, const lb_plan *plan,
                           lb_strength_figures *figures);

#endif
