/* Every broken suite is refused, at the right place, under the right key, with words that help. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/suite/tests/invalid_suites.h"
#include "harness/tests/suite_fixture.h"

enum { LONGEST_TEXT = 4096 };

typedef struct prepared {
    char bytes[LONGEST_TEXT];
    size_t length;
    unsigned line, column; /* of the mark; 0 without one */
} prepared;

/* Takes the mark out of a pattern and puts the quotes of JSON in. */
static prepared prepare(const char *pattern, bool json)
{
    prepared p = {.length = 0};
    unsigned line = 1, column = 1;
    for (; *pattern; pattern++) {
        char c = *pattern;
        if (c == '@') {
            p.line = line;
            p.column = column;
            continue;
        }
        if (json && c == '\'')
            c = '"';
        else if (json && c == '`')
            c = '\'';
        assert_true(p.length < LONGEST_TEXT);
        p.bytes[p.length++] = c;
        column++;
        if (c == '\n') {
            line++;
            column = 1;
        }
    }
    return p;
}

static bool holds(const char *text, const char *piece_pattern)
{
    prepared piece = prepare(piece_pattern, true);
    return memmem(text, strlen(text), piece.bytes, piece.length) != NULL;
}

static bool check_row(const sad_row *row)
{
    static reports found;
    prepared text = prepare(row->text, row->ending[1] == 'j');
    lb_suite *suite = open_bytes(row->ending, text.bytes, text.length, &found);
    const lb_diagnostic *d = &found.items[0];
    bool right = !suite && found.count == 1 && strcmp(d->case_id, row->case_id) == 0 &&
                 strcmp(d->key, row->key) == 0 && holds(d->problem, row->problem) &&
                 holds(d->remedy, row->remedy);
    if (right && text.line > 0)
        right = d->line == text.line && d->column == text.column;
    if (!right) {
        char line[4096];
        lb_diagnostic_format(d, line, sizeof line);
        print_error("%u problems for\n%.*s\nfirst: %s\nexpected: %u:%u: case %s: %s: %s; %s\n\n",
                    found.count, (int)text.length, text.bytes, found.count ? line : "none",
                    text.line, text.column, row->case_id, row->key, row->problem, row->remedy);
    }
    lb_suite_close(suite);
    return right;
}

static void check_rows(const sad_row *rows, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !check_row(&rows[i]);
    assert_int_equal(wrong, 0);
}

#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof(rows)[0])

static void json_syntax_is_strict(void **state)
{
    (void)state;
    CHECK(json_syntax);
}

static void headers_are_checked(void **state)
{
    (void)state;
    CHECK(header);
}

static void cases_are_checked(void **state)
{
    (void)state;
    CHECK(cases);
}

static void tensors_are_checked(void **state)
{
    (void)state;
    CHECK(tensors);
}

static void data_are_checked(void **state)
{
    (void)state;
    CHECK(data);
}

static void expectations_are_checked(void **state)
{
    (void)state;
    CHECK(expectations);
}

static void chains_are_checked(void **state)
{
    (void)state;
    CHECK(chains);
}

static void json_lines_are_checked(void **state)
{
    (void)state;
    CHECK(json_lines);
}

static void yaml_is_checked(void **state)
{
    (void)state;
    CHECK(yaml);
}

/* ---- What a table cannot hold ---- */

/* Expects one problem with this piece in it. */
static void refuse_bytes(const char *ending, const char *bytes, size_t length, unsigned line,
                         const char *piece)
{
    static reports found;
    lb_suite *suite = open_bytes(ending, bytes, length, &found);
    assert_null(suite);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].line, line);
    if (!strstr(found.items[0].problem, piece))
        fail_msg("\"%s\" is not in \"%s\"", piece, found.items[0].problem);
}

static void nul_bytes_are_refused(void **state)
{
    (void)state;
    static const char in_json[] = "{\"format\":\n\0}";
    static const char in_string[] = "{\"format\":\n\"\0\"}";
    static const char in_lines[] =
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\"}\n{\"id\":\0}\n";
    static const char in_yaml[] = "format: x\nsuite: \0\n";
    refuse_bytes(".json", in_json, sizeof in_json - 1, 2, "a NUL byte");
    refuse_bytes(".json", in_string, sizeof in_string - 1, 2, "control character 0x00");
    refuse_bytes(".jsonl", in_lines, sizeof in_lines - 1, 2, "a NUL byte");
    refuse_bytes(".yaml", in_yaml, sizeof in_yaml - 1, 2, "not YAML");
}

