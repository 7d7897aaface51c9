/* Markdown: under 64 KB whatever the run, the worst first, what is left out is counted, and
 * strangers' strings make no table, tag or heading of their own. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_render_markdown";

enum { LIMIT_BYTES = 65536 };

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("missing: %s", part);
}

static void test_facts(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "markdown", LB_SYNTHETIC_MIXED, 4800, &length);
    static const char *const facts[] = {
        "lastbit: Failed\n\n76 failures and 7 errors in 4,800 results, in 4 of 24 functions.\n",
        "| 4,651 | 76 | 7 | 49 | 17 |\n",
        "| Recorded expectation | 4,682 | 62 | 56 |\n",
        "| `mli_krn_eltwise_add_sa8` | 20 | 4 | 175 | 1 | 0 |\n",
        "**Failed** `eltwise_sa8.sweep.00000` in `convergent-reduced`: saturation is missing\n",
        "- exact, data of `out` at `3,0,0`: expected `-107 (0x95)`, got `-106 (0x96)`; 16 of 87 "
        "differ; operands "
        "`in[2,0,*], weights[*,*,*,7], bias[7]`\n",
        "- stands alone: `exact`\n",
        ("- reproduce: `lastbit run vectors/standard/eltwise.yaml --case 'eltwise_sa8.sweep.00000' "
         "--profile convergent-reduced`\n"),
        "| Skipped | 28 | the port does not offer this function |\n",
        "| Port | `./libacme_mli.so` |\n",
        "80 passes prove little",
        "Coverage: 93.2 %, 929 of 996 points of behaviour.\n",
        ("Tolerance used up most: 139.8 % of the limit for `max_steps` in "
         "`mli_hlp_convert_tensor`.\n"),
        "- diverges at: `requantize.rounding`\n",
        "Smallest accumulator headroom: 0 bits (40 of 40 needed) in `mli_krn_conv2d_hwcn_fx16`",
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        assert_has(text, facts[i]);
    free(text);
}

static void test_outcomes(void **state)
{
    (void)state;
    static const struct {
        lb_synthetic_kind kind;
        uint64_t count;
        const char *verdict;
    } cases[] = {{LB_SYNTHETIC_SKIPPED, 0, "lastbit: Nothing was tested\n"},
                 {LB_SYNTHETIC_PASS, 0, "lastbit: Speed was measured\n"},
                 {LB_SYNTHETIC_PASS, 40, "lastbit: Passed\n"},
                 {LB_SYNTHETIC_SKIPPED, 40, "lastbit: Nothing was tested\n"},
                 {LB_SYNTHETIC_WAIVED, 2000, "lastbit: Passed, with waivers\n"},
                 {LB_SYNTHETIC_FAILING, 3, "lastbit: Failed\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        char *text = lb_test_render(base, "markdown", cases[i].kind, cases[i].count, &length);
        assert_has(text, cases[i].verdict);
        assert_int_equal(strstr(text, "### Speed\n\n| Row | Level |") != NULL,
                         cases[i].kind != LB_SYNTHETIC_SKIPPED);
        assert_int_equal(strstr(text, "### First failures") != NULL,
                         cases[i].kind == LB_SYNTHETIC_FAILING);
        free(text);
    }
}

/* Shown and left out are all. */
/* Results in the lines that open a failure: one a profile. */
static size_t count_shown(const char *text)
{
    size_t shown = 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, "**Failed** ", 11) == 0 || strncmp(line, "**Error** ", 10) == 0)
            for (const char *at = strstr(line, " in `"); *at != ':' && *at != '\n'; at++)
                shown += strncmp(at, " `up-", 5) == 0 || strncmp(at, " `convergent-", 13) == 0;
    }
    return shown;
}

static void test_what_is_left_out(void **state)
{
    (void)state;
    static const uint64_t counts[] = {10, 1000, 40000};
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        char *text = lb_test_render(base, "markdown", LB_SYNTHETIC_FAILING, counts[i], &length);
        size_t shown = count_shown(text);
        const char *line = strstr(text, " more failures and errors are left out");
        uint64_t left_out = 0;
        if (line) {
            while (line[-1] != '\n')
                line--;
            for (; *line != ' '; line++)
                left_out = *line == ',' ? left_out : left_out * 10 + (uint64_t)(*line - '0');
        }
        assert_true(shown > 0);
        assert_true(shown + left_out == counts[i]);
        free(text);
    }
}

