/* What the results model knows by itself: bins, classes and names; and blocks of JSON. */
#include "json_block.h"
#include "results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_histogram_bins(void **state)
{
    (void)state;
    static const struct {
        double steps;
        unsigned bin;
    } cases[] = {{-INFINITY, 0}, {-16.01, 0}, {-16, 1},       {-8, 2},    {-1, 5}, {-0.75, 5},
                 {-0.5, 6},      {0, 6},      {0.5, 6},       {0.501, 7}, {1, 7},  {2, 8},
                 {16, 11},       {16.5, 12},  {INFINITY, 12}, {NAN, 12}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(lb_tolerance_bin(cases[i].steps), cases[i].bin);
}

static void test_map_classes(void **state)
{
    (void)state;
    static const uint64_t differences[] = {0,  1,  2,  3,  4,  5,   8,   9,         16,
                                           17, 32, 33, 64, 65, 256, 257, UINT64_MAX};
    static const char classes[] = ".12334455667788"
                                  "99";
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++)
        assert_int_equal(lb_map_class(differences[i]), classes[i]);
}

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < LB_VERDICT_COUNT; i++)
        assert_int_equal(lb_verdict_find(lb_verdict_name((lb_verdict)i)), i);
    assert_int_equal(lb_verdict_find("passed"), -1);
    lb_tally tally = {{1, 2, 4, 8, 16}};
    assert_int_equal(lb_tally_passed(&tally), 1);
    assert_int_equal(lb_tally_failed(&tally), 6);
    assert_int_equal(lb_tally_skipped(&tally), 24);
}

/* What fits the block, what does not, and what is no JSON, in turns. */
static void test_json_block(void **state)
{
    enum { NUMBERS = 20000 };
    static char list[2 * NUMBERS + 2];
    lb_json_block block = {NULL, NULL};
    (void)state;
    for (size_t i = 0; i < NUMBERS; i++)
        memcpy(list + 2 * i, i == 0 ? "[7" : ",7", 2);
    list[2 * (size_t)NUMBERS] = ']';
    for (int turn = 0; turn < 3; turn++) {
        static const char small[] = "{\"a\":\"text\"} ,", broken[] = "{\"a\":\"te";
        const char *end = NULL;
        const cJSON *value = lb_json_block_parse(&block, small, sizeof small - 1, &end);
        assert_string_equal(cJSON_GetObjectItem(value, "a")->valuestring, "text");
        assert_ptr_equal(end, small + 12);
        value = lb_json_block_parse(&block, list, sizeof list - 1, &end);
        assert_int_equal(cJSON_GetArraySize(value), NUMBERS);
        assert_ptr_equal(end, list + sizeof list - 1);
        assert_null(lb_json_block_parse(&block, broken, sizeof broken - 1, &end));
    }
    lb_json_block_free(&block);
    assert_null(block.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histogram_bins),
        cmocka_unit_test(test_map_classes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_json_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
