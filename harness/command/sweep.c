/* lastbit sweep: chooses domains and has them carried out like suites. */
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/generate/sweep_domain.h"
#include "harness/run/execute.h"
#include "harness/run/report_folder.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    lb_run_options run; /* first: the tables of runs speak of it */
    lb_arguments functions;
    bool list;
} options;

/* Which of the domains are asked for. */
typedef struct choice {
    lb_sweep_domain domains[LB_SWEEP_MOST];
    size_t count;
} choice;

/* ---- Choosing ---- */

static bool matches(const char *pattern, const char *function)
{
    return strcmp(pattern, "all") == 0 ? lb_kernel_find(function)->set == LB_SET_MLI
                                       : fnmatch(pattern, function, 0) == 0;
}

static const char *function_at(const void *set, size_t index)
{
    const choice *all = set;
    return index < all->count ? all->domains[index].function : NULL;
}

static bool refuse(const char *pattern, const choice *all)
{
    char remedy[200];
    const char *near = lb_suggest(pattern, function_at, all);
    if (lb_kernel_find(pattern))
        return lb_usage_error("sweep",
                              "%s has no small domain; --list tells which functions have one",
                              pattern),
               false;
    snprintf(remedy, sizeof remedy, "; did you mean %s?", near ? near : "");
    return lb_usage_error("sweep", "%s: no such function with a small domain%s", pattern,
                          near ? remedy : ""),
           false;
}

/* Every argument must choose something; a function that several choose is there once. */
static bool choose(const options *o, choice *chosen)
{
    choice all;
    all.count = lb_sweep_domains(all.domains);
    for (size_t a = 0; a < o->functions.count; a++) {
        bool any = false;
        for (size_t d = 0; d < all.count; d++)
            any = any || matches(o->functions.items[a], all.domains[d].function);
        if (!any)
            return refuse(o->functions.items[a], &all);
    }
    for (size_t d = 0; d < all.count; d++) {
        bool wanted = o->list && o->functions.count == 0;
        for (size_t a = 0; a < o->functions.count; a++)
            wanted = wanted || matches(o->functions.items[a], all.domains[d].function);
        if (wanted)
            chosen->domains[chosen->count++] = all.domains[d];
    }
    return true;
}

/* ---- Words ---- */

/* "256 calls, 65,536 inputs" */
static char *numbers_text(uint64_t calls, uint64_t inputs, lb_arena *arena)
{
    return lb_arena_printf(arena, "%s %s, %s inputs", lb_sweep_number(calls, arena),
                           calls == 1 ? "call" : "calls", lb_sweep_number(inputs, arena));
}

static char *total_text(const choice *chosen, lb_arena *arena)
{
    uint64_t calls = 0, inputs = 0;
    for (size_t i = 0; i < chosen->count; i++) {
        calls += lb_sweep_call_count(&chosen->domains[i]);
        inputs += lb_sweep_input_count(&chosen->domains[i]);
    }
    return lb_arena_printf(arena, "%zu %s, %s", chosen->count,
                           chosen->count == 1 ? "function" : "functions",
                           numbers_text(calls, inputs, arena));
}

static char *domain_text(const lb_sweep_domain *domain, lb_arena *arena)
{
    return lb_arena_printf(
        arena, "%s, %s: %s", domain->function,
        numbers_text(lb_sweep_call_count(domain), lb_sweep_input_count(domain), arena),
        lb_sweep_words(domain, arena));
}

/* What the report may claim: the functions that the port has. Nothing if only some calls of them
 * are made. */
static const char *exhaustive_text(const lb_run_options *o, const choice *chosen,
                                   const lb_port *port, lb_arena *arena)
{
    choice provided = {.count = 0};
    for (size_t i = 0; i < chosen->count; i++)
        if (port->provides(port, lb_kernel_find(chosen->domains[i].function)))
            provided.domains[provided.count++] = chosen->domains[i];
    const char *option;
    if (lb_case_choice_first(&o->choice, &option) || provided.count == 0)
        return "";
    if (provided.count == 1)
        return domain_text(provided.domains, arena);
    char *text = total_text(&provided, arena);
    for (size_t i = 0; i < provided.count; i++)
        text = lb_arena_printf(arena, "%s%s %s", text, i ? "." : ":",
                               domain_text(&provided.domains[i], arena));
    return text;
}

