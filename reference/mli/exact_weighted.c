/* Functions with weights and one accumulator for each output, to the last bit: convolutions and
 * fully connected. They differ in their index maps (maps.c) and in nothing else. Spec: conv.md 3 to
 * 10, order of additions 12. */
#include "describe/map_walk.h"
#include "models.h"
#include "weighted.h"

typedef struct weighted_walk {
    const lb_weighted *weighted;
    const lb_call *call;
    const lb_map *map;
    lb_bound_map bound;
    bool pads_raw_zero; /* padding holds the container 0 (features.md 10) */
    bool can_list;      /* where nobody listens */
} weighted_walk;

/* The numbers of an output channel, and where they were taken from. */
typedef struct channel_at {
    bool is_taken;
    int64_t bias, entry;
    lb_channel numbers;
} channel_at;

/* What meets the weights: inputs, or a constant in their place. */
typedef struct tap_source {
    const lb_num *constant; /* NULL: the inputs themselves */
    lb_steps *steps;
} tap_source;

/* An element of an operand, which lies inside. */
static lb_num element_at(const weighted_walk *walk, lb_map_access access, const int64_t *index,
                         lb_origin origin, lb_steps *steps)
{
    const lb_tensor *t = walk->call->tensor[walk->map->access[access].role];
    uint32_t inside[LB_MAX_RANK];
    if (walk->map->access[access].is_flat)
        return lb_num_at_offset(steps, t, origin, (size_t)index[0], (size_t)index[0]);
    for (unsigned d = 0; d < LB_MAX_RANK; d++)
        inside[d] = (uint32_t)index[d];
    return lb_num_at(steps, t, origin, inside);
}

/* The input of a tap that counts, or what stands for it. */
static lb_num input_of(const weighted_walk *walk, const int64_t *x_index, const tap_source *source)
{
    if (source->constant)
        return *source->constant;
    lb_num x = element_at(walk, LB_MAP_X, x_index, LB_NAMED(IN), source->steps);
    return lb_weighted_input(walk->weighted, x, source->steps);
}

static lb_num weight_of(const weighted_walk *walk, const int64_t *w_index, const tap_source *source)
{
    return element_at(walk, LB_MAP_W, w_index, LB_NAMED(WEIGHTS), source->steps);
}

/* A tap outside of the input: nothing, or the container 0, which is the real number minus zero
 * point. A listener hears of it where it has a place: between the inputs of a transposed
 * convolution there is none. */
static void add_outside(lb_acc *acc, const weighted_walk *walk, const int64_t *x_index,
                        const int64_t *w_index, const tap_source *source)
{
    lb_steps *s = source->steps;
    if (walk->pads_raw_zero) {
        lb_num x = source->constant ? *source->constant
                                    : lb_weighted_input(walk->weighted, lb_num_const(0), s);
        lb_num_mac(s, acc, x, weight_of(walk, w_index, source));
        return;
    }
    if (s)
        lb_num_mac_outside(s, acc, LB_NAMED(IN), x_index, walk->bound.access[LB_MAP_X].rank,
                           source->constant ? *source->constant : lb_num_const(0),
                           weight_of(walk, w_index, source));
}

/* Multiplies and adds the taps of one output, one by one in the order of the map's loops. */
static void add_each(lb_acc *acc, const weighted_walk *walk, const uint32_t *at,
                     const tap_source *source)
{
    const lb_bound_map *bound = &walk->bound;
    int64_t w_index[LB_MAX_RANK] = {0};
    lb_map_taps taps = lb_map_taps_at(
        bound, at, !bound->access[LB_MAP_X].is_spread && (source->steps || walk->pads_raw_zero));
    while (lb_map_next_tap(&taps)) {
        lb_steps_tap(source->steps, taps.number);
        (void)lb_access_at(bound, LB_MAP_W, taps.at, w_index);
        if (taps.outside == 0) {
            lb_num x = input_of(walk, taps.x, source);
            lb_num_mac(source->steps, acc, x, weight_of(walk, w_index, source));
        } else {
            add_outside(acc, walk, taps.x, w_index, source);
        }
    }
}

