/* Numbers as people and machines read them, and documents that fill a given buffer. */
#include "doc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What a writer of one value wrote. */
#define ASSERT_WRITES(call, wanted)                                                                \
    do {                                                                                           \
        char text[100];                                                                            \
        lb_doc doc = lb_doc_in(text, sizeof text);                                                 \
        call;                                                                                      \
        lb_doc_char(&doc, '\0');                                                                   \
        assert_string_equal(text, wanted);                                                         \
    } while (0)

static void test_whole_numbers(void **state)
{
    (void)state;
    ASSERT_WRITES(lb_doc_u64(&doc, 0), "0");
    ASSERT_WRITES(lb_doc_u64(&doc, UINT64_MAX), "18446744073709551615");
    ASSERT_WRITES(lb_doc_i64(&doc, INT64_MIN), "-9223372036854775808");
    ASSERT_WRITES(lb_doc_i64(&doc, INT64_MAX), "9223372036854775807");
    ASSERT_WRITES(lb_doc_grouped(&doc, 0), "0");
    ASSERT_WRITES(lb_doc_grouped(&doc, 999), "999");
    ASSERT_WRITES(lb_doc_grouped(&doc, 1000), "1,000");
    ASSERT_WRITES(lb_doc_grouped(&doc, 12345678), "12,345,678");
}

static void test_figures(void **state)
{
    (void)state;
    ASSERT_WRITES(lb_doc_double(&doc, 0.1, 9, "null"), "0.1");
    ASSERT_WRITES(lb_doc_double(&doc, -0.0, 9, "null"), "0");
    ASSERT_WRITES(lb_doc_double(&doc, 1e-30, 9, "null"), "1e-30");
    ASSERT_WRITES(lb_doc_double(&doc, (double)NAN, 9, "null"), "null");
    ASSERT_WRITES(lb_doc_figure(&doc, 0.64749, 3), "0.647");
    ASSERT_WRITES(lb_doc_figure(&doc, -0.00001, 4), "0.0000");
    ASSERT_WRITES(lb_doc_figure(&doc, -0.5, 4), "-0.5000");
    ASSERT_WRITES(lb_doc_figure(&doc, 99.99994, 4), "99.9999");
    ASSERT_WRITES(lb_doc_figure(&doc, 167.6697, 4), "167.7");
    ASSERT_WRITES(lb_doc_figure(&doc, 999.96, 4), "1,000");
    ASSERT_WRITES(lb_doc_figure(&doc, -65535.4, 4), "-65,535");
    ASSERT_WRITES(lb_doc_figure(&doc, 2e15, 4), "2e+15");
    ASSERT_WRITES(lb_doc_figure(&doc, (double)INFINITY, 4), "\xe2\x80\x93");
}

static void assert_written_as_printf_does(double value)
{
    char wanted[40];
    if (value == 0 || !isfinite(value))
        return;
    snprintf(wanted, sizeof wanted, "%.9g", value);
    ASSERT_WRITES(lb_doc_double(&doc, value, 9, "null"), wanted);
}

/* Beside powers of ten, halves of the last digit, and numbers of every size. */
static void test_nine_digits(void **state)
{
    (void)state;
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (int power = -30; power <= 30; power++) {
        double ten = pow(10, power);
        assert_written_as_printf_does(ten);
        assert_written_as_printf_does(nextafter(ten, 0));
        assert_written_as_printf_does(-nextafter(ten, INFINITY));
        assert_written_as_printf_does(ten * 0.9999999995);
        assert_written_as_printf_does(ten * 0.99999999949999);
        assert_written_as_printf_does(ten * 1.000000005);
        assert_written_as_printf_does(ten * 1.000000015);
    }
    for (int i = 0; i < 200000; i++) {
        double value;
        random = random * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &random, sizeof value);
        assert_written_as_printf_does(value);
        assert_written_as_printf_does(ldexp((double)(int64_t)random, -(int)(random >> 33 & 127)));
        assert_written_as_printf_does((double)(random >> 34) / 1000);
        assert_written_as_printf_does((double)(random >> 33) + 0.5);
    }
}

static void test_no_room(void **state)
{
    (void)state;
    char text[4];
    lb_doc doc = lb_doc_in(text, sizeof text);
    lb_doc_puts(&doc, "abcd");
    assert_false(doc.failed);
    lb_doc_char(&doc, 'e');
    assert_true(doc.failed);
    assert_int_equal(doc.length, 4);
    assert_memory_equal(text, "abcd", 4);
}

static void test_growth(void **state)
{
    (void)state;
    lb_doc doc = lb_doc_make();
    for (int i = 0; i < 100000; i++)
        lb_doc_u64(&doc, 7);
    assert_int_equal(doc.length, 100000);
    assert_int_equal(doc.text[99999], '7');
    lb_doc_cut(&doc, 10);
    lb_doc_cut(&doc, 20); /* not longer again */
    assert_int_equal(doc.length, 10);
    lb_doc_free(&doc);
    assert_null(doc.text);
}

static void test_percent(void **state)
{
    (void)state;
    static const struct {
        uint64_t part, whole;
        const char *text;
    } cases[] = {
        {0, 0, "100 %"},         {0, 7, "0 %"},     {7, 7, "100 %"},
        {1, 2, "50 %"},          {1, 3, "33.3 %"},  {2, 3, "66.6 %"},
        {9999, 10000, "99.9 %"}, {1, 10000, "0 %"}, {UINT64_MAX - 1, UINT64_MAX, "99.9 %"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_doc doc = lb_doc_make();
        lb_doc_percent(&doc, cases[i].part, cases[i].whole);
        lb_doc_char(&doc, '\0');
        assert_string_equal(doc.text, cases[i].text);
        lb_doc_free(&doc);
    }
}

/* What is beyond a limit never reads as 100 %, and neither does what is within. */
static void test_used_rounded(void **state)
{
    (void)state;
    assert_true(lb_used_rounded(100.0999) == 100.1 && lb_used_rounded(100.000001) == 100.1);
    assert_true(lb_used_rounded(99.96) == 99.9 && lb_used_rounded(99.999999) == 99.9);
    assert_true(lb_used_rounded(100) == 100 && lb_used_rounded(0) == 0);
    assert_true(lb_used_rounded(300) == 300 && lb_used_rounded(163.14) == 163.2);
    lb_doc doc = lb_doc_make();
    lb_doc_used(&doc, 100.02);
    lb_doc_char(&doc, '\0');
    assert_string_equal(doc.text, "100.1 %");
    lb_doc_free(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_used_rounded),  cmocka_unit_test(test_percent),
        cmocka_unit_test(test_whole_numbers), cmocka_unit_test(test_figures),
        cmocka_unit_test(test_nine_digits),   cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
