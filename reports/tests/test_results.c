/* results.json: what is written is read again, in every field and at every extreme, however the
 * file is laid out. */
#define _XOPEN_SOURCE 700

#include "escape.h"
#include "results.h"
#include "results_read.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_results";
static const char path[] = LASTBIT_BINARY_DIR "/test_results.json";

/* ---- One result ---- */

static lb_result full_result(void)
{
    lb_result result = {.order = UINT64_MAX,
                        .suite = "suite",
                        .file = "a/b.yaml",
                        .line = UINT32_MAX,
                        .id = "id \"quoted\" \\ back\nnew\ttab\x01",
                        .function = "mli_krn_x",
                        .family = "family",
                        .variant = "variant",
                        .profile = "up-full",
                        .verdict = LB_WAIVED,
                        .reason = "grüße, 日本, 😀",
                        .recorded = LB_AGREEMENT_DIFFERS,
                        .exact = LB_AGREEMENT_AGREES,
                        .real = LB_AGREEMENT_DIFFERS,
                        .outlier = "recorded",
                        .status_expected = "ok",
                        .status_got = "bad_tensor",
                        .rule = "in: rank is 5",
                        .reproduce = "lastbit run 'a b.yaml'",
                        .microseconds = 12.3456789,
                        .vacuous = "every output is 0",
                        .again = "passes alone",
                        .diverges_at = "requantize.rounding",
                        .section = "numerics.md 5.3",
                        .cpu = "avx2",
                        .waiver = "dsp-team: rounding, until 2031-12-31",
                        .was = "fail",
                        .map_role = "out",
                        .map_shape = "2,3",
                        .kind = "numbers",
                        .map_values = "1:1:5:-6",
                        .tags = "smoke,padding",
                        .elements = (uint64_t)1 << 60,
                        .calls = 1000,
                        .explain = "lastbit explain x --case y",
                        .map_rows = 2,
                        .map_columns = 3,
                        .map = "..123.",
                        .difference_count = LB_MAX_DIFFERENCES,
                        .tolerance_count = LB_MAX_TOLERANCES,
                        .accumulator = {40, INT64_MIN, INT64_MAX, 64, UINT64_MAX, "persistent", 7,
                                        41, INT64_MIN, INT64_MAX, 64, INT64_MIN, INT64_MAX,
                                        INT64_MIN, INT64_MAX}};
    for (unsigned i = 0; i < LB_MAX_DIFFERENCES; i++) {
        result.differences[i] = (lb_difference){
            "exact", LB_DIFFERS_DATA, "out", i % 2 == 0 ? "" : "frac_bits", "2,0,7",
            "in[*]", "-12 (0xf4)",    "4",   i == 0 ? UINT64_MAX : i,       100 + i};
    }
    for (unsigned i = 0; i < LB_MAX_TOLERANCES; i++) {
        result.tolerances[i] =
            (lb_tolerance){.role = "cell",
                           .elements = (uint64_t)1 << 53,
                           .max_steps = 0.5 + i,
                           .mean_steps = -0.001,
                           .rms_steps = 1e-30,
                           .max_real = 0.25,
                           .snr_db = -3.5,
                           .noise_ratio = 1e-3,
                           .quant_share_percent = 99.5,
                           .histogram = {1, 2, 3, 4, 5, 6, (uint64_t)1 << 53, 8, 9, 10, 11, 12, 13},
                           .limit_metric = "max_steps",
                           .limit_source = "tolerance.yaml:12",
                           .limit = 1.5,
                           .used_percent = 120.25};
    }
    return result;
}

static void assert_close(double got, double wanted)
{
    if (isnan(wanted))
        assert_true(isnan(got));
    else
        assert_true(fabs(got - wanted) <= fabs(wanted) * 1e-8);
}

static void assert_same_difference(const lb_difference *got, const lb_difference *wanted)
{
    assert_string_equal(got->oracle, wanted->oracle);
    assert_int_equal(got->what, wanted->what);
    assert_string_equal(got->role, wanted->role);
    assert_string_equal(got->field, wanted->field);
    assert_string_equal(got->index, wanted->index);
    assert_string_equal(got->operands, wanted->operands);
    assert_string_equal(got->expected, wanted->expected);
    assert_string_equal(got->got, wanted->got);
    assert_true(got->count == wanted->count);
    assert_true(got->total == wanted->total);
}

