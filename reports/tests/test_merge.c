/* `lastbit report merge`: shards become the run that they are parts of, and what does not belong
 * together is refused. */
#define _XOPEN_SOURCE 700

#include "results.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { COUNT = 3200, SHARDS = 3 };

#define FOLDER LASTBIT_BINARY_DIR "/test_merge"
static char *const shard_paths[] = {FOLDER "/1.json", FOLDER "/2.json", FOLDER "/3.json"};
static const char whole[] = FOLDER "/whole.json", merged[] = FOLDER "/merged.json",
                  edited[] = FOLDER "/edited.json";
static const char out_text[] = FOLDER "/stdout", err_text[] = FOLDER "/stderr";

#define RUN(...)                                                                                   \
    lb_test_command((char *[]){"report", "merge", "-o", (char *)merged, __VA_ARGS__, NULL},        \
                    out_text, err_text)

static void assert_says(const char *part)
{
    size_t length;
    char *text = lb_test_read(err_text, &length);
    if (!strstr(text, part))
        fail_msg("missing \"%s\" in: %s", part, text);
    free(text);
}

static void write_shard(const char *path, uint64_t count, unsigned index, unsigned shards)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(lb_synthetic_write_shard(file, LB_SYNTHETIC_MIXED, count, index, shards));
    assert_int_equal(fclose(file), 0);
}

/* From the line that opens the results on. */
static const char *results_of(const char *text)
{
    const char *results = strstr(text, "\"tally\":");
    assert_non_null(results);
    return results;
}

static void test_shards_make_the_run(void **state)
{
    (void)state;
    size_t length;
    assert_int_equal(RUN(shard_paths[2], shard_paths[0], shard_paths[1]), 0);
    char *one = lb_test_read(whole, &length), *other = lb_test_read(merged, &length);
    assert_string_equal(results_of(one), results_of(other));
    char error[700];
    lb_results_reader *reader = lb_results_open(merged, error, sizeof error);
    assert_non_null(reader);
    const lb_run_info *info = lb_results_info(reader);
    assert_int_equal(info->shard_index, 1);
    assert_int_equal(info->shard_count, 1);
    assert_string_equal(info->command, "lastbit run vectors/standard");
    assert_string_equal(info->host, "Linux 6.1 x86_64, 16 threads");
    assert_true(info->seconds > 0.479 && info->seconds < 0.481); /* of three shards, 0.16 each */
    assert_int_equal(info->speed_count, 30);
    lb_results_close(reader);
    free(one);
    free(other);
}

/* The second shard came by other points than the first: covered is what any of them came by. */
static void test_coverage_unites(void **state)
{
    (void)state;
    size_t length;
    char error[700];
    char *text = lb_test_read(shard_paths[1], &length);
    char *changed = lb_test_replaced(
        text,
        "\"points\":32,\"hit\":28,\"missed\":[\"relu6\",\"stride_width>1\",\"padding.left\","
        "\"dilation\"]",
        "\"points\":32,\"hit\":30,\"missed\":[\"dilation\",\"one_element\"]");
    assert_true(strcmp(text, changed) != 0);
    lb_test_write(edited, changed, strlen(changed));
    assert_int_equal(RUN(shard_paths[0], (char *)edited, shard_paths[2]), 0);
    lb_results_reader *reader = lb_results_open(merged, error, sizeof error);
    assert_non_null(reader);
    /* By name, whatever the order in which the shards had them. */
    const lb_run_info *united = lb_results_info(reader);
    for (size_t i = 1; i < united->coverage_count; i++)
        assert_true(strcmp(united->coverage[i - 1].function, united->coverage[i].function) < 0);
    const lb_coverage *coverage = united->coverage, *end = coverage + united->coverage_count;
    while (coverage < end &&
           (coverage->missed_count != 1 || strcmp(coverage->missed[0], "dilation") != 0))
        coverage++;
    assert_true(coverage < end);
    assert_int_equal(coverage->points, 32);
    assert_int_equal(coverage->hit, 31);
    assert_int_equal(coverage->missed_count, 1);
    assert_string_equal(coverage->missed[0], "dilation");
    lb_results_close(reader);
    free(text);
    free(changed);
}

