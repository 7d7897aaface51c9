/* The journal: what was appended is found again, a line cut short is dropped, a foreign journal is
 * refused. */
#include "harness/tests/fixture.h"

#include "harness/run/journal.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char HEAD[] = "{\"journal\":\"x\"}";

typedef struct found {
    unsigned count;
    uint64_t orders[8];
    lb_verdict verdicts[8];
} found;

static bool note(void *user, uint64_t order, lb_verdict verdict, const char *line, size_t length)
{
    (void)line, (void)length;
    found *f = user;
    if (f->count >= 8)
        return false;
    f->orders[f->count] = order;
    f->verdicts[f->count++] = verdict;
    return true;
}

static void append(const lb_journal *journal, const char *text)
{
    char line[256];
    strcpy(line, text);
    assert_true(lb_journal_append(journal, line, strlen(line)));
}

static void make(const char *path)
{
    lb_journal journal;
    assert_true(lb_journal_create(&journal, path, HEAD));
    append(&journal, "{\"order\":3,\"id\":\"c\",\"verdict\":\"fail\"}");
    append(&journal, "{\"order\":1,\"id\":\"a\",\"verdict\":\"pass\"}");
    lb_journal_close(&journal);
}

static void add_raw(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_resume(void **state)
{
    const char *path = write_file("journal.jsonl", "");
    lb_journal journal;
    found f = {0};
    struct stat before, after;
    (void)state;
    make(path);
    stat(path, &before);
    add_raw(path, "{\"order\":2,\"id\":\"b\",\"verd");
    assert_true(lb_journal_resume(&journal, path, HEAD, note, &f));
    assert_int_equal(f.count, 2);
    assert_int_equal(f.orders[0], 3);
    assert_int_equal(f.verdicts[0], LB_FAIL);
    assert_int_equal(f.orders[1], 1);
    assert_int_equal(f.verdicts[1], LB_PASS);
    stat(path, &after);
    assert_int_equal(before.st_size, after.st_size);
    lb_journal_close(&journal);
    remove_file(path);
}

static void test_resume_from_nothing(void **state)
{
    const char *path =
        write_file("journal.jsonl", "{\"journal\":\"x"); /* killed while the head was written */
    lb_journal journal;
    found f = {0};
    (void)state;
    assert_true(lb_journal_resume(&journal, path, HEAD, note, &f));
    assert_int_equal(f.count, 0);
    append(&journal, "{\"order\":0,\"verdict\":\"pass\"}");
    lb_journal_close(&journal);
    assert_true(lb_journal_resume(&journal, path, HEAD, note, &f));
    assert_int_equal(f.count, 1);
    lb_journal_close(&journal);
    remove_file(path);
}

static void test_foreign_or_damaged(void **state)
{
    const char *path = write_file("journal.jsonl", "");
    lb_journal journal;
    found f = {0};
    (void)state;
    make(path);
    assert_false(lb_journal_resume(&journal, path, "{\"journal\":\"y\"}", note, &f));
    lb_journal_close(&journal);
    /* What a disk has spoilt is passed over; it is no end of the lines behind it. */
    add_raw(path, "garbage\n{\"order\":7,\"verdict\":\"pass\"}\t00000000\n");
    assert_true(lb_journal_resume(&journal, path, HEAD, note, &f));
    assert_int_equal(f.count, 2);
    append(&journal, "{\"order\":2,\"id\":\"b\",\"verdict\":\"pass\"}");
    lb_journal_close(&journal);
    f = (found){0};
    assert_true(lb_journal_resume(&journal, path, HEAD, note, &f));
    assert_int_equal(f.count, 3);
    /* One run at a time. */
    lb_journal second = {.fd = -1};
    assert_false(lb_journal_resume(&second, path, HEAD, note, &f));
    lb_journal_close(&second);
    assert_false(lb_journal_create(&second, path, HEAD));
    lb_journal_close(&second);
    append(&journal, "{\"order\":2,\"id\":\"b\"}"); /* whole, and no result */
    lb_journal_close(&journal);
    assert_false(lb_journal_resume(&journal, path, HEAD, note, &f));
    lb_journal_close(&journal);
    remove_file(path);
}

static bool collect(void *user, uint64_t order, const char *line, size_t length)
{
    char *text = user;
    (void)order;
    strncat(text, line, length);
    return true;
}

static void test_in_order(void **state)
{
    char text[512] = "";
    const char *path = write_file("journal.jsonl", "");
    lb_journal journal;
    found f = {0};
    (void)state;
    make(path);
    assert_true(lb_journal_resume(&journal, path, HEAD, note, &f));
    assert_true(lb_journal_in_order(&journal, 4, collect, text));
    assert_string_equal(text, "{\"order\":1,\"id\":\"a\",\"verdict\":\"pass\"}{\"order\":3,\"id\":"
                              "\"c\",\"verdict\":\"fail\"}");
    lb_journal_close(&journal);
    remove_file(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_from_nothing),
        cmocka_unit_test(test_foreign_or_damaged),
        cmocka_unit_test(test_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
