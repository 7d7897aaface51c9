/* Lays a case out in memory: buffers between guard zones, and what they hold before the call. */
#include "harness/call/call_parts.h"
#include "harness/suite/suite_level.h"

#include <stdio.h>
#include <string.h>

/* Strides under which no two elements share a place, as the tensor check demands (numerics.md 2,
 * rows 4 and 5). */
static bool strides_are_valid(const lb_case_tensor *t)
{
    for (unsigned d = 0; d < t->rank; d++) {
        int64_t inner = d + 1 < t->rank ? (int64_t)t->shape[d + 1] * t->mem_stride[d + 1] : 1;
        if (lb_dimension_is_bad(t->shape[d]) || t->mem_stride[d] < 1 || t->mem_stride[d] < inner)
            return false;
    }
    return true;
}

lb_layout lb_layout_of(const lb_case_tensor *t)
{
    lb_layout layout = {.rank = t->rank, .element_bytes = lb_storage_bytes(t->type)};
    if (t->has_buffer_elements) {
        layout.rank = 1;
        layout.shape[0] = (uint32_t)t->buffer_elements;
        layout.stride[0] = 1;
        return layout;
    }
    bool as_given = t->has_mem_stride && strides_are_valid(t);
    int64_t dense = 1;
    for (unsigned d = t->rank; d-- > 0;) {
        layout.shape[d] = lb_dimension_is_bad(t->shape[d]) ? 1 : t->shape[d];
        layout.stride[d] = as_given ? t->mem_stride[d] : dense;
        dense *= layout.shape[d];
    }
    return layout;
}

uint64_t lb_case_element_count(const lb_case *c)
{
    uint64_t count = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            const lb_layout layout = lb_layout_of(&c->operand[role].tensors[i]);
            count += lb_layout_count(&layout);
        }
    return count;
}

size_t lb_layout_count(const lb_layout *layout)
{
    size_t count = 1;
    for (unsigned d = 0; d < layout->rank; d++)
        count *= layout->shape[d];
    return count;
}

size_t lb_layout_offset(const lb_layout *layout, size_t flat)
{
    size_t offset = 0;
    for (unsigned d = layout->rank; d-- > 0;) {
        offset += (size_t)layout->stride[d] * (flat % layout->shape[d]);
        flat /= layout->shape[d];
    }
    return offset * layout->element_bytes;
}

size_t lb_layout_span_bytes(const lb_layout *layout)
{
    size_t last = 0;
    if (lb_layout_count(layout) == 0)
        return 0;
    for (unsigned d = 0; d < layout->rank; d++)
        last += (size_t)layout->stride[d] * (layout->shape[d] - 1);
    return (last + 1) * layout->element_bytes;
}

/* ---- The memory ---- */

/* Bytes of the widest element that is kept in a tensor's buffer: its own, or one of a tensor that
 * points into it. */
static unsigned widest_element(const lb_case *c, lb_role role, unsigned list_index)
{
    unsigned widest = lb_element_bytes(c->operand[role].tensors[list_index].type);
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; c->operand[r].present && i < c->operand[r].count; i++) {
            const lb_case_tensor *other = &c->operand[r].tensors[i];
            unsigned bytes = lb_element_bytes(other->type);
            if (other->has_data_in && other->data_in.role == role &&
                other->data_in.list_index == list_index && bytes > widest)
                widest = bytes;
        }
    return widest;
}

/* How far from the boundary a buffer begins. Scratch memory holds elements of the type that the
 * cell computes with. */
static size_t misalignment(const lb_call_memory *memory, lb_buffer_kind kind, lb_role role,
                           unsigned list_index)
{
    const lb_case *c = memory->test_case;
    if (!memory->misaligned)
        return 0;
    size_t element = c->operand[LB_ROLE_IN].present ? widest_element(c, LB_ROLE_IN, 0) : 2;
    switch (kind) {
    case LB_BUFFER_DATA:
        element = widest_element(c, role, list_index);
        break;
    case LB_BUFFER_SCALE:
    case LB_BUFFER_ZERO_POINT:
        element = 2;
        break;
    case LB_BUFFER_SCALE_FRAC_BITS:
        element = 1;
        break;
    case LB_BUFFER_SCRATCH:
        break;
    }
    element = element ? element : 1;
    return (memory->misaligned + element - 1) / element * element;
}

