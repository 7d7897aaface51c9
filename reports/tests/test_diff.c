/* `lastbit report diff`: every kind of change is found and named once, and only what newly fails
 * makes the status 1. */
#include "diff_lines.h"
#include "results.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char a_path[] = LASTBIT_BINARY_DIR "/test_diff_a.json",
                  b_path[] = LASTBIT_BINARY_DIR "/test_diff_b.json";
static const char out_text[] = LASTBIT_BINARY_DIR "/test_diff.out",
                  err_text[] = LASTBIT_BINARY_DIR "/test_diff.err";

#define RUN(...)                                                                                   \
    lb_test_command((char *[]){"report", "diff", __VA_ARGS__, NULL}, out_text, err_text)

typedef struct entry {
    const char *id;
    lb_verdict verdict;
    double max_steps;
    int peak_bits;
    double microseconds;
} entry;

/* Of the runs that are written next. */
static double noise_percent;
static unsigned repeats = 5;
static bool write_run_without_rows;
static uint64_t strength_caught; /* 0: not told */

static void write_run(const char *path, const char *port, const entry *entries, size_t count,
                      double rate)
{
    static const char *const profiles[] = {"up-full"};
    char line[2000];
    const lb_run_suite suite = {"s", "s.yaml", port, count};
    const lb_speed speed = {.row = "conv",
                            .cpu = "avx2",
                            .unit = "MAC/s",
                            .rate = rate,
                            .noise_percent = noise_percent};
    const lb_run_info info = {.tool_version = "0.1.0",
                              .started = "2031-05-17T09:30:00Z",
                              .port = port,
                              .profile_count = 1,
                              .profiles = profiles,
                              .suite_count = 1,
                              .suites = &suite,
                              .repeats = repeats,
                              .speed_count = write_run_without_rows ? 0 : 1,
                              .speed = &speed,
                              .strength_faults = strength_caught > 0 ? 1000 : 0,
                              .strength_caught = strength_caught,
                              .strength_level = strength_caught > 0 ? "standard" : "",
                              .shard_index = 1,
                              .shard_count = 1};
    lb_tally tally = {{0}};
    for (size_t i = 0; i < count; i++)
        tally.count[entries[i].verdict]++;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(lb_results_write_head(file, &info, &tally));
    for (size_t i = 0; i < count; i++) {
        lb_result result = {
            .order = i,
            .suite = "s",
            .file = "s.yaml",
            .id = entries[i].id,
            .function = "f",
            .profile = "up-full",
            .verdict = entries[i].verdict,
            .reason = entries[i].verdict == LB_FAIL ? "one element differs" : "",
            .reproduce = entries[i].verdict == LB_FAIL ? "lastbit run s.yaml" : "",
            .microseconds = entries[i].microseconds,
            .tolerance_count = 1,
            .accumulator = {.acc_bits = 32, .peak_bits = entries[i].peak_bits, .overflow = "none"}};
        result.tolerances[0] =
            (lb_tolerance){.role = "out", .elements = 1, .max_steps = entries[i].max_steps};
        size_t length = lb_result_to_json(&result, line, sizeof line);
        assert_true(length > 0 && lb_results_write_line(file, line, length, i == 0));
    }
    assert_true(lb_results_write_tail(file));
    assert_int_equal(fclose(file), 0);
}

