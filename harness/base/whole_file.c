/* A file that is read whole: see whole_file.h. */
#include "harness/base/whole_file.h"
#include "harness/base/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static lb_file_state state_of(int fd, size_t most, struct stat *info)
{
    if (fd < 0 || fstat(fd, info) != 0)
        return LB_FILE_UNREADABLE;
    if (!S_ISREG(info->st_mode))
        return S_ISDIR(info->st_mode) ? LB_FILE_IS_FOLDER : LB_FILE_IRREGULAR;
    return (uint64_t)info->st_size > most ? LB_FILE_TOO_LARGE : LB_FILE_READ;
}

/* All of the bytes; false with errno. */
static bool read_all(int fd, char *text, size_t length)
{
    size_t have = 0;
    while (have < length) {
        ssize_t got = read(fd, text + have, length - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; /* the file became shorter */
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

lb_whole_file lb_whole_file_read(const char *path, size_t most, lb_arena *arena)
{
    struct stat info = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    lb_whole_file file = {.state = state_of(fd, most, &info), .length = (size_t)info.st_size};
    if (file.state == LB_FILE_READ) {
        file.text =
            arena ? lb_arena_alloc(arena, file.length + 1) : lb_resized(NULL, file.length + 1);
        file.text[file.length] = '\0';
        if (!read_all(fd, file.text, file.length)) {
            int error = errno;
            if (!arena)
                free(file.text);
            file = (lb_whole_file){.state = LB_FILE_UNREADABLE};
            errno = error;
        }
    }
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return file;
}

bool lb_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

lb_whole_file lb_whole_stdin_read(size_t most, lb_arena *arena)
{
    enum { FIRST = 1 << 16 };
    size_t room = FIRST, have = 0;
    char *text = lb_resized(NULL, room + 1);
    ssize_t got = 1;
    while (have <= most && got != 0) {
        if (have == room)
            text = lb_resized(text, (room *= 2) + 1);
        got = read(STDIN_FILENO, text + have, room - have);
        if (got < 0 && errno != EINTR) {
            int error = errno;
            struct stat info;
            bool is_folder = fstat(STDIN_FILENO, &info) == 0 && S_ISDIR(info.st_mode);
            free(text);
            errno = error;
            return (lb_whole_file){.state = is_folder ? LB_FILE_IS_FOLDER : LB_FILE_UNREADABLE};
        }
        have += got > 0 ? (size_t)got : 0;
    }
    lb_whole_file file = {.state = have > most ? LB_FILE_TOO_LARGE : LB_FILE_READ, .length = have};
    if (file.state == LB_FILE_READ) {
        text[have] = '\0';
        file.text = text;
        if (arena) {
            file.text = lb_arena_alloc(arena, have + 1);
            memcpy(file.text, text, have + 1);
            free(text);
        }
    } else {
        free(text);
    }
    return file;
}

const char *lb_whole_file_problem(const lb_whole_file *file)
{
    switch (file->state) {
    case LB_FILE_READ:
        return NULL;
    case LB_FILE_UNREADABLE:
        return strerror(errno);
    case LB_FILE_IS_FOLDER:
        return "is a folder";
    case LB_FILE_IRREGULAR:
        return "is no regular file";
    case LB_FILE_TOO_LARGE:
        return "is too large";
    }
    return NULL;
}
