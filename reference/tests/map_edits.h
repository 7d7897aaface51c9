/* Edits of index maps, each a copy with one place changed: does a model that is run with it give
 * something else? */
#ifndef LB_REFERENCE_TESTS_MAP_EDITS_H
#define LB_REFERENCE_TESTS_MAP_EDITS_H

#include "tensors.h"

#include "describe/map_walk.h"

/* Do the places that the loops reach lie in the tensor? Of an edited map: else it reads what nobody
 * knows. */
static inline bool stays(const lb_bound_map *bound, const lb_map *map, const lb_call *call)
{
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++) {
        int64_t low = 0, high = 0;
        for (unsigned d = 0; d < bound->access[a].rank; d++) {
            const lb_bound_index *index = &bound->access[a].index[d];
            int64_t least = index->base, most = index->base;
            for (unsigned i = 0; i < index->count; i++) {
                int64_t far = index->step[i] * ((int64_t)bound->extent[index->loop[i]] - 1);
                least += far < 0 ? far : 0;
                most += far > 0 ? far : 0;
            }
            least /= index->divisor;
            most /= index->divisor;
            if (index->is_watched) {
                least = least < 0 ? 0 : least;
                most = most >= index->bound ? index->bound - 1 : most;
            }
            low += least * index->stride;
            high += most * index->stride;
        }
        if (bound->access[a].rank == 0)
            continue;
        const lb_tensor *t = call->tensor[map->access[a].role];
        int64_t there = t->data.capacity_bytes / lb_element_bytes(t->el_type);
        if (map->access[a].of_parameters)
            there = lb_is_sa(t->el_type) && t->sa.dim >= 0 ? t->shape[t->sa.dim] : INT64_MAX;
        if (low < 0 || high >= there)
            return false;
    }
    return true;
}

typedef struct edits {
    lb_call *call;
    bool (*agrees)(void *user, const lb_map *map); /* the exact model, run with it, and another */
    void *user;
    lb_bound_map bound; /* by the right map */
    unsigned tried, different, seen;
} edits;

/* Loops of one position move nothing, nor do indices of a dimension that has no stride. */
static inline void leave_what_moves(lb_bound_map *bound)
{
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++)
        for (unsigned d = 0; d < bound->access[a].rank; d++) {
            const lb_bound_index index = bound->access[a].index[d];
            lb_bound_index *to = &bound->access[a].index[d];
            to->base = index.stride == 0 ? 0 : to->base;
            memset(to->loop, 0, sizeof to->loop);
            memset(to->step, 0, sizeof to->step);
            to->count = to->follows = 0;
            for (unsigned i = 0; i < index.count; i++)
                if (bound->extent[index.loop[i]] > 1 && index.stride != 0) {
                    to->loop[to->count] = index.loop[i];
                    to->step[to->count++] = index.step[i];
                }
        }
}

static inline bool bind_edit(lb_bound_map *bound, const lb_map *map, const lb_call *call)
{
    memset(bound, 0, sizeof *bound);
    if (!lb_map_bind(bound, map, call) || !stays(bound, map, call))
        return false;
    leave_what_moves(bound);
    return true;
}

static inline void try_edit(edits *e, const lb_map *map)
{
    lb_bound_map bound;
    e->tried++;
    if (!bind_edit(&bound, map, e->call) || memcmp(&bound, &e->bound, sizeof bound) == 0)
        return;
    e->different++;
    e->seen += e->agrees(e->user, map) ? 0 : 1;
}

static inline void edit_term(edits *e, lb_map *map, lb_index *index, unsigned t)
{
    const lb_index right = *index;
    for (unsigned i = t; i < LB_MAP_TERMS; i++) /* dropped */
        index->term[i] = i + 1 < LB_MAP_TERMS ? right.term[i + 1] : (lb_term){.sign = 0};
    try_edit(e, map);
    *index = right;
    index->term[t].sign = (int8_t)-index->term[t].sign;
    try_edit(e, map);
    *index = right;
    index->term[t].times[0] = (lb_leaf){.kind = LB_LEAF_NUMBER, .at = 1};
    try_edit(e, map);
    index->term[t].times[0] = (lb_leaf){.kind = LB_LEAF_NUMBER, .at = 2};
    try_edit(e, map);
    *index = right;
}

static inline void edit_index(edits *e, lb_map *map, lb_index *index)
{
    const lb_index right = *index;
    unsigned terms = 0;
    while (terms < LB_MAP_TERMS && index->term[terms].sign != 0)
        edit_term(e, map, index, terms++);
    if (terms < LB_MAP_TERMS) { /* one more */
        index->term[terms] =
            (lb_term){.sign = 1, .loop = LB_NO_LOOP, .times = {{.kind = LB_LEAF_NUMBER, .at = 1}}};
        try_edit(e, map);
        *index = right;
    }
    index->divisor = (lb_leaf){.kind = LB_LEAF_NONE};
    try_edit(e, map);
    *index = right;
}

/* Every edit of the indices of these accesses. */
static inline void edit_accesses(edits *e, lb_map_access first, lb_map_access last)
{
    lb_map map = *lb_map_of(e->call->kernel);
    assert_true(bind_edit(&e->bound, &map, e->call));
    for (unsigned a = first; a <= last; a++)
        for (unsigned d = 0; d < map.access[a].rank; d++)
            edit_index(e, &map, &map.access[a].index[d]);
}

#endif