static short add_buffer(lb_call_memory *memory, lb_buffer_kind kind, lb_role role,
                        unsigned list_index, size_t size_bytes)
{
    const lb_case_operand *operand = &memory->test_case->operand[role];
    size_t start = memory->block_bytes + LB_GUARD_BYTES;
    start = (start + LB_ALIGN_BYTES - 1) / LB_ALIGN_BYTES * LB_ALIGN_BYTES;
    start += misalignment(memory, kind, role, list_index);
    memory->buffers[memory->buffer_count] =
        (lb_buffer){.kind = kind,
                    .role = role,
                    .list_index = list_index,
                    .is_output = kind == LB_BUFFER_SCRATCH || operand->is_output,
                    .size_bytes = size_bytes,
                    .offset = start};
    memory->block_bytes = start + size_bytes;
    return (short)memory->buffer_count++;
}

/* A capacity that a case sets by hand is a promise to the kernel: so much memory is really there.
 * Values that every kernel refuses, above 2^31-1, promise nothing. A promise is kept up to a size
 * that no result of a case comes near: whoever writes behind that meets a guard zone. */
static size_t promised_bytes(bool has, uint32_t capacity_bytes)
{
    enum { MOST_PROMISED = 1 << 24 };
    if (!has || capacity_bytes > INT32_MAX)
        return 0;
    return capacity_bytes < MOST_PROMISED ? capacity_bytes : MOST_PROMISED;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Bytes that a tensor's own buffer must have: its elements, its capacity, and what tensors that
 * point into it (data_in) reach. */
static size_t data_bytes(const lb_case *c, lb_role role, unsigned list_index,
                         const lb_case_tensor *t)
{
    lb_layout own = lb_layout_of(t);
    size_t bytes =
        larger(lb_layout_span_bytes(&own), promised_bytes(t->has_capacity, t->capacity_bytes));
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; c->operand[r].present && i < c->operand[r].count; i++) {
            const lb_case_tensor *other = &c->operand[r].tensors[i];
            if (!other->has_data_in || other->data_in.role != role ||
                other->data_in.list_index != list_index)
                continue;
            lb_layout layout = lb_layout_of(other);
            size_t reach = larger(lb_layout_span_bytes(&layout),
                                  promised_bytes(other->has_capacity, other->capacity_bytes));
            bytes = larger(bytes, other->data_in.start * own.element_bytes + reach);
        }
    return bytes;
}

/* The same for a list of quantization parameters: which (as in quant_capacity), with entries of
 * `each` bytes. */
static size_t quant_bytes(const lb_case *c, lb_role role, unsigned list_index,
                          const lb_case_tensor *t, int which, size_t each)
{
    size_t bytes = larger(t->quant_count * each,
                          promised_bytes(t->has_quant_capacity[which], t->quant_capacity[which]));
    size_t shift = 0;
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; c->operand[r].present && i < c->operand[r].count; i++) {
            const lb_case_tensor *other = &c->operand[r].tensors[i];
            if (other->has_quant_in && !other->quant_null && other->quant_in.role == role &&
                other->quant_in.list_index == list_index)
                shift = larger(shift, other->quant_in.start * each);
        }
    return bytes + shift;
}

