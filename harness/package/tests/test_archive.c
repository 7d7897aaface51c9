/* Archives: what is written is read, and no byte of one can change or vanish unseen. */
#include "harness/package/archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = LASTBIT_BINARY_DIR "/test_archive.tar.gz",
                  source[] = LASTBIT_BINARY_DIR "/test_archive.txt";

enum { MEMBERS = 4, LARGE = 70000 };
static const char *const names[MEMBERS] = {"folder/empty", "folder/one", "folder/block",
                                           "folder/large"};
static const size_t sizes[MEMBERS] = {0, 1, 512, LARGE};
static char contents[LARGE];

static void make_archive(void)
{
    char sha256[LB_SHA256_TEXT], error[300];
    for (size_t i = 0; i < LARGE; i++)
        contents[i] = (char)(i * i / 7);
    FILE *file = fopen(source, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(contents, 1, LARGE, file), LARGE);
    assert_int_equal(fclose(file), 0);
    file = fopen(path, "wb");
    assert_non_null(file);
    lb_archive_writer *writer = lb_archive_create(file);
    assert_non_null(writer);
    for (int i = 0; i < MEMBERS - 1; i++)
        assert_true(lb_archive_add_text(writer, names[i], contents, sizes[i], sha256));
    assert_true(
        lb_archive_add_file(writer, names[MEMBERS - 1], source, sha256, error, sizeof error));
    assert_int_equal(strlen(sha256), 64);
    assert_true(lb_archive_finish(writer));
    assert_int_equal(fclose(file), 0);
}

typedef struct reading {
    int member; /* being read */
    size_t done;
    bool wrong;
} reading;

static bool take(void *user, const char *name, uint64_t size, const unsigned char *bytes,
                 size_t count)
{
    reading *r = user;
    if (r->member >= MEMBERS || strcmp(name, names[r->member]) != 0 || size != sizes[r->member] ||
        r->done + count > size || memcmp(contents + r->done, bytes, count) != 0)
        return r->wrong = true, false;
    r->done += count;
    if (count == 0) {
        r->wrong = r->wrong || r->done != size;
        r->member++;
        r->done = 0;
    }
    return true;
}

/* Is all of it there and right? */
static bool holds(FILE *file, bool *same, bool *regular)
{
    char error[300];
    reading r = {0};
    *same = lb_archive_check_bytes(file, error, sizeof error);
    return lb_archive_read(file, take, &r, regular, error, sizeof error) && r.member == MEMBERS &&
           !r.wrong;
}

static void test_round_trip(void **state)
{
    (void)state;
    bool same, regular;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(holds(file, &same, &regular));
    assert_true(same);
    assert_true(regular);
    fclose(file);
}

/* Every byte of the archive in turn, with one bit or all of them changed. */
static void test_every_byte(void **state)
{
    (void)state;
    static unsigned char whole[2 * LARGE];
    char error[300];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(whole, 1, sizeof whole, file);
    fclose(file);
    assert_in_range(count, 100, sizeof whole - 1);
    for (size_t i = 0; i < count; i++) {
        bool same, regular;
        whole[i] = (unsigned char)(whole[i] ^ (i % 3 == 0 ? 0xff : 1 << i % 8));
        FILE *changed = fmemopen(whole, count, "rb");
        assert_non_null(changed);
        if (i < 64 || i % 1009 == 0 || count - i < 64)
            (void)holds(changed, &same, &regular); /* nothing but a message comes of it */
        else
            same = lb_archive_check_bytes(changed, error, sizeof error);
        fclose(changed);
        whole[i] = (unsigned char)(whole[i] ^ (i % 3 == 0 ? 0xff : 1 << i % 8));
        if (same)
            fail_msg("byte %zu of %zu was changed, and nobody saw it", i, count);
    }
    for (size_t length = 0; length < count; length += length < 600 ? 1 : 997) {
        bool same, regular;
        FILE *cut = fmemopen(whole, length > 0 ? length : 1, "rb");
        assert_non_null(cut);
        bool whole_again = holds(cut, &same, &regular);
        fclose(cut);
        assert_false(same);
        assert_false(whole_again && length + 8 < count);
    }
}

static void test_what_is_no_file(void **state)
{
    (void)state;
    char error[300] = "", sha256[LB_SHA256_TEXT];
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    lb_archive_writer *writer = lb_archive_create(file);
    assert_non_null(writer);
    assert_false(lb_archive_add_file(writer, "a", "/no/such/file", sha256, error, sizeof error));
    assert_non_null(strstr(error, "No such file"));
    (void)lb_archive_finish(writer);
    fclose(file);
}

static int make(void **state)
{
    (void)state;
    make_archive();
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    remove(source);
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_every_byte),
                                       cmocka_unit_test(test_what_is_no_file)};
    return cmocka_run_group_tests(tests, make, remove_files);
}