static void assert_same_accumulator(const lb_accumulator_use *got, const lb_accumulator_use *wanted)
{
    assert_int_equal(got->acc_bits, wanted->acc_bits);
    assert_true(got->peak_low == wanted->peak_low);
    assert_true(got->peak_high == wanted->peak_high);
    assert_int_equal(got->peak_bits, wanted->peak_bits);
    assert_true(got->macs == wanted->macs);
    assert_string_equal(got->overflow, wanted->overflow);
    assert_true(got->saturated == wanted->saturated);
}

static void assert_same_text(const char *got, const char *wanted)
{
    assert_string_equal(got, wanted ? wanted : "");
}

static void assert_same_tolerance(const lb_tolerance *got, const lb_tolerance *wanted)
{
    assert_string_equal(got->role, wanted->role);
    assert_true(got->elements == wanted->elements);
    assert_close(got->max_steps, wanted->max_steps);
    assert_close(got->mean_steps, wanted->mean_steps);
    assert_close(got->rms_steps, wanted->rms_steps);
    assert_close(got->max_real, wanted->max_real);
    assert_close(got->snr_db, wanted->snr_db);
    assert_close(got->noise_ratio, wanted->noise_ratio);
    assert_close(got->quant_share_percent, wanted->quant_share_percent);
    assert_memory_equal(got->histogram, wanted->histogram, sizeof wanted->histogram);
    assert_same_text(got->limit_metric, wanted->limit_metric);
    assert_same_text(got->limit_source, wanted->limit_source);
    assert_close(got->limit, wanted->limit);
    assert_close(got->used_percent, wanted->used_percent);
}

static void assert_same_figures(const lb_result *got, const lb_result *wanted)
{
    assert_close(got->microseconds, wanted->microseconds);
    assert_int_equal(got->difference_count, wanted->difference_count);
    for (unsigned i = 0; i < wanted->difference_count; i++)
        assert_same_difference(&got->differences[i], &wanted->differences[i]);
    assert_int_equal(got->tolerance_count, wanted->tolerance_count);
    for (unsigned i = 0; i < wanted->tolerance_count; i++)
        assert_same_tolerance(&got->tolerances[i], &wanted->tolerances[i]);
    assert_same_accumulator(&got->accumulator, &wanted->accumulator);
}

static void assert_same_result(const lb_result *got, const lb_result *wanted)
{
    assert_true(got->order == wanted->order);
    assert_string_equal(got->suite, wanted->suite);
    assert_string_equal(got->file, wanted->file);
    assert_int_equal(got->line, wanted->line);
    assert_string_equal(got->id, wanted->id);
    assert_string_equal(got->function, wanted->function);
    assert_string_equal(got->family, wanted->family);
    assert_string_equal(got->variant, wanted->variant);
    assert_string_equal(got->profile, wanted->profile);
    assert_int_equal(got->verdict, wanted->verdict);
    assert_string_equal(got->reason, wanted->reason);
    assert_int_equal(got->recorded, wanted->recorded);
    assert_int_equal(got->exact, wanted->exact);
    assert_int_equal(got->real, wanted->real);
    assert_string_equal(got->outlier, wanted->outlier);
    assert_string_equal(got->status_expected, wanted->status_expected);
    assert_string_equal(got->status_got, wanted->status_got);
    assert_string_equal(got->rule, wanted->rule);
    assert_string_equal(got->reproduce, wanted->reproduce);
    assert_same_text(got->vacuous, wanted->vacuous);
    assert_same_text(got->again, wanted->again);
    assert_same_text(got->diverges_at, wanted->diverges_at);
    assert_same_text(got->section, wanted->section);
    assert_same_text(got->cpu, wanted->cpu);
    assert_same_text(got->waiver, wanted->waiver);
    assert_same_text(got->was, wanted->was);
    assert_same_text(got->map_role, wanted->map_role);
    assert_same_text(got->kind, wanted->kind);
    assert_same_text(got->map_shape, wanted->map_shape);
    assert_same_text(got->map_values, wanted->map_values);
    assert_same_text(got->tags, wanted->tags);
    assert_same_text(got->explain, wanted->explain);
    assert_true(got->elements == wanted->elements && got->calls == wanted->calls);
    assert_int_equal(got->map_rows, wanted->map_rows);
    assert_int_equal(got->map_columns, wanted->map_columns);
    assert_same_text(got->map, wanted->map);
    assert_same_figures(got, wanted);
}

/* Writes a result and reads it; the JSON value that the strings point into is the caller's to
 * delete. */
