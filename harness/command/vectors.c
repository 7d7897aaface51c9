/* lastbit vectors: its sub-commands check and list; generate and coverage have files of their own.
 * See vectors.h. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/suite/suite.h"

#include <cjson/cJSON.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_OK = 0, STATUS_WRONG = 2 };

static const char check_text[] =
    "Usage: lastbit vectors check PATH...\n"
    "\n"
    "Reads every suite under the paths whole and holds it to the case format. Prints one line per "
    "file on standard\n"
    "output, \"PATH: N cases, ok\" or \"PATH: N problems\". The problems go to standard error, at "
    "most 20 a file, as\n"
    "FILE:LINE:COLUMN: case ID: KEY: what is wrong; what would be right.\n"
    "A PATH is a suite file (.yaml, .yml, .json, .jsonl) or a folder, read recursively.\n"
    "\n"
    "Options:\n"
    "  -h, --help  this text\n"
    "\n"
    "Exit status:\n"
    "  0  every suite is well-formed\n"
    "  2  the command line or a suite is wrong\n"
    "\n"
    "Examples:\n"
    "  lastbit vectors check vectors my_suite.yaml\n";

static const char list_text[] =
    "Usage: lastbit vectors list [OPTION...] PATH...\n"
    "\n"
    "Prints one line per case: id, function and tags, with tabs between them.\n"
    "A PATH is a suite file (.yaml, .yml, .json, .jsonl) or a folder, read recursively.\n"
    "\n"
    "Options:\n"
    "  -l, --long  also types and shapes of the operands, and the oracles that can judge the case: "
    "recorded (the case\n"
    "              says what must come out), exact (integer model), real (double precision model)\n"
    "      --json  one JSON list instead, with an object per case that holds everything --long "
    "shows\n"
    "  -h, --help  this text\n"
    "\n"
    "Exit status:\n"
    "  0  everything is listed\n"
    "  2  the command line or a suite is wrong; what can be read is listed all the same\n"
    "\n"
    "Examples:\n"
    "  lastbit vectors list --long vectors/relu.yaml\n"
    "  lastbit vectors list --json vectors\n";

typedef struct options {
    bool json, is_long, help;
    lb_paths paths;
    bool paths_failed;
} options;

/* ---- Command line ---- */

/* False: the command line is wrong (said on standard error) or help was asked for (options.help).
 */
static bool parse_options(int argc, char **argv, const char *command, const char *help, bool list,
                          options *o)
{
    static const struct option list_options[] = {{"help", no_argument, NULL, 'h'},
                                                 {"json", no_argument, NULL, 'j'},
                                                 {"long", no_argument, NULL, 'l'},
                                                 {0}};
    static const struct option check_options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    int option;
    optind = 0; /* a fresh start: the command before this one used getopt too */
    while ((option = lb_next_option(command, argc, argv, list ? "hl" : "h",
                                    list ? list_options : check_options)) != -1) {
        if (option == 'h') {
            o->help = true;
            fputs(help, stdout);
            return false;
        }
        if (option == '?') {
            lb_usage_hint(command);
            return false;
        }
        o->json |= option == 'j';
        o->is_long |= option == 'l';
    }
    if (optind >= argc) {
        lb_usage_error(command, "no PATH given");
        return false;
    }
    o->paths_failed =
        !lb_paths_collect(argv + optind, (size_t)(argc - optind), &o->paths, &diagnostics);
    return true;
}

/* ---- check ---- */

static int check(int argc, char **argv)
{
    options o = {0};
    if (!parse_options(argc, argv, "vectors check", check_text, false, &o))
        return o.help ? STATUS_OK : STATUS_WRONG;
    bool failed = o.paths_failed;
    for (size_t i = 0; i < o.paths.count; i++) {
        lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
        lb_suite *suite = lb_suite_open(o.paths.items[i], &diagnostics);
        if (suite) {
            size_t count = lb_suite_case_count(suite);
            printf("%s: %zu %s, ok\n", o.paths.items[i], count, count == 1 ? "case" : "cases");
        } else {
            printf("%s: %u %s\n", o.paths.items[i], diagnostics.count,
                   diagnostics.count == 1 ? "problem" : "problems");
        }
        fflush(stdout);
        failed |= suite == NULL;
        lb_suite_close(suite);
    }
    lb_paths_free(&o.paths);
    return failed ? STATUS_WRONG : STATUS_OK;
}

/* ---- list ---- */

/* Calls `each` for every tensor of the case with its name: "in", "in[1]". */
static void for_each_tensor(const lb_case *c,
                            void (*each)(void *user, const char *name, const lb_case_tensor *t),
                            void *user)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        for (unsigned i = 0; operand->present && i < operand->count; i++) {
            char name[64];
            if (operand->is_list)
                snprintf(name, sizeof name, "%s[%u]", lb_role_name((lb_role)role), i);
            else
                snprintf(name, sizeof name, "%s", lb_role_name((lb_role)role));
            each(user, name, &operand->tensors[i]);
        }
    }
}

/* What can judge the case; at most three names, ended by NULL. */
static void list_oracles(const lb_case *c, const char *names[4])
{
    unsigned count = 0;
    if (c->expect_count > 0)
        names[count++] = "recorded";
    if (!c->kernel || c->kernel->exact)
        names[count++] = "exact"; /* a sequence has its own model */
    if (c->kernel && c->kernel->real)
        names[count++] = "real";
    names[count] = NULL;
}

