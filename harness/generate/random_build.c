/* Bricks of made-up cases: see random_build.h. */
#include "harness/generate/random_build.h"

#include "harness/call/model.h"
#include "harness/suite/data_generator.h"

#include <string.h>

int lb_build_bits(uint64_t v)
{
    int bits = 0;
    for (; v; v >>= 1)
        bits++;
    return bits;
}

int lb_build_clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

lb_case_tensor *lb_build_tensor(lb_build *b, lb_role role, bool output, lb_el_type type,
                                unsigned rank, const uint32_t *shape)
{
    lb_case_operand *operand = &b->c->operand[role];
    const lb_role_spec *spec = lb_kernel_role(b->c->kernel, role);
    if (!operand->tensors)
        operand->tensors = lb_arena_array(b->arena, LB_MAX_LIST, sizeof *operand->tensors);
    operand->present = true;
    operand->is_output = output;
    operand->is_list = spec && spec->list;
    lb_case_tensor *t = &operand->tensors[operand->count++];
    t->type = type;
    t->rank = rank;
    t->axis = -1;
    for (unsigned d = 0; d < rank; d++)
        t->shape[d] = shape[d];
    return t;
}

size_t lb_build_count(const lb_case_tensor *t)
{
    size_t count = 1;
    for (unsigned d = 0; d < t->rank; d++)
        count = t->shape[d] != 0 && count > SIZE_MAX / t->shape[d] ? SIZE_MAX : count * t->shape[d];
    return count;
}

lb_case_tensor *lb_build_any_tensor(lb_build *b, lb_role *role)
{
    lb_role roles[LB_ROLE_COUNT];
    int count = 0;
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        if (b->c->operand[r].present)
            roles[count++] = (lb_role)r;
    if (count == 0)
        return NULL;
    *role = roles[lb_build_pick(b, 0, count - 1)];
    lb_case_operand *operand = &b->c->operand[*role];
    return &operand->tensors[lb_build_pick(b, 0, (int)operand->count - 1)];
}

lb_case_tensor *lb_build_tensor_of(lb_build *b, lb_role role)
{
    return b->c->operand[role].present ? &b->c->operand[role].tensors[0] : NULL;
}

lb_case_tensor *lb_build_operand(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    return lb_build_tensor(b, role, role == LB_ROLE_OUT,
                           (lb_el_type)lb_variant_type(b->c->kernel, role), rank, shape);
}

/* From this innermost stride on, with up to three elements between rows. */
static void spread_rows(lb_build *b, lb_case_tensor *t, int64_t stride)
{
    t->has_mem_stride = true;
    for (unsigned d = t->rank; d-- > 0;) {
        t->mem_stride[d] = (int32_t)stride;
        stride = stride * t->shape[d] + lb_random_in(&b->random, 0, 3);
    }
}

void lb_build_gaps(lb_build *b, lb_case_tensor *t)
{
    if (t->rank > 0 && lb_random_once_in(&b->random, 4))
        spread_rows(b, t, 1);
}

void lb_build_strides(lb_build *b, lb_case_tensor *t)
{
    int64_t stride = lb_random_once_in(&b->random, 4) ? lb_random_in(&b->random, 2, 3) : 1;
    if (t->rank > 0 && lb_random_once_in(&b->random, 3))
        spread_rows(b, t, stride);
}

lb_el_type lb_build_any_type(lb_build *b)
{
    static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA8, LB_SA32, LB_FP32};
    return LB_RANDOM_OF(&b->random, types);
}

void lb_build_fx(lb_case_tensor *t, int frac_bits)
{
    t->frac_bits = (int8_t)lb_build_clamp(frac_bits, -128, 127);
}

static void make_arrays(lb_build *b, lb_case_tensor *t, size_t count)
{
    t->quant_count = count;
    t->scale = lb_arena_array(b->arena, count, sizeof *t->scale);
    t->zero_point = lb_arena_array(b->arena, count, sizeof *t->zero_point);
    t->scale_frac_bits = lb_arena_array(b->arena, count, sizeof *t->scale_frac_bits);
}

void lb_build_sa(lb_build *b, lb_case_tensor *t, int scale, int frac_bits, int zero_point)
{
    make_arrays(b, t, 1);
    t->axis = -1;
    t->scale[0] = (int16_t)scale;
    t->scale_frac_bits[0] = (int8_t)lb_build_clamp(frac_bits, -128, 127);
    t->zero_point[0] = (int16_t)zero_point;
}

void lb_build_sa_axis(lb_build *b, lb_case_tensor *t, int axis)
{
    make_arrays(b, t, t->shape[axis]);
    t->axis = axis;
}

