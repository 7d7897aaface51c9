/* The watched accumulator: widths, wrap, and what it remembers. Spec: numerics.md 4.1, 4.4,
 * conv.md 12. */
#include "tensors.h"

#include "core/accumulator.h"
#include "core/arith.h"

static lb_acc chain(const lb_profile *profile, lb_operands operands, int32_t a, int32_t b,
                    unsigned times)
{
    lb_acc acc = lb_acc_start(profile, operands);
    for (unsigned i = 0; i < times; i++)
        lb_acc_mac(&acc, a, b);
    return acc;
}

/* numerics.md 4.4: the exact limits for the worst product, and the first overflow */
static void limits_of_the_worst_products(void **state)
{
    (void)state;
    static const struct {
        lb_operands operands;
        int32_t a, b;
        unsigned safe;
        int64_t wrapped; /* what one more product leaves */
    } rows[] = {
        {LB_OPERANDS_8X8, -128, -128, 131071, INT32_MIN},
        {LB_OPERANDS_16X8, -32768, -128, 511, INT32_MIN},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lb_watch watch = {0};
        lb_acc acc = chain(&lb_profiles[0], rows[i].operands, rows[i].a, rows[i].b, rows[i].safe);
        assert_int_equal(lb_acc_close(&acc, &watch), (int64_t)rows[i].a * rows[i].b * rows[i].safe);
        assert_int_equal(watch.persistent, 0);
        assert_int_equal(watch.macs, rows[i].safe);
        lb_acc_mac(&acc, rows[i].a, rows[i].b);
        assert_int_equal(lb_acc_close(&acc, &watch), rows[i].wrapped);
        assert_int_equal(watch.persistent, 1);
        assert_int_equal(watch.transient, 0);
        assert_int_equal(watch.peak_high, (int64_t)1 << 31);
        assert_int_equal(lb_bits_for_range(watch.peak_low, watch.peak_high), 33);
    }
}

static void fx16_has_64_bits(void **state)
{
    (void)state;
    lb_watch watch = {0};
    lb_acc acc = chain(&lb_profiles[0], LB_OPERANDS_16X16, -32768, -32768, 1000);
    assert_int_equal(lb_acc_close(&acc, &watch), 1000 * ((int64_t)1 << 30));
    assert_int_equal(watch.acc_bits, 64);
    assert_int_equal(watch.operands, LB_OPERANDS_16X16);
    assert_int_equal(watch.persistent + watch.transient, 0);
}

/* A running sum that leaves the width and comes back: the register is right in the end, and the
 * watch says so. */
static void transient_overflow(void **state)
{
    (void)state;
    lb_watch watch = {0};
    lb_acc acc = chain(&lb_profiles[0], LB_OPERANDS_16X8, -32768, -128, 600);
    for (int i = 0; i < 300; i++)
        lb_acc_mac(&acc, 32767, -128);
    int64_t sum = 600 * ((int64_t)1 << 22) - 300 * (int64_t)32767 * 128;
    assert_int_equal(lb_acc_close(&acc, &watch), sum);
    assert_int_equal(watch.transient, 1);
    assert_int_equal(watch.persistent, 0);
    assert_int_equal(watch.peak_high, 600 * ((int64_t)1 << 22));
    assert_int_equal(watch.peak_low, 0);
    assert_int_equal(watch.final_high, sum);
    assert_int_equal(watch.final_low, sum);
}

/* The same to the other side, in the first chain: 0 is among the peaks, but no final value is above
 * the sum. */
static void negative_sums(void **state)
{
    (void)state;
    lb_watch watch = {0};
    lb_acc acc = chain(&lb_profiles[0], LB_OPERANDS_16X8, 32767, -128, 600);
    for (int i = 0; i < 300; i++)
        lb_acc_mac(&acc, 32767, 127);
    int64_t sum = -600 * (int64_t)32767 * 128 + 300 * (int64_t)32767 * 127;
    assert_int_equal(lb_acc_close(&acc, &watch), sum);
    assert_int_equal(watch.transient, 1);
    assert_int_equal(watch.peak_low, -600 * (int64_t)32767 * 128);
    assert_int_equal(watch.peak_high, 0);
    assert_int_equal(watch.final_low, sum);
    assert_int_equal(watch.final_high, sum);
}

