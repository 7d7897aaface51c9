/* The defined domain: see defined.h. Each question names its section. */
#include "harness/coverage/defined.h"
#include "reference/rules.h"

#include <math.h>
#include <string.h>

static const lb_case_tensor *tensor_of(const lb_case *c, lb_role role)
{
    return c->operand[role].present && c->operand[role].count > 0 ? &c->operand[role].tensors[0]
                                                                  : NULL;
}

static bool is_in(const lb_case *c, lb_family first, lb_family last)
{
    return c->kernel->family >= first && c->kernel->family <= last;
}

static bool is_weighted(const lb_case *c)
{
    return is_in(c, LB_FAMILY_CONV2D, LB_FAMILY_FULLY_CONNECTED);
}

static bool is_cell(const lb_case *c)
{
    return is_in(c, LB_FAMILY_LSTM, LB_FAMILY_GRU);
}

/* NULL where a function looks before it checks (conv.md 11; recurrent.md 5.5, 6; elementwise.md 12;
 * pooling_and_movement.md 4). */
static bool nulls_are_defined(const lb_case *c)
{
    const lb_kernel *k = c->kernel;
    bool any = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || c->null_role[role];
    if (!k->rules)
        return !any && !c->null_config;
    if (is_weighted(c) && any)
        return lb_is_sa(k->in_type) && !(k->kernel_size && c->null_role[LB_ROLE_WEIGHTS]);
    if (k->family == LB_FAMILY_RNN_DENSE && c->null_role[LB_ROLE_OUT])
        return false;
    if ((is_cell(c) || k->family == LB_FAMILY_LUT) && (c->null_config || any))
        return false;
    const lb_case_tensor *out = tensor_of(c, LB_ROLE_OUT);
    if (k->family == LB_FAMILY_LUT && out && out->null_data) /* recurrent.md 3 */
        return false;
    if (c->null_role[LB_ROLE_SLOPE] || (k->family == LB_FAMILY_MOV && c->null_role[LB_ROLE_OUT]))
        return false;
    return true;
}

/* conv.md 11: group with more channels in a group than there are, or a shape[2] of nothing. */
static bool groups_are_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN), *weights = tensor_of(c, LB_ROLE_WEIGHTS);
    if (c->kernel->family != LB_FAMILY_GROUP_CONV2D || !in || !weights)
        return true;
    return in->shape[2] > 0 && weights->shape[2] > 0 && weights->shape[2] <= in->shape[2];
}

/* elementwise.md 12: an axis below -1. */
static bool axis_is_defined(const lb_case *c)
{
    bool strict =
        c->kernel->family == LB_FAMILY_PRELU || c->kernel->family == LB_FAMILY_L2_NORMALIZE;
    return !strict || c->config.axis >= -1;
}

/* recurrent.md 6: words of the enumerations. */
static bool words_are_defined(const lb_case *c)
{
    const lb_config *cfg = &c->config;
    return !is_cell(c) || (cfg->direction >= 0 && cfg->direction < 2 && cfg->results >= 0 &&
                           cfg->results < 2 && cfg->act >= 0 && cfg->act < 3);
}

/* As the call is told. */
static uint32_t rank_of(const lb_case_tensor *t)
{
    return t->has_rank ? t->rank_override : t->rank;
}

/* Out on an input, exactly (elementwise.md 10, numerics.md 7.4, recurrent.md 6), or where it is
 * refused. */