void lb_build_spread(lb_build *b, lb_case_tensor *t, int axis)
{
    enum { MOST_ENTRIES = 4096 };
    size_t count = axis < 0 ? 1 : t->shape[axis];
    if (!t->scale || (axis >= 0 && (axis >= (int)t->rank || count == 0 || count > MOST_ENTRIES)))
        return;
    int16_t scale = t->scale[0], zero_point = t->zero_point[0];
    int8_t frac = t->scale_frac_bits[0];
    make_arrays(b, t, count);
    for (size_t j = 0; j < count; j++) {
        t->scale[j] = scale;
        t->zero_point[j] = zero_point;
        t->scale_frac_bits[j] = frac;
    }
    t->axis = axis;
}

void lb_build_type(lb_build *b, lb_case_tensor *t, uint32_t type)
{
    bool was_sa = lb_is_sa((uint32_t)t->type);
    t->type = (lb_el_type)type;
    if (lb_is_sa(type) && !was_sa) {
        lb_build_sa(b, t, 16384, 14, 0);
    } else if (!lb_is_sa(type)) {
        t->scale = t->zero_point = NULL;
        t->scale_frac_bits = NULL;
        t->quant_count = 0;
        t->axis = -1;
        memset(t->has_quant_capacity, 0, sizeof t->has_quant_capacity);
    }
}

void lb_build_dense_strides(lb_case_tensor *t)
{
    int64_t stride = 1;
    for (unsigned d = t->rank; d-- > 0;) {
        t->mem_stride[d] = (int32_t)(stride < 1 << 24 ? stride : 1 << 24);
        stride *= t->shape[d] ? t->shape[d] : 1;
    }
}

void lb_build_fill_lists(lb_build *b, lb_case_tensor *t)
{
    for (size_t i = 0; i < t->quant_count; i++) {
        t->scale[i] = (int16_t)lb_build_scale(b);
        t->scale_frac_bits[i] = (int8_t)lb_random_in(&b->random, 8, 24);
        t->zero_point[i] = (int16_t)lb_build_zero_point(b);
    }
}

void lb_build_any_format(lb_build *b, lb_case_tensor *t, bool per_axis)
{
    bool wild = lb_random_once_in(&b->random, 4);
    if (lb_is_fx((uint32_t)t->type)) {
        lb_build_fx(t, (int)lb_random_in(&b->random, wild ? -128 : 0, wild ? 127 : 15));
    } else if (lb_is_sa((uint32_t)t->type) && per_axis && t->rank > 0) {
        lb_build_sa_axis(b, t, (int)lb_random_in(&b->random, 0, (int64_t)t->rank - 1));
        lb_build_fill_lists(b, t);
    } else if (lb_is_sa((uint32_t)t->type)) {
        int scale = lb_build_scale(b), zero_point = lb_build_zero_point(b);
        lb_build_sa(b, t, scale, (int)lb_random_in(&b->random, 8, 24), zero_point);
    }
}

void lb_build_any_sa(lb_build *b, lb_case_tensor *t, int frac_bits)
{
    int zero_point = lb_build_zero_point(b);
    lb_build_sa(b, t, lb_build_scale(b), frac_bits, zero_point);
}

void lb_build_picked_sa(lb_build *b, lb_case_tensor *t, int low, int high)
{
    int zero_point = lb_build_zero_point(b), frac_bits = (int)lb_random_in(&b->random, low, high);
    lb_build_sa(b, t, lb_build_scale(b), frac_bits, zero_point);
}

int lb_build_scale(lb_build *b)
{
    static const int special[] = {1, 2, 16384, 16385, 32767, 32766, 21845};
    if (lb_random_once_in(&b->random, 4))
        return LB_RANDOM_OF(&b->random, special);
    return (int)lb_random_in(&b->random, lb_random_once_in(&b->random, 4) ? 1 : 16384, 32767);
}

int lb_build_zero_point(lb_build *b)
{
    static const int special[] = {0, 0, 127, -128, 1, -1};
    if (lb_random_once_in(&b->random, 3))
        return LB_RANDOM_OF(&b->random, special);
    return (int)lb_random_in(&b->random, -128, 127);
}

static const uint32_t widths[] = {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65};
/* Beyond the counters and buffers of fixed size that kernels have; no multiples of any block. */
static const uint32_t lengths[] = {71, 127, 129, 257, 263, 523};

static uint32_t wide_extent(lb_build *b)
{
    return b->options->long_extent ? LB_RANDOM_OF(&b->random, lengths)
                                   : LB_RANDOM_OF(&b->random, widths);
}

/* What the options want of the extent that is drawn now; 0: any will do. */
static uint32_t wanted_extent(lb_build *b)
{
    const lb_random_options *o = b->options;
    const unsigned place = b->extents++;
    if (place < LB_RANDOM_EXTENTS && o->extents[place] > 0)
        return o->extents[place];
    return o->wide == place + 1 ? wide_extent(b) : 0;
}

uint32_t lb_build_side(lb_build *b, uint32_t low, uint32_t high)
{
    const uint32_t wanted = wanted_extent(b);
    return wanted > 0 ? low + wanted : (uint32_t)lb_random_in(&b->random, low, high);
}

