/* The cases that catch most for what they cost: see selection.h. */
#include "harness/command/selection.h"
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run of a case in one profile: what it takes in any case, and what each step of it takes; as
 * measured on our own suites. */
static const double CASE_SECONDS = 1.2e-4, STEP_SECONDS = 1.5e-8;

static double seconds_of(const lb_strength_case *item, size_t profiles)
{
    return (CASE_SECONDS + STEP_SECONDS * (double)item->cost) * (double)profiles;
}

bool lb_take_budget(const char *command, const char *text, void *into)
{
    lb_budget *b = into;
    char *end = NULL;
    *b = (lb_budget){.amount = strtod(text, &end)};
    bool number = end != text && b->amount > 0 && b->amount < 1e15;
    while (*end == ' ')
        end++;
    if (strcmp(end, "") == 0 || strcmp(end, "cases") == 0)
        b->unit = LB_BUDGET_CASES;
    else if (strcmp(end, "s") == 0)
        b->unit = LB_BUDGET_SECONDS;
    else if (strcmp(end, "k") == 0)
        b->unit = LB_BUDGET_BYTES, b->amount *= 1024;
    else
        number = false;
    if (!number)
        lb_usage_error(
            command,
            "an amount of %s: expected a number of cases, of seconds (2s) or of kilobytes "
            "(64k)",
            text);
    return number;
}

static double cost_of(const lb_budget *b, const lb_strength_case *item, size_t profiles)
{
    if (b->unit == LB_BUDGET_CASES)
        return 1;
    return b->unit == LB_BUDGET_BYTES ? (double)strlen(item->text) + 1 : seconds_of(item, profiles);
}

/* ---- Choosing ---- */

/* In which a function is tried. */
static size_t profiles_of(const lb_measure_choice *measure, const lb_kernel *kernel)
{
    size_t count = 0;
    for (size_t p = 0; p < measure->profile_count; p++)
        count += lb_kernel_is_in(kernel, measure->profiles[p]);
    return count;
}

static lb_selected *all_cases(const lb_strength_choice *r, const lb_budget *b,
                              const lb_strength_cases *cases)
{
    lb_selected *choices = lb_zeroed(cases->count + 1, sizeof *choices);
    for (size_t k = 0; k < lb_kernel_total(); k++)
        for (size_t i = 0; i < cases->of[k].count; i++) {
            const lb_strength_case *item = &cases->of[k].items[i];
            const size_t profiles = profiles_of(&r->measure, lb_kernel_at(k));
            choices[item->place] = (lb_selected){.item = *item,
                                                 .cost = cost_of(b, item, profiles),
                                                 .seconds = seconds_of(item, profiles)};
        }
    return choices;
}

static void add_gains(const cJSON *rows, lb_selected *choices, size_t count)
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
    const lb_selected *a = left, *b = right;
    double worth_a = a->item.text ? a->gain / a->cost : -1,
           worth_b = b->item.text ? b->gain / b->cost : -1;
    if (worth_a != worth_b)
        return worth_a > worth_b ? -1 : 1;
    return a->item.text && b->item.text ? (a->item.place < b->item.place ? -1 : 1) : 0;
}

/* Those that fit come first; gives their number. */
static size_t choose(lb_selected *choices, size_t count, const lb_budget *b)
{
    double spent = 0;
    size_t chosen = 0;
    qsort(choices, count, sizeof *choices, best_first);
    for (size_t i = 0; i < count && choices[i].item.text && choices[i].gain > 0; i++) {
        if (b->unit != LB_NO_BUDGET && spent + choices[i].cost > b->amount)
            continue;
        lb_selected fits = choices[i];
        spent += fits.cost;
        memmove(&choices[chosen + 1], &choices[chosen], (i - chosen) * sizeof fits);
        choices[chosen++] = fits;
    }
    return chosen;
}

/* ---- Passes ---- */

/* Cases in the order of the last pass's worth, those that brought nothing left out: what comes
 * early takes catches from what comes late, so that fewer are needed. */
static const lb_selected *worth_of; /* by place, for the comparison */

static int worthier_first(const void *left, const void *right)
{
    const lb_strength_case *a = left, *b = right;
    const lb_selected *of_a = &worth_of[a->place], *of_b = &worth_of[b->place];
    double worth_a = of_a->gain / of_a->cost, worth_b = of_b->gain / of_b->cost;
    if (worth_a != worth_b)
        return worth_a > worth_b ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static size_t keep_the_useful(lb_strength_cases *cases, const lb_selected *choices)
{
    size_t all = 0;
    worth_of = choices;
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        lb_strength_row *row = &cases->of[k];
        size_t kept = 0;
        for (size_t i = 0; i < row->count; i++)
            if (choices[row->items[i].place].gain > 0)
                row->items[kept++] = row->items[i];
        row->count = kept;
        if (kept > 0)
            qsort(row->items, kept, sizeof *row->items, worthier_first);
        all += kept;
    }
    return all;
}

enum { MOST_PASSES = 4 };

/* The choices of the last pass that needed fewer cases than the one before; NULL: a process has
 * failed. */
static lb_selected *choices_of(const lb_strength_choice *r, const lb_budget *b,
                               lb_strength_cases *cases)
{
    lb_selected *choices = NULL;
    size_t before = SIZE_MAX;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        cJSON *rows = lb_strength_rows(r, cases);
        lb_selected *now = rows ? all_cases(r, b, cases) : NULL;
        if (rows)
            add_gains(rows, now, cases->count);
        cJSON_Delete(rows);
        free(choices);
        choices = now;
        size_t useful = now ? keep_the_useful(cases, now) : before;
        if (useful + useful / 50 >= before)
            break;
        before = useful;
    }
    return choices;
}

/* ---- The whole ---- */

bool lb_selection_make(lb_selection *selection, const lb_strength_choice *choice,
                       const lb_budget *budget, lb_strength_cases *cases)
{
    *selection = (lb_selection){.count = cases->count, .items = choices_of(choice, budget, cases)};
    if (selection->items)
        selection->chosen = choose(selection->items, selection->count, budget);
    return selection->items != NULL;
}

void lb_selection_tell_sums(const lb_selection *s)
{
    double got = 0, all = 0, seconds = 0;
    for (size_t i = 0; i < s->count; i++) {
        all += s->items[i].gain;
        got += i < s->chosen ? s->items[i].gain : 0;
        seconds += i < s->chosen ? s->items[i].seconds : 0;
    }
    fprintf(stderr, "%zu of %zu cases, about %.2f s: %.0f of %.0f catches (%.1f %%)\n", s->chosen,
            s->count, seconds, got, all, all > 0 ? 100 * got / all : 100);
}

bool lb_selection_has(const lb_selection *selection, const char *path, const char *id)
{
    for (size_t i = 0; i < selection->chosen; i++)
        if (strcmp(selection->items[i].item.id, id) == 0 &&
            strcmp(selection->items[i].item.path, path) == 0)
            return true;
    return false;
}

void lb_selection_free(lb_selection *selection)
{
    free(selection->items);
    *selection = (lb_selection){0};
}
