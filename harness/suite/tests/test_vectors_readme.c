/* The suites that vectors/FORMAT.md shows load, and its three forms of one suite are equal. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/tests/case_equal.h"
#include "harness/tests/suite_fixture.h"

/* The first fenced block of the language, as a file. */
static lb_suite *open_block(const char *language, const char *ending, char path[256])
{
    FILE *page = fopen(LASTBIT_SOURCE_DIR "/vectors/FORMAT.md", "r");
    char line[4096], fence[32], text[8192] = "";
    bool inside = false, done = false;
    assert_non_null(page);
    snprintf(fence, sizeof fence, "```%s\n", language);
    while (!done && fgets(line, sizeof line, page)) {
        done = inside && strcmp(line, "```\n") == 0;
        if (inside && !done)
            strncat(text, line, sizeof text - strlen(text) - 1);
        inside = inside || strcmp(line, fence) == 0;
    }
    fclose(page);
    assert_true(done);
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
