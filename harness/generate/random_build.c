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

lb_case_tensor *lb_build_tensor_of(lb_build *b, lb_role role)
{
    return b->c->operand[role].present ? &b->c->operand[role].tensors[0] : NULL;
}

lb_case_tensor *lb_build_operand(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    return lb_build_tensor(b, role, lb_kernel_role(b->c->kernel, role)->use != LB_USE_INPUT,
                           (lb_el_type)lb_variant_type(b->c->kernel, role), rank, shape);
}

/* From this innermost stride on, with up to three elements between rows. */
static void set_rows(lb_build *b, lb_case_tensor *t, int64_t stride)
{
    enum { MOST_STRIDE = 1 << 24 };
    t->has_mem_stride = true;
    for (unsigned d = t->rank; d-- > 0;) {
        t->mem_stride[d] = (int32_t)(stride < MOST_STRIDE ? stride : MOST_STRIDE);
        stride = stride * (t->shape[d] ? t->shape[d] : 1) + lb_build_pick(b, 0, 3);
    }
}

void lb_build_gaps(lb_build *b, lb_case_tensor *t)
{
    if (t->rank > 0 && lb_build_once_in(b, 4))
        set_rows(b, t, 1);
}

void lb_build_strides(lb_build *b, lb_case_tensor *t)
{
    int64_t stride = lb_build_once_in(b, 4) ? lb_random_in(&b->random, 2, 3) : 1;
    if (t->rank > 0 && lb_build_once_in(b, 3))
        set_rows(b, t, stride);
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
    make_arrays(b, t, axis < 0 ? 1 : t->shape[axis]);
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

void lb_build_per_axis(lb_build *b, lb_case_tensor *t, int axis)
{
    if (!lb_is_sa((uint32_t)t->type) || axis < 0)
        return;
    lb_build_sa_axis(b, t, axis);
    for (size_t i = 0; i < t->quant_count; i++) {
        t->scale[i] = (int16_t)lb_build_scale(b);
        t->scale_frac_bits[i] = (int8_t)lb_build_pick(b, 8, 24);
        t->zero_point[i] = (int16_t)lb_build_zero_point(b);
    }
}

void lb_build_any_format(lb_build *b, lb_case_tensor *t, bool per_axis)
{
    lb_build_format(b, t, (lb_format_taste){0, 15, 8, 24, 4});
    if (per_axis && t->rank > 0)
        lb_build_per_axis(b, t, lb_build_pick(b, 0, (int)t->rank - 1));
}

void lb_build_any_sa(lb_build *b, lb_case_tensor *t, int frac_bits)
{
    int zero_point = lb_build_zero_point(b);
    lb_build_sa(b, t, lb_build_scale(b), frac_bits, zero_point);
}

void lb_build_format(lb_build *b, lb_case_tensor *t, lb_format_taste taste)
{
    const bool wild = taste.wild > 0 && lb_build_once_in(b, taste.wild);
    if (lb_is_fx((uint32_t)t->type))
        lb_build_fx(t, wild ? lb_build_pick(b, -128, 127)
                            : lb_build_pick(b, taste.fx_low, taste.fx_high));
    else if (lb_is_sa((uint32_t)t->type))
        lb_build_any_sa(b, t, lb_build_pick(b, taste.sa_low, taste.sa_high));
}

int lb_build_scale(lb_build *b)
{
    static const int special[] = {1, 2, 16384, 16385, 32767, 32766, 21845};
    if (lb_build_once_in(b, 4))
        return LB_RANDOM_OF(&b->random, special);
    return lb_build_pick(b, lb_build_once_in(b, 4) ? 1 : 16384, 32767);
}

int lb_build_zero_point(lb_build *b)
{
    static const int special[] = {0, 0, 127, -128, 1, -1};
    if (lb_build_once_in(b, 3))
        return LB_RANDOM_OF(&b->random, special);
    return lb_build_pick(b, -128, 127);
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
    if (!b->options->small && lb_build_once_in(b, 3))
        extent = LB_RANDOM_OF(&b->random, widths);
    return extent > high ? high : extent;
}

void lb_case_make_data(lb_case_tensor *t, size_t count, lb_arena *arena)
{
    t->has_data = true;
    t->may_be_uniform = false;
    t->data.count = count;
    t->data.items = lb_arena_array(arena, count, sizeof *t->data.items);
    t->data.high = t->type == LB_S64 ? lb_arena_array(arena, count, sizeof *t->data.high) : NULL;
}

void lb_case_put_number(lb_case_tensor *t, size_t i, int64_t v)
{
    if (t->data.high)
        lb_set_wide_value(&t->data, i, v);
    else
        t->data.items[i] = (int32_t)v;
}

void lb_case_fill_uniform(lb_case_tensor *t, uint64_t seed, int64_t low, int64_t high)
{
    t->may_be_uniform = true;
    t->uniform_seed = seed;
    t->uniform_low = (int32_t)(low < INT32_MIN ? INT32_MIN : low);
    t->uniform_high = (int32_t)(high > INT32_MAX ? INT32_MAX : high);
    for (size_t i = 0; i < t->data.count; i++)
        lb_case_put_number(t, i, lb_generate_uniform(seed, i, t->uniform_low, t->uniform_high));
}

void lb_case_make_uniform(lb_case *c)
{
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);) {
        const lb_range all = lb_build_range((uint32_t)p.t->type);
        if (p.t->has_data && p.t->type != LB_FP32 && p.t->data.count >= 2 &&
            lb_container_bits((uint32_t)p.t->type) >= 8)
            lb_case_fill_uniform(p.t, p.t->data.count + (uint64_t)p.role, all.low, all.high);
    }
}

