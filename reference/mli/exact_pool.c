/* Max and average pooling, to the last bit. Spec: pooling_and_movement.md 2. */
#include "core/num.h"
#include "core/scale_num.h"
#include "describe/element_copy.h"
#include "describe/map_walk.h"
#include "models.h"
#include "pool_divisor.h"

#include <string.h>

/* The window of an output element: positions of the map's loops, those of the window at 0. */
typedef struct window {
    const lb_call *call;
    lb_bound_map bound;
    uint32_t at[LB_MAP_LOOPS];
    bool can_list;
    lb_map_terms terms; /* of the position, if they can be listed */
    uint64_t positions; /* inside the input */
} window;

/* Goes through the elements of in under a window, those alone that lie inside. */
typedef struct under_window {
    const window *of;
    lb_steps *steps;
    lb_map_taps taps; /* of lists: their number alone */
    unsigned in_list; /* where it stands in the list, and in the run of lists */
    size_t run;
} under_window;

static under_window look_under(const window *w, lb_steps *steps)
{
    return (under_window){.of = w, .steps = steps, .taps = lb_map_taps_at(&w->bound, w->at, false)};
}

static bool next_by_index(under_window *u, lb_num *value)
{
    if (!lb_map_next_tap(&u->taps))
        return false;
    const int64_t *place = u->taps.x;
    const uint32_t index[LB_MAX_RANK] = {(uint32_t)place[0], (uint32_t)place[1],
                                         (uint32_t)place[2]};
    lb_steps_tap(u->steps, u->taps.number);
    *value = lb_num_at(u->steps, u->of->call->tensor[LB_ROLE_IN], LB_NAMED(IN), index);
    return true;
}

/* The next element; false: there are no more. */
static bool next_under(under_window *u, lb_num *value)
{
    const lb_map_terms *terms = &u->of->terms;
    if (u->steps || !u->of->can_list)
        return next_by_index(u, value);
    if (u->in_list == terms->tap_count) {
        u->in_list = 0;
        u->run++;
    }
    if (u->taps.number == u->of->positions)
        return false;
    const size_t offset = terms->first.x + u->run * terms->x_step + terms->list[u->in_list].x;
    *value = lb_num_const(lb_load(u->of->call->tensor[LB_ROLE_IN], offset));
    u->in_list++;
    u->taps.number++;
    return true;
}

/* Begins the walk over the outputs; false: there are none. */
static bool first_window(window *w, const lb_context *context, lb_call *call)
{
    w->call = call;
    memset(w->at, 0, sizeof w->at);
    if (!lb_map_bind(&w->bound, lb_map_in(context, call->kernel), call) ||
        !lb_map_first(&w->bound, 0, w->bound.outer, w->at))
        return false;
    w->can_list = lb_map_can_list(&w->bound);
    return true;
}

static bool next_window(window *w)
{
    return lb_map_next(&w->bound, 0, w->bound.outer, w->at);
}

/* Is this the first channel of a position? All its channels have the same window. */
static bool is_new_position(const window *w)
{
    return w->at[w->bound.outer - 1] == 0;
}

static void take_window(window *w)
{
    if (!is_new_position(w) && w->can_list)
        lb_map_move_list(&w->bound, w->at, &w->terms);
    if (!is_new_position(w))
        return;
    if (w->can_list)
        lb_map_list(&w->bound, w->at, &w->terms);
    w->positions =
        w->can_list ? w->terms.tap_count * w->terms.count : lb_map_inside(&w->bound, w->at);
}

static size_t flat_of(const window *w)
{
    return lb_access_flat(&w->bound, LB_MAP_OUT, w->at, w->call->tensor[LB_ROLE_OUT]);
}

/* Who listens to the output element, or NULL. */
static lb_steps *steps_of_output(const window *w, lb_steps *steps)
{
    return steps ? lb_steps_at(steps, LB_ROLE_OUT, flat_of(w)) : NULL;
}

static void store(const window *w, lb_call *call, lb_num value, lb_steps *steps)
{
    lb_num_store(steps, call->tensor[LB_ROLE_OUT], lb_access_offset(&w->bound, LB_MAP_OUT, w->at),
                 value);
}

/* ---- Maximum: pooling_and_movement.md 2.3 ---- */

