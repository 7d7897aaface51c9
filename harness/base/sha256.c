/* SHA-256: see sha256.h. */
#include "harness/base/sha256.h"

#include <nettle/base16.h>
#include <stdio.h>

void lb_sha256_start(lb_sha256 *digest)
{
    sha256_init(digest);
}

void lb_sha256_add(lb_sha256 *digest, const void *bytes, size_t count)
{
    sha256_update(digest, count, bytes);
}

void lb_sha256_end_bytes(lb_sha256 *digest, uint8_t bytes[LB_SHA256_BYTES])
{
    sha256_digest(digest, LB_SHA256_BYTES, bytes);
}

void lb_sha256_end(lb_sha256 *digest, char text[LB_SHA256_TEXT])
{
    uint8_t bytes[LB_SHA256_BYTES];
    lb_sha256_end_bytes(digest, bytes);
    base16_encode_update(text, LB_SHA256_BYTES, bytes);
    text[LB_SHA256_TEXT - 1] = '\0';
}

void lb_sha256_of(const void *bytes, size_t count, char text[LB_SHA256_TEXT])
{
    lb_sha256 digest;
    lb_sha256_start(&digest);
    lb_sha256_add(&digest, bytes, count);
    lb_sha256_end(&digest, text);
}

bool lb_sha256_of_file(const char *path, char text[LB_SHA256_TEXT])
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    lb_sha256 digest;
    lb_sha256_start(&digest);
    char block[64 * 1024];
    size_t got;
    while ((got = fread(block, 1, sizeof(block), file)) > 0)
        lb_sha256_add(&digest, block, got);
    bool read = !ferror(file);
    fclose(file);
    lb_sha256_end(&digest, text);
    return read;
}
