/* Made-up cases of functions without weights: the ReLU family, add, sub, mul, min, max, pooling,
 * permute, conversion, activations, softmax, normalisation, argmax. Rules: elementwise.md,
 * pooling_and_movement.md, numerics.md 7, recurrent.md. */
#include "harness/generate/random_build.h"

static lb_case_tensor *add(lb_build *b, lb_role role, lb_el_type type, unsigned rank,
                           const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_plain(b, role, type, rank, shape);
    lb_build_any_format(b, t, false);
    return t;
}

/* The same of the function's type. */
static lb_case_tensor *add_own(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    return add(b, role, (lb_el_type)b->c->kernel->in_type, rank, shape);
}

static unsigned choose_shape(lb_build *b, uint32_t shape[4])
{
    return lb_build_shape(b, 1, 300, 5, shape);
}

static void same_shape(lb_build *b)
{
    uint32_t shape[4];
    unsigned rank = choose_shape(b, shape);
    add_own(b, LB_ROLE_IN, rank, shape);
    add_own(b, LB_ROLE_OUT, rank, shape);
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
        add_own(b, LB_ROLE_EPSILON, 1, &one);
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
    add_own(b, LB_ROLE_IN, rank, shape);
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
    lb_case_tensor *from = add_own(b, LB_ROLE_IN, rank, shape);
    lb_case_tensor *to = add_own(b, LB_ROLE_OUT, rank, out);
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
            lb_build_any_format(b, operand[role].tensors, false);
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

/* ---- Element by element ---- */

static void format(lb_build *b, lb_case_tensor *t, int fx_frac, int sa_frac)
{
    if (lb_is_fx((uint32_t)t->type))
        lb_build_fx(t, fx_frac);
    else
        lb_build_any_sa(b, t, sa_frac);
}

/* Fractional bits between two numbers, others for sa. */
static void any_format(lb_build *b, lb_case_tensor *t, int fx_low, int fx_high, int sa_low,
                       int sa_high)
{
    int sa_frac = lb_build_pick(b, sa_low, sa_high);
    format(b, t, lb_build_pick(b, fx_low, fx_high), sa_frac);
}

void lb_random_relu(lb_build *b)
{
    same_shape(b);
    int frac =
        lb_random_once_in(&b->random, 3) ? lb_build_pick(b, -128, 127) : lb_build_pick(b, -3, 31);
    format(b, b->c->operand[LB_ROLE_IN].tensors, frac, frac);
    b->c->config.relu = lb_build_pick(b, 0, 4);
}

void lb_random_slopes(lb_build *b)
{
    uint32_t shape[4], slope_shape[4] = {1, 1, 1, 1};
    unsigned rank = choose_shape(b, shape);
    bool has_axis = b->c->kernel->config_kind == LB_CONFIG_AXIS;
    int axis = has_axis ? lb_build_pick(b, -1, (int)rank - 1) : -1;
    int frac =
        lb_random_once_in(&b->random, 4) ? lb_build_pick(b, -128, 127) : lb_build_pick(b, 0, 15);
    lb_case_tensor *in = add_own(b, LB_ROLE_IN, rank, shape);
    unsigned slope_rank = axis < 0 ? (unsigned)lb_build_pick(b, 0, 2) : rank;
    if (axis >= 0)
        slope_shape[axis] = shape[axis];
    lb_case_tensor *slope = lb_build_tensor(
        b, LB_ROLE_SLOPE, false, (lb_el_type)b->c->kernel->in_type, slope_rank, slope_shape);
    lb_build_data(b, slope);
    lb_case_tensor *out = add_own(b, LB_ROLE_OUT, rank, shape);
    format(b, in, frac, lb_build_pick(b, 12, 22));
    int slope_frac = lb_build_pick(b, 10, 30);
    format(b, slope, lb_build_pick(b, lb_random_once_in(&b->random, 4) ? -40 : 0, 31), slope_frac);
    format(b, out, frac, lb_build_pick(b, 12, 22));
    b->c->config.axis = axis;
}

/* min and max want their operands quantized alike. */
static void copy_format(lb_build *b, const lb_case_tensor *from, lb_case_tensor *to)
{
    if (lb_is_fx((uint32_t)to->type))
        to->frac_bits = from->frac_bits;
    else
        lb_build_sa(b, to, from->scale[0], from->scale_frac_bits[0], from->zero_point[0]);
}

void lb_random_eltwise(lb_build *b)
{
    uint32_t shape[4];
    unsigned rank = choose_shape(b, shape);
    lb_op op = b->c->kernel->op;
    bool alike = lb_op_picks(op);
    int scalar = lb_build_pick(b, 0, 5); /* 0: first, 1: second, else none */
    bool wild = lb_random_once_in(&b->random, 6);
    int fx_low = wild ? -128 : 0, fx_high = wild ? 127 : 15;
    lb_case_tensor *in1 = add_own(b, LB_ROLE_IN1, scalar == 0 ? 0 : rank, shape);
    lb_case_tensor *in2 = add_own(b, LB_ROLE_IN2, scalar == 1 ? 0 : rank, shape);
    lb_case_tensor *out = add_own(b, LB_ROLE_OUT, rank, shape);
    any_format(b, in1, fx_low, fx_high, 14, 20);
    any_format(b, in2, fx_low, fx_high, 14, 20);
    if (alike)
        copy_format(b, in1, in2);
    int product = op == LB_OP_MUL;
    int fx_out = in1->frac_bits +
                 (product ? in2->frac_bits - lb_build_pick(b, 0, 15) : lb_build_pick(b, -3, 2));
    format(b, out, fx_out, lb_build_pick(b, 14, 20) + (product ? 12 : 0));
}
