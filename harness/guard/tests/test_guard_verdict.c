/* What accumulators mean for a verdict (run --guard), and what lastbit guard --json and the table
 * tell. */
#include "harness/tests/guard_cases.h"

#include "harness/guard/json.h"
#include "harness/guard/mark.h"
#include "harness/guard/table.h"
#include "harness/guard/verdict.h"
#include "harness/suite/profile_file.h"
#include "harness/trial/trial.h"

#include <cjson/cJSON.h>

/* ---- run --guard ---- */

/* One case in one profile; texts are copied. */
typedef struct outcome {
    lb_result result;
    char reason[512];
} outcome;

static void keep_result(void *user, size_t profile_index, lb_result *result)
{
    outcome *o = user;
    (void)profile_index;
    o->result = *result;
    snprintf(o->reason, sizeof o->reason, "%s", result->reason);
}

static outcome try_case(const char *text, const lb_profile *profile, lb_guard_mode mode,
                        void (*spoil)(lb_call *call))
{
    static const bool wanted[] = {true};
    outcome o = {.reason = ""};
    fake_port fake = fake_port_make(spoil);
    lb_arena arena = {0};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = open_suite(text);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_guard_listener listener = {.mode = mode};
    const lb_analysis guard = lb_guard_analysis(&listener), *analyses[] = {&guard};
    lb_trial_setup setup = {.port = &fake.port,
                            .suite = "t",
                            .file = "t.json",
                            .analyses = analyses,
                            .analysis_count = 1,
                            .arena = &arena};
    lb_trial_run(&setup, lb_suite_reader_case(reader, 0, &diagnostics), &profile, wanted, 1, NULL,
                 keep_result, &o);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
    return o;
}

static void spoil_data(lb_call *call)
{
    if (call->tensor[LB_ROLE_OUT])
        call->tensor[LB_ROLE_OUT]->data.mem.pi16[0] ^= 1;
}

static void spoil_data_and_field(lb_call *call)
{
    spoil_data(call);
    if (call->tensor[LB_ROLE_OUT])
        call->tensor[LB_ROLE_OUT]->rank = 2;
}

static void spoil_data_and_tell_seven(lb_call *call)
{
    spoil_data(call);
    call->return_value = 7;
}

/* 512 worst products: marked, failed or left alone; the numbers are those of the proof, or 0. */
static void test_modes(void **state)
{
    (void)state;
    outcome o = try_case(SUITE(WORST("a", 512)), &lb_profiles[UP_FULL], LB_GUARD_WARN, NULL);
    const lb_accumulator_use *use = &o.result.accumulator;
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(lb_accumulator_needed(use), 33);
    assert_int_equal(use->acc_bits, 32);
    assert_int_equal(use->format_bits, 34);
    assert_true(use->bound_high == (int64_t)1 << 31 && use->peak_high == use->bound_high);
    assert_string_equal(use->overflow, "persistent");
    o = try_case(SUITE(WORST("a", 512)), &lb_profiles[UP_FULL], LB_GUARD_ERROR, NULL);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(o.reason,
                        "the accumulator (16x8) has 32 bits, and the sums of this case take 33");
    o = try_case(SUITE(WORST("a", 512)), &lb_profiles[UP_FULL], LB_GUARD_OFF, NULL);
    assert_int_equal(o.result.verdict, LB_PASS);
    assert_int_equal(o.result.accumulator.bound_bits, 0);
    o = try_case(SUITE(WORST("a", 511)), &lb_profiles[UP_FULL], LB_GUARD_ERROR, NULL);
    assert_int_equal(o.result.verdict, LB_PASS);
}

/* The case's own data need 17 bits: the proof fails it. */
static void test_proof_fails(void **state)
{
    (void)state;
    outcome o = try_case(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[512]", 15, CONSTANT(1)),
                                  FX("fx8", "[512,1]", 7, CONSTANT(-128)),
                                  FX("fx8", "[1]", 7, "[0]"), FX_OUT("fx16", "[1]", 6))),
                         &lb_profiles[UP_FULL], LB_GUARD_ERROR, NULL);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_string_equal(
        o.reason,
        "the accumulator (16x8) has 32 bits, and with these weights other inputs take 33");
}

