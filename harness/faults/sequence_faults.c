/* Faults of the movement calls that share state: see sequence_faults.h. */
#include "harness/faults/sequence_faults.h"

#include <string.h>

typedef enum rule {
    CALLBACK_NEVER,   /* for channels from the argument on */
    CALLBACK_ONCE,    /* it is forgotten after its first call */
    CALLBACK_EARLY,   /* called when the movement is prepared */
    CALLBACK_TWICE,   /* called at prepare and at start */
    CALLBACK_SHARED,  /* all channels have one */
    CALLBACK_COOKIE,  /* called with the number 0 */
    CALLBACK_KEPT,    /* NULL does not remove it */
    CALLBACK_ALL,     /* called for each channel of the handle */
    ACQUIRE_HIGHEST,  /* the last channels in a row */
    ACQUIRE_IN_POOL,  /* never beyond the end of the pool */
    ACQUIRE_UNMARKED, /* channels stay available */
    ACQUIRE_FIRST,    /* only the first channel of a block is looked at */
    ACQUIRE_RELATIVE, /* numbers count from the base of the pool */
    ACQUIRE_NO_NONE,  /* 0 channels are refused */
    ACQUIRE_NONE,     /* 0 channels succeed without a pool */
    ACQUIRE_WIPES,    /* the handle is reset where it fails */
    ACQUIRE_STATE,    /* the handle's state is the argument */
    ACQUIRE_STATUS,   /* another status where no channels are free */
    RELEASE_KEEPS_CHANNELS,
    RELEASE_FIRST_CHANNEL, /* one channel alone becomes available */
    RELEASE_KEEPS_HANDLE,
    RELEASE_CLEARS_CALLBACK,
    POOL_KEEPS_IN_USE,
    POOL_CLEARS_CALLBACKS,
    POOL_FROM_ZERO,
    POOL_ADDS,
    DONE_FROM, /* done from this state of the handle on */
    DONE_NEVER,
    START_STATE,   /* the handle's state after a start */
    PREPARE_KEEPS, /* the handle's state stays */
    PREPARE_ALWAYS,
    SYNC_NEEDS_CHANNEL,
    SYNC_WITHOUT_POOL,
    SYNC_SILENT, /* it makes no callback */
    DATA_AT_START
} rule;

typedef struct player {
    const lb_sequence_fault *fault;
    lb_instance *instance;
    lb_arena *arena;
    lb_mov_step waiting; /* a movement whose data are still to come; dst NULL: none */
} player;

/* ---- Single calls ---- */

static void call_back(lb_mov_state *state, int32_t channel, bool without_cookie)
{
    if (channel >= 0 && channel < LB_MOV_CHANNELS && state->channel[channel].callback)
        state->called(state->user, state->channel[channel].callback,
                      without_cookie ? 0 : state->channel[channel].cookie);
}

static void start(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    int32_t channel = s->handle->dma_ch;
    bool known = channel >= 0 && channel < LB_MOV_CHANNELS;
    s->handle->state = p->fault->rule == START_STATE ? p->fault->argument : LB_MOV_DONE;
    s->status = LB_OK;
    switch ((rule)p->fault->rule) {
    case CALLBACK_NEVER:
        if (channel < p->fault->argument)
            call_back(state, channel, false);
        break;
    case CALLBACK_EARLY:
        break;
    case CALLBACK_COOKIE:
        call_back(state, channel, true);
        break;
    case CALLBACK_SHARED:
        call_back(state, 0, false);
        break;
    case CALLBACK_ALL:
        for (int32_t i = 0; i < s->handle->num_ch || i == 0; i++)
            call_back(state, channel + i, false);
        break;
    default:
        call_back(state, channel, false);
        break;
    }
    if (p->fault->rule == CALLBACK_ONCE && known)
        state->channel[channel].callback = NULL;
}

/* As the model, but from the highest number down, or counted otherwise. */
static void acquire(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    rule r = (rule)p->fault->rule;
    lb_mov_handle given = *s->handle;
    lb_mov_channel kept[LB_MOV_CHANNELS];
    memcpy(kept, state->channel, sizeof kept);
    if (r == ACQUIRE_NO_NONE && s->num_ch == 0) {
        s->status = LB_NOT_ENOUGH_MEM;
        return;
    }
    s->status = (int32_t)lb_mov_acquire(state, s->num_ch, s->handle);
    bool done = s->status == LB_OK, none = s->num_ch == 0;
    if (r == ACQUIRE_NONE && !done && none) {
        *s->handle = (lb_mov_handle){.dma_ch = state->base, .state = LB_MOV_OPEN};
        s->status = LB_OK;
    } else if (r == ACQUIRE_WIPES && !done) {
        *s->handle = (lb_mov_handle){.state = LB_MOV_INVALID};
    } else if (r == ACQUIRE_STATUS && !done) {
        s->status = p->fault->argument;
    } else if (r == ACQUIRE_STATE && done) {
        s->handle->state = p->fault->argument;
    } else if (r == ACQUIRE_UNMARKED && done) {
        memcpy(state->channel, kept, sizeof kept);
    } else if (r == ACQUIRE_RELATIVE && done) {
        s->handle->dma_ch -= state->base;
    } else if (r == ACQUIRE_IN_POOL && done &&
               (int64_t)s->handle->dma_ch + s->num_ch > (int64_t)state->base + state->size) {
        memcpy(state->channel, kept, sizeof kept);
        *s->handle = given;
        s->status = LB_NOT_ENOUGH_MEM;
    }
}

