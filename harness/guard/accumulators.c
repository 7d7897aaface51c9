/* The accumulators of a call: see accumulators.h. */
#include "harness/guard/accumulators.h"
#include "harness/guard/positions.h"
#include "harness/suite/profile_file.h"

#include "reference/core/lut.h"
#include "reference/core/view.h"
#include "reference/describe/map_walk.h"
#include "reference/describe/program.h"
#include "reference/mli/pool_divisor.h"
#include "reference/mli/weighted.h"

#include <string.h>

/* Fractional bits with which differences go into the table of softmax; the entry for a difference
 * of 0 needs none. */
enum { SOFTMAX_FRAC_BITS = 13, CONTAINER_16_BITS = 16 };
enum { BLOCK = 128 }; /* weights that are read before they are added */

void lb_guard_containers(uint32_t el_type, int32_t *low, int32_t *high)
{
    bool wide = el_type == LB_FX16;
    *low = wide ? INT16_MIN : INT8_MIN;
    *high = wide ? INT16_MAX : INT8_MAX;
}

/* Appends a chain whose x has the type and the zero point. Room for it is there. */
static lb_guard_chain *append(lb_guard_chains *chains, lb_role x_role, uint32_t el_type,
                              int32_t zero_point)
{
    lb_guard_chain *chain = &chains->items[chains->count++];
    *chain = (lb_guard_chain){.x_role = x_role, .reachable = true, .zero_point = zero_point};
    lb_guard_containers(el_type, &chain->x_low, &chain->x_high);
    chain->x_low -= zero_point;
    chain->x_high -= zero_point;
    return chain;
}

static void make_room(lb_guard_chains *chains, size_t count, lb_arena *arena)
{
    chains->items = lb_arena_array(arena, count, sizeof *chains->items);
}

/* ---- Products ---- */

/* How far a sum can go depends on the weights by two numbers alone. */
typedef struct weight_sums {
    int64_t positive, negative; /* sums of those above 0, and of the magnitudes of those below */
    uint64_t count;
} weight_sums;

typedef struct range {
    int64_t low, high;
} range;

/* What all x * w together can add, for each x from low to high or not there at all. */
static range reach_of(const weight_sums *w, int64_t low, int64_t high)
{
    const int64_t down = low < 0 ? low : 0, up = high > 0 ? high : 0;
    return (range){w->positive * down - w->negative * up, w->positive * up - w->negative * down};
}

static void add_weights(void *user, const lb_guard_run *run)
{
    weight_sums *to = user;
    weight_sums sums = *to; /* in registers: nothing points to it */
    for (size_t k = 0; k < run->count; k += BLOCK) {
        const size_t n = run->count - k < BLOCK ? run->count - k : BLOCK;
        int32_t w[BLOCK];
        lb_load_run(run->weights, run->weight_start + k * run->weight_step, run->weight_step, n, w,
                    1);
        for (size_t i = 0; i < n; i++) {
            sums.positive += w[i] > 0 ? w[i] : 0;
            sums.negative -= w[i] < 0 ? w[i] : 0;
        }
    }
    sums.count += run->count;
    *to = sums;
}

/* Adds what one position can reach to what the chain can: of (x - zero point) * w; and of x * w
 * with the -zero point * w behind them. */
static void add_position(const lb_call *call, lb_guard_chains *chains, lb_guard_chain *chain,
                         lb_guard_place at)
{
    const int64_t zero_point = chain->zero_point;
    weight_sums w = {.count = 0};
    lb_guard_each_run(call, chain, at, add_weights, &w);
    const range all = reach_of(&w, chain->x_low, chain->x_high),
                products = reach_of(&w, chain->x_low + zero_point, chain->x_high + zero_point),
                terms = reach_of(&w, -zero_point, -zero_point);
    const range separate = {products.low + terms.low, products.high + terms.high};
    if (all.low < chain->sum_low) {
        chain->sum_low = all.low;
        chain->low_at = at;
    }
    if (all.high > chain->sum_high) {
        chain->sum_high = all.high;
        chain->high_at = at;
    }
    chain->has_terms = true;
    chain->separate_low = separate.low < chain->separate_low ? separate.low : chain->separate_low;
    chain->separate_high =
        separate.high > chain->separate_high ? separate.high : chain->separate_high;
    chains->macs = w.count > chains->macs ? w.count : chains->macs;
}

