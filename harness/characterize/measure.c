/* Differences in numbers: see measure.h. */
#include "harness/characterize/measure.h"

#include "harness/call/call_memory.h"
#include "harness/call/model.h"
#include "harness/characterize/group.h"
#include "harness/characterize/probe.h"

#include <string.h>

enum { CASES = 200 };

static int64_t container_at(const unsigned char *at, unsigned bytes)
{
    int8_t one;
    int16_t two;
    int32_t four;
    if (bytes == 1)
        return memcpy(&one, at, 1), one;
    if (bytes == 2)
        return memcpy(&two, at, 2), two;
    return memcpy(&four, at, 4), four;
}

static void compare(lb_measured *m, const lb_call_memory *memory, const unsigned char *a,
                    const unsigned char *b)
{
    for (unsigned i = 0; i < memory->buffer_count; i++) {
        const lb_buffer *buffer = &memory->buffers[i];
        if (!buffer->is_output || buffer->kind != LB_BUFFER_DATA)
            continue;
        lb_layout layout = lb_layout_of(&memory->test_case->operand[buffer->role].tensors[0]);
        size_t count = lb_layout_count(&layout);
        for (size_t e = 0; e < count; e++) {
            size_t at = buffer->offset + lb_layout_offset(&layout, e);
            int64_t difference = container_at(a + at, layout.element_bytes) -
                                 container_at(b + at, layout.element_bytes);
            int64_t size = difference < 0 ? -difference : difference;
            m->elements++;
            m->different += difference != 0;
            m->sum += (double)difference;
            m->most = size > m->most ? size : m->most;
        }
    }
}

lb_measured lb_measure(const lb_character *character, const lb_character_group *group,
                       const lb_profile *other)
{
    lb_measured m = {.elements = 0};
    const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS];
    const lb_context own = {.profile = &character->profile}, its = {.profile = other};
    if (lb_group_functions(character->port, group->family, group->types, functions) == 0)
        return m;
    for (uint64_t i = 0; i < CASES; i++) {
        lb_arena arena = {0};
        const lb_case *c = lb_probe_make(functions[0], LB_PROBE_RANDOM, 90000 + i, &arena);
        if (c) {
            lb_instance *a = lb_instance_of(c, &arena), *b = lb_instance_of(c, &arena);
            lb_model_call(&own, a);
            lb_model_call(&its, b);
            compare(&m, a->memory, a->block, b->block);
        }
        lb_arena_free(&arena);
    }
    return m;
}
