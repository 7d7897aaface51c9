/* Cases that drive an accumulator to an end of its proved range: see witness.h. */
#include "harness/guard/witness.h"
#include "harness/call/call_memory.h"

#include "reference/describe/map_cursor.h"

#include <string.h>

/* The call in the making: tensors are written in memory, where every layout is alike, and read back
 * in the order of the case. */
typedef struct maker {
    lb_instance instance;
    const lb_guard_chain *chain;
    lb_tensor *x;
    bool high;
} maker;

/* The container that adds nothing: the zero point, as far as there is one. */
static int32_t neutral_of(const lb_tensor *t)
{
    int32_t low, high, zero_point = lb_quant_at(t, 0).zero_point;
    lb_guard_containers(t->el_type, &low, &high);
    return zero_point < low ? low : zero_point > high ? high : zero_point;
}

static void fill(lb_tensor *t, int32_t value)
{
    size_t count = lb_element_count(t);
    for (size_t i = 0; i < count; i++)
        lb_store(t, lb_offset_of_flat(t, i), value);
}

/* The container with which a product goes furthest: an end of the range, or neither where both go
 * the wrong way. */
static void set_furthest(const maker *m, size_t x_offset, int32_t weight)
{
    int32_t low, high;
    int64_t a = (int64_t)weight * m->chain->x_low, b = (int64_t)weight * m->chain->x_high;
    lb_guard_containers(m->x->el_type, &low, &high);
    bool want_high_end = m->high ? b > a : b < a;
    int64_t best = want_high_end ? b : a;
    if (m->high ? best > 0 : best < 0)
        lb_store(m->x, x_offset, want_high_end ? high : low);
}

static void set_run(void *user, const lb_guard_run *run)
{
    for (size_t k = 0; k < run->count; k++)
        set_furthest(user, run->x_start + k * run->x_step,
                     lb_load(run->weights, run->weight_start + k * run->weight_step));
}

/* Softmax ends low where one exponential of each group is large, and high where all are. */
static void set_one_per_group(lb_call *call)
{
    lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_context context = {0};
    lb_map_cursor e;
    int32_t low, high;
    lb_guard_containers(in->el_type, &low, &high);
    fill(in, low);
    for (bool more = lb_cursor_first(&e, &context, call); more; more = lb_cursor_next(&e))
        lb_store(in, e.offset[LB_MAP_X], high);
}

static void set_inputs(maker *m)
{
    lb_call *call = &m->instance.call;
    const lb_guard_chain *chain = m->chain;
    int32_t low, high;
    lb_guard_containers(m->x->el_type, &low, &high);
    const lb_tables tables = lb_families[call->kernel->family].tables;
    if (lb_pattern_of(call->kernel) == LB_PATTERN_POOL) { /* its factor is not negative */
        fill(m->x, m->high ? high : low);
    } else if (tables == LB_TABLES_SOFTMAX) {
        if (!m->high)
            set_one_per_group(call);
    } else if (tables == LB_TABLES_L2_NORMALIZE) {
        const bool is_low_larger =
            (int64_t)chain->x_low * chain->x_low > (int64_t)chain->x_high * chain->x_high;
        if (m->high)
            fill(m->x, is_low_larger ? low : high);
    } else {
        lb_guard_each_run(call, chain, m->high ? chain->high_at : chain->low_at, set_run, m);
    }
}

/* ---- From memory back to a case ---- */

static lb_values read_back(const lb_tensor *tensor, const lb_case_tensor *t, lb_arena *arena)
{
    lb_layout layout = lb_layout_of(t);
    lb_values values = {.count = t->rank == 0 ? 1 : lb_layout_count(&layout)};
    values.items = lb_arena_array(arena, values.count, sizeof *values.items);
    for (size_t i = 0; i < values.count; i++)
        values.items[i] =
            lb_load(tensor, t->rank == 0 ? 0 : lb_layout_offset(&layout, i) / layout.element_bytes);
    return values;
}

static void copy_operand(const maker *m, lb_case *c, lb_role role, lb_arena *arena)
{
    lb_case_operand *operand = &c->operand[role];
    lb_case_tensor *tensors = lb_arena_array(arena, operand->count, sizeof *tensors);
    for (unsigned i = 0; i < operand->count; i++) {
        tensors[i] = operand->tensors[i];
        tensors[i].data = read_back(&m->instance.tensors[role][i], &tensors[i], arena);
        tensors[i].has_data = true;
    }
    operand->tensors = tensors;
}

/* The inputs that are no parameters: the witness sets them. */
static bool is_free(const lb_case *c, int role)
{
    return c->operand[role].present && (role == LB_ROLE_IN || role == LB_ROLE_PREV_OUT);
}

/* Why another input's data cannot be set, or NULL. */
static const char *obstacle(const lb_case *c)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            const lb_case_tensor *t = &c->operand[role].tensors[i];
            bool shares = t->has_data_in && is_free(c, (int)t->data_in.role);
            if (is_free(c, role) && (t->has_data_in || t->null_data))
                return "an input has no memory of its own";
            if (shares && !c->operand[role].is_output)
                return "parameters share memory with an input";
        }
    return NULL;
}

static lb_case *make_case(const maker *m, const char *id, int64_t sum, lb_arena *arena)
{
    static char tag[] = "guard_witness";
    const lb_case *from = m->instance.memory->test_case;
    lb_case *c = lb_arena_alloc(arena, sizeof *c);
    *c = *from;
    c->id = lb_arena_strdup(arena, id);
    c->note =
        lb_arena_printf(arena,
                        "From %s: these inputs take the accumulator of output channel %u to %lld, "
                        "the %s end of its range.",
                        from->id, m->chain->channel, (long long)sum, m->high ? "upper" : "lower");
    c->tags = lb_arena_array(arena, 1, sizeof *c->tags);
    c->tags[0] = tag;
    c->tag_count = 1;
    c->expect_count = 0;
    c->expect = NULL;
    c->chain = (lb_chain){.steps = 0};
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (is_free(from, role))
            copy_operand(m, c, (lb_role)role, arena);
    return c;
}

lb_guard_witness lb_guard_witness_of(const lb_guard_prover *prover, const lb_guard_bound *bound,
                                     bool high, const char *id, lb_arena *arena)
{
    const lb_case *from = prover->test_case;
    lb_guard_witness witness = {.reason = obstacle(from),
                                .sum = high ? bound->high_sum : bound->low_sum};
    if (witness.reason)
        return witness;
    lb_call_memory *memory = lb_arena_alloc(arena, sizeof *memory);
    maker *m = lb_arena_alloc(arena, sizeof *m);
    lb_call_memory_make(memory, from, arena);
    lb_instance_make(&m->instance, memory, arena);
    m->high = high;
    m->chain = &prover->first.items[high ? bound->high_chain : bound->low_chain];
    m->x = &m->instance.tensors[m->chain->x_role][m->chain->x_index];
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; is_free(from, role) && i < from->operand[role].count; i++)
            fill(&m->instance.tensors[role][i], neutral_of(&m->instance.tensors[role][i]));
    set_inputs(m);
    witness.products = high ? m->chain->sum_high : m->chain->sum_low;
    witness.test_case = make_case(m, id, witness.sum, arena);
    return witness;
}

bool lb_guard_witness_reached(const lb_guard_witness *witness, bool high, const lb_watch *watch)
{
    if (witness->products == 0)
        return true; /* every accumulator starts there */
    return high ? watch->final_high >= witness->products : watch->final_low <= witness->products;
}
