/* lastbit port: see port.h. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/port_scaffold.h"
#include "harness/port/open.h"
#include "harness/port/provided.h"
#include "harness/port/remote.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char HELP[] =
    "Usage: lastbit port new DIR\n"
    "       lastbit port info P\n"
    "\n"
    "A port is an implementation on trial. new writes a starting port into DIR, which must not "
    "exist or be empty: the\n"
    "port kit, a description, a kernel of your own to begin with, CMakeLists.txt and a README. It "
    "compiles as it is,\n"
    "against an MLI-style library (lastbit's own, if it is installed), and passes the suites.\n"
    "info opens the port P, prints what it says of itself and how long it takes, and lists "
    "functions that it lacks.\n"
    "\n"
    "P is one of:\n"
    "  builtin               lastbit's own implementation, linked in\n"
    "  FILE.so               a shared library that holds the port kit; it runs in a process of its "
    "own\n"
    "  exec:COMMAND          an agent that answers on its standard input and output; the shell "
    "runs COMMAND\n"
    "  tcp:HOST:PORT         an agent that listens on a TCP port\n"
    "  serial:DEVICE[:BAUD]  an agent on a serial line (default 115200 baud, 8 bits, no parity)\n"
    "\n"
    "Options:\n"
    "  -h, --help     this text\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  2  the command line is wrong, or the port cannot be opened\n"
    "  3  a file cannot be written\n"
    "\n"
    "Examples:\n"
    "  lastbit port new my_port\n"
    "  lastbit port info exec:lastbit-agent\n"
    "  lastbit port info my_port/build/libmy_port.so\n";

/* ---- new ---- */

static bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "lastbit: %s: %s\n", path, strerror(errno));
    return false;
}

/* Makes the folder; one that is there must be empty. */
static bool make_empty_folder(const char *path)
{
    unsigned entries = 0;
    if (!make_folder(path))
        return false;
    DIR *folder = opendir(path);
    if (!folder)
        return fprintf(stderr, "lastbit: %s: %s\n", path, strerror(errno)), false;
    while (readdir(folder))
        entries++;
    closedir(folder);
    if (entries > 2) /* itself and the one above */
        return fprintf(
                   stderr,
                   "lastbit: %s: is not empty; a folder that is, or that does not exist, is due\n",
                   path),
               false;
    return true;
}

static bool write_scaffold_file(const char *folder, const lb_scaffold_file *file)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path)
        return fprintf(stderr, "lastbit: %s: the name is too long\n", folder), false;
    FILE *out = fopen(path, "wb");
    bool good = out && fwrite(file->bytes, 1, file->count, out) == file->count;
    good = out && fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit: %s: %s\n", path, strerror(errno));
    return good;
}

static int command_new(const char *folder)
{
    char kit[4096];
    if (!make_empty_folder(folder))
        return 2;
    if (snprintf(kit, sizeof kit, "%s/kit", folder) >= (int)sizeof kit || !make_folder(kit))
        return 3;
    for (const lb_scaffold_file *file = lb_scaffold_files; file->name; file++)
        if (!write_scaffold_file(folder, file))
            return 3;
    printf("%s: a starting port. Next:\n"
           "  cmake -B %s/build %s && cmake --build %s/build\n"
           "  lastbit port info %s/build/libmy_port.so\n"
           "  lastbit run --port %s/build/libmy_port.so SUITES\n"
           "%s/README.md tells how it goes on.\n",
           folder, folder, folder, folder, folder, folder, folder);
    return 0;
}

/* ---- info ---- */

static void print_functions(unsigned provided, unsigned all, const char *const *missing)
{
    printf("functions    %u of %u\n", provided, all);
    for (unsigned i = 0; i < all - provided; i++)
        printf("%s%s\n", i ? "             " : "missing      ", missing[i]);
}

static void print_facts(const lb_port *port, const lb_port_facts *f)
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
    for (; all < MOST_FUNCTIONS && (name = lb_port_remote_function(port, all, &has)) != NULL;
         all++) {
        if (has)
            provided++;
        else
            missing[all - provided] = name;
    }
    print_functions(provided, all, missing);
}

static void print_builtin(const lb_port *port)
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
    print_functions(provided, all, missing);
}

static int command_info(const char *name)
{
    enum { CALL_SECONDS = 60 };
    lb_port_times times;
    lb_port *port = lb_port_open(name, CALL_SECONDS);
    if (!port)
        return 2;
    const lb_port_facts *facts = lb_port_remote_facts(port);
    printf("port         %s\ndescribed    %s\n", port->name, port->described);
    if (facts)
        print_facts(port, facts);
    else
        print_builtin(port);
    bool good = !facts || lb_port_remote_times(port, &times);
    if (facts && good)
        printf("restart      %.1f ms\nround trip   %.3f ms\n", times.restart * 1e3,
               times.round_trip * 1e3);
    port->close(port);
    return good ? 0 : 2;
}

int lb_command_port(int argc, char **argv)
{
    const char *action = argc > 1 ? argv[1] : "";
    if (strcmp(action, "--help") == 0 || strcmp(action, "-h") == 0)
        return fputs(HELP, stdout), 0;
    if (argc == 3 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0))
        return fputs(HELP, stdout), 0;
    bool is_new = strcmp(action, "new") == 0;
    if (!is_new && strcmp(action, "info") != 0)
        return lb_usage_error("port", *action ? "%s: new or info is due" : "%snew or info is due",
                              action),
               2;
    if (argc != 3 || argv[2][0] == '-' || !argv[2][0])
        return lb_usage_error("port", "%s: %s is due, and nothing else", action,
                              is_new ? "a folder" : "a port"),
               2;
    return is_new ? command_new(argv[2]) : command_info(argv[2]);
}
