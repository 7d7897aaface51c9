/* Waiver files: what is right is read, and every error is told with its line. */
#include "harness/run/waiver_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = LASTBIT_BINARY_DIR "/test_waiver_file.yaml";
static const char told[] = LASTBIT_BINARY_DIR "/test_waiver_file.err";

typedef struct reading {
    lb_waivers waivers;
    lb_arena texts;
    char sha256[LB_SHA256_TEXT], messages[4000];
    bool good;
} reading;

static void read_text(reading *r, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    *r = (reading){.good = false};
    fflush(stderr);
    int err = dup(2);
    assert_non_null(freopen(told, "wb", stderr));
    r->good = lb_waiver_file_read(path, NULL, &r->texts, &r->waivers, r->sha256);
    fflush(stderr);
    dup2(err, 2);
    close(err);
    file = fopen(told, "rb");
    assert_non_null(file);
    r->messages[fread(r->messages, 1, sizeof r->messages - 1, file)] = '\0';
    fclose(file);
}

static void end(reading *r)
{
    free(r->waivers.list);
    lb_arena_free(&r->texts);
}

static void test_good(void **state)
{
    (void)state;
    reading r;
    read_text(
        &r,
        "# signed\n"
        "- case: 'conv2d_*'\n  owner: dsp-team\n  reason: >\n    rounding of the\n    vector unit\n"
        "  link: https://bugs.example/41\n  expires: 2999-12-31\n  port: ./lib*.so\n  profile: "
        "up-*\n"
        "- {case: relu, owner: me, reason: 'why, not', expires: '2999-02-28'}\n");
    assert_string_equal(r.messages, "");
    assert_true(r.good);
    assert_int_equal(r.waivers.count, 2);
    const lb_waiver *first = &r.waivers.list[0], *second = &r.waivers.list[1];
    assert_int_equal(first->line, 2);
    assert_string_equal(first->case_pattern, "conv2d_*");
    assert_string_equal(first->port, "./lib*.so");
    assert_string_equal(first->profile, "up-*");
    assert_string_equal(
        first->words,
        "dsp-team: rounding of the vector unit (https://bugs.example/41), until 2999-12-31");
    assert_int_equal(second->line, 11);
    assert_string_equal(second->port, "*");
    assert_string_equal(second->profile, "*");
    assert_string_equal(second->words, "me: why, not, until 2999-02-28");
    assert_int_equal(strlen(r.sha256), 64);
    end(&r);
    read_text(&r, "[]\n");
    assert_true(r.good);
    assert_int_equal(r.waivers.count, 0);
    end(&r);
}

static void test_bad(void **state)
{
    (void)state;
#define REST "owner: o, reason: r, expires: 2999-01-01"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"- {case: a, owner: o, reason: r, expires: 2001-01-01}\n",
         "yaml:1:43: expires: the waiver of o for \"a\" has expired"},
        {"- {case: a, owner: o, reason: r, expires: 2999-02-29}\n",
         "yaml:1:43: expires: \"2999-02-29\" is not a date"},
        {"- {case: a, owner: o, reason: r, expires: 20}\n",
         "yaml:1:43: expires: expected text, found the number 20"},
        {"- {case: a, owner: o, reason: r}\n", "yaml:1:3: expires: the key is missing"},
        {"- {" REST "}\n", "case: the key is missing"},
        {"- {case: a, owner: o, expires: 2999-01-01}\n", "reason: the key is missing"},
        {"- {case: a, reason: o, expires: 2999-01-01}\n", "owner: the key is missing"},
        {"- {case: '', " REST "}\n", "yaml:1:10: case: a text of 0 bytes"},
        {"- {case: a, owner: o, reason: ' ', expires: 2999-01-01}\n",
         "reason: a reason of 0 bytes"},
        {"\n- {case: a, colour: b, " REST "}\n", "yaml:2:13: colour: unknown key"},
        {"- {case: a, case: b, " REST "}\n", "case"},
        {"- case\n", "yaml:1:3: "},
        {"case: a\n", "yaml:1:1: the document is not a list"},
        {"", "no document"},
        {"- {case: a\n", "not YAML"},
        {"- &x {case: a, " REST "}\n- *y\n", "alias without anchor"},
        {"- {case: \"\xff\", " REST "}\n", "yaml:1:11: byte 0xFF is not UTF-8"},
        {"!x [{case: a, " REST "}]\n", "a tag"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading r;
        read_text(&r, cases[i].text);
        if (r.good || !strstr(r.messages, cases[i].message) || !strstr(r.messages, path))
            fail_msg("%s\nsays: %s\nwanted: %s", cases[i].text, r.messages, cases[i].message);
        assert_int_equal(r.waivers.count, 0);
        end(&r);
    }
}

static void test_no_file(void **state)
{
    (void)state;
    lb_waivers waivers;
    lb_arena texts = {0};
    char sha256[LB_SHA256_TEXT];
    assert_false(lb_waiver_file_read("no_such_file.yaml", NULL, &texts, &waivers, sha256));
    assert_false(lb_waiver_file_read("/", NULL, &texts, &waivers, sha256));
    lb_arena_free(&texts);
}

static int remove_files(void **state)
{
    (void)state;
    remove(told);
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_bad),
                                       cmocka_unit_test(test_no_file)};
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
