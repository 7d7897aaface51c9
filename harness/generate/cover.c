/* lastbit vectors generate --cover: cases that reach what suites miss. See wish.h. */
#include "harness/base/clock.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/suites.h"
#include "harness/generate/cover_search.h"
#include "harness/generate/output.h"
#include "harness/generate/wish.h"
#include "harness/suite/case_write.h"

#include <stdio.h>

enum { MAX_TEXT_BYTES = 40000, PATIENCE = 3000 };

static void note_case(void *user, const char *path, const lb_case *c)
{
    (void)path;
    lb_cover_corpus_add(user, c);
}

static size_t missed_of(const lb_cover_map *map, const bool *wanted)
{
    size_t missed = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (wanted[i])
            missed += lb_cover_map_figures(map, &map->functions[i]).missed;
    return missed;
}

/* Searches every function; gives how many were not searched to their end as the time was up. */
static size_t search_functions(const lb_generate_wish *r, lb_cover_search *search, FILE *out,
                               size_t *found)
{
    size_t total = 0, at = 0, left = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        total += r->wanted[i];
    search->search.until = lb_now_seconds() + r->seconds;
    for (size_t i = 0; i < lb_kernel_total() && !ferror(out); i++) {
        if (!r->wanted[i])
            continue;
        at++;
        if (r->progress && !lb_search_is_time_up(&search->search))
            fprintf(stderr, "%zu of %zu functions: %s\n", at, total, lb_kernel_at(i)->name);
        *found += lb_cover_search_function(search, lb_kernel_at(i), out);
        left += lb_search_is_time_up(&search->search);
    }
    return left;
}

typedef struct covering {
    const lb_generate_wish *request;
    lb_cover_search *search;
} covering;

static void search_all(void *user, FILE *out)
{
    const covering *c = user;
    const lb_generate_wish *r = c->request;
    lb_cover_search *search = c->search;
    size_t found = 0, before = missed_of(search->map, r->wanted);
    size_t left = search_functions(r, search, out, &found);
    if (left > 0)
        fprintf(stderr,
                "%zu functions were not searched to their end: %g seconds were up (--seconds; "
                "--function NAME "
                "takes one at a time)\n",
                left, r->seconds);
    fprintf(stderr, "%zu cases reach %zu of %zu missed points\n", found,
            before - missed_of(search->map, r->wanted), before);
}

int lb_generate_cover(const lb_generate_wish *r)
{
    const lb_profile *profiles[LB_SET_COUNT * LB_PROFILE_COUNT];
    size_t profile_count = 0;
    for (int s = 0; s < LB_SET_COUNT; s++)
        for (unsigned p = 0; p < lb_kernel_sets[s]->profile_count; p++)
            profiles[profile_count++] = &lb_kernel_sets[s]->profiles[p];
    lb_cover_map *map = lb_cover_map_new(lb_cover_profiles(profiles, profile_count));
    lb_cover_corpus *corpus = map ? lb_cover_corpus_new() : NULL;
    lb_arena arena = {0};
    int status = 3;
    if (corpus) {
        lb_cover_suites suites = {.map = map,
                                  .level = r->up_to,
                                  .profiles = profiles,
                                  .profile_count = profile_count,
                                  .each = note_case,
                                  .user = corpus};
        status = lb_cover_suites_read(&suites, r->paths, r->path_count) ? 0 : 2;
    }
    lb_cover_search search = {.map = map,
                              .search = {.seed = r->seed,
                                         .patience = r->patience ? r->patience : PATIENCE,
                                         .max_text_bytes = MAX_TEXT_BYTES,
                                         .level = r->level,
                                         .corpus = corpus}};
    if (status == 0 && r->of_suites)
        lb_cover_keep_called(map, r->wanted);
    if (status == 0)
        status = lb_generate_write(r->output, lb_arena_printf(&arena, "coverage.seed%lu", r->seed),
                                   search_all, &(covering){r, &search});
    lb_arena_free(&arena);
    lb_cover_corpus_free(corpus);
    lb_cover_map_free(map);
    return status;
}
