/* Annotations, SARIF, TAP and GitLab's code quality: each failure once with its profiles, where its
 * case stands; strangers' strings end no command and begin none. */
#include "support.h"

#include <cjson/cJSON.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_render_annotations";

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("missing: %s", part);
}

static void test_commands(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *start, *part;
    } systems[] = {
        {"github", "::error file=vectors/standard/", ",title=mli_krn_"},
        {"azure", "##vso[task.logissue type=error;sourcepath=vectors/standard/", ";code=numbers]"},
        {"teamcity", "##teamcity[testStarted name='", "##teamcity[testFailed name='"}};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        size_t length;
        char *text = lb_test_render(base, systems[i].kind, LB_SYNTHETIC_FAILING, 400, &length);
        assert_int_equal(strncmp(text, systems[i].start, strlen(systems[i].start)), 0);
        assert_has(text, systems[i].part);
        assert_has(text, "more failures are not annotated");
        assert_has(text, "reproduce: lastbit run vectors/standard/");
        free(text);
        text = lb_test_render(base, systems[i].kind, LB_SYNTHETIC_PASS, 40, &length);
        assert_int_equal(length, 0);
        free(text);
    }
}

/* Every line that a system reads as a command is one of ours. */
static void test_hostile_commands(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"github", "::"}, {"azure", "##vso["}, {"teamcity", "##teamcity["}};
    for (size_t i = 0; i < 3; i++) {
        size_t length, lines = 0;
        char *text = lb_test_render(base, kinds[i][0], LB_SYNTHETIC_HOSTILE, 100, &length);
        for (char *line = text; *line != '\0'; line = strchr(line, '\n') + 1, lines++) {
            bool ours = strncmp(line, kinds[i][1], strlen(kinds[i][1])) == 0;
            assert_true(ours || strncmp(line, "lastbit: ", 9) == 0);
        }
        assert_true(lines > 0);
        for (const char *at = text; *at != '\0'; at++)
            assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        free(text);
    }
}

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_non_null(item);
    return item;
}

/* What SARIF 2.1.0 demands of the objects that are written (3.13, 3.14, 3.19, 3.27): no validation
 * against its whole schema. */
static void check_sarif(const char *text, int results)
{
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_string_equal(member(root, "version")->valuestring, "2.1.0");
    const cJSON *run = cJSON_GetArrayItem(member(root, "runs"), 0);
    const cJSON *driver = member(member(run, "tool"), "driver");
    assert_string_equal(member(driver, "name")->valuestring, "lastbit");
    int rules = cJSON_GetArraySize(member(driver, "rules"));
    const cJSON *result;
    assert_int_equal(cJSON_GetArraySize(member(run, "results")), results);
    cJSON_ArrayForEach(result, member(run, "results"))
    {
        int index = member(result, "ruleIndex")->valueint;
        assert_in_range(index, 0, rules - 1);
        assert_string_equal(
            member(cJSON_GetArrayItem(member(driver, "rules"), index), "id")->valuestring,
            member(result, "ruleId")->valuestring);
        assert_string_equal(member(result, "level")->valuestring, "error");
        assert_true(strlen(member(member(result, "message"), "text")->valuestring) > 0);
        const cJSON *place =
            member(cJSON_GetArrayItem(member(result, "locations"), 0), "physicalLocation");
        assert_true(member(member(place, "region"), "startLine")->valueint >= 1);
        const char *uri = member(member(place, "artifactLocation"), "uri")->valuestring;
        assert_int_equal(strspn(uri,
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/%"),
                         strlen(uri));
    }
    cJSON_Delete(root);
}

static void test_sarif(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "sarif", LB_SYNTHETIC_PASS, 40, &length);
    check_sarif(text, 0);
    free(text);
    text = lb_test_render(base, "sarif", LB_SYNTHETIC_HOSTILE, 100, &length);
    check_sarif(text, (int)lb_test_count(text, "\"ruleId\""));
    assert_true(lb_test_count(text, "\"ruleId\"") > 0);
    free(text);
}

static void test_gitlab(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "gitlab", LB_SYNTHETIC_FAILING, 200, &length);
    cJSON *list = cJSON_Parse(text);
    const cJSON *entry;
    assert_true(cJSON_IsArray(list) && cJSON_GetArraySize(list) >= 50);
    cJSON_ArrayForEach(entry, list)
    {
        assert_int_equal(strlen(member(entry, "fingerprint")->valuestring), 32);
        assert_true(member(member(member(entry, "location"), "lines"), "begin")->valueint > 0);
        assert_true(strlen(member(entry, "description")->valuestring) > 0);
        member(entry, "severity");
        member(entry, "check_name");
        member(member(entry, "location"), "path");
    }
    cJSON_Delete(list);
    free(text);
}

static void test_tap(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "tap", LB_SYNTHETIC_MIXED, 4800, &length);
    assert_int_equal(strncmp(text, "TAP version 14\n1..4800\n", 23), 0);
    assert_int_equal(lb_test_count(text, "\nok "), 4651 + 49);
    assert_int_equal(lb_test_count(text, "\nnot ok "), 76 + 7 + 17);
    assert_int_equal(lb_test_count(text, " # SKIP "), 49);
    assert_int_equal(lb_test_count(text, " # TO"
                                         "DO waived: "),
                     17);
    assert_int_equal(lb_test_count(text, "\n  ---\n"), 83);
    assert_int_equal(lb_test_count(text, "\n  ...\n"), 83);
    free(text);
    text = lb_test_render(base, "tap", LB_SYNTHETIC_HOSTILE, 100, &length);
    assert_int_equal(lb_test_count(text, "\nok ") + lb_test_count(text, "\nnot ok "), 100);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands), cmocka_unit_test(test_hostile_commands),
        cmocka_unit_test(test_sarif), cmocka_unit_test(test_gitlab), cmocka_unit_test(test_tap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