static const entry before[] = {
    {"same", LB_PASS, 0.5, 20, 10},
    {"breaks", LB_PASS, 0.5, 20, 10},
    {"mended", LB_FAIL, 0.5, 20, 10},
    {"crashes", LB_SKIP, 0, 0, 0},
    {"gone", LB_ERROR, 0, 0, 0},
    {"drifts", LB_PASS, 0.5, 20, 10},
    {"grows", LB_PASS, 0.5, 20, 10},
    {"slows", LB_PASS, 0.5, 20, 1000},
    {"twice", LB_PASS, 0.5, 20, 10},
    {"twice", LB_FAIL, 0.5, 20, 10},
    {"left out", LB_PASS, 0.5, 20, 10},
    {"worse fail", LB_FAIL, 0.5, 20, 10},
    {"waiver ends", LB_WAIVED, 0.5, 20, 10},
    {"jitter", LB_PASS, 0.5, 20, 10},
};
static const entry after[] = {
    {"twice", LB_PASS, 0.5, 20, 10},     {"twice", LB_FAIL, 0.5, 20, 10},
    {"same", LB_PASS, 0.5, 20, 10},      {"breaks", LB_FAIL, 0.5, 20, 10},
    {"mended", LB_PASS, 0.5, 20, 10},    {"crashes", LB_ERROR, 0, 0, 0},
    {"drifts", LB_PASS, 0.625, 20, 10},  {"grows", LB_PASS, 0.5, 23, 10},
    {"slows", LB_PASS, 0.5, 20, 1600},   {"left out", LB_SKIP, 0.5, 20, 10},
    {"new good", LB_PASS, 1, 1, 1},      {"new bad", LB_FAIL, 1, 1, 1},
    {"worse fail", LB_ERROR, 0, 20, 10}, {"waiver ends", LB_FAIL, 0.5, 20, 10},
    {"jitter", LB_PASS, 0.5, 20, 60},
};

static const cJSON *list_of(const cJSON *document, const char *kind, int count)
{
    const cJSON *list = cJSON_GetObjectItem(document, kind);
    assert_true(cJSON_IsArray(list));
    if (cJSON_GetArraySize(list) != count)
        fail_msg("%s: %d entries, not %d", kind, cJSON_GetArraySize(list), count);
    assert_int_equal(cJSON_GetObjectItem(cJSON_GetObjectItem(document, "counts"), kind)->valueint,
                     count);
    return list;
}

static void assert_entry(const cJSON *list, int index, const char *id, const char *was,
                         const char *now)
{
    const cJSON *item = cJSON_GetArrayItem(list, index);
    assert_string_equal(cJSON_GetObjectItem(item, "id")->valuestring, id);
    assert_string_equal(cJSON_GetObjectItem(item, "profile")->valuestring, "up-full");
    assert_string_equal(cJSON_GetObjectItem(item, "was")->valuestring, was);
    if (now)
        assert_string_equal(cJSON_GetObjectItem(item, "now")->valuestring, now);
}

static cJSON *compare(int status)
{
    size_t length;
    assert_int_equal(RUN((char *)a_path, (char *)b_path, "--json"), status);
    char *text = lb_test_read(out_text, &length);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    free(text);
    return document;
}

static void test_every_change(void **state)
{
    (void)state;
    write_run(a_path, "a", before, sizeof before / sizeof before[0], 200);
    write_run(b_path, "b", after, sizeof after / sizeof after[0], 150);
    cJSON *document = compare(1);
    const cJSON *failing = list_of(document, "newly_failing", 4);
    assert_entry(failing, 0, "breaks", "pass", "fail");
    assert_entry(failing, 1, "crashes", "skip", "error");
    assert_entry(failing, 2, "new bad", "absent", "fail");
    assert_entry(failing, 3, "waiver ends", "waived", "fail");
    assert_string_equal(cJSON_GetObjectItem(failing->child, "reproduce")->valuestring,
                        "lastbit run s.yaml");
    assert_entry(list_of(document, "newly_passing", 1), 0, "mended", "fail", "pass");
    const cJSON *changed = list_of(document, "changed", 2);
    assert_entry(changed, 0, "left out", "pass", "skip");
    assert_entry(changed, 1, "worse fail", "fail", "error");
    assert_entry(list_of(document, "vanished", 1), 0, "gone", "error", NULL);
    const cJSON *new = list_of(document, "new", 2);
    assert_entry(new, 0, "new good", "absent", "pass");
    assert_entry(new, 1, "new bad", "absent", "fail");
    const cJSON *drifted = list_of(document, "drifted", 1)->child;
    assert_string_equal(cJSON_GetObjectItem(drifted, "id")->valuestring, "drifts");
    assert_string_equal(cJSON_GetObjectItem(drifted, "figure")->valuestring, "max_steps");
    assert_true(cJSON_GetObjectItem(drifted, "now")->valuedouble == 0.625);
    const cJSON *lost = list_of(document, "headroom_lost", 1)->child;
    assert_string_equal(cJSON_GetObjectItem(lost, "id")->valuestring, "grows");
    assert_true(cJSON_GetObjectItem(lost, "was")->valuedouble == 12);
    assert_true(cJSON_GetObjectItem(lost, "now")->valuedouble == 9);
    const cJSON *slower = list_of(document, "slower", 2);
    assert_string_equal(cJSON_GetObjectItem(slower->child, "id")->valuestring, "slows");
    assert_string_equal(cJSON_GetObjectItem(slower->child->next, "id")->valuestring, "conv");
    cJSON_Delete(document);
}

