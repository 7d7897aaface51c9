/* Small text files, read whole: see text_file.h. */
#include "harness/json/text_file.h"
#include "harness/base/utf8.h"
#include "harness/base/xalloc.h"
#include "harness/json/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 1 << 20 };

/* Why the open file cannot be read, or NULL. */
static const char *obstacle(int fd, struct stat *info)
{
    if (fd < 0 || fstat(fd, info) != 0)
        return strerror(errno);
    if (!S_ISREG(info->st_mode))
        return "is no regular file";
    return info->st_size > MAX_FILE_BYTES ? "larger than 1 MiB" : NULL;
}

static bool check_utf8(const char *text, size_t length, lb_problems *problems)
{
    lb_place place = {0};
    size_t bad = lb_utf8_check(text, length);
    if (bad == length)
        return true;
    lb_text_position(text, bad, 1, &place.line, &place.column);
    lb_problem(problems, place, "save the file as UTF-8", "byte 0x%02X is not UTF-8",
               (unsigned)(unsigned char)text[bad]);
    return false;
}

char *lb_small_file_read(const char *path, const char *kind, size_t *length, lb_problems *problems)
{
    struct stat info;
    char remedy[100];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *problem = obstacle(fd, &info);
    char *text = problem ? NULL : lb_resized(NULL, (size_t)info.st_size + 1);
    *length = 0;
    while (text && *length < (size_t)info.st_size) {
        ssize_t count = read(fd, text + *length, (size_t)info.st_size - *length);
        if (count <= 0)
            break;
        *length += (size_t)count;
    }
    if (fd >= 0)
        close(fd);
    if (!text) {
        snprintf(remedy, sizeof remedy, "name a %s file", kind);
        lb_problem(problems, (lb_place){0}, remedy, "%s", problem ? problem : "out of memory");
        return NULL;
    }
    text[*length] = '\0';
    if (check_utf8(text, *length, problems))
        return text;
    free(text);
    return NULL;
}
