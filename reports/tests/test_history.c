/* `lastbit report history`: runs in the order of time, flaky cases, what fails and since when. */
#include "history.h"
#include "results.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define FOLDER LASTBIT_BINARY_DIR "/test_history"
static const char out_html[] = LASTBIT_BINARY_DIR "/test_history.html",
                  out_text[] = LASTBIT_BINARY_DIR "/test_history.out",
                  err_text[] = LASTBIT_BINARY_DIR "/test_history.err";

#define RUN(...)                                                                                   \
    lb_test_command((char *[]){"report", "history", __VA_ARGS__, NULL}, out_text, err_text)

enum { CASES = 4 };
static const char *const ids[CASES] = {"steady", "flaky", "broken <b>", "unsteady"};

typedef struct day {
    const char *file, *started, *port_sha256, *verdicts; /* p, f, e, s; ' ': not there */
    const char *again;                                   /* of the last case */
    unsigned hit;
    uint64_t caught;
    double rate;
} day;

/* Not in the order of time, and one in a folder of its own. */
static const day days[] = {
    {FOLDER "/c.json", "2031-05-03T09:00:00Z", "11", "pffp", "", 80, 50, 300},
    {FOLDER "/a.json", "2031-05-01T09:00:00Z", "11", "pppp", "", 60, 40, 200},
    {FOLDER "/deeper/d.json", "2031-05-04T09:00:00Z", "22", "ppf ", "", 90, 60, 100},
    {FOLDER "/b.json", "2031-05-02T09:00:00Z", "11", "pffp", "another output in round 2", 70, 45,
     200}};

static void write_day(const day *d)
{
    static const char *const profiles[] = {"up-full"};
    char line[2000];
    const lb_run_suite suite = {"s", "s.yaml", "77", CASES};
    const lb_speed speed = {.row = "conv", .cpu = "avx2", .unit = "MAC/s", .rate = d->rate};
    const lb_coverage coverage = {.function = "f", .points = 100, .hit = d->hit};
    const lb_run_info info = {.tool_version = "0.1.0",
                              .started = d->started,
                              .port = "./p.so",
                              .port_sha256 = d->port_sha256,
                              .profile_count = 1,
                              .profiles = profiles,
                              .suite_count = 1,
                              .suites = &suite,
                              .speed_count = 1,
                              .speed = &speed,
                              .coverage_count = 1,
                              .coverage = &coverage,
                              .strength_faults = 100,
                              .strength_caught = d->caught,
                              .strength_level = "standard",
                              .shard_index = 1,
                              .shard_count = 1};
    static const char letters[] = "pfesw";
    lb_tally tally = {{0}};
    FILE *file = fopen(d->file, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < CASES; i++) {
        const char *at = strchr(letters, d->verdicts[i]);
        if (at)
            tally.count[at - letters]++;
    }
    assert_true(lb_results_write_head(file, &info, &tally));
    bool first = true;
    for (size_t i = 0; i < CASES; i++) {
        const char *at = strchr(letters, d->verdicts[i]);
        if (!at)
            continue;
        const lb_result result = {
            .order = i,
            .suite = "s",
            .file = "s.yaml",
            .id = ids[i],
            .function = "f",
            .profile = "up-full",
            .verdict = (lb_verdict)(at - letters),
            .again = i == CASES - 1 ? d->again : "",
            .microseconds = 1201.714 + d->hit,
            .accumulator = {.acc_bits = 32, .peak_bits = 20, .overflow = "none"}};
        size_t length = lb_result_to_json(&result, line, sizeof line);
        assert_true(length > 0 && lb_results_write_line(file, line, length, first));
        first = false;
    }
    assert_true(lb_results_write_tail(file));
    assert_int_equal(fclose(file), 0);
}

static int write_days(void **state)
{
    (void)state;
    (void)mkdir(FOLDER, 0777);
    (void)mkdir(FOLDER "/deeper", 0777);
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++)
        write_day(&days[i]);
    FILE *other = fopen(FOLDER "/other.json", "wb");
    if (!other || fputs("{\"format\":\"something else\"}", other) < 0)
        return -1;
    return fclose(other);
}

