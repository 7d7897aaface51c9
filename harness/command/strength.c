/* lastbit vectors strength: the faults of the bank on the cases of suites. No port is called. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/command/measure_options.h"
#include "harness/coverage/strength_keep.h"
#include "harness/generate/certify.h"
#include "harness/run/run_options.h"
#include "reports/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "vectors strength"

typedef struct request {
    lb_strength_choice choice; /* first: its table speaks of it */
    bool list;
    double require;
    bool requires;
    lb_shard_choice shard;
    const char *keep; /* file of rows, or NULL */
    lb_certify_wish made;
    bool certified; /* the cases of a certification, in place of suites */
} request;

/* ---- Figures ---- */

typedef struct figures {
    double faults, caught, seldom, hidden, silent, equivalent, trials, cases;
} figures;

static double number_of(const cJSON *row, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(row, key));
}

static const char *text_of(const cJSON *row, const char *key)
{
    const char *text = lb_json_text(row, key);
    return text ? text : "";
}

/* Of one family, or of all (NULL). */
static figures figures_of(const cJSON *rows, const char *family)
{
    figures sum = {0};
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        if (family && strcmp(family, text_of(row, "family")) != 0)
            continue;
        sum.faults += number_of(row, "faults");
        sum.caught += number_of(row, "caught") + number_of(row, "seldom");
        sum.seldom += number_of(row, "seldom");
        sum.hidden += number_of(row, "hidden");
        sum.silent += number_of(row, "silent");
        sum.equivalent += number_of(row, "equivalent");
        sum.trials += number_of(row, "trials");
        sum.cases += number_of(row, "cases");
    }
    return sum;
}

static double percent_of(const figures *f)
{
    return f->faults > 0 ? 100 * f->caught / f->faults : 100;
}

/* ---- Telling ---- */

static void print_row(const char *name, const figures *f)
{
    printf("%-18s %9.0f %9.0f %9.0f %9.0f %7.1f %% %10.0f\n", name, f->faults, f->caught, f->hidden,
           f->silent, percent_of(f), f->equivalent);
}

static void print_table(const cJSON *rows)
{
    printf("%-18s %9s %9s %9s %9s %9s %10s\n", "family", "faults", "caught", "hidden", "silent",
           "strength", "equivalent");
    for (int family = 0; family < LB_FAMILY_COUNT_OF_ALL; family++) {
        figures f = figures_of(rows, lb_family_name((lb_family)family));
        if (f.faults > 0)
            print_row(lb_family_name((lb_family)family), &f);
    }
}

static void print_survivors(const cJSON *rows)
{
    const cJSON *row, *one;
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(one, cJSON_GetObjectItem(row, "proved"))
        {
            printf("equivalent: %s: %s: %s (%s)\n", text_of(row, "function"),
                   text_of(row, "profile"), text_of(one, "sentence"), text_of(one, "proof"));
        }
        cJSON_ArrayForEach(one, cJSON_GetObjectItem(row, "survivors"))
        {
            const char *state = text_of(one, "state");
            const char *seldom = lb_strength_state_name(LB_STRENGTH_SELDOM);
            printf("%s: %s: %s: %s (%s; %s)\n", strcmp(state, seldom) == 0 ? seldom : "survives",
                   text_of(row, "function"), text_of(row, "profile"), text_of(one, "sentence"),
                   text_of(one, "section"), state);
        }
    }
}

static void print_text(const request *r, const lb_strength_cases *cases, const cJSON *rows)
{
    figures all = figures_of(rows, NULL);
    if (r->list)
        print_survivors(rows);
    print_table(rows);
    print_row("all", &all);
    printf("%zu cases; faults cannot be tried on %zu of them (chains, sequences of calls)\n",
           cases->count, cases->left_out);
    printf("strength %.1f %% of %.0f faults; %.0f more are proved equivalent\n", percent_of(&all),
           all.faults, all.equivalent);
    if (r->choice.catches > 1)
        printf("%.0f faults are caught by fewer than %u cases\n", all.seldom, r->choice.catches);
}

