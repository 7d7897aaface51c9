/* Made-up cases of element-wise functions: ReLU family, add, sub, mul, min, max. Rules:
 * elementwise.md. */
#include "harness/generate/random_build.h"

#include <string.h>

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

static lb_case_tensor *add(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    return lb_build_plain(b, role, (lb_el_type)b->c->kernel->in_type, rank, shape);
}

static unsigned choose_shape(lb_build *b, uint32_t shape[4])
{
    return lb_build_shape(b, 1, 300, 5, shape);
}

void lb_random_relu(lb_build *b)
{
    uint32_t shape[4];
    unsigned rank = choose_shape(b, shape);
    lb_case_tensor *in = add(b, LB_ROLE_IN, rank, shape), *out = add(b, LB_ROLE_OUT, rank, shape);
    int frac =
        lb_random_once_in(&b->random, 3) ? lb_build_pick(b, -128, 127) : lb_build_pick(b, -3, 31);
    format(b, in, frac, frac);
    any_format(b, out, 0, 15, 0, 20);
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
    lb_case_tensor *in = add(b, LB_ROLE_IN, rank, shape);
    unsigned slope_rank = axis < 0 ? (unsigned)lb_build_pick(b, 0, 2) : rank;
    if (axis >= 0)
        slope_shape[axis] = shape[axis];
    lb_case_tensor *slope = lb_build_tensor(
        b, LB_ROLE_SLOPE, false, (lb_el_type)b->c->kernel->in_type, slope_rank, slope_shape);
    lb_build_data(b, slope);
    lb_case_tensor *out = add(b, LB_ROLE_OUT, rank, shape);
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
    lb_case_tensor *in1 = add(b, LB_ROLE_IN1, scalar == 0 ? 0 : rank, shape);
    lb_case_tensor *in2 = add(b, LB_ROLE_IN2, scalar == 1 ? 0 : rank, shape);
    lb_case_tensor *out = add(b, LB_ROLE_OUT, rank, shape);
    any_format(b, in1, fx_low, fx_high, 14, 20);
    any_format(b, in2, fx_low, fx_high, 14, 20);
    if (alike)
        copy_format(b, in1, in2);
    int product = op == LB_OP_MUL;
    int fx_out = in1->frac_bits +
                 (product ? in2->frac_bits - lb_build_pick(b, 0, 15) : lb_build_pick(b, -3, 2));
    format(b, out, fx_out, lb_build_pick(b, 14, 20) + (product ? 12 : 0));
}
