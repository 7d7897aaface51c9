/* Running edits: the exact model on other numbers, or by an edited map. An edited map may lead out
 * of a tensor: then it reads a copy with as much around it as it reaches, and nothing is said of
 * what is made of that. */
#include "harness/faults/places.h"
#include "harness/faults/reading_runs.h"
#include "reference/describe/map_walk.h"

#include <string.h>

/* ---- Where a map leads ---- */

typedef struct reach {
    int64_t low, high;
} reach;

/* Of an index, as far as it lies inside. */
static reach reach_of_index(const lb_bound_map *bound, const lb_bound_index *index)
{
    reach r = {index->base, index->base};
    for (unsigned i = 0; i < index->count; i++) {
        int64_t far = index->step[i] * ((int64_t)bound->extent[index->loop[i]] - 1);
        r.low += far < 0 ? far : 0;
        r.high += far > 0 ? far : 0;
    }
    r.low /= index->divisor;
    r.high /= index->divisor;
    if (!index->is_watched)
        return r;
    return (reach){r.low < index->low ? index->low : r.low,
                   r.high >= index->bound ? index->bound - 1 : r.high};
}

/* Of an access, in elements from the first one. False: in front of the tensor, or so far that no
 * memory is. */
static bool find_reach(const lb_bound_map *bound, const lb_bound_access *access, reach *of)
{
    *of = (reach){0, 0};
    for (unsigned d = 0; d < access->rank; d++) {
        const lb_bound_index *index = &access->index[d];
        const reach r = reach_of_index(bound, index);
        if (r.low < 0 || r.high > INT32_MAX || index->stride > INT32_MAX || index->stride < 0)
            return false;
        of->low += r.low * index->stride;
        of->high += r.high * index->stride;
    }
    return true;
}

/* Of an element, as the call leaves its type: a movement gives out that of in. */
static size_t element_bytes(const lb_fault_view *view, int role)
{
    return lb_storage_bytes(view->run->right->tensors[role][0].el_type);
}

/* The memory of a call behind a tensor, as a kernel would find it. */
static bool give_room(lb_fault_view *view, int role, int64_t last)
{
    enum { MOST_BYTES = 1 << 20 };
    const lb_instance *out = view->run->out;
    lb_tensor *t = view->call->tensor[role];
    const size_t available = lb_view_available(view, t);
    const size_t wanted = (size_t)(last + 1) * element_bytes(view, role);
    if (available == 0 || last >= MOST_BYTES)
        return false;
    const unsigned char *given = t->data.mem.ptr;
    const size_t behind =
        out->memory->block_bytes - (size_t)(given - (const unsigned char *)out->block) - available;
    unsigned char *own = lb_view_own_memory(view, role, 0, wanted);
    memcpy(own + available, given + available,
           behind < wanted - available ? behind : wanted - available);
    return true;
}

/* ---- By an edited map ---- */

/* An edited map on a view, and how much of each operand there is. */
typedef struct edited {
    lb_fault_view view;
    const lb_map *map;
    lb_bound_map bound;
    int64_t available[LB_MAP_ACCESSES]; /* in elements; beyond is unknown */
    bool leaves;
} edited;

static void widen(reach *of, int64_t offset)
{
    of->low = offset < of->low ? offset : of->low;
    of->high = offset > of->high ? offset : of->high;
}

/* Of the input, where indices go together: each position is looked at. */
static bool walk_reach(const edited *e, reach *of)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    *of = (reach){0, 0};
    for (bool more = lb_map_first(&e->bound, 0, e->bound.outer, at); more;
         more = lb_map_next(&e->bound, 0, e->bound.outer, at)) {
        lb_map_taps taps = lb_map_taps_at(&e->bound, at, false);
        while (lb_map_next_tap(&taps))
            widen(of, (int64_t)lb_access_offset(&e->bound, LB_MAP_X, taps.at));
    }
    return of->low >= 0 && of->high <= INT32_MAX;
}

static bool is_walked(const edited *e, unsigned a)
{
    const lb_edit *edit = &e->view.run->fault->edit;
    return a == LB_MAP_X && (edit->op == LB_EDIT_DENSE || (edit->reach & LB_REACH_ADDRESSES));
}

static bool fit_access(edited *e, unsigned a)
{
    const lb_access *access = &e->map->access[a];
    lb_tensor *t = e->view.call->tensor[access->role];
    reach r;
    e->available[a] = INT64_MAX;
    if (access->rank == 0 || access->of_parameters || !t || t->rank == 0)
        return true;
    if (!(is_walked(e, a) ? walk_reach(e, &r) : find_reach(&e->bound, &e->bound.access[a], &r)))
        return false;
    const size_t bytes = element_bytes(&e->view, access->role);
    if (bytes == 0)
        return false;
    const int64_t there = (int64_t)(lb_view_available(&e->view, t) / bytes);
    if (r.high < there)
        return true;
    if (a != LB_MAP_OUT)
        e->available[a] = there;
    e->leaves = e->leaves || a != LB_MAP_OUT;
    return give_room(&e->view, access->role, r.high);
}

