/* The one runner of the models: see model.h. */
#include "harness/call/model.h"
#include "harness/call/chain.h"

#include <math.h>

lb_instance *lb_instance_of(const lb_case *c, lb_arena *arena)
{
    lb_call_memory *memory = lb_arena_raw(arena, sizeof *memory);
    lb_instance *instance = lb_arena_raw(arena, sizeof *instance);
    lb_call_memory_make(memory, c, arena);
    lb_instance_make(instance, memory, arena);
    return instance;
}

lb_ran lb_model_call(const lb_context *context, lb_instance *instance)
{
    const lb_call *call = &instance->call;
    lb_instance_guard(instance, true);
    lb_ran ran = {.violated = lb_run_exact(context, &instance->call)};
    lb_instance_guard(instance, false);
    ran.undefined = call->undefined;
    ran.computed = !ran.violated && (!call->kernel->returns_status || call->status == LB_OK);
    return ran;
}

uint32_t lb_model_go_to(const lb_profile *profile, lb_instance *instance, uint32_t from,
                        uint32_t to)
{
    const lb_context context = {.profile = profile};
    while (from < to && lb_model_call(&context, instance).computed)
        lb_chain_feed(instance, ++from);
    return from;
}

uint32_t lb_calls_of(const lb_case *c)
{
    return c->chain.steps ? c->chain.steps : 1;
}

void lb_model_real_values(const lb_profile *profile, const lb_instance *instance,
                          lb_real_outputs *real, lb_arena *arena)
{
    const lb_case *c = instance->memory->test_case;
    const lb_context context = {.profile = profile};
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        if (!operand->present || !operand->is_output || c->null_role[role])
            continue;
        lb_layout layout = lb_layout_of(&operand->tensors[0]);
        size_t count = lb_layout_count(&layout);
        if (!real->value[role]) {
            real->value[role] = lb_arena_array(arena, count + 1, sizeof(double));
            real->span[role] = lb_arena_array(arena, count + 1, sizeof(lb_span));
        }
        for (size_t i = 0; i < count; i++)
            real->value[role][i] = NAN;
    }
    lb_model_real(&context, &instance->call, real);
}
