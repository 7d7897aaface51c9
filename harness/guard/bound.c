/* From accumulators and a profile to guard bits: see bound.h. */
#include "harness/guard/bound.h"
#include "harness/call/chain.h"
#include "harness/call/model.h"

#include "reference/core/view.h"
#include "reference/describe/program.h"
#include "reference/mli/weighted.h"

/* ---- Bias ---- */

/* What is added behind the products of the chain. */
static int64_t bias_of(const lb_profile *profile, const lb_call *call, const lb_weighted *weighted,
                       const lb_guard_chain *chain)
{
    const lb_program *program = lb_program_of(call->kernel);
    if (!chain->adds_bias)
        return 0;
    if (!program)
        return lb_weighted_channel(weighted, call, chain->channel, chain->channel, NULL).bias;
    lb_tensor bias = *call->tensor[LB_ROLE_BIAS];
    if (program->gates > 0)
        bias = lb_slice(&bias, chain->gate);
    const lb_dense_term first = {.x = call->tensor[LB_ROLE_IN],
                                 .weights = call->tensor[program->pair[0].role]};
    return lb_dense_bias(profile, &first, &bias, call->tensor[LB_ROLE_OUT], chain->channel);
}

/* ---- Proof ---- */

int lb_guard_log2(uint64_t n)
{
    int bits = 0;
    for (uint64_t rest = n > 0 ? n - 1 : 0; rest > 0; rest >>= 1)
        bits++;
    return bits;
}

bool lb_guard_has_one_sum(const lb_kernel *kernel)
{
    return !lb_program_of(kernel);
}

/* The bias comes last: the hull of the sums with and without it. */
static void add_chains(const lb_guard_chains *chains, const lb_profile *profile,
                       const lb_call *call, bool first, lb_guard_bound *bound)
{
    lb_weighted weighted = {.profile = profile};
    if (chains->has_bias && call->tensor[LB_ROLE_BIAS] && lb_guard_has_one_sum(call->kernel))
        weighted = lb_weighted_start(&(lb_context){.profile = profile}, call);
    for (size_t i = 0; i < chains->count; i++) {
        const lb_guard_chain *chain = &chains->items[i];
        int64_t bias = bias_of(profile, call, &weighted, chain);
        int64_t low = chain->sum_low + (bias < 0 ? bias : 0),
                high = chain->sum_high + (bias > 0 ? bias : 0);
        int64_t apart_low = chain->has_terms ? chain->separate_low : chain->sum_low,
                apart_high = chain->has_terms ? chain->separate_high : chain->sum_high;
        apart_low += bias < 0 ? bias : 0;
        apart_high += bias > 0 ? bias : 0;
        bound->separate_low = apart_low < bound->separate_low ? apart_low : bound->separate_low;
        bound->separate_high =
            apart_high > bound->separate_high ? apart_high : bound->separate_high;
        bound->low = low < bound->low ? low : bound->low;
        bound->high = high > bound->high ? high : bound->high;
        if (first && chain->reachable && (low < bound->low_sum || i == 0)) {
            bound->low_sum = low;
            bound->low_chain = i;
        }
        if (first && chain->reachable && (high > bound->high_sum || i == 0)) {
            bound->high_sum = high;
            bound->high_chain = i;
        }
    }
}

/* May a step of a chain of calls have other weights, or another format, than the one before? */
static bool is_new(const lb_case *c, uint32_t step)
{
    if (step <= 2)
        return true;
    for (unsigned i = 0; i < c->chain.fresh_count; i++) {
        lb_role role = c->chain.fresh[i].role;
        if (lb_role_is_weights(role) || role == LB_ROLE_BIAS)
            return true;
    }
    for (unsigned i = 0; i < c->chain.feed_count; i++)
        if (c->chain.feeds[i].to != LB_ROLE_IN && c->chain.feeds[i].to != LB_ROLE_PREV_OUT)
            return true;
    return false;
}

static void add_call(const lb_guard_chains *chains, const lb_profile *profile, const lb_call *call,
                     bool first, lb_guard_bound *bound)
{
    bound->known = true;
    bound->macs = chains->macs > bound->macs ? chains->macs : bound->macs;
    bound->format_bits =
        chains->product_bits + lb_guard_log2(bound->macs) + (chains->has_bias ? 1 : 0);
    add_chains(chains, profile, call, first, bound);
}

