/* lastbit port: a port is started, or asked about itself. */
#include "harness/command/commands.h"
#include "harness/port/misspelt.h"
#include "harness/port/open.h"
#include "harness/port/provided.h"
#include "harness/port/remote.h"

#include "reports/escape.h"

#include <stdio.h>

/* ---- info ---- */

/* What a port says of its build; it need not. */
static void print_text(const char *title, const char *text)
{
    lb_doc line = lb_doc_make();
    lb_escape_line(&line, text ? text : "");
    if (line.length > 0)
        printf("%-12s %.*s\n", title, (int)line.length, line.text);
    lb_doc_free(&line);
}

/* "functions    2 of 150, and 0 of lastbit's 20 extensions"; and those of MLI that are missing: a
 * few, or all where somebody asks. */
static void print_functions(unsigned provided, unsigned all, const char *const *missing,
                            bool list_missing)
{
    enum { FEW = 8 };
    unsigned extensions = 0, lacking = 0, shown = 0;
    for (size_t i = 0; i < lb_kernel_count; i++)
        extensions +=
            lb_function_is_tried(&lb_kernels[i]) && lb_function_is_extension(lb_kernels[i].name);
    for (unsigned i = 0; i < all - provided; i++)
        lacking += lb_function_is_extension(missing[i]);
    unsigned of_mli = all - provided - lacking;
    printf("functions    %u of %u, and %u of lastbit's %u extensions\n",
           provided + lacking - extensions, all - extensions, extensions - lacking, extensions);
    if (of_mli > FEW && !list_missing) {
        printf("missing      %u: --missing lists them\n", of_mli);
        return;
    }
    for (unsigned i = 0; i < all - provided; i++)
        if (list_missing ? lacking < extensions || !lb_function_is_extension(missing[i])
                         : !lb_function_is_extension(missing[i]))
            printf("%s%s\n", shown++ ? "             " : "missing      ", missing[i]);
}

static void print_facts(const lb_port *port, const lb_port_facts *f, bool list_missing)
{
    enum { MOST_FUNCTIONS = 256 };
    const char *missing[MOST_FUNCTIONS], *name;
    unsigned all = 0, provided = 0;
    bool has;
    printf("wire         version %u, payloads of up to %u bytes\n", f->version, f->payload_bytes);
    printf("memory       %u bytes for the tensors of a call, %s-endian, pointers of %u bytes\n",
           f->memory_bytes, f->big_endian ? "big" : "little", f->pointer_bytes);
    printf("profiles    ");
    for (int i = 0; i < LB_PROFILE_COUNT; i++)
        if (f->profiles >> i & 1)
            printf(" %s", lb_profiles[i].name);
    if (f->avepool16)
        printf("; avepool_multiplier_bits %s", f->only_avepool16 ? "16" : "8 and 16");
    printf("\n%s", f->computes_only ? "kind         native: refusals are not asked for\n" : "");
    fputs(f->aligned ? "buffers      on boundaries of 64 bytes only\n" : "", stdout);
    for (; all < MOST_FUNCTIONS && (name = lb_port_remote_function(port, all, &has)) != NULL; all++)
        if (has)
            provided++;
        else
            missing[all - provided] = name;
    print_functions(provided, all, missing, list_missing);
}

static void print_builtin(const lb_port *port, bool list_missing)
{
    enum { MOST_FUNCTIONS = 256 };
    const char *missing[MOST_FUNCTIONS];
    unsigned all = 0, provided = 0;
    for (size_t i = 0; i < lb_kernel_count && all < MOST_FUNCTIONS; i++) {
        if (!lb_function_is_tried(&lb_kernels[i]))
            continue;
        all++;
        if (lb_port_has(port, &lb_kernels[i]))
            provided++;
        else
            missing[all - provided - 1] = lb_kernels[i].name;
    }
    print_functions(provided, all, missing, list_missing);
}

static int command_info(const char *name, bool list_missing)
{
    enum { CALL_SECONDS = 60 };
    lb_port_times times;
    lb_port *port = lb_port_open(name, CALL_SECONDS);
    if (!port)
        return 2;
    const lb_port_facts *facts = lb_port_remote_facts(port);
    print_text("port", port->name);
    print_text("described", port->described);
    print_text("target", port->target);
    print_text("compiler", port->compiler);
    print_text("build", port->build_options);
    print_text("library", port->library_options);
    print_text("contradicts", port->contradiction);
    if (facts)
        print_facts(port, facts, list_missing);
    else
        print_builtin(port, list_missing);
    lb_port_tell_misspelt(port);
    bool good = !facts || lb_port_remote_times(port, &times);
    if (facts && good)
        printf("restart      %.1f ms\nround trip   %.3f ms\n", times.restart * 1e3,
               times.round_trip * 1e3);
    port->close(port);
    return good ? 0 : 2;
}

/* ---- The commands ---- */

typedef struct info_choice {
    bool missing;
} info_choice;

static const lb_option info_options[] = {{"missing", 0, LB_FLAG, NULL,
                                          LB_INTO(info_choice, missing),
                                          .help = "list all functions that it lacks, however many"},
                                         {.name = NULL}};

static int run_info(int argc, char **argv);

static const lb_command info_command = {
    .name = "port info",
    .summary = "tell what a port says of itself",
    .about = "Opens the port P, prints what it says of itself and how long it takes, and "
             "which functions it lacks. P is one of:\n"
             "  builtin               lastbit's own implementation, linked in\n"
             "  FILE.so               a shared library that holds the port kit; it runs in\n"
             "                        a process of its own\n"
             "  exec:COMMAND          an agent that answers on its standard input and\n"
             "                        output; the shell runs COMMAND\n"
             "  tcp:HOST:PORT         an agent that listens on a TCP port\n"
             "  serial:DEVICE[:BAUD]  an agent on a serial line (default 115200 baud,\n"
             "                        8 bits, no parity)\n",
    .groups = {{info_options, 0, NULL}},
    .operand = {.name = "P", "a port", 1, 1, NULL},
    .statuses = {"done", NULL, "the command line is wrong, or the port cannot be opened"},
    .examples = "lastbit port info exec:lastbit-agent\n"
                "lastbit port info my_port/build/libmy_port.so",
    .run = run_info};

static int run_info(int argc, char **argv)
{
    info_choice o = {false};
    lb_arguments operands;
    int status;
    if (!lb_options_parse(&info_command, argc, argv, &o, &operands, &status))
        return status;
    return command_info(operands.items[0], o.missing);
}

static const lb_command *const commands[] = {&lb_port_new_command, &info_command,
                                             &lb_port_functions_command, NULL};

const lb_command lb_port_command = {
    .name = "port",
    .summary = "start a port of your own, tell what a port says of itself, list functions",
    .about = "A port is an implementation on trial.",
    .commands = commands,
    .statuses = {"done", NULL, "the command line is wrong, or the port cannot be opened",
                 "a file cannot be written"},
    .examples = "lastbit port new my_port\n"
                "lastbit port info my_port/build/libmy_port.so"};