/* Divided by how many there are: nobody knows by which, where there are none. */
static bool has_empty_sum(const edited *e)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    bool is_mean = e->map->access[LB_MAP_W].rank == 0 && e->map->loops > e->map->outer;
    for (bool more = is_mean && lb_map_first(&e->bound, 0, e->bound.outer, at); more;
         more = lb_map_next(&e->bound, 0, e->bound.outer, at))
        if (at[e->bound.outer - 1] == 0 && lb_map_inside(&e->bound, at) == 0)
            return true;
    return false;
}

static bool fit(edited *e)
{
    if (!lb_map_bind(&e->bound, e->map, e->view.call))
        return false;
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++)
        if (!fit_access(e, a))
            return false;
    return !has_empty_sum(e);
}

/* Does an output take anything from beyond an operand? */
static bool reads_beyond(const edited *e, const uint32_t *at)
{
    lb_map_taps taps = lb_map_taps_at(&e->bound, at, false);
    if ((int64_t)lb_access_offset(&e->bound, LB_MAP_ADDEND, at) >= e->available[LB_MAP_ADDEND])
        return true;
    while (lb_map_next_tap(&taps))
        for (unsigned a = LB_MAP_X; a <= LB_MAP_W; a++)
            if ((int64_t)lb_access_offset(&e->bound, (lb_map_access)a, taps.at) >= e->available[a])
                return true;
    return false;
}

static void unsay_what_leaves(const edited *e, lb_fault_run *run)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    const int role = e->map->access[LB_MAP_OUT].role;
    const lb_tensor *out = &run->out->tensors[role][0];
    for (bool more = e->leaves && lb_map_first(&e->bound, 0, e->bound.outer, at); more;
         more = lb_map_next(&e->bound, 0, e->bound.outer, at))
        if (reads_beyond(e, at))
            lb_fault_unsay(run, role, lb_access_flat(&e->bound, LB_MAP_OUT, at, out));
}

static bool run_map(edited *e, lb_fault_run *run)
{
    if (!fit(e))
        return lb_view_drop(&e->view);
    run->map = e->map;
    lb_view_run(&e->view);
    run->map = NULL;
    unsay_what_leaves(e, run);
    return run->unsaid || lb_view_has_changed(run);
}

/* ---- All ---- */

/* All results of a cell, where the last is asked for, go to memory with room for them. */
static bool has_rows(lb_fault_view *view)
{
    const lb_tensor *in = view->call->tensor[LB_ROLE_IN];
    return !lb_is_recurrent(view->call->kernel) ||
           lb_view_own_memory(view, LB_ROLE_OUT, 0,
                              (size_t)in->shape[0] *
                                  view->call->tensor[LB_ROLE_PREV_OUT]->shape[0] *
                                  lb_element_bytes(in->el_type)) != NULL;
}

/* On the other numbers. What a function makes of arguments alone are fields. */
static bool run_call(lb_fault_view *view)
{
    const lb_kernel *kernel = view->call->kernel;
    if (kernel->config_kind == LB_CONFIG_MOV)
        return lb_read_mov_run_with_fields(view, true);
    if (!lb_writes_data(kernel, LB_ROLE_OUT))
        return lb_view_is_accepted(view) ? lb_view_run_with_fields(view) : lb_view_drop(view);
    return has_rows(view) ? lb_read_run_windows(view) : lb_view_drop(view);
}

static bool run_numbers(lb_fault_run *run)
{
    const lb_edit *edit = &run->fault->edit;
    edited e = {.map = NULL};
    if (!lb_view_begin(&e.view, run))
        return false;
    lb_config *config = &e.view.call->config, seen = *config;
    if (!lb_edit_numbers(edit, e.view.call, run->fault->early, &seen))
        return lb_view_run_if(&e.view, false);
    if (edit->reach & (LB_REACH_INDICES | LB_REACH_ADDRESSES)) {
        lb_map map = *lb_map_of(run->test_case->kernel);
        map.of_indices = &seen;
        map.of_addresses = (edit->reach & LB_REACH_ADDRESSES) != 0;
        e.map = &map;
        return run_map(&e, run);
    }
    if (edit->reach & LB_REACH_LISTS) {
        lb_map map = *lb_map_of(run->test_case->kernel);
        map.of_indices = &seen;
        run->lists = &map;
        lb_view_run_with_fields(&e.view);
        run->lists = NULL;
        return lb_view_has_changed(run);
    }
    *config = seen;
    return run->fault->early ? lb_view_run_checked(&e.view) : run_call(&e.view);
}

bool lb_edit_run(lb_fault_run *run)
{
    const lb_edit *edit = &run->fault->edit;
    if (edit->in == LB_EDIT_IN_CALL)
        return run_numbers(run);
    edited e = {.map = NULL};
    if (!lb_view_begin(&e.view, run))
        return false;
    lb_map map = *lb_map_of(run->test_case->kernel);
    lb_edit_map(edit, &map);
    e.map = &map;
    return run_map(&e, run);
}
