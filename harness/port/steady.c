/* Calls that are made again: see steady.h. */
#include "harness/port/steady.h"
#include "harness/base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Room ---- */

static void make_room(lb_steady *s, size_t bytes)
{
    if (bytes <= s->room_bytes)
        return;
    unsigned char *room = lb_resized(s->before, 3 * bytes);
    s->before = room;
    s->given = room + bytes;
    s->after = room + 2 * bytes;
    s->room_bytes = bytes;
}

static void make_tensor_room(lb_steady *s, const lb_port_request *request)
{
    s->tensor_count = 0;
    for (unsigned a = 0; a < request->argument_count; a++)
        s->tensor_count += request->arguments[a].count;
    if (s->tensor_count <= s->tensor_room)
        return;
    s->tensors = lb_resized(s->tensors, 2 * s->tensor_count * sizeof *s->tensors);
    s->tensor_room = s->tensor_count;
}

void lb_steady_free(lb_steady *steady)
{
    free(steady->before);
    free(steady->tensors);
    *steady = (lb_steady){.room_bytes = 0};
}

/* ---- Tensors ---- */

static void save_tensors(lb_tensor *to, const lb_port_request *request)
{
    for (unsigned a = 0; a < request->argument_count; a++)
        for (unsigned i = 0; i < request->arguments[a].count; i++)
            *to++ = request->arguments[a].tensors[i];
}

static void put_tensors_back(const lb_tensor *from, const lb_port_request *request)
{
    for (unsigned a = 0; a < request->argument_count; a++)
        for (unsigned i = 0; i < request->arguments[a].count; i++)
            request->arguments[a].tensors[i] = *from++;
}

/* ---- The calls ---- */

void lb_steady_begin(lb_steady *steady, const lb_port_request *request)
{
    const size_t bytes = request->instance->memory->block_bytes;
    make_room(steady, bytes);
    make_tensor_room(steady, request);
    memcpy(steady->before, request->instance->block, bytes);
    save_tensors(steady->tensors, request);
}

void lb_steady_keep(lb_steady *steady, const lb_port_request *request)
{
    const lb_instance *instance = request->instance;
    memcpy(steady->after, instance->block, instance->memory->block_bytes);
    save_tensors(steady->tensors + steady->tensor_count, request);
    steady->first = *request;
    steady->wrote_behind = instance->wrote_behind;
    steady->wrote_in_front = instance->wrote_in_front;
    steady->stray = instance->stray;
}

/* Has the buffer no contents that anybody has given? */
static bool is_empty(const lb_steady *s, const lb_buffer *buffer)
{
    const unsigned char *at = s->before + buffer->offset;
    return buffer->is_output && buffer->kind != LB_BUFFER_SCRATCH && buffer->size_bytes > 0 &&
           at[0] == LB_EMPTY_FILL && memcmp(at, at + 1, buffer->size_bytes - 1) == 0;
}

void lb_steady_prepare(lb_steady *steady, const lb_port_request *request, unsigned char empty)
{
    lb_instance *instance = request->instance;
    const lb_call_memory *memory = instance->memory;
    memcpy(steady->given, steady->before, memory->block_bytes);
    for (unsigned b = 0; b < memory->buffer_count; b++)
        if (is_empty(steady, &memory->buffers[b]))
            memset(steady->given + memory->buffers[b].offset, empty, memory->buffers[b].size_bytes);
    memcpy(instance->block, steady->given, memory->block_bytes);
    put_tensors_back(steady->tensors, request);
}

void lb_steady_end(const lb_steady *steady, const lb_port_request *request)
{
    lb_instance *instance = request->instance;
    memcpy(instance->block, steady->after, instance->memory->block_bytes);
    put_tensors_back(steady->tensors + steady->tensor_count, request);
    instance->wrote_behind = steady->wrote_behind;
    instance->wrote_in_front = steady->wrote_in_front;
    instance->stray = steady->stray;
}

/* ---- Is it the same? ---- */

