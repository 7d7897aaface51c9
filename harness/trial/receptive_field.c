/* Where the operands of one output element lie: see receptive_field.h. What lies under a window or
 * meets in a sum is what the function's index map reaches from there. */
#include "harness/trial/receptive_field.h"
#include "harness/base/format_checked.h"
#include "reference/describe/map_walk.h"
#include "reference/describe/signature.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct text {
    char buffer[320];
    size_t length;
} text;

static void put(text *t, const char *format, ...) LB_FORMAT_CHECKED(2, 3);

static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(t->buffer + t->length, sizeof t->buffer - t->length, format, arguments);
    va_end(arguments);
    if (written > 0)
        t->length += (size_t)written;
    if (t->length >= sizeof t->buffer)
        t->length = sizeof t->buffer - 1;
}

/* "role[i,j,k]", or "role (scalar)" where one element serves them all. */
static void put_same_place(text *t, const lb_case *c, lb_role role, const uint32_t *index,
                           unsigned rank)
{
    const lb_case_operand *operand = &c->operand[role];
    if (!operand->present || operand->is_list)
        return;
    size_t count = 1;
    for (unsigned d = 0; d < operand->tensors[0].rank; d++)
        count *= operand->tensors[0].shape[d];
    put(t, "%s%s", t->length ? ", " : "", lb_role_name(role));
    if (count == 1 && role != LB_ROLE_IN) {
        put(t, " (scalar)");
        return;
    }
    put(t, "[");
    for (unsigned d = 0; d < rank; d++)
        put(t, "%s%u", d ? "," : "", index[d]);
    put(t, "]");
}

static void put_slope(text *t, const lb_case *c, const uint32_t *index, unsigned rank)
{
    const lb_leaf field = {.kind = LB_LEAF_CONFIG, .at = offsetof(lb_config, axis)};
    int32_t axis = lb_leaf_field(c->kernel, field) ? c->config.axis : -1;
    if (axis < 0 || (unsigned)axis >= rank)
        put(t, ", slope (scalar)");
    else
        put(t, ", slope %u along axis %d", index[axis], axis);
}

/* ---- What a sum reaches ---- */

/* The call, as far as maps ask it: ranks and shapes. False: some access has another rank. */
static bool bind_case(const lb_case *c, lb_tensor tensors[LB_ROLE_COUNT], lb_bound_map *bound)
{
    const lb_map *map = lb_map_of(c->kernel);
    lb_call call = {.kernel = c->kernel, .config = c->config};
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        if (!operand->present || operand->is_list)
            continue;
        tensors[role] = (lb_tensor){.rank = operand->tensors[0].rank};
        memcpy(tensors[role].shape, operand->tensors[0].shape, sizeof tensors[role].shape);
        call.tensor[role] = &tensors[role];
    }
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++) {
        const lb_access *access = &map->access[a];
        const lb_tensor *t = call.tensor[access->role];
        if (access->rank > 0 && !access->of_parameters && !access->is_flat &&
            (!t || t->rank != access->rank))
            return false;
    }
    return lb_map_bind(bound, map, &call);
}

/* Goes to the output element: each index of it is a sum over loops with steps that fall. */
static void go_to(const lb_bound_map *bound, const uint32_t *out, uint32_t *at)
{
    const lb_bound_access *access = &bound->access[LB_MAP_OUT];
    for (unsigned d = 0; d < access->rank; d++) {
        int64_t rest = out[d];
        for (unsigned i = 0; i < access->index[d].count; i++) {
            const lb_bound_index *index = &access->index[d];
            at[index->loop[i]] = (uint32_t)(rest / index->step[i]);
            rest %= index->step[i];
        }
    }
}

/* What an index reaches from an output, inside the tensor. */
typedef struct reached {
    uint64_t count;
    int64_t low, high;
} reached;

