/* Made-up cases of helpers, tables and codes of four bits: getters, sub-tensors, strides, sizes,
 * look-up tables, casts. Rules: numerics.md 8, recurrent.md 3, float4.md. */
#include "harness/generate/random_build.h"
#include "reference/mli/float4_function.h"

#include <string.h>

static lb_case_tensor *add(lb_build *b, lb_role role, unsigned lowest_rank, lb_el_type type)
{
    uint32_t shape[4];
    const unsigned rank = lb_build_shape(b, lowest_rank, 17, 5, shape);
    lb_case_tensor *t = lb_build_tensor(
        b, role, lb_kernel_role(b->c->kernel, role)->use != LB_USE_INPUT, type, rank, shape);
    lb_build_strides(b, t);
    lb_build_data(b, t);
    lb_build_any_format(b, t, lb_build_once_in(b, 2));
    return t;
}

/* One number about a tensor; an index beyond its lists is undefined. */
static void getter(lb_build *b)
{
    const lb_config_field *index = lb_config_fields(b->c->kernel->config_kind);
    const bool counts = b->c->kernel->config_kind == LB_CONFIG_START_DIM;
    lb_case_tensor *in = add(b, LB_ROLE_IN, 0, lb_build_any_type(b));
    const int entries = in->quant_count > 0 ? (int)in->quant_count : 9;
    if (counts && lb_build_once_in(b, 8)) {
        in->has_rank = true;
        in->rank_override = 5;
    }
    if (index->name)
        lb_config_set(&b->c->config, index, 0, lb_build_pick(b, 0, counts ? 5 : entries - 1));
}

static void compare(lb_build *b)
{
    const lb_el_type type = lb_build_any_type(b);
    const lb_case_tensor *first = add(b, LB_ROLE_IN1, lb_build_once_in(b, 6) ? 0 : 1, type);
    const uint32_t smaller = (uint32_t)lb_build_pick(b, 1, 3);
    const lb_el_type other = lb_build_once_in(b, 3) ? lb_build_any_type(b) : type;
    lb_case_tensor *second = lb_build_tensor(b, LB_ROLE_IN2, false, other, 1, &smaller);
    lb_build_any_format(b, second, false);
    if (first->rank == 0 || lb_build_once_in(b, 4)) {
        lb_build_data(b, second);
        return;
    }
    second->has_data_in = true;
    second->data_in = (lb_tensor_ref){.role = LB_ROLE_IN1};
    second->data_in.start = lb_build_once_in(b, 3) && lb_build_count(first) > 1;
}

/* A view: mostly inside, sometimes too far, of too many dimensions, or of nothing. */
static void create_subtensor(lb_build *b)
{
    lb_config *cfg = &b->c->config;
    const uint32_t one = 1;
    const lb_case_tensor *in = add(b, LB_ROLE_IN, 1, lb_build_any_type(b));
    const int rank = (int)in->rank;
    int several = 0;
    for (int d = 0; d < rank; d++) {
        cfg->offset[d] = (uint32_t)lb_build_pick(b, 0, (int)in->shape[d] - 1);
        const int most = (int)(in->shape[d] - cfg->offset[d]) + lb_build_once_in(b, 24),
                  low = lb_build_once_in(b, 16) ? 0 : 1;
        cfg->size[d] = lb_build_once_in(b, 3) ? 1 : (uint32_t)lb_build_pick(b, low, most);
        several += cfg->size[d] != 1;
    }
    cfg->sub_tensor_rank =
        (uint32_t)(lb_build_once_in(b, 8) ? lb_build_pick(b, 0, rank + 1)
                                          : lb_build_pick(b, several > 0 ? several : 1, rank));
    lb_build_any_format(b, lb_build_tensor(b, LB_ROLE_OUT, true, in->type, 1, &one), false);
}