static void print_json(const request *r, const lb_strength_cases *cases, cJSON *rows)
{
    figures all = figures_of(rows, NULL);
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "level", lb_level_name(r->choice.measure.level.level));
    cJSON_AddNumberToObject(document, "cases", (double)cases->count);
    cJSON_AddNumberToObject(document, "left_out", (double)cases->left_out);
    cJSON_AddNumberToObject(document, "faults", all.faults);
    cJSON_AddNumberToObject(document, "caught", all.caught);
    cJSON_AddNumberToObject(document, "seldom", all.seldom);
    cJSON_AddNumberToObject(document, "percent", percent_of(&all));
    cJSON_AddNumberToObject(document, "equivalent", all.equivalent);
    cJSON_AddNumberToObject(document, "trials", all.trials);
    cJSON *suites = cJSON_AddArrayToObject(document, "suites");
    for (size_t i = 0; i < cases->suite_count; i++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "file", cases->suites[i].path);
        cJSON_AddStringToObject(one, "sha256", cases->suites[i].sha256);
        cJSON_AddItemToArray(suites, one);
    }
    cJSON_AddItemReferenceToObject(document, "functions", rows);
    char *text = cJSON_Print(document);
    printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(document);
}

/* A fault that is proved to be none, and is caught: lastbit is wrong about itself. */
static bool are_sound(const cJSON *rows)
{
    bool sound = true;
    const cJSON *row, *one;
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(one, cJSON_GetObjectItem(row, "contradicted"))
        {
            fprintf(stderr, "lastbit %s: %s: %s: proved equivalent, and caught: %s\n", NAME,
                    text_of(row, "function"), text_of(row, "profile"), cJSON_GetStringValue(one));
            sound = false;
        }
    }
    return sound;
}

/* Says which families fall short. */
static bool is_enough(const request *r, const cJSON *rows)
{
    bool enough = true;
    for (int family = 0; family < LB_FAMILY_COUNT_OF_ALL; family++) {
        figures f = figures_of(rows, lb_family_name((lb_family)family));
        if (f.faults > 0 && percent_of(&f) < r->require) {
            fprintf(stderr, "lastbit %s: %s: %.1f %% of %.0f faults; --require asks for %g %%\n",
                    NAME, lb_family_name((lb_family)family), percent_of(&f), f.faults, r->require);
            enough = false;
        }
    }
    return enough;
}

/* ---- What is measured ---- */

/* Functions are dealt out in turn. */
static void take_shard(request *r)
{
    unsigned turn = 0;
    for (size_t k = 0; r->shard.count > 0 && k < lb_kernel_total(); k++)
        if (r->choice.measure.wanted[k])
            r->choice.measure.wanted[k] = turn++ % r->shard.count == r->shard.index - 1;
}

/* One line of JSON: suites by their digests, level and limits. */
static char *subject_of(const request *r, const lb_strength_cases *cases)
{
    cJSON *subject = cJSON_CreateObject(), *suites = cJSON_AddArrayToObject(subject, "strength_of");
    for (size_t i = 0; i < cases->suite_count; i++)
        cJSON_AddItemToArray(suites, cJSON_CreateString(cases->suites[i].sha256));
    cJSON_AddStringToObject(subject, "level", lb_level_name(r->choice.measure.level.level));
    cJSON_AddNumberToObject(subject, "steps", r->choice.million_steps);
    cJSON_AddNumberToObject(subject, "tries", r->choice.tries);
    cJSON_AddNumberToObject(subject, "catches", r->choice.catches);
    cJSON_AddStringToObject(subject, "lastbit", lb_version());
    char *text = cJSON_PrintUnformatted(subject);
    cJSON_Delete(subject);
    return text;
}

/* NULL: told. */
static cJSON *measure_rows(request *r, const lb_strength_cases *cases, int *status)
{
    lb_strength_kept kept = {.file = -1};
    cJSON *rows = NULL;
    char *subject = r->keep ? subject_of(r, cases) : NULL;
    if (r->keep && !lb_strength_keep_open(&kept, r->keep, subject))
        *status = LB_MEASURE_WRONG;
    else {
        r->choice.kept = r->keep ? &kept : NULL;
        rows = lb_strength_rows(&r->choice, cases);
        *status = rows ? LB_MEASURED : LB_MEASURE_FAILED;
    }
    cJSON_free(subject);
    if (r->keep)
        lb_strength_keep_close(&kept);
    return rows;
}

/* The cases of the suites, or those of a certification. False: told. */
static bool read_cases(const request *r, const lb_arguments *paths, lb_strength_cases *cases)
{
    lb_certify_maker maker;
    if (!r->certified && paths->count == 0)
        return lb_usage_error(NAME, "no PATH given, nor --seed of a certification"), false;
    if (r->certified && paths->count > 0)
        return lb_usage_error(NAME, "expected suites, or --seed of a certification, not both"),
               false;
    if (!r->certified)
        return lb_strength_cases_read(cases, paths->items, paths->count,
                                      r->choice.measure.level.level);
    lb_suite *suite = lb_certify_suite(&r->made, LB_PROGRESS_BAR, &maker);
    bool good = lb_strength_cases_add(cases, suite, LB_LEVEL_DEEP);
    lb_strength_cases_sort(cases);
    lb_certify_close(suite, &maker);
    return good;
}