/* Of a function with an index map: the list of its terms, or one by one. */
static void each_map_run(const lb_call *call, lb_guard_place at, lb_guard_run_fn tell, void *user)
{
    lb_bound_map bound;
    lb_map_terms terms;
    if (!lb_map_bind(&bound, lb_map_of(call->kernel), call))
        return;
    lb_guard_run run = {.weights = call->tensor[LB_ROLE_WEIGHTS], .count = 1};
    if (lb_map_can_list(&bound)) {
        lb_map_list(&bound, at.at, &terms);
        run.x_step = terms.x_step;
        run.weight_step = terms.weight_step;
        run.count = terms.count;
        for (unsigned i = 0; i < terms.tap_count; i++) {
            run.x_start = terms.first.x + terms.list[i].x;
            run.weight_start = terms.first.weight + terms.list[i].weight;
            tell(user, &run);
        }
        return;
    }
    bool more = lb_map_first(&bound, bound.outer, bound.loops, at.at);
    for (; more; more = lb_map_next(&bound, bound.outer, bound.loops, at.at)) {
        int64_t index[LB_MAX_RANK];
        if (!lb_access_at(&bound, LB_MAP_X, at.at, index))
            continue;
        run.x_start = lb_access_offset(&bound, LB_MAP_X, at.at);
        run.weight_start = lb_access_offset(&bound, LB_MAP_W, at.at);
        tell(user, &run);
    }
}

/* Elements from x_start on, each times the chain's column of the weights (N, M). */
static void dense_run(const lb_tensor *weights, size_t x_start, uint32_t column,
                      lb_guard_run_fn tell, void *user)
{
    tell(user, &(lb_guard_run){.weights = weights,
                               .x_start = x_start,
                               .x_step = 1,
                               .weight_start = column,
                               .weight_step = (size_t)weights->mem_stride[0],
                               .count = weights->shape[0]});
}

/* The first frame that is processed: the one whose hidden state is an input too. */
static void cell_run(const lb_call *call, const lb_guard_chain *chain, lb_guard_run_fn tell,
                     void *user)
{
    bool is_x = chain->x_role == LB_ROLE_IN;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor weights =
        lb_slice(call->tensor[is_x ? LB_ROLE_WEIGHTS_IN : LB_ROLE_WEIGHTS_OUT], chain->gate);
    size_t start = is_x ? lb_program_input_frame(call, 0) * (size_t)in->mem_stride[0] : 0;
    dense_run(&weights, start, chain->channel, tell, user);
}

void lb_guard_each_run(const lb_call *call, const lb_guard_chain *chain, lb_guard_place at,
                       lb_guard_run_fn tell, void *user)
{
    switch (lb_pattern_of(call->kernel)) {
    case LB_PATTERN_CONVOLUTION:
    case LB_PATTERN_DENSE:
        each_map_run(call, at, tell, user);
        break;
    case LB_PATTERN_DENSE_LISTS:
        dense_run(call->tensor[LB_ROLE_WEIGHTS] + chain->x_index, 0, chain->channel, tell, user);
        break;
    case LB_PATTERN_CELL:
        cell_run(call, chain, tell, user);
        break;
    default:
        break;
    }
}

/* ---- Functions with weights ---- */

/* The outputs of one channel: those of the positions that matter. */
static void add_positions(const lb_call *call, const lb_bound_map *bound,
                          const lb_guard_positions *positions, lb_guard_place at,
                          lb_guard_chains *chains, lb_guard_chain *chain)
{
    size_t chosen[LB_MAP_LOOPS] = {0};
    unsigned l;
    do {
        for (l = 0; l < bound->outer; l++)
            at.at[l] = positions[l].count > 0 ? positions[l].items[chosen[l]] : at.at[l];
        add_position(call, chains, chain, at);
        for (l = bound->outer; l-- > 0;) {
            if (++chosen[l] < positions[l].count)
                break;
            chosen[l] = 0;
        }
    } while (l < bound->outer);
}

/* The next position of the loops that cut nothing: another channel. */
static bool next_channel(const lb_bound_map *bound, const lb_guard_positions *positions,
                         uint32_t *at)
{
    for (unsigned l = bound->outer; l-- > 0;) {
        if (positions[l].count > 0)
            continue;
        if (++at[l] < bound->extent[l])
            return true;
        at[l] = 0;
    }
    return false;
}

