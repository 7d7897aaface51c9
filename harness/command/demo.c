/* lastbit demo: a tour of two minutes with a port that has one mistake. */
#include "harness/base/child.h"
#include "harness/base/installed.h"
#include "harness/base/options.h"
#include "harness/command/commands.h"
#include "harness/trial/reproduce.h"
#include "reports/doc.h"
#include "reports/temporary.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct tour {
    const char *output;         /* folder for the reports */
    bool quiet;                 /* opens nothing */
    char port[PATH_MAX];        /* the library with the mistake */
    char source[PATH_MAX + 32]; /* its source, "" where it is not here */
    char vectors[PATH_MAX];
} tour;

/* ---- What the tour needs ---- */

/* In PREFIX/lib/lastbit where lastbit is installed (Debian: a folder deeper), in the build folder
 * where it was built. */
static bool find_port(tour *t)
{
    static const char *const places[] = {LASTBIT_LIBDIR "/lastbit", "lib/lastbit",
                                         "harness/port_kit"};
    char prefix[PATH_MAX];
    if (!lb_program_prefix(prefix, sizeof prefix))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length =
            snprintf(t->port, sizeof t->port, "%s/%s/lastbit_mistake.so", prefix, places[i]);
        if (length > 0 && (size_t)length < sizeof t->port && access(t->port, R_OK) == 0)
            return true;
    }
    fprintf(stderr,
            "lastbit demo: lastbit_mistake.so, the port that it tries, is in none of %s/%s, "
            "%s/%s, %s/%s\n",
            prefix, places[0], prefix, places[1], prefix, places[2]);
    return false;
}

static bool find_all(tour *t)
{
    char folder[PATH_MAX];
    if (!find_port(t))
        return false;
    if (!lb_installed("vectors", "conv2d.yaml", t->vectors, sizeof t->vectors)) {
        fprintf(stderr, "lastbit demo: the suites (vectors/conv2d.yaml) are not installed\n");
        return false;
    }
    if (lb_installed("port_kit", "example_mistake.c", folder, sizeof folder))
        snprintf(t->source, sizeof t->source, "%s/example_mistake.c", folder);
    return true;
}

static bool make_folder(tour *t, char *own, size_t own_bytes)
{
    if (t->output) {
        if (mkdir(t->output, 0777) == 0 || errno == EEXIST)
            return true;
    } else {
        snprintf(own, own_bytes, "%.*s/lastbit-demo-XXXXXX", PATH_MAX - 32, lb_temporary_folder());
        t->output = own;
        if (mkdtemp(own))
            return true;
    }
    fprintf(stderr, "lastbit demo: %s: cannot make this folder: %s\n", t->output, strerror(errno));
    return false;
}

/* ---- Steps ---- */

/* As it would be typed. */
static void print_command(const char *name, int argc, const char *argv[])
{
    lb_doc line = lb_doc_make();
    lb_put_shell_command(&line, name, argc, (char *const *)argv);
    lb_doc_char(&line, '\n');
    lb_doc_flush(&line, stdout);
    lb_doc_free(&line);
    fflush(stdout);
}

/* Runs a program to its end; its exit status, 128 + N for one that signal N ended, -1 with errno
 * where there is no process for it. */
static int run_program(const char *path, const char *arguments[])
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execvp(path, (char *const *)arguments);
        _exit(127);
    }
    int status = lb_child_wait(child);
    return status < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Shows the command and runs it, by this very program. False: it did not end as it should. */
static bool step(int expected, const char *arguments[])
{
    int count = 0;
    while (arguments[count])
        count++;
    fputs("\n$ ", stdout);
    print_command(arguments[0], count - 1, arguments + 1);
    int got = run_program("/proc/self/exe", arguments);
    if (got < 0)
        fprintf(stderr, "lastbit demo: cannot start a process: %s\n", strerror(errno));
    else if (got != expected)
        fprintf(stderr, "lastbit demo: that ended with status %d; expected %d\n", got, expected);
    return got == expected;
}

