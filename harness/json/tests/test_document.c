/* Strict JSON lets good text pass, and every node of a tree is found again in its text. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/json/document.h"
#include "harness/json/scan.h"
#include "harness/json/yaml_scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void good_json_passes(void **state)
{
    (void)state;
    static const char *const good[] = {
        "0",
        "-0",
        "0.0",
        "10.25e-3",
        "1E+5",
        "true",
        " false ",
        "null\r\n",
        "\"\"",
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[[],{}]",
        "{\"a\":1,\"a\":2}",
        "\"\\u00e9\\ud83d\\ude00\\n\\/\\\"\"",
        "\"\xC3\xA9\xF0\x9F\x98\x80\"",
        "[1,2 , 3\t,\n4]",
        "{\"a\" : [ true,null ] , \"b\":{\"c\":\"d\"}}",
        "123456789012345678901234567890123456789012345678901234567890123"};
    lb_json_fault fault;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (!lb_json_scan(good[i], strlen(good[i]), 0, &fault))
            fail_msg("%s: %s", good[i], fault.problem);
}

/* A text that is cut anywhere is refused, without a look beyond its end. */
static void every_cut_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1.5e-3,true,null,\"\\ud83d\\ude00\xE2\x82\xAC\"],\"b\":{\"c\":-12}}";
    lb_json_fault fault;
    assert_true(lb_json_scan(text, sizeof text - 1, 0, &fault));
    for (size_t length = 0; length < sizeof text - 1; length++) {
        char *exact = malloc(
            length + (length == 0)); /* so that AddressSanitizer sees a look beyond the end */
        assert_non_null(exact);
        memcpy(exact, text, length);
        assert_false(lb_json_scan(exact, length, 0, &fault));
        assert_true(fault.offset <= length);
        free(exact);
    }
}

static void walks_meet_every_member(void **state)
{
    (void)state;
    static const char text[] = " { \"a\" : [1, {\"x\":\"]}\"}] ,\"b\\\"\":\"\\\\\",\"c\":-1.5 }";
    static const char *const values[] = {"[1, {\"x\":\"]}\"}]", "\"\\\\\"", "-1.5"};
    static const char *const keys[] = {"\"a\"", "\"b\\\"\"", "\"c\""};
    lb_json_walk walk = lb_json_enter(text, 1);
    lb_json_item item;
    for (int i = 0; i < 3; i++) {
        assert_true(lb_json_next(&walk, &item));
        assert_int_equal(item.end - item.start, strlen(values[i]));
        assert_memory_equal(text + item.start, values[i], strlen(values[i]));
        assert_int_equal(item.key_end - item.key_start, strlen(keys[i]));
        assert_memory_equal(text + item.key_start, keys[i], strlen(keys[i]));
    }
    assert_false(lb_json_next(&walk, &item));
    walk = lb_json_enter("[ ]", 0);
    assert_false(lb_json_next(&walk, &item));
}

static void check_place(const lb_document *document, const cJSON *node, bool key, unsigned line,
                        unsigned column, const char *path)
{
    unsigned at_line, at_column;
    char text[160];
    lb_document_position(document, node, key, &at_line, &at_column);
    lb_document_path(document, node, text, sizeof text);
    assert_int_equal(at_line, line);
    assert_int_equal(at_column, column);
    assert_string_equal(text, path);
}

