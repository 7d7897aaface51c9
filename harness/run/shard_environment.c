/* The shard that the environment asks for: see shard_environment.h. */
#include "harness/run/shard_environment.h"
#include "harness/base/command_line.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_SHARDS = 1000000 };

/* One row per system: how many jobs there are, which one this is, and what the first is called. */
static const struct {
    const char *count, *index, *both;
    unsigned first;
} pairs[] = {
    {"TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX", "TEST_SHARD_INDEX, TEST_TOTAL_SHARDS", 0}, /* Bazel */
    {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_SHARD_INDEX, GTEST_TOTAL_SHARDS", 0},
    {"CI_NODE_TOTAL", "CI_NODE_INDEX", "CI_NODE_INDEX, CI_NODE_TOTAL", 1}, /* GitLab */
    {"CIRCLE_NODE_TOTAL", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_INDEX, CIRCLE_NODE_TOTAL", 0},
    {"BUILDKITE_PARALLEL_JOB_COUNT", "BUILDKITE_PARALLEL_JOB",
     "BUILDKITE_PARALLEL_JOB, BUILDKITE_PARALLEL_JOB_COUNT", 0},
    {"SEMAPHORE_JOB_COUNT", "SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_INDEX, SEMAPHORE_JOB_COUNT", 1},
};

/* Bazel takes a test that does not touch this file for one that knows nothing of shards, and
 * refuses to split it. */
static bool touch_status_file(const char *command)
{
    const char *path = getenv("TEST_SHARD_STATUS_FILE");
    if (!path || !*path)
        return true;
    FILE *file = fopen(path, "a");
    if (!file || fclose(file) != 0)
        return lb_usage_error(command, "TEST_SHARD_STATUS_FILE=%s: the file cannot be written",
                              path),
               false;
    return true;
}

static bool read_pair(const char *command, size_t pair, lb_shard *shard)
{
    const char *count_text = getenv(pairs[pair].count), *index_text = getenv(pairs[pair].index);
    unsigned long count = 0, index = 0;
    const unsigned long first = pairs[pair].first;
    if (!lb_parse_number(count_text, 1, MAX_SHARDS, &count))
        return lb_usage_error(
                   command,
                   "%s=%s: expected a number of shards, from 1 to %d (--shard I/N overrides it)",
                   pairs[pair].count, count_text, MAX_SHARDS),
               false;
    if (count == 1) /* one job alone; its number says nothing (GitLab sets it in every matrix) */
        return true;
    if (!index_text || !lb_parse_number(index_text, first, count - 1 + first, &index))
        return lb_usage_error(command,
                              "%s=%s: expected a number from %lu to %lu, as %s is %lu (--shard I/N "
                              "overrides it)",
                              pairs[pair].index, index_text ? index_text : "", first,
                              count - 1 + first, pairs[pair].count, count),
               false;
    *shard = (lb_shard){(unsigned)(index - first + 1), (unsigned)count, pairs[pair].both};
    return true;
}

bool lb_shard_from_environment(const char *command, lb_shard *shard)
{
    *shard = (lb_shard){1, 1, NULL};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *count = getenv(pairs[i].count);
        if (!count || !*count)
            continue;
        if (!read_pair(command, i, shard))
            return false;
        if (shard->source)
            return i != 0 || touch_status_file(command);
    }
    return true;
}
