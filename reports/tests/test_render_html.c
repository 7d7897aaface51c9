/* The HTML report: strangers' strings stay text, every fact is on the page, the data for the list
 * are whole, and a hundred thousand results fit in 8 MB. */
#include "escape.h"
#include "support.h"

#include <cjson/cJSON.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = LASTBIT_BINARY_DIR "/test_render_html";
static const char data_start[] = "<script type=\"application/json\" id=\"data\">";

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("missing: %s", part);
}

/* ---- The data of the list ---- */

/* The JSON between the script tags; the caller deletes it. */
static cJSON *data_of(const char *text)
{
    const char *start = strstr(text, data_start);
    assert_non_null(start);
    start += sizeof data_start - 1;
    const char *end = strstr(start, "</script>");
    assert_non_null(end);
    assert_null(memchr(start, '<', (size_t)(end - start)));
    char *json = malloc((size_t)(end - start) + 1);
    assert_non_null(json);
    memcpy(json, start, (size_t)(end - start));
    json[end - start] = '\0';
    cJSON *data = cJSON_Parse(json);
    free(json);
    assert_non_null(data);
    return data;
}

static const cJSON *column(const cJSON *data, const char *key)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(data, key);
    assert_true(cJSON_IsArray(list));
    return list;
}

static int size_of(const cJSON *data, const char *key)
{
    return cJSON_GetArraySize(column(data, key));
}

static double number_at(const cJSON *data, const char *key, int index)
{
    const cJSON *item = cJSON_GetArrayItem(column(data, key), index);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *string_at(const cJSON *data, const char *key, double index)
{
    const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(column(data, key), (int)index));
    assert_non_null(text);
    return text;
}

static bool has_detail(char verdict)
{
    return verdict == 'f' || verdict == 'e' || verdict == 'w';
}

static void check_columns(const cJSON *data, int rows)
{
    static const char *const of_rows[] = {"case", "profile", "us", "headroom", "steps", "reason"};
    static const char *const of_cases[] = {"caseFunction", "caseSuite", "caseFile", "caseLine",
                                           "caseTag"};
    assert_int_equal(cJSON_GetObjectItem(data, "rows")->valueint, rows);
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
        assert_int_equal(size_of(data, of_rows[i]), rows);
    for (size_t i = 0; i < sizeof of_cases / sizeof of_cases[0]; i++)
        assert_int_equal(size_of(data, of_cases[i]), size_of(data, "caseId"));
    assert_int_equal(size_of(data, "families"), size_of(data, "functions"));
    assert_int_equal(size_of(data, "types"), size_of(data, "functions"));
    const char *verdicts = cJSON_GetObjectItem(data, "verdict")->valuestring;
    int failing = 0;
    for (int i = 0; i < rows; i++)
        failing += has_detail(verdicts[i]);
    assert_int_equal(strlen(verdicts), rows);
    assert_int_equal(strlen(cJSON_GetObjectItem(data, "agreements")->valuestring), rows);
    assert_int_equal(size_of(data, "detail"), failing);
}

static void check_row(const cJSON *data, int row, int index, const lb_result *result)
{
    assert_string_equal(string_at(data, "caseId", index), result->id);
    assert_string_equal(string_at(data, "functions", number_at(data, "caseFunction", index)),
                        result->function);
    assert_string_equal(string_at(data, "families", number_at(data, "caseFunction", index)),
                        result->family);
    assert_string_equal(string_at(data, "suites", number_at(data, "caseSuite", index)),
                        result->suite);
    assert_string_equal(string_at(data, "files", number_at(data, "caseFile", index)), result->file);
    assert_string_equal(string_at(data, "tags", number_at(data, "caseTag", index)), result->tags);
    assert_int_equal((unsigned)number_at(data, "caseLine", index), result->line);
    assert_string_equal(string_at(data, "profiles", number_at(data, "profile", row)),
                        result->profile);
    assert_int_equal(cJSON_GetObjectItem(data, "verdict")->valuestring[row],
                     lb_verdict_name(result->verdict)[0]);
    int agreements = cJSON_GetObjectItem(data, "agreements")->valuestring[row] - 'A';
    assert_int_equal(agreements, result->recorded * 9 + result->exact * 3 + result->real);
    int reason = (int)number_at(data, "reason", row);
    const char *wanted = result->verdict == LB_PASS ? result->vacuous : result->reason;
    wanted = !wanted ? "" : wanted;
    assert_string_equal(reason == 0 ? "" : string_at(data, "reasons", reason - 1), wanted);
}

