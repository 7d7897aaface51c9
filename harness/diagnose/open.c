/* Kinds of which it is only known what is wrong: see open.h. */
#include "harness/diagnose/open.h"

#include <string.h>

/* A field of `f` as `right` has it. */
static void mend_field(lb_fields *f, const lb_fields *right, lb_open_field field)
{
    switch (field) {
    case LB_OPEN_RANK:
        f->rank = right->rank;
        memcpy(f->shape, right->shape, sizeof f->shape);
        memcpy(f->mem_stride, right->mem_stride, sizeof f->mem_stride);
        break;
    case LB_OPEN_SHAPE:
        memcpy(f->shape, right->shape, sizeof f->shape);
        break;
    case LB_OPEN_STRIDES:
        memcpy(f->mem_stride, right->mem_stride, sizeof f->mem_stride);
        break;
    case LB_OPEN_FORMAT:
        f->frac_bits = right->frac_bits;
        f->axis = right->axis;
        f->scale = right->scale;
        f->zero_point = right->zero_point;
        f->scale_frac_bits = right->scale_frac_bits;
        break;
    case LB_OPEN_CAPACITY:
        f->capacity_bytes = right->capacity_bytes;
        break;
    case LB_OPEN_TYPE:
        f->el_type = right->el_type;
        break;
    case LB_OPEN_DATA:
        f->data = right->data;
        break;
    case LB_OPEN_FIELD_COUNT:
        break;
    }
}

static void mend_buffer(lb_left *left, const lb_instance *right, const lb_buffer *buffer)
{
    memcpy(left->block + buffer->offset, right->block + buffer->offset, buffer->size_bytes);
}

/* The lists that a format points to. */
static void mend_lists(lb_left *left, const lb_instance *right, int role)
{
    for (unsigned b = LB_BUFFER_DATA + 1; b < LB_BUFFER_SCRATCH; b++) {
        short buffer = right->memory->buffer_of[role][0][b];
        if (buffer >= 0)
            mend_buffer(left, right, &right->memory->buffers[buffer]);
    }
}

/* In place, an output lies in the buffer of another tensor. */
static bool holds_output(const lb_call_memory *memory, const lb_buffer *buffer)
{
    lb_left_output out;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_left_output_of(memory, role, &out) && out.start >= buffer->offset &&
            out.start < buffer->offset + buffer->size_bytes)
            return true;
    return false;
}

static void mend_input(lb_left *left, const lb_instance *right, int role)
{
    const lb_case_operand *operand = &right->memory->test_case->operand[role];
    for (unsigned i = 0; operand->present && !operand->is_output && i < operand->count; i++) {
        short buffer = right->memory->buffer_of[role][i][LB_BUFFER_DATA];
        if (buffer >= 0 && !holds_output(right->memory, &right->memory->buffers[buffer]))
            mend_buffer(left, right, &right->memory->buffers[buffer]);
    }
}

/* All but the elements of outputs, which are as they were given. */
static void mend_outside(lb_left *left, const lb_left *given, const lb_instance *right)
{
    lb_left_output out;
    memcpy(left->block, right->block, left->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const size_t count = lb_left_output_of(right->memory, role, &out) ? out.count : 0;
        for (size_t i = 0; i < count; i++) {
            const size_t at = out.start + lb_layout_offset(&out.layout, i);
            memcpy(left->block + at, given->block + at, out.layout.element_bytes);
        }
    }
}

static bool is_status(const lb_left *left)
{
    return (int)left->status >= 0 && (int)left->status < LB_STATUS_COUNT;
}

static bool is_other_status(const lb_fault_bench *bench, const lb_left *left)
{
    return left->status != bench->right.call.status && left->status != LB_OK && is_status(left);
}

/* False: that is not wrong. */
static bool mend(lb_left *mended, const lb_left *left, const lb_instance *right,
                 const lb_fault *fault)
{
    const int role = fault->role;
    if (fault->kind->open == LB_OPEN_FIELD) {
        const lb_fields fields = lb_fields_of(right, &right->tensors[role][0]);
        mend_field(&mended->fields[role], &fields, (lb_open_field)fault->argument);
        if (fault->argument == LB_OPEN_FORMAT)
            mend_lists(mended, right, role);
        /* Another rank makes other entries of shape and strides count; these alone may be wrong
         * too. */
        return fault->argument != LB_OPEN_RANK ||
               left->fields[role].rank != right->tensors[role][0].rank;
    }
    if (fault->kind->open == LB_OPEN_INPUT)
        mend_input(mended, right, role);
    if (fault->kind->open != LB_OPEN_OUTSIDE)
        return true;
    /* What lies in inputs is another finding than what lies outside of every tensor. */
    for (int input = 0; input < LB_ROLE_COUNT; input++)
        mend_input(mended, right, input);
    const bool inputs_alone = lb_left_equals(mended, right);
    mend_outside(mended, left, right);
    return !inputs_alone;
}

bool lb_open_explains(const lb_fault_bench *bench, const lb_fault *fault, const lb_left *left)
{
    const lb_instance *right = &bench->right;
    if (fault->kind->open == LB_OPEN_STATUS)
        return is_other_status(bench, left);
    if (fault->kind->open == LB_OPEN_GARBLED)
        return !is_status(left);
    if (left->block_bytes != right->memory->block_bytes || lb_left_equals(left, right))
        return false;
    lb_arena arena = {0};
    lb_left mended = *left;
    mended.block = lb_arena_alloc(&arena, left->block_bytes + 1);
    memcpy(mended.block, left->block, left->block_bytes);
    const bool explains = mend(&mended, left, right, fault) && lb_left_equals(&mended, right);
    lb_arena_free(&arena);
    return explains;
}
