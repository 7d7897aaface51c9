/* Handles and the pool of channels (pooling_and_movement.md 6), and the call that does everything
 * at once. There is no DMA: prepare moves the data, start reports it. The pool and the callbacks
 * belong to the process; a handle belongs to its caller, one thread at a time. */
#include <stdatomic.h>

#include "api/mli_mov_api.h"
#include "mov.h"

enum { CHANNELS = 16 };

enum channel_status { NOT_USED, AVAILABLE, IN_USE };

struct callback {
    void (*call)(int32_t);
    int32_t cookie;
};

static struct {
    atomic_flag
        lock; /* held for a few instructions; never while data are moved or a callback runs */
    int base, size;
    enum channel_status status[CHANNELS];
    struct callback callback[CHANNELS];
} pool = {.lock = ATOMIC_FLAG_INIT, .size = CHANNELS};

static void lock_pool(void)
{
    while (atomic_flag_test_and_set_explicit(&pool.lock, memory_order_acquire)) {
    }
}

static void unlock_pool(void)
{
    atomic_flag_clear_explicit(&pool.lock, memory_order_release);
}

/* A block of channels that exists: the original reads and writes beside its tables for others. */
static bool is_block(int first, int count)
{
    return first >= 0 && count >= 0 && first <= CHANNELS && count <= CHANNELS - first;
}

/* Whether the handle names a channel that exists. */
static bool has_channel(const mli_mov_handle_t *h)
{
    return h && h->dma_ch >= 0 && h->dma_ch < CHANNELS;
}

mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch)
{
    LB_MLI_REQUIRE(is_block(ch_offset, num_ch), MLI_STATUS_ARGUMENT_ERROR);
    lock_pool();
    pool.base = ch_offset;
    pool.size = num_ch;
    for (int i = 0; i < num_ch; i++)
        pool.status[ch_offset + i] = AVAILABLE;
    unlock_pool();
    return MLI_STATUS_OK;
}

/* First of the lowest num_ch neighbours that are available and begin in the pool, -1 if there are
 * none. They may end behind the pool. */
static int find_block(int num_ch)
{
    int run = 0; /* available channels from i on */
    int best = -1;
    for (int i = CHANNELS; i-- > pool.base;) {
        run = pool.status[i] == AVAILABLE ? run + 1 : 0;
        if (run >= num_ch && i < pool.base + pool.size)
            best = i;
    }
    return best;
}

mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h)
{
    LB_MLI_REQUIRE(h && num_ch >= 0, MLI_STATUS_ARGUMENT_ERROR);
    lock_pool();
    const int first = find_block(num_ch);
    for (int i = 0; first >= 0 && i < num_ch; i++)
        pool.status[first + i] = IN_USE;
    unlock_pool();
    LB_MLI_REQUIRE(first >= 0, MLI_STATUS_NOT_ENGH_MEM);
    *h = (mli_mov_handle_t){.dma_ch = first, .num_ch = num_ch, .state = MLI_MOV_STATE_OPEN};
    return MLI_STATUS_OK;
}

mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                           mli_tensor *dst)
{
    LB_MLI_REQUIRE(h, MLI_STATUS_ARGUMENT_ERROR);
    LB_MLI_TRY(lb_mli_move(src, cfg, dst));
    h->state = MLI_MOV_STATE_PREPARED;
    return MLI_STATUS_OK;
}

mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t), int32_t cookie)
{
    LB_MLI_REQUIRE(has_channel(h), MLI_STATUS_ARGUMENT_ERROR);
    lock_pool();
    pool.callback[h->dma_ch] = (struct callback){cb, cookie};
    unlock_pool();
    return MLI_STATUS_OK;
}

mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                         mli_tensor *dst)
{
    (void)src, (void)cfg, (void)dst;
    LB_MLI_REQUIRE(has_channel(h), MLI_STATUS_ARGUMENT_ERROR);
    h->state = MLI_MOV_STATE_DONE;
    lock_pool();
    const struct callback callback = pool.callback[h->dma_ch];
    unlock_pool();
    if (callback.call)
        callback.call(callback.cookie); /* may itself use any function of this API */
    return MLI_STATUS_OK;
}

bool mli_mov_isdone(mli_mov_handle_t *h)
{
    return h && h->state == MLI_MOV_STATE_DONE;
}

/* Nothing runs beside the caller that could still complete the transfer: waiting for it would hang
 * for ever. */
mli_status mli_mov_wait(mli_mov_handle_t *h)
{
    return mli_mov_isdone(h) ? MLI_STATUS_OK : MLI_STATUS_ARGUMENT_ERROR;
}

mli_status mli_mov_release_handle(mli_mov_handle_t *h)
{
    LB_MLI_REQUIRE(h && is_block(h->dma_ch, h->num_ch), MLI_STATUS_ARGUMENT_ERROR);
    lock_pool();
    for (int i = 0; i < h->num_ch; i++)
        pool.status[h->dma_ch + i] = AVAILABLE;
    unlock_pool();
    *h = (mli_mov_handle_t){.dma_ch = 0, .num_ch = 0, .state = MLI_MOV_STATE_INVALID};
    return MLI_STATUS_OK;
}

mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)
{
    mli_mov_handle_t h;
    LB_MLI_TRY(mli_mov_acquire_handle(
        0, &h)); /* takes no channel, and so works with every channel taken */
    mli_status status = mli_mov_prepare(&h, src, cfg, dst);
    if (status == MLI_STATUS_OK)
        status = mli_mov_start(&h, src, cfg, dst);
    mli_mov_release_handle(&h);
    return status;
}
