/* Data movement of MLI 2.0: copy, slice, concatenate, subsample, permute and pad in one call, at
 * once or through a handle (pooling_and_movement.md 4 to 6). On a host there is no DMA:
 * mli_mov_prepare does the copying. */
#ifndef MLI_MOV_API_H
#define MLI_MOV_API_H

#include <stdbool.h>
#include <stdint.h>

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* State of a transfer. The two DMA states never occur on a host. */
typedef enum _mli_mov_state {
    MLI_MOV_STATE_INVALID = 0,
    MLI_MOV_STATE_OPEN,
    MLI_MOV_STATE_PREPARED,
    MLI_MOV_STATE_DMA_CONFIGURED,
    MLI_MOV_STATE_DMA_RUNNING,
    MLI_MOV_STATE_DONE,
    MLI_MOV_LARGE_ENUM = 0x02000000
} mli_mov_state;

/* One transfer: a block of channels of a pool of 16, and how far it has come. */
typedef struct _mli_mov_handle_t {
    int dma_ch;
    int num_ch;
    mli_mov_state state;
} mli_mov_handle_t;

/*
 * Movement (pooling_and_movement.md 4)
 */

/**
 * Moves src into dst as cfg says, and returns when it is done. All five computing types and FP_32,
 * rank 1..4.
 *
 * Of dst the data pointer and capacity are inputs, and its strides and per-axis parameter pointers
 * if set (clear strides of an earlier use to get a packed result). Written: shape, rank, el_type,
 * el_params, strides and the data of the block; other elements stay. Where the last check fails,
 * fields are written and data are not. Padding is container 0, not the zero point, and so is
 * whatever else lies outside the source: a size that goes past its end reads 0 there, with padding
 * (as in the original) and without (where the original reads beside its memory).
 *
 * If both sides are packed and of the same shape, and cfg has no padding, step or permutation, all
 * of src is copied, whatever cfg's offsets are, as in the original.
 *
 * Statuses in order: tensor check of src (numerics.md 2); cfg NULL: BAD_FUNC_CFG; src per axis
 * only: size, step or permutation out of range: BAD_FUNC_CFG, then the rules for per-axis
 * parameters: SPEC_PARAM_MISMATCH; src and dst overlap: INCOMPATEBLE_TENSORS; tensor check of dst
 * with the fields just written. Before all of them, where the pool of channels is empty
 * (mli_mov_set_num_dma_ch with 0): NOT_ENGH_MEM. No channel need be free.
 *
 * What the original leaves undefined: dst NULL is BAD_TENSOR, after cfg; src per axis with dim not
 * below rank is BAD_TENSOR, and arrays of src that are NULL and would have to be copied are
 * SPEC_PARAM_MISMATCH, both among the rules for per-axis parameters; after the overlap, rank 0 and
 * unsupported types are NOT_SUPPORTED, and a step of 0, a perm_dim that is no permutation or an
 * offset beyond the padded source with size 0 are BAD_FUNC_CFG. A block that would reach past 2^31
 * elements in a dimension is BAD_TENSOR.
 */
mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst);

/*
 * Asynchronous movement (pooling_and_movement.md 6): acquire, prepare, start, wait or poll,
 * release. The pool of channels and the callbacks belong to the process, and may be used from any
 * number of threads; a handle belongs to one thread at a time. Every function returns
 * ARGUMENT_ERROR and does nothing for what the original leaves undefined: a handle that is NULL, or
 * whose channels are not within 0..15 where the function uses them; a negative number of channels.
 */

/**
 * First step: checks and moves the data as mli_mov_tensor_sync does, and sets the state to
 * PREPARED. Statuses as there; the state is unchanged unless OK. Allowed in every state.
 */
mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                           mli_tensor *dst);

/** Remembers a callback (NULL: none) and its argument for the handle's first channel. */
mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t), int32_t cookie);

/**
 * Second step: state DONE, then calls the channel's callback, if any, before it returns: in the
 * caller's thread, with no lock held, so that it may use this API. Only h is used. Allowed in every
 * state.
 */
mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                         mli_tensor *dst);

/** Whether the state is DONE. False for NULL. */
bool mli_mov_isdone(mli_mov_handle_t *h);

/**
 * Waits until the state is DONE: OK. On this host nothing runs beside the caller that could still
 * bring it there, and the original waits for ever then; this function returns ARGUMENT_ERROR at
 * once.
 */
mli_status mli_mov_wait(mli_mov_handle_t *h);

/**
 * Makes channels ch_offset .. ch_offset + num_ch - 1 (within 0..15) the pool, all available, even
 * if in use. Other channels keep their status, and all their callbacks.
 */
mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch);

/**
 * Takes num_ch neighbouring available channels (0 or more): h = {first, num_ch, OPEN}. The first is
 * the lowest possible in the pool; the last may lie behind the pool, in what an earlier pool left
 * available. 0 channels are always found at the start of the pool, unless the pool is empty.
 * NOT_ENGH_MEM, with h untouched, if there are none; so with num_ch >= 1 before any
 * mli_mov_set_num_dma_ch.
 */
mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h);

/** Gives the handle's channels back: h = {0, 0, INVALID}; again is harmless. Callbacks stay with
 * the channel. */
mli_status mli_mov_release_handle(mli_mov_handle_t *h);

/*
 * Configurations (pooling_and_movement.md 5). Each writes the whole structure: zero everywhere,
 * steps 1, perm_dim {0, 1, 2, 3}, then the fields named by its arguments. Arrays have exactly 4
 * entries, all are read. Values are not validated: OK, or BAD_FUNC_CFG for a NULL pointer
 * (undefined in the original).
 */

/** Plain copy. */
mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg);

/** A box of the source: offset, size, dst_mem_stride. */
mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *dst_mem_stride);

/** The source into a part of the destination: dst_offset, dst_mem_stride. */
mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets, int *dst_mem_stride);

/** Every n-th element: sub_sample_step, dst_mem_stride. */
mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step, int *dst_mem_stride);

/** Other order of dimensions: perm_dim. */
mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim);

/** Padding of a CHW feature map: left and right of dimension 2, top and bottom of dimension 1;
 * dst_mem_stride. */
mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride);

/** Padding of an HWC feature map: left and right of dimension 1, top and bottom of dimension 0;
 * dst_mem_stride. */
mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride);

/** All fields; padding as in mli_mov_cfg_for_padding2d_hwc. */
mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *subsample_step,
                           int *dst_offsets, int *dst_mem_stride, uint8_t *perm_dim,
                           uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot);

#ifdef __cplusplus
}
#endif

#endif
