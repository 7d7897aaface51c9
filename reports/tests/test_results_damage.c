/* results.json: what is damaged, cut or of another version is refused in words that say where;
 * nothing crashes. */
#include "results.h"
#include "support.h"

#include <cjson/cJSON.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = LASTBIT_BINARY_DIR "/test_results_damage.json";

/* Reads a file to its end or its first error; the error's text. */
static void read_all(const char *file, char *error, size_t error_bytes)
{
    error[0] = '\0';
    lb_results_reader *reader = lb_results_open(file, error, error_bytes);
    if (!reader) {
        assert_true(error[0] != '\0');
        return;
    }
    while (lb_results_next(reader, error, error_bytes)) {
    }
    char again[700];
    assert_null(lb_results_next(reader, again, sizeof again));
    assert_string_equal(again, error);
    lb_results_close(reader);
}

static const char small_run[] =
    "{\"format\":\"lastbit/results-1\",\n"
    "\"run\":{\"tool_version\":\"1\",\"started\":\"2031-01-01T00:00:00Z\",\"seconds\":1,\"port\":"
    "\"p\",\"shard_index\":"
    "1,"
    "\"shard_count\":1,\"profiles\":[\"up-full\"]},\n"
    "\"suites\":[\n{\"name\":\"s\",\"file\":\"f\",\"cases\":2}\n],\n"
    "\"tally\":{\"pass\":1,\"fail\":1,\"error\":0,\"skip\":0,\"waived\":0},\n"
    "\"results\":[\n"
    "{\"order\":0,\"suite\":\"s\",\"file\":\"f\",\"line\":1,\"id\":\"a\",\"function\":\"g\","
    "\"profile\":\"up-full\","
    "\"verdict\":\"pass\",\"exact\":\"agrees\",\"microseconds\":1.5,\"accumulator\":{\"acc_bits\":"
    "32,\"peak_low\":-1,"
    "\"peak_high\":\"9007199254740993\",\"peak_bits\":3,\"macs\":4,\"overflow\":\"none\"}},\n"
    "{\"order\":1,\"suite\":\"s\",\"file\":\"f\",\"line\":2,\"id\":\"b\",\"function\":\"g\","
    "\"profile\":\"up-full\","
    "\"verdict\":\"fail\",\"differences\":[{\"oracle\":\"exact\",\"what\":\"data\",\"count\":1,"
    "\"total\":2}],"
    "\"tolerances\":"
    "[{\"role\":\"out\",\"elements\":2,\"max_steps\":1,\"mean_steps\":null,\"rms_steps\":0.5}]}\n"
    "]}\n";

