/* The generators give the values that vectors/FORMAT.md promises, and keep the properties that they
 * are for. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/suite/data_generator.h"
#include "harness/tests/suite_fixture.h"

static uint32_t bits(float value)
{
    uint32_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
}

static void words_are_those_of_splitmix64(void **state)
{
    (void)state;
    static const uint64_t from_0[] = {0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F};
    static const uint64_t from_1234567[] = {6457827717110365317u, 3203168211198807973u,
                                            9817491932198370423u};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(lb_generate_word(0, i) == from_0[i]);
        assert_true(lb_generate_word(1234567, i) == from_1234567[i]);
    }
    assert_true(lb_generate_word(((uint64_t)1 << 53) - 1, (uint64_t)1 << 40) == 0x8491571D8AB8C92F);
}

static void multiply_high_reaches_both_ends(void **state)
{
    (void)state;
    const uint64_t n = (uint64_t)1 << 32;
    assert_true(lb_generate_below(0, n) == 0 && lb_generate_below(UINT64_MAX, n) == n - 1);
    assert_true(lb_generate_below(UINT64_MAX, 1) == 0 && lb_generate_below(UINT64_MAX, 7) == 6);
    assert_true(lb_generate_below(0x8000000000000000, 3) == 1);
    /* floor(w * 3 / 2^64) steps from 0 to 1 exactly where w reaches 2^64 / 3 */
    assert_true(lb_generate_below(0x5555555555555555, 3) == 0 &&
                lb_generate_below(0x5555555555555556, 3) == 1);
}

static void uniform_gives_its_test_values(void **state)
{
    (void)state;
    static const int32_t full[] = {-29, -124, 102, 21, -13, -65, -9, -45};
    static const int32_t narrow[] = {-1, -3, 3, 1, 0, -2, 0, -1};
    static const int32_t wide[] = {285879788, 1055624609, 2022941422, -238975344};
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(lb_generate_uniform(7, i, -128, 127), full[i]);
        assert_int_equal(lb_generate_uniform(7, i, -3, 3), narrow[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(lb_generate_uniform(1, i, INT32_MIN, INT32_MAX), wide[i]);
}

static void uniform_is_even(void **state)
{
    (void)state;
    unsigned counts[7] = {0};
    for (unsigned i = 0; i < 70000; i++)
        counts[lb_generate_uniform(3, i, -3, 3) + 3]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(counts[i], 9600, 10400); /* 10000 and four standard deviations */
}

static void real_uniform_gives_its_test_values(void **state)
{
    (void)state;
    static const uint32_t plain[] = {0xBE61A0F1, 0xBF776786, 0x3F4D3081, 0x3E29D75C};
    static const uint32_t tenth[] = {0x3D8BBF76, 0x3D99BE08, 0x3CD95A26, 0x3DA0BAD7};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(bits(lb_generate_uniform_real(7, i, -1, 1)), plain[i]);
        assert_int_equal(bits(lb_generate_uniform_real(9, i, 0, 0.1)), tenth[i]);
    }
}

static void ramps_wrap(void **state)
{
    (void)state;
    static const int32_t down[] = {5, 2, 9, 6, 3, 0};
    assert_int_equal(lb_generate_ramp(255, -128, 1, -128, 127), 127);
    assert_int_equal(lb_generate_ramp(256, -128, 1, -128, 127), -128);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(lb_generate_ramp(i, 5, -3, 0, 9), down[i]);
    assert_int_equal(lb_generate_ramp(1000000000, 0, UINT32_MAX, INT32_MIN, INT32_MAX),
                     -1000000000);
    assert_int_equal(lb_generate_ramp(3, 1, -(int64_t)UINT32_MAX, -5, 5), 3);
    assert_int_equal(bits(lb_generate_ramp_real(3, 0.5, 0.25)), bits(1.25f));
}

static void unique_is_a_permutation(void **state)
{
    (void)state;
    static const int32_t first[] = {-26, -122, -16, -102, 122, 13, -32, -123};
    static const int32_t ten[] = {8, 9, 7, 2, 1, 3, 4, 5, 6, 0};
    static const int32_t wide[] = {260016263, 2144226323, -773926454};
    static const int32_t ranges[][2] = {{0, 0}, {0, 1}, {-3, 3}, {-128, 127}, {-1000, 1999}};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(lb_generate_unique(3, i, -128, 127), first[i]);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(lb_generate_unique(3, i, 0, 9), ten[i]);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(lb_generate_unique(5, i, INT32_MIN, INT32_MAX), wide[i]);
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        static bool seen[4096];
        int32_t low = ranges[r][0], high = ranges[r][1];
        memset(seen, 0, sizeof seen);
        for (int32_t i = 0; i <= high - low; i++) {
            int32_t code = lb_generate_unique(11, (uint64_t)i, low, high);
            assert_in_range(code - low, 0, high - low);
            assert_false(seen[code - low]);
            seen[code - low] = true;
        }
    }
}

