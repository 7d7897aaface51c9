/* Tolerance policies: what files may say, which entry holds for a case, and how broken files are
 * refused. */
#include "harness/tests/fixture.h"

#include "harness/json/problems.h"
#include "harness/run/run_plan.h"
#include "harness/run/tolerance_choice.h"
#include "harness/suite/tolerance_policy.h"

#include <sys/stat.h>

#define HEAD "format: lastbit/tolerance-1\n"

typedef struct told {
    unsigned count;
    lb_diagnostic first;
} told;

static void note(void *user, const lb_diagnostic *diagnostic)
{
    told *t = user;
    if (t->count++ == 0)
        t->first = *diagnostic;
}

static bool load(const char *text, lb_policy *policy, told *t)
{
    *t = (told){.count = 0};
    lb_diagnostics diagnostics = {.report = note, .user = t};
    const char *path = write_file("policy.yaml", text);
    bool good = lb_policy_load(path, policy, &diagnostics);
    remove_file(path);
    policy->file = "policy.yaml";
    return good;
}

static void test_later_entries_win(void **state)
{
    static const char text[] = HEAD "note: what for\n"
                                    "limits:\n"
                                    "  - max_steps: 9\n"                                   /* 4 */
                                    "    mean_steps: 0.5\n"                                /* 5 */
                                    "  - {function: mli_krn_relu_*, max_steps: 2}\n"       /* 6 */
                                    "  - variant: fx8\n"                                   /* 7 */
                                    "    snr_db: 30\n"                                     /* 8 */
                                    "    note: eight bits\n"                               /* 9 */
                                    "  - {tag: 'lo*', max_steps: 3, rms_steps: 1.5}\n"     /* 10 */
                                    "  - {function: mli_krn_tanh_fx8, noise_ratio: 0.5}\n" /* 11 */
                                    "  - {max_real: 0.25, tag: none}\n";                   /* 12 */
    char *tags[] = {"short", "long"};
    lb_case c = {
        .function = "mli_krn_relu_fx8", .kernel = lb_kernel_find("mli_krn_relu_fx8"), .tags = tags};
    lb_policy policy;
    told t;
    (void)state;
    assert_true(load(text, &policy, &t));
    assert_int_equal(policy.entry_count, 6);
    lb_case_limits l = lb_policy_limits(&policy, &c);
    assert_true(l.of[LB_METRIC_MAX_STEPS].limit == 2 && l.of[LB_METRIC_MAX_STEPS].line == 6);
    assert_true(l.of[LB_METRIC_MEAN_STEPS].limit == 0.5 && l.of[LB_METRIC_MEAN_STEPS].line == 5);
    assert_true(l.of[LB_METRIC_SNR_DB].limit == 30 && l.of[LB_METRIC_SNR_DB].line == 8);
    assert_true(l.of[LB_METRIC_RMS_STEPS].line == 0 && l.of[LB_METRIC_MAX_REAL].line == 0 &&
                l.of[LB_METRIC_NOISE_RATIO].line == 0);
    c.tag_count = 2;
    l = lb_policy_limits(&policy, &c);
    assert_true(l.of[LB_METRIC_MAX_STEPS].limit == 3 && l.of[LB_METRIC_MAX_STEPS].line == 10);
    assert_true(l.of[LB_METRIC_RMS_STEPS].limit == 1.5);
    c.function = "mli_krn_tanh_fx16";
    c.kernel = lb_kernel_find(c.function);
    c.tag_count = 1;
    l = lb_policy_limits(&policy, &c);
    assert_true(l.of[LB_METRIC_MAX_STEPS].limit == 9 && l.of[LB_METRIC_SNR_DB].line == 0);
    lb_policy_free(&policy);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *key, *problem, *remedy;
    } rows[] = {
        {"", 1, "", "the file is empty", ""},
        {HEAD, 1, "limits", "the key is missing", "a list"},
        {"format: lastbit/tolerance-2\nlimits: []\n", 1, "format", "is not the format",
         "lastbit/tolerance-1"},
        {HEAD "limits: []\nlimit: []\n", 3, "limit", "unknown key", "limits"},
        {HEAD "limits: []\nnote: a\nnote: b\n", 4, "note", "second time", ""},
        {HEAD "limits: 5\n", 2, "limits", "5", ""},
        {HEAD "limits:\n  - 5\n", 3, "limits[0]", "expected an object", ""},
        {HEAD "limits:\n  - {}\n", 3, "limits[0]", "limits nothing", "max_steps"},
        {HEAD "limits:\n  - {function: mli_krn_relu_fx8}\n", 3, "limits[0]", "limits nothing",
         "max_steps"},
        {HEAD "limits:\n  - {max_step: 1}\n", 3, "limits[0].max_step", "unknown key", "max_steps"},
        {HEAD "limits:\n  - {function: mli_krn_relu_fx9, max_steps: 1}\n", 3, "limits[0].function",
         "no function", "mli_krn_relu_fx8"},
        {HEAD "limits:\n  - {function: '', max_steps: 1}\n", 3, "limits[0].function",
         "matches nothing", "leave"},
        {HEAD "limits:\n  - max_steps: 1\n    variant: fx9\n", 4, "limits[0].variant",
         "no such function", "fx16"},
        {HEAD "limits:\n  - max_steps: one\n", 3, "limits[0].max_steps", "expected a number",
         "steps"},
        {HEAD "limits:\n  - max_steps: -1\n", 3, "limits[0].max_steps", "-1 is no limit",
         "0..65535"},
        {HEAD "limits:\n  - max_steps: 70000\n", 3, "limits[0].max_steps", "70000", "0..65535"},
        {HEAD "limits:\n  - max_real: 0\n", 3, "limits[0].max_real", "0 is no limit", "above 0"},
        {HEAD "limits:\n  - {max_steps: 1}\n  - snr_db: 0\n", 4, "limits[1].snr_db",
         "0 is no limit", "as large as"},
        {HEAD "limits:\n  - noise_ratio: 1\n", 3, "limits[0].noise_ratio", "1 is no limit",
         "as large as"},
        {HEAD "limits:\n  - quant_share_percent: 100\n", 3, "limits[0].quant_share_percent", "100",
         "below 100"},
        {HEAD "limits:\n  - max_steps: .nan\n", 3, "limits[0].max_steps", "", "steps"},
        {HEAD "limits: [\n", 0, NULL, "", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_policy policy;
        told t;
        assert_false(load(rows[i].text, &policy, &t));
        assert_true(t.count > 0);
        if (rows[i].line != 0 &&
            (t.first.line != rows[i].line || strcmp(t.first.key, rows[i].key) != 0))
            fail_msg("row %zu: line %u, key %s: %s", i, t.first.line, t.first.key, t.first.problem);
        if (!strstr(t.first.problem, rows[i].problem) || !strstr(t.first.remedy, rows[i].remedy))
            fail_msg("row %zu: %s; %s", i, t.first.problem, t.first.remedy);
        lb_policy_free(&policy);
    }
}