#define COVERAGE(members) "\"coverage\":[{\"function\":\"g\",\"points\":2," members "}],\"tally\""

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *said, *line;
    } cases[] = {
        {"results-1", "results-2", "this version reads", ":1: "},
        {"\"format\":\"lastbit/results-1\",", "", "\"format\" is missing", ":1: "},
        {"\"run\"", "\"ran\"", "\"run\" must be an object", ":1: "},
        {"\"port\":\"p\",", "", "\"port\" is missing", ":2: "},
        {"\"port\":\"p\"", "\"port\":5", "\"port\" must be a string", ":2: "},
        {"\"seconds\":1", "\"seconds\":\"1\"", "\"seconds\" must be a number", ":2: "},
        {"\"shard_index\":1", "\"shard_index\":2", "\"shard_index\" must lie", ":2: "},
        {"[\"up-full\"]", "[7]", "\"profiles\" must be a list of names", ":2: "},
        {"[\"up-full\"]", "7", "\"profiles\" must be a list of names", ":2: "},
        {"\"cases\":2}", "\"cases\":-2}", "\"suites\"[0]: \"cases\" must be a whole number",
         ":3: "},
        {"\"cases\":2}", "\"cases\":2},7", "\"suites\"[1]: must be an object", ":3: "},
        {"\"pass\":1,", "", "\"pass\" is missing", ":6: "},
        {"\"pass\":1,", "\"pass\":2,", "\"tally\" says 2 pass, but the file holds 1", ":10: "},
        {"\"order\":1", "\"order\":0", "\"order\" is 0 after 0, it must grow", ":9: "},
        {"\"order\":1", "\"order\":1.5", "\"order\" must be a whole number", ":9: "},
        {"\"order\":1", "\"order\":9007199254740994", "\"order\" must be a whole number", ":9: "},
        {"\"order\":1", "\"order\":\"18446744073709551616\"", "\"order\" must be a whole number",
         ":9: "},
        {"\"order\":1", "\"order\":\"-1\"", "\"order\" must be a whole number from 0", ":9: "},
        {"\"order\":1", "\"order\":\"\"", "\"order\" must be a whole number", ":9: "},
        {"\"order\":1", "\"order\":1,\"order\":2", "\"order\" stands there twice", ":9: "},
        {"\"id\":\"b\",", "", "result 2: \"id\" is missing", ":9: "},
        {"\"line\":2", "\"line\":4294967296", "\"line\" is too large", ":9: "},
        {"\"verdict\":\"fail\"", "\"verdict\":\"failed\"", "\"verdict\" must be pass, fail",
         ":9: "},
        {"\"verdict\":\"fail\"", "\"verdict\":1", "\"verdict\" must be a string", ":9: "},
        {"\"agrees\"", "\"agree\"", "\"exact\" must be none, agrees or differs", ":8: "},
        {"\"microseconds\":1.5", "\"microseconds\":\"fast\"",
         "\"microseconds\" must be a number or null", ":8: "},
        {"\"microseconds\":1.5", "\"microseconds\":1e999", "beyond the range", ":8: "},
        {"\"acc_bits\":32", "\"acc_bits\":-32", "\"acc_bits\" must be a number of bits", ":8: "},
        {"\"acc_bits\":32", "\"acc_bits\":99999", "\"acc_bits\" must be a number of bits", ":8: "},
        {"\"9007199254740993\"", "\"9223372036854775808\"", "\"peak_high\" is beyond its range",
         ":8: "},
        {"\"9007199254740993\"", "\"90 0\"", "\"peak_high\" must be a whole number", ":8: "},
        {"\"overflow\":\"none\"", "\"overflow\":\"some\"", "\"overflow\" must be none, transient",
         ":8: "},
        {"\"macs\":4,", "", "\"accumulator\": \"macs\" is missing", ":8: "},
        {"\"accumulator\":{", "\"accumulator\":7,\"x\":{", "\"accumulator\": must be an object",
         ":8: "},
        {"\"oracle\":\"exact\",", "", "\"differences\"[0]: \"oracle\" is missing", ":9: "},
        {"\"differences\":[", "\"differences\":[8,", "\"differences\"[0]: must be an object",
         ":9: "},
        {"\"differences\":[", "\"differences\":{},\"x\":[", "\"differences\" must be a list",
         ":9: "},
        {"\"elements\":2", "\"elements\":true",
         "\"tolerances\"[0]: \"elements\" must be a whole number", ":9: "},
        {"}},\n{", "}}\n{", "no comma", ":9: "},
        {"0.5}]}\n", "0.5}]},\n", "missing after the last comma", ":10: "},
        {"0.5}]}\n", "0.5}]} x\n", "not one whole result", ":9: "},
        {"\n]}\n", "\n]}\nx\n", "unexpected text after the results", ":11: "},
        {"\n]}\n", "\n],\"more\":1}\n", "unexpected text after the results", ":10: "},
        {"0.5}]}\n]}\n", "0.5}]}\n", "it was cut", ":9: "},
        {"0.5}]}\n]}\n", "0.5}]}\n]\n", "it was cut", ":10: "},
        {"0.5}]}\n]}\n", "0.5}", "not one whole result", ":9: "},
        {"\"tally\"", "\"coverage\":7,\"tally\"", "\"coverage\" must be a list", ":6: "},
        {"\"tally\"", COVERAGE("\"hit\":3"), "\"coverage\": \"hit\" and what", ":6: "},
        {"\"tally\"", COVERAGE("\"hit\":1,\"missed\":[\"x\",\"y\"]"), "are more than \"points\"",
         ":6: "},
        {"\"tally\"", COVERAGE("\"hit\":1,\"missed\":{\"x\":\"y\"}"), "\"missed\" must be a list",
         ":6: "},
        {"\"tally\"", COVERAGE("\"hit\":1,\"missed\":[1]"), "\"missed\" must be a list of names",
         ":6: "},
        {"\"tally\"", COVERAGE("\"hit\":1,\"unreachable\":[{}]"),
         "\"unreachable\"[0]: \"point\" is missing", ":6: "},
        {"\"tally\"", COVERAGE("\"hit\":1,\"unreachable\":{\"a\":1}"),
         "\"unreachable\" must be a list", ":6: "},
        {"\"tally\"", "\"lines\":[{\"room\":\"r\"}],\"tally\"",
         "\"lines\"[0]: \"lines\" is missing", ":6: "},
        {"\"tally\"", "\"speed\":[{\"row\":1}],\"tally\"", "\"speed\"[0]: \"row\" must be a string",
         ":6: "},
        {"\"id\":\"b\"", "\"id\":\"b\",\"map\":\"..1\",\"map_rows\":2,\"map_columns\":2",
         "\"map\" must have 4", ":9: "},
        {"\"id\":\"b\"", "\"id\":\"b\",\"map\":\"..x1\",\"map_rows\":2,\"map_columns\":2",
         "\"map\" must have 4", ":9: "},
        {"\"id\":\"b\"", "\"id\":\"b\",\"map\":\"1\"",
         "\"map_rows\" and \"map_columns\" must be 1 to 64", ":9: "},
        {"\"id\":\"b\"", "\"id\":\"b\",\"map_rows\":65,\"map_columns\":1", "must be 1 to 64",
         ":9: "},
        {"\"role\":\"out\"", "\"role\":\"out\",\"histogram\":[1,2]",
         "\"histogram\" must be a list of 13", ":9: "},
        {"\"role\":\"out\"", "\"role\":\"out\",\"histogram\":3",
         "\"histogram\" must be a list of 13", ":9: "},
        {"\"role\":\"out\"", "\"role\":\"out\",\"histogram\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
         "must be a list of 13", ":9: "},
        {"\"role\":\"out\"", "\"role\":\"out\",\"histogram\":[0,0,0,0,0,0,0,0,0,0,0,0,-1]",
         "must be a list of 13", ":9: "},
        {"\"suites\":[", "\"suites\":[[", "not valid JSON", ":"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[700];
        char *text = lb_test_replaced(small_run, cases[i].from, cases[i].to);
        lb_test_write(path, text, strlen(text));
        read_all(path, error, sizeof error);
        if (strcmp(text, small_run) == 0 || !strstr(error, cases[i].said) ||
            !strstr(error, cases[i].line) || strstr(error, path) != error) {
            fail_msg("%s -> %s\nsays: %s\nwanted: %s in line %s", cases[i].from, cases[i].to, error,
                     cases[i].said, cases[i].line);
        }
        free(text);
    }
}

