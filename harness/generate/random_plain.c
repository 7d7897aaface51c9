/* Made-up cases of functions without weights and windows: one shape is drawn, and the numbers of
 * the configuration and the shapes of the other operands follow from it. Which formats a family
 * likes stands in a table. Rules: elementwise.md, pooling_and_movement.md, numerics.md 7 and 8,
 * recurrent.md, float4.md. */
#include "harness/generate/random_build.h"
#include "reference/mli/float4_function.h"

#include <string.h>

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

static void choose_format(lb_build *b, lb_role role, lb_case_tensor *t, bool per_axis)
{
    for (size_t i = 0; i < sizeof tastes / sizeof *tastes; i++)
        if (tastes[i].pattern == lb_pattern_of(b->c->kernel) && tastes[i].role == role) {
            lb_build_format(b, t, tastes[i].taste);
            return;
        }
    lb_build_any_format(b, t, per_axis);
}

/* An operand with data, unless it is given none, and any format. */
static lb_case_tensor *add(lb_build *b, lb_role role, lb_el_type type, unsigned rank,
                           const uint32_t *shape)
{
    const lb_kernel *kernel = b->c->kernel;
    const lb_pattern pattern = lb_pattern_of(kernel);
    const lb_role_use use = lb_kernel_role(kernel, role)->use;
    const bool is_helper = pattern == LB_PATTERN_HELPER || pattern == LB_PATTERN_MOVEMENT;
    lb_case_tensor *t = lb_build_tensor(b, role, use != LB_USE_INPUT, type, rank, shape);
    if (use == LB_USE_OUTPUT && is_helper)
        t->has_mem_stride = false; /* it is made */
    else if (pattern == LB_PATTERN_ORDER || is_helper)
        lb_build_strides(b, t);
    else if (role != LB_ROLE_SLOPE && pattern != LB_PATTERN_SLICES)
        lb_build_gaps(b, t);
    if (use != LB_USE_OUTPUT)
        lb_build_data(b, t);
    choose_format(b, role, t, is_helper && use != LB_USE_OUTPUT && lb_build_once_in(b, 2));
    return t;
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

/* What goes out has lists along the dimension of out that is this one of in, or none. */
static void choose_lists(lb_build *b, lb_case_tensor *out, int axis)
{
    for (unsigned d = 0; d < out->rank; d++)
        if (b->c->config.perm_dim[d] == axis && !lb_build_once_in(b, 3))
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
    else if ((pattern == LB_PATTERN_ORDER || pattern == LB_PATTERN_CONVERSION) &&
             lb_build_once_in(b, 2)) {
        const int axis = lb_build_pick(b, 0, (int)in->rank - 1);
        if (lb_build_once_in(b, 2))
            lb_build_per_axis(b, in, axis);
        choose_lists(b, out, axis);
    }
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
    lb_build_fields(b, rank, whole, 0);
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++)
        add(b, spec->role, type_of(b, spec->role, pattern),
            shape_of(b, spec->role, scalar, rank, whole, shape), shape);
    fit_formats(b, pattern);
}

/* ---- Helpers ---- */

static lb_case_tensor *add_whole(lb_build *b, lb_role role, unsigned lowest_rank, lb_el_type type)
{
    uint32_t shape[4];
    const unsigned rank = lb_build_shape(b, lowest_rank, 33, 6, shape);
    lb_case_tensor *t = add(b, role, type, rank, shape);
    lb_build_permutation(b, b->c->config.perm_dim, 0);
    if (rank > 0)
        lb_build_fields(b, rank, shape, 0);
    return t;
}

/* One number about a tensor; an index beyond its lists is undefined. */
static void getter(lb_build *b)
{
    const lb_config_field *index = lb_config_fields(b->c->kernel->config_kind);
    const bool counts = b->c->kernel->config_kind == LB_CONFIG_START_DIM;
    lb_case_tensor *in = add_whole(b, LB_ROLE_IN, 0, lb_build_any_type(b));
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
    const lb_case_tensor *first = add_whole(b, LB_ROLE_IN1, lb_build_once_in(b, 6) ? 0 : 1, type);
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

/* A view: mostly inside, sometimes too far, of too many dimensions, or of nothing. What points to
 * its start wants an input without gaps and lists. */
static void view(lb_build *b, bool is_pointer)
{
    static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32};
    const uint32_t ones[] = {1, 2};
    const lb_el_type any = lb_build_any_type(b);
    lb_case_tensor *in =
        add_whole(b, LB_ROLE_IN, 1, is_pointer ? LB_RANDOM_OF(&b->random, types) : any);
    in->has_mem_stride = in->has_mem_stride && (!is_pointer || lb_build_once_in(b, 3));
    if (is_pointer)
        lb_build_spread(b, in, -1);
    add(b, LB_ROLE_OUT, in->type, is_pointer && lb_build_once_in(b, 10) ? 2 : 1, ones);
}

void lb_random_helper(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    if (lb_kernel_role(kernel, LB_ROLE_OUT))
        view(b, lb_build_field(b, "coord_num"));
    else if (lb_kernel_role(kernel, LB_ROLE_IN2))
        compare(b);
    else if (kernel->roles[0].use == LB_USE_INOUT)
        add_whole(b, LB_ROLE_IN, 1, lb_build_any_type(b));
    else if (lb_kernel_role(kernel, LB_ROLE_IN))
        getter(b);
}

/* ---- Movement ---- */

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

void lb_random_movement(lb_build *b)
{
    uint32_t moved[4];
    if (!lb_kernel_role(b->c->kernel, LB_ROLE_OUT)) {
        lb_build_any_fields(b);
        return;
    }
    const lb_el_type type = lb_build_any_type(b);
    const lb_case_tensor *in = add_whole(b, LB_ROLE_IN, 1, type);
    for (unsigned d = 0; d < in->rank; d++)
        moved[d] = extent_of(&b->c->config, in->shape, d);
    lb_case_tensor *out = add(b, LB_ROLE_OUT, type, in->rank, moved);
    choose_place(b, out);
    if (in->axis >= 0)
        choose_lists(b, out, in->axis);
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