static void test_text(void **state)
{
    (void)state;
    static const char *const parts[] = {
        ("newly failing: 4\n  breaks [up-full]: pass -> fail: one element differs\n"
         "      lastbit run s.yaml\n"),
        "newly passing: 1\n  mended [up-full]: fail -> pass\n",
        "vanished (in A only): 1\n  gone [up-full]: error -> absent\n",
        "drifts [up-full]: max_steps 0.5 -> 0.625 steps",
        "grows [up-full]: headroom 12 -> 9 bits",
        "slows [up-full]: microseconds 1000 -> 1600 us",
        "conv [avx2]: rate 200 -> 150 MAC/s",
        "note: the port differs: a / b",
        "note: the suite s differs",
        "4 newly failing, 1 newly passing\n"};
    size_t length;
    write_run(a_path, "a", before, sizeof before / sizeof before[0], 200);
    write_run(b_path, "b", after, sizeof after / sizeof after[0], 150);
    assert_int_equal(RUN((char *)a_path, (char *)b_path), 1);
    char *text = lb_test_read(out_text, &length);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i]))
            fail_msg("missing \"%s\" in: %s", parts[i], text);
    free(text);
    assert_int_equal(RUN("--show", "1", (char *)a_path, (char *)b_path), 1);
    text = lb_test_read(out_text, &length);
    assert_non_null(strstr(text, "  and 3 more"));
    assert_null(strstr(text, "crashes"));
    free(text);
}

/* Profiles of one case: where the same changed in several, it is said once. */
static void test_profiles(void **state)
{
    (void)state;
    static const char *const profiles[] = {"p", "q", "r", "s"};
    static const char *const reproduce[] = {
        "lastbit run s.yaml --case a --profile p", "lastbit run s.yaml --case a --profile q",
        "lastbit run s.yaml --case a --profile r", "lastbit run other.yaml --case a --profile s"};
    lb_diff_lines lines = lb_diff_lines_make();
    for (int i = 0; i < 4; i++)
        lb_diff_lines_add(&lines, 2,
                          &(lb_diff_line){"suite", "a", profiles[i],
                                          i == 1 ? "pass -> error" : "pass -> fail", reproduce[i]});
    lb_diff_lines_add(&lines, 2, &(lb_diff_line){"suite", "twice", "p", "pass -> fail", NULL});
    lb_diff_lines_add(&lines, 2, &(lb_diff_line){"suite", "twice", "p", "pass -> fail", NULL});
    lb_diff_lines_end(&lines);
    lb_doc_char(&lines.text, '\0');
    assert_false(lines.text.failed);
    assert_string_equal(lines.text.text, "  a [p, r, s]: pass -> fail\n"
                                         "    and in [q]: pass -> error\n"
                                         "      lastbit run s.yaml --case a --profile p,q,r\n"
                                         "  twice [p]: pass -> fail\n");
    assert_int_equal(lines.results, 5);
    lb_diff_lines_free(&lines);
}

/* Everything that may change without a case newly failing: the status stays 0. */
static void test_gate(void **state)
{
    (void)state;
    write_run(a_path, "a", after, sizeof after / sizeof after[0], 100);
    write_run(b_path, "a", after, sizeof after / sizeof after[0], 50);
    cJSON *same = compare(0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(same, "slower")), 1);
    cJSON_Delete(same);
    static const entry left[] = {
        {"a", LB_FAIL, 0, 0, 1}, {"b", LB_ERROR, 0, 0, 1}, {"c", LB_PASS, 1, 9, 1}};
    static const entry right[] = {
        {"a", LB_ERROR, 0, 0, 1}, {"b", LB_FAIL, 0, 0, 1}, {"c", LB_WAIVED, 2, 12, 9000}};
    write_run(a_path, "a", left, 3, 1);
    write_run(b_path, "a", right, 3, 1);
    cJSON *changed = compare(0);
    (void)list_of(changed, "changed", 3);
    (void)list_of(changed, "slower", 1);
    cJSON_Delete(changed);
    write_run(a_path, "a", NULL, 0, 1);
    write_run(b_path, "a", NULL, 0, 1);
    assert_int_equal(RUN((char *)a_path, (char *)b_path), 0);
}

