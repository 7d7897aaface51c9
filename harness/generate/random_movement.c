/* Made-up cases of movement: configurations filled, and tensors moved: slices, padding, steps,
 * permutations, places in a larger destination. Rules: pooling_and_movement.md 4, 5. */
#include "harness/generate/random_build.h"

/* Which of what a movement can do, together as often as alone. */
static void choose_config(lb_build *b, const uint32_t *shape, unsigned rank)
{
    lb_config *cfg = &b->c->config;
    lb_build_permutation(b, cfg->perm_dim, lb_build_once_in(b, 2) ? rank : 0);
    const bool cuts = lb_build_once_in(b, 2), pads = lb_build_once_in(b, 3);
    for (unsigned d = 0; d < 4; d++)
        cfg->sub_sample_step[d] = 1;
    for (unsigned d = 0; d < rank; d++) {
        if (cuts)
            cfg->offset[d] = (uint32_t)lb_build_pick(b, 0, (int)shape[d] - 1);
        if (cuts && !lb_build_once_in(b, 3))
            cfg->size[d] = (uint32_t)lb_build_pick(b, 1, (int)(shape[d] - cfg->offset[d]));
        if (pads) {
            cfg->padding_pre[d] = (uint8_t)lb_build_pick(b, 0, 2);
            cfg->padding_post[d] = (uint8_t)lb_build_pick(b, 0, 2);
        }
        if (lb_build_once_in(b, 4))
            cfg->sub_sample_step[d] = (uint32_t)lb_build_pick(b, 2, 5);
        if (lb_build_once_in(b, 5))
            cfg->dst_offset[d] = (uint32_t)lb_build_pick(b, 1, 3);
    }
}

/* Section 4.1, step 5. */
static uint32_t extent_of(const lb_config *cfg, const uint32_t *shape, unsigned d)
{
    unsigned from = cfg->perm_dim[d];
    uint32_t length = cfg->size[from] ? cfg->size[from]
                                      : shape[from] - cfg->offset[from] + cfg->padding_pre[from] +
                                            cfg->padding_post[from];
    return (length + cfg->sub_sample_step[from] - 1) / cfg->sub_sample_step[from] +
           cfg->dst_offset[d];
}

/* Strides of the destination: packed, those it had, or those of the configuration; and a buffer
 * that holds it, sometimes one element too small. */
static void choose_place(lb_build *b, lb_case_tensor *out)
{
    lb_config *cfg = &b->c->config;
    int64_t stride = lb_build_once_in(b, 4) ? lb_build_pick(b, 2, 3) : 1, last = 0;
    bool gaps = lb_build_once_in(b, 3);
    out->has_mem_stride = true;
    for (unsigned d = out->rank; d-- > 0;) {
        bool packed = stride == 1 && !gaps && lb_build_once_in(b, 2);
        out->mem_stride[d] = packed ? 0 : (int32_t)stride;
        if (!packed && lb_build_once_in(b, 3)) {
            cfg->dst_mem_stride[d] = (int32_t)stride;
            out->mem_stride[d] = lb_build_pick(b, 0, 3);
        }
        last += (int64_t)(out->shape[d] - 1) * stride;
        stride = stride * out->shape[d] + (gaps ? lb_build_pick(b, 0, 3) : 0);
    }
    bool short_of_one = last > 0 && lb_build_once_in(b, 24);
    out->has_buffer_elements = true;
    out->buffer_elements = (uint64_t)(last + (short_of_one ? 0 : lb_build_pick(b, 1, 3)));
    lb_build_some_data(b, out, (size_t)out->buffer_elements);
}

/* The destination's lists are its own, of its length along the axis, or none. */
static void choose_lists(lb_build *b, const lb_case_tensor *in, lb_case_tensor *out)
{
    lb_build_any_format(b, out, false);
    if (in->axis < 0)
        return;
    for (unsigned d = 0; d < out->rank; d++)
        if (b->c->config.perm_dim[d] == in->axis && !lb_build_once_in(b, 4))
            lb_build_per_axis(b, out, (int)d);
}

static void move(lb_build *b)
{
    uint32_t shape[4], moved[4];
    unsigned rank = lb_build_shape(b, 1, 33, 6, shape);
    lb_el_type type = lb_build_any_type(b);
    lb_case_tensor *in = lb_build_tensor(b, LB_ROLE_IN, false, type, rank, shape);
    lb_build_strides(b, in);
    lb_build_data(b, in);
    lb_build_any_format(b, in, lb_build_once_in(b, 3));
    choose_config(b, shape, rank);
    for (unsigned d = 0; d < rank; d++)
        moved[d] = extent_of(&b->c->config, shape, d);
    lb_case_tensor *out = lb_build_tensor(b, LB_ROLE_OUT, true, type, rank, moved);
    choose_place(b, out);
    choose_lists(b, in, out);
}

void lb_random_movement(lb_build *b)
{
    if (b->c->kernel->config_kind == LB_CONFIG_MOV)
        move(b);
    else
        lb_build_any_fields(b);
}