static void test_the_small_run_is_good(void **state)
{
    (void)state;
    char error[700];
    lb_test_write(path, small_run, sizeof small_run - 1);
    read_all(path, error, sizeof error);
    assert_string_equal(error, "");
}

/* Unknown keys are those of a later version of the tool: they are left aside. */
static void test_unknown_keys(void **state)
{
    (void)state;
    char error[700];
    char *text = lb_test_replaced(small_run, "\"verdict\"", "\"mood\":{\"a\":[1]},\"verdict\"");
    lb_test_write(path, text, strlen(text));
    read_all(path, error, sizeof error);
    assert_string_equal(error, "");
    free(text);
}

static void test_too_many_entries(void **state)
{
    (void)state;
    char error[700];
    static const char one[] = "{\"oracle\":\"exact\",\"what\":\"data\",\"count\":1,\"total\":2}";
    char many[2000] = "";
    for (int i = 0; i <= LB_MAX_DIFFERENCES; i++)
        strcat(strcat(many, i == 0 ? "" : ","), one);
    char *text = lb_test_replaced(small_run, one, many);
    lb_test_write(path, text, strlen(text));
    read_all(path, error, sizeof error);
    assert_non_null(strstr(error, "\"differences\" has more than 8 entries"));
    free(text);
}

static void test_a_file_cut_anywhere(void **state)
{
    (void)state;
    char error[700];
    cJSON *document = cJSON_Parse(small_run);
    char *pretty = cJSON_Print(document);
    const char *forms[] = {small_run, pretty};
    for (int form = 0; form < 2; form++) {
        size_t whole =
            strlen(forms[form]) - (form == 0 ? 1 : 0); /* the last line end may be missing */
        for (size_t length = 0; length < whole; length++) {
            lb_test_write(path, forms[form], length);
            read_all(path, error, sizeof error);
            if (error[0] == '\0')
                fail_msg("cut to %zu bytes, and taken for whole", length);
            assert_ptr_equal(strstr(error, path), error);
        }
    }
    cJSON_free(pretty);
    cJSON_Delete(document);
}

static void test_a_file_damaged_anywhere(void **state)
{
    (void)state;
    static const char bytes[] = {'\0', '"', '\\', '{', ']', ',', '9', '\n', (char)0xff};
    char error[700];
    char text[sizeof small_run];
    size_t refused = 0, tried = 0;
    for (size_t at = 0; at < sizeof small_run - 1; at++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            memcpy(text, small_run, sizeof small_run);
            text[at] = bytes[i];
            lb_test_write(path, text, sizeof small_run - 1);
            read_all(path, error, sizeof error);
            refused += error[0] != '\0';
            tried++;
        }
    }
    print_message("%zu damaged files, %zu of them refused\n", tried, refused);
    assert_true(refused > tried / 2); /* the others changed a name or a figure */
}

static void test_what_is_no_file(void **state)
{
    (void)state;
    char error[700];
    read_all(LASTBIT_BINARY_DIR "/no/such/file.json", error, sizeof error);
    assert_non_null(strstr(error, "No such file"));
    read_all(LASTBIT_BINARY_DIR, error, sizeof error);
    assert_non_null(strstr(error, "directory"));
    lb_test_write(path, "", 0);
    read_all(path, error, sizeof error);
    assert_non_null(strstr(error, "is empty"));
    lb_test_write(path, "[]", 2);
    read_all(path, error, sizeof error);
    assert_non_null(strstr(error, "not a results file"));
    lb_test_write(path, "hello\n", 6);
    read_all(path, error, sizeof error);
    assert_non_null(strstr(error, ":1: not valid JSON"));
}

static int remove_files(void **state)
{
    (void)state;
    remove(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_the_small_run_is_good),
        cmocka_unit_test(test_unknown_keys),
        cmocka_unit_test(test_too_many_entries),
        cmocka_unit_test(test_a_file_cut_anywhere),
        cmocka_unit_test(test_a_file_damaged_anywhere),
        cmocka_unit_test(test_what_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
