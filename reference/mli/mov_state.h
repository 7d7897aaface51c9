/* The asynchronous movement calls as a state machine: a pool of channels, handles, callbacks.
 * Spec: pooling_and_movement.md 6. A library has one such state per process; here it is a struct,
 * so that a sequence of calls can be played on a fresh one. Every function is total: what the spec
 * leaves undefined does nothing but what its name says. */
#ifndef LB_REFERENCE_MOV_STATE_H
#define LB_REFERENCE_MOV_STATE_H

#include "describe/kernels.h"

enum { LB_MOV_CHANNELS = 16 };

/* State of a handle; the numbers are those of the API (api.md 2). DMA_CONFIGURED, DMA_RUNNING never
 * occur on a host. */
typedef enum lb_mov_handle_state {
    LB_MOV_INVALID,
    LB_MOV_OPEN,
    LB_MOV_PREPARED,
    LB_MOV_DMA_CONFIGURED,
    LB_MOV_DMA_RUNNING,
    LB_MOV_DONE
} lb_mov_handle_state;

typedef struct lb_mov_handle {
    int32_t dma_ch; /* first channel */
    int32_t num_ch;
    int32_t state; /* an lb_mov_handle_state */
} lb_mov_handle;

typedef enum lb_mov_channel_status {
    LB_MOV_NOT_USED,
    LB_MOV_AVAILABLE,
    LB_MOV_IN_USE
} lb_mov_channel_status;

typedef struct lb_mov_channel {
    lb_mov_channel_status status;
    const char *callback; /* its name, not copied; NULL: none */
    int32_t cookie;
} lb_mov_channel;

/* What the calls do where a library may do otherwise, as numbers; kernels with a mistake have
 * another one. */
typedef struct lb_mov_rules {
    /* Searches for channels, from the lowest up: */
    int8_t goes_up, looks_at_all, marks, counts_from_zero;
    int8_t ends_in_pool, refuses_none, gives_none; /* 0 channels; a pool of none */
    int8_t wipes_handle;                           /* where there are none */
    int8_t none_free;                              /* an lb_status */
    int8_t acquired, started;                      /* an lb_mov_handle_state */
    /* Release, and a pool that is set: */
    int8_t gives_back; /* so many of the handle's channels */
    int8_t resets_handle, frees_used, takes_offset;
    int8_t release_forgets, pool_forgets, adds_to_pool; /* callbacks; channels */
    /* Movements: */
    int8_t prepares, prepares_refused; /* the handle's state */
    int8_t done_from;                  /* an lb_mov_handle_state */
    int8_t sync_channels, sync_needs_pool;
    /* Callbacks: */
    int8_t calls_at; /* bits: LB_MOV_AT_START, LB_MOV_AT_PREPARE */
    int8_t sync_calls;
    int8_t silent_from; /* channels */
    int8_t has_cookie, removes, forgets, calls_all, is_shared;
} lb_mov_rules;
enum { LB_MOV_AT_START = 1, LB_MOV_AT_PREPARE = 2 };
extern const lb_mov_rules lb_mov_rules_right;

/* Told of every callback that a call makes, by the name under which it was registered. */
typedef void (*lb_mov_called_fn)(void *user, const char *callback, int32_t cookie);

typedef struct lb_mov_state {
    int32_t base; /* the pool: channels base .. base + size - 1 */
    int32_t size;
    lb_mov_channel channel[LB_MOV_CHANNELS];
    lb_mov_called_fn called; /* may be NULL */
    void *user;
    lb_mov_rules rules;
} lb_mov_state;

/* As a library is when it has just been loaded: base 0, size 16, no channel usable, no callbacks.
 */
void lb_mov_state_init(lb_mov_state *state, lb_mov_called_fn called, void *user);

/* mli_mov_set_num_dma_ch: moves the pool; its channels become available, even those in use. Always
 * LB_OK. */
lb_status lb_mov_set_num_dma_ch(lb_mov_state *state, int32_t ch_offset, int32_t num_ch);
/* mli_mov_acquire_handle: the first num_ch channels in a row, or LB_NOT_ENOUGH_MEM with the handle
 * untouched. num_ch 0 takes none and succeeds as long as the pool has a size. */
lb_status lb_mov_acquire(lb_mov_state *state, int32_t num_ch, lb_mov_handle *handle);
/* mli_mov_release_handle: its channels become available, the handle {0, 0, INVALID}; callbacks
 * stay. Always LB_OK. */
lb_status lb_mov_release(lb_mov_state *state, lb_mov_handle *handle);
/* mli_mov_registercallback: for the handle's first channel; NULL removes. Always LB_OK. */
lb_status lb_mov_register_callback(lb_mov_state *state, const lb_mov_handle *handle,
                                   const char *callback, int32_t cookie);
/* mli_mov_prepare: the whole movement of section 4, data included. LB_OK makes the handle PREPARED,
 * a failed check leaves its state. config NULL: the configuration pointer is NULL. A movement that
 * is undefined gives LB_UNSAID_STATUS and an lb_unsaid. */
lb_status lb_mov_prepare(lb_mov_state *state, lb_mov_handle *handle, const lb_tensor *src,
                         const lb_config *config, lb_tensor *dst);
/* mli_mov_start: the handle becomes DONE, then the callback of its first channel is made. Moves
 * nothing. LB_OK. */
lb_status lb_mov_start(lb_mov_state *state, lb_mov_handle *handle);
/* mli_mov_isdone */
bool lb_mov_is_done(const lb_mov_state *state, const lb_mov_handle *handle);
/* Does mli_mov_wait return (with LB_OK)? If not, it never does: such a step must not be given to a
 * port. */
bool lb_mov_wait_returns(const lb_mov_handle *handle);
/* mli_mov_tensor_sync in this state: acquire of 0 channels, prepare, start, wait, release.
 * Undefined as prepare is. */
lb_status lb_mov_tensor_sync(lb_mov_state *state, const lb_tensor *src, const lb_config *config,
                             lb_tensor *dst);

#endif
