/* Walking a map element by element: see map_cursor.h. */
#include "map_cursor.h"

#include <string.h>

/* How far an access moves with each step of each loop, and where it begins. */
static void take_steps(lb_map_cursor *e, unsigned access)
{
    const lb_bound_access *a = &e->bound.access[access];
    for (unsigned d = 0; d < a->rank; d++) {
        const lb_bound_index *index = &a->index[d];
        e->offset[access] += (size_t)(index->base * index->stride);
        for (unsigned i = 0; i < index->count; i++)
            e->step[access][index->loop[i]] += (size_t)(index->step[i] * index->stride);
    }
}

static void take_moving(const lb_bound_map *bound, unsigned first, unsigned end,
                        lb_moving_loops *moving)
{
    moving->count = 0;
    for (unsigned l = first; l < end; l++)
        if (bound->extent[l] > 1)
            moving->loop[moving->count++] = (uint8_t)l;
}

/* Is the first output the only one that anybody looks at, and made at the first position? An edited
 * map may make it again later. */
static bool is_first_alone(const lb_map_cursor *e, const lb_context *context, const lb_call *call)
{
    const lb_steps *steps = context->steps;
    return steps && steps->is_alone && steps->role == LB_ROLE_OUT && steps->element == 0 &&
           !context->map && e->bound.access[LB_MAP_OUT].rank > 0 &&
           lb_access_flat(&e->bound, LB_MAP_OUT, e->at, call->tensor[LB_ROLE_OUT]) == 0;
}

bool lb_cursor_first(lb_map_cursor *e, const lb_context *context, lb_call *call)
{
    e->map = lb_map_in(context, call->kernel);
    e->accesses = 0;
    if (!lb_map_bind(&e->bound, e->map, call) || !lb_map_first(&e->bound, 0, e->bound.loops, e->at))
        return false;
    memset(e->offset, 0, sizeof e->offset);
    memset(e->step, 0, sizeof e->step);
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++) {
        e->accesses = e->bound.access[a].rank > 0 ? a + 1 : e->accesses;
        e->tensor[a] = call->tensor[e->map->access[a].role];
        take_steps(e, a);
    }
    take_moving(&e->bound, 0, e->bound.outer, &e->outer);
    take_moving(&e->bound, e->bound.outer, e->bound.loops, &e->sum);
    e->is_done = is_first_alone(e, context, call);
    return true;
}

static bool move(lb_map_cursor *e, const lb_moving_loops *moving)
{
    for (unsigned i = moving->count; i-- > 0;) {
        const unsigned l = moving->loop[i];
        const uint32_t extent = e->bound.extent[l];
        const bool more = ++e->at[l] < extent;
        e->at[l] = more ? e->at[l] : 0;
        for (unsigned a = 0; a < e->accesses; a++)
            e->offset[a] += more ? e->step[a][l] : (size_t)0 - (extent - 1) * e->step[a][l];
        if (more)
            return true;
    }
    return false;
}

bool lb_cursor_next(lb_map_cursor *e)
{
    return !e->is_done && move(e, &e->outer);
}

bool lb_cursor_next_in_sum(lb_map_cursor *e)
{
    return move(e, &e->sum);
}

bool lb_cursor_is_inside(const lb_map_cursor *e, lb_map_access access)
{
    const lb_bound_access *a = &e->bound.access[access];
    bool is_inside = true;
    int64_t value;
    for (unsigned d = 0; d < a->rank && is_inside; d++)
        is_inside = !a->index[d].is_watched || lb_index_at(&a->index[d], e->at, &value);
    return is_inside;
}

void lb_cursor_index(const lb_map_cursor *e, lb_map_access access, uint32_t index[LB_MAX_RANK])
{
    int64_t place[LB_MAX_RANK] = {0};
    (void)lb_access_at(&e->bound, access, e->at, place);
    if (e->map->access[access].is_flat)
        lb_unflatten(e->tensor[access], (size_t)place[0], index);
    const unsigned front = e->bound.access[access].front;
    for (unsigned d = 0; front + d < LB_MAX_RANK && !e->map->access[access].is_flat; d++)
        index[d] = (uint32_t)place[front + d];
}

lb_steps *lb_cursor_steps(const lb_map_cursor *e, lb_steps *steps)
{
    return !steps
               ? NULL
               : lb_steps_at(steps, e->map->access[LB_MAP_OUT].role,
                             lb_access_flat(&e->bound, LB_MAP_OUT, e->at, e->tensor[LB_MAP_OUT]));
}

lb_steps *lb_cursor_steps_of_sum(const lb_map_cursor *e, lb_steps *steps)
{
    const lb_tensor *out = e->tensor[LB_MAP_OUT];
    lb_steps *s = lb_steps_of(steps, e->map->access[LB_MAP_OUT].role);
    uint32_t wanted[LB_MAX_RANK];
    if (!s || s->element == LB_STEPS_EVERY)
        return s;
    lb_unflatten(out, s->element, wanted);
    for (unsigned d = 0; d < out->rank && d < e->bound.outer; d++)
        if (e->bound.extent[d] > 1 && e->at[d] != wanted[d])
            return NULL;
    return s;
}

lb_num lb_cursor_told(const lb_map_cursor *e, lb_map_access access, lb_origin origin, int32_t value,
                      lb_steps *steps)
{
    uint32_t index[LB_MAX_RANK] = {0};
    if (lb_steps_hears(steps, LB_STEP_GIVEN))
        lb_cursor_index(e, access, index);
    return lb_steps_loaded(steps, e->tensor[access], origin, e->offset[access], index, value);
}
