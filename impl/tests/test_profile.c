/* Profiles and levels: names, refusals, what the environment says at start (in a process of its own
 * for each case: this program calls itself). */
#define _POSIX_C_SOURCE 200809L
#include "support.h"
#include <stdbool.h>

#include <stdlib.h>

static const char *program;

static void test_set_and_get(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(profiles); i++) {
        assert_int_equal(mli_ext_set_profile(profiles[i]), MLI_STATUS_OK);
        assert_string_equal(mli_ext_get_profile(), profiles[i]);
    }
    assert_int_equal(mli_ext_set_profile("up-reduced+avepool16"), MLI_STATUS_OK);
    assert_string_equal(mli_ext_get_profile(), "up-reduced+avepool16");
}

static void test_unknown_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(mli_ext_set_profile("convergent-full"), MLI_STATUS_OK);
    const char *const wrong[] = {"",           "up",       "UP-FULL",    "up-full ",
                                 "convergent", "up-full+", "+avepool16", NULL};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(mli_ext_set_profile(wrong[i]), MLI_STATUS_ARGUMENT_ERROR);
        assert_string_equal(mli_ext_get_profile(), "convergent-full");
    }
}

static void test_cpu(void **state)
{
    (void)state;
    const char *const level = mli_ext_get_cpu();
    assert_int_equal(mli_ext_set_cpu("no such level"), MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_ext_set_cpu(NULL), MLI_STATUS_ARGUMENT_ERROR);
    assert_string_equal(mli_ext_get_cpu(), level);
    assert_int_equal(mli_ext_set_cpu("portable"), MLI_STATUS_OK);
    assert_string_equal(mli_ext_get_cpu(), "portable");
    uint32_t count = 0;
    bool known = false;
    assert_string_equal(mli_ext_cpu_level(0), "portable");
    for (; mli_ext_cpu_level(count); count++) {
        assert_int_equal(mli_ext_set_cpu(mli_ext_cpu_level(count)), MLI_STATUS_OK);
        assert_string_equal(mli_ext_get_cpu(), mli_ext_cpu_level(count));
        known = known || strcmp(level, mli_ext_cpu_level(count)) == 0;
    }
    assert_true(known);
    assert_null(mli_ext_cpu_level(count + 1));
    assert_null(mli_ext_cpu_level(UINT32_MAX));
    assert_int_equal(mli_ext_set_cpu(level), MLI_STATUS_OK);
    assert_string_equal(mli_ext_get_cpu(), level);
}

static void test_version(void **state)
{
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(mli_ext_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

/* Runs this program as a child that prints what it sees; gives its output, standard error included.
 */
static void ask_child(const char *environment, char *answer, size_t size)
{
    char command[4096];
    snprintf(command, sizeof command, "%s '%s' child 2>&1", environment, program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t n = fread(answer, 1, size - 1, pipe);
    answer[n] = 0;
    assert_int_equal(pclose(pipe), 0);
}

static void test_environment(void **state)
{
    (void)state;
    char answer[1024];
    ask_child("env -u MLI_PROFILE MLI_CPU=portable", answer, sizeof answer);
    assert_string_equal(answer, "up-full portable\n");
    for (size_t i = 0; i < COUNT(profiles); i++) {
        char environment[64], expected[64];
        snprintf(environment, sizeof environment, "env MLI_CPU=portable MLI_PROFILE=%s",
                 profiles[i]);
        snprintf(expected, sizeof expected, "%s portable\n", profiles[i]);
        ask_child(environment, answer, sizeof answer);
        assert_string_equal(answer, expected);
    }
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void test_bad_environment(void **state)
{
    (void)state;
    char answer[1024];
    ask_child("env MLI_CPU=portable MLI_PROFILE=sideways", answer, sizeof answer);
    assert_non_null(strstr(answer, "sideways"));
    assert_non_null(strstr(answer, "up-full portable\n"));
    assert_int_equal(lines_of(answer), 2);
    ask_child("env -u MLI_PROFILE MLI_CPU=abacus", answer, sizeof answer);
    assert_non_null(strstr(answer, "abacus"));
    assert_int_equal(lines_of(answer), 2);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "child") == 0) {
        printf("%s ", mli_ext_get_profile());
        printf("%s\n", mli_ext_get_cpu());
        return 0;
    }
    program = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_get), cmocka_unit_test(test_unknown_changes_nothing),
        cmocka_unit_test(test_cpu),         cmocka_unit_test(test_version),
        cmocka_unit_test(test_environment), cmocka_unit_test(test_bad_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
