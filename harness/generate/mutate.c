/* Small changes to a case: see mutate.h. */
#include "harness/generate/mutate.h"
#include "harness/generate/mutate_quant.h"

#include <string.h>

/* ---- Configuration ---- */

static void set_field(lb_config *config, const lb_config_field *field, unsigned entry,
                      int64_t value)
{
    unsigned char *at = (unsigned char *)config + field->offset;
    int32_t i32 = (int32_t)value;
    uint32_t u32 = (uint32_t)value;
    if (field->type == LB_FIELD_U8)
        at[entry] = (unsigned char)value;
    else if (field->type == LB_FIELD_I32)
        memcpy(at + 4 * entry, &i32, 4);
    else
        memcpy(at + 4 * entry, &u32, 4);
}

/* NULL: the configuration has none. */
static const lb_config_field *any_field(lb_build *b)
{
    const lb_config_field *fields = lb_config_fields(b->c->kernel->config_kind);
    int count = 0;
    while (fields[count].name)
        count++;
    return count > 0 ? &fields[lb_build_pick(b, 0, count - 1)] : NULL;
}

static void change_config(lb_build *b)
{
    static const int values[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 255, -1, -2};
    const lb_config_field *field = any_field(b);
    if (!field)
        return;
    int value = LB_RANDOM_OF(&b->random, values);
    if (field->type == LB_FIELD_U8 && value < 0)
        value = 1;
    if (field->type == LB_FIELD_U32 && value < 0)
        value = lb_build_once_in(b, 2) ? 0 : 16;
    if (strcmp(field->name, "scratch_bytes") == 0)
        value = lb_build_pick(b, 0, 400);
    set_field(&b->c->config, field, (unsigned)lb_build_pick(b, 0, (int)field->count - 1), value);
}

/* A list of places 0 .. 3 in another order. */
static void change_order(lb_build *b)
{
    uint8_t *order = lb_build_once_in(b, 2) ? b->c->config.perm_dim : b->c->config.arg_perm_dim;
    int i = lb_build_pick(b, 0, 3), j = lb_build_pick(b, 0, 3);
    uint8_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

static void reverse_order(lb_build *b)
{
    unsigned rank =
        b->c->operand[LB_ROLE_IN].present ? b->c->operand[LB_ROLE_IN].tensors[0].rank : 4;
    for (unsigned d = 0; d < 4; d++) {
        b->c->config.perm_dim[d] = (uint8_t)(d < rank ? rank - 1 - d : d);
        b->c->config.arg_perm_dim[d] = (uint8_t)(3 - d);
    }
}

static void null_config(lb_build *b)
{
    if (lb_config_fields(b->c->kernel->config_kind)->name)
        b->c->null_config = true;
}

/* ---- Layout ---- */

static void change_strides(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t || t->rank == 0)
        return;
    int64_t stride = lb_build_once_in(b, 5) ? 2 : 1;
    t->has_mem_stride = true;
    for (unsigned d = t->rank; d-- > 0;) {
        t->mem_stride[d] = (int32_t)(stride < 1 << 24 ? stride : 1 << 24);
        stride = stride * (t->shape[d] ? t->shape[d] : 1) + lb_build_pick(b, 0, 2);
    }
}

static void spoil_stride(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t || t->rank == 0)
        return;
    lb_build_dense_strides(t);
    t->has_mem_stride = true;
    t->mem_stride[lb_build_pick(b, 0, (int)t->rank - 1)] = lb_build_pick(b, -1, 2);
}

/* out in the memory of an input: at its start, with its strides, or somewhere. */
static void change_place(lb_build *b)
{
    lb_role role;
    lb_case_tensor *out = lb_mutate_tensor_of(b, LB_ROLE_OUT), *t = lb_mutate_any_tensor(b, &role);
    if (!out || !t || t == out || out->rank == 0 || t->rank == 0)
        return;
    out->has_data_in = true;
    out->has_data = false;
    out->data_in = (lb_tensor_ref){.role = role,
                                   .list_index = (unsigned)(t - b->c->operand[role].tensors),
                                   .start = lb_build_once_in(b, 4) ? 1 : 0};
    if (out->rank == t->rank && !lb_build_once_in(b, 4)) {
        out->has_mem_stride = t->has_mem_stride;
        memcpy(out->mem_stride, t->mem_stride, sizeof out->mem_stride);
    }
}