static cJSON *there_and_back(const lb_result *result, lb_result *back)
{
    static char line[1 << 16];
    char error[300] = "";
    size_t length = lb_result_to_json(result, line, sizeof line);
    assert_true(length > 0);
    assert_int_equal(strlen(line), length);
    assert_null(strchr(line, '\n'));
    cJSON *object = cJSON_Parse(line);
    assert_non_null(object);
    if (!lb_result_from_json(object, back, error, sizeof error))
        fail_msg("%s in %s", error, line);
    return object;
}

static void test_every_field(void **state)
{
    (void)state;
    lb_result result = full_result(), back;
    cJSON *object = there_and_back(&result, &back);
    assert_same_result(&back, &result);
    cJSON_Delete(object);
}

static void test_empty_fields(void **state)
{
    (void)state;
    lb_result result = {.verdict = LB_PASS}, back; /* every string is NULL */
    cJSON *object = there_and_back(&result, &back);
    lb_result empty = {.suite = "",
                       .file = "",
                       .id = "",
                       .function = "",
                       .family = "",
                       .variant = "",
                       .profile = "",
                       .reason = "",
                       .outlier = "",
                       .status_expected = "",
                       .status_got = "",
                       .rule = "",
                       .reproduce = "",
                       .accumulator = {.overflow = "none"}};
    assert_same_result(&back, &empty);
    assert_null(cJSON_GetObjectItem(object, "reason"));
    assert_null(cJSON_GetObjectItem(object, "accumulator"));
    assert_null(cJSON_GetObjectItem(object, "microseconds"));
    assert_null(cJSON_GetObjectItem(object, "map"));
    cJSON_Delete(object);
}

static void test_numbers(void **state)
{
    (void)state;
    const uint64_t limit = (uint64_t)1 << 53;
    const struct {
        int64_t value;
        bool number;
    } cases[] = {{0, true},
                 {(int64_t)limit, true},
                 {(int64_t)limit + 1, false},
                 {-(int64_t)limit, true},
                 {-(int64_t)limit - 1, false},
                 {INT64_MAX, false},
                 {INT64_MIN, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_result result = full_result(), back;
        result.accumulator.peak_low = cases[i].value;
        result.order = (uint64_t)cases[i].value;
        cJSON *object = there_and_back(&result, &back);
        const cJSON *use = cJSON_GetObjectItem(object, "accumulator");
        assert_int_equal(cJSON_IsNumber(cJSON_GetObjectItem(use, "peak_low")), cases[i].number);
        assert_true(back.accumulator.peak_low == cases[i].value);
        assert_true(back.order == (uint64_t)cases[i].value);
        cJSON_Delete(object);
    }
}

static void test_no_numbers(void **state)
{
    (void)state;
    const double values[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        lb_result result = full_result(), back;
        result.microseconds = result.tolerances[0].max_steps = values[i];
        cJSON *object = there_and_back(&result, &back);
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(object, "microseconds")));
        assert_true(isnan(back.microseconds));
        assert_true(isnan(back.tolerances[0].max_steps));
        cJSON_Delete(object);
    }
}

static void test_bytes_that_are_no_text(void **state)
{
    (void)state;
    static const struct {
        const char *given, *stored;
    } cases[] = {
        {"\xff", "\xef\xbf\xbd"},                                 /* never a lead byte */
        {"a\x80z", "a\xef\xbf\xbdz"},                             /* continuation alone */
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* surrogate */
        {"\xf4\x90\x80\x80",
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* beyond U+10FFFF */
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},             /* cut */
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},             /* good */
        {"\xef\xbf\xbd\xed\x9f\xbf\xee\x80\x80\xc2\x80",
         "\xef\xbf\xbd\xed\x9f\xbf\xee\x80\x80\xc2\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_result result = full_result(), back;
        result.id = cases[i].given;
        cJSON *object = there_and_back(&result, &back);
        assert_string_equal(back.id, cases[i].stored);
        cJSON_Delete(object);
    }
}

static void test_every_room(void **state)
{
    (void)state;
    static char whole[1 << 16];
    lb_result result = full_result();
    size_t length = lb_result_to_json(&result, whole, sizeof whole);
    for (size_t room = 0; room <= length + 1; room++) {
        char *text = malloc(room + 1);
        assert_non_null(text);
        assert_int_equal(lb_result_to_json(&result, text, room), room > length ? length : 0);
        if (room > length)
            assert_string_equal(text, whole);
        free(text);
    }
}

