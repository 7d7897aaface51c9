/* One result and one fault: see saying.h. */
#include "harness/diagnose/saying.h"
#include "harness/diagnose/work.h"

#include <math.h>
#include <string.h>

/* ---- Kinds of faults of which it is only known what is wrong: a field, a status, an input ---- */

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

/* Is everything right but what such a fault makes wrong, and that is not? The bench's `out` holds
 * the fault's example. */
static bool open_explains(const lb_fault_bench *bench, const lb_fault *fault, const lb_left *left)
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

/* ---- One result ---- */

static bool status_alone(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_STATUS;
}

static lb_word word_of_status(const lb_fault_bench *bench, const lb_fault *fault,
                              const lb_left *left)
{
    bool changed = bench->out.call.status != bench->right.call.status;
    lb_status got = left ? left->status : bench->right.call.status;
    if (!changed)
        return LB_WORD_UNTOUCHED;
    if (fault->kind->open != LB_OPEN_NOTHING)
        return left && open_explains(bench, fault, left) ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
    return got == bench->out.call.status ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
}

/* Kinds that leave work out, or old values behind, say which elements are wrong; what stands there
 * may be another thing. */
static bool may_be_partly(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_EXTENT || fault->kind->group == LB_FAULTS_STATE;
}

/* Where the port's result is another than the fault's: element by element. The fault may be there
 * for some elements alone, or beside another one. */
static void say_of_elements(lb_saying *say, const lb_fault_bench *bench, const lb_fault *fault,
                            const lb_left *left)
{
    if (left->status != bench->out.call.status || left->block_bytes != bench->memory.block_bytes)
        return;
    lb_left_counts n = lb_left_count(left, &bench->right, &bench->out);
    uint64_t least = may_be_partly(fault) ? 2 : 1;
    if (n.explained == 0)
        return;
    say->elements = n.explained;
    say->varied = n.varied;
    if (n.spoiled == 0 && (n.explained * least >= n.wrong || n.explained == n.wrong)) {
        say->word = LB_WORD_PARTLY;
        say->doubt = 1 + log2((double)n.wrong / (double)n.explained);
    } else if (n.explained == n.wrong) {
        say->word = LB_WORD_SOME;
        say->doubt = 1 + log2(1 + (double)n.spoiled / (double)n.wrong);
    }
}

/* All that is wrong lies where the fault says nothing: it goes with the result, and explains none
 * of it. A fault that says nothing of any element goes with whatever there is. */
static lb_saying say_of_unsaid(const lb_fault_bench *bench, const lb_left *left)
{
    static const double DOUBT = 2;
    bool goes_with = left && bench->unsaid && lb_left_equals(left, &bench->right) &&
                     lb_left_said(bench->unsaid, &bench->right) > 0;
    return goes_with ? (lb_saying){.word = LB_WORD_PARTLY, .doubt = DOUBT}
                     : (lb_saying){.word = LB_WORD_UNTOUCHED};
}

static lb_saying say_of_memory(lb_fault_bench *bench, const lb_fault *fault, const lb_left *left)
{
    lb_saying say = {.word = LB_WORD_UNTOUCHED};
    if (left && bench->unsaid)
        left = lb_left_as_right(left, bench->unsaid, &bench->right, bench->arena);
    if (!lb_fault_is_caught(bench))
        return say_of_unsaid(bench, left);
    say.word = LB_WORD_AGAINST;
    say.digest = lb_fault_digest(&bench->out);
    if (left && fault->kind->open != LB_OPEN_NOTHING)
        say.word = open_explains(bench, fault, left) ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
    else if (left && lb_left_equals(left, &bench->out))
        say.word = LB_WORD_EXPLAINS;
    else if (left)
        say_of_elements(&say, bench, fault, left);
    return say;
}

static bool is_too_large(lb_fault_bench *bench, const lb_fault *fault)
{
    return bench->computed && fault->kind->group == LB_FAULTS_STEP && !lb_fault_bench_count(bench);
}

lb_saying lb_suspect_say(lb_evidence *e, lb_fault_bench *bench, const lb_fault *fault,
                         const lb_left *left)
{
    lb_saying say = {.word = LB_WORD_UNTOUCHED};
    lb_work_fault(e, bench, fault);
    if (!lb_fault_try(bench, fault)) {
        if (is_too_large(bench, fault))
            say.word = LB_WORD_TOO_LARGE;
        else if (bench->is_undefined)
            say.word = LB_WORD_UNDEFINED;
        return say;
    }
    if (!status_alone(fault))
        return say_of_memory(bench, fault, left);
    say.word = word_of_status(bench, fault, left);
    say.digest = say.word == LB_WORD_UNTOUCHED ? 0 : 1 + (uint64_t)bench->out.call.status;
    return say;
}
