/* JUnit: well-formed whatever the strings hold, counts that agree with each other, one testsuite
 * per suite. */
#include "escape.h"
#include "support.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_render_junit";

/* ---- A small judge of well-formed XML ---- */

enum { MAX_DEPTH = 8, MAX_NAME = 40 };

typedef struct judge {
    char open[MAX_DEPTH][MAX_NAME];
    int depth;
} judge;

static const char *read_name(const char *at, char name[MAX_NAME])
{
    size_t length = 0;
    while (isalpha((unsigned char)at[length]) || at[length] == '-')
        length++;
    assert_in_range(length, 1, MAX_NAME - 1);
    memcpy(name, at, length);
    name[length] = '\0';
    return at + length;
}

/* An & must start one of the references that the writer uses. */
static void check_reference(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;",  "&quot;",
                                        "&#39;", "&#9;", "&#10;", "&#13;"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return;
    fail_msg("a bare & before %.30s", at);
}

/* Attributes of a tag: NAME="VALUE"; gives where the tag ends. */
static const char *check_attributes(const char *at)
{
    char name[MAX_NAME];
    while (*at == ' ') {
        at = read_name(at + 1, name);
        assert_true(at[0] == '=' && at[1] == '"');
        for (at += 2; *at != '"'; at++) {
            assert_true(*at != '<' && *at != '\0');
            if (*at == '&')
                check_reference(at);
        }
        at++;
    }
    return at;
}

static const char *check_tag(judge *xml, const char *at)
{
    char name[MAX_NAME];
    if (at[1] == '/') {
        at = read_name(at + 2, name);
        assert_true(xml->depth > 0);
        assert_string_equal(xml->open[--xml->depth], name);
        assert_int_equal(*at, '>');
        return at + 1;
    }
    at = check_attributes(read_name(at + 1, name));
    if (at[0] == '/') {
        assert_int_equal(at[1], '>');
        return at + 2;
    }
    assert_int_equal(*at, '>');
    assert_true(xml->depth < MAX_DEPTH);
    memcpy(xml->open[xml->depth++], name, MAX_NAME);
    return at + 1;
}

static void check_well_formed(const char *text)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    judge xml = {.depth = 0};
    assert_memory_equal(text, declaration, sizeof declaration - 1);
    for (const char *at = text + sizeof declaration - 1; *at != '\0';) {
        if (*at == '<') {
            at = check_tag(&xml, at);
            continue;
        }
        if (*at == '&')
            check_reference(at);
        assert_true(xml.depth > 0 || *at == '\n');
        at++;
    }
    assert_int_equal(xml.depth, 0);
}

/* Characters that XML 1.0 allows, in valid UTF-8. */
static void check_characters(const char *text, size_t length)
{
    assert_int_equal(strlen(text), length);
    for (const char *at = text; *at != '\0';) {
        const char *start = at;
        uint32_t c = lb_utf8_next(&at);
        assert_true(c >= 0x20 || c == '\n');
        assert_true(c != 0xFFFE && c != 0xFFFF);
        if (c == 0xFFFD)
            assert_memory_equal(start, "\xef\xbf\xbd", 3);
    }
}

/* ---- The document ---- */

static unsigned long attribute(const char *tag, const char *name)
{
    const char *value = lb_test_find(tag, name);
    assert_non_null(value);
    return strtoul(value + strlen(name) + 2, NULL, 10);
}

static lb_tally count_kind(lb_synthetic_kind kind, uint64_t count)
{
    lb_tally tally = {{0}};
    lb_result result;
    lb_synthetic_text text;
    for (uint64_t i = 0; i < count; i++) {
        lb_synthetic_result(kind, i, &result, &text);
        tally.count[result.verdict]++;
    }
    return tally;
}

static void check_sums(const char *text, const lb_tally *tally, uint64_t count)
{
    unsigned long tests = 0, failures = 0, errors = 0, skipped = 0;
    for (const char *suite = lb_test_find(text, "<testsuite "); suite;
         suite = lb_test_find(suite + 1, "<testsuite ")) {
        tests += attribute(suite, " tests");
        failures += attribute(suite, " failures");
        errors += attribute(suite, " errors");
        skipped += attribute(suite, " skipped");
    }
    assert_int_equal(tests, count);
    assert_int_equal(failures, tally->count[LB_FAIL]);
    assert_int_equal(errors, tally->count[LB_ERROR]);
    assert_int_equal(skipped, tally->count[LB_SKIP] + tally->count[LB_WAIVED]);
    const char *all = lb_test_find(text, "<testsuites ");
    assert_non_null(all);
    assert_int_equal(attribute(all, " tests"), count);
    assert_int_equal(attribute(all, " failures"), tally->count[LB_FAIL]);
    assert_int_equal(attribute(all, " errors"), tally->count[LB_ERROR]);
    assert_int_equal(lb_test_count(text, "<testcase "), count);
    assert_int_equal(lb_test_count(text, "<failure "), tally->count[LB_FAIL]);
    assert_int_equal(lb_test_count(text, "<error "), tally->count[LB_ERROR]);
    assert_int_equal(lb_test_count(text, "<skipped "),
                     tally->count[LB_SKIP] + tally->count[LB_WAIVED]);
}