/* ---- Through a suite ---- */

/* Data of the one tensor of a convert case, as the generator object makes them. */
static void expand(const char *type, const char *extra, const char *shape, const char *generator,
                   const int32_t *due, size_t count)
{
    char text[1024];
    static reports found;
    int length = snprintf(
        text, sizeof text,
        "{\"format\":\"lastbit/cases-1\",\"suite\":\"s\",\"cases\":[{\"id\":\"a\","
        "\"function\":\"mli_hlp_convert_tensor\",\"inputs\":{\"in\":{\"type\":\"%s\",%s\"shape\":%"
        "s,"
        "\"data\":{%s}}},\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":%s,\"frac_bits\":0}}}]}",
        type, extra, shape, generator, shape);
    lb_suite *suite = open_bytes(".json", text, (size_t)length, &found);
    if (!suite)
        fail_msg("%s: %s", generator, found.items[0].problem);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    const lb_values *values =
        &lb_suite_reader_case(reader, 0, NULL)->operand[LB_ROLE_IN].tensors[0].data;
    assert_int_equal(values->count, count);
    assert_memory_equal(values->items, due, count * sizeof *due);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
}

#define EXPAND(type, extra, shape, generator, ...)                                                 \
    expand(type, extra, shape, generator, (const int32_t[]){__VA_ARGS__},                          \
           sizeof((const int32_t[]){__VA_ARGS__}) / 4)
#define FX "\"frac_bits\":0,"

static void suites_expand_generators(void **state)
{
    (void)state;
    EXPAND("fx8", FX, "[2,2]", "\"generator\":\"uniform\",\"seed\":7", -29, -124, 102, 21);
    EXPAND("fx8", FX, "[4]", "\"generator\":\"uniform\",\"seed\":7,\"low\":-3,\"high\":3", -1, -3,
           3, 1);
    EXPAND("sa32", "\"scale\":1,\"scale_frac_bits\":0,\"zero_point\":0,\"axis\":-1,", "[2]",
           "\"generator\":\"uniform\",\"seed\":1", 285879788, 1055624609);
    EXPAND("fp32", "", "[2]", "\"generator\":\"uniform\",\"seed\":7", (int32_t)0xBE61A0F1,
           (int32_t)0xBF776786);
    EXPAND("fx16", FX, "[3]", "\"generator\":\"constant\",\"value\":-300", -300, -300, -300);
    EXPAND("fp32", "", "[1]", "\"generator\":\"constant\",\"value\":\"nan\"", 0x7FC00000);
    EXPAND("fx8", FX, "[3]", "\"generator\":\"ramp\",\"start\":126", 126, 127, -128);
    EXPAND("fx8", FX, "[3]", "\"generator\":\"ramp\",\"low\":0,\"high\":9,\"step\":-3", 0, 7, 4);
    EXPAND("fp32", "", "[3]", "\"generator\":\"ramp\",\"start\":0.5,\"step\":-0.5", 0x3F000000, 0,
           (int32_t)0xBF000000);
    EXPAND("fx8", FX, "[5]", "\"generator\":\"alternate\",\"values\":[-128,127]", -128, 127, -128,
           127, -128);
    EXPAND("fx8", FX, "[8]", "\"generator\":\"choice\",\"seed\":4,\"values\":[-128,0,127]", 0, 127,
           127, 0, 0, 0, 127, 0);
    EXPAND("fx8", FX, "[4]", "\"generator\":\"one_hot\",\"index\":2", 0, 0, 127, 0);
    EXPAND("fp32", "", "[2]", "\"generator\":\"one_hot\",\"index\":0,\"rest\":-1", 0x3F800000,
           (int32_t)0xBF800000);
    EXPAND("fx8", FX, "[4]", "\"generator\":\"one_hot\",\"index\":3,\"value\":-5,\"rest\":1", 1, 1,
           1, -5);
    EXPAND("fx8", FX, "[3]", "\"generator\":\"unique\",\"seed\":3", -26, -122, -16);
    EXPAND("fx8", FX, "[10]", "\"generator\":\"unique\",\"seed\":3,\"low\":0,\"high\":9", 8, 9, 7,
           2, 1, 3, 4, 5, 6, 0);
    EXPAND("fx8", FX "\"buffer_elements\":3,", "[1]", "\"generator\":\"constant\",\"value\":1", 1,
           1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_splitmix64),
        cmocka_unit_test(multiply_high_reaches_both_ends),
        cmocka_unit_test(uniform_gives_its_test_values),
        cmocka_unit_test(uniform_is_even),
        cmocka_unit_test(real_uniform_gives_its_test_values),
        cmocka_unit_test(ramps_wrap),
        cmocka_unit_test(unique_is_a_permutation),
        cmocka_unit_test(suites_expand_generators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
