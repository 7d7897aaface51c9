/* Data movement of another library: see mli_api.h beside this. */
#ifndef MLI_MOV_API_H
#define MLI_MOV_API_H

#include "mli_types.h"

#include <stdbool.h>

typedef enum _mli_mov_state {
    MLI_MOV_STATE_DONE = 0,
    MLI_MOV_STATE_DMA_RUNNING = 1,
    MLI_MOV_STATE_DMA_CONFIGURED = 3,
    MLI_MOV_STATE_PREPARED = 4,
    MLI_MOV_STATE_OPEN = 5,
    MLI_MOV_STATE_INVALID = 90,
    MLI_MOV_LARGE_ENUM = 0x02000000
} mli_mov_state;

typedef struct _mli_mov_handle_t {
    mli_mov_state state;
    int num_ch;
    int dma_ch;
} mli_mov_handle_t;

mli_status mli_mov_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst);
mli_status mli_mov_prepare(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                           mli_tensor *dst);
mli_status mli_mov_registercallback(mli_mov_handle_t *h, void (*cb)(int32_t), int32_t cookie);
mli_status mli_mov_start(mli_mov_handle_t *h, const mli_tensor *src, const mli_mov_cfg_t *cfg,
                         mli_tensor *dst);
bool mli_mov_isdone(mli_mov_handle_t *h);
mli_status mli_mov_wait(mli_mov_handle_t *h);
mli_status mli_mov_set_num_dma_ch(int ch_offset, int num_ch);
mli_status mli_mov_acquire_handle(int num_ch, mli_mov_handle_t *h);
mli_status mli_mov_release_handle(mli_mov_handle_t *h);
mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg);
mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *dst_mem_stride);
mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets, int *dst_mem_stride);
mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step, int *dst_mem_stride);
mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim);
mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride);
mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride);
mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *subsample_step,
                           int *dst_offsets, int *dst_mem_stride, uint8_t *perm_dim,
                           uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot);

#endif
