/* A journal read as results: in order, each once, without the line that was cut; and what is
 * damaged is refused with its line. */
#include "journal_line.h"
#include "results.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = LASTBIT_BINARY_DIR "/test_journal_read.jsonl",
                  out[] = LASTBIT_BINARY_DIR "/test_journal_read.out";
static const char head[] =
    "{\"journal\":\"lastbit/"
    "journal-2\",\"tool\":\"0.1.0\",\"port\":\"p\",\"profiles\":[\"up-full\",\"up-reduced\","
    "\"convergent-full\",\"convergent-reduced\"],\"guard\":\"warn\",\"shard\":2,\"shards\":3,"
    "\"suites\":[{\"file\":"
    "\"vectors/standard/"
    "conv2d.yaml\",\"sha256\":\"00ff\"},{\"file\":\"other.yaml\",\"sha256\":\"11\"}]}\n";

enum { COUNT = 16 };

/* Results in the order in which workers finish, two of them twice, a line of coverage between, and
 * half a line at the end. */
static void write_journal(const char *ending)
{
    static const int turns[] = {3, 0, 1, 2, 9, 8, 15, 4, 5, 6, 7, 3, 14, 13, 12, 11, 10, 0};
    static char line[1 << 16];
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(head, file);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        lb_result result;
        lb_synthetic_text text;
        lb_synthetic_result(LB_SYNTHETIC_MIXED, (uint64_t)turns[i], &result, &text);
        result.file = "vectors/standard/conv2d.yaml";
        result.suite = "conv2d";
        assert_true(lb_result_to_json(&result, line, sizeof line) > 0);
        fprintf(file, "%s\n%s", line, i == 5 ? "{\"coverage\":{\"f\":[\"a\",\"b\"]}}\n" : "");
    }
    fputs(ending, file);
    assert_int_equal(fclose(file), 0);
}

static void test_order(void **state)
{
    (void)state;
    static const char *const endings[] = {"", "{\"order\":16,\"suite\":\"conv", "x"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char error[700] = "";
        write_journal(endings[i]);
        lb_results_reader *reader = lb_results_open(path, error, sizeof error);
        assert_non_null(reader);
        assert_true(lb_results_is_journal(reader));
        const lb_run_info *info = lb_results_info(reader);
        assert_string_equal(info->port, "p");
        assert_string_equal(info->tool_version, "0.1.0");
        assert_int_equal(info->profile_count, 4);
        assert_int_equal(info->shard_index, 2);
        assert_int_equal(info->shard_count, 3);
        assert_int_equal(info->suite_count, 2);
        assert_string_equal(info->suites[0].name, "conv2d");
        assert_string_equal(info->suites[0].sha256, "00ff");
        assert_int_equal(info->suites[0].cases, COUNT / 4);
        assert_string_equal(info->suites[1].name, "other.yaml");
        for (uint64_t order = 0; order < COUNT; order++) {
            const lb_result *result = lb_results_next(reader, error, sizeof error);
            assert_non_null(result);
            assert_true(result->order == order);
        }
        assert_null(lb_results_next(reader, error, sizeof error));
        assert_string_equal(error, ""); /* the tally fits */
        lb_results_close(reader);
    }
}

static void test_documents(void **state)
{
    (void)state;
    static char *const kinds[] = {"html", "junit", "markdown", "csv"};
    write_journal("");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(
            lb_test_command((char *[]){"report", kinds[i], (char *)path, "-o", "-", NULL}, out,
                            out),
            0);
    }
    size_t length;
    assert_int_equal(
        lb_test_command((char *[]){"report", "merge", (char *)path, "-o", "-", NULL}, out, out), 2);
    char *text = lb_test_read(out, &length);
    assert_non_null(strstr(text, "a journal, not results"));
    free(text);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"\"profiles\":[", "\"profiles\":{},\"x\":[", ":1: the journal's head has no profiles"},
        {"\"shard\":2", "\"shard\":4", ":1: \"shard\" is beyond"},
        {"\"suites\":[{", "\"suites\":[{{", ":1: the first line is no head"},
        {"{\"order\":3,", "{\"order\":3.5,", ":2: \"order\" must be a whole number"},
        {"{\"order\":1,", "\"order\":1,", ":4: a result must be an object"},
        {"{\"coverage\"", "{\"cover\"", "is missing"},
    };
    size_t length;
    write_journal("");
    char *text = lb_test_read(path, &length);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[700] = "";
        char *changed = lb_test_replaced(text, cases[i].from, cases[i].to);
        assert_true(strcmp(text, changed) != 0);
        lb_test_write(path, changed, strlen(changed));
        assert_null(lb_results_open(path, error, sizeof error));
        if (!strstr(error, cases[i].said) || strstr(error, path) != error)
            fail_msg("%s says: %s", cases[i].to, error);
        free(changed);
    }
    for (size_t cut = 0; cut < length;
         cut += 7) { /* nothing crashes, wherever a disk became full */
        char error[700];
        lb_test_write(path, text, cut);
        lb_results_close(lb_results_open(path, error, sizeof error));
    }
    free(text);
}

static int remove_files(void **state)
{
    (void)state;
    remove(out);
    return remove(path);
}

/* Journals of releases before journal-2: their sums are good, and they are journals. */
static void test_first_format(void **state)
{
    (void)state;
    static const char first[] = "{\"order\":7,\"verdict\":\"pass\"}\t1f62012a";
    char line[sizeof first], error[700] = "";
    assert_int_equal(lb_journal_line_check(first, sizeof first - 1),
                     sizeof first - 1 - LB_JOURNAL_SUM_BYTES);
    for (size_t i = 0; i < sizeof first - 1; i++) {
        memcpy(line, first, sizeof first);
        line[i] ^= 1;
        assert_int_equal(lb_journal_line_check(line, sizeof first - 1), 0);
    }
    write_journal("");
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)(strstr(head, "journal-2") - head) + 8, SEEK_SET), 0);
    assert_int_equal(fputc('1', file), '1');
    assert_int_equal(fclose(file), 0);
    lb_results_reader *reader = lb_results_open(path, error, sizeof error);
    assert_non_null(reader);
    assert_true(lb_results_is_journal(reader));
    lb_results_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_format), cmocka_unit_test(test_order),
        cmocka_unit_test(test_documents), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
