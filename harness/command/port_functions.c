/* lastbit port functions: the functions of the API, with what their calls consist of. */
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/command/commands.h"
#include "harness/port/provided.h"
#include "harness/run/shared_options.h"
#include "reports/escape.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char *type_of(const lb_kernel *kernel, lb_role role)
{
    bool has_own = lb_role_is_weights(role) || role == LB_ROLE_BIAS || role == LB_ROLE_IN ||
                   role == LB_ROLE_IN1 || role == LB_ROLE_IN2;
    uint32_t type = has_own ? lb_variant_type(kernel, role) : 0;
    return type ? lb_el_type_name(type) : "";
}

static void print_roles(const lb_kernel *kernel)
{
    static const char *const uses[] = {[LB_USE_NONE] = "",
                                       [LB_USE_INPUT] = "read",
                                       [LB_USE_OUTPUT] = "written",
                                       [LB_USE_INOUT] = "read and written"};
    for (const lb_role_spec *role = kernel->roles; role->use != LB_USE_NONE; role++) {
        const char *type = type_of(kernel, role->role);
        printf("  %-12s %s%s%s%s%s\n", lb_role_name(role->role), type, *type ? ", " : "",
               role->list ? "a list, " : "", uses[role->use],
               role->optional ? ", may be left out" : "");
    }
}

static void print_config(const lb_kernel *kernel)
{
    const lb_config_field *field = lb_config_fields(kernel->config_kind);
    if (!field || !field->name)
        return;
    printf("  config");
    for (size_t i = 0; field[i].name; i++) {
        printf("%s%s", i ? ", " : "       ", field[i].name);
        if (field[i].count > 1)
            printf("[%u]", field[i].count);
        for (size_t n = 0; field[i].enum_names && field[i].enum_names[n]; n++)
            printf("%s%s%s", n ? "|" : " (", field[i].enum_names[n],
                   field[i].enum_names[n + 1] ? "" : ")");
    }
    putchar('\n');
}

/* ---- As JSON ---- */

static void put_list(lb_doc *doc, const char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        lb_doc_puts(doc, i ? "," : "[");
        lb_escape_json(doc, names[i]);
    }
    lb_doc_char(doc, ']');
}

static const char *flag(bool value)
{
    return value ? "true" : "false";
}

/* Keys with what a number is: its type, how many there are, what it is for (describe/sort.h). */
static void put_fields(lb_doc *doc, lb_config_kind kind)
{
    static const char *const types[] = {
        [LB_FIELD_U8] = "u8", [LB_FIELD_I32] = "i32", [LB_FIELD_U32] = "u32"};
    const lb_config_field *fields = lb_config_fields(kind);
    lb_doc_char(doc, '[');
    for (const lb_config_field *f = fields; f->name; f++) {
        const lb_sort_row *sort = &lb_sorts[f->sort];
        lb_doc_printf(doc,
                      "%s{\"key\":\"%s\",\"type\":\"%s\",\"count\":%u,\"may_be_short\":%s,"
                      "\"required\":%s,\"sort\":\"%s\"",
                      f == fields ? "" : ",", f->name, types[f->type], (unsigned)f->count,
                      flag(f->may_be_short), flag(f->required), sort->name);
        if (sort->neutral != LB_NO_NEUTRAL)
            lb_doc_printf(doc, ",\"neutral\":%d", (int)sort->neutral);
        if (f->enum_names) {
            lb_doc_puts(doc, ",\"names\":");
            put_list(doc, f->enum_names);
        }
        lb_doc_char(doc, '}');
    }
    lb_doc_char(doc, ']');
}

static void put_roles(lb_doc *doc, const lb_kernel *kernel)
{
    const lb_role_spec *role = kernel->roles;
    lb_doc_puts(doc, ",\"roles\":[");
    for (; role->use != LB_USE_NONE; role++)
        lb_doc_printf(doc,
                      "%s{\"role\":\"%s\",\"type\":\"%s\",\"read\":%s,\"written\":%s,\"list\":%s,"
                      "\"optional\":%s}",
                      role == kernel->roles ? "" : ",", lb_role_name(role->role),
                      type_of(kernel, role->role), flag(role->use != LB_USE_OUTPUT),
                      flag(role->use != LB_USE_INPUT), flag(role->list), flag(role->optional));
    lb_doc_char(doc, ']');
}

