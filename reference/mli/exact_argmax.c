/* argmax, to the last bit: the order among equal values is that of a heap. Spec: elementwise.md 9.
 * There is no real model: results are places, not numbers. */
#include "core/num.h"
#include "core/view.h"
#include "describe/map_cursor.h"
#include "forms.h"
#include "models.h"

/* One slice and its row of results: offsets in elements from in's data pointer. */
typedef struct selection {
    const lb_tensor *in;
    lb_tensor *out;
    size_t row; /* offset of the row's first entry */
    size_t topk;
    uint8_t ties; /* lb_ties; 0: those of a heap */
    int form;
} selection;

static int32_t entry(const selection *s, size_t i)
{
    return lb_load(s->out, s->row + i);
}

static void set_entry(const selection *s, size_t i, int32_t place)
{
    lb_store(s->out, s->row + i, place);
}

/* val(d[i]) */
static int32_t value_of_entry(const selection *s, size_t i)
{
    return lb_load(s->in, (size_t)entry(s, i));
}

static void swap_entries(const selection *s, size_t i, size_t j)
{
    int32_t kept = entry(s, i);
    set_entry(s, i, entry(s, j));
    set_entry(s, j, kept);
}

/* Lets entry r of a heap of n entries sink: the smallest value is on top. */
static void sift(const selection *s, size_t n, size_t r)
{
    for (;;) {
        size_t m = r;
        size_t left = 2 * r + 1;
        if (left < n && value_of_entry(s, left) < value_of_entry(s, m))
            m = left;
        if (left + 1 < n && value_of_entry(s, left + 1) <
                                value_of_entry(s, m) + (s->form == LB_LARGEST_RIGHT_OF_EQUALS))
            m = left + 1;
        if (m == r)
            return;
        swap_entries(s, r, m);
        r = m;
    }
}

/* Which element a place was chosen for: what there is to say, since results are places. */
static void tell_entry(const selection *s, size_t i, lb_steps *steps)
{
    lb_steps *listener = lb_steps_at_offset(steps, s->out, s->row + i);
    if (!listener)
        return;
    size_t offset = (size_t)entry(s, i);
    uint32_t index[LB_MAX_RANK] = {0};
    size_t rest = offset;
    for (uint32_t d = 0; d < s->in->rank; d++) {
        index[d] = (uint32_t)(rest / (size_t)s->in->mem_stride[d]);
        rest %= (size_t)s->in->mem_stride[d];
    }
    lb_steps_enter(listener, LB_PART_SELECTION, "elementwise.md 9");
    lb_num place = lb_num_geometry(listener, LB_GEOMETRY_RANK, (int64_t)i);
    lb_num value = lb_num_at(listener, s->in, LB_NAMED(IN), index);
    lb_num result = lb_num_tell(listener, LB_STEP_PLACE, 2, value, place, 0, (int64_t)offset,
                                LB_SITE_OFFSET_OF_THIS_RANK);
    lb_steps_note(listener, s->out, s->row + i, result);
}

static void tell_entries(const selection *s, lb_steps *steps)
{
    for (size_t i = 0; steps && i < s->topk; i++)
        tell_entry(s, i, steps);
}

/* Of equal ones, does the one at hand go before? `row`: where its row of memory begins. */
static bool goes_before(const selection *s, int32_t other, int32_t row)
{
    return s->form == LB_LARGEST_LAST_IN_FIRST_ROW   ? other >= row
           : s->form == LB_LARGEST_FIRST_IN_LAST_ROW ? other < row
                                                     : s->ties == LB_TIES_LAST;
}

/* By value, and equal ones by place (features.md 19). Entries are filled from the front, each new
 * one in its rank. */
