/* Made-up cases of the functions of LiteRT: numbers of the configuration such that results are
 * neither all zero nor all at a limit. What comes out undefined is made anew (random_case.c).
 * Rules: litert.2 to litert.20. */
#include "harness/generate/random_build.h"
#include "reference/describe/map.h"

#include <string.h>

/* ---- Numbers ---- */

static bool is_narrow(const lb_build *b)
{
    return b->c->kernel->in_type == LB_S8;
}

static int bits_of(uint32_t type)
{
    return lb_container_bits(type);
}

/* Multipliers, each with the shift behind it, of any two that take numbers of `from` bits to
 * results, or an operand to as many; shifts go up to `most`. */
static void set_factors(lb_build *b, int from, int most)
{
    for (const lb_config_field *f = lb_config_fields(b->c->kernel->config_kind); f->name; f++) {
        if (f->sort != LB_SORT_MULTIPLIER || f->whole[0] != f->whole[1] ||
            f[1].sort != LB_SORT_SHIFT || strncmp(f->name, "input_", 6) == 0)
            continue;
        const bool is_input = strncmp(f->name, "input", 5) == 0;
        lb_factor made =
            lb_build_factor(b, from, is_input ? from : bits_of(b->c->kernel->out_type));
        if (made.shift > most)
            made = (lb_factor){lb_build_multiplier(b), most};
        lb_config_set(&b->c->config, f, 0, made.multiplier);
        lb_config_set(&b->c->config, f + 1, 0, made.shift);
    }
}

static void fill_whole(lb_build *b, lb_role role)
{
    lb_case_tensor *t = lb_build_tensor_of(b, role);
    lb_build_fill(b, t, lb_build_range((uint32_t)t->type));
}

/* ---- Functions with weights, and pooling ---- */

/* A multiplier and a shift for each channel, where the function has lists of them. */
static void fill_lists(lb_build *b, int shift, int sum)
{
    lb_case_tensor *m = lb_build_tensor_of(b, LB_ROLE_MULTIPLIER),
                   *s = lb_build_tensor_of(b, LB_ROLE_SHIFT);
    if (!m)
        return;
    const bool any = lb_build_once_in(b, 6);
    m->type = s->type = LB_S32;
    lb_build_data(b, m);
    lb_build_data(b, s);
    m->may_be_uniform = s->may_be_uniform = false;
    for (size_t i = 0; i < m->data.count; i++) {
        const lb_factor f = lb_build_factor(b, sum, bits_of(b->c->kernel->out_type));
        m->data.items[i] = any ? f.multiplier : lb_build_multiplier(b);
        s->data.items[i] = any ? f.shift : shift + lb_build_pick(b, -2, 2);
    }
}

/* Sums as large as so many products can make them, of one sign. */
static void fill_with_ends(lb_build *b)
{
    const lb_range in = lb_build_range(b->c->kernel->in_type);
    const int64_t end = lb_build_once_in(b, 2) ? in.low : in.high;
    lb_build_data_in(b, lb_build_tensor_of(b, LB_ROLE_IN), end, end);
    lb_build_data_in(b, lb_build_tensor_of(b, LB_ROLE_WEIGHTS), -127, -127);
    lb_build_set(b, "input_offset", end < 0 ? -127 : 128);
}

static void make_weighted(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const size_t macs = lb_random_window(b);
    const bool is_short = is_narrow(b) || b->c->config.litert.accumulator_bits == 32;
    const int least = (is_narrow(b) ? 12 : 19) + lb_build_bits(macs) / 2, most = is_short ? 30 : 45;
    const int sum = lb_build_once_in(b, 4) ? lb_build_pick(b, least, most) : least;
    const int shift = bits_of(kernel->out_type) - 1 - sum;
    lb_case_tensor *weights = lb_build_tensor_of(b, LB_ROLE_WEIGHTS),
                   *bias = lb_build_tensor_of(b, LB_ROLE_BIAS);
    lb_build_set(b, "shift", shift + lb_build_pick(b, -2, 2));
    if (lb_build_once_in(b, 6))
        set_factors(b, sum, 30);
    /* int8 weights have none, most of the time */
    lb_build_set(b, "weights_offset", lb_build_once_in(b, 2) ? 0 : -lb_build_zero_point(b));
    fill_lists(b, shift, sum);
    weights->type = LB_S8;
    bias->type = is_short ? LB_S32 : LB_S64;
    lb_build_fill(b, bias, (lb_range){-((int64_t)1 << sum), ((int64_t)1 << sum) - 1});
    b->c->operand[LB_ROLE_BIAS].present = !lb_build_once_in(b, 8);
    if (lb_build_once_in(b, 8)) {
        fill_with_ends(b);
        return;
    }
    fill_whole(b, LB_ROLE_IN);
    lb_build_fill(b, weights, (lb_range){lb_build_once_in(b, 3) ? -128 : -127, 127});
}

/* ---- Element by element ---- */

