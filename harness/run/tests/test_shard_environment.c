/* The shard that the environment asks for: every row of the table, first and last job, and what is
 * no shard. */
#include "harness/run/shard_environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
    const char *count, *index;
    const char *first, *last; /* what the first and the last of four jobs are called */
} systems[] = {
    {"TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX", "0", "3"},
    {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "0", "3"},
    {"CI_NODE_TOTAL", "CI_NODE_INDEX", "1", "4"},
    {"CIRCLE_NODE_TOTAL", "CIRCLE_NODE_INDEX", "0", "3"},
    {"BUILDKITE_PARALLEL_JOB_COUNT", "BUILDKITE_PARALLEL_JOB", "0", "3"},
    {"SEMAPHORE_JOB_COUNT", "SEMAPHORE_JOB_INDEX", "1", "4"},
};
enum { SYSTEMS = sizeof systems / sizeof *systems };

/* What the machine that runs the tests has set must not reach them. */
static int clear(void **state)
{
    (void)state;
    for (size_t i = 0; i < SYSTEMS; i++) {
        unsetenv(systems[i].count);
        unsetenv(systems[i].index);
    }
    unsetenv("TEST_SHARD_STATUS_FILE");
    return 0;
}

static void nothing_set_is_everything(void **state)
{
    (void)state;
    lb_shard shard = {9, 9, "?"};
    assert_true(lb_shard_from_environment("run", &shard));
    assert_int_equal(shard.index, 1);
    assert_int_equal(shard.count, 1);
    assert_null(shard.source);
}

static void every_system_counts_from_one(void **state)
{
    for (size_t i = 0; i < SYSTEMS; i++) {
        lb_shard shard;
        clear(state);
        setenv(systems[i].count, "4", 1);
        setenv(systems[i].index, systems[i].first, 1);
        assert_true(lb_shard_from_environment("run", &shard));
        assert_int_equal(shard.index, 1);
        assert_int_equal(shard.count, 4);
        assert_non_null(shard.source);
        setenv(systems[i].index, systems[i].last, 1);
        assert_true(lb_shard_from_environment("run", &shard));
        assert_int_equal(shard.index, 4);
    }
}

static void one_job_alone_is_everything(void **state)
{
    (void)state;
    lb_shard shard;
    setenv("CI_NODE_TOTAL", "1", 1);
    setenv("CI_NODE_INDEX", "3", 1); /* a job of a GitLab matrix */
    assert_true(lb_shard_from_environment("run", &shard));
    assert_int_equal(shard.count, 1);
    assert_null(shard.source);
}

static void no_shard_is_refused(void **state)
{
    static const char *const bad[][2] = {{"0", "0"}, {"x", "0"},  {"4", "4"},
                                         {"4", ""},  {"4", "-1"}, {"4", "1.5"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lb_shard shard;
        setenv("TEST_TOTAL_SHARDS", bad[i][0], 1);
        setenv("TEST_SHARD_INDEX", bad[i][1], 1);
        assert_false(lb_shard_from_environment("run", &shard));
    }
    lb_shard shard;
    setenv("TEST_TOTAL_SHARDS", "4", 1);
    unsetenv("TEST_SHARD_INDEX");
    assert_false(lb_shard_from_environment("run", &shard));
}

static void bazel_is_told_that_shards_are_known(void **state)
{
    (void)state;
    char path[] = "/tmp/lastbit-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
    lb_shard shard;
    setenv("TEST_TOTAL_SHARDS", "2", 1);
    setenv("TEST_SHARD_INDEX", "1", 1);
    setenv("TEST_SHARD_STATUS_FILE", path, 1);
    assert_true(lb_shard_from_environment("run", &shard));
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
    setenv("TEST_SHARD_STATUS_FILE", "/nowhere/at/all", 1);
    assert_false(lb_shard_from_environment("run", &shard));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_set_is_everything, clear),
        cmocka_unit_test_setup(every_system_counts_from_one, clear),
        cmocka_unit_test_setup(one_job_alone_is_everything, clear),
        cmocka_unit_test_setup(no_shard_is_refused, clear),
        cmocka_unit_test_setup(bazel_is_told_that_shards_are_known, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
