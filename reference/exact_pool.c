/* Max and average pooling, to the last bit. Spec: pooling_and_movement.md 2. */
#include "element_copy.h"
#include "models.h"
#include "num.h"
#include "pool_divisor.h"
#include "pool_window.h"

/* What the output element of a window and a channel is. steps: who listens to it, or NULL. */
typedef lb_num (*element_fn)(const void *plan, const lb_call *call, const lb_pool_window *window,
                             uint32_t channel, lb_steps *steps);

/* Row-major number of the output element at channel 0 of a position. */
static size_t flat_of(const lb_tensor *out, uint32_t y, uint32_t x)
{
    return ((size_t)y * out->shape[1] + x) * out->shape[2];
}

/* All channels of an output position. */
static void store_position(lb_call *call, uint32_t y, uint32_t x, const lb_pool_window *window,
                           const void *plan, element_fn element, lb_steps *steps)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (uint32_t c = 0; c < out->shape[2]; c++) {
        const uint32_t index[LB_MAX_RANK] = {y, x, c};
        lb_steps *s = lb_steps_at(steps, LB_ROLE_OUT, flat_of(out, y, x) + c);
        lb_num_store(s, out, lb_offset_of(out, index), element(plan, call, window, c, s));
    }
}

static lb_num input_at(const lb_call *call, uint32_t y, uint32_t x, uint32_t channel, lb_steps *s)
{
    const uint32_t index[LB_MAX_RANK] = {y, x, channel};
    return lb_num_at(s, call->tensor[LB_ROLE_IN], LB_NAMED("in"), index);
}

/* ---- Maximum: pooling_and_movement.md 2.3 ---- */

static lb_num maximum(const void *plan, const lb_call *call, const lb_pool_window *window,
                      uint32_t channel, lb_steps *s)
{
    (void)plan;
    lb_num highest = lb_num_const(0);
    uint64_t taps = 0;
    lb_steps_enter(s, LB_PART_MAXIMUM_OF_THE_WINDOW, "pooling_and_movement.md 2.3");
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            lb_steps_tap(s, ++taps);
            lb_num value = input_at(call, y, x, channel, s);
            highest = taps == 1 ? lb_num_copy(s, value, "first")
                                : lb_num_max(s, highest, value, "the larger one");
        }
    }
    return highest;
}

void lb_exact_maxpool(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_pool_window window = lb_pool_window_at(call, y, x);
            store_position(call, y, x, &window, NULL, maximum, context->steps);
        }
    }
    lb_params_copy(out,
                   call->tensor[LB_ROLE_IN]); /* QUIRK: whatever format out had is overwritten */
}

/* ---- Average: pooling_and_movement.md 2.4 to 2.6 ---- */

typedef struct average_plan {
    const lb_context *context;
    lb_operands operands;
    int step_bits; /* width in which the accumulator is rounded */
    int out_bits;
    lb_num_pool_divisor of_window;
} average_plan;

static lb_num average(const void *opaque, const lb_call *call, const lb_pool_window *window,
                      uint32_t channel, lb_steps *s)
{
    const average_plan *plan = opaque;
    lb_acc acc = lb_acc_start(plan->context->profile, plan->operands);
    uint64_t taps = 0;
    lb_steps_enter(s, LB_PART_TAPS, "pooling_and_movement.md 2.5, 2.6");
    if (plan->of_window.start.v != 0) {
        lb_num_mac(s, &acc, plan->of_window.start, lb_num_const(1));
    }
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            lb_steps_tap(s, ++taps);
            lb_num_mac(s, &acc, plan->of_window.factor, input_at(call, y, x, channel, s));
        }
    }
    lb_num sum = lb_num_acc_close(s, &acc, plan->context->watch);
    lb_steps_enter(s, LB_PART_REQUANTIZE, "pooling_and_movement.md 2.5, 2.6");
    return lb_num_cast(s, plan->context->profile->rounding, sum, plan->step_bits, plan->out_bits,
                       plan->of_window.shift, "in steps of the output");
}

static average_plan plan_average(const lb_context *context, const lb_call *call)
{
    uint32_t type = call->kernel->in_type;
    average_plan plan = {
        .context = context,
        .operands = lb_pool_operands(context->profile, type),
        .out_bits = lb_container_bits(type),
    };
    /* The accumulator's own width, or the next type that holds it in profiles with other widths. */
    plan.step_bits = type == LB_FX16 || context->profile->acc_bits[plan.operands] > 32 ? 64 : 32;
    return plan;
}

/* Who listens to an element at this position, or NULL. */
static lb_steps *steps_of_position(const lb_context *context, const lb_tensor *out, uint32_t y,
                                   uint32_t x)
{
    lb_steps *s = lb_steps_of(context->steps, LB_ROLE_OUT);
    bool every = s != NULL && s->element == LB_STEPS_EVERY;
    return every || (s != NULL && s->element - s->element % out->shape[2] == flat_of(out, y, x))
               ? s
               : NULL;
}

void lb_exact_avepool(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    average_plan plan = plan_average(context, call);
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_steps *s = steps_of_position(context, out, y, x);
            lb_pool_window window = lb_pool_window_at(call, y, x);
            lb_num n = lb_num_geometry(s, LB_GEOMETRY_WINDOW, lb_pool_window_count(&window));
            plan.of_window = lb_num_pool_divisor_of(s, context->profile, call, n);
            store_position(call, y, x, &window, &plan, average, s);
        }
    }
}
