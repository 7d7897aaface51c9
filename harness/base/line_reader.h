/* Lines of a file of any size, one at a time, in memory for the longest line. */
#ifndef LB_HARNESS_BASE_LINE_READER_H
#define LB_HARNESS_BASE_LINE_READER_H

#include "harness/base/sha256.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lb_line_reader {
    int fd;
    char *buffer;
    size_t capacity, start, end; /* bytes not yet given out: buffer[start .. end) */
    uint64_t offset;             /* in the file, of buffer[start] */
    bool at_end;
    lb_sha256 *digest; /* NULL, or fed with every byte read */
} lb_line_reader;

typedef enum lb_line_result { LB_LINE_OK, LB_LINE_END, LB_LINE_ERROR } lb_line_result;

/* Reads from the descriptor's present place, which is the given offset of the file. The descriptor
 * stays the caller's. */
void lb_line_reader_start(lb_line_reader *reader, int fd, uint64_t offset, lb_sha256 *digest);
/* Goes to another offset of the file. */
bool lb_line_reader_seek(lb_line_reader *reader, uint64_t offset);
/* The next line without its line feed; valid until the next call. After an error errno says why. */
lb_line_result lb_line_reader_next(lb_line_reader *reader, const char **line, size_t *length);
void lb_line_reader_free(lb_line_reader *reader);

#endif