#define WORST_RECORDED                                                                             \
    SUITE(                                                                                         \
        "{\"id\":\"a\",\"function\":\"mli_krn_fully_connected_fx16_fx8_fx8\",\"config\":{"         \
        "\"relu\":\"none\"},"                                                                      \
        "\"inputs\":{\"in\":" FX("fx16", "[512]", 15, CONSTANT(-32768)) ",\"weights\":" FX(        \
            "fx8", "[512,1]", 7,                                                                   \
            CONSTANT(                                                                              \
                -128)) ",\"bias\":" FX("fx8", "[1]", 7,                                            \
                                       "[0]") "},\"outputs\":{\"out\":" FX_OUT("fx16", "[1]",      \
                                                                               6) "}" EXPECT("[-"  \
                                                                                             "327" \
                                                                                             "68"  \
                                                                                             "]") "}")

/* What a port gives past the width of a built-in profile says nothing of it, as long as nothing
 * else is wrong and nothing recorded. */
static void test_past_the_width(void **state)
{
    (void)state;
    const lb_profile *profile = &lb_profiles[UP_FULL];
    outcome o = try_case(SUITE(WORST("a", 512)), profile, LB_GUARD_WARN, spoil_data);
    assert_int_equal(o.result.verdict, LB_SKIP);
    assert_non_null(
        strstr(o.reason, "left its 32 bits here, and what comes out then is not specified"));
    assert_int_equal(o.result.difference_count, 0);
    o = try_case(SUITE(WORST("a", 512)), profile, LB_GUARD_ERROR, spoil_data);
    assert_int_equal(o.result.verdict, LB_FAIL);
    o = try_case(SUITE(WORST("a", 512)), profile, LB_GUARD_WARN, spoil_data_and_field);
    assert_int_equal(o.result.verdict, LB_FAIL);
    o = try_case(WORST_RECORDED, profile, LB_GUARD_WARN, spoil_data);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_non_null(strstr(o.reason, "left its 32 bits here"));
    o = try_case(SUITE(WORST("a", 511)), profile, LB_GUARD_WARN, spoil_data);
    assert_int_equal(o.result.verdict, LB_FAIL);
    assert_null(strstr(o.reason, "left its"));
}

/* A platform profile says what happens past its width. It binds a port that says it has that width.
 */
static void test_platform(void **state)
{
    (void)state;
    lb_profile platform = lb_profiles[UP_FULL];
    snprintf(platform.name, sizeof platform.name, "core");
    platform.file = "core.yaml";
    outcome o = try_case(SUITE(WORST("a", 512)), &platform, LB_GUARD_WARN, spoil_data);
    assert_int_equal(o.result.verdict, LB_FAIL);
    o = try_case(SUITE(WORST("a", 512)), &platform, LB_GUARD_WARN, spoil_data_and_tell_seven);
    assert_int_equal(o.result.verdict, LB_SKIP);
    assert_non_null(strstr(o.reason, "the port says that its accumulator has another width"));
    platform.acc_bits[LB_OPERANDS_16X8] = 31; /* 24 and 7 */
    o = try_case(SUITE(WORST("a", 512)), &platform, LB_GUARD_WARN, spoil_data_and_tell_seven);
    assert_int_equal(o.result.verdict, LB_FAIL);
}

static void test_mark(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool marked;
    } rows[] = {
        {"{\"order\":1}", false},
        {"{\"accumulator\":{\"acc_bits\":32,\"peak_bits\":20,\"bound_bits\":32}}", false},
        {"{\"accumulator\":{\"acc_bits\":32,\"peak_bits\":20,\"bound_bits\":33}}", true},
        {"{\"accumulator\":{\"acc_bits\":32,\"peak_bits\":33}}", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(lb_guard_is_marked(rows[i].line, strlen(rows[i].line)), rows[i].marked);
}

/* ---- lastbit guard ---- */

static lb_guard_record record_of(const lb_case *c, const finding *f)
{
    return (lb_guard_record){.test_case = c,
                             .suite = "s",
                             .file = "f.yaml",
                             .profile = &lb_profiles[UP_FULL],
                             .use = f->use};
}

static void check_number(const cJSON *object, const char *key, double wanted)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(member));
    assert_true(member->valuedouble == wanted);
}

static void check_text(const cJSON *object, const char *key, const char *wanted)
{
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key)),
                        wanted);
}

