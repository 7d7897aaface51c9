/* The helpers that fill a movement configuration. Spec: pooling_and_movement.md 5.
 * All fields are written, and nothing is checked: a negative argument becomes its pattern in an
 * unsigned field. */
#include "models.h"

#include <string.h>

/* What every helper starts from: the neutral configuration. */
static lb_config *start(lb_call *call)
{
    lb_config *cfg = &call->config;
    for (unsigned i = 0; i < LB_MAX_RANK; i++) {
        cfg->offset[i] = 0;
        cfg->size[i] = 0;
        cfg->sub_sample_step[i] = 1;
        cfg->dst_offset[i] = 0;
        cfg->dst_mem_stride[i] = 0;
        cfg->perm_dim[i] = (uint8_t)i;
        cfg->padding_pre[i] = 0;
        cfg->padding_post[i] = 0;
    }
    return cfg;
}

static void take(uint32_t field[LB_MAX_RANK], const int32_t argument[LB_MAX_RANK])
{
    for (unsigned i = 0; i < LB_MAX_RANK; i++)
        field[i] = (uint32_t)argument[i];
}

static void take_strides(lb_config *cfg)
{
    memcpy(cfg->dst_mem_stride, cfg->arg_dst_mem_stride, sizeof cfg->dst_mem_stride);
}

static void take_permutation(lb_config *cfg)
{
    memcpy(cfg->perm_dim, cfg->arg_perm_dim, sizeof cfg->perm_dim);
}

/* Dimensions of a feature map's height and width. */
static void take_padding(lb_config *cfg, unsigned height, unsigned width)
{
    cfg->padding_pre[height] = cfg->padtop;
    cfg->padding_post[height] = cfg->padbot;
    cfg->padding_pre[width] = cfg->padleft;
    cfg->padding_post[width] = cfg->padright;
}

void lb_exact_mov_cfg_for_copy(const lb_context *context, lb_call *call)
{
    (void)context;
    (void)start(call);
}

void lb_exact_mov_cfg_for_slice(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_config *cfg = start(call);
    take(cfg->offset, cfg->arg_offsets);
    take(cfg->size, cfg->arg_sizes);
    take_strides(cfg);
}

void lb_exact_mov_cfg_for_concat(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_config *cfg = start(call);
    take(cfg->dst_offset, cfg->arg_dst_offsets);
    take_strides(cfg);
}

void lb_exact_mov_cfg_for_subsample(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_config *cfg = start(call);
    take(cfg->sub_sample_step, cfg->arg_subsample_step);
    take_strides(cfg);
}

void lb_exact_mov_cfg_for_permute(const lb_context *context, lb_call *call)
{
    (void)context;
    take_permutation(start(call));
}

void lb_exact_mov_cfg_for_padding2d_chw(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_config *cfg = start(call);
    take_padding(cfg, 1, 2);
    take_strides(cfg);
}

void lb_exact_mov_cfg_for_padding2d_hwc(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_config *cfg = start(call);
    take_padding(cfg, 0, 1);
    take_strides(cfg);
}

/* QUIRK: dimensions 0 and 1 alone can be padded. */
void lb_exact_mov_cfg_all(const lb_context *context, lb_call *call)
{
    (void)context;
    lb_config *cfg = start(call);
    take(cfg->offset, cfg->arg_offsets);
    take(cfg->size, cfg->arg_sizes);
    take(cfg->sub_sample_step, cfg->arg_subsample_step);
    take(cfg->dst_offset, cfg->arg_dst_offsets);
    take_strides(cfg);
    take_permutation(cfg);
    take_padding(cfg, 0, 1);
}
