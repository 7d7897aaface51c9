/* Ranges of numbers that tell wrong elements from right ones. */
#include "harness/diagnose/number_range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

typedef bool is_wrong(int64_t number);

/* Numbers from `first` on, `step` apart. */
static const char *range_of(int64_t first, int64_t step, size_t count, is_wrong *wrong,
                            lb_arena *arena)
{
    lb_number_of numbers[MOST];
    for (size_t i = 0; i < count; i++) {
        int64_t number = first + (int64_t)i * step;
        /* in no order: 11 divides none of the counts */
        numbers[(i * 11 + 3) % count] = (lb_number_of){number, wrong(number)};
    }
    return lb_number_range(numbers, count, arena);
}

static bool large(int64_t n)
{
    return n > 32767;
}

static bool small(int64_t n)
{
    return n <= -100;
}

static bool middle(int64_t n)
{
    return n >= -20 && n <= 20;
}

static bool beyond_16_bits(int64_t n)
{
    return n < INT16_MIN || n > INT16_MAX;
}

static bool even(int64_t n)
{
    return n % 2 == 0;
}

static void test_ranges(void **state)
{
    (void)state;
    lb_arena arena = {0};
    assert_string_equal(range_of(0, 3000, 31, large, &arena),
                        "32768 or more (seen at 33000, not at 30000; none between was tried)");
    assert_string_equal(range_of(32750, 1, 31, large, &arena), "32768 or more");
    assert_string_equal(range_of(-200, 11, 31, small, &arena),
                        "a number below -96 (seen at -101, not at -90; none between was tried)");
    assert_string_equal(range_of(-150, 10, 31, middle, &arena), "a number from -20 to 20");
    assert_string_equal(range_of(-60000, 4000, 31, beyond_16_bits, &arena),
                        "a number that needs more than 16 bits");
    assert_null(range_of(-150, 5, 61, even, &arena));
    lb_arena_free(&arena);
}

/* One number, of many elements. */
static void test_one_number(void **state)
{
    (void)state;
    lb_arena arena = {0};
    lb_number_of numbers[MOST];
    for (int i = 0; i < MOST; i++)
        numbers[i] = (lb_number_of){i % 4 == 0 ? -1 : i, i % 4 == 0};
    assert_string_equal(lb_number_range(numbers, MOST, &arena), "-1");
    /* the same number, right in another element */
    for (int i = 0; i < MOST; i++)
        numbers[i] = (lb_number_of){i % 4 == 0 ? -1 : i, i % 4 == 0 && i > 0};
    assert_null(lb_number_range(numbers, MOST, &arena));
    lb_arena_free(&arena);
}

/* A few numbers are told apart by anything. */
static void test_too_few(void **state)
{
    (void)state;
    lb_arena arena = {0};
    assert_null(lb_number_range(NULL, 0, &arena));
    assert_null(range_of(0, 9000, 7, large, &arena));
    assert_null(range_of(-40, 5, 17, small, &arena));
    lb_arena_free(&arena);
}

static void test_roundest(void **state)
{
    (void)state;
    assert_int_equal(lb_number_roundest(5, 9), 8);
    assert_int_equal(lb_number_roundest(-3, 7), 4);
    assert_int_equal(lb_number_roundest(7, 7), 7);
    assert_int_equal(lb_number_roundest(30001, 40000), 32768);
    assert_int_equal(lb_number_roundest(-40000, -30000), -32768);
    assert_true(lb_number_roundest(INT64_MIN, INT64_MIN + 1) <= INT64_MIN + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_one_number),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_roundest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
