/* Cases that ask a port something: see asking.h. */
#include "harness/diagnose/asking.h"
#include "harness/diagnose/work.h"
#include "harness/trial/compare.h"

lb_case *lb_asking_case(const lb_case *from, lb_arena *arena)
{
    lb_case *c = lb_case_copy(arena, from);
    c->expect_count = 0;
    c->chain = (lb_chain){0};
    return c;
}

lb_build lb_asking_build(const lb_case *from, lb_arena *arena)
{
    static const lb_random_options options = {.seed = 1};
    return (lb_build){.random = lb_random_start(1, 0),
                      .arena = arena,
                      .c = lb_asking_case(from, arena),
                      .options = &options};
}

lb_case_tensor *lb_asking_tensor(const lb_case *c, lb_role role)
{
    const lb_case_operand *operand = &c->operand[role];
    lb_case_tensor *t = operand->present && operand->count == 1 ? operand->tensors : NULL;
    const bool is_free = t && !c->null_role[role] && !operand->is_list && !t->has_buffer_elements &&
                         !t->has_rank && (!t->has_data_in || operand->is_output) &&
                         !t->has_quant_in && !t->null_data && !t->has_el_type && !t->has_capacity;
    return is_free ? t : NULL;
}

static bool read_output(const lb_call_memory *memory, const unsigned char *block, int32_t *values)
{
    lb_left_output out;
    if (!lb_left_output_of(memory, LB_ROLE_OUT, &out))
        return false;
    for (size_t i = 0; i < out.count; i++)
        values[i] = lb_read_container(block + out.start + lb_layout_offset(&out.layout, i),
                                      out.layout.element_bytes);
    return true;
}

bool lb_ask(lb_asking *a, const lb_case *c, const lb_profile *profile, int32_t *right,
            int32_t *port)
{
    lb_evidence *e = a->evidence;
    lb_look look = {.arena = {0}};
    bool passed = false;
    const char *trouble = NULL;
    bool is_read = lb_fault_bench_make(&look.bench, c, profile, &look.arena) &&
                   look.bench.computed &&
                   read_output(&look.bench.memory, look.bench.right.block, right);
    if (is_read)
        lb_work_run(e, &look.bench, false);
    if (is_read && port) {
        const bool may_call = a->calls < a->most_calls && lb_work_seconds(e) <= a->deadline;
        const lb_left *left =
            may_call ? lb_evidence_call(e, e->port, c, profile, 0, &look.arena, &passed, &trouble)
                     : NULL;
        a->calls += may_call;
        is_read = left ? !trouble && left->block_bytes == look.bench.memory.block_bytes : passed;
        if (is_read)
            read_output(&look.bench.memory, left ? left->block : look.bench.right.block, port);
    }
    lb_look_end(&look);
    return is_read;
}