/* Functions with an index map: a chain for each output channel. */
static void list_weighted(const lb_call *call, lb_arena *arena, lb_guard_chains *chains)
{
    lb_weighted weighted = lb_weighted_start(&(lb_context){.profile = &lb_profiles[0]}, call);
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_guard_positions positions[LB_MAP_LOOPS] = {{0}};
    lb_guard_place at = {{0}};
    lb_bound_map bound;
    make_room(chains, out->shape[out->rank - 1], arena);
    if (!lb_map_bind(&bound, lb_map_of(call->kernel), call))
        return;
    for (unsigned l = 0; l < bound.outer; l++)
        if (lb_guard_is_position(&bound, l))
            positions[l] = lb_guard_positions_of(&bound, l, arena);
    do {
        int64_t index[LB_MAX_RANK];
        lb_guard_chain *chain =
            append(chains, LB_ROLE_IN, call->kernel->in_type, weighted.in_zero_point);
        (void)lb_access_at(&bound, LB_MAP_OUT, at.at, index);
        chain->channel = (uint32_t)index[out->rank - 1];
        chain->adds_bias = true;
        add_positions(call, &bound, positions, at, chains, chain);
    } while (next_channel(&bound, positions, at.at));
}

/* recurrent.md 5.2, 5.3: an accumulator for each input; the bias is with the first. */
static void list_rnn_dense(const lb_call *call, lb_arena *arena, lb_guard_chains *chains)
{
    uint32_t channels = call->tensor[LB_ROLE_WEIGHTS]->shape[1];
    unsigned inputs = call->config.inputs_num;
    make_room(chains, (size_t)channels * inputs, arena);
    for (unsigned j = 0; j < inputs; j++)
        for (uint32_t c = 0; c < channels; c++) {
            int32_t zero_point = lb_quant_at(&call->tensor[LB_ROLE_IN][j], 0).zero_point;
            lb_guard_chain *chain = append(chains, LB_ROLE_IN, call->kernel->in_type, zero_point);
            chain->x_index = j;
            chain->channel = c;
            chain->adds_bias = j == 0;
            add_position(call, chains, chain, (lb_guard_place){{0}});
        }
}

/* The chains of all gates for one operand of a cell: the frame, or a hidden state with this zero
 * point. */
static void list_gates(const lb_call *call, unsigned gates, lb_role x_role, int32_t zero_point,
                       bool reachable, lb_guard_chains *chains)
{
    const lb_tensor *weights =
        call->tensor[x_role == LB_ROLE_IN ? LB_ROLE_WEIGHTS_IN : LB_ROLE_WEIGHTS_OUT];
    const lb_program *program = lb_program_of(call->kernel);
    for (unsigned gate = 0; gate < gates; gate++)
        for (uint32_t c = 0; c < weights->shape[2]; c++) {
            /* recurrent.md 8: the last gate of a GRU takes the hidden state times a gate */
            bool computed = x_role == LB_ROLE_PREV_OUT &&
                            lb_program_maker(program, (int)gate)->a.vector != LB_VECTOR_HIDDEN;
            lb_guard_chain *chain = append(chains, x_role, call->kernel->in_type, zero_point);
            chain->gate = gate;
            chain->channel = c;
            chain->adds_bias = x_role == LB_ROLE_IN;
            chain->reachable = reachable && !computed;
            add_position(call, chains, chain, (lb_guard_place){{0}});
        }
}

/* QUIRK (recurrent.md 6): from the second frame on the hidden state is in out's format. */
static void list_cell(const lb_call *call, lb_arena *arena, lb_guard_chains *chains)
{
    unsigned gates = lb_program_of(call->kernel)->gates;
    int32_t first = lb_quant_at(call->tensor[LB_ROLE_PREV_OUT], 0).zero_point;
    int32_t later = lb_quant_at(call->tensor[LB_ROLE_OUT], 0).zero_point;
    make_room(chains, (size_t)call->tensor[LB_ROLE_WEIGHTS_IN]->shape[2] * gates * 3, arena);
    list_gates(call, gates, LB_ROLE_IN, lb_quant_at(call->tensor[LB_ROLE_IN], 0).zero_point, true,
               chains);
    list_gates(call, gates, LB_ROLE_PREV_OUT, first, true, chains);
    if (call->tensor[LB_ROLE_IN]->shape[0] > 1 && later != first)
        list_gates(call, gates, LB_ROLE_PREV_OUT, later, false, chains);
}

/* ---- Functions without weights ---- */

static void add_window(lb_guard_chain *chain, const lb_pool_divisor *divisor, uint32_t n,
                       lb_guard_place at)
{
    int64_t a = divisor->factor * n * chain->x_low, b = divisor->factor * n * chain->x_high;
    int64_t low = divisor->start + (a < b ? a : b), high = divisor->start + (a < b ? b : a);
    if (low < chain->sum_low) {
        chain->sum_low = low;
        chain->low_at = at;
    }
    if (high > chain->sum_high) {
        chain->sum_high = high;
        chain->high_at = at;
    }
}

/* pooling_and_movement.md 2.4 to 2.6: the number of positions in a window fixes the factor, and the
 * zero points come first. */
