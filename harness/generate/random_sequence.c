/* Made-up sequences of asynchronous movement: two handles, a pool of channels, callbacks. They end
 * as they began, without callbacks, so that cases may run in any order; nothing waits that is not
 * done. Rules: pooling_and_movement.md 6. */
#include "harness/generate/random_build.h"

#include <string.h>

enum { HANDLES = 2, MAX_STEPS = 24, CHANNELS = 16 };

/* What is known of a handle. */
typedef struct known {
    bool done, has_callback;
} known;

typedef struct play {
    lb_build *b;
    known of[HANDLES];
    int base, size;
} play;

static lb_step *add(play *p, const char *call, int handle)
{
    lb_case *c = p->b->c;
    lb_step *step = &c->steps[c->step_count++];
    *step = (lb_step){.call = lb_arena_strdup(p->b->arena, call), .handle = handle};
    return step;
}

static void set_channels(play *p, int base, int size)
{
    lb_step *step = add(p, "mli_mov_set_num_dma_ch", -1);
    step->has_ch_offset = step->has_num_ch = true;
    step->ch_offset = p->base = base;
    step->num_ch = p->size = size;
}

static void register_callback(play *p, int h, const char *name)
{
    lb_step *step = add(p, "mli_mov_registercallback", h);
    step->has_callback = step->has_cookie = true;
    step->callback = name ? lb_arena_strdup(p->b->arena, name) : NULL;
    step->cookie = lb_build_pick(p->b, -9, 9);
    p->of[h].has_callback = name != NULL;
}

/* A handle that goes to other channels leaves no callback behind. */
static void leave_channels(play *p, int h)
{
    if (p->of[h].has_callback)
        register_callback(p, h, NULL);
}

static void acquire(play *p, int h)
{
    leave_channels(p, h);
    int most = CHANNELS - p->base - p->size + 1;
    lb_step *step = add(p, "mli_mov_acquire_handle", h);
    step->has_num_ch = true;
    step->num_ch = lb_build_pick(p->b, 0, most > 3 ? 3 : most < 0 ? 0 : most);
    p->of[h].done = false;
}

static void release(play *p, int h)
{
    leave_channels(p, h);
    add(p, "mli_mov_release_handle", h);
    p->of[h].done = false;
}

static void one_step(play *p, int what)
{
    lb_build *b = p->b;
    int h = lb_build_pick(b, 0, HANDLES - 1), last;
    switch (what) {
    case 0:
        acquire(p, h);
        break;
    case 1:
        add(p, "mli_mov_prepare", h);
        p->of[h].done = false;
        break;
    case 2:
        add(p, "mli_mov_start", h);
        p->of[h].done = true;
        break;
    case 3:
        add(p, "mli_mov_isdone", h);
        break;
    case 4:
        if (!p->of[h].done) {
            add(p, "mli_mov_start", h);
            p->of[h].done = true;
        }
        add(p, "mli_mov_wait", h);
        break;
    case 5:
        register_callback(p, h, lb_random_once_in(&b->random, 2) ? "one" : "two");
        break;
    case 6:
        release(p, h);
        break;
    case 7:
        for (int other = 0; other < HANDLES; other++)
            leave_channels(p, other);
        last =
            lb_build_pick(b, 0, 8); /* before the first: the order of draws is part of the case */
        set_channels(p, lb_build_pick(b, 0, 6), last);
        break;
    default:
        add(p, "mli_mov_tensor_sync", -1);
    }
}

/* The step that a function takes. */
static int step_of(const char *name)
{
    static const char *const calls[] = {
        "mli_mov_acquire_handle", "mli_mov_prepare",        "mli_mov_start",
        "mli_mov_isdone",         "mli_mov_wait",           "mli_mov_registercallback",
        "mli_mov_release_handle", "mli_mov_set_num_dma_ch", "mli_mov_tensor_sync"};
    for (int i = 0; i < (int)(sizeof calls / sizeof calls[0]); i++)
        if (strcmp(calls[i], name) == 0)
            return i;
    return 0;
}

void lb_random_sequence(lb_build *b, const char *name)
{
    lb_case *c = b->c;
    play p = {.b = b};
    c->function = lb_arena_strdup(b->arena, "mli_mov_sequence");
    c->kernel = NULL;
    c->handle_count = HANDLES;
    c->handles = lb_arena_array(b->arena, HANDLES, sizeof *c->handles);
    for (int h = 0; h < HANDLES; h++)
        c->handles[h].name = lb_arena_strdup(b->arena, h ? "b" : "a");
    c->steps = lb_arena_array(b->arena, MAX_STEPS + 3 * 16, sizeof *c->steps);
    set_channels(&p, 0, CHANNELS);
    int steps = lb_build_pick(b, 2, 8), special = lb_build_pick(b, 0, steps - 1);
    for (int i = 0; i < steps; i++)
        one_step(&p, i == special ? step_of(name) : lb_build_pick(b, 0, 8));
    for (int h = 0; h < HANDLES; h++)
        release(&p, h);
}
