/* Platform profiles: the files that are shipped say what the built-in profiles and the families of
 * devices are like (numerics.md 4.4), and a wrong file is refused with its place. */
#include "harness/tests/fixture.h"

#include "harness/suite/profile_choice.h"
#include "harness/suite/profile_file.h"

enum { MAX_REPORTS = 8, REPORT_BYTES = 1024 };

/* The problems that were told: "LINE:COLUMN KEY: PROBLEM; REMEDY". */
typedef struct reports {
    char texts[MAX_REPORTS][REPORT_BYTES];
    unsigned count;
} reports;

static void note(void *user, const lb_diagnostic *d)
{
    reports *r = user;
    if (r->count < MAX_REPORTS)
        snprintf(r->texts[r->count], REPORT_BYTES, "%u:%u %s: %s; %s", d->line, d->column, d->key,
                 d->problem, d->remedy);
    r->count++;
}

/* ---- What is shipped ---- */

static void check_shipped(const char *name, lb_rounding rounding, bool reduced,
                          const int widths[LB_OPERANDS_COUNT])
{
    char path[512];
    lb_profile profile;
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    snprintf(path, sizeof path, "%s/vectors/profiles/%s.yaml", LASTBIT_SOURCE_DIR, name);
    assert_true(lb_profile_load(path, &profile, &diagnostics));
    assert_string_equal(profile.name, name);
    assert_int_equal(profile.rounding, rounding);
    assert_int_equal(profile.reduced, reduced);
    assert_memory_equal(profile.acc_bits, widths, sizeof profile.acc_bits);
    assert_false(profile.acc_saturates);
    assert_ptr_equal(profile.file, path);
}

static void test_built_in(void **state)
{
    (void)state;
    for (int i = 0; i < LB_PROFILE_COUNT; i++) {
        const lb_profile *p = &lb_profiles[i];
        check_shipped(p->name, p->rounding, p->reduced, p->acc_bits);
    }
}

/* Guard bits of the table in numerics.md 4.4, on products of 16, 24 and 32 bits. */
static void test_families(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool reduced;
        int guard_bits[LB_OPERANDS_COUNT]; /* sa8_sa8, fx16_fx8, fx16_fx16 */
    } rows[] = {{"dsp-fxapi", false, {16, 8, 8}},
                {"vector-guard0", true, {0, 8, 0}},
                {"vector-guard1", true, {4, 12, 4}},
                {"vector-guard2", true, {8, 16, 8}}};
    static const char *const roundings[] = {"up", "convergent"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int rounding = 0; rounding < 2; rounding++) {
            char name[64];
            int widths[LB_OPERANDS_COUNT];
            for (int k = 0; k < LB_OPERANDS_COUNT; k++)
                widths[k] = rows[i].guard_bits[k] + 16 + 8 * k;
            snprintf(name, sizeof name, "%s-%s", rows[i].name, roundings[rounding]);
            check_shipped(name, (lb_rounding)rounding, rows[i].reduced, widths);
        }
}

/* ---- Files of one's own ---- */

#define HEAD "format: lastbit/profile-1\nname: core\n"
#define REST                                                                                       \
    "rounding: up\naccumulator: full\nwidth: {8x8: 24, 16x8: 40, 16x16: 64}\noverflow: saturate\n"

static bool load(const char *text, lb_profile *profile, reports *found)
{
    lb_diagnostics diagnostics = {.report = note, .user = found};
    const char *path = write_file("profile.yaml", text);
    found->count = 0;
    bool good = lb_profile_load(path, profile, &diagnostics);
    remove_file(path);
    return good;
}

