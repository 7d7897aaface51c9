/* Max and average pooling, to the last bit. Spec: pooling_and_movement.md 2. */
#include "arith.h"
#include "element_copy.h"
#include "models.h"
#include "pool_divisor.h"
#include "pool_window.h"

/* What the output element of a window and a channel is. */
typedef int64_t (*element_fn)(const void *plan, const lb_call *call, const lb_pool_window *window, uint32_t channel);

/* All channels of an output position. */
static void store_position(lb_call *call, uint32_t y, uint32_t x, const lb_pool_window *window, const void *plan,
                           element_fn element)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (uint32_t c = 0; c < out->shape[2]; c++) {
        const uint32_t index[LB_MAX_RANK] = {y, x, c};
        lb_store(out, lb_offset_of(out, index), element(plan, call, window, c));
    }
}

/* ---- Maximum: pooling_and_movement.md 2.3 ---- */

static int64_t maximum(const void *plan, const lb_call *call, const lb_pool_window *window, uint32_t channel)
{
    (void)plan;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    int32_t highest = INT32_MIN;
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            int32_t value = lb_load(in, lb_pool_in_offset(call, y, x, channel));
            highest = value > highest ? value : highest;
        }
    }
    return highest;
}

void lb_exact_maxpool(const lb_context *context, lb_call *call)
{
    (void)context; /* nothing is rounded */
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_pool_window window = lb_pool_window_at(call, y, x);
            store_position(call, y, x, &window, NULL, maximum);
        }
    }
    lb_params_copy(out, call->tensor[LB_ROLE_IN]); /* QUIRK: whatever format out had is overwritten */
}

/* ---- Average: pooling_and_movement.md 2.4 to 2.6 ---- */

typedef struct average_plan {
    const lb_context *context;
    lb_operands operands;
    int step_bits; /* width in which the accumulator is rounded */
    int out_bits;
    lb_pool_divisor of_window;
} average_plan;

static int64_t average(const void *opaque, const lb_call *call, const lb_pool_window *window, uint32_t channel)
{
    const average_plan *plan = opaque;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_acc acc = lb_acc_start(plan->context->profile, plan->operands);
    if (plan->of_window.start != 0) {
        lb_acc_mac(&acc, (int32_t)plan->of_window.start, 1);
    }
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            int32_t value = lb_load(in, lb_pool_in_offset(call, y, x, channel));
            lb_acc_mac(&acc, (int32_t)plan->of_window.factor, value);
        }
    }
    int64_t sum = lb_acc_close(&acc, plan->context->watch);
    return lb_cast(plan->context->profile->rounding, sum, plan->step_bits, plan->out_bits, plan->of_window.shift);
}

static average_plan plan_average(const lb_context *context, const lb_call *call)
{
    uint32_t type = call->kernel->in_type;
    average_plan plan = {
        .context = context,
        .operands = lb_pool_operands(type),
        .out_bits = lb_container_bits(type),
    };
    /* The accumulator's own width, or the next type that holds it in profiles with other widths. */
    plan.step_bits = type == LB_FX16 || context->profile->acc_bits[plan.operands] > 32 ? 64 : 32;
    return plan;
}

void lb_exact_avepool(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    average_plan plan = plan_average(context, call);
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_pool_window window = lb_pool_window_at(call, y, x);
            uint32_t n = lb_pool_window_count(&window);
            plan.of_window = lb_pool_divisor_of(context->profile->rounding, call, n);
            store_position(call, y, x, &window, &plan, average);
        }
    }
}