static bool is_free(const lb_mov_state *state, int32_t first, int32_t count)
{
    for (int32_t i = first; i < first + count; i++)
        if (i < 0 || i >= LB_MOV_CHANNELS || state->channel[i].status != LB_MOV_AVAILABLE)
            return false;
    return true;
}

/* Blocks from the last one of the pool down; or looked at by their first channel alone. */
static void acquire_elsewhere(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    bool highest = p->fault->rule == ACQUIRE_HIGHEST;
    int32_t low = state->base < 0 ? 0 : state->base, end = state->base + state->size;
    int32_t high = end > LB_MOV_CHANNELS ? LB_MOV_CHANNELS : end;
    s->status = LB_NOT_ENOUGH_MEM;
    for (int32_t n = 0; n < high - low; n++) {
        int32_t first = highest ? high - 1 - n : low + n;
        if (!is_free(state, first, highest ? s->num_ch : s->num_ch > 0))
            continue;
        for (int32_t i = first; i < first + s->num_ch && i < LB_MOV_CHANNELS; i++)
            state->channel[i].status = LB_MOV_IN_USE;
        *s->handle = (lb_mov_handle){.dma_ch = first, .num_ch = s->num_ch, .state = LB_MOV_OPEN};
        s->status = LB_OK;
        return;
    }
}

static void release(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    lb_mov_handle given = *s->handle;
    lb_mov_channel kept[LB_MOV_CHANNELS];
    memcpy(kept, state->channel, sizeof kept);
    lb_sequence_model_move(state, s);
    if (p->fault->rule == RELEASE_KEEPS_CHANNELS)
        memcpy(state->channel, kept, sizeof kept);
    if (p->fault->rule == RELEASE_KEEPS_HANDLE)
        *s->handle = given;
    for (int32_t i = 0; i < LB_MOV_CHANNELS; i++) {
        bool own = i >= given.dma_ch && i < given.dma_ch + given.num_ch;
        if (p->fault->rule == RELEASE_FIRST_CHANNEL && own && i > given.dma_ch)
            state->channel[i] = kept[i];
        if (p->fault->rule == RELEASE_CLEARS_CALLBACK && own)
            state->channel[i].callback = NULL;
    }
}

static void set_pool(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    lb_mov_channel kept[LB_MOV_CHANNELS];
    int32_t size = state->size, offset = s->ch_offset;
    memcpy(kept, state->channel, sizeof kept);
    if (p->fault->rule == POOL_FROM_ZERO)
        s->ch_offset = 0;
    lb_sequence_model_move(state, s);
    s->ch_offset = offset;
    if (p->fault->rule == POOL_ADDS)
        state->size += size;
    for (int i = 0; i < LB_MOV_CHANNELS; i++) {
        if (p->fault->rule == POOL_KEEPS_IN_USE && kept[i].status == LB_MOV_IN_USE)
            state->channel[i].status = LB_MOV_IN_USE;
        if (p->fault->rule == POOL_CLEARS_CALLBACKS)
            state->channel[i].callback = NULL;
    }
}

static void set_callback(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    if (p->fault->rule == CALLBACK_KEPT && !s->callback) {
        s->status = LB_OK;
        return;
    }
    lb_sequence_model_move(state, s);
    for (int i = 0; p->fault->rule == CALLBACK_SHARED && i < LB_MOV_CHANNELS; i++) {
        state->channel[i].callback = s->callback;
        state->channel[i].cookie = s->cookie;
    }
}

static void prepare(player *p, lb_mov_state *state, lb_mov_step *s)
{
    int32_t given = s->handle->state;
    size_t bytes = p->instance->memory->block_bytes;
    unsigned char *before = lb_arena_alloc(p->arena, bytes + 1);
    memcpy(before, p->instance->block, bytes);
    lb_sequence_model_move(state, s);
    bool done = s->status == LB_OK;
    if (p->fault->rule == PREPARE_KEEPS)
        s->handle->state = given;
    if (p->fault->rule == PREPARE_ALWAYS && !done)
        s->handle->state = LB_MOV_PREPARED;
    if (p->fault->rule == DATA_AT_START && done) {
        memcpy(p->instance->block, before, bytes);
        p->waiting = *s;
    }
    if (done && (p->fault->rule == CALLBACK_EARLY || p->fault->rule == CALLBACK_TWICE))
        call_back(state, s->handle->dma_ch, false);
}