/* padding: what positions outside hold; NULL: they do not count. */
static lb_num maximum(const window *w, const lb_num *padding, lb_steps *s)
{
    lb_num highest = lb_num_const(0), value;
    const lb_config *cfg = &w->call->config;
    under_window u = look_under(w, s);
    lb_steps_enter(s, LB_PART_MAXIMUM_OF_THE_WINDOW, "pooling_and_movement.md 2.3");
    while (next_under(&u, &value))
        highest = u.taps.number == 1 ? lb_num_copy(s, value, LB_SITE_POOL_FIRST)
                                     : lb_num_max(s, highest, value, LB_SITE_POOL_THE_LARGER_ONE);
    return padding && u.taps.number < (uint64_t)cfg->kernel_width * cfg->kernel_height
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

void lb_exact_maxpool(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const bool is_symmetric = context->profile->at.value[LB_FEATURE_LOWEST] != 0;
    const lb_num lowest = lb_num_const(-lb_max_of(lb_container_bits(call->kernel->in_type)));
    lb_num padding;
    const bool counts = padding_of_maximum(context, call, &padding);
    window w;
    for (bool more = first_window(&w, context, call); more; more = next_window(&w)) {
        lb_steps *s = steps_of_output(&w, context->steps);
        take_window(&w);
        if (lb_steps_passes_over(context->steps, s))
            continue;
        lb_num highest = maximum(&w, counts ? &padding : NULL, s);
        if (is_symmetric)
            highest = lb_num_max(s, highest, lowest, LB_SITE_POOL_LOWEST_RESULT);
        store(&w, call, highest, s);
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
    enum { MOST_LEFT = 63, MOST_RIGHT = 45 };
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

static lb_num average(const average_plan *plan, const window *w, lb_steps *s)
{
    lb_acc acc = lb_acc_followed(lb_acc_start(plan->context->profile, plan->operands),
                                 plan->context->watch, s);
    under_window u = look_under(w, s);
    lb_num value;
    lb_steps_enter(s, LB_PART_TAPS, "pooling_and_movement.md 2.5, 2.6");
    if (plan->of_window.start.v != 0)
        lb_num_mac(s, &acc, plan->of_window.start, lb_num_const(1));
    while (next_under(&u, &value))
        lb_num_mac(s, &acc, plan->of_window.factor, value);
    /* Positions in padding that count hold the zero point, or nothing that adds (features.md 17).
     */
    for (uint64_t i = u.taps.number; plan->padding.v != 0 && i < (uint64_t)plan->positions; i++)
        lb_num_mac(s, &acc, plan->of_window.factor, plan->padding);
    if (plan->out_bits == 8 && !lb_is_sa(w->call->kernel->in_type)) /* 2.5 */
        lb_num_sums_lie(s, &acc);
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

/* Who listens to some element at this position, or NULL. */
static lb_steps *steps_of_position(const window *w, lb_steps *steps)
{
    lb_steps *s = lb_steps_of(steps, LB_ROLE_OUT);
    const uint32_t channels = w->call->tensor[LB_ROLE_OUT]->shape[2];
    bool every = s && s->element == LB_STEPS_EVERY;
    return every || (s && s->element - s->element % channels == flat_of(w)) ? s : NULL;
}

void lb_exact_avepool(const lb_context *context, lb_call *call)
{
    average_plan plan = plan_average(context, call);
    const int64_t kernel = (int64_t)call->config.kernel_width * call->config.kernel_height;
    window w;
    for (bool more = first_window(&w, context, call); more; more = next_window(&w)) {
        take_window(&w);
        if (is_new_position(&w)) {
            lb_steps *s = steps_of_position(&w, context->steps);
            plan.positions =
                plan.counts_padding ? kernel : (int64_t)lb_map_counted(&w.bound, w.at, w.positions);
            lb_num n = lb_num_geometry(s, LB_GEOMETRY_WINDOW, plan.positions);
            plan.of_window = lb_num_pool_divisor_of(s, context->profile, call, n);
        }
        lb_steps *s = steps_of_output(&w, context->steps);
        if (!lb_steps_passes_over(context->steps, s))
            store(&w, call, average(&plan, &w, s), s);
    }
}
