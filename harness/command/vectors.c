/* lastbit vectors: its sub-commands check and list; the others have files of
 * their own. */
#include "harness/command/commands.h"
#include "harness/command/recorded.h"
#include "harness/run/shared_options.h"
#include "harness/suite/suite.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lb_command check_command, list_command;

/* ---- check ---- */

static int check(int argc, char **argv)
{
    lb_diagnostics told = {.report = lb_diagnostic_print};
    lb_arguments operands;
    lb_paths paths = {0};
    int status;
    if (!lb_options_parse(&check_command, argc, argv, NULL, &operands, &status))
        return status;
    bool failed = !lb_paths_collect(operands.items, operands.count, &paths, &told), differs = false;
    for (size_t i = 0; i < paths.count; i++) {
        lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
        lb_suite *suite = lb_suite_open(paths.items[i], &diagnostics);
        if (suite) {
            size_t count = lb_suite_case_count(suite);
            uint64_t wrong = lb_recorded_check(suite, paths.items[i]);
            printf("%s: %zu %s, ", paths.items[i], count, count == 1 ? "case" : "cases");
            if (wrong > 0)
                printf("%" PRIu64 " recorded %s from the exact model\n", wrong,
                       wrong == 1 ? "result differs" : "results differ");
            else
                printf("ok\n");
            differs |= wrong > 0;
        } else {
            printf("%s: %u %s\n", paths.items[i], diagnostics.count,
                   diagnostics.count == 1 ? "problem" : "problems");
        }
        fflush(stdout);
        failed |= !suite;
        lb_suite_close(suite);
    }
    lb_paths_free(&paths);
    return failed ? 2 : differs ? 1 : 0;
}

static const lb_command check_command = {
    .name = "vectors check",
    .summary = "read suites whole and report everything that breaks the case format",
    .about =
        "Reads every suite under the paths whole and holds it to the case format, and its recorded "
        "results (\"expect\") to the exact model. Prints one line per file on standard output, "
        "\"PATH: N cases, ok\" or \"PATH: N problems\". The problems go to standard error, at most "
        "20 a file, as FILE:LINE:COLUMN: case ID: KEY: what is wrong; what would be right.",
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"every suite is well-formed, and every recorded result is the exact model's",
                 "a recorded result is another than the exact model's",
                 "the command line or a suite is wrong"},
    .examples = "lastbit vectors check vectors my_suite.yaml",
    .run = check};

/* ---- list ---- */

typedef struct options {
    bool json, is_long;
} options;

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
    printf("%s%s", first ? "\n" : ",\n", text);
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
    lb_diagnostics told = {.report = lb_diagnostic_print};
    options o = {0};
    lb_arguments operands;
    lb_paths paths = {0};
    size_t printed = 0;
    int status;
    if (!lb_options_parse(&list_command, argc, argv, &o, &operands, &status))
        return status;
    bool failed = !lb_paths_collect(operands.items, operands.count, &paths, &told);
    if (o.json)
        printf("[");
    for (size_t i = 0; i < paths.count; i++)
        failed |= !list_suite(paths.items[i], &o, &printed);
    if (o.json)
        printf("%s]\n", printed ? "\n" : "");
    lb_paths_free(&paths);
    return failed ? 2 : 0;
}

static const lb_option list_options[] = {
    {"long", 'l', LB_FLAG, NULL, LB_INTO(options, is_long),
     .help = "also types and shapes of the operands, and the oracles that can judge the case: "
             "recorded (the case says what must come out), exact (integer model), real (double "
             "precision model)"},
    {"json", 0, LB_FLAG, NULL, LB_INTO(options, json),
     .help = "one JSON list instead, with an object per case that holds everything --long shows"},
    {.name = NULL}};

static const lb_command list_command = {
    .name = "vectors list",
    .summary = "print the cases of suites",
    .about = "Prints one line per case: id, function and tags, with tabs between them.",
    .groups = {{list_options, 0, NULL}},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"everything is listed", NULL,
                 "the command line or a suite is wrong; what can be read is listed all the same"},
    .examples = "lastbit vectors list --long vectors/relu.yaml\n"
                "lastbit vectors list --json vectors",
    .run = list};

/* ---- The command ---- */

static const lb_command *const commands[] = {&check_command,
                                             &list_command,
                                             &lb_vectors_coverage_command,
                                             &lb_vectors_crosscheck_command,
                                             &lb_vectors_export_command,
                                             &lb_vectors_strength_command,
                                             &lb_vectors_select_command,
                                             &lb_vectors_generate_command,
                                             &lb_vectors_record_command,
                                             &lb_vectors_from_encodings_command,
                                             &lb_vectors_from_tflite_command,
                                             NULL};

const lb_command lb_vectors_command = {
    .name = "vectors",
    .summary = "check, list, measure, choose and make suites",
    .about = "Works on the suites of cases themselves.",
    .commands = commands,
    .statuses = {"all is well", "something was found: the command's own help says what",
                 "the command line or a suite is wrong", "lastbit itself failed"},
    .examples = "lastbit vectors check vectors\n"
                "lastbit vectors list --long vectors/relu.yaml"};