void lb_build_data_in(lb_build *b, lb_case_tensor *t, int64_t low, int64_t high)
{
    lb_case_make_data(t, lb_build_count(t), b->arena);
    lb_case_fill_uniform(t, lb_random_bits(&b->random) >> 33, low, high);
}

lb_range lb_build_range(uint32_t type)
{
    enum { SUM_BITS = 48 }; /* of LiteRT; a case does not hold all numbers of 64 */
    const int own = lb_container_bits(type), bits = own > SUM_BITS ? SUM_BITS : own;
    return (lb_range){lb_min_of(bits), lb_max_of(bits)};
}

int64_t lb_build_in(lb_build *b, lb_range r)
{
    return lb_random_in(&b->random, r.low, r.high);
}

int64_t lb_build_end_of(lb_build *b, lb_range r)
{
    const int64_t ends[] = {r.low, r.high, r.low + 1, r.high - 1, 0, 1, -1};
    const int64_t v = LB_RANDOM_OF(&b->random, ends);
    return v < r.low ? r.low : v > r.high ? r.high : v;
}

/* Of any size: as many bits as come up. */
static int64_t of_any_size(lb_build *b, lb_range r)
{
    const int bits = lb_build_bits((uint64_t)(r.high > -r.low ? r.high : -r.low));
    const int64_t most = ((int64_t)1 << lb_build_pick(b, 1, bits < 2 ? 2 : bits)) - 1;
    return lb_random_in(&b->random, r.low > -most ? r.low : -most, r.high < most ? r.high : most);
}

/* Number i of those that follow `first`, round and round. */
static int64_t row_from(lb_range r, int64_t first, size_t i)
{
    const uint64_t count = (uint64_t)(r.high - r.low) + 1;
    return r.low + (int64_t)(((uint64_t)(first - r.low) + i) % count);
}

/* Integers of one of several kinds: the whole range, about 0, all sizes, ends, one number, one
 * after the other. */
