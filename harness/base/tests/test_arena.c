/* The arena gives zeroed, aligned memory of its own, and takes all of it back at once. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/arena.h"

#include <stdbool.h>
#include <string.h>

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    lb_arena arena = {0};
    for (int round = 0; round < 3; round++) {
        for (size_t bytes = 0; bytes < 3000; bytes = bytes * 2 + 1) {
            unsigned char *memory = lb_arena_alloc(&arena, bytes);
            assert_int_equal((uintptr_t)memory % 16, 0);
            assert_true(is_zero(memory, bytes));
            memset(memory, 0xFF, bytes);
        }
        lb_arena_reset(&arena);
        assert_int_equal(arena.used_bytes, 0);
    }
    lb_arena_free(&arena);
}

static void allocations_do_not_overlap(void **state)
{
    (void)state;
    lb_arena arena = {0};
    unsigned char *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        blocks[i] = lb_arena_alloc(&arena, i * 37);
        memset(blocks[i], (int)i, i * 37);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < i * 37; k++)
            assert_int_equal(blocks[i][k], i);
    assert_ptr_not_equal(lb_arena_alloc(&arena, 0), lb_arena_alloc(&arena, 0));
    lb_arena_free(&arena);
    assert_null(arena.blocks);
}

static void large_blocks_are_kept_for_the_next_use(void **state)
{
    (void)state;
    lb_arena arena = {0};
    lb_arena_alloc(&arena, 100);
    lb_arena_alloc(&arena, 1 << 20);
    lb_arena_alloc(&arena, 1 << 21);
    lb_arena_reset(&arena);
    unsigned char *again = lb_arena_alloc(&arena, 1 << 21);
    assert_true(is_zero(again, 1 << 21));
    assert_int_equal(arena.used_bytes, 1 << 21);
    lb_arena_free(&arena);
}

static void texts_are_copied(void **state)
{
    (void)state;
    lb_arena arena = {0};
    char text[] = "abc";
    char *copy = lb_arena_strdup(&arena, text);
    text[0] = 'x';
    assert_string_equal(copy, "abc");
    char *printed = lb_arena_printf(&arena, "%s-%05d", copy, 42);
    assert_string_equal(printed, "abc-00042");
    assert_string_equal(lb_arena_printf(&arena, "%s", ""), "");
    int *numbers = lb_arena_array(&arena, 10, sizeof *numbers);
    assert_true(is_zero((const unsigned char *)numbers, 10 * sizeof *numbers));
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(allocations_do_not_overlap),
        cmocka_unit_test(large_blocks_are_kept_for_the_next_use),
        cmocka_unit_test(texts_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