static void nodes_are_found_in_their_text(void **state)
{
    (void)state;
    static const char text[] =
        "# two lines before\n\n {\"a\": [1,\n  {\"b\": \"\xC3\xA9\", \"c\": []}], \"d\": 5}";
    lb_arena arena = {0};
    lb_document document = {.prefix = "",
                            .text = text,
                            .text_length = sizeof text - 1,
                            .first_line = 10,
                            .value_offset = 21};
    document.key_offset = document.value_offset;
    lb_document_parse(&document, &arena, sizeof text - 1);
    const cJSON *a = document.root->child;
    const cJSON *b = a->child->next->child;
    check_place(&document, document.root, false, 12, 2, "");
    check_place(&document, a, true, 12, 3, "a");
    check_place(&document, a, false, 12, 8, "a");
    check_place(&document, a->child, false, 12, 9, "a[0]");
    check_place(&document, a->child->next, false, 13, 3, "a[1]");
    check_place(&document, b, true, 13, 4, "a[1].b");
    check_place(&document, b, false, 13, 9, "a[1].b");
    check_place(&document, b->next, true, 13, 15, "a[1].c"); /* columns count bytes */
    check_place(&document, b->next, false, 13, 20, "a[1].c");
    check_place(&document, a->next, false, 13, 31, "d");
    char path[5];
    lb_document_path(&document, b, path, sizeof path);
    assert_string_equal(path, "a[1]");
    lb_arena_free(&arena);
}

/* The same tree in types, numbers, strings and links. */
static void assert_same_tree(const cJSON *made, const cJSON *due)
{
    assert_int_equal(made->type, due->type);
    assert_memory_equal(&made->valuedouble, &due->valuedouble, sizeof made->valuedouble);
    assert_int_equal(made->valueint, due->valueint);
    assert_true(!made->string == !due->string && !made->valuestring == !due->valuestring);
    if (due->string)
        assert_string_equal(made->string, due->string);
    if (due->valuestring)
        assert_string_equal(made->valuestring, due->valuestring);
    assert_int_equal(cJSON_GetArraySize(made), cJSON_GetArraySize(due));
    assert_true(!made->child == !due->child);
    const cJSON *child = made->child, *twin = due->child, *last = NULL;
    for (; child && twin; last = child, child = child->next, twin = twin->next) {
        assert_true(child == made->child || child->prev == last);
        assert_same_tree(child, twin);
    }
    assert_true(!made->child || made->child->prev == last);
}

static void trees_are_those_of_another_reader(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "[0,-0,7,-12,2147483647,2147483648,-2147483648,-2147483649]",
        "[999999999999999,1000000000000000,9007199254740993,-123456789012345678901234567890]",
        "[0.1,-0.0,1e5,-1E-5,2.5e+3,1e308,1e999,-1e999,1e-999,0.30000000000000004]",
        "[1.00000000000000000000000000000000000000000000000000000000001]",
        "  {\"a\" : [ ] , \"b\":{ }, \"\":null,\"a\":true,\"\\u0062\":false}",
        "[\"\",\"plain\",\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "[\"\\u00e9\\u20AC\\ud83d\\uDE00\\u0041\",\"\xC3\xA9\"]",
        "{\"deep\":[[[{\"x\":[1,[2,[3,\"]}\"]]]}]]]}",
        "true",
        "false ",
        "null",
        "\"x\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        lb_json_fault fault;
        lb_arena arena = {0};
        const size_t length = strlen(texts[i]), start = strspn(texts[i], " ");
        lb_document document = {.text = texts[i], .key_offset = start, .value_offset = start};
        assert_true(lb_json_scan(texts[i], length, 0, &fault));
        lb_document_parse(&document, &arena, length);
        cJSON *due = cJSON_Parse(texts[i]);
        assert_same_tree(document.root, due);
        document.text_length = length;
        if (lb_document_parse_plain(&document, &arena, 0))
            assert_same_tree(document.root, due);
        cJSON_Delete(due);
        lb_arena_free(&arena);
    }
}

/* In memory of its own, so that AddressSanitizer sees a look beyond the end. */
static bool is_plain(const char *text, size_t length, unsigned outer_depth)
{
    lb_arena arena = {0};
    char *exact = malloc(length + (length == 0));
    assert_non_null(exact);
    memcpy(exact, text, length);
    lb_document document = {.text = exact, .text_length = length};
    const bool plain = lb_document_parse_plain(&document, &arena, outer_depth);
    assert_true(plain == (document.root != NULL));
    lb_arena_free(&arena);
    free(exact);
    return plain;
}

