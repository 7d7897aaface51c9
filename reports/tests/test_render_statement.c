/* The conformance statement: every fact that a customer asks for, the same in both forms,
 * strangers' strings stay text, and a strength file that is none is refused. */
#include "render.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_render_statement";

static char *render_with(const char *kind, lb_synthetic_kind results, const char *strength,
                         int *status)
{
    static const char *const meta[] = {"Tested by=A. Mole <mole@example>", "Order=4711"};
    char path[4096], out[4096];
    size_t length;
    lb_test_write_results(base, results, 4800);
    snprintf(path, sizeof path, "%s.json", base);
    snprintf(out, sizeof out, "%s.out", base);
    unlink(out);
    const lb_render_extras extras = {
        .lcov_link = "", .meta = meta, .meta_count = 2, .strength_path = strength};
    *status = lb_render_file_with(kind, path, &extras, out);
    return *status == 0 ? lb_test_read(out, &length) : NULL;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("missing: %s", part);
}

static void test_facts(void **state)
{
    (void)state;
    static const char *const both[] = {
        "Conformance statement",
        "76 failures and 7 errors in 4,800 results, in 4 of 24 functions.",
        "Acme MLI 2.0 for the V8 vector unit, release 3.1",
        "4711",
        "clang 14.0.6 -O2",
        "2031-05-17 09:30:00 UTC",
        "conv2d",
        "until 2031-12-31",
        "93.2 %, 929 of 996 points of behaviour",
        "97.8 %, 4,651 of 4,751 judged results",
        "smallest headroom 0 bits, in mli",
        "139.8 % of a limit",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "66.6 %, 2 of 3 known faults would be caught; level deep"};
    char strength[4096];
    int status;
    snprintf(strength, sizeof strength, "%s.strength", base);
    const char told[] = "{\"level\":\"deep\",\"faults\":3,\"caught\":2,\"functions\":[]}";
    lb_test_write(strength, told, sizeof told - 1);
    for (int form = 0; form < 2; form++) {
        char *text = render_with(form == 0 ? "statement.html" : "statement.md", LB_SYNTHETIC_MIXED,
                                 strength, &status);
        assert_int_equal(status, 0);
        for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
            assert_has(text, both[i]);
        free(text);
    }
    static const char wrong[] = "{\"faults\":3}";
    lb_test_write(strength, wrong, sizeof wrong - 1);
    assert_null(render_with("statement.html", LB_SYNTHETIC_MIXED, strength, &status));
    assert_int_not_equal(status, 0);
    assert_null(render_with("statement.html", LB_SYNTHETIC_MIXED, "/nowhere/at/all", &status));
    assert_int_not_equal(status, 0);
}

static void test_without_waivers(void **state)
{
    (void)state;
    int status;
    char *text = render_with("statement.md", LB_SYNTHETIC_PASS, NULL, &status);
    assert_has(text, "## Waivers\n\nNone.");
    assert_has(text, "not told");
    assert_has(text, "**Passed.**");
    free(text);
}

static void test_hostile(void **state)
{
    (void)state;
    int status;
    char *text = render_with("statement.html", LB_SYNTHETIC_HOSTILE, NULL, &status);
    assert_int_equal(status, 0);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "<!--"));
    assert_has(text, "&lt;/script&gt;");
    assert_has(text, "A. Mole &lt;mole@example&gt;");
    free(text);
    text = render_with("statement.md", LB_SYNTHETIC_HOSTILE, NULL, &status);
    assert_null(strstr(text, "<script"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts),
                                       cmocka_unit_test(test_without_waivers),
                                       cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