static void test_a_pass_is_short(void **state)
{
    (void)state;
    char line[2000];
    lb_result result;
    lb_synthetic_text text;
    size_t plain = 0, most = 0;
    for (uint64_t i = 0; i < 400; i++) {
        lb_synthetic_result(LB_SYNTHETIC_PASS, i, &result, &text);
        size_t length = lb_result_to_json(&result, line, sizeof line);
        assert_true(length > 0);
        if (result.verdict == LB_PASS && result.accumulator.acc_bits == 0) {
            result.tolerance_count = 0;
            length = lb_result_to_json(&result, line, sizeof line);
            plain = length > plain ? length : plain;
        }
        most = length > most ? length : most;
    }
    print_message("a pass takes up to %zu bytes, with tolerance and accumulator up to %zu\n", plain,
                  most);
    assert_in_range(plain, 200, 460);
    assert_in_range(most, 200, 1100);
}

static void test_speed_of_writing(void **state)
{
    (void)state;
    static char line[1 << 16];
    lb_synthetic_text text;
    lb_result result;
    size_t bytes = 0;
    enum { COUNT = 50000 };
    lb_synthetic_result(LB_SYNTHETIC_PASS, 0, &result, &text);
    double start = lb_test_seconds();
    for (int i = 0; i < COUNT; i++)
        bytes += lb_result_to_json(&result, line, sizeof line);
    double seconds = lb_test_seconds() - start;
    print_message("%d results, %zu bytes in %.3f s of processor time\n", COUNT, bytes, seconds);
    assert_true(bytes > COUNT * 100);
}

/* ---- The file ---- */

static void assert_same_coverage(const lb_run_info *got, const lb_run_info *wanted)
{
    assert_string_equal(got->coverage_level, wanted->coverage_level);
    assert_int_equal(got->coverage_count, wanted->coverage_count);
    for (size_t i = 0; i < wanted->coverage_count; i++) {
        const lb_coverage *a = &got->coverage[i], *b = &wanted->coverage[i];
        assert_string_equal(a->function, b->function);
        assert_int_equal(a->points, b->points);
        assert_int_equal(a->hit, b->hit);
        assert_int_equal(a->missed_count, b->missed_count);
        for (size_t m = 0; m < b->missed_count; m++)
            assert_string_equal(a->missed[m], b->missed[m]);
        assert_int_equal(a->unreachable_count, b->unreachable_count);
        for (size_t u = 0; u < b->unreachable_count; u++) {
            assert_string_equal(a->unreachable[u].point, b->unreachable[u].point);
            assert_string_equal(a->unreachable[u].why, b->unreachable[u].why);
        }
    }
}

static void assert_same_speed(const lb_run_info *got, const lb_run_info *wanted)
{
    assert_int_equal(got->lines_count, wanted->lines_count);
    for (size_t i = 0; i < wanted->lines_count; i++) {
        const lb_line_coverage *a = &got->lines[i], *b = &wanted->lines[i];
        assert_string_equal(a->room, b->room);
        assert_string_equal(a->link, b->link);
        assert_true(a->lines == b->lines && a->lines_hit == b->lines_hit);
        assert_true(a->branches == b->branches && a->branches_hit == b->branches_hit);
    }
    assert_int_equal(got->speed_count, wanted->speed_count);
    for (size_t i = 0; i < wanted->speed_count; i++) {
        const lb_speed *a = &got->speed[i], *b = &wanted->speed[i];
        assert_string_equal(a->row, b->row);
        assert_string_equal(a->function, b->function);
        assert_string_equal(a->cpu, b->cpu);
        assert_string_equal(a->unit, b->unit);
        assert_close(a->seconds, b->seconds);
        assert_close(a->rate, b->rate);
        assert_close(a->peak, b->peak);
        assert_close(a->percent_of_peak, b->percent_of_peak);
        assert_close(a->baseline_rate, b->baseline_rate);
    }
}

