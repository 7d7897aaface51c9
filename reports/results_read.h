/* The pieces of a results file as JSON values; results_read.c puts the file around them. */
#ifndef LB_REPORTS_RESULTS_READ_H
#define LB_REPORTS_RESULTS_READ_H

#include "results.h"
#include "results_members.h"

#include <cjson/cJSON.h>

/* Reads one result object: a line of results.json or of a journal. Strings point into the object.
 * On failure gives false and the cause in error. */
bool lb_result_from_json(const cJSON *object, lb_result *result, char *error, size_t error_bytes);

/* Reads the list of objects at a key, at most max_count, each of element_bytes, into the array at
 * `first`; a key that is not there is an empty list. On failure gives false and the cause. */
bool lb_results_read_list(const cJSON *object, const char *key, const lb_members *members,
                          void *first, size_t element_bytes, unsigned max_count, unsigned *count,
                          char *error, size_t error_bytes);

/* What stands before the results. The lists are allocated, their strings point into the JSON value.
 */
typedef struct lb_results_head {
    lb_run_info info;
    lb_run_suite *suites;
    lb_run_file *files;
    lb_run_meta *meta;
    const char **profiles, **profile_files, **chosen[LB_CHOICE_LISTS];
    lb_coverage *coverage;
    const char **missed;         /* of all functions */
    lb_unreachable *unreachable; /* of all functions */
    lb_line_coverage *lines;
    lb_layer_drift *drift;
    lb_speed *speed;
    lb_found_fault *faults;
    lb_without_cause *without_cause;
    const char **fault_texts; /* facts and others of all faults */
    lb_tally tally;
} lb_results_head;

/* Reads the head from the whole object. On failure gives false and the cause; lb_results_head_free
 * either way. */
bool lb_results_head_read(const cJSON *object, lb_results_head *head, char *error,
                          size_t error_bytes);
void lb_results_head_free(lb_results_head *head);

#endif
