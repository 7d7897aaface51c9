/* How far something is: nothing in the first ten seconds, then a line; no bar where there is no
 * terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/clock.h"
#include "harness/base/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is shown at 30 of 120 after so many seconds; standard error is a file meanwhile. */
static void show(lb_progress_way way, uint64_t seconds, char *text, size_t text_bytes)
{
    FILE *file = tmpfile();
    lb_progress progress;
    assert_non_null(file);
    fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    lb_progress_start(&progress, way, "results", 120);
    progress.started_ns -= seconds * 1000000000u;
    progress.shown_ns -= seconds * 1000000000u;
    lb_progress_show(&progress, 30);
    lb_progress_show(&progress, 31);
    lb_progress_end(&progress);
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    rewind(file);
    text[fread(text, 1, text_bytes - 1, file)] = '\0';
    fclose(file);
}

static void test_lines(void **state)
{
    char text[200];
    (void)state;
    show(LB_PROGRESS_LINES, 9, text, sizeof text);
    assert_string_equal(text, "");
    show(LB_PROGRESS_LINES, 20, text, sizeof text);
    assert_string_equal(text, "lastbit: 30 of 120 results, 1:00 left\n");
}

static void test_bars_are_for_terminals(void **state)
{
    char text[200];
    (void)state;
    show(LB_PROGRESS_BAR, 20, text, sizeof text);
    assert_string_equal(text, "");
    show(LB_PROGRESS_OFF, 20, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_bars_are_for_terminals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