static reached reach_of(const lb_bound_map *bound, const lb_bound_index *index, const uint32_t *out)
{
    uint32_t at[LB_MAP_LOOPS];
    unsigned loop = bound->outer;
    reached r = {.count = 0};
    int64_t value;
    memcpy(at, out, sizeof at);
    while (loop < bound->loops && !(index->follows >> loop & 1))
        loop++;
    const uint32_t positions = loop < bound->loops ? bound->extent[loop] : 1;
    for (uint32_t n = 0; n < positions; n++) {
        if (loop < bound->loops)
            at[loop] = n;
        if (!lb_index_at(index, at, &value))
            continue;
        r.low = r.count == 0 || value < r.low ? value : r.low;
        r.high = r.count == 0 || value > r.high ? value : r.high;
        r.count++;
    }
    return r;
}

/* The rows (or columns) of a window; "in padding" where none lies inside. */
static void put_range(text *t, const char *what, reached r)
{
    const int64_t step = r.count > 1 ? (r.high - r.low) / (int64_t)(r.count - 1) : 1;
    if (r.count == 0)
        put(t, "%ss in padding", what);
    else
        put(t, "%ss %lld..%lld", what, (long long)r.low, (long long)r.high);
    if (step > 1)
        put(t, " by %lld", (long long)step);
}

/* "weights[*,*,*,7]": all of the indices that do not depend on the output. */
static void put_access(text *t, lb_role role, const lb_bound_map *bound, lb_map_access access,
                       const uint32_t *at)
{
    const lb_bound_access *a = &bound->access[access];
    put(t, "%s", lb_role_name(role));
    for (unsigned d = 0; d < a->rank; d++) {
        const bool is_all = (a->index[d].follows & ((1u << bound->outer) - 1)) == 0;
        put(t, "%s", d == 0 ? "[" : ",");
        if (is_all)
            put(t, "*");
        else
            put(t, "%lld", (long long)reach_of(bound, &a->index[d], at).low);
    }
    put(t, "]");
}

/* Of pools and of functions with weights; nothing where a tensor has another rank than usual. */
static void put_window(text *t, const lb_case *c, const uint32_t *index, unsigned rank)
{
    const lb_map *map = lb_map_of(c->kernel);
    const lb_index *in = map->access[LB_MAP_X].index;
    lb_tensor tensors[LB_ROLE_COUNT];
    lb_bound_map bound;
    uint32_t at[LB_MAP_LOOPS] = {0};
    if (rank != map->access[LB_MAP_OUT].rank || !bind_case(c, tensors, &bound))
        return;
    go_to(&bound, index, at);
    const lb_bound_index *x = bound.access[LB_MAP_X].index;
    put(t, "in ");
    put_range(t, in[0].label, reach_of(&bound, &x[0], at));
    put(t, ", ");
    put_range(t, in[1].label, reach_of(&bound, &x[1], at));
    if (map->access[LB_MAP_W].rank == 0) {
        put(t, ", %s %u", in[2].label, index[2]);
        return;
    }
    put(t, "; ");
    put_access(t, LB_ROLE_WEIGHTS, &bound, LB_MAP_W, at);
    put(t, ", ");
    put_access(t, LB_ROLE_BIAS, &bound, LB_MAP_ADDEND, at);
}

static void put_dense(text *t, const lb_case *c, uint32_t column)
{
    const char *every = lb_kernel_role(c->kernel, LB_ROLE_IN)->list ? "every " : "";
    put(t, "%sin[*], %sweights[*,%u], bias[%u]", every, every, column, column);
}

const char *lb_operands_text(const lb_case *c, const uint32_t *index, unsigned rank,
                             lb_arena *arena)
{
    text t = {.length = 0};
    t.buffer[0] = '\0';
    if (!c->kernel)
        return "";
    switch (lb_families[c->kernel->family].reach) {
    case LB_REACH_PLACE:
        put_same_place(&t, c, LB_ROLE_IN, index, rank);
        put_same_place(&t, c, LB_ROLE_IN1, index, rank);
        put_same_place(&t, c, LB_ROLE_IN2, index, rank);
        if (lb_kernel_role(c->kernel, LB_ROLE_SLOPE))
            put_slope(&t, c, index, rank);
        break;
    case LB_REACH_WINDOW:
        put_window(&t, c, index, rank);
        break;
    case LB_REACH_DENSE:
        if (rank == 1)
            put_dense(&t, c, index[0]);
        break;
    case LB_REACH_OWN:
        break;
    }
    return lb_arena_strdup(arena, t.buffer);
}