static bool place_is_defined(const lb_case *c)
{
    const lb_case_tensor *out = tensor_of(c, LB_ROLE_OUT);
    if (!out || !out->has_data_in)
        return true;
    lb_role on = out->data_in.role;
    const lb_case_tensor *t = &c->operand[on].tensors[out->data_in.list_index];
    /* Whether an empty range at the start of another meets it is not said. */
    if ((out->has_capacity && out->capacity_bytes == 0) ||
        (t->has_capacity && t->capacity_bytes == 0))
        return false;
    for (const lb_rule *rule = c->kernel->rules; rule && rule->check; rule++)
        if ((on == LB_ROLE_IN || on == LB_ROLE_IN1 || on == LB_ROLE_IN2) &&
            lb_rule_keeps_out_apart(rule))
            return true;
    if (out->data_in.start != 0)
        return false;
    if (is_cell(c))
        return on == LB_ROLE_PREV_OUT;
    bool input = on == LB_ROLE_IN || on == LB_ROLE_IN1 || on == LB_ROLE_IN2;
    /* Converting in place needs containers of one size, no more (numerics.md 7.4). */
    bool same_types = c->kernel->family == LB_FAMILY_CONVERT
                          ? lb_storage_bytes(out->type) == lb_storage_bytes(t->type)
                          : out->type == t->type;
    if (c->kernel->family == LB_FAMILY_CONVERT && out->type == t->type)
        return true; /* other strides are refused (numerics.md 7.5) */
    bool same_strides = out->has_mem_stride == t->has_mem_stride &&
                        memcmp(out->mem_stride, t->mem_stride, sizeof t->mem_stride) == 0;
    return input && same_strides && same_types && rank_of(out) == rank_of(t) &&
           memcmp(out->shape, t->shape, sizeof t->shape) == 0 &&
           c->kernel->family != LB_FAMILY_ARGMAX && c->kernel->family != LB_FAMILY_HELPER;
}

/* pooling_and_movement.md 2.2, along one direction. */
static bool pooled_axis_is_defined(uint32_t in, uint32_t out, int kernel, int stride, int before)
{
    int64_t over = (int64_t)(out - 1) * stride + kernel - in - before;
    over = over < 0 ? 0 : over;
    return before <= (int64_t)out * stride && over <= (int64_t)out * stride;
}

/* pooling_and_movement.md 2.1, steps 2 and 3: refused before a window is looked at. */
static bool pool_is_refused_early(const lb_case *c, const lb_case_tensor *in,
                                  const lb_case_tensor *out)
{
    int size = c->kernel->kernel_size;
    bool empty = false;
    for (unsigned d = 0; d < 3; d++)
        empty = empty || in->shape[d] == 0 || out->shape[d] == 0;
    return empty || (size && (c->config.kernel_width != size || c->config.kernel_height != size));
}

static bool pool_is_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN), *out = tensor_of(c, LB_ROLE_OUT);
    const lb_config *cfg = &c->config;
    if (c->kernel->config_kind != LB_CONFIG_POOL || !in || !out || in->rank != 3 ||
        out->rank != 3 || pool_is_refused_early(c, in, out))
        return true;
    if (c->kernel->family == LB_FAMILY_AVEPOOL && c->kernel->in_type == LB_FX8 &&
        cfg->kernel_width * cfg->kernel_height > 1024)
        return false;
    return pooled_axis_is_defined(in->shape[0], out->shape[0], cfg->kernel_height,
                                  cfg->stride_height, cfg->padding_top) &&
           pooled_axis_is_defined(in->shape[1], out->shape[1], cfg->kernel_width, cfg->stride_width,
                                  cfg->padding_left);
}

/* elementwise.md 4, 12: slopes without gaps. An inner stride other than 1 is refused. */
static bool slope_is_defined(const lb_case *c)
{
    const lb_case_tensor *slope = tensor_of(c, LB_ROLE_SLOPE);
    int64_t dense = 1;
    if (!slope || !slope->has_mem_stride || slope->rank == 0 ||
        slope->mem_stride[slope->rank - 1] != 1)
        return true;
    for (unsigned d = slope->rank; d-- > 0; dense *= slope->shape[d])
        if (slope->shape[d] > 1 && slope->mem_stride[d] > dense)
            return false;
    return true;
}

/* numerics.md 5.6: the product of the scales, shifted to the left, fits int32. */
static bool bias_scale_is_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN), *bias = tensor_of(c, LB_ROLE_BIAS);
    const lb_case_tensor *weights = tensor_of(c, LB_ROLE_WEIGHTS);
    weights = weights ? weights : tensor_of(c, LB_ROLE_WEIGHTS_IN);
    if (!in || !weights || !bias || !in->scale || !weights->scale || !bias->scale)
        return true;
    for (size_t j = 0; j < weights->quant_count && j < bias->quant_count; j++) {
        int d = in->scale_frac_bits[0] + weights->scale_frac_bits[j] - bias->scale_frac_bits[j];
        if (d < 0 && ldexp((double)in->scale[0] * weights->scale[j], -d) >= 2147483648.0)
            return false;
    }
    return true;
}

/* numerics.md 7.3: (1/s) * 2^n and its product with x stay finite, and what is rounded fits int32.
 */