static void insert_largest(const selection *s, lb_map_cursor *e)
{
    size_t held = 0, row = e->offset[LB_MAP_X], before = row;
    do {
        const size_t place = e->offset[LB_MAP_X];
        const int32_t value = lb_load(s->in, place);
        size_t rank = held;
        row = place == before + 1 ? row : place;
        before = place;
        while (rank > 0 && (value_of_entry(s, rank - 1) < value ||
                            (value_of_entry(s, rank - 1) == value &&
                             goes_before(s, entry(s, rank - 1), (int32_t)row))))
            rank--;
        if (rank == s->topk)
            continue;
        held = held < s->topk ? held + 1 : held;
        for (size_t j = held; j-- > rank + 1;)
            set_entry(s, j, entry(s, j - 1));
        set_entry(s, rank, (int32_t)place);
    } while (lb_cursor_next_in_sum(e));
}

/* The first topk elements of the slice make the heap; each of the others may take its top. */
static void keep_in_heap(const selection *s, lb_map_cursor *e)
{
    size_t held = 0;
    do {
        const size_t place = e->offset[LB_MAP_X];
        if (held < s->topk) {
            set_entry(s, held++, (int32_t)place);
            for (size_t i = held == s->topk ? s->topk / 2 : 0; i-- > 0;)
                sift(s, s->topk, i);
        } else if (lb_load(s->in, place) >= /* QUIRK: a later equal element replaces */
                   value_of_entry(s, 0) + (s->form == LB_LARGEST_EQUAL_STAYS)) {
            set_entry(s, 0, (int32_t)place);
            sift(s, s->topk, 0);
        }
    } while (lb_cursor_next_in_sum(e));
}

/* Number of an element in row-major order; of its slice, where the axis is left out. */
static int32_t number_of(const selection *s, int32_t place, int32_t left_out)
{
    size_t number = 0, rest = (size_t)place;
    for (uint32_t d = 0; d < s->in->rank; d++) {
        const size_t stride = (size_t)s->in->mem_stride[d];
        number = (int32_t)d == left_out ? number : number * s->in->shape[d] + rest / stride;
        rest %= stride;
    }
    return (int32_t)number;
}

/* Places in another form; `first`: that of the slice. */
static void change_places(const selection *s, int32_t axis, size_t first)
{
    for (size_t i = 0; i < s->topk; i++)
        if (s->form == LB_LARGEST_FROM_SLICE)
            set_entry(s, i, entry(s, i) - (int32_t)first);
        else if (s->form >= LB_LARGEST_BY_ELEMENT)
            set_entry(s, i, number_of(s, entry(s, i), s->form == LB_LARGEST_BY_SLICE ? axis : -1));
    for (size_t i = 0; s->form == LB_LARGEST_SMALLEST_FIRST && i < s->topk / 2; i++)
        swap_entries(s, i, s->topk - 1 - i);
    if (s->form == LB_LARGEST_FIRST_TWO_EXCHANGED && s->topk > 1)
        swap_entries(s, 0, 1);
}

/* The topk places of the slice at hand. */
static void select_largest(const selection *s, lb_map_cursor *e)
{
    if (s->ties != 0) {
        insert_largest(s, e);
        return;
    }
    keep_in_heap(s, e);
    for (size_t i = s->topk; i-- > 1;) {
        swap_entries(s, 0, i);
        sift(s, i, 0);
    }
}

void lb_exact_argmax(const lb_context *context, lb_call *call)
{
    selection s = {.in = call->tensor[LB_ROLE_IN],
                   .out = call->tensor[LB_ROLE_OUT],
                   .topk = (size_t)call->config.topk,
                   .ties = context->profile->at.value[LB_FEATURE_TIES],
                   .form = context->form};
    if (s.form >= LB_LARGEST_FIRST && s.form <= LB_LARGEST_FIRST_IN_LAST_ROW)
        s.ties = s.form == LB_LARGEST_FIRST ? LB_TIES_FIRST : LB_TIES_LAST;
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        const size_t first = e.offset[LB_MAP_X];
        s.row = e.offset[LB_MAP_OUT];
        select_largest(&s, &e);
        change_places(&s, call->config.axis, first);
        tell_entries(&s, context->steps);
    }
    lb_set_quant(s.out, (lb_quant){1, 0, 0});
}