static int strength(int argc, char **argv)
{
    request r = {.choice = lb_strength_choice_start(), .made = {.cases = 40}};
    lb_measure_choice *measure = &r.choice.measure;
    lb_strength_cases cases = {0};
    lb_arguments paths;
    int status;
    if (!lb_options_parse(&lb_vectors_strength_command, argc, argv, &r, &paths, &status) ||
        !lb_measure_choose(measure, NAME))
        return status;
    cJSON *rows = NULL;
    take_shard(&r);
    if (!read_cases(&r, &paths, &cases))
        status = LB_MEASURE_WRONG;
    else
        rows = measure_rows(&r, &cases, &status);
    if (rows && measure->json)
        print_json(&r, &cases, rows);
    else if (rows)
        print_text(&r, &cases, rows);
    if (rows && r.requires && !is_enough(&r, rows))
        status = LB_MEASURE_SHORT;
    if (rows && !are_sound(rows))
        status = LB_MEASURE_FAILED;
    cJSON_Delete(rows);
    lb_strength_cases_free(&cases);
    return status;
}

static const lb_option table[] = {
    {"list", 'l', LB_FLAG, NULL, LB_INTO(request, list),
     .help = "list the survivors, and why others are equivalent"},
    {"require", 0, LB_PERCENT, "PERCENT", LB_INTO(request, require), LB_GIVEN(request, requires),
     .high = 100, .help = "exit status 1 if a family or the whole catches less"},
    {"catches", 0, LB_NUMBER, "N", LB_INTO(request, choice.catches), .low = 1, .high = 1000,
     .help = "tell how many faults fewer than N cases catch (thin catches: 3); with --list each of "
             "them (default 1: none is told)"},
    {"shard", 's', LB_CALLBACK, "I/N", LB_INTO(request, shard), .take = lb_take_shard,
     .help = "only every N-th function, from the I-th on"},
    {"keep", 0, LB_TEXT, "FILE", LB_INTO(request, keep),
     .help = "keep what is measured in FILE, function by function, and do not measure again what "
             "it holds: a measurement that was broken off goes on. Files of shards, one behind the "
             "other, are the file of the whole"},
    {"seed", 0, LB_NUMBER, "N", LB_INTO(request, made.seed), LB_GIVEN(request, certified), .low = 1,
     .high = UINT32_MAX,
     .help = "of the cases that \"lastbit certify\" makes of this seed, in place of suites"},
    {"cases", 0, LB_NUMBER, "N", LB_INTO(request, made.cases), .low = 1,
     .high = LB_CERTIFY_MOST_CASES,
     .help = "with --seed: so many of each function (default 40: those of the level standard in "
             "all four profiles)"},
    {"set", 0, LB_CHOICE, "SET", LB_INTO(request, made.set), .choices = lb_set_words,
     .help = "with --seed: cases of this kernel set, mli (default) or litert"},
    {"extensions", 0, LB_FLAG, NULL, LB_INTO(request, made.extensions),
     .help = "with --seed: cases of lastbit's own functions too"},
    {.name = NULL}};

const lb_command lb_vectors_strength_command = {
    .name = NAME,
    .summary = "tell which faults of kernels suites catch, and which survive",
    .about =
        "Tries every fault of the bank (steps of the computation done otherwise, calls read "
        "otherwise, parts of the work left out, results written otherwise, checks of statuses) in "
        "every function and profile on the cases of the suites, the cheapest first, until a case "
        "catches it: a result, a status or a byte differs from that of the exact model. No port is "
        "called.\n"
        "\n"
        "A fault that no case catches is hidden (it acts in some case and changes no result) or "
        "silent (no case has what it changes). A fault that no call can show is proved equivalent "
        "and does not count: its step never gets values on which it differs, its check never "
        "speaks first, ... (--list says why). Faults of state (a call before has an influence) "
        "cannot be tried in this way and are not "
        "counted.",
    .groups = {{table, 0, NULL},
               LB_MEASURE_GROUPS(request, choice.measure),
               {lb_strength_options, 0, NULL}},
    .operand = {"PATH", LB_SUITES_HELP, 0, 0, NULL, true, LB_OFFER_SUITES},
    .statuses = {"measured", "--require asks for more", "the command line or a suite is wrong",
                 "a process cannot be started, or has failed"},
    .examples = "lastbit vectors strength --level smoke --jobs 2 vectors\n"
                "lastbit vectors strength --function '*softmax*' --list vectors\n"
                "lastbit vectors strength --json --seed 5 --function '*argmax*'",
    .run = strength};