static void test_every_kind(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 1200};
    for (int kind = 0; kind < LB_SYNTHETIC_KIND_COUNT; kind++) {
        for (size_t i = 0; i < 3; i++) {
            size_t length;
            char *text = lb_test_render(base, "junit", (lb_synthetic_kind)kind, counts[i], &length);
            lb_tally tally = count_kind((lb_synthetic_kind)kind, counts[i]);
            check_characters(text, length);
            check_well_formed(text);
            check_sums(text, &tally, counts[i]);
            free(text);
        }
    }
}

static void test_facts(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "junit", LB_SYNTHETIC_MIXED, 4800, &length);
    static const char *const facts[] = {
        "<property name=\"port\" value=\"./libacme_mli.so\"/>",
        "<property name=\"host\" value=\"Linux 6.1 x86_64, 16 threads\"/>",
        "<property name=\"profile\" value=\"convergent-reduced\"/>",
        "<property name=\"suite.sha256\" "
        "value=\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"/>",
        "timestamp=\"2031-05-17T09:30:00\"",
        "<testcase classname=\"mli_krn_conv2d_hwcn_sa8_sa8_sa32\" "
        "name=\"conv2d_sa8_sa8_sa32.sweep.00000 [up-full]\" "
        "time=\"0.000016\" file=\"vectors/standard/conv2d.yaml\" line=\"12\"/>",
        "<failure type=\"data\" message=\"saturation is missing\">",
        "<error type=\"error\" message=\"the port crashed: signal 11\">",
        "<skipped message=\"the port does not offer this function\"/>",
        "<skipped message=\"waived: dsp-team: rounding of the vector unit "
        "(https://bugs.example/41), until "
        "2031-12-31\"/>",
        "reproduce: lastbit run vectors/standard/eltwise.yaml --case "
        "&#39;eltwise_sa8.sweep.00000&#39; --profile "
        "convergent-reduced",
        "exact: data of out [3,0,0]: expected -107 (0x95), got -106 (0x96) (16 of 87 differ)",
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (!lb_test_find(text, facts[i]))
            fail_msg("missing: %s", facts[i]);
    free(text);
}

/* Results of different suites in turn: still one testsuite for each, with its own cases inside. */
static void test_interleaved_suites(void **state)
{
    (void)state;
    size_t length;
    enum { COUNT = LB_TEST_MANY / 5 / 8 * 8 };
    char *text = lb_test_render(base, "junit", LB_SYNTHETIC_INTERLEAVED, COUNT, &length);
    assert_int_equal(lb_test_count(text, "<testsuite "), 8);
    for (const char *suite = lb_test_find(text, "<testsuite "); suite;
         suite = lb_test_find(suite + 1, "<testsuite ")) {
        assert_int_equal(attribute(suite, " tests"), COUNT / 8);
        size_t inside = 0;
        const char *end = lb_test_find(suite, "</testsuite>");
        assert_non_null(end);
        for (const char *at = lb_test_find(suite, "<testcase "); at && at < end;
             at = lb_test_find(at + 1, "<testcase "))
            inside++;
        assert_int_equal(inside, COUNT / 8);
    }
    free(text);
}

static void test_hostile_strings(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "junit", LB_SYNTHETIC_HOSTILE, 100, &length);
    assert_null(lb_test_find(text, "<script"));
    assert_null(lb_test_find(text, "]]>"));
    assert_non_null(lb_test_find(text, "classname=\"&lt;/script&gt;&lt;script&gt;alert(1)&lt;/"
                                       "script&gt;&#39;&quot;&amp;&lt;!--]]&gt;|`"
                                       "=1+1,&#10;&#9;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
    free(text);
}

static void test_time(void **state)
{
    (void)state;
    size_t length;
    double start = lb_test_seconds();
    char *text = lb_test_render(base, "junit", LB_SYNTHETIC_MIXED, LB_TEST_MANY, &length);
    double seconds = lb_test_seconds() - start;
    print_message("%d results: %zu bytes; %.2f s of processor time, the results written too\n",
                  LB_TEST_MANY, length, seconds);
    assert_true(!LB_TEST_MEASURED || seconds < 5);
    assert_int_equal(lb_test_count(text, "<testcase "), LB_TEST_MANY);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_interleaved_suites),
        cmocka_unit_test(test_hostile_strings),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
