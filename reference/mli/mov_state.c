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

void lb_mov_state_init(lb_mov_state *state, lb_mov_called_fn called, void *user)
{
    *state = (lb_mov_state){.base = 0, .size = LB_MOV_CHANNELS, .called = called, .user = user};
}

lb_status lb_mov_set_num_dma_ch(lb_mov_state *state, int32_t ch_offset, int32_t num_ch)
{
    state->base = ch_offset;
    state->size = num_ch;
    set_channels(state, ch_offset, num_ch, LB_MOV_AVAILABLE);
    return LB_OK;
}

lb_status lb_mov_acquire(lb_mov_state *state, int32_t num_ch, lb_mov_handle *handle)
{
    int64_t end = (int64_t)state->base + state->size;
    int64_t first =
        state->base < 0 && num_ch > 0 ? 0 : state->base; /* numbers below 0 name no channel */
    for (; first < end && first < LB_MOV_CHANNELS; first++) {
        /* QUIRK: a block may run past the end of the pool, into channels that an earlier, larger
         * one left available. */
        if (are_available(state, first, num_ch)) {
            set_channels(state, first, num_ch, LB_MOV_IN_USE);
            *handle =
                (lb_mov_handle){.dma_ch = (int32_t)first, .num_ch = num_ch, .state = LB_MOV_OPEN};
            return LB_OK;
        }
    }
    return LB_NOT_ENOUGH_MEM;
}

lb_status lb_mov_release(lb_mov_state *state, lb_mov_handle *handle)
{
    set_channels(state, handle->dma_ch, handle->num_ch, LB_MOV_AVAILABLE);
    *handle = (lb_mov_handle){.state = LB_MOV_INVALID};
    return LB_OK;
}

lb_status lb_mov_register_callback(lb_mov_state *state, const lb_mov_handle *handle,
                                   const char *callback, int32_t cookie)
{
    lb_mov_channel *channel = channel_at(state, handle->dma_ch);
    if (channel) {
        channel->callback = callback;
        channel->cookie = cookie;
    }
    return LB_OK;
}

lb_status lb_mov_prepare(lb_mov_handle *handle, const lb_tensor *src, const lb_config *config,
                         lb_tensor *dst)
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
    if (call.status == LB_OK)
        handle->state = LB_MOV_PREPARED;
    return call.status;
}

lb_status lb_mov_start(lb_mov_state *state, lb_mov_handle *handle)
{
    handle->state = LB_MOV_DONE;
    const lb_mov_channel *channel = channel_at(state, handle->dma_ch);
    if (channel && channel->callback && state->called)
        state->called(state->user, channel->callback, channel->cookie);
    return LB_OK;
}

bool lb_mov_is_done(const lb_mov_handle *handle)
{
    return handle->state == LB_MOV_DONE;
}

bool lb_mov_wait_returns(const lb_mov_handle *handle)
{
    return lb_mov_is_done(handle);
}

lb_status lb_mov_tensor_sync(lb_mov_state *state, const lb_tensor *src, const lb_config *config,
                             lb_tensor *dst)
{
    lb_mov_handle handle = {.state = LB_MOV_INVALID};
    lb_status status = lb_mov_acquire(state, 0, &handle);
    if (status != LB_OK)
        return status; /* QUIRK: a pool without channels, although none is needed */
    status = lb_mov_prepare(&handle, src, config, dst);
    if (status == LB_OK)
        (void)lb_mov_start(state, &handle);
    (void)lb_mov_release(state, &handle);
    return status;
}
