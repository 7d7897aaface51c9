/* lastbit run: suites on a port. Checks the suites and has the plan carried out. */
#include "harness/command/commands.h"
#include "harness/port/misspelt.h"
#include "harness/run/execute.h"
#include "harness/run/report_folder.h"

static int run(int argc, char **argv)
{
    lb_run_options o = lb_run_options_start("run");
    lb_arguments paths;
    lb_plan plan = {0};
    int status;
    bool parsed = lb_options_parse(&lb_run_command, argc, argv, &o, &paths, &status);
    if (parsed || status != 0)
        lb_report_folder_begin(o.resume ? NULL : o.report_folder);
    if (!parsed)
        return status;
    if (!lb_suites_given("run", &paths))
        return status;
    lb_port *port = lb_run_options_open(&o, &plan, &status);
    if (port && lb_plan_open_suites(&plan, paths.items, paths.count)) {
        lb_port_tell_misspelt(port);
        status = lb_execute(&o, &plan, port, argc, argv);
    } else if (port) {
        fprintf(stderr, "lastbit: nothing was run\n");
        status = 2;
    }
    if (port)
        port->close(port);
    lb_plan_close_suites(&plan);
    return status;
}

const lb_command lb_run_command = {
    .name = "run",
    .summary = "try suites on a port and judge the results, bit for bit",
    .about =
        "Tries every case of the suites on a port, in every profile, and judges the results: "
        "against the recorded expectation where the case has one, always against the exact model, "
        "bit for bit, and against the real model, within the tolerance that the function's own "
        "definition has. All suites are checked before anything runs.",
    .groups = {{lb_level_option, offsetof(lb_run_options, choice.level), "What is tried"},
               LB_RUN_GROUPS},
    .operand = LB_SUITE_OPERANDS_OR_INSTALLED,
    .statuses =
        {"every verdict is pass, waived or skip, and at least one is pass",
         "a fail or an error, or less than --fail-on-skip, --min-passed or "
         "--require-functions ask for",
         "the command line, a suite, a policy or a waiver is wrong; nothing was run, unless "
         "a waiver was not needed",
         "lastbit itself failed (disk full, out of memory)",
         "nothing was tested: no result passed, and none failed"},
    .after =
        "The last line on standard output is \"N passed, N failed, N skipped\": errors count as "
        "failed, waived as skipped. With --json - standard output holds objects alone, and this is "
        "the last line on standard error. Where results are missing one more line follows: "
        "\"stopped: M of N results\", "
        "and "
        "why. The exit status of a run that is stopped by SIGHUP, SIGINT or SIGTERM is 129, 130 or "
        "143.",
    .examples = "lastbit run\n"
                "lastbit run vectors\n"
                "lastbit run --port 'exec:qemu-aarch64 ./my_agent' vectors\n"
                "lastbit run --cpu all vectors\n"
                "lastbit run -n up-full --case 'relu_*' --report out vectors/relu.yaml",
    .run = run};
