/* Archives, read: see archive.h. Nothing that stands in one is believed. */
#include "harness/base/xalloc.h"
#include "harness/package/archive.h"
#include "harness/package/archive_form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 15 };

static bool refuse(char *error, size_t error_bytes, const char *cause)
{
    snprintf(error, error_bytes, "%s", cause);
    return false;
}

bool lb_archive_check_bytes(FILE *in, char *error, size_t error_bytes)
{
    unsigned char header[LB_ARCHIVE_HEADER_BYTES], wanted[LB_ARCHIVE_HEADER_BYTES],
        sum[LB_DIGEST_BYTES], block[BLOCK];
    lb_sha256 digest;
    size_t got;
    if (fseeko(in, 0, SEEK_SET) != 0 || fread(header, 1, sizeof header, in) != sizeof header)
        return refuse(error, error_bytes, "the file is too short for a package");
    lb_sha256_start(&digest);
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        lb_sha256_add(&digest, block, got);
    if (ferror(in))
        return refuse(error, error_bytes, strerror(errno));
    lb_sha256_end_bytes(&digest, sum);
    lb_archive_gzip_header(wanted, sum);
    if (memcmp(header, wanted, sizeof header - LB_DIGEST_BYTES) != 0)
        return refuse(error, error_bytes,
                      "the header is not that of a package: the file was packed anew, or changed");
    return memcmp(header, wanted, sizeof header) == 0 ||
           refuse(error, error_bytes,
                  "the bytes are not those that were packed: the file was changed");
}

/* ---- Plain bytes ---- */

typedef struct source {
    FILE *in;
    z_stream stream;
    unsigned char block[BLOCK];
    uint64_t room; /* plain bytes that are still taken: a few bytes can stand for very many */
    bool ended, failed, too_many;
} source;

/* What packages of ours unpack to stays far below. */
enum { MOST_TIMES = 400, FREE_BYTES = 1 << 26 };

/* Up to `count` plain bytes; fewer at the end or after a failure. */
static size_t read_plain(source *s, unsigned char *bytes, size_t count)
{
    s->too_many = s->too_many || count > s->room;
    if (s->too_many)
        return 0;
    s->stream.next_out = bytes;
    s->stream.avail_out = (unsigned)count;
    while (s->stream.avail_out > 0 && !s->ended && !s->failed) {
        if (s->stream.avail_in == 0) {
            s->stream.next_in = s->block;
            s->stream.avail_in = (unsigned)fread(s->block, 1, sizeof s->block, s->in);
        }
        int state = s->stream.avail_in == 0 ? Z_BUF_ERROR : inflate(&s->stream, Z_NO_FLUSH);
        s->ended = state == Z_STREAM_END;
        s->failed = !s->ended && state != Z_OK;
    }
    s->room -= count - s->stream.avail_out;
    return count - s->stream.avail_out;
}