/* The sixteen members, in this order, and no more. */
static void test_json(void **state)
{
    (void)state;
    static const char *const members[] = {"case",       "function",      "profile",     "operands",
                                          "macs",       "acc_bits",      "format_bits", "bound_low",
                                          "bound_high", "bound_bits",    "peak_low",    "peak_high",
                                          "peak_bits",  "headroom_bits", "overflow",    "verdict"};
    finding f = find(SUITE(WORST("a", 512)), &lb_profiles[UP_FULL]);
    lb_case c = {.id = "layer.1", .function = "mli_krn_fully_connected_fx16_fx8_fx8", .line = 5};
    lb_guard_record record = record_of(&c, &f);
    lb_doc doc = lb_doc_make();
    lb_guard_json(&doc, &record, false);
    assert_true(doc.text[doc.length - 1] == '\n');
    cJSON *object = cJSON_ParseWithLength(doc.text, doc.length);
    assert_non_null(object);
    int count = 0;
    for (const cJSON *member = object->child; member; member = member->next, count++)
        assert_string_equal(member->string, members[count]);
    assert_int_equal(count, 16);
    check_text(object, "case", "layer.1");
    check_text(object, "profile", "up-full");
    check_text(object, "operands", "16x8");
    check_number(object, "macs", 512);
    check_number(object, "acc_bits", 32);
    check_number(object, "format_bits", 34);
    check_number(object, "bound_low", -512.0 * 128 * 32767);
    check_number(object, "bound_high", 2147483648.0);
    check_number(object, "bound_bits", 33);
    check_number(object, "peak_low", 0);
    check_number(object, "peak_high", 2147483648.0);
    check_number(object, "peak_bits", 33);
    check_number(object, "headroom_bits", -1);
    check_text(object, "overflow", "persistent");
    check_text(object, "verdict", "fail");
    cJSON_Delete(object);
    lb_doc_free(&doc);
}

static void test_json_details(void **state)
{
    (void)state;
    finding f = find(SUITE(WORST("a", 511)), &lb_profiles[UP_FULL]);
    lb_case c = {.id = "net.fc1.3", .function = "f", .line = 5};
    lb_guard_record record = record_of(&c, &f);
    record.port_acc_bits = 40;
    record.tried = true;
    record.high = (lb_guard_trial){.verdict = LB_PASS, .reason = "", .reached = true};
    record.low = (lb_guard_trial){.verdict = LB_FAIL, .reason = "differs"};
    lb_doc doc = lb_doc_make();
    lb_guard_json(&doc, &record, true);
    cJSON *object = cJSON_ParseWithLength(doc.text, doc.length);
    assert_non_null(object);
    check_text(object, "verdict", "fail"); /* of the witness: the width is enough */
    check_number(object, "headroom_bits", 0);
    check_number(object, "needed_bits", 32);
    check_number(object, "guard_bits", 8);
    check_number(object, "guard_bits_used", 8);
    check_number(object, "port_acc_bits", 40);
    check_text(object, "group", "net.fc1");
    check_number(object, "line", 5);
    check_text(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "witness"),
                                                "low"),
               "reason", "differs");
    cJSON_Delete(object);
    lb_doc_free(&doc);
}

/* The tightest first; a function or a group shows its worst case and the number of its results. */
static void test_table(void **state)
{
    (void)state;
    const lb_profile *profiles[] = {&lb_profiles[UP_FULL]};
    finding tight = find(SUITE(WORST("a", 512)), profiles[0]),
            roomy = find(SUITE(WORST("a", 4)), profiles[0]);
    lb_case cases[] = {{.id = "net.one.1", .function = "f"},
                       {.id = "net.one.2", .function = "f"},
                       {.id = "net.two.1", .function = "f"}};
    static const struct {
        lb_guard_by by;
        const char *first, *second;
    } rows[] = {{LB_GUARD_BY_FUNCTION,
                 "\n      -1      33     32      8     9      34      16x8      512        3"
                 "           1  persistent  f  net.one.2\n",
                 "\n\n"},
                {LB_GUARD_BY_GROUP, "persistent  net.one  f  net.one.2\n",
                 "none        net.two  f  net.two.1\n"},
                {LB_GUARD_BY_CASE, "tent  net.one.2  f\n", "net.one.1  f\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[4096] = {0};
        FILE *out = tmpfile();
        assert_non_null(out);
        lb_guard_table table = {.by = rows[i].by, .profile_count = 1, .profiles = profiles};
        for (int k = 0; k < 3; k++)
            lb_guard_table_add(&table, &cases[k], 0, k == 1 ? &tight.use : &roomy.use);
        lb_guard_table_print(&table, 0, out);
        rewind(out);
        assert_true(fread(text, 1, sizeof text - 1, out) > 0);
        fclose(out);
        const char *first = strstr(text, rows[i].first);
        assert_non_null(first);
        assert_non_null(strstr(first, rows[i].second));
        lb_guard_table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),          cmocka_unit_test(test_proof_fails),
        cmocka_unit_test(test_past_the_width), cmocka_unit_test(test_platform),
        cmocka_unit_test(test_mark),           cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_details),   cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
