/* lastbit vectors select: the cases of suites that catch most faults of the bank for their time. */
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/measure_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "vectors select"

typedef struct choice {
    const lb_strength_case *item;
    double gain, cost;
} choice;

typedef struct budget {
    enum { NO_BUDGET, CASES, SECONDS, BYTES } unit;
    double amount;
} budget;

typedef struct request {
    lb_strength_choice choice; /* first: its table speaks of it */
    budget limit;
} request;

/* A run of a case in one profile: what it takes in any case, and what each step of it takes; as
 * measured on our own suites. */
static const double CASE_SECONDS = 1.2e-4, STEP_SECONDS = 1.5e-8;

static double seconds_of(const lb_strength_case *item, size_t profiles)
{
    return (CASE_SECONDS + STEP_SECONDS * (double)item->cost) * (double)profiles;
}

static bool take_budget(const char *command, const char *text, void *into)
{
    budget *b = into;
    char *end = NULL;
    *b = (budget){.amount = strtod(text, &end)};
    bool number = end != text && b->amount > 0 && b->amount < 1e15;
    while (*end == ' ')
        end++;
    if (strcmp(end, "") == 0 || strcmp(end, "cases") == 0)
        b->unit = CASES;
    else if (strcmp(end, "s") == 0)
        b->unit = SECONDS;
    else if (strcmp(end, "k") == 0)
        b->unit = BYTES, b->amount *= 1024;
    else
        number = false;
    if (!number)
        lb_usage_error(command,
                       "--budget %s: expected a number of cases, of seconds (2s) or of kilobytes "
                       "(64k)",
                       text);
    return number;
}

static double cost_of(const budget *b, const lb_strength_case *item, size_t profiles)
{
    if (b->unit == CASES)
        return 1;
    return b->unit == BYTES ? (double)strlen(item->text) + 1 : seconds_of(item, profiles);
}

/* ---- Choosing ---- */

static choice *all_cases(const request *r, const budget *b, const lb_strength_cases *cases)
{
    choice *choices = calloc(cases->count + 1, sizeof *choices);
    if (!choices)
        lb_out_of_memory(cases->count * sizeof *choices);
    for (size_t k = 0; k < lb_kernel_count; k++)
        for (size_t i = 0; i < cases->of[k].count; i++) {
            const lb_strength_case *item = &cases->of[k].items[i];
            choices[item->place] =
                (choice){.item = item, .cost = cost_of(b, item, r->choice.measure.profile_count)};
        }
    return choices;
}

static void add_gains(const cJSON *rows, choice *choices, size_t count)
{
    const cJSON *row, *one;
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(one, cJSON_GetObjectItem(row, "useful"))
        {
            size_t place = (size_t)cJSON_GetNumberValue(cJSON_GetObjectItem(one, "place"));
            if (place < count)
                choices[place].gain += cJSON_GetNumberValue(cJSON_GetObjectItem(one, "gain"));
        }
    }
}

static int best_first(const void *left, const void *right)
{
    const choice *a = left, *b = right;
    double worth_a = a->item ? a->gain / a->cost : -1, worth_b = b->item ? b->gain / b->cost : -1;
    if (worth_a != worth_b)
        return worth_a > worth_b ? -1 : 1;
    return a->item && b->item ? (a->item->place < b->item->place ? -1 : 1) : 0;
}

/* Those that fit come first; gives their number. */
static size_t choose(choice *choices, size_t count, const budget *b)
{
    double spent = 0;
    size_t chosen = 0;
    qsort(choices, count, sizeof *choices, best_first);
    for (size_t i = 0; i < count && choices[i].item && choices[i].gain > 0; i++) {
        if (b->unit != NO_BUDGET && spent + choices[i].cost > b->amount)
            continue;
        choice fits = choices[i];
        spent += fits.cost;
        memmove(&choices[chosen + 1], &choices[chosen], (i - chosen) * sizeof fits);
        choices[chosen++] = fits;
    }
    return chosen;
}

/* ---- Telling ---- */

static void tell(const request *r, const choice *choices, size_t chosen)
{
    if (r->choice.measure.json)
        printf("[");
    for (size_t i = 0; i < chosen; i++) {
        const choice *c = &choices[i];
        if (!r->choice.measure.json) {
            printf("%s\t%s\t%.0f\n", c->item->path, c->item->id, c->gain);
            continue;
        }
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "file", c->item->path);
        cJSON_AddStringToObject(one, "id", c->item->id);
        cJSON_AddNumberToObject(one, "gain", c->gain);
        cJSON_AddNumberToObject(one, "seconds",
                                seconds_of(c->item, r->choice.measure.profile_count));
        char *text = cJSON_PrintUnformatted(one);
        printf("%s%s", i ? ",\n" : "\n", text ? text : "null");
        cJSON_free(text);
        cJSON_Delete(one);
    }
    if (r->choice.measure.json)
        printf("%s]\n", chosen ? "\n" : "");
}

static void tell_sums(const request *r, const choice *choices, size_t count, size_t chosen)
{
    double got = 0, all = 0, seconds = 0;
    for (size_t i = 0; i < count; i++) {
        all += choices[i].gain;
        got += i < chosen ? choices[i].gain : 0;
        seconds += i < chosen ? seconds_of(choices[i].item, r->choice.measure.profile_count) : 0;
    }
    fprintf(stderr, "%zu of %zu cases, about %.2f s: %.0f of %.0f catches (%.1f %%)\n", chosen,
            count, seconds, got, all, all > 0 ? 100 * got / all : 100);
}

static int select_command(int argc, char **argv)
{
    request r = {.choice = lb_strength_choice_start()};
    lb_measure_choice *measure = &r.choice.measure;
    lb_strength_cases cases = {0};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_vectors_select_command, argc, argv, &r, &paths, &status) ||
        !lb_measure_choose(measure, NAME))
        return status;
    cJSON *rows = NULL;
    if (!lb_strength_cases_read(&cases, paths.items, paths.count, measure->level.level))
        status = LB_MEASURE_WRONG;
    else
        status = (rows = lb_strength_rows(&r.choice, &cases)) ? LB_MEASURED : LB_MEASURE_FAILED;
    if (rows) {
        choice *choices = all_cases(&r, &r.limit, &cases);
        add_gains(rows, choices, cases.count);
        size_t chosen = choose(choices, cases.count, &r.limit);
        tell(&r, choices, chosen);
        tell_sums(&r, choices, cases.count, chosen);
        free(choices);
    }
    cJSON_Delete(rows);
    lb_strength_cases_free(&cases);
    return status;
}

static const lb_option table[] = {
    {"budget", 0, LB_CALLBACK, "AMOUNT", LB_INTO(request, limit), .take = take_budget,
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
        "if it catches a fault that too few before it have caught. With a budget, those that bring "
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
