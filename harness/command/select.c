/* lastbit vectors select: the cases of suites that catch most faults of the bank for their time. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/selection.h"

#include <stdio.h>

#define NAME "vectors select"

typedef struct request {
    lb_strength_choice choice; /* first: its table speaks of it */
    lb_budget limit;
} request;

/* ---- Telling ---- */

static void tell_json(const lb_selection *s)
{
    printf("[");
    for (size_t i = 0; i < s->chosen; i++) {
        const lb_selected *c = &s->items[i];
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "file", c->item.path);
        cJSON_AddStringToObject(one, "id", c->item.id);
        cJSON_AddNumberToObject(one, "gain", c->gain);
        cJSON_AddNumberToObject(one, "seconds", c->seconds);
        char *text = cJSON_PrintUnformatted(one);
        printf("%s%s", i ? ",\n" : "\n", text);
        cJSON_free(text);
        cJSON_Delete(one);
    }
    printf("%s]\n", s->chosen ? "\n" : "");
}

static void tell(const lb_selection *s)
{
    for (size_t i = 0; i < s->chosen; i++)
        printf("%s\t%s\t%.0f\n", s->items[i].item.path, s->items[i].item.id, s->items[i].gain);
}

static int select_command(int argc, char **argv)
{
    request r = {.choice = lb_strength_choice_start()};
    lb_measure_choice *measure = &r.choice.measure;
    lb_strength_cases cases = {0};
    lb_selection selection = {0};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_vectors_select_command, argc, argv, &r, &paths, &status) ||
        !lb_measure_choose(measure, NAME))
        return status;
    if (!lb_strength_cases_read(&cases, paths.items, paths.count, measure->level.level))
        status = LB_MEASURE_WRONG;
    else if (!lb_selection_make(&selection, &r.choice, &r.limit, &cases))
        status = LB_MEASURE_FAILED;
    else {
        status = LB_MEASURED;
        (measure->json ? tell_json : tell)(&selection);
        lb_selection_tell_sums(&selection);
    }
    lb_selection_free(&selection);
    lb_strength_cases_free(&cases);
    return status;
}

static const lb_option table[] = {
    {"budget", 0, LB_CALLBACK, "AMOUNT", LB_INTO(request, limit), .take = lb_take_budget,
     .help = "at most so much: 500 cases, 2s (seconds, estimated for a run in the profiles asked "
             "for), 64k (bytes of cases, as JSON Lines)"},
    {"catches", 0, LB_NUMBER, "N", LB_INTO(request, choice.catches), .low = 1, .high = 1000,
     .help = "cases that are to catch each fault (default 1)"},
    {.name = NULL}};

const lb_command lb_vectors_select_command = {
    .name = NAME,
    .summary = "choose the cases that catch most for their time",
    .about =
        "Chooses a small set of cases that catches the faults of the bank (see \"lastbit vectors "
        "strength --help\") as the suites do: cases go from cheap to expensive, and one is chosen "
        "if it catches a fault that too few before it have caught; then again among the chosen, "
        "those first that bring most for their cost, until no fewer will do. With a budget, those "
        "that bring "
        "most for their cost are chosen first, and what is lost is said. Cases written by hand go "
        "before others. Prints one line per case: suite, id and what it catches, with tabs between "
        "them; with --json a list of \"file\", \"id\", \"gain\", \"seconds\".",
    .groups = {{table, 0, NULL},
               LB_MEASURE_GROUPS(request, choice.measure),
               {lb_strength_options, 0, NULL}},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"chosen", NULL, "the command line or a suite is wrong",
                 "a process cannot be started, or has failed"},
    .examples = "lastbit vectors select --budget 2s --jobs 2 vectors\n"
                "lastbit vectors select --budget 64k -f '*fully_connected*' -n up-full vectors",
    .run = select_command};
