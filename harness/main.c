/* The lastbit command: finds the sub-command and hands over. */
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/command/commands.h"
#include "harness/command/report_extras.h"
#include "harness/port/host.h"
#include "harness/port/open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the name of the command */
    const char *summary;
} command;

static const command commands[] = {
    {"run", lb_command_run, "try suites on a port and judge the results, bit for bit"},
    {"diagnose", lb_command_diagnose,
     "name the faults of a port that explain all that fails, by experiments of its own"},
    {"explain", lb_command_explain,
     "show every integer step behind one output element, and where a wrong one diverges"},
    {"guard", lb_command_guard, "tell whether accumulators are wide enough, and by how much"},
    {"sweep", lb_command_sweep, "try every input of a small domain on a port"},
    {"cast", lb_command_cast,
     "numbers from one element format to another; nibbles packed and unpacked"},
    {"encodings", lb_command_encodings,
     "read, check and convert quantization encodings files (AIMET)"},
    {"vectors", lb_command_vectors, "check and list the suites themselves"},
    {"pack", lb_command_pack, "write cases as C sources, for devices without any link"},
    {"bench", lb_command_bench,
     "time the port, per CPU level, beside what the processor can do at best"},
    {"rule", lb_command_rule, "print a section of the specification, such as numerics.4.2"},
    {"port", lb_command_port, "start a port of your own, or tell what a port says of itself"},
    {"report", lb_command_report,
     "documents from stored results; results merged, compared, packed and verified"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fputs("Usage: lastbit COMMAND [OPTION...] [ARGUMENT...]\n"
          "       lastbit help [COMMAND] | --help | --version\n"
          "\n"
          "lastbit proves that a fixed-point neural-network kernel library computes the right "
          "numbers, to the last bit:\n"
          "it runs test vectors on an implementation of the MLI 2.0 API and holds every output to "
          "a recorded result, to\n"
          "an exact integer model and to a real-number model.\n"
          "\n"
          "Commands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s  %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "Options:\n"
          "  -h, --help     this text; \"lastbit help COMMAND\" tells about a command\n"
          "  -V, --version  version of lastbit\n"
          "\n"
          "Exit status:\n"
          "  0  all is well\n"
          "  1  a fail or an error was found\n"
          "  2  the command line or a file is wrong\n"
          "  3  lastbit itself failed\n"
          "  4  run: nothing was tested\n"
          "\n"
          "Examples:\n"
          "  lastbit run vectors\n"
          "  lastbit run --port builtin --report build/report vectors\n"
          "  lastbit vectors check my_suite.yaml\n",
          out);
}

static const char *command_name(const void *set, size_t index)
{
    (void)set;
    return index < COMMAND_COUNT ? commands[index].name : NULL;
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    const char *near = lb_suggest(name, command_name, NULL);
    fprintf(stderr, "lastbit: %s: no such command%s%s%s\nTry \"lastbit --help\".\n", name,
            near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return NULL;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* "lastbit help run" is "lastbit run --help". */
static int help_about(char *name)
{
    char help[] = "--help";
    char *arguments[] = {name, help, NULL};
    const command *found = find_command(name);
    return found ? found->run(2, arguments) : 2;
}

/* A file that is opened must not become standard output because that was closed. */
static bool open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    if (!open_standard_streams())
        return 3;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of writing, and is told */
    if (argc > 1 && strcmp(argv[1], LB_HOST_COMMAND) == 0)
        return lb_host_main(argc - 1, argv + 1);
    lb_host_program = "/proc/self/exe";
    lb_port_open_builtin = lb_port_builtin;
    lb_report_extra = &lb_harness_report_extras;
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2)
        return help_about(argv[2]);
    if (is_one_of(argv[1], "--help", "-h", "help")) {
        print_help(stdout);
        return 0;
    }
    if (is_one_of(argv[1], "--version", "-V", "version")) {
        printf("lastbit %s (%s)\n", lb_version(), lb_compiler_name());
        return 0;
    }
    const command *found = find_command(argv[1]);
    return found ? found->run(argc - 1, argv + 1) : 2;
}