/* A suite whose unknown key "x" holds lists inside each other, so that the innermost stands `depth`
 * deep in the suite. */
static size_t deep_suite(char *text, const char *before, unsigned outer, unsigned depth,
                         const char *after)
{
    size_t length = (size_t)sprintf(text, "%s", before);
    for (unsigned i = outer; i < depth; i++)
        text[length++] = '[';
    for (unsigned i = outer; i < depth; i++)
        text[length++] = ']';
    return length + (size_t)sprintf(text + length, "%s", after);
}

static void nesting_is_bounded_alike(void **state)
{
    (void)state;
    static char text[LONGEST_TEXT];
    const char *json =
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\",\"cases\":[{\"id\":\"a\",\"tags\":[";
    const char *lines =
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\"}\n{\"id\":\"a\",\"tags\":[";
    const char *yaml_text = "format: lastbit/cases-1\nsuite: s\ncases:\n- {\"id\":\"a\",\"tags\":[";
    const char *end = "],\"function\":\"mli_krn_tanh_fx8\",\"null\":[\"in\",\"out\"]}";
    const char *json_end = "],\"function\":\"mli_krn_tanh_fx8\",\"null\":[\"in\",\"out\"]}]}";
    refuse_bytes(".json", text, deep_suite(text, json, 4, 64, json_end), 1,
                 "expected text, found a list");
    refuse_bytes(".json", text, deep_suite(text, json, 4, 65, json_end), 1, "more than 64 deep");
    refuse_bytes(".jsonl", text, deep_suite(text, lines, 4, 64, end), 2,
                 "expected text, found a list");
    refuse_bytes(".jsonl", text, deep_suite(text, lines, 4, 65, end), 2, "more than 64 deep");
    refuse_bytes(".yaml", text, deep_suite(text, yaml_text, 4, 64, end), 4,
                 "expected text, found a list");
    refuse_bytes(".yaml", text, deep_suite(text, yaml_text, 4, 65, end), 4, "more than 64 deep");
}

static void a_billion_laughs_end_early(void **state)
{
    (void)state;
    static char text[LONGEST_TEXT];
    size_t length = (size_t)sprintf(
        text, "format: lastbit/cases-1\nsuite: s\nnote: [&a0 [x, x, x, x, x, x, x, x, x, x]");
    for (int i = 1; i < 12; i++)
        length += (size_t)sprintf(text + length,
                                  ",\n&a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]",
                                  i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    length += (size_t)sprintf(text + length, "]\ncases: []\n");
    refuse_bytes(".yaml", text, length, 8, "too many values");
}

static void aliases_cannot_nest_deeper(void **state)
{
    (void)state;
    static char text[LONGEST_TEXT];
    size_t length = (size_t)sprintf(text, "format: lastbit/cases-1\nsuite: s\nnote: [&a0 [x]");
    for (int i = 1; i < 80; i++)
        length += (size_t)sprintf(text + length, ",\n&a%d [*a%d]", i, i - 1);
    length += (size_t)sprintf(text + length, "]\ncases: []\n");
    /* &a61 ends on level 64: the suite, the list, and 62 lists. */
    refuse_bytes(".yaml", text, length, 3 + 62, "64 deep");
}

static void aliases_cannot_make_endless_text(void **state)
{
    (void)state;
    enum { WORD_BYTES = 1 << 20, ALIASES = 80 };
    char *text = malloc(WORD_BYTES + 1000);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "format: lastbit/cases-1\nsuite: s\nnote: [&a \"");
    memset(text + length, 'x', WORD_BYTES);
    length += WORD_BYTES;
    length += (size_t)sprintf(text + length, "\",\n");
    for (int i = 0; i < ALIASES; i++)
        length += (size_t)sprintf(text + length, "*a, ");
    length += (size_t)sprintf(text + length, "]\ncases: []\n");
    refuse_bytes(".yaml", text, length, 4, "more than 64 MiB of text");
    free(text);
}