void lb_guard_prove(lb_guard_prover *prover, const lb_profile *asked, const lb_call *call,
                    uint32_t step, lb_guard_bound *bound)
{
    lb_guard_chains *first = &prover->first;
    lb_profile_here here;
    const lb_profile *profile = lb_profile_of(asked, call->kernel, &here);
    bool has_own = profile != asked; /* features of the family, which no number tells */
    if (step == 1) {
        if (!prover->have_first || has_own || prover->first_has_own ||
            (first->numerics_count && first->numerics != lb_profile_number(profile)))
            lb_guard_chains_make(call, profile, prover->arena, first);
        prover->have_first = true;
        prover->first_has_own = has_own;
        add_call(first, profile, call, true, bound);
    } else if (is_new(prover->test_case, step)) {
        lb_arena arena = {0}; /* a chain may have a million steps */
        lb_guard_chains chains;
        lb_guard_chains_make(call, profile, &arena, &chains);
        add_call(&chains, profile, call, false, bound);
        lb_arena_free(&arena);
    }
}

/* ---- Measurement ---- */

static bool rules_pass(const lb_context *context, const lb_call *call)
{
    for (const lb_rule *rule = call->kernel->rules; rule && rule->check; rule++)
        if (rule->check(context, call, rule) != LB_OK)
            return false;
    return true;
}

bool lb_guard_measure(lb_guard_prover *prover, const lb_profile *profile, lb_guard_bound *bound,
                      lb_watch *watch)
{
    const lb_case *c = prover->test_case;
    lb_instance *instance = lb_instance_of(c, prover->arena);
    lb_context context = {.profile = profile, .watch = watch};
    uint32_t steps = lb_calls_of(c);
    *bound = (lb_guard_bound){.known = false};
    *watch = (lb_watch){.chains = 0};
    for (uint32_t step = 1; step <= steps; step++) {
        if (step > 1)
            lb_chain_feed(instance, step);
        if (!rules_pass(&context, &instance->call))
            break;
        lb_guard_prove(prover, profile, &instance->call, step, bound);
        lb_run_exact(&context, &instance->call);
    }
    return bound->known && watch->chains > 0;
}

/* ---- Both ---- */

const char *lb_guard_overflow(const lb_watch *watch)
{
    return watch->persistent > 0 ? "persistent" : watch->transient > 0 ? "transient" : "none";
}

bool lb_guard_left_width(const lb_watch *watch)
{
    return watch->persistent + watch->transient + watch->saturated > 0;
}

lb_guard_use lb_guard_use_of(const lb_guard_prover *prover, const lb_guard_bound *bound,
                             const lb_watch *watch, const lb_profile *asked)
{
    lb_profile_here here;
    const lb_profile *profile = lb_profile_of(asked, prover->test_case->kernel, &here);
    const lb_guard_chains *chains = &prover->first;
    lb_guard_use use = {.operands = chains->operands,
                        .macs = bound->macs,
                        .acc_bits = profile->acc_bits[chains->operands],
                        .product_bits = chains->product_bits,
                        .format_bits = bound->format_bits,
                        .bound_low = bound->low,
                        .bound_high = bound->high,
                        .bound_bits = lb_bits_for_range(bound->low, bound->high),
                        .peak_low = watch->folded_low,
                        .peak_high = watch->folded_high,
                        .peak_bits = lb_bits_for_range(watch->folded_low, watch->folded_high),
                        .separate_bound_low = bound->separate_low,
                        .separate_bound_high = bound->separate_high,
                        .separate_bound_bits =
                            lb_bits_for_range(bound->separate_low, bound->separate_high),
                        .separate_peak_low = watch->peak_low,
                        .separate_peak_high = watch->peak_high,
                        .separate_peak_bits = lb_bits_for_range(watch->peak_low, watch->peak_high),
                        .final_low = watch->final_low,
                        .final_high = watch->final_high,
                        .overflow = lb_guard_overflow(watch),
                        .saturated = watch->saturated};
    use.needed_bits = use.bound_bits > use.peak_bits ? use.bound_bits : use.peak_bits;
    use.headroom_bits = use.acc_bits - use.needed_bits;
    use.exceeds = use.headroom_bits < 0;
    return use;
}