/* ---- Shapes and data ---- */

/* The containers are integers: not so of real numbers and of packed formats. */
static bool has_integers(const lb_case_tensor *t)
{
    return t->type != LB_FP32 && lb_container_bits((uint32_t)t->type) > 0;
}

static void refill(lb_build *b, lb_case_tensor *t)
{
    if (t->has_buffer_elements || t->has_data_in || !has_integers(t) || lb_build_count(t) > 1 << 16)
        return;
    if (t->has_data)
        lb_build_data(b, t);
    if (t->axis >= 0)
        lb_mutate_set_axis(b, t, t->axis < (int)t->rank ? t->axis : -1);
}

static void change_extent(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t || t->rank == 0)
        return;
    unsigned d = (unsigned)lb_build_pick(b, 0, (int)t->rank - 1);
    uint32_t extent =
        lb_build_once_in(b, 8)
            ? 0
            : (uint32_t)lb_build_clamp(
                  (int)(t->shape[d] < 70 ? t->shape[d] : 70) + lb_build_pick(b, -2, 2), 1, 70);
    if (extent == 0) /* an extent of nothing has no data */
        t->has_data = false;
    t->shape[d] = extent;
    t->has_mem_stride = false;
    refill(b, t);
}

static void change_rank(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t)
        return;
    if (lb_build_once_in(b, 3)) {
        t->has_rank = true;
        t->rank_override = (uint32_t)lb_build_pick(b, 0, 5);
    } else if (lb_build_once_in(b, 2) && t->rank < LB_MAX_RANK && t->axis < 0) {
        memmove(t->shape + 1, t->shape, t->rank * sizeof *t->shape);
        t->shape[0] = 1;
        t->rank++;
        t->has_mem_stride = false;
    } else if (t->rank > 1 && t->axis < 0) {
        t->shape[1] *= t->shape[0];
        memmove(t->shape, t->shape + 1, (t->rank - 1) * sizeof *t->shape);
        t->rank--;
        t->has_mem_stride = false;
    }
}

/* A tensor of one element: of rank 0, or more. */
static void make_scalar(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t)
        return;
    t->rank = (unsigned)lb_build_pick(b, 0, 3);
    for (unsigned d = 0; d < t->rank; d++)
        t->shape[d] = 1;
    t->has_mem_stride = t->has_data_in = false;
    if (role != LB_ROLE_OUT)
        t->has_data = true;
    refill(b, t);
    lb_mutate_set_axis(b, t, -1);
}

static void copy_shape(lb_build *b)
{
    lb_case_tensor *out = lb_mutate_tensor_of(b, LB_ROLE_OUT);
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!out || !t || t == out)
        return;
    out->rank = t->rank;
    memcpy(out->shape, t->shape, sizeof out->shape);
    out->has_mem_stride = false;
    refill(b, out);
}

static void change_data(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t || !t->has_data || !has_integers(t))
        return;
    int bits = lb_container_bits((uint32_t)t->type);
    int64_t high = ((int64_t)1 << (bits - 1)) - 1;
    const int64_t values[] = {
        -high - 1, high,     0,         1,
        -1,        high / 2, -high / 2, (int64_t)1 << lb_build_pick(b, 0, bits - 2)};
    int64_t value = LB_RANDOM_OF(&b->random, values);
    if (lb_build_once_in(b, 4)) {
        refill(b, t);
        return;
    }
    bool all = lb_build_once_in(b, 2);
    for (size_t i = 0; i < t->data.count; i++)
        if (all || lb_build_once_in(b, 3))
            t->data.items[i] = (int32_t)value;
}

