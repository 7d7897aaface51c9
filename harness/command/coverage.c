/* lastbit vectors coverage: every case of the suites goes through the exact
 * model; no port is called. */
#include "harness/base/command_line.h"
#include "harness/base/installed.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/measure_options.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/show.h"
#include "harness/coverage/suites.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/wish.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* A case that proves little. */
typedef struct vacuous {
    const char *file, *id, *why;
    unsigned line;
    bool is_own; /* of a suite that comes with lastbit */
} vacuous;

typedef struct vacuous_list {
    size_t count, room;
    vacuous *items;
    lb_arena kept, scratch;
} vacuous_list;

typedef struct request {
    lb_measure_choice choice;
    bool list, pairwise;
    double require;
    bool requires;
} request;

/* ---- Cases that prove little ---- */

static void look_at_case(void *user, const char *path, const lb_case *c)
{
    vacuous_list *list = user;
    lb_arena_reset(&list->scratch);
    const char *why = lb_vacuous_reason(c, &lb_cover_set_of(c)->profiles[0], &list->scratch);
    if (!why)
        return;
    list->items = lb_room_for_one(list->items, list->count, &list->room, sizeof *list->items);
    list->items[list->count++] =
        (vacuous){.file = lb_arena_strdup(&list->kept, path),
                  .id = lb_arena_strdup(&list->kept, c->id),
                  .why = lb_arena_strdup(&list->kept, why),
                  .line = c->line,
                  .is_own = lb_is_installed("vectors", "cases.schema.json", path)};
}

/* A user's cases by name, and how many of lastbit's own suites: there the point is something else.
 */
static void print_vacuous(const vacuous_list *list)
{
    size_t own = 0;
    for (size_t i = 0; i < list->count; i++) {
        own += list->items[i].is_own;
        if (!list->items[i].is_own)
            printf("vacuous: %s:%u: %s: %s\n", list->items[i].file, list->items[i].line,
                   list->items[i].id, list->items[i].why);
    }
    if (own > 0)
        printf("vacuous, in lastbit's own suites: %zu %s whose point is something else, such as a "
               "field or a format; --json names %s\n",
               own, own == 1 ? "case" : "cases", own == 1 ? "it" : "them");
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
    char name[LB_COVER_SPOT_BYTES];
    const char *why;
    lb_cover_state state;
    for (size_t at = 0; lb_cover_next_rest(map, function, &at, name, &state, &why);) {
        if (state == LB_COVER_MISSED) {
            cJSON_AddItemToArray(missed, cJSON_CreateString(name));
            continue;
        }
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
        cJSON_AddBoolToObject(row, "own", list->items[i].is_own);
        cJSON_AddItemToArray(array, row);
    }
    return array;
}

static void print_json(const request *r, const lb_cover_view *view, size_t cases,
                       const vacuous_list *doubts)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "level", lb_level_name(r->choice.level.level));
    cJSON_AddNumberToObject(document, "cases", (double)cases);
    cJSON *totals = figures_json(&view->totals);
    cJSON_AddNumberToObject(totals, "missed", (double)view->totals.missed);
    cJSON_AddNumberToObject(totals, "unreachable", (double)view->totals.unreachable);
    cJSON_AddNumberToObject(totals, "functions", (double)view->functions);
    cJSON_AddNumberToObject(totals, "percent", lb_cover_percent(&view->totals));
    cJSON_AddItemToObject(document, "totals", totals);
    cJSON *functions = cJSON_AddArrayToObject(document, "functions");
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (view->wanted[i])
            cJSON_AddItemToArray(functions, function_json(view->map, &view->map->functions[i]));
    cJSON_AddItemToObject(document, "vacuous", vacuous_json(doubts));
    char *text = cJSON_Print(document);
    printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(document);
}

/* ---- The command ---- */

/* The table of unreachable points is wrong. */
static void tell_contradicted(const lb_cover_view *view)
{
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const lb_cover_function *function = &view->map->functions[i];
        for (size_t p = 0; view->wanted[i] && p < function->point_count * LB_PROFILE_COUNT; p++) {
            const int profile = (int)(p % LB_PROFILE_COUNT);
            const size_t spot =
                lb_cover_spot(view->map, profile, function->first_point + p / LB_PROFILE_COUNT);
            char name[LB_COVER_SPOT_BYTES];
            const char *why;
            if (!lb_cover_counts_in(view->map, function->kernel, profile) ||
                lb_cover_map_state(view->map, function, spot, &why) != LB_COVER_CONTRADICTED)
                continue;
            lb_cover_spot_name(view->map, function, spot, name);
            fprintf(stderr,
                    "lastbit vectors coverage: %s reaches %s, which is said to be unreachable: "
                    "%s\n",
                    function->kernel->name, name, why);
        }
    }
    fprintf(stderr, "lastbit vectors coverage: this is an error of lastbit\n");
}

