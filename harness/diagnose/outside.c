/* Writing where nothing should be written: see outside.h. */
#include "harness/diagnose/outside.h"
#include "harness/base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a byte of a case's memory belongs to. */
enum { OF_NOTHING = 0, OF_ELEMENT };

static void mark_elements(const lb_call_memory *memory, int role, unsigned char *marks)
{
    lb_left_output output;
    const size_t count = lb_left_output_of(memory, role, &output) ? output.count : 0,
                 bytes = count > 0 ? output.layout.element_bytes : 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = output.start + lb_layout_offset(&output.layout, i);
        if (at + bytes <= memory->block_bytes)
            memset(marks + at, OF_ELEMENT, bytes);
    }
}

static const lb_buffer *buffer_at(const lb_call_memory *memory, size_t at)
{
    for (unsigned b = 0; b < memory->buffer_count; b++)
        if (at >= memory->buffers[b].offset &&
            at < memory->buffers[b].offset + memory->buffers[b].size_bytes)
            return &memory->buffers[b];
    return NULL;
}

static void look_at_byte(lb_outside *o, const lb_fault_bench *bench, const lb_left *left,
                         const unsigned char *marks, size_t at)
{
    const lb_buffer *buffer = buffer_at(&bench->memory, at);
    size_t before = at, after = at;
    if (buffer && buffer->kind == LB_BUFFER_SCRATCH)
        return;
    o->one_value = o->bytes == 0 || (o->one_value && o->value == left->block[at]);
    o->value = left->block[at];
    o->bytes++;
    if (buffer && !buffer->is_output) {
        o->in_inputs++;
        return;
    }
    while (before > 0 && marks[before - 1] != OF_ELEMENT)
        before--;
    while (after < bench->memory.block_bytes && marks[after] != OF_ELEMENT)
        after++;
    if (before == 0) {
        o->before++;
        return;
    }
    o->farthest = at - before + 1 > o->farthest ? at - before + 1 : o->farthest;
    if (buffer && after < bench->memory.block_bytes && buffer_at(&bench->memory, after) == buffer)
        o->between++;
    else
        o->behind++;
}

/* Does an output stand in the memory of another tensor? Then that is not an input's alone. */
static bool has_output_in_place(const lb_case *c)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_left_is_output(c, role) && c->operand[role].tensors[0].has_data_in)
            return true;
    return false;
}

void lb_outside_look(lb_outside *o, const lb_fault_bench *bench, const lb_left *left)
{
    const lb_call_memory *memory = &bench->memory;
    if (has_output_in_place(memory->test_case))
        return;
    o->looked++;
    o->wrong_statuses += left->status != bench->right.call.status;
    if (left->block_bytes != memory->block_bytes || memory->block_bytes == 0)
        return;
    unsigned char *marks = lb_resized(NULL, memory->block_bytes);
    memset(marks, OF_NOTHING, memory->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        mark_elements(memory, role, marks);
    for (size_t at = 0; at < memory->block_bytes; at++) {
        if (left->block[at] == bench->right.block[at])
            continue;
        if (marks[at] == OF_ELEMENT)
            o->wrong_elements++;
        else
            look_at_byte(o, bench, left, marks, at);
    }
    free(marks);
}

lb_outside_place lb_outside_where(const lb_outside *o)
{
    return o->in_inputs * 2 > o->bytes ? LB_OUTSIDE_INPUT
           : o->before * 2 > o->bytes  ? LB_OUTSIDE_BEFORE
           : o->between >= o->behind   ? LB_OUTSIDE_BETWEEN
                                       : LB_OUTSIDE_BEHIND;
}

const char *lb_outside_words(const lb_outside *o, lb_arena *arena)
{
    static const char *const places[] = {[LB_OUTSIDE_INPUT] = "into the memory of an input",
                                         [LB_OUTSIDE_BEFORE] = "before the output",
                                         [LB_OUTSIDE_BETWEEN] =
                                             "between the elements of the output",
                                         [LB_OUTSIDE_BEHIND] = "behind the end of the output"};
    if (o->bytes == 0)
        return NULL;
    const char *where = places[lb_outside_where(o)];
    const char *value = o->one_value ? lb_arena_printf(arena, ", always 0x%02x", o->value) : "";
    if (o->between + o->behind == 0)
        return lb_arena_printf(arena, "writes %s%s", where, value);
    return lb_arena_printf(arena, "writes %s%s, up to %" PRIu64 " bytes beyond an element", where,
                           value, o->farthest);
}