static void assert_whole_run(const char *file, lb_synthetic_kind kind, uint64_t count)
{
    char error[700] = "";
    lb_run_info wanted;
    lb_run_suite suites[8];
    lb_synthetic_info(kind, count, &wanted, suites);
    lb_results_reader *reader = lb_results_open(file, error, sizeof error);
    if (!reader)
        fail_msg("%s", error);
    const lb_run_info *info = lb_results_info(reader);
    assert_string_equal(info->tool_version, wanted.tool_version);
    assert_string_equal(info->started, wanted.started);
    assert_close(info->seconds, wanted.seconds);
    assert_string_equal(info->command, wanted.command);
    assert_string_equal(info->port, wanted.port);
    assert_string_equal(info->port_described, wanted.port_described);
    assert_string_equal(info->host, wanted.host);
    assert_string_equal(info->host_compiler, wanted.host_compiler);
    assert_int_equal(info->shard_index, 1);
    assert_int_equal(info->shard_count, 1);
    assert_string_equal(info->exhaustive, wanted.exhaustive);
    assert_int_equal(info->profile_count, wanted.profile_count);
    assert_string_equal(info->profiles[1], wanted.profiles[1]);
    assert_int_equal(info->suite_count, 8);
    assert_string_equal(info->suites[7].name, suites[7].name);
    assert_string_equal(info->suites[7].file, suites[7].file);
    assert_string_equal(info->suites[7].sha256, suites[7].sha256);
    assert_true(info->suites[7].cases == suites[7].cases);
    assert_same_coverage(info, &wanted);
    assert_same_speed(info, &wanted);
    for (int pass = 0; pass < 2; pass++) {
        uint64_t number = 0;
        const lb_result *result;
        lb_tally tally = {{0}};
        while ((result = lb_results_next(reader, error, sizeof error)) != NULL) {
            lb_result same;
            lb_synthetic_text text;
            lb_synthetic_result(kind, number++, &same, &text);
            assert_same_result(result, &same);
            tally.count[result->verdict]++;
        }
        assert_string_equal(error, "");
        assert_true(number == count);
        assert_memory_equal(&tally, lb_results_tally(reader), sizeof tally);
        assert_null(lb_results_next(reader, error, sizeof error));
        assert_true(lb_results_rewind(reader));
    }
    lb_results_close(reader);
}

static void test_files(void **state)
{
    (void)state;
    static const lb_synthetic_kind kinds[] = {LB_SYNTHETIC_MIXED, LB_SYNTHETIC_FAILING,
                                              LB_SYNTHETIC_SKIPPED};
    static const uint64_t counts[] = {0, 1, 2, 300};
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < 4; i++) {
            lb_test_write_results(base, kinds[kind], counts[i]);
            assert_whole_run(path, kinds[kind], counts[i]);
        }
    }
}

static void test_files_that_were_laid_out_anew(void **state)
{
    (void)state;
    size_t length;
    lb_test_write_results(base, LB_SYNTHETIC_MIXED, 50);
    char *text = lb_test_read(path, &length);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    char *forms[] = {cJSON_Print(document), cJSON_PrintUnformatted(document)};
    for (int i = 0; i < 2; i++) {
        assert_non_null(forms[i]);
        lb_test_write(path, forms[i], strlen(forms[i]));
        assert_whole_run(path, LB_SYNTHETIC_MIXED, 50);
        cJSON_free(forms[i]);
    }
    cJSON_Delete(document);
    free(text);
}

static void test_files_from_other_systems(void **state)
{
    (void)state;
    size_t length;
    lb_test_write_results(base, LB_SYNTHETIC_MIXED, 50);
    char *text = lb_test_read(path, &length);
    char *lines = lb_test_replaced(text, "\n", "\r\n");
    char *marked = lb_test_replaced(lines, "{\"format\"", "\xef\xbb\xbf{\"format\"");
    char *blank = lb_test_replaced(text, "\n", "\n\n");
    char *unended = lb_test_replaced(text, "]}\n", "]}");
    const char *forms[] = {lines, marked, blank, unended};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        lb_test_write(path, forms[i], strlen(forms[i]));
        assert_whole_run(path, LB_SYNTHETIC_MIXED, 50);
    }
    free(text);
    free(lines);
    free(marked);
    free(blank);
    free(unended);
}

static void test_a_pipe(void **state)
{
    (void)state;
    size_t length;
    int ends[2];
    char name[40];
    lb_test_write_results(base, LB_SYNTHETIC_MIXED, 50);
    char *text = lb_test_read(path, &length);
    assert_int_equal(pipe(ends), 0);
    assert_true(write(ends[1], text, length) == (ssize_t)length); /* less than a pipe holds */
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_whole_run(name, LB_SYNTHETIC_MIXED, 50);
    close(ends[0]);
    free(text);
}

static int remove_files(void **state)
{
    (void)state;
    remove(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_empty_fields),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_bytes_that_are_no_text),
        cmocka_unit_test(test_every_room),
        cmocka_unit_test(test_a_pass_is_short),
        cmocka_unit_test(test_speed_of_writing),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_files_that_were_laid_out_anew),
        cmocka_unit_test(test_files_from_other_systems),
        cmocka_unit_test(test_a_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
