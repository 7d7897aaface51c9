/* A suite on standard input: kept in memory that can be opened again like a file, since workers
 * read suites with descriptors of their own. */
#include "harness/base/write_all.h"
#include "harness/suite/suite_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int kept = -1;
static char kept_path[64];

/* All of it; false: errno says why not. What is too large is cut one byte beyond the limit, where
 * it is told. */
static bool copy_all(int fd)
{
    char bytes[1 << 16];
    uint64_t have = 0;
    while (have <= LB_MAX_FILE_BYTES) {
        ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        if (!lb_write_all(fd, bytes, (size_t)count))
            return false;
        have += (uint64_t)count;
    }
    return true;
}

const char *lb_standard_input_path(void)
{
    if (kept >= 0)
        return kept_path;
    kept = memfd_create("lastbit-suite", MFD_CLOEXEC);
    if (kept < 0 || !copy_all(kept))
        return NULL;
    snprintf(kept_path, sizeof kept_path, "/proc/self/fd/%d", kept);
    return kept_path;
}

/* Position behind white space. */
static size_t skip_space(const char *text, size_t at)
{
    while (isspace((unsigned char)text[at]))
        at++;
    return at;
}

const char *lb_suite_ending(int fd)
{
    char text[(1 << 16) + 1];
    ssize_t count = pread(fd, text, sizeof text - 1, 0);
    text[count > 0 ? count : 0] = '\0';
    size_t start = skip_space(text, 0), end = start + strcspn(text + start, "\n");
    if (text[start] != '{')
        return ".yaml";
    /* JSON Lines: the header is an object on the first line, and another object follows. */
    size_t last = end;
    while (last > start && isspace((unsigned char)text[last - 1]))
        last--;
    return text[last - 1] == '}' && text[skip_space(text, end)] == '{' ? ".jsonl" : ".json";
}
