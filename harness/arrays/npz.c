/* Members of NumPy's archives: see array.h. An archive is a ZIP file; what its central directory
 * says holds, and every number of it is checked against the file before anything is read by it. */
#include "harness/arrays/array.h"
#include "harness/base/xalloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    END_BYTES = 22,                    /* end of central directory */
    MOST_COMMENT = 65535,              /* behind it */
    ENTRY_BYTES = 46,                  /* of the central directory, then name, extra, comment */
    LOCAL_BYTES = 30,                  /* before a member, then name and extra */
    MOST_DIRECTORY = 16 * 1024 * 1024, /* bytes; a model has thousands of tensors, not more */
    STORED = 0,
    DEFLATED = 8
};

typedef struct archive {
    int fd;
    uint64_t size;
    lb_arena *arena;
    const char *why;
} archive;

typedef struct entry {
    unsigned flags, method;
    uint32_t crc, packed, whole, at;
} entry;

static bool refuse(archive *z, const char *why)
{
    if (!z->why)
        z->why = why;
    return false;
}

static uint32_t le16(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static uint32_t le32(const unsigned char *at)
{
    return le16(at) | le16(at + 2) << 16;
}

static bool read_at(archive *z, uint64_t offset, unsigned char *into, size_t count)
{
    for (size_t have = 0; have < count;) {
        ssize_t got = pread(z->fd, into + have, count - have, (off_t)(offset + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return refuse(z, "it cannot be read to its end");
        have += (size_t)got;
    }
    return true;
}

/* The record at the end of the file, behind which only a comment of the length that it tells may
 * stand. */
static const unsigned char *find_end(archive *z)
{
    size_t room = END_BYTES + MOST_COMMENT;
    size_t count = z->size < room ? (size_t)z->size : room;
    unsigned char *tail = lb_arena_alloc(z->arena, count + 1);
    if (!read_at(z, z->size - count, tail, count))
        return NULL;
    for (size_t i = count < END_BYTES ? 0 : count - END_BYTES + 1; i-- > 0;)
        if (memcmp(tail + i, "PK\5\6", 4) == 0 && le16(tail + i + 20) == count - END_BYTES - i)
            return tail + i;
    refuse(z, "it is no .npz file: it is no ZIP archive, or it is cut short");
    return NULL;
}

/* The central directory; its bytes in *count. */
static const unsigned char *read_directory(archive *z, size_t *count)
{
    const unsigned char *end = find_end(z);
    if (!end)
        return NULL;
    uint32_t bytes = le32(end + 12), at = le32(end + 16);
    if (bytes == UINT32_MAX || at == UINT32_MAX || le16(end + 10) == 0xFFFF)
        return refuse(z, "it is of 4 GiB or more (ZIP64); save its arrays in files of their own"),
               NULL;
    if (le16(end + 4) != 0 || le16(end + 6) != 0)
        return refuse(z, "it is one part of an archive in several"), NULL;
    if (bytes > MOST_DIRECTORY)
        return refuse(z, "its directory is longer than 16 MiB"), NULL;
    if (bytes > z->size || at > z->size - bytes)
        return refuse(z, "its directory lies outside of it: it is cut short"), NULL;
    unsigned char *directory = lb_arena_alloc(z->arena, (size_t)bytes + 1);
    *count = bytes;
    return read_at(z, at, directory, bytes) ? directory : NULL;
}

/* "NAME", as NumPy has it, stands in the archive as NAME.npy. */
static bool is_member(const unsigned char *name, size_t length, const char *member)
{
    size_t due = strlen(member);
    bool ending = length == due + 4 && memcmp(name + due, ".npy", 4) == 0;
    return (length == due || ending) && memcmp(name, member, due) == 0;
}

static entry entry_at(const unsigned char *d)
{
    return (entry){.flags = le16(d + 8),
                   .method = le16(d + 10),
                   .crc = le32(d + 16),
                   .packed = le32(d + 20),
                   .whole = le32(d + 24),
                   .at = le32(d + 42)};
}

static bool find_entry(archive *z, const char *member, entry *e)
{
    size_t count = 0, found = 0, at = 0;
    const char *names = "";
    const unsigned char *d = read_directory(z, &count);
    while (d && at < count) {
        if (count - at < ENTRY_BYTES || memcmp(d + at, "PK\1\2", 4) != 0)
            return refuse(z, "its directory is damaged");
        size_t name = le16(d + at + 28),
               all = ENTRY_BYTES + name + le16(d + at + 30) + le16(d + at + 32);
        if (all > count - at)
            return refuse(z, "its directory is damaged");
        if (is_member(d + at + ENTRY_BYTES, name, member)) {
            found++;
            *e = entry_at(d + at);
        }
        if (strlen(names) < 200)
            names = lb_arena_printf(z->arena, "%s%s%.*s", names, *names ? ", " : "",
                                    name > 60 ? 60 : (int)name, d + at + ENTRY_BYTES);
        at += all;
    }
    if (d && found > 1)
        refuse(z, lb_arena_printf(z->arena, "it has \"%.100s\" twice", member));
    if (d && found == 0)
        refuse(z, lb_arena_printf(z->arena, "it has no member \"%.100s\"; it has: %s", member,
                                  *names ? names : "none"));
    return found == 1;
}

/* Where the bytes of a member begin. */
static bool find_bytes(archive *z, const entry *e, uint64_t *at)
{
    unsigned char local[LOCAL_BYTES];
    if (e->at > z->size || z->size - e->at < LOCAL_BYTES)
        return refuse(z, "a member lies outside of it: it is cut short");
    if (!read_at(z, e->at, local, sizeof local))
        return false;
    if (memcmp(local, "PK\3\4", 4) != 0)
        return refuse(z, "a member is not where its directory says");
    *at = (uint64_t)e->at + LOCAL_BYTES + le16(local + 26) + le16(local + 28);
    return (*at <= z->size && z->size - *at >= e->packed) ||
           refuse(z, "a member lies outside of it: it is cut short");
}

static bool inflate_all(archive *z, unsigned char *from, size_t count, lb_bytes *into)
{
    z_stream stream = {.next_in = from, .avail_in = (uInt)count};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        lb_out_of_memory(sizeof stream);
    stream.next_out = into->at;
    stream.avail_out = (uInt)into->count;
    int result = inflate(&stream, Z_FINISH);
    bool good = result == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
    inflateEnd(&stream);
    return good || refuse(z, "the bytes of the member are damaged");
}

static bool unpack(archive *z, const entry *e, size_t most, lb_bytes *npy)
{
    uint64_t at;
    if (e->flags & 1)
        return refuse(z, "the member is encrypted");
    if (e->method != STORED && e->method != DEFLATED)
        return refuse(z, lb_arena_printf(z->arena,
                                         "the member is packed by method %u; numpy.savez and "
                                         "numpy.savez_compressed use 0 and 8",
                                         e->method));
    if (e->whole > most || (e->method == STORED && e->packed != e->whole))
        return refuse(z, lb_arena_printf(z->arena,
                                         "the member has %u bytes, and at most %zu are "
                                         "expected",
                                         e->whole, most));
    if (e->packed > most + most / 8 + 1024)
        return refuse(z, "the member is larger packed than it can be");
    if (!find_bytes(z, e, &at))
        return false;
    unsigned char *packed = lb_arena_alloc(z->arena, (size_t)e->packed + 1);
    *npy = (lb_bytes){.at = packed, .count = e->whole};
    if (!read_at(z, at, packed, e->packed))
        return false;
    if (e->method == DEFLATED) {
        npy->at = lb_arena_alloc(z->arena, (size_t)e->whole + 1);
        if (!inflate_all(z, packed, e->packed, npy))
            return false;
    }
    return crc32(crc32(0, NULL, 0), npy->at, (uInt)npy->count) == e->crc ||
           refuse(z, "the member is damaged: its checksum is another");
}

static bool open_archive(archive *z)
{
    struct stat info;
    if (fstat(z->fd, &info) != 0)
        return refuse(z, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return refuse(z, "it is no regular file");
    z->size = (uint64_t)info.st_size;
    return true;
}

bool lb_npz_read(int fd, const char *member, size_t most, lb_arena *arena, lb_bytes *npy,
                 const char **why)
{
    archive z = {.fd = fd, .arena = arena};
    entry e = {0};
    bool good = open_archive(&z) && find_entry(&z, member, &e) && unpack(&z, &e, most, npy);
    *why = z.why;
    return good;
}

/* ---- All members ---- */

/* The first bytes of a member; what is behind them is not looked at. */
static bool read_head(archive *z, const entry *e, lb_bytes *head)
{
    uint64_t at;
    size_t count = e->whole < LB_NPZ_HEAD ? e->whole : LB_NPZ_HEAD;
    size_t packed = e->packed < LB_NPZ_HEAD + 1024 ? e->packed : LB_NPZ_HEAD + 1024;
    if (e->flags & 1)
        return refuse(z, "a member is encrypted");
    if (e->method != STORED && e->method != DEFLATED)
        return refuse(z, lb_arena_printf(z->arena,
                                         "a member is packed by method %u; numpy.savez and "
                                         "numpy.savez_compressed use 0 and 8",
                                         e->method));
    if (!find_bytes(z, e, &at))
        return false;
    unsigned char *from = lb_arena_alloc(z->arena, packed + 1);
    *head = (lb_bytes){.at = from, .count = count < packed ? count : packed};
    if (!read_at(z, at, from, packed) || e->method == STORED)
        return !z->why;
    z_stream stream = {.next_in = from, .avail_in = (uInt)packed};
    head->at = lb_arena_alloc(z->arena, count + 1);
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        lb_out_of_memory(sizeof stream);
    stream.next_out = head->at;
    stream.avail_out = (uInt)count;
    int result = inflate(&stream, Z_SYNC_FLUSH);
    head->count = count - stream.avail_out;
    inflateEnd(&stream);
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ||
           refuse(z, "the bytes of a member are damaged");
}

static bool each_member(archive *z, lb_npz_member_fn fn, void *user)
{
    size_t count = 0, at = 0;
    const unsigned char *d = read_directory(z, &count);
    while (d && at < count) {
        lb_arena_mark mark = lb_arena_mark_of(z->arena);
        if (count - at < ENTRY_BYTES || memcmp(d + at, "PK\1\2", 4) != 0)
            return refuse(z, "its directory is damaged");
        size_t length = le16(d + at + 28),
               all = ENTRY_BYTES + length + le16(d + at + 30) + le16(d + at + 32);
        if (all > count - at)
            return refuse(z, "its directory is damaged");
        entry e = entry_at(d + at);
        lb_bytes head = {0};
        bool has_ending = length > 4 && memcmp(d + at + ENTRY_BYTES + length - 4, ".npy", 4) == 0;
        char *name = lb_arena_printf(z->arena, "%.*s", (int)(length - (has_ending ? 4 : 0)),
                                     d + at + ENTRY_BYTES);
        if (!read_head(z, &e, &head) || !fn(user, name, &head))
            return false;
        lb_arena_rewind(z->arena, mark);
        at += all;
    }
    return d != NULL;
}

bool lb_npz_each(int fd, lb_arena *arena, lb_npz_member_fn fn, void *user, const char **why)
{
    archive z = {.fd = fd, .arena = arena};
    bool good = open_archive(&z) && each_member(&z, fn, user);
    *why = z.why;
    return good;
}