static void put_function(lb_doc *doc, const lb_kernel *kernel)
{
    lb_doc_printf(doc, "{\"function\":\"%s\",\"set\":\"%s\",\"tried\":%s,\"returns\":\"%s\"",
                  kernel->name, lb_kernel_set_of(kernel)->name, flag(lb_function_is_tried(kernel)),
                  kernel->returns_status ? "status" : "value");
    put_roles(doc, kernel);
    lb_doc_printf(doc,
                  ",\"structure\":%s,\"config\":", flag(lb_config_is_struct(kernel->config_kind)));
    put_fields(doc, kernel->config_kind);
    lb_doc_puts(doc, ",\"fills\":");
    put_fields(doc, lb_filled_config(kernel));
    lb_doc_char(doc, '}');
}

/* What all cases may name. */
static void put_names(lb_doc *doc)
{
    enum { MOST_PROFILES = 16 };
    const char *roles[LB_ROLE_COUNT + 1] = {NULL}, *statuses[LB_STATUS_COUNT + 1] = {NULL},
                                      *profiles[MOST_PROFILES + 1] = {NULL};
    unsigned count = 0;
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        roles[i] = lb_role_name((lb_role)i);
    for (int i = 0; i < LB_STATUS_COUNT; i++)
        statuses[i] = lb_status_name(i);
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        for (unsigned i = 0; i < lb_kernel_sets[s]->profile_count && count < MOST_PROFILES; i++)
            profiles[count++] = lb_kernel_sets[s]->profiles[i].name;
    lb_doc_puts(doc, "{\"format\":\"lastbit/functions-1\",\"roles\":");
    put_list(doc, roles);
    lb_doc_puts(doc, ",\"statuses\":");
    put_list(doc, statuses);
    lb_doc_puts(doc, ",\"profiles\":");
    put_list(doc, profiles);
    lb_doc_puts(doc, ",\"functions\":[");
}

/* Is it meant by a word: its name, a pattern for it, with "mli_krn_" or "litert_" or without, or a
 * part of it? */
static bool is_meant(const lb_kernel *kernel, const char *word)
{
    return fnmatch(word, kernel->name, 0) == 0 ||
           fnmatch(word, lb_kernel_short_name(kernel), 0) == 0 ||
           (!lb_kernel_find(word) && strstr(kernel->name, word));
}

static size_t print_text(const char *pattern)
{
    size_t shown = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const lb_kernel *kernel = lb_kernel_at(i);
        if (!lb_function_is_tried(kernel) || !is_meant(kernel, pattern))
            continue;
        printf("%s%s\n", shown++ ? "\n" : "", kernel->name);
        print_roles(kernel);
        print_config(kernel);
    }
    return shown;
}

/* All, for programs that write from it; what no case can try says so. */
static size_t print_json(const char *pattern)
{
    lb_doc doc = lb_doc_make();
    size_t shown = 0;
    put_names(&doc);
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (is_meant(lb_kernel_at(i), pattern)) {
            lb_doc_puts(&doc, shown++ ? ",\n" : "\n");
            put_function(&doc, lb_kernel_at(i));
        }
    lb_doc_puts(&doc, "]}\n");
    if (shown > 0)
        lb_doc_flush(&doc, stdout);
    lb_doc_free(&doc);
    return shown;
}

static int functions(int argc, char **argv)
{
    bool json = false;
    lb_arguments patterns;
    int status;
    if (!lb_options_parse(&lb_port_functions_command, argc, argv, &json, &patterns, &status))
        return status;
    const char *pattern = patterns.count ? patterns.items[0] : "*";
    const size_t shown = (json ? print_json : print_text)(pattern);
    const char *near = shown ? NULL : lb_suggest(pattern, lb_kernel_name_at, NULL);
    if (shown == 0)
        lb_usage_error(lb_port_functions_command.name, "%s: no function matches%s%s%s", pattern,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return shown == 0 ? 2 : fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}

const lb_command lb_port_functions_command = {
    .name = "port functions",
    .summary = "list functions with roles, types and configuration",
    .about =
        "Lists the functions that ports are asked for. Under each: its tensors by their roles, as "
        "cases name them, with the element type that the function asks for; and the keys of its "
        "configuration, with the words that stand for 0, 1, 2, ... As JSON, for programs that "
        "write "
        "calls or suites: all functions of the API, and of each number its type, how many there "
        "are, and what it is for (a step, a padding, ...).",
    .groups = {{lb_json_option, 0, NULL}},
    .operand = {.name = "PATTERN",
                "a name, a part of one, or a pattern as 'softmax*'; none: all",
                0,
                1,
                NULL,
                .offers = LB_OFFER_FUNCTIONS},
    .statuses = {"done", NULL, "no function matches", "standard output is gone"},
    .examples = "lastbit port functions relu\n"
                "lastbit port functions --json > functions.json",
    .run = functions};
