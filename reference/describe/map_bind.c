/* Binding index maps to calls: see map.h. */
#include "map.h"

#include <string.h>

/* What a leaf is where its dimension is none of the call's. */
static int64_t neutral(lb_leaf leaf)
{
    return leaf.kind == LB_LEAF_EXTENT || leaf.kind == LB_LEAF_DERIVED ? 1 : 0;
}

/* The dimension that a leaf asks; -1: none of the call's. */
static int dimension_of(const lb_call *call, lb_leaf leaf)
{
    const lb_config *config = &call->config;
    const bool is_axis = config->axis == leaf.dim;
    int place = 0;
    if (leaf.by == LB_BY_ORDER || leaf.by == LB_BY_PLACE) {
        const int rank = (int)call->tensor[LB_ROLE_IN]->rank;
        if (leaf.dim >= rank || leaf.by == LB_BY_ORDER)
            return leaf.dim < rank ? config->perm_dim[leaf.dim] : -1;
        while (place < rank && config->perm_dim[place] != leaf.dim)
            place++;
        return place < rank ? place : -1;
    }
    const bool is_asked[] = {
        [LB_BY_ITSELF] = true,
        [LB_BY_COUNT] = leaf.dim < config->coord_num,
        [LB_IF_AXIS] = is_axis,
        [LB_IF_OTHER] = !is_axis,
        [LB_IF_GROUP] = is_axis || config->axis < 0,
        [LB_IF_NOT_GROUP] = !is_axis && config->axis >= 0,
    };
    return is_asked[leaf.by] ? leaf.dim : -1;
}

static int64_t field_value(const lb_config *config, lb_leaf leaf, int entry)
{
    const unsigned char *field = (const unsigned char *)config + leaf.at;
    int32_t word;
    if (leaf.type == LB_FIELD_U8)
        return field[entry];
    memcpy(&word, field + (size_t)entry * sizeof word, sizeof word);
    return leaf.type == LB_FIELD_U32 ? (int64_t)(uint32_t)word : word;
}

static int64_t inner_of(const lb_tensor *t, int dim)
{
    int64_t inner = 1;
    for (uint32_t d = (uint32_t)dim + 1; d < t->rank; d++)
        inner *= t->shape[d];
    return inner;
}

static int64_t derive(const lb_map *map, const lb_call *call, const lb_derived *derived, int dim)
{
    lb_leaf a = derived->of, b = derived->by;
    a.dim = a.dim == LB_DIM_ASKED ? (int8_t)dim : a.dim;
    b.dim = b.dim == LB_DIM_ASKED ? (int8_t)dim : b.dim;
    const int64_t of = lb_leaf_value(map, call, a), by = lb_leaf_value(map, call, b);
    switch (derived->how) {
    case LB_QUOTIENT:
        return by == 0 ? 0 : of / by;
    case LB_QUOTIENT_UP:
        return by == 0 ? 0 : of < 0 ? -1 : (of + by - 1) / by;
    case LB_SUM:
        return of + by;
    case LB_DIFFERENCE:
        return of - by;
    case LB_OR:
        break;
    }
    return of != 0 ? of : by;
}

int64_t lb_leaf_value(const lb_map *map, const lb_call *call, lb_leaf leaf)
{
    if (leaf.kind == LB_LEAF_NONE)
        return 1;
    if (leaf.kind == LB_LEAF_NUMBER)
        return leaf.at;
    const int dim = leaf.by == LB_BY_ITSELF ? leaf.dim : dimension_of(call, leaf);
    const lb_tensor *t = call->tensor[leaf.role];
    if (dim < 0)
        return neutral(leaf);
    switch ((lb_leaf_kind)leaf.kind) {
    case LB_LEAF_EXTENT:
        return (uint32_t)dim < t->rank ? t->shape[dim] : 1;
    case LB_LEAF_STRIDE: /* through a permutation: QUIRK, whatever the tensor's own rank is */
        return (uint32_t)dim < t->rank || leaf.by == LB_BY_PLACE ? t->mem_stride[dim] : 0;
    case LB_LEAF_INNER:
        return inner_of(t, dim);
    case LB_LEAF_MANY:
        return lb_element_count(t) == 1 ? 0 : 1;
    case LB_LEAF_PER_AXIS:
        return lb_is_sa(t->el_type) && t->sa.dim == dim;
    case LB_LEAF_CONFIG:
        return field_value(&call->config, leaf, dim);
    default:
        return derive(map, call, &map->derived[leaf.at], dim);
    }
}

/* Can the index leave its bounds, or fall between, at any position of the loops? */
static bool can_leave(const lb_bound_map *bound, const lb_bound_index *index, bool has_bound)
{
    int64_t low = index->base, high = index->base;
    for (unsigned i = 0; i < index->count; i++) {
        int64_t far = index->step[i] * ((int64_t)bound->extent[index->loop[i]] - 1);
        low += far < 0 ? far : 0;
        high += far > 0 ? far : 0;
    }
    return index->divisor != 1 || (has_bound && (low < 0 || high >= index->bound));
}

static void follow_loops(lb_bound_index *index, const int64_t *step)
{
    for (uint8_t l = 0; l < LB_MAP_LOOPS; l++)
        if (step[l] != 0) {
            index->loop[index->count] = l;
            index->step[index->count++] = step[l];
            index->follows = (uint8_t)(index->follows | 1u << l);
        }
}

static bool bind_index(const lb_bound_map *bound, lb_bound_index *to, const lb_index *index,
                       const lb_map *map, const lb_call *call)
{
    int64_t step[LB_MAP_LOOPS] = {0};
    to->base = 0;
    to->divisor = lb_leaf_value(map, call, index->divisor);
    to->bound = lb_leaf_value(map, call, index->bound);
    to->stride = lb_leaf_value(map, call, index->stride);
    to->follows = 0;
    to->count = 0;
    for (unsigned t = 0; t < LB_MAP_TERMS && index->term[t].sign != 0; t++) {
        const lb_term *term = &index->term[t];
        int64_t value = term->sign;
        for (unsigned f = 0; f < LB_MAP_FACTORS; f++)
            value *= lb_leaf_value(map, call, term->times[f]);
        *(term->loop == LB_NO_LOOP ? &to->base : &step[term->loop]) += value;
    }
    follow_loops(to, step);
    to->is_watched = can_leave(bound, to, index->bound.kind != LB_LEAF_NONE);
    return to->divisor > 0;
}

bool lb_map_bind(lb_bound_map *bound, const lb_map *map, const lb_call *call)
{
    bound->outer = map->outer;
    bound->loops = map->loops;
    for (unsigned l = 0; l < map->loops; l++) {
        int64_t extent = lb_leaf_value(map, call, map->loop[l].extent);
        if (extent < 0 || extent > UINT32_MAX)
            return false;
        bound->extent[l] = (uint32_t)extent;
    }
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++) {
        const lb_access *access = &map->access[a];
        bound->access[a].rank = access->rank;
        bound->access[a].is_spread = false;
        for (unsigned d = 0; d < access->rank; d++) {
            bound->access[a].is_spread |= access->index[d].divisor.kind != LB_LEAF_NONE;
            if (!bind_index(bound, &bound->access[a].index[d], &access->index[d], map, call))
                return false;
        }
    }
    return true;
}