/* "slower" is told of what takes longer than both runs scatter, and of no drift of the machine. */
static void test_noise(void **state)
{
    enum { CALLS = 40 };
    static entry left[CALLS], right[CALLS];
    static char names[CALLS][16];
    (void)state;
    for (size_t i = 0; i < CALLS; i++) {
        snprintf(names[i], sizeof names[i], "call%zu", i);
        left[i] = (entry){names[i], LB_PASS, 0.5, 20, 1000};
        right[i] = left[i];
        /* All of it takes 70 to 90 percent longer, one call four times as long. */
        right[i].microseconds = i == 7 ? 4000 : 1700 + 5 * (double)i;
    }
    write_run(a_path, "a", left, CALLS, 100);
    write_run(b_path, "a", right, CALLS, 100);
    cJSON *document = compare(0);
    const cJSON *slower = list_of(document, "slower", 1);
    assert_string_equal(cJSON_GetObjectItem(slower->child, "id")->valuestring, "call7");
    const cJSON *noise = cJSON_GetObjectItem(document, "noise");
    assert_true(cJSON_GetObjectItem(noise, "drift_percent")->valuedouble > 75);
    assert_true(cJSON_GetObjectItem(noise, "spread_percent")->valuedouble < 10);
    cJSON_Delete(document);
    assert_int_equal(RUN("--fail-on", "slower", (char *)a_path, (char *)b_path), 1);
    right[7].microseconds = 1800;
    write_run(b_path, "a", right, CALLS, 100);
    assert_int_equal(RUN("--fail-on", "slower", (char *)a_path, (char *)b_path), 0);
}

/* A call that was measured once, or a few times, is never slower: an interrupt takes milliseconds.
 * A gate that could not fail for that says so. */
static void test_few_times(void **state)
{
    static const entry quick[] = {{"call", LB_PASS, 0.5, 20, 0.6}},
                       interrupted[] = {{"call", LB_PASS, 0.5, 20, 10479.7}};
    size_t length;
    (void)state;
    for (unsigned times = 0; times <= 6; times += 3) {
        repeats = times;
        write_run(a_path, "a", quick, 1, 100);
        write_run(b_path, "a", interrupted, 1, 100);
        assert_int_equal(RUN("--fail-on", "slower", (char *)a_path, (char *)b_path), times == 6);
    }
    repeats = 1;
    write_run_without_rows = true;
    write_run(a_path, "a", quick, 1, 100);
    write_run(b_path, "a", interrupted, 1, 100);
    write_run_without_rows = false;
    repeats = 5;
    assert_int_equal(RUN("--fail-on", "slower", (char *)a_path, (char *)b_path), 2);
    char *told = lb_test_read(err_text, &length);
    assert_non_null(strstr(told, "two runs with --repeat 5"));
    free(told);
    assert_int_equal(RUN((char *)a_path, (char *)b_path), 0);
}

/* What a run wrote is named by its folder as well. */
static void test_folders(void **state)
{
    static const char folder[] = LASTBIT_BINARY_DIR "/test_diff_folder",
                      inside[] = LASTBIT_BINARY_DIR "/test_diff_folder/results.json",
                      previous[] = LASTBIT_BINARY_DIR "/test_diff_folder/results.previous.json";
    size_t length;
    (void)state;
    assert_true(mkdir(folder, 0777) == 0 || errno == EEXIST);
    remove(previous);
    write_run(inside, "a", NULL, 0, 100);
    write_run(b_path, "a", NULL, 0, 100);
    assert_int_equal(RUN((char *)folder, (char *)b_path), 0);
    assert_int_equal(RUN((char *)b_path, (char *)folder), 0);
    assert_int_equal(rename(inside, previous), 0);
    assert_int_equal(RUN((char *)folder, (char *)b_path), 2);
    char *told = lb_test_read(err_text, &length);
    assert_non_null(strstr(told, "the last run came to no results"));
    free(told);
}