/* Data that were not moved when the movement was prepared. */
static void move_waiting(player *p)
{
    lb_mov_handle handle = {.state = LB_MOV_OPEN};
    if (p->waiting.dst)
        (void)lb_mov_prepare(&handle, p->waiting.src, p->waiting.config, p->waiting.dst);
    p->waiting = (lb_mov_step){.dst = NULL};
}

static void sync_call(const player *p, lb_mov_state *state, lb_mov_step *s)
{
    lb_mov_handle handle = {.state = LB_MOV_INVALID};
    lb_mov_called_fn called = state->called;
    int32_t size = state->size;
    if (p->fault->rule == SYNC_NEEDS_CHANNEL && lb_mov_acquire(state, 1, &handle) != LB_OK) {
        s->status = LB_NOT_ENOUGH_MEM;
        return;
    }
    if (handle.num_ch > 0)
        lb_mov_release(state, &handle);
    if (p->fault->rule == SYNC_WITHOUT_POOL && state->size < 1)
        state->size = 1;
    if (p->fault->rule == SYNC_SILENT ||
        (p->fault->rule == CALLBACK_NEVER && state->base >= p->fault->argument))
        state->called = NULL;
    lb_sequence_model_move(state, s);
    state->called = called;
    state->size = size;
    if (p->fault->rule == CALLBACK_ONCE && state->base >= 0 && state->base < LB_MOV_CHANNELS)
        state->channel[state->base].callback = NULL;
}

