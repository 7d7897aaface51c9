/* lastbit vectors crosscheck: every recorded result held against the exact model and the port, at
 * every CPU level. What agrees three times has three witnesses; what does not has an outlier. */
#include "harness/base/arena.h"
#include "harness/base/child.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/recorded.h"
#include "harness/port/cpu_level.h"
#include "harness/port/open.h"
#include "harness/run/shared_options.h"
#include "harness/suite/suite.h"
#include "harness/trial/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CALL_SECONDS = 60, OUTLIERS_SHOWN = 20 };

typedef struct tally {
    uint64_t results; /* recorded results, each in one profile */
    uint64_t exact_right;
    uint64_t tried[LB_MAX_LEVELS], port_right[LB_MAX_LEVELS];
} tally;

/* In memory that child processes share: they count too. */
typedef struct crosscheck {
    lb_port *port;
    const char *levels[LB_MAX_LEVELS];
    size_t level_count; /* at least 1: a port without levels has one that has no name */
    size_t level;       /* the one that is tried */
    lb_recorded_numerics numerics;
    tally all;
    uint64_t cases, outliers, untried;
    const char *file;
} crosscheck;

/* ---- One case ---- */

/* Does a recorded result agree with the exact model's, by what is known of the three? */
static bool exact_agrees(const lb_result *r)
{
    if (r->recorded == LB_AGREEMENT_AGREES)
        return r->exact == LB_AGREEMENT_AGREES;
    return strcmp(r->outlier, "port") == 0;
}

static void tell(crosscheck *x, const lb_result *r, const char *who)
{
    const char *level = x->levels[x->level];
    if (x->outliers + x->untried > OUTLIERS_SHOWN)
        return;
    printf("%s:%u: %s [%s]%s%s: %s\n", x->file, r->line, r->id, r->profile, level ? " at " : "",
           level ? level : "", who);
}

static void take_result(void *user, size_t profile, lb_result *r)
{
    crosscheck *x = user;
    tally *t = &x->all;
    (void)profile;
    if (x->level == 0)
        t->results++;
    if (r->verdict == LB_SKIP || r->verdict == LB_ERROR) {
        x->untried++;
        tell(x, r, r->reason);
        return;
    }
    bool port = r->recorded == LB_AGREEMENT_AGREES, exact = exact_agrees(r);
    t->tried[x->level]++;
    t->port_right[x->level] += port;
    t->exact_right += x->level == 0 && exact;
    if (port && exact)
        return;
    x->outliers++;
    tell(x, r,
         strcmp(r->outlier, "recorded") == 0 ? "the recorded result stands alone"
         : strcmp(r->outlier, "exact") == 0  ? "the exact model stands alone"
         : strcmp(r->outlier, "port") == 0   ? "the port stands alone"
                                             : "recorded result, exact model and port all differ");
}

/* A sequence changes state that a library keeps per process: each play gets a process of its own,
 * which finds the library as it was loaded. False: no process could be made. */
static bool try_apart(crosscheck *x, const lb_case *c, const lb_trial_setup *setup,
                      const bool *wanted)
{
    for (size_t n = 0; n < x->numerics.count; n++) {
        bool only[LB_MOST_RECORDED] = {false};
        uint64_t before = x->all.tried[x->level] + x->untried;
        if (!wanted[n])
            continue;
        only[n] = true;
        pid_t child = lb_child_start();
        if (child == 0) {
            lb_trial_run(setup, c, x->numerics.list, only, x->numerics.count, NULL, take_result, x);
            fflush(stdout);
            lb_child_exit(0);
        }
        if (lb_child_wait(child) < 0)
            return false;
        if (x->all.tried[x->level] + x->untried == before) {
            lb_result lost =
                lb_trial_error(setup, c, &x->numerics.profiles[n], "the port crashed", false);
            take_result(x, n, &lost);
        }
    }
    return true;
}

static bool try_case(crosscheck *x, const lb_case *c, lb_trial_setup *setup)
{
    bool wanted[LB_MOST_RECORDED];
    if (!lb_recorded_in(&x->numerics, c, wanted))
        return true;
    x->cases++;
    for (x->level = 0; x->level < x->level_count; x->level++) {
        if (x->levels[x->level])
            x->port->set_level(x->port, x->levels[x->level]);
        lb_arena_reset(setup->arena);
        if (c->step_count == 0)
            lb_trial_run(setup, c, x->numerics.list, wanted, x->numerics.count, NULL, take_result,
                         x);
        else if (!try_apart(x, c, setup, wanted))
            return false;
    }
    return true;
}

