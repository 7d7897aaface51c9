/* What all commands share: see command_line.h. */
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lb_usage_hint(const char *command)
{
    fprintf(stderr, "Try \"lastbit %s --help\".\n", command);
}

void lb_usage_error(const char *command, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "lastbit %s: ", command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    lb_usage_hint(command);
}

static const char *option_name(const void *set, size_t index)
{
    return ((const struct option *)set)[index].name;
}

/* Long options whose names begin like the word, up to its "=". */
static unsigned count_beginning(const char *word, size_t length, const struct option *options)
{
    unsigned count = 0;
    for (; options->name; options++)
        count += strncmp(options->name, word, length) == 0;
    return count;
}

/* What getopt did not understand: the word that it looked at last. */
static void tell_unknown(const char *command, const char *word, const struct option *options)
{
    char name[64];
    size_t length = strcspn(word, "=");
    fprintf(stderr, "lastbit %s: ", command);
    if (strncmp(word, "--", 2) != 0) {
        fprintf(stderr, "unknown option -%c\n", optopt);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length - 2 : 0), word + 2);
    unsigned alike = count_beginning(name, strlen(name), options);
    const char *near = lb_suggest(name, option_name, options);
    if (alike > 1)
        fprintf(stderr, "--%s may be more than one option: write it out\n", name);
    else if (alike == 1)
        fprintf(stderr, "--%s takes no value\n", name);
    else
        fprintf(stderr, "unknown option --%s%s%s%s\n", name, near ? "; did you mean --" : "",
                near ? near : "", near ? "?" : "");
}

int lb_next_option(const char *command, int argc, char **argv, const char *short_options,
                   const struct option *long_options)
{
    char with_colon[64];
    snprintf(with_colon, sizeof with_colon, ":%s", short_options);
    opterr = 0;
    int option = getopt_long(argc, argv, with_colon, long_options, NULL);
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    if (option == ':')
        fprintf(stderr, "lastbit %s: %s needs a value\n", command, word);
    else if (option == '?')
        tell_unknown(command, word, long_options);
    return option == ':' ? '?' : option;
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
