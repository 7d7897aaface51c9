/* Conditions of calls for which the API promises nothing, as far as families have them in common:
 * tensors that are not there, parameters that nobody set, memory that is shared. Rows with these
 * checks are marked LB_UNDEFINED: a call that breaks one is not judged. Spec: numerics.md 2, 7.4;
 * conv.md 11; elementwise.md 10, 12; recurrent.md 6; pooling_and_movement.md 2.2, 4. */
#include "core/scale.h"
#include "describe/rules.h"

enum { UNDEFINED_STATUS = LB_UNSAID_STATUS + LB_UNSAID_RULE };

static lb_status defined_if(bool condition)
{
    return condition ? LB_OK : (lb_status)UNDEFINED_STATUS;
}

lb_status lb_check_parameters(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        for (unsigned i = 0; call->tensor[role] && i < call->list_count[role]; i++)
            if (!lb_has_own_parameters(&call->tensor[role][i]))
                return lb_unsaid_status(LB_UNSAID_PARAMETERS);
    }
    return LB_OK;
}

lb_status lb_check_bias_width(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_tensor *weights = lb_role_tensor(call, rule->b);
    const lb_tensor *bias = lb_role_tensor(call, LB_ROLE_BIAS);
    if (weights->sa.dim >= LB_MAX_RANK)
        return (lb_status)UNDEFINED_STATUS; /* the rules before this one refuse it */
    uint32_t count = weights->sa.dim < 0 ? 1 : weights->shape[weights->sa.dim];
    lb_quant x = lb_quant_at(in, 0);
    for (uint32_t j = 0; j < count; j++) {
        lb_quant w = lb_quant_at(weights, j);
        int64_t left = (int64_t)lb_quant_at(bias, j).frac - x.frac - w.frac;
        int64_t product = (int64_t)x.scale * w.scale; /* above 0, below 2^30 */
        if (left > 0 && (left >= 31 || product << left > INT32_MAX))
            return (lb_status)UNDEFINED_STATUS;
    }
    return LB_OK;
}

/* ---- Places in memory ---- */

/* Bytes from `start` on; none where start is 0. */
typedef struct range {
    uintptr_t start;
    uint64_t bytes;
} range;

static bool meet(range a, range b)
{
    if (a.start == 0 || b.start == 0 || a.bytes == 0 || b.bytes == 0)
        return false;
    return a.start <= b.start ? b.start - a.start < a.bytes : a.start - b.start < b.bytes;
}

/* Where the elements of a tensor lie that has passed its check. A slope is read dense, whatever its
 * rank: there the capacity bounds what is read. */
static range elements_of(const lb_tensor *t, lb_role role)
{
    if (t->rank == 0 || t->rank > LB_MAX_RANK)
        return (range){0, 0};
    uint64_t bytes = role == LB_ROLE_SLOPE ? t->data.capacity_bytes
                                           : lb_span_elements(t) * lb_storage_bytes(t->el_type);
    return (range){(uintptr_t)t->data.mem.ptr, bytes};
}

static bool is_read(const lb_call *call, int role)
{
    return role != LB_ROLE_EPSILON && role != LB_ROLE_OUT && call->tensor[role];
}

/* Element on element: same place, same width, same strides. */
static bool lies_exactly_on(const lb_tensor *a, const lb_tensor *b)
{
    bool same = a->data.mem.ptr == b->data.mem.ptr && a->rank == b->rank &&
                lb_storage_bytes(a->el_type) == lb_storage_bytes(b->el_type);
    for (uint32_t d = 0; same && d < a->rank; d++)
        same = a->shape[d] == b->shape[d] && a->mem_stride[d] == b->mem_stride[d];
    return same;
}

lb_status lb_check_place(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *out = lb_role_tensor(call, LB_ROLE_OUT);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        for (unsigned i = 0; is_read(call, role) && i < call->list_count[role]; i++) {
            const lb_tensor *t = &call->tensor[role][i];
            bool allowed = ((unsigned)rule->a >> role & 1u) != 0 && lies_exactly_on(out, t);
            if (!allowed && meet(elements_of(out, LB_ROLE_OUT), elements_of(t, (lb_role)role)))
                return (lb_status)UNDEFINED_STATUS;
        }
    }
    return LB_OK;
}

/* What a cell writes: rows of hidden state, the cell, the scratch memory. */
static range written_rows(const lb_call *call)
{
    enum { RESULTS_ALL = 1 };
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    uint64_t rows = call->config.results == RESULTS_ALL ? in->shape[0] : 1;
    return (range){(uintptr_t)call->tensor[LB_ROLE_OUT]->data.mem.ptr,
                   rows * call->tensor[LB_ROLE_PREV_OUT]->shape[0] * lb_storage_bytes(in->el_type)};
}

lb_status lb_check_cell_place(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    range out = written_rows(call);
    range scratch = {(uintptr_t)call->config.scratch, call->config.scratch_bytes};
    const lb_tensor *cell = call->tensor[LB_ROLE_CELL];
    range state = cell ? elements_of(cell, LB_ROLE_CELL) : (range){0, 0};
    bool clear = !meet(out, scratch) && !meet(out, state) && !meet(scratch, state);
    for (int role = 0; role < LB_ROLE_COUNT && clear; role++) {
        if (!is_read(call, role) || role == LB_ROLE_CELL)
            continue;
        range input = elements_of(call->tensor[role], (lb_role)role);
        bool in_place = role == LB_ROLE_PREV_OUT && input.start == out.start;
        clear = (in_place || !meet(out, input)) && !meet(scratch, input) && !meet(state, input);
    }
    return defined_if(clear);
}

lb_status lb_check_ranges(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *a = lb_role_tensor(call, rule->a);
    const lb_tensor *b = lb_role_tensor(call, rule->b);
    if (!a || !b)
        return LB_OK;
    uintptr_t p = (uintptr_t)a->data.mem.ptr;
    uintptr_t q = (uintptr_t)b->data.mem.ptr;
    bool inside = p <= q ? q - p <= a->data.capacity_bytes : p - q <= b->data.capacity_bytes;
    bool empty = a->data.capacity_bytes == 0 || b->data.capacity_bytes == 0;
    return defined_if(!(empty && inside));
}