/* ---- Suites ---- */

static bool try_suite(crosscheck *x, const char *path)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_arena arena = {0};
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    if (!suite)
        return false;
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_trial_setup setup = {.port = x->port,
                            .suite = lb_suite_name(suite),
                            .file = path,
                            .tolerance_off = true,
                            .arena = &arena};
    bool good = true;
    x->file = path;
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        good = c && try_case(x, c, &setup);
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
    return good;
}

/* ---- The last line ---- */

/* 33,232 */
static const char *grouped(uint64_t number, char text[32])
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number), to = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = digits[i];
    }
    text[to] = '\0';
    return text;
}

static void tell_counts(const crosscheck *x)
{
    char a[32], b[32];
    const tally *t = &x->all;
    if (x->outliers + x->untried > OUTLIERS_SHOWN)
        printf("... and %s more\n", grouped(x->outliers + x->untried - OUTLIERS_SHOWN, a));
    if (x->untried > 0)
        printf("not tried: %s\n", grouped(x->untried, a));
    printf("%s recorded %s: ", grouped(x->cases, a), x->cases == 1 ? "case" : "cases");
    printf("exact model right in %s of %s results", grouped(t->exact_right, a),
           grouped(t->results, b));
    for (size_t i = 0; i < x->level_count; i++) {
        printf("%s%s of %s", i ? ", " : "; port right in ", grouped(t->port_right[i], a),
               grouped(t->tried[i], b));
        if (x->levels[i])
            printf(" (%s)", x->levels[i]);
    }
    printf("\n");
}

static int run(crosscheck *x, const lb_arguments *paths)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths files;
    bool good = lb_paths_collect(paths->items, paths->count, &files, &diagnostics);
    for (size_t i = 0; good && i < files.count; i++)
        good = try_suite(x, files.items[i]);
    lb_paths_free(&files);
    if (!good)
        return 2;
    if (x->cases == 0) {
        fprintf(stderr, "lastbit vectors crosscheck: no case of these suites has a recorded "
                        "result (\"expect\")\n");
        return 2;
    }
    tell_counts(x);
    return x->outliers > 0 || x->untried > 0 ? 1 : 0;
}

typedef struct options {
    const char *port_name, *cpu;
} options;

static int crosscheck_command(int argc, char **argv)
{
    options o = {.port_name = "builtin", .cpu = "all"};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_vectors_crosscheck_command, argc, argv, &o, &paths, &status))
        return status;
    crosscheck *x = lb_zeroed_shared(sizeof *x);
    x->port = lb_port_open(o.port_name, CALL_SECONDS);
    if (!x->port)
        return 2;
    lb_recorded_numerics_make(&x->numerics);
    if (lb_levels_choose("vectors crosscheck", x->port, o.cpu, x->levels, &x->level_count)) {
        x->level_count = x->level_count ? x->level_count : 1;
        status = run(x, &paths);
    }
    x->port->close(x->port);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 3;
}

const lb_command lb_vectors_crosscheck_command = {
    .name = "vectors crosscheck",
    .summary = "hold recorded results, exact model and port against each other",
    .about =
        "Holds every recorded result of the suites against the exact model and against the "
        "port, at each of its CPU levels (or those of --cpu), in each profile for which it is "
        "recorded. Where they do not agree, prints the case and who stands alone: the recorded "
        "result, the exact model, or the port. The last line counts.",
    .groups = {{lb_port_option, offsetof(options, port_name), NULL},
               {lb_cpu_option, offsetof(options, cpu), NULL}},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"recorded results, exact model and port agree everywhere",
                 "somewhere they do not, or the port could not be tried",
                 "the command line or a suite is wrong, or nothing is recorded in the suites",
                 "lastbit itself failed (out of memory)"},
    .examples = "lastbit vectors crosscheck vectors/recorded\n"
                "lastbit vectors crosscheck -p ./libmyport.so vectors/recorded/conv2d.jsonl",
    .run = crosscheck_command};
