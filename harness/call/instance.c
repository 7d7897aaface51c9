/* A case made real: bytes of its own, tensors that point into them, and what may be asked of them.
 */
#include "harness/call/call_parts.h"

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

/* The value of data.capacity where the case does not set it: the span that shape and strides ask
 * for, whatever is allocated. */
static uint32_t capacity_of(const lb_case_tensor *t)
{
    lb_layout layout = lb_layout_of(t);
    if (t->has_buffer_elements)
        return (uint32_t)lb_layout_span_bytes(&layout);
    int64_t last = 0;
    for (unsigned d = 0; d < t->rank; d++) {
        int64_t stride = t->has_mem_stride ? t->mem_stride[d] : layout.stride[d];
        last += (int64_t)(layout.shape[d] - 1) * stride;
    }
    int64_t bytes = (last + 1) * layout.element_bytes;
    return bytes < 0 ? 0 : bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

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
    tensor->holds_value = tensor->rank == 0;
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
        dense *= lb_dimension_is_bad(t->shape[d]) ? 1 : t->shape[d];
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
    if (t->null_data) {
        tensor->holds_value = false;
        tensor->data.mem.ptr = NULL;
    }
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
        tensor->holds_value = false;
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
    instance->wrote_behind = instance->wrote_in_front = 0;
    instance->stray = (lb_stray){.count = 0};
    instance->table_found = 0;
    memset(instance->config_changed, 0, sizeof instance->config_changed);
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
    lb_call_memory_fill(instance->memory, instance->block, role, list_index, t);
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
