/* What a call left behind: see left.h. */
#include "harness/diagnose/left.h"
#include "harness/trial/compare.h"

#include <string.h>

bool lb_left_is_output(const lb_case *c, int role)
{
    return c->operand[role].present && c->operand[role].is_output && !c->null_role[role];
}

static bool is_scalar(const lb_case *c, int role)
{
    return c->operand[role].tensors[0].rank == 0;
}

static int32_t scalar_of(const lb_instance *instance, int role)
{
    return instance->tensors[role][0].data.mem.i32;
}

lb_left *lb_left_copy(const lb_instance *instance, lb_arena *arena)
{
    const lb_call_memory *memory = instance->memory;
    lb_left *left = lb_arena_alloc(arena, sizeof *left);
    left->status = instance->call.status;
    left->return_value = instance->call.return_value;
    left->config = instance->call.config;
    left->config.scratch = NULL;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!lb_left_is_output(memory->test_case, role))
            continue;
        left->fields[role] = lb_fields_of(instance, &instance->tensors[role][0]);
        if (is_scalar(memory->test_case, role))
            left->scalars[role] = scalar_of(instance, role);
    }
    left->block_bytes = memory->block_bytes;
    left->block = lb_arena_alloc(arena, memory->block_bytes + 1);
    memcpy(left->block, instance->block, memory->block_bytes);
    return left;
}

/* What a call leaves in its scratch memory is its own affair. */
static bool blocks_equal(const lb_call_memory *memory, const unsigned char *a,
                         const unsigned char *b)
{
    if (memory->scratch_buffer < 0)
        return memcmp(a, b, memory->block_bytes) == 0;
    const lb_buffer *scratch = &memory->buffers[memory->scratch_buffer];
    size_t end = scratch->offset + scratch->size_bytes;
    return memcmp(a, b, scratch->offset) == 0 &&
           memcmp(a + end, b + end, memory->block_bytes - end) == 0;
}

static void pass_over(void *user, const char *field, const char *expected, const char *got)
{
    (void)user, (void)field, (void)expected, (void)got;
}

static bool fields_equal(const lb_call_memory *memory, const lb_fields *a, const lb_fields *b)
{
    return lb_fields_compare(memory, a, b, pass_over, NULL) == 0;
}

/* After a failed call some functions may have written fields of out (numerics.md 10,
 * pooling_and_movement.md 7). */
static bool fields_are_open(const lb_kernel *kernel, lb_status status)
{
    return kernel->returns_status && status != LB_OK &&
           (kernel->family == LB_FAMILY_MOV || kernel->family == LB_FAMILY_HELPER);
}

static bool results_equal(const lb_kernel *kernel, lb_status status, int64_t value,
                          const lb_call *call)
{
    return kernel->returns_status ? status == call->status : value == call->return_value;
}

bool lb_left_equals(const lb_left *left, const lb_instance *instance)
{
    const lb_call_memory *memory = instance->memory;
    const lb_kernel *kernel = memory->test_case->kernel;
    if (!results_equal(kernel, left->status, left->return_value, &instance->call) ||
        left->block_bytes != memory->block_bytes ||
        !blocks_equal(memory, left->block, instance->block) ||
        !lb_config_same(lb_filled_config(kernel), &left->config, &instance->call.config))
        return false;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!lb_left_is_output(memory->test_case, role))
            continue;
        lb_fields have = lb_fields_of(instance, &instance->tensors[role][0]);
        if (!fields_are_open(kernel, left->status) &&
            !fields_equal(memory, &left->fields[role], &have))
            return false;
        if (is_scalar(memory->test_case, role) && left->scalars[role] != scalar_of(instance, role))
            return false;
    }
    return true;
}

const lb_left *lb_left_as_right(const lb_left *left, const unsigned char *unsaid,
                                const lb_instance *right, lb_arena *arena)
{
    if (left->block_bytes != right->memory->block_bytes)
        return left;
    lb_left *changed = lb_arena_alloc(arena, sizeof *changed);
    *changed = *left;
    changed->block = lb_arena_alloc(arena, left->block_bytes + 1);
    for (size_t i = 0; i < left->block_bytes; i++)
        changed->block[i] = unsaid[i] ? ((const unsigned char *)right->block)[i] : left->block[i];
    return changed;
}

/* ---- Elements ---- */

bool lb_left_output_of(const lb_call_memory *memory, int role, lb_left_output *output)
{
    const lb_case *c = memory->test_case;
    if (!lb_left_is_output(c, role))
        return false;
    const lb_case_tensor *t = &c->operand[role].tensors[0];
    const lb_tensor_ref in = t->has_data_in ? t->data_in : (lb_tensor_ref){.role = (lb_role)role};
    const short number = memory->buffer_of[in.role][in.list_index][LB_BUFFER_DATA];
    const lb_layout of_buffer = lb_layout_of(&c->operand[in.role].tensors[in.list_index]);
    const size_t into = (size_t)in.start * of_buffer.element_bytes;
    if (number < 0 || memory->buffers[number].size_bytes < into)
        return false;
    *output = (lb_left_output){.layout = lb_layout_of(t),
                               .start = memory->buffers[number].offset + into,
                               .bytes = memory->buffers[number].size_bytes - into};
    if (output->layout.element_bytes == 0 || output->layout.rank == 0)
        return false;
    output->count = lb_layout_count(&output->layout);
    return true;
}

static void count_output(const lb_left *left, const lb_instance *right, const lb_instance *said,
                         const lb_left_output *output, lb_left_counts *counts)
{
    const size_t bytes = output->layout.element_bytes;
    const unsigned char *before = NULL;
    for (size_t i = 0; i < output->count; i++) {
        size_t at = output->start + lb_layout_offset(&output->layout, i);
        bool wrong = memcmp(left->block + at, right->block + at, bytes) != 0;
        bool as_said = memcmp(left->block + at, said->block + at, bytes) == 0;
        counts->elements++;
        counts->wrong += wrong;
        counts->explained += wrong && as_said;
        counts->spoiled += !wrong && !as_said;
        if (!wrong || !as_said)
            continue;
        counts->varied += before && memcmp(before, left->block + at, bytes) != 0;
        before = left->block + at;
    }
}

lb_left_counts lb_left_count(const lb_left *left, const lb_instance *right, const lb_instance *said)
{
    lb_left_counts counts = {0};
    lb_left_output output;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_left_output_of(right->memory, role, &output))
            count_output(left, right, said, &output, &counts);
    return counts;
}

uint64_t lb_left_said(const unsigned char *unsaid, const lb_instance *right)
{
    lb_left_output output;
    uint64_t said = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const size_t count = lb_left_output_of(right->memory, role, &output) ? output.count : 0;
        for (size_t i = 0; i < count; i++)
            said += !unsaid[output.start + lb_layout_offset(&output.layout, i)];
    }
    return said;
}
