/* Rules over sizes and formats that separate cases. */
#include "harness/diagnose/rule.h"
#include "harness/tests/suite_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

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

static bool more_than_half(size_t elements)
{
    return elements > ROWS / 2;
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

static bool all_values(int64_t value)
{
    (void)value;
    return true;
}

static bool from_64(int64_t value)
{
    return value >= 64;
}

static bool just_64(int64_t value)
{
    return value == 64;
}

static bool far_apart(int64_t value)
{
    return value <= 10 || value >= 64;
}

/* Elements with the right values 0 to 127, and 64 many times. */
static const char *value_rule(rows *r, bool (*inside)(int64_t value), bool (*met)(int64_t value))
{
    enum { VALUES = 160 };
    static lb_features items[VALUES];
    const lb_layout layout = {.rank = 1, .shape = {VALUES}, .stride = {1}, .element_bytes = 1};
    size_t count = 0;
    for (int64_t i = 0; i < VALUES; i++) {
        int64_t value = i < 128 ? i : 64;
        if (!met(value))
            continue;
        items[count] = r->items[i % ROWS];
        items[count].of_case = (uint64_t)i % ROWS;
        lb_features_of_element(&layout, (size_t)i * 37 % VALUES, value, INT64_MIN, &items[count]);
        items[count].inside = inside(value);
        count++;
    }
    return lb_rule_find(items, count, r->last, &r->arena);
}

/* A limit of values is told with what was met on both sides; a single value is none. */
static void tells_limits_of_values_that_were_met(void **state)
{
    (void)state;
    rows r;
    open_rows(&r);
    assert_string_equal(value_rule(&r, from_64, all_values), "the right value is 64 or more");
    assert_null(value_rule(&r, just_64, all_values));
    assert_string_equal(
        value_rule(&r, from_64, far_apart),
        "the right value is 64 or more (seen at 64, not at 10; none between was tried)");
    close_rows(&r);
}

/* Of sizes both sides are told. */
static void tells_both_sides_of_a_limit(void **state)
{
    (void)state;
    rows r;
    open_rows(&r);
    for (size_t i = 0; i < ROWS; i++) /* 1 to 6, and 47 to 52 */
        for (unsigned f = 0; i >= ROWS / 2 && f < LB_MAX_FEATURES; f++)
            if (r.items[i].value[f] == (int64_t)i + 1)
                r.items[i].value[f] = (int64_t)i + 41;
    assert_non_null(
        strstr(rule_where(&r, more_than_half), "(seen at 47, not at 6; none between was tried)"));
    close_rows(&r);
}

/* What a port does: wrong from 29 on; asked of odd numbers it cannot be where `odd_too` is not. */
typedef struct port {
    bool odd_too;
    unsigned asked;
} port;

static lb_side ask_port(void *user, unsigned feature, int64_t value)
{
    port *p = user;
    (void)feature;
    p->asked++;
    if (value % 2 != 0 && !p->odd_too)
        return LB_SIDE_UNKNOWN;
    return value >= 29 ? LB_SIDE_INSIDE : LB_SIDE_OUTSIDE;
}

/* A limit is where the port has it, if it can be asked there; else it has what was met. */
static void tries_limits_at_their_border(void **state)
{
    (void)state;
    rows r;
    port all = {.odd_too = true}, even = {.odd_too = false};
    lb_rule_told told = {.count = 0};
    open_rows(&r);
    for (size_t i = 0; i < ROWS; i++) {
        for (unsigned f = 0; i >= ROWS / 2 && f < LB_MAX_FEATURES; f++)
            if (r.items[i].value[f] == (int64_t)i + 1)
                r.items[i].value[f] = (int64_t)i + 41;
        r.items[i].inside = i >= ROWS / 2;
    }
    assert_string_equal(
        lb_rule_find_asked(r.items, ROWS, r.last, &(lb_border){ask_port, &all}, &told, &r.arena),
        "in.shape[0] is 29 or more");
    assert_int_equal(told.count, 1);
    lb_leaf leaf = {.kind = LB_LEAF_EXTENT, .by = LB_BY_FIELD, .role = LB_ROLE_IN};
    assert_true(lb_feature_asks(r.last->kernel, told.feature[0], leaf));
    leaf.dim = 1;
    assert_false(lb_feature_asks(r.last->kernel, told.feature[0], leaf));
    assert_in_range(all.asked, 2, 8);
    assert_string_equal(
        lb_rule_find_asked(r.items, ROWS, r.last, &(lb_border){ask_port, &even}, NULL, &r.arena),
        "in.shape[0] is 30 or more (seen at 30, not at 28; none between was tried)");
    close_rows(&r);
}

static const char *number_name(const void *user, unsigned feature, lb_arena *arena)
{
    (void)feature, (void)arena;
    return user;
}

/* Numbers of elements alone: 4000 apart, wrong beyond 16 bits, or in the middle. */
static void tells_ranges_of_numbers(void **state)
{
    enum { NUMBERS = 31 };
    static lb_features numbers[NUMBERS];
    const lb_rule_names names = {number_name, "it", NULL, NULL};
    lb_arena arena = {0};
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        for (int i = 0; i < NUMBERS; i++) {
            const int64_t v = -60000 + 4000 * ((i * 11 + 3) % NUMBERS);
            for (unsigned f = 0; f < LB_MAX_FEATURES; f++)
                numbers[i].value[f] = f == 0 ? v : INT64_MIN;
            numbers[i].of_case = (uint64_t)i;
            numbers[i].inside = beyond == (v < INT16_MIN || v > INT16_MAX);
        }
        const char *rule = lb_rule_find_named(numbers, NUMBERS, &names, &arena);
        assert_non_null(rule);
        assert_non_null(strstr(rule, beyond ? ", or it is " : "it is -32768 to "));
    }
    lb_arena_free(&arena);
}