static void test_size(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 37, LB_TEST_MANY / 20, LB_TEST_MANY};
    size_t largest = 0;
    for (int kind = 0; kind < LB_SYNTHETIC_KIND_COUNT; kind++) {
        for (size_t i = 0; i < 5; i++) {
            if (counts[i] == LB_TEST_MANY && kind != LB_SYNTHETIC_FAILING)
                continue;
            size_t length;
            char *text =
                lb_test_render(base, "markdown", (lb_synthetic_kind)kind, counts[i], &length);
            assert_true(length < LIMIT_BYTES);
            largest = length > largest ? length : largest;
            free(text);
        }
    }
    print_message("the largest summary has %zu bytes\n", largest);
}

/* Every string as long as strings get, in characters of three bytes. */
static void test_size_of_long_strings(void **state)
{
    (void)state;
    enum { CHARACTERS = 3000, COUNT = 200 };
    static char wide[CHARACTERS * 3 + 20], line[1 << 20];
    char path[1000], names[COUNT][CHARACTERS / 10 * 3 + 20];
    lb_run_suite suite = {wide, wide, wide, 1};
    const char *profiles[30];
    for (int i = 0; i < CHARACTERS; i++)
        memcpy(wide + 3 * i, "\xe6\x97\xa5", 4);
    for (int i = 0; i < 30; i++)
        profiles[i] = wide;
    lb_run_info info = {.tool_version = wide,
                        .started = wide,
                        .seconds = 1,
                        .command = wide,
                        .port = wide,
                        .port_described = wide,
                        .host = wide,
                        .host_compiler = wide,
                        .profile_count = 30,
                        .profiles = profiles,
                        .suite_count = 1,
                        .suites = &suite,
                        .shard_index = 1,
                        .shard_count = 1,
                        .exhaustive = wide,
                        .platforms = wide,
                        .guard = wide,
                        .coverage_level = wide,
                        .judge = "tolerance",
                        .tolerance = wide,
                        .cpu = wide,
                        .buffers = "misaligned",
                        .chosen.cases = {30, profiles}};
    lb_tally tally = {{0, COUNT, 0, 0, 0}};
    snprintf(path, sizeof path, "%s.json", base);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(lb_results_write_head(file, &info, &tally));
    for (uint64_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%d%.900s", (int)i, wide);
        lb_result result = {.order = i,
                            .suite = wide,
                            .file = wide,
                            .id = wide,
                            .function = names[i],
                            .profile = wide,
                            .verdict = LB_FAIL,
                            .reason = wide,
                            .rule = wide,
                            .reproduce = wide,
                            .difference_count = 8,
                            .status_expected = wide,
                            .status_got = "",
                            .outlier = wide};
        for (int d = 0; d < 8; d++) {
            result.differences[d] =
                (lb_difference){wide, LB_DIFFERS_DATA, wide, wide, wide, wide, wide, wide, 1, 2};
        }
        size_t length = lb_result_to_json(&result, line, sizeof line);
        assert_true(length > 0);
        assert_true(lb_results_write_line(file, line, length, i == 0));
    }
    assert_true(lb_results_write_tail(file));
    fclose(file);
    size_t length;
    char *out = lb_test_render_file(base, "markdown", &length);
    print_message("with the longest strings %zu bytes\n", length);
    assert_in_range(length, 10000, LIMIT_BYTES - 1);
    free(out);
}

/* Blanks out what stands in code spans, as a reader of Markdown does: a run of backticks up to the
 * next of its length. */
static void blank_code(char *text)
{
    while (*text != '\0') {
        size_t fence = strspn(text, "`");
        if (fence == 0) {
            text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
            continue;
        }
        char *end = text + fence;
        while (*end != '\0' && *end != '\n' && strspn(end, "`") != fence)
            end += *end == '`' ? strspn(end, "`") : 1;
        assert_int_equal(*end, '`'); /* every span is closed on its line */
        memset(text, 'x', (size_t)(end - text) + fence);
        text = end + fence;
    }
}

static void test_hostile_strings(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "markdown", LB_SYNTHETIC_HOSTILE, 300, &length);
    assert_int_equal(lb_test_count(text, "\x01") + lb_test_count(text, "\x7f") +
                         lb_test_count(text, "\xe2\x80\xae"),
                     0);
    blank_code(text);
    assert_null(strchr(text, '<'));
    assert_null(strstr(text, "alert(1)"));
    free(text);
}

static void test_tables_keep_their_columns(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "markdown", LB_SYNTHETIC_HOSTILE, 300, &length);
    size_t columns = 0;
    for (char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t bars = 0;
        for (const char *at = line; *at != '\n'; at++)
            bars += *at == '|' && (at == line || at[-1] != '\\');
        if (line[0] != '|')
            columns = 0;
        else if (columns == 0)
            columns = bars;
        else
            assert_int_equal(bars, columns);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_what_is_left_out),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_size_of_long_strings),
        cmocka_unit_test(test_hostile_strings),
        cmocka_unit_test(test_tables_keep_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
