/* lastbit vectors coverage: see coverage.h. Every case of the suites goes through the exact
 * model; no port is called. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/coverage/show.h"
#include "harness/coverage/suites.h"
#include "harness/coverage/vacuous.h"
#include "harness/suite/profile_choice.h"

#include <cjson/cJSON.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_OK = 0, STATUS_SHORT = 1, STATUS_WRONG = 2, STATUS_FAILED = 3 };

static const char HELP[] =
    "Usage: lastbit vectors coverage [OPTION...] PATH...\n"
    "\n"
    "Runs every case of the suites on the exact model, in every profile, and tells which "
    "coverpoints of every\n"
    "function they reach: configurations, shapes, layouts, quantization, statuses, values inside "
    "the model. Each "
    "point\n"
    "comes from a rule of the specification. Points that no call can reach are listed with the "
    "reason and not "
    "counted.\n"
    "A PATH is a suite file (.yaml, .yml, .json, .jsonl) or a folder, read recursively. No port is "
    "called.\n"
    "Cases that prove little are listed as vacuous: all outputs the same, all at an end of "
    "their container, or the\n"
    "same whatever one operand holds. A case that is meant so has the tag vacuous_on_purpose.\n"
    "\n"
    "Options:\n"
    "      --json             one JSON document: totals, and for each function its points, what is "
    "hit, missed,\n"
    "                         unreachable and why\n"
    "  -l, --list             every point instead: function, name, rule, and whether it is hit, "
    "with tabs between "
    "them\n"
    "      --level LEVEL      only the cases of smoke, standard (smoke too) or deep (all, "
    "default)\n"
    "  -f, --function GLOB    only functions whose name matches; may be given several times\n"
    "  -n, --profile NAME     numerics, as for \"lastbit run\" (default: all built-in ones)\n"
    "      --require PERCENT  exit status 1 if less than PERCENT of the points are hit\n"
    "  -h, --help             this text\n"
    "\n"
    "Exit status:\n"
    "  0  everything was counted\n"
    "  1  fewer points are hit than --require asks for\n"
    "  2  the command line or a suite is wrong\n"
    "  3  lastbit itself failed\n"
    "\n"
    "Examples:\n"
    "  lastbit vectors coverage vectors\n"
    "  lastbit vectors coverage --function 'mli_krn_conv2d*' --require 100 vectors my_suite.yaml\n"
    "  lastbit vectors generate --cover vectors -o missed.jsonl\n";

enum { MAX_PATTERNS = 32, OPTION_JSON = 256, OPTION_LEVEL, OPTION_REQUIRE };

/* A case that proves little. */
typedef struct vacuous {
    const char *file, *id, *why;
    unsigned line;
} vacuous;

typedef struct vacuous_list {
    size_t count, room;
    vacuous *items;
    const lb_profile *profile;
    lb_arena kept, scratch;
} vacuous_list;

typedef struct request {
    bool json, list, help;
    lb_level level;
    double require; /* < 0: nothing */
    size_t pattern_count;
    const char *patterns[MAX_PATTERNS];
    const char *profile_names;
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count;
} request;

/* ---- Command line ---- */

static bool parse_require(const char *text, request *r)
{
    char *end = NULL;
    r->require = strtod(text, &end);
    if (end == text || *end || !(r->require >= 0 && r->require <= 100))
        return lb_usage_error("vectors coverage", "--require %s: a percentage from 0 to 100 is due",
                              text),
               false;
    return true;
}

static bool parse_option(int option, request *r)
{
    switch (option) {
    case OPTION_JSON:
        return r->json = true;
    case 'l':
        return r->list = true;
    case OPTION_LEVEL:
        if (!lb_level_find(optarg, &r->level))
            return lb_usage_error("vectors coverage", "--level %s: smoke, standard or deep is due",
                                  optarg),
                   false;
        return true;
    case 'f':
        if (r->pattern_count == MAX_PATTERNS)
            return lb_usage_error("vectors coverage", "--function: at most %d patterns",
                                  MAX_PATTERNS),
                   false;
        r->patterns[r->pattern_count++] = optarg;
        return true;
    case 'n':
        return r->profile_names = optarg, true;
    case OPTION_REQUIRE:
        return parse_require(optarg, r);
    default:
        return lb_usage_hint("vectors coverage"), false;
    }
}

