/* JSON Lines are read in any order, twice the same, and never after the file has changed. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/tests/suite_fixture.h"

#include <sys/resource.h>
#include <sys/stat.h>

#define HEADER "{\"format\":\"lastbit/cases-1\",\"suite\":\"lines\"}\n"
#define CASE                                                                                       \
    "{\"id\":\"%s%d\",\"function\":\"mli_krn_relu_fx8\",\"config\":{\"type\":\"gen\"},"            \
    "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":4,\"data\":[1,%d]}},"        \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":4}}}\n"

enum { COUNT = 1000 };

/* A file of COUNT cases called c0, c1 ...; what follows the last line is `end`. */
static void write_lines(char path[256], const char *end)
{
    char *text = malloc(COUNT * 400 + strlen(end));
    assert_non_null(text);
    char *to = text + sprintf(text, "%s", HEADER);
    for (int i = 0; i < COUNT; i++)
        to += sprintf(to, CASE, "c", i, i % 100);
    to += sprintf(to, "%s", end);
    write_file(path, ".jsonl", text, (size_t)(to - text));
    free(text);
}

static void check_case(lb_suite_reader *reader, size_t index)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char id[32];
    const lb_case *c = lb_suite_reader_case(reader, index, &diagnostics);
    assert_non_null(c);
    snprintf(id, sizeof id, "c%zu", index);
    assert_string_equal(c->id, id);
    assert_int_equal(c->line, index + 2);
    assert_int_equal(c->operand[LB_ROLE_IN].tensors[0].data.items[1], index % 100);
}

static void any_case_can_be_read(void **state)
{
    (void)state;
    char path[256];
    static const size_t order[] = {0,   1,   2,   999, 0,   64, 63,  65,  128, 127,
                                   500, 501, 563, 564, 628, 1,  998, 999, 999};
    write_lines(path, "\n  \r\n\n");
    lb_suite *suite = open_file_or_print(path);
    assert_non_null(suite);
    assert_int_equal(lb_suite_case_count(suite), COUNT);
    assert_string_equal(lb_suite_path(suite), path);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_suite_reader *second = lb_suite_reader_open(suite);
    for (size_t i = 0; i < COUNT; i++)
        check_case(reader, i);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        check_case(reader, order[i]);
        check_case(second, COUNT - 1 - i); /* readers do not disturb each other */
    }
    lb_suite_reader_close(reader);
    lb_suite_reader_close(second);
    lb_suite_close(suite);
    unlink(path);
}

static void the_last_line_feed_may_be_missing(void **state)
{
    (void)state;
    char path[256];
    write_lines(path, "");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 1), 0);
    lb_suite *suite = open_file_or_print(path);
    assert_non_null(suite);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    check_case(reader, COUNT - 1);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    unlink(path);
}

static void the_digest_is_of_the_file(void **state)
{
    (void)state;
    /* digests by coreutils, sha256sum */
    static reports found;
    static const char text[] = HEADER;
    const char *digest = "6814036ac1127993588f8210044fff68c13887b47cd9b7f794f8381712dc672b";
    lb_suite *lines = open_bytes(".jsonl", text, sizeof text - 1, &found);
    assert_non_null(lines);
    assert_int_equal(strlen(lb_suite_sha256(lines)), 64);
    assert_memory_equal(lb_suite_sha256(lines), digest, strlen(digest));
    static const char json[] = "{\"format\":\"lastbit/cases-1\",\"suite\":\"lines\",\"cases\":[]}";
    const char *json_digest = "9562f5d8e1e33d1eb9dcd50b27d9b31f427111ae2d0e30e32b6724bcc7610074";
    lb_suite *whole = open_bytes(".json", json, sizeof json - 1, &found);
    assert_non_null(whole);
    assert_memory_equal(lb_suite_sha256(whole), json_digest, strlen(json_digest));
    lb_suite_close(lines);
    lb_suite_close(whole);
}

static void doubles_are_found_across_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        int number;
        unsigned line;
    } doubles[] = {{"c", 0, 2}, {"c", 63, 65}, {"c", 64, 66}, {"c", 999, 1001}};
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        static reports found;
        char path[256], end[512], problem[64];
        lb_diagnostics diagnostics = {.report = note_report, .user = &found};
        found.count = 0;
        snprintf(end, sizeof end, CASE, doubles[i].id, doubles[i].number, 1);
        write_lines(path, end);
        assert_null(lb_suite_open(path, &diagnostics));
        assert_int_equal(found.count, 1);
        assert_int_equal(found.items[0].line, COUNT + 2);
        assert_int_equal(found.items[0].column, 7);
        snprintf(problem, sizeof problem, "the case on line %u has this id", doubles[i].line);
        assert_string_equal(found.items[0].problem, problem);
        unlink(path);
    }
}

