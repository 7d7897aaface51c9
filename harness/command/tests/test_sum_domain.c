/* Sums in their defined domain: the largest that holds, the first that does not, and what
 * "lastbit vectors generate --faults" finds. */
#include "harness/tests/fixture.h"

#include "harness/command/commands.h"
#include "harness/coverage/strength_cases.h"
#include "harness/generate/sum_domain.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Does it hold for the case, in up-full? */
static bool holds(const char *json)
{
    lb_arena arena = {0};
    lb_case c = {0};
    assert_true(lb_case_from_json(json, strlen(json), &arena, &c));
    bool inside = lb_sum_domain_holds(&c, &lb_profiles[0], &arena);
    lb_arena_free(&arena);
    return inside;
}

static bool dense_holds(int bias, int weight)
{
    char json[700];
    snprintf(
        json, sizeof json,
        "{\"id\":\"a\",\"function\":\"mli_krn_rnn_dense_sa8_sa8_sa32\",\"config\":{\"inputs_num"
        "\":1},\"inputs\":{\"in\":[{\"type\":\"sa8\",\"shape\":[2],\"scale\":16384,"
        "\"scale_frac_bits\":14,\"zero_point\":-5,\"axis\":-1,\"data\":[100,100]}],\"weights\":"
        "[{\"type\":\"sa8\",\"shape\":[2,1],\"scale\":16384,\"scale_frac_bits\":14,"
        "\"zero_point\":0,\"axis\":-1,\"data\":[%d,%d]}],\"bias\":{\"type\":\"sa32\",\"shape\":"
        "[1],\"scale\":16384,\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1,\"data\":[%d]"
        "}},\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[1],\"scale\":16384,"
        "\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1}}}",
        weight, -weight, bias);
    return holds(json);
}

/* Products and zero-point terms cancel each other here, and count all the same: 2 * 100 * |w| and
 * 2 * 5 * |w|, less than 2^31 with the bias. */
static void test_dense(void **state)
{
    (void)state;
    enum { TERMS = 2 * 100 * 3 + 2 * 5 * 3 };
    assert_true(dense_holds(INT32_MAX - TERMS, 3));
    assert_false(dense_holds(INT32_MAX - TERMS + 1, 3));
    assert_true(dense_holds(-INT32_MAX + TERMS, 3));
    assert_false(dense_holds(-INT32_MAX + TERMS - 1, -3));
    assert_false(dense_holds(INT32_MIN, 0));
}

/* A bias alone fills the accumulator of a cell's third gate; with its highest bit less, it does
 * not. */
static bool cell_holds(const char *bias)
{
    char json[1400];
    snprintf(
        json, sizeof json,
        "{\"id\":\"a\",\"function\":\"mli_krn_gru_cell_sa8_sa8_sa32\",\"config\":{\"direction\":"
        "\"forward\",\"results\":\"last\",\"act\":\"none\",\"scratch_bytes\":6},\"inputs\":{"
        "\"in\":{\"type\":\"sa8\",\"shape\":[1,1],\"scale\":16384,\"scale_frac_bits\":14,"
        "\"zero_point\":0,\"axis\":-1,\"data\":[-84]},\"prev_out\":{\"type\":\"sa8\",\"shape\":"
        "[1],\"scale\":16384,\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1,\"data\":[4]},"
        "\"weights_in\":{\"type\":\"sa8\",\"shape\":[3,1,1],\"scale\":16384,"
        "\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1,\"data\":[1,1,126]},"
        "\"weights_out\":{\"type\":\"sa8\",\"shape\":[3,1,1],\"scale\":16384,"
        "\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1,\"data\":[-99,51,28]},\"bias\":{"
        "\"type\":\"sa32\",\"shape\":[3,1],\"scale\":16384,\"scale_frac_bits\":14,"
        "\"zero_point\":0,\"axis\":-1,\"data\":[1,2,%s]}},\"outputs\":{\"out\":{\"type\":"
        "\"sa8\",\"shape\":[1],\"scale\":16384,\"scale_frac_bits\":14,\"zero_point\":0,"
        "\"axis\":-1}}}",
        bias);
    return holds(json);
}

static void test_cell(void **state)
{
    (void)state;
    assert_false(cell_holds("2147483647"));
    assert_true(cell_holds("1073741823"));
}

/* Other functions say what comes of every sum. */
static void test_others(void **state)
{
    (void)state;
    assert_true(lb_sum_domain_applies(lb_kernel_find("mli_krn_lstm_cell_fx16_fx8_fx8")));
    assert_false(lb_sum_domain_applies(lb_kernel_find("mli_krn_fully_connected_sa8_sa8_sa32")));
}

static void check_row(const lb_strength_row *row)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < row->count; i++) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        assert_true(lb_case_from_json(row->items[i].text, strlen(row->items[i].text), &arena, &c));
        if (!lb_sum_domain_holds(&c, &lb_profiles[0], &arena))
            fail_msg("%s: its sums leave their domain", c.id);
    }
    lb_arena_free(&arena);
}

/* One case of a dense sum: the search goes on from it. */
static void write_base(const char *path)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("{\"format\":\"lastbit/cases-1\",\"suite\":\"dense\",\"cases\":[{\"id\":\"a\","
          "\"function\":\"mli_krn_rnn_dense_fx16_fx8_fx8\",\"config\":{\"inputs_num\":1},"
          "\"inputs\":{\"in\":[{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":3,\"data\":[100,"
          "100]}],\"weights\":[{\"type\":\"fx8\",\"shape\":[2,1],\"frac_bits\":3,\"data\":[3,-4]"
          "}],\"bias\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":2,\"data\":[7]}},"
          "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[1],\"frac_bits\":3}}}]}",
          out);
    assert_int_equal(fclose(out), 0);
}

/* Without the domain in mind, each of these seeds finds a case outside of it. */
static void test_found(void **state)
{
    (void)state;
    static char *const seeds[] = {"1", "2", "6"};
    char folder[] = "/tmp/lastbit.sum_domain.XXXXXX", base[64], found[64];
    assert_non_null(mkdtemp(folder));
    snprintf(base, sizeof base, "%s/base.json", folder);
    snprintf(found, sizeof found, "%s/found.jsonl", folder);
    write_base(base);
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        char *argv[] = {"lastbit",    "--faults", "--function", "mli_krn_rnn_dense_fx16_fx8_fx8",
                        "--patience", "100",      "--profile",  "up-full",
                        "--seed",     seeds[i],   "--output",   found,
                        base,         NULL};
        int argc = (int)(sizeof argv / sizeof argv[0]) - 1;
        assert_int_equal(lb_vectors_generate_command.run(argc, argv), 0);
        char *const paths[] = {found};
        lb_strength_cases cases = {0};
        assert_true(lb_strength_cases_read(&cases, paths, 1, LB_LEVEL_DEEP));
        assert_true(cases.count > 20);
        for (size_t k = 0; k < lb_kernel_count; k++)
            check_row(&cases.of[k]);
        lb_strength_cases_free(&cases);
    }
    assert_int_equal(remove(base), 0);
    assert_int_equal(remove(found), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dense), cmocka_unit_test(test_cell),
                                       cmocka_unit_test(test_others), cmocka_unit_test(test_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