static void move(void *user, lb_mov_state *state, lb_mov_step *s)
{
    player *p = user;
    rule r = (rule)p->fault->rule;
    switch (s->call) {
    case LB_MOV_CALL_ACQUIRE_HANDLE:
        (r == ACQUIRE_HIGHEST || r == ACQUIRE_FIRST ? acquire_elsewhere : acquire)(p, state, s);
        break;
    case LB_MOV_CALL_RELEASE_HANDLE:
        release(p, state, s);
        break;
    case LB_MOV_CALL_SET_NUM_DMA_CH:
        set_pool(p, state, s);
        break;
    case LB_MOV_CALL_REGISTERCALLBACK:
        set_callback(p, state, s);
        break;
    case LB_MOV_CALL_PREPARE:
        prepare(p, state, s);
        break;
    case LB_MOV_CALL_START:
        move_waiting(p);
        start(p, state, s);
        break;
    case LB_MOV_CALL_TENSOR_SYNC:
        sync_call(p, state, s);
        break;
    default:
        lb_sequence_model_move(state, s);
        if (s->call == LB_MOV_CALL_ISDONE && r == DONE_FROM)
            s->done = s->handle->state >= p->fault->argument;
        if (s->call == LB_MOV_CALL_ISDONE && r == DONE_NEVER)
            s->done = false;
        break;
    }
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

/* clang-format off */
const lb_sequence_fault lb_sequence_faults[] = {
    {"callback.never", "never calls a callback", CALLBACK, 6, CALLBACK_NEVER, 0},
    {"callback.high_never", "never calls the callbacks of channels 8 and more", CALLBACK, 4, CALLBACK_NEVER, 8},
    {"callback.high_never_1", "never calls the callbacks of channels 1 and more", CALLBACK, 4, CALLBACK_NEVER, 1},
    {"callback.high_never_4", "never calls the callbacks of channels 4 and more", CALLBACK, 4, CALLBACK_NEVER, 4},
    {"callback.once", "forgets a callback after its first call", CALLBACK, 5, CALLBACK_ONCE, 0},
    {"callback.early", "calls the callback when a movement is prepared, and not when it starts", CALLBACK, 4, CALLBACK_EARLY, 0},
    {"callback.twice", "calls the callback when a movement is prepared too", CALLBACK, 3, CALLBACK_TWICE, 0},
    {"callback.shared", "keeps one callback for all channels", CALLBACK, 4, CALLBACK_SHARED, 0},
    {"callback.cookie", "calls a callback with the number 0", CALLBACK, 4, CALLBACK_COOKIE, 0},
    {"callback.kept", "keeps a callback that NULL should remove", CALLBACK, 4, CALLBACK_KEPT, 0},
    {"callback.all", "calls the callbacks of all channels of a handle", CALLBACK, 3, CALLBACK_ALL, 0},
    {"acquire.highest", "takes the highest free channels in place of the lowest", CHANNELS, 4, ACQUIRE_HIGHEST, 0},
    {"acquire.in_pool", "takes no block that runs past the end of the pool", CHANNELS, 6, ACQUIRE_IN_POOL, 0},
    {"acquire.unmarked", "does not mark channels as used", CHANNELS, 5, ACQUIRE_UNMARKED, 0},
    {"acquire.first", "looks at the first channel of a block alone", CHANNELS, 4, ACQUIRE_FIRST, 0},
    {"acquire.relative", "counts channels from the base of the pool", CHANNELS, 4, ACQUIRE_RELATIVE, 0},
    {"acquire.no_none", "refuses 0 channels", CHANNELS, 5, ACQUIRE_NO_NONE, 0},
    {"acquire.none", "gives 0 channels where the pool is empty", CHANNELS, 4, ACQUIRE_NONE, 0},
    {"acquire.wipes", "changes the handle where no channels are free", HANDLE, 4, ACQUIRE_WIPES, 0},
    {"acquire.state", "leaves a new handle in another state: invalid", HANDLE, 3, ACQUIRE_STATE, LB_MOV_INVALID},
    {"acquire.prepared", "leaves a new handle in another state: prepared", HANDLE, 3, ACQUIRE_STATE, LB_MOV_PREPARED},
    {"acquire.argument_error", "gives ARGUMENT_ERROR where no channels are free", "the status at the end of the search", 4, ACQUIRE_STATUS, LB_ARGUMENT_ERROR},
    {"acquire.not_supported", "gives NOT_SUPPORTED where no channels are free", "the status at the end of the search", 3, ACQUIRE_STATUS, LB_NOT_SUPPORTED},
    {"acquire.ok", "gives OK where no channels are free", "the status at the end of the search", 4, ACQUIRE_STATUS, LB_OK},
    {"release.keeps_channels", "does not give channels back", CHANNELS, 6, RELEASE_KEEPS_CHANNELS, 0},
    {"release.first_channel", "gives back the first channel of a handle alone", CHANNELS, 5, RELEASE_FIRST_CHANNEL, 0},
    {"release.keeps_handle", "leaves a released handle as it was", HANDLE, 6, RELEASE_KEEPS_HANDLE, 0},
    {"release.clears_callback", "removes callbacks when channels are released", CALLBACK, 6, RELEASE_CLEARS_CALLBACK, 0},
    {"pool.keeps_in_use", "leaves channels in use when the pool is set", CHANNELS, 5, POOL_KEEPS_IN_USE, 0},
    {"pool.clears_callbacks", "removes callbacks when the pool is set", CALLBACK, 4, POOL_CLEARS_CALLBACKS, 0},
    {"pool.from_zero", "ignores the offset of the pool", CHANNELS, 5, POOL_FROM_ZERO, 0},
    {"pool.adds", "adds channels to the pool in place of setting it", CHANNELS, 3, POOL_ADDS, 0},
    {"isdone.prepared", "says that a prepared movement is done", HANDLE, 5, DONE_FROM, LB_MOV_PREPARED},
    {"isdone.open", "says that an open handle is done", HANDLE, 3, DONE_FROM, LB_MOV_OPEN},
    {"isdone.always", "says always that a movement is done", HANDLE, 4, DONE_FROM, LB_MOV_INVALID},
    {"isdone.never", "never says that a movement is done", HANDLE, 4, DONE_NEVER, 0},
    {"start.running", "leaves a started handle running", HANDLE, 5, START_STATE, LB_MOV_DMA_RUNNING},
    {"start.prepared", "leaves a started handle prepared", HANDLE, 4, START_STATE, LB_MOV_PREPARED},
    {"start.open", "leaves a started handle open", HANDLE, 3, START_STATE, LB_MOV_OPEN},
    {"prepare.keeps_state", "leaves the state of a prepared handle as it was", HANDLE, 4, PREPARE_KEEPS, 0},
    {"prepare.always", "makes a handle prepared though the movement is refused", HANDLE, 5, PREPARE_ALWAYS, 0},
    {"sync.needs_channel", "takes a channel for a movement that needs none", CHANNELS, 5, SYNC_NEEDS_CHANNEL, 0},
    {"sync.without_pool", "moves though the pool is empty", CHANNELS, 6, SYNC_WITHOUT_POOL, 0},
    {"sync.silent", "makes no callback in a movement at once", CALLBACK, 5, SYNC_SILENT, 0},
    {"data.at_start", "moves the data when a movement starts, not when it is prepared", "where the elements are moved", 5, DATA_AT_START, 0},
    {NULL, NULL, NULL, 0, 0, 0},
};
/* clang-format on */
