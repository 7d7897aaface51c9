/* The implementation on every recorded case of vectors/litert/recorded, in both profiles:
 * outputs, bytes beside every buffer, inputs that must stay. Nothing is left out; what has no
 * expectation in a profile is undefined there (litert.1.5, litert.21.1), is called all the same,
 * and is counted apart. */
#include "recorded.h"

/* Of litert.21: README.md of the recordings. */
enum { ALL_CASES = 4279, ALL_UNDEFINED = 11, MOST_MESSAGES = 20 };

typedef struct tally {
    int cases, same, different, undefined;
} tally;

static tally total;

/* What is expected in a profile; NULL: nothing, the case is undefined there. */
static const cJSON *expectation(const cJSON *line, const char *profile)
{
    const cJSON *entry_of, *name;
    cJSON_ArrayForEach(entry_of, cJSON_GetObjectItemCaseSensitive(line, "expect"))
        cJSON_ArrayForEach(name,
                           cJSON_GetObjectItemCaseSensitive(
                               entry_of, "profiles")) if (strcmp(cJSON_GetStringValue(name),
                                                                 profile) == 0) return entry_of;
    return NULL;
}

static bool outputs_are(test_case *c, const cJSON *expected, char *why, size_t why_bytes)
{
    const cJSON *outputs = cJSON_GetObjectItemCaseSensitive(expected, "outputs");
    for (int i = 0; i < c->outputs; i++) {
        size_t count;
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(outputs, c->output[i].role);
        int64_t *wanted = values_of(list, &count);
        bool same = list && output_is(&c->output[i], wanted, count, why, why_bytes);
        free(wanted);
        if (!same)
            return false;
    }
    return true;
}

static bool results_are(const test_case *c, const cJSON *expected, char *why, size_t why_bytes)
{
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(expected, "config"), *item;
    if (cJSON_GetArraySize(config) != c->results) {
        snprintf(why, why_bytes, "%d keys, expected %d", c->results, cJSON_GetArraySize(config));
        return false;
    }
    cJSON_ArrayForEach(item, config)
    {
        const entry *e = find_entry(c->result, c->results, item->string);
        if (!e || e->number != item->valuedouble) {
            snprintf(why, why_bytes, "%s: expected %.0f, got %.0f", item->string, item->valuedouble,
                     e ? e->number : 0);
            return false;
        }
    }
    return true;
}

/* One call: false, and why, if something is wrong. Nothing is expected: only memory is looked at.
 */
static bool run_once(test_case *c, lb_litert_profile profile, const cJSON *expected,
                     size_t guard_bytes, char *why, size_t why_bytes)
{
    lb_litert_context ctx = {profile};
    c->results = 0;
    make_buffers(c, guard_bytes);
    lb_litert_status status = call_case(c, &ctx);
    bool right = buffers_are_kept(c, guard_bytes, why, why_bytes);
    if (right && expected && status != LB_LITERT_SUCCESS) {
        snprintf(why, why_bytes, "status %d", (int)status);
        right = false;
    } else if (right && expected) {
        right = c->outputs > 0 ? outputs_are(c, expected, why, why_bytes)
                               : results_are(c, expected, why, why_bytes);
    }
    release_buffers(c);
    return right;
}

/* With bytes on both sides, and with none, where a sanitizer sees every access beside a tensor. */
static void run_in_profile(const char *file, const cJSON *line, test_case *c, int profile)
{
    char why[256] = "";
    const cJSON *expected = expectation(line, profile_names[profile]);
    bool right = run_once(c, (lb_litert_profile)profile, expected, GUARD_BYTES, why, sizeof why) &&
                 run_once(c, (lb_litert_profile)profile, expected, 0, why, sizeof why);
    total.undefined += !expected;
    total.same += right && expected;
    total.different += !right;
    if (!right && total.different <= MOST_MESSAGES)
        print_error("%s: %s [%s]: %s\n", file, text_of(line, "id"), profile_names[profile], why);
}

static void run_case(const char *file, const cJSON *line, test_case *c)
{
    total.cases++;
    for (int p = 0; p < 2; p++)
        run_in_profile(file, line, c, p);
}

static void test_recorded(void **state)
{
    (void)state;
    visit_recorded(run_case);
    print_message("%d cases in 2 profiles: %d the same, %d different, %d undefined\n", total.cases,
                  total.same, total.different, total.undefined);
    assert_int_equal(total.cases, ALL_CASES);
    assert_int_equal(total.undefined, ALL_UNDEFINED);
    assert_int_equal(total.same, 2 * ALL_CASES - ALL_UNDEFINED);
    assert_int_equal(total.different, 0);
}

/* A wrong element, a wrong key, a byte behind the output are found: the test can fail. */
static void test_what_is_wrong_is_found(void **state)
{
    static const char *const wrong[] = {
        "{\"id\":\"(on "
        "purpose)\",\"function\":\"litert_relu6_s8\",\"config\":{\"zero\":0,\"six\":5}"
        ",\"inputs\":{\"in\":{\"type\":\"s8\",\"shape\":[2],\"data\":[3,9]}},\"outputs\":{\"out\":{"
        "\"type\":\"s8\",\"shape\":[2]}},\"expect\":[{\"profiles\":[\"litert-double\"],\"outputs\":"
        "{\"out\":[3,6]}}]}",
        "{\"id\":\"(on "
        "purpose)\",\"function\":\"litert_prepare_multiplier\",\"config\":{\"real\":1}"
        ",\"expect\":[{\"profiles\":[\"litert-double\"],\"config\":{\"multiplier\":1,\"shift\":1}}]"
        "}"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        tally before = total;
        visit_line("(on purpose)", wrong[i], run_case);
        assert_int_equal(total.different, before.different + 1);
        assert_int_equal(total.undefined, before.undefined + 1);
        total = before;
    }
    char why[128];
    tensor t = {.role = "out", .bits = 8, .count = 3};
    make_buffer(&t, GUARD_BYTES);
    assert_true(buffer_is_kept(&t, GUARD_BYTES, why, sizeof why));
    ((int8_t *)t.data)[3] = 0;
    assert_false(buffer_is_kept(&t, GUARD_BYTES, why, sizeof why));
    assert_string_equal(why, "a byte behind out is overwritten");
    free(t.block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_what_is_wrong_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