static void fill(lb_build *b, lb_case_tensor *t, size_t elements, lb_range r)
{
    enum { SIZES, ENDS, ONE, ROW, SMALL, WHOLE, KINDS = WHOLE + 3 };
    const int kind = lb_build_pick(b, 0, KINDS - 1);
    const int64_t one = kind == ROW ? lb_build_in(b, r) : lb_build_end_of(b, r);
    lb_case_make_data(t, elements, b->arena);
    if (kind == SMALL && r.low <= -4 && r.high >= 4)
        r = (lb_range){-4, 4};
    if (t->type != LB_S64 && kind >= SMALL) {
        lb_case_fill_uniform(t, lb_random_bits(&b->random) >> 33, r.low, r.high);
        return;
    }
    for (size_t i = 0; i < elements; i++)
        lb_case_put_number(t, i,
                           kind == SIZES  ? of_any_size(b, r)
                           : kind == ENDS ? lb_build_end_of(b, r)
                           : kind == ONE  ? one
                           : kind == ROW  ? row_from(r, one, i)
                                          : lb_build_in(b, r));
}

void lb_build_fill(lb_build *b, lb_case_tensor *t, lb_range r)
{
    fill(b, t, lb_build_count(t), r);
}

/* A binary32 pattern: halves, whole numbers, small and large ones; zeros of both signs. */
static int32_t real_pattern(lb_build *b)
{
    static const float factors[] = {0.5f / 1024.0f, 0.5f * 37.3f, 0.5f, 0.5f};
    const float real = (float)lb_build_pick(b, -300, 300) * LB_RANDOM_OF(&b->random, factors);
    int32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

/* Codes of a format without integer containers (float4.md). */
static lb_range codes_of(uint32_t type)
{
    unsigned bits = type == LB_EL_FLOAT16 || type == LB_EL_BFLOAT16                         ? 16
                    : type == LB_EL_UINT4 || type == LB_EL_FLOAT4E2M1 || type == LB_EL_INT4 ? 4
                                                                                            : 8;
    int64_t low = type == LB_EL_INT4 ? -8 : 0;
    return (lb_range){low, low + (1 << bits) - 1};
}

void lb_build_some_data(lb_build *b, lb_case_tensor *t, size_t count)
{
    if (t->type != LB_FP32 && lb_container_bits((uint32_t)t->type) > 0) {
        fill(b, t, count, lb_build_range((uint32_t)t->type));
        return;
    }
    lb_case_make_data(t, count, b->arena);
    for (size_t i = 0; i < count; i++)
        t->data.items[i] = t->type == LB_FP32
                               ? real_pattern(b)
                               : (int32_t)lb_build_in(b, codes_of((uint32_t)t->type));
}

void lb_build_data(lb_build *b, lb_case_tensor *t)
{
    lb_build_some_data(b, t, lb_build_count(t));
}

void lb_build_permutation(lb_build *b, uint8_t perm[4], unsigned rank)
{
    for (unsigned d = 0; d < 4; d++)
        perm[d] = (uint8_t)d;
    for (unsigned d = rank; d-- > 1;) {
        unsigned other = (unsigned)lb_build_pick(b, 0, (int)d);
        uint8_t kept = perm[d];
        perm[d] = perm[other];
        perm[other] = kept;
    }
}

unsigned lb_build_shape(lb_build *b, unsigned lowest, uint32_t last, uint32_t others,
                        uint32_t shape[4])
{
    const unsigned rank = (unsigned)lb_build_pick(b, (int)lowest, 4);
    for (unsigned d = 0; d < rank; d++)
        shape[d] = lb_build_extent(b, d + 1 == rank ? last : others);
    return rank;
}

unsigned lb_build_split(lb_build *b, uint32_t count, uint32_t shape[4])
{
    const unsigned rank = (unsigned)lb_build_pick(b, 1, 4);
    for (unsigned d = 0; d + 1 < rank; d++) {
        const uint32_t part = lb_build_once_in(b, 3) ? LB_RANDOM_OF(&b->random, widths)
                                                     : (uint32_t)lb_build_pick(b, 1, 6);
        shape[d] = count % part == 0 ? part : 1;
        count /= shape[d];
    }
    shape[rank - 1] = count;
    return rank;
}