/* Twenty problems are enough. */
static void test_many_problems(void **state)
{
    char text[4000] = HEAD "limits:\n";
    lb_policy policy;
    told t;
    (void)state;
    for (int i = 0; i < 50; i++)
        strcat(text, "  - {max_step: 1}\n");
    assert_false(load(text, &policy, &t));
    assert_true(t.count >= LB_MAX_PROBLEMS && t.count <= LB_MAX_PROBLEMS + 1);
    lb_policy_free(&policy);
}

/* ---- Which file ---- */

static void put(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const lb_policy *chosen(const char *suite_path, const char *option, lb_policies *policies)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = lb_suite_open(suite_path, &diagnostics);
    assert_non_null(suite);
    lb_plan plan = {.suite_count = 1, .suites = &suite};
    assert_true(lb_policies_choose("run", option, &plan, policies));
    lb_suite_close(suite);
    return policies->of_suite[0];
}

static void test_file_beside_the_suite(void **state)
{
    char folder[] = "/tmp/lastbit-test-XXXXXX", inner[100], innermost[110], path[200], other[200];
    lb_policies policies;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/in", folder);
    snprintf(innermost, sizeof innermost, "%s/most", inner);
    assert_true(mkdir(inner, 0777) == 0 && mkdir(innermost, 0777) == 0);
    put(inner, "a.json", SUITE(RELU_CASE("a", -1, 0, 5, "")));
    put(innermost, "a.json", SUITE(RELU_CASE("a", -1, 0, 5, "")));
    snprintf(path, sizeof path, "%s/a.json", inner);
    assert_null(chosen(path, NULL, &policies));
    lb_policies_free(&policies);

    put(folder, "tolerance.yaml", HEAD "limits:\n  - max_steps: 1\n");
    assert_int_equal(chosen(path, NULL, &policies)->entry_count, 1); /* the folder above */
    char *described = lb_policies_describe(&policies);
    assert_non_null(strstr(described, "tolerance.yaml "));
    free(described);
    lb_policies_free(&policies);
    snprintf(other, sizeof other, "%s/a.json", innermost);
    assert_null(chosen(other, NULL, &policies)); /* not two above */
    lb_policies_free(&policies);

    put(inner, "tolerance.yaml", HEAD "limits: []\n");
    assert_int_equal(chosen(path, NULL, &policies)->entry_count,
                     0); /* its own folder comes first */
    lb_policies_free(&policies);
    assert_null(chosen(path, "derived", &policies));
    assert_false(policies.off);
    lb_policies_free(&policies);
    assert_null(chosen(path, "off", &policies));
    assert_true(policies.off);
    lb_policies_free(&policies);
    snprintf(other, sizeof other, "%s/tolerance.yaml", folder);
    assert_int_equal(chosen(path, other, &policies)->entry_count, 1);
    lb_policies_free(&policies);

    char command[200];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_later_entries_win),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_many_problems),
        cmocka_unit_test(test_file_beside_the_suite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
