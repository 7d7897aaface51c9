/* Made-up cases of helpers and tables: getters, sub-tensors, strides, sizes, look-up tables. Rules:
 * numerics.md 8, recurrent.md 3. */
#include "harness/generate/random_build.h"

#include <string.h>

static lb_case_tensor *add(lb_build *b, lb_role role, bool output, lb_el_type type, unsigned rank,
                           const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_tensor(b, role, output, type, rank, shape);
    lb_build_strides(b, t);
    lb_build_any_data(b, t);
    lb_build_any_format(b, t, lb_random_once_in(&b->random, 2));
    return t;
}

/* One number about a tensor; an index beyond its lists is undefined. */
static void getter(lb_build *b)
{
    uint32_t shape[4];
    lb_config *cfg = &b->c->config;
    bool counts = b->c->kernel->config_kind == LB_CONFIG_START_DIM;
    unsigned rank = lb_build_shape(b, 0, 17, 5, shape);
    lb_case_tensor *in = add(b, LB_ROLE_IN, false, lb_build_any_type(b), rank, shape);
    int entries = in->quant_count > 0 ? (int)in->quant_count : 9;
    if (counts)
        cfg->start_dim = (uint32_t)lb_build_pick(b, 0, 5);
    if (counts && lb_random_once_in(&b->random, 8)) {
        in->has_rank = true;
        in->rank_override = 5;
    }
    cfg->scale_idx = b->c->kernel->config_kind == LB_CONFIG_SCALE_IDX
                         ? (uint32_t)lb_build_pick(b, 0, entries - 1)
                         : 0;
    cfg->zero_idx = b->c->kernel->config_kind == LB_CONFIG_ZERO_IDX
                        ? (uint32_t)lb_build_pick(b, 0, entries - 1)
                        : 0;
}

static void compare(lb_build *b)
{
    uint32_t shape[4];
    lb_el_type type = lb_build_any_type(b);
    unsigned rank = lb_build_shape(b, lb_random_once_in(&b->random, 6) ? 0 : 1, 17, 5, shape);
    const lb_case_tensor *first = add(b, LB_ROLE_IN1, false, type, rank, shape);
    uint32_t smaller = (uint32_t)lb_build_pick(b, 1, 3);
    lb_el_type other = lb_random_once_in(&b->random, 3) ? lb_build_any_type(b) : type;
    bool shares = first->rank > 0 && !lb_random_once_in(&b->random, 4);
    lb_case_tensor *second = lb_build_tensor(b, LB_ROLE_IN2, false, other, 1, &smaller);
    lb_build_any_format(b, second, false);
    if (!shares) {
        lb_build_any_data(b, second);
        return;
    }
    second->has_data_in = true;
    second->data_in = (lb_tensor_ref){.role = LB_ROLE_IN1};
    if (lb_random_once_in(&b->random, 3) && lb_build_count(first) > 1)
        second->data_in.start = 1;
}

static void set_strides(lb_build *b)
{
    uint32_t shape[4];
    unsigned rank = lb_build_shape(b, 1, 17, 5, shape);
    add(b, LB_ROLE_IN, true, lb_build_any_type(b), rank, shape);
}

