/* Max and average pooling, to the last bit. Spec: pooling_and_movement.md 2. */
#include "element_copy.h"
#include "models.h"
#include "num.h"
#include "pool_divisor.h"
#include "pool_window.h"
#include "scale_num.h"

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
    return lb_num_at(s, call->tensor[LB_ROLE_IN], LB_NAMED(IN), index);
}

/* ---- Maximum: pooling_and_movement.md 2.3 ---- */

static lb_num maximum(const void *plan, const lb_call *call, const lb_pool_window *window,
                      uint32_t channel, lb_steps *s)
{
    const lb_num *padding = plan; /* NULL: positions in padding do not count */
    lb_num highest = lb_num_const(0);
    uint64_t taps = 0;
    const uint64_t positions = (uint64_t)call->config.kernel_width * call->config.kernel_height;
    lb_steps_enter(s, LB_PART_MAXIMUM_OF_THE_WINDOW, "pooling_and_movement.md 2.3");
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            lb_steps_tap(s, ++taps);
            lb_num value = input_at(call, y, x, channel, s);
            highest = taps == 1 ? lb_num_copy(s, value, LB_SITE_POOL_FIRST)
                                : lb_num_max(s, highest, value, LB_SITE_POOL_THE_LARGER_ONE);
        }
    }
    return padding && taps < positions
               ? lb_num_max(s, highest, *padding, LB_SITE_THE_PADDING_IF_IT_IS_LARGER)
               : highest;
}

/* What positions in padding hold (features.md 17). False: they do not count. */
static bool padding_of_maximum(const lb_context *context, const lb_call *call, lb_num *padding)
{
    uint8_t holds = context->profile->at.value[LB_FEATURE_WINDOW_PADDING];
    bool is_sa = lb_is_sa(call->kernel->in_type);
    *padding = lb_num_const(holds == LB_WINDOW_ZERO_POINT && is_sa
                                ? lb_quant_at(call->tensor[LB_ROLE_IN], 0).zero_point
                                : 0);
    return holds != 0;
}

static lb_num symmetric_maximum(const void *plan, const lb_call *call, const lb_pool_window *window,
                                uint32_t channel, lb_steps *s)
{
    lb_num lowest = lb_num_const(-lb_max_of(lb_container_bits(call->kernel->in_type)));
    return lb_num_max(s, maximum(plan, call, window, channel, s), lowest,
                      LB_SITE_POOL_LOWEST_RESULT);
}

void lb_exact_maxpool(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const bool is_symmetric = context->profile->at.value[LB_FEATURE_LOWEST] != 0;
    const element_fn largest = is_symmetric ? symmetric_maximum : maximum;
    lb_num padding;
    bool counts = padding_of_maximum(context, call, &padding);
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_pool_window window = lb_pool_window_at(call, y, x);
            store_position(call, y, x, &window, counts ? &padding : NULL, largest, context->steps);
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
    int64_t positions;   /* that count in the window at hand */
    bool counts_padding; /* all positions of the kernel do (features.md 17) */
    lb_num padding;      /* what those of them in padding hold */
} average_plan;

/* sum * scale / (n * 2^shift), rounded once, with the output's zero point (features.md 17). */
static lb_num divided(const average_plan *plan, lb_num sum, lb_steps *s)
{
    enum { MOST_LEFT = 20, MOST_RIGHT = 45 };
    const lb_num_pool_divisor *d = &plan->of_window;
    int shift = lb_num_count(d->shift);
    int left = shift >= 0 ? 0 : -shift < MOST_LEFT ? -shift : MOST_LEFT;
    int right = shift <= 0 ? 0 : shift < MOST_RIGHT ? shift : MOST_RIGHT;
    lb_num scaled = lb_num_mul(s, lb_num_sat(s, sum, 32, LB_SITE_KEPT_WITHIN_ITS_WIDTH), d->scale,
                               LB_SITE_POOL_TIMES_THE_SCALE);
    lb_num above = lb_num_shl(s, scaled, lb_num_const(left), 64, LB_SITE_ALIGNED);
    lb_num below = lb_num_shl(s, d->positions, lb_num_const(right), 64, LB_SITE_POSITIONS_ALIGNED);
    lb_num y = lb_num_divide(s, plan->context->profile->rounding, above, below, LB_SITE_DIVIDED);
    return lb_num_add_zero_point(s, y, d->out_zero_point, 64,
                                 LB_SITE_POOL_WITH_THE_OUTPUTS_ZERO_POINT);
}

static lb_num average(const void *opaque, const lb_call *call, const lb_pool_window *window,
                      uint32_t channel, lb_steps *s)
{
    const average_plan *plan = opaque;
    lb_acc acc = lb_acc_followed(lb_acc_start(plan->context->profile, plan->operands),
                                 plan->context->watch, s);
    uint64_t taps = 0;
    lb_steps_enter(s, LB_PART_TAPS, "pooling_and_movement.md 2.5, 2.6");
    if (plan->of_window.start.v != 0)
        lb_num_mac(s, &acc, plan->of_window.start, lb_num_const(1));
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            lb_steps_tap(s, ++taps);
            lb_num_mac(s, &acc, plan->of_window.factor, input_at(call, y, x, channel, s));
        }
    }
    /* Positions in padding that count hold the zero point, or nothing that adds (features.md 17).
     */
    for (uint64_t i = taps; plan->padding.v != 0 && i < (uint64_t)plan->positions; i++)
        lb_num_mac(s, &acc, plan->of_window.factor, plan->padding);
    lb_num sum = lb_num_acc_close(s, &acc, plan->context->watch);
    lb_steps_enter(s, LB_PART_REQUANTIZE, "pooling_and_movement.md 2.5, 2.6");
    lb_num y = plan->of_window.divides
                   ? divided(plan, sum, s)
                   : lb_num_rsh(s, plan->context->profile->rounding, sum, plan->of_window.shift,
                                plan->step_bits, LB_SITE_POOL_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_container(s, plan->context->profile, y, plan->out_bits);
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
    uint8_t divisor = context->profile->at.value[LB_FEATURE_DIVISOR];
    plan.counts_padding = divisor != 0;
    if (divisor == LB_DIVISOR_KERNEL && lb_is_sa(type))
        plan.padding = lb_num_const(lb_quant_at(call->tensor[LB_ROLE_IN], 0).zero_point);
    plan.step_bits = type == LB_FX16 || context->profile->acc_bits[plan.operands] > 32 ? 64 : 32;
    return plan;
}

/* Who listens to an element at this position, or NULL. */
static lb_steps *steps_of_position(const lb_context *context, const lb_tensor *out, uint32_t y,
                                   uint32_t x)
{
    lb_steps *s = lb_steps_of(context->steps, LB_ROLE_OUT);
    bool every = s && s->element == LB_STEPS_EVERY;
    return every || (s && s->element - s->element % out->shape[2] == flat_of(out, y, x)) ? s : NULL;
}

void lb_exact_avepool(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    average_plan plan = plan_average(context, call);
    const int64_t kernel = (int64_t)call->config.kernel_width * call->config.kernel_height;
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_steps *s = steps_of_position(context, out, y, x);
            lb_pool_window window = lb_pool_window_at(call, y, x);
            plan.positions = plan.counts_padding ? kernel : lb_pool_window_count(&window);
            lb_num n = lb_num_geometry(s, LB_GEOMETRY_WINDOW, plan.positions);
            plan.of_window = lb_num_pool_divisor_of(s, context->profile, call, n);
            store_position(call, y, x, &window, &plan, average, s);
        }
    }
}