static void list_average(const lb_call *call, const lb_profile *profile, lb_arena *arena,
                         lb_guard_chains *chains)
{
    uint64_t before = 0;
    lb_guard_place place = {{0}};
    lb_bound_map bound;
    make_room(chains, 1, arena);
    lb_guard_chain *chain = append(chains, LB_ROLE_IN, call->kernel->in_type, 0);
    bool more = lb_map_bind(&bound, lb_map_of(call->kernel), call) &&
                lb_map_first(&bound, 0, bound.outer, place.at);
    for (; more; more = lb_map_next(&bound, 0, bound.outer, place.at)) {
        /* All channels of a position have the same window. */
        uint64_t n = place.at[bound.outer - 1] == 0 ? lb_map_inside(&bound, place.at) : before;
        if (n == before)
            continue;
        before = n;
        lb_pool_divisor divisor = lb_pool_divisor_of(profile, call, (uint32_t)n);
        add_window(chain, &divisor, (uint32_t)n, place);
        chains->macs = n > chains->macs ? n : chains->macs;
    }
}

/* Elements of a group. */
static uint64_t group_length(const lb_call *call)
{
    lb_bound_map bound;
    return lb_map_bind(&bound, lb_map_of(call->kernel), call) ? lb_map_sum_length(&bound) : 0;
}

/* elementwise.md 8: squares of the elements less their zero point. */
static void list_squares(const lb_call *call, lb_arena *arena, lb_guard_chains *chains)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    make_room(chains, 1, arena);
    lb_guard_chain *chain = append(chains, LB_ROLE_IN, in->el_type, lb_quant_at(in, 0).zero_point);
    int64_t low = (int64_t)chain->x_low * chain->x_low,
            high = (int64_t)chain->x_high * chain->x_high;
    chains->macs = group_length(call);
    chain->sum_high = (int64_t)chains->macs * (low > high ? low : high);
}

/* elementwise.md 7: exponentials of what lies below the largest element, so that the largest
 * exponential is that of 0. */
static void list_exponentials(const lb_call *call, lb_rounding rounding, lb_arena *arena,
                              lb_guard_chains *chains)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    make_room(chains, 1, arena);
    lb_guard_chain *chain = append(chains, LB_ROLE_IN, in->el_type, 0);
    chains->macs = group_length(call);
    chain->sum_high =
        (int64_t)chains->macs * lb_lut_lookup(LB_LUT_SOFTMAX, rounding, 0, SOFTMAX_FRAC_BITS);
}

/* ---- All ---- */

bool lb_guard_applies(const lb_kernel *kernel)
{
    return lb_families[kernel->family].sums && !lb_kernel_writes_zeros(kernel);
}

/* Squares, or exponentials as they stand. */
static void list_group(const lb_call *call, const lb_profile *profile, lb_arena *arena,
                       lb_guard_chains *chains)
{
    const bool multiplies = lb_families[call->kernel->family].tables == LB_TABLES_L2_NORMALIZE;
    chains->has_bias = false;
    chains->operands = multiplies ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8;
    chains->product_bits = multiplies ? lb_product_bits(chains->operands)
                                      : CONTAINER_16_BITS; /* addends with the factor 1 (numerics.md
                                                              4.4, plain addition) */
    if (multiplies)
        list_squares(call, arena, chains);
    else
        list_exponentials(call, profile->rounding, arena, chains);
}

void lb_guard_chains_make(const lb_call *call, const lb_profile *profile, lb_arena *arena,
                          lb_guard_chains *chains)
{
    *chains = (lb_guard_chains){.operands = lb_operands_of(call->kernel),
                                .has_bias = true,
                                .numerics = lb_profile_number(profile)};
    chains->product_bits = lb_product_bits(chains->operands);
    if (!lb_guard_applies(call->kernel))
        return;
    switch (lb_pattern_of(call->kernel)) {
    case LB_PATTERN_CONVOLUTION:
    case LB_PATTERN_DENSE:
        list_weighted(call, arena, chains);
        break;
    case LB_PATTERN_DENSE_LISTS:
        list_rnn_dense(call, arena, chains);
        break;
    case LB_PATTERN_CELL:
        list_cell(call, arena, chains);
        break;
    case LB_PATTERN_POOL:
        chains->operands = lb_pool_operands(profile, call->kernel->in_type);
        chains->product_bits = lb_product_bits(chains->operands);
        chains->has_bias = lb_is_sa(call->kernel->in_type);
        chains->numerics_count = chains->has_bias;
        list_average(call, profile, arena, chains);
        break;
    case LB_PATTERN_GROUP:
        list_group(call, profile, arena, chains);
        break;
    default:
        break;
    }
}
