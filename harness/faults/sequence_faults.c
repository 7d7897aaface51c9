/* Faults of the movement calls that share state: edits of their rules. See sequence_faults.h. */
#include "harness/faults/sequence_faults.h"

#include <stddef.h>
#include <string.h>

typedef struct player {
    const lb_sequence_fault *fault;
    lb_instance *instance;
    lb_arena *arena;
    lb_mov_step waiting; /* a movement whose data are still to come; dst NULL: none */
} player;

/* The data go back to where they were, and are still to come. */
static void move_later(player *p, lb_mov_state *state, lb_mov_step *s)
{
    size_t bytes = p->instance->memory->block_bytes;
    unsigned char *before = lb_arena_alloc(p->arena, bytes + 1);
    memcpy(before, p->instance->block, bytes);
    lb_sequence_model_move(state, s);
    if (s->status != LB_OK)
        return;
    memcpy(p->instance->block, before, bytes);
    p->waiting = *s;
}

static void move_waiting(player *p, lb_mov_state *state)
{
    lb_mov_handle handle = {.state = LB_MOV_OPEN};
    if (p->waiting.dst)
        (void)lb_mov_prepare(state, &handle, p->waiting.src, p->waiting.config, p->waiting.dst);
    p->waiting = (lb_mov_step){.dst = NULL};
}

static void move(void *user, lb_mov_state *state, lb_mov_step *s)
{
    player *p = user;
    memcpy((unsigned char *)&state->rules + p->fault->rule, &p->fault->n, 1);
    if (p->fault->data_at_start && s->call == LB_MOV_CALL_START)
        move_waiting(p, state);
    if (p->fault->data_at_start && s->call == LB_MOV_CALL_PREPARE)
        move_later(p, state, s);
    else
        lb_sequence_model_move(state, s);
}

lb_step_outcome *lb_sequence_play_fault(lb_instance *instance, const lb_sequence_fault *fault,
                                        lb_arena *arena)
{
    player p = {.fault = fault, .instance = instance, .arena = arena};
    return lb_sequence_play_as(instance, move, &p, arena);
}

/* ---- The table ---- */

#define CHANNELS "the loop over channels, their status"
#define CALLBACK "where callbacks are kept and called"
#define HANDLE   "what the call writes into the handle"

#define IS(rule_, number) .rule = offsetof(lb_mov_rules, rule_), .n = (number)

