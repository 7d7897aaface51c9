/* Made-up cases of functions without weights and windows: one shape is drawn, and those of the
 * other operands follow from it. Which formats a family likes stands in a table. Rules:
 * elementwise.md, pooling_and_movement.md, numerics.md 7, recurrent.md. */
#include "harness/generate/random_build.h"

/* ---- Shapes ---- */

/* A row for each index of the axis, or one, and so many results in it. */
static unsigned rows_of_results(lb_build *b, unsigned rank, const uint32_t *whole,
                                uint32_t shape[4])
{
    lb_config *cfg = &b->c->config;
    uint32_t slice = 1;
    for (unsigned d = 0; d < rank; d++)
        slice *= (int)d == cfg->axis ? 1 : whole[d];
    shape[0] = cfg->axis < 0 ? 1 : whole[cfg->axis];
    shape[1] = lb_build_once_in(b, 2) ? 1 : (uint32_t)lb_build_pick(b, 1, slice > 12 ? 12 : slice);
    cfg->topk = (int32_t)shape[1];
    return 2;
}

/* The shape of a role beside the whole one. scalar: the one of two operands that is a number. */
static unsigned shape_of(lb_build *b, lb_role role, lb_role scalar, unsigned rank,
                         const uint32_t *whole, uint32_t shape[4])
{
    const lb_kernel *kernel = b->c->kernel;
    const lb_config *cfg = &b->c->config;
    const bool is_line = kernel->config_kind == LB_CONFIG_AXIS && cfg->axis >= 0;
    if (role == LB_ROLE_OUT && lb_pattern_of(kernel) == LB_PATTERN_SLICES)
        return rows_of_results(b, rank, whole, shape);
    for (unsigned d = 0; d < 4; d++)
        shape[d] = role == LB_ROLE_EPSILON || d >= rank ? 1
                   : role == LB_ROLE_SLOPE ? is_line && (int)d == cfg->axis ? whole[d] : 1
                   : role == LB_ROLE_OUT   ? whole[cfg->perm_dim[d]]
                                           : whole[d];
    return role == LB_ROLE_EPSILON             ? 1
           : role == LB_ROLE_SLOPE && !is_line ? (unsigned)lb_build_pick(b, 0, 2)
           : role == scalar                    ? 0
                                               : rank;
}

/* ---- Formats ---- */

static const struct {
    lb_pattern pattern;
    lb_role role;
    lb_format_taste taste;
} tastes[] = {
    {LB_PATTERN_LIMITS, LB_ROLE_IN, {-3, 31, -3, 31, 3}},
    {LB_PATTERN_SLOPES, LB_ROLE_IN, {0, 15, 12, 22, 4}},
    {LB_PATTERN_SLOPES, LB_ROLE_SLOPE, {0, 31, 10, 30, 4}},
    {LB_PATTERN_SLOPES, LB_ROLE_OUT, {0, 15, 12, 22, 4}},
    {LB_PATTERN_PAIR, LB_ROLE_IN1, {0, 15, 14, 20, 8}},
    {LB_PATTERN_PAIR, LB_ROLE_IN2, {0, 15, 14, 20, 8}},
    {LB_PATTERN_PAIR, LB_ROLE_OUT, {0, 15, 14, 20, 8}},
};

static void choose_format(lb_build *b, lb_role role, lb_case_tensor *t)
{
    for (size_t i = 0; i < sizeof tastes / sizeof *tastes; i++)
        if (tastes[i].pattern == lb_pattern_of(b->c->kernel) && tastes[i].role == role) {
            lb_build_format(b, t, tastes[i].taste);
            return;
        }
    lb_build_any_format(b, t, false);
}

static void copy_format(lb_build *b, const lb_case_tensor *from, lb_case_tensor *to)
{
    to->frac_bits = from->frac_bits;
    if (from->scale)
        lb_build_sa(b, to, from->scale[0], from->scale_frac_bits[0], from->zero_point[0]);
}

