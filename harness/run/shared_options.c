/* Options that several commands share: see shared_options.h. */
#include "harness/run/shared_options.h"
#include "harness/base/command_line.h"
#include "harness/base/installed.h"
#include "harness/call/call_memory.h"

static const char *const profile_words[] = {"up-full",
                                            "up-reduced",
                                            "convergent-full",
                                            "convergent-reduced",
                                            "litert-double",
                                            "litert-single",
                                            "all",
                                            NULL};
const char *const lb_set_words[] = {[LB_SET_MLI] = "mli", [LB_SET_LITERT] = "litert", NULL};
static const char *const sandbox_words[] = LB_SANDBOX_NAMES;
static const char *const port_words[] = {"builtin", NULL};

const lb_option lb_port_option[] = {
    {"port", 'p', LB_TEXT, "P", .choices = port_words,
     .help = "the port on trial: builtin (lastbit's own implementation), a shared library that "
             "holds the port kit, or an agent: exec:COMMAND (on its standard input and output), "
             "tcp:HOST:PORT, serial:DEVICE[:BAUD], or files:DIR, outputs beside an export "
             "(\"lastbit vectors export\"). Default: builtin"},
    {.name = NULL}};

const lb_option lb_cpu_option[] = {
    {"cpu", 0, LB_TEXT, "LEVEL",
     .help = "the port at this CPU level (instruction set); several with commas, or all, where "
             "results name the level"},
    {.name = NULL}};

const lb_option lb_json_option[] = {{"json", 0, LB_FLAG, .help = "JSON in place of text"},
                                    {.name = NULL}};

static bool take_misalignment(const char *command, const char *value, void *into)
{
    unsigned long bytes;
    if (!lb_parse_number(value, 0, LB_MISALIGNED_AT_MOST, &bytes))
        return lb_usage_error(command, "--misalign %s: expected a number from 0 to %d", value,
                              LB_MISALIGNED_AT_MOST),
               false;
    *(unsigned *)into = bytes ? (unsigned)bytes : LB_ALIGNED;
    return true;
}

void lb_call_choice_fit(lb_call_choice *choice, const lb_port *port)
{
    if (choice->misalign == 0 && port->aligned_only)
        choice->misalign = LB_ALIGNED;
}

const lb_option lb_call_options[] = {
    {"misalign", 0, LB_CALLBACK, "N", LB_INTO(lb_call_choice, misalign), .otherwise = "1",
     .take = take_misalignment,
     .help = "buffers begin N bytes (1 to 63; 1 if it is left out) past a boundary of 64, rounded "
             "up to whole elements; 0: on the boundary, all of them. Without this option cases of "
             "the level smoke begin 0 to 15 bytes past it, each as its id says, all others on it"},
    {"time-limit", 0, LB_SECONDS, "S", LB_INTO(lb_call_choice, seconds), .high = 86400,
     .help = "seconds that one call may take, each one of a chain (default 60)"},
    {"sandbox", 0, LB_CHOICE, "HOW", LB_INTO(lb_call_choice, sandbox), .choices = sandbox_words,
     .help = "how a shared library is kept apart: auto, as far as the system permits (default; the "
             "report says how far); require, or the run fails; off, for debuggers and for "
             "libraries that talk to a device or write files. The environment's LASTBIT_SANDBOX "
             "stands for the default"},
    {.name = NULL}};

const lb_option lb_profile_option[] = {
    {"profile", 'n', LB_TEXT, "NAME", .choices = profile_words,
     .help = "numerics: up-full, up-reduced, convergent-full, convergent-reduced, the file of a "
             "platform profile (a / in its name, or .yaml at its end), several with commas, or "
             "all (default); of cases of LiteRT: litert-double, litert-single, all"},
    {.name = NULL}};

const lb_option lb_case_options[] = {
    {"case", 'c', LB_LIST, "GLOB", LB_INTO(lb_case_choice, cases), .offers = LB_OFFER_NOTHING,
     .help = "only cases whose id matches; may be given several times"},
    {"function", 0, LB_LIST, "GLOB", LB_INTO(lb_case_choice, functions),
     .offers = LB_OFFER_FUNCTIONS,
     .help = "only cases of functions whose name matches; may be given several times"},
    {"tag", 0, LB_LIST, "GLOB", LB_INTO(lb_case_choice, tags), .offers = LB_OFFER_NOTHING,
     .help = "only cases with a tag that matches; may be given several times"},
    {"exclude", 0, LB_LIST, "GLOB", LB_INTO(lb_case_choice, excluded), .offers = LB_OFFER_FUNCTIONS,
     .help = "no cases whose id, function or tag matches; may be given several times"},
    {.name = NULL}};

const lb_option lb_level_option[] = {
    {"level", 0, LB_CHOICE, "LEVEL", LB_INTO(lb_level_choice, level),
     LB_GIVEN(lb_level_choice, is_given), .choices = lb_level_names,
     .help = "only the cases of smoke, of standard (smoke too) or of deep (all); a case says its "
             "level by a tag, smoke or deep, and is of the level standard without one"},
    {.name = NULL}};

const char LB_SUITES_HELP[] =
    "a suite (.json, .jsonl, .yaml, .yml; -: standard input) or a folder of suites, read "
    "recursively";

const char LB_SUITES_OR_INSTALLED_HELP[] =
    "a suite (.json, .jsonl, .yaml, .yml; -: standard input) or a folder of suites, read "
    "recursively; none: the suites that are installed with lastbit, which are also called vectors "
    "and vectors/FILE where there is no such folder";

bool lb_suites_given(const char *command, lb_arguments *paths)
{
    static char folder[4096];
    static char *const installed[] = {folder};
    if (paths->count > 0)
        return true;
    if (!lb_installed("vectors", "cases.schema.json", folder, sizeof folder))
        return lb_usage_error(command,
                              "no PATH given, and no suites are installed beside this program: "
                              "expected %s",
                              LB_SUITES_HELP),
               false;
    *paths = (lb_arguments){.items = installed, .count = 1};
    return true;
}

const char *lb_case_choice_first(const lb_case_choice *choice, const char **option)
{
    const struct {
        const char *option;
        const lb_list *list;
    } lists[] = {{"--case", &choice->cases},
                 {"--function", &choice->functions},
                 {"--tag", &choice->tags},
                 {"--exclude", &choice->excluded}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].list->count > 0) {
            *option = lists[i].option;
            return lists[i].list->items[0];
        }
    return NULL;
}

static lb_words words_of(const lb_list *list)
{
    return (lb_words){list->count, list->items};
}

bool lb_case_choice_plan(const lb_case_choice *choice, const char *command, lb_plan *plan)
{
    plan->chosen = (lb_run_choice){.cases = words_of(&choice->cases),
                                   .functions = words_of(&choice->functions),
                                   .tags = words_of(&choice->tags),
                                   .excluded = words_of(&choice->excluded)};
    plan->has_level = choice->level.is_given;
    plan->level = choice->level.level;
    plan->has_all_profiles = !choice->profile_names || strcmp(choice->profile_names, "all") == 0;
    return lb_profiles_choose(command, choice->profile_names ? choice->profile_names : "all",
                              &plan->loaded, plan->profiles, &plan->profile_count);
}