static bool quantizing_is_defined(const lb_case_tensor *real, double scale, int frac)
{
    double factor = ldexp(1.0 / scale, frac);
    if (factor > 1e38)
        return false;
    if (!real->has_data)
        return frac >= -20 && frac <= 20;
    for (size_t i = 0; i < real->data.count; i++) {
        float x;
        memcpy(&x, &real->data.items[i], sizeof x);
        if (!isfinite(x) || !(fabs((double)x * factor) < 2147483000.0))
            return false;
    }
    return true;
}

static bool dequantizing_is_defined(double scale, int frac)
{
    return ldexp(scale, 32 - frac) < 1e38;
}

/* One entry of the parameters of a tensor of whole numbers. */
static bool entry_is_defined(const lb_case_tensor *t, const lb_case_tensor *other, size_t entry,
                             bool writes)
{
    int scale = t->scale ? t->scale[entry] : 1;
    int frac = t->scale ? t->scale_frac_bits[entry] : t->frac_bits;
    if (scale <= 0)
        return false;
    if (other->type != LB_FP32)
        return true;
    return writes ? quantizing_is_defined(other, scale, frac)
                  : dequantizing_is_defined(scale, frac);
}

/* numerics.md 7.2, 7.3, 7.5: scales above 0; quantized real numbers inside int32, steps and results
 * inside binary32. */
static bool conversion_is_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN), *out = tensor_of(c, LB_ROLE_OUT);
    if (c->kernel->family != LB_FAMILY_CONVERT || !in || !out)
        return true;
    if (in->has_el_type || out->has_el_type)
        return in->type != LB_FP32 && out->type != LB_FP32 && in->el_type != LB_FP32 &&
               out->el_type != LB_FP32;
    const lb_case_tensor *sides[] = {in, out};
    for (int side = 0; side < 2; side++) {
        const lb_case_tensor *t = sides[side];
        size_t entries = t->scale ? t->quant_count : 1;
        for (size_t j = 0; j < entries && t->type != LB_FP32; j++)
            if (!entry_is_defined(t, sides[1 - side], j, side == 1))
                return false;
        if (t->has_quant_capacity[0] || t->has_quant_capacity[1] || t->has_quant_capacity[2] ||
            t->quant_null || t->axis >= (int32_t)t->rank)
            return false;
    }
    return true;
}

/* Along one source dimension, without padding: the coordinates lie inside
 * (pooling_and_movement.md 4.1, 4.2). */
static bool moved_axis_is_defined(const lb_config *cfg, uint32_t extent, unsigned d)
{
    uint64_t size = cfg->size[d] ? cfg->size[d] : (uint64_t)extent - cfg->offset[d];
    return cfg->sub_sample_step[d] > 0 && cfg->offset[d] <= extent &&
           cfg->offset[d] + size <= extent;
}

static bool movement_is_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN);
    const lb_config *cfg = &c->config;
    bool padded = false, inside = true;
    unsigned seen = 0;
    if (c->kernel->config_kind != LB_CONFIG_MOV || !in || c->null_config)
        return true;
    if (in->rank == 0 || in->has_rank || in->has_el_type || in->axis < -1)
        return false;
    for (unsigned d = 0; d < in->rank; d++) {
        padded = padded || cfg->padding_pre[d] || cfg->padding_post[d];
        inside = inside && moved_axis_is_defined(cfg, in->shape[d], d);
        seen |= cfg->perm_dim[d] < in->rank ? 1u << cfg->perm_dim[d] : 0;
        inside =
            inside && cfg->offset[d] < 1024 && cfg->size[d] < 1024 && cfg->dst_offset[d] < 1024;
    }
    bool steps = true;
    for (unsigned d = 0; d < in->rank; d++)
        steps =
            steps && cfg->sub_sample_step[d] > 0 && cfg->size[d] < 1024 && cfg->offset[d] < 1024;
    /* What a per-axis source has refused is defined; the rest of the configuration is looked at by
     * nobody. */
    return in->axis >= 0 || (seen == (1u << in->rank) - 1 && steps && (padded || inside));
}

/* numerics.md 8.3: a quantized dimension that is dropped, or cut off, leaves parameters behind that
 * nobody can use. */