uint32_t lb_build_extent(lb_build *b, uint32_t high)
{
    const uint32_t wanted = wanted_extent(b);
    if (wanted > 0)
        return wanted;
    uint32_t extent = (uint32_t)lb_random_in(&b->random, 1, 6);
    if (!b->options->small && lb_random_once_in(&b->random, 3))
        extent = LB_RANDOM_OF(&b->random, widths);
    return extent > high ? high : extent;
}

static int32_t extreme(lb_build *b, int64_t low, int64_t high)
{
    const int64_t ends[] = {low, high, low + 1, high - 1, 0, -1, 1};
    int64_t v = LB_RANDOM_OF(&b->random, ends);
    return (int32_t)(v < low ? low : v > high ? high : v);
}

static void make_data(lb_build *b, lb_case_tensor *t)
{
    t->has_data = true;
    t->data.count = lb_build_count(t);
    t->data.items = lb_arena_array(b->arena, t->data.count, sizeof *t->data.items);
}

void lb_build_data_in(lb_build *b, lb_case_tensor *t, int64_t low, int64_t high)
{
    make_data(b, t);
    t->may_be_uniform = true;
    t->uniform_seed = lb_random_bits(&b->random) >> 33;
    t->uniform_low = (int32_t)low;
    t->uniform_high = (int32_t)high;
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = lb_generate_uniform(t->uniform_seed, i, t->uniform_low, t->uniform_high);
}

void lb_build_data(lb_build *b, lb_case_tensor *t)
{
    enum { WHOLE, WHOLE_AGAIN, SMALL, EXTREMES, CONSTANT, KINDS };
    int bits = lb_container_bits((uint32_t)t->type);
    int64_t high = ((int64_t)1 << (bits - 1)) - 1, low = -high - 1;
    int64_t kind = lb_random_in(&b->random, 0, KINDS - 1);
    if (kind <= WHOLE_AGAIN) {
        lb_build_data_in(b, t, low, high);
    } else if (kind == SMALL) {
        lb_build_data_in(b, t, -4, 4);
    } else {
        int32_t constant = extreme(b, low, high);
        make_data(b, t);
        for (size_t i = 0; i < t->data.count; i++)
            t->data.items[i] = kind == CONSTANT ? constant : extreme(b, low, high);
    }
}

/* A binary32 pattern: halves, whole numbers, small and large ones; zeros of both signs. */
static int32_t real_pattern(lb_build *b)
{
    float real = (float)lb_random_in(&b->random, -300, 300) * 0.5f;
    int32_t bits;
    switch (lb_random_in(&b->random, 0, 3)) {
    case 0:
        real *= 1.0f / 1024.0f;
        break;
    case 1:
        real *= 37.3f;
        break;
    default:
        break;
    }
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* Codes of a format without integer containers (float4.md). */
static int32_t any_code(lb_build *b, uint32_t type)
{
    unsigned bits = type == LB_EL_FLOAT16 || type == LB_EL_BFLOAT16                         ? 16
                    : type == LB_EL_UINT4 || type == LB_EL_FLOAT4E2M1 || type == LB_EL_INT4 ? 4
                                                                                            : 8;
    int64_t low = type == LB_EL_INT4 ? -8 : 0;
    return (int32_t)lb_random_in(&b->random, low, low + (1 << bits) - 1);
}

void lb_build_any_data(lb_build *b, lb_case_tensor *t)
{
    if (t->type != LB_FP32 && lb_container_bits((uint32_t)t->type) > 0) {
        lb_build_data(b, t);
        return;
    }
    make_data(b, t);
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = t->type == LB_FP32 ? real_pattern(b) : any_code(b, (uint32_t)t->type);
}

void lb_build_buffer_data(lb_build *b, lb_case_tensor *t, size_t count)
{
    t->has_data = true;
    t->data.count = count;
    t->data.items = lb_arena_array(b->arena, count, sizeof *t->data.items);
    for (size_t i = 0; i < count; i++)
        t->data.items[i] =
            t->type == LB_FP32 ? real_pattern(b) : (int32_t)lb_random_in(&b->random, -128, 127);
}

unsigned lb_build_shape(lb_build *b, unsigned lowest, uint32_t last, uint32_t others,
                        uint32_t shape[4])
{
    const unsigned rank = (unsigned)lb_build_pick(b, (int)lowest, 4);
    for (unsigned d = 0; d < rank; d++)
        shape[d] = lb_build_extent(b, d + 1 == rank ? last : others);
    return rank;
}

void lb_build_gaps_and_data(lb_build *b, lb_role role, lb_case_tensor *t)
{
    if (t->rank > 1)
        lb_build_gaps(b, t);
    if (role != LB_ROLE_OUT)
        lb_build_any_data(b, t);
}

lb_case_tensor *lb_build_plain(lb_build *b, lb_role role, lb_el_type type, unsigned rank,
                               const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_tensor(b, role, role == LB_ROLE_OUT, type, rank, shape);
    lb_build_gaps_and_data(b, role, t);
    return t;
}
