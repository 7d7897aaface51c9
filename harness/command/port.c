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

/* Of a set that it has something of: how much, and what is missing: a few functions, or all where
 * somebody asks. "functions    2 of 150, and 0 of lastbit's 20 extensions" */
static void print_set(const lb_port *port, const lb_kernel_set *set, bool list_missing)
{
    enum { FEW = 8 };
    const lb_provided has = lb_port_provided(port, set->kernels->set);
    const unsigned lacking = has.of - has.functions;
    const bool extensions = list_missing && has.extensions > 0; /* else it lacks nothing */
    unsigned shown = 0;
    printf("functions    %u of %u", has.functions, has.of);
    if (has.extensions_of > 0)
        printf(", and %u of lastbit's %u extensions\n", has.extensions, has.extensions_of);
    else
        printf(" of %s\n", set->title);
    if (lacking > FEW && !list_missing) {
        printf("missing      %u: --missing lists them\n", lacking);
        return;
    }
    for (size_t i = 0; i < *set->kernel_count; i++) {
        const lb_kernel *kernel = &set->kernels[i];
        if (lb_function_is_tried(kernel) && !lb_port_has(port, kernel) &&
            (extensions || !lb_function_is_extension(kernel->name)))
            printf("%s%s\n", shown++ ? "             " : "missing      ", kernel->name);
    }
}

/* Sets that it has something of; MLI, if it has nothing. */
static void print_functions(const lb_port *port, bool list_missing)
{
    bool has[LB_SET_COUNT], any = false;
    for (unsigned s = 0; s < LB_SET_COUNT; s++) {
        const lb_provided of = lb_port_provided(port, (lb_set)s);
        any |= has[s] = of.functions + of.extensions > 0;
    }
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        if (has[s] || (!any && s == LB_SET_MLI))
            print_set(port, lb_kernel_sets[s], list_missing);
}

static void print_facts(const lb_port_facts *f)
{
    printf("wire         version %u, payloads of up to %u bytes\n", f->version, f->payload_bytes);
    printf("memory       %u bytes for the tensors of a call, %s-endian, pointers of %u bytes\n",
           f->memory_bytes, f->big_endian ? "big" : "little", f->pointer_bytes);
    printf("profiles    ");
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        for (unsigned i = 0; i < lb_kernel_sets[s]->profile_count; i++) {
            const lb_profile *p = &lb_kernel_sets[s]->profiles[i];
            if (f->profiles >> lb_profile_number(p) & 1)
                printf(" %s", p->name);
        }
    if (f->avepool16)
        printf("; avepool_multiplier_bits %s", f->only_avepool16 ? "16" : "8 and 16");
    printf("\n%s", f->computes_only ? "kind         native: refusals are not asked for\n" : "");
    fputs(f->aligned ? "buffers      on boundaries of 64 bytes only\n" : "", stdout);
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
        print_facts(facts);
    print_functions(port, list_missing);
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
