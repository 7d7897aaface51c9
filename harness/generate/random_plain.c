/* Made-up cases of pooling, permute, conversion, activations, softmax, normalisation, argmax.
 * Rules: pooling_and_movement.md, numerics.md 7, elementwise.md, recurrent.md. */
#include "harness/generate/random_build.h"

static int wide_frac(lb_build *b)
{
    return lb_random_once_in(&b->random, 4) ? lb_build_pick(b, -128, 127) : lb_build_pick(b, 0, 15);
}

/* A format of any kind; sa with scales of a few octaves. */
static void any_format(lb_build *b, lb_case_tensor *t)
{
    if (lb_is_fx((uint32_t)t->type))
        lb_build_fx(t, wide_frac(b));
    else if (lb_is_sa((uint32_t)t->type))
        lb_build_picked_sa(b, t, 8, 24);
}

static lb_case_tensor *add(lb_build *b, lb_role role, lb_el_type type, unsigned rank,
                           const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_plain(b, role, type, rank, shape);
    any_format(b, t);
    return t;
}

static unsigned choose_shape(lb_build *b, uint32_t shape[4])
{
    return lb_build_shape(b, 1, 65, 5, shape);
}

static void same_shape(lb_build *b)
{
    uint32_t shape[4];
    unsigned rank = choose_shape(b, shape);
    add(b, LB_ROLE_IN, (lb_el_type)b->c->kernel->in_type, rank, shape);
    add(b, LB_ROLE_OUT, (lb_el_type)b->c->kernel->in_type, rank, shape);
}

void lb_random_activation(lb_build *b)
{
    same_shape(b);
}

void lb_random_grouped(lb_build *b)
{
    const lb_case_tensor *in;
    same_shape(b);
    in = b->c->operand[LB_ROLE_IN].tensors;
    b->c->config.axis = lb_build_pick(b, -1, (int)in->rank - 1);
    if (b->c->kernel->family == LB_FAMILY_L2_NORMALIZE) {
        const uint32_t one = 1;
        add(b, LB_ROLE_EPSILON, (lb_el_type)b->c->kernel->in_type, 1, &one);
    }
}

void lb_random_argmax(lb_build *b)
{
    uint32_t shape[4], out[2] = {1, 1}, elements = 1;
    unsigned rank = choose_shape(b, shape);
    int axis = lb_build_pick(b, -1, (int)rank - 1);
    for (unsigned d = 0; d < rank; d++)
        elements *= shape[d];
    out[0] = axis < 0 ? 1 : shape[axis];
    uint32_t slice = elements / out[0];
    out[1] = lb_random_once_in(&b->random, 2)
                 ? 1
                 : (uint32_t)lb_build_pick(b, 1, slice > 12 ? 12 : (int)slice);
    add(b, LB_ROLE_IN, (lb_el_type)b->c->kernel->in_type, rank, shape);
    lb_case_tensor *t = lb_build_tensor(b, LB_ROLE_OUT, true, LB_SA32, 2, out);
    lb_build_sa(b, t, 1, 0, 0);
    b->c->config.axis = axis;
    b->c->config.topk = (int32_t)out[1];
}

static void per_axis(lb_build *b, lb_case_tensor *t, int axis)
{
    if (!lb_is_sa((uint32_t)t->type) || axis < 0)
        return;
    lb_build_sa_axis(b, t, axis);
    lb_build_fill_lists(b, t);
}

void lb_random_permute(lb_build *b)
{
    uint32_t shape[4], out[4];
    unsigned rank = choose_shape(b, shape);
    lb_config *cfg = &b->c->config;
    lb_build_permutation(b, cfg->perm_dim, rank);
    for (unsigned d = 0; d < rank; d++)
        out[d] = shape[cfg->perm_dim[d]];
    lb_case_tensor *from = add(b, LB_ROLE_IN, (lb_el_type)b->c->kernel->in_type, rank, shape);
    lb_case_tensor *to = add(b, LB_ROLE_OUT, (lb_el_type)b->c->kernel->in_type, rank, out);
    lb_build_strides(b, from);
    lb_build_strides(b, to);
    if (!lb_random_once_in(&b->random, 2))
        return;
    per_axis(b, from, lb_build_pick(b, 0, (int)rank - 1));
    for (unsigned d = 0; d < rank && from->axis >= 0; d++)
        if (cfg->perm_dim[d] == from->axis && !lb_random_once_in(&b->random, 5))
            per_axis(b, to, (int)d); /* its own lists, long enough */
}

void lb_random_pool(lb_build *b)
{
    lb_case_operand *operand = b->c->operand;
    lb_random_window(b);
    for (int role = LB_ROLE_IN; role <= LB_ROLE_OUT; role++)
        if (operand[role].present) {
            lb_build_gaps_and_data(b, (lb_role)role, operand[role].tensors);
            any_format(b, operand[role].tensors);
        }
}

void lb_random_convert(lb_build *b)
{
    static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP32};
    uint32_t shape[4];
    unsigned rank = choose_shape(b, shape);
    int axis = lb_random_once_in(&b->random, 2) ? lb_build_pick(b, 0, (int)rank - 1) : -1;
    lb_case_tensor *in = add(b, LB_ROLE_IN, LB_RANDOM_OF(&b->random, types), rank, shape);
    lb_case_tensor *out = add(b, LB_ROLE_OUT, LB_RANDOM_OF(&b->random, types), rank, shape);
    if (in->type == LB_FP32)
        lb_build_any_data(b, in);
    per_axis(b, in, lb_random_once_in(&b->random, 2) ? axis : -1);
    per_axis(b, out, lb_random_once_in(&b->random, 2) ? axis : -1);
}
