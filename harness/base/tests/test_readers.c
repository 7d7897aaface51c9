/* Small readers of the loader: lines across buffers, and ids told apart by hash. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/id_set.h"
#include "harness/base/line_reader.h"
#include "harness/tests/suite_fixture.h"

#include <fcntl.h>

static void lines_cross_buffers(void **state)
{
    (void)state;
    enum { LINES = 3000 };
    char path[256];
    char *text = malloc(LINES * 200);
    char *to = text;
    assert_non_null(text);
    for (int i = 0; i < LINES; i++)
        to += sprintf(to, "%d:%*s\n", i, i % 150, "");
    write_file(path, ".txt", text, (size_t)(to - text) - 1); /* the last line feed is missing */
    int fd = open(path, O_RDONLY);
    lb_sha256 digest;
    char hex[LB_SHA256_TEXT], whole[LB_SHA256_TEXT];
    lb_line_reader reader;
    const char *line;
    size_t length;
    lb_sha256_start(&digest);
    lb_line_reader_start(&reader, fd, 0, &digest);
    uint64_t offset_of_1234 = 0;
    for (int i = 0; i < LINES; i++) {
        if (i == 1234)
            offset_of_1234 = reader.offset;
        assert_int_equal(lb_line_reader_next(&reader, &line, &length), LB_LINE_OK);
        char due[256];
        assert_int_equal(length, sprintf(due, "%d:%*s", i, i % 150, ""));
        assert_memory_equal(line, due, length);
    }
    assert_int_equal(lb_line_reader_next(&reader, &line, &length), LB_LINE_END);
    lb_sha256_end(&digest, hex);
    lb_sha256_of(text, (size_t)(to - text) - 1, whole);
    assert_string_equal(hex, whole);
    reader.digest = NULL;
    assert_true(lb_line_reader_seek(&reader, offset_of_1234));
    assert_int_equal(lb_line_reader_next(&reader, &line, &length), LB_LINE_OK);
    assert_memory_equal(line, "1234:", 5);
    lb_line_reader_free(&reader);
    close(fd);
    lb_line_reader_start(&reader, fd, 0, NULL);
    assert_int_equal(lb_line_reader_next(&reader, &line, &length), LB_LINE_ERROR);
    lb_line_reader_free(&reader);
    unlink(path);
    free(text);
}

static bool say_same(void *user, size_t earlier, const char *id)
{
    (void)id;
    *(size_t *)user = earlier;
    return true;
}

static bool say_different(void *user, size_t earlier, const char *id)
{
    (void)earlier;
    (void)id;
    ++*(size_t *)user;
    return false;
}

static void ids_are_told_apart(void **state)
{
    (void)state;
    lb_id_set set = {0};
    size_t asked = SIZE_MAX, earlier = SIZE_MAX;
    char id[32];
    for (int i = 0; i < 100000; i++) {
        snprintf(id, sizeof id, "case.%d", i);
        assert_true(lb_id_set_add(&set, i % 10 == 3 ? NULL : id, say_same, &asked, &earlier));
    }
    assert_true(asked == SIZE_MAX); /* no two hashes agreed */
    assert_false(lb_id_set_add(&set, "case.54321", say_same, &asked, &earlier));
    assert_int_equal(earlier, 54321);
    assert_true(
        lb_id_set_add(&set, "case.54323", say_same, &asked, &earlier)); /* was left out above */
    lb_id_set_free(&set);
}

static void equal_hashes_are_decided_by_the_ids(void **state)
{
    (void)state;
    lb_id_set set = {0};
    size_t asked = 0, earlier;
    assert_true(lb_id_set_add(&set, "a", say_different, &asked, &earlier));
    assert_true(lb_id_set_add(&set, "a", say_different, &asked, &earlier));
    assert_true(lb_id_set_add(&set, "a", say_different, &asked, &earlier));
    assert_int_equal(asked, 1 + 2); /* every earlier one is asked */
    lb_id_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_cross_buffers),
        cmocka_unit_test(ids_are_told_apart),
        cmocka_unit_test(equal_hashes_are_decided_by_the_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