static int tell(request *r, const lb_cover_map *map, size_t cases, const vacuous_list *doubts)
{
    /* Of functions that no case calls nothing is asked unless they are named. */
    if (r->requires && r->choice.functions.count == 0)
        lb_cover_keep_called(map, r->choice.wanted);
    lb_cover_view view = lb_cover_view_of(map, r->choice.wanted);
    if (r->choice.json)
        print_json(r, &view, cases, doubts);
    else if (r->list)
        lb_cover_print_points(&view, stdout);
    else
        lb_cover_print(&view, stdout);
    if (!r->choice.json && !r->list)
        print_vacuous(doubts);
    if (view.totals.contradicted > 0)
        return tell_contradicted(&view), LB_MEASURE_FAILED;
    if (!r->requires || lb_cover_percent(&view.totals) >= r->require)
        return LB_MEASURED;
    fprintf(stderr,
            "lastbit vectors coverage: %zu of %zu points are missed; --require asks for %g %%\n",
            view.totals.missed, view.totals.points, r->require);
    return LB_MEASURE_SHORT;
}

/* What can be reached is what made-up cases reach: as many as make the figures steady. */
enum { TRIES = 1000 };

static int count_pairs(request *r, const lb_arguments *paths)
{
    if (r->choice.json)
        return lb_usage_error("vectors coverage", "--pairwise has no --json"), LB_MEASURE_WRONG;
    const lb_generate_wish wish = {.paths = paths->items,
                                   .path_count = paths->count,
                                   .wanted = r->choice.wanted,
                                   .up_to = r->choice.level.level,
                                   .seed = 1,
                                   .patience = TRIES,
                                   .only_count = true,
                                   .require = r->requires ? r->require : 0,
                                   .list = r->list};
    return lb_generate_pairwise(&wish);
}

static int coverage(int argc, char **argv)
{
    request r = {.choice.level.level = LB_LEVEL_DEEP};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_vectors_coverage_command, argc, argv, &r, &paths, &status) ||
        !lb_measure_choose(&r.choice, "vectors coverage"))
        return status;
    if (r.pairwise)
        return count_pairs(&r, &paths);
    lb_cover_map *map =
        lb_cover_map_new(lb_cover_profiles(r.choice.profiles, r.choice.profile_count));
    vacuous_list doubts = {.count = 0};
    lb_cover_suites suites = {.map = map,
                              .level = r.choice.level.level,
                              .profiles = r.choice.profiles,
                              .profile_count = r.choice.profile_count,
                              .each = look_at_case,
                              .user = &doubts};
    if (lb_cover_suites_read(&suites, paths.items, paths.count)) {
        lb_cover_keep_sets(r.choice.wanted, suites.sets);
        status = tell(&r, map, suites.cases, &doubts);
    }
    lb_cover_map_free(map);
    lb_arena_free(&doubts.kept);
    lb_arena_free(&doubts.scratch);
    free(doubts.items);
    return status;
}

static const lb_option table[] = {
    {"list", 'l', LB_FLAG, NULL, LB_INTO(request, list),
     .help = "every point instead: function, name, rule, and whether it is hit, with tabs between "
             "them"},
    {"pairwise", 0, LB_FLAG, NULL, LB_INTO(request, pairwise),
     .help = "instead: in how many pairs of classes of two fields the cases of each function are, "
             "of those that they or made-up cases reach; with --list those that none reaches, and "
             "which check excludes them, or ends the tries"},
    {"require", 0, LB_PERCENT, "PERCENT", LB_INTO(request, require), LB_GIVEN(request, requires),
     .high = 100,
     .help = "exit status 1 if less than PERCENT of the points (of the pairs) are hit, of the "
             "functions that the suites call or those of --function ('*': all)"},
    {.name = NULL}};

const lb_command lb_vectors_coverage_command = {
    .name = "vectors coverage",
    .summary = "tell which coverpoints of the functions suites reach",
    .about =
        "Runs every case of the suites on the exact model, in every profile, and tells which "
        "coverpoints of every function they reach: configurations, shapes, layouts, quantization, "
        "statuses, values inside the model. Each point comes from a rule of the specification. "
        "Points that no call can reach are listed with the reason and not counted. No port is "
        "called.\n"
        "\n"
        "Cases that prove little are listed as vacuous: all outputs the same, all at an end of "
        "their container, or the same whatever one operand holds. A case that is meant so has the "
        "tag vacuous_on_purpose. Those of lastbit's own suites are only counted.\n"
        "\n"
        "With --json: totals, and for each function its points, what is hit, missed, unreachable "
        "and why; all vacuous cases (`own`: of lastbit's own suites).",
    .groups = {{table, 0, NULL}, LB_MEASURE_GROUPS(request, choice)},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"everything was counted", "fewer points are hit than --require asks for",
                 "the command line or a suite is wrong", "lastbit itself failed"},
    .examples = "lastbit vectors coverage vectors\n"
                "lastbit vectors coverage -f 'mli_krn_conv2d*' --require 100 vectors my.yaml\n"
                "lastbit vectors generate --cover vectors -o missed.jsonl",
    .run = coverage};