static bool quantized_dimension_stays(const lb_case *c, const lb_case_tensor *in)
{
    uint32_t rank = in->rank, kept = 0;
    uint32_t skip = c->config.sub_tensor_rank < rank ? rank - c->config.sub_tensor_rank : 0;
    for (uint32_t d = 0; d < rank; d++) {
        bool drops = skip > 0 && c->config.size[d] == 1;
        if (in->axis == (int32_t)d)
            return !drops && kept < c->config.sub_tensor_rank;
        skip -= drops;
        kept += !drops;
    }
    return true;
}

/* numerics.md 8.3, 8.4: views. */
static bool view_is_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN);
    if (!in || c->kernel->family != LB_FAMILY_HELPER || !c->kernel->rules)
        return true;
    /* numerics.md 2, row 6: without room for one element it is refused. */
    if (rank_of(in) == 0 && in->has_capacity && in->capacity_bytes == 0 && !in->has_el_type)
        return true;
    if (rank_of(in) == 0 || in->quant_null || in->has_quant_capacity[0] ||
        in->has_quant_capacity[1] || in->has_quant_capacity[2])
        return false;
    if (c->kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR)
        return c->config.coord_num > 0 && c->config.first_out_dim_size > 0 && in->type != LB_FP32 &&
               !in->has_el_type;
    return !in->scale || in->axis < 0 || quantized_dimension_stays(c, in);
}

/* numerics.md 8.1, 8.2: getters check neither the index nor the rank. */
static bool getter_is_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN);
    if (!in || c->kernel->family != LB_FAMILY_HELPER || c->kernel->rules)
        return true;
    bool listed = in->axis >= 0 && in->scale;
    bool counts = c->kernel->config_kind == LB_CONFIG_START_DIM;
    /* Another type whose parameters lie elsewhere in the union gives numbers that nobody set. */
    bool typeless = in->has_el_type && lb_storage_bytes(in->el_type) == 0;
    bool faulty = (in->has_rank && !counts) || in->null_data || in->has_quant_in ||
                  (in->has_el_type && !typeless);
    return !faulty &&
           (!listed ||
            (c->config.scale_idx < in->quant_count && c->config.zero_idx < in->quant_count)) &&
           (c->kernel->roles[0].use != LB_USE_INOUT || in->rank > 0);
}

/* Formats that nobody checks, but the function computes with (recurrent.md 6). */
static bool out_format_is_defined(const lb_case *c)
{
    const lb_case_tensor *out = tensor_of(c, LB_ROLE_OUT);
    if (!is_cell(c) || !out)
        return true;
    if (out->has_quant_in || out->has_quant_capacity[0] || out->has_quant_capacity[1] ||
        out->has_quant_capacity[2])
        return false;
    return !out->scale || (out->axis < 0 && out->scale[0] > 0 && out->zero_point[0] >= -128 &&
                           out->zero_point[0] <= 127);
}

/* Where the input has lists, the places of out's parameters are read as pointers
 * (pooling_and_movement.md 3). Refused before anything is read there: capacities of 0, as a tensor
 * without lists has them, and a value of 0 beside others, a NULL. */
static bool permuted_lists_are_defined(const lb_case *c)
{
    const lb_case_tensor *in = tensor_of(c, LB_ROLE_IN), *out = tensor_of(c, LB_ROLE_OUT);
    if (c->kernel->family != LB_FAMILY_PERMUTE || !in || !out || in->axis < 0 || out->axis >= 0 ||
        !out->scale)
        return true;
    bool has_room =
        out->has_quant_capacity[0] || out->has_quant_capacity[1] || out->has_quant_capacity[2];
    return !has_room || !out->scale[0] || !out->zero_point[0] || !out->scale_frac_bits[0];
}

/* A table of rank 0 has no memory to be written to (recurrent.md 3). */
static bool table_is_defined(const lb_case *c)
{
    const lb_case_tensor *out = tensor_of(c, LB_ROLE_OUT);
    return c->kernel->family != LB_FAMILY_LUT || !out || (out->rank > 0 && rank_of(out) > 0);
}

bool lb_cover_is_defined(const lb_case *c)
{
    return nulls_are_defined(c) && groups_are_defined(c) && axis_is_defined(c) &&
           words_are_defined(c) && place_is_defined(c) && pool_is_defined(c) &&
           slope_is_defined(c) && bias_scale_is_defined(c) && conversion_is_defined(c) &&
           movement_is_defined(c) && view_is_defined(c) && getter_is_defined(c) &&
           out_format_is_defined(c) && permuted_lists_are_defined(c) && table_is_defined(c);
}