/* What neither call has written may have been given differently. */
static bool is_same_buffer(const lb_steady *s, const lb_call_memory *memory,
                           const lb_buffer *buffer, const unsigned char *block, char *text,
                           size_t text_bytes)
{
    char name[80];
    const size_t end = buffer->offset + buffer->size_bytes;
    if (memcmp(block + buffer->offset, s->after + buffer->offset, buffer->size_bytes) == 0)
        return true;
    for (size_t i = buffer->offset; i < end; i++) {
        if (block[i] == s->after[i] || (s->after[i] == s->before[i] && block[i] == s->given[i]))
            continue;
        lb_buffer_name(memory, buffer->kind, buffer->role, buffer->list_index, name, sizeof name);
        snprintf(text, text_bytes, "byte %zu of %s was 0x%02x at first and is 0x%02x",
                 i - buffer->offset, name, s->after[i], block[i]);
        return false;
    }
    return true;
}

static bool is_same_memory(const lb_steady *s, const lb_instance *instance, char *text,
                           size_t text_bytes)
{
    const lb_call_memory *memory = instance->memory;
    for (unsigned b = 0; b < memory->buffer_count; b++)
        if (memory->buffers[b].kind != LB_BUFFER_SCRATCH &&
            !is_same_buffer(s, memory, &memory->buffers[b], instance->block, text, text_bytes))
            return false;
    if (instance->stray.count > 0 && s->stray.count == 0)
        return snprintf(text, text_bytes, "it wrote beside %s, as it did not at first",
                        lb_role_name(memory->buffers[instance->stray.buffer].role)),
               false;
    if ((instance->wrote_behind > 0 && s->wrote_behind == 0) ||
        (instance->wrote_in_front > 0 && s->wrote_in_front == 0))
        return snprintf(text, text_bytes, "it wrote outside its buffers, as it did not at first"),
               false;
    return true;
}

static bool is_same_tensors(const lb_steady *s, const lb_port_request *request, char *text,
                            size_t text_bytes)
{
    const lb_wire_block place = {.block = request->instance->block,
                                 .bytes = request->instance->memory->block_bytes,
                                 .memory = request->instance->memory};
    const lb_tensor *first = s->tensors + s->tensor_count;
    uint32_t was[LB_WIRE_T_WORDS], is[LB_WIRE_T_WORDS];
    for (unsigned a = 0; a < request->argument_count; a++)
        for (unsigned i = 0; i < request->arguments[a].count; i++) {
            memset(was, 0, sizeof was);
            memset(is, 0, sizeof is);
            lb_tensor_to_words(first++, &place, was);
            lb_tensor_to_words(&request->arguments[a].tensors[i], &place, is);
            if (memcmp(was, is, sizeof was) != 0)
                return snprintf(text, text_bytes, "a field of tensor %u is another", a + 1), false;
        }
    return true;
}

/* The place of scratch memory is another each time. */
static bool is_same_words(const lb_steady *s, const lb_port_request *request, char *text,
                          size_t text_bytes)
{
    const lb_port_request *first = &s->first;
    if (first->result[LB_WIRE_R_STATUS] != request->result[LB_WIRE_R_STATUS])
        return snprintf(text, text_bytes, "the status was %d at first and is %d",
                        (int)first->result[LB_WIRE_R_STATUS],
                        (int)request->result[LB_WIRE_R_STATUS]),
               false;
    if (memcmp(first->result, request->result, sizeof first->result) != 0)
        return snprintf(text, text_bytes, "it returned something else at first"), false;
    for (int i = 0; i < LB_WIRE_CONFIG_WORDS; i++)
        if (i != request->scratch_word && first->config_out[i] != request->config_out[i])
            return snprintf(text, text_bytes, "it left another configuration at first"), false;
    return true;
}

bool lb_steady_is_same(const lb_steady *steady, const lb_port_request *request, char *text,
                       size_t text_bytes)
{
    return is_same_words(steady, request, text, text_bytes) &&
           is_same_memory(steady, request->instance, text, text_bytes) &&
           is_same_tensors(steady, request, text, text_bytes);
}