static void change_element(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t || !t->has_data || !has_integers(t) || t->data.count == 0)
        return;
    int bits = lb_container_bits((uint32_t)t->type);
    int64_t high = ((int64_t)1 << (bits - 1)) - 1;
    int32_t *at = &t->data.items[lb_random_in(&b->random, 0, (int64_t)t->data.count - 1)];
    int64_t value = (int64_t)*at + lb_build_pick(b, -3, 3);
    *at = (int32_t)(value > high ? high : value < -high - 1 ? -high - 1 : value);
}

/* ---- Faults of a tensor ---- */

static void change_type(lb_build *b)
{
    static const uint32_t types[] = {LB_FX4,  LB_FX8,  LB_FX16, LB_SA8,
                                     LB_SA32, LB_FP16, LB_FP32, 119};
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t)
        return;
    t->has_el_type = true;
    t->el_type = LB_RANDOM_OF(&b->random, types);
}

static void set_type(lb_build *b, lb_case_tensor *t, uint32_t type)
{
    lb_build_type(b, t, type);
    if (!t->has_data)
        return;
    if (type == LB_FP32) /* whole numbers and halves of them */
        for (size_t i = 0; i < t->data.count; i++) {
            float real = (float)lb_build_pick(b, -300, 300) * 0.5f;
            memcpy(&t->data.items[i], &real, sizeof real);
        }
    else
        refill(b, t);
}

/* A tensor that is of another type, and holds it. */
static void change_whole_type(lb_build *b)
{
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP32};
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (t && !t->has_data_in)
        set_type(b, t, LB_RANDOM_OF(&b->random, types));
}

static void change_both_types(lb_build *b)
{
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP32};
    lb_case_tensor *in = lb_mutate_tensor_of(b, LB_ROLE_IN),
                   *out = lb_mutate_tensor_of(b, LB_ROLE_OUT);
    uint32_t type = LB_RANDOM_OF(&b->random, types);
    if (in)
        set_type(b, in, type);
    if (out && !out->has_data_in)
        set_type(b, out, type);
}

/* Every tensor of the variant's own type becomes one of another: only the last of the rules about
 * types sees that. */
static void change_all_types(lb_build *b)
{
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8};
    uint32_t type = LB_RANDOM_OF(&b->random, types), own_type = b->c->kernel->in_type;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; b->c->operand[role].present && i < b->c->operand[role].count; i++)
            if ((uint32_t)b->c->operand[role].tensors[i].type == own_type)
                set_type(b, &b->c->operand[role].tensors[i], type);
}

static void change_capacity(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t)
        return;
    uint64_t bytes = lb_build_count(t) * lb_element_bytes((uint32_t)t->type);
    t->has_capacity = true;
    t->capacity_bytes = lb_build_once_in(b, 6)   ? 0x80000000u
                        : lb_build_once_in(b, 3) ? 0
                                                 : (uint32_t)(bytes > 0 ? bytes - 1 : 0);
}

static void null_data(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (t)
        t->null_data = true;
}

static void null_role(lb_build *b)
{
    lb_role role;
    if (lb_mutate_any_tensor(b, &role))
        b->c->null_role[role] = true;
}

/* ---- The table ---- */

static const struct {
    void (*change)(lb_build *b);
    unsigned weight;
} changes[] = {
    {lb_mutate_fit_fx, 4},
    {lb_mutate_aim_shift, 2},
    {change_all_types, 1},
    {lb_mutate_share_operands, 1},
    {change_config, 12},
    {change_order, 2},
    {reverse_order, 1},
    {null_config, 1},
    {lb_mutate_change_zero_point, 4},
    {lb_mutate_change_scale, 4},
    {lb_mutate_change_frac, 6},
    {lb_mutate_shift_formats, 3},
    {lb_mutate_change_axis, 3},
    {lb_mutate_fit_bias, 3},
    {lb_mutate_per_channel, 2},
    {lb_mutate_change_quant_capacity, 2},
    {lb_mutate_share_quantization, 1},
    {change_strides, 3},
    {spoil_stride, 3},
    {change_place, 3},
    {change_extent, 5},
    {change_rank, 3},
    {make_scalar, 2},
    {copy_shape, 2},
    {change_data, 5},
    {change_element, 3},
    {change_type, 3},
    {change_whole_type, 1},
    {change_both_types, 1},
    {change_capacity, 3},
    {null_data, 2},
    {null_role, 1},
};

