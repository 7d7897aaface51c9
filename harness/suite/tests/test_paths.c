/* Suite files under paths: in order, each once, and nothing that is no suite. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/tests/suite_fixture.h"

#include <sys/stat.h>

static char root[200];

static void make(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (!text) {
        assert_int_equal(mkdir(path, 0700), 0);
        return;
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    char cycle[512];
    snprintf(root, sizeof root, "%s/lastbit_paths_XXXXXX", LASTBIT_BINARY_DIR);
    if (!mkdtemp(root))
        return -1;
    make("b.json", "{\"format\": \"lastbit/cases-1\"}");
    make("a.yaml", "format: lastbit/cases-1\n");
    make("B.yml", "cases: []\n");
    make("notes.md", "# notes\n");
    make(".hidden.json", "{}");
    make("cases.schema.json", "{}");
    make("host.yaml", "# a profile\nformat: lastbit/profile-1\n");
    make("results.json", "{\"format\":\"lastbit/results-1\"}");
    make("sub", NULL);
    make("sub/z.jsonl", "{\"format\": \"lastbit/cases-1\"}\n");
    make("sub/empty.json", "");
    make("none", NULL);
    make("none/readme.txt", "");
    snprintf(cycle, sizeof cycle, "%s/sub/up", root);
    return symlink(root, cycle);
}

static int tear_down(void **state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

/* Collects `argument_count` names under root ("" is root itself) and compares with the names due,
 * also under root. */
static bool collect(const char *const *names, size_t name_count, const char *const *due,
                    reports *found)
{
    char paths[8][512];
    char *arguments[8];
    lb_paths collected;
    lb_diagnostics diagnostics = {.report = note_report, .user = found};
    found->count = 0;
    for (size_t i = 0; i < name_count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s%s%s", root, *names[i] ? "/" : "", names[i]);
        arguments[i] = paths[i];
    }
    bool ok = lb_paths_collect(arguments, name_count, &collected, &diagnostics);
    size_t count = 0;
    for (; due[count]; count++) {
        assert_true(count < collected.count);
        assert_string_equal(collected.items[count] + strlen(root) + 1, due[count]);
    }
    assert_int_equal(collected.count, count);
    lb_paths_free(&collected);
    assert_int_equal(collected.count, 0);
    return ok;
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void folders_are_read_in_byte_order(void **state)
{
    (void)state;
    static reports found;
    assert_true(collect(
        LIST(""), 1, LIST("B.yml", "a.yaml", "b.json", "sub/empty.json", "sub/z.jsonl"), &found));
    assert_int_equal(found.count, 0);
}

static void files_stand_as_given_and_once(void **state)
{
    (void)state;
    static reports found;
    assert_true(collect(LIST("sub/z.jsonl", "b.json", "sub/z.jsonl"), 3,
                        LIST("sub/z.jsonl", "b.json"), &found));
    assert_true(
        collect(LIST("host.yaml", ".hidden.json"), 2, LIST("host.yaml", ".hidden.json"), &found));
    assert_true(collect(LIST("b.json", ""), 2,
                        LIST("b.json", "B.yml", "a.yaml", "sub/empty.json", "sub/z.jsonl"),
                        &found));
}

static void wrong_paths_are_problems(void **state)
{
    (void)state;
    static reports found;
    assert_false(collect(LIST("missing.json", "b.json"), 2, LIST("b.json"), &found));
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].problem, "there is no such file or folder");
    assert_non_null(strstr(found.items[0].file, "missing.json"));
    assert_false(collect(LIST("notes.md"), 1, (const char *const[]){NULL}, &found));
    assert_non_null(strstr(found.items[0].problem, "ending"));
    assert_false(collect(LIST("none", "missing"), 2, (const char *const[]){NULL}, &found));
    assert_int_equal(found.count, 2);
    assert_string_equal(found.items[0].problem, "a folder without a suite file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_read_in_byte_order),
        cmocka_unit_test(files_stand_as_given_and_once),
        cmocka_unit_test(wrong_paths_are_problems),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
