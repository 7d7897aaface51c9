/* The lastbit command: finds the sub-command and hands over. */
#include "harness/base/child.h"
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/report_sections.h"
#include "harness/json/document.h"
#include "harness/port/open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* "lastbit help run" is "lastbit run --help". */
static int help_about(int count, char **words)
{
    const lb_command *found = lb_command_find(&lb_lastbit, count, words);
    if (!found)
        return 2;
    lb_command_help(found, stdout);
    return lb_help_status();
}

/* A file that is opened must not become standard output because that was closed. */
static bool open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        /* What is written to a closed standard output is lost, and must fail. */
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) != fd)
            return false;
    return true;
}

static int run_command(int argc, char **argv)
{
    char version[80];
    if (argc < 2) {
        lb_command_help(&lb_lastbit, stderr);
        return 2;
    }
    if (strcmp(argv[1], "help") == 0)
        return help_about(argc - 2, argv + 2);
    if (is_one_of(argv[1], "--version", "-V")) {
        lb_version_with_commit(version);
        printf("lastbit %s, %s\n", version, lb_compiler_name());
        return lb_help_status();
    }
    return lb_command_call(&lb_lastbit, argc, argv);
}

/* Whatever a command did, what it wrote must have arrived. */
static int end_output(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "lastbit: standard output: %s\n",
            errno != 0 ? strerror(errno) : "not all could be written");
    return 3;
}

int main(int argc, char **argv)
{
    if (!open_standard_streams())
        return 3;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of writing, and is told */
    lb_json_never_fails();
    lb_commit = lb_built_from;
    lb_port_open_builtin = lb_port_builtin;
    lb_report_sections = &lb_report_spec_sections;
    const int status = run_command(argc, argv);
    lb_child_end_all(LB_CHILD_GRACE);
    return end_output(status);
}
