/* Lays a case out in memory: buffers between guard zones, and the tensors that point into them. */
#include "harness/call/call_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define LB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LB_ASAN 1
#endif
#endif
#ifdef LB_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum { LB_ALIGN_BYTES = 64 };

static bool dimension_is_bad(uint32_t extent)
{
    return extent == 0 || extent > INT32_MAX;
}

/* Strides under which no two elements share a place, as the tensor check demands (numerics.md 2,
 * rows 4 and 5). */
static bool strides_are_valid(const lb_case_tensor *t)
{
    for (unsigned d = 0; d < t->rank; d++) {
        int64_t inner = d + 1 < t->rank ? (int64_t)t->shape[d + 1] * t->mem_stride[d + 1] : 1;
        if (dimension_is_bad(t->shape[d]) || t->mem_stride[d] < 1 || t->mem_stride[d] < inner)
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
        layout.shape[d] = dimension_is_bad(t->shape[d]) ? 1 : t->shape[d];
        layout.stride[d] = as_given ? t->mem_stride[d] : dense;
        dense *= layout.shape[d];
    }
    return layout;
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

static size_t layout_span_bytes(const lb_layout *layout)
{
    size_t last = 0;
    if (lb_layout_count(layout) == 0)
        return 0;
    for (unsigned d = 0; d < layout->rank; d++)
        last += (size_t)layout->stride[d] * (layout->shape[d] - 1);
    return (last + 1) * layout->element_bytes;
}

/* The value of data.capacity where the case does not set it: the span that shape and strides ask
 * for, whatever is allocated. */
static uint32_t capacity_of(const lb_case_tensor *t)
{
    lb_layout layout = lb_layout_of(t);
    if (t->has_buffer_elements)
        return (uint32_t)layout_span_bytes(&layout);
    int64_t last = 0;
    for (unsigned d = 0; d < t->rank; d++) {
        int64_t stride = t->has_mem_stride ? t->mem_stride[d] : layout.stride[d];
        last += (int64_t)(layout.shape[d] - 1) * stride;
    }
    int64_t bytes = (last + 1) * layout.element_bytes;
    return bytes < 0 ? 0 : bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
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
    return memory->misaligned > element ? memory->misaligned : element;
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
        larger(layout_span_bytes(&own), promised_bytes(t->has_capacity, t->capacity_bytes));
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; c->operand[r].present && i < c->operand[r].count; i++) {
            const lb_case_tensor *other = &c->operand[r].tensors[i];
            if (!other->has_data_in || other->data_in.role != role ||
                other->data_in.list_index != list_index)
                continue;
            lb_layout layout = lb_layout_of(other);
            size_t reach = larger(layout_span_bytes(&layout),
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

static void store_dense(unsigned char *at, unsigned element_bytes, const lb_values *values)
{
    for (size_t i = 0; element_bytes == 1 && i < values->count; i++)
        at[i] = (unsigned char)values->items[i];
    for (size_t i = 0; element_bytes == 2 && i < values->count; i++)
        store_container(at + 2 * i, 2, values->items[i]);
    for (size_t i = 0; element_bytes > 2 && i < values->count; i++)
        store_container(at + i * element_bytes, element_bytes, values->items[i]);
}

/* Writes the data of a tensor into a block. */
static void fill_data(const lb_call_memory *memory, unsigned char *block, lb_role role,
                      unsigned list_index, const lb_case_tensor *t)
{
    const short *own = memory->buffer_of[role][list_index];
    if (own[LB_BUFFER_DATA] >= 0 && t->has_data && t->data.count > 0) {
        unsigned char *base = block + memory->buffers[own[LB_BUFFER_DATA]].offset;
        lb_layout layout = lb_layout_of(t);
        bool dense = lb_layout_offset(&layout, t->data.count - 1) ==
                     (t->data.count - 1) * layout.element_bytes;
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
    fill_data(memory, memory->pristine, role, list_index, t);
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

void lb_call_memory_make_as(lb_call_memory *memory, const lb_case *test_case,
                            const lb_memory_options *options, lb_arena *arena)
{
    memory->misaligned = options->misaligned;
    memory->guard_fill = lb_guard_fill(options->seed, test_case->id);
    lay_out(memory, test_case, arena);
}

void lb_call_memory_make(lb_call_memory *memory, const lb_case *test_case, lb_arena *arena)
{
    lb_call_memory_make_as(memory, test_case, &(lb_memory_options){.seed = 0}, arena);
}

void lb_call_memory_make_misaligned(lb_call_memory *memory, const lb_case *test_case,
                                    lb_arena *arena)
{
    lb_call_memory_make_as(memory, test_case, &(lb_memory_options){.misaligned = 1}, arena);
}

/* ---- Instances ---- */

static void *buffer_start(const lb_instance *instance, short buffer)
{
    return buffer < 0 ? NULL : instance->block + instance->memory->buffers[buffer].offset;
}

static void set_quantization(lb_instance *instance, lb_role role, unsigned list_index,
                             const lb_case_tensor *t)
{
    const short *own = instance->memory->buffer_of[role][list_index];
    lb_tensor *tensor = &instance->tensors[role][list_index];
    uint32_t count = (uint32_t)t->quant_count;
    tensor->sa.dim = t->axis;
    if (t->axis >= 0) {
        tensor->sa.scale =
            (lb_container){count * 2, {.ptr = buffer_start(instance, own[LB_BUFFER_SCALE])}};
        tensor->sa.zero_point =
            (lb_container){count * 2, {.ptr = buffer_start(instance, own[LB_BUFFER_ZERO_POINT])}};
        tensor->sa.scale_frac_bits =
            (lb_container){count, {.ptr = buffer_start(instance, own[LB_BUFFER_SCALE_FRAC_BITS])}};
    } else {
        tensor->sa.scale.mem.i16 = t->scale[0];
        tensor->sa.zero_point.mem.i16 = t->zero_point[0];
        tensor->sa.scale_frac_bits.mem.i8 = t->scale_frac_bits[0];
    }
    if (t->has_quant_capacity[0])
        tensor->sa.scale.capacity_bytes = t->quant_capacity[0];
    if (t->has_quant_capacity[1])
        tensor->sa.zero_point.capacity_bytes = t->quant_capacity[1];
    if (t->has_quant_capacity[2])
        tensor->sa.scale_frac_bits.capacity_bytes = t->quant_capacity[2];
}

/* The field of a tensor of rank 0 is its memory. Where an output of that kind claims a rank it is
 * read as a pointer, and points nowhere. An input of a rank that claims to have none has the same
 * bytes there in every memory: a pointer would be a number by chance. */
static void set_value(const lb_instance *instance, lb_role role, const lb_case_tensor *t,
                      lb_tensor *tensor)
{
    bool is_output = instance->memory->test_case->operand[role].is_output;
    if (tensor->rank != 0 && is_output)
        tensor->data.mem.ptr = NULL;
    else if (t->rank != 0 || !t->has_data || t->data.count == 0)
        memset(&tensor->data.mem, LB_EMPTY_FILL, sizeof tensor->data.mem);
    else if (lb_layout_of(t).element_bytes == 1)
        tensor->data.mem.i8 = (int8_t)t->data.items[0];
    else if (lb_layout_of(t).element_bytes == 2)
        tensor->data.mem.i16 = (int16_t)t->data.items[0];
    else
        tensor->data.mem.i32 = t->data.items[0];
}

static void set_fields(lb_instance *instance, lb_role role, unsigned list_index,
                       const lb_case_tensor *t)
{
    lb_tensor *tensor = &instance->tensors[role][list_index];
    memset(tensor, 0, sizeof *tensor);
    tensor->rank = t->has_rank ? t->rank_override : t->rank;
    tensor->el_type = t->has_el_type ? t->el_type : (uint32_t)t->type;
    tensor->set_for = (uint32_t)t->type;
    for (unsigned d = 0; d < t->rank; d++)
        tensor->shape[d] = t->shape[d];
    int64_t dense = 1;
    for (unsigned d = t->rank; d-- > 0;) {
        tensor->mem_stride[d] = t->has_mem_stride ? t->mem_stride[d] : (int32_t)dense;
        dense *= dimension_is_bad(t->shape[d]) ? 1 : t->shape[d];
    }
    if (lb_is_fx(t->type))
        tensor->frac_bits = t->frac_bits;
    else if (lb_is_sa(t->type) && !t->has_quant_in && t->scale)
        set_quantization(instance, role, list_index, t);
    bool is_output = instance->memory->test_case->operand[role].is_output;
    if (t->rank == 0 || (tensor->rank == 0 && !is_output))
        set_value(instance, role, t, tensor);
    else
        tensor->data.mem.ptr =
            buffer_start(instance, instance->memory->buffer_of[role][list_index][LB_BUFFER_DATA]);
    if (t->rank != 0)
        tensor->data.capacity_bytes = capacity_of(t);
    if (t->null_data)
        tensor->data.mem.ptr = NULL;
    if (t->has_capacity)
        tensor->data.capacity_bytes = t->capacity_bytes;
}

/* Second pass: fields that refer to another tensor, which stands by now. */
static void set_references(lb_instance *instance, lb_role role, unsigned list_index,
                           const lb_case_tensor *t)
{
    lb_tensor *tensor = &instance->tensors[role][list_index];
    if (t->has_data_in && !t->null_data) {
        short buffer =
            instance->memory->buffer_of[t->data_in.role][t->data_in.list_index][LB_BUFFER_DATA];
        unsigned bytes =
            lb_storage_bytes(instance->tensors[t->data_in.role][t->data_in.list_index].el_type);
        unsigned char *base = buffer_start(instance, buffer);
        tensor->data.mem.ptr = base ? base + t->data_in.start * (bytes ? bytes : 1) : NULL;
    }
    if (t->has_quant_in && !t->quant_null) {
        const lb_tensor *from = &instance->tensors[t->quant_in.role][t->quant_in.list_index];
        tensor->sa = from->sa;
        if (from->sa.dim >= 0) {
            tensor->sa.scale.mem.pi16 += t->quant_in.start;
            tensor->sa.zero_point.mem.pi16 += t->quant_in.start;
            tensor->sa.scale_frac_bits.mem.pi8 += t->quant_in.start;
        }
    }
}

/* What a function is to fill starts as the port kit gives it: as garbage (lb_kit_mli_calls.h). That
 * of a table fits the narrowest integer: a call that is refused leaves it. */
static void garble(lb_config *config, lb_config_kind kind)
{
    const int32_t number = LB_EMPTY_FILL;
    for (const lb_config_field *f = lb_config_fields(kind); f->name; f++) {
        unsigned char *at = (unsigned char *)config + f->offset;
        if (kind == LB_CONFIG_LUT)
            memcpy(at, &number, sizeof number);
        else
            memset(at, LB_EMPTY_FILL, lb_config_field_bytes(f));
    }
}

static void set_call(lb_instance *instance)
{
    const lb_case *c = instance->memory->test_case;
    lb_call *call = &instance->call;
    memset(call, 0, sizeof *call);
    call->kernel = c->kernel;
    call->config = c->config;
    if (c->kernel)
        garble(&call->config, lb_filled_config(c->kernel));
    call->config_null = c->null_config;
    call->config.scratch = buffer_start(instance, instance->memory->scratch_buffer);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        bool here = c->operand[role].present && !c->null_role[role];
        call->tensor[role] = here ? instance->tensors[role] : NULL;
        call->list_count[role] = here ? c->operand[role].count : 0;
    }
}

void lb_instance_reset(lb_instance *instance)
{
    const lb_call_memory *memory = instance->memory;
    memcpy(instance->block, memory->pristine, memory->block_bytes);
    instance->wrote_behind = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int role = 0; role < LB_ROLE_COUNT; role++) {
            const lb_case_operand *operand = &memory->test_case->operand[role];
            for (unsigned i = 0; operand->present && i < operand->count; i++)
                (pass == 0 ? set_fields : set_references)(instance, (lb_role)role, i,
                                                          &operand->tensors[i]);
        }
    set_call(instance);
}

void lb_instance_put(lb_instance *instance, lb_role role, unsigned list_index,
                     const lb_case_tensor *t)
{
    set_fields(instance, role, list_index, t);
    set_references(instance, role, list_index, t);
    fill_data(instance->memory, instance->block, role, list_index, t);
}

void lb_instance_make(lb_instance *instance, const lb_call_memory *memory, lb_arena *arena)
{
    unsigned char *raw = lb_arena_raw(arena, memory->block_bytes + LB_ALIGN_BYTES);
    instance->memory = memory;
    instance->block = raw + (LB_ALIGN_BYTES - (uintptr_t)raw % LB_ALIGN_BYTES) % LB_ALIGN_BYTES;
    lb_instance_reset(instance);
}

/* ---- Fenced memory ---- */

enum { FENCE_BYTES = 1 << 26 };

void lb_fenced_free(lb_fenced *fenced)
{
    if (fenced->start)
        munmap(fenced->start - FENCE_BYTES, fenced->bytes + 2 * (size_t)FENCE_BYTES);
    *fenced = (lb_fenced){0};
}

static bool fence(lb_fenced *fenced, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes <= fenced->bytes)
        return true;
    lb_fenced_free(fenced);
    bytes = (bytes * 2 + page - 1) / page * page;
    unsigned char *all = mmap(NULL, bytes + 2 * (size_t)FENCE_BYTES, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return false;
    if (mprotect(all + FENCE_BYTES, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(all, bytes + 2 * (size_t)FENCE_BYTES);
        return false;
    }
    *fenced = (lb_fenced){all + FENCE_BYTES, bytes};
    return true;
}

void lb_instance_make_fenced(lb_instance *instance, const lb_call_memory *memory, lb_fenced *fenced,
                             lb_arena *arena)
{
    size_t rounded = (memory->block_bytes + LB_ALIGN_BYTES - 1) / LB_ALIGN_BYTES * LB_ALIGN_BYTES;
    if (!fence(fenced, rounded)) {
        lb_instance_make(instance, memory, arena);
        return;
    }
    instance->memory = memory;
    instance->block = fenced->start + fenced->bytes - rounded;
    lb_instance_reset(instance);
}

void lb_instance_guard(lb_instance *instance, bool forbidden)
{
#ifdef LB_ASAN
    if (forbidden) {
        __asan_poison_memory_region(instance->block, instance->memory->block_bytes);
        for (unsigned b = 0; b < instance->memory->buffer_count; b++)
            __asan_unpoison_memory_region(instance->block + instance->memory->buffers[b].offset,
                                          instance->memory->buffers[b].size_bytes);
    } else {
        __asan_unpoison_memory_region(instance->block, instance->memory->block_bytes);
    }
#else
    (void)instance;
    (void)forbidden;
#endif
}

lb_elements lb_instance_elements(const lb_instance *instance, lb_role role, unsigned list_index)
{
    const lb_tensor *t = &instance->tensors[role][list_index];
    lb_elements e = {
        .layout = lb_layout_of(&instance->memory->test_case->operand[role].tensors[list_index])};
    e.count = lb_layout_count(&e.layout);
    e.base = e.layout.rank == 0 && t->rank == 0 ? (unsigned char *)(uintptr_t)&t->data.mem
                                                : t->data.mem.ptr;
    e.span_bytes = e.count ? lb_layout_offset(&e.layout, e.count - 1) + e.layout.element_bytes : 0;
    return e;
}

bool lb_instance_locate(const lb_instance *instance, const void *pointer, unsigned *buffer,
                        size_t *offset_bytes)
{
    uintptr_t at = (uintptr_t)pointer;
    uintptr_t block = (uintptr_t)instance->block;
    if (!pointer || at < block || at > block + instance->memory->block_bytes)
        return false;
    size_t place = at - block;
    for (unsigned b = 0; b < instance->memory->buffer_count; b++) {
        const lb_buffer *candidate = &instance->memory->buffers[b];
        if (place >= candidate->offset && place <= candidate->offset + candidate->size_bytes) {
            *buffer = b;
            *offset_bytes = place - candidate->offset;
            return true;
        }
    }
    return false;
}

/* ---- From one instance to another ---- */

static void *moved(void *pointer, const lb_instance *from, const lb_instance *to)
{
    uintptr_t at = (uintptr_t)pointer, block = (uintptr_t)from->block;
    bool inside = pointer && at >= block && at - block <= from->memory->block_bytes;
    return inside ? to->block + (at - block) : pointer;
}

lb_tensor lb_tensor_moved(const lb_tensor *t, const lb_instance *from, const lb_instance *to)
{
    lb_tensor copy = *t;
    /* a value in place of a pointer never lies within the block */
    copy.data.mem.ptr = moved(t->data.mem.ptr, from, to);
    if (lb_is_sa(t->el_type) && t->sa.dim >= 0) {
        copy.sa.scale.mem.ptr = moved(t->sa.scale.mem.ptr, from, to);
        copy.sa.zero_point.mem.ptr = moved(t->sa.zero_point.mem.ptr, from, to);
        copy.sa.scale_frac_bits.mem.ptr = moved(t->sa.scale_frac_bits.mem.ptr, from, to);
    }
    return copy;
}

void lb_instance_take(lb_instance *to, const lb_instance *from)
{
    memcpy(to->block, from->block, from->memory->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < from->call.list_count[role]; i++)
            to->tensors[role][i] = lb_tensor_moved(&from->tensors[role][i], from, to);
}
