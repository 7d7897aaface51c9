/* The suites that vectors/FORMAT.md shows load, and its three forms of one suite are equal. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/tests/case_equal.h"
#include "harness/tests/suite_fixture.h"

enum { BLOCK_BYTES = 8192 };

/* The first fenced block of the language. */
static void read_block(const char *language, char text[BLOCK_BYTES])
{
    FILE *page = fopen(LASTBIT_SOURCE_DIR "/vectors/FORMAT.md", "r");
    char line[4096], fence[32];
    bool inside = false, done = false;
    assert_non_null(page);
    text[0] = '\0';
    snprintf(fence, sizeof fence, "```%s\n", language);
    while (!done && fgets(line, sizeof line, page)) {
        done = inside && strcmp(line, "```\n") == 0;
        if (inside && !done)
            strncat(text, line, BLOCK_BYTES - strlen(text) - 1);
        inside = inside || strcmp(line, fence) == 0;
    }
    fclose(page);
    assert_true(done);
}

/* The page breaks its line of a case off with "...": it goes on as the case of the JSON form, whose
 * lines are put on one. */
static void complete_lines(char text[BLOCK_BYTES])
{
    char json[BLOCK_BYTES];
    char *shown = strchr(text, '\n') + 1, *dots = strstr(shown, "...}");
    read_block("json", json);
    char *to = strstr(json, "{\"id\""), *from = to, *end = strstr(json, "\n]}");
    assert_non_null(dots);
    assert_true(to && end);
    const char *object = to;
    for (; from < end; from++)
        if (*from != '\n')
            *to++ = *from;
        else
            for (*to++ = ' '; from + 1 < end && from[1] == ' ';)
                from++;
    *to = '\0';
    assert_memory_equal(shown, object, (size_t)(dots - shown));
    snprintf(shown, BLOCK_BYTES - (size_t)(shown - text), "%s\n", object);
}

/* The first block of the language, as a file. */
static lb_suite *open_block(const char *language, const char *ending, char path[256])
{
    char text[BLOCK_BYTES];
    read_block(language, text);
    if (strcmp(language, "jsonl") == 0)
        complete_lines(text);
    write_file(path, ending, text, strlen(text));
    lb_suite *suite = open_file_or_print(path);
    assert_non_null(suite);
    return suite;
}

static void the_shown_suites_are_one(void **state)
{
    (void)state;
    static const char *const forms[3][2] = {
        {"yaml", ".yaml"}, {"json", ".json"}, {"jsonl", ".jsonl"}};
    char paths[3][256];
    lb_suite *suites[3];
    lb_suite_reader *readers[3];
    const lb_case *cases[3];
    for (int i = 0; i < 3; i++) {
        suites[i] = open_block(forms[i][0], forms[i][1], paths[i]);
        assert_int_equal(lb_suite_case_count(suites[i]), 1);
        assert_string_equal(lb_suite_name(suites[i]), "first");
        readers[i] = lb_suite_reader_open(suites[i]);
        cases[i] = lb_suite_reader_case(readers[i], 0, NULL);
        assert_non_null(cases[i]);
        assert_true(same_case(cases[0], cases[i]));
    }
    for (int i = 0; i < 3; i++) {
        lb_suite_reader_close(readers[i]);
        lb_suite_close(suites[i]);
        unlink(paths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_shown_suites_are_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