/* Minimum and maximum want their operands quantized alike; results of fx are near those of the
 * operands, and a product is as wide as both. */
static void fit_pair(lb_build *b)
{
    const lb_op op = b->c->kernel->op;
    const bool is_product = op == LB_OP_MUL;
    lb_case_tensor *in1 = lb_build_tensor_of(b, LB_ROLE_IN1),
                   *in2 = lb_build_tensor_of(b, LB_ROLE_IN2),
                   *out = lb_build_tensor_of(b, LB_ROLE_OUT);
    if (lb_op_picks(op))
        copy_format(b, in1, in2);
    if (out->scale)
        out->scale_frac_bits[0] = (int8_t)(out->scale_frac_bits[0] + (is_product ? 12 : 0));
    else
        lb_build_fx(out, in1->frac_bits + (is_product ? in2->frac_bits - lb_build_pick(b, 0, 15)
                                                      : lb_build_pick(b, -3, 2)));
}

/* Lists along an axis in what comes in, what goes out, or both; where dimensions are permuted,
 * along the same. */
static void choose_lists(lb_build *b, lb_case_tensor *in, lb_case_tensor *out)
{
    const int axis = lb_build_pick(b, 0, (int)in->rank - 1);
    const uint8_t *order = b->c->config.perm_dim;
    if (lb_build_once_in(b, 2))
        lb_build_per_axis(b, in, axis);
    for (unsigned d = 0; d < out->rank; d++)
        if (order[d] == axis && !lb_build_once_in(b, 3))
            lb_build_per_axis(b, out, (int)d);
}

static void fit_formats(lb_build *b, lb_pattern pattern)
{
    lb_case_tensor *in = lb_build_tensor_of(b, LB_ROLE_IN),
                   *out = lb_build_tensor_of(b, LB_ROLE_OUT);
    if (pattern == LB_PATTERN_PAIR)
        fit_pair(b);
    else if (pattern == LB_PATTERN_SLOPES)
        out->frac_bits = in->frac_bits;
    else if (pattern == LB_PATTERN_SLICES)
        lb_build_sa(b, out, 1, 0, 0);
    else if ((pattern == LB_PATTERN_ORDER && lb_build_once_in(b, 2)) ||
             (pattern == LB_PATTERN_CONVERSION && lb_build_once_in(b, 2)))
        choose_lists(b, in, out);
}

/* ---- The whole ---- */

static lb_el_type type_of(lb_build *b, lb_role role, lb_pattern pattern)
{
    return pattern == LB_PATTERN_CONVERSION ? lb_build_any_type(b)
           : pattern == LB_PATTERN_SLICES && role == LB_ROLE_OUT
               ? LB_SA32
               : (lb_el_type)lb_variant_type(b->c->kernel, role);
}

void lb_random_plain(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const lb_pattern pattern = lb_pattern_of(kernel);
    uint32_t whole[4], shape[4];
    const unsigned rank = lb_build_shape(b, 1, 300, 5, whole);
    const lb_role scalars[] = {LB_ROLE_IN1, LB_ROLE_IN2, LB_ROLE_COUNT, LB_ROLE_COUNT,
                               LB_ROLE_COUNT},
                  scalar = LB_RANDOM_OF(&b->random, scalars);
    lb_build_permutation(b, b->c->config.perm_dim, 0);
    lb_build_fields(b, rank, 0);
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++) {
        const unsigned own = shape_of(b, spec->role, scalar, rank, whole, shape);
        lb_case_tensor *t = lb_build_tensor(b, spec->role, spec->use != LB_USE_INPUT,
                                            type_of(b, spec->role, pattern), own, shape);
        if (pattern == LB_PATTERN_ORDER)
            lb_build_strides(b, t);
        else if (spec->role != LB_ROLE_SLOPE && pattern != LB_PATTERN_SLICES)
            lb_build_gaps(b, t);
        if (spec->use == LB_USE_INPUT)
            lb_build_data(b, t);
        choose_format(b, spec->role, t);
    }
    fit_formats(b, pattern);
}