static void test_parts_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"\"tool_version\":\"0.1.0\"", "\"tool_version\":\"0.2.0\"",
         "the lastbit version is \"0.2.0\", but \"0.1.0\" in"},
        {"\"port\":\"./libacme_mli.so\"", "\"port\":\"builtin\"", "the port is \"builtin\""},
        {"release 3.1", "release 3.2", "description of the port"},
        {"[\"up-full\",", "[\"up-x\",", "profiles"},
        {"\"name\":\"pooling\"", "\"name\":\"pool\"", "suite \"pool\""},
        {"\"name\":\"conv2d\",\"file\":\"vectors/standard/conv2d.yaml\",\"sha256\":\"9f86",
         "\"name\":\"conv2d\",\"file\":\"f\",\"sha256\":\"0000",
         "suite \"conv2d\" (100 cases, SHA-256 0000"},
        {"{\"name\":\"conv2d\",\"file\"",
         "{\"name\":\"more\",\"file\":\"f\",\"cases\":0},\n{\"name\":\"conv2d\",\"file\"",
         "ran 9 suites"},
        {"\"shard_count\":3", "\"shard_count\":4", "is one of 4 shards"},
        {"\"shard_index\":2", "\"shard_index\":3", "shard 3 of 3 is already there"},
        {"\"points\":32,\"hit\":28", "\"points\":33,\"hit\":29",
         "33 points of coverage, but 32 in"},
        {"\"order\":4,", "\"order\":3,", "(order 3) is there twice"},
        {"\"order\":5,", "\"order\":\"5\",", ""},
    };
    size_t length;
    char *text = lb_test_read(shard_paths[1], &length);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *changed = lb_test_replaced(text, cases[i].from, cases[i].to);
        assert_true(strcmp(text, changed) != 0);
        lb_test_write(edited, changed, strlen(changed));
        remove(merged);
        int status = RUN(shard_paths[0], (char *)edited, shard_paths[2]);
        assert_int_equal(status, cases[i].said[0] == '\0' ? 0 : 2);
        assert_says(cases[i].said);
        if (status != 0) {
            assert_says("edited.json");
            assert_int_equal(access(merged, F_OK), -1);
        }
        free(changed);
    }
    free(text);
}

/* A shard that has lost one result, with its tally made to fit. */
static void test_holes(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_read(shard_paths[1], &length);
    char *line = strstr(text, "{\"order\":18,"), *next = strstr(text, "{\"order\":19,");
    assert_true(line && next && strstr(line, "\"verdict\":\"pass\"") < next);
    memmove(line, next, strlen(next) + 1);
    char *number = strstr(text, "\"tally\":{\"pass\":");
    unsigned long pass = strtoul(number + 16, NULL, 10);
    char from[60], to[60];
    snprintf(from, sizeof from, "\"tally\":{\"pass\":%lu,", pass);
    snprintf(to, sizeof to, "\"tally\":{\"pass\":%lu,", pass - 1);
    char *changed = lb_test_replaced(text, from, to);
    lb_test_write(edited, changed, strlen(changed));
    assert_int_equal(RUN(shard_paths[0], (char *)edited, shard_paths[2]), 2);
    assert_says("edited.json: a result is missing: of case 5 of suite \"conv2d\" in profile "
                "convergent-full (order 18)");
    assert_int_equal(RUN(shard_paths[0], shard_paths[2]), 2);
    assert_says("of 3 shards 1 is missing: 2");
    assert_int_equal(RUN(shard_paths[0]), 2);
    assert_says("of 3 shards 2 are missing: 2, 3");
    assert_int_equal(RUN(shard_paths[0], shard_paths[1], shard_paths[2], shard_paths[1]), 2);
    assert_says("shard 2 of 3 is already there");
    free(text);
    free(changed);
}

static void test_bad_usage(void **state)
{
    (void)state;
    char *none[] = {"report", "merge", (char *)shard_paths[0], NULL};
    assert_int_equal(lb_test_command(none, out_text, err_text), 2);
    assert_says("where to?");
    char *no_files[] = {"report", "merge", "-o", "x", NULL};
    assert_int_equal(lb_test_command(no_files, out_text, err_text), 2);
    assert_says("no A.json given");
    assert_int_equal(RUN(shard_paths[0], "no_such.json"), 2);
    assert_says("no_such.json: No such file");
    assert_int_equal(RUN("--help"), 0);
}

/* Memory does not grow with the results: 40,000 of them may not take more than a few MB over what
 * 3,200 took. */
static void test_memory(void **state)
{
    (void)state;
    struct rusage before, after;
    static char *const large[] = {FOLDER "/large1.json", FOLDER "/large2.json"};
    write_shard(large[0], 32000, 1, 2);
    write_shard(large[1], 32000, 2, 2);
    assert_int_equal(RUN(shard_paths[0], shard_paths[1], shard_paths[2]), 0);
    getrusage(RUSAGE_CHILDREN, &before);
    assert_int_equal(RUN(large[0], large[1]), 0);
    getrusage(RUSAGE_CHILDREN, &after);
    print_message("32,000 results: %ld KB more than for 3,200\n",
                  after.ru_maxrss - before.ru_maxrss);
    struct stat there;
    assert_int_equal(stat(merged, &there), 0);
    /* sanitizers keep what was freed */
    assert_true(!LB_TEST_MEASURED ||
                after.ru_maxrss - before.ru_maxrss < (long)there.st_size / 1024 / 2);
    remove(large[0]);
    remove(large[1]);
}

static int make_folder(void **state)
{
    (void)state;
    mkdir(FOLDER, 0777);
    write_shard(whole, COUNT, 1, 1);
    for (unsigned i = 0; i < SHARDS; i++)
        write_shard(shard_paths[i], COUNT, i + 1, SHARDS);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const files[] = {shard_paths[0], shard_paths[1], shard_paths[2], whole,
                                 merged,         edited,         out_text,       err_text};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(files[i]);
    return remove(FOLDER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shards_make_the_run),
        cmocka_unit_test(test_coverage_unites),
        cmocka_unit_test(test_parts_that_do_not_fit),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_bad_usage),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
