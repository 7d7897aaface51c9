/* mli_mov_cfg_*: configurations of data movement (pooling_and_movement.md 5). Each starts from the
 * neutral one and takes what its arguments name; values are not looked at. */
#include <string.h>

#include "api/mli_mov_api.h"
#include "internal.h"

/* Arrays of MLI_MAX_RANK ints. */
static void take_unsigned(uint32_t *field, const int *values)
{
    for (int d = 0; d < MLI_MAX_RANK; d++)
        field[d] = (uint32_t)values[d];
}

static void take_strides(mli_mov_cfg_t *cfg, const int *values)
{
    for (int d = 0; d < MLI_MAX_RANK; d++)
        cfg->dst_mem_stride[d] = values[d];
}

static void pad(mli_mov_cfg_t *cfg, int dim, uint8_t before, uint8_t behind)
{
    cfg->padding_pre[dim] = before;
    cfg->padding_post[dim] = behind;
}

mli_status mli_mov_cfg_for_copy(mli_mov_cfg_t *cfg)
{
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    memset(cfg, 0, sizeof *cfg);
    for (int d = 0; d < MLI_MAX_RANK; d++) {
        cfg->sub_sample_step[d] = 1;
        cfg->perm_dim[d] = (uint8_t)d;
    }
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_slice(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *dst_mem_stride)
{
    LB_MLI_REQUIRE(offsets && sizes && dst_mem_stride, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(mli_mov_cfg_for_copy(cfg));
    take_unsigned(cfg->offset, offsets);
    take_unsigned(cfg->size, sizes);
    take_strides(cfg, dst_mem_stride);
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_concat(mli_mov_cfg_t *cfg, int *dst_offsets, int *dst_mem_stride)
{
    LB_MLI_REQUIRE(dst_offsets && dst_mem_stride, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(mli_mov_cfg_for_copy(cfg));
    take_unsigned(cfg->dst_offset, dst_offsets);
    take_strides(cfg, dst_mem_stride);
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_subsample(mli_mov_cfg_t *cfg, int *sub_sample_step, int *dst_mem_stride)
{
    LB_MLI_REQUIRE(sub_sample_step && dst_mem_stride, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(mli_mov_cfg_for_copy(cfg));
    take_unsigned(cfg->sub_sample_step, sub_sample_step);
    take_strides(cfg, dst_mem_stride);
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_permute(mli_mov_cfg_t *cfg, uint8_t *perm_dim)
{
    LB_MLI_REQUIRE(perm_dim, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(mli_mov_cfg_for_copy(cfg));
    memcpy(cfg->perm_dim, perm_dim, sizeof cfg->perm_dim);
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_padding2d_chw(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride)
{
    LB_MLI_REQUIRE(dst_mem_stride, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(mli_mov_cfg_for_copy(cfg));
    pad(cfg, FMAP_W_DIM_CHW, padleft, padright);
    pad(cfg, FMAP_H_DIM_CHW, padtop, padbot);
    take_strides(cfg, dst_mem_stride);
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_for_padding2d_hwc(mli_mov_cfg_t *cfg, uint8_t padleft, uint8_t padright,
                                         uint8_t padtop, uint8_t padbot, int *dst_mem_stride)
{
    LB_MLI_REQUIRE(dst_mem_stride, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(mli_mov_cfg_for_copy(cfg));
    pad(cfg, FMAP_W_DIM_HWC, padleft, padright);
    pad(cfg, FMAP_H_DIM_HWC, padtop, padbot);
    take_strides(cfg, dst_mem_stride);
    return MLI_STATUS_OK;
}

mli_status mli_mov_cfg_all(mli_mov_cfg_t *cfg, int *offsets, int *sizes, int *subsample_step,
                           int *dst_offsets, int *dst_mem_stride, uint8_t *perm_dim,
                           uint8_t padleft, uint8_t padright, uint8_t padtop, uint8_t padbot)
{
    LB_MLI_REQUIRE(offsets && sizes && subsample_step && dst_offsets && perm_dim,
                   MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(
        mli_mov_cfg_for_padding2d_hwc(cfg, padleft, padright, padtop, padbot, dst_mem_stride));
    take_unsigned(cfg->offset, offsets);
    take_unsigned(cfg->size, sizes);
    take_unsigned(cfg->sub_sample_step, subsample_step);
    take_unsigned(cfg->dst_offset, dst_offsets);
    memcpy(cfg->perm_dim, perm_dim, sizeof cfg->perm_dim);
    return MLI_STATUS_OK;
}