static void add_tensor_buffers(lb_call_memory *memory, lb_role role, unsigned list_index,
                               const lb_case_tensor *t)
{
    const lb_case *c = memory->test_case;
    short *own = memory->buffer_of[role][list_index];
    for (int kind = 0; kind < LB_BUFFER_SCRATCH; kind++)
        own[kind] = -1;
    if (t->rank > 0 && !t->has_data_in)
        own[LB_BUFFER_DATA] = add_buffer(memory, LB_BUFFER_DATA, role, list_index,
                                         data_bytes(c, role, list_index, t));
    if (lb_is_sa(t->type) && t->axis >= 0 && t->scale) {
        own[LB_BUFFER_SCALE] = add_buffer(memory, LB_BUFFER_SCALE, role, list_index,
                                          quant_bytes(c, role, list_index, t, 0, 2));
        own[LB_BUFFER_ZERO_POINT] = add_buffer(memory, LB_BUFFER_ZERO_POINT, role, list_index,
                                               quant_bytes(c, role, list_index, t, 1, 2));
        own[LB_BUFFER_SCALE_FRAC_BITS] =
            add_buffer(memory, LB_BUFFER_SCALE_FRAC_BITS, role, list_index,
                       quant_bytes(c, role, list_index, t, 2, 1));
    }
}

static void store_container(unsigned char *at, unsigned element_bytes, int32_t value)
{
    int8_t v8 = (int8_t)value;
    int16_t v16 = (int16_t)value;
    if (element_bytes == 1)
        memcpy(at, &v8, 1);
    else if (element_bytes == 2)
        memcpy(at, &v16, 2);
    else
        memcpy(at, &value, 4);
}

/* Those of 64 bits. */
static void store_wide(unsigned char *at, const lb_layout *layout, const lb_values *values)
{
    for (size_t i = 0; i < values->count; i++) {
        const int64_t value = lb_wide_value(values, i);
        memcpy(at + lb_layout_offset(layout, i), &value, sizeof value);
    }
}

static void store_dense(unsigned char *at, unsigned element_bytes, const lb_values *values)
{
    for (size_t i = 0; element_bytes == 1 && i < values->count; i++)
        at[i] = (unsigned char)values->items[i];
    for (size_t i = 0; element_bytes == 2 && i < values->count; i++)
        store_container(at + 2 * i, 2, values->items[i]);
    for (size_t i = 0; element_bytes > 2 && i < values->count; i++)
        store_container(at + i * element_bytes, element_bytes, values->items[i]);
}

void lb_call_memory_fill(const lb_call_memory *memory, unsigned char *block, lb_role role,
                         unsigned list_index, const lb_case_tensor *t)
{
    const short *own = memory->buffer_of[role][list_index];
    if (own[LB_BUFFER_DATA] >= 0 && t->has_data && t->data.count > 0) {
        unsigned char *base = block + memory->buffers[own[LB_BUFFER_DATA]].offset;
        lb_layout layout = lb_layout_of(t);
        bool dense = lb_layout_offset(&layout, t->data.count - 1) ==
                     (t->data.count - 1) * layout.element_bytes;
        if (layout.element_bytes == sizeof(int64_t)) {
            store_wide(base, &layout, &t->data);
            return;
        }
        if (dense)
            store_dense(base, layout.element_bytes, &t->data);
        for (size_t i = 0; !dense && i < t->data.count; i++)
            store_container(base + lb_layout_offset(&layout, i), layout.element_bytes,
                            t->data.items[i]);
    }
}

static void fill_tensor_buffers(lb_call_memory *memory, lb_role role, unsigned list_index,
                                const lb_case_tensor *t)
{
    const short *own = memory->buffer_of[role][list_index];
    lb_call_memory_fill(memory, memory->pristine, role, list_index, t);
    if (own[LB_BUFFER_SCALE] >= 0 && t->quant_count > 0) {
        memcpy(memory->pristine + memory->buffers[own[LB_BUFFER_SCALE]].offset, t->scale,
               t->quant_count * 2);
        memcpy(memory->pristine + memory->buffers[own[LB_BUFFER_ZERO_POINT]].offset, t->zero_point,
               t->quant_count * 2);
        memcpy(memory->pristine + memory->buffers[own[LB_BUFFER_SCALE_FRAC_BITS]].offset,
               t->scale_frac_bits, t->quant_count);
    }
}