static void point_to_subtensor(lb_build *b)
{
    static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32};
    lb_config *cfg = &b->c->config;
    lb_case_tensor *in = add(b, LB_ROLE_IN, 1, LB_RANDOM_OF(&b->random, types));
    const unsigned last = in->rank - 1;
    in->has_mem_stride = in->has_mem_stride && lb_build_once_in(b, 3);
    lb_build_spread(b, in, -1);
    cfg->coord_num = (uint8_t)(lb_build_once_in(b, 6) ? lb_build_pick(b, 1, 4) : (int)in->rank);
    for (unsigned d = 0; d <= last; d++)
        cfg->start_coord[d] =
            (uint32_t)lb_build_pick(b, 0, (int)in->shape[d] - !lb_build_once_in(b, 16));
    const uint32_t behind = in->shape[last] - cfg->start_coord[last], most = behind ? behind : 1,
                   shape[2] = {most, 2};
    cfg->first_out_dim_size = (uint8_t)lb_build_pick(b, 1, (int)most + lb_build_once_in(b, 8));
    lb_build_any_format(
        b, lb_build_tensor(b, LB_ROLE_OUT, true, in->type, lb_build_once_in(b, 10) ? 2 : 1, shape),
        false);
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
        add(b, LB_ROLE_IN, 1, lb_build_any_type(b));
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
    const uint32_t length = lb_build_once_in(b, 2) ? LB_RANDOM_OF(&b->random, lengths)
                                                   : (uint32_t)lb_build_pick(b, 1, 1100);
    lb_case_tensor *out = lb_build_tensor(b, LB_ROLE_OUT, true, LB_FX16, 1, &length);
    lb_build_fx(out, lb_build_pick(b, 0, 15));
    out->has_capacity = lb_build_once_in(b, 4);
    out->capacity_bytes = out->has_capacity ? (uint32_t)lb_build_pick(b, 0, (int)length * 2) : 0;
}

/* ---- Codes ---- */

/* Any bit pattern of binary32; half of them near what four bits can hold. */
static int32_t pattern(lb_build *b)
{
    const float real = (float)lb_build_pick(b, -130, 130) / 16.0f;
    int32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return lb_build_once_in(b, 2)   ? (int32_t)(uint32_t)lb_random_bits(&b->random)
           : lb_build_once_in(b, 4) ? bits + lb_build_pick(b, -1, 1)
                                    : bits;
}

static void add_codes(lb_build *b, lb_role role, uint32_t type, uint32_t count)
{
    uint32_t shape[4];
    const unsigned rank = lb_build_split(b, count, shape);
    lb_case_tensor *t =
        lb_build_tensor(b, role, role == LB_ROLE_OUT, (lb_el_type)type, rank, shape);
    if (role != LB_ROLE_OUT)
        lb_build_data(b, t);
    for (size_t i = 0; i < t->data.count && t->type == LB_FP32; i++)
        t->data.items[i] = pattern(b);
}

/* Counts that many shapes have, too; or none that blocks need, or whole blocks. */
void lb_random_float4(lb_build *b)
{
    enum { BLOCK = 32 };
    static const uint32_t counts[] = {72, 90, 120, 144, 180, 210, 288, 330, 594, 660, 1056};
    const lb_float4_function *f = lb_float4_function_of(b->c->kernel);
    const uint32_t blocks = lb_build_once_in(b, 12) ? 0 : (uint32_t)lb_build_pick(b, 1, 3);
    const uint32_t count =
        lb_build_once_in(b, 2) ? LB_RANDOM_OF(&b->random, counts) : lb_build_extent(b, 65);
    const uint32_t in_blocks = blocks ? blocks * BLOCK : count;
    if (!f) {
        add_codes(b, LB_ROLE_IN1, LB_EL_FLOAT8E8M0, blocks ? blocks : 1);
        add_codes(b, LB_ROLE_IN2, LB_EL_FLOAT4E2M1, in_blocks);
        add_codes(b, LB_ROLE_OUT, LB_FP32, in_blocks);
        return;
    }
    const bool is_mx = f->kind == LB_FLOAT4_MX_SCALES || f->kind == LB_FLOAT4_MX_ELEMENTS;
    const uint32_t many = is_mx ? in_blocks : count, half = (many + 1) / 2;
    add_codes(b, LB_ROLE_IN, f->in_type, f->kind == LB_FLOAT4_UNPACK ? half : many);
    add_codes(b, LB_ROLE_OUT, f->out_type,
              f->kind == LB_FLOAT4_PACK        ? half
              : f->kind == LB_FLOAT4_MX_SCALES ? (blocks ? blocks : 1)
                                               : many);
}
