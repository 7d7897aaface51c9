/* lastbit port functions: the functions of the API, with what their calls consist of. */
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/command/commands.h"
#include "harness/port/provided.h"

#include <fnmatch.h>
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

static const char *name_at(const void *set, size_t index)
{
    (void)set;
    return index < lb_kernel_count ? lb_kernels[index].name : NULL;
}

/* Is it meant by a word: its name, a pattern for it, with "mli_krn_" or without, or a part of it?
 */
static bool is_meant(const lb_kernel *kernel, const char *word)
{
    enum { PREFIX = sizeof "mli_krn_" - 1 }; /* all are as long */
    return fnmatch(word, kernel->name, 0) == 0 || fnmatch(word, kernel->name + PREFIX, 0) == 0 ||
           (!lb_kernel_find(word) && strstr(kernel->name, word));
}

static int functions(int argc, char **argv)
{
    lb_arguments patterns;
    int status;
    if (!lb_options_parse(&lb_port_functions_command, argc, argv, NULL, &patterns, &status))
        return status;
    const char *pattern = patterns.count ? patterns.items[0] : "*";
    size_t shown = 0;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_kernel *kernel = &lb_kernels[i];
        if (!lb_function_is_tried(kernel) || !is_meant(kernel, pattern))
            continue;
        printf("%s%s\n", shown++ ? "\n" : "", kernel->name);
        print_roles(kernel);
        print_config(kernel);
    }
    const char *near = shown ? NULL : lb_suggest(pattern, name_at, NULL);
    if (shown == 0)
        lb_usage_error(lb_port_functions_command.name, "%s: no function matches%s%s%s", pattern,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return shown == 0 ? 2 : fflush(stdout) == 0 ? 0 : 3;
}

const lb_command lb_port_functions_command = {
    .name = "port functions",
    .summary = "list functions with roles, types and configuration",
    .about =
        "Lists the functions that ports are asked for. Under each: its tensors by their roles, as "
        "cases name them, with the element type that the function asks for; and the keys of its "
        "configuration, with the words that stand for 0, 1, 2, ...",
    .operand = {.name = "PATTERN",
                "a name, a part of one, or a pattern as 'softmax*'; none: all",
                0,
                1,
                NULL,
                .offers = LB_OFFER_FUNCTIONS},
    .statuses = {"done", NULL, "no function matches", "standard output is gone"},
    .examples = "lastbit port functions relu",
    .run = functions};