static void a_changed_file_is_noticed(void **state)
{
    (void)state;
    char path[256];
    static reports found;
    lb_diagnostics diagnostics = {.report = note_report, .user = &found};
    found.count = 0;
    write_lines(path, "");
    lb_suite *suite = open_file_or_print(path);
    assert_non_null(suite);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    check_case(reader, 0);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_true(fputs("{}\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_null(lb_suite_reader_case(reader, 500, &diagnostics));
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].problem, "the file changed since it was checked");
    lb_suite_reader *late = lb_suite_reader_open(suite);
    assert_null(lb_suite_reader_case(late, 0, &diagnostics));
    assert_null(lb_suite_reader_case(late, COUNT, &diagnostics));
    assert_int_equal(found.count, 3);
    lb_suite_reader_close(late);
    unlink(path);
    late = lb_suite_reader_open(suite);
    assert_null(lb_suite_reader_case(late, 0, &diagnostics));
    lb_suite_reader_close(late);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
}

/* Peak memory of this process so far. */
static long peak_kib(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* ---- Cases above the level that is wanted ---- */

#define TAGGED "{\"id\":\"%s\",\"tags\":[\"%s\"],\"function\":\"mli_krn_relu_fx8\"%s}\n"

/* What opening the lines for a level finds: the number of problems, 0 with the suite in *suite. */
static size_t open_for(lb_level most, const char *lines, char path[256], lb_suite **suite)
{
    char text[4096];
    size_t room = 1 << 20;
    lb_diagnostics diagnostics = {0};
    const int length = snprintf(text, sizeof text, "%s%s", HEADER, lines);
    assert_true(length > 0 && (size_t)length < sizeof text);
    write_file(path, ".jsonl", text, (size_t)length);
    *suite = lb_suite_open_kept(path, &room, most, &diagnostics);
    assert_int_equal(!*suite, diagnostics.count > 0);
    return diagnostics.count;
}

static void expect_problems(size_t at_smoke, size_t at_all, const char *lines)
{
    char path[256];
    lb_suite *suite;
    assert_int_equal(open_for(LB_LEVEL_SMOKE, lines, path, &suite), at_smoke);
    lb_suite_close(suite);
    unlink(path);
    assert_int_equal(open_for(LB_LEVEL_DEEP, lines, path, &suite), at_all);
    lb_suite_close(suite);
    unlink(path);
}

static void cases_above_the_level_are_not_decoded(void **state)
{
    (void)state;
    char path[256], lines[4096];
    lb_suite *suite;
    lb_diagnostics diagnostics = {0};
    snprintf(lines, sizeof lines, CASE TAGGED CASE, "c", 0, 0, "above", "deep", ",\"inputs\":3",
             "c", 2, 2);
    assert_int_equal(open_for(LB_LEVEL_STANDARD, lines, path, &suite), 0);
    assert_int_equal(lb_suite_case_count(suite), 3);
    assert_false(lb_suite_case_is_above(suite, 0, LB_LEVEL_STANDARD));
    assert_true(lb_suite_case_is_above(suite, 1, LB_LEVEL_STANDARD));
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    check_case(reader, 0);
    check_case(reader, 2);
    assert_int_equal(diagnostics.count, 0);
    assert_null(lb_suite_reader_case(reader, 1, &diagnostics)); /* told when somebody reads it */
    assert_int_not_equal(diagnostics.count, 0);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    unlink(path);
}

static void what_is_left_out_is_looked_at(void **state)
{
    (void)state;
    char lines[4096];
    snprintf(lines, sizeof lines, CASE CASE, "c", 0, 0, "c", 0, 1); /* both above smoke */
    expect_problems(1, 1, lines);
    snprintf(lines, sizeof lines, TAGGED, "a", "deep", ",\"inputs\":");
    expect_problems(1, 1, lines);
    snprintf(lines, sizeof lines, TAGGED, "a", "deep", ",\"inpust\":{}");
    expect_problems(4, 4, lines); /* the key, and three that are missing */
    snprintf(lines, sizeof lines, "{\"id\":\"a\",\"tags\":[\"deep\"],\"function\":\"mli_krn\"}\n");
    expect_problems(1, 1, lines);
}

static void memory_does_not_grow_with_the_file(void **state)
{
    (void)state;
    char path[256];
    enum { MANY = 100000 };
    write_file(path, ".jsonl", HEADER, strlen(HEADER));
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    for (int i = 0; i < MANY; i++)
        fprintf(file, CASE, "c", i, i % 100);
    assert_int_equal(fclose(file), 0);
    long before = peak_kib();
    lb_suite *suite = open_file_or_print(path);
    assert_non_null(suite);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    for (size_t i = 0; i < MANY; i += 1000)
        check_case(reader, i);
    lb_suite_reader_close(reader);
    assert_int_equal(lb_suite_case_count(suite), MANY);
    lb_suite_close(suite);
    unlink(path);
    assert_true(peak_kib() - before <
                32 * 1024); /* the file has 24 MB; sanitizers keep much of what is freed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_case_can_be_read),
        cmocka_unit_test(the_last_line_feed_may_be_missing),
        cmocka_unit_test(the_digest_is_of_the_file),
        cmocka_unit_test(doubles_are_found_across_blocks),
        cmocka_unit_test(a_changed_file_is_noticed),
        cmocka_unit_test(cases_above_the_level_are_not_decoded),
        cmocka_unit_test(what_is_left_out_is_looked_at),
        cmocka_unit_test(memory_does_not_grow_with_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
