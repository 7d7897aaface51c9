/* lastbit vectors generate --faults and --pairs: cases that catch what survives suites. See
 * wish.h. */
#include "harness/base/xalloc.h"
#include "harness/coverage/function_jobs.h"
#include "harness/coverage/suites.h"
#include "harness/generate/fault_search.h"
#include "harness/generate/output.h"
#include "harness/generate/wish.h"
#include "harness/suite/case_write.h"
#include "harness/suite/profile_choice.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT_BYTES = 40000, TRIES = 60, PATIENCE = 400 };
static const uint64_t STEPS = 20000000;

typedef struct work {
    const lb_generate_wish *request;
    lb_strength_cases cases, first;
    lb_cover_corpus *corpus;
    lb_texts found[256]; /* by function */
    size_t open, closed;
} work;

/* Its cases, and then the figures as "open closed". */
static bool hunt_function(void *user, size_t kernel, FILE *out)
{
    work *w = user;
    const lb_generate_wish *r = w->request;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count = 0;
    for (size_t p = 0; p < r->profile_count; p++)
        if (lb_kernel_is_in(lb_kernel_at(kernel), r->profiles[p]))
            profiles[profile_count++] = r->profiles[p];
    lb_fault_search search = {.cases = &w->cases,
                              .first = &w->first,
                              .limits = {.catches = r->catches, .steps = STEPS, .tries = TRIES},
                              .pairs = r->pairs,
                              .search = {.corpus = w->corpus,
                                         .profiles = profiles,
                                         .profile_count = profile_count,
                                         .seed = r->seed,
                                         .patience = r->patience ? r->patience : PATIENCE,
                                         .gain = r->gain,
                                         .max_text_bytes = MAX_TEXT_BYTES,
                                         .level = r->level}};
    lb_fault_search_result result = lb_fault_search_function(&search, lb_kernel_at(kernel), out);
    fprintf(out, "%zu %zu\n", result.open, result.closed);
    return true;
}

static void keep_line(void *user, size_t kernel, char *line)
{
    work *w = user;
    if (*line != '{') {
        char *rest;
        w->open += strtoul(line, &rest, 10);
        w->closed += strtoul(rest, NULL, 10);
        return;
    }
    lb_texts_add(&w->found[kernel], line);
}

/* The cheapest last: the newest are taken most often. */
static void fill_corpus(work *w)
{
    lb_arena arena = {0};
    w->corpus = lb_cover_corpus_new();
    for (size_t k = 0; w->corpus && k < lb_kernel_total(); k++)
        for (size_t i = w->cases.of[k].count; i-- > 0;) {
            const char *text = w->cases.of[k].items[i].text;
            lb_case c = {0};
            lb_arena_reset(&arena);
            if (strlen(text) <= MAX_TEXT_BYTES && lb_case_from_json(text, strlen(text), &arena, &c))
                lb_cover_corpus_add(w->corpus, &c);
        }
    lb_arena_free(&arena);
}

static void write_all(void *user, FILE *out)
{
    const work *w = user;
    size_t cases = 0;
    for (size_t k = 0; k < lb_kernel_total(); k++)
        for (size_t i = 0; i < w->found[k].count; i++, cases++)
            fprintf(out, "%s\n", w->found[k].items[i]);
    if (w->request->pairs)
        fprintf(stderr,
                "%zu cases tell %zu of %zu faults from others that they shared all results with\n",
                cases, w->closed, w->open);
    else if (w->request->catches > 1)
        fprintf(stderr,
                "%zu cases: %zu of %zu faults that fewer than %u cases of the suites catch are "
                "caught by so many\n",
                cases, w->closed, w->open, w->request->catches);
    else
        fprintf(stderr, "%zu cases catch %zu of %zu faults that survive the suites\n", cases,
                w->closed, w->open);
}

/* False: the suite is wrong. */
static bool read_first(work *w)
{
    char *const path = strdup(w->request->first);
    bool good = path && lb_strength_cases_read(&w->first, &path, 1, LB_LEVEL_DEEP);
    free(path);
    return good;
}

int lb_generate_faults(const lb_generate_wish *r)
{
    work *w = lb_resized(NULL, sizeof *w);
    *w = (work){.request = r};
    int status = lb_strength_cases_read(&w->cases, r->paths, r->path_count, r->up_to) ? 0 : 2;
    if (status == 0 && r->first && !read_first(w))
        status = 2;
    if (status == 0) {
        lb_cover_keep_sets(r->wanted, w->cases.sets);
        const lb_function_jobs jobs = {.wanted = r->wanted,
                                       .jobs = r->jobs,
                                       .each = hunt_function,
                                       .user = w,
                                       .line = keep_line};
        fill_corpus(w);
        status = w->corpus && lb_function_jobs_run(&jobs)
                     ? lb_generate_write(r->output, r->pairs ? "pairs" : "faults", write_all, w)
                     : 3;
    }
    for (size_t k = 0; k < lb_kernel_total(); k++)
        lb_texts_free(&w->found[k]);
    lb_cover_corpus_free(w->corpus);
    lb_strength_cases_free(&w->cases);
    lb_strength_cases_free(&w->first);
    free(w);
    return status;
}
