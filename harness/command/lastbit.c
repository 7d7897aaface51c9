/* The register of commands: lastbit itself. */
#include "harness/command/commands.h"

/* What the program does with it, it does before it asks for a command. */
static const lb_option table[] = {{"version", 'V', LB_FLAG, .help = "version of lastbit"},
                                  {.name = NULL}};

static const lb_command *const commands[] = {
    &lb_run_command,        &lb_diagnose_command, &lb_characterize_command,
    &lb_explain_command,    &lb_guard_command,    &lb_sweep_command,
    &lb_certify_command,    &lb_cast_command,     &lb_requantize_command,
    &lb_encodings_command,  &lb_vectors_command,  &lb_pack_command,
    &lb_oracle_command,     &lb_bench_command,    &lb_rule_command,
    &lb_port_command,       &lb_report_command,   &lb_demo_command,
    &lb_completion_command, &lb_manual_command,   NULL};

const lb_command lb_lastbit = {
    .name = "",
    .summary = "proves that a fixed-point neural-network kernel library computes the right numbers",
    .usage = "COMMAND [OPTION...] [ARGUMENT...]\nhelp [COMMAND]",
    .about =
        "lastbit proves that a fixed-point neural-network kernel library computes the right "
        "numbers, to the last bit: it runs test vectors on an implementation of the MLI 2.0 "
        "API and holds every output to a recorded result, to an exact integer model and to a "
        "real-number model. A second kernel set are the integer kernels of LiteRT, int8 and "
        "int16x8, with suites of their own (vectors/litert). A command that knows one of the two "
        "alone says so.",
    .groups = {{table, 0, NULL}},
    .commands = commands,
    .statuses = {"all is well", "a fail or an error was found",
                 "the command line or a file is wrong", "lastbit itself failed",
                 "run: nothing was tested"},
    .after = "\"lastbit help COMMAND\" tells about a command.",
    .examples = "lastbit run vectors\n"
                "lastbit run --port builtin --report build/report vectors\n"
                "lastbit vectors check my_suite.yaml"};
