/* A diagnostic is one line that a terminal can be trusted with. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/suggest.h"
#include "harness/base/utf8.h"
#include "harness/json/problems.h"

#include <stdio.h>
#include <string.h>

static lb_diagnostic make(const char *file, unsigned line, unsigned column, const char *id,
                          const char *key, const char *problem, const char *remedy)
{
    lb_diagnostic d = {.line = line, .column = column};
    snprintf(d.file, sizeof d.file, "%s", file);
    snprintf(d.case_id, sizeof d.case_id, "%s", id);
    snprintf(d.key, sizeof d.key, "%s", key);
    snprintf(d.problem, sizeof d.problem, "%s", problem);
    snprintf(d.remedy, sizeof d.remedy, "%s", remedy);
    return d;
}

static void empty_parts_are_left_out(void **state)
{
    (void)state;
    char text[512];
    lb_diagnostic all = make("a.yaml", 3, 7, "c1", "inputs.in", "is bad", "be good");
    lb_diagnostic_format(&all, text, sizeof text);
    assert_string_equal(text, "a.yaml:3:7: case c1: inputs.in: is bad; be good");
    lb_diagnostic no_place = make("a.yaml", 0, 9, "", "", "is bad", "");
    lb_diagnostic_format(&no_place, text, sizeof text);
    assert_string_equal(text, "a.yaml: is bad");
    lb_diagnostic no_column = make("a.yaml", 3, 0, "", "k", "is bad", "");
    lb_diagnostic_format(&no_column, text, sizeof text);
    assert_string_equal(text, "a.yaml:3: k: is bad");
    lb_diagnostic no_file = make("", 0, 0, "c1", "", "is bad", "");
    lb_diagnostic_format(&no_file, text, sizeof text);
    assert_string_equal(text, "case c1: is bad");
}

static void control_bytes_are_escaped(void **state)
{
    (void)state;
    char text[512];
    lb_diagnostic d = make("a\n.json", 1, 1, "\x1B[2J\xC3\xA9", "\xFF\xC2\x9B",
                           "\xE2\x80\xAE"
                           "x",
                           "\t");
    lb_diagnostic_format(&d, text, sizeof text);
    assert_string_equal(
        text, "a\\x0A.json:1:1: case \\x1B[2J\xC3\xA9: \\xFF\\xC2\\x9B: \\xE2\\x80\\xAEx; \\x09");
}

static void a_short_buffer_holds_whole_characters(void **state)
{
    (void)state;
    char text[64];
    lb_diagnostic d = make("", 0, 0, "", "", "\xC3\xA9\xC3\xA9\xC3\xA9", "");
    for (size_t size = 1; size <= 8; size++) {
        memset(text, 'x', sizeof text);
        lb_diagnostic_format(&d, text, size);
        assert_int_equal(strlen(text), (size - 1) / 2 * 2 < 6 ? (size - 1) / 2 * 2 : 6);
        assert_int_equal(text[size], 'x');
    }
    lb_diagnostic_format(&d, text, 0);
}

static void count_only(void *user, const lb_diagnostic *diagnostic)
{
    (void)diagnostic;
    ++*(unsigned *)user;
}

static void a_file_reports_twenty_problems(void **state)
{
    (void)state;
    unsigned reported = 0;
    lb_diagnostics diagnostics = {.report = count_only, .user = &reported, .count = 100};
    lb_problems problems = {.diagnostics = &diagnostics, .file = "f"};
    for (int i = 0; i < 50; i++) {
        assert_int_equal(lb_problems_full(&problems), i >= 20);
        lb_problem(&problems, (lb_place){0}, "", "problem %d", i);
    }
    assert_int_equal(reported, 20);
    assert_int_equal(diagnostics.count, 120);
    lb_problems silent = {0};
    lb_problem(&silent, (lb_place){0}, "", "nobody listens");
    assert_int_equal(silent.found, 1);
}

static void misspelt_names_find_their_neighbour(void **state)
{
    (void)state;
    static const char *const names[] = {"shape", "scale", "data", "data_in", "axis", NULL};
    char text[64];
    assert_string_equal(lb_suggest("shpae", lb_name_in_array, names), "shape");
    assert_string_equal(lb_suggest("scales", lb_name_in_array, names), "scale");
    assert_string_equal(lb_suggest("dat_in", lb_name_in_array, names), "data_in");
    assert_null(lb_suggest("weights", lb_name_in_array, names));
    assert_null(lb_suggest("", lb_name_in_array, names));
    lb_suggest_text("axes", lb_name_in_array, names, text, sizeof text);
    assert_string_equal(text, "did you mean axis?");
    lb_suggest_text("weights", lb_name_in_array, names, text, sizeof text);
    assert_string_equal(text, "one of shape, scale, data, data_in, axis");
    lb_suggest_text("weights", lb_name_in_array, names, text, 26);
    assert_string_equal(text, "one of shape, scale, ...");
}

static void utf8_is_strict(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t good;
    } rows[] = {{"plain", 5},
                {"\xC3\xA9", 2},
                {"\xE2\x82\xAC", 3},
                {"\xF0\x9F\x98\x80", 4},
                {"\xF4\x8F\xBF\xBF", 4},
                {"\x80", 0},
                {"a\xC0\x80", 1},
                {"\xC1\xBF", 0},
                {"\xE0\x9F\xBF", 0},
                {"\xED\x9F\xBF", 3},
                {"\xED\xA0\x80", 0},
                {"\xEE\x80\x80", 3},
                {"\xF0\x8F\xBF\xBF", 0},
                {"\xF4\x90\x80\x80", 0},
                {"\xF5\x80\x80\x80", 0},
                {"ab\xE2\x82", 2},
                {"\xC3"
                 "x",
                 0},
                {"\xFF", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(lb_utf8_check(rows[i].bytes, strlen(rows[i].bytes)), rows[i].good);
    assert_true(lb_utf8_is_printable("a\xC3\xA9 b", 5));
    assert_false(lb_utf8_is_printable("", 0));
    assert_false(lb_utf8_is_printable("a\x7F", 2));
    assert_false(lb_utf8_is_printable("\xC2\x85", 2));
    assert_false(lb_utf8_is_printable("\xE2\x80\xAE", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_parts_are_left_out),
        cmocka_unit_test(control_bytes_are_escaped),
        cmocka_unit_test(a_short_buffer_holds_whole_characters),
        cmocka_unit_test(a_file_reports_twenty_problems),
        cmocka_unit_test(misspelt_names_find_their_neighbour),
        cmocka_unit_test(utf8_is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
