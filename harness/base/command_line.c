/* What all commands share: see command_line.h. */
#include "harness/base/command_line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lb_usage_error(const char *command, const char *format, ...)
{
    const char *blank = *command ? " " : "";
    va_list arguments;
    fprintf(stderr, "lastbit%s%s: ", blank, command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry \"lastbit%s%s --help\".\n", blank, command);
}

bool lb_parse_number(const char *text, unsigned long low, unsigned long high, unsigned long *value)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *value = strtoul(text, &end, 10);
    return errno == 0 && *end == '\0' && *value >= low && *value <= high;
}

const char *lb_version(void)
{
    return LASTBIT_VERSION;
}

const char *lb_commit = "";

void lb_version_with_commit(char text[80])
{
    snprintf(text, 80, "%.30s%s%.30s%s", lb_version(), lb_commit[0] ? " (" : "", lb_commit,
             lb_commit[0] ? ")" : "");
}

const char *lb_compiler_name(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}
