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

/* What a call does to its handle: one that goes to other channels leaves no callback behind. */
enum { ACQUIRE, PREPARE, START, IS_DONE, WAIT, REGISTER, RELEASE, SET_CHANNELS, SYNC, CALLS };
static const struct {
    const char *name;
    bool has_handle, leaves_channels, begins_anew, is_done;
} calls[CALLS] = {
    [ACQUIRE] = {"mli_mov_acquire_handle", true, true, true, false},
    [PREPARE] = {"mli_mov_prepare", true, false, true, false},
    [START] = {"mli_mov_start", true, false, false, true},
    [IS_DONE] = {"mli_mov_isdone", true, false, false, false},
    [WAIT] = {"mli_mov_wait", true, false, false, false},
    [REGISTER] = {"mli_mov_registercallback", true, false, false, false},
    [RELEASE] = {"mli_mov_release_handle", true, true, true, false},
    [SET_CHANNELS] = {"mli_mov_set_num_dma_ch", false, false, false, false},
    [SYNC] = {"mli_mov_tensor_sync", false, false, false, false},
};

static lb_step *add(play *p, int call, int h)
{
    lb_case *c = p->b->c;
    known *of = &p->of[h];
    lb_step *step = &c->steps[c->step_count++];
    *step = (lb_step){.call = lb_arena_strdup(p->b->arena, calls[call].name),
                      .handle = calls[call].has_handle ? h : -1};
    of->done = (of->done && !calls[call].begins_anew) || calls[call].is_done;
    return step;
}

static void set_channels(play *p, int base, int size)
{
    lb_step *step = add(p, SET_CHANNELS, 0);
    step->has_ch_offset = step->has_num_ch = true;
    step->ch_offset = p->base = base;
    step->num_ch = p->size = size;
}

static void register_callback(play *p, int h, const char *name)
{
    lb_step *step = add(p, REGISTER, h);
    step->has_callback = step->has_cookie = true;
    step->callback = name ? lb_arena_strdup(p->b->arena, name) : NULL;
    step->cookie = lb_build_pick(p->b, -9, 9);
    p->of[h].has_callback = name != NULL;
}

static void one_step(play *p, int call, int h)
{
    lb_build *b = p->b;
    for (int other = 0; other < HANDLES; other++)
        if ((call == SET_CHANNELS || (calls[call].leaves_channels && other == h)) &&
            p->of[other].has_callback)
            register_callback(p, other, NULL);
    if (call == WAIT && !p->of[h].done)
        add(p, START, h);
    if (call == REGISTER) {
        register_callback(p, h, lb_build_once_in(b, 2) ? "one" : "two");
    } else if (call == SET_CHANNELS) {
        const int base = lb_build_pick(b, 0, 6);
        set_channels(p, base, lb_build_pick(b, 0, 8));
    } else {
        lb_step *step = add(p, call, h);
        const int left = CHANNELS - p->base - p->size + 1;
        step->has_num_ch = call == ACQUIRE;
        if (step->has_num_ch)
            step->num_ch = lb_build_pick(b, 0, lb_build_clamp(left, 0, 3));
    }
}

/* The step that a function takes. */
static int step_of(const char *name)
{
    int call = CALLS - 1;
    while (call > 0 && strcmp(calls[call].name, name) != 0)
        call--;
    return call;
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
    const int steps = lb_build_pick(b, 2, 8), special = lb_build_pick(b, 0, steps - 1);
    for (int i = 0; i < steps; i++) {
        const int call = i == special ? step_of(name) : lb_build_pick(b, 0, CALLS - 1);
        one_step(&p, call, lb_build_pick(b, 0, HANDLES - 1));
    }
    for (int h = 0; h < HANDLES; h++)
        one_step(&p, RELEASE, h);
}
