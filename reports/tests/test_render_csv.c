/* CSV: read back by the rules of RFC 4180, every cell where its header says, and no cell a formula.
 */
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_render_csv";

enum { MAX_CELLS = 64 };

typedef struct record {
    char *cells[MAX_CELLS];
    int count;
} record;

/* Takes one cell apart in place; gives what follows it. */
static char *read_cell(char *at, char **cell)
{
    char *to = at;
    *cell = at;
    if (*at != '"') {
        at += strcspn(at, ",\r\n\"");
        assert_true(*at == ',' || *at == '\r');
        return at;
    }
    for (at++; *at != '"' || at[1] == '"'; at++) {
        assert_true(*at != '\0');
        at += *at == '"';
        *to++ = *at;
    }
    *to = '\0';
    return at + 1;
}

/* Takes one record apart; gives the next one. */
static char *read_record(char *at, record *line)
{
    line->count = 0;
    for (;;) {
        assert_true(line->count < MAX_CELLS);
        at = read_cell(at, &line->cells[line->count++]);
        if (*at == '\r') {
            assert_int_equal(at[1], '\n');
            *at = '\0';
            return at + 2;
        }
        assert_int_equal(*at, ',');
        *at++ = '\0';
    }
}

static const char *cell(const record *header, const record *line, const char *name)
{
    for (int i = 0; i < header->count; i++)
        if (strcmp(header->cells[i], name) == 0)
            return line->cells[i];
    fail_msg("no column %s", name);
    return "";
}

static void check_line(const record *header, const record *line, const lb_result *result)
{
    char number[40];
    snprintf(number, sizeof number, "%llu", (unsigned long long)result->order);
    assert_string_equal(cell(header, line, "order"), number);
    assert_string_equal(cell(header, line, "id"), result->id);
    assert_string_equal(cell(header, line, "function"), result->function);
    assert_string_equal(cell(header, line, "profile"), result->profile);
    assert_string_equal(cell(header, line, "verdict"), lb_verdict_name(result->verdict));
    assert_string_equal(cell(header, line, "reason"), result->reason);
    assert_string_equal(cell(header, line, "exact"), lb_agreement_name(result->exact));
    assert_string_equal(cell(header, line, "reproduce"), result->reproduce);
    assert_string_equal(cell(header, line, "diverges_at"),
                        !result->diverges_at ? "" : result->diverges_at);
    assert_string_equal(cell(header, line, "waiver"), !result->waiver ? "" : result->waiver);
    assert_string_equal(cell(header, line, "was"), !result->was ? "" : result->was);
    if (result->difference_count > 0) {
        assert_string_equal(cell(header, line, "diff_index"), result->differences[0].index);
        const char *got = cell(header, line, "diff_got");
        assert_string_equal(got + (got[0] == '\''), result->differences[0].got);
    } else {
        assert_string_equal(cell(header, line, "diff_index"), "");
    }
    if (result->tolerance_count > 0) {
        double steps = strtod(cell(header, line, "max_steps"), NULL);
        assert_true(fabs(steps - result->tolerances[0].max_steps) < 1e-8);
        assert_string_equal(cell(header, line, "limit_source"), result->tolerances[0].limit_source);
    }
    if (result->accumulator.acc_bits > 0) {
        assert_int_equal(atoi(cell(header, line, "headroom_bits")),
                         result->accumulator.acc_bits - result->accumulator.peak_bits);
        assert_int_equal(atoll(cell(header, line, "peak_low")), result->accumulator.peak_low);
    } else {
        assert_string_equal(cell(header, line, "headroom_bits"), "");
    }
}

static void check_kind(lb_synthetic_kind kind, uint64_t count)
{
    size_t length;
    char *text = lb_test_render(base, "csv", kind, count, &length);
    record header, line;
    uint64_t lines = 0;
    char *at = read_record(text, &header);
    for (; *at != '\0'; lines++) {
        lb_result result;
        lb_synthetic_text strings;
        at = read_record(at, &line);
        assert_int_equal(line.count, header.count);
        lb_synthetic_result(kind, lines, &result, &strings);
        check_line(&header, &line, &result);
    }
    assert_true(lines == count);
    free(text);
}

static void test_lines(void **state)
{
    (void)state;
    check_kind(LB_SYNTHETIC_MIXED, 0);
    check_kind(LB_SYNTHETIC_MIXED, 1500);
    check_kind(LB_SYNTHETIC_FAILING, 500);
    check_kind(LB_SYNTHETIC_SKIPPED, 20);
}

static void write_one(const char *text)
{
    char path[1000], line[10000];
    snprintf(path, sizeof path, "%s.json", base);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    lb_run_info info = {.profile_count = 0, .shard_index = 1, .shard_count = 1};
    lb_tally tally = {{1, 0, 0, 0, 0}};
    lb_result result = {.suite = text,
                        .id = text,
                        .function = text,
                        .family = text,
                        .variant = text,
                        .profile = text,
                        .reason = text,
                        .file = text,
                        .reproduce = text};
    size_t length = lb_result_to_json(&result, line, sizeof line);
    assert_true(lb_results_write_head(file, &info, &tally) &&
                lb_results_write_line(file, line, length, true) && lb_results_write_tail(file));
    fclose(file);
}

static void test_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *given, *cell;
    } cases[] = {
        {"=1+1", "'=1+1"},
        {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
        {"-1+1", "'-1+1"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "'\t=1"},
        {"\r=1", "'\r=1"},
        {"\xef\xbc\x9d"
         "1",
         "'\xef\xbc\x9d"
         "1"},
        {"-", "'-"},
        {"-12", "-12"}, /* numbers stay numbers */
        {"+3.5", "+3.5"},
        {"-12.", "'-12."},
        {"-1e5", "'-1e5"},
        {"a=1", "a=1"},
        {"a,\"b\"\nc", "a,\"b\"\nc"},
        {" leading", " leading"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        record header, line;
        write_one(cases[i].given);
        char *text = lb_test_render_file(base, "csv", &length);
        char *rest = read_record(read_record(text, &header), &line);
        assert_int_equal(*rest, '\0');
        assert_string_equal(cell(&header, &line, "id"), cases[i].cell);
        assert_string_equal(cell(&header, &line, "reason"), cases[i].cell);
        assert_string_equal(cell(&header, &line, "reproduce"), cases[i].cell);
        free(text);
    }
}

static void test_hostile_strings(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "csv", LB_SYNTHETIC_HOSTILE, 200, &length);
    record header, line;
    char *at = read_record(text, &header);
    int lines = 0;
    for (; *at != '\0'; lines++) {
        at = read_record(at, &line);
        assert_int_equal(line.count, header.count);
        assert_non_null(strstr(cell(&header, &line, "function"),
                               "</script><script>alert(1)</script>'\"&<!--]]>|`=1+1,\n"));
    }
    assert_int_equal(lines, 200);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_hostile_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