static void print_tensor(void *user, const char *name, const lb_case_tensor *t)
{
    bool *first = user;
    printf("%s%s:%s[", *first ? "" : " ", name, lb_el_type_name((uint32_t)t->type));
    for (unsigned i = 0; i < t->rank; i++)
        printf("%s%u", i ? "," : "", t->shape[i]);
    printf("]");
    *first = false;
}

static void print_names(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? "," : "", names[i]);
}

static void print_line(const lb_case *c, bool is_long)
{
    printf("%s\t%s\t", c->id, c->function);
    print_names((const char *const *)c->tags, c->tag_count);
    if (is_long) {
        const char *oracles[4];
        bool first = true;
        size_t count = 0;
        printf("\t");
        for_each_tensor(c, print_tensor, &first);
        list_oracles(c, oracles);
        while (oracles[count])
            count++;
        printf("\t");
        print_names(oracles, count);
    }
    printf("\n");
}

static void add_tensor(void *user, const char *name, const lb_case_tensor *t)
{
    cJSON *tensor = cJSON_AddObjectToObject(user, name);
    cJSON_AddStringToObject(tensor, "type", lb_el_type_name((uint32_t)t->type));
    cJSON *shape = cJSON_AddArrayToObject(tensor, "shape");
    for (unsigned i = 0; i < t->rank; i++)
        cJSON_AddItemToArray(shape, cJSON_CreateNumber(t->shape[i]));
}

static void print_json(const char *path, const lb_case *c, bool first)
{
    const char *oracles[4];
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "file", path);
    cJSON_AddNumberToObject(row, "line", c->line);
    cJSON_AddStringToObject(row, "id", c->id);
    cJSON_AddStringToObject(row, "function", c->function);
    cJSON *tags = cJSON_AddArrayToObject(row, "tags");
    for (size_t i = 0; i < c->tag_count; i++)
        cJSON_AddItemToArray(tags, cJSON_CreateString(c->tags[i]));
    for_each_tensor(c, add_tensor, cJSON_AddObjectToObject(row, "tensors"));
    cJSON *names = cJSON_AddArrayToObject(row, "oracles");
    list_oracles(c, oracles);
    for (size_t i = 0; oracles[i]; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(oracles[i]));
    char *text = cJSON_PrintUnformatted(row);
    printf("%s%s", first ? "\n" : ",\n", text ? text : "null");
    cJSON_free(text);
    cJSON_Delete(row);
}

/* Lists one suite; false if it cannot be read. */
static bool list_suite(const char *path, const options *o, size_t *printed)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    if (!suite)
        return false;
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool ok = true;
    for (size_t i = 0; ok && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        ok = c != NULL;
        if (ok && o->json)
            print_json(path, c, (*printed)++ == 0);
        else if (ok)
            print_line(c, o->is_long);
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    return ok;
}

static int list(int argc, char **argv)
{
    options o = {0};
    size_t printed = 0;
    if (!parse_options(argc, argv, "vectors list", list_text, true, &o))
        return o.help ? STATUS_OK : STATUS_WRONG;
    bool failed = o.paths_failed;
    if (o.json)
        printf("[");
    for (size_t i = 0; i < o.paths.count; i++)
        failed |= !list_suite(o.paths.items[i], &o, &printed);
    if (o.json)
        printf("%s]\n", printed ? "\n" : "");
    lb_paths_free(&o.paths);
    return failed ? STATUS_WRONG : STATUS_OK;
}

/* ---- The command ---- */

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} subcommands[] = {
    {"check", check, "read suites whole and report everything that breaks the case format"},
    {"list", list, "print the cases of suites"},
    {"coverage", lb_command_vectors_coverage,
     "tell which coverpoints of the functions suites reach"},
    {"crosscheck", lb_command_vectors_crosscheck,
     "hold recorded results, exact model and port against each other"},
    {"strength", lb_command_vectors_strength,
     "tell which faults of kernels suites catch, and which survive"},
    {"select", lb_command_vectors_select, "choose the cases that catch most for their time"},
    {"generate", lb_command_vectors_generate, "make up cases of a family or a function"},
    {"record", lb_command_vectors_record, "write what a port gives as recorded results"},
    {"from-encodings", lb_command_vectors_from_encodings,
     "make a suite from an encodings file (AIMET)"},
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static void print_help(FILE *out)
{
    fputs("Usage: lastbit vectors SUBCOMMAND [OPTION...] [ARGUMENT...]\n"
          "\n"
          "Works on the suites of cases themselves; nothing is run.\n"
          "\n"
          "Subcommands:\n",
          out);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(out, "  %-14s  %s\n", subcommands[i].name, subcommands[i].summary);
    fputs(
        "\n"
        "Options:\n"
        "  -h, --help  this text; \"lastbit vectors SUBCOMMAND --help\" tells about a subcommand\n"
        "\n"
        "Exit status:\n"
        "  0  all is well\n"
        "  2  the command line or a suite is wrong\n"
        "  3  a file cannot be written\n"
        "\n"
        "Examples:\n"
        "  lastbit vectors check vectors\n"
        "  lastbit vectors list --long vectors/relu.yaml\n",
        out);
}

int lb_command_vectors(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return STATUS_OK;
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (strcmp(name, subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    if (argc > 1)
        lb_usage_error("vectors", "%s: no such subcommand", name);
    else
        lb_usage_error("vectors", "no subcommand given");
    return STATUS_WRONG;
}
