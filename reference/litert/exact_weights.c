/* Convolutions and fully connected of LiteRT, to the last bit: they differ in their maps, in their
 * offsets, and in how a sum is scaled. Spec: litert.4 to litert.7. */
#include "describe/map_walk.h"
#include "describe/rules.h"
#include "fixed.h"
#include "models.h"

typedef struct weights_walk {
    lb_fix f;
    lb_steps *listener; /* of the call */
    const lb_map *map;
    lb_bound_map bound;
    bool is_wide; /* sums of 64 bits, and scale64 */
    bool has_in_offset, has_weights_offset, has_out_offset;
    bool has_runs; /* what nobody listens to is added run by run */
    lb_map_run run;
} weights_walk;

/* An element of a role whose access lies inside. */
static lb_num element_at(const weights_walk *w, lb_map_access access, lb_origin origin,
                         const int64_t *index)
{
    const lb_tensor *t = w->f.call->tensor[w->map->access[access].role];
    uint32_t place[LB_MAX_RANK] = {0};
    if (w->map->access[access].is_flat)
        lb_unflatten(t, (size_t)index[0], place);
    for (unsigned d = 0; d < LB_MAX_RANK && !w->map->access[access].is_flat; d++)
        place[d] = (uint32_t)index[d];
    return lb_num_at_wide(w->f.s, t, origin, place);
}

/* The entry of a list that belongs to this output. */
static lb_num entry_at(const weights_walk *w, lb_map_access access, lb_origin origin,
                       const uint32_t *at)
{
    int64_t index[LB_MAX_RANK] = {0};
    (void)lb_access_at(&w->bound, access, at, index);
    return element_at(w, access, origin, index);
}

static lb_num weight_at(const weights_walk *w, const uint32_t *at)
{
    lb_num weight = entry_at(w, LB_MAP_W, LB_NAMED(WEIGHTS), at);
    return !w->has_weights_offset
               ? weight
               : lb_num_add_zero_point(w->f.s, weight, lb_fix_field(&w->f, LB_LITE_weights_offset),
                                       0, LB_SITE_LITE_WEIGHT_WITH_ITS_OFFSET);
}

/* A tap in padding adds nothing: a listener hears of it where it has a place, and of what container
 * 0 would be there. */
static void add_tap(const weights_walk *w, const lb_map_taps *taps, lb_acc *acc)
{
    lb_steps *s = w->f.s;
    lb_steps_tap(s, taps->number);
    if (taps->outside != 0) {
        lb_num_mac_outside(s, acc, LB_NAMED(IN), taps->x, w->bound.access[LB_MAP_X].rank,
                           w->has_in_offset ? lb_fix_field(&w->f, LB_LITE_input_offset)
                                            : lb_num_const(0),
                           weight_at(w, taps->at));
        return;
    }
    lb_num x = element_at(w, LB_MAP_X, LB_NAMED(IN), taps->x);
    if (w->has_in_offset)
        x = lb_num_add_zero_point(s, x, lb_fix_field(&w->f, LB_LITE_input_offset), 0,
                                  LB_SITE_LITE_INPUT_WITH_ITS_OFFSET);
    lb_num_mac(s, acc, x, weight_at(w, taps->at));
}

/* The register of 64 bits is that of products of 16 by 16 bits. */
static lb_operands operands_of(const weights_walk *w)
{
    return w->is_wide                            ? LB_OPERANDS_16X16
           : w->f.call->kernel->in_type == LB_S8 ? LB_OPERANDS_8X8
                                                 : LB_OPERANDS_16X8;
}

static int64_t number_of(const weights_walk *w, bool has_field, lb_lite_field field)
{
    return has_field ? lb_lite_field_of(w->f.call, field) : 0;
}

/* Are the elements along the last loop of the sum multiplied as they are, but for the offset? */
static bool has_runs(weights_walk *w)
{
    const lb_tensor *x = w->f.call->tensor[w->map->access[LB_MAP_X].role];
    const lb_tensor *weights = w->f.call->tensor[w->map->access[LB_MAP_W].role];
    const int64_t offset = number_of(w, w->has_in_offset, LB_LITE_input_offset);
    return lb_is_contiguous(x) && lb_is_contiguous(weights) && offset > INT16_MIN &&
           offset <= INT16_MAX &&
           number_of(w, w->has_weights_offset, LB_LITE_weights_offset) == 0 &&
           lb_map_ends_in_run(&w->bound, &w->run);
}

static void add_runs(const weights_walk *w, const uint32_t *at, lb_acc *acc)
{
    static const lb_tap_offsets first = {0, 0};
    lb_products products = {.x = w->f.call->tensor[w->map->access[LB_MAP_X].role],
                            .weights = w->f.call->tensor[w->map->access[LB_MAP_W].role],
                            .taken_off =
                                (int32_t)-number_of(w, w->has_in_offset, LB_LITE_input_offset),
                            .taps = &first,
                            .tap_count = 1,
                            .x_step = w->run.x_step,
                            .weight_step = w->run.weight_step,
                            .count = w->run.count};
    lb_map_taps taps = lb_map_taps_at(&w->bound, at, false);
    taps.loops--;
    while (lb_map_next_tap(&taps)) {
        products.first.x = lb_access_offset(&w->bound, LB_MAP_X, taps.at);
        products.first.weight = lb_access_offset(&w->bound, LB_MAP_W, taps.at);
        lb_products_add(acc, &products);
    }
}