/* Every text beside a good one, by a byte cut off, left out or exchanged. */
static void what_is_plain_passes_the_scan(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[10,-2,0, true,null],\"b\" :{\"c\":\"d e\"},\"f\":[[],{}]} ";
    static const char others[] = "\"\\{}[]:,-+.0159etfn \n\t\x01\x7F\xC3";
    const size_t length = sizeof text - 1;
    lb_json_fault fault;
    unsigned passed = 0;
    assert_true(is_plain(text, length, 0));
    assert_true(is_plain("[[]]", 4, LB_MAX_DEPTH - 2));
    assert_false(is_plain("[[]]", 4, LB_MAX_DEPTH - 1));
    for (size_t at = 0; at < length; at++) {
        char changed[sizeof text];
        assert_true(at + 1 == length || !is_plain(text, at, 0));
        for (size_t o = 0; o < sizeof others; o++) { /* the last one: none in its place */
            const bool leaves_out = o + 1 == sizeof others;
            memcpy(changed, text, sizeof text);
            changed[at] = others[o];
            if (leaves_out)
                memcpy(changed + at, text + at + 1, length - at);
            const bool plain = is_plain(changed, length - leaves_out, 0);
            assert_true(!plain || lb_json_scan(changed, length - leaves_out, 0, &fault));
            passed += plain;
        }
    }
    assert_true(passed > 100);
}

static void plain_yaml_words_have_one_meaning(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int type;
        double value;
    } rows[] = {{"12", cJSON_Number, 12},
                {"-0", cJSON_Number, 0},
                {"+7", cJSON_Number, 7},
                {"0", cJSON_Number, 0},
                {"0x1F", cJSON_Number, 31},
                {"0o17", cJSON_Number, 15},
                {"1.5", cJSON_Number, 1.5},
                {".5", cJSON_Number, 0.5},
                {"5.", cJSON_Number, 5},
                {"-1e3", cJSON_Number, -1000},
                {"1.e-1", cJSON_Number, 0.1},
                {"007", cJSON_String, 0},
                {"-01", cJSON_String, 0},
                {"1_000", cJSON_String, 0},
                {"1:30", cJSON_String, 0},
                {"0x", cJSON_String, 0},
                {"0xG", cJSON_String, 0},
                {"-0x1", cJSON_String, 0},
                {"0b1", cJSON_String, 0},
                {".", cJSON_String, 0},
                {"-", cJSON_String, 0},
                {"e3", cJSON_String, 0},
                {"1e", cJSON_String, 0},
                {"00.5", cJSON_String, 0},
                {"yes", cJSON_String, 0},
                {"on", cJSON_String, 0},
                {"tRue", cJSON_String, 0},
                {"true", cJSON_True, 0},
                {"FALSE", cJSON_False, 0},
                {"", cJSON_NULL, 0},
                {"~", cJSON_NULL, 0},
                {"Null", cJSON_NULL, 0},
                {"0x12345678901234", cJSON_String, 0}};
    lb_arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cJSON *node = lb_yaml_plain_scalar(&arena, rows[i].text);
        if (node->type != rows[i].type || node->valuedouble < rows[i].value ||
            node->valuedouble > rows[i].value)
            fail_msg("%s", rows[i].text);
    }
    assert_string_equal(lb_yaml_plain_scalar(&arena, ".NaN")->valuestring, "nan");
    assert_string_equal(lb_yaml_plain_scalar(&arena, "-.inf")->valuestring, "-inf");
    assert_string_equal(lb_yaml_plain_scalar(&arena, "+.inf")->valuestring, "inf");
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_json_passes),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(walks_meet_every_member),
        cmocka_unit_test(nodes_are_found_in_their_text),
        cmocka_unit_test(trees_are_those_of_another_reader),
        cmocka_unit_test(what_is_plain_passes_the_scan),
        cmocka_unit_test(plain_yaml_words_have_one_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