/* clang-format off */
const lb_sequence_fault lb_sequence_faults[] = {
    {"callback.never", "never calls a callback", CALLBACK, 6, IS(silent_from, 0)},
    {"callback.high_never", "never calls the callbacks of channels 8 and more", CALLBACK, 4, IS(silent_from, 8)},
    {"callback.high_never_1", "never calls the callbacks of channels 1 and more", CALLBACK, 4, IS(silent_from, 1)},
    {"callback.high_never_4", "never calls the callbacks of channels 4 and more", CALLBACK, 4, IS(silent_from, 4)},
    {"callback.once", "forgets a callback after its first call", CALLBACK, 5, IS(forgets, true)},
    {"callback.early", "calls the callback when a movement is prepared, and not when it starts", CALLBACK, 4, IS(calls_at, LB_MOV_AT_PREPARE)},
    {"callback.twice", "calls the callback when a movement is prepared too", CALLBACK, 3, IS(calls_at, LB_MOV_AT_START | LB_MOV_AT_PREPARE)},
    {"callback.shared", "keeps one callback for all channels", CALLBACK, 4, IS(is_shared, true)},
    {"callback.cookie", "calls a callback with the number 0", CALLBACK, 4, IS(has_cookie, false)},
    {"callback.kept", "keeps a callback that NULL should remove", CALLBACK, 4, IS(removes, false)},
    {"callback.all", "calls the callbacks of all channels of a handle", CALLBACK, 3, IS(calls_all, true)},
    {"acquire.highest", "takes the highest free channels in place of the lowest", CHANNELS, 4, IS(goes_up, false)},
    {"acquire.in_pool", "takes no block that runs past the end of the pool", CHANNELS, 6, IS(ends_in_pool, true)},
    {"acquire.unmarked", "does not mark channels as used", CHANNELS, 5, IS(marks, false)},
    {"acquire.first", "looks at the first channel of a block alone", CHANNELS, 4, IS(looks_at_all, false)},
    {"acquire.relative", "counts channels from the base of the pool", CHANNELS, 4, IS(counts_from_zero, false)},
    {"acquire.no_none", "refuses 0 channels", CHANNELS, 5, IS(refuses_none, true)},
    {"acquire.none", "gives 0 channels where the pool is empty", CHANNELS, 4, IS(gives_none, true)},
    {"acquire.wipes", "changes the handle where no channels are free", HANDLE, 4, IS(wipes_handle, true)},
    {"acquire.state", "leaves a new handle in another state: invalid", HANDLE, 3, IS(acquired, LB_MOV_INVALID)},
    {"acquire.prepared", "leaves a new handle in another state: prepared", HANDLE, 3, IS(acquired, LB_MOV_PREPARED)},
    {"acquire.argument_error", "gives ARGUMENT_ERROR where no channels are free", "the status at the end of the search", 4, IS(none_free, LB_ARGUMENT_ERROR)},
    {"acquire.not_supported", "gives NOT_SUPPORTED where no channels are free", "the status at the end of the search", 3, IS(none_free, LB_NOT_SUPPORTED)},
    {"acquire.ok", "gives OK where no channels are free", "the status at the end of the search", 4, IS(none_free, LB_OK)},
    {"release.keeps_channels", "does not give channels back", CHANNELS, 6, IS(gives_back, 0)},
    {"release.first_channel", "gives back the first channel of a handle alone", CHANNELS, 5, IS(gives_back, 1)},
    {"release.keeps_handle", "leaves a released handle as it was", HANDLE, 6, IS(resets_handle, false)},
    {"release.clears_callback", "removes callbacks when channels are released", CALLBACK, 6, IS(release_forgets, true)},
    {"pool.keeps_in_use", "leaves channels in use when the pool is set", CHANNELS, 5, IS(frees_used, false)},
    {"pool.clears_callbacks", "removes callbacks when the pool is set", CALLBACK, 4, IS(pool_forgets, true)},
    {"pool.from_zero", "ignores the offset of the pool", CHANNELS, 5, IS(takes_offset, false)},
    {"pool.adds", "adds channels to the pool in place of setting it", CHANNELS, 3, IS(adds_to_pool, true)},
    {"isdone.prepared", "says that a prepared movement is done", HANDLE, 5, IS(done_from, LB_MOV_PREPARED)},
    {"isdone.open", "says that an open handle is done", HANDLE, 3, IS(done_from, LB_MOV_OPEN)},
    {"isdone.always", "says always that a movement is done", HANDLE, 4, IS(done_from, LB_MOV_INVALID)},
    {"isdone.never", "never says that a movement is done", HANDLE, 4, IS(done_from, LB_MOV_DONE + 1)},
    {"start.running", "leaves a started handle running", HANDLE, 5, IS(started, LB_MOV_DMA_RUNNING)},
    {"start.prepared", "leaves a started handle prepared", HANDLE, 4, IS(started, LB_MOV_PREPARED)},
    {"start.open", "leaves a started handle open", HANDLE, 3, IS(started, LB_MOV_OPEN)},
    {"prepare.keeps_state", "leaves the state of a prepared handle as it was", HANDLE, 4, IS(prepares, false)},
    {"prepare.always", "makes a handle prepared though the movement is refused", HANDLE, 5, IS(prepares_refused, true)},
    {"sync.needs_channel", "takes a channel for a movement that needs none", CHANNELS, 5, IS(sync_channels, 1)},
    {"sync.without_pool", "moves though the pool is empty", CHANNELS, 6, IS(sync_needs_pool, false)},
    {"sync.silent", "makes no callback in a movement at once", CALLBACK, 5, IS(sync_calls, false)},
    {"data.at_start", "moves the data when a movement starts, not when it is prepared", "where the elements are moved", 5, IS(prepares, true), .data_at_start = true},
    {.name = NULL},
};
/* clang-format on */