static void add_taps(const weights_walk *w, const uint32_t *at, lb_acc *acc)
{
    lb_map_taps taps =
        lb_map_taps_at(&w->bound, at, w->f.s && !w->bound.access[LB_MAP_X].is_spread);
    while (lb_map_next_tap(&taps))
        add_tap(w, &taps, acc);
}

static lb_num sum_of(const weights_walk *w, const uint32_t *at)
{
    const lb_context *context = w->f.context;
    lb_acc acc = lb_acc_followed(lb_acc_start(context->profile, operands_of(w)), true, w->f.s);
    lb_steps_enter(w->f.s, LB_PART_TAPS, w->map->section);
    w->has_runs && !w->f.s ? add_runs(w, at, &acc) : add_taps(w, at, &acc);
    if (!w->is_wide)
        lb_fix_sum_within_32(&w->f, &acc);
    lb_steps_tap(w->f.s, 0);
    return lb_num_acc_close(w->f.s, &acc, context->watch);
}

static lb_num with_bias(const weights_walk *w, lb_num sum, const uint32_t *at)
{
    if (!w->f.call->tensor[LB_ROLE_BIAS])
        return sum;
    lb_steps_enter(w->f.s, LB_PART_BIAS, w->map->section);
    lb_num bias = entry_at(w, LB_MAP_ADDEND, LB_NAMED(BIAS), at);
    sum = lb_num_add(w->f.s, sum, bias, 0, LB_SITE_LITE_SUM_WITH_THE_BIAS);
    return w->is_wide ? sum : lb_fix_within_32(&w->f, sum);
}

/* Per channel they are tensors, else fields. */
static lb_num multiplier_of(const weights_walk *w, const uint32_t *at)
{
    return w->f.call->tensor[LB_ROLE_MULTIPLIER]
               ? entry_at(w, LB_MAP_SCALE, LB_NAMED(MULTIPLIER), at)
               : lb_fix_field(&w->f, LB_LITE_multiplier);
}

static lb_num shift_of(const weights_walk *w, const uint32_t *at)
{
    return w->f.call->tensor[LB_ROLE_SHIFT] ? entry_at(w, LB_MAP_SCALE_OUT, LB_NAMED(SHIFT), at)
                                            : lb_fix_field(&w->f, LB_LITE_shift);
}

static lb_num output_of(const weights_walk *w, const uint32_t *at)
{
    const lb_fix *f = &w->f;
    lb_num sum = with_bias(w, sum_of(w, at), at);
    lb_steps_enter(f->s, LB_PART_REQUANTIZE, w->map->section);
    lb_num multiplier = multiplier_of(w, at), shift = shift_of(w, at);
    lb_num v = w->is_wide ? lb_fix_scale64(f, sum, multiplier, shift)
                          : lb_fix_scale32(f, sum, multiplier, shift);
    if (w->has_out_offset) {
        v = lb_num_add_zero_point(f->s, v, lb_fix_field(f, LB_LITE_output_offset), 0,
                                  LB_SITE_LITE_WITH_THE_OUTPUTS_OFFSET);
        v = lb_fix_within_32(f, v);
    }
    return lb_fix_act(f, v);
}

/* Sums of 64 bits: s16, unless the configuration says 32. */
static bool has_wide_sums(const lb_call *call)
{
    return call->kernel->in_type == LB_S16 &&
           !(lb_lite_has_field(call->kernel, LB_LITE_accumulator_bits) &&
             lb_lite_field_of(call, LB_LITE_accumulator_bits) == 32);
}

void lb_lite_exact_weights(const lb_context *context, lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    weights_walk w = {.f = {.context = context, .call = call},
                      .listener = context->steps,
                      .map = lb_map_in(context, call->kernel),
                      .is_wide = has_wide_sums(call),
                      .has_in_offset = lb_lite_has_field(call->kernel, LB_LITE_input_offset),
                      .has_weights_offset = lb_lite_has_field(call->kernel, LB_LITE_weights_offset),
                      .has_out_offset = lb_lite_has_field(call->kernel, LB_LITE_output_offset)};
    uint32_t at[LB_MAP_LOOPS] = {0};
    if (!lb_map_bind(&w.bound, w.map, call) || !lb_map_first(&w.bound, 0, w.bound.outer, at))
        return;
    w.has_runs = has_runs(&w);
    do {
        size_t flat = lb_access_flat(&w.bound, LB_MAP_OUT, at, out);
        w.f.s = lb_steps_at(w.listener, LB_ROLE_OUT, flat);
        if (lb_steps_passes_over(w.listener, w.f.s))
            continue;
        lb_num result = output_of(&w, at);
        lb_num_store(w.f.s, out, lb_access_offset(&w.bound, LB_MAP_OUT, at), result);
    } while (lb_map_next(&w.bound, 0, w.bound.outer, at));
}
