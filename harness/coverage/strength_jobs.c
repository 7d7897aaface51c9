/* Strength of many functions at once: see strength_jobs.h. Each process takes the next function
 * that nobody has, and writes lines of JSON into a file of its own. */
#include "harness/coverage/strength_jobs.h"
#include "harness/base/child.h"
#include "harness/base/xalloc.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_JOBS = 64 };

/* ---- One function ---- */

static void add_survivors(cJSON *row, const lb_strength *s, const lb_strength_limits *limits)
{
    lb_arena arena = {0};
    cJSON *survivors = cJSON_AddArrayToObject(row, "survivors");
    for (size_t f = 0; f < s->faults.count; f++) {
        const lb_fault *fault = &s->faults.items[f];
        lb_strength_state state = lb_strength_state_of(s, f, limits);
        if (state == LB_STRENGTH_CAUGHT)
            continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", lb_fault_name(fault, &arena));
        cJSON_AddStringToObject(one, "sentence", lb_fault_sentence(fault, &arena));
        cJSON_AddStringToObject(one, "section", lb_fault_section(fault));
        cJSON_AddStringToObject(one, "group", lb_fault_group_name(fault->kind->group));
        cJSON_AddStringToObject(one, "state", lb_strength_state_name(state));
        cJSON_AddItemToArray(survivors, one);
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

static cJSON *row_of(const lb_strength *s, const lb_strength_row *cases,
                     const lb_strength_limits *limits)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "function", s->kernel->name);
    cJSON_AddStringToObject(row, "family", lb_family_name(s->kernel->family));
    cJSON_AddStringToObject(row, "profile", s->profile->name);
    cJSON_AddNumberToObject(row, "cases", (double)cases->count);
    cJSON_AddNumberToObject(row, "faults", (double)s->faults.count);
    for (int state = 0; state < LB_STRENGTH_STATE_COUNT; state++)
        cJSON_AddNumberToObject(row, lb_strength_state_name((lb_strength_state)state),
                                (double)s->count[state]);
    cJSON_AddNumberToObject(row, "trials", (double)s->trials);
    cJSON_AddNumberToObject(row, "cut_cases", (double)s->cut_cases);
    add_survivors(row, s, limits);
    add_useful(row, s, cases);
    return row;
}

static bool write_function(const lb_strength_jobs *jobs, size_t kernel, FILE *out)
{
    const lb_strength_row *cases = &jobs->cases->of[kernel];
    for (size_t p = 0; p < jobs->profile_count; p++) {
        lb_strength s;
        lb_strength_measure(&s, cases, &lb_kernels[kernel], jobs->profiles[p], &jobs->limits);
        cJSON *row = row_of(&s, cases, &jobs->limits);
        char *text = cJSON_PrintUnformatted(row);
        if (text)
            fprintf(out, "%zu\t%zu\t%s\n", kernel, p, text);
        cJSON_free(text);
        cJSON_Delete(row);
        lb_strength_free(&s);
    }
    if (jobs->progress)
        fprintf(stderr, "%s\n", lb_kernels[kernel].name);
    return fflush(out) == 0 && !ferror(out);
}

/* ---- Processes ---- */

static bool work(const lb_strength_jobs *jobs, atomic_size_t *next, FILE *out)
{
    bool good = true;
    size_t kernel;
    while (good && (kernel = atomic_fetch_add(next, 1)) < lb_kernel_count)
        if (jobs->wanted[kernel])
            good = write_function(jobs, kernel, out);
    return good;
}

static pid_t start(const lb_strength_jobs *jobs, atomic_size_t *next, FILE *out)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        bool good = work(jobs, next, out);
        lb_child_exit(good ? 0 : 1);
    }
    return child;
}

static bool is_over_well(pid_t child)
{
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* Rows land at their place, whatever process has made them. */
static void read_rows(FILE *from, size_t profile_count, cJSON **rows)
{
    char *line = NULL;
    size_t room = 0;
    rewind(from);
    while (getline(&line, &room, from) > 0) {
        size_t kernel, profile;
        int at = 0;
        if (sscanf(line, "%zu\t%zu\t%n", &kernel, &profile, &at) == 2)
            rows[kernel * profile_count + profile] = cJSON_Parse(line + at);
    }
    free(line);
}

static cJSON *gathered(FILE *const *files, unsigned count, size_t profile_count)
{
    size_t places = lb_kernel_count * profile_count;
    cJSON **rows = calloc(places, sizeof *rows), *all = cJSON_CreateArray();
    if (!rows)
        lb_out_of_memory(places * sizeof *rows);
    for (unsigned i = 0; i < count; i++)
        read_rows(files[i], profile_count, rows);
    for (size_t i = 0; i < places; i++)
        if (rows[i])
            cJSON_AddItemToArray(all, rows[i]);
    free(rows);
    return all;
}

cJSON *lb_strength_run(const lb_strength_jobs *jobs)
{
    unsigned count = jobs->jobs < 1 ? 1 : jobs->jobs > MAX_JOBS ? MAX_JOBS : jobs->jobs, made = 0;
    FILE *files[MAX_JOBS];
    pid_t children[MAX_JOBS];
    bool good = true;
    atomic_size_t *next =
        mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED)
        return perror("lastbit vectors"), NULL;
    atomic_init(next, 0);
    for (; made < count && (files[made] = tmpfile()) != NULL; made++)
        children[made] = start(jobs, next, files[made]);
    if (made < count)
        perror("lastbit vectors: a temporary file");
    for (unsigned i = 0; i < made; i++)
        good = is_over_well(children[i]) && good;
    if (!good)
        fprintf(stderr, "lastbit vectors: a process that tried faults has failed\n");
    cJSON *all = good && made == count ? gathered(files, made, jobs->profile_count) : NULL;
    for (unsigned i = 0; i < made; i++)
        fclose(files[i]);
    munmap(next, sizeof *next);
    return all;
}
