/* Buffered reading of lines: see line_reader.h. */
#include "harness/base/line_reader.h"
#include "harness/base/xalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 64 * 1024 };

void lb_line_reader_start(lb_line_reader *reader, int fd, uint64_t offset, lb_sha256 *digest)
{
    *reader = (lb_line_reader){.fd = fd, .offset = offset, .digest = digest};
}

bool lb_line_reader_seek(lb_line_reader *reader, uint64_t offset)
{
    reader->start = reader->end = 0;
    reader->offset = offset;
    reader->at_end = false;
    return lseek(reader->fd, (off_t)offset, SEEK_SET) == (off_t)offset;
}

/* Reads more behind the bytes at hand. False on an error. */
static bool fill(lb_line_reader *reader)
{
    size_t held = reader->end - reader->start;
    if (held > 0 && reader->start > 0)
        memmove(reader->buffer, reader->buffer + reader->start, held);
    reader->start = 0;
    reader->end = held;
    if (reader->capacity - held < CHUNK_BYTES) {
        reader->capacity = reader->capacity * 2 + CHUNK_BYTES;
        reader->buffer = lb_resized(reader->buffer, reader->capacity);
    }
    ssize_t count;
    do
        count = read(reader->fd, reader->buffer + held, reader->capacity - held);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return false;
    if (count == 0)
        reader->at_end = true;
    else if (reader->digest)
        lb_sha256_add(reader->digest, reader->buffer + held, (size_t)count);
    reader->end += (size_t)count;
    return true;
}

lb_line_result lb_line_reader_next(lb_line_reader *reader, const char **line, size_t *length)
{
    size_t searched = 0; /* bytes at hand in which there is no line feed */
    for (;;) {
        size_t held = reader->end - reader->start;
        const char *at = held > searched ? reader->buffer + reader->start : NULL;
        const char *feed = at ? memchr(at + searched, '\n', held - searched) : NULL;
        if (feed || (reader->at_end && held > 0)) {
            *line = reader->buffer + reader->start;
            *length = feed ? (size_t)(feed - *line) : held;
            size_t taken = *length + (feed ? 1 : 0);
            reader->start += taken;
            reader->offset += taken;
            return LB_LINE_OK;
        }
        if (reader->at_end)
            return LB_LINE_END;
        searched = held;
        if (!fill(reader))
            return LB_LINE_ERROR;
    }
}

void lb_line_reader_free(lb_line_reader *reader)
{
    free(reader->buffer);
    reader->buffer = NULL;
}
