/* `lastbit report`: exit statuses, messages, and files that are whole or not there. */
#define _XOPEN_SOURCE 700

#include "render.h"
#include "support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char folder[] = LASTBIT_BINARY_DIR "/test_report_command";
static const char base[] = LASTBIT_BINARY_DIR "/test_report_command/run";
static const char results[] = LASTBIT_BINARY_DIR "/test_report_command/run.json";
static const char target[] = LASTBIT_BINARY_DIR "/test_report_command/report";
static const char out_text[] = LASTBIT_BINARY_DIR "/test_report_command/stdout";
static const char err_text[] = LASTBIT_BINARY_DIR "/test_report_command/stderr";

/* Runs the command with its two streams in files. */
static int run(char **arguments)
{
    return lb_test_command(arguments, out_text, err_text);
}

#define RUN(...) run((char *[]){"report", __VA_ARGS__, NULL})

static void assert_says(const char *file, const char *part)
{
    size_t length;
    char *text = lb_test_read(file, &length);
    if (!strstr(text, part))
        fail_msg("missing \"%s\" in: %s", part, text);
    free(text);
}

static size_t bytes_of(const char *file)
{
    struct stat there;
    return stat(file, &there) == 0 ? (size_t)there.st_size : 0;
}

/* Nothing but the files named here may lie in the folder. */
static void assert_no_rest(void)
{
    DIR *open_folder = opendir(folder);
    assert_non_null(open_folder);
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;)
        assert_null(strstr(entry->d_name, "report."));
    closedir(open_folder);
}

#define DOCUMENT_WORD(name, ...) #name,

static void test_documents(void **state)
{
    (void)state;
    static char *const kinds[] = {LB_DOCUMENTS(DOCUMENT_WORD)};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        remove(target);
        assert_int_equal(RUN(kinds[i], (char *)results, "-o", (char *)target), 0);
        size_t length = bytes_of(target);
        assert_true(length > 100);
        assert_int_equal(RUN(kinds[i], "--output=-", (char *)results), 0);
        assert_int_equal(bytes_of(out_text), length);
        assert_int_equal(bytes_of(err_text), 0);
        assert_non_null(lb_document_find(kinds[i]));
    }
    assert_null(lb_document_find("pdf"));
    assert_no_rest();
}

static void test_help(void **state)
{
    (void)state;
    assert_int_equal(RUN("--help"), 0);
    assert_says(out_text, "Usage: lastbit report COMMAND");
    assert_int_equal(RUN("-h"), 0);
    static char *const kinds[] = {LB_DOCUMENTS(DOCUMENT_WORD)};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_int_equal(RUN(kinds[i], "--help"), 0);
        assert_says(out_text, "Usage: lastbit report ");
        assert_says(out_text, kinds[i]);
        assert_says(out_text, "Exit status:");
        assert_says(out_text, "Example");
    }
}

static void test_bad_usage(void **state)
{
    (void)state;
    assert_int_equal(run((char *[]){"report", NULL}), 2);
    assert_says(err_text, "no command given: expected one of html, junit");
    assert_int_equal(RUN("pdf", (char *)results, "-o", "x"), 2);
    assert_says(err_text, "pdf: no such command");
    assert_int_equal(RUN("html"), 2);
    assert_says(err_text, "no RESULTS.json given");
    assert_int_equal(RUN("html", (char *)results), 2);
    assert_says(err_text, "where to?");
    assert_int_equal(RUN("html", (char *)results, "-o"), 2);
    assert_says(err_text, "-o needs a value");
    assert_int_equal(RUN("html", (char *)results, "--colour", "-o", "-"), 2);
    assert_says(err_text, "unknown option --colour");
    assert_int_equal(RUN("html", (char *)results, "b.json", "-o", "-"), 2);
    assert_says(err_text, "b.json: expected no more than one RESULTS.json");
}

/* A bad input leaves what was there before. */
static void test_bad_input(void **state)
{
    (void)state;
    static char *const kinds[] = {"html", "junit", "markdown", "csv"};
    size_t length;
    char *text = lb_test_read(results, &length);
    static const char cut[] = LASTBIT_BINARY_DIR "/test_report_command/cut.json";
    lb_test_write(cut, text, length / 2);
    for (int i = 0; i < 4; i++) {
        lb_test_write(target, "before", 6);
        assert_int_equal(RUN(kinds[i], "no_such_file.json", "-o", (char *)target), 2);
        assert_says(err_text, "no_such_file.json: No such file or directory");
        assert_int_equal(RUN(kinds[i], (char *)cut, "-o", (char *)target), 2);
        assert_says(err_text, "cut.json:");
        assert_int_equal(bytes_of(target), 6);
    }
    assert_no_rest();
    remove(cut);
    free(text);
}

static void test_cannot_write(void **state)
{
    (void)state;
    assert_int_equal(RUN("csv", (char *)results, "-o", "/no/such/folder/report.csv"), 3);
    assert_says(err_text, "/no/such/folder/report.csv: cannot write: No such file or directory");
    assert_int_equal(RUN("csv", (char *)results, "-o", (char *)folder), 3);
    if (access("/dev/full", W_OK) == 0) {
        static char *const kinds[] = {"html", "junit", "markdown", "csv"};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(RUN(kinds[i], (char *)results, "-o", "/dev/full"), 3);
            assert_says(err_text, "No space left");
        }
    }
}

/* A link keeps pointing, a device stays one, and rights are those of a new file. */
static void test_what_the_target_is(void **state)
{
    (void)state;
    static const char link_name[] = LASTBIT_BINARY_DIR "/test_report_command/link";
    struct stat there;
    remove(target);
    remove(link_name);
    lb_test_write(target, "before", 6);
    assert_int_equal(symlink("report", link_name), 0);
    assert_int_equal(RUN("csv", (char *)results, "-o", (char *)link_name), 0);
    assert_int_equal(lstat(link_name, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_true(bytes_of(target) > 100);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(target, &there), 0);
    assert_int_equal(there.st_mode & 0777, 0666 & ~mask);
    assert_int_equal(RUN("csv", (char *)results, "-o", "/dev/null"), 0);
    assert_int_equal(stat("/dev/null", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
    remove(link_name);
}

static int make_folder(void **state)
{
    (void)state;
    mkdir(folder, 0777);
    lb_test_write_results(base, LB_SYNTHETIC_MIXED, 300);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    remove(results);
    remove(target);
    remove(out_text);
    remove(err_text);
    return remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents),    cmocka_unit_test(test_help),
        cmocka_unit_test(test_bad_usage),    cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_cannot_write), cmocka_unit_test(test_what_the_target_is),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