static bool parse(int argc, char **argv, request *r)
{
    static const struct option options[] = {{"json", no_argument, NULL, OPTION_JSON},
                                            {"list", no_argument, NULL, 'l'},
                                            {"level", required_argument, NULL, OPTION_LEVEL},
                                            {"function", required_argument, NULL, 'f'},
                                            {"profile", required_argument, NULL, 'n'},
                                            {"require", required_argument, NULL, OPTION_REQUIRE},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option;
    optind = 0;
    while ((option = lb_next_option("vectors coverage", argc, argv, "lf:n:h", options)) != -1) {
        if (option == 'h') {
            r->help = true;
            fputs(HELP, stdout);
            return false;
        }
        if (!parse_option(option, r))
            return false;
    }
    if (optind >= argc)
        return lb_usage_error("vectors coverage", "no PATH given"), false;
    return lb_profiles_choose("vectors coverage", r->profile_names, &r->loaded, r->profiles,
                              &r->profile_count);
}

/* Functions that the patterns ask for; none: every one. False: a pattern matches nothing. */
static bool choose_functions(const request *r, bool *wanted)
{
    for (size_t i = 0; i < lb_kernel_count; i++)
        wanted[i] = r->pattern_count == 0;
    for (size_t p = 0; p < r->pattern_count; p++) {
        bool any = false;
        for (size_t i = 0; i < lb_kernel_count; i++)
            if (fnmatch(r->patterns[p], lb_kernels[i].name, 0) == 0)
                any = wanted[i] = true;
        if (!any)
            return lb_usage_error("vectors coverage", "--function %s: no function matches",
                                  r->patterns[p]),
                   false;
    }
    return true;
}

/* ---- Cases that prove little ---- */

static void look_at_case(void *user, const char *path, const lb_case *c)
{
    vacuous_list *list = user;
    lb_arena_reset(&list->scratch);
    const char *why = lb_vacuous_reason(c, list->profile, &list->scratch);
    if (!why)
        return;
    if (list->count == list->room) {
        vacuous *larger = realloc(list->items, (list->room * 2 + 16) * sizeof *larger);
        if (!larger)
            return;
        list->items = larger;
        list->room = list->room * 2 + 16;
    }
    list->items[list->count++] = (vacuous){.file = lb_arena_strdup(&list->kept, path),
                                           .id = lb_arena_strdup(&list->kept, c->id),
                                           .why = lb_arena_strdup(&list->kept, why),
                                           .line = c->line};
}

static void print_vacuous(const vacuous_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        printf("vacuous: %s:%u: %s: %s\n", list->items[i].file, list->items[i].line,
               list->items[i].id, list->items[i].why);
}

/* ---- JSON ---- */

static cJSON *figures_json(const lb_cover_figures *figures)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "points", (double)figures->points);
    cJSON_AddNumberToObject(object, "hit", (double)figures->hit);
    return object;
}

static cJSON *function_json(const lb_cover_map *map, const lb_cover_function *function)
{
    lb_cover_figures figures = lb_cover_map_figures(map, function);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "function", function->kernel->name);
    cJSON_AddNumberToObject(object, "points", (double)figures.points);
    cJSON_AddNumberToObject(object, "hit", (double)figures.hit);
    cJSON *missed = cJSON_AddArrayToObject(object, "missed"),
          *unreachable = cJSON_AddArrayToObject(object, "unreachable");
    for (size_t i = 0; i < function->point_count; i++) {
        char name[LB_COVERPOINT_BYTES];
        const char *why;
        lb_cover_state state = lb_cover_map_state(map, function, function->first_point + i, &why);
        lb_cover_map_name(function, function->first_point + i, name);
        if (state == LB_COVER_MISSED)
            cJSON_AddItemToArray(missed, cJSON_CreateString(name));
        if (state != LB_COVER_UNREACHABLE && state != LB_COVER_CONTRADICTED)
            continue;
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "point", name);
        cJSON_AddStringToObject(row, "why", why);
        cJSON_AddItemToArray(unreachable, row);
    }
    return object;
}

static cJSON *vacuous_json(const vacuous_list *list)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < list->count; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "file", list->items[i].file);
        cJSON_AddNumberToObject(row, "line", list->items[i].line);
        cJSON_AddStringToObject(row, "id", list->items[i].id);
        cJSON_AddStringToObject(row, "why", list->items[i].why);
        cJSON_AddItemToArray(array, row);
    }
    return array;
}