static unsigned feature_named(rows *r, const char *name)
{
    unsigned f = 0;
    while (f < LB_MAX_FEATURES && strcmp(lb_feature_name(r->last, f, &r->arena), name) != 0)
        f++;
    assert_true(f < LB_MAX_FEATURES);
    return f;
}

/* The same number of two formats, which code compares, alone or beside another test. */
static void compares_formats(void **state)
{
    enum { CASES = 90 };
    static lb_features items[CASES];
    (void)state;
    rows r;
    open_rows(&r);
    const unsigned in = feature_named(&r, "the number of fractional bits of in");
    const unsigned out = feature_named(&r, "the number of fractional bits of out");
    const unsigned size = feature_named(&r, "in.shape[0]");
    for (int two = 0; two < 2; two++) {
        for (int i = 0; i < CASES; i++) {
            items[i] = r.items[0];
            items[i].of_case = (uint64_t)i;
            items[i].value[in] = i * 7 % 5;
            items[i].value[out] = i * 11 % 3;
            items[i].value[size] = i * 5 % 11;
            items[i].inside = items[i].value[in] == items[i].value[out] &&
                              (two == 0 || items[i].value[size] >= 4);
        }
        const char *rule = lb_rule_find(items, CASES, r.last, &r.arena);
        assert_non_null(rule);
        assert_non_null(strstr(rule, "the number of fractional bits of out equals the number of "
                                     "fractional bits of in"));
        assert_int_equal(strstr(rule, ", and in.shape[0] is 4 or more") != NULL, two);
    }
    close_rows(&r);
}

/* Beside another test only the rest 0 of a block is one: 1 of 8 goes with anything. */
static void tells_no_odd_rests_beside_another(void **state)
{
    enum { NUMBERS = 96 };
    static lb_features items[NUMBERS];
    (void)state;
    rows r;
    open_rows(&r);
    const unsigned size = feature_named(&r, "in.shape[0]");
    const unsigned bits = feature_named(&r, "the number of fractional bits of in");
    for (int rest = 0; rest < 2; rest++) {
        for (int i = 0; i < NUMBERS; i++) {
            items[i] = r.items[0];
            items[i].of_case = (uint64_t)i;
            items[i].value[size] = i;
            items[i].value[bits] = i * 5 % 11;
            items[i].inside = i % 8 == rest && items[i].value[bits] >= 4;
        }
        const char *rule = lb_rule_find(items, NUMBERS, r.last, &r.arena);
        assert_true((rule && strstr(rule, "in.shape[0] mod 8 is 0")) == (rest == 0));
        assert_true(!rule || !strstr(rule, "mod 8 is 1"));
    }
    close_rows(&r);
}

/* Elements of rows of many sizes: behind the last whole block, whatever the rank; or before that.
 */
static void tells_tails_of_whole_blocks(void **state)
{
    enum { MOST = 400, BLOCK = 8, LONGEST = 23 };
    static lb_features items[MOST];
    (void)state;
    rows r;
    open_rows(&r);
    for (int behind = 0; behind < 2; behind++) {
        size_t count = 0;
        for (uint32_t size = 1; size <= LONGEST; size++)
            for (uint32_t i = 0; i < size; i += 1 + size / BLOCK) {
                lb_layout layout = {.rank = 1 + size % 2, .shape = {size, size}};
                layout.shape[0] = layout.rank == 1 ? size : 2;
                items[count] = r.items[0];
                items[count].of_case = size;
                lb_features_of_element(&layout, i, 0, INT64_MIN, &items[count]);
                items[count].inside = (i >= size - size % BLOCK) == behind;
                count++;
            }
        const char *rule = lb_rule_find(items, count, r.last, &r.arena);
        assert_non_null(rule);
        assert_string_equal(rule, behind ? "the index in the innermost dimension lies behind the "
                                           "last whole block of 8"
                                         : "the index in the innermost dimension lies in whole "
                                           "blocks of 8");
    }
    close_rows(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_shortest_rule),
        cmocka_unit_test(says_nothing_where_it_cannot),
        cmocka_unit_test(tells_limits_of_values_that_were_met),
        cmocka_unit_test(tells_both_sides_of_a_limit),
        cmocka_unit_test(tries_limits_at_their_border),
        cmocka_unit_test(tells_ranges_of_numbers),
        cmocka_unit_test(compares_formats),
        cmocka_unit_test(tells_no_odd_rests_beside_another),
        cmocka_unit_test(tells_tails_of_whole_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
