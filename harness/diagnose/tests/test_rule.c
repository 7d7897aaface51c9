/* Rules over sizes and formats that separate cases. */
#include "harness/diagnose/rule.h"
#include "harness/tests/suite_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 12 };

typedef struct rows {
    lb_suite *suite;
    lb_suite_reader *reader;
    lb_features items[ROWS];
    const lb_case *last;
    lb_arena arena;
} rows;

/* A ReLU of 1, 2, ... elements each. */
static void open_rows(rows *r)
{
    char text[8192];
    int used = snprintf(text, sizeof text,
                        "{\"format\":\"lastbit/cases-1\",\"suite\":\"rule\",\"cases\":[");
    for (int i = 0; i < ROWS; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s{\"id\":\"r.%d\",\"function\":\"mli_krn_relu_fx8\",\"config\":{"
                         "\"type\":\"gen\"},\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[%d],"
                         "\"frac_bits\":3,\"data\":{\"generator\":\"uniform\",\"seed\":1,\"low\":"
                         "-5,\"high\":5}}},\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[%d],"
                         "\"frac_bits\":3}}}",
                         i ? "," : "", i, i + 1, i + 1);
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "]}");
    reports found;
    *r = (rows){.suite = open_bytes(".json", text, (size_t)used, &found)};
    assert_non_null(r->suite);
    r->reader = lb_suite_reader_open(r->suite);
    for (size_t i = 0; i < ROWS; i++) {
        lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
        r->last = lb_suite_reader_case(r->reader, i, &diagnostics);
        lb_features_of(r->last, &lb_profiles[i % 2], &r->items[i]);
    }
}

static void close_rows(rows *r)
{
    lb_suite_reader_close(r->reader);
    lb_suite_close(r->suite);
    lb_arena_free(&r->arena);
}

static const char *rule_where(rows *r, bool (*inside)(size_t elements))
{
    for (size_t i = 0; i < ROWS; i++)
        r->items[i].inside = inside(i + 1);
    return lb_rule_find(r->items, ROWS, r->last, &r->arena);
}

static bool large(size_t elements)
{
    return elements >= 9;
}

static bool odd_tail(size_t elements)
{
    return elements % 4 == 3;
}

static bool scattered(size_t elements)
{
    return elements == 2 || elements == 5 || elements == 12;
}

static bool one_alone(size_t elements)
{
    return elements == 7;
}

static void finds_the_shortest_rule(void **state)
{
    (void)state;
    rows r;
    open_rows(&r);
    assert_string_equal(rule_where(&r, large), "in.shape[0] is 9 or more");
    assert_string_equal(rule_where(&r, odd_tail), "in.shape[0] mod 4 is 3");
    close_rows(&r);
}

/* Where nothing short separates them, or a single case stands inside, nothing is said. */
static void says_nothing_where_it_cannot(void **state)
{
    (void)state;
    rows r;
    open_rows(&r);
    assert_null(rule_where(&r, scattered));
    assert_null(rule_where(&r, one_alone));
    close_rows(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_shortest_rule),
        cmocka_unit_test(says_nothing_where_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