static void ids_have_a_longest(void **state)
{
    (void)state;
    static char text[LONGEST_TEXT];
    char id[152];
    memset(id, 'i', sizeof id);
    id[151] = '\0';
    const char *pattern =
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\"}\n"
        "{\"id\":\"%s\",\"function\":\"mli_krn_tanh_fx8\",\"null\":[\"in\",\"out\"],"
        "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":1}},"
        "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":1}}}\n";
    static reports found;
    refuse_bytes(".jsonl", text, (size_t)sprintf(text, pattern, id), 2, "a text of 151 bytes");
    id[150] = '\0';
    lb_suite *suite = open_bytes(".jsonl", text, (size_t)sprintf(text, pattern, id), &found);
    assert_non_null(suite);
    lb_suite_close(suite);
}

static void all_problems_are_collected_up_to_twenty(void **state)
{
    (void)state;
    static char text[8 * LONGEST_TEXT];
    static reports found;
    size_t length = (size_t)sprintf(text, "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\"}\n");
    for (int i = 0; i < 30; i++)
        length += (size_t)sprintf(
            text + length, i % 2 ? "{\"id\":\"c%d\",\"function\":\"f\"}\n" : "{\"id\":%d.}\n", i);
    assert_null(open_bytes(".jsonl", text, length, &found));
    assert_int_equal(found.count, 20);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(found.items[i].line, i + 2);
    /* one case, three mistakes in different parts */
    prepared three = prepare(
        SUITE("{'id':'a','function':'mli_krn_relu_fx8','config':{'type':'x'},'tags':[1],'inputs':{'"
              "in':" IN "},'outputs':{'out':" OUT "},'expect':[{" ALL ",'status':'x'}]}"),
        true);
    assert_null(open_bytes(".json", three.bytes, three.length, &found));
    assert_int_equal(found.count, 3);
    assert_string_equal(found.items[0].key, "tags[0]");
    assert_string_equal(found.items[1].key, "config.type");
    assert_string_equal(found.items[2].key, "expect[0].status");
}

static void files_that_are_none_are_refused(void **state)
{
    (void)state;
    static reports found;
    lb_diagnostics diagnostics = {.report = note_report, .user = &found};
    char path[256];
    assert_null(lb_suite_open("/nonexistent/x.json", &diagnostics));
    assert_string_equal(found.items[0].problem, "cannot be read: No such file or directory");
    assert_string_equal(found.items[0].file, "/nonexistent/x.json");
    snprintf(path, sizeof path, "%s", LASTBIT_BINARY_DIR);
    assert_null(lb_suite_open(path, &diagnostics));
    assert_string_equal(found.items[1].problem, "is a folder");
    assert_null(lb_suite_open("/dev/null", &diagnostics));
    assert_string_equal(found.items[2].problem, "is no regular file");
    write_file(path, ".txt", "{}", 2);
    assert_null(lb_suite_open(path, &diagnostics));
    assert_non_null(strstr(found.items[3].problem, "the ending of the name"));
    unlink(path);
    write_file(path, ".json", "{}", 2);
    assert_int_equal(truncate(path, ((off_t)1 << 30) + 1), 0);
    assert_null(lb_suite_open(path, &diagnostics));
    assert_string_equal(found.items[4].problem, "the file has 1073741825 bytes");
    unlink(path);
    assert_int_equal(diagnostics.count, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_syntax_is_strict),
        cmocka_unit_test(headers_are_checked),
        cmocka_unit_test(cases_are_checked),
        cmocka_unit_test(tensors_are_checked),
        cmocka_unit_test(data_are_checked),
        cmocka_unit_test(expectations_are_checked),
        cmocka_unit_test(chains_are_checked),
        cmocka_unit_test(json_lines_are_checked),
        cmocka_unit_test(yaml_is_checked),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(nesting_is_bounded_alike),
        cmocka_unit_test(a_billion_laughs_end_early),
        cmocka_unit_test(aliases_cannot_nest_deeper),
        cmocka_unit_test(aliases_cannot_make_endless_text),
        cmocka_unit_test(ids_have_a_longest),
        cmocka_unit_test(all_problems_are_collected_up_to_twenty),
        cmocka_unit_test(files_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
