/* lastbit vectors select: the cases of suites that catch most faults of the bank for their time. */
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/strength_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "vectors select";

static const char HELP[] =
    "Usage: lastbit vectors select [OPTION...] PATH...\n"
    "\n"
    "Chooses a small set of cases that catches the faults of the bank (see \"lastbit vectors\n"
    "strength --help\") as the suites do: cases go from cheap to expensive, and one is chosen if "
    "it\n"
    "catches a fault that too few before it have caught. With a budget, those that bring most for\n"
    "their cost are chosen first, and what is lost is said. Cases written by hand go before "
    "others.\n"
    "Prints one line per case: suite, id and what it catches, with tabs between them.\n"
    "A PATH is a suite file (.yaml, .yml, .json, .jsonl) or a folder, read recursively.\n"
    "\n"
    "Options:\n"
    "      --budget AMOUNT    at most so much: 500 cases, 2s (seconds, estimated for a run in the\n"
    "                         profiles asked for), 64k (bytes of cases, as JSON Lines)\n"
    "      --catches N        cases that are to catch each fault (default 1)\n"
    "  -f, --function GLOB    only functions with such a name; may be given more than once\n"
    "  -n, --profile NAMES    profiles (default all)\n"
    "      --level LEVEL      cases up to smoke, standard or deep (default deep)\n"
    "      --steps MILLIONS   as for strength\n"
    "      --tries N          as for strength\n"
    "      --json             one JSON list instead: \"file\", \"id\", \"gain\", \"seconds\"\n"
    "  -j, --jobs N           processes side by side (default 1)\n"
    "  -h, --help             this text\n"
    "\n"
    "Exit status:\n"
    "  0  chosen\n"
    "  2  the command line or a suite is wrong\n"
    "  3  a process cannot be started, or has failed\n"
    "\n"
    "Examples:\n"
    "  lastbit vectors select --budget 2s --jobs 2 vectors\n"
    "  lastbit vectors select --budget 64k --function '*fully_connected*' --profile up-full "
    "vectors\n";

typedef struct choice {
    const lb_strength_case *item;
    double gain, cost;
} choice;

typedef struct budget {
    enum { NO_BUDGET, CASES, SECONDS, BYTES } unit;
    double amount;
} budget;

/* A run of a case in one profile: what it takes in any case, and what each step of it takes; as
 * measured on our own suites. */
static const double CASE_SECONDS = 1.2e-4, STEP_SECONDS = 1.5e-8;

static double seconds_of(const lb_strength_case *item, size_t profiles)
{
    return (CASE_SECONDS + STEP_SECONDS * (double)item->cost) * (double)profiles;
}

static bool parse_budget(const char *text, budget *b)
{
    char *end = NULL;
    *b = (budget){0};
    if (!text)
        return true;
    b->amount = strtod(text, &end);
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
        lb_usage_error(NAME,
                       "--budget %s: a number of cases, of seconds (2s) or of kilobytes (64k) "
                       "is due",
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

static choice *all_cases(const lb_strength_request *r, const budget *b,
                         const lb_strength_cases *cases)
{
    choice *choices = calloc(cases->count + 1, sizeof *choices);
    if (!choices)
        lb_out_of_memory(cases->count * sizeof *choices);
    for (size_t k = 0; k < lb_kernel_count; k++)
        for (size_t i = 0; i < cases->of[k].count; i++) {
            const lb_strength_case *item = &cases->of[k].items[i];
            choices[item->place] =
                (choice){.item = item, .cost = cost_of(b, item, r->profile_count)};
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

static void tell(const lb_strength_request *r, const choice *choices, size_t chosen)
{
    if (r->json)
        printf("[");
    for (size_t i = 0; i < chosen; i++) {
        const choice *c = &choices[i];
        if (!r->json) {
            printf("%s\t%s\t%.0f\n", c->item->path, c->item->id, c->gain);
            continue;
        }
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "file", c->item->path);
        cJSON_AddStringToObject(one, "id", c->item->id);
        cJSON_AddNumberToObject(one, "gain", c->gain);
        cJSON_AddNumberToObject(one, "seconds", seconds_of(c->item, r->profile_count));
        char *text = cJSON_PrintUnformatted(one);
        printf("%s%s", i ? ",\n" : "\n", text ? text : "null");
        cJSON_free(text);
        cJSON_Delete(one);
    }
    if (r->json)
        printf("%s]\n", chosen ? "\n" : "");
}

static void tell_sums(const lb_strength_request *r, const choice *choices, size_t count,
                      size_t chosen)
{
    double got = 0, all = 0, seconds = 0;
    for (size_t i = 0; i < count; i++) {
        all += choices[i].gain;
        got += i < chosen ? choices[i].gain : 0;
        seconds += i < chosen ? seconds_of(choices[i].item, r->profile_count) : 0;
    }
    fprintf(stderr, "%zu of %zu cases, about %.2f s: %.0f of %.0f catches (%.1f %%)\n", chosen,
            count, seconds, got, all, all > 0 ? 100 * got / all : 100);
}

int lb_command_vectors_select(int argc, char **argv)
{
    lb_strength_request r = {.command = NAME, .help_text = HELP, .selects = true};
    lb_strength_cases cases = {0};
    budget limit;
    if (!lb_strength_parse(argc, argv, &r))
        return r.help ? LB_STRENGTH_OK : LB_STRENGTH_WRONG;
    if (!parse_budget(r.budget, &limit))
        return LB_STRENGTH_WRONG;
    int status = LB_STRENGTH_OK;
    cJSON *rows = NULL;
    if (!lb_strength_cases_read(&cases, argv + optind, (size_t)(argc - optind), r.level))
        status = LB_STRENGTH_WRONG;
    else if (!(rows = lb_strength_rows(&r, &cases)))
        status = LB_STRENGTH_FAILED;
    if (rows) {
        choice *choices = all_cases(&r, &limit, &cases);
        add_gains(rows, choices, cases.count);
        size_t chosen = choose(choices, cases.count, &limit);
        tell(&r, choices, chosen);
        tell_sums(&r, choices, cases.count, chosen);
        free(choices);
    }
    cJSON_Delete(rows);
    lb_strength_cases_free(&cases);
    return status;
}
