/* The watched accumulator. Spec: numerics.md 4.1, conv.md 12. */
#include "accumulator.h"

#include "arith.h"

#include <stddef.h>
#include <string.h>

lb_acc lb_acc_start(const lb_profile *profile, lb_operands operands)
{
    lb_acc acc = {
        .width = profile->acc_bits[operands],
        .saturates = profile->acc_saturates,
        .at_end = profile->at.value[LB_FEATURE_OVERFLOW] == LB_SUM_AT_END,
        .operands = operands,
        .highest = lb_max_of(profile->acc_bits[operands]),
    };
    if (profile->lanes) {
        acc.lanes = profile->at.value[LB_FEATURE_LANES];
        acc.lane = profile->lanes;
        memset(acc.lane, 0, acc.lanes * sizeof *acc.lane);
    }
    return acc;
}

/* What the register holds after one more product. */
static int64_t held_after(lb_acc *acc, int64_t product)
{
    if (acc->lanes > 0) {
        /* The sum of all lanes, as far as they are; they meet when the accumulator is closed. */
        int64_t *lane = &acc->lane[acc->macs % acc->lanes];
        int64_t before = *lane;
        *lane = lb_add(before, product, acc->width);
        return lb_add(acc->held, *lane - before, 64);
    }
    if (acc->saturates)
        return lb_add(acc->held, product, acc->width);
    return acc->at_end ? acc->exact : lb_wrap(acc->exact, acc->width);
}

void lb_acc_expect_zero_point(lb_acc *acc, int32_t zero_point)
{
    acc->zero_point = zero_point;
}

void lb_acc_expect_terms(lb_acc *acc)
{
    acc->adds_terms = true;
}

void lb_acc_mac_watched(lb_acc *acc, int32_t a, int32_t b)
{
    int64_t product = (int64_t)a * b;
    acc->exact = lb_add(acc->exact, product, 64);
    acc->held = held_after(acc, product);
    acc->macs++;
    if (acc->exact < acc->low)
        acc->low = acc->exact;
    if (acc->exact > acc->high)
        acc->high = acc->exact;
    if (acc->zero_point != 0)
        lb_acc_fold(acc, b);
}

static bool outside(int64_t v, int width)
{
    return v != lb_sat(v, width);
}

static void watch_chain(const lb_acc *acc, lb_watch *watch)
{
    bool first = watch->chains == 0;
    watch->chains++;
    watch->macs = acc->macs > watch->macs ? acc->macs : watch->macs;
    watch->acc_bits = acc->width;
    watch->operands = acc->operands;
    watch->peak_low = acc->low < watch->peak_low ? acc->low : watch->peak_low;
    watch->peak_high = acc->high > watch->peak_high ? acc->high : watch->peak_high;
    int64_t folded_low = acc->zero_point != 0 ? acc->folded_low : acc->low,
            folded_high = acc->zero_point != 0 ? acc->folded_high : acc->high;
    watch->folded_low = folded_low < watch->folded_low ? folded_low : watch->folded_low;
    watch->folded_high = folded_high > watch->folded_high ? folded_high : watch->folded_high;
    watch->final_low = first || acc->exact < watch->final_low ? acc->exact : watch->final_low;
    watch->final_high = first || acc->exact > watch->final_high ? acc->exact : watch->final_high;
    watch->sum_bits |= (uint64_t)1 << (lb_bits_for_range(acc->exact, acc->exact) - 1);
    if (outside(acc->exact, acc->width))
        watch->persistent++;
    else if (outside(acc->low, acc->width) || outside(acc->high, acc->width))
        watch->transient++;
}

int64_t lb_acc_close(const lb_acc *acc, lb_watch *watch)
{
    if (watch)
        watch_chain(acc, watch);
    if (acc->plain || (acc->quiet && acc->lanes == 0 && acc->width == 64))
        return acc->at_end ? lb_sat(acc->exact, acc->width) : lb_wrap(acc->exact, acc->width);
    if (acc->at_end)
        return lb_sat(acc->held, acc->width);
    if (acc->lanes == 0)
        return acc->held;
    int64_t sum = 0;
    for (unsigned i = 0; i < acc->lanes; i++)
        sum = lb_add(sum, acc->lane[i], acc->width);
    return sum;
}

int64_t lb_acc_add_saturating(const lb_acc *acc, int64_t value, int64_t addend, lb_watch *watch)
{
    int64_t sum = lb_add(value, addend, acc->width);
    /* The unclipped sum needs no 65th bit here: it is compared, not formed. */
    bool clipped = lb_sub(sum, value, 64) != addend;
    if (clipped && watch) {
        watch->saturated++;
        watch->saturated_high += addend > 0 ? 1 : 0;
    }
    return sum;
}

int lb_bits_for_range(int64_t low, int64_t high)
{
    int bits_low = 64 - lb_norm(low, 64);
    int bits_high = 64 - lb_norm(high, 64);
    return bits_low > bits_high ? bits_low : bits_high;
}
