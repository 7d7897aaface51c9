/* Archives, written: see archive.h. */
#include "harness/base/xalloc.h"
#include "harness/package/archive.h"
#include "harness/package/archive_form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 15 };

struct lb_archive_writer {
    FILE *out;
    z_stream stream;
    lb_sha256 digest; /* of everything behind the header */
    uint32_t crc;
    uint64_t plain_bytes;
    bool failed;
};

void lb_archive_tar_header(unsigned char header[LB_TAR_BLOCK], const char *name, uint64_t size)
{
    unsigned sum = 0;
    char field[13];
    memset(header, 0, LB_TAR_BLOCK);
    memcpy(header, name, strlen(name));
    memcpy(header + 100, "0000644", 8);
    memcpy(header + 108, "0000000", 8);
    memcpy(header + 116, "0000000", 8);
    snprintf(field, sizeof field, "%011llo", (unsigned long long)size);
    memcpy(header + 124, field, 12);
    memcpy(header + 136, "00000000000", 12); /* no time: the same contents are the same archive */
    memset(header + 148, ' ', 8);
    header[156] = '0';
    memcpy(header + 257, "ustar\00000", 8);
    for (int i = 0; i < LB_TAR_BLOCK; i++)
        sum += header[i];
    snprintf(field, sizeof field, "%06o", sum);
    memcpy(header + 148, field, 7);
}

void lb_archive_gzip_header(unsigned char header[LB_ARCHIVE_HEADER_BYTES],
                            const unsigned char digest[LB_DIGEST_BYTES])
{
    /* magic, deflate, an extra field; no time; any system; 36 bytes of extra: "lb", 32 bytes */
    static const unsigned char start[] = {0x1f, 0x8b, 8,  4, 0,   0,   0,  0,
                                          0,    255,  36, 0, 'l', 'b', 32, 0};
    _Static_assert(sizeof start + LB_DIGEST_BYTES == LB_ARCHIVE_HEADER_BYTES,
                   "the digest ends the header");
    memcpy(header, start, sizeof start);
    memcpy(header + sizeof start, digest, LB_DIGEST_BYTES);
}

static void put_bytes(lb_archive_writer *w, const unsigned char *bytes, size_t count)
{
    lb_sha256_add(&w->digest, bytes, count);
    w->failed = fwrite(bytes, 1, count, w->out) != count || w->failed;
}

static void compress_bytes(lb_archive_writer *w, const void *bytes, size_t count, int flush)
{
    unsigned char block[BLOCK];
    unsigned char *from = (unsigned char *)(uintptr_t)bytes; /* zlib reads, and does not say so */
    int state = Z_OK;
    do {
        size_t piece = count < BLOCK ? count : BLOCK;
        w->stream.next_in = from;
        w->stream.avail_in = (unsigned)piece;
        if (piece > 0) {
            w->crc = (uint32_t)crc32(w->crc, from, (unsigned)piece);
            w->plain_bytes += piece;
            from += piece;
            count -= piece;
        }
        do {
            w->stream.next_out = block;
            w->stream.avail_out = sizeof block;
            state = deflate(&w->stream, count == 0 ? flush : Z_NO_FLUSH);
            put_bytes(w, block, sizeof block - w->stream.avail_out);
        } while (state == Z_OK && (w->stream.avail_out == 0 || (flush == Z_FINISH && count == 0)));
    } while (count > 0);
}

lb_archive_writer *lb_archive_create(FILE *out)
{
    static const unsigned char none[LB_DIGEST_BYTES] = {0};
    unsigned char header[LB_ARCHIVE_HEADER_BYTES];
    lb_archive_writer *w = lb_zeroed(1, sizeof *w);
    w->out = out;
    if (deflateInit2(&w->stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        lb_out_of_memory(sizeof *w);
    lb_sha256_start(&w->digest);
    lb_archive_gzip_header(header, none);
    w->failed = fwrite(header, 1, sizeof header, out) != sizeof header;
    return w;
}

static void put_header(lb_archive_writer *w, const char *name, uint64_t size)
{
    unsigned char header[LB_TAR_BLOCK];
    lb_archive_tar_header(header, name, size);
    compress_bytes(w, header, sizeof header, Z_NO_FLUSH);
}

static void put_padding(lb_archive_writer *w, uint64_t size)
{
    static const unsigned char zeros[LB_TAR_BLOCK];
    if (size % LB_TAR_BLOCK)
        compress_bytes(w, zeros, LB_TAR_BLOCK - size % LB_TAR_BLOCK, Z_NO_FLUSH);
}

bool lb_archive_add_text(lb_archive_writer *w, const char *name, const char *text, size_t length,
                         char sha256[LB_SHA256_TEXT])
{
    put_header(w, name, length);
    if (length > 0)
        compress_bytes(w, text, length, Z_NO_FLUSH);
    put_padding(w, length);
    if (sha256)
        lb_sha256_of(text, length, sha256);
    return !w->failed;
}

/* Size of a file, and back to its start. */
static bool measure(FILE *file, uint64_t *size)
{
    if (fseeko(file, 0, SEEK_END) != 0)
        return false;
    off_t end = ftello(file);
    *size = (uint64_t)end;
    return end >= 0 && (uint64_t)end <= LB_MAX_MEMBER_BYTES && fseeko(file, 0, SEEK_SET) == 0;
}

bool lb_archive_add_file(lb_archive_writer *w, const char *name, const char *path,
                         char sha256[LB_SHA256_TEXT], char *error, size_t error_bytes)
{
    unsigned char block[BLOCK];
    lb_sha256 digest;
    uint64_t size = 0, done = 0;
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file || !measure(file, &size)) {
        snprintf(error, error_bytes, "%s: %s", path,
                 file ? "is no plain file, or too large" : strerror(errno));
        if (file)
            fclose(file);
        return false;
    }
    lb_sha256_start(&digest);
    put_header(w, name, size);
    while (done < size && (got = fread(block, 1, sizeof block, file)) > 0) {
        got = got < size - done ? got : (size_t)(size - done);
        lb_sha256_add(&digest, block, got);
        compress_bytes(w, block, got, Z_NO_FLUSH);
        done += got;
    }
    fclose(file);
    if (done < size) {
        snprintf(error, error_bytes, "%s: became shorter while it was read", path);
        return false;
    }
    put_padding(w, size);
    lb_sha256_end(&digest, sha256);
    return !w->failed;
}

bool lb_archive_finish(lb_archive_writer *w)
{
    static const unsigned char zeros[2 * LB_TAR_BLOCK];
    unsigned char header[LB_ARCHIVE_HEADER_BYTES], sum[LB_DIGEST_BYTES], trailer[8];
    compress_bytes(w, zeros, sizeof zeros, Z_FINISH);
    for (int i = 0; i < 4; i++) {
        trailer[i] = (unsigned char)(w->crc >> 8 * i);
        trailer[4 + i] = (unsigned char)(w->plain_bytes >> 8 * i);
    }
    put_bytes(w, trailer, sizeof trailer);
    lb_sha256_end_bytes(&w->digest, sum);
    lb_archive_gzip_header(header, sum);
    bool good = !w->failed && fseeko(w->out, 0, SEEK_SET) == 0 &&
                fwrite(header, 1, sizeof header, w->out) == sizeof header &&
                fseeko(w->out, 0, SEEK_END) == 0;
    deflateEnd(&w->stream);
    free(w);
    return good;
}
