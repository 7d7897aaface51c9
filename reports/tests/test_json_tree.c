/* Trees made in one pass are cJSON's, to the last bit of a number, and what is not plainly JSON is
 * declined. */
#include "json_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static cJSON *make(const char *text, lb_json_room *room, bool is_scanned)
{
    const lb_json_source source = {.text = text,
                                   .length = strlen(text),
                                   .most_depth = 3,
                                   .is_scanned = is_scanned,
                                   .allocate = lb_json_room_take,
                                   .user = room};
    size_t end = 0;
    lb_json_room_reset(room);
    cJSON *root = lb_json_tree_make(&source, &end);
    return root && end == strlen(text) ? root : NULL;
}

static void assert_as_cjson(const char *text, lb_json_room *room)
{
    cJSON *expected = cJSON_Parse(text), *got = make(text, room, true);
    assert_non_null(expected);
    assert_non_null(got);
    if (cJSON_IsNumber(expected)) {
        assert_memory_equal(&expected->valuedouble, &got->valuedouble, sizeof(double));
        assert_int_equal(expected->valueint, got->valueint);
    } else {
        assert_true(cJSON_Compare(expected, got, true));
    }
    char *was = cJSON_PrintUnformatted(expected), *is = cJSON_PrintUnformatted(got);
    assert_string_equal(was, is);
    cJSON_free(was);
    cJSON_free(is);
    cJSON_Delete(expected);
}

static void test_like_cjson(void **state)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        "{\"a\":[1,2,{\"b\":null}],\"c\":true,\"d\":false,\"\":\"\"}",
        "[ 1 , -2 ]",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00x\"",
        "\"\xc3\xa9\"",
        "0",
        "-0",
        "1e0",
        "0e999",
        "0.1",
        "1E+2",
        "9007199254740993",
        "0.30000000000000004",
        "2147483648",
        "-2147483649",
        "1e22",
        "1e23",
        "123456789012345e-22",
        "999999999999999e22",
        "1e-400",
        "1e400",
        "5e-324",
        "0.000000000000000000000001",
        "1.7976931348623157e308"};
    lb_json_room room = {NULL};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_as_cjson(texts[i], &room);
    lb_json_room_free(&room);
}

/* Decimals of every length, so that the short way and strtod both take part. */
static void test_numbers(void **state)
{
    lb_json_room room = {NULL};
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int digits = (int)(seed >> 60) + 1, exponent = (int)(seed >> 32 & 63) - 32;
        unsigned long long mantissa = seed % 1000000000000000000u;
        for (int d = 18; d > digits; d--)
            mantissa /= 10;
        if (i % 3 == 0)
            snprintf(text, sizeof text, "%llu", mantissa);
        else
            snprintf(text, sizeof text, "-%llu.%llue%d", mantissa % 1000, mantissa, exponent);
        assert_as_cjson(text, &room);
    }
    lb_json_room_free(&room);
}

static void test_declines(void **state)
{
    static const char *const texts[] = {
        "",
        "nul",
        "truex",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "1e+",
        "+1",
        "NaN",
        "[1,]",
        "[1 2]",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "[",
        "{",
        "\"",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "\"\t\"",
        "[1] x",
        "[[[[1]]]]",
        "0.1234567890123456789012345678901234567890123456789012345678901234"};
    lb_json_room room = {NULL};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_null(make(texts[i], &room, true));
        assert_null(make(texts[i], &room, false));
    }
    assert_non_null(make("[[[1]]]", &room, false));
    assert_null(make("\"\xc3\xa9\"", &room, false)); /* nobody has looked whether it is UTF-8 */
    assert_null(make("\"\x7f\"", &room, false));
    lb_json_room_free(&room);
}

/* Key and value of each node, as messages tell them. */
static void test_places(void **state)
{
    lb_json_room room = {NULL};
    (void)state;
    const cJSON *root = make("{ \"a\" : [1, {\"b\":2}]}", &room, false);
    assert_non_null(root);
    const lb_json_node *a = (const lb_json_node *)root->child;
    const lb_json_node *object = (const lb_json_node *)a->node.child->next;
    const lb_json_node *b = (const lb_json_node *)object->node.child;
    assert_int_equal(a->key, 2);
    assert_int_equal(a->value, 8);
    assert_int_equal(object->key, 12);
    assert_int_equal(object->value, 12);
    assert_int_equal(b->key, 13);
    assert_int_equal(b->value, 17);
    lb_json_room_free(&room);
}

static void *take_none(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static void test_no_memory(void **state)
{
    (void)state;
    const lb_json_source source = {
        .text = "[\"a\"]", .length = 5, .most_depth = 3, .allocate = take_none};
    size_t end = 0;
    assert_null(lb_json_tree_make(&source, &end));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_cjson), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_declines), cmocka_unit_test(test_places),
        cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