static void say(const char *text)
{
    printf("\n%s\n", text);
}

/* The lines of the source from the mistaken kernel on, to the end of it. */
static void print_source(const char *path)
{
    char line[256];
    bool inside = false;
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    printf("\n%s:\n", path);
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        inside = inside || strncmp(line, "static mli_status", 17) == 0;
        if (inside)
            printf("%4u  %s", number, line);
        inside = inside && line[0] != '}';
    }
    fclose(file);
}

/* A browser, where there is a screen. */
static bool open_page(const char *path)
{
    bool screen = isatty(STDOUT_FILENO) && (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY"));
    return screen && run_program("xdg-open", (const char *[]){"xdg-open", path, NULL}) == 0;
}

static int walk(const tour *t)
{
    char suite[PATH_MAX + 32], report[PATH_MAX + 32], page[PATH_MAX + 64];
    snprintf(suite, sizeof suite, "%s/conv2d.yaml", t->vectors);
    snprintf(report, sizeof report, "%s/report", t->output);
    snprintf(page, sizeof page, "%s/report.html", report);
    say("1. A port: somebody's kernels behind the port kit, as a shared library. One of its 170\n"
        "   functions has a mistake. Which, and what? All suites, the cases of the level smoke:");
    if (!step(1, (const char *[]){"lastbit", "run", "--port", t->port, "--level", "smoke", "--show",
                                  "1", "--report", report, t->vectors, NULL}))
        return 1;
    say("2. Above: the fault by name, what it explains, the smallest case that shows it. Why that\n"
        "   value is wrong, step by step, the port's value beside the right one:");
    if (!step(1, (const char *[]){"lastbit", "explain", "--port", t->port, suite, "--case",
                                  "conv2d_sa8.stride_above_kernel", "--profile", "up-full", NULL}))
        return 1;
    say("3. The rule that it breaks:");
    if (!step(0, (const char *[]){"lastbit", "rule", "conv.6", NULL}))
        return 1;
    say("4. And this is what was wrong:");
    if (t->source[0])
        print_source(t->source);
    say("5. The same cases on the kernels without the mistake:");
    if (!step(0, (const char *[]){"lastbit", "run", suite, NULL}))
        return 1;
    printf("\nThe report to hand on: %s%s\n", page,
           !t->quiet && open_page(page) ? " (opened)" : "");
    fputs("Remove it with: ", stdout);
    print_command("rm", 2, (const char *[]){"-r", t->output});
    say("Next, your own kernels: lastbit port new myport");
    return 0;
}

static int demo(int argc, char **argv)
{
    tour t = {.output = NULL};
    char own[PATH_MAX];
    int status;
    if (!lb_options_parse(&lb_demo_command, argc, argv, &t, NULL, &status))
        return status;
    if (!find_all(&t))
        return 2;
    if (!make_folder(&t, own, sizeof own))
        return 3;
    status = walk(&t);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 3;
}

static const lb_option table[] = {
    {"output", 'o', LB_TEXT, LB_INTO(tour, output), .argument = "DIR",
     .help = "folder for the report; without it a new one in TMPDIR or /tmp, which stays"},
    {"no-open", 0, LB_FLAG, LB_INTO(tour, quiet),
     .help = "do not open the report in a browser (without a screen none is opened)"},
    {.name = NULL}};

const lb_command lb_demo_command = {
    .name = "demo",
    .summary = "a tour of two minutes: a port with a mistake, found and named",
    .usage = "[OPTION...]",
    .about = "Puts a port with one mistake on trial, shows the fault by name, explains a wrong "
             "value, prints the rule, and opens the report. Each command is shown as you would "
             "type it. Nothing is installed or changed.",
    .groups = {{table, 0, NULL}},
    .statuses = {"the tour came to its end", "a step did not give what it should",
                 "the command line is wrong, or the port or the suites are not installed",
                 "lastbit itself failed"},
    .examples = "lastbit demo\n"
                "lastbit demo --output /tmp/tour",
    .run = demo};