static void print_json(const request *r, const lb_cover_view *view, size_t cases,
                       const vacuous_list *doubts)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "level", lb_level_name(r->level));
    cJSON_AddNumberToObject(document, "cases", (double)cases);
    cJSON *totals = figures_json(&view->totals);
    cJSON_AddNumberToObject(totals, "missed", (double)view->totals.missed);
    cJSON_AddNumberToObject(totals, "unreachable", (double)view->totals.unreachable);
    cJSON_AddNumberToObject(totals, "functions", (double)view->functions);
    cJSON_AddNumberToObject(totals, "percent", lb_cover_percent(&view->totals));
    cJSON_AddItemToObject(document, "totals", totals);
    cJSON *functions = cJSON_AddArrayToObject(document, "functions");
    for (size_t i = 0; i < lb_kernel_count; i++)
        if (view->wanted[i])
            cJSON_AddItemToArray(functions, function_json(view->map, &view->map->functions[i]));
    cJSON_AddItemToObject(document, "vacuous", vacuous_json(doubts));
    char *text = cJSON_Print(document);
    printf("%s\n", text ? text : "null");
    cJSON_free(text);
    cJSON_Delete(document);
}

/* ---- The command ---- */

/* The table of unreachable points is wrong. */
static void tell_contradicted(const lb_cover_view *view)
{
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_cover_function *function = &view->map->functions[i];
        for (size_t p = 0; view->wanted[i] && p < function->point_count; p++) {
            char name[LB_COVERPOINT_BYTES];
            const char *why;
            size_t point = function->first_point + p;
            if (lb_cover_map_state(view->map, function, point, &why) != LB_COVER_CONTRADICTED)
                continue;
            lb_cover_map_name(function, point, name);
            fprintf(stderr,
                    "lastbit vectors coverage: %s reaches %s, which is said to be unreachable: "
                    "%s\n",
                    function->kernel->name, name, why);
        }
    }
    fprintf(stderr, "lastbit vectors coverage: this is an error of lastbit\n");
}

static int tell(const request *r, const lb_cover_map *map, const bool *wanted, size_t cases,
                const vacuous_list *doubts)
{
    lb_cover_view view = lb_cover_view_of(map, wanted);
    if (r->json)
        print_json(r, &view, cases, doubts);
    else if (r->list)
        lb_cover_print_points(&view, stdout);
    else
        lb_cover_print(&view, stdout);
    if (!r->json && !r->list)
        print_vacuous(doubts);
    if (view.totals.contradicted > 0)
        return tell_contradicted(&view), STATUS_FAILED;
    if (lb_cover_percent(&view.totals) >= r->require)
        return STATUS_OK;
    fprintf(stderr,
            "lastbit vectors coverage: %zu of %zu points are missed; --require asks for %g %%\n",
            view.totals.missed, view.totals.points, r->require);
    return STATUS_SHORT;
}

int lb_command_vectors_coverage(int argc, char **argv)
{
    request r = {.level = LB_LEVEL_DEEP, .require = -1, .profile_names = "all"};
    if (!parse(argc, argv, &r))
        return r.help ? STATUS_OK : STATUS_WRONG;
    bool *wanted = calloc(lb_kernel_count, sizeof *wanted);
    lb_cover_map *map = wanted ? lb_cover_map_new() : NULL;
    vacuous_list doubts = {.profile = r.profiles[0]};
    lb_cover_suites suites = {.map = map,
                              .level = r.level,
                              .profiles = r.profiles,
                              .profile_count = r.profile_count,
                              .each = look_at_case,
                              .user = &doubts};
    int status = map ? STATUS_OK : STATUS_FAILED;
    if (map && (!choose_functions(&r, wanted) ||
                !lb_cover_suites_read(&suites, argv + optind, (size_t)(argc - optind))))
        status = STATUS_WRONG;
    if (status == STATUS_OK)
        status = tell(&r, map, wanted, suites.cases, &doubts);
    lb_cover_map_free(map);
    lb_arena_free(&doubts.kept);
    lb_arena_free(&doubts.scratch);
    free(doubts.items);
    free(wanted);
    return status;
}
