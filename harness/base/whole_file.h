/* A file that is read whole. */
#ifndef LB_HARNESS_BASE_WHOLE_FILE_H
#define LB_HARNESS_BASE_WHOLE_FILE_H

#include "harness/base/arena.h"

#include <stdbool.h>

typedef enum lb_file_state {
    LB_FILE_READ,
    LB_FILE_UNREADABLE, /* errno says why */
    LB_FILE_IS_FOLDER,
    LB_FILE_IRREGULAR, /* a pipe, a device: not waited for */
    LB_FILE_TOO_LARGE
} lb_file_state;

typedef struct lb_whole_file {
    lb_file_state state;
    char *text;    /* with a NUL behind it; NULL where it is not read */
    size_t length; /* too large: of the file */
} lb_whole_file;

/* Reads a regular file of at most `most` bytes into the arena, or onto the heap (NULL). */
lb_whole_file lb_whole_file_read(const char *path, size_t most, lb_arena *arena);
/* Is the path "-" or /dev/stdin? */
bool lb_is_stdin(const char *path);
/* Reads standard input to its end, whatever it is; LB_FILE_TOO_LARGE after `most` bytes. */
lb_whole_file lb_whole_stdin_read(size_t most, lb_arena *arena);
/* Why it is not read: "is a folder". NULL if it is. */
const char *lb_whole_file_problem(const lb_whole_file *file);

#endif
