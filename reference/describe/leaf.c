/* Values of leaves: see leaf.h. */
#include "leaf.h"

#include "element_copy.h"
#include "map.h"

/* ---- What a leaf is ---- */

static lb_leaf_range field_range(int type)
{
    switch ((lb_field_type)type) {
    case LB_FIELD_U8:
        return (lb_leaf_range){0, UINT8_MAX};
    case LB_FIELD_I32:
        return (lb_leaf_range){INT32_MIN, INT32_MAX};
    case LB_FIELD_U32:
        break;
    }
    return (lb_leaf_range){0, UINT32_MAX};
}

lb_leaf_range lb_leaf_type_range(lb_leaf leaf)
{
    switch ((lb_leaf_kind)leaf.kind) {
    case LB_LEAF_NONE:
        return (lb_leaf_range){1, 1};
    case LB_LEAF_NUMBER:
        return (lb_leaf_range){leaf.at, leaf.at};
    case LB_LEAF_CONFIG:
        return field_range(leaf.type);
    case LB_LEAF_STRIDE:
    case LB_LEAF_AXIS:
        return (lb_leaf_range){INT32_MIN, INT32_MAX};
    case LB_LEAF_COUNT:
        return (lb_leaf_range){0, LB_MOST_COUNT};
    case LB_LEAF_FRAC_BITS:
    case LB_LEAF_SCALE_FRAC_BITS:
        return (lb_leaf_range){INT8_MIN, INT8_MAX};
    case LB_LEAF_SCALE:
    case LB_LEAF_ZERO_POINT:
        return (lb_leaf_range){INT16_MIN, INT16_MAX};
    case LB_LEAF_MANY:
    case LB_LEAF_GIVEN:
    case LB_LEAF_CONFIG_GIVEN:
    case LB_LEAF_DATA_GIVEN:
    case LB_LEAF_LIES_ON:
        return (lb_leaf_range){0, 1};
    default:
        return (lb_leaf_range){0, UINT32_MAX};
    }
}

/* ---- Its value ---- */

static const lb_tensor *tensor_of(const lb_call *call, lb_leaf leaf)
{
    return &call->tensor[leaf.role][leaf.at];
}

static int64_t inner_stride(const lb_tensor *t)
{
    return t->rank == 0 || t->rank > LB_MAX_RANK ? 1 : t->mem_stride[t->rank - 1];
}

static int64_t count_of(const lb_tensor *t)
{
    uint64_t count = lb_element_count(t);
    return count > (uint64_t)LB_MOST_COUNT ? LB_MOST_COUNT : (int64_t)count;
}

/* Of lists that are not there, or end before: 0. */
static int64_t quant_of(const lb_tensor *t, uint32_t entry, lb_quant_field field)
{
    bool per_axis = lb_is_sa(t->el_type) && t->sa.dim >= 0;
    bool readable = lb_has_own_parameters(t) &&
                    (!per_axis || (lb_axis_lists_present(t) && lb_axis_lists_hold(t, entry + 1)));
    return readable ? lb_quant_get(lb_quant_at(t, entry), field) : 0;
}

static int64_t list_capacity(const lb_tensor *t, int list)
{
    const lb_container *lists[] = {&t->sa.scale, &t->sa.zero_point, &t->sa.scale_frac_bits};
    return lists[list]->capacity_bytes;
}

/* Leaves that checks alone ask. */
static int64_t checked_value(const lb_call *call, lb_leaf leaf)
{
    const lb_tensor *t = lb_leaf_is_of_tensor(leaf) ? tensor_of(call, leaf) : NULL;
    switch ((lb_leaf_kind)leaf.kind) {
    case LB_LEAF_EXTENT:
        return t->shape[leaf.dim];
    case LB_LEAF_STRIDE:
        return leaf.by == LB_BY_INNERMOST ? inner_stride(t) : t->mem_stride[leaf.dim];
    case LB_LEAF_RANK:
        return t->rank;
    case LB_LEAF_COUNT:
        return count_of(t);
    case LB_LEAF_TYPE:
        return t->el_type;
    case LB_LEAF_FRAC_BITS:
        return t->frac_bits;
    case LB_LEAF_AXIS:
        return lb_is_sa(t->el_type) ? t->sa.dim : -1;
    case LB_LEAF_GIVEN:
        return call->tensor[leaf.role] != NULL;
    case LB_LEAF_CONFIG_GIVEN:
        return !call->config_null;
    case LB_LEAF_KERNEL_SIZE:
        return call->kernel->kernel_size;
    case LB_LEAF_ASKED_TYPE:
        return lb_asked_type(call->kernel, (lb_role)leaf.role);
    case LB_LEAF_DATA_GIVEN:
        return t->data.mem.ptr != NULL;
    case LB_LEAF_CAPACITY:
        return t->data.capacity_bytes;
    case LB_LEAF_SCALE:
        return quant_of(t, (uint32_t)leaf.dim, LB_QUANT_SCALE);
    case LB_LEAF_ZERO_POINT:
        return quant_of(t, (uint32_t)leaf.dim, LB_QUANT_ZERO_POINT);
    case LB_LEAF_SCALE_FRAC_BITS:
        return quant_of(t, (uint32_t)leaf.dim, LB_QUANT_SCALE_FRAC_BITS);
    case LB_LEAF_LIST_CAPACITY:
        return list_capacity(t, leaf.dim);
    default:
        return call->tensor[leaf.dim] && t->data.mem.ptr == call->tensor[leaf.dim]->data.mem.ptr;
    }
}

/* ---- Of index maps ---- */

/* What a leaf is where its dimension is none of the call's. */
static int64_t neutral(lb_leaf leaf)
{
    return leaf.kind == LB_LEAF_EXTENT || leaf.kind == LB_LEAF_DERIVED ? 1 : 0;
}

/* Is the dimension of `in` an element of the role `axis`? */
static bool is_listed(const lb_call *call, int dim)
{
    const lb_tensor *list = call->tensor[LB_ROLE_AXIS];
    const int rank = (int)call->tensor[LB_ROLE_IN]->rank;
    for (size_t i = 0; list && list->data.mem.ptr && i < lb_element_count(list); i++) {
        const int axis = lb_load(list, i);
        if (dim < rank && (axis == dim || axis == dim - rank))
            return true;
    }
    return false;
}

int lb_leaf_dimension(const lb_call *call, lb_leaf leaf)
{
    const lb_config *config = &call->config;
    const bool is_axis = config->axis == leaf.dim;
    int place = 0;
    if (leaf.by == LB_BY_END)
        return leaf.dim + (int)call->tensor[leaf.role]->rank - LB_MAX_RANK;
    if (leaf.by == LB_IF_LISTED || leaf.by == LB_IF_UNLISTED)
        return is_listed(call, leaf.dim) == (leaf.by == LB_IF_LISTED) ? leaf.dim : -1;
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
    case LB_PRODUCT:
        return of * by;
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
    if (leaf.kind >= LB_LEAF_RANK || leaf.by >= LB_BY_FIELD)
        return checked_value(call, leaf);
    const int dim = leaf.by == LB_BY_ITSELF ? leaf.dim : lb_leaf_dimension(call, leaf);
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
        return lb_config_get(&call->config,
                             &(lb_config_field){.offset = (uint16_t)leaf.at, .type = leaf.type},
                             (unsigned)dim);
    case LB_LEAF_REPEATED:
        return (uint32_t)dim < t->rank && t->shape[dim] > 1 ? 1 : 0;
    default:
        return derive(map, call, &map->derived[leaf.at], dim);
    }
}
