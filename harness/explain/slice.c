/* The steps that lead to one output element: see slice.h. Models tell more than that (what
 * a call fixes once, and not every element needs); what the element does not come from is left out,
 * and the rest is numbered anew. */
#include "harness/explain/slice.h"
#include "harness/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct list {
    lb_num_step *items;
    size_t count, room;
} list;

typedef struct recorder {
    list steps, givens;
} recorder;

static void append(list *l, const lb_num_step *step)
{
    l->items = lb_room_for_one(l->items, l->count, &l->room, sizeof *l->items);
    l->items[l->count++] = *step;
}

static void note_step(void *user, const lb_num_step *step)
{
    recorder *r = user;
    append(step->number > 0 ? &r->steps : &r->givens, step);
}

/* New numbers: 0 for what is not needed. */
typedef struct numbering {
    int32_t *steps, *givens;
} numbering;

static void need(numbering *n, lb_num number)
{
    if (number.step > 0)
        n->steps[number.step - 1] = 1;
    else if (number.step < 0 && number.step > LB_NUM_NO_STEP)
        n->givens[-number.step - 1] = 1;
}

/* Operands come from earlier steps, so one pass backwards finds all that is needed. */
static void mark_needed(const recorder *r, lb_num result, numbering *n)
{
    need(n, result);
    for (size_t i = r->steps.count; i-- > 0;)
        for (unsigned k = 0; n->steps[i] && k < r->steps.items[i].operand_count; k++)
            need(n, r->steps.items[i].operand[k]);
}

static size_t count_off(int32_t *numbers, size_t count, int32_t sign)
{
    int32_t last = 0;
    for (size_t i = 0; i < count; i++)
        if (numbers[i])
            numbers[i] = sign * ++last;
    return (size_t)last;
}

static lb_num renumbered(lb_num number, const numbering *n)
{
    if (number.step > 0)
        number.step = n->steps[number.step - 1];
    else if (number.step < LB_NUM_NO_STEP)
        number.step = 0; /* a field is told by its number alone */
    else if (number.step < 0)
        number.step = n->givens[-number.step - 1];
    return number;
}

static size_t keep_needed(list *l, const int32_t *numbers, const numbering *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (!numbers[i])
            continue;
        lb_num_step step = l->items[i];
        step.number = numbers[i];
        for (unsigned k = 0; k < step.operand_count; k++)
            step.operand[k] = renumbered(step.operand[k], n);
        l->items[kept++] = step;
    }
    return kept;
}

static void prune(recorder *r, lb_num *result)
{
    numbering n = {.steps = lb_zeroed(r->steps.count, sizeof(int32_t)),
                   .givens = lb_zeroed(r->givens.count, sizeof(int32_t))};
    mark_needed(r, *result, &n);
    count_off(n.steps, r->steps.count, 1);
    count_off(n.givens, r->givens.count, -1);
    r->steps.count = keep_needed(&r->steps, n.steps, &n);
    r->givens.count = keep_needed(&r->givens, n.givens, &n);
    *result = renumbered(*result, &n);
    free(n.steps);
    free(n.givens);
}

void lb_slice_make(lb_slice *slice, lb_replayed *replayed, lb_role role, size_t flat)
{
    recorder r = {{0}, {0}};
    lb_steps steps = {.role = (int)role, .step = note_step, .user = &r};
    lb_context context = {.profile = replayed->profile, .steps = &steps};
    *slice = (lb_slice){0};
    steps.address = lb_replayed_address(replayed, &replayed->exact, role, flat);
    if (!steps.address || !lb_replayed_model_element(replayed, role, flat, &steps.element))
        context.steps = NULL; /* no model reaches it */
    lb_replayed_repeat(replayed, &context);
    const lb_num *stored = context.steps ? lb_steps_stored_at(&steps, steps.address) : NULL;
    slice->written = stored != NULL;
    if (stored) {
        slice->result = *stored;
        prune(&r, &slice->result);
    }
    slice->steps = r.steps.items;
    slice->givens = r.givens.items;
    slice->step_count = stored ? r.steps.count : 0;
    slice->given_count = stored ? r.givens.count : 0;
}

void lb_slice_free(lb_slice *slice)
{
    free(slice->steps);
    free(slice->givens);
    *slice = (lb_slice){0};
}