/* A view: mostly inside, sometimes too far, of too many dimensions, or of nothing. */
static void create_subtensor(lb_build *b)
{
    uint32_t shape[4];
    lb_config *cfg = &b->c->config;
    const uint32_t one = 1;
    unsigned rank = lb_build_shape(b, 1, 17, 5, shape), single = 0;
    lb_el_type type = lb_build_any_type(b);
    add(b, LB_ROLE_IN, false, type, rank, shape);
    for (unsigned d = 0; d < rank; d++) {
        int low = lb_random_once_in(&b->random, 16) ? 0 : 1;
        cfg->offset[d] = (uint32_t)lb_build_pick(b, 0, (int)shape[d] - 1);
        int most = (int)(shape[d] - cfg->offset[d]);
        cfg->size[d] = lb_random_once_in(&b->random, 3)
                           ? 1
                           : (uint32_t)lb_build_pick(b, low, most < low ? low : most);
        single += cfg->size[d] == 1;
    }
    if (lb_random_once_in(&b->random, 10))
        cfg->size[lb_build_pick(b, 0, (int)rank - 1)] += (uint32_t)lb_build_pick(b, 1, 3);
    unsigned least = rank > single ? rank - single : 1;
    cfg->sub_tensor_rank = lb_random_once_in(&b->random, 8)
                               ? (uint32_t)lb_build_pick(b, 0, (int)rank + 1)
                               : (uint32_t)lb_build_pick(b, (int)least, (int)rank);
    lb_case_tensor *out = lb_build_tensor(b, LB_ROLE_OUT, true, type, 1, &one);
    lb_build_any_format(b, out, false);
}

static void point_to_subtensor(lb_build *b)
{
    static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32};
    uint32_t shape[4];
    lb_config *cfg = &b->c->config;
    unsigned rank = lb_build_shape(b, 1, 17, 5, shape);
    lb_el_type type = LB_RANDOM_OF(&b->random, types);
    lb_case_tensor *in = lb_build_tensor(b, LB_ROLE_IN, false, type, rank, shape);
    if (lb_random_once_in(&b->random, 8))
        lb_build_strides(b, in);
    lb_build_any_data(b, in);
    lb_build_any_format(b, in, false);
    cfg->coord_num =
        (uint8_t)(lb_random_once_in(&b->random, 6) ? lb_build_pick(b, 1, 4) : (int)rank);
    for (unsigned d = 0; d < rank; d++)
        cfg->start_coord[d] = (uint32_t)lb_build_pick(
            b, 0, (int)shape[d] - (lb_random_once_in(&b->random, 16) ? 0 : 1));
    uint32_t last = shape[rank - 1], start = cfg->start_coord[rank - 1];
    uint32_t most = last > start ? last - start : 1;
    cfg->first_out_dim_size =
        (uint8_t)lb_build_pick(b, 1, (int)(lb_random_once_in(&b->random, 8) ? most + 1 : most));
    uint32_t out_shape[2] = {most, 2};
    lb_case_tensor *out = lb_build_tensor(b, LB_ROLE_OUT, true, type,
                                          lb_random_once_in(&b->random, 10) ? 2 : 1, out_shape);
    lb_build_any_format(b, out, false);
}

void lb_random_helper(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    if (kernel->config_kind == LB_CONFIG_SUB_TENSOR)
        create_subtensor(b);
    else if (kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR)
        point_to_subtensor(b);
    else if (lb_kernel_role(kernel, LB_ROLE_IN2))
        compare(b);
    else if (kernel->roles[0].use == LB_USE_INOUT)
        set_strides(b);
    else if (lb_kernel_role(kernel, LB_ROLE_IN))
        getter(b);
}

/* ---- Tables ---- */

/* Memory around the sizes of the tables, with a capacity that may say less. */
void lb_random_table(lb_build *b)
{
    static const uint32_t lengths[] = {256, 319, 320, 321, 343, 344, 345, 512, 1024};
    if (!lb_kernel_role(b->c->kernel, LB_ROLE_OUT))
        return;
    const uint32_t length = lb_random_once_in(&b->random, 2) ? LB_RANDOM_OF(&b->random, lengths)
                                                             : (uint32_t)lb_build_pick(b, 1, 1100);
    lb_case_tensor *out = lb_build_tensor(b, LB_ROLE_OUT, true, LB_FX16, 1, &length);
    lb_build_fx(out, lb_build_pick(b, 0, 15));
    if (lb_random_once_in(&b->random, 4)) {
        out->has_capacity = true;
        out->capacity_bytes = (uint32_t)lb_build_pick(b, 0, (int)length * 2);
    }
}
