/* Byte order of a port's memory: see memory.h. */
#include "harness/port/memory.h"

#include <string.h>

bool lb_memory_host_is_big(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/* Movement gives its output the type of its input, so what it writes has that one's width; what
 * stands there before is nothing but bytes. */
static bool takes_type_of_input(const lb_case *c, lb_role role)
{
    const bool moves = c->kernel ? lb_pattern_of(c->kernel) == LB_PATTERN_MOVEMENT : c->step_count;
    return moves && role == LB_ROLE_OUT && c->operand[LB_ROLE_IN].present;
}

static unsigned width_of(const lb_call_memory *memory, const lb_buffer *buffer)
{
    const lb_case *c = memory->test_case;
    switch (buffer->kind) {
    case LB_BUFFER_DATA:
        if (takes_type_of_input(c, buffer->role))
            return lb_storage_bytes(c->operand[LB_ROLE_IN].tensors->type);
        return lb_storage_bytes(c->operand[buffer->role].tensors[buffer->list_index].type);
    case LB_BUFFER_SCALE:
    case LB_BUFFER_ZERO_POINT:
        return 2;
    case LB_BUFFER_SCALE_FRAC_BITS:
    case LB_BUFFER_SCRATCH:
        break;
    }
    return 1;
}

static void copy_turned(unsigned char *to, const unsigned char *from, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = from[width - 1 - i];
}

void lb_memory_to_port(const lb_instance *instance, bool big_endian, unsigned char *raw)
{
    const lb_call_memory *memory = instance->memory;
    memcpy(raw, instance->block, memory->block_bytes);
    for (unsigned b = 0; big_endian != lb_memory_host_is_big() && b < memory->buffer_count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        unsigned width = width_of(memory, buffer);
        for (size_t at = 0; width > 1 && at + width <= buffer->size_bytes; at += width)
            copy_turned(raw + buffer->offset + at, instance->block + buffer->offset + at, width);
    }
}

/* Elements that did not change keep the bytes that they had; so a partial element keeps them too.
 */
static void take_elements(lb_instance *instance, size_t offset, unsigned width, size_t count,
                          const unsigned char *before, const unsigned char *after)
{
    for (size_t i = 0; i < count; i++, offset += width)
        if (memcmp(before + offset, after + offset, width) != 0)
            copy_turned(instance->block + offset, after + offset, width);
}

/* An output that lies in this buffer of another tensor and has elements of another width there, or
 * NULL. */
static const lb_case_tensor *view_into(const lb_call_memory *memory, unsigned b)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &memory->test_case->operand[role];
        const lb_case_tensor *t = operand->tensors;
        if (operand->present && operand->is_output && t->has_data_in && !t->null_data &&
            memory->buffer_of[t->data_in.role][t->data_in.list_index][LB_BUFFER_DATA] == (short)b &&
            lb_storage_bytes(t->type) != width_of(memory, &memory->buffers[b]))
            return t;
    }
    return NULL;
}

/* The elements of such an output are turned by their own width; other bytes stay what they were, or
 * show that they changed. */
static void take_view(lb_instance *instance, const lb_buffer *buffer, const lb_case_tensor *t,
                      const unsigned char *before, const unsigned char *after)
{
    lb_layout layout = lb_layout_of(t);
    size_t start = (size_t)t->data_in.start * width_of(instance->memory, buffer),
           count = lb_layout_count(&layout);
    if (memcmp(before + buffer->offset, after + buffer->offset, buffer->size_bytes) == 0)
        return;
    take_elements(instance, buffer->offset, 1, buffer->size_bytes, before, after);
    for (size_t i = 0; i < count; i++) {
        size_t offset = start + lb_layout_offset(&layout, i);
        if (offset + layout.element_bytes <= buffer->size_bytes)
            copy_turned(instance->block + buffer->offset + offset, after + buffer->offset + offset,
                        layout.element_bytes);
    }
}

static void take_buffer(lb_instance *instance, unsigned b, const unsigned char *before,
                        const unsigned char *after)
{
    const lb_buffer *buffer = &instance->memory->buffers[b];
    const lb_case_tensor *view =
        buffer->kind == LB_BUFFER_DATA ? view_into(instance->memory, b) : NULL;
    unsigned width = width_of(instance->memory, buffer);
    size_t count = buffer->size_bytes / (width ? width : 1), rest;
    if (view) {
        take_view(instance, buffer, view, before, after);
        return;
    }
    take_elements(instance, buffer->offset, width ? width : 1, count, before, after);
    rest = count * (width ? width : 1);
    take_elements(instance, buffer->offset + rest, 1, buffer->size_bytes - rest, before, after);
}

void lb_memory_from_port(lb_instance *instance, bool big_endian, const unsigned char *before,
                         const unsigned char *after)
{
    const lb_call_memory *memory = instance->memory;
    size_t past = 0;
    if (big_endian == lb_memory_host_is_big()) {
        memcpy(instance->block, after, memory->block_bytes);
        return;
    }
    for (unsigned b = 0; b < memory->buffer_count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        memcpy(instance->block + past, after + past, buffer->offset - past);
        take_buffer(instance, b, before, after);
        past = buffer->offset + buffer->size_bytes;
    }
    memcpy(instance->block + past, after + past, memory->block_bytes - past);
}
