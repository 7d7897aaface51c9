/* Made-up cases of functions with weights: geometry, and formats under which results are neither
 * all zero nor all saturated. Rules: conv.md. */
#include "harness/generate/random_build.h"

#include <math.h>

/* ---- Formats ---- */

/* log2 of a sum of `macs` products of typical operands, roughly. */
static int typical_sum_bits(const lb_kernel *kernel, size_t macs)
{
    int product = kernel->in_type == LB_FX16 ? (kernel->weights_type == LB_FX16 ? 27 : 19) : 12;
    return product + lb_build_bits(macs) / 2;
}

static void fx_formats(lb_build *b, size_t macs)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                   *weights = b->c->operand[LB_ROLE_WEIGHTS].tensors;
    lb_case_tensor *bias = b->c->operand[LB_ROLE_BIAS].tensors,
                   *out = b->c->operand[LB_ROLE_OUT].tensors;
    bool wild = lb_random_once_in(&b->random, 8);
    int fi = wild ? lb_build_pick(b, -64, 63) : lb_build_pick(b, 0, 12),
        fw = wild ? lb_build_pick(b, -64, 63) : lb_build_pick(b, 0, 12);
    int out_bits = lb_container_bits((uint32_t)out->type);
    int shift = typical_sum_bits(b->c->kernel, macs) - (out_bits - 2) + lb_build_pick(b, -3, 3);
    int highest = lb_build_clamp(fi + fw, -128, 127);
    lb_build_fx(in, fi);
    lb_build_fx(weights, fw);
    lb_build_fx(out, lb_build_clamp(fi + fw - (shift < 0 ? 0 : shift), -128, highest));
    lb_build_fx(bias, lb_build_clamp(fi + fw - lb_build_pick(b, 0, wild ? 40 : 12), -128, highest));
    lb_build_data(b, bias);
}

void lb_build_bias_format(const lb_case_tensor *in, const lb_case_tensor *weights,
                          lb_case_tensor *bias, size_t j)
{
    int64_t product = (int64_t)in->scale[0] * weights->scale[j];
    int drop = lb_build_bits((uint64_t)product) - 15;
    drop = drop < 0 ? 0 : drop;
    int64_t scale = product >> drop;
    bias->scale[j] = (int16_t)(scale < 1 ? 1 : scale);
    bias->scale_frac_bits[j] =
        (int8_t)(in->scale_frac_bits[0] + weights->scale_frac_bits[j] - drop);
}

static void sa_formats(lb_build *b, size_t macs, int weights_axis)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                   *weights = b->c->operand[LB_ROLE_WEIGHTS].tensors;
    lb_case_tensor *bias = b->c->operand[LB_ROLE_BIAS].tensors,
                   *out = b->c->operand[LB_ROLE_OUT].tensors;
    bool wild = lb_random_once_in(&b->random, 8), per_axis = lb_random_once_in(&b->random, 2);
    int frac_in = wild ? lb_build_pick(b, -20, 50) : lb_build_pick(b, 12, 22),
        frac_weights = wild ? lb_build_pick(b, -20, 50) : lb_build_pick(b, 14, 24);
    lb_build_any_sa(b, in, frac_in);
    if (per_axis) {
        lb_build_sa_axis(b, weights, weights_axis);
        lb_build_sa_axis(b, bias, 0);
    } else {
        lb_build_sa(b, weights, 1, 0, 0);
        lb_build_sa(b, bias, 1, 0, 0);
    }
    for (size_t j = 0; j < weights->quant_count; j++) {
        weights->scale[j] = (int16_t)lb_build_scale(b);
        weights->scale_frac_bits[j] =
            (int8_t)(frac_weights + (per_axis ? lb_build_pick(b, -2, 2) : 0));
        lb_build_bias_format(in, weights, bias, j);
    }
    int scale_out = lb_build_scale(b);
    double step =
        ldexp((double)in->scale[0] * weights->scale[0], -frac_in - weights->scale_frac_bits[0]);
    double wanted =
        ldexp(step, typical_sum_bits(b->c->kernel, macs) - 6) / scale_out; /* 2^-frac_out */
    int zero_point = lb_build_zero_point(b);
    lb_build_sa(b, out, scale_out, -(int)lround(log2(wanted)) + lb_build_pick(b, -2, 3),
                zero_point);
    if (lb_random_once_in(&b->random, 6))
        lb_build_data(b, bias);
    else
        lb_build_data_in(b, bias, -(1 << 17), 1 << 17);
}

static void formats(lb_build *b, size_t macs, int weights_axis)
{
    if (b->c->kernel->in_type == LB_SA8)
        sa_formats(b, macs, weights_axis);
    else
        fx_formats(b, macs);
    b->c->config.relu = lb_build_pick(b, 0, lb_random_once_in(&b->random, 8) ? 5 : 3);
}

static void add(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    lb_build_gaps_and_data(b, role, lb_build_operand(b, role, rank, shape));
}

/* ---- Functions ---- */

void lb_random_convolution(lb_build *b)
{
    const size_t products = lb_random_window(b);
    const lb_case_operand *operand = b->c->operand;
    lb_case_tensor *out = operand[LB_ROLE_OUT].tensors;
    lb_build_gaps_and_data(b, LB_ROLE_IN, operand[LB_ROLE_IN].tensors);
    lb_build_gaps_and_data(b, LB_ROLE_WEIGHTS, operand[LB_ROLE_WEIGHTS].tensors);
    lb_build_gaps(b, out);
    add(b, LB_ROLE_BIAS, 1, &out->shape[2]);
    formats(b, products, 3);
}

void lb_random_fully_connected(lb_build *b)
{
    unsigned rank = (unsigned)lb_build_pick(b, 1, 4);
    uint32_t in[4], weights[2] = {1, lb_build_extent(b, 65)};
    for (unsigned d = 0; d < rank; d++) {
        in[d] = lb_build_extent(b, rank == 1 ? 65 : 4);
        weights[0] *= in[d];
    }
    lb_case_tensor *t =
        lb_build_tensor(b, LB_ROLE_IN, false, (lb_el_type)b->c->kernel->in_type, rank, in);
    lb_build_data(b, t);
    add(b, LB_ROLE_WEIGHTS, 2, weights);
    add(b, LB_ROLE_BIAS, 1, &weights[1]);
    add(b, LB_ROLE_OUT, 1, &weights[1]);
    formats(b, weights[0], 1);
}
