/* Carrying out a plan: journal, workers, results, documents. */
#ifndef LB_HARNESS_RUN_EXECUTE_H
#define LB_HARNESS_RUN_EXECUTE_H

#include "harness/port/port.h"
#include "harness/run/run_options.h"

/* Tries the plan's cases on the port as the options say and tells the results. argc and argv are
 * the command as given, for the report. Gives the exit status: 0 all well, 1 a fail or error, 2
 * nothing matched or a foreign journal, 3 lastbit itself failed. */
int lb_execute(const lb_run_options *options, const lb_plan *plan, lb_port *port, int argc,
               char **argv);

#endif
