/* SHA-256: the digests that FIPS 180-2 gives as its examples, of memory, of pieces and of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/sha256.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char million_a[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

static void digests_of_memory_and_pieces(void **state)
{
    (void)state;
    char text[LB_SHA256_TEXT];
    lb_sha256_of("abc", 3, text);
    assert_string_equal(text, abc);
    lb_sha256 digest;
    lb_sha256_start(&digest);
    for (int i = 0; i < 1000000; i += 625) {
        char piece[625];
        memset(piece, 'a', sizeof(piece));
        lb_sha256_add(&digest, piece, sizeof(piece));
    }
    lb_sha256_end(&digest, text);
    assert_string_equal(text, million_a);
    lb_sha256_add(&digest, "abc", 3); /* it began anew */
    lb_sha256_end(&digest, text);
    assert_string_equal(text, abc);
}

static void digests_of_files(void **state)
{
    (void)state;
    char path[] = "/tmp/lastbit-sha256-XXXXXX", text[LB_SHA256_TEXT];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "abc", 3), 3);
    close(fd);
    assert_true(lb_sha256_of_file(path, text));
    assert_string_equal(text, abc);
    unlink(path);
    assert_false(lb_sha256_of_file(path, text));
    assert_false(lb_sha256_of_file("/", text)); /* opens, and can't be read */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_of_memory_and_pieces),
        cmocka_unit_test(digests_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
