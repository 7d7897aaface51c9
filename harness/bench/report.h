/* A report of a benchmark: results.json without results, whose head has the speeds, and documents
 * of it. */
#ifndef LB_HARNESS_BENCH_REPORT_H
#define LB_HARNESS_BENCH_REPORT_H

#include "harness/port/port.h"
#include "reports/results.h"

/* Writes results.json, report.html and summary.md to the folder, which is made. argc and argv: the
 * command as given. False: message on standard error. */
bool lb_bench_report(const char *folder, const lb_port *port, const lb_profile *profile,
                     const lb_speed *speed, size_t count, int argc, char **argv);

#endif
