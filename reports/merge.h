/* Results of shards put together into those of one run. */
#ifndef LB_REPORTS_MERGE_H
#define LB_REPORTS_MERGE_H

#include "doc.h"
#include "names.h"
#include "results.h"

/* One of the files to be merged. */
typedef struct lb_merge_part {
    const char *path;
    lb_results_reader *reader;
    const lb_run_info *info;
    const lb_result *next; /* NULL: read to its end */
} lb_merge_part;

/* Merges the results files of all shards of one run into out_path ("-": standard output), in memory
 * that does not grow with the number of results. Refused, with the files that it concerns: holes,
 * doubles, other versions, ports, profiles or suites. 0 done; 2 refused; 3 cannot write; message on
 * standard error. */
int lb_merge_files(char *const *paths, size_t count, const char *out_path);

/* ---- The head of the merged file (merge_head.c) ---- */

typedef struct lb_merge_head {
    lb_run_info info;
    lb_tally tally;
    char *host, *host_compiler;
    lb_coverage *coverage;
    const char **missed; /* of all functions */
    lb_names functions;
    lb_speed *speed;
    lb_found_fault *faults;
    lb_without_cause *without_cause;
} lb_merge_head;

/* Whether the parts are shards of one run, all of them and each once. False: the cause in error. */
bool lb_merge_check(const lb_merge_part *parts, size_t count, char *error, size_t error_bytes);
/* What the parts say together; the strings of the parts are borrowed. lb_merge_head_free either
 * way. */
bool lb_merge_head_make(lb_merge_head *head, const lb_merge_part *parts, size_t count, char *error,
                        size_t error_bytes);
void lb_merge_head_free(lb_merge_head *head);

#endif
