/* The asynchronous movement calls as a state machine. Spec: pooling_and_movement.md 6. */
#include "mov_state.h"
#include "describe/rules.h"

#include <stddef.h>

/* Channel by number, or NULL: there are 16, and numbers beyond them are undefined in the API. */
static lb_mov_channel *channel_at(lb_mov_state *state, int64_t number)
{
    return number >= 0 && number < LB_MOV_CHANNELS ? &state->channel[number] : NULL;
}

/* Sets `count` channels from a number on; those that do not exist are passed over. */
static void set_channels(lb_mov_state *state, int64_t first, int64_t count,
                         lb_mov_channel_status status)
{
    for (int64_t number = 0; number < LB_MOV_CHANNELS; number++)
        if (number >= first && number < first + count)
            state->channel[number].status = status;
}

static bool are_available(lb_mov_state *state, int64_t first, int64_t count)
{
    for (int64_t number = first; number < first + count; number++) {
        const lb_mov_channel *channel = channel_at(state, number);
        if (!channel || channel->status != LB_MOV_AVAILABLE)
            return false;
    }
    return true;
}

const lb_mov_rules lb_mov_rules_right = {
    .goes_up = true,
    .looks_at_all = true,
    .marks = true,
    .counts_from_zero = true,
    .none_free = LB_NOT_ENOUGH_MEM,
    .acquired = LB_MOV_OPEN,
    .started = LB_MOV_DONE,
    .gives_back = LB_MOV_CHANNELS,
    .resets_handle = true,
    .frees_used = true,
    .takes_offset = true,
    .prepares = true,
    .done_from = LB_MOV_DONE,
    .sync_needs_pool = true, /* QUIRK: although it needs no channel */
    .calls_at = LB_MOV_AT_START,
    .sync_calls = true,
    .silent_from = LB_MOV_CHANNELS,
    .has_cookie = true,
    .removes = true,
};

void lb_mov_state_init(lb_mov_state *state, lb_mov_called_fn called, void *user)
{
    *state = (lb_mov_state){.base = 0,
                            .size = LB_MOV_CHANNELS,
                            .called = called,
                            .user = user,
                            .rules = lb_mov_rules_right};
}

static void forget(lb_mov_state *state, int64_t first, int64_t count)
{
    for (int64_t number = 0; number < LB_MOV_CHANNELS; number++)
        if (number >= first && number < first + count)
            state->channel[number].callback = NULL;
}

lb_status lb_mov_set_num_dma_ch(lb_mov_state *state, int32_t ch_offset, int32_t num_ch)
{
    const lb_mov_rules *r = &state->rules;
    state->base = r->takes_offset ? ch_offset : 0;
    state->size = num_ch + (r->adds_to_pool ? state->size : 0);
    for (int number = 0; number < LB_MOV_CHANNELS; number++)
        if (number >= state->base && number < (int64_t)state->base + num_ch &&
            (r->frees_used || state->channel[number].status != LB_MOV_IN_USE))
            state->channel[number].status = LB_MOV_AVAILABLE;
    if (r->pool_forgets)
        forget(state, 0, LB_MOV_CHANNELS);
    return LB_OK;
}

/* QUIRK: a block may run past the end of the pool, into channels that an earlier, larger one left
 * available. */
static bool may_take(lb_mov_state *state, int64_t first, int32_t num_ch)
{
    const lb_mov_rules *r = &state->rules;
    int64_t looked_at = r->looks_at_all || num_ch < 1 ? num_ch : 1;
    bool inside = first + num_ch <= (int64_t)state->base + state->size;
    return are_available(state, first, looked_at) && (inside || !r->ends_in_pool);
}

/* The first of so many channels, or -1 - LB_MOV_CHANNELS: there are none. */
static int64_t find_channels(lb_mov_state *state, int32_t num_ch)
{
    int64_t end = (int64_t)state->base + state->size;
    int64_t low = state->base < 0 && num_ch > 0 ? 0 : state->base; /* none has a number below 0 */
    int64_t high = end < LB_MOV_CHANNELS ? end : LB_MOV_CHANNELS;
    for (int64_t n = 0; n < high - low; n++) {
        int64_t first = state->rules.goes_up ? low + n : high - 1 - n;
        if (may_take(state, first, num_ch))
            return first;
    }
    return INT64_MIN;
}

static lb_status take_channels(lb_mov_state *state, int32_t num_ch, lb_mov_handle *handle)
{
    const lb_mov_rules *r = &state->rules;
    int64_t first = find_channels(state, num_ch);
    if (first == INT64_MIN)
        return LB_NOT_ENOUGH_MEM;
    if (r->marks)
        set_channels(state, first, num_ch, LB_MOV_IN_USE);
    *handle = (lb_mov_handle){.dma_ch = (int32_t)first - (r->counts_from_zero ? 0 : state->base),
                              .num_ch = num_ch,
                              .state = r->acquired};
    return LB_OK;
}

