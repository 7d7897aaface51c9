/* lastbit run: see run.h. Checks the suites and has the plan carried out. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/port/open.h"
#include "harness/run/execute.h"

#include <stdio.h>
#include <stdlib.h>

/* In pieces: C compilers need not take longer strings. */
static const char *const HELP[] = {
    "Usage: lastbit run [OPTION...] PATH...\n"
    "\n"
    "Tries every case of the suites on a port, in every profile, and judges the results: against "
    "the recorded\n"
    "expectation where the case has one, always against the exact model, bit for bit, and against "
    "the real model,\n"
    "within the tolerance that the function's own definition has. PATH is a suite (.json, .jsonl, "
    ".yaml, .yml) or a\n"
    "folder, read recursively. All suites are checked before anything runs.\n"
    "\n"
    "Options:\n"
    "  -p, --port P        the port on trial: builtin (default), a shared library that holds the "
    "port kit, or an\n"
    "                      agent: exec:COMMAND (on its standard input and output), tcp:HOST:PORT,\n"
    "                      serial:DEVICE[:BAUD]; \"lastbit port --help\" tells about ports\n"
    "  -n, --profile NAME  numerics: up-full, up-reduced, convergent-full, convergent-reduced, the "
    "file of a platform\n"
    "                      profile (a / in its name, or .yaml at its end), several with commas, or "
    "all. Without it:\n"
    "                      those that the port has\n"
    "      --cpu LEVEL     every case at this CPU level (instruction set) of the port; several "
    "with commas, or all;\n"
    "                      results name the level. Without it: once, at the level that the port "
    "takes by itself\n"
    "  -c, --case GLOB     only cases whose id matches; may be given several times\n"
    "      --level LEVEL   only the cases of smoke, of standard (smoke too) or deep (all, "
    "default); a case says its\n"
    "                      level by a tag, smoke or deep, and is of the level standard without "
    "one\n"
    "  -j, --jobs N        worker processes (default: one per core); 0: none, everything in this "
    "process\n"
    "  -s, --shard I/N     only the I-th of N equal parts of the cases; without it, the part that "
    "the variables of\n"
    "                      Bazel, GoogleTest, GitLab, CircleCI, Buildkite or Semaphore name, if "
    "they are set\n"
    "  -r, --report DIR    write results.json, report.html, junit.xml, summary.md and the journal "
    "there\n"
    "      --resume        go on with the journal in DIR where an earlier run was stopped\n"
    "      --time-limit S  seconds that one case may take (default 60)\n"
    "      --guard MODE    what becomes of a case whose accumulator is too narrow for it, or for "
    "other inputs with\n"
    "                      its weights: warn marks it (default), error fails it, off looks for "
    "nothing\n",
    "      --tolerance T   limits on the distance from the real model: a policy file; derived: "
    "only those that follow\n"
    "                      from each function's definition; off. Default: tolerance.yaml in the "
    "folder of the suite\n"
    "                      or the one above, and derived limits where it sets none\n"
    "      --judge MODE    exact (default): every bit counts. tolerance: other bits in the outputs "
    "pass where they\n"
    "                      are within tolerance of the real model; they are reported\n"
    "      --misalign      buffers begin one element past a boundary of 64 bytes, not on it\n"
    "      --seed N        other contents of the memory that no call may touch (default 0)\n"
    "      --waivers FILE  failures that somebody has signed for, until a date, are shown as "
    "waived; a waiver that\n"
    "                      has expired, or that nothing needs, is an error\n"
    "      --fail-on-skip  a skipped result fails the run (exit status 1)\n"
    "      --min-passed N  so do fewer than N results that pass\n"
    "      --require-functions LIST\n"
    "                      so does each of these functions (names with commas, or all of the API) "
    "that the port does\n"
    "                      not provide, or that has no result that passed\n"
    "      --lines FILE    lines and branches of the rooms for the report, from a tracefile of "
    "lcov (ci/coverage)\n"
    "      --diagnose S    seconds for the causes of failures, told first (default 5); off: none "
    "are "
    "looked for\n"
    "      --show N        failing cases to show in full (default 20)\n"
    "  -q, --quiet         no progress bar\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit status:\n"
    "  0  every verdict is pass, waived or skip, and at least one is pass\n"
    "  1  a fail or an error, or less than --fail-on-skip, --min-passed or --require-functions "
    "ask for\n"
    "  2  the command line, a suite, a policy or a waiver is wrong; nothing was run, unless a "
    "waiver was not needed\n"
    "  3  lastbit itself failed (disk full, out of memory)\n"
    "  4  nothing was tested: no result passed, and none failed\n"
    "\n"
    "The last line is \"N passed, N failed, N skipped\": errors count as failed, waived as "
    "skipped.\n"
    "\n"
    "Examples:\n"
    "  lastbit run vectors\n"
    "  lastbit run --port 'exec:qemu-aarch64 ./my_agent' vectors\n"
    "  lastbit run --cpu all vectors\n"
    "  lastbit run --profile up-full --case 'relu_*' --report build/report vectors/relu.yaml\n",
    NULL};

/* ---- Suites ---- */

static bool open_suites(const lb_run_options *o, lb_plan *plan)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    if (!lb_paths_collect(o->arguments, o->argument_count, &paths, &diagnostics)) {
        lb_paths_free(&paths);
        return false;
    }
    plan->suites = calloc(paths.count + 1, sizeof *plan->suites);
    plan->first_case = calloc(paths.count + 1, sizeof *plan->first_case);
    bool good = plan->suites && plan->first_case;
    for (size_t i = 0; good && i < paths.count; i++) {
        lb_suite *suite = lb_suite_open(paths.items[i], &diagnostics);
        if (!suite)
            continue; /* go on: all broken suites are told at once */
        plan->suites[plan->suite_count++] = suite;
        plan->first_case[plan->suite_count] =
            plan->first_case[plan->suite_count - 1] + lb_suite_case_count(suite);
    }
    lb_paths_free(&paths);
    if (diagnostics.count > 0)
        fprintf(stderr, "lastbit: nothing was run\n");
    return good && diagnostics.count == 0;
}

static void close_plan(lb_plan *plan)
{
    for (size_t i = 0; i < plan->suite_count; i++)
        lb_suite_close(plan->suites[i]);
    free(plan->suites);
    free(plan->first_case);
}

int lb_command_run(int argc, char **argv)
{
    lb_run_options o = lb_run_options_start("run");
    int early = lb_run_options_parse(&o, argc, argv, HELP);
    if (early)
        return early - 1;
    if (o.argument_count == 0)
        return lb_usage_error("run", "no suite given: a file or a folder is due"), 2;
    lb_plan plan = {0};
    lb_port *port = NULL;
    int status = 2;
    if (lb_run_options_plan(&o, &plan) &&
        (port = lb_port_open(o.port_name, o.time_limit_seconds)) != NULL &&
        lb_run_options_levels(&o, port, &plan) && open_suites(&o, &plan))
        status = lb_execute(&o, &plan, port, argc, argv);
    else if (!port)
        status = lb_port_open_status;
    if (port)
        port->close(port);
    close_plan(&plan);
    return status;
}