static double entry(const cJSON *details, int place)
{
    const cJSON *item = cJSON_GetArrayItem(details, place);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* The line as the page's script puts it together again. */
static void check_shell(const cJSON *data, double number, const lb_result *result, const char *line)
{
    const char *const parts[] = {result->file, result->id, result->profile};
    const cJSON *piece;
    char text[1000] = "";
    cJSON_ArrayForEach(piece, cJSON_GetArrayItem(column(data, "shells"), (int)number))
    {
        strcat(text, cJSON_IsNumber(piece) ? parts[piece->valueint] : piece->valuestring);
    }
    assert_string_equal(text, line);
}

static void check_map(const cJSON *data, double number, const lb_result *result)
{
    char text[LB_MAX_MAP_SIDE * LB_MAX_MAP_SIDE + 1];
    size_t length = 0;
    if (result->map_rows == 0) {
        assert_int_equal((int)number, 0);
        return;
    }
    const cJSON *map = cJSON_GetArrayItem(column(data, "maps"), (int)number - 1);
    assert_int_equal(cJSON_GetArrayItem(map, 0)->valueint, result->map_rows);
    assert_int_equal(cJSON_GetArrayItem(map, 1)->valueint, result->map_columns);
    for (const char *at = cJSON_GetArrayItem(map, 2)->valuestring; *at != '\0';) {
        char class = *at == '.' ? '.' : (char)(*at - 'a' + '1');
        char *end;
        long run = strtol(at + 1, &end, 10);
        for (long i = 0; i < (run == 0 ? 1 : run); i++)
            text[length++] = class;
        at = end > at + 1 ? end : at + 1;
    }
    text[length] = '\0';
    assert_string_equal(text, result->map);
}

static void check_details(const cJSON *data, int number, const lb_result *result)
{
    const cJSON *details = cJSON_GetArrayItem(column(data, "details"), number);
    enum { FIRST = 12, EACH = 7 };
    assert_string_equal(string_at(data, "words", entry(details, 0)), result->outlier);
    assert_string_equal(string_at(data, "words", entry(details, 4)),
                        !result->diverges_at ? "" : result->diverges_at);
    check_shell(data, entry(details, 9), result, result->reproduce);
    check_map(data, entry(details, 11), result);
    assert_int_equal(cJSON_GetArraySize(details), FIRST + EACH * (int)result->difference_count);
    for (unsigned i = 0; i < result->difference_count; i++) {
        const lb_difference *difference = &result->differences[i];
        int at = FIRST + EACH * (int)i;
        const cJSON *kind = cJSON_GetArrayItem(column(data, "kinds"), (int)entry(details, at));
        assert_string_equal(string_at(data, "words", entry(kind, 0)), difference->oracle);
        assert_string_equal(string_at(data, "words", entry(kind, 2)), difference->role);
        assert_string_equal(string_at(data, "words", entry(details, at + 1)), difference->index);
        assert_string_equal(string_at(data, "words", entry(details, at + 3)), difference->expected);
        assert_string_equal(string_at(data, "words", entry(details, at + 4)), difference->got);
        assert_true(entry(details, at + 6) == (double)difference->total);
    }
}

static void test_data(void **state)
{
    (void)state;
    static const lb_synthetic_kind kinds[] = {LB_SYNTHETIC_MIXED, LB_SYNTHETIC_FAILING,
                                              LB_SYNTHETIC_INTERLEAVED};
    enum { ROWS = 700 };
    for (int kind = 0; kind < 3; kind++) {
        size_t length;
        char *text = lb_test_render(base, "html", kinds[kind], ROWS, &length);
        cJSON *data = data_of(text);
        check_columns(data, ROWS);
        for (int row = 0, index = 0, failing = 0; row < ROWS; row++) {
            lb_result result;
            lb_synthetic_text strings;
            lb_synthetic_result(kinds[kind], (uint64_t)row, &result, &strings);
            index += (int)number_at(data, "case", row);
            check_row(data, row, index, &result);
            if (has_detail(lb_verdict_name(result.verdict)[0]))
                check_details(data, (int)number_at(data, "detail", failing++), &result);
        }
        cJSON_Delete(data);
        free(text);
    }
}

/* ---- The page ---- */

static void test_facts(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "html", LB_SYNTHETIC_MIXED, 4800, &length);
    static const char *const facts[] = {
        "<h1 id=\"verdict\">Failed</h1>",
        "76 failures and 7 errors in 4,800 results, in 4 of 24 functions.",
        "<dd>4,651</dd>",
        "<dt>Port</dt><dd><code>./<wbr>libacme_mli.so</code>",
        "<dt>Host</dt><dd>Linux 6.1 x86_64, 16 threads</dd>",
        "<dt>lastbit compiled by</dt><dd>clang 14.0.6 -O2</dd>",
        "<dt>lastbit</dt><dd>0.1.0</dd>",
        "<dt>Started</dt><dd>2031-05-17 09:30:00 UTC</dd>",
        "lastbit run --profile all --report out vectors/<wbr>standard",
        "<code "
        "class=\"digest\">9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</code>",
        "8 suites, 1,200 cases</a>",
        "<th scope=\"row\">Recorded expectation</th><td class=\"n\">4,682</td><td class=\"n "
        "bad\">62</td>",
        "<code>-107 (0x95)</code></td><td class=\"n got\" data-t=\"Got\"><code>-106 (0x96)</code>",
        "<code>in[2,0,*], weights[*,*,*,7], bias[7]</code>",
        "<strong>The exact model</strong>, against all other oracles",
        "vectors/standard/eltwise.yaml --case &#39;eltwise_sa8.sweep.00000&#39; --profile "
        "convergent-reduced",
        "the port does not offer this variant",
        "dsp-team: rounding of the vector unit (https://bugs.example/41), until 2031-12-31",
        "Accumulator headroom",
        "<td class=\"n\">40 of 40</td>",
        "<line class=\"limit\"",
        "Deviation from real numbers",
        "<dd class=\"big\">97.8 %</dd><dd>4,651 of 4,751 judged results are right to the last "
        "bit</dd>",
        "<dd class=\"big\">0 bits</dd><dd>left over at the least, in "
        "<code>mli_krn_conv2d_hwcn_fx16</code>",
        "<summary><code>mli_krn_conv2d_hwcn_fx16_fx8_fx8</code> <span>4 of 32 "
        "missed</span></summary>",
        "<dd class=\"big\">139.8 %</dd><dd>of the limit for <code>max_steps</code> used at the "
        "most, in ",
        "<dd class=\"big\">93.2 %</dd><dd>929 of 996 points of behaviour were reached, level "
        "deep</dd>",
        "First differing step: <code>requantize.rounding</code> <span class=\"quiet\">6 "
        "results</span>",
        "First differing step not known",
        "<figure class=\"map\" data-rows=\"15\" data-columns=\"13\" data-map=\"",
        "viewBox=\"0 0 13 15\" preserveAspectRatio",
        "aria-label=\"17 of 195 cells differ, the largest difference is 3 to 4\"",
        "<path class=\"m1\" d=\"M1 1h1v1h-1z",
        "<li class=\"heat4\"><a href=\"#c0\"><span "
        "class=\"name\">mli_krn_conv2d_hwcn_sa8_sa8_sa32</span>",
        "<span class=\"percent\">87.5 %</span> <span class=\"of\">28 of 32</span>",
        "<code>bias.null</code>: the function has no bias that may be left out",
        "Passes that prove little",
        "every output is 0: a port that writes nothing would pass",
        "<svg class=\"histogram\" role=\"img\"",
        "<td class=\"n\">38.40 GMAC/s</td>",
        "<a rel=\"noreferrer\" href=\"coverage/impl/index.html\"><code>impl</code></a>",
        "<td class=\"n\">99.5 %</td><td class=\"n\">5,188 of 5,210</td>",
        "<td class=\"variant\">sa8_sa8_sa32</td>",
        "<noscript>",
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        assert_has(text, facts[i]);
    assert_has(text, "content=\"default-src 'none'; style-src 'sha256-");
    free(text);
}

static void test_outcomes(void **state)
{
    (void)state;
    static const struct {
        lb_synthetic_kind kind;
        uint64_t count;
        const char *verdict, *sentence;
    } cases[] = {
        {LB_SYNTHETIC_SKIPPED, 0, ">Nothing was tested<", "The run holds no results."},
        {LB_SYNTHETIC_PASS, 0, ">Speed was measured<",
         "30 rows were timed, each level for itself; no case was tried."},
        {LB_SYNTHETIC_PASS, 1, ">Passed<", "1 result is right to the last bit."},
        {LB_SYNTHETIC_PASS, 40, ">Passed<", "All 40 results are right to the last bit."},
        {LB_SYNTHETIC_SKIPPED, 40, ">Nothing was tested<",
         "None of 40 results passed: 40 skipped, 0 waived."},
        {LB_SYNTHETIC_WAIVED, 2000, ">Passed, with waivers<", "failures are waived."},
        {LB_SYNTHETIC_PARTLY, 30, ">Passed what was run<",
         "10 results are right to the last bit; 20 results were skipped."},
        {LB_SYNTHETIC_FAILING, 1, ">Failed<", "1 failure in 1 result, in 1 of 1 function."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        char *text = lb_test_render(base, "html", cases[i].kind, cases[i].count, &length);
        assert_has(text, cases[i].verdict);
        assert_has(text, cases[i].sentence);
        free(text);
    }
}

/* The page loads nothing: no address but the names of XML spaces, no tag that fetches. */
static void test_self_contained(void **state)
{
    (void)state;
    size_t length;
    static const char *const fetching[] = {
        "<link", "<img", "<iframe", " src=", "url(", "@import", "import(", "fetch("};
    char *text = lb_test_render(base, "html", LB_SYNTHETIC_MIXED, 400, &length);
    for (size_t i = 0; i < sizeof fetching / sizeof fetching[0]; i++)
        assert_null(strstr(text, fetching[i]));
    assert_int_equal(
        lb_test_count(text, "http"),
        lb_test_count(text, "http://www.w3.org/2000/svg") + lb_test_count(text, "http-equiv") +
            lb_test_count(text, "(https://bugs.example/41)")); /* the text of a waiver */
    free(text);
}

static void test_hostile_strings(void **state)
{
    (void)state;
    size_t length;
    char *text = lb_test_render(base, "html", LB_SYNTHETIC_HOSTILE, 500, &length);
    assert_int_equal(strlen(text), length);
    assert_int_equal(lb_test_count(text, "<script"), 2); /* the data and the page's own */
    assert_int_equal(lb_test_count(text, "</script"), 2);
    assert_null(strstr(text, "<!--"));
    assert_null(strstr(text, "javascript:")); /* the link of a room's lines */
    assert_has(
        text,
        "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&quot;&amp;&lt;!--]]&gt;|`=1+1,");
    for (const char *at = text; *at != '\0';) {
        uint32_t c = lb_utf8_next(&at);
        assert_true((c >= 0x20 && c != 0x7F && c != 0x202E) || c == '\n' || c == '\t');
    }
    cJSON *data = data_of(text);
    check_columns(data, 500);
    assert_non_null(strstr(string_at(data, "caseId", 0), "</script><script>alert(1)</script>"));
    cJSON_Delete(data);
    free(text);
}

/* Many results: the page stays small, and what it leaves out it says. */
static void test_size(void **state)
{
    (void)state;
    static const struct {
        lb_synthetic_kind kind;
        int count;
    } cases[] = {{LB_SYNTHETIC_MIXED, LB_TEST_MANY},
                 {LB_SYNTHETIC_FAILING, LB_TEST_MANY},
                 {LB_SYNTHETIC_HOSTILE, LB_TEST_MANY / 5 * 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        double start = lb_test_seconds();
        char *text = lb_test_render(base, "html", cases[i].kind, (uint64_t)cases[i].count, &length);
        double seconds = lb_test_seconds() - start;
        print_message(
            "%d results (%s): %zu bytes; %.2f s of processor time, the results written too\n",
            cases[i].count, lb_synthetic_kind_name(cases[i].kind), length, seconds);
        assert_true(length < 8000000);
        assert_true(!LB_TEST_MEASURED || seconds < 8);
        cJSON *data = data_of(text);
        /* Names of two hundred characters are the only rows that may find no room. */
        int rows = cJSON_GetObjectItem(data, "rows")->valueint;
        assert_true(rows == cases[i].count || cases[i].kind == LB_SYNTHETIC_HOSTILE);
        check_columns(data, rows);
        assert_non_null(cJSON_GetObjectItem(data, "details")->child);
        assert_int_equal(cJSON_GetObjectItem(data, "total")->valueint, cases[i].count);
        cJSON_Delete(data);
        free(text);
    }
}

/* Failures beyond what the page shows are counted. */
static void test_more_failures(void **state)
{
    (void)state;
    size_t length, shown;
    char *text = lb_test_render(base, "html", LB_SYNTHETIC_FAILING, 4800, &length);
    shown = lb_test_count(text, "<article class=\"case ");
    assert_int_equal(shown, 24 * 5);
    size_t results = 0;
    for (const char *at = strstr(text, "<h5>"); at; at = strstr(at + 4, "<h5>")) {
        const char *end = strstr(at, "</h5>");
        for (const char *chip = at; (chip = strstr(chip, "class=\"profile")) != NULL && chip < end;
             chip++)
            results++;
    }
    for (const char *at = strstr(text, " more results in <a href=\"#all\""); at;
         at = strstr(at + 1, " more results in <a href=\"#all\"")) {
        const char *number = at;
        while (number[-1] >= '0' && number[-1] <= '9')
            number--;
        results += strtoul(number, NULL, 10);
    }
    assert_int_equal(results, 4800);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_self_contained),
        cmocka_unit_test(test_hostile_strings),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_more_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
