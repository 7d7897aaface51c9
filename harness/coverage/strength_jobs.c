/* Strength of many functions at once: see strength_jobs.h. Rows travel as lines of JSON. */
#include "harness/coverage/strength_jobs.h"
#include "harness/base/xalloc.h"
#include "harness/coverage/function_jobs.h"
#include "harness/coverage/strength_keep.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- One function ---- */

static void add_survivors(cJSON *row, const lb_strength *s, const lb_strength_limits *limits)
{
    lb_arena arena = {0};
    cJSON *survivors = cJSON_AddArrayToObject(row, "survivors");
    cJSON *equivalent = cJSON_AddArrayToObject(row, "proved");
    for (size_t f = 0; f < s->faults.count; f++) {
        const lb_fault *fault = &s->faults.items[f];
        lb_strength_state state = lb_strength_state_of(s, f, limits);
        if (state == LB_STRENGTH_CAUGHT)
            continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", lb_fault_name(fault, &arena));
        cJSON_AddStringToObject(one, "sentence", lb_fault_sentence(fault, &arena));
        cJSON_AddStringToObject(one, "section", lb_fault_section(fault, s->kernel));
        cJSON_AddStringToObject(one, "group", lb_fault_group_name(fault->kind->group));
        cJSON_AddStringToObject(one, "state", lb_strength_state_name(state));
        if (state == LB_STRENGTH_EQUIVALENT)
            cJSON_AddStringToObject(one, "proof", s->proofs[f]);
        cJSON_AddItemToArray(state == LB_STRENGTH_EQUIVALENT ? equivalent : survivors, one);
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
}

static void add_useful(cJSON *row, const lb_strength *s, const lb_strength_row *cases)
{
    cJSON *useful = cJSON_AddArrayToObject(row, "useful");
    for (size_t i = 0; i < cases->count; i++) {
        if (s->gain[i] == 0)
            continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "place", (double)cases->items[i].place);
        cJSON_AddNumberToObject(one, "gain", (double)s->gain[i]);
        cJSON_AddItemToArray(useful, one);
    }
}

/* Faults that are proved to be none, and that a case has caught. */
static void add_contradicted(cJSON *row, const lb_strength *s)
{
    lb_arena arena = {0};
    cJSON *names = cJSON_AddArrayToObject(row, "contradicted");
    for (size_t f = 0; f < s->faults.count; f++)
        if (s->proofs[f] && s->catches[f] > 0)
            cJSON_AddItemToArray(
                names, cJSON_CreateString(lb_fault_sentence(&s->faults.items[f], &arena)));
    lb_arena_free(&arena);
}

static cJSON *row_of(const lb_strength *s, const lb_strength_row *cases,
                     const lb_strength_limits *limits)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "function", s->kernel->name);
    cJSON_AddStringToObject(row, "family", lb_family_name(s->kernel->family));
    cJSON_AddStringToObject(row, "profile", s->profile->name);
    cJSON_AddNumberToObject(row, "cases", (double)cases->count);
    cJSON_AddNumberToObject(row, "faults",
                            (double)(s->faults.count - s->count[LB_STRENGTH_EQUIVALENT]));
    for (int state = 0; state < LB_STRENGTH_STATE_COUNT; state++)
        cJSON_AddNumberToObject(row, lb_strength_state_name((lb_strength_state)state),
                                (double)s->count[state]);
    cJSON_AddNumberToObject(row, "trials", (double)s->trials);
    cJSON_AddNumberToObject(row, "cut_cases", (double)s->cut_cases);
    add_survivors(row, s, limits);
    add_contradicted(row, s);
    add_useful(row, s, cases);
    return row;
}

/* Where rows land: at the place of their function and profile. */
typedef struct gathered {
    const lb_strength_jobs *jobs;
    cJSON **rows;
} gathered;

/* The row as text; the caller frees it with cJSON_free. */
static char *measured_row(const lb_strength_jobs *jobs, size_t kernel, size_t profile)
{
    const lb_strength_row *cases = &jobs->cases->of[kernel];
    const cJSON *known =
        lb_strength_kept_row(jobs->kept, lb_kernel_at(kernel)->name, jobs->profiles[profile]->name);
    lb_strength s;
    if (known)
        return cJSON_PrintUnformatted(known);
    lb_strength_measure(&s, cases, lb_kernel_at(kernel), jobs->profiles[profile], &jobs->limits);
    cJSON *row = row_of(&s, cases, &jobs->limits);
    char *text = cJSON_PrintUnformatted(row);
    if (jobs->kept && !lb_strength_keep(jobs->kept, text)) {
        perror("lastbit vectors strength: --keep");
        cJSON_free(text);
        text = NULL;
    }
    cJSON_Delete(row);
    lb_strength_free(&s);
    return text;
}

static bool write_function(void *user, size_t kernel, FILE *out)
{
    const lb_strength_jobs *jobs = ((gathered *)user)->jobs;
    bool good = true;
    for (size_t p = 0; good && p < jobs->profile_count; p++) {
        if (!lb_kernel_is_in(lb_kernel_at(kernel), jobs->profiles[p]))
            continue;
        char *text = measured_row(jobs, kernel, p);
        good = text != NULL;
        if (text)
            fprintf(out, "%zu\t%s\n", p, text);
        cJSON_free(text);
    }
    if (jobs->progress)
        fprintf(stderr, "%s\n", lb_kernel_at(kernel)->name);
    return good;
}

static void keep_row(void *user, size_t kernel, char *line)
{
    gathered *g = user;
    char *rest;
    size_t profile = strtoul(line, &rest, 10);
    if (*rest == '\t' && profile < g->jobs->profile_count)
        g->rows[kernel * g->jobs->profile_count + profile] = cJSON_Parse(rest + 1);
}

cJSON *lb_strength_run(const lb_strength_jobs *jobs)
{
    size_t places = lb_kernel_total() * jobs->profile_count;
    gathered g = {.jobs = jobs, .rows = lb_zeroed(places, sizeof(cJSON *))};
    const lb_function_jobs work = {.wanted = jobs->wanted,
                                   .jobs = jobs->jobs,
                                   .each = write_function,
                                   .user = &g,
                                   .line = keep_row};
    cJSON *all = lb_function_jobs_run(&work) ? cJSON_CreateArray() : NULL;
    for (size_t i = 0; all && i < places; i++)
        if (g.rows[i])
            cJSON_AddItemToArray(all, g.rows[i]);
    free(g.rows);
    return all;
}