/* A row of the benchmark tells its own noise: 12 percent less is slower at 1 percent, not at 5. */
static void test_noise_of_rows(void **state)
{
    (void)state;
    noise_percent = 1;
    write_run(a_path, "a", NULL, 0, 100);
    write_run(b_path, "a", NULL, 0, 88);
    assert_int_equal(RUN("--fail-on", "slower", (char *)a_path, (char *)b_path), 1);
    noise_percent = 5;
    write_run(a_path, "a", NULL, 0, 100);
    write_run(b_path, "a", NULL, 0, 88);
    assert_int_equal(RUN("--fail-on", "slower", (char *)a_path, (char *)b_path), 0);
    noise_percent = 0;
}

static void test_strength(void **state)
{
    (void)state;
    strength_caught = 900;
    write_run(a_path, "a", NULL, 0, 1);
    strength_caught = 899;
    write_run(b_path, "a", NULL, 0, 1);
    strength_caught = 0;
    assert_int_equal(RUN("--fail-on", "strength", (char *)a_path, (char *)b_path), 1);
    assert_int_equal(RUN("--fail-on", "new,slower", (char *)a_path, (char *)b_path), 0);
    assert_int_equal(RUN("--fail-on", "strength", (char *)b_path, (char *)a_path), 0);
    cJSON *document = compare(0);
    const cJSON *weaker = list_of(document, "weaker", 1)->child;
    assert_true(cJSON_GetObjectItem(weaker, "was")->valuedouble == 90);
    cJSON_Delete(document);
    size_t length;
    assert_int_equal(RUN("--markdown", (char *)a_path, (char *)b_path), 0);
    char *text = lb_test_read(out_text, &length);
    assert_non_null(strstr(text, "<summary>Weaker suites: 1</summary>"));
    free(text);
}

static void test_strangers(void **state)
{
    (void)state;
    size_t length;
    lb_test_write_results(LASTBIT_BINARY_DIR "/test_diff_a", LB_SYNTHETIC_HOSTILE, 60);
    write_run(b_path, "b\x1b[2J", after, 2, 1);
    cJSON *document = compare(1);
    (void)list_of(document, "vanished", 60);
    cJSON_Delete(document);
    assert_int_equal(RUN((char *)a_path, (char *)b_path), 1);
    char *text = lb_test_read(out_text, &length);
    assert_null(strchr(text, '\x1b'));
    assert_null(strchr(text, '\x01'));
    free(text);
}

static void test_bad_usage(void **state)
{
    (void)state;
    write_run(a_path, "a", after, 2, 1);
    assert_int_equal(RUN((char *)a_path), 2);
    assert_int_equal(RUN((char *)a_path, (char *)a_path, (char *)a_path), 2);
    assert_int_equal(RUN((char *)a_path, "no_such.json"), 2);
    assert_int_equal(RUN("--slower", "much", (char *)a_path, (char *)a_path), 2);
    assert_int_equal(RUN("--show", "-1", (char *)a_path, (char *)a_path), 2);
    assert_int_equal(RUN("--colour", (char *)a_path, (char *)a_path), 2);
    assert_int_equal(RUN((char *)a_path, (char *)a_path, "-o", "/no/such/folder/x"), 3);
    assert_int_equal(RUN("--help"), 0);
}

static int remove_files(void **state)
{
    (void)state;
    remove(a_path);
    remove(b_path);
    remove(out_text);
    return remove(err_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_change), cmocka_unit_test(test_text),
        cmocka_unit_test(test_profiles),     cmocka_unit_test(test_gate),
        cmocka_unit_test(test_noise),        cmocka_unit_test(test_noise_of_rows),
        cmocka_unit_test(test_strength),     cmocka_unit_test(test_few_times),
        cmocka_unit_test(test_folders),      cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_bad_usage),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