static void test_model(void **state)
{
    (void)state;
    lb_history h;
    char error[600], *folder[] = {FOLDER};
    assert_true(lb_history_read(&h, folder, 1, error, sizeof error));
    assert_int_equal(h.count, 4);
    for (size_t i = 1; i < h.count; i++)
        assert_true(strcmp(h.runs[i - 1].started, h.runs[i].started) < 0);
    assert_int_equal(h.runs[1].tally.count[LB_FAIL], 2);
    assert_true(h.runs[0].speed == 1 && h.runs[2].speed > 1.49 && h.runs[2].speed < 1.51 &&
                h.runs[3].speed == 0.5);
    assert_int_equal(h.runs[3].headroom, 12);
    assert_int_equal(h.runs[3].hit, 90);
    const struct {
        const char *id;
        size_t changes, unsteady, failing_since;
    } expected[CASES] = {{"steady", 0, 0, SIZE_MAX},
                         {"flaky", 2, 1, SIZE_MAX},
                         {"broken <b>", 1, 1, 1},
                         {"unsteady", 0, 1, SIZE_MAX}};
    for (size_t i = 0; i < CASES; i++) {
        char key[64];
        snprintf(key, sizeof key, "s\n%s\nup-full", expected[i].id);
        size_t number = lb_names_find(&h.cases, key);
        assert_true(number < h.cases.count);
        assert_int_equal(h.facts[number].changes, expected[i].changes);
        assert_int_equal(h.facts[number].unsteady, expected[i].unsteady);
        assert_int_equal(h.facts[number].failing_since, expected[i].failing_since);
    }
    lb_history_free(&h);
}

static void test_page(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "The latest run failed",
        "4 runs, 2031-05-01 09:00:00 UTC to 2031-05-04 09:00:00 UTC",
        "broken &lt;b&gt;",
        "changed 1 time between runs of the same port and suites",
        "not the same each time within a run",
        "Failing results",
        "Strength of the suites",
        "2031-05-03 09:00:00 UTC: 150.0 %",
        "aria-label=\"pass, fail, fail, pass\""};
    size_t length;
    assert_int_equal(RUN(FOLDER, "-o", (char *)out_html), 0);
    char *text = lb_test_read(out_html, &length);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(text, parts[i]))
            fail_msg("missing \"%s\"", parts[i]);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "broken <b>"));
    free(text);
    assert_int_equal(RUN((char *)days[1].file, "-o", "-"), 0);
    text = lb_test_read(out_text, &length);
    assert_non_null(strstr(text, "The latest run passed"));
    assert_non_null(strstr(text, "1 run, 2031-05-01"));
    free(text);
}

static void test_refused(void **state)
{
    (void)state;
    size_t length;
    (void)mkdir(FOLDER "/empty", 0777);
    assert_int_equal(RUN(FOLDER "/empty", "-o", "-"), 2);
    char *text = lb_test_read(err_text, &length);
    assert_non_null(strstr(text, "no file of results is in this folder"));
    free(text);
    assert_int_equal(RUN(FOLDER "/nowhere", "-o", "-"), 2);
    assert_int_equal(RUN(FOLDER "/other.json", "-o", "-"), 2);
    assert_int_equal(RUN(FOLDER), 2);
    assert_int_equal(RUN("-o", "-"), 2);
}

/* The labels of an axis end before it, and begin on the page: eleven pixels high, a letter is less
 * than seven wide. */
static void test_labels(void **state)
{
    static const char mark[] = "<text class=\"to\" x=\"";
    size_t length, labels = 0, longest = 0;
    (void)state;
    assert_int_equal(RUN(FOLDER, "-o", (char *)out_html), 0);
    char *page = lb_test_read(out_html, &length);
    for (const char *at = page; (at = strstr(at, mark)) != NULL; labels++) {
        at += strlen(mark);
        const double right = strtod(at, NULL);
        const char *label = strchr(at, '>') + 1;
        const size_t letters = strcspn(label, "<");
        assert_true((double)letters * 6.6 <= right);
        longest = letters > longest ? letters : longest;
    }
    assert_true(labels >= 10 && longest >= strlen("1261.71 us"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_labels), cmocka_unit_test(test_model),
                                       cmocka_unit_test(test_page), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, write_days, NULL);
}
