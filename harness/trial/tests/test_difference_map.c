/* Difference maps: every differing element shows, in its place, however large the output. */
#include "harness/trial/difference_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct pair_list {
    const int32_t *expected, *got;
} pair_list;

static void read_pair(const void *user, size_t flat, int32_t *expected, int32_t *got)
{
    const pair_list *list = user;
    *expected = list->expected[flat];
    *got = list->got[flat];
}

static void draw(lb_result *result, const lb_layout *layout, const int32_t *expected,
                 const int32_t *got, lb_arena *arena)
{
    pair_list list = {expected, got};
    lb_difference_map_draw(result, "out", layout, read_pair, &list, NULL, arena);
}

static void test_small(void **state)
{
    (void)state;
    lb_arena arena = {0};
    const int32_t expected[] = {0, 1, 2, -128, INT32_MIN, 5}, got[] = {0, 2, 2, 127, INT32_MAX, 3};
    static const struct {
        lb_layout layout;
        unsigned rows, columns;
    } cases[] = {
        {{.rank = 1, .shape = {6}, .element_bytes = 4}, 1, 6},
        {{.rank = 2, .shape = {3, 2}, .element_bytes = 4}, 3, 2},
        {{.rank = 3, .shape = {2, 3, 1}, .element_bytes = 4}, 2, 3},
        {{.rank = 4, .shape = {1, 3, 1, 2}, .element_bytes = 4}, 3, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_result result = {.map = NULL};
        draw(&result, &cases[i].layout, expected, got, &arena);
        assert_int_equal(result.map_rows, cases[i].rows);
        assert_int_equal(result.map_columns, cases[i].columns);
        assert_string_equal(result.map, ".1.892");
        assert_string_equal(result.map_role, "out");
        assert_string_equal(result.map_values, "1:1:1:2 3:3:-128:127 4:4:-2147483648:2147483647 "
                                               "5:5:5:3");
        draw(&result, &cases[i].layout, got, got, &arena); /* the first map stays */
        assert_string_equal(result.map, ".1.892");
    }
    lb_arena_free(&arena);
}

/* One element differs, at every place in turn: it is never lost in a cell, and stands where it
 * belongs. */
static void test_large(void **state)
{
    (void)state;
    lb_arena arena = {0};
    enum { ROWS = 70, WIDTH = 13, CHANNELS = 9, COUNT = ROWS * WIDTH * CHANNELS };
    const lb_layout layout = {.rank = 3, .shape = {ROWS, WIDTH, CHANNELS}, .element_bytes = 1};
    static int32_t expected[COUNT], got[COUNT];
    for (size_t i = 0; i < COUNT; i += 7) {
        lb_result result = {.map = NULL};
        got[i] = 3;
        draw(&result, &layout, expected, got, &arena);
        got[i] = 0;
        assert_int_equal(result.map_rows, 64);
        assert_int_equal(result.map_columns, 64);
        assert_int_equal(strlen(result.map), 64 * 64);
        size_t row = i / (WIDTH * CHANNELS), column = i % (WIDTH * CHANNELS);
        size_t place = strcspn(result.map, "3");
        assert_int_equal(place, row * 64 / ROWS * 64 + column * 64 / (WIDTH * CHANNELS));
        assert_int_equal(strspn(result.map + place + 1, "."), 64 * 64 - place - 1);
        char values[60];
        snprintf(values, sizeof values, "%zu:%zu:0:3", place, i);
        assert_string_equal(result.map_values, values);
        assert_string_equal(result.map_shape, "70,13,9");
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
}

static void test_nothing(void **state)
{
    (void)state;
    lb_arena arena = {0};
    lb_result result = {.map = NULL};
    const lb_layout layout = {.rank = 2, .shape = {0, 3}, .element_bytes = 1};
    draw(&result, &layout, NULL, NULL, &arena);
    assert_int_equal(result.map_rows, 0);
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