lb_status lb_mov_acquire(lb_mov_state *state, int32_t num_ch, lb_mov_handle *handle)
{
    const lb_mov_rules *r = &state->rules;
    if (num_ch == 0 && r->refuses_none)
        return LB_NOT_ENOUGH_MEM;
    if (take_channels(state, num_ch, handle) == LB_OK)
        return LB_OK;
    if (num_ch == 0 && r->gives_none) {
        *handle = (lb_mov_handle){.dma_ch = state->base, .state = LB_MOV_OPEN};
        return LB_OK;
    }
    if (r->wipes_handle)
        *handle = (lb_mov_handle){.state = LB_MOV_INVALID};
    return (lb_status)r->none_free;
}

lb_status lb_mov_release(lb_mov_state *state, lb_mov_handle *handle)
{
    const lb_mov_rules *r = &state->rules;
    set_channels(state, handle->dma_ch,
                 handle->num_ch < r->gives_back ? handle->num_ch : r->gives_back, LB_MOV_AVAILABLE);
    if (r->release_forgets)
        forget(state, handle->dma_ch, handle->num_ch);
    if (r->resets_handle)
        *handle = (lb_mov_handle){.state = LB_MOV_INVALID};
    return LB_OK;
}

lb_status lb_mov_register_callback(lb_mov_state *state, const lb_mov_handle *handle,
                                   const char *callback, int32_t cookie)
{
    for (int number = 0; number < LB_MOV_CHANNELS; number++)
        if ((number == handle->dma_ch || state->rules.is_shared) &&
            (callback || state->rules.removes)) {
            state->channel[number].callback = callback;
            state->channel[number].cookie = cookie;
        }
    return LB_OK;
}

static void call_back(lb_mov_state *state, int64_t number, bool has_cookie)
{
    const lb_mov_channel *channel = channel_at(state, number);
    if (channel && channel->callback && state->called && number < state->rules.silent_from)
        state->called(state->user, channel->callback, has_cookie ? channel->cookie : 0);
    if (channel && state->rules.forgets)
        state->channel[number].callback = NULL;
}

static lb_status move_now(const lb_tensor *src, const lb_config *config, lb_tensor *dst)
{
    /* Nothing is rounded: any profile will do. */
    const lb_context context = {.profile = &lb_profiles[0]};
    lb_tensor source;
    lb_call call = {.kernel = lb_kernel_find("mli_mov_tensor_sync"), .config_null = !config};
    if (src) {
        source = *src; /* calls hold tensors that may be written; this one is not */
        call.tensor[LB_ROLE_IN] = &source;
        call.list_count[LB_ROLE_IN] = 1;
    }
    if (config)
        call.config = *config;
    call.tensor[LB_ROLE_OUT] = dst;
    call.list_count[LB_ROLE_OUT] = dst != NULL;
    (void)lb_run_exact(&context, &call);
    if (call.undefined != LB_SAID)
        return lb_unsaid_status(call.undefined);
    return call.status;
}

lb_status lb_mov_prepare(lb_mov_state *state, lb_mov_handle *handle, const lb_tensor *src,
                         const lb_config *config, lb_tensor *dst)
{
    const lb_mov_rules *r = &state->rules;
    lb_status status = move_now(src, config, dst);
    if (status == LB_OK ? r->prepares : r->prepares_refused)
        handle->state = LB_MOV_PREPARED;
    if (status == LB_OK && (r->calls_at & LB_MOV_AT_PREPARE))
        call_back(state, handle->dma_ch, true);
    return status;
}

lb_status lb_mov_start(lb_mov_state *state, lb_mov_handle *handle)
{
    const lb_mov_rules *r = &state->rules;
    handle->state = r->started;
    int32_t count = r->calls_all && handle->num_ch > 1 ? handle->num_ch : 1;
    for (int32_t i = 0; (r->calls_at & LB_MOV_AT_START) && i < count; i++)
        call_back(state, (int64_t)handle->dma_ch + i, r->has_cookie);
    return LB_OK;
}

bool lb_mov_is_done(const lb_mov_state *state, const lb_mov_handle *handle)
{
    return handle->state >= state->rules.done_from && handle->state <= LB_MOV_DONE;
}

bool lb_mov_wait_returns(const lb_mov_handle *handle)
{
    return handle->state == LB_MOV_DONE;
}

lb_status lb_mov_tensor_sync(lb_mov_state *state, const lb_tensor *src, const lb_config *config,
                             lb_tensor *dst)
{
    const lb_mov_rules *r = &state->rules;
    if (r->sync_needs_pool && find_channels(state, r->sync_channels) == INT64_MIN)
        return LB_NOT_ENOUGH_MEM;
    lb_status status = move_now(src, config, dst);
    if (status == LB_OK && r->sync_calls)
        call_back(state, state->base, true);
    return status;
}