/* Chains fold together: extremes over all, 0 among the peaks but not among the finals. */
static void chains_fold_together(void **state)
{
    (void)state;
    lb_watch watch = {0};
    lb_acc acc = chain(&lb_profiles[0], LB_OPERANDS_8X8, 10, 10, 3);
    assert_int_equal(lb_acc_close(&acc, &watch), 300);
    assert_int_equal(watch.final_low, 300);
    assert_int_equal(watch.peak_low, 0);
    acc = chain(&lb_profiles[0], LB_OPERANDS_8X8, 10, 10, 1);
    lb_acc_mac(&acc, -30, 10);
    assert_int_equal(lb_acc_close(&acc, &watch), -200);
    assert_int_equal(watch.chains, 2);
    assert_int_equal(watch.macs, 3);
    assert_int_equal(watch.peak_low, -200);
    assert_int_equal(watch.peak_high, 300);
    assert_int_equal(watch.final_low, -200);
    assert_int_equal(watch.final_high, 300);
    acc = lb_acc_start(&lb_profiles[0], LB_OPERANDS_8X8);
    assert_int_equal(lb_acc_close(&acc, &watch), 0);
    assert_int_equal(watch.chains, 3);
    assert_int_equal(lb_acc_close(&acc, NULL), 0);
}

/* A platform whose accumulator has 24 bits: wraps there, or saturates at every step. */
static void other_widths(void **state)
{
    (void)state;
    lb_profile narrow = lb_profiles[0];
    narrow.acc_bits[LB_OPERANDS_8X8] = 24;
    lb_watch watch = {0};
    lb_acc acc = chain(&narrow, LB_OPERANDS_8X8, -128, -128, 511);
    assert_int_equal(lb_acc_close(&acc, &watch), 511 * 16384);
    lb_acc_mac(&acc, -128, -128);
    assert_int_equal(lb_acc_close(&acc, &watch), -8388608);
    assert_int_equal(watch.acc_bits, 24);
    assert_int_equal(watch.persistent, 1);

    narrow.acc_saturates = true;
    acc = chain(&narrow, LB_OPERANDS_8X8, -128, -128, 600);
    lb_acc_mac(&acc, 1, -7);
    assert_int_equal(lb_acc_close(&acc, NULL), 8388607 - 7);
    assert_int_equal(acc.exact, 600 * 16384 - 7);
}

static void saturating_addition(void **state)
{
    (void)state;
    lb_watch watch = {0};
    lb_acc acc = lb_acc_start(&lb_profiles[0], LB_OPERANDS_8X8);
    assert_int_equal(lb_acc_add_saturating(&acc, 5, 7, &watch), 12);
    assert_int_equal(lb_acc_add_saturating(&acc, INT32_MAX, 0, &watch), INT32_MAX);
    assert_int_equal(watch.saturated, 0);
    assert_int_equal(lb_acc_add_saturating(&acc, INT32_MAX, 1, &watch), INT32_MAX);
    assert_int_equal(lb_acc_add_saturating(&acc, INT32_MIN, -1, &watch), INT32_MIN);
    assert_int_equal(lb_acc_add_saturating(&acc, INT32_MIN, -1, NULL), INT32_MIN);
    assert_int_equal(watch.saturated, 2);
    acc = lb_acc_start(&lb_profiles[0], LB_OPERANDS_16X16);
    assert_int_equal(lb_acc_add_saturating(&acc, INT32_MAX, 1, &watch), (int64_t)INT32_MAX + 1);
    assert_true(lb_acc_add_saturating(&acc, INT64_MAX, 1, &watch) == INT64_MAX);
    assert_int_equal(watch.saturated, 3);
}

static void bits_for_ranges(void **state)
{
    (void)state;
    assert_int_equal(lb_bits_for_range(0, 0), 1);
    assert_int_equal(lb_bits_for_range(-1, 0), 1);
    assert_int_equal(lb_bits_for_range(0, 1), 2);
    assert_int_equal(lb_bits_for_range(-128, 127), 8);
    assert_int_equal(lb_bits_for_range(-128, 128), 9);
    assert_int_equal(lb_bits_for_range(-129, 0), 9);
    assert_int_equal(lb_bits_for_range(-16256, 16384), 16); /* one product of sa8 */
    assert_int_equal(lb_bits_for_range(INT64_MIN, INT64_MAX), 64);
}

static void profiles_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"up-full", "up-reduced", "convergent-full",
                                        "convergent-reduced"};
    for (int i = 0; i < LB_PROFILE_COUNT; i++) {
        assert_int_equal(lb_profile_find(names[i]), i);
        assert_string_equal(lb_profiles[i].name, names[i]);
        lb_profile other = lb_profiles[i];
        strcpy(other.name, "device");
        other.acc_bits[LB_OPERANDS_8X8] = 24;
        assert_int_equal(lb_profile_numerics(&other), i);
        assert_int_equal(lb_profiles[i].rounding == LB_ROUND_CONVERGENT, i >= 2);
        assert_int_equal(lb_profiles[i].reduced, i % 2);
    }
    assert_int_equal(lb_profile_find("down-full"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_the_worst_products),
        cmocka_unit_test(fx16_has_64_bits),
        cmocka_unit_test(transient_overflow),
        cmocka_unit_test(negative_sums),
        cmocka_unit_test(chains_fold_together),
        cmocka_unit_test(other_widths),
        cmocka_unit_test(saturating_addition),
        cmocka_unit_test(bits_for_ranges),
        cmocka_unit_test(profiles_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
