/* Arrays in files of other tools: what is written is read again, what is broken is refused with the
 * reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/arrays/array.h"

#include <stdio.h>
#include <string.h>

static lb_arena arena;

/* A file of version 1.0 with this header, and `bytes` of data behind it. */
static lb_bytes file_of(const char *header, const void *data, size_t bytes)
{
    size_t length = strlen(header);
    lb_bytes file = {.at = lb_arena_alloc(&arena, 10 + length + bytes),
                     .count = 10 + length + bytes};
    memcpy(file.at, "\x93NUMPY\x01\x00", 8);
    file.at[8] = (unsigned char)(length & 0xFF);
    file.at[9] = (unsigned char)(length >> 8);
    memcpy(file.at + 10, header, length);
    if (bytes)
        memcpy(file.at + 10 + length, data, bytes);
    return file;
}

static void npy_goes_round(void **state)
{
    (void)state;
    static const int16_t elements[] = {-32768, -1, 0, 1, 2, 32767};
    static const uint32_t shapes[][2] = {{2, 3}, {6, 0}};
    for (unsigned rank = 1; rank <= 2; rank++) {
        lb_array array;
        const char *why;
        lb_bytes file = lb_npy_write("<i2", rank, shapes[2 - rank], (const unsigned char *)elements,
                                     sizeof elements, &arena);
        assert_int_equal(file.count % 64, sizeof elements);
        assert_true(lb_npy_read(file.at, file.count, 6, &arena, &array, &why));
        assert_int_equal(array.rank, rank);
        assert_int_equal(array.count, 6);
        assert_false(array.is_real);
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(array.integers[i], elements[i]);
    }
}

static void npy_knows_orders_and_types(void **state)
{
    (void)state;
    static const unsigned char big[] = {0xFF, 0xFE, 0x00, 0x05, 0x00, 0x06, 0x00, 0x07};
    static const unsigned char half[] = {0x00, 0x3C, 0x00, 0xC0}; /* 1, -2 */
    lb_array array;
    const char *why;
    lb_bytes file =
        file_of("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n", big, sizeof big);
    assert_true(lb_npy_read(file.at, file.count, 4, &arena, &array, &why));
    assert_int_equal(array.integers[0], -2);
    assert_int_equal(array.integers[1], 6); /* column by column in the file */
    assert_int_equal(array.integers[2], 5);
    assert_int_equal(array.integers[3], 7);
    file = file_of("{\"shape\": (2,), 'fortran_order': False, 'descr': '<f2'}", half, sizeof half);
    assert_true(lb_npy_read(file.at, file.count, 2, &arena, &array, &why));
    assert_true(array.is_real && array.reals[0] == 1 && array.reals[1] == -2);
    file = file_of("{'descr': '|b1', 'fortran_order': False, 'shape': ()}", "\x01", 1);
    assert_true(lb_npy_read(file.at, file.count, 1, &arena, &array, &why));
    assert_int_equal(array.rank, 0);
    assert_int_equal(array.integers[0], 1);
}

static void npy_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *header, *why;
    } rows[] = {
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "its dtype is '|O'"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "its dtype is '<c8'"},
        {"{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}", "are records"},
        {"{'descr': '<i4', 'fortran_order': False}", "lacks one of"},
        {"{'descr': '<i4', 'fortran_order': 1, 'shape': (1,)}", "neither True nor False"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (-1,)}", "no extent"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "unknown key 'x'"},
        {"{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (1,)}", "twice"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}", "4 bytes of elements"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "too large"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (70000, 70000, 70000, 70000)}",
         "more elements than the 100 expected"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,)} os.system('x')", "behind"},
        {"", "no dictionary"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_array array;
        const char *why = NULL;
        lb_bytes file = file_of(rows[i].header, "\0\0\0\0", 4);
        assert_false(lb_npy_read(file.at, file.count, 100, &arena, &array, &why));
        if (!strstr(why, rows[i].why))
            fail_msg("%s: %s", rows[i].header, why);
    }
}

/* Whatever is cut off, the rest is refused. */
static void npy_cut_short_is_refused(void **state)
{
    (void)state;
    static const int32_t elements[] = {1, 2, 3};
    lb_bytes file = lb_npy_write("<i4", 1, (const uint32_t[]){3}, (const unsigned char *)elements,
                                 sizeof elements, &arena);
    for (size_t length = 0; length < file.count; length++) {
        lb_array array;
        const char *why = NULL;
        assert_false(lb_npy_read(file.at, length, 3, &arena, &array, &why));
        assert_non_null(why);
    }
}

static void hex_goes_round(void **state)
{
    (void)state;
    static const unsigned widths[] = {8, 32, 64, 128};
    unsigned char bytes[37];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 37 + 5);
    for (size_t w = 0; w < 4; w++)
        for (int big = 0; big < 2; big++) {
            lb_bytes text = lb_hex_write(bytes, sizeof bytes, widths[w], big, &arena), back;
            const char *why;
            assert_true(lb_hex_read((const char *)text.at, text.count, widths[w], big, sizeof bytes,
                                    &arena, &back, &why));
            assert_true(back.count >= sizeof bytes);
            assert_memory_equal(back.at, bytes, sizeof bytes);
        }
}

static void hex_reads_what_writememh_writes(void **state)
{
    (void)state;
    static const char text[] = "// 0x00000000\n0a\nFF /* two */ 1_0\n@5\n7\n";
    lb_bytes bytes;
    const char *why;
    assert_true(lb_hex_read(text, strlen(text), 8, false, 6, &arena, &bytes, &why));
    assert_int_equal(bytes.count, 6);
    assert_memory_equal(bytes.at, "\x0a\xff\x10\x00\x00\x07", 6);
}

static void hex_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } rows[] = {{"00\nxx\n", "line 2: a digit is x or z"},
                {"zz", "x or z"},
                {"00 01 02", "more words"},
                {"100", "more digits"},
                {"@9\n00", "behind the end"},
                {"/* no end", "does not end"},
                {"0g", "no hexadecimal digit"},
                {"/", "no hexadecimal digit"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_bytes bytes;
        const char *why = NULL;
        assert_false(
            lb_hex_read(rows[i].text, strlen(rows[i].text), 8, false, 2, &arena, &bytes, &why));
        if (!strstr(why, rows[i].why))
            fail_msg("%s: %s", rows[i].text, why);
    }
    lb_bytes bytes;
    const char *why;
    assert_false(lb_hex_read("\0", 1, 8, false, 2, &arena, &bytes, &why));
}

static int release(void **state)
{
    (void)state;
    lb_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_goes_round), cmocka_unit_test(npy_knows_orders_and_types),
        cmocka_unit_test(npy_refuses),    cmocka_unit_test(npy_cut_short_is_refused),
        cmocka_unit_test(hex_goes_round), cmocka_unit_test(hex_reads_what_writememh_writes),
        cmocka_unit_test(hex_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