static void add_listed(lb_acc *acc, const weighted_walk *walk, const lb_map_terms *terms,
                       const lb_num *constant)
{
    lb_products_add(acc,
                    &(lb_products){.x = walk->call->tensor[LB_ROLE_IN],
                                   .weights = walk->call->tensor[LB_ROLE_WEIGHTS],
                                   .constant = constant,
                                   .taken_off = (int32_t)walk->weighted->zero_point_in_products.v,
                                   .taps = terms->list,
                                   .tap_count = terms->tap_count,
                                   .first = terms->first,
                                   .x_step = terms->x_step,
                                   .weight_step = terms->weight_step,
                                   .count = terms->count});
}

static lb_num output_of(const weighted_walk *walk, const lb_channel *channel, const uint32_t *at,
                        lb_steps *steps)
{
    const lb_weighted *weighted = walk->weighted;
    lb_steps *each = lb_steps_of_products(weighted->profile, steps);
    lb_acc acc = lb_weighted_acc(weighted, channel, each);
    const bool is_listed = walk->can_list && !each;
    lb_map_terms terms;
    tap_source source = {.steps = each};
    if (is_listed)
        lb_map_list(&walk->bound, at, &terms);
    lb_acc_expect_zero_point(&acc, weighted->in_zero_point);
    lb_steps_enter(steps, LB_PART_TAPS, walk->map->section);
    is_listed ? add_listed(&acc, walk, &terms, NULL) : add_each(&acc, walk, at, &source);
    if (weighted->in_zero_point != 0) {
        source.constant = &weighted->minus_zero_point;
        lb_acc_expect_terms(&acc);
        lb_steps_enter(steps, LB_PART_ZERO_POINT_TERMS, "conv.md 4.3, 12");
        is_listed ? add_listed(&acc, walk, &terms, source.constant)
                  : add_each(&acc, walk, at, &source);
    }
    return lb_weighted_finish(weighted, channel, &acc, steps);
}

/* The listener, if it wants an element of the channel of this output; else NULL. */
static lb_steps *steps_of_channel(const weighted_walk *walk, const uint32_t *at)
{
    const lb_tensor *out = walk->call->tensor[LB_ROLE_OUT];
    lb_steps *steps = walk->weighted->steps;
    int64_t channel = 0;
    if (!steps || steps->element == LB_STEPS_EVERY)
        return steps;
    (void)lb_index_at(&walk->bound.access[LB_MAP_OUT].index[out->rank - 1], at, &channel);
    return (int64_t)(steps->element % out->shape[out->rank - 1]) == channel ? steps : NULL;
}

/* The numbers of the output channel, where they are others than those of the output before. */
static void take_channel(const weighted_walk *walk, const uint32_t *at, channel_at *taken)
{
    int64_t bias = 0, entry = 0;
    (void)lb_index_at(&walk->bound.access[LB_MAP_ADDEND].index[0], at, &bias);
    (void)lb_index_at(&walk->bound.access[LB_MAP_SCALE].index[0], at, &entry);
    if (taken->is_taken && bias == taken->bias && entry == taken->entry)
        return;
    *taken = (channel_at){true, bias, entry,
                          lb_weighted_channel(walk->weighted, walk->call, (uint32_t)bias,
                                              (uint32_t)entry, steps_of_channel(walk, at))};
}

void lb_exact_weighted(const lb_context *context, lb_call *call)
{
    lb_weighted weighted = lb_weighted_start(context, call);
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    weighted_walk walk = {
        .weighted = &weighted, .call = call, .map = lb_map_in(context, call->kernel)};
    channel_at channel = {.is_taken = false};
    uint32_t at[LB_MAP_LOOPS] = {0};
    if (!lb_map_bind(&walk.bound, walk.map, call) ||
        !lb_map_first(&walk.bound, 0, walk.bound.outer, at))
        return;
    walk.pads_raw_zero = weighted.pads_raw_zero && !walk.bound.access[LB_MAP_X].is_spread;
    walk.can_list = !walk.pads_raw_zero && lb_map_can_list(&walk.bound);
    do {
        lb_steps *steps = weighted.steps;
        if (steps)
            steps =
                lb_steps_at(steps, LB_ROLE_OUT, lb_access_flat(&walk.bound, LB_MAP_OUT, at, out));
        if (lb_steps_passes_over(weighted.steps, steps))
            continue;
        take_channel(&walk, at, &channel);
        lb_num result = output_of(&walk, &channel.numbers, at, steps);
        lb_num_store(steps, out, lb_access_offset(&walk.bound, LB_MAP_OUT, at), result);
    } while (lb_map_next(&walk.bound, 0, walk.bound.outer, at));
}
