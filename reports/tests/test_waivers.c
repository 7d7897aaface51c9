/* Waivers: what they match, until when, and what becomes of results that are stored. */
#include "support.h"
#include "waivers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_waivers";
static const char path[] = LASTBIT_BINARY_DIR "/test_waivers.json";

static lb_waiver waiver_for(const char *case_pattern, const char *port, const char *profile)
{
    return (lb_waiver){.line = 7,
                       .case_pattern = case_pattern,
                       .port = port,
                       .profile = profile,
                       .owner = "dsp-team",
                       .reason = "rounding",
                       .link = "",
                       .expires = "2031-12-31",
                       .words = "dsp-team: rounding, until 2031-12-31"};
}

static lb_result failure(lb_verdict verdict)
{
    return (lb_result){.id = "conv2d.a1",
                       .profile = "up-full",
                       .verdict = verdict,
                       .reason = "one element differs"};
}

static void test_matching(void **state)
{
    (void)state;
    static const struct {
        const char *case_pattern, *port, *profile;
        bool match;
    } cases[] = {
        {"conv2d.a1", "*", "*", true},    {"conv2d.*", "lib*", "up-*", true},
        {"conv2d.a[12]", "*", "*", true}, {"conv2d", "*", "*", false},
        {"*", "other.so", "*", false},    {"*", "*", "convergent-*", false},
        {"CONV2D.A1", "*", "*", false},   {"*", "lib.so", "up-full", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_waiver waiver = waiver_for(cases[i].case_pattern, cases[i].port, cases[i].profile);
        lb_waivers waivers = {"w.yaml", &waiver, 1};
        lb_result result = failure(LB_FAIL);
        lb_waivers_apply(&waivers, "lib.so", &result);
        assert_int_equal(result.verdict, cases[i].match ? LB_WAIVED : LB_FAIL);
        assert_true(waiver.used == cases[i].match);
        if (cases[i].match) {
            assert_string_equal(result.waiver, waiver.words);
            assert_string_equal(result.was, "fail");
            assert_string_equal(result.reason, "one element differs");
        }
    }
}

static void test_what_is_waived(void **state)
{
    (void)state;
    lb_waiver list[] = {waiver_for("*", "*", "*"), waiver_for("conv*", "*", "*")};
    lb_waivers waivers = {"w.yaml", list, 2};
    static const lb_verdict verdicts[] = {LB_PASS, LB_SKIP, LB_ERROR, LB_WAIVED};
    static const lb_verdict wanted[] = {LB_PASS, LB_SKIP, LB_WAIVED, LB_WAIVED};
    static const uint64_t used[] = {0, 0, 1, 2};
    for (size_t i = 0; i < 4; i++) {
        lb_result result = failure(verdicts[i]);
        lb_waivers_apply(&waivers, "lib.so", &result);
        assert_int_equal(result.verdict, wanted[i]);
        assert_true(list[0].used == used[i] && list[1].used == used[i]);
    }
}

static void test_dates(void **state)
{
    (void)state;
    static const char *const good[] = {"2031-12-31", "2024-02-29", "2000-02-29", "2031-01-01"};
    static const char *const bad[] = {"2031-02-29", "1900-02-29",  "2031-13-01", "2031-00-01",
                                      "2031-01-00", "2031-04-31",  "2031-1-1",   "31-12-2031",
                                      "2031/12/31", "2031-12-311", "",           "never",
                                      "2031-12-3x"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(lb_waiver_date_is_good(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(lb_waiver_date_is_good(bad[i]));
    lb_waiver waiver = waiver_for("*", "*", "*");
    assert_false(lb_waiver_has_expired(&waiver, "2031-12-31"));
    assert_true(lb_waiver_has_expired(&waiver, "2032-01-01"));
    char today[11];
    lb_waiver_today(today);
    assert_true(lb_waiver_date_is_good(today));
    assert_true(strcmp(today, "2024-01-01") > 0);
}

static void test_unused(void **state)
{
    (void)state;
    static const char *const profiles[] = {"up-full"};
    lb_run_info info = {.command = "lastbit run vectors",
                        .port = "lib.so",
                        .profile_count = 1,
                        .profiles = profiles,
                        .shard_index = 1,
                        .shard_count = 1};
    lb_waiver list[] = {waiver_for("a", "*", "*"), waiver_for("b", "other", "*"),
                        waiver_for("c", "*", "convergent-*"), waiver_for("d", "*", "*")};
    lb_waivers waivers = {"w.yaml", list, 4};
    list[3].used = 1;
    assert_int_equal(lb_waivers_tell_unused(&waivers, &info),
                     1); /* the port and the profile of two were not tried */
    static const char *const patterns[] = {"x"};
    info.chosen.cases = (lb_words){1, patterns}; /* what was not chosen may need a waiver */
    assert_int_equal(lb_waivers_tell_unused(&waivers, &info), 0);
    info.chosen.cases.count = 0;
    info.coverage_level = "smoke";
    assert_int_equal(lb_waivers_tell_unused(&waivers, &info), 0);
    info.coverage_level = "deep";
    assert_int_equal(lb_waivers_tell_unused(&waivers, &info), 1);
    info.shard_count = 2;
    assert_int_equal(lb_waivers_tell_unused(&waivers, &info), 0);
}

static void test_stored_results(void **state)
{
    (void)state;
    char error[700] = "";
    enum { COUNT = 4800 };
    lb_test_write_results(base, LB_SYNTHETIC_MIXED, COUNT);
    lb_waiver waiver = waiver_for("conv2d_fx16.*", "./lib*", "*");
    lb_waivers waivers = {"w.yaml", &waiver, 1};
    lb_results_reader *reader = lb_waivers_open(&waivers, path, error, sizeof error);
    assert_non_null(reader);
    uint64_t count = 0, changed = 0;
    const lb_result *result;
    while ((result = lb_results_next(reader, error, sizeof error)) != NULL) {
        lb_result before;
        lb_synthetic_text text;
        lb_synthetic_result(LB_SYNTHETIC_MIXED, count++, &before, &text);
        bool failed = before.verdict == LB_FAIL || before.verdict == LB_ERROR;
        bool match = strncmp(before.id, "conv2d_fx16.", 12) == 0;
        assert_int_equal(result->verdict, failed && match ? LB_WAIVED : before.verdict);
        if (failed && match) {
            changed++;
            assert_string_equal(result->waiver, waiver.words);
            assert_string_equal(result->was, lb_verdict_name(before.verdict));
            assert_int_equal(result->difference_count, before.difference_count);
        }
    }
    assert_string_equal(error, ""); /* the tally in the head is the new one */
    assert_true(count == COUNT && changed > 0);
    assert_true(waiver.used >= changed);
    lb_results_close(reader);

    waiver = waiver_for("no_such_case", "*", "*");
    assert_null(lb_waivers_open(&waivers, path, error, sizeof error));
    assert_non_null(strstr(error, "w.yaml: 1 unused waiver for these results"));
    assert_null(lb_waivers_open(&waivers, "no_such_file", error, sizeof error));
}

static int remove_files(void **state)
{
    (void)state;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matching),       cmocka_unit_test(test_what_is_waived),
        cmocka_unit_test(test_dates),          cmocka_unit_test(test_unused),
        cmocka_unit_test(test_stored_results),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