/* Of two inputs, dimension by dimension one may be repeated; of leading ones, it may have none. */
static void make_two(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const int bits = bits_of(kernel->in_type), left = bits == 8 ? 20 : 15;
    const bool is_pure = !kernel->real; /* none of a model's operators */
    const bool scales = !is_pure && !lb_build_field(b, "left_shift"); /* a product */
    uint32_t shape[4], other[4], whole[4];
    const unsigned rank = lb_build_shape(b, 1, 65, 4, whole);
    for (unsigned d = 0; d < rank; d++) {
        const bool repeats = !is_pure && lb_build_once_in(b, 4), first = lb_build_once_in(b, 2);
        other[d] = repeats && first ? 1 : whole[d];
        shape[d] = repeats && !first ? 1 : whole[d];
    }
    const int widened = lb_build_once_in(b, 4) ? lb_build_pick(b, 0, bits == 8 ? 23 : 15) : left;
    lb_build_set(b, "left_shift", widened);
    lb_build_set(b, "output_shift",
                 scales ? 1 - 2 * bits + bits_of(kernel->out_type) + lb_build_pick(b, -2, 2)
                        : lb_build_clamp(-widened + lb_build_pick(b, -1, 2), -31, 0));
    if (lb_build_once_in(b, 4))
        set_factors(b, scales ? 2 * bits : bits + left, scales ? 30 : 0);
    const unsigned from = !is_pure && rank > 1 && other[0] == 1 && lb_build_once_in(b, 2) ? 1 : 0;
    lb_build_operand(b, LB_ROLE_IN1, rank, shape);
    lb_build_operand(b, LB_ROLE_IN2, rank - from, other + from);
    lb_build_operand(b, LB_ROLE_OUT, rank, whole);
    fill_whole(b, LB_ROLE_IN1);
    fill_whole(b, LB_ROLE_IN2);
}

/* Which numbers a fixed-point function is defined for, only its model knows: any, those of one
 * sign, with room for a shift to the left. */
static lb_range any_domain(lb_build *b)
{
    const bool is_wide = bits_of(b->c->kernel->in_type) > 32;
    const lb_range all = lb_build_range(b->c->kernel->in_type);
    const int sign = lb_build_pick(b, -1, 1), shift = lb_build_pick(b, -31, is_wide ? 7 : 30);
    const int64_t by = (int64_t)1 << lb_build_clamp(shift + (is_wide ? 17 : 0), 0, 30);
    lb_build_set(b, "shift", shift);
    if (!lb_build_field(b, "shift"))
        return (lb_range){sign > 0 ? 0 : all.low, sign < 0 ? 0 : all.high};
    return all.high / by < 2 ? (lb_range){-1, 1} : (lb_range){all.low / by, all.high / by};
}

static void make_one(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    uint32_t shape[4];
    const unsigned rank = lb_build_shape(b, 1, 300, 4, shape);
    const lb_range r = kernel->real ? lb_build_range(kernel->in_type) : any_domain(b);
    if (kernel->real && lb_build_once_in(b, 3))
        set_factors(b, bits_of(kernel->in_type), 30);
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++) {
        lb_case_tensor *t = lb_build_operand(b, spec->role, rank, shape);
        if (spec->use == LB_USE_INPUT)
            lb_build_fill(b, t, r);
        else if (spec->role != LB_ROLE_OUT)
            t->type = LB_S32;
    }
}

/* ---- Rows and dimensions ---- */

/* Some dimensions in any order, now and then twice (litert.19), counted from the end or not. */
static void make_mean(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    uint32_t shape[4], kept[4] = {1};
    uint8_t order[4];
    const unsigned rank = lb_build_shape(b, 1, 65, 4, shape);
    const uint32_t count = (uint32_t)lb_build_pick(b, 1, (int)rank);
    const uint32_t entries =
        lb_build_once_in(b, 6) ? count * (uint32_t)lb_build_pick(b, 2, 9) : count;
    lb_build_permutation(b, order, rank);
    lb_build_operand(b, LB_ROLE_IN, rank, shape);
    fill_whole(b, LB_ROLE_IN);
    lb_case_tensor *axis = lb_build_tensor(b, LB_ROLE_AXIS, false, LB_S32, 1, &entries);
    lb_build_data(b, axis);
    axis->may_be_uniform = false;
    for (uint32_t i = 0; i < entries; i++)
        axis->data.items[i] = order[i % count] - (lb_build_once_in(b, 4) ? (int32_t)rank : 0);
    unsigned kept_rank = 0;
    size_t summed = 1;
    const bool keeps = lb_build_once_in(b, 2);
    for (unsigned d = 0; d < rank; d++) {
        bool is_listed = false;
        for (uint32_t i = 0; i < count; i++)
            is_listed = is_listed || order[i] == d;
        summed *= is_listed ? shape[d] : 1;
        if (!is_listed || keeps)
            kept[kept_rank++] = is_listed ? 1 : shape[d];
    }
    if (b->c->config.litert.sum)
        lb_build_set(b, "shift", lb_build_pick(b, -1, 2) - lb_build_bits(summed) / 2);
    if (lb_build_once_in(b, 3))
        set_factors(b, bits_of(kernel->in_type) + lb_build_bits(summed) / 2, 30);
    lb_build_operand(b, LB_ROLE_OUT, kept_rank ? kept_rank : 1, kept);
}

void lb_random_litert(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const int in = bits_of(kernel->in_type);
    lb_build_fields(b, 0, NULL, bits_of(kernel->out_type) - (in > 32 ? 32 : in));
    if (lb_kernel_role(kernel, LB_ROLE_WEIGHTS))
        make_weighted(b);
    else if (lb_build_field(b, "stride_height") && lb_random_window(b))
        fill_whole(b, LB_ROLE_IN);
    else if (lb_kernel_role(kernel, LB_ROLE_AXIS))
        make_mean(b);
    else if (lb_kernel_role(kernel, LB_ROLE_IN2))
        make_two(b);
    else
        make_one(b);
}
