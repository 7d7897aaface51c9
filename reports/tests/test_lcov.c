/* Tracefiles of lcov: rooms and sums, and what is none is refused with its line. */
#include "lcov.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = LASTBIT_BINARY_DIR "/test_lcov.info";

static bool read_text(const char *text, lb_lcov *lcov, char error[400])
{
    error[0] = '\0';
    lb_test_write(path, text, strlen(text));
    return lb_lcov_read(lcov, path, "lcov/index.html", error, 400);
}

static void test_rooms(void **state)
{
    (void)state;
    lb_lcov lcov;
    char error[400];
    assert_true(read_text(
        "TN:\nSF:/a/b/impl/src/x.c\nFN:1,f\nDA:1,5\nLF:10\nLH:7\nBRF:4\nBRH:3\nend_of_record\n"
        "SF:/a/b/impl/y.c\r\nLF:20\r\nLH:20\r\nend_of_record\r\n"
        "SF:/a/b/reference/z.c\nLF:5\nLH:0\nend_of_record\n"
        "SF:/a/b/main.c\nLF:1\nLH:1\nend_of_record\n",
        &lcov, error));
    assert_int_equal(lcov.count, 3);
    assert_string_equal(lcov.list[0].room, "impl");
    assert_true(lcov.list[0].lines == 30 && lcov.list[0].lines_hit == 27);
    assert_true(lcov.list[0].branches == 4 && lcov.list[0].branches_hit == 3);
    assert_string_equal(lcov.list[0].link, "lcov/index.html");
    assert_string_equal(lcov.list[1].room, "reference");
    assert_true(lcov.list[1].lines == 5 && lcov.list[1].lines_hit == 0);
    assert_string_equal(lcov.list[2].room, "b");
    lb_lcov_free(&lcov);
    assert_true(read_text("SF:x.c\nLF:1\nLH:1\nend_of_record\n", &lcov, error));
    assert_int_equal(lcov.count, 1);
    assert_string_equal(lcov.list[0].room, ".");
    lb_lcov_free(&lcov);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"", "names no source"},
        {"{\"format\":1}\n", ":1: no tracefile"},
        {"SF:a\nLF:x\n", ":2: a count of lines"},
        {"SF:a\nLF:-1\n", ":2: a count of lines"},
        {"SF:a\nLF:99999999999999999999\n", ":2: a count of lines"},
        {"SF:a\nLF:1\nLH:2\nend_of_record\n", ":4: more lines"},
        {"SF:a\nLF:1\n", "the file ends within a record"},
        {"SF:a\nSF:b\n", ":2: a source begins"},
        {"end_of_record\n", ":1: a record ends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_lcov lcov;
        char error[400];
        bool good = read_text(cases[i].text, &lcov, error);
        lb_lcov_free(&lcov);
        if (good || !strstr(error, cases[i].said) || strstr(error, path) != error)
            fail_msg("%s says: %s", cases[i].text, error);
    }
    lb_lcov lcov;
    char error[400];
    assert_false(lb_lcov_read(&lcov, "no_such.info", "", error, sizeof error));
    assert_non_null(strstr(error, "no_such.info: No such file"));
    lb_lcov_free(&lcov);
}

static void test_in_the_report(void **state)
{
    (void)state;
    static const char base[] = LASTBIT_BINARY_DIR "/test_lcov",
                      results[] = LASTBIT_BINARY_DIR "/test_lcov.json";
    static const char page[] = LASTBIT_BINARY_DIR "/test_lcov.html",
                      out[] = LASTBIT_BINARY_DIR "/test_lcov.out";
    static const char text[] =
        "SF:/s/harness/a.c\nLF:8\nLH:6\nend_of_record\nSF:/s/ci/a.c\nLF:1\nLH:1\nend_of_record\n";
    size_t length;
    lb_test_write(path, text, strlen(text));
    lb_test_write_results(base, LB_SYNTHETIC_PASS, 40);
    assert_int_equal(
        lb_test_command((char *[]){"report", "html", (char *)results, "--lcov", (char *)path,
                                   "--lcov-link", "lcov/index.html", "-o", (char *)page, NULL},
                        out, out),
        0);
    char *html = lb_test_read(page, &length);
    assert_non_null(
        strstr(html, "<a rel=\"noreferrer\" href=\"lcov/index.html\"><code>harness</code></a>"));
    assert_non_null(strstr(html, "<td class=\"n\">75 %</td><td class=\"n\">6 of 8</td>"));
    assert_null(strstr(html, "5,188 of 5,210")); /* what the results say of lines */
    free(html);
    assert_int_equal(lb_test_command((char *[]){"report", "html", (char *)results, "--lcov",
                                                (char *)results, "-o", (char *)page, NULL},
                                     out, out),
                     2);
    remove(results);
    remove(page);
    remove(out);
}

static int remove_files(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rooms),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_in_the_report)};
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
