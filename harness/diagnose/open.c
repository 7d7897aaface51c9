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

/* Where the elements of an output lie, also in place, in another tensor's buffer. False: nowhere.
 */
static bool output_place(const lb_instance *right, int role, unsigned *buffer, size_t *start)
{
    const lb_case *c = right->memory->test_case;
    size_t offset = 0;
    if (!c->operand[role].present || !c->operand[role].is_output ||
        c->operand[role].tensors[0].rank == 0 ||
        !lb_instance_locate(right, right->tensors[role][0].data.mem.ptr, buffer, &offset))
        return false;
    *start = right->memory->buffers[*buffer].offset + offset;
    return true;
}

static bool holds_output(const lb_instance *right, unsigned buffer)
{
    unsigned found = 0;
    size_t start = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (output_place(right, role, &found, &start) && found == buffer)
            return true;
    return false;
}

static void mend_input(lb_left *left, const lb_instance *right, int role)
{
    const lb_case *c = right->memory->test_case;
    for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
        short buffer = right->memory->buffer_of[role][i][LB_BUFFER_DATA];
        if (buffer >= 0 && !holds_output(right, (unsigned)buffer))
            mend_buffer(left, right, &right->memory->buffers[buffer]);
    }
}

/* All but the elements of outputs. */
static void mend_outside(lb_left *left, const lb_instance *right)
{
    const lb_case *c = right->memory->test_case;
    unsigned char *given = left->block;
    lb_arena arena = {0};
    left->block = lb_arena_alloc(&arena, left->block_bytes + 1);
    memcpy(left->block, right->block, left->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        unsigned buffer = 0;
        size_t start = 0;
        if (!output_place(right, role, &buffer, &start))
            continue;
        lb_layout layout = lb_layout_of(&operand->tensors[0]);
        size_t count = lb_layout_count(&layout);
        for (size_t i = 0; layout.element_bytes > 0 && i < count; i++) {
            size_t at = start + lb_layout_offset(&layout, i);
            if (at + layout.element_bytes <= left->block_bytes)
                memcpy(left->block + at, given + at, layout.element_bytes);
        }
    }
    memcpy(given, left->block, left->block_bytes);
    left->block = given;
    lb_arena_free(&arena);
}

static bool is_status(const lb_left *left)
{
    return (int)left->status >= 0 && (int)left->status < LB_STATUS_COUNT;
}

static bool is_other_status(const lb_fault_bench *bench, const lb_left *left)
{
    return left->status != bench->right.call.status && left->status != LB_OK && is_status(left);
}

/* What lies in inputs is another finding than what lies outside of every tensor. */
static void mend_inputs(lb_left *left, const lb_instance *right)
{
    const lb_case *c = right->memory->test_case;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && !c->operand[role].is_output)
            mend_input(left, right, role);
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
    if (fault->kind->open == LB_OPEN_FIELD) {
        /* Another rank makes other entries of shape and strides count; these alone may be wrong
         * too. */
        if (fault->argument == LB_OPEN_RANK &&
            left->fields[fault->role].rank == right->tensors[fault->role][0].rank) {
            lb_arena_free(&arena);
            return false;
        }
        lb_fields fields = lb_fields_of(right, &right->tensors[fault->role][0]);
        mend_field(&mended.fields[fault->role], &fields, (lb_open_field)fault->argument);
        if (fault->argument == LB_OPEN_FORMAT)
            mend_lists(&mended, right, fault->role);
    } else if (fault->kind->open == LB_OPEN_INPUT) {
        mend_input(&mended, right, fault->role);
    } else if (fault->kind->open == LB_OPEN_OUTSIDE) {
        mend_inputs(&mended, right);
        bool inputs_alone = lb_left_equals(&mended, right);
        memcpy(mended.block, left->block, left->block_bytes);
        if (!inputs_alone)
            mend_outside(&mended, right);
    }
    bool explains = lb_left_equals(&mended, right);
    lb_arena_free(&arena);
    return explains;
}