void lb_cover_mutate(lb_build *b)
{
    unsigned total = 0;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        total += changes[i].weight;
    int64_t at = lb_random_in(&b->random, 0, (int64_t)total - 1);
    size_t i = 0;
    while (at >= changes[i].weight)
        at -= changes[i++].weight;
    changes[i].change(b);
}

/* Extents that no longer fit each other; a direction's configuration that is of no use. */
static void spoil_config(lb_build *b)
{
    static const int values[] = {0, 0, 0, 2, 9, 255};
    const lb_config_field *field = any_field(b);
    if (!field)
        return;
    int value = LB_RANDOM_OF(&b->random, values);
    set_field(&b->c->config, field, (unsigned)lb_build_pick(b, 0, (int)field->count - 1), value);
}

/* A rank that is one off; the shape has what it needs. */
static void spoil_rank(lb_build *b)
{
    lb_role role;
    lb_case_tensor *t = lb_mutate_any_tensor(b, &role);
    if (!t)
        return;
    t->has_rank = true;
    t->rank_override = t->rank > 0 && lb_build_once_in(b, 2) ? t->rank - 1 : t->rank + 1;
}

/* What checks look at, one thing each. */
void lb_cover_break(lb_build *b)
{
    static void (*const breaks[])(lb_build *) = {spoil_config,
                                                 spoil_config,
                                                 spoil_rank,
                                                 change_rank,
                                                 spoil_stride,
                                                 spoil_stride,
                                                 change_type,
                                                 change_type,
                                                 lb_mutate_change_zero_point,
                                                 lb_mutate_change_scale,
                                                 lb_mutate_change_frac,
                                                 lb_mutate_change_axis,
                                                 copy_shape,
                                                 change_extent,
                                                 change_extent,
                                                 change_extent,
                                                 change_place,
                                                 null_config,
                                                 change_capacity,
                                                 null_data,
                                                 change_whole_type,
                                                 change_config};
    LB_RANDOM_OF(&b->random, breaks)(b);
}

/* ---- Other functions ---- */

static void adapt_tensor(lb_build *b, int role, lb_case_tensor *t, const lb_kernel *from,
                         const lb_kernel *to)
{
    uint32_t wanted = lb_variant_type(to, (lb_role)role);
    if (wanted && (uint32_t)t->type != wanted &&
        (uint32_t)t->type == lb_variant_type(from, (lb_role)role))
        set_type(b, t, wanted);
    if (role == LB_ROLE_WEIGHTS && to->kernel_size && t->rank == 4 &&
        from->kernel_size != to->kernel_size) {
        t->shape[0] = t->shape[1] = (uint32_t)to->kernel_size;
        t->has_mem_stride = false;
        refill(b, t);
    }
}

void lb_cover_adapt(lb_build *b, const lb_kernel *kernel)
{
    const lb_kernel *from = b->c->kernel;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; b->c->operand[role].present && i < b->c->operand[role].count; i++)
            adapt_tensor(b, role, &b->c->operand[role].tensors[i], from, kernel);
    if (kernel->config_kind == LB_CONFIG_POOL && kernel->kernel_size)
        b->c->config.kernel_width = b->c->config.kernel_height = (uint8_t)kernel->kernel_size;
    b->c->kernel = kernel;
    b->c->function = lb_arena_strdup(b->arena, kernel->name);
    lb_mutate_fit_bias(b);
}