static void test_good(void **state)
{
    (void)state;
    lb_profile profile;
    reports found;
    assert_true(load(HEAD "note: ours\n" REST, &profile, &found));
    assert_string_equal(profile.name, "core");
    assert_int_equal(profile.acc_bits[LB_OPERANDS_8X8], 24);
    assert_int_equal(profile.acc_bits[LB_OPERANDS_16X8], 40);
    assert_int_equal(profile.acc_bits[LB_OPERANDS_16X16], 64);
    assert_true(profile.acc_saturates);
    assert_int_equal(lb_profile_numerics(&profile), lb_profile_find("up-full"));
    assert_false(profile.avepool16);
    assert_true(load(HEAD REST "avepool_multiplier_bits: 8\n", &profile, &found));
    assert_false(profile.avepool16);
    assert_true(load(HEAD REST "avepool_multiplier_bits: 16\n", &profile, &found));
    assert_true(profile.avepool16);
    assert_int_equal(lb_profile_number(&profile), LB_PROFILE_COUNT + lb_profile_find("up-full"));
    assert_string_equal(lb_numerics_name(lb_profile_number(&profile)), "up-full+avepool16");
    assert_int_equal(found.count, 0);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* "LINE:COLUMN KEY": the beginning; then a piece behind it */
        const char *piece;
    } rows[] = {
        {"", "1:1", "the file is empty"},
        {"format: lastbit/profile-2\n", "1:9 format",
         "not the format of a profile; lastbit/profile-1"},
        {"format: lastbit/cases-1\n", "1:9 format", "not the format of a profile"},
        {HEAD "rounding: down\n", "3:11 rounding", "one of up, convergent"},
        {HEAD REST "colour: red\n", "7:1 colour", "unknown key"},
        {HEAD REST "overflo: wrap\n", "7:1 overflo", "did you mean overflow"},
        {HEAD REST "rounding: up\n", "7:1 rounding", "a second time"},
        {HEAD "rounding: up\naccumulator: full\noverflow: wrap\n", "1:0 width",
         "missing; {8x8: N, 16x8: N, 16x16: N}"},
        {HEAD
         "rounding: up\naccumulator: full\nwidth: {8x8: 15, 16x8: 32, 16x16: 64}\noverflow: wrap\n",
         "5:14 width.8x8", "16..64"},
        {HEAD
         "rounding: up\naccumulator: full\nwidth: {8x8: 16, 16x8: 23, 16x16: 64}\noverflow: wrap\n",
         "5:24 width.16x8", "24..64"},
        {HEAD
         "rounding: up\naccumulator: full\nwidth: {8x8: 16, 16x8: 32, 16x16: 65}\noverflow: wrap\n",
         "5:35 width.16x16", "32..64"},
        {HEAD "rounding: up\naccumulator: full\nwidth: {8x8: 16, 16x8: 32}\noverflow: wrap\n",
         "5:", "16x16"},
        {HEAD "rounding: up\naccumulator: full\nwidth: wide\noverflow: wrap\n", "5:8 width", ""},
        {"format: lastbit/profile-1\nname: up-full\nrounding: convergent\naccumulator: full\n"
         "width: {8x8: 32, 16x8: 32, 16x16: 64}\noverflow: wrap\n",
         "2:7 name", "the built-in profile up-full is not like this; choose another name"},
        {"format: lastbit/profile-1\nname: all\n" REST, "2:7 name", "means all built-in profiles"},
        {"format: lastbit/profile-1\nname: a,b\n" REST, "2:7 name", "cannot be a name"},
        {"format: lastbit/profile-1\nname: core.yaml\n" REST, "2:7 name", "cannot be a name"},
        {HEAD "rounding: [up\n", "", ""},
        {HEAD "rounding: \xff\n", "3:11", "0xFF is not UTF-8; save the file as UTF-8"},
        {"- format\n", "1:1", "format, name, rounding"},
        {HEAD REST "avepool_multiplier_bits: 12\n", "7:26 avepool_multiplier_bits", "8 or 16"},
        {HEAD REST "avepool_multiplier_bits: wide\n", "7:26 avepool_multiplier_bits", ""},
        {"format: lastbit/profile-1\nname: up-full\nrounding: up\naccumulator: full\n"
         "width: {8x8: 32, 16x8: 32, 16x16: 64}\noverflow: wrap\navepool_multiplier_bits: 16\n",
         "2:7 name", "the built-in profile up-full is not like this; choose another name"},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_profile profile;
        reports found;
        bool good = load(rows[i].text, &profile, &found);
        bool named = found.count > 0 &&
                     strncmp(found.texts[0], rows[i].message, strlen(rows[i].message)) == 0 &&
                     strstr(found.texts[0], rows[i].piece);
        if (good || !named)
            print_error("row %zu: %u messages, the first: %s\n", i, found.count,
                        found.count ? found.texts[0] : "");
        failed += good || !named;
    }
    assert_int_equal(failed, 0);
}

static void test_no_file(void **state)
{
    (void)state;
    lb_profile profile;
    reports found = {.count = 0};
    lb_diagnostics diagnostics = {.report = note, .user = &found};
    assert_false(lb_profile_load("/nowhere/core.yaml", &profile, &diagnostics));
    assert_int_equal(found.count, 1);
    assert_non_null(strstr(found.texts[0], "No such file"));
    assert_false(lb_profile_load("/tmp", &profile, &diagnostics));
    assert_non_null(strstr(found.texts[1], "is a folder"));
}

/* ---- Which of both an argument means ---- */

static void test_choice(void **state)
{
    (void)state;
    static const struct {
        const char *argument;
        bool file;
    } rows[] = {{"up-full", false},   {"core.yaml", true}, {"core.yml", true},
                {"./core", true},     {"core", false},     {"vectors/profiles/up-full.yaml", true},
                {"core.json", false}, {"yaml", false}};
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t count;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(lb_is_profile_file(rows[i].argument), rows[i].file);
    assert_true(lb_profiles_choose("run", "all", &loaded, profiles, &count));
    assert_int_equal(count, LB_PROFILE_COUNT);
    assert_true(lb_profiles_choose(
        "run", "up-reduced," LASTBIT_SOURCE_DIR "/vectors/profiles/dsp-fxapi-up.yaml", &loaded,
        profiles, &count));
    assert_int_equal(count, 2);
    assert_string_equal(profiles[1]->name, "dsp-fxapi-up");
    assert_false(lb_profiles_choose("run",
                                    "up-full," LASTBIT_SOURCE_DIR "/vectors/profiles/up-full.yaml",
                                    &loaded, profiles, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in), cmocka_unit_test(test_families),
        cmocka_unit_test(test_good),     cmocka_unit_test(test_bad),
        cmocka_unit_test(test_no_file),  cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