/* Why there is nothing more to read. */
static bool refuse_data(const source *s, char *error, size_t error_bytes)
{
    return refuse(error, error_bytes,
                  s->too_many ? "it unpacks to more bytes than a package of its size can hold"
                              : "the compressed data are damaged or cut");
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

/* A number of octal digits in a field of a tar header; false: it is none. */
static bool read_octal(const unsigned char *field, size_t count, uint64_t *value)
{
    size_t i = 0, digits = 0;
    *value = 0;
    while (i < count && field[i] == ' ')
        i++;
    for (; i < count && field[i] >= '0' && field[i] <= '7'; i++, digits++)
        *value = *value * 8 + (uint64_t)(field[i] - '0');
    return digits > 0 && (i == count || field[i] == ' ' || field[i] == '\0');
}

/* Name and size of a member; only plain files with short names are members of a package. Another
 * tool may put folders beside them. */
static bool read_header(const unsigned char *header, char name[LB_MAX_MEMBER_NAME + 1],
                        uint64_t *size, bool *is_folder, bool *regular)
{
    unsigned char own[LB_TAR_BLOCK];
    uint64_t said = 0, sum = 0;
    memcpy(name, header, LB_MAX_MEMBER_NAME);
    name[LB_MAX_MEMBER_NAME] = '\0';
    for (int i = 0; i < LB_TAR_BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : header[i];
    bool folder = header[156] == '5';
    if (name[0] == '\0' || header[LB_MAX_MEMBER_NAME] != '\0' ||
        (header[156] != '0' && header[156] != '\0' && !folder) ||
        !read_octal(header + 124, 12, size) || *size > LB_MAX_MEMBER_BYTES ||
        !read_octal(header + 148, 8, &said) || said != sum)
        return false;
    *is_folder = folder;
    lb_archive_tar_header(own, name, *size);
    *regular = *regular && memcmp(own, header, sizeof own) == 0;
    return true;
}

static bool read_member(source *s, const char *name, uint64_t size, lb_archive_member_fn member,
                        void *user, bool *regular, char *error, size_t error_bytes)
{
    unsigned char bytes[BLOCK];
    uint64_t left = size;
    while (left > 0) {
        size_t count = left < sizeof bytes ? (size_t)left : sizeof bytes;
        if (read_plain(s, bytes, count) != count)
            return refuse_data(s, error, error_bytes);
        if (!member(user, name, size, bytes, count))
            return false;
        left -= count;
    }
    size_t padding = size % LB_TAR_BLOCK ? LB_TAR_BLOCK - (size_t)(size % LB_TAR_BLOCK) : 0;
    if (read_plain(s, bytes, padding) != padding)
        return refuse_data(s, error, error_bytes);
    *regular = *regular && is_zero(bytes, padding);
    return member(user, name, size, bytes, 0);
}

/* After the last member: one more block of zeros, and nothing else. */
static bool read_end(source *s, bool *regular, char *error, size_t error_bytes)
{
    unsigned char bytes[BLOCK];
    size_t count, total = 0;
    while ((count = read_plain(s, bytes, sizeof bytes)) > 0) {
        *regular = *regular && is_zero(bytes, count);
        total += count;
    }
    if (s->failed || s->too_many)
        return refuse_data(s, error, error_bytes);
    *regular = *regular && total == LB_TAR_BLOCK && s->stream.avail_in == 0 && fgetc(s->in) == EOF;
    return true;
}

static bool read_members(source *s, lb_archive_member_fn member, void *user, bool *regular,
                         char *error, size_t error_bytes)
{
    unsigned char header[LB_TAR_BLOCK];
    char name[LB_MAX_MEMBER_NAME + 1];
    for (;;) {
        uint64_t size;
        bool is_folder = false;
        size_t got = read_plain(s, header, sizeof header);
        if (got != sizeof header && (s->failed || s->too_many || got > 0))
            return refuse_data(s, error, error_bytes);
        if (got != sizeof header)
            return refuse(error, error_bytes, "the archive has no end");
        if (is_zero(header, sizeof header))
            return read_end(s, regular, error, error_bytes);
        if (!read_header(header, name, &size, &is_folder, regular))
            return refuse(error, error_bytes,
                          "a member is no plain file, or its header is damaged");
        if (is_folder && size == 0)
            continue;
        if (!read_member(s, name, size, member, user, regular, error, error_bytes))
            return false;
    }
}

bool lb_archive_read(FILE *in, lb_archive_member_fn member, void *user, bool *regular, char *error,
                     size_t error_bytes)
{
    source *s = lb_zeroed(1, sizeof *s);
    *regular = true;
    error[0] = '\0';
    if (inflateInit2(&s->stream, 15 + 16) != Z_OK)
        lb_out_of_memory(sizeof *s);
    s->in = in;
    bool good = fseeko(in, 0, SEEK_END) == 0;
    off_t packed = good ? ftello(in) : 0;
    s->room = (uint64_t)(packed > 0 ? packed : 0) * MOST_TIMES + FREE_BYTES;
    good = good && fseeko(in, 0, SEEK_SET) == 0 &&
           read_members(s, member, user, regular, error, error_bytes);
    inflateEnd(&s->stream);
    free(s);
    return good;
}