/* Calls `each` for every tensor of the case, in the order of roles. */
static void for_each_tensor(lb_call_memory *memory, void (*each)(lb_call_memory *, lb_role,
                                                                 unsigned, const lb_case_tensor *))
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &memory->test_case->operand[role];
        for (unsigned i = 0; operand->present && i < operand->count; i++)
            each(memory, (lb_role)role, i, &operand->tensors[i]);
    }
}

static void lay_out(lb_call_memory *memory, const lb_case *test_case, lb_arena *arena)
{
    memory->test_case = test_case;
    memory->block_bytes = 0;
    memory->buffer_count = 0;
    memory->scratch_buffer = -1;
    for_each_tensor(memory, add_tensor_buffers);
    if (test_case->kernel && test_case->kernel->config_kind == LB_CONFIG_RNN_CELL)
        memory->scratch_buffer =
            add_buffer(memory, LB_BUFFER_SCRATCH, LB_ROLE_OUT, 0, test_case->config.scratch_bytes);
    memory->block_bytes += LB_GUARD_BYTES;
    memory->pristine = lb_arena_raw(arena, memory->block_bytes);
    memset(memory->pristine, memory->guard_fill, memory->block_bytes);
    for (unsigned b = 0; b < memory->buffer_count; b++)
        memset(memory->pristine + memory->buffers[b].offset, LB_EMPTY_FILL,
               memory->buffers[b].size_bytes);
    for_each_tensor(memory, fill_tensor_buffers);
}

unsigned char lb_guard_fill(uint64_t seed, const char *case_id)
{
    uint64_t mixed = seed * 0x9E3779B97F4A7C15u;
    if (seed == 0)
        return LB_GUARD_FILL;
    for (; *case_id; case_id++)
        mixed = (mixed ^ (unsigned char)*case_id) * 0x100000001B3u;
    unsigned char fill = (unsigned char)(mixed >> 56 ^ mixed >> 24);
    return fill == LB_EMPTY_FILL || fill == 0 ? LB_GUARD_FILL : fill;
}

unsigned lb_id_misaligned(const char *case_id)
{
    uint64_t mixed = 0xCBF29CE484222325u;
    for (const char *at = case_id; *at; at++)
        mixed = (mixed ^ (unsigned char)*at) * 0x100000001B3u;
    mixed ^= mixed >> 32;
    return mixed & 1 ? 1 + (unsigned)((mixed >> 1) % 15) : 0;
}

unsigned lb_case_misaligned(const lb_case *c)
{
    return c->id && lb_level_of(c) == LB_LEVEL_SMOKE ? lb_id_misaligned(c->id) : 0;
}

void lb_call_memory_make_as(lb_call_memory *memory, const lb_case *test_case,
                            const lb_memory_options *options, lb_arena *arena)
{
    memory->misaligned = options->misaligned == LB_ALIGNED ? 0
                         : options->misaligned             ? options->misaligned
                                                           : lb_case_misaligned(test_case);
    memory->guard_fill = lb_guard_fill(options->seed, test_case->id);
    lay_out(memory, test_case, arena);
}

void lb_call_memory_make(lb_call_memory *memory, const lb_case *test_case, lb_arena *arena)
{
    lb_call_memory_make_as(memory, test_case, &(lb_memory_options){.seed = 0}, arena);
}

void lb_buffer_name(const lb_call_memory *memory, lb_buffer_kind kind, lb_role role,
                    unsigned list_index, char *text, size_t text_bytes)
{
    static const char *const kinds[LB_BUFFER_KINDS] = {"", " scale", " zero_point",
                                                       " scale_frac_bits", ""};
    char item[16] = "";
    if (kind == LB_BUFFER_SCRATCH) {
        snprintf(text, text_bytes, "the scratch memory");
        return;
    }
    if (memory->test_case->operand[role].is_list)
        snprintf(item, sizeof item, "[%u]", list_index);
    snprintf(text, text_bytes, "%s%s%s", lb_role_name(role), item, kinds[kind]);
}
