/* Cases that a search tries: see candidate.h. */
#include "harness/generate/candidate.h"
#include "harness/base/xalloc.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/case_change.h"
#include "harness/generate/output.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cases to change ---- */

struct lb_cover_corpus {
    lb_texts of[256]; /* by function */
};

lb_cover_corpus *lb_cover_corpus_new(void)
{
    return lb_zeroed(1, sizeof(lb_cover_corpus));
}

void lb_cover_corpus_add(lb_cover_corpus *corpus, const lb_case *c)
{
    lb_arena arena = {0};
    if (!c->kernel || !c->kernel->exact || c->chain.steps)
        return;
    lb_case bare = *c;
    bare.expect_count = bare.tag_count = 0;
    bare.note = NULL;
    lb_texts_add(&corpus->of[lb_kernel_number(c->kernel)], lb_case_to_json(&bare, &arena));
    lb_arena_free(&arena);
}

void lb_cover_corpus_free(lb_cover_corpus *corpus)
{
    for (size_t i = 0; corpus && i < sizeof corpus->of / sizeof corpus->of[0]; i++)
        lb_texts_free(&corpus->of[i]);
    free(corpus);
}

const char *lb_found_text(lb_case *c, const char *tag, const char *level, bool vacuous,
                          lb_arena *arena)
{
    const char *const tags[] = {tag, level, vacuous ? LB_VACUOUS_ON_PURPOSE : NULL};
    c->tags = lb_arena_array(arena, sizeof tags / sizeof *tags, sizeof *c->tags);
    c->tag_count = 0;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i])
            c->tags[c->tag_count++] = lb_arena_strdup(arena, tags[i]);
    return lb_case_to_json(c, arena);
}

/* ---- Candidates ---- */

static bool take_from(lb_build *b, const lb_cover_corpus *corpus, const lb_kernel *from)
{
    const lb_texts *t = &corpus->of[lb_kernel_number(from)];
    if (t->count == 0)
        return false;
    /* The latest finds are the likeliest to lead on. */
    size_t newest = t->count > 40 && lb_build_once_in(b, 2) ? t->count - 40 : 0;
    const char *text = t->items[lb_random_in(&b->random, (int64_t)newest, (int64_t)t->count - 1)];
    return lb_case_from_json(text, strlen(text), b->arena, b->c);
}

static bool make_new(lb_build *b, const lb_kernel *kernel, uint64_t seed, uint64_t index)
{
    lb_random_options options = {.seed = seed, .small = true};
    options.wide = (unsigned)lb_random_in(&b->random, 0, 6);
    options.long_extent = lb_build_once_in(b, 2);
    return lb_random_case(kernel, &options, index, b->arena, b->c);
}

/* One to three things that checks look at are broken: one tells which, two in which order. */
static bool make_broken(lb_build *b, const lb_kernel *kernel, uint64_t seed, uint64_t index)
{
    if (!make_new(b, kernel, seed, index))
        return false;
    for (int64_t breaks = lb_random_in(&b->random, 1, 3); breaks > 0; breaks--)
        lb_case_break(b);
    return true;
}

static void aim(lb_build *b)
{
    if (!lb_random_aim_multiplier(b))
        lb_random_aim_edge(b);
}

/* A small one, as many calls find the place. */
static bool make_aimed(lb_build *b, const lb_kernel *kernel, uint64_t seed, uint64_t index)
{
    const lb_random_options options = {.seed = seed, .small = true};
    if (!lb_random_case(kernel, &options, index, b->arena, b->c) || !b->c->kernel)
        return false;
    aim(b);
    return true;
}

static bool make(lb_build *b, const lb_candidates *from, const lb_kernel *kernel, uint64_t index)
{
    if (lb_build_once_in(b, 3))
        return make_aimed(b, kernel, from->seed, index);
    if (lb_build_once_in(b, 4) && lb_kernel_refuses(kernel))
        return make_broken(b, kernel, from->seed, index);
    const bool is_new = lb_random_in(&b->random, 0, 9) < 4;
    if (!(is_new ? make_new(b, kernel, from->seed, index) : take_from(b, from->corpus, kernel)))
        return false;
    for (int64_t changes = lb_random_in(&b->random, !is_new, 2 + !is_new); changes > 0; changes--)
        lb_case_mutate(b);
    if (lb_build_once_in(b, 4))
        aim(b);
    return true;
}

bool lb_candidate_make(const lb_candidates *from, const lb_kernel *kernel, uint64_t index,
                       lb_arena *arena, lb_case *c)
{
    static const lb_random_options options = {.small = true};
    lb_build b = {.random = lb_random_start(from->seed ^ 0x5bd1e995u, index),
                  .options = &options,
                  .arena = arena,
                  .c = c};
    return make(&b, from, kernel, index);
}