/* Prints a text in lines of at most 110 characters, indented. */
static void print_wrapped(const char *text)
{
    enum { WIDTH = 108 };
    while (*text) {
        size_t length = strlen(text), taken = length;
        if (length > WIDTH)
            for (taken = WIDTH; taken > 0 && text[taken] != ' ';)
                taken--;
        taken = taken ? taken : length;
        printf("  %.*s\n", (int)taken, text);
        text += taken;
        text += *text == ' ';
    }
}

static int list(const choice *chosen)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < chosen->count; i++) {
        const lb_sweep_domain *domain = &chosen->domains[i];
        printf("%s  %s\n", domain->function,
               numbers_text(lb_sweep_call_count(domain), lb_sweep_input_count(domain), &arena));
        print_wrapped(lb_sweep_words(domain, &arena));
        printf("\n");
    }
    printf("%s, each in every profile\n", total_text(chosen, &arena));
    lb_arena_free(&arena);
    return fflush(stdout) == 0 ? 0 : 3;
}

/* ---- Running ---- */

static void sweep_open(lb_plan *plan, choice *chosen)
{
    plan->suites = lb_resized(NULL, chosen->count * sizeof *plan->suites);
    plan->first_case = lb_resized(NULL, (chosen->count + 1) * sizeof *plan->first_case);
    plan->first_case[0] = 0;
    for (size_t i = 0; i < chosen->count; i++) {
        plan->suites[i] = lb_sweep_suite(&chosen->domains[i]);
        plan->first_case[i + 1] = plan->first_case[i] + lb_suite_case_count(plan->suites[i]);
    }
    plan->suite_count = chosen->count;
}

static int run(lb_run_options *o, choice *chosen, int argc, char **argv)
{
    lb_plan plan = {0};
    lb_arena words = {0};
    int status;
    lb_port *port = lb_run_options_open(o, &plan, &status);
    if (port) {
        sweep_open(&plan, chosen);
        o->exhaustive = exhaustive_text(o, chosen, port, &words);
        status = lb_plan_fit_profiles(&plan) ? lb_execute(o, &plan, port, argc, argv) : 2;
        lb_plan_close_suites(&plan);
        port->close(port);
    }
    lb_arena_free(&words);
    return status;
}

static int sweep_command(int argc, char **argv)
{
    options o = {.run = lb_run_options_start("sweep")};
    choice chosen = {.count = 0};
    int status;
    bool parsed = lb_options_parse(&lb_sweep_command, argc, argv, &o, &o.functions, &status);
    if (parsed || status != 0)
        lb_report_folder_begin(o.run.resume ? NULL : o.run.report_folder);
    if (!parsed)
        return status;
    if (o.functions.count == 0 && !o.list)
        lb_usage_error("sweep",
                       "no function given: a public name, a pattern, or all; --list tells which");
    else if (choose(&o, &chosen))
        status = o.list ? list(&chosen) : run(&o.run, &chosen, argc, argv);
    return status;
}

static const lb_option table[] = {
    {"list", 0, LB_FLAG, NULL, LB_INTO(options, list),
     .help = "the functions with a domain, the domains in words, the numbers of calls and inputs"},
    {.name = NULL}};

const lb_command lb_sweep_command = {
    .name = "sweep",
    .summary = "try every input of a small domain on a port",
    .usage = "[OPTION...] FUNCTION...\n--list [FUNCTION...]",
    .about =
        "Tries every input of a small domain on a port: all 256 or 65,536 inputs of a function "
        "of one operand, all 65,536 pairs of 8-bit operands, at all parameters that matter, "
        "in every profile; and holds each output to the exact model, bit for bit. Reports say "
        "\"exhaustive\" and the domain in words, unless --case chooses calls.",
    .groups = {{table, 0, "What is tried"}, LB_RUN_GROUPS},
    .operand = {.name = "FUNCTION",
                "a public name, a pattern, or all (of MLI; 'litert_*': of LiteRT)",
                0,
                0,
                NULL,
                .offers = LB_OFFER_FUNCTIONS},
    .statuses = LB_MADE_RUN_STATUSES,
    .after = "The last line on standard output (with --json -: on standard error) is \"N passed, N "
             "failed, N skipped\", counted in calls and profiles.",
    .examples = "lastbit sweep --list 'mli_krn_sigm_*'\n"
                "lastbit sweep mli_krn_tanh_fx16\n"
                "lastbit sweep 'litert_softmax_*'\n"
                "lastbit sweep all --shard 2/8 --report build/sweep",
    .run = sweep_command};
