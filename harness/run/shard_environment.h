/* The shard that the environment asks for: what Bazel and CI systems set for jobs that run side by
 * side. */
#ifndef LB_HARNESS_RUN_SHARD_ENVIRONMENT_H
#define LB_HARNESS_RUN_SHARD_ENVIRONMENT_H

#include <stdbool.h>

/* A shard as "--shard INDEX/COUNT" means it: 1 <= index <= count. */
typedef struct lb_shard {
    unsigned index, count;
    const char *source; /* names of the variables that said so, for messages; NULL: none did, and
                           the shard is 1/1 */
} lb_shard;

/* Reads the first pair of the table of shard_environment.c that is set (one job alone counts as not
 * set), and touches Bazel's TEST_SHARD_STATUS_FILE. False: a pair is set to what is no shard; a
 * message for `command` is on standard error. */
bool lb_shard_from_environment(const char *command, lb_shard *shard);

#endif
