/* Numbering and telling the steps of a model. See steps.h. */
#include "steps.h"

#define LB_PART_WORDS(name, words) [LB_PART_##name] = words,

const char *lb_part_words(lb_part part)
{
    static const char *const all[LB_PART_COUNT] = {LB_PARTS(LB_PART_WORDS)};
    return all[part];
}

#define LB_OPERATION_NAME(name, text, real) [LB_STEP_##name] = text,
#define LB_OPERATION_REAL(name, text, real) [LB_STEP_##name] = real,

const char *lb_operation_name(lb_operation operation)
{
    static const char *const names[LB_STEP_COUNT] = {LB_OPERATIONS(LB_OPERATION_NAME)};
    return names[operation];
}

bool lb_operation_is_real(lb_operation operation, unsigned operand)
{
    static const unsigned char real[LB_STEP_COUNT] = {LB_OPERATIONS(LB_OPERATION_REAL)};
    return (real[operation] >> operand & 1) != 0;
}

static lb_num number_and_tell(lb_steps *steps, lb_num_step *step)
{
    step->part = steps->part;
    step->section = steps->section;
    step->block = steps->block;
    step->term = steps->term;
    step->frame = steps->frame;
    step->tap = steps->tap;
    if (steps->alter)
        step->result = steps->alter(steps->user, step);
    if (steps->step)
        steps->step(steps->user, step);
    return (lb_num){step->result, step->number};
}

lb_num lb_steps_tell(lb_steps *steps, lb_num_step *step)
{
    step->number = ++steps->operations;
    return number_and_tell(steps, step);
}

lb_num lb_steps_given(lb_steps *steps, lb_num_place place, int64_t value)
{
    if (!lb_steps_hears(steps, LB_STEP_GIVEN))
        return (lb_num){value, -++steps->givens};
    lb_num_step step = {
        .number = -++steps->givens, .operation = LB_STEP_GIVEN, .result = value, .place = place};
    return number_and_tell(steps, &step);
}

/* Where the element stands in memory; NULL for a scalar of rank 0, which may stand in a copy of its
 * tensor. */
static const void *address_of(const lb_tensor *t, size_t offset)
{
    if (t->rank == 0 || !t->data.mem.ptr)
        return NULL;
    return (const unsigned char *)t->data.mem.ptr + offset * lb_element_bytes(t->el_type);
}

lb_steps *lb_steps_at_offset(lb_steps *steps, const lb_tensor *t, size_t offset)
{
    return steps && steps->address && steps->address == address_of(t, offset) ? steps : NULL;
}

static lb_num_place place_of(const lb_steps *steps, const lb_tensor *t, lb_origin origin,
                             const uint32_t *index)
{
    lb_num_place place = {
        .kind = origin.intermediate ? LB_NUM_INTERMEDIATE : LB_NUM_ELEMENT,
        .owner = origin.owner,
        .frame = steps->frame,
    };
    if (origin.lead >= 0)
        place.index[place.rank++] = origin.lead;
    for (uint32_t d = 0; d < t->rank && d < LB_MAX_RANK; d++)
        place.index[place.rank++] = index[d];
    return place;
}

lb_num lb_steps_loaded(lb_steps *steps, const lb_tensor *t, lb_origin origin, size_t offset,
                       const uint32_t *index, int64_t value)
{
    if (!lb_steps_hears(steps, LB_STEP_GIVEN))
        return (lb_num){value, -++steps->givens};
    const lb_num *stored = lb_steps_stored_at(steps, address_of(t, offset));
    if (stored && stored->v == value)
        return *stored;
    return lb_steps_given(steps, place_of(steps, t, origin, index), value);
}

void lb_steps_note(lb_steps *steps, const lb_tensor *t, size_t offset, lb_num number)
{
    steps->memory[steps->stored % LB_STEPS_MEMORY] = (lb_stored){address_of(t, offset), number};
    steps->stored++;
    if (steps->goes_on && !steps->goes_on(steps->user, t, offset, number.v))
        steps->stopped = true;
}

const lb_num *lb_steps_stored_at(const lb_steps *steps, const void *address)
{
    unsigned known = steps->stored < LB_STEPS_MEMORY ? steps->stored : LB_STEPS_MEMORY;
    for (unsigned back = 1; address && back <= known; back++) { /* the youngest first */
        const lb_stored *stored = &steps->memory[(steps->stored - back) % LB_STEPS_MEMORY];
        if (stored->address == address)
            return &stored->number;
    }
    return NULL;
}
