/* --json FILE: see verdict_lines.h. */
#include "harness/run/verdict_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool complain(const char *command, const char *path)
{
    fprintf(stderr, "lastbit %s: --json %s: %s\n", command, path, strerror(errno));
    return false;
}

static FILE *take_standard_output(void)
{
    int fd = fflush(stdout) == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
    FILE *lines = fd >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fdopen(fd, "w") : NULL;
    if (!lines && fd >= 0)
        close(fd);
    return lines;
}

bool lb_verdict_lines_open(const char *command, const char *path, FILE **lines)
{
    *lines = NULL;
    if (!path)
        return true;
    *lines = strcmp(path, "-") == 0 ? take_standard_output() : fopen(path, "we");
    return *lines || complain(command, path);
}

bool lb_verdict_lines_close(const char *command, const char *path, FILE *lines)
{
    return !lines || fclose(lines) == 0 || complain(command, path);
}
