/* Every file beside the suites that decides about the verdicts of a run, with its digest. */
#ifndef LB_HARNESS_RUN_RUN_FILES_H
#define LB_HARNESS_RUN_RUN_FILES_H

#include "harness/run/run_plan.h"
#include "harness/run/tolerance_choice.h"
#include "reports/results.h"

typedef struct lb_run_files {
    lb_run_file *list;
    size_t count, room;
    lb_arena arena; /* of its texts */
} lb_run_files;

/* Files that the suites name, platform profiles, tolerance policies, waivers (NULL: none), and
 * those of the port. False: one cannot be read; message on standard error. */
bool lb_run_files_gather(lb_run_files *files, const lb_plan *plan, const lb_policies *policies,
                         const char *waiver_path, const char *port_name);
/* The digest of the port, where it is one file; "" else. */
const char *lb_run_files_port(const lb_run_files *files);
void lb_run_files_free(lb_run_files *files);

/* Are the suites and the files still what they were at the start? Else each that is not is told. */
bool lb_run_files_unchanged(const lb_run_files *files, const lb_plan *plan);

#endif
