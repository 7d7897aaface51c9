/* Sections of the specification by the names that messages give them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/spec_text.h"

#include <string.h>

static bool begins(const lb_spec_section *s, const char *text)
{
    return s->text_bytes > strlen(text) && strncmp(s->text, text, strlen(text)) == 0;
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *heading;
    } rows[] = {
        {"numerics.md 4.2", "### 4.2 Bias\n"},
        {"numerics.4.2", "### 4.2 Bias\n"},
        {"numerics 4.2", "### 4.2 Bias\n"},
        {"numerics.md 4.", "## 4. Accumulators\n"},
        {"numerics.4", "## 4. Accumulators\n"},
        {"conv.md 11 D4", "## 11. Status\n"},
        {"conv.md 11, 12", "## 11. Status\n"},
        {"recurrent.md 8, step 5", "## 8. GRU\n"},
        {"float4.md 3.1", "### 3.1 The formula in the document\n"},
        {"elementwise.md", "# Numerics of the element-wise family\n"},
        {"elementwise", "# Numerics of the element-wise family\n"},
        {"pooling_and_movement.2.6", "### 2.6 Average pooling sa8\n"},
        {"litert.2.3", "### 2.3 scale32: multiply by multiplier * 2^(shift - 31)\n"},
        {"litert.4", "## 4. conv_2d\n"},
        {"litert.22.10", "### 22.10 Keys of prepare.jsonl\n"},
        {"litert/weights.6", "## 6. transpose_conv\n"},
        {"litert", "# LiteRT: ground rules\n"},
        {"litert/primitives", "# LiteRT: primitives\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_spec_section s;
        if (!lb_spec_find(rows[i].name, &s) || !begins(&s, rows[i].heading))
            fail_msg("%s is not %s", rows[i].name, rows[i].heading);
    }
    static const char *const wrong[] = {
        "",        "4.2",           "numeric.4",     "numerics.99",
        ".md 4",   "numerics.4.22", "numerics.md x", "conv.md D4",
        "lit.2.3", "litert.md 99",  "litert/.2.3",   "litert/weights.2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lb_spec_section s;
        if (lb_spec_find(wrong[i], &s))
            fail_msg("%s is found", wrong[i]);
    }
}

/* A section ends where one of its level begins: with its subsections, without its neighbour. */
static void test_extent(void **state)
{
    (void)state;
    lb_spec_section whole, part;
    char title[64];
    assert_true(lb_spec_find("numerics.4", &whole));
    assert_true(lb_spec_find("numerics.4.4", &part));
    assert_true(part.text > whole.text &&
                part.text + part.text_bytes == whole.text + whole.text_bytes);
    assert_true(strncmp(whole.text + whole.text_bytes, "## 5.", 5) == 0);
    assert_string_equal(lb_spec_title("numerics.md 4.2", title, sizeof title), "Bias");
    assert_string_equal(lb_spec_title("numerics.4.2", title, sizeof title), "Bias");
    assert_string_equal(lb_spec_title("numerics.md 4.2, 4.4", title, sizeof title),
                        "Bias; Guard bits");
    assert_string_equal(lb_spec_title("conv.md 11 D4", title, sizeof title), "Status");
    assert_string_equal(lb_spec_title("numerics.md", title, sizeof title), "");
    assert_string_equal(lb_spec_title("nothing", title, sizeof title), "");
    assert_string_equal(lb_spec_title("numerics.77", title, sizeof title), "");
}

/* Every page has sections, the name of each finds it and no other, and a # in code is no heading.
 */
static void test_pages(void **state)
{
    (void)state;
    unsigned pages = 0;
    for (const lb_spec_page *page = lb_spec_pages; page->name; page++, pages++) {
        lb_spec_section s;
        unsigned sections = 0;
        for (bool there = lb_spec_first(page, &s); there; there = lb_spec_next(&s), sections++) {
            char name[64];
            lb_spec_section found;
            assert_true(s.title_bytes > 0 && (*s.number || s.level == 1));
            assert_true(lb_spec_find(lb_spec_name(&s, name, sizeof name), &found));
            assert_ptr_equal(found.text, s.text);
        }
        assert_true(sections > 4);
    }
    assert_int_equal(pages, 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_extent),
        cmocka_unit_test(test_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
